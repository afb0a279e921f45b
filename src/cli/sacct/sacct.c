#include "cli/sacct/sacct.h"

#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/lib/clusters.h"
#include "cli/lib/command.h"
#include "cli/lib/qos_names.h"
#include "cli/lib/records.h"
#include "cli/sacct/completion.h"
#include "cli/sacct/document.h"
#include "cli/sacct/filter.h"
#include "cli/sacct/layout.h"
#include "cli/sacct/lines.h"
#include "cli/sacct/script.h"
#include "common/msg/acct.h"
#include "common/msg/types.h"

#define USUAL_FIELDS      "JobID,JobName,Partition,Account,AllocCPUS,State,ExitCode"
#define BRIEF_FIELDS      "JobID,State,ExitCode"
#define BRIEF_COMPLETION  "JobID,UID,State"
#define LONG_COMPLETION   "JobID,UID,JobName,Partition,NNodes,NodeList,State,Start,End,Timelimit"
#define COMPLETION_FIELDS "JobID,UID,JobName,Partition,NNodes,NodeList,State,End"
#define LONG_FIELDS                                                                                \
    "JobID,JobIDRaw,JobName,Partition,MaxVMSize,MaxVMSizeNode,MaxVMSizeTask,AveVMSize,MaxRSS,"     \
    "MaxRSSNode,MaxRSSTask,AveRSS,MaxPages,MaxPagesNode,MaxPagesTask,AvePages,MinCPU,MinCPUNode,"  \
    "MinCPUTask,AveCPU,NTasks,AllocCPUS,Elapsed,State,ExitCode,AveCPUFreq,ReqCPUFreqMin,"          \
    "ReqCPUFreqMax,ReqCPUFreqGov,ReqMem,ConsumedEnergy,MaxDiskRead,MaxDiskReadNode,"               \
    "MaxDiskReadTask,AveDiskRead,MaxDiskWrite,MaxDiskWriteNode,MaxDiskWriteTask,AveDiskWrite,"     \
    "ReqTRES,AllocTRES,TRESUsageInAve,TRESUsageInMax,TRESUsageInMaxNode,TRESUsageInMaxTask,"       \
    "TRESUsageInMin,TRESUsageInMinNode,TRESUsageInMinTask,TRESUsageInTot,TRESUsageOutMax,"         \
    "TRESUsageOutMaxNode,TRESUsageOutMaxTask,TRESUsageOutAve,TRESUsageOutTot"

struct sacct {
    struct command command;
    struct sacct_options options;
    struct acct_filter filter;
    struct report_format format;
    struct acct_context context;
    struct acct_lines lines;
    struct history_job last; /* of those that count; its next run may count in its place */
    bool has_last;
    struct history_job *wanted; /* jobs whose script or environment is to be printed */
    uint32_t wanted_n;
    struct acct_numbers numbers;
    struct document document; /* --json, --yaml */
    struct err err;
};

/* ---- options ---- */

static int64_t find_user(const char *name)
{
    const struct passwd *entry = getpwnam(name);

    return entry ? (int64_t)entry->pw_uid : -1;
}

static int64_t find_group(const char *name)
{
    const struct group *entry = getgrnam(name);

    return entry ? (int64_t)entry->gr_gid : -1;
}

/* Prints "sacct: fatal: ...", as the text says; about times Slurm speaks without its name. */
static int refuse(const struct sacct *sacct, const struct err *err)
{
    if (err->code == E_SYNTAX || err->code == EINVAL)
        fprintf(stderr, "%s%s\n", err->code == E_SYNTAX ? "sacct: " : "", err->text);
    else
        command_report(&sacct->command, NULL, err);
    return command_exit_error();
}

static void add_fields(struct words *fields, const char *more)
{
    AUTO(words) struct words words = words_split(more, ",");

    for (uint32_t i = 0; i < words.n; i++)
        *ARRAY_PUSH(fields->at, fields->n) = xstrdup(words.at[i]);
}

/* Adds what -b asks for to the fields of -o; without any fields the usual ones are taken. */
static void complete_fields(struct sacct_options *options)
{
    const char *usual = options->usual_format ? options->usual_format : USUAL_FIELDS;

    if (options->brief)
        add_fields(&options->fields, options->completion ? BRIEF_COMPLETION : BRIEF_FIELDS);
    if (options->is_long)
        add_fields(&options->fields, options->completion ? LONG_COMPLETION : LONG_FIELDS);
    if (options->fields.n == 0)
        add_fields(&options->fields, options->completion ? COMPLETION_FIELDS : usual);
}

