#include "cli/scontrol/scontrol.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "cli/lib/flags.h"
#include "cli/scontrol/session.h"
#include "common/base/version.h"
#include "common/msg/types.h"
#include "common/text/words.h"

#define PROMPT         "scontrol: "
#define ARGS_MAX       256 /* words in one line */
#define AT(member)     offsetof(struct scontrol_options, member)
#define ABBREVIATE_MIN 3

/* clang-format off */
static const struct flag rows[] = {
    { "all", 'a', FLAG_SET, AT(all), NULL, "SCONTROL_ALL", "show hidden partitions too" },
    { "clusters", 'M', FLAG_TEXT, AT(clusters), "NAME", "SLURM_CLUSTERS", "the cluster to talk to" },
    { "cluster", 0, FLAG_TEXT, AT(clusters), "NAMES", NULL, NULL },
    { "details", 'd', FLAG_SET, AT(details), NULL, NULL, "show more of jobs and nodes" },
    { "federation", 0, FLAG_SAME, 0, NULL, "SCONTROL_FEDERATION", "of the federation; this cluster is in none" },
    { "future", 'F', FLAG_SET, AT(future), NULL, "SCONTROL_FUTURE", "show nodes in state FUTURE too" },
    { "help", 'h', FLAG_SET, AT(help), NULL, NULL, "print this text" },
    { "usage", 0, FLAG_SET, AT(help), NULL, NULL, NULL },
    { "hide", 0, FLAG_SET, AT(hide), NULL, NULL, "leave out hidden partitions" },
    { "json", 0, FLAG_DOCUMENT, AT(document.json), "VERSION", NULL, DOCUMENT_JSON_HELP },
    { "yaml", 0, FLAG_DOCUMENT, AT(document.yaml), "VERSION", NULL, "the same as YAML" },
    { "local", 0, FLAG_SAME, 0, NULL, "SCONTROL_LOCAL", "of this cluster only" },
    { "oneliner", 'o', FLAG_SET, AT(one_line), NULL, NULL, "print a record in one line" },
    { "quiet", 'Q', FLAG_SET, AT(quiet), NULL, NULL, "print nothing but results" },
    { "sibling", 0, FLAG_SAME, 0, NULL, "SCONTROL_SIBLING", "of other clusters of the federation" },
    { "uid", 'u', FLAG_REFUSED, 0, "UID", NULL, "act as another user (not supported yet)" },
    { "verbose", 'v', FLAG_MORE, AT(verbose), NULL, NULL, "say what is done" },
    { "version", 'V', FLAG_VERSION, 0, NULL, NULL, "print the version" },
    { NULL, 0, FLAG_VARIABLE, AT(conf_out), NULL, "SLURM_CONF_OUT", "where write config writes to, when no file is given" },
    { NULL, 0, FLAG_VARIABLE, AT(tasks_length), NULL, "SLURM_BITSTR_LEN", "room for the tasks of an array, 64 characters; 0: for all of them" },
    { NULL, 0, FLAG_VARIABLE, AT(time_format), NULL, "SLURM_TIME_FORMAT", "how times look: standard, relative, or as strftime: %s" },
    DOCUMENT_VARIABLES(struct scontrol_options),
};
/* clang-format on */

static const struct flag_table table = {
    .purpose = "Shows what the controller knows, and changes it. Without a command it reads "
               "commands\nfrom standard input, interactively, until quit.",
    .operands = "[COMMAND [ARGUMENT]...]",
    .flags = rows,
    .flags_n = ARRAY_N(rows),
    .ending = "setdebugflags", /* -NAME is not an option */
};

static void verb_reconfigure(struct scontrol *session, int argc, char *const *argv)
{
    (void)argc;
    (void)argv;
    session_order(session, "slurm_reconfigure", MSG_RECONFIGURE, NULL);
}

static void verb_shutdown(struct scontrol *session, int argc, char *const *argv)
{
    if (argc == 2 && !word_is(argv[1], "slurmctld") && !word_is(argv[1], "controller")) {
        session_refuse(session, "invalid shutdown argument:%s", argv[1]);
        return;
    }
    session_order(session, "slurm_shutdown", MSG_SHUTDOWN, NULL);
}

