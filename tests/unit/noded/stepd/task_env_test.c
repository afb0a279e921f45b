#include "unit/check_main.h"

#include <string.h>

#include "noded/stepd/task_env.h"

static char *joined(const struct task_env *env)
{
    AUTO(strbuf) struct strbuf text = { 0 };

    for (uint32_t i = 0; i < env->strings_n; i++)
        strbuf_addf(&text, "%s|", env->strings[i]);
    return strbuf_steal(&text);
}

START_TEST(a_later_setting_replaces_an_earlier_one)
{
    AUTO(task_env) struct task_env env = { 0 };
    static const char blob[] =
        "A=1\0B=2\0=nameless\0nothing\0\0A=3\0BASH_FUNC_x%%=() { :\n}\0LAST=4";

    task_env_add_blob(&env, blob, sizeof(blob) - 1);
    task_env_set(&env, "B", "%d", 5);
    AUTO_FREE char *text = joined(&env);

    ck_assert_str_eq(text, "A=3|B=5|BASH_FUNC_x%%=() { :\n}|LAST=4|");
    ck_assert_str_eq(task_env_get(&env, "A"), "3");
    ck_assert_ptr_null(task_env_get(&env, "LAS"));
}
END_TEST

/* Nodes n0 with task 0 and 1, n1 with task 2, as srun -N2 -n3 lays them out. */
static void make_body(struct launch_body *body, uint32_t step_id)
{
    launch_body_init(body);
    body->step_id = step_id;
    body->nodes = xcalloc(2, sizeof(*body->nodes));
    body->nodes_n = 2;
    for (uint32_t i = 0; i < 2; i++) {
        step_node_init(&body->nodes[i]);
        body->nodes[i].name = xasprintf("n%u", i);
        body->nodes[i].cpus = xcalloc(2, sizeof(uint32_t));
        body->nodes[i].cpus_n = 2 - i;
        body->nodes[i].tasks = xcalloc(2, sizeof(uint32_t));
        body->nodes[i].tasks_n = 2 - i;
    }
    body->nodes[0].tasks[1] = 1;
    body->nodes[1].tasks[0] = 2;
}

/*
 * The names that `srun env` shows on Slurm 22.05 and that only a node or a task knows. All others
 * (SLURM_JOB_*, SLURM_STEP_*, SLURM_NTASKS, SLURM_CLUSTER_NAME, ...) come from srun, sbatch and the
 * controller in the blob or the body.
 */
START_TEST(a_step_gets_the_names_that_slurm_gives_on_the_node)
{
    AUTO(launch_body) struct launch_body body;
    AUTO(task_env) struct task_env env = { 0 };
    struct task_env_node node = { &body, 0, "10.0.0.1", 4711, NULL, false };

    make_body(&body, 0);
    task_env_set_node(&env, &node);
    task_env_set_task(&env, &node, 1, 99);
    AUTO_FREE char *text = joined(&env);

    ck_assert_str_eq(text, "SLURMD_NODENAME=n0|SLURM_NODEID=0|SLURM_CPUS_ON_NODE=2|"
                           "SLURM_TOPOLOGY_ADDR=n0|SLURM_TOPOLOGY_ADDR_PATTERN=node|"
                           "SLURM_LAUNCH_NODE_IPADDR=10.0.0.1|SLURM_SRUN_COMM_HOST=10.0.0.1|"
                           "SLURM_SRUN_COMM_PORT=4711|SLURM_STEP_LAUNCHER_PORT=4711|TMPDIR=/tmp|"
                           "SLURM_GTIDS=0,1|SLURM_PROCID=1|SLURM_LOCALID=1|SLURM_TASK_PID=99|");
}
END_TEST

START_TEST(a_batch_step_gets_the_names_that_slurm_gives_on_the_node)
{
    AUTO(launch_body) struct launch_body body;
    AUTO(task_env) struct task_env env = { 0 };
    struct task_env_node node = { &body, 1, NULL, 0, "/srv/slurm.conf", false };

    make_body(&body, STEP_BATCH);
    task_env_add(&env, "TMPDIR=/scratch");
    task_env_set_node(&env, &node);
    task_env_set_task(&env, &node, 0, 98);
    AUTO_FREE char *text = joined(&env);

    ck_assert_str_eq(text, "TMPDIR=/scratch|SLURMD_NODENAME=n1|SLURM_NODEID=1|"
                           "SLURM_TOPOLOGY_ADDR=n1|SLURM_TOPOLOGY_ADDR_PATTERN=node|HOSTNAME=n1|"
                           "ENVIRONMENT=BATCH|SLURM_CONF=/srv/slurm.conf|SLURM_GTIDS=2|"
                           "SLURM_PROCID=2|SLURM_LOCALID=0|SLURM_TASK_PID=98|");
}
END_TEST

CHECK_MAIN(task_env, CASE(a_later_setting_replaces_an_earlier_one),
           CASE(a_step_gets_the_names_that_slurm_gives_on_the_node),
           CASE(a_batch_step_gets_the_names_that_slurm_gives_on_the_node))