/* Returns the style. Slurm leaves what -p and -P do together to the last; both say "parsable". */
static enum acct_style style_of(const struct sacct_options *options)
{
    if (options->parsable2)
        return ACCT_PARSABLE2;
    return options->parsable ? ACCT_PARSABLE : ACCT_COLUMNS;
}

static int read_layout(struct sacct *sacct)
{
    struct sacct_options *options = &sacct->options;
    const char *delimiter = options->delimiter ? options->delimiter : "|";
    struct err err = { 0 };

    complete_fields(options);
    if (acct_layout(&acct_choice, &options->fields, style_of(options), delimiter, &sacct->format,
                    &err) == 0)
        return -1;
    fprintf(stderr, "sacct: error: %s\n", err.text);
    return 1;
}

static int read_unit(struct sacct *sacct)
{
    const char *units = sacct->options.units;

    if (!units)
        return -1;
    if (strlen(units) == 1 && strchr("KMGTP", units[0])) {
        sacct->context.unit = units[0];
        return -1;
    }
    fprintf(stderr,
            "sacct: error: Invalid unit type '%.20s'. Possible options are 'KMGTP'\n"
            "sacct: fatal: Invalid unit type\n",
            units);
    return 1;
}

/* Accepts either value: there are no heterogeneous jobs, but scripts may ask for them. */
static int check_whole_hetjob(const char *value)
{
    if (!value || !*value || word_is(value, "yes") || word_is(value, "no"))
        return -1;
    fprintf(stderr,
            "sacct: error: Invalid --whole-hetjob value \"%.100s\". Valid values: [yes|no].\n",
            value);
    return 1;
}

/* Handles -f, which asks for -c, too. */
static int check_file(struct sacct_options *options)
{
    struct stat status;

    if (!options->file)
        return -1;
    options->completion = true;
    if (stat(options->file, &status) == 0 && S_ISREG(status.st_mode))
        return -1;
    fprintf(stderr, "%s is not a valid file\n", options->file);
    return 1;
}

/* Refuses options that cannot go together; returns -1 when there are none. */
static int refuse_pairs(const struct sacct_options *options)
{
    const char *named = options->script ? "job scripts" : "job environment";
    const char *text = NULL;

    if ((options->script || options->environment) && !options->jobs.n) {
        fprintf(stderr,
                "sacct: fatal: When requesting %s you must also request specific jobs with the "
                "'-j' option.\n",
                named);
        return 1;
    }
    if (options->script && options->environment)
        text = "Options --batch-script and --env-vars are mutually exclusive";
    else if (options->is_long && options->fields.n)
        text = "Options -o(--format) and -l(--long) are mutually exclusive. Please remove one and "
               "retry.";
    if (text)
        fprintf(stderr, "sacct: fatal: %s\n", text);
    return text ? 1 : -1;
}

static int read_options(struct sacct *sacct, int argc, char **argv)
{
    struct command *command = &sacct->command;
    const struct acct_lookup lookup = { find_user, find_group };
    const struct clock clock = clock_from_env();
    AUTO(strbuf) struct strbuf names = { 0 };
    struct err err = { 0 };
    int status = flags_read(&sacct_flags, command, argc, argv, &sacct->options, NULL, NULL);

    if (status >= 0)
        return status;
    command->argv = argv;
    command->argc = argc;
    command_set_verbosity(command, sacct->options.verbose, 0);
    if (sacct->options.help_format) {
        acct_names(&acct_choice, ACCT_NAMES_WIDTH, &names);
        fputs(strbuf_text(&names), stdout);
        return 0;
    }
    sacct->context.expand_patterns = sacct->options.expand_patterns;
    if ((status = check_file(&sacct->options)) >= 0)
        return status;
    sacct->context.as_logged = sacct->options.completion;
    if ((status = check_whole_hetjob(sacct->options.whole_hetjob)) >= 0 ||
        (status = refuse_pairs(&sacct->options)) >= 0 || (status = read_unit(sacct)) >= 0 ||
        (status = read_layout(sacct)) >= 0)
        return status;
    if (acct_filter_init(&sacct->filter, &sacct->options, clock_wall_s(&clock), getuid(), &lookup,
                         &err) < 0)
        return refuse(sacct, &err);
    return -1;
}

/* ---- output ---- */

static void cut_times(const struct acct_filter *filter, int64_t *start, int64_t *end)
{
    if (*start && *start < filter->from)
        *start = filter->from;
    if (*end && filter->until && *end > filter->until)
        *end = filter->until;
}

