#include "ctld/model/model.h"

#include <string.h>

#include "common/text/hostlist.h"
#include "common/msg/tres.h"
#include "common/text/words.h"
#include "ctld/model/exempt.h"
#include "ctld/model/gres.h"
#include "ctld/model/license.h"

void model_config_clear(struct model_config *config)
{
    free(config->slurm_user);
    for (uint32_t i = 0; i < config->nodes_n; i++)
        node_info_clear(&config->nodes[i]);
    for (uint32_t i = 0; i < config->partitions_n; i++)
        partition_info_clear(&config->partitions[i]);
    for (uint32_t i = 0; i < config->switches_n; i++)
        switch_info_clear(&config->switches[i]);
    for (uint32_t i = 0; i < config->licenses_n; i++)
        license_info_clear(&config->licenses[i]);
    for (uint32_t i = 0; i < config->gres_types_n; i++)
        free(config->gres_types[i]);
    tres_weights_clear(&config->priority.weight_tres);
    bitset_clear(&config->requeue_exit);
    bitset_clear(&config->requeue_exit_hold);
    free(config->nodes);
    free(config->partitions);
    free(config->switches);
    free(config->licenses);
    free(config->gres_types);
    free(config->cluster_name);
    free(config->accounting_tres);
    free(config->default_qos);
    free(config->controller_host);
    free(config->conf_path);
    *config = (struct model_config){ 0 };
}

/* Completes the hardware as slurmd counts where only cpus are given: each a socket of its own. */
static void complete_hardware(struct node_info *conf)
{
    uint32_t counted;

    if (conf->cores_per_socket == 0)
        conf->cores_per_socket = 1;
    if (conf->threads_per_core == 0)
        conf->threads_per_core = 1;
    if (conf->sockets == 0)
        conf->sockets = conf->cpus / (conf->cores_per_socket * conf->threads_per_core);
    if (conf->sockets == 0)
        conf->sockets = 1;
    counted = conf->sockets * conf->cores_per_socket * conf->threads_per_core;
    if (conf->cpus == 0)
        conf->cpus = counted;
    if (conf->boards == 0)
        conf->boards = 1;
}

static void split_features(struct node *node)
{
    const char *active = node->conf->active_features;
    struct words words = words_split(active ? active : "", ",");

    node->features = words.at;
    node->features_n = words.n;
}

static int add_node(struct model *model, uint32_t index, struct err *err)
{
    struct node_info *conf = &model->config.nodes[index];
    struct node *node = &model->nodes[index];

    if (!conf->node || !conf->node->name)
        return err_set(err, E_NODE_NAME, "node %u of the configuration has no name", index + 1);
    if (model_find_node(model, conf->node->name))
        return err_set(err, E_NODE_NAME, "node %s is configured twice", conf->node->name);
    complete_hardware(conf);
    if (!conf->active_features)
        conf->active_features = xstrdup(conf->features);
    schema_copy(node_record_schema(), &node->rec, conf->node);
    node->index = index;
    node->conf = conf;
    node->load_percent = COUNT_UNSET;
    node->free_memory_mb = MB_UNSET;
    split_features(node);
    bitset_init(&node->cpus_used, conf->cpus);
    node->cpu_jobs = xcalloc(conf->cpus, sizeof(*node->cpu_jobs));
    if (node_init_gres(node, err) < 0)
        return err_prefix(err, "node %s", node->rec.name);
    HASH_ADD_KEYPTR(hh, model->node_by_name, node->rec.name, strlen(node->rec.name), node);
    return 0;
}

static int add_partition_nodes(const struct model *model, struct partition *part, struct err *err)
{
    AUTO(hostlist) struct hostlist *names = NULL;
    int rc = hostlist_parse(part->conf->nodes ? part->conf->nodes : "", &names, err);

    if (rc < 0)
        return err_prefix(err, "partition %s", part->conf->name);
    for (uint32_t i = 0; i < hostlist_count(names); i++) {
        const struct node *node = model_find_node(model, hostlist_get(names, i));

        if (!node)
            return err_set(err, E_NODE_NAME, "partition %s: node %s is not configured",
                           part->conf->name, hostlist_get(names, i));
        bitset_add(&part->nodes, node->index);
    }
    return 0;
}

static void count_partition(const struct model *model, struct partition *part,
                            struct partition_info *conf)
{
    AUTO(tres) struct tres tres = { .nodes = bitset_count(&part->nodes) };

    part->node_cpus = 0;
    BITSET_FOREACH (&part->nodes, i) {
        const struct node_info *node = model->nodes[i].conf;

        tres.cpus += node->cpus;
        if (node->cpus > part->node_cpus)
            part->node_cpus = node->cpus;
        tres.mem_mb += node->memory_mb;
        tres_add_gres(&tres, node->gres);
    }
    conf->total_nodes = (uint32_t)tres.nodes;
    conf->total_cpus = (uint32_t)tres.cpus;
    conf->total_memory_mb = tres.mem_mb;
    free(conf->total_gres);
    conf->total_gres = gres_format(&tres.gres);
}

