/* check_nodes.c - NodeName lines that cannot work together, or not with the rest of the file. */
#include <string.h>

#include "common/conf/check_parts.h"
#include "common/text/words.h"

static bool is_future(const struct conf_node *node)
{
    return node->state == CONF_NODE_FUTURE || node->state == CONF_NODE_CLOUD;
}

static bool counts_memory(const struct slurm_conf *conf)
{
    return (conf->select_params & SELECT_MEMORY) || conf->def_mem.mb || conf->max_mem.mb;
}

/* Returns the nodes of one line of the file, as "a[1-9]", in new memory. */
static char *line_nodes(const struct slurm_conf *conf, uint32_t first, uint32_t *ret_next)
{
    struct hostlist *list = hostlist_new();
    uint32_t i = first;
    char *text;

    for (; i < conf->nodes_n && conf->nodes[i].at.line == conf->nodes[first].at.line &&
           conf->nodes[i].at.file == conf->nodes[first].at.file;
         i++)
        hostlist_add(list, conf->nodes[i].name);
    *ret_next = i;
    text = check_names(list);
    hostlist_free(list);
    return text;
}

/* Notes what is alike for all nodes of a line, once for each line. */
static void check_lines(const struct check *check)
{
    const struct slurm_conf *conf = check->conf;

    for (uint32_t i = 0, next; i < conf->nodes_n; i = next) {
        const struct conf_node *node = &conf->nodes[i];
        AUTO_FREE char *names = line_nodes(conf, i, &next);

        if (node->state == CONF_NODE_CLOUD)
            conf_notes_add(check->notes, CONF_NOTE_VALUE, node->at,
                           "node %s: State=CLOUD: there is no power saving, so it is a node as "
                           "others are, and DOWN until its slurmd is there",
                           names);
        if (is_future(node))
            continue;
        if (!node->memory_given && counts_memory(conf))
            conf_notes_add(
                check->notes, CONF_NOTE_VALUE, node->at,
                "node %s: no RealMemory=, so jobs find 1 MB there, and memory is counted "
                "(SelectTypeParameters); `slurmd -C` on the node tells it",
                names);
        if (!node->cpus_given)
            conf_notes_add(check->notes, CONF_NOTE_VALUE, node->at,
                           "node %s: neither CPUs= nor Sockets= and such, so it has 1 CPU; "
                           "`slurmd -C` on the node tells them",
                           names);
    }
}

/* Returns whether a path differs between nodes, as two daemons on one machine need it. */
static bool tells_nodes_apart(const char *path)
{
    return path && (strstr(path, "%n") || !path[0]);
}

static void check_same_host(const struct check *check, const struct conf_node *a,
                            const struct conf_node *b)
{
    const struct slurm_conf *conf = check->conf;

    if (a->port == b->port)
        conf_notes_add(check->notes, CONF_NOTE_WRONG, b->at,
                       "nodes %s and %s are both on %s with port %u; give one of them Port=",
                       a->name, b->name, b->addr, b->port);
    if (!tells_nodes_apart(conf->slurmd_spool_dir))
        conf_notes_add(check->notes, CONF_NOTE_WRONG, b->at,
                       "nodes %s and %s are both on %s and would share SlurmdSpoolDir=%s; put %%n "
                       "into it",
                       a->name, b->name, b->addr, conf->slurmd_spool_dir);
    if (!tells_nodes_apart(conf->slurmd_pid_file))
        conf_notes_add(check->notes, CONF_NOTE_WRONG, b->at,
                       "nodes %s and %s are both on %s and would share SlurmdPidFile=%s; put %%n "
                       "into it",
                       a->name, b->name, b->addr, conf->slurmd_pid_file);
}

static int compare_places(const void *a, const void *b)
{
    const struct conf_node *const *one = a, *const *other = b;
    int order = strcmp((*one)->addr, (*other)->addr);

    return order ? order : (*one > *other) - (*one < *other);
}

/*
 * Looks for nodes that share a host, sorted by address, so that 65536 nodes take no long time. One
 * pair for each host is noted.
 */
static void check_hosts(const struct check *check)
{
    const struct slurm_conf *conf = check->conf;
    AUTO_FREE const struct conf_node **by_addr = xcalloc(conf->nodes_n, sizeof(*by_addr));
    bool said = false;

    for (uint32_t i = 0; i < conf->nodes_n; i++)
        by_addr[i] = &conf->nodes[i];
    if (conf->nodes_n)
        qsort(by_addr, conf->nodes_n, sizeof(*by_addr), compare_places);
    for (uint32_t i = 1; i < conf->nodes_n; i++) {
        bool same = strcmp(by_addr[i - 1]->addr, by_addr[i]->addr) == 0;

        if (same && !said && !is_future(by_addr[i]))
            check_same_host(check, by_addr[i - 1], by_addr[i]);
        said = same;
    }
}

static bool some_node_has(const struct slurm_conf *conf, const char *feature)
{
    for (uint32_t i = 0; i < conf->nodes_n; i++) {
        AUTO(words)
        struct words has = words_split(conf->nodes[i].features ? conf->nodes[i].features : "", ",");

        if (words_have_exactly(&has, feature))
            return true;
    }
    return false;
}

static void check_sets(const struct check *check)
{
    for (uint32_t i = 0; i < check->conf->nodesets_n; i++) {
        const struct conf_nodeset *set = &check->conf->nodesets[i];

        if (set->feature && !some_node_has(check->conf, set->feature))
            conf_notes_add(check->notes, CONF_NOTE_VALUE, set->at,
                           "NodeSet=%s: no node has Feature=%s", set->name, set->feature);
        if (!set->feature && !set->nodes)
            conf_notes_add(check->notes, CONF_NOTE_WRONG, set->at,
                           "NodeSet=%s has neither Nodes= nor Feature=", set->name);
    }
}

void check_nodes(const struct check *check)
{
    if (check->conf->nodes_n == 0)
        conf_notes_add(check->notes, CONF_NOTE_WRONG, check_at(check, "NodeName"),
                       "no NodeName line: there is nothing that jobs could run on");
    check_lines(check);
    check_hosts(check);
    check_sets(check);
}
