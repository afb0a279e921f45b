#include "cli/sacctmgr/sacctmgr.h"

#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/lib/flags.h"
#include "cli/lib/records.h"
#include "cli/sacctmgr/account.h"
#include "cli/sacctmgr/cluster.h"
#include "cli/sacctmgr/coordinator.h"
#include "cli/sacctmgr/qos.h"
#include "cli/sacctmgr/show.h"
#include "cli/sacctmgr/user.h"
#include "common/base/version.h"

#define ANSWER_MS 30000

/* ---- the mgr ---- */

void mgr_refuse(struct mgr *mgr, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    putchar('\n');
    mgr->status = 1;
}

int mgr_connect(struct mgr *mgr)
{
    struct err err = { 0 };

    if (mgr->connected)
        return 0;
    if (cli_load(&mgr->command->cli, &err) < 0) {
        command_report(mgr->command, NULL, &err);
        return -1;
    }
    if (cli_connect(&mgr->command->cli, RPC_ROLE_CLIENT, &err) < 0) {
        records_report(mgr->command, "Problem talking to the database", &err);
        return -1;
    }
    mgr->connected = true;
    return 0;
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

/* Reads what is left of a line, as far as it is there. */
static void skip_line(void)
{
    struct pollfd input = { .fd = STDIN_FILENO, .events = POLLIN };
    char byte = 0;

    while (byte != '\n' && poll(&input, 1, 0) > 0 && read(STDIN_FILENO, &byte, 1) == 1)
        continue;
}

/* Reads an answer byte by byte, so that the commands behind it stay to be read. What is neither yes
 * nor no is asked again; a y inside of another word is none. */
static bool says_yes(void)
{
    struct pollfd input = { .fd = STDIN_FILENO, .events = POLLIN };
    const bool is_echoed = isatty(STDIN_FILENO) == 1;

    for (bool is_first = true;; is_first = false) {
        char byte = '\n';

        fputs("(N/y): ", stdout);
        fflush(stdout);
        if (poll(&input, 1, ANSWER_MS) <= 0) {
            puts("timeout");
            return false;
        }
        if (read(STDIN_FILENO, &byte, 1) != 1)
            byte = '\n';
        if (!is_echoed)
            putchar('\n');
        if (byte == '\n')
            return false;
        if (is_first && byte && strchr("yYnN", byte)) {
            skip_line();
            return byte == 'y' || byte == 'Y';
        }
        puts("Y or N please");
    }
}

bool mgr_agrees(const struct mgr *mgr, const char *question)
{
    if (mgr->at_once)
        return true;
    printf("%s (You have %d seconds to decide)\n", question, ANSWER_MS / 1000);
    return says_yes();
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
    VERB_MODIFY, /* the last with an entity */
    VERB_ASSOCIATIONS,
    VERB_EXIT,
    VERB_HELP,
    VERB_ONELINER,
    VERB_PING,
    VERB_QUIET,
    VERB_READONLY,
    VERB_VERBOSE,
    VERB_VERSION
};

static const struct acct_key verbs[] = {
    { "add", 3, VERB_ADD },           { "associations", 4, VERB_ASSOCIATIONS },
    { "create", 3, VERB_ADD },        { "delete", 3, VERB_DELETE },
    { "exit", 4, VERB_EXIT },         { "help", 2, VERB_HELP },
    { "list", 3, VERB_LIST },         { "modify", 1, VERB_MODIFY },
    { "oneliner", 1, VERB_ONELINER }, { "ping", 4, VERB_PING },
    { "quiet", 4, VERB_QUIET },       { "quit", 4, VERB_EXIT },
    { "readonly", 4, VERB_READONLY }, { "remove", 3, VERB_DELETE },
    { "show", 3, VERB_LIST },         { "update", 1, VERB_MODIFY },
    { "verbose", 4, VERB_VERBOSE },   { "version", 4, VERB_VERSION },
};

struct entity {
    const char *name;
    uint32_t least;
    bool takes_s; /* also with an s at its end, in lists */
    int shown;    /* enum shown, or -1 */
    int (*add)(struct mgr *, const struct book *, const struct acct_line *);
    int (*modify)(struct mgr *, const struct book *, const struct acct_line *);
    int (*delete)(struct mgr *, const struct book *, const struct acct_line *);
};

static const struct entity entities[] = {
    { "Account", 2, true, SHOW_ACCOUNT, account_add, account_modify, account_delete },
    { "Acct", 4, false, SHOW_ACCOUNT, account_add, account_modify, account_delete },
    { "Association", 2, true, SHOW_ASSOC, NULL, NULL, NULL },
    { "Cluster", 2, true, SHOW_CLUSTER, cluster_add, cluster_modify, cluster_delete },
    { "Coordinator", 2, true, -1, coordinator_add, NULL, coordinator_delete },
    { "QOS", 1, false, SHOW_QOS, qos_add, qos_modify, qos_delete },
    { "TRES", 3, false, SHOW_TRES, NULL, NULL, NULL },
    { "User", 1, true, SHOW_USER, user_add, user_modify, user_delete },
    { "WCKey", 1, true, SHOW_WCKEY, NULL, NULL, NULL },
};

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
    if (mgr_connect(mgr) < 0)
        status = 1;
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
        return entity->modify;
    case VERB_DELETE:
        return entity->delete;
    default:
        return entity->shown >= 0;
    }
}

