#include "cli/sreport/sreport.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/lib/flags.h"
#include "cli/lib/lines.h"
#include "cli/lib/records.h"
#include "cli/sacctmgr/words.h"
#include "cli/sreport/others.h"
#include "cli/sreport/owners.h"
#include "common/base/version.h"

void sreport_refuse(struct sreport *sreport, const char *format, ...)
{
    va_list args;

    fflush(stdout);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    sreport->status = 1;
}

int sreport_connect(struct sreport *sreport)
{
    return records_connect(sreport->command, "sreport: fatal: Problem connecting to the database");
}

/* ---- reports ---- */

enum kind { KIND_CLUSTER, KIND_JOBS, KIND_RESERVATIONS, KIND_USERS };

struct report_name {
    enum kind kind;
    struct acct_key key;
    int (*print)(struct sreport *sreport, const char *const *words, uint32_t n);
};

static const struct report_name reports[] = {
    { KIND_CLUSTER, { "AccountUtilizationByUser", 1, 0 }, report_accounts },
    { KIND_CLUSTER, { "UserUtilizationByAccount", 18, 0 }, report_users },
    { KIND_CLUSTER, { "UserUtilizationByWCKey", 18, 0 }, report_user_wckeys },
    { KIND_CLUSTER, { "Utilization", 2, 0 }, report_utilization },
    { KIND_CLUSTER, { "WCKeyUtilizationByUser", 1, 0 }, report_wckeys },
    { KIND_JOBS, { "SizesByAccount", 1, 0 }, report_sizes },
    { KIND_JOBS, { "SizesByAccountAndWCKey", 15, 0 }, report_sizes_and_wckey },
    { KIND_JOBS, { "SizesByWCKey", 8, 0 }, report_sizes_of_wckeys },
    { KIND_RESERVATIONS, { "Utilization", 1, 0 }, report_reservations },
    { KIND_USERS, { "TopUsage", 1, 0 }, report_top },
};

/* Says which reports there are, in Slurm's words. */
static void refuse_report(struct sreport *sreport, enum kind kind, const char *name)
{
    static const char *const texts[] = {
        [KIND_CLUSTER] = ("cluster reports are, \"AccountUtilizationByUser\", "
                          "\"UserUtilizationByAccount\", \"UserUtilizationByWckey\", "
                          "\"Utilization\", and \"WCKeyUtilizationByUser\""),
        [KIND_JOBS] = ("job reports are, \"SizesByAccount, SizesByAccountAndWcKey, and  "
                       "SizesByWckey\""),
        [KIND_RESERVATIONS] = "reservation reports are, \"Utilization\"",
        [KIND_USERS] = "user reports are, \"Top\"",
    };

    sreport_refuse(sreport, "Not valid report %s\nValid %s", name, texts[kind]);
}

static int run_report(struct sreport *sreport, enum kind kind, const char *const *words, uint32_t n)
{
    for (size_t i = 0; i < ARRAY_N(reports); i++) {
        if (reports[i].kind == kind && acct_key_find(&reports[i].key, 1, words[0]) >= 0)
            return reports[i].print(sreport, words + 1, n - 1);
    }
    refuse_report(sreport, kind, words[0]);
    return 1;
}

/* ---- words ---- */

enum verb {
    VERB_CLUSTER, /* the first kinds of reports, in their order */
    VERB_JOB,
    VERB_RESERVATION,
    VERB_USER,
    VERB_TIME, /* the last with more words */
    VERB_EXIT,
    VERB_HELP,
    VERB_NONPARSABLE,
    VERB_PARSABLE,
    VERB_PARSABLE2,
    VERB_QUIET,
    VERB_VERBOSE,
    VERB_VERSION
};

static const struct acct_key verbs[] = {
    { "cluster", 2, VERB_CLUSTER },
    { "exit", 1, VERB_EXIT },
    { "help", 2, VERB_HELP },
    { "job", 1, VERB_JOB },
    { "nonparsable", 4, VERB_NONPARSABLE },
    { "parsable", 8, VERB_PARSABLE },
    { "parsable2", 9, VERB_PARSABLE2 },
    { "quiet", 4, VERB_QUIET },
    { "quit", 4, VERB_EXIT },
    { "reservation", 2, VERB_RESERVATION },
    { "time", 1, VERB_TIME },
    { "user", 1, VERB_USER },
    { "verbose", 4, VERB_VERBOSE },
    { "version", 4, VERB_VERSION },
};