static void verb_errnumstr(struct scontrol *session, int argc, char *const *argv)
{
    uint64_t number;

    if (argc != 2)
        session_refuse(session, "one arguments required for keyword:%s", argv[0]);
    else if (number_parse(argv[1], 0, INT32_MAX, &number, NULL) < 0)
        session_refuse(session, "numeric arguments required for keyword:%s", argv[0]);
    else
        printf("%s\n", err_string((int)number));
}

static void verb_version(struct scontrol *session, int argc, char *const *argv)
{
    (void)session;
    (void)argc;
    (void)argv;
    fputs(VERSION_TEXT, stdout);
}

static void verb_all(struct scontrol *session, int argc, char *const *argv)
{
    (void)argc;
    (void)argv;
    session->options.all = true;
    session->options.hide = false;
}

static void verb_hide(struct scontrol *session, int argc, char *const *argv)
{
    (void)argc;
    (void)argv;
    session->options.all = false;
    session->options.hide = true;
}

static void verb_details(struct scontrol *session, int argc, char *const *argv)
{
    (void)argc;
    (void)argv;
    session->options.details = true;
}

static void verb_oneliner(struct scontrol *session, int argc, char *const *argv)
{
    (void)argc;
    (void)argv;
    session->options.one_line = true;
}

static void verb_quiet(struct scontrol *session, int argc, char *const *argv)
{
    (void)argc;
    (void)argv;
    session->options.quiet = true;
}

static void verb_verbose(struct scontrol *session, int argc, char *const *argv)
{
    (void)argc;
    (void)argv;
    session->options.quiet = false;
    command_set_verbosity(&session->command, ++session->options.verbose, 0);
}

static void verb_quit(struct scontrol *session, int argc, char *const *argv)
{
    (void)argc;
    (void)argv;
    session->over = true;
}

static void verb_help(struct scontrol *session, int argc, char *const *argv);

