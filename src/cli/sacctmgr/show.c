#include "cli/sacctmgr/show.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/sacctmgr/choice.h"
#include "cli/sacctmgr/columns.h"
#include "cli/sacctmgr/documents.h"
#include "cli/sacctmgr/facts.h"
#include "cli/sacctmgr/forest.h"
#include "cli/sacctmgr/level.h"
#include "cli/sacctmgr/query.h"
#include "cli/sacctmgr/table.h"

/* Asks about conditions on associations where no association is shown. */
static bool means_conditions(const struct mgr *mgr, const struct query *query, enum shown what)
{
    static const enum query_key of_assocs[] = { QUERY_PARENT, QUERY_PARTITION, QUERY_QOS,
                                                QUERY_DEFAULT_QOS, QUERY_ID };
    bool asks =
        (what == SHOW_ACCOUNT && (query->lists[QUERY_CLUSTER].n || query->lists[QUERY_USER].n)) ||
        (what == SHOW_USER && query->lists[QUERY_ACCOUNT].n); /* a cluster is fine, as in Slurm */

    for (size_t i = 0; i < ARRAY_N(of_assocs) && (what == SHOW_ACCOUNT || what == SHOW_USER); i++)
        asks |= query->lists[of_assocs[i]].n > 0;
    if (!asks || query->has[QUERY_WITH_ASSOC] ||
        mgr_agrees(mgr, "You requested options that are only valid when querying with the "
                        "withassoc option.\nAre you sure you want to continue?"))
        return true;
    puts("Aborted");
    return false;
}

/* ---- which rows ---- */

struct listing {
    const struct book *book;
    const struct query *query;
    enum shown what;
    bool has_assocs; /* each account or user is one row, with its associations */
    struct forest forest;
    struct mgr_row *rows;
    uint32_t n;
};

static int compare_texts(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "");
}

static bool fits(const struct listing *listing, int key, const char *text)
{
    const struct words *words = &listing->query->lists[key];

    return words->n == 0 || (text && words_have(words, text));
}

static void add(struct listing *listing, struct mgr_row row)
{
    row.has_assocs = listing->has_assocs;
    row.has_coords = listing->query->has[QUERY_WITH_COORD];
    row.has_own_limits = listing->query->has[QUERY_WITHOUT_PARENT_LIMITS] ||
                         listing->query->has[QUERY_WITHOUT_PARENT_INFO];
    row.has_own_only = listing->query->has[QUERY_WITHOUT_PARENT_INFO];
    row.has_raw_qos = listing->query->has[QUERY_WITH_RAW_QOS];
    *ARRAY_PUSH(listing->rows, listing->n) = row;
}

static bool is_shown(const struct listing *listing, int64_t deleted)
{
    return !deleted || listing->query->has[QUERY_WITH_DELETED];
}

/* Returns whether the user is named; an empty name stands for associations of no user. */
static bool user_fits(const struct listing *listing, const char *user)
{
    return fits(listing, QUERY_USER, user ? user : "");
}

/* Returns whether the account is named, or, where that was asked for, below one that is. */
static bool account_fits(const struct listing *listing, const struct assoc_record *assoc)
{
    const struct words *accounts = &listing->query->lists[QUERY_ACCOUNT];

    if (fits(listing, QUERY_ACCOUNT, assoc->account))
        return true;
    for (uint32_t i = 0; listing->query->has[QUERY_WITH_SUB_ACCOUNTS] && i < accounts->n; i++) {
        if (book_is_below(listing->book, assoc->cluster, assoc->account, accounts->at[i]))
            return true;
    }
    return false;
}

/* Returns whether the association may use one of the QOS that are looked for. */
static bool qos_fits(const struct listing *listing, const struct assoc_record *assoc)
{
    const struct words *wanted = &listing->query->lists[QUERY_QOS];
    AUTO(words) struct words names = { 0 };

    if (wanted->n == 0)
        return true;
    names = fact_qos(listing->book, assoc);
    for (uint32_t i = 0; i < names.n; i++) {
        if (words_have_exactly(wanted, names.at[i]))
            return true;
    }
    return false;
}

static bool id_fits(const struct listing *listing, uint32_t id)
{
    return choice_fits_number(&listing->query->lists[QUERY_ID], id);
}

