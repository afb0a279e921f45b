/* What the planner is told of a configuration and of a job. */
#include "unit/check_main.h"

#include <stddef.h>
#include <string.h>

#include "ctld/control/feed/policy.h"
#include "ctld/control/feed/snapshot.h"
#include "ctld/control/request/request.h"
#include "ctld/model/model.h"

/* One node of 2 sockets with 4 cores of 2 threads. */
static struct model *model_with(void (*change)(struct model_config *config))
{
    struct model_config config = { .select = SELECT_CORE };
    struct node_info *node = ARRAY_PUSH(config.nodes, config.nodes_n);
    struct partition_info *part;
    struct model *model = NULL;

    node_info_init(node);
    node->node = xcalloc(1, sizeof(*node->node));
    node_record_init(node->node);
    node->node->name = xstrdup("n1");
    node->sockets = 2;
    node->cores_per_socket = 4;
    node->threads_per_core = 2;
    node->memory_mb = 1000;
    for (int i = 0; i < 2; i++) {
        part = ARRAY_PUSH(config.partitions, config.partitions_n);
        partition_info_init(part);
        part->name = xstrdup(i ? "other" : "main");
        part->nodes = xstrdup("ALL");
        part->max_time = i ? 600 : LIMIT_INFINITE;
    }
    sched_params_parse(NULL, &config.sched, NULL, NULL);
    if (change)
        change(&config);
    ck_assert_int_eq(model_new(&config, &model, NULL), 0);
    return model;
}

static void spec_count(struct model_config *config)
{
    config->nodes[0].core_spec_count = 3;
    config->nodes[0].mem_spec_limit_mb = 300;
}

static void spec_count_first(struct model_config *config)
{
    spec_count(config);
    config->sched.spec_cores_first = true;
}

static void spec_list(struct model_config *config)
{
    config->nodes[0].cpu_spec_list = xstrdup("0-2,9,99");
}

static void spec_linear(struct model_config *config)
{
    spec_count(config);
    config->select = SELECT_LINEAR;
}

static const struct {
    void (*change)(struct model_config *config);
    uint32_t cpus[16], n;
} barred[] = {
    { NULL, { 0 }, 0 },
    { spec_count, { 6, 7, 12, 13, 14, 15 }, 6 },
    { spec_count_first, { 0, 1, 2, 3, 8, 9 }, 6 },
    { spec_list, { 0, 1, 2, 3, 8, 9 }, 6 },
    { spec_linear, { 0 }, 0 },
};

START_TEST(cores_kept_for_the_system_are_barred)
{
    struct model *model = model_with(barred[_i].change);
    struct plan_node node;

    feed_fill_node(model, &model->nodes[0], &node);

    ck_assert_uint_eq(node.barred.size ? bitset_count(&node.barred) : 0, barred[_i].n);
    for (uint32_t i = 0; i < barred[_i].n; i++)
        ck_assert(bitset_has(&node.barred, barred[_i].cpus[i]));
    feed_clear_node(&node);
    model_free(model);
}
END_TEST

START_TEST(memory_kept_for_the_system_is_not_for_jobs)
{
    struct model *model = model_with(spec_count);
    struct plan_node node;

    feed_fill_node(model, &model->nodes[0], &node);

    ck_assert_uint_eq(node.memory_mb, 700);
    feed_clear_node(&node);
    model_free(model);
}
END_TEST

static void gres_near_cores(struct model_config *config)
{
    struct gres_info *gres = ARRAY_PUSH(config->nodes[0].devices, config->nodes[0].devices_n);

    gres_info_init(gres);
    gres->name = xstrdup("gpu");
    gres->count = 2;
    *ARRAY_PUSH(gres->cores, gres->cores_n) = 4;
    *ARRAY_PUSH(gres->cores, gres->cores_n) = 5;
    gres = ARRAY_PUSH(config->nodes[0].devices, config->nodes[0].devices_n);
    gres_info_init(gres);
    gres->name = xstrdup("band");
    gres->count = 1 << 20;
}

START_TEST(cores_of_gres_conf_become_cpus)
{
    struct model *model = model_with(gres_near_cores);
    struct plan_node node;

    feed_fill_node(model, &model->nodes[0], &node);

    ck_assert_uint_eq(node.gres_n, 2);
    ck_assert_uint_eq(bitset_count(&node.gres[0].near[1]), 4);
    ck_assert_int_eq(bitset_next(&node.gres[0].near[1], 0), 8);
    ck_assert(!node.gres[0].counted);
    ck_assert(node.gres[1].counted);
    feed_clear_node(&node);
    model_free(model);
}
END_TEST

static void five_counted_sorts(struct model_config *config)
{
    for (int i = 0; i < 5; i++) {
        struct gres_info *gres = ARRAY_PUSH(config->nodes[0].devices, config->nodes[0].devices_n);

        gres_info_init(gres);
        gres->name = xasprintf("band%d", i);
        gres->count = 1000;
    }
}

