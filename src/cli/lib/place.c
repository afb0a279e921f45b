#include "cli/lib/place.h"

#include "common/text/duration.h"
#include "common/text/gres.h"

void place_add_partition(const struct job_record *job, struct strbuf *out)
{
    const char *candidates = job->state == JOB_PENDING ? job->spec->partition : NULL;

    if (candidates || job->partition)
        strbuf_adds(out, candidates ? candidates : job->partition);
}

void place_add_cpus_per_gpu(uint32_t cpus, struct strbuf *out)
{
    if (cpus != COUNT_UNSET)
        strbuf_addf(out, "gres/gpu:%u", cpus);
}

void place_add_mem_per_gpu(uint64_t mb, struct strbuf *out)
{
    if (mb != MB_UNSET)
        strbuf_addf(out, "gres/gpu:%llu", (unsigned long long)mb);
}

void place_add_gpu_bind(const char *bind, struct strbuf *out)
{
    if (bind)
        strbuf_addf(out, "gres/gpu:%s", bind);
}

void place_add_gpu_freq(const char *freq, struct strbuf *out)
{
    if (freq)
        strbuf_addf(out, "gpu:%s", freq);
}

void place_add_tres_per_task(const char *text, struct strbuf *out)
{
    AUTO(gres) struct gres_list list = { 0 };

    if (gres_parse(text, &list, NULL) < 0)
        return;
    for (uint32_t i = 0; i < list.n; i++)
        strbuf_addf(out, "%sgres/%s%s%s=%llu", i ? "," : "", list.at[i].name,
                    list.at[i].type ? ":" : "", list.at[i].type ? list.at[i].type : "",
                    (unsigned long long)list.at[i].count);
}

void place_add_switches(const struct job_spec *spec, struct strbuf *out)
{
    if (spec->switches == COUNT_UNSET)
        return;
    strbuf_addf(out, "%u@", spec->switches);
    duration_format(out, spec->switch_wait_s == COUNT_UNSET ? 0 : (int64_t)spec->switch_wait_s);
}