static bool assoc_fits(const struct listing *listing, const struct assoc_record *assoc)
{
    return is_shown(listing, assoc->deleted) && fits(listing, QUERY_CLUSTER, assoc->cluster) &&
           user_fits(listing, assoc->user) && id_fits(listing, assoc->id) &&
           fits(listing, QUERY_DEFAULT_QOS, assoc->default_qos) &&
           fits(listing, QUERY_PARTITION, assoc->partition) &&
           fits(listing, QUERY_PARENT, assoc->parent) && account_fits(listing, assoc) &&
           qos_fits(listing, assoc) &&
           (!listing->query->has[QUERY_ONLY_DEFAULTS] || assoc->is_default);
}

static void add_with_assocs(struct listing *listing, struct mgr_row row)
{
    uint32_t n;
    const struct book_entry *its = row.user ? book_of_user(listing->book, row.user->name, &n)
                                            : book_of_account(listing->book, row.account->name, &n);

    for (uint32_t i = 0; i < n; i++) {
        if (!assoc_fits(listing, its[i].assoc))
            continue;
        row.assoc = its[i].assoc;
        row.place = listing->forest.places[its[i].at];
        add(listing, row);
    }
}

static void list_accounts(struct listing *listing)
{
    const struct words *names = &listing->query->lists[QUERY_NAME];

    for (uint32_t i = 0; i < listing->book->accounts.n; i++) {
        const struct account_record *account = record_at(&listing->book->accounts, i);
        const struct mgr_row row = { .account = account };

        if (!is_shown(listing, account->deleted) ||
            (names->n && !words_have_exactly(names, account->name)) ||
            !fits(listing, QUERY_ACCOUNT, account->name) ||
            !fits(listing, QUERY_DESCRIPTION, account->description) ||
            !fits(listing, QUERY_ORGANIZATION, account->organization) ||
            !fits(listing, QUERY_FLAGS, fact_account_flags(account->flags)))
            continue;
        if (listing->query->has[QUERY_WITH_ASSOC])
            add_with_assocs(listing, row);
        else
            add(listing, row);
    }
}

static bool default_fits(const struct listing *listing, const struct user_record *user)
{
    const struct assoc_record *assoc =
        book_default(listing->book, listing->book->cluster, user->name);

    return fits(listing, QUERY_DEFAULT_ACCOUNT, assoc ? assoc->account : NULL);
}

static bool wckeys_fit(const struct listing *listing, const struct user_record *user)
{
    const struct words *lists = listing->query->lists;

    return choice_has_wckey(&lists[QUERY_WCKEY], listing->book, user->name, false) &&
           choice_has_wckey(&lists[QUERY_DEFAULT_WCKEY], listing->book, user->name, true);
}

static bool has_assoc_that_fits(const struct listing *listing, const struct user_record *user)
{
    static const enum query_key of_assoc[] = { QUERY_ACCOUNT, QUERY_CLUSTER, QUERY_PARTITION,
                                               QUERY_PARENT,  QUERY_QOS,     QUERY_DEFAULT_QOS,
                                               QUERY_ID };
    const struct book_entry *his;
    bool is_asked = false;
    uint32_t n;

    for (size_t i = 0; i < ARRAY_N(of_assoc); i++)
        is_asked |= listing->query->lists[of_assoc[i]].n > 0;
    his = book_of_user(listing->book, user->name, &n);
    for (uint32_t i = 0; i < n && is_asked; i++) {
        if (assoc_fits(listing, his[i].assoc))
            return true;
    }
    return !is_asked;
}

static void list_users(struct listing *listing)
{
    for (uint32_t i = 0; i < listing->book->users.n; i++) {
        const struct user_record *user = record_at(&listing->book->users, i);
        const struct mgr_row row = { .user = user };

        if (!is_shown(listing, user->deleted) || !fits(listing, QUERY_NAME, user->name) ||
            !fits(listing, QUERY_USER, user->name) ||
            !choice_fits_level(&listing->query->lists[QUERY_ADMIN], user->admin_level) ||
            !default_fits(listing, user) || !wckeys_fit(listing, user) ||
            !has_assoc_that_fits(listing, user))
            continue;
        if (listing->query->has[QUERY_WITH_ASSOC])
            add_with_assocs(listing, row);
        else
            add(listing, row);
    }
}

/* Lists associations in a tree of those that are listed. */
static void list_assocs(struct listing *listing)
{
    const struct records *assocs = &listing->book->assocs;
    const bool is_tree = listing->query->has[QUERY_TREE];
    const bool is_loose = listing->query->has[QUERY_WITHOUT_PARENT_INFO];
    AUTO_FREE bool *listed = xcalloc((size_t)assocs->n + 1, sizeof(*listed));
    struct forest forest;

    for (uint32_t i = 0; i < assocs->n; i++) {
        const struct assoc_record *assoc = record_at(assocs, i);

        listed[i] = assoc_fits(listing, assoc);
    }
    forest = forest_new(listing->book, is_loose ? FOREST_LOOSE : FOREST_BY_NAME, listed);
    for (uint32_t i = 0; i < assocs->n; i++) {
        if (listed[i])
            add(listing, (struct mgr_row){
                             .assoc = record_at(assocs, i),
                             .place = forest.places[i],
                             .depth = is_tree ? forest.depths[i] : 0,
                         });
    }
    forest_clear(&forest);
}

