#include "cli/sacctmgr/qos.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "cli/sacctmgr/choice.h"
#include "cli/sacctmgr/edits.h"
#include "cli/sacctmgr/forest.h"
#include "cli/sacctmgr/qos_value.h"

enum { KEY_DESCRIPTION, KEY_ID, KEY_NAME, KEY_PREEMPT_MODE, KEY_CLUSTER, KEYS_N };

/* Of conditions; a value that is a name has one key of them. */
static const struct acct_key keys[] = {
    { "Descriptions", 1, KEY_DESCRIPTION },
    { "Ids", 1, KEY_ID },
    { "PreemptMode", 8, KEY_PREEMPT_MODE },
    { "Names", 1, KEY_NAME },
    { "QosLevel", 1, KEY_NAME },
    { "Clusters", 1, KEY_CLUSTER }, /* of what is modified: where usage is forgotten */
};

/* What a line says of QOS. */
struct asked {
    struct words lists[KEYS_N]; /* of those that are looked for; names also of those to be added */
    struct acct_words values;   /* borrowed from the line */
    struct qos_record qos;      /* what they make of a new one */
    bool has_name;              /* a name is among the values */
    bool is_wrong;
};

static void asked_clear(struct asked *asked)
{
    for (size_t i = 0; i < KEYS_N; i++)
        words_clear(&asked->lists[i]);
    free(asked->values.at);
    qos_record_clear(&asked->qos);
}

static void read_value(struct mgr *mgr, const struct book *book, const struct acct_word *word,
                       struct asked *asked)
{
    struct err err = { 0 };
    int rc;

    if (!word->key || acct_key_find(&keys[3], 1, word->key) == KEY_NAME) {
        acct_names_add(&asked->lists[KEY_NAME], word->value);
        asked->has_name = true;
        return;
    }
    rc = qos_apply(book, word, &asked->qos, &err);
    if (rc > 0) {
        *ARRAY_PUSH(asked->values.at, asked->values.n) = *word;
        return;
    }
    if (rc < 0) {
        mgr_refuse_value(mgr, &err);
    } else {
        mgr_refuse_option(mgr, word);
    }
    asked->is_wrong = true;
}

static void read_condition(struct mgr *mgr, const struct acct_word *word, bool modifies,
                           struct asked *asked)
{
    const int key = word->key ? acct_key_find(keys, ARRAY_N(keys), word->key) : KEY_NAME;

    if (key >= 0 && (key != KEY_CLUSTER || modifies)) {
        acct_names_add(&asked->lists[key], word->value);
        return;
    }
    mgr_refuse_condition(mgr, word);
    asked->is_wrong = true;
}

static struct asked read_line(struct mgr *mgr, const struct book *book,
                              const struct acct_line *line)
{
    struct asked asked = { .is_wrong = false };

    qos_record_init(&asked.qos);
    for (uint32_t i = 0; i < line->where.n; i++)
        read_condition(mgr, &line->where.at[i], line->set.n > 0, &asked);
    for (uint32_t i = 0; i < line->set.n; i++)
        read_value(mgr, book, &line->set.at[i], &asked);
    return asked;
}

/* ---- add ---- */

static void add_record(const struct book *book, const struct asked *asked, const char *name,
                       struct edits *edits, struct strbuf *names)
{
    const struct qos_record *was = book_any_qos(book, name);
    AUTO(qos_record) struct qos_record qos;

    qos_record_init(&qos);
    if (was && !was->deleted)
        return;
    schema_copy(qos_record_schema(), &qos, &asked->qos);
    qos.name = xstrdup(name);
    if (!qos.description)
        qos.description = xstrdup(name);
    edits_put(edits, KEPT_QOS, was, &qos);
    strbuf_addf(names, "  %s\n", name);
}

static int add_all(struct mgr *mgr, const struct book *book, struct asked *asked,
                   struct edits *edits)
{
    const struct words *names = &asked->lists[KEY_NAME];
    AUTO(strbuf) struct strbuf added = { 0 };
    AUTO(strbuf) struct strbuf values = { 0 };
    AUTO(strbuf) struct strbuf text = { 0 };

