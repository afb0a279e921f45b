#include "unit/check_main.h"

#include "ctld/model/body.h"
#include "ctld/model/model.h"

/* Two nodes of 4 cpus, 1000 MB, n1 and n2, in the partition main. */
static struct model_config config_of(const char *partition_nodes)
{
    struct model_config config = { 0 };

    for (int i = 1; i <= 2; i++) {
        struct node_info *node = ARRAY_PUSH(config.nodes, config.nodes_n);

        node_info_init(node);
        node->node = xcalloc(1, sizeof(*node->node));
        node_record_init(node->node);
        node->node->name = xasprintf("n%d", i);
        node->cpus = 4;
        node->memory_mb = 1000;
        node->features = xstrdup("fast,gpu");
    }
    struct partition_info *part = ARRAY_PUSH(config.partitions, config.partitions_n);
    partition_info_init(part);
    part->name = xstrdup("main");
    part->nodes = xstrdup(partition_nodes);
    part->is_default = true;
    return config;
}

static struct model *model_of(void)
{
    struct model_config config = config_of("n[1-2]");
    struct model *model = NULL;

    ck_assert_int_eq(model_new(&config, &model, NULL), 0);
    for (uint32_t i = 0; i < model->nodes_n; i++) {
        model->nodes[i].online = true;
        model->nodes[i].rec.boot_id = xstrdup("boot");
    }
    return model;
}

/* A running job that holds cpus 0 .. cpus_n-1 of `node`. */
static struct job *add_job(struct model *model, uint32_t id, const char *node, uint32_t cpus_n)
{
    struct job_record rec;

    job_record_init(&rec);
    rec.id = id;
    rec.spec = xcalloc(1, sizeof(*rec.spec));
    job_spec_init(rec.spec);
    rec.state = JOB_RUNNING;
    rec.partition = xstrdup("main");
    struct job_node *place = ARRAY_PUSH(rec.nodes, rec.nodes_n);
    job_node_init(place);
    place->name = xstrdup(node);
    place->memory = 100;
    for (uint32_t i = 0; i < cpus_n; i++)
        *ARRAY_PUSH(place->cpus, place->cpus_n) = i;
    struct body *body =
        body_ref(model, (const uint8_t[SHA256_BYTES]){ 1 }, &(struct job_body){ 0 });
    struct job *job = model_add_job(model, &rec, body);
    body_unref(model, body);
    job_record_clear(&rec);
    model_hold_nodes(model, job);
    return job;
}

static char *state_of(const struct node *node)
{
    AUTO(strbuf) struct strbuf out = { 0 };
    uint32_t state, flags;

    node_display_state(node, &state, &flags);
    node_state_format(state, flags, &out);
    return strbuf_steal(&out);
}

#define ASSERT_STATE(node, expected)                                                               \
    do {                                                                                           \
        AUTO_FREE char *state = state_of(node);                                                    \
        ck_assert_str_eq(state, expected);                                                         \
    } while (0)

START_TEST(a_partition_of_an_unknown_node_is_refused_by_name)
{
    struct model_config config = config_of("n[1-3]");
    struct model *model = NULL;
    struct err err = { 0 };

    ck_assert_int_lt(model_new(&config, &model, &err), 0);

    ck_assert_str_eq(err.text, "partition main: node n3 is not configured");
    ck_assert_ptr_null(model);
}
END_TEST

START_TEST(all_stands_for_every_node)
{
    struct model_config config = config_of("ALL");
    struct model *model = NULL;

    ck_assert_int_eq(model_new(&config, &model, NULL), 0);

    ck_assert_uint_eq(model->partitions[0].conf->total_cpus, 8);
    ck_assert_uint_eq(model->partitions[0].conf->total_nodes, 2);
    ck_assert_uint_eq(model->partitions[0].conf->total_memory_mb, 2000);
    model_free(model);
}
END_TEST

START_TEST(cpus_alone_are_sockets)
{
    struct model *model = model_of();

    ck_assert_uint_eq(model->nodes[0].conf->sockets, 4);
    ck_assert_uint_eq(model->nodes[0].features_n, 2);
    model_free(model);
}
END_TEST

START_TEST(what_a_job_holds_is_used_until_it_is_freed)
{
    struct model *model = model_of();
    struct job *job = add_job(model, 1, "n2", 3);
    struct node *node = model_find_node(model, "n2");

    ck_assert_uint_eq(node_cpus_used(node), 3);
    ck_assert_uint_eq(node->memory_used_mb, 100);
    ASSERT_STATE(node, "MIXED");

    model_free_node(model, job, 0);
    ck_assert_uint_eq(node_cpus_used(node), 0);
    ck_assert_uint_eq(node->memory_used_mb, 0);
    ASSERT_STATE(node, "IDLE");
    model_free(model);
}
END_TEST

START_TEST(a_node_drains_while_jobs_run_and_is_drained_after)
{
    struct model *model = model_of();
    struct job *job = add_job(model, 1, "n1", 4);
    struct node *node = model_find_node(model, "n1");

    node->rec.drain = true;
    ASSERT_STATE(node, "ALLOCATED+DRAIN");
    ck_assert(!node_is_usable(node));

    model_begin_completing(model, job);
    job->rec.flags |= JOB_FLAG_COMPLETING;
    ASSERT_STATE(node, "IDLE+DRAIN+COMPLETING");

    model_free_node(model, job, 0);
    ASSERT_STATE(node, "IDLE+DRAIN");
    model_free(model);
}
END_TEST

