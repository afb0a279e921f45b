#include "cli/sacctmgr/show.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/sacctmgr/choice.h"
#include "cli/sacctmgr/columns.h"
#include "cli/sacctmgr/documents.h"
#include "cli/sacctmgr/facts.h"
#include "cli/sacctmgr/forest.h"
#include "cli/sacctmgr/table.h"

enum {
    KEY_NAME, /* of what is listed */
    KEY_ACCOUNT,
    KEY_USER,
    KEY_CLUSTER,
    KEY_PARTITION,
    KEY_PARENT,
    KEY_QOS,
    KEY_DESCRIPTION,
    KEY_ORGANIZATION,
    KEY_ADMIN,
    KEY_DEFAULT_ACCOUNT,
    KEY_ID,
    KEY_CLASSIFICATION,
    KEY_PREEMPT_MODE,
    KEY_TYPE,
    KEY_FORMAT,
    WORD_WITH_ASSOC,
    WORD_WITH_COORD,
    WORD_WITH_DELETED,
    WORD_WITH_FEDERATION,
    WORD_WITH_RAW_QOS,
    WORD_WITH_SUB_ACCOUNTS,
    WORD_WITHOUT_LIMITS,
    WORD_WITHOUT_PARENT_INFO,
    WORD_WITHOUT_PARENT_LIMITS,
    WORD_ONLY_DEFAULTS,
    WORD_TREE,
    KEYS_N
};

static const struct acct_key keys[] = {
    { "Accounts", 2, KEY_ACCOUNT },
    { "Acct", 4, KEY_ACCOUNT },
    { "AdminLevel", 2, KEY_ADMIN },
    { "Associations", 2, KEY_ID },
    { "Classification", 3, KEY_CLASSIFICATION },
    { "Clusters", 1, KEY_CLUSTER },
    { "DefaultAccount", 8, KEY_DEFAULT_ACCOUNT },
    { "Description", 3, KEY_DESCRIPTION },
    { "Format", 1, KEY_FORMAT },
    { "Ids", 1, KEY_ID },
    { "Names", 1, KEY_NAME },
    { "Organization", 1, KEY_ORGANIZATION },
    { "Parent", 3, KEY_PARENT },
    { "Partitions", 4, KEY_PARTITION },
    { "PreemptMode", 8, KEY_PREEMPT_MODE },
    { "QosLevel", 1, KEY_QOS },
    { "Type", 2, KEY_TYPE },
    { "Users", 1, KEY_USER },
};

static const struct acct_key flags[] = {
    { "OnlyDefaults", 2, WORD_ONLY_DEFAULTS },   { "Tree", 4, WORD_TREE },
    { "WithAssoc", 5, WORD_WITH_ASSOC },         { "WithCoordinators", 5, WORD_WITH_COORD },
    { "WithDeleted", 5, WORD_WITH_DELETED },     { "WithFed", 5, WORD_WITH_FEDERATION },
    { "WithRawQOSLevel", 5, WORD_WITH_RAW_QOS }, { "WithSubAccounts", 5, WORD_WITH_SUB_ACCOUNTS },
    { "WOPInfo", 4, WORD_WITHOUT_PARENT_INFO },  { "WOPLimits", 4, WORD_WITHOUT_PARENT_LIMITS },
    { "WOLimits", 3, WORD_WITHOUT_LIMITS },
};

struct asked {
    struct words lists[KEYS_N];
    struct words fields;
    bool has_format;
    bool flags[KEYS_N]; /* by WORD_: it was given */
    bool is_wrong;
};

static void asked_clear(struct asked *asked)
{
    for (size_t i = 0; i < KEYS_N; i++)
        words_clear(&asked->lists[i]);
    words_clear(&asked->fields);
}

static void read_word(struct mgr *mgr, enum shown what, const struct acct_word *word,
                      struct asked *asked)
{
    const int own = what == SHOW_ASSOC ? KEY_ID : KEY_NAME; /* what a word alone is */
    const int key = word->key ? acct_key_find(keys, ARRAY_N(keys), word->key) : own;
    const int flag = word->key ? -1 : acct_key_find(flags, ARRAY_N(flags), word->value);

    if (flag >= 0) {
        asked->flags[flag] = true;
    } else if (key == KEY_FORMAT) {
        asked->has_format = true;
        words_add(&asked->fields, word->value, ",");
    } else if (key >= 0) {
        acct_names_add(&asked->lists[key], word->value);
    } else {
        mgr_refuse(mgr, " Unknown condition: %s", word->text);
        if (what != SHOW_ASSOC && what != SHOW_WCKEY)
            puts(" Use keyword 'set' to modify value");
        asked->is_wrong = true;
    }
}