static void list_qos(struct listing *listing)
{
    for (uint32_t i = 0; i < listing->book->qos.n; i++) {
        const struct qos_record *qos = record_at(&listing->book->qos, i);

        if (is_shown(listing, qos->deleted) && fits(listing, QUERY_NAME, qos->name) &&
            fits(listing, QUERY_QOS, qos->name) &&
            fits(listing, QUERY_DESCRIPTION, qos->description) && id_fits(listing, qos->id) &&
            choice_fits_mode(&listing->query->lists[QUERY_PREEMPT_MODE], qos->preempt_mode))
            add(listing, (struct mgr_row){ .qos = qos });
    }
}

static void list_wckeys(struct listing *listing)
{
    for (uint32_t i = 0; i < listing->book->wckeys.n; i++) {
        const struct wckey_record *wckey = record_at(&listing->book->wckeys, i);

        if (is_shown(listing, wckey->deleted) && fits(listing, QUERY_NAME, wckey->name) &&
            fits(listing, QUERY_CLUSTER, wckey->cluster) &&
            fits(listing, QUERY_USER, wckey->user) && id_fits(listing, wckey->id) &&
            (!listing->query->has[QUERY_ONLY_DEFAULTS] || wckey->is_default))
            add(listing, (struct mgr_row){ .wckey = wckey });
    }
}

static void list_tres(struct listing *listing)
{
    for (uint32_t i = 0; i < listing->book->tres.n; i++) {
        const struct tres_record *tres = record_at(&listing->book->tres, i);
        const char *slash = strchr(tres->name, '/');
        AUTO_FREE char *type = xstrndup(tres->name, strcspn(tres->name, "/"));

        if ((fits(listing, QUERY_NAME, tres->name) ||
             fits(listing, QUERY_NAME, slash ? slash + 1 : NULL)) &&
            fits(listing, QUERY_TYPE, type) && id_fits(listing, tres->id))
            add(listing, (struct mgr_row){ .tres = tres });
    }
}

/* Lists clusters, none of which has one of Slurm's flags. */
static void list_clusters(struct listing *listing)
{
    for (uint32_t i = 0; i < listing->book->clusters.n; i++) {
        const struct cluster_record *cluster = record_at(&listing->book->clusters, i);

        if (is_shown(listing, cluster->deleted) && fits(listing, QUERY_NAME, cluster->name) &&
            fits(listing, QUERY_CLUSTER, cluster->name) &&
            fits(listing, QUERY_CLASSIFICATION, cluster->classification) &&
            fits(listing, QUERY_FEDERATION, cluster->federation) &&
            fits(listing, QUERY_FLAGS, NULL) &&
            choice_fits_number(&listing->query->lists[QUERY_RPC],
                               fact_cluster_rpc(listing->book, cluster)))
            add(listing, (struct mgr_row){ .cluster = cluster,
                                           .assoc = book_assoc(listing->book, cluster->name, "root",
                                                               NULL, NULL) });
    }
}

/* ---- in which order ---- */

static int compare_wckeys(const struct wckey_record *left, const struct wckey_record *right)
{
    int order = compare_texts(left->name, right->name);

    if (!order)
        order = strcmp(left->cluster, right->cluster);
    return order ? order : strcmp(left->user, right->user);
}

/* Compares accounts and users by name, and associations by where they stand in the tree. */
static int compare_rows(const void *a, const void *b)
{
    const struct mgr_row *left = a, *right = b;
    int order = 0;

    if (left->account)
        order = strcmp(left->account->name, right->account->name);
    else if (left->user)
        order = strcmp(left->user->name, right->user->name);
    else if (left->cluster)
        return strcmp(left->cluster->name, right->cluster->name);
    else if (left->wckey)
        order = compare_wckeys(left->wckey, right->wckey);
    else if (left->qos || left->tres)
        return left->qos ? (left->qos->id > right->qos->id) - (left->qos->id < right->qos->id)
                         : (left->tres->id > right->tres->id) - (left->tres->id < right->tres->id);
    return order ? order : (left->place > right->place) - (left->place < right->place);
}

/* ---- how ---- */