    if (names->n == 0) {
        mgr_refuse(mgr, " Need name of qos to add.");
        return 1;
    }
    for (uint32_t i = 0; i < names->n; i++)
        add_record(book, asked, names->at[i], edits, &added);
    if (!added.len) {
        mgr_refuse(mgr, " Nothing new added.");
        return 1;
    }
    qos_values_show(book, &asked->qos, &values);
    strbuf_addf(&text, " Adding QOS(s)\n%s Settings\n  %-14s = %s\n%s", strbuf_text(&added),
                "Description",
                asked->qos.description ? asked->qos.description : names->at[names->n - 1],
                strbuf_text(&values));
    return edits_commit(mgr, edits, strbuf_text(&text));
}

int qos_add(struct mgr *mgr, const struct book *book, const struct acct_line *line)
{
    struct asked asked = read_line(mgr, book, line);
    struct edits edits = { .adds = "QOS" };
    const int status = asked.is_wrong ? 1 : add_all(mgr, book, &asked, &edits);

    edits_clear(&edits);
    asked_clear(&asked);
    return status;
}

/* ---- those that are meant ---- */

static bool is_meant(const struct asked *asked, const struct qos_record *qos)
{
    AUTO_FREE char *id = xasprintf("%u", qos->id);

    return !qos->deleted && choice_fits(&asked->lists[KEY_NAME], qos->name) &&
           choice_fits(&asked->lists[KEY_DESCRIPTION], qos->description) &&
           choice_fits(&asked->lists[KEY_ID], id) &&
           choice_fits_mode(&asked->lists[KEY_PREEMPT_MODE], qos->preempt_mode);
}

static int compare_ids(const void *a, const void *b)
{
    const struct qos_record *left = *(const struct qos_record *const *)a;
    const struct qos_record *right = *(const struct qos_record *const *)b;

    return (left->id > right->id) - (left->id < right->id);
}

/* Returns those that are meant by number, to be freed; *ret_n of them. */
static const struct qos_record **find_meant(const struct book *book, const struct asked *asked,
                                            uint32_t *ret_n)
{
    const struct qos_record **meant = NULL;

    *ret_n = 0;
    for (uint32_t i = 0; i < book->qos.n; i++) {
        const struct qos_record *qos = record_at(&book->qos, i);

        if (is_meant(asked, qos))
            *ARRAY_PUSH(meant, *ret_n) = qos;
    }
    if (*ret_n)
        qsort(meant, *ret_n, sizeof(*meant), compare_ids);
    return meant;
}

/* ---- modify ---- */

/* What the QOS will be. */
struct future {
    const struct book *book;
    struct qos_record *changed;
    uint32_t n;
};

static const struct qos_record *future_of(const struct future *future, const char *name)
{
    for (uint32_t i = 0; i < future->n; i++) {
        if (strcmp(future->changed[i].name, name) == 0)
            return &future->changed[i];
    }
    return book_qos(future->book, name);
}

static void add_preempted(struct words *names, const struct qos_record *qos)
{
    for (uint32_t i = 0; qos && i < qos->preempt_n; i++) {
        if (!words_have_exactly(names, qos->preempt[i]))
            words_add(names, qos->preempt[i], ",");
    }
}

/* Returns whether jobs of the QOS may end each other, also by way of other QOS. */
static bool preempts_itself(const struct future *future, const struct qos_record *qos)
{
    AUTO(words) struct words names = { 0 };

    add_preempted(&names, qos);
    for (uint32_t i = 0; i < names.n; i++)
        add_preempted(&names, future_of(future, names.at[i]));
    return words_have_exactly(&names, qos->name);
}

static bool has_loop(const struct future *future)
{
    for (uint32_t i = 0; i < future->n; i++) {
        if (preempts_itself(future, &future->changed[i]))
            return true;
    }
    return false;
}