/* Cuts times for -T; what still runs is shown as it was at the end of the window. */
static void truncate_times(const struct acct_filter *filter, struct history_job *history)
{
    cut_times(filter, &history->job->start_time, &history->job->end_time);
    for (uint32_t i = 0; i < history->steps_n; i++)
        cut_times(filter, &history->steps[i].start_time, &history->steps[i].end_time);
    if (filter->until && history->now > filter->until)
        history->now = filter->until;
}

static void add_lines(const struct sacct *sacct, const struct history_job *history,
                      struct strbuf *out)
{
    const struct report_context ctx = { .now = history->now,
                                        .time_manner = sacct->options.time_format,
                                        .exact_units = sacct->options.exact_units,
                                        .counted = sacct->command.cli.conf->accounting_tres,
                                        .user = &sacct->context };

    if (acct_filter_wants_line(&sacct->filter, history->job)) {
        const struct acct_row row = acct_row_of_job(history, !sacct->options.allocations);

        report_line(&sacct->format, &ctx, &row, out);
    }
    for (uint32_t i = 0; i < history->steps_n; i++) {
        const struct acct_row row = acct_row_of_step(history->job, &history->steps[i]);

        if (acct_filter_wants_step(&sacct->filter, history->job, &history->steps[i]))
            report_line(&sacct->format, &ctx, &row, out);
    }
}

static int write_out(const struct strbuf *text, struct err *err)
{
    if (fwrite(strbuf_text(text), 1, text->len, stdout) == text->len)
        return 0;
    return err_set(err, errno, "standard output: %s", strerror(errno));
}

static int show_job(struct sacct *sacct, struct history_job *history)
{
    AUTO(strbuf) struct strbuf lines = { 0 };

    if (sacct->options.truncate)
        truncate_times(&sacct->filter, history);
    if (document_is_wanted(&sacct->options.document)) {
        const struct acct_document manner = { sacct->context.cluster,
                                              sacct->command.cli.conf->accounting_tres,
                                              !sacct->options.allocations };

        acct_document_add(&manner, history, &sacct->document.json);
        return document_flush(&sacct->document, &sacct->err);
    }
    if (sacct->options.script || sacct->options.environment) {
        /* Another request on this connection has to wait until the list ends. */
        *ARRAY_PUSH(sacct->wanted, sacct->wanted_n) = *history;
        history_job_init(history);
        return 0;
    }
    add_lines(sacct, history, &lines);
    if (lines.len)
        acct_lines_add(&sacct->lines, history->job, &lines);
    return 0;
}

static int show_last(struct sacct *sacct)
{
    int rc = sacct->has_last ? show_job(sacct, &sacct->last) : 0;

    history_job_clear(&sacct->last);
    sacct->has_last = false;
    return rc;
}

/* Takes a job. Runs of a job, and jobs of one id, come in the order in which they were. */
static int take_job(struct sacct *sacct, struct history_job *history)
{
    int rc = 0;

    if (sacct->options.duplicates || !sacct->has_last || sacct->last.job->id != history->job->id)
        rc = show_last(sacct);
    history_job_clear(&sacct->last);
    sacct->last = *history;
    sacct->has_last = true;
    history_job_init(history);
    return rc;
}

static int on_job(uint32_t type, const struct rpc_frame *frame, void *ctx)
{
    struct sacct *sacct = ctx;
    AUTO(history_job) struct history_job history;
    int rc;

    history_job_init(&history);
    if (type != MSG_HISTORY_JOB)
        return err_set(&sacct->err, E_PROTO, "%s in a history", msg_name(type));
    rc = schema_decode(history_job_schema(), frame->body, frame->body_n, &history, &sacct->err);
    if (rc == 0 && acct_filter_wants(&sacct->filter, &history))
        rc = take_job(sacct, &history);
    return rc;
}

static int add_scripts(struct sacct *sacct)
{
    const struct acct_script asked = { .client = sacct->command.cli.client,
                                       .cluster = sacct->context.cluster,
                                       .environment = sacct->options.environment };
    int rc = 0;

    for (uint32_t i = 0; rc == 0 && i < sacct->wanted_n; i++) {
        const struct history_job *job = &sacct->wanted[i];
        AUTO(strbuf) struct strbuf text = { 0 };

        rc = acct_script_add(&asked, job, &text, &sacct->err);
        if (rc == 0)
            acct_lines_add(&sacct->lines, job->job, &text);
    }
    for (uint32_t i = 0; i < sacct->wanted_n; i++)
        history_job_clear(&sacct->wanted[i]);
    sacct->wanted_n = 0;
    return rc;
}

static int print_end(struct sacct *sacct)
{
    if (!document_is_wanted(&sacct->options.document))
        return 0;
    json_close(&sacct->document.json);
    document_end(&sacct->document);
    return 0;
}

