#include "cli/sacctmgr/resource.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "cli/lib/records.h"
#include "cli/sacctmgr/choice.h"
#include "cli/sacctmgr/edits.h"
#include "cli/sacctmgr/table.h"
#include "common/text/numbers.h"

#define USUAL_SERVER "slurmdb"
#define NUMBER_MAX   (UINT32_MAX - 2) /* as in Slurm, where two have meanings of their own */

/* ---- words ---- */

enum {
    KEY_ALLOWED,
    KEY_CLUSTER,
    KEY_CONSUMED,
    KEY_COUNT,
    KEY_DESCRIPTION,
    KEY_FLAGS,
    KEY_FORMAT,
    KEY_NAME,
    KEY_SERVER,
    KEY_SERVER_TYPE,
    KEY_TYPE
};

static const struct acct_key keys[] = {
    { "Allowed", 3, KEY_ALLOWED },
    { "Clusters", 2, KEY_CLUSTER },
    { "Count", 3, KEY_COUNT },
    { "Descriptions", 1, KEY_DESCRIPTION },
    { "Flags", 2, KEY_FLAGS },
    { "Format", 2, KEY_FORMAT },
    { "LastConsumed", 2, KEY_CONSUMED },
    { "Names", 1, KEY_NAME },
    { "PercentAllowed", 1, KEY_ALLOWED },
    { "ServerType", 7, KEY_SERVER_TYPE },
    { "Servers", 2, KEY_SERVER },
    { "Types", 1, KEY_TYPE },
};

/* What a line says of resources. */
struct asked {
    struct words names, servers, clusters, descriptions, types; /* that are meant, or are to be */
    struct words server_types, counts, consumed, allowances, flags; /* that are looked for */
    struct words fields;
    struct acct_words values; /* to be set, borrowed from the line */
    bool has_type, has_clusters, has_deleted, is_wrong;
    bool has_allowed;
    uint32_t allowed;
};

static void asked_clear(struct asked *asked)
{
    struct words *const lists[] = { &asked->names,        &asked->servers, &asked->clusters,
                                    &asked->descriptions, &asked->types,   &asked->fields,
                                    &asked->server_types, &asked->counts,  &asked->consumed,
                                    &asked->allowances,   &asked->flags };

    for (size_t i = 0; i < ARRAY_N(lists); i++)
        words_clear(lists[i]);
    free(asked->values.at);
}

static int key_of(const struct acct_word *word)
{
    return word->key ? acct_key_find(keys, ARRAY_N(keys), word->key) : KEY_NAME;
}

static bool read_number(const char *value, uint32_t *ret)
{
    uint64_t number;

    if (number_parse(value, 0, NUMBER_MAX, &number, NULL) < 0)
        return false;
    *ret = (uint32_t)number;
    return true;
}

static bool read_flag_of_list(const struct acct_word *word, struct asked *asked)
{
    static const struct acct_key flags[] = { { "WithClusters", 5, 0 }, { "WithDeleted", 5, 1 } };
    const int flag = word->key ? -1 : acct_key_find(flags, ARRAY_N(flags), word->value);

    if (flag == 0)
        asked->has_clusters = true;
    if (flag == 1)
        asked->has_deleted = true;
    return flag >= 0;
}

static void read_condition(struct mgr *mgr, const struct acct_word *word, struct asked *asked)
{
    struct words *const lists[] = {
        [KEY_CLUSTER] = &asked->clusters,
        [KEY_NAME] = &asked->names,
        [KEY_SERVER] = &asked->servers,
        [KEY_TYPE] = &asked->types,
        [KEY_DESCRIPTION] = &asked->descriptions,
        [KEY_SERVER_TYPE] = &asked->server_types,
        [KEY_COUNT] = &asked->counts,
        [KEY_CONSUMED] = &asked->consumed,
        [KEY_ALLOWED] = &asked->allowances,
        [KEY_FLAGS] = &asked->flags,
    };
    const int key = read_flag_of_list(word, asked) ? -2 : key_of(word);

    if (key == -2)
        return;
    if (key == KEY_FORMAT) {
        words_add(&asked->fields, word->value, ",");
    } else if (key >= 0 && (size_t)key < ARRAY_N(lists) && lists[key]) {
        acct_names_add(lists[key], word->value);
    } else {
        mgr_refuse_condition(mgr, word);
        asked->is_wrong = true;
    }
}

/* Reads a word of `add` or `set`; who is added is named there, too. */
static void read_value(struct mgr *mgr, const struct acct_word *word, bool adds,
                       struct asked *asked)
{
    const int key = key_of(word);
    uint32_t number = 0;
    const bool is_number = key == KEY_ALLOWED || key == KEY_COUNT || key == KEY_CONSUMED;