/* Says which entities the verb is for. */
static void refuse_entity(struct mgr *mgr, enum verb verb)
{
    static const char *const names[] = {
        [VERB_ADD] = "add", [VERB_DELETE] = "delete", [VERB_LIST] = "list", [VERB_MODIFY] = "modify"
    };

    const char *last = NULL;

    fprintf(stderr, "No valid entity in %s command\nInput line must include ", names[verb]);
    for (size_t i = 0; i < ARRAY_N(entities); i++) {
        if (!can(&entities[i], verb) || strcmp(entities[i].name, "Acct") == 0)
            continue;
        if (last)
            fprintf(stderr, "\"%s\", ", last);
        last = entities[i].name;
    }
    fprintf(stderr, "or \"%s\"", last ? last : "");
    fputc('\n', stderr);
    mgr->status = 1;
}

static void help(void)
{
    puts("COMMAND ENTITY [WORD...]\n"
         "  add ENTITY NAME=VALUE...\n"
         "  modify ENTITY where NAME=VALUE... set NAME=VALUE...\n"
         "  delete ENTITY where NAME=VALUE...\n"
         "  list ENTITY [where NAME=VALUE...] [format=FIELD%WIDTH,...]\n"
         "Entities of each command are said when none is given.\n"
         "Alone on a line:\n"
         "  associations, oneliner, quiet, readonly, verbose   what the options of these names do\n"
         "  help, ping, version\n"
         "  !!           the last command once more\n"
         "  exit, quit   leave");
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
        return mgr_connect(mgr) < 0;
    case VERB_QUIET:
        mgr->quiet = true;
        return 0;
    case VERB_READONLY:
        mgr->readonly = true;
        return 0;
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

static int run_words(struct mgr *mgr, const char *const *words, uint32_t n)
{
    const int verb = n ? acct_key_find(verbs, ARRAY_N(verbs), words[0]) : -1;
    const struct entity *entity = n > 1 ? find_entity(words[1], verb == VERB_LIST) : NULL;

    if (verb < 0) {
        fprintf(stderr, "invalid keyword: %s\n", n ? words[0] : "");
        mgr->status = 1;
        return 1;
    }
    if (verb > VERB_MODIFY)
        return n > 1 ? refuse_arguments(mgr, (enum verb)verb, words[0])
                     : run_alone(mgr, (enum verb)verb);
    if (!entity || !can(entity, (enum verb)verb)) {
        refuse_entity(mgr, (enum verb)verb);
        return 1;
    }
    if (mgr->readonly && verb != VERB_LIST) {
        mgr_refuse(mgr, "Can't run this command in readonly mode.");
        return 1;
    }
    return run_entity(mgr, (enum verb)verb, entity, words + 2, n - 2);
}

/* ---- lines ---- */

#define LINE_MAX_BYTES (1u << 20)

/* Reads a line byte by byte: a question may be answered from what is behind it. Returns false at
 * the end of the input. */
static bool read_command(struct mgr *mgr, struct strbuf *line)
{
    char byte;

    line->len = 0;
    while (line->len < LINE_MAX_BYTES) {
        if (read(STDIN_FILENO, &byte, 1) != 1)
            return line->len > 0;
        if (byte == '\n')
            return true;
        if (byte)
            strbuf_addc(line, byte);
    }
    mgr_refuse(mgr, "a line of more than %u bytes", LINE_MAX_BYTES);
    return false;
}

/* Splits a line at blanks that no quotes are around; the quotes stay for who reads the words. */
static void split_line(const char *line, struct words *words)
{
    const char *at = line + strspn(line, " \t\r");

    while (*at) {
        const char *begin = at;
        char quote = 0;

        for (; *at && (quote || !strchr(" \t\r", *at)); at++) {
            if (*at == quote)
                quote = 0;
            else if (!quote && (*at == '"' || *at == '\''))
                quote = *at;
        }
        *ARRAY_PUSH(words->at, words->n) = xstrndup(begin, (size_t)(at - begin));
        at += strspn(at, " \t\r");
    }
}

static void run_line(struct mgr *mgr, const char *line)
{
    AUTO(words) struct words words = { 0 };

    split_line(line, &words);
    if (words.n == 0)
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
    { "immediate", 'i', FLAG_SET, AT(at_once), NULL, NULL, "make changes without asking" },
    { "noheader", 'n', FLAG_SET, AT(no_header), NULL, NULL, "print no header" },
    { "oneliner", 'o', FLAG_SAME, 0, NULL, NULL, "each record on one line, which it is anyway" },
    { "parsable", 'p', FLAG_SET, AT(parsable), NULL, NULL, "fields followed by |" },
    { "parsable2", 'P', FLAG_SET, AT(parsable2), NULL, NULL, "fields divided by |" },
    { "quiet", 'Q', FLAG_SET, AT(quiet), NULL, NULL, "print no notes" },
    { "readonly", 'r', FLAG_SET, AT(readonly), NULL, NULL, "make no changes" },
    FLAGS_COMMON,
};
/* clang-format on */

static const struct flag_table table = {
    .purpose = "Shows and changes accounts, users, their associations with clusters, and QOS.",
    .operands = "[COMMAND ENTITY [WORD...]]",
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
    if (n == 0)
        return run_lines(&mgr);
    status = run_words(&mgr, words, n);
    return status ? status : mgr.status;
}
