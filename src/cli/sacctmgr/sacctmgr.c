#include "cli/sacctmgr/sacctmgr.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/lib/flags.h"
#include "cli/lib/lines.h"
#include "cli/lib/records.h"
#include "cli/sacctmgr/absent.h"
#include "cli/sacctmgr/account.h"
#include "cli/sacctmgr/archive.h"
#include "cli/sacctmgr/ask.h"
#include "cli/sacctmgr/cluster.h"
#include "cli/sacctmgr/coordinator.h"
#include "cli/sacctmgr/dump.h"
#include "cli/sacctmgr/event.h"
#include "cli/sacctmgr/federation.h"
#include "cli/sacctmgr/help_words.h"
#include "cli/sacctmgr/job.h"
#include "cli/sacctmgr/load.h"
#include "cli/sacctmgr/problem.h"
#include "cli/sacctmgr/qos.h"
#include "cli/sacctmgr/resource.h"
#include "cli/sacctmgr/runaway.h"
#include "cli/sacctmgr/show.h"
#include "cli/sacctmgr/site.h"
#include "cli/sacctmgr/transaction.h"
#include "cli/sacctmgr/user.h"
#include "common/base/plain.h"
#include "common/base/version.h"
#include "common/msg/types.h"

#define ANSWER_MS 30000

/* ---- the mgr ---- */

void mgr_refuse(struct mgr *mgr, const char *format, ...)
{
    AUTO(strbuf) struct strbuf text = { 0 };
    va_list args;

    va_start(args, format);
    strbuf_vaddf(&text, format, args);
    va_end(args);
    /* What is refused may be somebody else's file: it is no order to the terminal. */
    plain_escape_lines(&text, 0);
    puts(strbuf_text(&text));
    mgr->status = 1;
}

bool mgr_load(const struct mgr *mgr, enum kept_number kind, struct records *records)
{
    struct err err = { 0 };

    if (records_load_all(mgr->command->cli.client, kind, records, &err) == 0)
        return true;
    records_report(mgr->command, "Problem with query", &err);
    return false;
}

int mgr_connect(struct mgr *mgr)
{
    return records_connect(mgr->command, "Problem talking to the database");
}

void mgr_refuse_value(struct mgr *mgr, const struct err *err)
{
    fflush(stdout);
    fprintf(stderr, "%s%s\n", *err->text == ' ' ? "" : "sacctmgr: error: ", err->text);
    mgr->status = 1;
}

void mgr_refuse_condition(struct mgr *mgr, const struct acct_word *word)
{
    mgr_refuse(mgr, " Unknown condition: %s", word->text);
    puts(" Use keyword 'set' to modify value");
}

void mgr_refuse_option(struct mgr *mgr, const struct acct_word *word)
{
    mgr_refuse(mgr, " Unknown option: %s", word->text);
    puts(" Use keyword 'where' to modify condition");
}

bool mgr_agrees(const struct mgr *mgr, const char *question)
{
    if (mgr->at_once)
        return true;
    printf("%s (You have %d seconds to decide)\n", question, ANSWER_MS / 1000);
    return ask_yes(ANSWER_MS);
}

bool mgr_commits(const struct mgr *mgr)
{
    if (mgr_agrees(mgr, "Would you like to commit changes?"))
        return true;
    puts(" Changes Discarded");
    return false;
}

bool mgr_means_all(const struct mgr *mgr, const struct acct_line *line)
{
    if (line->where.n || mgr_agrees(mgr, "You didn't set any conditions with 'WHERE'.\n"
                                         "Are you sure you want to continue?"))
        return true;
    puts("Aborted");
    return false;
}

/* ---- verbs ---- */

enum verb {
    VERB_ADD,
    VERB_DELETE,
    VERB_LIST,
    VERB_MODIFY,  /* the last with an entity */
    VERB_ARCHIVE, /* the first with arguments that are no entity */
    VERB_CLEAR,
    VERB_DUMP,
    VERB_LOAD,
    VERB_ROLL,
    VERB_SHUTDOWN, /* the last of these */
    VERB_ASSOCIATIONS,
    VERB_EXIT,
    VERB_HELP,
    VERB_ONELINER,
    VERB_PING,
    VERB_QUIET,
    VERB_READONLY,
    VERB_RECONFIGURE,
    VERB_VERBOSE,
    VERB_VERSION
};

