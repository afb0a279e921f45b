#include "cli/import/accounts.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/import/convert.h"
#include "common/msg/types.h"
#include "common/rpc/frame.h"
#include "common/text/words.h"

typedef int row_fn(struct accounts *accounts, const struct kept_row *kept, struct foreign_row *row);

/* ---- what is here already ---- */

/* Returns whether nobody asks for what is in the member: the controller gives it. */
static bool is_given(const char *member)
{
    static const char *const given[] = { "key",           "id",          "created",
                                         "modified",      "deleted",     "added_ms",
                                         "usage_resets",  "event",       "host",
                                         "port",          "federation",  "federation_state",
                                         "federation_id", "coordinators" };

    for (size_t i = 0; i < ARRAY_N(given); i++) {
        if (strcmp(given[i], member) == 0)
            return true;
    }
    return false;
}

static bool is_equal(const struct schema *schema, const void *a, const void *b)
{
    for (uint32_t i = 0; i < schema->fields_n; i++) {
        if (!is_given(schema->fields[i].name) && !schema_equal_field(&schema->fields[i], a, b))
            return false;
    }
    return true;
}

static int64_t time_of(const struct schema *schema, const void *record, const char *member)
{
    return *(const int64_t *)(const void *)((const char *)record +
                                            schema_find(schema, member)->offset);
}

/* Returns whether the record is one that a controller makes when it begins, and nobody has changed
 * it: it is as good as none. */
static bool is_of_beginning(const struct schema *schema, const void *was)
{
    const struct schema_field *name = schema_find(schema, "name");

    if (time_of(schema, was, "created") != time_of(schema, was, "modified"))
        return false;
    if (!name)
        return strcmp(((const struct assoc_record *)was)->account, "root") == 0;
    return word_is("normal", *(char *const *)(const void *)((const char *)was + name->offset)) ||
           word_is("root", *(char *const *)(const void *)((const char *)was + name->offset));
}

/* Notes a record that is here, differs, and stays; of an association "cluster,account,user". */
static void note_kept(struct accounts *accounts, enum plan_kind what, enum kept_number kind,
                      const void *was)
{
    AUTO_FREE char *name = kept_key(kept_kind_find(kind), was);
    AUTO_FREE char *text = xasprintf(
        "%s are here and differ: they stay as they are without --overwrite", plan_words(what));
    size_t n = strlen(name);

    while (n > 0 && name[n - 1] == ',')
        name[--n] = '\0';
    plan_note(accounts->plan, text, "%s", name);
}

/* Adds what becomes of a record that is here: it takes what the database says, or stays. */
static void put_other(struct accounts *accounts, enum plan_kind what, enum kept_number kind,
                      const void *was, const void *now)
{
    const struct schema *schema = kept_kind_find(kind)->schema();
    AUTO_FREE void *changed = xcalloc(1, schema->size);

    if (!accounts->overwrites && !is_of_beginning(schema, was)) {
        plan_count(accounts->plan, what, FATE_KEPT);
        note_kept(accounts, what, kind, was);
        return;
    }
    plan_count(accounts->plan, what, FATE_CHANGED);
    schema_init(schema, changed);
    schema_copy(schema, changed, now);
    for (uint32_t i = 0; i < schema->fields_n; i++) {
        if (is_given(schema->fields[i].name))
            schema_copy_field(&schema->fields[i], changed, was);
    }
    edits_alter(&accounts->edits, kind, was, changed);
    schema_clear(schema, changed);
}

/* Adds what becomes of a record; `was` is that of its name here, also a deleted one, or NULL. */
static void put(struct accounts *accounts, enum plan_kind what, enum kept_number kind,
                const void *was, void *now)
{
    const struct schema *schema = kept_kind_find(kind)->schema();

    if (!was || time_of(schema, was, "deleted")) {
        plan_count(accounts->plan, what, FATE_NEW);
        edits_put(&accounts->edits, kind, was, now);
    } else if (is_equal(schema, was, now)) {
        plan_count(accounts->plan, what, FATE_EQUAL);
    } else {
        put_other(accounts, what, kind, was, now);
    }
}

/* ---- what cannot come ---- */

/* Notes a name that is none here. */
static bool is_name(struct accounts *accounts, enum plan_kind what, const char *name)
{
    bool is_lower = true;

    for (const char *at = name ? name : ""; *at; at++)
        is_lower = is_lower && !isupper((unsigned char)*at);
    if (name && is_lower && acct_name_check("name", name, NULL) == 0)
        return true;
    plan_count(accounts->plan, what, FATE_LEFT);
    plan_note(accounts->plan, "names are none here (capital letters, or signs that none has)", "%s",
              name ? name : "''");
    return false;
}

