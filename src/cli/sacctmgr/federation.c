#include "cli/sacctmgr/federation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/lib/records.h"
#include "cli/sacctmgr/choice.h"
#include "cli/sacctmgr/edits.h"
#include "cli/sacctmgr/facts.h"
#include "cli/sacctmgr/table.h"

#define ACTIVE "ACTIVE"

/* ---- words ---- */

enum { KEY_CLUSTER, KEY_FLAGS, KEY_FORMAT, KEY_NAME };

static const struct acct_key keys[] = {
    { "Clusters", 2, KEY_CLUSTER }, { "Federations", 3, KEY_NAME }, { "Flags", 2, KEY_FLAGS },
    { "Format", 2, KEY_FORMAT },    { "Names", 1, KEY_NAME },
};

/* What a line says of federations. */
struct asked {
    struct words names, clusters, fields;
    enum acct_operation operation; /* with the clusters that are to be set */
    bool sets_clusters, is_tree, has_deleted, is_wrong;
};

static void asked_clear(struct asked *asked)
{
    words_clear(&asked->names);
    words_clear(&asked->clusters);
    words_clear(&asked->fields);
}

static int key_of(const struct acct_word *word)
{
    return word->key ? acct_key_find(keys, ARRAY_N(keys), word->key) : KEY_NAME;
}

static void read_condition(struct mgr *mgr, const struct acct_word *word, struct asked *asked)
{
    static const struct acct_key flags[] = { { "Tree", 4, 0 }, { "WithDeleted", 5, 1 } };
    const int flag = word->key ? -1 : acct_key_find(flags, ARRAY_N(flags), word->value);
    const int key = key_of(word);

    if (flag == 0) {
        asked->is_tree = true;
    } else if (flag == 1) {
        asked->has_deleted = true;
    } else if (key == KEY_NAME) {
        acct_names_add(&asked->names, word->value);
    } else if (key == KEY_CLUSTER) {
        acct_names_add(&asked->clusters, word->value);
    } else if (key == KEY_FORMAT) {
        words_add(&asked->fields, word->value, ",");
    } else {
        mgr_refuse_condition(mgr, word);
        asked->is_wrong = true;
    }
}

static void read_value(struct mgr *mgr, const struct acct_word *word, bool adds,
                       struct asked *asked)
{
    const int key = key_of(word);

    if (adds && key == KEY_NAME) {
        acct_names_add(&asked->names, word->value);
    } else if (key == KEY_CLUSTER) {
        acct_names_add(&asked->clusters, word->value);
        asked->operation = word->operation;
        asked->sets_clusters = true;
    } else if (key == KEY_FLAGS) {
        mgr_refuse(mgr,
                   " Unknown federation flag used in:\n '%s'\n Valid federation flags are\n"
                   "  '(null)'",
                   word->value);
        asked->is_wrong = true;
    } else {
        mgr_refuse_option(mgr, word);
        asked->is_wrong = true;
    }
}

static struct asked read_line(struct mgr *mgr, const struct acct_line *line, bool adds)
{
    struct asked asked = { 0 };

    for (uint32_t i = 0; i < line->where.n && !asked.is_wrong; i++)
        read_condition(mgr, &line->where.at[i], &asked);
    for (uint32_t i = 0; i < line->set.n && !asked.is_wrong; i++)
        read_value(mgr, &line->set.at[i], adds, &asked);
    return asked;
}

#define NOTE "federations are written down only: each cluster schedules its own jobs"

/* ---- records ---- */

static bool load(struct mgr *mgr, struct records *federations)
{
    return mgr_load(mgr, KEPT_FEDERATION, federations);
}

static const struct federation_record *find(const struct records *federations, const char *name)
{
    for (uint32_t i = 0; i < federations->n; i++) {
        const struct federation_record *rec = record_at(federations, i);

        if (text_is(rec->name, name))
            return rec;
    }
    return NULL;
}

/* Returns whether all clusters are there; says which is not. */
static bool has_clusters(struct mgr *mgr, const struct book *book, const struct asked *asked)
{
    for (uint32_t i = 0; i < asked->clusters.n; i++) {
        if (book_cluster(book, asked->clusters.at[i]))
            continue;
        mgr_refuse(mgr, " The cluster %s doesn't exist. Please add first.", asked->clusters.at[i]);
        return false;
    }
    return true;
}

