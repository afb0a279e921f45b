/* Nodes, partitions, switches, pools and policy, for the planner. */
#include "ctld/control/feed/snapshot.h"

#include "ctld/control/feed/policy.h"

static struct plan_partition partition_of(const struct partition *partition)
{
    const struct partition_info *conf = partition->conf;

    return (struct plan_partition){
        .nodes = partition->nodes,
        .tier = conf->priority_tier,
        .starts_jobs = conf->state == PARTITION_UP || conf->state == PARTITION_DRAIN,
        .share = (enum oversubscribe_mode)conf->share,
        .jobs_per_cpu = conf->share_max ? conf->share_max : 1,
        .nodes_max = conf->max_nodes < COUNT_UNSET ? conf->max_nodes : 0,
        .cpus_per_node_max = conf->max_cpus_per_node < COUNT_UNSET ? conf->max_cpus_per_node : 0,
        .user_exclusive = conf->exclusive_user,
        .least_loaded = conf->lln,
        .select = conf->select,
    };
}

/* Returns the switches, or none when the topology is flat. */
static struct plan_switch *switches_of(const struct model *model, uint32_t *ret_n)
{
    const struct model_config *config = &model->config;
    const uint32_t n = config->topology == TOPOLOGY_TREE ? config->switches_n : 0;
    struct plan_switch *switches = xcalloc(n, sizeof(*switches));

    *ret_n = n;
    for (uint32_t i = 0; i < n; i++) {
        switches[i] = (struct plan_switch){
            .name = config->switches[i].name,
            .level = config->switches[i].level,
        };
        if (!config->switches[i].nodes ||
            model_node_set(model, config->switches[i].nodes, &switches[i].nodes, NULL) < 0)
            bitset_init(&switches[i].nodes, model->nodes_n);
    }
    return switches;
}

uint32_t feed_license_pools_n(const struct model *model)
{
    return model->licenses_n + 1;
}

/* Returns a pool for each licence, in their order, and an empty one that stands for all which are
 * not there any more. */
static struct plan_pool *pools_of(const struct model *model)
{
    struct plan_pool *pools = NULL;
    uint32_t n = 0;

    while (n < model->licenses_n) {
        const struct license_info *license = &model->licenses[n];

        *ARRAY_PUSH(pools, n) = (struct plan_pool){
            .name = license->name,
            .total = license->total - license->last_deficit,
            .reason = REASON_LICENSES,
        };
    }
    *ARRAY_PUSH(pools, n) = (struct plan_pool){ .reason = REASON_LICENSES };
    return pools;
}

/* Returns the parameter, or 0, which is no limit, where the file does not set it. */
static uint64_t given(uint64_t param)
{
    return param == SCHED_UNSET ? 0 : param;
}

/* True if the file bounds what is planned. As in Slurm, all that the bounds let be looked at is
 * then planned. */
static bool is_bounded(const struct sched_params *sched)
{
    return sched->bf_max_job_test != SCHED_UNSET || sched->bf_max_job_user != SCHED_UNSET ||
           sched->bf_max_job_part != SCHED_UNSET || sched->bf_min_age_reserve != SCHED_UNSET ||
           sched->bf_min_prio_reserve != SCHED_UNSET;
}

struct plan_policy control_policy(const struct model_config *config)
{
    const struct sched_params *sched = &config->sched;
    struct plan_policy policy = plan_policy_default();

    if (!config->backfill || is_bounded(sched))
        policy = (struct plan_policy){ .backfill = config->backfill };
    else if (config->priority.multifactor)
        policy.turn = PLAN_TURN_RANK;
    policy.select = config->select;
    policy.limits_stop = sched->assoc_limit_stop;
    policy.spares_first = sched->spec_cores_first;
    policy.tries_max = (uint32_t)given(sched->bf_max_job_test);
    policy.tries_per_user = (uint32_t)given(sched->bf_max_job_user);
    policy.tries_per_partition = (uint32_t)given(sched->bf_max_job_part);
    policy.starts_max = (uint32_t)given(sched->bf_max_job_start);
    policy.window_ms = (int64_t)given(sched->bf_window) * 60 * 1000;
    policy.resolution_ms = (int64_t)given(sched->bf_resolution) * 1000;
    policy.reserve_age_ms = (int64_t)given(sched->bf_min_age_reserve) * 1000;
    policy.reserve_priority = given(sched->bf_min_prio_reserve);
    return policy;
}

void feed_fill_cluster(const struct model *model, struct plan_snapshot *ret)
{
    struct plan_node *nodes = xcalloc(model->nodes_n, sizeof(*nodes));
    struct plan_partition *partitions = xcalloc(model->partitions_n, sizeof(*partitions));

    for (uint32_t i = 0; i < model->nodes_n; i++)
        feed_fill_node(model, &model->nodes[i], &nodes[i]);
    for (uint32_t i = 0; i < model->partitions_n; i++)
        partitions[i] = partition_of(&model->partitions[i]);
    *ret = (struct plan_snapshot){
        .policy = control_policy(&model->config),
        .nodes = nodes,
        .nodes_n = model->nodes_n,
        .partitions = partitions,
        .partitions_n = model->partitions_n,
        .pools = pools_of(model),
        .pools_n = feed_license_pools_n(model),
    };
    ret->switches = switches_of(model, &ret->switches_n);
}

void feed_clear_cluster(struct plan_snapshot *snapshot)
{
    for (uint32_t i = 0; i < snapshot->nodes_n; i++)
        feed_clear_node((struct plan_node *)&snapshot->nodes[i]);
    for (uint32_t i = 0; i < snapshot->switches_n; i++)
        bitset_clear((struct bitset *)&snapshot->switches[i].nodes);
    free((void *)snapshot->nodes);
    free((void *)snapshot->partitions);
    free((void *)snapshot->switches);
    free((void *)snapshot->pools);
    *snapshot = (struct plan_snapshot){ 0 };
}