    if (adds && key == KEY_NAME)
        acct_names_add(&asked->names, word->value);
    else if (adds && key == KEY_SERVER)
        acct_names_add(&asked->servers, word->value);
    else if (key == KEY_CLUSTER)
        acct_names_add(&asked->clusters, word->value);
    else if (key < 0 || key == KEY_NAME || key == KEY_SERVER || key == KEY_FORMAT) {
        mgr_refuse_option(mgr, word);
        asked->is_wrong = true;
    } else if (is_number && !read_number(word->value, &number)) {
        mgr_refuse(mgr, "sacctmgr: error: Invalid value for %s (%s)", word->key, word->value);
        asked->is_wrong = true;
    } else if (key == KEY_TYPE && !word_is(word->value, "License")) {
        mgr_refuse(mgr, " Unknown resource type: '%s'  Valid resources is License.", word->value);
        asked->is_wrong = true;
    } else if (key == KEY_TYPE) {
        asked->has_type = true;
    } else if (key == KEY_ALLOWED) {
        asked->has_allowed = true;
        asked->allowed = number;
    } else {
        *ARRAY_PUSH(asked->values.at, asked->values.n) = *word;
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

/* ---- records ---- */

static bool load(struct mgr *mgr, struct records *resources)
{
    return mgr_load(mgr, KEPT_RESOURCE, resources);
}

/* Returns whether a cluster may have as much of it as is asked for. */
static bool allowance_fits(const struct asked *asked, const struct resource_record *rec)
{
    for (uint32_t i = 0; i < rec->shares_n; i++) {
        if (choice_fits_number(&asked->allowances, rec->shares[i].allowed))
            return true;
    }
    return asked->allowances.n == 0;
}

static bool is_meant(const struct asked *asked, const struct resource_record *rec)
{
    return choice_fits(&asked->names, rec->name) && choice_fits(&asked->servers, rec->server) &&
           choice_fits(&asked->descriptions, rec->description ? rec->description : "") &&
           choice_fits(&asked->types, "license") &&
           choice_fits(&asked->server_types, rec->server_type) &&
           choice_fits_number(&asked->counts, rec->count) &&
           choice_fits_number(&asked->consumed, rec->last_consumed) &&
           choice_fits(&asked->flags, rec->flags & RESOURCE_ABSOLUTE ? "absolute" : NULL) &&
           allowance_fits(asked, rec);
}

static struct resource_share *find_share(const struct resource_record *rec, const char *cluster)
{
    for (uint32_t i = 0; i < rec->shares_n; i++) {
        if (strcmp(rec->shares[i].cluster, cluster) == 0)
            return &rec->shares[i];
    }
    return NULL;
}

static void set_flags(const struct acct_word *word, struct resource_record *rec)
{
    const bool is_absolute = word_is(word->value, "Absolute");

    if (word->operation == ACCT_IS)
        rec->flags = is_absolute ? RESOURCE_ABSOLUTE : 0;
    else if (is_absolute && word->operation == ACCT_PLUS)
        rec->flags |= RESOURCE_ABSOLUTE;
    else if (is_absolute)
        rec->flags &= ~(uint32_t)RESOURCE_ABSOLUTE;
}

static void apply(const struct asked *asked, struct resource_record *rec)
{
    for (uint32_t i = 0; i < asked->values.n; i++) {
        const struct acct_word *word = &asked->values.at[i];

        switch (key_of(word)) {
        case KEY_COUNT:
            read_number(word->value, &rec->count);
            break;
        case KEY_CONSUMED:
            read_number(word->value, &rec->last_consumed);
            break;
        case KEY_DESCRIPTION:
            xstrset(&rec->description, word->value);
            break;
        case KEY_SERVER_TYPE:
            xstrset(&rec->server_type, word->value);
            break;
        default:
            set_flags(word, rec);
        }
    }
}

/* ---- add ---- */

struct addition {
    const struct asked *asked;
    struct edits edits;
    struct strbuf text;
};

static void add_settings(const struct resource_record *rec, struct strbuf *text)
{
    strbuf_addf(text, " Settings\n  %-14s = %s\n  %-14s = %s\n", "Name", rec->name, "Server",
                rec->server);
    if (rec->description)
        strbuf_addf(text, "  %-14s = %s\n", "Description", rec->description);
    if (rec->server_type)
        strbuf_addf(text, "  %-14s = %s\n", "ServerType", rec->server_type);
    if (rec->flags)
        strbuf_addf(text, "  %-14s = %s\n", "Flags", "Absolute");
    strbuf_addf(text, "  %-14s = %u\n  %-14s = License\n", "Count", rec->count, "Type");
}

static const struct resource_record *find(const struct records *resources, const char *name,
                                          const char *server)
{
    for (uint32_t i = 0; i < resources->n; i++) {
        const struct resource_record *rec = record_at(resources, i);

        if (text_is(rec->name, name) && text_is(rec->server, server))
            return rec;
    }
    return NULL;
}

/* Adds shares of the clusters that have none. Returns how many. */
static uint32_t add_shares(struct addition *addition, struct resource_record *rec,
                           struct strbuf *text)
{
    const struct asked *asked = addition->asked;
    uint32_t added = 0;

    for (uint32_t i = 0; i < asked->clusters.n; i++) {
        struct resource_share *share;

        if (find_share(rec, asked->clusters.at[i]))
            continue;
        share = ARRAY_PUSH(rec->shares, rec->shares_n);
        resource_share_init(share);
        share->cluster = xstrdup(asked->clusters.at[i]);
        share->allowed = asked->allowed;
        strbuf_addf(text, "   Cluster - %s\t%u%s\n", share->cluster, share->allowed,
                    rec->flags & RESOURCE_ABSOLUTE ? "" : "%");
        added++;
    }
    return added;
}

/* Adds one resource, or what clusters have of one that is there. Returns false after saying what is
 * missing. */
static bool add_one(struct mgr *mgr, struct addition *addition, const struct records *resources,
                    const char *name)
{
    const struct asked *asked = addition->asked;
    const char *server = asked->servers.n ? asked->servers.at[0] : USUAL_SERVER;
    const struct resource_record *was = find(resources, name, server);
    const bool is_new = !was || was->deleted;
    AUTO(strbuf) struct strbuf shares = { 0 };
    AUTO(resource_record) struct resource_record rec;

    resource_record_init(&rec);
    if (is_new && !asked->has_type) {
        mgr_refuse(mgr, " Need to designate a resource type to initially add '%s'.", name);
        return false;
    }
    if (!is_new)
        schema_copy(resource_record_schema(), &rec, was);
    xstrset(&rec.name, name);
    xstrset(&rec.server, server);
    if (is_new)
        apply(asked, &rec);
    if (add_shares(addition, &rec, &shares) == 0 && !is_new)
        return true;
    strbuf_addf(&addition->text, "  %s@%s\n%s", name, server, strbuf_text(&shares));
    if (is_new) {
        add_settings(&rec, &addition->text);
        edits_put(&addition->edits, KEPT_RESOURCE, was, &rec);
    } else {
        edits_alter(&addition->edits, KEPT_RESOURCE, was, &rec);
    }
    return true;
}

static int add_all(struct mgr *mgr, struct addition *addition)
{
    AUTO(records) struct records resources = { 0 };

    if (addition->asked->names.n == 0) {
        mgr_refuse(mgr, " Need name of resource to add.");
        return 1;
    }
    if (!load(mgr, &resources))
        return 1;
    strbuf_adds(&addition->text, " Adding Resource(s)\n");
    for (uint32_t i = 0; i < addition->asked->names.n; i++) {
        if (!add_one(mgr, addition, &resources, addition->asked->names.at[i]))
            return 1;
    }
    if (addition->edits.change.edits_n == 0) {
        mgr_refuse(mgr, " Nothing new added.");
        return 1;
    }
    return edits_commit(mgr, &addition->edits, strbuf_text(&addition->text));
}

int resource_add(struct mgr *mgr, const struct book *book, const struct acct_line *line)
{
    struct asked asked = read_line(mgr, line, true);
    struct addition addition = { .asked = &asked, .edits = { .adds = "resources" } };
    const int status = asked.is_wrong ? 1 : add_all(mgr, &addition);

    (void)book;
    edits_clear(&addition.edits);
    strbuf_clear(&addition.text);
    asked_clear(&asked);
    return status;
}

/* ---- modify and delete ---- */

static void say_clusters(const struct resource_record *rec, const struct words *clusters,
                         struct strbuf *text)
{
    for (uint32_t i = 0; i < rec->shares_n; i++) {
        if (choice_fits(clusters, rec->shares[i].cluster))
            strbuf_addf(text, "  Cluster - %s\t- %s\n", rec->shares[i].cluster, rec->key);
    }
}

static void modify_one(const struct asked *asked, const struct resource_record *was,
                       struct edits *edits, struct strbuf *text)
{
    AUTO(resource_record) struct resource_record rec;

    resource_record_init(&rec);
    schema_copy(resource_record_schema(), &rec, was);
    apply(asked, &rec);
    for (uint32_t i = 0; i < rec.shares_n && asked->has_allowed; i++) {
        if (choice_fits(&asked->clusters, rec.shares[i].cluster))
            rec.shares[i].allowed = asked->allowed;
    }
    if (asked->clusters.n == 0)
        strbuf_addf(text, "  %s\n", was->key);
    say_clusters(was, &asked->clusters, text);
    edits_alter(edits, KEPT_RESOURCE, was, &rec);
}

/* With clusters only what these have goes. */
static void delete_one(const struct asked *asked, const struct resource_record *was,
                       struct edits *edits, struct strbuf *text)
{
    AUTO(resource_record) struct resource_record rec;
    uint32_t kept = 0;

    resource_record_init(&rec);
    schema_copy(resource_record_schema(), &rec, was);
    for (uint32_t i = 0; i < rec.shares_n; i++) {
        if (choice_fits(&asked->clusters, rec.shares[i].cluster))
            resource_share_clear(&rec.shares[i]);
        else
            rec.shares[kept++] = rec.shares[i];
    }
    rec.shares_n = kept;
    if (asked->clusters.n == 0) {
        rec.deleted = (int64_t)time(NULL);
        strbuf_addf(text, "  %s\n", was->key);
    }
    say_clusters(was, &asked->clusters, text);
    edits_alter(edits, KEPT_RESOURCE, was, &rec);
}

typedef void one_fn(const struct asked *, const struct resource_record *, struct edits *,
                    struct strbuf *);

/* Does it to all resources that are meant. `none` says that there are none. */
static int do_all(struct mgr *mgr, const struct asked *asked, one_fn *one, const char *title,
                  const char *none)
{
    AUTO(records) struct records resources = { 0 };
    AUTO(strbuf) struct strbuf text = { 0 };
    struct edits edits = { 0 };
    bool has_any = false;
    int status = 1;

    if (!load(mgr, &resources))
        return 1;
    strbuf_adds(&text, title);
    for (uint32_t i = 0; i < resources.n; i++) {
        const struct resource_record *rec = record_at(&resources, i);

        if (rec->deleted || !is_meant(asked, rec))
            continue;
        one(asked, rec, &edits, &text);
        has_any = true;
    }
    if (has_any)
        status = edits_commit(mgr, &edits, strbuf_text(&text));
    else
        mgr_refuse(mgr, "%s", none);
    edits_clear(&edits);
    return status;
}

static int modify(struct mgr *mgr, const struct asked *asked, const struct acct_line *line)
{
    if (line->set.n == 0) {
        mgr_refuse(mgr, " You didn't give me anything to set");
        return 1;
    }
    if (asked->has_allowed && asked->clusters.n == 0) {
        mgr_refuse(mgr, "Can't change \"percentallowed\" without specifying a cluster.");
        return 1;
    }
    if (!mgr_means_all(mgr, line))
        return 1;
    return do_all(mgr, asked, modify_one, " Modified server resource ...\n", " Nothing modified");
}

int resource_modify(struct mgr *mgr, const struct book *book, const struct acct_line *line)
{
    struct asked asked = read_line(mgr, line, false);
    const int status = asked.is_wrong ? 1 : modify(mgr, &asked, line);

    (void)book;
    asked_clear(&asked);
    return status;
}

int resource_delete(struct mgr *mgr, const struct book *book, const struct acct_line *line)
{
    struct asked asked = read_line(mgr, line, false);
    int status = 1;

    (void)book;
    if (!asked.is_wrong && line->where.n == 0)
        mgr_refuse(mgr, " No conditions given to remove, not executing.");
    else if (!asked.is_wrong)
        status = do_all(mgr, &asked, delete_one, " Deleting resource(s)...\n", " Nothing deleted");
    asked_clear(&asked);
    return status;
}

/* ---- list ---- */

struct row {
    const struct resource_record *rec;
    const struct resource_share *share; /* NULL: it is a line of the resource itself */
};

static const struct resource_record *rec_of(const void *row)
{
    return ((const struct row *)row)->rec;
}

#define TEXT_COLUMN(member)                                                                        \
    static void make_##member(const struct report_context *ctx, const void *row,                   \
                              struct strbuf *out)                                                  \
    {                                                                                              \
        (void)ctx;                                                                                 \
        if (rec_of(row)->member)                                                                   \
            strbuf_adds(out, rec_of(row)->member);                                                 \
    }
TEXT_COLUMN(name)
TEXT_COLUMN(server)
TEXT_COLUMN(description)
TEXT_COLUMN(server_type)

#define NUMBER_COLUMN(member)                                                                      \
    static void make_##member(const struct report_context *ctx, const void *row,                   \
                              struct strbuf *out)                                                  \
    {                                                                                              \
        (void)ctx;                                                                                 \
        strbuf_addu(out, rec_of(row)->member);                                                     \
    }