/* Lists of accounts and users with associations have amounts of one TRES in their columns still. */
#define OF_ACCOUNT                                                                                 \
    "Cluster,ParentName,User,Share,Priority,GrpJobs,GrpNodes,GrpCPUs,GrpMemory,GrpSubmitJobs,"     \
    "GrpWall,GrpCPUMins,MaxJobs,MaxNodesPerJob,MaxCPUsPerJob,MaxSubmitJobs,MaxWall,MaxCPUMins,"    \
    "QOS,DefaultQOS,"
#define OF_USER                                                                                    \
    "Cluster,Account,Partition,Share,Priority,MaxJobs,MaxNodesPerJob,MaxCPUsPerJob,MaxSubmitJobs," \
    "MaxWall,MaxCPUMins,QOS,DefaultQOS,"
#define OF_ASSOC                                                                                   \
    "Share,Priority,GrpJobs,GrpTRES,GrpSubmitJobs,GrpWall,GrpTRESMins,MaxJobs,MaxTRES,"            \
    "MaxTRESPerNode,MaxSubmitJobs,MaxWall,MaxTRESMins,QOS,DefaultQOS,GrpTRESRunMins,"
#define OF_CLUSTER                                                                                 \
    "Share,GrpJobs,GrpTRES,GrpSubmitJobs,MaxJobs,MaxTRES,MaxSubmitJobs,MaxWall,QOS,DefaultQOS,"
#define OF_QOS                                                                                     \
    "Name,Priority,GraceTime,Preempt,PreemptExemptTime,PreemptMode,Flags%40,UsageThreshold,"       \
    "UsageFactor,GrpTRES,GrpTRESMins,GrpTRESRunMins,GrpJobs,GrpSubmitJobs,GrpWall,MaxTRES,"        \
    "MaxTRESPerNode,MaxTRESMins,MaxWall,MaxTRESPerUser,MaxJobsPerUser,MaxSubmitPU,"                \
    "MaxTRESPerAccount,MaxJobsPerAccount,MaxSubmitPA,MinTRESPerJob"

/* Returns the fields that a list has when none are asked for. */
static struct words usual_fields(const struct query *query, enum shown what, bool tracks_wckeys)
{
    const bool with_assoc = query->has[QUERY_WITH_ASSOC];
    const char *coord = query->has[QUERY_WITH_COORD] ? "Coordinators" : "";
    const char *federation =
        query->has[QUERY_WITH_FEDERATION] ? "Federation,ID,Features,FedState" : "";
    const bool has_none =
        query->has[QUERY_WITHOUT_LIMITS] || query->has[QUERY_WITHOUT_PARENT_LIMITS];
    const char *limits = has_none ? "" : what == SHOW_CLUSTER ? OF_CLUSTER : OF_ASSOC;
    struct words fields = { 0 };

    if (what == SHOW_ACCOUNT) {
        words_add(&fields, "Account,Description,Organization", ",");
        words_add(&fields, with_assoc ? OF_ACCOUNT : "", ",");
        words_add(&fields, coord, ",");
    } else if (what == SHOW_USER) {
        words_add(&fields,
                  tracks_wckeys ? "User,DefaultAccount,DefaultWCKey,AdminLevel"
                                : "User,DefaultAccount,AdminLevel",
                  ",");
        words_add(&fields, coord, ",");
        words_add(&fields, with_assoc ? OF_USER : "", ",");
    } else if (what == SHOW_ASSOC) {
        words_add(&fields, "Cluster,Account,User,Partition", ",");
        words_add(&fields, limits, ",");
    } else if (what == SHOW_CLUSTER) {
        words_add(&fields, "Cluster,ControlHost,ControlPort,RPC", ",");
        words_add(&fields, limits, ",");
        words_add(&fields, federation, ",");
    } else {
        words_add(&fields,
                  what == SHOW_QOS    ? OF_QOS
                  : what == SHOW_TRES ? "Type,Name%15,ID"
                                      : "WCKeys,Cluster,User",
                  ",");
    }
    return fields;
}

static int print_document(struct mgr *mgr, const struct listing *listing)
{
    static const enum mgr_document kinds[] = {
        [SHOW_ACCOUNT] = DOCUMENT_ACCOUNTS, [SHOW_ASSOC] = DOCUMENT_ASSOCS,
        [SHOW_CLUSTER] = DOCUMENT_CLUSTERS, [SHOW_QOS] = DOCUMENT_QOS,
        [SHOW_TRES] = DOCUMENT_TRES,        [SHOW_USER] = DOCUMENT_USERS,
        [SHOW_WCKEY] = DOCUMENT_WCKEYS,
    };
    const struct mgr_document_list list = { kinds[listing->what], listing->book, listing->rows,
                                            listing->n };

    return mgr_document_print(mgr->command, &mgr->document, &list);
}

