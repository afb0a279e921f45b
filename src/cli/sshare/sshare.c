#include "cli/sshare/sshare.h"

#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/lib/clusters.h"
#include "cli/lib/document.h"
#include "cli/lib/flags.h"
#include "cli/lib/records.h"
#include "cli/sshare/columns.h"
#include "cli/sshare/share_document.h"
#include "common/msg/types.h"
#include "common/text/numbers.h"

struct options {
    bool all, helpformat, is_long, partition, no_header, parsable, parsable2, only_users;
    const char *clusters;
    struct words accounts, users, fields;
    uint32_t verbose;
    struct document_options document;
};

#define AT(member)  offsetof(struct options, member)
#define NAMES_WIDTH 17 /* in the list of columns, as Slurm's */

/* clang-format off */
static const struct flag flags[] = {
    { "accounts", 'A', FLAG_WORDS, AT(accounts), "ACCOUNTS", NULL, "only these" },
    { "all", 'a', FLAG_SET, AT(all), NULL, NULL, "all users, not only yourself" },
    { "cluster", 'M', FLAG_TEXT, AT(clusters), "NAMES", "SLURM_CLUSTERS", "of these clusters, or of all" },
    { "clusters", 0, FLAG_TEXT, AT(clusters), "NAMES", NULL, NULL },
    { "format", 'o', FLAG_WORDS, AT(fields), "FIELDS", NULL, "which columns, each NAME, NAME%20 or NAME%-20" },
    { "helpformat", 'e', FLAG_SET, AT(helpformat), NULL, NULL, "list the names of columns" },
    { "json", 0, FLAG_DOCUMENT, AT(document.json), "VERSION", NULL, DOCUMENT_JSON_HELP },
    { "long", 'l', FLAG_SET, AT(is_long), NULL, NULL, "more columns" },
    { "noheader", 'n', FLAG_SET, AT(no_header), NULL, NULL, "print no header" },
    { "noheader", 'h', FLAG_SET, AT(no_header), NULL, NULL, NULL },
    { "parsable", 'p', FLAG_SET, AT(parsable), NULL, NULL, "fields followed by |" },
    { "parsable2", 'P', FLAG_SET, AT(parsable2), NULL, NULL, "fields divided by |" },
    { "partition", 'm', FLAG_SET, AT(partition), NULL, NULL, "the partition of associations" },
    { "users", 'u', FLAG_WORDS, AT(users), "USERS", NULL, "only these" },
    { "uid", 0, FLAG_WORDS, AT(users), "USERS", NULL, NULL },
    { "Users", 'U', FLAG_SET, AT(only_users), NULL, NULL, "only users, not accounts" },
    { "verbose", 'v', FLAG_MORE, AT(verbose), NULL, NULL, "display more information" },
    { "yaml", 0, FLAG_DOCUMENT, AT(document.yaml), "VERSION", NULL, "the same as YAML" },
    { "version", 'V', FLAG_VERSION, 0, NULL, NULL, "print the version" },
    { "help", 0, FLAG_HELP, 0, NULL, NULL, "print this text" },
    { "usage", 0, FLAG_HELP, 0, NULL, NULL, "the same: with Slurm, too, this is its only command without a short text" },
    DOCUMENT_VARIABLES(struct options),
};
/* clang-format on */

static const struct flag_table table = {
    .purpose =
        "Lists shares of accounts and users, and what they have used. Without -a, and without "
        "users that are named, of the users only yourself. Where nobody uses accounts "
        "there are no shares.",
    .heading = "Valid OPTIONs are",
    .flags = flags,
    .flags_n = ARRAY_N(flags),
    .drops_operands = true,
};

static bool has_levels(const struct command *command)
{
    return !(command->cli.conf->priority_flags &
             (CONF_PRIORITY_NO_FAIR_TREE | CONF_PRIORITY_DEPTH_OBLIVIOUS));
}

static struct words fields_of(const struct command *command, const struct options *options)
{
    AUTO(strbuf) struct strbuf text = { 0 };

