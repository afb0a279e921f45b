/* step_columns.c - the columns of squeue --steps. */
#include "cli/squeue/columns.h"

#include <inttypes.h>

#include "cli/lib/step_tres.h"
#include "cli/lib/tasks.h"

static const struct step_row *row_of(const void *row)
{
    return row;
}

static const struct step_record *step_of(const void *row)
{
    return row_of(row)->step;
}

static void make_id(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const struct job_ref ref = step_ref(step_of(row));

    (void)ctx;
    job_ref_format(out, &ref);
}

static void make_array_task(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const struct step_record *step = step_of(row);

    (void)ctx;
    if (step->array_job_id)
        strbuf_addu(out, step->array_task);
}

static void make_user(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    if (row_of(row)->user)
        strbuf_adds(out, row_of(row)->user);
    else
        strbuf_addf(out, "%" PRIu32, step_of(row)->uid);
}

static bool used(const struct report_context *ctx, const void *row, int64_t *ret)
{
    const struct step_record *step = step_of(row);
    int64_t until = step->end_time ? step->end_time : ctx->now;

    *ret = step->start_time && until > step->start_time ? until - step->start_time : 0;
    return true;
}

static void make_state(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const struct step_record *step = step_of(row);

    (void)ctx;
    if (step->state == STEP_ENDED)
        strbuf_adds(out, job_state_name(step->end_state, 0));
    else
        strbuf_adds(out, step->state == STEP_ENDING ? "COMPLETING" : "RUNNING");
}

static void make_cluster(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    strbuf_adds(out, row_of(row)->cluster);
}

static void make_none(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    (void)row;
    (void)out;
}

STEP_TRES(STEP_TRES_MAKE)

static const struct report_root step_roots[] = {
    { "step", step_record_schema, offsetof(struct step_row, step) },
};

/* clang-format off */
#define NONE(n, t, u) { .name = n, .title = t, .make = make_none, .unset = u }

static const struct report_column step_columns[] = {
    { .letter = 'A', .name = "NumTasks", .title = "TASKS", .path = "step.ntasks" },
    { .letter = 'b', .title = "TRES_PER_NODE", .make = make_tres_per_node, .unset = "(null)" },
    { .letter = 'i', .name = "StepID", .title = "STEPID", .make = make_id },
    { .letter = 'j', .name = "StepName", .title = "NAME", .path = "step.name" },
    { .letter = 'l', .name = "TimeLimit", .title = "TIME_LIMIT", .path = "step.spec.time_limit",
      .unset = "UNLIMITED" },
    { .letter = 'M', .name = "TimeUsed", .title = "TIME", .number = used, .kind = KIND_LIMIT },
    { .letter = 'N', .name = "Nodes", .title = "NODELIST", .path = "step.node_list", .unset = "" },
    { .letter = 'P', .name = "Partition", .title = "PARTITION", .path = "step.partition" },
    { .letter = 'S', .name = "StartTime", .title = "START_TIME", .path = "step.start_time" },
    { .letter = 'u', .name = "UserName", .title = "USER", .make = make_user },
    { .letter = 'U', .name = "UserID", .title = "UID", .path = "step.uid" },

    { .name = "ArrayJobID", .title = "ARRAY_JOB_ID", .path = "step.array_job_id" },
    { .name = "ArrayTaskID", .title = "ARRAY_TASK_ID", .make = make_array_task, .unset = "N/A" },
    { .name = "Cluster", .title = "CLUSTER", .make = make_cluster },
    NONE("Container", "CONTAINER", "(null)"),
    NONE("CPUFreq", "CPU_FREQ", "0-0:0"),
    { .name = "cpus-per-tres", .title = "CPUS_PER_TRES", .make = make_cpus_per_gpu, .unset = "(null)" },
    { .name = "JobID", .title = "JOB_ID", .path = "step.job_id" },
    { .name = "mem-per-tres", .title = "MEM_PER_TRES", .make = make_mem_per_gpu, .unset = "(null)" },
    NONE("Network", "NETWORK", "(null)"),
    { .name = "NumCPUs", .title = "NUM_CPUS", .path = "step.ncpus" },
    { .name = "StepState", .title = "STATE", .make = make_state },
    { .name = "tres-bind", .title = "TRES_BIND", .make = make_gpu_bind, .unset = "(null)" },
    { .name = "tres-freq", .title = "TRES_FREQ", .make = make_gpu_freq, .unset = "(null)" },
    { .name = "tres-per-job", .title = "TRES_PER_STEP", .make = make_tres_per_step, .unset = "(null)" },
    { .name = "tres-per-node", .title = "TRES_PER_NODE", .make = make_tres_per_node, .unset = "(null)" },
    { .name = "tres-per-socket", .title = "TRES_PER_SOCKET", .make = make_tres_per_socket, .unset = "(null)" },
    { .name = "tres-per-step", .title = "TRES_PER_STEP", .make = make_tres_per_step, .unset = "(null)" },
    { .name = "tres-per-task", .title = "TRES_PER_TASK", .make = make_tres_per_task, .unset = "(null)" },
};
/* clang-format on */

const struct report_table step_table = { step_roots, ARRAY_N(step_roots), step_columns,
                                         ARRAY_N(step_columns) };