START_TEST(more_counted_sorts_than_can_be_planned_are_refused)
{
    struct model_config config = { 0 };
    struct node_info *node = ARRAY_PUSH(config.nodes, config.nodes_n);
    struct model *model = NULL;
    struct err err = { 0 };
    node_info_init(node);
    node->node = xcalloc(1, sizeof(*node->node));
    node_record_init(node->node);
    node->node->name = xstrdup("n1");
    five_counted_sorts(&config);

    ck_assert_int_lt(model_new(&config, &model, &err), 0);

    ck_assert_ptr_nonnull(strstr(err.text, "node n1: 5 sorts"));
}
END_TEST

static void partitions_that_share(struct model_config *config)
{
    config->partitions[0].share = OVERSUBSCRIBE_FORCE;
    config->partitions[0].share_max = 4;
    config->partitions[0].max_cpus_per_node = 6;
    config->partitions[1].share = OVERSUBSCRIBE_EXCLUSIVE;
    config->partitions[1].lln = true;
    config->partitions[1].exclusive_user = true;
    config->partitions[1].select = SELECT_SOCKET;
}

START_TEST(partitions_tell_how_they_share)
{
    struct model *model = model_with(partitions_that_share);
    struct plan_snapshot plan;

    feed_fill_cluster(model, &plan);

    ck_assert_int_eq(plan.partitions[0].share, OVERSUBSCRIBE_FORCE);
    ck_assert_uint_eq(plan.partitions[0].jobs_per_cpu, 4);
    ck_assert_uint_eq(plan.partitions[0].cpus_per_node_max, 6);
    ck_assert_int_eq(plan.partitions[1].share, OVERSUBSCRIBE_EXCLUSIVE);
    ck_assert_uint_eq(plan.partitions[1].jobs_per_cpu, 1);
    ck_assert_uint_eq(plan.partitions[1].cpus_per_node_max, 0);
    ck_assert(plan.partitions[1].least_loaded && plan.partitions[1].user_exclusive);
    ck_assert_uint_eq(plan.partitions[1].select, SELECT_SOCKET);
    feed_clear_cluster(&plan);
    model_free(model);
}
END_TEST

/* What SchedulerParameters make of the policy that holds without: one member each. */
#define MEMBER(name) offsetof(struct plan_policy, name), sizeof(((struct plan_policy *)0)->name)

static const struct {
    const char *text;
    size_t at, size;
    uint64_t value;
} policies[] = {
    { "bf_max_job_test=7", MEMBER(tries_max), 7 },
    { "bf_max_job_user=3", MEMBER(tries_per_user), 3 },
    { "bf_max_job_part=4", MEMBER(tries_per_partition), 4 },
    { "bf_max_job_start=5", MEMBER(starts_max), 5 },
    { "bf_window=60", MEMBER(window_ms), 3600000 },
    { "bf_resolution=30", MEMBER(resolution_ms), 30000 },
    { "bf_min_age_reserve=60", MEMBER(reserve_age_ms), 60000 },
    { "bf_min_prio_reserve=1000000000000", MEMBER(reserve_priority), 1000000000000 },
    { "assoc_limit_stop", MEMBER(limits_stop), 1 },
    { "spec_cores_first", MEMBER(spares_first), 1 },
};

static void policy_words(const struct plan_policy *policy, struct strbuf *out)
{
    strbuf_addf(out, "%u %d %u %d %lld %d %d %d", policy->select, policy->backfill,
                policy->plans_max, policy->plans_in_lines, (long long)policy->plan_age_ms,
                (int)policy->turn, policy->spares_first, policy->forecasts);
    strbuf_addf(out, " tries %u %u %u starts %u", policy->tries_max, policy->tries_per_user,
                policy->tries_per_partition, policy->starts_max);
    strbuf_addf(out, " window %lld resolution %lld reserve %lld %llu", (long long)policy->window_ms,
                (long long)policy->resolution_ms, (long long)policy->reserve_age_ms,
                (unsigned long long)policy->reserve_priority);
}

/* Those that bound what is looked at: then all that is gets a promise. */
static bool is_bound(const char *text)
{
    return strncmp(text, "bf_max_job_start", 16) != 0 && (strncmp(text, "bf_m", 4) == 0);
}

START_TEST(scheduler_parameters_become_the_policy)
{
    struct model_config config = { .backfill = true, .select = SELECT_CORE };
    AUTO(strbuf) struct strbuf is = { 0 }, should = { 0 };
    struct plan_policy wanted, policy;

    sched_params_parse(NULL, &config.sched, NULL, NULL);
    wanted = control_policy(&config);
    if (is_bound(policies[_i].text))
        wanted = (struct plan_policy){ .backfill = true, .select = SELECT_CORE };
    memcpy((char *)&wanted + policies[_i].at, &policies[_i].value, policies[_i].size);
    sched_params_parse(policies[_i].text, &config.sched, NULL, NULL);
    policy = control_policy(&config);

    policy_words(&policy, &is);
    policy_words(&wanted, &should);
    ck_assert_str_eq(strbuf_text(&is), strbuf_text(&should));
}
END_TEST