    strbuf_adds(&text, "Account,User");
    if (options->partition)
        strbuf_adds(&text, ",Partition");
    strbuf_adds(&text, ",RawShares,NormShares,RawUsage");
    if (options->is_long)
        strbuf_adds(&text, ",NormUsage");
    strbuf_adds(&text, ",EffectvUsage,FairShare");
    if (options->is_long && has_levels(command))
        strbuf_adds(&text, ",LevelFS");
    if (options->is_long)
        strbuf_adds(&text, ",GrpTRESMins,TRESRunMins");
    return words_split(strbuf_text(&text), ",");
}

static enum acct_style style_of(const struct options *options)
{
    if (options->parsable2)
        return ACCT_PARSABLE2;
    return options->parsable ? ACCT_PARSABLE : ACCT_COLUMNS;
}

/* Aligns accounts to the left where no width says otherwise: they are a tree, which grows to the
 * right. */
static void put_accounts_left(const struct words *fields, struct report_format *format)
{
    for (uint32_t i = 0; i < format->cells_n && i < fields->n; i++)
        if (format->cells[i].column && strcmp(format->cells[i].column->name, "Account") == 0 &&
            !strchr(fields->at[i], '%'))
            format->cells[i].right = false;
}

/* ---- whose ---- */

/* Returns the user's name; a number is taken for a uid. */
static char *user_named(const char *text)
{
    uint64_t uid;
    const struct passwd *entry = NULL;

    if (number_parse(text, 0, UINT32_MAX, &uid, NULL) == 0)
        entry = getpwuid((uid_t)uid);
    return xstrdup(entry ? entry->pw_name : text);
}

/* Fills the request: the users that are named, or who asks. */
static void fill_request(const struct options *options, struct share_list *request)
{
    for (uint32_t i = 0; i < options->accounts.n; i++)
        *ARRAY_PUSH(request->accounts, request->accounts_n) = xstrdup(options->accounts.at[i]);
    for (uint32_t i = 0; i < options->users.n; i++)
        *ARRAY_PUSH(request->users, request->users_n) = user_named(options->users.at[i]);
    if (request->users_n == 0 && !options->all) {
        AUTO_FREE char *me = xasprintf("%u", (unsigned int)getuid());

        *ARRAY_PUSH(request->users, request->users_n) = user_named(me);
    }
}

/* ---- the list ---- */

/* Returns the depth of the account's row among the first n, or -1: it is not shown. The rows come
 * from the top down, so it is looked for from the end. */
static int64_t depth_of(const struct share_row *rows, uint32_t n, const char *account)
{
    for (uint32_t i = n; account && i > 0; i--) {
        if (!rows[i - 1].info->user && text_is(rows[i - 1].info->account, account))
            return rows[i - 1].depth;
    }
    return -1;
}

/* Makes rows of what is shown, each one step deeper than the account above it. */
static uint32_t make_rows(const struct options *options, const struct records *shares,
                          struct share_row *rows)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < shares->n; i++) {
        const struct share_info *info = record_at(shares, i);

        if (options->only_users && !info->user)
            continue;
        rows[n].info = info;
        rows[n].depth =
            (uint32_t)(depth_of(rows, n, info->user ? info->account : info->parent) + 1);
        n++;
    }
    return n;
}

static int print_document(const struct command *command, const struct options *options,
                          const struct share_row *rows, uint32_t n)
{
    struct document document = { .command = command,
                                 .options = &options->document,
                                 .words = command->argv,
                                 .words_n = command->argc };

    document_begin(&document);
    json_open_object(&document.json, "shares");
    json_open_array(&document.json, "shares");
    for (uint32_t i = 0; i < n; i++)
        share_document(rows[i].info, &document.json);
    json_close(&document.json);
    json_add_int(&document.json, "total_shares", n);
    json_close(&document.json);
    document_end(&document);
    return fflush(stdout) == 0 ? 0 : 1;
}