static struct converting converting_of(struct accounts *accounts)
{
    return (struct converting){ accounts->foreign, accounts->book, accounts->plan };
}

/* ---- clusters, QOS, accounts, users ---- */

static int take_cluster(struct accounts *accounts, const struct kept_row *kept,
                        struct foreign_row *row)
{
    const char *name = foreign_cluster(accounts->foreign, foreign_text(row, CLUSTER_name));
    const struct cluster_record *was;
    AUTO(cluster_record) struct cluster_record now;

    (void)kept;
    cluster_record_init(&now);
    if (!is_name(accounts, PLAN_CLUSTERS, name))
        return 0;
    was = book_any_cluster(accounts->book, name);
    if (was && !was->deleted) {
        plan_count(accounts->plan, PLAN_CLUSTERS, FATE_EQUAL);
        return 0;
    }
    now.name = xstrdup(name);
    put(accounts, PLAN_CLUSTERS, KEPT_CLUSTER, was, &now);
    return 0;
}

/* Adds a QOS without those it preempts, which need not be there yet. */
static int take_qos(struct accounts *accounts, const struct kept_row *kept, struct foreign_row *row)
{
    const struct converting converting = converting_of(accounts);
    AUTO(qos_record) struct qos_record now;
    const struct qos_record *was;

    (void)kept;
    qos_record_init(&now);
    if (!is_name(accounts, PLAN_QOS, foreign_text(row, QOS_name)))
        return 0;
    convert_qos(&converting, row, &now);
    was = book_any_qos(accounts->book, now.name);
    if (was && !was->deleted) { /* those that are here may be preempted at once */
        put(accounts, PLAN_QOS, KEPT_QOS, was, &now);
        return 0;
    }
    for (uint32_t i = 0; i < now.preempt_n; i++)
        free(now.preempt[i]);
    now.preempt_n = 0;
    put(accounts, PLAN_QOS, KEPT_QOS, was, &now);
    return 0;
}

/* Says whom a QOS that was added preempts. */
static int take_preempted(struct accounts *accounts, const struct kept_row *kept,
                          struct foreign_row *row)
{
    struct plan ignored = { 0 };
    struct converting converting = converting_of(accounts);
    AUTO(qos_record) struct qos_record was, now;
    const struct qos_record *here = NULL;

    (void)kept;
    converting.plan = &ignored;
    qos_record_init(&was);
    qos_record_init(&now);
    if (acct_name_check("QOS", foreign_text(row, QOS_name), NULL) == 0)
        here = book_qos(accounts->book, foreign_text(row, QOS_name));
    if (!here)
        convert_qos(&converting, row, &now);
    was.name = xstrdup(now.name);
    if (!here && now.name && now.preempt_n) {
        struct qos_record only = { .name = now.name };

        qos_record_init(&only);
        only.name = now.name;
        only.preempt = now.preempt;
        only.preempt_n = now.preempt_n;
        edits_alter(&accounts->edits, KEPT_QOS, &was, &only);
    }
    plan_clear(&ignored);
    return 0;
}

static int take_account(struct accounts *accounts, const struct kept_row *kept,
                        struct foreign_row *row)
{
    const struct converting converting = converting_of(accounts);
    AUTO(account_record) struct account_record now;

    (void)kept;
    account_record_init(&now);
    if (!is_name(accounts, PLAN_ACCOUNTS, foreign_text(row, ACCOUNT_name)))
        return 0;
    convert_account(&converting, row, &now);
    put(accounts, PLAN_ACCOUNTS, KEPT_ACCOUNT, book_any_account(accounts->book, now.name), &now);
    return 0;
}

static int take_user(struct accounts *accounts, const struct kept_row *kept,
                     struct foreign_row *row)
{
    const struct converting converting = converting_of(accounts);
    AUTO(user_record) struct user_record now;

    (void)kept;
    user_record_init(&now);
    if (!is_name(accounts, PLAN_USERS, foreign_text(row, USER_name)))
        return 0;
    convert_user(&converting, row, &now);
    put(accounts, PLAN_USERS, KEPT_USER, book_any_user(accounts->book, now.name), &now);
    return 0;
}

/* ---- associations ---- */

