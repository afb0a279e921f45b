#include "cli/sacct/columns.h"

#include <inttypes.h>
#include <sys/wait.h>

#include "cli/lib/job_facts.h"
#include "cli/lib/outcome.h"
#include "common/msg/tres.h"
#include "cli/sacct/amount.h"
#include "cli/sacct/id.h"
#include "cli/sacct/times.h"
#include "cli/sacct/usage.h"

struct acct_row acct_row_of_job(const struct history_job *history, bool sum_up)
{
    return (struct acct_row){ .job = history->job,
                              .own = history->job,
                              .spec = history->job->spec,
                              .body = history->body,
                              .is_earlier_run = history->is_earlier_run,
                              .steps = history->steps,
                              .steps_n = sum_up ? history->steps_n : 0 };
}

struct acct_row acct_row_of_step(const struct job_record *job, const struct step_record *step)
{
    return (struct acct_row){ .job = job, .step = step };
}

bool acct_is_requeued(const struct job_record *job, bool is_earlier_run)
{
    return is_earlier_run && job->state != JOB_NODE_FAIL && job->state != JOB_PREEMPTED;
}

uint32_t acct_step_state(const struct step_record *step)
{
    const uint32_t state = step->end_state;

    if (state != JOB_CANCELLED || step->step_id != STEP_BATCH)
        return state;
    if (WIFSIGNALED(step->exit_status))
        return JOB_CANCELLED;
    return step->exit_status ? JOB_FAILED : JOB_COMPLETE;
}

uint32_t acct_step_ended_by(const struct step_record *step)
{
    return step->step_id == STEP_BATCH ? COUNT_UNSET : step->ended_by;
}

/* Of a job that its deadline kept from running Slurm's history has 1:0, its controller 0:1. */
int32_t acct_job_exit(const struct job_record *job)
{
    bool by_itself = job->state == JOB_COMPLETE || job->state == JOB_FAILED ||
                     job->state == JOB_OOM || (job->flags & JOB_FLAG_IMPORTED);

    if (by_itself)
        return job->exit_status;
    return job->state == JOB_DEADLINE && job->nodes_n == 0 ? W_EXITCODE(1, 0) : 0;
}

static const struct acct_context *context_of(const struct report_context *ctx)
{
    return ctx->user;
}

/* ---- who and what ---- */

static void make_id(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    acct_id_format(acct_job(row), acct_step(row), false, out);
}

static void make_raw_id(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    acct_id_format(acct_job(row), acct_step(row), true, out);
}

/* Returns the number of the record in the database: there it is the job's own number. */
static bool number(const struct report_context *ctx, const void *row, int64_t *ret)
{
    (void)ctx;
    *ret = acct_job(row)->id;
    return true;
}

static void make_name(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const char *name = acct_step(row) ? acct_step(row)->name : acct_job(row)->spec->name;

    (void)ctx;
    strbuf_adds(out, name ? name : "");
}

static void make_account(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const char *account = acct_job(row)->spec->account;

    (void)ctx;
    strbuf_adds(out, account ? account : "");
}

/* Of a job. One whose number was that of no QOS where it ran has Slurm's word for that. */
static void make_qos(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const char *none = acct_job(row)->flags & JOB_FLAG_IMPORTED ? "Unknown" : "";
    const char *qos = acct_job(row)->spec->qos;

    (void)ctx;
    if (!acct_step(row))
        strbuf_adds(out, qos ? qos : none);
}

static void add_number(uint32_t number, struct strbuf *out)
{
    if (number)
        strbuf_addu(out, number);
}

static void make_assoc_id(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const struct acct_context *context = context_of(ctx);

    add_number(acct_number_of_assoc(context->numbers, context->cluster, acct_job(row)), out);
}

/* Also 0, where there is none. */
static void make_wckey_id(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const struct acct_context *context = context_of(ctx);

    strbuf_addu(out, acct_number_of_wckey(context->numbers, context->cluster, acct_job(row)));
}

