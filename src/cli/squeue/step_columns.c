/* step_columns.c - the columns of squeue --steps. */
#include "cli/squeue/columns.h"

#include <inttypes.h>

#include "cli/lib/job_row.h"

static const struct step_row *row_of(const void *row)
{
    return row;
}

static void make_array_task(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const struct step_record *step = step_row_step(row);

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
        strbuf_addf(out, "%" PRIu32, step_row_step(row)->uid);
}

static bool used(const struct report_context *ctx, const void *row, int64_t *ret)
{
    *ret = step_run_time(step_row_step(row), ctx->now);
    return true;
}

/* Appends the state; squeue alone tells that a step is ending. */
static void make_state(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const struct step_record *step = step_row_step(row);

    (void)ctx;
    strbuf_adds(out, step->state == STEP_ENDING ? "COMPLETING"
                                                : job_state_name(step_job_state(step), 0));
}

static void make_cluster(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    strbuf_adds(out, row_of(row)->cluster);
}

static const struct report_root step_roots[] = {
    { "step", step_record_schema, offsetof(struct step_row, step) },
};

/* clang-format off */
#define TRES(function, key, n, t) { .name = n, .title = t, .make = function, .unset = "(null)" },
#define NONE(n, t, u) { .name = n, .title = t, .make = job_row_nothing, .unset = u }

static const struct report_column step_columns[] = {
    { .letter = 'A', .name = "NumTasks", .title = "TASKS", .path = "step.ntasks" },
    { .letter = 'b', .title = "TRES_PER_NODE", .make = step_row_tres_per_node, .unset = "(null)" },
    { .letter = 'i', .name = "StepID", .title = "STEPID", .make = step_row_id },
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
    { .name = "JobID", .title = "JOB_ID", .path = "step.job_id" },
    NONE("Network", "NETWORK", "(null)"),
    { .name = "NumCPUs", .title = "NUM_CPUS", .path = "step.ncpus" },
    { .name = "StepState", .title = "STATE", .make = make_state },
    { .name = "tres-per-job", .title = "TRES_PER_STEP", .make = step_row_tres_per_step, .unset = "(null)" },
    STEP_TRES(TRES)
};
/* clang-format on */

const struct report_table step_table = { step_roots, ARRAY_N(step_roots), step_columns,
                                         ARRAY_N(step_columns) };