static int add_partition(struct model *model, uint32_t index, struct err *err)
{
    struct partition_info *conf = &model->config.partitions[index];
    struct partition *part = &model->partitions[index];

    if (!conf->name)
        return err_set(err, E_PARTITION_NAME, "partition %u of the configuration has no name",
                       index + 1);
    part->conf = conf;
    part->index = index;
    bitset_init(&part->nodes, model->nodes_n);
    if (word_is(conf->nodes, "ALL"))
        bitset_fill(&part->nodes);
    else if (add_partition_nodes(model, part, err) < 0)
        return -1;
    count_partition(model, part, conf);
    return 0;
}

int model_new(struct model_config *config, struct model **ret, struct err *err)
{
    struct model *model = xcalloc(1, sizeof(*model));
    struct err why = { 0 };
    int rc = 0;

    model->config = *config;
    *config = (struct model_config){ 0 };
    model_reset_licenses(model);
    model->nodes = xcalloc(model->config.nodes_n, sizeof(*model->nodes));
    model->nodes_n = model->config.nodes_n;
    model->partitions = xcalloc(model->config.partitions_n, sizeof(*model->partitions));
    model->partitions_n = model->config.partitions_n;
    model->next_job_id = model->config.first_job_id ? model->config.first_job_id : 1;
    for (uint32_t i = 0; rc == 0 && i < model->nodes_n; i++)
        rc = add_node(model, i, &why);
    for (uint32_t i = 0; rc == 0 && i < model->partitions_n; i++)
        rc = add_partition(model, i, &why);
    if (rc < 0) {
        model_free(model);
        return err_set(err, why.code, "%s", why.text);
    }
    *ret = model;
    return 0;
}

static void clear_node(struct node *node)
{
    struct words features = { node->features, node->features_n };

    words_clear(&features);
    node_record_clear(&node->rec);
    bitset_clear(&node->cpus_used);
    bitset_clear(&node->devices_used);
    free(node->cpu_jobs);
    free(node->gres_used);
    free(node->address);
    free(node->noted);
    free(node->resv_name);
}

struct model *model_free(struct model *model)
{
    if (!model)
        return NULL;
    for (struct job *job = model->jobs, *next; job; job = next) {
        next = job->hh.next;
        model_drop_job(model, job);
    }
    model_clear_exempt(model);
    model_clear_licenses(model);
    HASH_CLEAR(hh, model->node_by_name);
    for (uint32_t i = 0; i < model->nodes_n; i++)
        clear_node(&model->nodes[i]);
    for (uint32_t i = 0; i < model->partitions_n; i++)
        bitset_clear(&model->partitions[i].nodes);
    free(model->nodes);
    free(model->partitions);
    model_config_clear(&model->config);
    free(model);
    return NULL;
}

struct node *model_node(const struct model *model, uint32_t index)
{
    return index < model->nodes_n ? &model->nodes[index] : NULL;
}

struct node *model_find_node(const struct model *model, const char *name)
{
    struct node *node;

    HASH_FIND(hh, model->node_by_name, name, strlen(name), node);
    return node;
}

struct partition *model_find_partition(const struct model *model, const char *name)
{
    for (uint32_t i = 0; i < model->partitions_n; i++) {
        if (strcmp(model->partitions[i].conf->name, name) == 0)
            return &model->partitions[i];
    }
    return NULL;
}

struct partition *model_default_partition(const struct model *model)
{
    for (uint32_t i = 0; i < model->partitions_n; i++) {
        if (model->partitions[i].conf->is_default)
            return &model->partitions[i];
    }
    return NULL;
}

/* Reads a host list into `ret`, which is empty on failure. Names of nodes that there are not are
 * passed over, or the first of them is refused. */
static int read_nodes(const struct model *model, const char *hosts, bool passes_over,
                      struct bitset *ret, struct err *err)
{
    AUTO(hostlist) struct hostlist *names = NULL;
    int rc = hostlist_parse(hosts, &names, err);

    if (rc < 0)
        return rc;
    bitset_init(ret, model->nodes_n);
    for (uint32_t i = 0; i < hostlist_count(names); i++) {
        const struct node *node = model_find_node(model, hostlist_get(names, i));

        if (node) {
            bitset_add(ret, node->index);
        } else if (!passes_over) {
            bitset_clear(ret);
            return err_set(err, E_NODE_NAME, "Invalid node name specified: %s",
                           hostlist_get(names, i));
        }
    }
    return 0;
}

int model_node_set(const struct model *model, const char *hosts, struct bitset *ret,
                   struct err *err)
{
    return read_nodes(model, hosts, false, ret, err);
}

int model_known_nodes(const struct model *model, const char *hosts, struct bitset *ret,
                      struct err *err)
{
    return read_nodes(model, hosts, true, ret, err);
}

char *model_node_names(const struct model *model, const struct bitset *nodes)
{
    AUTO(hostlist) struct hostlist *names = hostlist_new();

    BITSET_FOREACH (nodes, node)
        hostlist_add(names, model->nodes[node].rec.name);
    hostlist_sort(names);
    return hostlist_format(names);
}