uint32_t federation_number(const struct book *book, const char *federation, uint64_t *given)
{
    uint64_t taken = *given;

    for (uint32_t i = 0; i < book->clusters.n; i++) {
        const struct cluster_record *cluster = record_at(&book->clusters, i);

        if (!cluster->deleted && text_is(cluster->federation, federation) &&
            cluster->federation_id < 64)
            taken |= UINT64_C(1) << cluster->federation_id;
    }
    for (uint32_t number = 1; number < 64; number++) {
        if (taken & (UINT64_C(1) << number))
            continue;
        *given |= UINT64_C(1) << number;
        return number;
    }
    return 63;
}

/* Puts a cluster into a federation, or into none (NULL). */
static void move(struct edits *edits, const struct cluster_record *was, const char *federation,
                 uint32_t number)
{
    struct cluster_record moved = *was; /* borrows its texts */

    moved.federation = (char *)(uintptr_t)federation;
    moved.federation_state = (char *)(uintptr_t)(federation ? ACTIVE : NULL);
    moved.federation_id = number;
    edits_alter(edits, KEPT_CLUSTER, was, &moved);
}

/* ---- add ---- */

static int add_all(struct mgr *mgr, const struct book *book, const struct asked *asked)
{
    AUTO(records) struct records federations = { 0 };
    AUTO(strbuf) struct strbuf text = { 0 }, settings = { 0 };
    struct edits edits = { .adds = "federation(s)", .note = NOTE };
    uint64_t given = 0;
    int status;

    if (!load(mgr, &federations))
        return 1;
    strbuf_adds(&text, " Adding Federation(s)\n");
    for (uint32_t i = 0; i < asked->names.n; i++) {
        const struct federation_record *was = find(&federations, asked->names.at[i]);
        AUTO(federation_record) struct federation_record rec;

        federation_record_init(&rec);
        if (was && !was->deleted) {
            mgr_refuse(mgr, " This federation %s already exists.  Not adding.", was->name);
            continue;
        }
        rec.name = xstrdup(asked->names.at[i]);
        edits_put(&edits, KEPT_FEDERATION, was, &rec);
        strbuf_addf(&text, "  %s\n", rec.name);
    }
    if (edits.change.edits_n == 0)
        return 1;
    for (uint32_t i = 0; i < asked->clusters.n; i++) {
        const struct cluster_record *was = book_cluster(book, asked->clusters.at[i]);

        if (was->federation)
            printf(" The cluster %s is assigned to federation %s\n", was->name, was->federation);
        move(&edits, was, asked->names.at[0], federation_number(book, asked->names.at[0], &given));
        strbuf_addf(&settings, "  %-13s = %s\n", "Cluster", was->name);
    }
    if (settings.len)
        strbuf_addf(&text, " Settings\n%s", strbuf_text(&settings));
    status = edits_commit(mgr, &edits, strbuf_text(&text));
    edits_clear(&edits);
    return status;
}

int federation_add(struct mgr *mgr, const struct book *book, const struct acct_line *line)
{
    struct asked asked = read_line(mgr, line, true);
    int status = 1;

    if (!asked.is_wrong && asked.names.n == 0)
        mgr_refuse(mgr, " Need name of federation to add.");
    else if (!asked.is_wrong && asked.names.n > 1 && asked.clusters.n)
        mgr_refuse(mgr, " Can't assign clusters to multiple federations.");
    else if (!asked.is_wrong && has_clusters(mgr, book, &asked))
        status = add_all(mgr, book, &asked);
    asked_clear(&asked);
    return status;
}

/* ---- modify ---- */

static void say_move(struct strbuf *text, char sign, const char *cluster)
{
    if (text->len == 0)
        strbuf_adds(text, " Setting\n");
    strbuf_addf(text, "  %-12s %c= %s\n", "Cluster", sign, cluster);
}

static void put_in(const struct book *book, const struct asked *asked, struct edits *edits,
                   struct strbuf *text)
{
    const char *name = asked->names.at[0];
    uint64_t given = 0;

    for (uint32_t i = 0; i < asked->clusters.n; i++) {
        const struct cluster_record *was = book_cluster(book, asked->clusters.at[i]);

        if (text_is(was->federation, name)) {
            printf(" The cluster %s is already assigned to federation %s\n", was->name, name);
            continue;
        }
        if (was->federation)
            printf(" The cluster %s is assigned to federation %s\n", was->name, was->federation);
        move(edits, was, name, federation_number(book, name, &given));
        say_move(text, '+', was->name);
    }
}

/* Takes clusters out of the federation: those that are named, or with = all others. */
static void take_out(const struct book *book, const struct asked *asked, struct edits *edits,
                     struct strbuf *text)
{
    const bool takes_named = asked->operation == ACCT_MINUS;

    for (uint32_t i = 0; i < book->clusters.n; i++) {
        const struct cluster_record *was = record_at(&book->clusters, i);

        if (was->deleted || !text_is(was->federation, asked->names.at[0]) ||
            words_have_exactly(&asked->clusters, was->name) != takes_named)
            continue;
        move(edits, was, NULL, 0);
        say_move(text, '-', was->name);
    }
}

