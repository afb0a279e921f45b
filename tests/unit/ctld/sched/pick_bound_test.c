#include "unit/check_main.h"

#include "ctld/sched/place/demand.h"
#include "ctld/sched/pick/bound.h"
#include "unit/ctld/sched/sim.h"

/* Empty nodes of two sockets with four cores and one gpu each, and a job bound to these. */
struct scene {
    struct sim *sim;
    struct sched_cluster cluster;
    struct demand demand;
    struct pick_node nodes[4];
    uint32_t n;
};

static struct scene scene_new(uint32_t nodes, const char *job)
{
    AUTO_FREE char *first = xasprintf("nodes=%ux2x4x1 select=core", nodes);
    AUTO_FREE char *line = xasprintf("a: %s binds", job);
    struct scene scene = { .sim = sim_new(first) };

    for (uint32_t i = 0; i < nodes; i++) {
        AUTO_FREE char *node = xasprintf("%u: gres=gpu::1@0-3,gpu::1@4-7", i);

        sim_node(scene.sim, node);
    }
    sim_job(scene.sim, line);
    sched_cluster_init(&scene.cluster, &scene.sim->snapshot);
    demand_init(&scene.demand, &scene.sim->jobs[0].ask.shape, scene.sim->snapshot.policy.select,
                &scene.cluster.partitions[0]);
    for (uint32_t i = 0; i < nodes; i++) {
        const struct sched_node *node = &scene.cluster.nodes[i];
        struct pick_node *offer = &scene.nodes[scene.n++];

        *offer = (struct pick_node){ .node = i, .of = node, .free = &node->all };
        offer->tasks = demand_tasks(&scene.demand, node, &node->all, &offer->share);
    }
    return scene;
}

static void scene_clear(struct scene *scene)
{
    demand_clear(&scene->demand);
    sched_cluster_clear(&scene->cluster);
    sim_free(scene->sim);
}

static struct pick_rule rule_of(const struct scene *scene)
{
    struct pick_rule rule = {
        .nodes_min = 1,
        .nodes_max = scene->n,
        .tasks = scene->demand.tasks,
        .pooled_n = scene->demand.gres.pooled_n,
        .offers = &scene->demand,
    };

    memcpy(rule.pooled, scene->demand.gres.pooled, sizeof(rule.pooled));
    return rule;
}

/* "0:8/2 1:4/1": most tasks and gpus of each node. */
static char *words_of(const struct pick_node *nodes, uint32_t n)
{
    struct strbuf out = { 0 };

    for (uint32_t i = 0; i < n; i++)
        strbuf_addf(&out, "%s%u:%u/%llu", i ? " " : "", nodes[i].node, nodes[i].tasks,
                    (unsigned long long)nodes[i].share.pooled[0]);
    return out.len ? strbuf_steal(&out) : xstrdup("");
}

static const struct {
    const char *job;
    uint32_t nodes_min, nodes_max;
    bool many, contiguous;
    const char *picked;
} table[] = {
    { "tasks=4 gres-job=gpu::1", 1, 3, false, false, "0:4/1" },
    { "tasks=5 gres-job=gpu::1", 1, 3, false, false, "" },
    { "tasks=8 gres-job=gpu::2", 1, 3, false, false, "0:8/2" },
    { "tasks=9 gres-job=gpu::2", 1, 3, false, false, "" },
    { "tasks=8 gres-job=gpu::2", 2, 3, false, false, "0:4/1 1:4/1" },
    { "tasks=9 gres-job=gpu::3", 1, 3, false, false, "0:8/2 1:4/1" },
    { "tasks=9 gres-job=gpu::3", 1, 1, false, false, "" },
    { "tasks=3 gres-job=gpu::3", 1, 3, true, false, "0:3/1 1:3/1 2:3/1" },
    { "tasks=4 gres-job=gpu::4", 1, 3, true, false, "0:4/2 1:4/1 2:4/1" },
    { "tasks=4 gres-job=gpu::7", 1, 3, false, false, "" },
    { "tasks=12 gres-job=gpu::3", 1, 3, false, true, "0:8/2 1:4/1" },
};

START_TEST(nodes_and_shares_are_chosen_together)
{
    struct scene scene = scene_new(3, table[_i].job);
    struct pick_rule rule = rule_of(&scene);
    struct pick_node picked[4];
    AUTO_FREE char *words = NULL;

    rule.nodes_min = table[_i].nodes_min;
    rule.nodes_max = table[_i].nodes_max;
    rule.many = table[_i].many;
    rule.contiguous = table[_i].contiguous;

    words = words_of(picked, pick_bound(&rule, NULL, scene.nodes, scene.n, picked));

    ck_assert_msg(strcmp(words, table[_i].picked) == 0, "%s: '%s', not '%s'", table[_i].job, words,
                  table[_i].picked);
    scene_clear(&scene);
}
END_TEST

START_TEST(a_node_that_is_required_is_among_them)
{
    struct scene scene = scene_new(3, "tasks=8 gres-job=gpu::2");
    struct pick_rule rule = rule_of(&scene);
    AUTO(bitset) struct bitset required = { 0 };
    struct pick_node picked[4];

    sim_set(&required, 3, "2");
    rule.required = &required;
    ck_assert_uint_eq(pick_bound(&rule, NULL, scene.nodes, scene.n, picked), 1);
    ck_assert_uint_eq(picked[0].node, 2);
    ck_assert_uint_eq(pick_bound(&rule, NULL, scene.nodes, 2, picked), 0);
    scene_clear(&scene);
}
END_TEST

START_TEST(neighbours_are_kept_to)
{
    struct scene scene = scene_new(3, "tasks=9 gres-job=gpu::3");
    struct pick_rule rule = rule_of(&scene);
    const struct pick_node apart[] = { scene.nodes[0], scene.nodes[2] };
    struct pick_node picked[4];

    ck_assert_uint_eq(pick_bound(&rule, NULL, apart, 2, picked), 2);
    rule.contiguous = true;
    ck_assert_uint_eq(pick_bound(&rule, NULL, apart, 2, picked), 0);
    scene_clear(&scene);
}
END_TEST

START_TEST(all_of_some_nodes_are_dealt_to)
{
    struct scene scene = scene_new(2, "tasks=6 gres-job=gpu::3");
    struct pick_rule rule = rule_of(&scene);
    AUTO_FREE char *words = NULL;

    ck_assert(pick_bound_deal(&rule, scene.nodes, 2));
    words = words_of(scene.nodes, 2);
    ck_assert_str_eq(words, "0:6/2 1:4/1");
    rule.pooled[0] = 1;
    ck_assert(!pick_bound_deal(&rule, scene.nodes, 2));
    scene_clear(&scene);
}
END_TEST

CHECK_MAIN(pick_bound, LOOP_CASE(nodes_and_shares_are_chosen_together, ARRAY_N(table)),
           CASE(a_node_that_is_required_is_among_them), CASE(neighbours_are_kept_to),
           CASE(all_of_some_nodes_are_dealt_to))