static void make_qos_id(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    if (!acct_step(row))
        add_number(acct_number_of_qos(context_of(ctx)->numbers, acct_job(row)), out);
}

static void make_cluster(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)row;
    strbuf_adds(out, context_of(ctx)->cluster);
}

static void make_submit_line(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const struct step_record *step = acct_step(row);
    const char *line =
        step ? (step->spec ? step->spec->submit_line : NULL) : acct_body(row)->submit_line;

    (void)ctx;
    strbuf_adds(out, line ? line : "");
}

/* ---- how it went ---- */

static void add_state(uint32_t state, uint32_t ended_by, struct strbuf *out)
{
    strbuf_adds(out, job_state_name(state, 0));
    if (state == JOB_CANCELLED && ended_by != COUNT_UNSET)
        strbuf_addf(out, " by %u", ended_by);
}

static void add_job_state(const struct acct_row *row, struct strbuf *out)
{
    if (acct_is_requeued(row->job, row->is_earlier_run))
        strbuf_adds(out, "REQUEUED");
    else
        add_state(row->job->state, row->job->ended_by, out);
}

static void make_state(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const struct step_record *step = acct_step(row);

    (void)ctx;
    if (!step)
        add_job_state(row, out);
    else if (step->state == STEP_ENDED)
        add_state(acct_step_state(step), acct_step_ended_by(step), out);
    else
        add_state(JOB_RUNNING, COUNT_UNSET, out);
}

/*
 * Appends the exit code. Codes above 127 are what a shell makes of a signal; sacct alone takes that
 * back.
 */
static void make_exit(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const struct job_record *job = acct_job(row);
    int32_t status = acct_is_logged(ctx) ? job->exit_status : acct_job_exit(job);

    if (acct_step(row))
        status = acct_step(row)->exit_status;
    if (WIFEXITED(status) && WEXITSTATUS(status) >= 128)
        status = W_EXITCODE(WEXITSTATUS(status) - 128, 0);
    outcome_add_exit(status, out);
}

static void make_derived(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    if (!acct_step(row))
        outcome_add_exit(acct_job(row)->derived_status, out);
}

static void make_reason(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    if (!acct_step(row))
        strbuf_adds(out, job_reason_name(acct_job(row)->reason));
}

static void make_flags(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    if (!acct_step(row) && acct_job(row)->nodes_n)
        strbuf_adds(out,
                    acct_job(row)->flags & JOB_FLAG_BACKFILLED ? "SchedBackfill" : "SchedMain");
}

/* ---- where, and how much ---- */

static bool nodes_held(const struct report_context *ctx, const void *row, int64_t *ret)
{
    (void)ctx;
    *ret = acct_step(row) ? acct_step(row)->nodes_n : acct_job(row)->nodes_n;
    return true;
}

static bool nodes_asked(const struct report_context *ctx, const void *row, int64_t *ret)
{
    if (acct_step(row))
        return nodes_held(ctx, row, ret);
    *ret = job_asked_nodes(acct_job(row)->spec);
    return true;
}

/* Returns how many nodes the job has, or asks for as long as it has none. */
static bool nodes_n(const struct report_context *ctx, const void *row, int64_t *ret)
{
    nodes_held(ctx, row, ret);
    return *ret || acct_is_logged(ctx) ? true : nodes_asked(ctx, row, ret);
}

static void make_nodes(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const char *list = acct_step(row) ? acct_step(row)->node_list : acct_job(row)->node_list;

    (void)ctx;
    strbuf_adds(out, list && *list ? list : "None assigned");
}

static bool tasks(const struct report_context *ctx, const void *row, int64_t *ret)
{
    (void)ctx;
    *ret = acct_step(row) ? acct_step(row)->ntasks : 0;
    return acct_step(row) != NULL;
}

/* Appends what was asked, as in Slurm; outcome_add_distribution has what came of it (scontrol). */
static void make_layout(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const struct step_record *step = acct_step(row);

    (void)ctx;
    if (step)
        strbuf_adds(out, distribution_name(step->spec ? step->spec->distribution : DIST_DEFAULT));
}