static const struct acct_key verbs[] = {
    { "add", 3, VERB_ADD },
    { "archive", 3, VERB_ARCHIVE },
    { "associations", 4, VERB_ASSOCIATIONS },
    { "clear", 3, VERB_CLEAR },
    { "create", 3, VERB_ADD },
    { "delete", 3, VERB_DELETE },
    { "dump", 3, VERB_DUMP },
    { "exit", 4, VERB_EXIT },
    { "help", 2, VERB_HELP },
    { "list", 3, VERB_LIST },
    { "load", 2, VERB_LOAD },
    { "modify", 1, VERB_MODIFY },
    { "oneliner", 1, VERB_ONELINER },
    { "ping", 4, VERB_PING },
    { "quiet", 4, VERB_QUIET },
    { "quit", 4, VERB_EXIT },
    { "readonly", 4, VERB_READONLY },
    { "reconfigure", 4, VERB_RECONFIGURE },
    { "remove", 3, VERB_DELETE },
    { "roll", 2, VERB_ROLL },
    { "show", 3, VERB_LIST },
    { "shutdown", 4, VERB_SHUTDOWN },
    { "update", 1, VERB_MODIFY },
    { "verbose", 4, VERB_VERBOSE },
    { "version", 4, VERB_VERSION },
};

struct entity {
    const char *name;
    uint32_t least;
    bool takes_s; /* also with an s at its end, in lists */
    int shown;    /* enum shown, or -1 */
    int (*add)(struct mgr *, const struct book *, const struct acct_line *);
    int (*modify)(struct mgr *, const struct book *, const struct acct_line *);
    int (*delete)(struct mgr *, const struct book *, const struct acct_line *);
    int (*list)(struct mgr *, const struct acct_line *);   /* what is not in the book; or NULL */
    int (*change)(struct mgr *, const struct acct_line *); /* modify, without the book; or NULL */
};

/* clang-format off */
static const struct entity entities[] = {
    { "Account", 2, true, SHOW_ACCOUNT, account_add, account_modify, account_delete, NULL, NULL },
    { "Acct", 4, false, SHOW_ACCOUNT, account_add, account_modify, account_delete, NULL, NULL },
    { "Association", 2, true, SHOW_ASSOC, NULL, NULL, NULL, NULL, NULL },
    { "Cluster", 2, true, SHOW_CLUSTER, cluster_add, cluster_modify, cluster_delete, NULL, NULL },
    { "Configuration", 4, false, -1, NULL, NULL, NULL, config_list, NULL },
    { "Coordinator", 4, true, -1, coordinator_add, NULL, coordinator_delete, NULL, NULL },
    { "Event", 1, true, -1, NULL, NULL, NULL, event_list, NULL },
    { "Federation", 1, true, -1, federation_add, federation_modify, federation_delete, federation_list, NULL },
    { "Instance", 1, true, -1, NULL, NULL, NULL, instance_list, NULL },
    { "Job", 1, false, -1, NULL, NULL, NULL, NULL, job_modify },
    { "Problem", 1, true, -1, NULL, NULL, NULL, problem_list, NULL },
    { "QOS", 1, false, SHOW_QOS, qos_add, qos_modify, qos_delete, NULL, NULL },
    { "Reservation", 4, true, -1, NULL, NULL, NULL, reservation_list, NULL },
    { "Resource", 4, true, -1, resource_add, resource_modify, resource_delete, resource_list, NULL },
    { "RunAwayJobs", 2, false, -1, NULL, NULL, NULL, runaway_list, NULL },
    { "Stats", 1, false, -1, NULL, NULL, NULL, stats_list, NULL },
    { "Transaction", 1, true, -1, NULL, NULL, NULL, transaction_list, NULL },
    { "TRES", 3, false, SHOW_TRES, NULL, NULL, NULL, NULL, NULL },
    { "Txn", 3, false, -1, NULL, NULL, NULL, transaction_list, NULL },
    { "User", 1, true, SHOW_USER, user_add, user_modify, user_delete, NULL, NULL },
    { "WCKey", 1, true, SHOW_WCKEY, NULL, NULL, NULL, NULL, NULL },
};
/* clang-format on */

static const struct entity *find_entity(const char *word, bool lists)
{
    for (size_t i = 0; i < ARRAY_N(entities); i++) {
        AUTO_FREE char *many = xasprintf("%ss", entities[i].name);
        const struct acct_key one = { entities[i].name, entities[i].least, 0 };
        const struct acct_key all = { many, entities[i].least, 0 };

        if (acct_key_find(&one, 1, word) == 0 ||
            (lists && entities[i].takes_s && acct_key_find(&all, 1, word) == 0))
            return &entities[i];
    }
    return NULL;
}

