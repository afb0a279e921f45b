#include "cli/sacct/sacct.h"

#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/lib/command.h"
#include "cli/lib/listing.h"
#include "cli/sacct/filter.h"
#include "cli/sacct/layout.h"
#include "common/msg/types.h"

#define USUAL_FIELDS      "JobID,JobName,Partition,Account,AllocCPUS,State,ExitCode"
#define BRIEF_FIELDS      "JobID,State,ExitCode"
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

/* "sacct: fatal: ...", as the text says; about times Slurm speaks without its name. */
static int refuse(const struct sacct *sacct, const struct err *err)
{
    if (err->code == E_SYNTAX || err->code == EINVAL)
        fprintf(stderr, "%s%s\n", err->code == E_SYNTAX ? "sacct: " : "", err->text);
    else
        command_report(&sacct->command, NULL, err);
    return command_exit_error();
}

static const char *usual_fields(const struct sacct_options *options)
{
    if (options->completion)
        return COMPLETION_FIELDS;
    if (options->is_long)
        return LONG_FIELDS;
    if (options->brief)
        return BRIEF_FIELDS;
    return options->usual_format ? options->usual_format : USUAL_FIELDS;
}

/* What -p and -P can do together is left to the last of them in Slurm; both say "parsable". */
static enum acct_style style_of(const struct sacct_options *options)
{
    if (options->parsable2)
        return ACCT_PARSABLE2;
    return options->parsable ? ACCT_PARSABLE : ACCT_COLUMNS;
}

static int read_layout(struct sacct *sacct)
{
    const struct sacct_options *options = &sacct->options;
    AUTO(words) struct words usual = words_split(usual_fields(options), ",");
    const char *delimiter = options->delimiter ? options->delimiter : "|";
    struct err err = { 0 };

    if (acct_layout(options->fields.n ? &options->fields : &usual, style_of(options), delimiter,
                    &sacct->format, &err) == 0)
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
    command_set_verbosity(command, sacct->options.verbose, 0);
    if (sacct->options.help_format) {
        acct_names(&names);
        fputs(strbuf_text(&names), stdout);
        return 0;
    }
    sacct->context.expand_patterns = sacct->options.expand_patterns;
    if ((status = read_unit(sacct)) >= 0 || (status = read_layout(sacct)) >= 0)
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

/* -T; what still runs is shown as it was at the end of the window. */
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
                                        .user = &sacct->context };

    if (acct_filter_wants_line(&sacct->filter, history->job)) {
        const struct acct_row row = acct_row_of_job(history, !sacct->options.allocations);

        report_line(&sacct->format, &ctx, &row, out);
    }
    for (uint32_t i = 0; i < history->steps_n; i++) {
        const struct acct_row row = acct_row_of_step(history->job, &history->steps[i]);

        if (acct_filter_wants_step(&sacct->filter, &history->steps[i]))
            report_line(&sacct->format, &ctx, &row, out);
    }
}

static int write_out(const struct strbuf *text, struct err *err)
{
    if (fwrite(strbuf_text(text), 1, text->len, stdout) == text->len)
        return 0;
    return err_set(err, errno, "standard output: %s", strerror(errno));
}

/* Jobs are printed as they come: a history may be long. */
static int on_job(uint32_t type, const struct rpc_frame *frame, void *ctx)
{
    struct sacct *sacct = ctx;
    AUTO(history_job) struct history_job history;
    AUTO(strbuf) struct strbuf lines = { 0 };
    int rc;

    history_job_init(&history);
    if (type != MSG_HISTORY_JOB)
        return err_set(&sacct->err, E_PROTO, "%s in a history", msg_name(type));
    rc = schema_decode(history_job_schema(), frame->body, frame->body_n, &history, &sacct->err);
    if (rc < 0)
        return rc;
    if (!acct_filter_wants(&sacct->filter, history.job))
        return 0;
    if (sacct->options.truncate)
        truncate_times(&sacct->filter, &history);
    add_lines(sacct, &history, &lines);
    return write_out(&lines, &sacct->err);
}

static int list_jobs(struct sacct *sacct)
{
    AUTO(history_list) struct history_list request;
    AUTO(strbuf) struct strbuf header = { 0 };
    int rc = 0;

    acct_filter_request(&sacct->filter, &request);
    acct_header(&sacct->format, style_of(&sacct->options), &header);
    if (!sacct->options.no_header)
        rc = write_out(&header, &sacct->err);
    if (rc == 0)
        rc = client_stream(sacct->command.cli.client, MSG_HISTORY_LIST, &request, on_job, sacct,
                           &sacct->err);
    if (rc == 0 && fflush(stdout) == 0)
        return 0;
    if (sacct->err.code == EPIPE || (rc == 0 && errno == EPIPE))
        return 1; /* sacct | head */
    command_report(&sacct->command, NULL, &sacct->err);
    return command_exit_error();
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
    if (!listing_is_our_cluster(command, sacct->options.clusters))
        return command_exit_error();
    sacct->context.cluster = command->cli.conf->cluster_name;
    if (cli_connect(&command->cli, RPC_ROLE_CLIENT, &err) < 0)
        return refuse(sacct, &err);
    return list_jobs(sacct);
}

int sacct_main(int argc, char **argv)
{
    struct sacct sacct = { 0 };
    int status;

    command_init(&sacct.command, "sacct");
    status = run(&sacct, argc, argv);
    acct_filter_clear(&sacct.filter);
    report_format_clear(&sacct.format);
    sacct_options_clear(&sacct.options);
    command_clear(&sacct.command);
    return status;
}
