#include "cli/lib/step_row.h"

#include <inttypes.h>

#include "cli/lib/place.h"
#include "cli/lib/tasks.h"

void step_row_id(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const struct job_ref ref = step_ref(step_row_step(row));

    (void)ctx;
    job_ref_format(out, &ref);
}

void step_row_cpus_per_gpu(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const struct step_spec *spec = step_row_step(row)->spec;

    (void)ctx;
    if (spec)
        place_add_cpus_per_gpu(spec->cpus_per_gpu, out);
}

void step_row_mem_per_gpu(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const struct step_spec *spec = step_row_step(row)->spec;

    (void)ctx;
    if (spec)
        place_add_mem_per_gpu(spec->mem_per_gpu, out);
}

void step_row_gpu_bind(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const struct step_spec *spec = step_row_step(row)->spec;

    (void)ctx;
    if (spec)
        place_add_gpu_bind(spec->gpu_bind, out);
}

void step_row_gpu_freq(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const struct step_spec *spec = step_row_step(row)->spec;

    (void)ctx;
    if (spec)
        place_add_gpu_freq(spec->gpu_freq, out);
}

static void add_text(const char *text, struct strbuf *out)
{
    if (text)
        strbuf_adds(out, text);
}

static bool asks_gres(const struct step_spec *spec)
{
    return spec->tres_per_step || spec->tres_per_node || spec->tres_per_socket ||
           spec->tres_per_task || spec->cpus_per_gpu != COUNT_UNSET;
}

/* Appends the TRES. Slurm tells the cpus of the tasks, too, where something else is asked for. */
void step_row_tres_per_step(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const struct step_record *step = step_row_step(row);
    const struct step_spec *spec = step->spec;

    (void)ctx;
    if (!spec)
        return;
    if (asks_gres(spec))
        strbuf_addf(out, "cpu:%" PRIu64 "%s", (uint64_t)step->ntasks * step->cpus_per_task,
                    spec->tres_per_step ? "," : "");
    add_text(spec->tres_per_step, out);
}

void step_row_tres_per_node(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const struct step_spec *spec = step_row_step(row)->spec;

    (void)ctx;
    add_text(spec ? spec->tres_per_node : NULL, out);
}

void step_row_tres_per_socket(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const struct step_spec *spec = step_row_step(row)->spec;

    (void)ctx;
    add_text(spec ? spec->tres_per_socket : NULL, out);
}

void step_row_tres_per_task(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const struct step_spec *spec = step_row_step(row)->spec;

    (void)ctx;
    if (spec)
        place_add_tres_per_task(spec->tres_per_task, out);
}
