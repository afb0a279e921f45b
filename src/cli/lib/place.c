#include "cli/lib/place.h"

#include "common/text/duration.h"

void place_add_partition(const struct job_record *job, struct strbuf *out)
{
    const char *candidates = job->state == JOB_PENDING ? job->spec->partition : NULL;

    if (candidates || job->partition)
        strbuf_adds(out, candidates ? candidates : job->partition);
}

void place_add_cpus_per_gpu(const struct job_spec *spec, struct strbuf *out)
{
    if (spec->cpus_per_gpu != COUNT_UNSET)
        strbuf_addf(out, "gres/gpu:%u", spec->cpus_per_gpu);
}

void place_add_mem_per_gpu(const struct job_spec *spec, struct strbuf *out)
{
    if (spec->mem_per_gpu != MB_UNSET)
        strbuf_addf(out, "gres/gpu:%llu", (unsigned long long)spec->mem_per_gpu);
}

void place_add_switches(const struct job_spec *spec, struct strbuf *out)
{
    if (spec->switches == COUNT_UNSET)
        return;
    strbuf_addf(out, "%u@", spec->switches);
    duration_format(out, spec->switch_wait_s == COUNT_UNSET ? 0 : (int64_t)spec->switch_wait_s);
}
