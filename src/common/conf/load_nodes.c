#include <errno.h>
#include <string.h>
#include <strings.h>
#include <uthash.h>

#include "common/conf/load.h"
#include "common/conf/value.h"
#include "common/text/hostlist.h"
#include "common/text/numbers.h"
#include "common/text/words.h"

struct node_index {
    const char *name; /* the node's own */
    uint32_t at;
    UT_hash_handle hh;
};

static void index_add(struct loader *loader, const char *name, uint32_t at)
{
    struct node_index *entry = xcalloc(1, sizeof(*entry));

    entry->name = name;
    entry->at = at;
    HASH_ADD_KEYPTR(hh, loader->index, entry->name, strlen(entry->name), entry);
}

int64_t load_find_node(const struct loader *loader, const char *name)
{
    struct node_index *entry = NULL;

    HASH_FIND_STR(loader->index, name, entry);
    return entry ? (int64_t)entry->at : -1;
}

void load_index_nodes(struct loader *loader)
{
    for (uint32_t i = 0; i < loader->conf->nodes_n; i++)
        index_add(loader, loader->conf->nodes[i].name, i);
}

void load_index_free(struct loader *loader)
{
    struct node_index *entry;
    struct node_index *next;

    HASH_ITER (hh, loader->index, entry, next) {
        HASH_DEL(loader->index, entry);
        free(entry);
    }
}

static uint32_t known_or(uint32_t value, uint32_t otherwise)
{
    return value == CONF_UNSET ? otherwise : value;
}

/*
 * Returns the sockets of the whole node. The manual says that Sockets= beside Boards= counts those
 * of one board; Slurm 22.05 takes it for the whole node all the same, and so does this.
 */
static uint32_t count_sockets(const struct conf_node_line *line, const struct conf_node *node)
{
    uint32_t per_socket = node->cores_per_socket * node->threads_per_core;

    if (line->sockets_per_board != CONF_UNSET)
        return line->sockets_per_board * node->boards;
    if (line->sockets != CONF_UNSET)
        return line->sockets;
    if (line->cpus == CONF_UNSET)
        return node->boards;
    return line->cpus % per_socket == 0 ? line->cpus / per_socket : 1;
}

/* Corrects more boards than sockets, because a board needs a socket. */
static void check_boards(struct loader *loader, struct conf_node *node)
{
    if (node->sockets >= node->boards)
        return;
    conf_notes_add(loader->notes, CONF_NOTE_VALUE, node->at,
                   "node %s: %u sockets on %u boards; one board is used", node->name, node->sockets,
                   node->boards);
    node->boards = 1;
}

/*
 * Returns whether CPUs= may count sockets, as only select/linear allows, which gives whole nodes
 * away.
 */
static bool may_be_sockets(const struct loader *loader, const struct conf_node *node)
{
    return node->cpus == node->sockets && loader->conf->select_type == CONF_SELECT_LINEAR;
}

/*
 * Fills in counts that are missing from the others. CPUs may be the number of cores or of threads.
 * Other numbers, some of which Slurm refuses, are corrected to the number of threads.
 */
static int count_cpus(struct loader *loader, const struct conf_node_line *line,
                      struct conf_node *node, struct err *err)
{
    uint64_t cores;
    uint64_t threads;

    node->cpus_given = line->cpus != CONF_UNSET || line->sockets != CONF_UNSET ||
                       line->sockets_per_board != CONF_UNSET ||
                       line->cores_per_socket != CONF_UNSET || line->threads_per_core != CONF_UNSET;
    node->boards = known_or(line->boards, 1);
    node->cores_per_socket = known_or(line->cores_per_socket, 1);
    node->threads_per_core = known_or(line->threads_per_core, 1);
    if ((uint64_t)node->cores_per_socket * node->threads_per_core > UINT16_MAX)
        return conf_err(err, ERANGE, node->at, "node %s: more than %u CPUs in a socket", node->name,
                        UINT16_MAX);
    node->sockets = count_sockets(line, node);
    check_boards(loader, node);
    cores = (uint64_t)node->sockets * node->cores_per_socket;
    threads = cores * node->threads_per_core;
    if (threads > UINT16_MAX)
        return conf_err(err, ERANGE, node->at, "node %s: %llu CPUs, more than %u", node->name,
                        (unsigned long long)threads, UINT16_MAX);
    node->cpus = known_or(line->cpus, (uint32_t)threads);
    if (node->cpus == cores || node->cpus == threads || may_be_sockets(loader, node))
        return 0;
    conf_notes_add(loader->notes, CONF_NOTE_VALUE, node->at,
                   "node %s: CPUs=%u is neither the number of its cores (%llu) nor of its threads "
                   "(%llu); %llu is used",
                   node->name, node->cpus, (unsigned long long)cores, (unsigned long long)threads,
                   (unsigned long long)threads);
    node->cpus = (uint32_t)threads;
    return 0;
}