static int modify(struct mgr *mgr, const struct book *book, const struct asked *asked)
{
    AUTO(strbuf) struct strbuf text = { 0 };
    struct edits edits = { .note = NOTE };
    int status = 1;

    if (asked->operation != ACCT_PLUS)
        take_out(book, asked, &edits, &text);
    if (asked->operation != ACCT_MINUS)
        put_in(book, asked, &edits, &text);
    strbuf_addf(&text, " Modified federation...\n  %s\n", asked->names.at[0]);
    if (edits.change.edits_n)
        status = edits_commit(mgr, &edits, strbuf_text(&text));
    else
        mgr_refuse(mgr, " Nothing modified");
    edits_clear(&edits);
    return status;
}

/* Returns whether one federation is named that is there; says why not. */
static bool is_one(struct mgr *mgr, const struct asked *asked)
{
    AUTO(records) struct records federations = { 0 };
    const struct federation_record *rec;

    if (asked->names.n != 1) {
        mgr_refuse(mgr, asked->names.n ? " Can't assign clusters to multiple federations."
                                       : " Need name of federation to modify.");
        return false;
    }
    if (!load(mgr, &federations))
        return false;
    rec = find(&federations, asked->names.at[0]);
    if (!rec || rec->deleted)
        mgr_refuse(mgr, " The federation %s doesn't exist.", asked->names.at[0]);
    return rec && !rec->deleted;
}

int federation_modify(struct mgr *mgr, const struct book *book, const struct acct_line *line)
{
    struct asked asked = read_line(mgr, line, false);
    int status = 1;

    if (!asked.is_wrong && !asked.sets_clusters)
        mgr_refuse(mgr, " You didn't give me anything to set");
    else if (!asked.is_wrong && has_clusters(mgr, book, &asked) && is_one(mgr, &asked))
        status = modify(mgr, book, &asked);
    asked_clear(&asked);
    return status;
}

/* ---- delete ---- */

static int delete_all(struct mgr *mgr, const struct book *book, const struct asked *asked)
{
    AUTO(records) struct records federations = { 0 };
    AUTO(strbuf) struct strbuf text = { 0 };
    struct edits edits = { 0 };
    const int64_t now = (int64_t)time(NULL);
    int status = 1;

    if (!load(mgr, &federations))
        return 1;
    strbuf_adds(&text, " Deleting federations...\n");
    for (uint32_t i = 0; i < federations.n; i++) {
        const struct federation_record *was = record_at(&federations, i);
        struct federation_record gone = *was; /* borrows its texts */

        if (was->deleted || !choice_fits(&asked->names, was->name))
            continue;
        for (uint32_t j = 0; j < book->clusters.n; j++) {
            const struct cluster_record *cluster = record_at(&book->clusters, j);

            if (!cluster->deleted && text_is(cluster->federation, was->name))
                move(&edits, cluster, NULL, 0);
        }
        gone.deleted = now;
        edits_alter(&edits, KEPT_FEDERATION, was, &gone);
        strbuf_addf(&text, "  %s\n", was->name);
    }
    if (edits.change.edits_n)
        status = edits_commit(mgr, &edits, strbuf_text(&text));
    else
        mgr_refuse(mgr, " Nothing deleted");
    edits_clear(&edits);
    return status;
}

int federation_delete(struct mgr *mgr, const struct book *book, const struct acct_line *line)
{
    struct asked asked = read_line(mgr, line, false);
    int status = 1;

    if (!asked.is_wrong && asked.names.n == 0)
        mgr_refuse(mgr, " No conditions given to remove, not executing.");
    else if (!asked.is_wrong)
        status = delete_all(mgr, book, &asked);
    asked_clear(&asked);
    return status;
}

/* ---- list ---- */

struct row {
    const struct federation_record *rec;  /* NULL: the line above names it */
    const struct cluster_record *cluster; /* NULL: none */
};

static void make_name(const struct report_context *ctx, const void *at, struct strbuf *out)
{
    (void)ctx;
    if (((const struct row *)at)->rec)
        strbuf_adds(out, ((const struct row *)at)->rec->name);
}

static void make_cluster(const struct report_context *ctx, const void *at, struct strbuf *out)
{
    (void)ctx;
    if (((const struct row *)at)->cluster)
        strbuf_adds(out, ((const struct row *)at)->cluster->name);
}

static void make_id(const struct report_context *ctx, const void *at, struct strbuf *out)
{
    (void)ctx;
    if (((const struct row *)at)->cluster)
        strbuf_addu(out, ((const struct row *)at)->cluster->federation_id);
}

