#include "unit/check_main.h"

#include "noded/stepd/task_gres.h"

static void make_body(struct launch_body *body, uint32_t step_id, const uint32_t *gpus, uint32_t n)
{
    struct step_node *here;
    struct job_gres *gres;

    launch_body_init(body);
    body->step_id = step_id;
    here = ARRAY_PUSH(body->nodes, body->nodes_n);
    step_node_init(here);
    here->name = xstrdup("n0");
    if (n == 0)
        return;
    gres = ARRAY_PUSH(here->gres, here->gres_n);
    job_gres_init(gres);
    gres->name = xstrdup("gpu");
    gres->count = n;
    gres->devices = xmemdup(gpus, n * sizeof(*gpus));
    gres->devices_n = n;
    gres->gpu_env = GPU_ENV_NVIDIA;
}

static const struct bitset anywhere;

static const char *value_of(const struct task_env *env, const char *name)
{
    const char *value = task_env_get(env, name);

    return value ? value : "unset";
}

START_TEST(a_step_is_told_its_gpus_by_their_numbers)
{
    AUTO(launch_body) struct launch_body body;
    AUTO(task_env) struct task_env env = { 0 };
    struct task_env_node node = { .body = &body };

    make_body(&body, 3, (const uint32_t[]){ 2, 1 }, 2);
    task_gres_set_node(&env, &node);

    ck_assert_str_eq(value_of(&env, "SLURM_STEP_GPUS"), "1,2");
    ck_assert_str_eq(value_of(&env, "SLURM_JOB_GPUS"), "unset");
    ck_assert_str_eq(value_of(&env, "SLURM_GPUS_ON_NODE"), "2");
    ck_assert_str_eq(value_of(&env, "CUDA_VISIBLE_DEVICES"), "1,2");
    ck_assert_str_eq(value_of(&env, "ROCR_VISIBLE_DEVICES"), "unset");
}
END_TEST

START_TEST(other_resources_have_no_variables_but_shards_have_their_number)
{
    static const char *const names[] = { "shard", "ssd" };
    AUTO(launch_body) struct launch_body body;
    AUTO(task_env) struct task_env env = { 0 };
    struct task_env_node node = { .body = &body };

    make_body(&body, 3, NULL, 0);
    for (uint32_t i = 0; i < ARRAY_N(names); i++) {
        struct job_gres *gres = ARRAY_PUSH(body.nodes[0].gres, body.nodes[0].gres_n);

        job_gres_init(gres);
        gres->name = xstrdup(names[i]);
        gres->count = 5;
    }
    task_gres_set_node(&env, &node);

    ck_assert_str_eq(value_of(&env, "SLURM_SHARDS_ON_NODE"), "5");
    ck_assert_uint_eq(env.strings_n, 1);
}
END_TEST

START_TEST(numbers_begin_at_0_where_the_kernel_hides_other_gpus)
{
    AUTO(launch_body) struct launch_body body;
    AUTO(task_env) struct task_env env = { 0 };
    struct task_env_node node = { .body = &body, .devices_constrained = true };

    make_body(&body, STEP_BATCH, (const uint32_t[]){ 2, 3 }, 2);
    task_gres_set_node(&env, &node);

    ck_assert_str_eq(value_of(&env, "SLURM_JOB_GPUS"), "2,3");
    ck_assert_str_eq(value_of(&env, "CUDA_VISIBLE_DEVICES"), "0,1");
}
END_TEST

START_TEST(a_step_without_gpus_does_not_inherit_its_jobs)
{
    AUTO(launch_body) struct launch_body body;
    AUTO(task_env) struct task_env env = { 0 };
    struct task_env_node node = { .body = &body };

    make_body(&body, 3, NULL, 0);
    task_env_add(&env, "SLURM_JOB_GPUS=0,1");
    task_env_add(&env, "CUDA_VISIBLE_DEVICES=0,1");
    task_gres_set_node(&env, &node);

    ck_assert_str_eq(value_of(&env, "CUDA_VISIBLE_DEVICES"), "unset");
    ck_assert_str_eq(value_of(&env, "SLURM_JOB_GPUS"), "0,1");
}
END_TEST

START_TEST(what_a_user_sets_without_gpus_of_ours_is_left_alone)
{
    AUTO(launch_body) struct launch_body body;
    AUTO(task_env) struct task_env env = { 0 };
    struct task_env_node node = { .body = &body };

    make_body(&body, 3, NULL, 0);
    task_env_add(&env, "CUDA_VISIBLE_DEVICES=7");
    task_gres_set_node(&env, &node);

    ck_assert_str_eq(value_of(&env, "CUDA_VISIBLE_DEVICES"), "7");
}
END_TEST

