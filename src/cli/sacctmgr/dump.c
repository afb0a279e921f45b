#include "cli/sacctmgr/dump.h"

#include <errno.h>
#include <inttypes.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/lib/records.h"
#include "cli/sacctmgr/choice.h"
#include "cli/sacctmgr/facts.h"
#include "cli/sacctmgr/forest.h"
#include "cli/sacctmgr/level.h"
#include "cli/sacctmgr/limits.h"

/* What is written: `lines` are those of records, each ended. */
struct dump {
    const struct book *book;
    const char *cluster;
    struct strbuf lines;
};

/* ---- values ---- */

/* Fairshare=parent is this number in Slurm's files. */
#define SHARES_OF_PARENT 2147483647u

static void add_text(struct strbuf *out, const char *name, const char *value)
{
    if (value && *value)
        strbuf_addf(out, ":%s='%s'", name, value);
}

static void add_names(struct strbuf *out, const char *name, struct words *names)
{
    AUTO(strbuf) struct strbuf list = { 0 };

    choice_sort(names);
    for (uint32_t i = 0; i < names->n; i++)
        strbuf_addf(&list, "%s%s", i ? "," : "", names->at[i]);
    add_text(out, name, list.len ? strbuf_text(&list) : NULL);
}

/* Limits in the order in which Slurm writes them; times are minutes. */
static const struct {
    const char *name, *member;
} limits[] = {
    { "GrpTRESMins", "grp_tres_mins" },
    { "GrpTRESRunMins", "grp_tres_run_mins" },
    { "GrpTRES", "grp_tres" },
    { "GrpJobs", "grp_jobs" },
    { "GrpJobsAccrue", "grp_jobs_accrue" },
    { "GrpSubmitJobs", "grp_submit_jobs" },
    { "GrpWall", "grp_wall" },
    { "MaxTRESMinsPerJob", "max_tres_mins_per_job" },
    { "MaxTRESPerJob", "max_tres_per_job" },
    { "MaxTRESPerNode", "max_tres_per_node" },
    { "MaxJobs", "max_jobs" },
    { "MaxJobsAccrue", "max_jobs_accrue" },
    { "MaxSubmitJobs", "max_submit_jobs" },
    { "MaxWallDurationPerJob", "max_wall_per_job" },
    { "MinPrioThresh", "min_prio_threshold" },
};

/* Appends a list of amounts; memory in the largest unit that leaves it whole: Slurm reads no
 * fractions. */
static void add_amounts(struct strbuf *out, const struct acct_amount *amounts, uint32_t n)
{
    static const char units[] = "MGTP";

    for (uint32_t i = 0; i < n; i++) {
        const bool is_memory = strcmp(amounts[i].tres, "mem") == 0;
        uint64_t amount = amounts[i].amount;
        size_t unit = 0;

        while (is_memory && amount && amount % 1024 == 0 && units[unit + 1]) {
            amount /= 1024;
            unit++;
        }
        strbuf_addf(out, "%s%s=%" PRIu64, i ? "," : "", amounts[i].tres, amount);
        if (is_memory)
            strbuf_addc(out, units[unit]);
    }
}

/* Appends the value of a limit, or nothing where it is not set. */
static void add_limit(const struct dump *dump, const struct schema_field *field,
                      const struct assoc_record *assoc, struct strbuf *out)
{
    const char *base = (const char *)assoc;

    if (field->kind == KIND_LIST)
        add_amounts(out, *(struct acct_amount *const *)(const void *)(base + field->offset),
                    *(const uint32_t *)(const void *)(base + field->count_offset));
    else
        limit_format(dump->book, field, false, assoc, out);
}

static void add_values(const struct dump *dump, const struct assoc_record *assoc,
                       struct strbuf *out)
{
    AUTO(words) struct words qos = { 0 };

    add_text(out, "DefaultQOS", assoc->default_qos);
    strbuf_addf(out, ":Fairshare=%u",
                assoc->shares == SHARES_PARENT ? SHARES_OF_PARENT
                : assoc->shares == COUNT_UNSET ? SHARES_DEFAULT
                                               : assoc->shares);
    for (size_t i = 0; i < ARRAY_N(limits); i++) {
        AUTO(strbuf) struct strbuf value = { 0 };

        add_limit(dump, schema_find(assoc_record_schema(), limits[i].member), assoc, &value);
        if (strchr(strbuf_text(&value), ':')) /* of a type of gres; it would end the value */
            add_text(out, limits[i].name, strbuf_text(&value));
        else if (value.len)
            strbuf_addf(out, ":%s=%s", limits[i].name, strbuf_text(&value));
    }
    if (assoc->priority != COUNT_UNSET)
        strbuf_addf(out, ":Priority=%u", assoc->priority);
    for (uint32_t i = 0; i < assoc->qos_n; i++)
        words_add(&qos, assoc->qos[i], ",");
    add_names(out, "QOS", &qos);
}

/* ---- records ---- */