/*
 * Checks that what is kept for the system leaves something for jobs. Slurm corrects the counts too;
 * its manual says that both ways to name cores exclude each other.
 */
static int check_system_share(struct loader *loader, struct conf_node *node, struct err *err)
{
    const uint32_t cores = node->sockets * node->cores_per_socket;
    AUTO(numbers) struct numbers cpus = { 0 };
    struct err why = { 0 };

    if (node->core_spec_n && node->cpu_spec_list)
        return conf_err(err, EINVAL, node->at,
                        "node %s: CoreSpecCount= and CpuSpecList= exclude each other", node->name);
    if (numbers_parse(node->cpu_spec_list, node->cpus - 1, &cpus, &why) < 0)
        return conf_err(err, why.code, node->at, "node %s: CpuSpecList: %s", node->name, why.text);
    if (node->core_spec_n && node->core_spec_n >= cores) {
        conf_notes_add(loader->notes, CONF_NOTE_VALUE, node->at,
                       "node %s: CoreSpecCount=%u would leave none of its %u cores; %u is used",
                       node->name, node->core_spec_n, cores, cores > 1);
        node->core_spec_n = cores > 1;
    }
    if (node->mem_spec_mb && node->mem_spec_mb >= node->memory_mb) {
        conf_notes_add(loader->notes, CONF_NOTE_VALUE, node->at,
                       "node %s: MemSpecLimit=%llu would leave none of its %llu MB; 0 is used",
                       node->name, (unsigned long long)node->mem_spec_mb,
                       (unsigned long long)node->memory_mb);
        node->mem_spec_mb = 0;
    }
    return 0;
}

/* Returns the i-th of a list that has one entry for each node, or one for all. */
static const char *pick(const struct hostlist *list, uint32_t i)
{
    if (!list)
        return NULL;
    return hostlist_get(list, hostlist_count(list) == 1 ? 0 : i);
}

/*
 * Expands a list that has one entry for each node, or one for all; *ret_list is NULL when the line
 * lacks the key.
 */
static int expand(const char *key, const char *text, uint32_t nodes_n, struct conf_at at,
                  struct hostlist **ret_list, struct err *err)
{
    struct err why = { 0 };
    uint32_t n;

    if (!text)
        return 0;
    int rc = hostlist_parse(text, ret_list, &why);

    if (rc < 0)
        return conf_err(err, -rc, at, "%s: %s", key, why.text);
    n = hostlist_count(*ret_list);
    if (n == nodes_n || n == 1)
        return 0;
    return conf_err(err, EINVAL, at, "%s=%s names %u, but the line has %u nodes", key, text, n,
                    nodes_n);
}

static int read_port(const struct loader *loader, const char *text, struct conf_node *node,
                     struct err *err)
{
    struct err why = { 0 };
    uint64_t port = loader->conf->slurmd_port;

    if (text && number_parse(text, 1, 65535, &port, &why) < 0)
        return conf_err(err, why.code, node->at, "node %s: Port: %s", node->name, why.text);
    node->port = (uint32_t)port;
    return 0;
}

struct expanded {
    struct hostlist *names;
    struct hostlist *hostnames;
    struct hostlist *addrs;
    struct hostlist *ports;
};

static void expanded_free(struct expanded *lists)
{
    hostlist_free(lists->names);
    hostlist_free(lists->hostnames);
    hostlist_free(lists->addrs);
    hostlist_free(lists->ports);
}