/* Returns whether all numbers of associations are such, and all QOS are there. */
static bool are_values(struct mgr *mgr, const struct book *book, const struct asked *asked)
{
    const struct words *ids = &asked->lists[KEY_ID], *qos = &asked->lists[KEY_QOS];
    struct err err = { 0 };

    for (uint32_t i = 0; i < ids->n; i++) {
        uint64_t number;

        if (number_parse(ids->at[i], 0, UINT32_MAX, &number, NULL) < 0) {
            err_set(&err, EINVAL, "Invalid value for AssocId (%s)", ids->at[i]);
            mgr_refuse_value(mgr, &err);
            return false;
        }
    }
    for (uint32_t i = 0; i < qos->n; i++) {
        if (book_qos(book, qos->at[i]))
            continue;
        choice_bad_qos(book, qos->at[i], &err);
        mgr_refuse_value(mgr, &err);
        mgr_refuse(mgr, " Unknown condition: qos=%s", qos->at[i]);
        return false;
    }
    return true;
}

/* Asks about conditions on associations where no association is shown. */
static bool means_conditions(const struct mgr *mgr, const struct asked *asked, enum shown what)
{
    const bool asks =
        (what == SHOW_ACCOUNT && (asked->lists[KEY_CLUSTER].n || asked->lists[KEY_PARENT].n)) ||
        (what == SHOW_USER && (asked->lists[KEY_ACCOUNT].n || asked->lists[KEY_PARTITION].n ||
                               asked->lists[KEY_PARENT].n)); /* a cluster is fine, as in Slurm */

    if (!asks || asked->flags[WORD_WITH_ASSOC] ||
        mgr_agrees(mgr, "You requested options that are only valid when querying with the "
                        "withassoc option.\nAre you sure you want to continue?"))
        return true;
    puts("Aborted");
    return false;
}

/* ---- which rows ---- */

struct listing {
    const struct book *book;
    const struct asked *asked;
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
    const struct words *words = &listing->asked->lists[key];

    return words->n == 0 || (text && words_have(words, text));
}

static void add(struct listing *listing, struct mgr_row row)
{
    row.has_assocs = listing->has_assocs;
    row.has_coords = listing->asked->flags[WORD_WITH_COORD];
    row.has_own_limits = listing->asked->flags[WORD_WITHOUT_PARENT_LIMITS] ||
                         listing->asked->flags[WORD_WITHOUT_PARENT_INFO];
    row.has_own_only = listing->asked->flags[WORD_WITHOUT_PARENT_INFO];
    row.has_raw_qos = listing->asked->flags[WORD_WITH_RAW_QOS];
    *ARRAY_PUSH(listing->rows, listing->n) = row;
}

static bool is_shown(const struct listing *listing, int64_t deleted)
{
    return !deleted || listing->asked->flags[WORD_WITH_DELETED];
}

/* Returns whether the account is named, or, where that was asked for, below one that is. */
static bool account_fits(const struct listing *listing, const struct assoc_record *assoc)
{
    const struct words *accounts = &listing->asked->lists[KEY_ACCOUNT];

    if (fits(listing, KEY_ACCOUNT, assoc->account))
        return true;
    for (uint32_t i = 0; listing->asked->flags[WORD_WITH_SUB_ACCOUNTS] && i < accounts->n; i++) {
        if (book_is_below(listing->book, assoc->cluster, assoc->account, accounts->at[i]))
            return true;
    }
    return false;
}

/* Returns whether the association may use one of the QOS that are looked for. */
static bool qos_fits(const struct listing *listing, const struct assoc_record *assoc)
{
    const struct words *wanted = &listing->asked->lists[KEY_QOS];
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
    AUTO_FREE char *text = xasprintf("%u", id);

    return fits(listing, KEY_ID, text);
}

static bool assoc_fits(const struct listing *listing, const struct assoc_record *assoc)
{
    return is_shown(listing, assoc->deleted) && fits(listing, KEY_CLUSTER, assoc->cluster) &&
           fits(listing, KEY_PARTITION, assoc->partition) &&
           fits(listing, KEY_PARENT, assoc->parent) && account_fits(listing, assoc) &&
           qos_fits(listing, assoc) &&
           (!listing->asked->flags[WORD_ONLY_DEFAULTS] || assoc->is_default);
}