static void add_account(struct dump *dump, const struct assoc_record *assoc)
{
    const struct account_record *account = book_account(dump->book, assoc->account);

    strbuf_addf(&dump->lines, "Account - '%s'", assoc->account);
    add_text(&dump->lines, "Description", account ? account->description : NULL);
    add_text(&dump->lines, "Organization", account ? account->organization : NULL);
    add_text(&dump->lines, "Flags", account ? fact_account_flags(account->flags) : NULL);
    add_values(dump, assoc, &dump->lines);
    strbuf_addc(&dump->lines, '\n');
}

static void add_coordinated(struct dump *dump, const char *user)
{
    AUTO(words) struct words names = { 0 };

    for (uint32_t i = 0; i < dump->book->accounts.n; i++) {
        const struct account_record *account = record_at(&dump->book->accounts, i);

        for (uint32_t j = 0; j < account->coordinators_n && !account->deleted; j++) {
            if (strcmp(account->coordinators[j], user) == 0)
                words_add(&names, account->name, ",");
        }
    }
    add_names(&dump->lines, "Coordinator", &names);
}

/* Collects the user's wckeys on the cluster, or only the default one. */
static struct words find_wckeys(const struct dump *dump, const char *user, bool is_default)
{
    struct words names = { 0 };

    for (uint32_t i = 0; i < dump->book->wckeys.n; i++) {
        const struct wckey_record *wckey = record_at(&dump->book->wckeys, i);

        if (!wckey->deleted && wckey->name && strcmp(wckey->user, user) == 0 &&
            strcmp(wckey->cluster, dump->cluster) == 0 && (wckey->is_default || !is_default))
            words_add(&names, wckey->name, ",");
    }
    return names;
}

static void add_user(struct dump *dump, const struct assoc_record *assoc)
{
    const struct user_record *user = book_user(dump->book, assoc->user);
    const struct assoc_record *in = book_default(dump->book, dump->cluster, assoc->user);
    AUTO(words) struct words wckeys = find_wckeys(dump, assoc->user, false);
    AUTO(words) struct words wckey = find_wckeys(dump, assoc->user, true);

    strbuf_addf(&dump->lines, "User - '%s'", assoc->user);
    add_text(&dump->lines, "Partition", assoc->partition);
    add_text(&dump->lines, "DefaultAccount", in ? in->account : NULL);
    add_names(&dump->lines, "DefaultWCKey", &wckey);
    if (user && user->admin_level > ADMIN_NONE)
        add_text(&dump->lines, "AdminLevel", admin_level_name(user->admin_level));
    add_coordinated(dump, assoc->user);
    add_names(&dump->lines, "WCKeys", &wckeys);
    add_values(dump, assoc, &dump->lines);
    strbuf_addc(&dump->lines, '\n');
}

/* ---- the tree ---- */

static bool is_in(const struct assoc_record *assoc, const char *account)
{
    return text_is(assoc->user ? assoc->account : assoc->parent, account);
}

/* Adds what is in an account, users first; then what is in the accounts there. `tree` is by name.
 */
static void add_inside(struct dump *dump, const struct assoc_record *const *tree, uint32_t n,
                       const char *account)
{
    bool has_title = false;

    for (uint32_t i = 0; i < n; i++) {
        if (!is_in(tree[i], account))
            continue;
        if (!has_title)
            strbuf_addf(&dump->lines, "Parent - '%s'\n", account);
        has_title = true;
        if (tree[i]->user)
            add_user(dump, tree[i]);
        else
            add_account(dump, tree[i]);
    }
    for (uint32_t i = 0; i < n; i++) {
        if (!tree[i]->user && is_in(tree[i], account))
            add_inside(dump, tree, n, tree[i]->account);
    }
}

/* Returns the associations of the cluster as they are listed, to be freed. */
static const struct assoc_record **sort_tree(const struct dump *dump, uint32_t *ret_n)
{
    const struct records *assocs = &dump->book->assocs;
    AUTO_FREE bool *listed = xcalloc((size_t)assocs->n + 1, sizeof(*listed));
    const struct assoc_record **tree = NULL;
    struct forest forest;

    for (uint32_t i = 0; i < assocs->n; i++) {
        const struct assoc_record *assoc = record_at(assocs, i);

        listed[i] = !assoc->deleted && strcmp(assoc->cluster, dump->cluster) == 0;
    }
    forest = forest_new(dump->book, FOREST_BY_NAME, listed);
    tree = xcalloc((size_t)forest.n + 1, sizeof(const struct assoc_record *));
    for (uint32_t i = 0; i < assocs->n; i++) {
        if (forest.places[i])
            tree[forest.places[i] - 1] = record_at(assocs, i);
    }
    *ret_n = forest.n;
    forest_clear(&forest);
    return tree;
}