/* Adds a node. It is in the list from the start, so that it is freed whatever happens. */
static int add_node(struct loader *loader, const struct conf_node_line *line,
                    const struct expanded *lists, uint32_t i, struct conf_at at, struct err *err)
{
    struct slurm_conf *conf = loader->conf;
    const char *name = hostlist_get(lists->names, i);
    const char *hostname = lists->hostnames ? pick(lists->hostnames, i) : name;
    const char *addr = lists->addrs ? pick(lists->addrs, i) : hostname;
    struct conf_node *node;
    int rc;

    if (load_find_node(loader, name) >= 0) {
        conf_notes_add(loader->notes, CONF_NOTE_VALUE, at,
                       "node %s has a line already; this one does not count", name);
        return 0;
    }
    if (conf->nodes_n == CONF_NODES_MAX)
        return conf_err(err, E_TOO_BIG, at, "node %s: more than %d nodes", name, CONF_NODES_MAX);
    node = ARRAY_PUSH(conf->nodes, conf->nodes_n);
    *node = (struct conf_node){
        .name = xstrdup(name),
        .addr = xstrdup(addr),
        .hostname = xstrdup(hostname),
        .weight = line->weight,
        .core_spec_n = line->core_spec_n,
        .memory_mb = line->memory_mb == CONF_MB_UNSET ? 1 : line->memory_mb,
        .memory_given = line->memory_mb != CONF_MB_UNSET,
        .tmp_disk_mb = line->tmp_disk_mb,
        .mem_spec_mb = line->mem_spec_mb,
        .state = line->state,
        .cpu_bind = line->cpu_bind,
        .cpu_spec_list = xstrdup(line->cpu_spec_list),
        .features = xstrdup(line->features),
        .gres = xstrdup(line->gres),
        .reason = xstrdup(line->reason),
        .at = at,
    };
    index_add(loader, node->name, conf->nodes_n - 1);
    rc = read_port(loader, pick(lists->ports, i), node, err);
    if (rc == 0)
        rc = count_cpus(loader, line, node, err);
    return rc < 0 ? rc : check_system_share(loader, node, err);
}

static int expand_all(const struct conf_node_line *line, struct conf_at at, struct expanded *lists,
                      struct err *err)
{
    struct err why = { 0 };
    uint32_t n;
    int rc = hostlist_parse(line->names ? line->names : "", &lists->names, &why);

    if (rc < 0)
        return conf_err(err, -rc, at, "NodeName: %s", why.text);
    n = hostlist_count(lists->names);
    if (n == 0)
        return conf_err(err, EINVAL, at, "NodeName= names no node");
    rc = expand("NodeHostname", line->hostnames, n, at, &lists->hostnames, err);
    if (rc >= 0)
        rc = expand("NodeAddr", line->addrs, n, at, &lists->addrs, err);
    if (rc >= 0)
        rc = expand("Port", line->ports, n, at, &lists->ports, err);
    return rc;
}

static int add_nodes(struct loader *loader, const struct conf_node_line *line, struct conf_at at,
                     struct err *err)
{
    struct expanded lists = { 0 };
    int rc = expand_all(line, at, &lists, err);

    if (rc >= 0)
        rc = load_count_hosts(loader, hostlist_count(lists.names), at, err);
    for (uint32_t i = 0; rc >= 0 && i < hostlist_count(lists.names); i++)
        rc = add_node(loader, line, &lists, i, at, err);
    expanded_free(&lists);
    return rc;
}

int load_node_line(struct loader *loader, struct conf_pairs pairs, struct conf_node_line *defaults,
                   struct err *err)
{
    const struct conf_key *table = conf_node_keys();
    struct conf_node_line line = { 0 };
    int rc;

    if (pairs.at->value && word_is(pairs.at->value, "DEFAULT"))
        return load_pairs(loader, table, (struct conf_pairs){ pairs.at + 1, pairs.n - 1 }, defaults,
                          err);
    conf_values_copy(table, defaults, &line);
    rc = load_pairs(loader, table, pairs, &line, err);
    if (rc >= 0)
        rc = add_nodes(loader, &line, pairs.at->at, err);
    conf_values_clear(table, &line);
    return rc;
}

static void set_down(struct loader *loader, const struct conf_node_line *line, const char *name,
                     struct conf_at at)
{
    int64_t i = load_find_node(loader, name);
    struct conf_node *node;

    if (i < 0) {
        conf_notes_add(loader->notes, CONF_NOTE_VALUE, at, "DownNodes: there is no node %s", name);
        return;
    }
    node = &loader->conf->nodes[i];
    node->state = line->state;
    xstrset(&node->reason, line->reason);
}

int load_down_line(struct loader *loader, struct conf_pairs pairs, struct err *err)
{
    const struct conf_key *table = conf_down_keys();
    struct conf_node_line line = { 0 };
    struct hostlist *names = NULL;
    struct err why = { 0 };
    int rc;

    conf_values_preset(table, &line);
    rc = load_pairs(loader, table, pairs, &line, err);
    if (rc >= 0) {
        rc = hostlist_parse(line.names ? line.names : "", &names, &why);
        if (rc < 0)
            rc = conf_err(err, -rc, pairs.at->at, "DownNodes: %s", why.text);
        else
            rc = load_count_hosts(loader, hostlist_count(names), pairs.at->at, err);
    }
    for (uint32_t i = 0; rc >= 0 && i < hostlist_count(names); i++)
        set_down(loader, &line, hostlist_get(names, i), pairs.at->at);
    hostlist_free(names);
    conf_values_clear(table, &line);
    return rc;
}
