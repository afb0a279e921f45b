#include "cli/sluice/conf_show.h"

#include <inttypes.h>

#include "common/conf/keys.h"
#include "common/conf/show.h"
#include "common/conf/value.h"
#include "common/text/hostlist.h"

void conf_show_place(struct conf_at at, struct strbuf *out)
{
    if (at.file)
        strbuf_addf(out, "  # %s:%u\n", at.file, at.line);
    else
        strbuf_adds(out, "  # default\n");
}

static void add_keys(const struct slurm_conf *conf, struct strbuf *out)
{
    struct conf_show show = conf_show_begin(conf, NULL);
    AUTO(strbuf) struct strbuf key = { 0 };
    AUTO(strbuf) struct strbuf value = { 0 };

    while (conf_show_next(&show, &key, &value)) {
        strbuf_addf(out, "%-30s = %-32s", strbuf_text(&key), strbuf_text(&value));
        conf_show_place(conf_show_where(&show), out);
    }
}

/* True for nodes in a row that are alike and come from one line: they are one line here. */
static bool alike(const struct conf_node *a, const struct conf_node *b)
{
    return a->at.file == b->at.file && a->at.line == b->at.line && a->port == b->port &&
           a->state == b->state && (a->addr == a->name) == (b->addr == b->name);
}

static void add_node_values(const struct conf_node *node, struct strbuf *out)
{
    strbuf_addf(out,
                " CPUs=%u Boards=%u Sockets=%u CoresPerSocket=%u ThreadsPerCore=%u "
                "RealMemory=%" PRIu64 " TmpDisk=%" PRIu64 " Weight=%u Port=%u",
                node->cpus, node->boards, node->sockets, node->cores_per_socket,
                node->threads_per_core, node->memory_mb, node->tmp_disk_mb, node->weight,
                node->port);
    if (node->features)
        strbuf_addf(out, " Features=%s", node->features);
    if (node->gres)
        strbuf_addf(out, " Gres=%s", node->gres);
    if (node->core_spec_n)
        strbuf_addf(out, " CoreSpecCount=%u", node->core_spec_n);
    if (node->cpu_spec_list)
        strbuf_addf(out, " CpuSpecList=%s", node->cpu_spec_list);
    if (node->mem_spec_mb)
        strbuf_addf(out, " MemSpecLimit=%" PRIu64, node->mem_spec_mb);
    strbuf_adds(out, " State=");
    conf_value_format(conf_key_find(conf_node_keys(), "State"), &node->state, out);
    if (node->reason)
        strbuf_addf(out, " Reason=\"%s\"", node->reason);
}

static void add_nodes(const struct slurm_conf *conf, struct strbuf *out)
{
    for (uint32_t i = 0, next; i < conf->nodes_n; i = next) {
        AUTO(hostlist) struct hostlist *names = hostlist_new();
        AUTO(hostlist) struct hostlist *addrs = hostlist_new();
        AUTO(hostlist) struct hostlist *hostnames = hostlist_new();

        for (next = i; next < conf->nodes_n && alike(&conf->nodes[i], &conf->nodes[next]); next++) {
            hostlist_add(names, conf->nodes[next].name);
            hostlist_add(addrs, conf->nodes[next].addr);
            hostlist_add(hostnames, conf->nodes[next].hostname);
        }
        AUTO_FREE char *name = hostlist_format(names);
        AUTO_FREE char *addr = hostlist_format(addrs);
        AUTO_FREE char *hostname = hostlist_format(hostnames);

        strbuf_addf(out, "NodeName=%s NodeAddr=%s NodeHostname=%s", name, addr, hostname);
        add_node_values(&conf->nodes[i], out);
        conf_show_place(conf->nodes[i].at, out);
    }
}

/* True if a member is the other key's: memory has two for one member, which says which counts. */
static bool is_of_other(const struct conf_partition *part, const struct conf_key *key)
{
    const struct conf_mem *mem = (const void *)((const char *)part + key->at);

    return (key->kind == CONF_MEM_CPU && !mem->per_cpu) ||
           (key->kind == CONF_MEM_NODE && mem->per_cpu);
}

/* Appends every key that the struct holds a value for, without older names of one. */
static void add_partition(const struct conf_partition *part, struct strbuf *out)
{
    strbuf_addf(out, "PartitionName=%s", part->name);
    for (const struct conf_key *key = conf_partition_keys() + 1; key->name; key++) {
        AUTO(strbuf) struct strbuf value = { 0 };

        if (key->at == CONF_NO_FIELD || key->status == CONF_REPLACED || is_of_other(part, key))
            continue;
        conf_value_format(key, (const char *)part + key->at, &value);
        if (value.len && strcmp(strbuf_text(&value), "(null)") != 0)
            strbuf_addf(out, " %s=%s", key->name, strbuf_text(&value));
    }
    conf_show_place(part->at, out);
}

void conf_show_all(const struct slurm_conf *conf, struct strbuf *out)
{
    add_keys(conf, out);
    add_nodes(conf, out);
    for (uint32_t i = 0; i < conf->partitions_n; i++)
        add_partition(&conf->partitions[i], out);
}