static void add_all(struct dump *dump)
{
    const struct assoc_record *root = book_assoc(dump->book, dump->cluster, "root", NULL, NULL);
    uint32_t n;
    AUTO_FREE const struct assoc_record **tree = sort_tree(dump, &n);

    strbuf_addf(&dump->lines, "Cluster - '%s'", dump->cluster);
    if (root)
        add_values(dump, root, &dump->lines);
    strbuf_addc(&dump->lines, '\n');
    add_inside(dump, tree, n, "root");
}

/* ---- the file ---- */

static const char head[] =
    "# Accounts and users of a cluster, as sacctmgr dump writes them and sacctmgr load reads "
    "them.\n"
    "# A line is a kind, a blank, a hyphen, a blank, a name, and options after colons, in any "
    "order:\n"
    "# Cluster - 'name':Fairshare=1:QOS='normal'\n"
    "# Parent - 'root'\n"
    "# Account - 'physics':Description='text':Organization='text':Fairshare=10:GrpTRES=cpu=20\n"
    "# User - 'alice':DefaultAccount='physics':Fairshare=5:MaxJobs=3\n"
    "# The cluster comes first. Accounts and users are in the account of the Parent line before "
    "them,\n"
    "# which has to be there by then; root always is.\n";

/* Writes beside the file and renames: what was there stays whole when the disk is full. */
static int write_file(const char *path, const struct strbuf *lines)
{
    AUTO_FREE char *beside = xasprintf("%s.new", path);
    FILE *file = fopen(beside, "w");
    int rc = 0;

    if (!file)
        return -errno;
    fputs(head, file);
    fwrite(strbuf_text(lines), 1, lines->len, file);
    if (fflush(file) != 0 || fsync(fileno(file)) != 0)
        rc = -errno;
    if (fclose(file) != 0 && rc == 0)
        rc = -errno;
    if (rc == 0 && rename(beside, path) != 0)
        rc = -errno;
    if (rc < 0)
        unlink(beside);
    return rc;
}

static void say_lines(const struct dump *dump)
{
    AUTO(words) struct words lines = words_split(strbuf_text(&dump->lines), "\n");

    for (uint32_t i = 0; i < lines.n; i++)
        fprintf(stderr, "sacctmgr: %s\n", lines.at[i]);
}

static int run(struct mgr *mgr, const struct book *book, const char *cluster, const char *path)
{
    struct dump dump = { .book = book, .cluster = cluster };
    int rc;

    if (!level_reached(mgr, ADMIN_OPERATOR)) {
        mgr_refuse(mgr, " Your user does not have sufficient privileges to dump clusters.");
        return 1;
    }
    if (!book_cluster(book, cluster)) {
        mgr_refuse(mgr, " Cluster %s doesn't exist.", cluster);
        return 1;
    }
    add_all(&dump);
    rc = write_file(path, &dump.lines);
    if (rc == 0)
        say_lines(&dump);
    else
        mgr_refuse(mgr, "Can't open file %s, %s", path, strerror(-rc));
    strbuf_clear(&dump.lines);
    return rc < 0;
}

/* ---- words ---- */

enum { KEY_CLUSTER, KEY_FILE };

static const struct acct_key keys[] = {
    { "Cluster", 1, KEY_CLUSTER },
    { "File", 1, KEY_FILE },
    { "Name", 1, KEY_CLUSTER },
};

/* Borrows from the line. Returns false after saying which word is none. */
static bool read_words(struct mgr *mgr, const struct acct_line *line, const char **ret_cluster,
                       const char **ret_file)
{
    for (uint32_t i = 0; i < line->where.n; i++) {
        const struct acct_word *word = &line->where.at[i];
        const int key = word->key ? acct_key_find(keys, ARRAY_N(keys), word->key) : KEY_CLUSTER;

        if (key < 0) {
            mgr_refuse(mgr, " Unknown option: %s", word->text);
            return false;
        }
        *(key == KEY_FILE ? ret_file : ret_cluster) = word->value;
    }
    return true;
}

static int run_line(struct mgr *mgr, const struct acct_line *line)
{
    const char *cluster = NULL, *file = NULL;
    AUTO_FREE char *usual = NULL;
    struct book book = { 0 };
    struct err err = { 0 };
    int status = 1;

    if (!read_words(mgr, line, &cluster, &file))
        return 1;
    if (!cluster || !*cluster) {
        mgr_refuse(mgr, " We need a cluster to dump.");
        return 1;
    }
    usual = xasprintf("./%s.cfg", cluster);
    if (mgr_connect(mgr) < 0)
        return 1;
    if (!file)
        printf(" No filename given, using %s.\n", usual);
    fflush(stdout);
    if (book_load(&book, mgr->command, &err) < 0)
        records_report(mgr->command, "Problem with query", &err);
    else
        status = run(mgr, &book, cluster, file ? file : usual);
    book_clear(&book);
    return status;
}

int dump_run(struct mgr *mgr, const char *const *words, uint32_t n)
{
    struct acct_line line = { 0 };
    int status;

    acct_line_read(words, n, false, &line);
    status = run_line(mgr, &line);
    acct_line_clear(&line);
    return status;
}