static int run_entity(struct mgr *mgr, enum verb verb, const struct entity *entity,
                      const char *const *words, uint32_t n)
{
    struct acct_line line = { 0 };
    struct book book = { 0 };
    struct err err = { 0 };
    int status = 1;

    acct_line_read(words, n, verb == VERB_ADD, &line);
    if (entity->change && verb == VERB_MODIFY)
        status = entity->change(mgr, &line);
    else if (entity->list == config_list && verb == VERB_LIST)
        status = config_list(mgr, &line); /* of this host: also where nobody answers */
    else if (mgr_connect(mgr) < 0)
        status = 1;
    else if (entity->list && verb == VERB_LIST)
        status = entity->list(mgr, &line);
    else if (book_load(&book, mgr->command, &err) < 0)
        records_report(mgr->command, "Problem with query", &err);
    else if (verb == VERB_ADD)
        status = entity->add(mgr, &book, &line);
    else if (verb == VERB_MODIFY)
        status = entity->modify(mgr, &book, &line);
    else if (verb == VERB_DELETE)
        status = entity->delete (mgr, &book, &line);
    else
        status = acct_show(mgr, &book, (enum shown)entity->shown, &line);
    book_clear(&book);
    acct_line_clear(&line);
    return status;
}

static bool can(const struct entity *entity, enum verb verb)
{
    switch (verb) {
    case VERB_ADD:
        return entity->add;
    case VERB_MODIFY:
        return entity->modify || entity->change;
    case VERB_DELETE:
        return entity->delete;
    default:
        return entity->shown >= 0 || entity->list;
    }
}

/* Says which entities the verb is for, in Slurm's words and lines. */
static void refuse_entity(struct mgr *mgr, enum verb verb)
{
    static const char *const texts[] = {
        [VERB_ADD] = "No valid entity in add command\nInput line must include \"Account\", "
                     "\"Cluster\", \"Coordinator\", \"Federation\", \"QOS\", \"Resource\", or "
                     "\"User\"",
        [VERB_DELETE] = "No valid entity in delete command\nInput line must include \"Account\", "
                        "\"Cluster\", \"Coordinator\", \"Federation\", \"QOS\", \"Resource\", or "
                        "\"User\"",
        [VERB_LIST] = "No valid entity in list command\nInput line must include \"Account\", "
                      "\"Association\", \"Cluster\", \"Configuration\",\n\"Event\", "
                      "\"Federation\", \"Problem\", \"QOS\", \"Resource\", \"Reservation\",\n"
                      "\"RunAwayJobs\", \"Stats\", \"Transaction\", \"TRES\", \"User\", or "
                      "\"WCKey\"",
        [VERB_MODIFY] = ("No valid entity in modify command\nInput line must include \"Account\", "
                         "\"Cluster\", \"Federation\", \"Job\", \"QOS\", \"Resource\" or \"User\""),
    };

    fprintf(stderr, "%s\n", texts[verb]);
    mgr->status = 1;
}

/* What --help and the command "help" say of commands; `help_words` follows. */
static const char commands[] =
    "  add ENTITY NAME=VALUE...\n"
    "  modify ENTITY where NAME=VALUE... set NAME=VALUE...\n"
    "  delete ENTITY where NAME=VALUE...\n"
    "  list ENTITY [where NAME=VALUE...] [format=FIELD%WIDTH,...]\n"
    "  dump CLUSTER [file=PATH]\n"
    "  load [file=]PATH [cluster=NAME] [clean]\n"
    "  archive dump [Jobs Steps Events TXN Usage] [PurgeJobAfter=AGE...] [Directory=PATH]\n"
    "  archive load [file=]PATH | insert=SQL\n"
    "  ping, reconfigure, shutdown, clear stats, roll, help, version\n"
    "Words of each entity, in any case and, as far as they are clear, cut short; add takes those\n"
    "of modify ... set, too, and a field may have a width (format=account%20,user):\n";

static void help(void)
{
    printf(
        "Alone on a line:\n"
        "  associations, oneliner, quiet, readonly, verbose   what the options of these names do\n"
        "  !!           the last command once more\n"
        "  exit, quit   leave\n"
        "COMMAND ENTITY [WORD...]\n%s",
        commands);
    for (const char *const *line = help_words; *line; line++)
        puts(*line);
}