static int modify_all(struct mgr *mgr, const struct future *future,
                      const struct qos_record *const *meant, struct edits *edits)
{
    AUTO(strbuf) struct strbuf text = { 0 };

    if (has_loop(future)) {
        fputs("sacctmgr: error: QOS Preemption loop detected\n", stderr);
        mgr_refuse(mgr, " Error with request: QOS Preemption loop detected");
        return 1;
    }
    strbuf_adds(&text, " Modified qos...\n");
    for (uint32_t i = 0; i < future->n; i++) {
        edits_alter(edits, KEPT_QOS, meant[i], &future->changed[i]);
        strbuf_addf(&text, "  %s\n", meant[i]->name);
    }
    return edits_commit(mgr, edits, strbuf_text(&text));
}

/* Notes for which clusters RawUsage=0 is meant: those that are named, or this one. */
static void note_clusters(const struct book *book, const struct words *clusters,
                          struct qos_record *qos)
{
    while (qos->reset_on_n)
        free(qos->reset_on[--qos->reset_on_n]);
    for (uint32_t i = 0; i < clusters->n; i++)
        *ARRAY_PUSH(qos->reset_on, qos->reset_on_n) = xstrdup(clusters->at[i]);
    if (clusters->n)
        return;
    printf("No cluster specified, resetting on local cluster %s\n", book->cluster);
    *ARRAY_PUSH(qos->reset_on, qos->reset_on_n) = xstrdup(book->cluster);
}

static int modify(struct mgr *mgr, const struct book *book, const struct asked *asked)
{
    uint32_t n;
    AUTO_FREE const struct qos_record **meant = find_meant(book, asked, &n);
    struct future future = { .book = book };
    struct edits edits = { 0 };
    int status;

    for (uint32_t i = 0; i < asked->lists[KEY_CLUSTER].n; i++) {
        if (book_cluster(book, asked->lists[KEY_CLUSTER].at[i]))
            continue;
        fprintf(stderr, "sacctmgr: error: Failed to find cluster %s in database\n",
                asked->lists[KEY_CLUSTER].at[i]);
        return 1;
    }
    if (n == 0) {
        mgr_refuse(mgr, " Nothing modified");
        return 1;
    }
    for (uint32_t i = 0; i < n; i++) {
        struct qos_record *qos = ARRAY_PUSH(future.changed, future.n);

        schema_copy(qos_record_schema(), qos, meant[i]);
        qos_apply_all(book, &asked->values, qos);
        if (qos->usage_resets != meant[i]->usage_resets)
            note_clusters(book, &asked->lists[KEY_CLUSTER], qos);
    }
    status = modify_all(mgr, &future, meant, &edits);
    for (uint32_t i = 0; i < n; i++)
        qos_record_clear(&future.changed[i]);
    free(future.changed);
    edits_clear(&edits);
    return status;
}

int qos_modify(struct mgr *mgr, const struct book *book, const struct acct_line *line)
{
    struct asked asked = read_line(mgr, book, line);
    int status = 1;

    if (!asked.is_wrong && asked.values.n == 0)
        mgr_refuse(mgr, " You didn't give me anything to set");
    else if (!asked.is_wrong && asked.has_name)
        mgr_refuse(mgr, " Can't modify the name of a QOS");
    else if (!asked.is_wrong)
        status = mgr_means_all(mgr, line) ? modify(mgr, book, &asked) : 0;
    asked_clear(&asked);
    return status;
}

/* ---- delete ---- */

struct removal {
    const struct book *book;
    struct words names; /* of those that go */
};

/* Refuses to take what is somebody's default. */
static bool is_default(struct mgr *mgr, const struct removal *removal)
{
    bool found = false;

    for (uint32_t i = 0; i < removal->book->clusters.n; i++) {
        const struct cluster_record *cluster = record_at(&removal->book->clusters, i);
        uint32_t n;
        AUTO_FREE const struct assoc_record **tree =
            forest_of_cluster(removal->book, cluster->name, &n);

        for (uint32_t j = 0; j < n; j++) {
            if (!words_have_exactly(&removal->names, tree[j]->default_qos))
                continue;
            if (!found)
                mgr_refuse(mgr, " Associations listed below have these as their Default QOS.");
            found = true;
            choice_say_default_qos(tree[j]);
        }
    }
    if (found)
        puts(" Please either remove the qos' listed above from list and resubmit,\n"
             " or change the default qos to remove the qos.\n"
             " Changes Discarded");
    return found;
}

