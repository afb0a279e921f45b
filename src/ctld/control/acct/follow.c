#include "ctld/control/acct/follow.h"

#include <errno.h>
#include <string.h>

#include "common/msg/acct_meet.h"
#include "common/text/words.h"
#include "ctld/control/acct/acct.h"
#include "ctld/control/acct/tree.h"
#include "ctld/control/act/state.h"

/* The kinds that an owner of accounts owns, those first that others name. */
static const enum kept_number kinds[] = { KEPT_TRES,    KEPT_QOS,     KEPT_FEDERATION,
                                          KEPT_CLUSTER, KEPT_ACCOUNT, KEPT_USER,
                                          KEPT_ASSOC,   KEPT_WCKEY,   KEPT_RESOURCE };

bool acct_is_told(uint32_t kind)
{
    for (size_t i = 0; i < ARRAY_N(kinds); i++) {
        if (kinds[i] == kind)
            return true;
    }
    return false;
}

/* ---- who owns them ---- */

uint64_t acct_owner(const struct control *control)
{
    return control->acct_owner;
}

void acct_set_owner(struct act *act, uint64_t number)
{
    if (act->control->acct_owner == number)
        return;
    act->control->acct_owner = number;
    turn_note_number(act->turn, CONTROL_NUMBER_ACCT_OWNER, (int64_t)number);
}

int acct_check_owner(const struct control *control, const struct kept_change *request,
                     struct err *err)
{
    for (uint32_t i = 0; control->acct_owner && i < request->edits_n; i++) {
        if (acct_is_told(request->edits[i].kind))
            return err_set(err, EPERM,
                           "accounts of this cluster are kept by slurmdbd (AccountingStorageHost): "
                           "what changes them goes there");
    }
    return 0;
}

/* ---- which records ---- */

/* Records that were read from messages. */
struct taken {
    struct kept_taken *at; /* the records are owned */
    uint32_t n;
};

static void clear_taken(struct taken *taken)
{
    for (uint32_t i = 0; i < taken->n; i++) {
        void *record = (void *)(uintptr_t)taken->at[i].record;

        schema_clear(kept_kind_find(taken->at[i].kind)->schema(), record);
        free(record);
    }
    free(taken->at);
}

static int read_record(const struct dbd_record *msg, struct taken *ret, struct err *err)
{
    const struct kept_kind *kind = acct_is_told(msg->kind) ? kept_kind_find(msg->kind) : NULL;
    void *record;
    int rc;

    if (!kind)
        return err_set(err, E_PROTO, "records of kind %u are not told of here", msg->kind);
    record = xcalloc(1, kind->schema()->size);
    rc = schema_decode(kind->schema(), msg->record.data, msg->record.n, record, err);
    if (rc < 0) {
        free(record);
        return err_prefix(err, "a %s", kind->name);
    }
    *ARRAY_PUSH(ret->at, ret->n) = (struct kept_taken){ kind->number, record };
    return 0;
}

static int read_records(const struct dbd_records *list, struct taken *ret, struct err *err)
{
    int rc = 0;

    for (uint32_t i = 0; rc == 0 && i < list->records_n; i++)
        rc = read_record(&list->records[i], ret, err);
    return rc;
}

/* Returns the cluster that a record is of, or NULL: it is of all. */
static const char *cluster_of(uint32_t kind, const void *record)
{
    switch (kind) {
    case KEPT_ASSOC:
        return ((const struct assoc_record *)record)->cluster;
    case KEPT_WCKEY:
        return ((const struct wckey_record *)record)->cluster;
    default:
        return NULL;
    }
}

static bool is_of(uint32_t kind, const void *record, const char *cluster)
{
    const char *own = cluster_of(kind, record);

    return !own || strcmp(own, cluster) == 0;
}

bool acct_is_told_to(const char *cluster, uint32_t kind, const struct blob *record)
{
    struct taken taken = { 0 };
    const struct dbd_record msg = { .kind = kind, .record = *record };
    bool is_told = acct_is_told(kind) && read_record(&msg, &taken, NULL) == 0 &&
                   is_of(kind, taken.at[0].record, cluster);

    clear_taken(&taken);
    return is_told;
}

void acct_tell_all(struct control *control, const char *cluster, struct dbd_records *out)
{
    for (size_t k = 0; k < ARRAY_N(kinds); k++) {
        const struct kept_table *table = control_kept(control, kinds[k]);
        const void *record;
        uint64_t serial = 0;

        while ((record = kept_next(table, &serial))) {
            struct dbd_record *msg;

            if (!is_of(kinds[k], record, cluster))
                continue;
            msg = ARRAY_PUSH(out->records, out->records_n);
            dbd_record_init(msg);
            msg->kind = kinds[k];
            msg->record = schema_encode_blob(table->kind->schema(), record);
        }
    }
}