static bool is_deleted(const struct survey *survey, const struct kept_row *kept)
{
    static const int columns[FOREIGN_TABLES_N] = {
        [FOREIGN_CLUSTER] = CLUSTER_deleted, [FOREIGN_ACCOUNT] = ACCOUNT_deleted,
        [FOREIGN_USER] = USER_deleted,       [FOREIGN_COORD] = COORD_deleted,
        [FOREIGN_QOS] = QOS_deleted,         [FOREIGN_ASSOC] = ASSOC_deleted,
        [FOREIGN_WCKEY] = WCKEY_deleted,
    };
    struct foreign_row row = survey_kept(survey, kept);

    return foreign_u32(&row, columns[kept->layout->table], 0);
}

static bool is_cluster_there(const struct accounts *accounts, const char *name)
{
    const struct survey *survey = accounts->foreign->survey;

    for (uint32_t i = 0; i < survey->tables[FOREIGN_CLUSTER].n; i++) {
        const struct kept_row *kept = &survey->tables[FOREIGN_CLUSTER].at[i];
        const struct foreign_row row = survey_kept(survey, kept);

        if (text_is(foreign_text(&row, CLUSTER_name), name))
            return !is_deleted(survey, kept);
    }
    return false;
}

/* A user has one default account on a cluster: the one that is here stays, or leaves its place. */
static void settle_default(struct accounts *accounts, struct assoc_record *now)
{
    const struct assoc_record *here =
        now->is_default ? book_default(accounts->book, now->cluster, now->user) : NULL;
    struct assoc_record left;

    if (!here || strcmp(here->account, now->account) == 0)
        return;
    if (!accounts->overwrites) {
        now->is_default = false;
        plan_note(accounts->plan, "users have another default account here, which stays", "%s",
                  now->user);
        return;
    }
    left = *here; /* borrows its texts */
    left.is_default = false;
    edits_alter(&accounts->edits, KEPT_ASSOC, here, &left);
}

static int take_assoc(struct accounts *accounts, const struct kept_row *kept,
                      struct foreign_row *row)
{
    const char *cluster = foreign_cluster(accounts->foreign, kept->cluster);
    const struct converting converting = converting_of(accounts);
    AUTO(assoc_record) struct assoc_record now;
    const char *user = foreign_text(row, ASSOC_user);

    assoc_record_init(&now);
    if (!is_name(accounts, PLAN_ASSOCS, foreign_text(row, ASSOC_acct)) ||
        (user && !is_name(accounts, PLAN_ASSOCS, user)))
        return 0;
    convert_assoc(&converting, row, cluster, &now);
    settle_default(accounts, &now);
    put(accounts, PLAN_ASSOCS, KEPT_ASSOC,
        book_any_assoc(accounts->book, cluster, now.account, now.user, now.partition), &now);
    return 0;
}

/* ---- wckeys and coordinators ---- */

static const struct wckey_record *find_wckey(const struct book *book, const char *cluster,
                                             const char *user, const char *name)
{
    for (uint32_t i = 0; i < book->wckeys.n; i++) {
        const struct wckey_record *wckey = record_at(&book->wckeys, i);

        if (strcmp(wckey->cluster, cluster) == 0 && strcmp(wckey->user, user) == 0 &&
            text_is(wckey->name ? wckey->name : "", name ? name : ""))
            return wckey;
    }
    return NULL;
}

/* A name that begins with an asterisk is not a wckey's: it marks jobs that named none. */
static int take_wckey(struct accounts *accounts, const struct kept_row *kept,
                      struct foreign_row *row)
{
    const char *cluster = foreign_cluster(accounts->foreign, kept->cluster);
    const char *name = foreign_text(row, WCKEY_wckey_name), *user = foreign_text(row, WCKEY_user);
    AUTO(wckey_record) struct wckey_record now;

    wckey_record_init(&now);
    if ((name && *name == '*') || !is_name(accounts, PLAN_WCKEYS, user) ||
        (name && !is_name(accounts, PLAN_WCKEYS, name)))
        return 0;
    now.cluster = xstrdup(cluster);
    now.user = xstrdup(user);
    now.name = xstrdup(name);
    now.is_default = foreign_u32(row, WCKEY_is_def, 0);
    put(accounts, PLAN_WCKEYS, KEPT_WCKEY, find_wckey(accounts->book, cluster, user, name), &now);
    return 0;
}

/* The coordinators of one account, as they become. */
static void add_coordinators(const struct accounts *accounts, const char *account,
                             struct account_record *now)
{
    const struct survey *survey = accounts->foreign->survey;

