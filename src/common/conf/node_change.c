#include "common/conf/node_change.h"

#include <string.h>

#include "common/conf/beside.h"
#include "common/conf/load.h"
#include "common/text/hostlist.h"
#include "common/text/words.h"

/* ---- as they were ---- */

static void copy_device(const struct conf_device *from, struct conf_device *to)
{
    *to = *from;
    to->name = xstrdup(from->name);
    to->type = xstrdup(from->type);
    to->cores = xmemdup(from->cores, from->cores_n * sizeof(*from->cores));
    to->files = NULL;
    to->files_n = 0;
    for (uint32_t i = 0; i < from->files_n; i++)
        *ARRAY_PUSH(to->files, to->files_n) = xstrdup(from->files[i]);
}

static void copy_node(const struct conf_node *from, struct conf_node *to)
{
    *to = *from;
    to->name = xstrdup(from->name);
    to->addr = xstrdup(from->addr);
    to->hostname = xstrdup(from->hostname);
    to->cpu_spec_list = xstrdup(from->cpu_spec_list);
    to->features = xstrdup(from->features);
    to->active_features = xstrdup(from->active_features);
    to->gres = xstrdup(from->gres);
    to->reason = xstrdup(from->reason);
    to->devices = NULL;
    to->devices_n = 0;
    for (uint32_t i = 0; i < from->devices_n; i++)
        copy_device(&from->devices[i], ARRAY_PUSH(to->devices, to->devices_n));
}

struct conf_nodes conf_nodes_copy(const struct slurm_conf *conf)
{
    struct conf_nodes copy = { 0 };

    for (uint32_t i = 0; i < conf->nodes_n; i++)
        copy_node(&conf->nodes[i], ARRAY_PUSH(copy.at, copy.n));
    return copy;
}

void conf_nodes_swap(struct conf_nodes *nodes, struct slurm_conf *conf)
{
    const struct conf_nodes other = *nodes;

    *nodes = (struct conf_nodes){ conf->nodes, conf->nodes_n };
    conf->nodes = other.at;
    conf->nodes_n = other.n;
}

void conf_nodes_clear(struct conf_nodes *nodes)
{
    for (uint32_t i = 0; i < nodes->n; i++)
        conf_node_clear(&nodes->at[i]);
    free(nodes->at);
    *nodes = (struct conf_nodes){ 0 };
}

void conf_nodes_auto_(struct conf_nodes *nodes)
{
    conf_nodes_clear(nodes);
}

/* ---- changing them ---- */

bool conf_node_change_is_any(const struct conf_node_change *change)
{
    return change->weight != CONF_UNSET || change->cpu_bind != CONF_UNSET || change->features ||
           change->active_features || change->gres || change->addrs || change->hostnames;
}

static int check_active(const char *name, const char *active, const char *features, struct err *err)
{
    AUTO(words) struct words some = words_split(active ? active : "", ",");
    AUTO(words) struct words all = words_split(features ? features : "", ",");

    for (uint32_t i = 0; i < some.n; i++) {
        uint32_t k = 0;

        while (k < all.n && strcmp(some.at[i], all.at[k]) != 0)
            k++;
        if (k == all.n)
            return err_set(err, E_ACTIVE_FEATURES,
                           "node %s: '%.80s' is active but not among '%.200s': name both Features= "
                           "and ActiveFeatures=",
                           name, some.at[i], features ? features : "");
    }
    return 0;
}

/*
 * Sets features. As in Slurm all new ones become active, but those active until then must be among
 * them.
 */
static int set_features(struct conf_node *node, const struct conf_node_change *change,
                        struct err *err)
{
    const char *was = node->active_features ? node->active_features : node->features;
    int rc = check_active(node->name, change->active_features ? change->active_features : was,
                          change->features ? change->features : node->features, err);

    if (rc < 0)
        return rc;
    if (change->features)
        xstrset(&node->features, *change->features ? change->features : NULL);
    if (change->features || change->active_features)
        xstrset(&node->active_features, change->active_features);
    return 0;
}

static int set_values(const struct slurm_conf *conf, struct conf_node *node,
                      const struct conf_node_change *change, struct err *err)
{
    int rc = set_features(node, change, err);

    if (change->weight != CONF_UNSET)
        node->weight = change->weight;
    if (change->cpu_bind != CONF_UNSET)
        node->cpu_bind = change->cpu_bind;
    if (rc == 0 && change->gres)
        rc = conf_node_set_gres(conf, node, change->gres, err);
    return rc;
}