NUMBER_COLUMN(count)
NUMBER_COLUMN(last_consumed)

static void make_type(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    (void)row;
    strbuf_adds(out, "License");
}

static void make_flags(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    if (rec_of(row)->flags & RESOURCE_ABSOLUTE)
        strbuf_adds(out, "Absolute");
}

static void make_allocated(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    uint64_t sum = 0;

    (void)ctx;
    for (uint32_t i = 0; i < rec_of(row)->shares_n; i++)
        sum += rec_of(row)->shares[i].allowed;
    strbuf_addu(out, sum);
}

static void make_cluster(const struct report_context *ctx, const void *at, struct strbuf *out)
{
    const struct row *row = at;

    (void)ctx;
    if (row->share)
        strbuf_adds(out, row->share->cluster);
}

static void make_allowed(const struct report_context *ctx, const void *at, struct strbuf *out)
{
    const struct row *row = at;

    (void)ctx;
    if (row->share)
        strbuf_addu(out, row->share->allowed);
}

/* clang-format off */
static const struct report_column columns[] = {
    MGR_COLUMN("Allocated", 4, "% Allocated", 11, make_allocated),
    MGR_COLUMN("Allowed", 4, "% Allowed", 10, make_allowed),
    MGR_COLUMN("Cluster", 2, "Cluster", 10, make_cluster),
    MGR_COLUMN("Count", 2, "Count", 6, make_count),
    MGR_COLUMN("Description", 1, "Descr", 20, make_description),
    MGR_COLUMN("Flags", 2, "Flags", 20, make_flags),
    MGR_COLUMN("LastConsumed", 2, "LastConsumed", 12, make_last_consumed),
    MGR_COLUMN("Name", 1, "Name", 10, make_name),
    MGR_COLUMN("PercentAllowed", 1, "% Allowed", 10, make_allowed),
    MGR_COLUMN("ServerType", 7, "ServerType", 10, make_server_type),
    MGR_COLUMN("Server", 2, "Server", 10, make_server),
    MGR_COLUMN("Type", 1, "Type", 8, make_type),
};
/* clang-format on */