static void add_memory(const struct report_context *ctx, uint64_t mb, struct strbuf *out)
{
    const struct amount_manner manner = { context_of(ctx)->unit, ctx->exact_units };

    if (mb != MB_UNSET)
        amount_format((double)mb, 'M', &manner, out);
}

static void make_memory_asked(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    AUTO(tres) struct tres tres = tres_requested(acct_job(row));

    if (!acct_step(row))
        add_memory(ctx, tres.mem_mb == MB_UNSET ? 0 : tres.mem_mb, out);
}

static void add_tres(const struct report_context *ctx, const struct tres *tres, struct strbuf *out)
{
    AUTO(strbuf) struct strbuf memory = { 0 };

    if (tres->mem_mb)
        add_memory(ctx, tres->mem_mb, &memory);
    tres_format_by_name(tres, ctx->counted, strbuf_text(&memory), out);
}

static void make_tres_asked(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    AUTO(tres) struct tres tres = tres_requested(acct_job(row));

    if (!acct_step(row))
        add_tres(ctx, &tres, out);
}

static void make_tres_held(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    AUTO(tres)
    struct tres tres =
        acct_step(row) ? tres_of_step(acct_step(row)) : tres_allocated(acct_job(row));

    add_tres(ctx, &tres, out);
}

/* ---- files ---- */

static void add_file(const struct report_context *ctx, const struct acct_row *line,
                     const char *pattern, struct strbuf *out)
{
    if (line->spec->kind != JOB_KIND_BATCH)
        return;
    if (context_of(ctx)->expand_patterns)
        outcome_add_path(line->job, line->body, pattern, out);
    else
        strbuf_adds(out, pattern);
}

static void make_std_err(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    if (acct_body(row))
        add_file(ctx, row, job_std_err(acct_job(row), acct_body(row)), out);
}

static void make_std_in(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    if (acct_body(row))
        add_file(ctx, row, job_std_in(acct_body(row)), out);
}

static void make_std_out(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    if (acct_body(row))
        add_file(ctx, row, job_std_out(acct_job(row), acct_body(row)), out);
}

/* ---- what Slurm says of things that are not here ---- */

static void make_frequency(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    strbuf_adds(out, acct_step(row) && acct_step(row)->usage ? "0" : "");
}

static void make_frequency_asked(const struct report_context *ctx, const void *row,
                                 struct strbuf *out)
{
    (void)ctx;
    strbuf_adds(out, acct_step(row) ? "0" : "Unknown");
}

static void make_nothing(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    (void)row;
    (void)out;
}

/* Appends the reservation that the job was in; before it got one, all that it named. */
static void make_reservation(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const struct acct_row *acct = row;

    (void)ctx;
    if (acct->own && acct->own->resv_name)
        strbuf_adds(out, acct->own->resv_name);
    else if (acct->spec && acct->spec->reservation)
        strbuf_adds(out, acct->spec->reservation);
}

static bool reservation_id(const struct report_context *ctx, const void *row, int64_t *ret)
{
    const struct acct_row *acct = row;

    (void)ctx;
    *ret = acct->own ? acct->own->resv_id : 0;
    return *ret != 0;
}

/* ---- the table ---- */

static const struct report_root roots[] = {
    { "own", job_record_schema, offsetof(struct acct_row, own) },
    { "spec", job_spec_schema, offsetof(struct acct_row, spec) },
    { "body", job_body_schema, offsetof(struct acct_row, body) },
};

/* Columns of things that are not gathered or do not exist, with the word that Slurm has then. */
#define NEVER(column, size, word)                                                                  \
    {                                                                                              \
        .name = column, .title = column, .width = size, .make = make_nothing, .unset = word        \
    }
#define MAKE(column, size, function)                                                               \
    {                                                                                              \
        .name = column, .title = column, .width = size, .make = function, .unset = ""              \
    }