static int print_header(struct sacct *sacct)
{
    AUTO(strbuf) struct strbuf header = { 0 };

    if (document_is_wanted(&sacct->options.document)) {
        sacct->document = (struct document){ .command = &sacct->command,
                                             .options = &sacct->options.document,
                                             .words = sacct->command.argv,
                                             .words_n = sacct->command.argc };
        document_begin_list(&sacct->document, "jobs");
        return 0;
    }
    if (!sacct->options.no_header && !sacct->options.script && !sacct->options.environment)
        acct_header(&sacct->format, style_of(&sacct->options), &header);
    return write_out(&header, &sacct->err);
}

static void say_window(const struct sacct *sacct)
{
    AUTO(strbuf) struct strbuf window = { 0 };

    acct_filter_describe(&sacct->filter, &window);
    log_verbose(sacct->command.log, "%s", strbuf_text(&window));
    if (sacct->command.cli.is_at_dbd) /* as Slurm's plugin says it */
        log_verbose(sacct->command.log, "accounting_storage/slurmdbd: init: Accounting storage "
                                        "SLURMDBD plugin loaded");
}

/* Prints the jobs of one cluster. */
static int list_cluster(struct sacct *sacct, char *cluster)
{
    AUTO(history_list) struct history_list request;
    int rc;

    acct_filter_request(&sacct->filter, &request);
    request.cluster = xstrdup(cluster);
    sacct->context.cluster = cluster;
    sacct->filter.cluster = cluster;
    rc = client_ask(sacct->command.cli.client, MSG_HISTORY_LIST, &request, NULL, on_job, sacct,
                    &sacct->err);
    if (rc == 0)
        rc = show_last(sacct);
    if (rc == 0)
        rc = add_scripts(sacct);
    if (rc == 0 && !document_is_wanted(&sacct->options.document))
        rc = acct_lines_print(&sacct->lines, &sacct->err);
    acct_lines_clear(&sacct->lines);
    return rc;
}

/* Adds the names of all clusters that are known. */
static int find_all_clusters(struct sacct *sacct, struct words *names)
{
    AUTO(records) struct records clusters = { 0 };
    int rc = records_load_all(sacct->command.cli.client, KEPT_CLUSTER, &clusters, &sacct->err);

    if (rc == 0)
        clusters_add_names(&clusters, true, NULL, names);
    return rc;
}

/* Finds the clusters that are asked for: this one, those of -M, or all. Of one that is not known
 * nothing is told, and no more said, as by Slurm. */
static int find_clusters(struct sacct *sacct, struct words *names)
{
    const char *asked = sacct->options.clusters;
    AUTO(words) struct words words = words_split(asked ? asked : "", ",");

    if (sacct->options.all_clusters || words_have(&words, "all") || words_have(&words, "-1"))
        return find_all_clusters(sacct, names);
    for (uint32_t i = 0; i < words.n; i++)
        words_add(names, words.at[i], ",");
    if (words.n == 0)
        words_add(names, sacct->command.cli.conf->cluster_name, ",");
    return 0;
}

#define QUERY_TOO_WIDE_STATUS (E_QUERY_TOO_WIDE & 0xff) /* as what Slurm's sacct exits with */

static int list_jobs(struct sacct *sacct)
{
    AUTO(words) struct words clusters = { 0 };
    int rc = print_header(sacct);

    if (rc == 0)
        rc = find_clusters(sacct, &clusters);
    for (uint32_t i = 0; rc == 0 && i < clusters.n; i++)
        rc = list_cluster(sacct, clusters.at[i]);
    sacct->context.cluster = sacct->command.cli.conf->cluster_name;
    if (rc == 0)
        rc = print_end(sacct);
    if (rc == 0 && fflush(stdout) == 0)
        return 0;
    if (sacct->err.code == EPIPE || (rc == 0 && errno == EPIPE))
        return 1; /* sacct | head */
    command_report(&sacct->command, NULL, &sacct->err);
    return sacct->err.code == E_QUERY_TOO_WIDE ? QUERY_TOO_WIDE_STATUS : command_exit_error();
}

/* ---- -c ---- */

static void show_logged(const struct history_job *history, void *ctx)
{
    struct sacct *sacct = ctx;
    AUTO(strbuf) struct strbuf lines = { 0 };

    if (sacct->err.code || !acct_filter_wants_logged(&sacct->filter, history->job))
        return;
    add_lines(sacct, history, &lines);
    (void)write_out(&lines, &sacct->err);
}

/*
 * Opens the log. What cannot be read is refused as by Slurm; where no job has ended there is no
 * file.
 */