START_TEST(a_node_is_unknown_until_it_registers_and_down_is_down)
{
    struct model *model = model_of();
    struct node *node = model_find_node(model, "n1");

    node->online = false;
    ASSERT_STATE(node, "IDLE+NOT_RESPONDING");
    xstrset(&node->rec.boot_id, NULL);
    ASSERT_STATE(node, "UNKNOWN+NOT_RESPONDING");
    node->rec.down = true;
    ASSERT_STATE(node, "DOWN+NOT_RESPONDING");
    model_free(model);
}
END_TEST

START_TEST(a_machine_with_less_than_configured_is_marked)
{
    struct model *model = model_of();
    struct node *node = model_find_node(model, "n1");

    node->invalid = true;

    ASSERT_STATE(node, "IDLE+INVALID_REG");
    model_free(model);
}
END_TEST

static struct step *add_step(struct model *model, struct job *job, uint32_t id, uint32_t state)
{
    struct step_record rec;
    struct step *step;

    step_record_init(&rec);
    rec.job_id = job->rec.id;
    rec.step_id = id;
    rec.state = state;
    step = model_add_step(model, job, &rec);
    step_record_clear(&rec);
    return step;
}

START_TEST(steps_stay_in_the_order_of_their_numbers)
{
    struct model *model = model_of();
    struct job *job = add_job(model, 1, "n1", 1);
    const uint32_t ids[] = { STEP_BATCH, 1, 0 };

    for (size_t i = 0; i < ARRAY_N(ids); i++)
        add_step(model, job, ids[i], STEP_RUNNING);

    ck_assert_uint_eq(job->steps->rec.step_id, 0);
    ck_assert_uint_eq(job->steps->next->rec.step_id, 1);
    ck_assert_uint_eq(job->steps->next->next->rec.step_id, STEP_BATCH);
    ck_assert_ptr_eq(job_find_step(job, STEP_BATCH), job->steps->next->next);
    model_free(model);
}
END_TEST

START_TEST(steps_that_have_ended_are_no_more_among_the_live_ones)
{
    struct model *model = model_of();
    struct job *job = add_job(model, 1, "n1", 1);
    struct step *batch = add_step(model, job, STEP_BATCH, STEP_RUNNING);
    struct step *first = add_step(model, job, 0, STEP_RUNNING);

    add_step(model, job, 1, STEP_ENDED);
    ck_assert_ptr_eq(job->live, first);
    ck_assert_ptr_eq(first->live_next, batch);
    ck_assert_ptr_null(batch->live_next);

    first->rec.state = batch->rec.state = STEP_ENDED;
    struct step *next = add_step(model, job, 2, STEP_PENDING);
    ck_assert_ptr_eq(job->live, next);
    ck_assert_ptr_null(next->live_next);

    batch->rec.state = STEP_PENDING; /* its job runs again */
    job_revive_step(batch);
    ck_assert_ptr_eq(next->live_next, batch);
    ck_assert_ptr_null(batch->live_next);
    model_free(model);
}
END_TEST

static struct step *add_step_of_token(struct model *model, struct job *job, uint32_t id)
{
    char token[] = "the same";
    struct step_spec spec;
    struct step_record rec;

    step_spec_init(&spec);
    spec.token = token;
    step_record_init(&rec);
    rec.job_id = job->rec.id;
    rec.step_id = id;
    rec.spec = &spec;
    return model_add_step(model, job, &rec);
}

START_TEST(steps_are_found_by_their_token_within_a_job)
{
    struct model *model = model_of();
    struct model *next = model_of();
    struct job *first = add_job(model, 1, "n1", 1);
    struct job *second = add_job(model, 2, "n1", 1);
    struct step *of_first = add_step_of_token(model, first, 0);
    struct step *of_second = add_step_of_token(model, second, 0);

    add_step(model, first, 1, STEP_RUNNING);
    ck_assert_ptr_eq(model_find_step_token(model, 1, "the same"), of_first);
    ck_assert_ptr_null(model_find_step_token(model, 1, "another"));
    ck_assert_ptr_null(model_find_step_token(model, 1, NULL));
    ck_assert_ptr_null(model_find_step_token(model, 3, "the same"));

    model_move_jobs(next, model);
    model_free(model);
    model_drop_job(next, first);
    ck_assert_ptr_null(model_find_step_token(next, 1, "the same"));
    ck_assert_ptr_eq(model_find_step_token(next, 2, "the same"), of_second);
    model_free(next);
}
END_TEST

CHECK_MAIN(model, CASE(a_partition_of_an_unknown_node_is_refused_by_name),
           CASE(all_stands_for_every_node), CASE(cpus_alone_are_sockets),
           CASE(what_a_job_holds_is_used_until_it_is_freed),
           CASE(a_node_drains_while_jobs_run_and_is_drained_after),
           CASE(a_node_is_unknown_until_it_registers_and_down_is_down),
           CASE(a_machine_with_less_than_configured_is_marked),
           CASE(steps_stay_in_the_order_of_their_numbers),
           CASE(steps_that_have_ended_are_no_more_among_the_live_ones),
           CASE(steps_are_found_by_their_token_within_a_job))