    for (uint32_t i = 0; i < survey->tables[FOREIGN_COORD].n; i++) {
        const struct kept_row *kept = &survey->tables[FOREIGN_COORD].at[i];
        const struct foreign_row row = survey_kept(survey, kept);
        const char *user = foreign_text(&row, COORD_user);
        bool is_there =
            is_deleted(survey, kept) || !user || !text_is(foreign_text(&row, COORD_acct), account);

        for (uint32_t k = 0; k < now->coordinators_n && !is_there; k++)
            is_there = strcmp(now->coordinators[k], user) == 0;
        if (!is_there)
            *ARRAY_PUSH(now->coordinators, now->coordinators_n) = xstrdup(user);
    }
}

static int take_coordinators(struct accounts *accounts, const struct kept_row *kept,
                             struct foreign_row *row)
{
    const char *name = foreign_text(row, ACCOUNT_name);
    const struct account_record *here = name ? book_account(accounts->book, name) : NULL;
    AUTO(account_record) struct account_record was, now;

    (void)kept;
    account_record_init(&was);
    account_record_init(&now);
    if (!name)
        return 0;
    if (here)
        schema_copy(account_record_schema(), &was, here);
    else
        was.name = xstrdup(name);
    schema_copy(account_record_schema(), &now, &was);
    add_coordinators(accounts, name, &now);
    for (uint32_t i = 0; i < now.coordinators_n; i++)
        plan_count(accounts->plan, PLAN_COORDINATORS,
                   i < was.coordinators_n ? FATE_EQUAL : FATE_NEW);
    edits_alter(&accounts->edits, KEPT_ACCOUNT, &was, &now);
    return 0;
}

/* ---- all of it ---- */

static int take_rows(struct accounts *accounts, enum foreign_table table, row_fn *take,
                     bool (*is_meant)(const struct foreign_row *row), struct err *err)
{
    const struct survey *survey = accounts->foreign->survey;

    for (uint32_t i = 0; i < survey->tables[table].n; i++) {
        const struct kept_row *kept = &survey->tables[table].at[i];
        struct foreign_row row = survey_kept(survey, kept);
        int rc = 0;

        if (!is_deleted(survey, kept) && (!is_meant || is_meant(&row)) &&
            (!kept->cluster || is_cluster_there(accounts, kept->cluster)))
            rc = take(accounts, kept, &row);
        if (row.err.code) {
            *err = row.err;
            return -row.err.code;
        }
        if (rc < 0)
            return rc;
    }
    return 0;
}

static bool is_of_user(const struct foreign_row *row)
{
    return foreign_text(row, ASSOC_user);
}

/* Returns how deep below the root an account's association is, by the parents in the rows. */
static uint32_t depth_of(const struct survey *survey, const struct kept_row *kept, uint32_t deeper)
{
    const struct foreign_row row = survey_kept(survey, kept);
    const char *parent = foreign_text(&row, ASSOC_parent_acct);
    const struct kept_rows *rows = &survey->tables[FOREIGN_ASSOC];

    for (uint32_t i = 0; parent && i < rows->n && deeper < 1000; i++) {
        const struct foreign_row other = survey_kept(survey, &rows->at[i]);

        if (!is_of_user(&other) && text_is(foreign_text(&other, ASSOC_acct), parent) &&
            strcmp(rows->at[i].cluster, kept->cluster) == 0)
            return depth_of(survey, &rows->at[i], deeper + 1);
    }
    return deeper;
}

struct by_depth {
    uint32_t depth;
    const struct kept_row *kept;
};

static int compare_depths(const void *a, const void *b)
{
    const struct by_depth *left = a, *right = b;

    if (left->depth != right->depth)
        return left->depth < right->depth ? -1 : 1;
    return left->kept < right->kept ? -1 : left->kept > right->kept;
}

/* Adds the associations of accounts: each after that of the account above it. */
static int take_tree(struct accounts *accounts, struct err *err)
{
    const struct survey *survey = accounts->foreign->survey;
    const struct kept_rows *rows = &survey->tables[FOREIGN_ASSOC];
    AUTO_FREE struct by_depth *order = xcalloc((size_t)rows->n + 1, sizeof(*order));
    uint32_t n = 0;

    for (uint32_t i = 0; i < rows->n; i++) {
        const struct foreign_row row = survey_kept(survey, &rows->at[i]);

        if (!is_of_user(&row) && !is_deleted(survey, &rows->at[i]) &&
            is_cluster_there(accounts, rows->at[i].cluster))
            order[n++] = (struct by_depth){ depth_of(survey, &rows->at[i], 0), &rows->at[i] };
    }
    qsort(order, n, sizeof(*order), compare_depths);
    for (uint32_t i = 0; i < n; i++) {
        struct foreign_row row = survey_kept(survey, order[i].kept);

        take_assoc(accounts, order[i].kept, &row);
        if (row.err.code) {
            *err = row.err;
            return -row.err.code;
        }
    }
    return 0;
}

