#include "common/msg/tres.h"

#include "common/text/size.h"

static bool is_count(uint32_t count)
{
    return count != COUNT_UNSET && count != COUNT_INFINITE;
}

struct tres tres_requested(const struct job_record *job)
{
    const struct job_spec *spec = job->spec;
    struct tres tres = { .cpus = job->ncpus, .mem_mb = MB_UNSET, .billing = job->ncpus };

    tres.nodes = is_count(spec->min_nodes) && spec->min_nodes ? spec->min_nodes : 1;
    if (spec->mem_per_node != MB_UNSET)
        tres.mem_mb = spec->mem_per_node * tres.nodes;
    else if (spec->mem_per_cpu != MB_UNSET)
        tres.mem_mb = spec->mem_per_cpu * tres.cpus;
    return tres;
}

struct tres tres_allocated(const struct job_record *job)
{
    struct tres tres = { .mem_mb = MB_UNSET, .nodes = job->nodes_n };

    if (!job->nodes_n)
        return tres;
    tres.cpus = tres.billing = job->ncpus;
    for (uint32_t i = 0; i < job->nodes_n; i++) {
        if (job->nodes[i].memory != MB_UNSET)
            tres.mem_mb = (tres.mem_mb == MB_UNSET ? 0 : tres.mem_mb) + job->nodes[i].memory;
    }
    return tres;
}

struct tres tres_of_step(const struct step_record *step)
{
    struct tres tres = { .cpus = step->ncpus, .mem_mb = MB_UNSET, .nodes = step->nodes_n };

    for (uint32_t i = 0; i < step->nodes_n; i++) {
        if (step->nodes[i].memory != MB_UNSET)
            tres.mem_mb = (tres.mem_mb == MB_UNSET ? 0 : tres.mem_mb) + step->nodes[i].memory;
    }
    return tres;
}

static void add(const char *name, uint64_t amount, size_t begin, struct strbuf *out)
{
    if (!amount)
        return;
    strbuf_adds(out, out->len > begin ? "," : "");
    strbuf_adds(out, name);
    strbuf_addc(out, '=');
    strbuf_addu(out, amount);
}

static void add_memory(uint64_t mb, size_t begin, struct strbuf *out)
{
    if (mb == 0 || mb == MB_UNSET)
        return;
    strbuf_addf(out, "%smem=", out->len > begin ? "," : "");
    size_format_mb(out, mb);
}

void tres_format(const struct tres *tres, struct strbuf *out)
{
    size_t begin = out->len;

    add("cpu", tres->cpus, begin, out);
    add_memory(tres->mem_mb, begin, out);
    add("node", tres->nodes, begin, out);
    add("billing", tres->billing, begin, out);
}

void tres_format_by_name(const struct tres *tres, const char *memory, struct strbuf *out)
{
    size_t begin = out->len;

    add("billing", tres->billing, begin, out);
    add("cpu", tres->cpus, begin, out);
    if (memory && *memory)
        strbuf_addf(out, "%smem=%s", out->len > begin ? "," : "", memory);
    add("node", tres->nodes, begin, out);
}