/* Drops the names of what goes from a list; a name may have a sign before it. */
static uint32_t drop_names(const struct removal *removal, char **names, uint32_t n)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < n; i++) {
        if (words_have_exactly(&removal->names, names[i] + qos_has_sign(names[i])))
            free(names[i]);
        else
            names[kept++] = names[i];
    }
    return kept;
}

static void leave_assoc(const struct removal *removal, const struct assoc_record *was,
                        struct edits *edits)
{
    AUTO(assoc_record) struct assoc_record assoc;

    schema_copy(assoc_record_schema(), &assoc, was);
    assoc.qos_n = drop_names(removal, assoc.qos, assoc.qos_n);
    edits_alter(edits, KEPT_ASSOC, was, &assoc);
}

/* Takes the names of those that go out of the list of a QOS, of one that goes all names: two that
 * go may name each other. Then deletes it, when it goes. */
static void leave_qos(const struct removal *removal, const struct qos_record *was, bool deletes,
                      struct edits *edits)
{
    const bool goes = words_have_exactly(&removal->names, was->name);
    AUTO(qos_record) struct qos_record bare;
    struct qos_record gone;

    schema_copy(qos_record_schema(), &bare, was);
    bare.preempt_n = drop_names(removal, bare.preempt, bare.preempt_n);
    while (goes && bare.preempt_n)
        free(bare.preempt[--bare.preempt_n]);
    if (!deletes) {
        edits_alter(edits, KEPT_QOS, was, &bare);
        return;
    }
    gone = bare; /* borrows its texts */
    gone.deleted = (int64_t)time(NULL);
    if (goes)
        edits_alter(edits, KEPT_QOS, &bare, &gone);
}

static int remove_all(struct mgr *mgr, const struct removal *removal)
{
    const struct book *book = removal->book;
    AUTO(strbuf) struct strbuf text = { 0 };
    struct edits edits = { 0 };
    int status;

    strbuf_adds(&text, " Deleting QOS(s)...\n");
    for (uint32_t i = 0; i < removal->names.n; i++)
        strbuf_addf(&text, "  %s\n", removal->names.at[i]);
    for (uint32_t i = 0; i < book->assocs.n; i++) {
        const struct assoc_record *assoc = record_at(&book->assocs, i);

        if (!assoc->deleted)
            leave_assoc(removal, assoc, &edits);
    }
    for (int deletes = 0; deletes <= 1; deletes++) {
        for (uint32_t i = 0; i < book->qos.n; i++) {
            const struct qos_record *qos = record_at(&book->qos, i);

            if (!qos->deleted)
                leave_qos(removal, qos, deletes, &edits);
        }
    }
    status = edits_commit(mgr, &edits, strbuf_text(&text));
    edits_clear(&edits);
    return status;
}

int qos_delete(struct mgr *mgr, const struct book *book, const struct acct_line *line)
{
    struct asked asked = read_line(mgr, book, line);
    uint32_t n;
    AUTO_FREE const struct qos_record **meant = find_meant(book, &asked, &n);
    struct removal removal = { .book = book };
    int status = 1;

    for (uint32_t i = 0; i < n; i++)
        words_add(&removal.names, meant[i]->name, ",");
    if (acct_words_are_blank(&line->where) || asked.is_wrong)
        mgr_refuse(mgr, " No conditions given to remove, not executing.");
    else if (n == 0)
        mgr_refuse(mgr, " Nothing deleted");
    else if (!is_default(mgr, &removal))
        status = remove_all(mgr, &removal);
    words_clear(&removal.names);
    asked_clear(&asked);
    return status;
}