static void make_features(const struct report_context *ctx, const void *at, struct strbuf *out)
{
    const struct cluster_record *cluster = ((const struct row *)at)->cluster;

    (void)ctx;
    for (uint32_t i = 0; cluster && i < cluster->features_n; i++)
        strbuf_addf(out, "%s%s", i ? "," : "", cluster->features[i]);
}

static void make_state(const struct report_context *ctx, const void *at, struct strbuf *out)
{
    const struct cluster_record *cluster = ((const struct row *)at)->cluster;

    (void)ctx;
    if (cluster)
        strbuf_adds(out, cluster->federation_state ? cluster->federation_state : ACTIVE);
}

static void make_state_raw(const struct report_context *ctx, const void *at, struct strbuf *out)
{
    const struct cluster_record *cluster = ((const struct row *)at)->cluster;

    (void)ctx;
    if (cluster)
        strbuf_addu(out, fact_federation_state(cluster));
}

/* clang-format off */
static const struct report_column columns[] = {
    MGR_COLUMN("Cluster", 2, "Cluster", 10, make_cluster),
    MGR_COLUMN("Features", 3, "Features", 20, make_features),
    MGR_COLUMN("Federation", 3, "Federation", 10, make_name),
    MGR_COLUMN("FedState", 4, "FedState", 12, make_state),
    MGR_COLUMN("FedStateRaw", 9, "FedStateRaw", 11, make_state_raw),
    MGR_COLUMN("ID", 2, "ID", 2, make_id),
    MGR_COLUMN("Index", 2, "ID", 2, make_id),
    MGR_COLUMN("Name", 2, "Federation", 10, make_name),
};
/* clang-format on */

static const struct report_table table = { NULL, 0, columns, ARRAY_N(columns) };

static bool has_member(const struct book *book, const struct asked *asked, const char *name)
{
    for (uint32_t i = 0; i < book->clusters.n; i++) {
        const struct cluster_record *cluster = record_at(&book->clusters, i);

        if (!cluster->deleted && text_is(cluster->federation, name) &&
            choice_fits(&asked->clusters, cluster->name))
            return true;
    }
    return asked->clusters.n == 0;
}

/* Adds a federation with its clusters; in a tree it has a line of its own. */
static void add_rows(const struct book *book, const struct asked *asked,
                     const struct federation_record *rec, struct row **rows, uint32_t *n)
{
    const uint32_t first = *n;

    if (asked->is_tree)
        *ARRAY_PUSH(*rows, *n) = (struct row){ rec, NULL };
    for (uint32_t i = 0; i < book->clusters.n; i++) {
        const struct cluster_record *cluster = record_at(&book->clusters, i);

        if (!cluster->deleted && text_is(cluster->federation, rec->name))
            *ARRAY_PUSH(*rows, *n) = (struct row){ asked->is_tree ? NULL : rec, cluster };
    }
    if (*n == first)
        *ARRAY_PUSH(*rows, *n) = (struct row){ rec, NULL };
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(((const struct federation_record *)a)->name,
                  ((const struct federation_record *)b)->name);
}

static int list(struct mgr *mgr, const struct book *book, struct asked *asked)
{
    AUTO(records) struct records federations = { 0 };
    AUTO_FREE struct row *rows = NULL;
    struct mgr_table printed = { .columns = &table, .row_size = sizeof(*rows) };

    if (!load(mgr, &federations))
        return 1;
    if (federations.n)
        qsort(federations.at, federations.n, sizeof(struct federation_record), compare_names);
    for (uint32_t i = 0; i < federations.n; i++) {
        const struct federation_record *rec = record_at(&federations, i);

        if ((!rec->deleted || asked->has_deleted) && choice_fits(&asked->names, rec->name) &&
            has_member(book, asked, rec->name))
            add_rows(book, asked, rec, &rows, &printed.n);
    }
    printed.rows = rows;
    if (asked->fields.n == 0)
        words_add(&asked->fields, "Federation,Cluster,ID,Features,FedState", ",");
    return mgr_print(mgr, &printed, &asked->fields);
}

int federation_list(struct mgr *mgr, const struct acct_line *line)
{
    struct asked asked = read_line(mgr, line, false);
    struct book book = { 0 };
    struct err err = { 0 };
    int status = 1;

    if (!asked.is_wrong && book_load(&book, mgr->command, &err) < 0)
        records_report(mgr->command, "Problem with query", &err);
    else if (!asked.is_wrong)
        status = list(mgr, &book, &asked);
    book_clear(&book);
    asked_clear(&asked);
    return status;
}
