#include "cli/sshare/sshare.h"

#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/lib/document.h"
#include "cli/lib/flags.h"
#include "cli/lib/listing.h"
#include "cli/lib/records.h"
#include "cli/sacct/layout.h"

struct options {
    bool all, helpformat, is_long, partition, no_header, parsable, parsable2, only_users;
    const char *clusters;
    struct words accounts, users, fields;
    uint32_t verbose;
    struct document_options document;
};

#define AT(member) offsetof(struct options, member)

/* clang-format off */
static const struct flag rows[] = {
    { "accounts", 'A', FLAG_WORDS, AT(accounts), "ACCOUNTS", NULL, "only these" },
    { "all", 'a', FLAG_SET, AT(all), NULL, NULL, "all users, not only yourself" },
    { "cluster", 'M', FLAG_TEXT, AT(clusters), "NAME", "SLURM_CLUSTERS", "of this cluster: this one's name" },
    { "clusters", 0, FLAG_TEXT, AT(clusters), "NAME", NULL, NULL },
    { "format", 'o', FLAG_WORDS, AT(fields), "FIELDS", NULL, "which columns, each NAME, NAME%20 or NAME%-20" },
    { "helpformat", 'e', FLAG_SET, AT(helpformat), NULL, NULL, "list the names of columns" },
    { "json", 0, FLAG_DOCUMENT, AT(document.json), "VERSION", NULL, DOCUMENT_JSON_HELP },
    { "long", 'l', FLAG_SET, AT(is_long), NULL, NULL, "more columns" },
    { "noheader", 'n', FLAG_SET, AT(no_header), NULL, NULL, "print no header" },
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
    .purpose = "Lists shares of accounts and users, and what they have used. Without associations "
               "there are none, as with a Slurm that has no accounting.",
    .heading = "Valid OPTIONs are",
    .flags = rows,
    .flags_n = ARRAY_N(rows),
    .drops_operands = true,
};

/* ---- columns; no row has ever a value before there are associations ---- */

#define COLUMN(column, size)                                                                       \
    {                                                                                              \
        .name = #column, .title = #column, .width = size, .unset = ""                              \
    }

static const struct report_column columns[] = {
    COLUMN(Account, 20),   COLUMN(Cluster, 10),     COLUMN(EffectvUsage, 13),
    COLUMN(FairShare, 10), COLUMN(GrpTRESMins, 30), COLUMN(GrpTRESRaw, 30),
    COLUMN(ID, 6),         COLUMN(LevelFS, 10),     COLUMN(NormShares, 11),
    COLUMN(NormUsage, 11), COLUMN(Partition, 12),   COLUMN(RawShares, 10),
    COLUMN(RawUsage, 11),  COLUMN(TRESRunMins, 30), COLUMN(User, 10),
};

static const struct report_table share_table = { NULL, 0, columns, ARRAY_N(columns) };
static const struct acct_choice share_choice = { &share_table, 0 };

static struct words fields_of(const struct options *options)
{
    AUTO(strbuf) struct strbuf text = { 0 };

    strbuf_adds(&text, "Account,User");
    if (options->partition)
        strbuf_adds(&text, ",Partition");
    strbuf_adds(&text, ",RawShares,NormShares,RawUsage");
    if (options->is_long)
        strbuf_adds(&text, ",NormUsage");
    strbuf_adds(&text, ",EffectvUsage,FairShare");
    if (options->is_long)
        strbuf_adds(&text, ",LevelFS,GrpTRESMins,TRESRunMins");
    return words_split(strbuf_text(&text), ",");
}

static enum acct_style style_of(const struct options *options)
{
    if (options->parsable2)
        return ACCT_PARSABLE2;
    return options->parsable ? ACCT_PARSABLE : ACCT_COLUMNS;
}

/* Aligns accounts to the left: they are a tree, which grows to the right. */
static void put_accounts_left(struct report_format *format)
{
    for (uint32_t i = 0; i < format->cells_n; i++)
        if (format->cells[i].column && strcmp(format->cells[i].column->name, "Account") == 0)
            format->cells[i].right = false;
}

static int print_document(const struct command *command, const struct options *options)
{
    struct document document = { .command = command,
                                 .options = &options->document,
                                 .words = command->argv,
                                 .words_n = command->argc };

    document_begin(&document);
    json_open_object(&document.json, "shares");
    document_word(&document.json, "shares", NULL);
    json_add_int(&document.json, "total_shares", 0);
    json_close(&document.json);
    document_end(&document);
    return fflush(stdout) == 0 ? 0 : 1;
}

static int print(const struct command *command, const struct options *options)
{
    AUTO(words) struct words usual = fields_of(options);
    AUTO(report_format) struct report_format format;
    AUTO(strbuf) struct strbuf text = { 0 };
    const enum acct_style style = style_of(options);
    struct err err = { 0 };

    report_format_init(&format, &share_table);
    if (acct_layout(&share_choice, options->fields.n ? &options->fields : &usual, style, "|",
                    &format, &err) < 0) {
        log_error(command->log, "%s", err.text);
        return 1;
    }
    put_accounts_left(&format);
    if (!options->no_header)
        acct_header(&format, style, &text);
    fputs(strbuf_text(&text), stdout);
    return fflush(stdout) == 0 ? 0 : 1;
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

        acct_names(&share_choice, &text);
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
    if (!listing_is_our_cluster(command, options->clusters))
        return 1;
    command->argv = argv;
    command->argc = argc;
    if (cli_connect(&command->cli, RPC_ROLE_CLIENT, &err) < 0) { /* it would tell, were there any */
        records_report(command, "Couldn't get shares from controller", &err);
        return 255; /* as Slurm's */
    }
    return document_is_wanted(&options->document) ? print_document(command, options)
                                                  : print(command, options);
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