/* The verbs. A verb may be cut short; the first row that fits is meant. */
static const struct verb {
    const char *name;
    const char *arguments;
    const char *help; /* NULL: not shown */
    int arguments_max;
    void (*run)(struct scontrol *session, int argc, char *const *argv); /* NULL: not yet */
} verbs[] = {
    { "show", "ENTITY [ID]", "one record, or all of that kind", ARGS_MAX, scontrol_show },
    { "update", "KEY=VALUE...", "NodeName=LIST State=drain|resume|down|undrain|idle|fail Reason=",
      ARGS_MAX, scontrol_update },
    { "create", "PartitionName=NAME KEY=VALUE...",
      "a partition, until slurm.conf is read again; or reservation[=NAME] KEY=VALUE...", ARGS_MAX,
      scontrol_create },
    { "delete", "PartitionName=NAME",
      "the partition, unless jobs are in it; or ReservationName=NAME", ARGS_MAX, scontrol_delete },
    { "hold", "JOBS...", "keep waiting jobs from starting; an operator's hold only he may release",
      ARGS_MAX, scontrol_hold },
    { "holdu", NULL, NULL, ARGS_MAX, scontrol_hold },
    { "uhold", "JOBS...", "the same, but the owner may release them", ARGS_MAX, scontrol_hold },
    { "release", "JOBS...", "let held jobs start", ARGS_MAX, scontrol_release },
    { "requeue", "[Incomplete] JOBS", "let batch jobs that run or are over run once more", ARGS_MAX,
      scontrol_requeue },
    { "requeuehold", "[State=SpecialExit] JOBS", "the same, held", ARGS_MAX, scontrol_requeue },
    { "suspend", "JOBS", "stop the processes of jobs, and their time", ARGS_MAX, scontrol_suspend },
    { "resume", "JOBS", "let them go on", ARGS_MAX, scontrol_suspend },
    { "top", "JOBS", "put waiting jobs before the others of their user", ARGS_MAX, scontrol_top },
    { "notify", "JOB MESSAGE", "say something on stderr of the job's salloc, srun or script",
      ARGS_MAX, scontrol_notify },
    { "completing", "", "jobs that are over and whose nodes are not clean yet", 0,
      scontrol_completing },
    { "listpids", "[JOB[.STEP]] [NODE]", "processes of jobs on this host's node, or on NODE", 2,
      scontrol_listpids },
    { "listjobs", "[NODE]", "jobs that run there", 1, scontrol_listjobs },
    { "liststeps", "[NODE]", "steps that run there", 1, scontrol_liststeps },
    { "pidinfo", "PID", "which job a process of this host belongs to, and how long that has left",
      ARGS_MAX, scontrol_pidinfo },
    { "reboot", "[ASAP] [nextstate=RESUME|DOWN] [reason=TEXT] NODES",
      "reboot nodes when nothing runs there; ASAP: nothing new starts before", ARGS_MAX,
      scontrol_reboot },
    { "cancel_reboot", "NODES", "do not, where that has not begun", 1, scontrol_cancel_reboot },
    { "ping", "", "whether the controller answers", 0, scontrol_ping },
    { "reconfigure", "", "the controller and the nodes read their configuration again", ARGS_MAX,
      verb_reconfigure },
    { "shutdown", "", "the controller ends", 1, verb_shutdown },
    { "write", "batch_script JOB [FILE]", "the job's script to slurm-JOB.sh, FILE or - (stdout)",
      ARGS_MAX, scontrol_write },
    { "write", "config [FILE]", "what the controller goes by to FILE.TIME, or beside slurm.conf",
      ARGS_MAX, scontrol_write },
    { "errnumstr", "NUMBER", "the text of an error number", ARGS_MAX, verb_errnumstr },
    { "version", "", "print the version", 0, verb_version },
    { "all", "", "from now on as with --all", 0, verb_all },
    { "hide", "", "from now on as with --hide", 0, verb_hide },
    { "details", "", "from now on as with --details", 0, verb_details },
    { "oneliner", "", "from now on as with --oneliner", 0, verb_oneliner },
    { "quiet", "", "from now on as with --quiet", 0, verb_quiet },
    { "verbose", "", "from now on as with --verbose", 0, verb_verbose },
    { "help", "", "print this text", 0, verb_help },
    { "!!", "", "the last command once more", 0, NULL },
    { "quit", "", "end", 0, verb_quit },
    { "exit", "", "end", 0, verb_quit },
    { "abort", NULL, NULL, ARGS_MAX, NULL },
    { "cluster", "[NAME]", "the cluster that the next commands are about: this one", 1,
      scontrol_cluster },
    { "fsdampeningfactor", "NUMBER", "FairShareDampeningFactor; only slurm.conf sets it", ARGS_MAX,
      scontrol_fsdampeningfactor },
    { "getent", NULL, NULL, ARGS_MAX, scontrol_getent },
    { "power", NULL, NULL, ARGS_MAX, NULL },
    { "schedloglevel", "0|1", "a log of the scheduler; it has none of its own", ARGS_MAX,
      scontrol_schedloglevel },
    { "setdebug", "LEVEL [nodes=LIST]",
      "how much the controller, or these nodes, log, until slurm.conf is read again", ARGS_MAX,
      scontrol_setdebug },
    { "setdebugflags", "+NAME|-NAME [nodes=LIST]",
      "DebugFlags, which are shown and have no effect yet", ARGS_MAX, scontrol_setdebugflags },
    { "takeover", "[INDEX]", "let a backup controller take over; there is none", 1,
      scontrol_takeover },
    { "token", "[lifespan=SECONDS]", "a token for the user; there are none without auth/jwt", 1,
      scontrol_token },
    { "wait_job", "JOB", "wait until the nodes of a job are ready", 1, scontrol_wait_job },
};

static void verb_help(struct scontrol *session, int argc, char *const *argv)
{
    AUTO(strbuf) struct strbuf text = { 0 };

    (void)argc;
    (void)argv;
    flags_help(&table, session->command.name, &text);
    strbuf_adds(&text, "\nValid <COMMAND> values are:\n");
    for (size_t i = 0; i < ARRAY_N(verbs); i++) {
        AUTO_FREE char *usage = NULL;

        if (!verbs[i].help)
            continue;
        usage = xasprintf("%s %s", verbs[i].name, verbs[i].arguments);
        strbuf_addf(&text, "  %-30s  %s\n", usage, verbs[i].help);
    }
    strbuf_adds(&text,
                "\nCommands may be cut short. JOBS are ids divided by commas (5,12_3,12_[7-9]) or\n"
                "jobname=NAME.\n"
                "\nEntities: assoc_mgr config daemons hostlist hostlistsorted hostnames job "
                "licenses node partition reservation slurmd step topology\n"
                "\n" VERSION_OURS);
    fputs(strbuf_text(&text), stdout);
}