static void help(void)
{
    puts(
        "KIND REPORT [WORD...]\n"
        "  cluster AccountUtilizationByUser | UserUtilizationByAccount | UserUtilizationByWCKey |\n"
        "          WCKeyUtilizationByUser | Utilization\n"
        "  job SizesByAccount | SizesByAccountAndWCKey | SizesByWCKey\n"
        "  reservation Utilization\n"
        "  user TopUsage\n"
        "Words of all reports:\n"
        "  start=TIME end=TIME format=FIELD%WIDTH,... clusters=NAMES all_clusters\n"
        "of some:\n"
        "  accounts=NAMES users=NAMES wckeys=NAMES partitions=NAMES\n"
        "  tree (cluster AccountUtilizationByUser); group, topcount=N (user)\n"
        "  grouping=SIZES gid=IDS jobs=IDS nodes=NAMES acctasparent flatview printjobcount (job)\n"
        "Alone on a line:\n"
        "  time UNIT    Seconds, Minutes, Hours, Percent, SecPer, MinPer or HourPer\n"
        "  parsable, parsable2, nonparsable, quiet, verbose\n"
        "  help, version\n"
        "  !!           the last command once more\n"
        "  exit, quit   leave");
}

static void set_unit(struct sreport *sreport, const char *word)
{
    const int unit = unit_find(word);

    fflush(stdout);
    if (unit < 0)
        fprintf(stderr, "unknown time format %s\n", word); /* as in Slurm, it succeeds */
    else
        sreport->unit = (enum unit)unit;
}

static void run_alone(struct sreport *sreport, enum verb verb)
{
    switch (verb) {
    case VERB_EXIT:
        sreport->leaves = true;
        break;
    case VERB_HELP:
        help();
        break;
    case VERB_NONPARSABLE:
        sreport->parsable = sreport->parsable2 = false;
        break;
    case VERB_PARSABLE:
        sreport->parsable = true;
        sreport->parsable2 = false;
        break;
    case VERB_PARSABLE2:
        sreport->parsable2 = true;
        break;
    case VERB_QUIET:
        sreport->quiet = true;
        break;
    case VERB_VERBOSE:
        command_set_verbosity(sreport->command, 1, 0);
        break;
    default:
        fputs(VERSION_TEXT, stdout);
        break;
    }
}

static void refuse_arguments(struct sreport *sreport, enum verb verb, const char *word)
{
    sreport_refuse(sreport, "too many arguments for keyword:%s", word);
    sreport->leaves = verb == VERB_EXIT;
}

static int run_words(struct sreport *sreport, const char *const *words, uint32_t n)
{
    const int verb = n ? acct_key_find(verbs, ARRAY_N(verbs), words[0]) : -1;

    if (verb < 0)
        sreport_refuse(sreport, "invalid keyword: %s", n ? words[0] : "");
    else if (verb <= VERB_TIME && n < 2)
        sreport_refuse(sreport, "too few arguments for keyword:%s", words[0]);
    else if (verb < VERB_TIME)
        return run_report(sreport, (enum kind)verb, words + 1, n - 1);
    else if ((verb == VERB_TIME && n > 2) || (verb > VERB_TIME && n > 1))
        refuse_arguments(sreport, (enum verb)verb, words[0]);
    else if (verb == VERB_TIME)
        set_unit(sreport, words[1]);
    else
        run_alone(sreport, (enum verb)verb);
    return 0;
}

static void run_line(struct sreport *sreport, const char *line)
{
    AUTO(words) struct words words = { 0 };

    line_split(line, &words);
    if (words.n && run_words(sreport, (const char *const *)words.at, words.n) != 0)
        sreport->status = 1;
}