struct dbd_records acct_next_piece(const struct dbd_records *list, uint32_t *at)
{
    const uint32_t begin = *at;
    size_t bytes = 0;

    while (*at < list->records_n && *at - begin < DBD_RECORDS_A_PIECE && bytes < DBD_BYTES_A_PIECE)
        bytes += list->records[(*at)++].record.n;
    return (struct dbd_records){ .is_all = list->is_all,
                                 .keep = list->keep,
                                 .is_last = *at == list->records_n,
                                 .records = list->records + begin,
                                 .records_n = *at - begin };
}

void acct_join_piece(struct dbd_records *list, struct dbd_records *piece)
{
    list->is_all = piece->is_all;
    list->keep = piece->keep;
    for (uint32_t i = 0; i < piece->records_n; i++)
        *ARRAY_PUSH(list->records, list->records_n) = piece->records[i];
    piece->records_n = 0; /* they have moved */
}

/* ---- following ---- */

/* The keys of records of one kind, sorted. */
struct keys {
    char **at;
    uint32_t n;
};

static int compare_keys(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void read_keys(const struct taken *taken, const struct kept_kind *kind, struct keys *ret)
{
    for (uint32_t i = 0; i < taken->n; i++) {
        if (taken->at[i].kind == kind->number)
            *ARRAY_PUSH(ret->at, ret->n) = kept_key(kind, taken->at[i].record);
    }
    if (ret->n)
        qsort(ret->at, ret->n, sizeof(*ret->at), compare_keys);
}

static void clear_keys(struct keys *keys)
{
    for (uint32_t i = 0; i < keys->n; i++)
        free(keys->at[i]);
    free(keys->at);
}

/* Adds to `taken` the records of a kind that are here and not in it, as deleted ones. */
static void delete_others(struct act *act, const struct kept_kind *kind, struct taken *taken)
{
    const struct schema_field *deleted = schema_find(kind->schema(), "deleted");
    const struct kept_table *table = control_kept(act->control, kind->number);
    struct keys keys = { 0 };
    const void *record;
    uint64_t serial = 0;

    read_keys(taken, kind, &keys);
    while (deleted && (record = kept_next(table, &serial))) {
        AUTO_FREE char *key = kept_key(kind, record);
        char *copy;

        if (keys.n && bsearch(&key, keys.at, keys.n, sizeof(*keys.at), compare_keys))
            continue;
        copy = xcalloc(1, kind->schema()->size);
        schema_copy(kind->schema(), copy, record);
        if (!*(int64_t *)(void *)(copy + deleted->offset))
            *(int64_t *)(void *)(copy + deleted->offset) = act->now.wall_s;
        *ARRAY_PUSH(taken->at, taken->n) = (struct kept_taken){ kind->number, copy };
    }
    clear_keys(&keys);
}

/* Of the cluster's own record, what it consists of is the controller's to say: that stays as it is
 * here. */
static void keep_event(struct act *act, const struct kept_taken *taken)
{
    struct cluster_record *rec = (struct cluster_record *)(uintptr_t)taken->record;
    const struct cluster_record *here;

    if (taken->kind != KEPT_CLUSTER ||
        !text_is(rec->name, act->control->model->config.cluster_name))
        return;
    here = kept_find(control_kept(act->control, KEPT_CLUSTER), rec->name);
    if (here)
        schema_copy_field(schema_find(cluster_record_schema(), "event"), rec, here);
}

int acct_follow(struct act *act, const struct dbd_records *list, struct err *err)
{
    struct taken taken = { 0 };
    int rc = read_records(list, &taken, err);

    for (size_t k = 0; rc == 0 && list->is_all && k < ARRAY_N(kinds); k++)
        delete_others(act, kept_kind_find(kinds[k]), &taken);
    for (uint32_t i = 0; rc == 0 && i < taken.n; i++)
        keep_event(act, &taken.at[i]);
    if (rc == 0) {
        act->control->is_following = true;
        control_kept_take(act, taken.at, taken.n);
        act->control->is_following = false;
        acct_tree_changed(act->control);
    }
    clear_taken(&taken);
    return rc;
}

/* Other clusters are slurmdbd's to know: who is on its own has no accounts of theirs, and what adds
 * an account to every cluster would fail for want of its root there. */
static void drop_other_clusters(struct act *act)
{
    const char *own = act->control->model->config.cluster_name;
    const struct kept_table *table = control_kept(act->control, KEPT_CLUSTER);
    struct cluster_record *cluster;
    uint64_t serial = 0;

    while ((cluster = kept_next(table, &serial))) {
        if (!text_is(cluster->name, own))
            kept_drop(act, KEPT_CLUSTER, cluster);
    }
}

void acct_follow_nobody(struct act *act)
{
    drop_other_clusters(act);
    acct_set_owner(act, 0);
}

/* ---- a cluster that comes ---- */

/* Gives the record the number that its like has here; 0: it is to get the next one. */
static void number_as_here(const struct kept_table *table, void *record, void *here)
{
    uint32_t *number = kept_number_of(table->kind, record);

    if (number)
        *number = here ? *kept_number_of(table->kind, here) : 0;
}

static enum acct_met meet(struct control *control, const struct kept_taken *taken,
                          struct strbuf *how)
{
    struct kept_table *table = control_kept(control, taken->kind);
    AUTO_FREE char *key = kept_key(table->kind, taken->record);

    return acct_meet(taken->kind, taken->record, kept_find(table, key), how);
}

/* Adds a record of another place, or gives one that is here its values. */
static void adopt(struct act *act, const struct kept_taken *taken, uint32_t keep)
{
    struct kept_table *table = control_kept(act->control, taken->kind);
    AUTO_FREE char *key = kept_key(table->kind, taken->record);
    void *here = kept_find(table, key), *record = (void *)(uintptr_t)taken->record;
    const enum acct_met met = meet(act->control, taken, NULL);

    if (taken->kind == KEPT_TRES) {
        acct_begin_tres(act, key);
        return;
    }
    if (met != ACCT_COMES && !(met == ACCT_CONFLICT && keep == ACCT_KEEP_CLUSTER))
        return;
    number_as_here(table, record, here);
    if (here)
        control_kept_take(act, taken, 1);
    else
        kept_create(act, taken->kind, record);
}

int acct_adopt(struct act *act, const char *cluster, const struct dbd_records *list,
               struct err *err)
{
    struct taken taken = { 0 };
    int rc = read_records(list, &taken, err);

    for (uint32_t i = 0; rc == 0 && i < taken.n; i++) {
        if (is_of(taken.at[i].kind, taken.at[i].record, cluster))
            adopt(act, &taken.at[i], list->keep);
    }
    clear_taken(&taken);
    acct_tree_changed(act->control);
    return rc;
}

#define CONFLICTS_TOLD 200

static void note_conflict(const struct kept_taken *taken, struct strbuf *how,
                          struct dbd_refused *ret)
{
    struct acct_conflict *conflict;

    if (ret->conflicts++ >= CONFLICTS_TOLD)
        return;
    conflict = ARRAY_PUSH(ret->first, ret->first_n);
    acct_conflict_init(conflict);
    conflict->kind = taken->kind;
    conflict->key = kept_key(kept_kind_find(taken->kind), taken->record);
    conflict->how = strbuf_steal(how);
}

int acct_find_conflicts(struct control *control, const char *cluster,
                        const struct dbd_records *list, struct dbd_refused *ret, struct err *err)
{
    struct taken taken = { 0 };
    int rc = read_records(list, &taken, err);

    for (uint32_t i = 0; rc == 0 && list->keep == ACCT_KEEP_NEITHER && i < taken.n; i++) {
        AUTO(strbuf) struct strbuf how = { 0 };

        if (is_of(taken.at[i].kind, taken.at[i].record, cluster) &&
            meet(control, &taken.at[i], &how) == ACCT_CONFLICT)
            note_conflict(&taken.at[i], &how, ret);
    }
    clear_taken(&taken);
    return rc;
}

int acct_register(struct act *act, const char *cluster, const struct dbd_register *msg,
                  struct err *err)
{
    struct kept_table *table = control_kept(act->control, KEPT_CLUSTER);
    struct cluster_record *rec = kept_find(table, cluster);
    int rc = acct_name_check("cluster", cluster, err);
    bool comes_back;

    if (rc < 0)
        return rc;
    if (!rec) {
        struct cluster_record fresh;

        cluster_record_init(&fresh);
        fresh.name = (char *)(uintptr_t)cluster;
        fresh.created = fresh.modified = act->now.wall_s;
        rec = kept_create(act, KEPT_CLUSTER, &fresh);
    }
    comes_back = rec->deleted;
    rec->deleted = 0;
    xstrset(&rec->host, msg->host);
    rec->port = msg->port;
    kept_note(act, KEPT_CLUSTER, rec);
    if (comes_back) /* what it once had was taken over when it came first */
        acct_begin_root_of(act, cluster);
    for (uint32_t i = 0; i < msg->tres_n; i++)
        acct_begin_tres(act, msg->tres[i]);
    return 0;
}