START_TEST(a_bound_task_sees_its_own_gpu_and_says_so_when_asked)
{
    AUTO(launch_body) struct launch_body body;
    AUTO(task_env) struct task_env env = { 0 };
    AUTO(strbuf) struct strbuf said = { 0 };
    AUTO(gpu_bind) struct gpu_bind bind = { 0 };
    struct task_env_node node = { .body = &body };

    make_body(&body, 3, (const uint32_t[]){ 1, 3 }, 2);
    ck_assert_int_eq(gpu_bind_parse("verbose,per_task:1", &bind, NULL), 0);
    task_gres_set_task(&env, &node, &bind, &(struct gpu_task){ 1, &anywhere }, &said);

    ck_assert_str_eq(value_of(&env, "CUDA_VISIBLE_DEVICES"), "3");
    ck_assert_str_eq(strbuf_text(&said), "gpu-bind: usable_gres=0x8; bit_alloc=0xA; local_inx=2; "
                                         "global_list=3; local_list=3\n");
}
END_TEST

START_TEST(a_map_names_places_where_other_gpus_are_hidden)
{
    AUTO(launch_body) struct launch_body body;
    AUTO(task_env) struct task_env env = { 0 };
    AUTO(strbuf) struct strbuf said = { 0 };
    AUTO(gpu_bind) struct gpu_bind bind = { 0 };
    struct task_env_node node = { .body = &body, .devices_constrained = true };

    make_body(&body, 3, (const uint32_t[]){ 2, 3 }, 2);
    ck_assert_int_eq(gpu_bind_parse("map_gpu:1,0", &bind, NULL), 0);
    task_gres_set_task(&env, &node, &bind, &(struct gpu_task){ 0, &anywhere }, &said);

    ck_assert_str_eq(value_of(&env, "CUDA_VISIBLE_DEVICES"), "1");
}
END_TEST

/* Gpu 3 is near cores 4 and 5, gpu 1 near core 0, and gpu 0, where the step has it, near all. */
static void make_near(struct launch_body *body, uint32_t gpus_n)
{
    const struct gres_near near[] = {
        { .cores = (uint32_t[]){ 4, 5 }, .cores_n = 2 },
        { .cores = (uint32_t[]){ 0 }, .cores_n = 1 },
        { 0 },
    };
    struct job_gres *gres;

    make_body(body, 3, (const uint32_t[]){ 3, 1, 0 }, gpus_n);
    gres = &body->nodes[0].gres[0];
    for (uint32_t i = 0; i < gpus_n; i++)
        schema_copy(gres_near_schema(), ARRAY_PUSH(gres->near, gres->near_n), &near[i]);
}

/* The step's gpus, whether others are hidden, the cores that the task is bound to, what it sees. */
static const struct {
    uint32_t gpus_n;
    bool constrained;
    uint32_t cores[2], cores_n;
    const char *seen;
} closest[] = {
    { 3, false, { 5 }, 1, "0,3" },      { 3, false, { 0, 1 }, 2, "0,1" },
    { 3, true, { 0 }, 1, "0,1" },       { 3, true, { 5 }, 1, "0,2" },
    { 3, false, { 0, 4 }, 2, "0,1,3" }, { 3, false, { 7 }, 1, "0" },
    { 3, false, { 0 }, 0, "0,1,3" },                                   /* not bound */
    { 2, false, { 0 }, 1, "1" },        { 2, false, { 7 }, 1, "1,3" }, /* near none */
};

START_TEST(a_task_sees_the_gpus_near_its_cores)
{
    AUTO(launch_body) struct launch_body body;
    AUTO(task_env) struct task_env env = { 0 };
    AUTO(strbuf) struct strbuf said = { 0 };
    AUTO(gpu_bind) struct gpu_bind bind = { 0 };
    AUTO(bitset) struct bitset cores = { 0 };
    struct task_env_node node = { .body = &body, .devices_constrained = closest[_i].constrained };

    make_near(&body, closest[_i].gpus_n);
    bitset_init(&cores, 8);
    for (uint32_t i = 0; i < closest[_i].cores_n; i++)
        bitset_add(&cores, closest[_i].cores[i]);
    ck_assert_int_eq(gpu_bind_parse("closest", &bind, NULL), 0);
    task_gres_set_task(&env, &node, &bind, &(struct gpu_task){ 0, &cores }, &said);

    ck_assert_str_eq(value_of(&env, "CUDA_VISIBLE_DEVICES"), closest[_i].seen);
}
END_TEST

CHECK_MAIN(task_gres, LOOP_CASE(a_task_sees_the_gpus_near_its_cores, ARRAY_N(closest)),
           CASE(a_step_is_told_its_gpus_by_their_numbers),
           CASE(other_resources_have_no_variables_but_shards_have_their_number),
           CASE(numbers_begin_at_0_where_the_kernel_hides_other_gpus),
           CASE(a_step_without_gpus_does_not_inherit_its_jobs),
           CASE(what_a_user_sets_without_gpus_of_ours_is_left_alone),
           CASE(a_bound_task_sees_its_own_gpu_and_says_so_when_asked),
           CASE(a_map_names_places_where_other_gpus_are_hidden))