static void add_with_assocs(struct listing *listing, struct mgr_row row)
{
    for (uint32_t i = 0; i < listing->book->assocs.n; i++) {
        const struct assoc_record *assoc = record_at(&listing->book->assocs, i);
        const bool is_its = row.user ? text_is(assoc->user, row.user->name)
                                     : strcmp(assoc->account, row.account->name) == 0;

        if (!is_its || !assoc_fits(listing, assoc))
            continue;
        row.assoc = assoc;
        row.place = listing->forest.places[i];
        add(listing, row);
    }
}

static void list_accounts(struct listing *listing)
{
    const struct words *names = &listing->asked->lists[KEY_NAME];

    for (uint32_t i = 0; i < listing->book->accounts.n; i++) {
        const struct account_record *account = record_at(&listing->book->accounts, i);
        const struct mgr_row row = { .account = account };

        if (!is_shown(listing, account->deleted) ||
            (names->n && !words_have_exactly(names, account->name)) ||
            !fits(listing, KEY_ACCOUNT, account->name) ||
            !fits(listing, KEY_DESCRIPTION, account->description) ||
            !fits(listing, KEY_ORGANIZATION, account->organization))
            continue;
        if (listing->asked->flags[WORD_WITH_ASSOC])
            add_with_assocs(listing, row);
        else
            add(listing, row);
    }
}

static bool default_fits(const struct listing *listing, const struct user_record *user)
{
    const struct assoc_record *assoc =
        book_default(listing->book, listing->book->cluster, user->name);

    return fits(listing, KEY_DEFAULT_ACCOUNT, assoc ? assoc->account : NULL);
}

static bool has_assoc_that_fits(const struct listing *listing, const struct user_record *user)
{
    static const int of_assoc[] = { KEY_ACCOUNT, KEY_CLUSTER, KEY_PARTITION };
    bool is_asked = false;

    for (size_t i = 0; i < ARRAY_N(of_assoc); i++)
        is_asked |= listing->asked->lists[of_assoc[i]].n > 0;
    for (uint32_t i = 0; i < listing->book->assocs.n && is_asked; i++) {
        const struct assoc_record *assoc = record_at(&listing->book->assocs, i);

        if (text_is(assoc->user, user->name) && assoc_fits(listing, assoc))
            return true;
    }
    return !is_asked;
}

static void list_users(struct listing *listing)
{
    for (uint32_t i = 0; i < listing->book->users.n; i++) {
        const struct user_record *user = record_at(&listing->book->users, i);
        const struct mgr_row row = { .user = user };

        if (!is_shown(listing, user->deleted) || !fits(listing, KEY_NAME, user->name) ||
            !fits(listing, KEY_USER, user->name) ||
            !choice_fits_level(&listing->asked->lists[KEY_ADMIN], user->admin_level) ||
            !default_fits(listing, user) || !has_assoc_that_fits(listing, user))
            continue;
        if (listing->asked->flags[WORD_WITH_ASSOC])
            add_with_assocs(listing, row);
        else
            add(listing, row);
    }
}

/* Lists associations in a tree of those that are listed. */
static void list_assocs(struct listing *listing)
{
    const struct records *assocs = &listing->book->assocs;
    const bool is_tree = listing->asked->flags[WORD_TREE];
    const bool is_loose = listing->asked->flags[WORD_WITHOUT_PARENT_INFO];
    AUTO_FREE bool *listed = xcalloc((size_t)assocs->n + 1, sizeof(*listed));
    struct forest forest;

    for (uint32_t i = 0; i < assocs->n; i++) {
        const struct assoc_record *assoc = record_at(assocs, i);

        listed[i] = assoc_fits(listing, assoc) && fits(listing, KEY_USER, assoc->user) &&
                    id_fits(listing, assoc->id);
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

        if (is_shown(listing, qos->deleted) && fits(listing, KEY_NAME, qos->name) &&
            fits(listing, KEY_QOS, qos->name) && fits(listing, KEY_DESCRIPTION, qos->description) &&
            id_fits(listing, qos->id) &&
            choice_fits_mode(&listing->asked->lists[KEY_PREEMPT_MODE], qos->preempt_mode))
            add(listing, (struct mgr_row){ .qos = qos });
    }
}