static int print_table(const struct command *command, const struct options *options,
                       const struct share_row *rows, uint32_t n)
{
    AUTO(words) struct words usual = fields_of(command, options);
    AUTO(report_format) struct report_format format;
    AUTO(strbuf) struct strbuf text = { 0 };
    const struct report_context ctx = { 0 };
    const struct words *fields = options->fields.n ? &options->fields : &usual;
    const enum acct_style style = style_of(options);
    struct err err = { 0 };

    report_format_init(&format, share_choice.table);
    if (acct_layout(&share_choice, fields, style, "|", &format, &err) < 0) {
        log_error(command->log, "%s", err.text);
        return 1;
    }
    put_accounts_left(fields, &format);
    if (!options->no_header)
        acct_header(&format, style, &text);
    for (uint32_t i = 0; i < n; i++)
        report_line(&format, &ctx, &rows[i], &text);
    fputs(strbuf_text(&text), stdout);
    return fflush(stdout) == 0 ? 0 : 1;
}

/* What the report is made of. */
struct sshare {
    struct command *command;
    const struct options *options;
};

/* Prints the shares of the cluster that the command is at. */
static int print_shares(void *ctx)
{
    struct command *command = ((struct sshare *)ctx)->command;
    const struct options *options = ((struct sshare *)ctx)->options;
    AUTO(records) struct records shares = { .schema = share_info_schema() };
    AUTO(share_list) struct share_list request;
    AUTO_FREE struct share_row *rows = NULL;
    struct err err = { 0 };
    uint32_t n;

    share_list_init(&request);
    fill_request(options, &request);
    if (cli_connect(&command->cli, RPC_ROLE_CLIENT, &err) < 0 ||
        records_load(command->cli.client, MSG_SHARE_LIST, &request, MSG_SHARE_INFO, &shares, &err) <
            0) {
        records_report(command, "Couldn't get shares from controller", &err);
        return 255; /* as Slurm's */
    }
    rows = xcalloc((size_t)shares.n + 1, sizeof(*rows));
    n = make_rows(options, &shares, rows);
    return document_is_wanted(&options->document) ? print_document(command, options, rows, n)
                                                  : print_table(command, options, rows, n);
}

/* Prints the shares of the clusters that -M names, or of this one. */
static int print_clusters(struct command *command, const struct options *options)
{
    AUTO(clusters) struct clusters clusters = { 0 };
    struct sshare sshare = { command, options };

    if (clusters_find(command, options->clusters, &clusters) < 0)
        return 1;
    return clusters_each(command, &clusters,
                         options->clusters && !document_is_wanted(&options->document), print_shares,
                         &sshare);
}

static void say_words(const char *what, const struct words *words, const char *otherwise)
{
    fprintf(stderr, "%s requested:\n", what);
    for (uint32_t i = 0; i < words->n; i++)
        fprintf(stderr, "\t: %s\n", words->at[i]);
    if (words->n == 0)
        fprintf(stderr, "\t: %s\n", otherwise);
}

/* Prints the request in Slurm's words; without --all and names it is about who asks. */
static void say_request(const struct options *options)
{
    const struct passwd *me = getpwuid(getuid());

    say_words("Users", &options->users, options->all || !me ? "all" : me->pw_name);
    say_words("Accounts", &options->accounts, "all");
}

static int run(struct command *command, int argc, char **argv, struct options *options)
{
    struct err err = { 0 };
    int status = flags_read(&table, command, argc, argv, options, NULL, NULL);

    if (status >= 0)
        return status;
    if (options->helpformat) {
        AUTO(strbuf) struct strbuf text = { 0 };

        acct_names(&share_choice, NAMES_WIDTH, &text);
        fputs(strbuf_text(&text), stdout);
        return 0;
    }
    command_set_verbosity(command, options->verbose, 0);
    if (options->verbose)
        say_request(options);
    if (cli_load(&command->cli, &err) < 0) {
        command_report(command, NULL, &err);
        return 1;
    }
    command->argv = argv;
    command->argc = argc;
    return print_clusters(command, options);
}

int sshare_main(int argc, char **argv)
{
    AUTO(command) struct command command;
    struct options options = { 0 };
    int status;

    command_init(&command, "sshare");
    status = run(&command, argc, argv, &options);
    words_clear(&options.accounts);
    words_clear(&options.users);
    words_clear(&options.fields);
    return status;
}
