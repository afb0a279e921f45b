/* show_step.c - scontrol show step. */
#include "cli/lib/job_row.h"
#include "cli/lib/outcome.h"
#include "cli/lib/step_row.h"
#include "cli/scontrol/show.h"
#include "common/msg/tres.h"

static bool time_limit(const struct report_context *ctx, const void *row, int64_t *ret)
{
    (void)ctx;
    *ret = step_time_limit(step_row_step(row));
    if (*ret == LIMIT_UNSET)
        *ret = LIMIT_INFINITE; /* only its job's */
    return true;
}

static void make_state(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    strbuf_adds(out, job_state_name(step_job_state(step_row_step(row)), 0));
}

static bool node_count(const struct report_context *ctx, const void *row, int64_t *ret)
{
    (void)ctx;
    *ret = step_row_step(row)->nodes_n;
    return true;
}

static void make_tres(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    AUTO(tres) struct tres tres = tres_of_step(step_row_step(row));

    tres_format(&tres, ctx->counted, out);
}

static void make_dist(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    outcome_add_distribution(step_row_step(row), out);
}

static void make_srun(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const struct step_spec *spec = step_row_step(row)->spec;

    (void)ctx;
    strbuf_addf(out, "%s:%u", spec && spec->srun_host ? spec->srun_host : "(null)",
                spec ? spec->srun_pid : 0);
}

static const struct report_root roots[] = {
    { "step", step_record_schema, offsetof(struct step_row, step) },
};

/* clang-format off */
#define TRES(function, key, name, heading)                                                         \
    { .title = key, .make = function, .style = REPORT_NEW_LINE | REPORT_OMIT },

static const struct report_column columns[] = {
    { .title = "StepId", .make = step_row_id },
    { .title = "UserId", .path = "step.uid" },
    { .title = "StartTime", .path = "step.start_time", .unset = "Unknown" },
    { .title = "TimeLimit", .number = time_limit, .kind = KIND_LIMIT, .style = REPORT_LONG },
    { .title = "State", .make = make_state, .style = REPORT_NEW_LINE },
    { .title = "Partition", .path = "step.partition" },
    { .title = "NodeList", .path = "step.node_list" },
    { .title = "Nodes", .number = node_count, .kind = KIND_U32, .style = REPORT_NEW_LINE },
    { .title = "CPUs", .path = "step.ncpus" },
    { .title = "Tasks", .path = "step.ntasks" },
    { .title = "Name", .path = "step.name" },
    { .title = "Network", .make = job_row_nothing, .unset = "(null)" },
    { .title = "TRES", .make = make_tres, .unset = "(null)", .style = REPORT_NEW_LINE },
    { .title = "ResvPorts", .make = job_row_nothing, .unset = "(null)", .style = REPORT_NEW_LINE },
    { .title = "CPUFreqReq", .make = job_row_nothing, .unset = "Default", .style = REPORT_NEW_LINE },
    { .title = "Dist", .make = make_dist, .style = REPORT_OMIT },
    { .title = "SrunHost:Pid", .make = make_srun, .style = REPORT_NEW_LINE },
    STEP_TRES(TRES)
};
/* clang-format on */

const struct report_table show_step_table = { roots, ARRAY_N(roots), columns, ARRAY_N(columns) };

void show_step(const struct show *show, const struct step_record *step, struct strbuf *out)
{
    const struct step_row row = { .step = step };

    report_record(&show_step_table, show->paths, &show->ctx, &row, show->one_line, out);
}