/* Reads a list with one entry for each name; *ret is NULL when nothing is said. */
static int read_list(const char *key, const char *text, uint32_t names_n, struct hostlist **ret,
                     struct err *err)
{
    int rc = text ? hostlist_parse(text, ret, err) : 0;

    if (rc < 0)
        return err_prefix(err, "%s", key);
    if (text && hostlist_count(*ret) != names_n)
        return err_set(err, E_NODE_NAME, "%s=%.80s names %u, for %u nodes", key, text,
                       hostlist_count(*ret), names_n);
    return 0;
}

struct lists {
    struct hostlist *names, *addrs, *hostnames;
};

static int change_each(struct slurm_conf *conf, const struct conf_node_change *change,
                       const struct lists *lists, struct err *err)
{
    struct loader loader = { .conf = conf };
    int rc = 0;

    load_index_nodes(&loader);
    for (uint32_t i = 0; rc == 0 && i < hostlist_count(lists->names); i++) {
        const char *name = hostlist_get(lists->names, i);
        const int64_t at = load_find_node(&loader, name);
        struct conf_node *node = at >= 0 ? &conf->nodes[at] : NULL;

        if (!node) {
            rc = err_set(err, E_NODE_NAME, "%s: %.80s", err_string(E_NODE_NAME), name);
            break;
        }
        rc = set_values(conf, node, change, err);
        if (lists->hostnames)
            xstrset(&node->hostname, hostlist_get(lists->hostnames, i));
        if (lists->addrs)
            xstrset(&node->addr, hostlist_get(lists->addrs, i));
        node->addr_told |= lists->addrs != NULL;
    }
    load_index_free(&loader);
    return rc;
}

int conf_nodes_change(struct slurm_conf *conf, const struct conf_node_change *change,
                      struct err *err)
{
    struct lists lists = { 0 };
    uint32_t n;
    int rc = hostlist_parse(change->names, &lists.names, err);

    if (rc < 0)
        return rc;
    n = hostlist_count(lists.names);
    rc = read_list("NodeAddr", change->addrs, n, &lists.addrs, err);
    if (rc == 0)
        rc = read_list("NodeHostName", change->hostnames, n, &lists.hostnames, err);
    if (rc == 0)
        rc = change_each(conf, change, &lists, err);
    hostlist_free(lists.names);
    hostlist_free(lists.addrs);
    hostlist_free(lists.hostnames);
    return rc;
}

/* ---- sets of nodes ---- */

/*
 * Returns the first node on a host, or NULL. Only here does Slurm accept the name of a host for
 * that of a node.
 */
static const struct conf_node *find_by_host(const struct slurm_conf *conf, const char *host)
{
    for (uint32_t i = 0; i < conf->nodes_n; i++) {
        if (strcmp(conf->nodes[i].hostname, host) == 0)
            return &conf->nodes[i];
    }
    return NULL;
}

static int add_named(struct loader *loader, const char *name, struct hostlist *list,
                     struct err *err)
{
    struct conf_partition set = { .nodes_text = (char *)(uintptr_t)name };
    AUTO(strbuf) struct strbuf unknown = { 0 };
    const bool is_node = load_find_node(loader, name) >= 0;
    const struct conf_node *there = is_node ? NULL : find_by_host(loader->conf, name);
    uint32_t unknown_n;
    int rc = 0;

    if (!is_node && !word_is(name, "ALL"))
        rc = load_partition_nodes(loader, &set, &unknown, &unknown_n, err);
    for (uint32_t i = 0; i < set.nodes_n; i++)
        hostlist_add(list, loader->conf->nodes[set.nodes[i]].name);
    if (set.nodes_n == 0)
        hostlist_add(list, there ? there->name : name);
    free(set.nodes);
    return rc;
}

int conf_nodes_named(struct slurm_conf *conf, const char *names, char **ret, struct err *err)
{
    struct loader loader = { .conf = conf };
    AUTO(hostlist) struct hostlist *given = NULL;
    AUTO(hostlist) struct hostlist *list = hostlist_new();
    int rc = hostlist_parse(names, &given, err);

    if (rc < 0)
        return rc;
    load_index_nodes(&loader);
    for (uint32_t i = 0; rc == 0 && i < hostlist_count(given); i++)
        rc = add_named(&loader, hostlist_get(given, i), list, err);
    load_index_free(&loader);
    if (rc == 0)
        *ret = hostlist_format(list);
    return rc;
}