/* Lets the controller read its files again, as slurmdbd would. */
static int reconfigure(struct mgr *mgr)
{
    struct err err = { 0 };

    if (mgr_connect(mgr) < 0)
        return 1;
    if (client_call(mgr->command->cli.client, MSG_RECONFIGURE, NULL, MSG_OK, NULL, &err) == 0)
        return 0;
    mgr_refuse_value(mgr, &err);
    return 1;
}

/* Refuses what is for a slurmdbd. */
static int refuse_verb(struct mgr *mgr, enum verb verb, const char *what)
{
    static const struct acct_key stats = { "stats", 1, 0 };

    if (verb == VERB_SHUTDOWN)
        return site_shutdown(mgr);
    else if (acct_key_find(&stats, 1, what) == 0)
        return stats_clear(mgr);
    else
        mgr_refuse(mgr, "No valid entity in list command\nInput line must include \"Stats\"");
    return 1;
}

/* Does what a word asks for that stands alone. */
static int run_alone(struct mgr *mgr, enum verb verb)
{
    switch (verb) {
    case VERB_ASSOCIATIONS:
        mgr->associations = true;
        return 0;
    case VERB_EXIT:
        mgr->leaves = true;
        return 0;
    case VERB_HELP:
        help();
        return 0;
    case VERB_ONELINER: /* each record is on one line anyway */
        return 0;
    case VERB_PING:
        return site_ping(mgr);
    case VERB_QUIET:
        mgr->quiet = true;
        return 0;
    case VERB_READONLY:
        mgr->readonly = true;
        return 0;
    case VERB_RECONFIGURE:
        return reconfigure(mgr);
    case VERB_VERBOSE:
        command_set_verbosity(mgr->command, 1, 0);
        return 0;
    default:
        fputs(VERSION_TEXT, stdout);
        return 0;
    }
}

static int refuse_arguments(struct mgr *mgr, enum verb verb, const char *word)
{
    if (verb == VERB_EXIT || verb == VERB_QUIET)
        fprintf(stderr, "too many arguments for keyword:%s\n", word);
    else
        fprintf(stderr, "too many arguments for %s keyword\n", word);
    mgr->leaves = verb == VERB_EXIT;
    mgr->status = 1;
    return 1;
}

static bool refuse_in_readonly(struct mgr *mgr)
{
    if (mgr->readonly)
        mgr_refuse(mgr, "Can't run this command in readonly mode.");
    return mgr->readonly;
}

/* Refuses --json and --yaml where there is no such document. */
static bool refuse_document(struct mgr *mgr, int verb, const struct entity *entity)
{
    if (!document_is_wanted(&mgr->document) || verb == VERB_PING ||
        (verb == VERB_LIST && (!entity || entity->shown >= 0)))
        return false;
    log_error(mgr->command->log,
              "--json and --yaml are for lists of accounts, associations, clusters, QOS, TRES, "
              "users and wckeys, and for ping");
    mgr->status = 1;
    return true;
}

static int run_words(struct mgr *mgr, const char *const *words, uint32_t n)
{
    const int verb = n ? acct_key_find(verbs, ARRAY_N(verbs), words[0]) : -1;
    const struct entity *entity = n > 1 ? find_entity(words[1], verb == VERB_LIST) : NULL;

    if (verb >= 0 && refuse_document(mgr, verb, entity))
        return 1;
    if (verb < 0) {
        fprintf(stderr, "invalid keyword: %s\n", n ? words[0] : "");
        mgr->status = 1;
        return 1;
    }
    if (verb == VERB_DUMP)
        return dump_run(mgr, words + 1, n - 1);
    if (verb == VERB_LOAD)
        return refuse_in_readonly(mgr) ? 1 : load_run(mgr, words + 1, n - 1);
    if (verb == VERB_ROLL)
        return site_roll(mgr, words + 1, n - 1);
    if (verb == VERB_ARCHIVE)
        return refuse_in_readonly(mgr) ? 1 : archive_run(mgr, words + 1, n - 1);
    if (verb > VERB_ARCHIVE && verb <= VERB_SHUTDOWN)
        return refuse_verb(mgr, (enum verb)verb, n > 1 ? words[1] : "");
    if (verb > VERB_MODIFY)
        return n > 1 ? refuse_arguments(mgr, (enum verb)verb, words[0])
                     : run_alone(mgr, (enum verb)verb);
    if (!entity || !can(entity, (enum verb)verb)) {
        refuse_entity(mgr, (enum verb)verb);
        return 1;
    }
    if (verb != VERB_LIST && refuse_in_readonly(mgr))
        return 1;
    return run_entity(mgr, (enum verb)verb, entity, words + 2, n - 2);
}