#define TREE_ACCOUNT_WIDTH 20

/* Gives the accounts of a tree room for what they are indented by, where the line says of no width
 * of theirs. What stands on the right of its field is not indented (the column Acct is not). */
static void lay_out_tree(const struct mgr *mgr, struct words *fields)
{
    static const struct acct_key account[] = { { "Account", 3, 0 }, { "Acct", 4, 0 } };

    for (uint32_t i = 0; i < fields->n; i++) {
        const char *field = fields->at[i];
        const size_t n = strcspn(field, "%");
        const long width = field[n] ? strtol(field + n + 1, NULL, 10) : 0;
        const bool is_right = width > 0 && !mgr->parsable && !mgr->parsable2;
        AUTO_FREE char *name = xstrndup(field, n);
        AUTO_FREE char *whole = xasprintf("%s%%%ld", is_right ? "Acct" : "Account",
                                          width ? width : -(long)TREE_ACCOUNT_WIDTH);

        if (acct_key_find(account, ARRAY_N(account), name) >= 0)
            xstrset(&fields->at[i], whole);
    }
}

/* Returns the fields that the list is asked for, or else has. */
static struct words fields_of(const struct mgr *mgr, const struct listing *listing)
{
    const struct words *asked = &listing->query->fields;
    struct words fields = { 0 };

    if (!listing->query->has_format)
        fields = usual_fields(listing->query, listing->what, mgr->command->cli.conf->track_wckey);
    for (uint32_t i = 0; i < asked->n; i++)
        *ARRAY_PUSH(fields.at, fields.n) = xstrdup(asked->at[i]);
    if (listing->query->has[QUERY_TREE])
        lay_out_tree(mgr, &fields);
    return fields;
}

static int print(struct mgr *mgr, struct listing *listing)
{
    const struct mgr_table table = {
        .columns = listing->what == SHOW_WCKEY ? &wckey_columns : &acct_columns,
        .ctx = { .user = listing->book },
        .rows = listing->rows,
        .row_size = sizeof(*listing->rows),
        .n = listing->n,
    };
    AUTO(words) struct words fields = { 0 };

    if (document_is_wanted(&mgr->document))
        return print_document(mgr, listing);
    fields = fields_of(mgr, listing);
    return mgr_print(mgr, &table, &fields);
}

int acct_show(struct mgr *mgr, const struct book *book, enum shown what,
              const struct acct_line *line)
{
    static void (*const lists[])(struct listing *) = {
        [SHOW_ACCOUNT] = list_accounts, [SHOW_ASSOC] = list_assocs, [SHOW_CLUSTER] = list_clusters,
        [SHOW_QOS] = list_qos,          [SHOW_TRES] = list_tres,    [SHOW_USER] = list_users,
        [SHOW_WCKEY] = list_wckeys,
    };
    struct query query = { .has = { [QUERY_WITH_ASSOC] = mgr->associations } };
    struct book seen = *book; /* borrows all of it */
    struct listing listing = { .book = &seen, .query = &query, .what = what };
    int status = 1;

    if (!query_read(mgr, book, what, line, &query)) {
        status = 1;
    } else if (!means_conditions(mgr, &query, what)) {
        status = 0;
    } else if (what == SHOW_WCKEY && !level_reached(mgr, ADMIN_OPERATOR)) {
        level_refuse(mgr, "Your user doesn't have privilege to perform this action");
    } else if (what == SHOW_ACCOUNT && book->hides_accounts) {
        fprintf(stderr, "sacctmgr: error: %s\n Problem with query.\n", err_string(E_ACCESS));
    } else {
        if (document_is_wanted(&mgr->document)) {
            listing.has_assocs = query.has[QUERY_WITH_ASSOC];
            query.has[QUERY_WITH_ASSOC] = false;
        }
        if (what == SHOW_USER && query.lists[QUERY_CLUSTER].n == 1) /* defaults are of there */
            seen.cluster = query.lists[QUERY_CLUSTER].at[0];
        listing.forest = forest_new(book, FOREST_BY_AGE, NULL);
        lists[what](&listing);
        forest_clear(&listing.forest);
        if (listing.n)
            qsort(listing.rows, listing.n, sizeof(*listing.rows), compare_rows);
        status = print(mgr, &listing);
    }
    free(listing.rows);
    query_clear(&query);
    return status;
}
