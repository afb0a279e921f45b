#include "cli/lib/step_tres.h"

#include <inttypes.h>

#include "cli/lib/place.h"
#include "common/text/gres.h"

void step_add_cpus_per_gpu(const struct step_record *step, struct strbuf *out)
{
    if (step->spec)
        place_add_cpus_per_gpu(step->spec->cpus_per_gpu, out);
}

void step_add_mem_per_gpu(const struct step_record *step, struct strbuf *out)
{
    if (step->spec)
        place_add_mem_per_gpu(step->spec->mem_per_gpu, out);
}

void step_add_gpu_bind(const struct step_record *step, struct strbuf *out)
{
    if (step->spec)
        place_add_gpu_bind(step->spec->gpu_bind, out);
}

void step_add_gpu_freq(const struct step_record *step, struct strbuf *out)
{
    if (step->spec)
        place_add_gpu_freq(step->spec->gpu_freq, out);
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

/* Slurm tells the cpus of the tasks, too, where something else is asked for. */
void step_add_tres_per_step(const struct step_record *step, struct strbuf *out)
{
    if (!step->spec)
        return;
    if (asks_gres(step->spec))
        strbuf_addf(out, "cpu:%" PRIu64 "%s", (uint64_t)step->ntasks * step->cpus_per_task,
                    step->spec->tres_per_step ? "," : "");
    add_text(step->spec->tres_per_step, out);
}

void step_add_tres_per_node(const struct step_record *step, struct strbuf *out)
{
    add_text(step->spec ? step->spec->tres_per_node : NULL, out);
}

void step_add_tres_per_socket(const struct step_record *step, struct strbuf *out)
{
    add_text(step->spec ? step->spec->tres_per_socket : NULL, out);
}

/* As --tres-per-task writes it, the only one of these lists with an equals sign. */
void step_add_tres_per_task(const struct step_record *step, struct strbuf *out)
{
    AUTO(gres) struct gres_list list = { 0 };

    if (!step->spec || gres_parse(step->spec->tres_per_task, &list, NULL) < 0)
        return;
    for (uint32_t i = 0; i < list.n; i++)
        strbuf_addf(out, "%sgres/%s%s%s=%llu", i ? "," : "", list.at[i].name,
                    list.at[i].type ? ":" : "", list.at[i].type ? list.at[i].type : "",
                    (unsigned long long)list.at[i].count);
}
