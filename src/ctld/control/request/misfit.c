/* What a job asks of each node that no node of the partition has: for the text of a refusal. */
#include "ctld/control/request/spec.h"

#include <inttypes.h>

struct most {
    uint64_t cpus, memory_mb, tmp_disk_mb, sockets, cores, threads;
};

static void raise(uint64_t *most, uint64_t value)
{
    if (value > *most)
        *most = value;
}

static struct most find_most(const struct model *model, const struct partition *part)
{
    struct most most = { 0 };

    BITSET_FOREACH (&part->nodes, i) {
        const struct node_info *node = model->nodes[i].conf;

        raise(&most.cpus, node->cpus);
        raise(&most.memory_mb, node->memory_mb);
        raise(&most.tmp_disk_mb, node->tmp_disk_mb);
        raise(&most.sockets, node->sockets);
        raise(&most.cores, node->cores_per_socket);
        raise(&most.threads, node->threads_per_core);
    }
    if (part->conf->max_cpus_per_node < most.cpus)
        most.cpus = part->conf->max_cpus_per_node;
    return most;
}

static uint64_t count_or_0(uint32_t count)
{
    return count_is_set(count) ? count : 0;
}

static uint64_t mb_or_0(uint64_t mb)
{
    return mb == MB_UNSET ? 0 : mb;
}

static uint64_t cpus_of_a_node(const struct job_spec *spec)
{
    uint64_t cpus = spec_cpus_per_node(spec);

    raise(&cpus, count_or_0(spec->cpus_per_task));
    if (!spec->overcommit && count_is_set(spec->ntasks_per_node))
        raise(&cpus, (uint64_t)spec->ntasks_per_node *
                         (count_is_set(spec->cpus_per_task) ? spec->cpus_per_task : 1));
    return cpus;
}

bool spec_misfit(const struct model *model, const struct job_spec *spec,
                 const struct partition *part, struct strbuf *text)
{
    const struct most most = find_most(model, part);
    const struct {
        const char *what;
        uint64_t asked, most;
    } rows[] = {
        { "cpus", cpus_of_a_node(spec), most.cpus },
        { "MB of memory", mb_or_0(spec->mem_per_node), most.memory_mb },
        { "MB of memory", mb_or_0(spec->mem_per_cpu), most.memory_mb },
        { "MB of temporary disk", mb_or_0(spec->tmp_disk), most.tmp_disk_mb },
        { "sockets", count_or_0(spec->sockets_per_node), most.sockets },
        { "cores in a socket", count_or_0(spec->cores_per_socket), most.cores },
        { "threads in a core", count_or_0(spec->threads_per_core), most.threads },
    };

    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        if (rows[i].asked <= rows[i].most)
            continue;
        strbuf_addf(text, "no node of partition %s has %" PRIu64 " %s, %" PRIu64 " at most",
                    part->conf->name, rows[i].asked, rows[i].what, rows[i].most);
        return true;
    }
    return false;
}