static const struct report_table table = { NULL, 0, columns, ARRAY_N(columns) };

static struct row *make_rows(const struct asked *asked, const struct records *resources,
                             uint32_t *ret_n)
{
    struct row *rows = NULL;
    uint32_t n = 0;

    for (uint32_t i = 0; i < resources->n; i++) {
        const struct resource_record *rec = record_at(resources, i);

        if ((rec->deleted && !asked->has_deleted) || !is_meant(asked, rec))
            continue;
        if (!asked->has_clusters) {
            *ARRAY_PUSH(rows, n) = (struct row){ rec, NULL };
            continue;
        }
        for (uint32_t j = 0; j < rec->shares_n; j++) {
            if (choice_fits(&asked->clusters, rec->shares[j].cluster))
                *ARRAY_PUSH(rows, n) = (struct row){ rec, &rec->shares[j] };
        }
    }
    *ret_n = n;
    return rows;
}

static int list(struct mgr *mgr, struct asked *asked)
{
    AUTO(records) struct records resources = { 0 };
    AUTO_FREE struct row *rows = NULL;
    struct mgr_table printed = { .columns = &table, .row_size = sizeof(*rows) };

    if (!load(mgr, &resources))
        return 1;
    asked->has_clusters |= asked->clusters.n > 0;
    rows = make_rows(asked, &resources, &printed.n);
    printed.rows = rows;
    if (asked->fields.n == 0)
        words_add(&asked->fields,
                  asked->has_clusters
                      ? "Name,Server,Type,Count,Allocated,ServerType,Cluster,Allowed"
                      : "Name,Server,Type,Count,Allocated,ServerType",
                  ",");
    return mgr_print(mgr, &printed, &asked->fields);
}

int resource_list(struct mgr *mgr, const struct acct_line *line)
{
    struct asked asked = read_line(mgr, line, false);
    const int status = asked.is_wrong ? 1 : list(mgr, &asked);

    asked_clear(&asked);
    return status;
}