static int open_log(const struct sacct *sacct, FILE **ret_file)
{
    const struct slurm_conf *conf = sacct->command.cli.conf;
    const char *path = sacct->options.file ? sacct->options.file : conf->job_comp_loc;

    *ret_file = NULL;
    if (word_is(conf->job_comp_type, "jobcomp/none")) {
        fputs("Slurm job completion is disabled\n", stderr);
        return 1;
    }
    if (!word_is(conf->job_comp_type, "jobcomp/filetxt")) {
        fprintf(stderr, "sacct: error: JobCompType=%s leaves nothing that could be read\n",
                conf->job_comp_type);
        return 1;
    }
    *ret_file = fopen(path, "re");
    if (*ret_file || errno == ENOENT)
        return 0;
    fprintf(stderr, "sacct: fatal: open %s: %s\n", path, strerror(errno));
    return 1;
}

static int list_logged(struct sacct *sacct)
{
    FILE *file;
    int status = open_log(sacct, &file);

    if (status)
        return status;
    if (print_header(sacct) == 0 && file)
        completion_each(file, show_logged, sacct);
    if (file)
        fclose(file);
    return sacct->err.code || fflush(stdout) != 0;
}

/* Refuses a QOS that never was there. Returns what to exit with, -1: there is none. */
static int check_qos(struct sacct *sacct)
{
    const struct records *known = &sacct->numbers.qos;
    struct err err = { 0 };
    const char *unknown;

    if (sacct->options.qos.n == 0)
        return -1;
    if (acct_numbers_load_qos(&sacct->numbers, sacct->command.cli.client, &err) < 0)
        return refuse(sacct, &err);
    unknown = qos_find_unknown(known, &sacct->options.qos);
    if (!unknown)
        return -1;
    qos_refuse(known, unknown, &err);
    fprintf(stderr, "sacct: error: %s\nsacct: fatal: problem processing qos list\n", err.text);
    return 1;
}

static bool shows_numbers(const struct report_format *format)
{
    for (uint32_t i = 0; i < format->cells_n; i++) {
        if (format->cells[i].column && format->cells[i].column->mark == ACCT_OF_NUMBERS)
            return true;
    }
    return false;
}

/* Asks for the numbers of records where they are needed. Returns as check_qos does. */
static int load_numbers(struct sacct *sacct)
{
    struct err err = { 0 };

    if (!shows_numbers(&sacct->format) && sacct->options.associations.n == 0)
        return -1;
    if (acct_numbers_load(&sacct->numbers, sacct->command.cli.client, &err) < 0)
        return refuse(sacct, &err);
    sacct->context.numbers = &sacct->numbers;
    sacct->filter.numbers = &sacct->numbers;
    return -1;
}

/* Connects to who has what is asked for: scripts and environments are with the controller. */
static int connect_keeper(struct sacct *sacct, struct err *err)
{
    struct cli *cli = &sacct->command.cli;

    if (sacct->options.script || sacct->options.environment)
        return cli_connect(cli, RPC_ROLE_CLIENT, err);
    return cli_connect_accounting(cli, err);
}

static int run(struct sacct *sacct, int argc, char **argv)
{
    struct command *command = &sacct->command;
    struct err err = { 0 };
    int status = read_options(sacct, argc, argv);

    if (status >= 0)
        return status;
    if (cli_load(&command->cli, &err) < 0)
        return refuse(sacct, &err);
    sacct->context.cluster = command->cli.conf->cluster_name;
    if (sacct->options.completion && !document_is_wanted(&sacct->options.document))
        return list_logged(sacct);
    if (connect_keeper(sacct, &err) < 0) {
        command_report(command, "Problem talking to the database", &err);
        return command_exit_error();
    }
    if ((status = check_qos(sacct)) >= 0 || (status = load_numbers(sacct)) >= 0)
        return status;
    say_window(sacct);
    return list_jobs(sacct);
}

int sacct_main(int argc, char **argv)
{
    struct sacct sacct = { 0 };
    int status;

    command_init(&sacct.command, "sacct");
    status = run(&sacct, argc, argv);
    for (uint32_t i = 0; i < sacct.wanted_n; i++)
        history_job_clear(&sacct.wanted[i]);
    free(sacct.wanted);
    history_job_clear(&sacct.last);
    acct_lines_clear(&sacct.lines);
    acct_numbers_clear(&sacct.numbers);
    acct_filter_clear(&sacct.filter);
    report_format_clear(&sacct.format);
    strbuf_clear(&sacct.document.text);
    sacct_options_clear(&sacct.options);
    command_clear(&sacct.command);
    return status;
}