static const struct verb *find_verb(const char *word)
{
    size_t n = strlen(word);

    for (size_t i = 0; i < ARRAY_N(verbs); i++) {
        if (word_is(verbs[i].name, word))
            return &verbs[i];
    }
    for (size_t i = 0; i < ARRAY_N(verbs); i++) {
        if (n >= ABBREVIATE_MIN && n < strlen(verbs[i].name) &&
            verbs[i].run != verb_shutdown && /* nobody types that by mistake when spelt out */
            strncasecmp(word, verbs[i].name, n) == 0)
            return &verbs[i];
    }
    return NULL;
}

static bool has_document(const struct verb *verb)
{
    return verb->run == scontrol_show || verb->run == scontrol_ping ||
           verb->run == scontrol_listjobs || verb->run == scontrol_liststeps;
}

static void run_verb(struct scontrol *session, int argc, char *const *argv)
{
    const struct verb *verb = find_verb(argv[0]);

    session->words = argv;
    session->words_n = argc;
    if (!verb || strcmp(verb->name, "!!") == 0)
        session_refuse(session, "invalid keyword: %s", argv[0]);
    else if (!verb->run)
        session_refuse(session, "scontrol: %s is not supported yet", verb->name);
    else if (document_is_wanted(&session->options.document) && !has_document(verb))
        session_refuse(session,
                       "scontrol: --json and --yaml are for show, ping, listjobs and liststeps, "
                       "not for %s",
                       verb->name);
    else if (argc - 1 > verb->arguments_max)
        session_refuse(session, "too many arguments for keyword:%s", argv[0]);
    else
        verb->run(session, argc, argv);
    fflush(stdout);
}

/* ---- interactively ---- */

/*
 * Splits the line at blanks outside quotes, in place; quotes are dropped. Returns the number of
 * words, or -1.
 */
static int split(char *line, char **ret_argv)
{
    int n = 0;
    char *to = line, *from = line;

    while (*from) {
        char quote = '\0';

        while (*from && strchr(" \t\n", *from))
            from++;
        if (!*from)
            break;
        if (n == ARGS_MAX)
            return -1;
        ret_argv[n++] = to;
        for (; *from && (quote || !strchr(" \t\n", *from)); from++) {
            if (quote ? *from == quote : *from == '"' || *from == '\'')
                quote = quote ? '\0' : *from;
            else
                *to++ = *from;
        }
        if (*from)
            from++;
        *to++ = '\0';
    }
    return n;
}

static void run_line(struct scontrol *session, const char *line)
{
    AUTO_FREE char *copy = xstrdup(line);
    char *argv[ARGS_MAX];
    int argc = split(copy, argv);

    if (argc < 0)
        session_refuse(session, "more than %d words in a line", ARGS_MAX);
    else if (argc > 0)
        run_verb(session, argc, argv);
}

static void run_lines(struct scontrol *session)
{
    AUTO_FREE char *line = NULL;
    AUTO_FREE char *last = NULL;
    size_t cap = 0;

    while (!session->over) {
        fputs(PROMPT, stdout);
        fflush(stdout);
        if (getline(&line, &cap, stdin) < 0) {
            putchar('\n');
            return;
        }
        line[strcspn(line, "\n")] = '\0';
        if (strcmp(line, "!!") != 0)
            xstrset(&last, line);
        if (last)
            run_line(session, last);
    }
}

int scontrol_main(int argc, char **argv)
{
    struct scontrol session = { 0 };
    AUTO_FREE const char **operands = NULL;
    uint32_t operands_n = 0;
    int status;

    command_init(&session.command, "scontrol");
    status =
        flags_read(&table, &session.command, argc, argv, &session.options, &operands, &operands_n);
    command_set_verbosity(&session.command, session.options.verbose, 0);
    if (status < 0 && session.options.help)
        verb_help(&session, 0, NULL);
    else if (status < 0 && operands_n)
        run_verb(&session, (int)operands_n, (char *const *)(uintptr_t)operands);
    else if (status < 0)
        run_lines(&session);
    command_clear(&session.command);
    return status < 0 ? session.status : status;
}