static void list_wckeys(struct listing *listing)
{
    for (uint32_t i = 0; i < listing->book->wckeys.n; i++) {
        const struct wckey_record *wckey = record_at(&listing->book->wckeys, i);

        if (is_shown(listing, wckey->deleted) && fits(listing, KEY_NAME, wckey->name) &&
            fits(listing, KEY_CLUSTER, wckey->cluster) && fits(listing, KEY_USER, wckey->user) &&
            id_fits(listing, wckey->id))
            add(listing, (struct mgr_row){ .wckey = wckey });
    }
}

static void list_tres(struct listing *listing)
{
    for (uint32_t i = 0; i < listing->book->tres.n; i++) {
        const struct tres_record *tres = record_at(&listing->book->tres, i);
        const char *slash = strchr(tres->name, '/');
        AUTO_FREE char *type = xstrndup(tres->name, strcspn(tres->name, "/"));

        if ((fits(listing, KEY_NAME, tres->name) ||
             fits(listing, KEY_NAME, slash ? slash + 1 : NULL)) &&
            fits(listing, KEY_TYPE, type) && id_fits(listing, tres->id))
            add(listing, (struct mgr_row){ .tres = tres });
    }
}

static void list_clusters(struct listing *listing)
{
    for (uint32_t i = 0; i < listing->book->clusters.n; i++) {
        const struct cluster_record *cluster = record_at(&listing->book->clusters, i);

        if (is_shown(listing, cluster->deleted) && fits(listing, KEY_NAME, cluster->name) &&
            fits(listing, KEY_CLUSTER, cluster->name) &&
            fits(listing, KEY_CLASSIFICATION, cluster->classification))
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
static struct words usual_fields(const struct asked *asked, enum shown what)
{
    const bool with_assoc = asked->flags[WORD_WITH_ASSOC];
    const char *coord = asked->flags[WORD_WITH_COORD] ? "Coordinators" : "";
    const char *federation =
        asked->flags[WORD_WITH_FEDERATION] ? "Federation,ID,Features,FedState" : "";
    const bool has_none =
        asked->flags[WORD_WITHOUT_LIMITS] || asked->flags[WORD_WITHOUT_PARENT_LIMITS];
    const char *limits = has_none ? "" : what == SHOW_CLUSTER ? OF_CLUSTER : OF_ASSOC;
    struct words fields = { 0 };

    if (what == SHOW_ACCOUNT) {
        words_add(&fields, "Account,Description,Organization", ",");
        words_add(&fields, with_assoc ? OF_ACCOUNT : "", ",");
        words_add(&fields, coord, ",");
    } else if (what == SHOW_USER) {
        words_add(&fields, "User,DefaultAccount,AdminLevel", ",");
        words_add(&fields, coord, ",");
        words_add(&fields, with_assoc ? OF_USER : "", ",");
    } else if (what == SHOW_ASSOC) {
        words_add(&fields,
                  asked->flags[WORD_TREE] ? "Cluster,Account%-20,User,Partition"
                                          : "Cluster,Account,User,Partition",
                  ",");
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
    if (listing->asked->has_format)
        return mgr_print(mgr, &table, &listing->asked->fields);
    fields = usual_fields(listing->asked, listing->what);
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
    struct asked asked = { .flags = { [WORD_WITH_ASSOC] = mgr->associations } };
    struct book seen = *book; /* borrows all of it */
    struct listing listing = { .book = &seen, .asked = &asked, .what = what };
    int status = 1;

    for (uint32_t i = 0; i < line->where.n && !asked.is_wrong; i++)
        read_word(mgr, what, &line->where.at[i], &asked);
    if (what == SHOW_ASSOC && !asked.is_wrong)
        asked.is_wrong = !are_values(mgr, book, &asked);
    if (!asked.is_wrong && !means_conditions(mgr, &asked, what)) {
        status = 0;
    } else if (!asked.is_wrong) {
        if (document_is_wanted(&mgr->document)) {
            listing.has_assocs = asked.flags[WORD_WITH_ASSOC];
            asked.flags[WORD_WITH_ASSOC] = false;
        }
        if (what == SHOW_USER && asked.lists[KEY_CLUSTER].n == 1) /* defaults are of there */
            seen.cluster = asked.lists[KEY_CLUSTER].at[0];
        listing.forest = forest_new(book, FOREST_BY_AGE, NULL);
        lists[what](&listing);
        forest_clear(&listing.forest);
        if (listing.n)
            qsort(listing.rows, listing.n, sizeof(*listing.rows), compare_rows);
        status = print(mgr, &listing);
    }
    free(listing.rows);
    asked_clear(&asked);
    return status;
}