#define NUMBERED(column, size, function)                                                           \
    {                                                                                              \
        .name = column, .title = column, .width = size, .make = function, .unset = "",             \
        .mark = ACCT_OF_NUMBERS                                                                    \
    }
#define USAGE(column, size) MAKE(#column, size, usage_make_##column)
#define PATH(column, size, fields)                                                                 \
    {                                                                                              \
        .name = column, .title = column, .width = size, .path = fields, .unset = ""                \
    }
#define NUMBER(column, size, function)                                                             \
    {                                                                                              \
        .name = column, .title = column, .width = size, .number = function, .kind = KIND_U32,      \
        .unset = ""                                                                                \
    }
#define SPAN(column, size, function)                                                               \
    {                                                                                              \
        .name = column, .title = column, .width = size, .number = function, .kind = KIND_LIMIT,    \
        .unset = "", .style = REPORT_LONG                                                          \
    }
#define MOMENT(column, function)                                                                   \
    {                                                                                              \
        .name = column, .title = column, .width = 19, .number = function, .kind = KIND_TIME,       \
        .unset = "Unknown"                                                                         \
    }

/* clang-format off */
static const struct report_column columns[] = {
    MAKE("Account", 10, make_account),
    PATH("AdminComment", 15, "spec.admin_comment"),
    NUMBER("AllocCPUS", 10, times_cpus),
    NUMBER("AllocNodes", 10, nodes_held),
    MAKE("AllocTRES", 10, make_tres_held),
    NUMBERED("AssocID", 7, make_assoc_id),
    USAGE(AveCPU, 10),
    MAKE("AveCPUFreq", 10, make_frequency),
    USAGE(AveDiskRead, 14),
    USAGE(AveDiskWrite, 14),
    USAGE(AvePages, 10),
    USAGE(AveRSS, 10),
    USAGE(AveVMSize, 10),
    NEVER("BlockID", 16, ""),
    MAKE("Cluster", 10, make_cluster),
    PATH("Comment", 14, "spec.comment"),
    PATH("Constraints", 19, "spec.features"),
    NEVER("ConsumedEnergy", 14, "0"),
    NEVER("ConsumedEnergyRaw", 17, "0"),
    NEVER("Container", 19, ""),
    SPAN("CPUTime", 10, times_cpu_time),
    NUMBER("CPUTimeRAW", 10, times_cpu_time),
    NUMBER("DBIndex", 10, number),
    MAKE("DerivedExitCode", 15, make_derived),
    SPAN("Elapsed", 10, times_elapsed),
    NUMBER("ElapsedRaw", 10, times_elapsed),
    MOMENT("Eligible", times_eligible_time),
    MOMENT("End", times_end_time),
    MAKE("ExitCode", 8, make_exit),
    MAKE("Flags", 19, make_flags),
    PATH("GID", 6, "own.gid"),
    PATH("Group", 9, "own.group_name"),
    MAKE("JobID", 12, make_id),
    MAKE("JobIDRaw", 12, make_raw_id),
    MAKE("JobName", 10, make_name),
    MAKE("Layout", 9, make_layout),
    USAGE(MaxDiskRead, 12),
    USAGE(MaxDiskReadNode, 15),
    USAGE(MaxDiskReadTask, 15),
    USAGE(MaxDiskWrite, 12),
    USAGE(MaxDiskWriteNode, 16),
    USAGE(MaxDiskWriteTask, 16),
    USAGE(MaxPages, 8),
    USAGE(MaxPagesNode, 12),
    USAGE(MaxPagesTask, 14),
    USAGE(MaxRSS, 10),
    USAGE(MaxRSSNode, 10),
    USAGE(MaxRSSTask, 10),
    USAGE(MaxVMSize, 10),
    USAGE(MaxVMSizeNode, 14),
    USAGE(MaxVMSizeTask, 14),
    NEVER("McsLabel", 12, ""),
    USAGE(MinCPU, 10),
    USAGE(MinCPUNode, 10),
    USAGE(MinCPUTask, 10),
    NUMBER("NCPUS", 10, times_cpus),
    NUMBER("NNodes", 8, nodes_n),
    MAKE("NodeList", 15, make_nodes),
    NUMBER("NTasks", 8, tasks),
    PATH("Partition", 10, "own.partition"),
    PATH("Priority", 10, "own.priority"),
    MAKE("QOS", 10, make_qos),
    NUMBERED("QOSRAW", 6, make_qos_id),
    MAKE("Reason", 22, make_reason),
    MAKE("ReqCPUFreq", 10, make_frequency_asked),
    MAKE("ReqCPUFreqGov", 13, make_frequency_asked),
    MAKE("ReqCPUFreqMax", 13, make_frequency_asked),
    MAKE("ReqCPUFreqMin", 13, make_frequency_asked),
    NUMBER("ReqCPUS", 8, times_cpus),
    MAKE("ReqMem", 10, make_memory_asked),
    NUMBER("ReqNodes", 8, nodes_asked),
    MAKE("ReqTRES", 10, make_tres_asked),
    MAKE("Reservation", 20, make_reservation),
    NUMBER("ReservationId", 8, reservation_id),
    SPAN("Reserved", 10, times_waited),
    SPAN("ResvCPU", 10, times_waited_cpus),
    NUMBER("ResvCPURAW", 10, times_waited_cpus),
    MAKE("Start", 19, times_make_start),
    MAKE("State", 10, make_state),
    MOMENT("Submit", times_submit_time),
    MAKE("SubmitLine", 20, make_submit_line),
    SPAN("Suspended", 10, times_suspended),
    PATH("SystemComment", 15, "own.system_comment"),
    USAGE(SystemCPU, 10),
    MAKE("Timelimit", 10, times_make_limit),
    MAKE("TimelimitRaw", 10, times_make_limit_raw),
    USAGE(TotalCPU, 10),
    USAGE(TRESUsageInAve, 14),
    USAGE(TRESUsageInMax, 14),
    USAGE(TRESUsageInMaxNode, 18),
    USAGE(TRESUsageInMaxTask, 18),
    USAGE(TRESUsageInMin, 14),
    USAGE(TRESUsageInMinNode, 18),
    USAGE(TRESUsageInMinTask, 18),
    USAGE(TRESUsageInTot, 14),
    USAGE(TRESUsageOutAve, 15),
    USAGE(TRESUsageOutMax, 15),
    USAGE(TRESUsageOutMaxNode, 19),
    USAGE(TRESUsageOutMaxTask, 19),
    USAGE(TRESUsageOutMin, 15),
    USAGE(TRESUsageOutMinNode, 19),
    USAGE(TRESUsageOutMinTask, 19),
    USAGE(TRESUsageOutTot, 15),
    PATH("UID", 6, "own.uid"),
    PATH("User", 9, "own.user_name"),
    USAGE(UserCPU, 10),
    PATH("WCKey", 10, "spec.wckey"),
    NUMBERED("WCKeyID", 10, make_wckey_id),
    PATH("WorkDir", 20, "body.work_dir"),
    /* ACCT_UNLISTED */
    NEVER("AllocGRES", 12, ""),
    PATH("Extra", 14, "spec.extra"),
    NEVER("FailedNode", 15, ""),
    PATH("Licenses", 10, "spec.licenses"),
    SPAN("Planned", 10, times_waited),
    SPAN("PlannedCPU", 10, times_waited_cpus),
    NUMBER("PlannedCPURAW", 13, times_waited_cpus),
    PATH("QOSREQ", 10, "spec.qos"),
    NEVER("ReqGRES", 12, ""),
    PATH("Restarts", 8, "own.restarts"),
    MAKE("StdErr", 20, make_std_err),
    MAKE("StdIn", 20, make_std_in),
    MAKE("StdOut", 20, make_std_out),
};
/* clang-format on */

const struct report_table acct_table = { roots, ARRAY_N(roots), columns, ARRAY_N(columns) };