static void licensed(struct model_config *config)
{
    struct license_info *license;

    for (int i = 0; i < 2; i++) {
        license = ARRAY_PUSH(config->licenses, config->licenses_n);
        license_info_init(license);
        license->name = xstrdup(i ? "ansys" : "matlab");
        license->total = 5;
    }
}

static struct job_record job_of_defaults(void)
{
    struct job_record rec;

    job_record_init(&rec);
    rec.spec = xcalloc(1, sizeof(*rec.spec));
    job_spec_init(rec.spec);
    return rec;
}

START_TEST(a_job_tells_what_it_asks)
{
    struct model *model = model_with(licensed);
    struct job_record rec = job_of_defaults();
    AUTO(job_request) struct job_request request = { 0 };
    struct plan_job plan;

    rec.spec->min_nodes = 1;
    rec.spec->time_limit = 60;
    rec.spec->partition = xstrdup("main,other,gone");
    rec.spec->tres_per_job = xstrdup("gres/gpu:tesla:4");
    rec.spec->tres_per_task = xstrdup("gres/gpu:2,gres/nic:1");
    rec.spec->licenses = xstrdup("ansys:2");
    rec.spec->ntasks_per_socket = 3;
    rec.spec->dist_sockets = DIST_FCYCLIC;
    rec.spec->share = SHARE_USER;
    rec.spec->switches = 1;
    rec.spec->gres_flags = GRES_FLAG_ENFORCE_BINDING;
    rec.uid = 7;

    request_read(model, rec.spec, 0, &request);
    feed_fill_job(model, &rec, &request, 0, 5000, &plan);

    ck_assert_uint_eq(plan.uid, 7);
    ck_assert_int_eq(plan.earliest_ms, 5000);
    ck_assert_uint_eq(plan.options_n, 2);
    ck_assert_uint_eq(plan.options[1].partition, 1);
    ck_assert_uint_eq(plan.shape.gres_n, 3);
    ck_assert_str_eq(plan.shape.gres[0].type, "tesla");
    ck_assert_int_eq(plan.shape.gres[0].per, PLAN_PER_JOB);
    ck_assert_uint_eq(plan.shape.gres[1].count, 2);
    ck_assert_int_eq(plan.shape.gres[2].per, PLAN_PER_TASK);
    for (uint32_t i = 0; i < plan.options_n; i++) {
        ck_assert_uint_eq(plan.options[i].claims_n, 1);
        ck_assert_uint_eq(plan.options[i].claims[0].pool, 1);
        ck_assert_uint_eq(plan.options[i].claims[0].amount, 2);
    }
    ck_assert_uint_eq(plan.shape.ntasks_per_socket, 3);
    ck_assert_int_eq(plan.shape.dist_sockets, DIST_FCYCLIC);
    ck_assert_int_eq(plan.shape.exclusive, PLAN_EXCLUSIVE_USER);
    ck_assert_int_eq(plan.shape.switch_wait_ms, 300000);
    ck_assert(plan.shape.binds_gres);
    feed_clear_plan_job(&plan);
    job_record_clear(&rec);
    model_free(model);
}
END_TEST

START_TEST(overcommitted_tasks_have_their_gres_together)
{
    struct model *model = model_with(licensed);
    struct job_record rec = job_of_defaults();
    AUTO(job_request) struct job_request request = { 0 };
    struct plan_job plan;

    rec.spec->tres_per_task = xstrdup("gres/gpu:2");
    rec.spec->overcommit = true;
    rec.spec->ntasks = 3;

    request_read(model, rec.spec, 0, &request);
    feed_fill_job(model, &rec, &request, 0, 0, &plan);

    ck_assert_uint_eq(plan.shape.gres_n, 1);
    ck_assert_int_eq(plan.shape.gres[0].per, PLAN_PER_JOB);
    ck_assert_uint_eq(plan.shape.gres[0].count, 6);
    feed_clear_plan_job(&plan);
    job_record_clear(&rec);
    model_free(model);
}
END_TEST

CHECK_MAIN(feed, LOOP_CASE(cores_kept_for_the_system_are_barred, ARRAY_N(barred)),
           CASE(memory_kept_for_the_system_is_not_for_jobs), CASE(cores_of_gres_conf_become_cpus),
           CASE(more_counted_sorts_than_can_be_planned_are_refused),
           CASE(partitions_tell_how_they_share),
           LOOP_CASE(scheduler_parameters_become_the_policy, ARRAY_N(policies)),
           CASE(a_job_tells_what_it_asks), CASE(overcommitted_tasks_have_their_gres_together))
