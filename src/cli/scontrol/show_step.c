/* show_step.c - scontrol show step. */
#include "cli/lib/outcome.h"
#include "cli/lib/step_tres.h"
#include "cli/lib/tasks.h"
#include "cli/scontrol/show.h"
#include "common/msg/tres.h"

struct step_row {
    const struct step_record *step;
    const struct step_spec *spec; /* NULL for a batch step */
};

static const struct step_record *step_of(const void *row)
{
    return ((const struct step_row *)row)->step;
}

static const struct step_spec *spec_of(const void *row)
{
    return ((const struct step_row *)row)->spec;
}

static void make_id(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const struct job_ref ref = step_ref(step_of(row));

    (void)ctx;
    job_ref_format(out, &ref);
}

static bool time_limit(const struct report_context *ctx, const void *row, int64_t *ret)
{
    (void)ctx;
    *ret = spec_of(row) ? spec_of(row)->time_limit : LIMIT_UNSET;
    if (*ret == LIMIT_UNSET)
        *ret = LIMIT_INFINITE; /* only its job's */
    return true;
}

static void make_state(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    strbuf_adds(out, step_of(row)->state == STEP_PENDING ? "PENDING" : "RUNNING");
}

static bool node_count(const struct report_context *ctx, const void *row, int64_t *ret)
{
    (void)ctx;
    *ret = step_of(row)->nodes_n;
    return true;
}

static void make_tres(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    AUTO(tres) struct tres tres = tres_of_step(step_of(row));

    tres_format(&tres, ctx->counted, out);
}

static void make_dist(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    outcome_add_distribution(step_of(row), out);
}

static void make_srun(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const struct step_spec *spec = spec_of(row);

    (void)ctx;
    strbuf_addf(out, "%s:%u", spec && spec->srun_host ? spec->srun_host : "(null)",
                spec ? spec->srun_pid : 0);
}

static void make_nothing(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    (void)row;
    (void)out;
}

STEP_TRES(STEP_TRES_MAKE)

static const struct report_root roots[] = {
    { "step", step_record_schema, offsetof(struct step_row, step) },
};

/* clang-format off */
static const struct report_column columns[] = {
    { .title = "StepId", .make = make_id },
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
    { .title = "Network", .make = make_nothing, .unset = "(null)" },
    { .title = "TRES", .make = make_tres, .unset = "(null)", .style = REPORT_NEW_LINE },
    { .title = "ResvPorts", .make = make_nothing, .unset = "(null)", .style = REPORT_NEW_LINE },
    { .title = "CPUFreqReq", .make = make_nothing, .unset = "Default", .style = REPORT_NEW_LINE },
    { .title = "Dist", .make = make_dist, .style = REPORT_OMIT },
    { .title = "SrunHost:Pid", .make = make_srun, .style = REPORT_NEW_LINE },
    { .title = "CpusPerTres", .make = make_cpus_per_gpu, .style = REPORT_NEW_LINE | REPORT_OMIT },
    { .title = "MemPerTres", .make = make_mem_per_gpu, .style = REPORT_NEW_LINE | REPORT_OMIT },
    { .title = "TresBind", .make = make_gpu_bind, .style = REPORT_NEW_LINE | REPORT_OMIT },
    { .title = "TresFreq", .make = make_gpu_freq, .style = REPORT_NEW_LINE | REPORT_OMIT },
    { .title = "TresPerStep", .make = make_tres_per_step, .style = REPORT_NEW_LINE | REPORT_OMIT },
    { .title = "TresPerNode", .make = make_tres_per_node, .style = REPORT_NEW_LINE | REPORT_OMIT },
    { .title = "TresPerSocket", .make = make_tres_per_socket, .style = REPORT_NEW_LINE | REPORT_OMIT },
    { .title = "TresPerTask", .make = make_tres_per_task, .style = REPORT_NEW_LINE | REPORT_OMIT },
};
/* clang-format on */

const struct report_table show_step_table = { roots, ARRAY_N(roots), columns, ARRAY_N(columns) };

void show_step(const struct show *show, const struct step_record *step, struct strbuf *out)
{
    const struct step_row row = { step, step->spec };

    report_record(&show_step_table, show->paths, &show->ctx, &row, show->one_line, out);
}