/* ---- lines ---- */

/* Reads the next command. Returns false at the end of the input. */
static bool read_command(struct mgr *mgr, struct strbuf *line)
{
    const int rc = line_read(line);

    if (rc < 0)
        mgr_refuse(mgr, "a line of more than %u bytes", LINE_MAX_BYTES);
    return rc > 0;
}

static void run_line(struct mgr *mgr, const char *line)
{
    AUTO(words) struct words words = { 0 };

    line_split(line, &words);
    if (words.n == 0 || *line == '#')
        mgr->status = 1; /* as in Slurm: it is no command */
    else if (run_words(mgr, (const char *const *)words.at, words.n) != 0)
        mgr->status = 1;
}

/* Runs the commands on standard input. What was read is shown where no terminal does it. */
static int run_lines(struct mgr *mgr)
{
    const bool is_echoed = isatty(STDIN_FILENO) == 1;
    AUTO(strbuf) struct strbuf line = { 0 };
    AUTO_FREE char *last = NULL;

    while (!mgr->leaves) {
        fputs("sacctmgr: ", stdout);
        fflush(stdout);
        if (!read_command(mgr, &line)) {
            putchar('\n');
            break;
        }
        if (!is_echoed)
            puts(strbuf_text(&line));
        fflush(stdout);
        if (strcmp(strbuf_text(&line), "!!") != 0)
            xstrset(&last, strbuf_text(&line));
        run_line(mgr, last ? last : "");
        fflush(stdout);
    }
    return mgr->status;
}

/* ---- options ---- */

#define AT(member) offsetof(struct mgr, member)

/* clang-format off */
static const struct flag rows[] = {
    { "associations", 's', FLAG_SET, AT(associations), NULL, NULL, "list users and accounts with their associations" },
    { "immediate", 'i', FLAG_SET, AT(at_once), NULL, NULL, "commit changes immediately, without a question" },
    { "json", 0, FLAG_DOCUMENT, AT(document.json), "VERSION", NULL, DOCUMENT_JSON_HELP },
    { "noheader", 'n', FLAG_SET, AT(no_header), NULL, NULL, "print no header" },
    { "oneliner", 'o', FLAG_SAME, 0, NULL, NULL, "each record on one line, which it is anyway" },
    { "parsable", 'p', FLAG_SET, AT(parsable), NULL, NULL, "fields followed by |" },
    { "parsable2", 'P', FLAG_SET, AT(parsable2), NULL, NULL, "fields divided by |" },
    { "quiet", 'Q', FLAG_SET, AT(quiet), NULL, NULL, "print no notes" },
    { "readonly", 'r', FLAG_SET, AT(readonly), NULL, NULL, "make no changes" },
    { "verbose", 'v', FLAG_MORE, AT(verbose), NULL, NULL, "say what is done" },
    { "yaml", 0, FLAG_DOCUMENT, AT(document.yaml), "VERSION", NULL, "the same as YAML" },
    DOCUMENT_VARIABLES(struct mgr),
    { "help", 'h', FLAG_HELP, 0, NULL, NULL, "print this text" },
    { "usage", 0, FLAG_HELP, 0, NULL, NULL, "the same: print this text" },
    { "version", 'V', FLAG_VERSION, 0, NULL, NULL, "display tool version number" },
};
/* clang-format on */

static const struct flag_table table = {
    .purpose = "Shows and changes accounts, users, their associations with clusters, and QOS.",
    .operands = "[COMMAND ENTITY [WORD...]]",
    .commands = commands,
    .more_help = help_words,
    .flags = rows,
    .flags_n = ARRAY_N(rows),
};

int sacctmgr_main(int argc, char **argv)
{
    AUTO(command) struct command command;
    struct mgr mgr = { .command = &command };
    AUTO_FREE const char **words = NULL;
    uint32_t n = 0;
    int status;

    command_init(&command, "sacctmgr");
    status = flags_read(&table, &command, argc, argv, &mgr, &words, &n);
    if (status >= 0)
        return status;
    command_set_verbosity(&command, mgr.verbose, mgr.quiet);
    command.argv = argv;
    command.argc = argc;
    if (n == 0)
        return run_lines(&mgr);
    status = run_words(&mgr, words, n);
    return status ? status : mgr.status;
}