#define TRES_FIRST_CHOSEN 1001 /* lower numbers are of what is counted everywhere */

static void add_tres(uint64_t id, const char *name, struct strbuf *out)
{
    if (id >= TRES_FIRST_CHOSEN)
        strbuf_addf(out, "%s%s", out->len ? "," : "", name);
}

/* Limits on a TRES that is not counted do not come, and sacct does not show it of jobs. */
static void note_tres(struct accounts *accounts)
{
    const struct foreign_names *there = &accounts->foreign->tres;
    const struct records *here = &accounts->book->tres;
    AUTO(strbuf) struct strbuf list = { 0 };
    size_t counted;

    for (uint32_t i = 0; i < here->n; i++) {
        const struct tres_record *tres = record_at(here, i);

        add_tres(tres->id, tres->name, &list);
    }
    counted = list.len;
    for (uint32_t i = 0; i < there->n; i++) {
        if (!book_tres_id(accounts->book, there->at[i].name))
            add_tres(there->at[i].id, there->at[i].name, &list);
    }
    if (list.len > counted)
        xstrset(&accounts->plan->all_tres, strbuf_text(&list));
}

static void note_rest(struct accounts *accounts)
{
    const struct survey *survey = accounts->foreign->survey;

    for (uint32_t i = 0; i < survey->tables[FOREIGN_RESOURCE].n; i++) {
        const struct foreign_row row = survey_kept(survey, &survey->tables[FOREIGN_RESOURCE].at[i]);

        plan_note(accounts->plan, "resources of several clusters do not come", "%s",
                  foreign_text(&row, RESOURCE_name));
    }
    for (uint32_t i = 0; i < survey->tables[FOREIGN_FEDERATION].n; i++) {
        const struct foreign_row row =
            survey_kept(survey, &survey->tables[FOREIGN_FEDERATION].at[i]);

        plan_note(accounts->plan, "federations do not come", "%s",
                  foreign_text(&row, FEDERATION_name));
    }
    accounts->plan->counts[PLAN_TRANSACTIONS][FATE_LEFT] += survey->rows[FOREIGN_TRANSACTION];
    note_tres(accounts);
}

int accounts_gather(struct accounts *accounts, struct err *err)
{
    int rc = take_rows(accounts, FOREIGN_CLUSTER, take_cluster, NULL, err);

    if (rc == 0)
        rc = take_rows(accounts, FOREIGN_QOS, take_qos, NULL, err);
    if (rc == 0)
        rc = take_rows(accounts, FOREIGN_QOS, take_preempted, NULL, err);
    if (rc == 0)
        rc = take_rows(accounts, FOREIGN_ACCOUNT, take_account, NULL, err);
    if (rc == 0)
        rc = take_tree(accounts, err);
    if (rc == 0)
        rc = take_rows(accounts, FOREIGN_USER, take_user, NULL, err);
    if (rc == 0)
        rc = take_rows(accounts, FOREIGN_ASSOC, take_assoc, is_of_user, err);
    if (rc == 0)
        rc = take_rows(accounts, FOREIGN_WCKEY, take_wckey, NULL, err);
    if (rc == 0)
        rc = take_rows(accounts, FOREIGN_ACCOUNT, take_coordinators, NULL, err);
    note_rest(accounts);
    return rc;
}

#define REQUEST_MAX (RPC_BODY_MAX - 1024)

static size_t size_of(const struct kept_edit *edit)
{
    AUTO(strbuf) struct strbuf bytes = { 0 };

    schema_encode(kept_edit_schema(), edit, &bytes);
    return bytes.len + 16;
}

int accounts_send(const struct accounts *accounts, struct client *client, struct err *err)
{
    const struct kept_change *all = &accounts->edits.change;
    int rc = 0;

    for (uint32_t from = 0, until = 0; rc == 0 && from < all->edits_n; from = until) {
        struct kept_change part = { .edits = all->edits + from };
        size_t size = 0;

        while (until < all->edits_n && (size += size_of(&all->edits[until])) < REQUEST_MAX)
            until++;
        if (until == from)
            return err_set(err, E_TOO_BIG, "one of the records is larger than a request may be");
        part.edits_n = until - from;
        rc = client_call(client, MSG_KEPT_CHANGE, &part, MSG_KEPT_CHANGED, NULL, err);
    }
    return rc;
}