/* Runs the commands on standard input. What was read is shown where no terminal does it. */
static int run_lines(struct sreport *sreport)
{
    const bool is_echoed = isatty(STDIN_FILENO) == 1;
    AUTO(strbuf) struct strbuf line = { 0 };
    AUTO_FREE char *last = NULL;
    int rc = 1;

    while (!sreport->leaves) {
        fputs("sreport: ", stdout);
        fflush(stdout);
        rc = line_read(&line);
        if (rc <= 0) {
            putchar('\n');
            break;
        }
        if (!is_echoed)
            puts(strbuf_text(&line));
        fflush(stdout);
        if (strcmp(strbuf_text(&line), "!!") != 0)
            xstrset(&last, strbuf_text(&line));
        run_line(sreport, last ? last : "");
        fflush(stdout);
    }
    if (rc < 0)
        sreport_refuse(sreport, "a line of more than %u bytes", LINE_MAX_BYTES);
    return sreport->status;
}

/* ---- options ---- */

#define AT(member) offsetof(struct sreport, member)

/* clang-format off */
static const struct flag rows[] = {
    { "all_clusters", 'a', FLAG_SET, AT(all_clusters), NULL, NULL, "of all clusters that are known here: this one" },
    { "cluster", 'M', FLAG_WORDS, AT(clusters), "NAMES", "SREPORT_CLUSTER", "of these clusters, or of all" },
    { "federation", 0, FLAG_SET, AT(federation), NULL, "SREPORT_FEDERATION", "of the clusters of this one's federation" },
    { "local", 0, FLAG_SET, AT(local), NULL, "SREPORT_LOCAL", "of this cluster, also with --federation" },
    { "noheader", 'n', FLAG_SET, AT(no_header), NULL, NULL, "print no title and no header" },
    { "parsable", 'p', FLAG_SET, AT(parsable), NULL, NULL, "fields followed by |" },
    { "parsable2", 'P', FLAG_SET, AT(parsable2), NULL, NULL, "fields divided by |" },
    { "quiet", 'Q', FLAG_SET, AT(quiet), NULL, NULL, "print no notes" },
    { "time", 't', FLAG_TEXT, AT(unit_text), "UNIT", NULL, "Seconds, Minutes (the default), Hours, Percent, SecPer, MinPer or HourPer" },
    { "tres", 'T', FLAG_WORDS, AT(tres_asked), "NAMES", "SREPORT_TRES", "of these resources instead of cpu, or ALL" },
    { "verbose", 'v', FLAG_MORE, AT(verbose), NULL, NULL, "say what is done" },
    { "help", 'h', FLAG_HELP, 0, NULL, NULL, "print this text" },
    { "usage", 0, FLAG_USAGE, 0, NULL, NULL, "print the options in short" },
    { "version", 'V', FLAG_VERSION, 0, NULL, NULL, "print the version" },
};
/* clang-format on */

static const struct flag_table table = {
    .purpose = "Reports what users and accounts held over a time, and what became of the time of "
               "the cluster. Without start= and end= it is about yesterday.",
    .operands = "[KIND REPORT [WORD...]]",
    .flags = rows,
    .flags_n = ARRAY_N(rows),
};

static int run(struct sreport *sreport, const char *const *words, uint32_t n)
{
    int status;

    command_set_verbosity(sreport->command, sreport->verbose, sreport->quiet);
    if (sreport->unit_text)
        set_unit(sreport, sreport->unit_text);
    if (n == 0)
        return run_lines(sreport);
    status = run_words(sreport, words, n);
    return status ? status : sreport->status;
}

int sreport_main(int argc, char **argv)
{
    AUTO(command) struct command command;
    struct sreport sreport = { .command = &command, .unit = UNIT_MINUTES };
    AUTO_FREE const char **words = NULL;
    uint32_t n = 0;
    int status;

    command_init(&command, "sreport");
    status = flags_read(&table, &command, argc, argv, &sreport, &words, &n);
    if (status < 0)
        status = run(&sreport, words, n);
    words_clear(&sreport.clusters);
    words_clear(&sreport.tres_asked);
    return status;
}
