/*
 * Which variables the controller sets for scripts and for tasks, and to what. Read off Slurm 22.05
 * with jobs of the same shape on nodes of 4 cpus, but for the times, which later versions set.
 */
#include "unit/check_main.h"

#include "ctld/control/control.h"
#include "ctld/control/act/jobenv.h"
#include "ctld/control/act/turn.h"
#include "ctld/model/body.h"
#include "unit/ctld/control/lab.h"

struct env {
    char **strings;
    uint32_t n;
};

static struct env env_of(const struct lab *lab, uint32_t job, uint32_t step)
{
    struct env env = { 0 };

    jobenv_make(control_model(lab->control), job_find_step(lab_job(lab, job), step), &env.strings,
                &env.n);
    return env;
}

static void env_free(struct env *env)
{
    for (uint32_t i = 0; i < env->n; i++)
        free(env->strings[i]);
    free(env->strings);
}

/* NULL: not set. */
static const char *env_get(const struct env *env, const char *name)
{
    const size_t n = strlen(name);

    for (uint32_t i = 0; i < env->n; i++) {
        if (strncmp(env->strings[i], name, n) == 0 && env->strings[i][n] == '=')
            return env->strings[i] + n + 1;
    }
    return NULL;
}

static const struct {
    const char *job, *name, *value;
} batch[] = {
    { "nodes=2 ntasks=3", "ENVIRONMENT", "BATCH" },
    { "nodes=2 ntasks=3", "SLURM_JOBID", "1" },
    { "nodes=2 ntasks=3", "SLURM_JOB_ID", "1" },
    { "nodes=2 ntasks=3", "SLURM_JOB_NAME", "story" },
    { "nodes=2 ntasks=3", "SLURM_JOB_NODELIST", "n[1-2]" },
    { "nodes=2 ntasks=3", "SLURM_NODELIST", "n[1-2]" },
    { "nodes=2 ntasks=3", "SLURM_JOB_NUM_NODES", "2" },
    { "nodes=2 ntasks=3", "SLURM_NNODES", "2" },
    { "nodes=2 ntasks=3", "SLURM_JOB_CPUS_PER_NODE", "2,1" },
    { "nodes=2 ntasks=3", "SLURM_TASKS_PER_NODE", "2,1" },
    { "nodes=2 ntasks=3", "SLURM_NTASKS", "3" },
    { "nodes=2 ntasks=3", "SLURM_NPROCS", "3" },
    { "nodes=2 ntasks=3", "SLURM_CPUS_PER_TASK", NULL },
    { "nodes=2 ntasks=3", "SLURM_NTASKS_PER_NODE", NULL },
    { "nodes=2 ntasks=3", "SLURM_MEM_PER_NODE", NULL },
    { "nodes=2 ntasks=3", "SLURM_JOB_PARTITION", "main" },
    { "nodes=2 ntasks=3", "SLURM_JOB_UID", "1000" },
    { "nodes=2 ntasks=3", "SLURM_JOB_USER", "ann" },
    { "nodes=2 ntasks=3", "SLURM_CLUSTER_NAME", "lab" },
    { "nodes=2 ntasks=3", "SLURM_CONF", "/etc/slurm/slurm.conf" },
    { "nodes=2 ntasks=3", "SLURM_JOB_START_TIME", "1800000000" },
    { "nodes=2 ntasks=3", "SLURM_JOB_END_TIME", NULL },
    { "nodes=2 ntasks=3", "SLURM_STEP_ID", NULL },
    { "nodes=2 ntasks=3", "SLURM_RESTART_COUNT", NULL },
    { "time=60", "SLURM_JOB_END_TIME", "1800000060" },
    { "nodes=2", "SLURM_NTASKS", NULL },
    { "nodes=2", "SLURM_TASKS_PER_NODE", "1(x2)" },
    { "nodes=2", "SLURM_JOB_CPUS_PER_NODE", "1(x2)" },
    { "mem=100", "SLURM_MEM_PER_NODE", "100" },
    { "ntasks=2 exclusive", "SLURM_TASKS_PER_NODE", "2" },
    { "ntasks=2 exclusive", "SLURM_JOB_CPUS_PER_NODE", "4" },
    { "nodes=2 exclusive", "SLURM_TASKS_PER_NODE", "4(x2)" },
    { "nodes=1 cpus=2 exclusive", "SLURM_TASKS_PER_NODE", "2" },
    { "ntasks=5 cpus=2", "SLURM_JOB_CPUS_PER_NODE", "4(x2),2" },
    { "ntasks=5 cpus=2", "SLURM_TASKS_PER_NODE", "2(x2),1" },
    { "nodes=2 per_node=2 cpus=2", "SLURM_NTASKS", "4" },
    { "nodes=2 per_node=2 cpus=2", "SLURM_NTASKS_PER_NODE", "2" },
    { "nodes=2 per_node=2 cpus=2", "SLURM_CPUS_PER_TASK", "2" },
    { "nodes=2 per_node=2 cpus=2", "SLURM_TASKS_PER_NODE", "2(x2)" },
    { "nodes=2 cpus=3", "SLURM_TASKS_PER_NODE", "1(x2)" },
    { "nodes=1 ntasks=2 overcommit", "SLURM_TASKS_PER_NODE", "2" },
    { "nodes=1 ntasks=2 overcommit", "SLURM_OVERCOMMIT", "1" },
};

START_TEST(a_script_finds_its_job_in_the_environment)
{
    struct lab *lab = lab_new("nodes=3");
    uint32_t job = lab_submit(lab, batch[_i].job);
    struct env env = env_of(lab, job, STEP_BATCH);

    ck_assert_msg(batch[_i].value == NULL || env_get(&env, batch[_i].name), "%s is not set",
                  batch[_i].name);
    ck_assert_pstr_eq(env_get(&env, batch[_i].name), batch[_i].value);
    env_free(&env);
    lab_free(lab);
}
END_TEST

/* Steps of a job that has n1, n2 and n3 whole. */
static const struct {
    const char *step, *name, *value;
} steps[] = {
    { "nodes=2 ntasks=3 cpus=2", "SLURM_STEPID", "0" },
    { "nodes=2 ntasks=3 cpus=2", "SLURM_STEP_ID", "0" },
    { "nodes=2 ntasks=3 cpus=2", "SLURM_STEP_NODELIST", "n[1-2]" },
    { "nodes=2 ntasks=3 cpus=2", "SLURM_STEP_NUM_NODES", "2" },
    { "nodes=2 ntasks=3 cpus=2", "SLURM_STEP_NUM_TASKS", "3" },
    { "nodes=2 ntasks=3 cpus=2", "SLURM_STEP_TASKS_PER_NODE", "2,1" },
    { "nodes=2 ntasks=3 cpus=2", "SLURM_TASKS_PER_NODE", "2,1" },
    { "nodes=2 ntasks=3 cpus=2", "SLURM_NTASKS", "3" },
    { "nodes=2 ntasks=3 cpus=2", "SLURM_NPROCS", "3" },
    { "nodes=2 ntasks=3 cpus=2", "SLURM_CPUS_PER_TASK", "2" },
    { "nodes=2 ntasks=3 cpus=2", "SLURM_NNODES", "2" },
    { "nodes=2 ntasks=3 cpus=2", "SLURM_JOB_NUM_NODES", "3" },
    { "nodes=2 ntasks=3 cpus=2", "SLURM_NODELIST", "n[1-3]" },
    { "nodes=2 ntasks=3 cpus=2", "SLURM_JOB_NODELIST", "n[1-3]" },
    { "nodes=2 ntasks=3 cpus=2", "SLURM_JOB_CPUS_PER_NODE", "4(x3)" },
    { "nodes=2 ntasks=3 cpus=2", "ENVIRONMENT", NULL },
    { "nodes=2 ntasks=3 cpus=2", "SLURM_JOB_NAME", NULL },
    { "nodes=1 ntasks=1", "SLURM_CPUS_PER_TASK", NULL },
    { "nodes=1 ntasks=1", "SLURM_SRUN_COMM_HOST", "192.0.2.7" },
    { "nodes=1 ntasks=1", "SLURM_SRUN_COMM_PORT", "4000" },
    { "nodes=1 ntasks=1", "SLURM_STEP_LAUNCHER_PORT", "4000" },
    { "nodes=1 ntasks=1", "SLURM_DISTRIBUTION", "cyclic" },
    { "nodes=2 ntasks=2", "SLURM_DISTRIBUTION", "cyclic" },
    { "nodes=2 ntasks=3", "SLURM_DISTRIBUTION", "block" },
};

START_TEST(a_task_finds_its_step_in_the_environment)
{
    struct lab *lab = lab_new("nodes=3");
    struct env env;

    lab_submit(lab, "nodes=3 exclusive");
    lab_step(lab, 1, steps[_i].step);
    env = env_of(lab, 1, 0);

    ck_assert_pstr_eq(env_get(&env, steps[_i].name), steps[_i].value);
    env_free(&env);
    lab_free(lab);
}
END_TEST

START_TEST(an_sruns_own_step_knows_the_jobs_name)
{
    struct lab *lab = lab_new("nodes=1");
    struct env env;

    lab_allocate(lab, "", "");
    env = env_of(lab, 1, 0);

    ck_assert_pstr_eq(env_get(&env, "SLURM_JOB_NAME"), "story");
    ck_assert_ptr_null(env_get(&env, "SLURM_DISTRIBUTION"));
    env_free(&env);
    lab_free(lab);
}
END_TEST

/* Nodes of 2 sockets with 2 cores of 2 threads; what tasks are dealt to is counted, as in Slurm. */
static const struct {
    const char *job, *step, *name, *value;
} threads[] = {
    { "core_threads=1", NULL, "SLURM_JOB_CPUS_PER_NODE", "1" },
    { "core_threads=1", NULL, "SLURM_CPUS_ON_NODE", "1" },
    { "core_threads=1", NULL, "SLURM_TASKS_PER_NODE", "1" },
    { "core_threads=1 ntasks=2", NULL, "SLURM_JOB_CPUS_PER_NODE", "2" },
    { "core_threads=1 ntasks=2", NULL, "SLURM_CPUS_ON_NODE", "2" },
    { "core_threads=1 exclusive", NULL, "SLURM_JOB_CPUS_PER_NODE", "4" },
    { "core_threads=1 exclusive", NULL, "SLURM_CPUS_ON_NODE", "4" },
    { "core_threads=1 exclusive", NULL, "SLURM_TASKS_PER_NODE", "4" },
    { "core_threads=1 nodes=2 ntasks=3 cpus=2", NULL, "SLURM_JOB_CPUS_PER_NODE", "4,2" },
    { "core_threads=2 ntasks=3", NULL, "SLURM_JOB_CPUS_PER_NODE", "4" },
    { "ntasks=3", NULL, "SLURM_JOB_CPUS_PER_NODE", "4" },
    { "ntasks=3", NULL, "SLURM_CPUS_ON_NODE", "4" },
    { "core_threads=1 exclusive", "ntasks=1", "SLURM_JOB_CPUS_PER_NODE", "4" },
};

START_TEST(cpus_that_have_no_task_are_not_counted)
{
    struct lab *lab = lab_new("nodes=2 cpus=8 sockets=2 cores=2 threads=2");
    struct env env;

    lab_submit(lab, threads[_i].job);
    if (threads[_i].step)
        lab_step(lab, 1, threads[_i].step);
    env = env_of(lab, 1, threads[_i].step ? 0 : STEP_BATCH);

    ck_assert_pstr_eq(env_get(&env, threads[_i].name), threads[_i].value);
    env_free(&env);
    lab_free(lab);
}
END_TEST

/* As the Prolog and Epilog Guide has them; read off Slurm 22.05 as far as that is old enough. */
static const struct {
    const char *job;
    enum job_program kind;
    const char *name, *value;
} hooks[] = {
    { "", JOB_PROGRAM_PROLOG, "SLURM_JOB_ID", "1" },
    { "", JOB_PROGRAM_PROLOG, "SLURM_JOB_EXIT_CODE", NULL },
    { "", JOB_PROGRAM_PROLOG, "SLURM_JOB_DERIVED_EC", NULL },
    { "", JOB_PROGRAM_PROLOG, "SLURM_JOB_START_TIME", "1800000000" },
    { "", JOB_PROGRAM_PROLOG, "SLURM_JOB_END_TIME", NULL },
    { "time=60", JOB_PROGRAM_PROLOG, "SLURM_JOB_END_TIME", "1800000060" },
    { "time=60", JOB_PROGRAM_EPILOG, "SLURM_JOB_END_TIME", "1800000000" },
    { "", JOB_PROGRAM_EPILOG, "SLURM_JOB_EXIT_CODE", "768" },
    { "", JOB_PROGRAM_EPILOG, "SLURM_JOB_EXIT_CODE2", "3:0" },
    { "", JOB_PROGRAM_EPILOG, "SLURM_JOB_DERIVED_EC", "0" },
    { "", JOB_PROGRAM_EPILOG, "SLURM_JOB_OVERSUBSCRIBE", "OK" },
    { "exclusive", JOB_PROGRAM_PROLOG, "SLURM_JOB_OVERSUBSCRIBE", "NO" },
    { "ntasks=2", JOB_PROGRAM_PROLOG, "SLURM_NTASKS", "2" },
    { "", JOB_PROGRAM_PROLOG, "SLURM_JOB_EXTRA", "more" },
    { "", JOB_PROGRAM_PROLOG, "SLURM_JOB_RESERVATION", "r1" },
    { "", JOB_PROGRAM_PROLOG, "SLURM_JOB_LICENSES", "matlab:1" },
    { "", JOB_PROGRAM_EPILOG, "SLURM_WCKEY", "key" },
    { "", JOB_PROGRAM_PROLOG, "CUDA_VISIBLE_DEVICES", NULL },
    { "gres=gpu:2", JOB_PROGRAM_PROLOG, "SLURM_JOB_GPUS", "0,1" },
    { "gres=gpu:2", JOB_PROGRAM_PROLOG, "CUDA_VISIBLE_DEVICES", "0,1" },
    { "gres=gpu:2", JOB_PROGRAM_EPILOG, "ROCR_VISIBLE_DEVICES", "0,1" },
    { "gres=gpu:2", JOB_PROGRAM_EPILOG, "ZE_AFFINITY_MASK", NULL },
};

START_TEST(programs_on_nodes_are_told_the_job)
{
    struct lab *lab = lab_new("nodes=1 cpus=2 gpus=2");
    const struct model *model = control_model(lab->control);
    const struct job *job;
    struct env env = { 0 };

    model_find_node(model, "n1")->conf->devices[0].gpu_env = GPU_ENV_NVIDIA | GPU_ENV_AMD;
    job = lab_job(lab, lab_submit(lab, hooks[_i].job));
    job->rec.spec->extra = xstrdup("more");
    job->rec.spec->reservation = xstrdup("r1");
    job->rec.spec->licenses = xstrdup("matlab:1");
    job->rec.spec->wckey = xstrdup("key");
    if (hooks[_i].kind == JOB_PROGRAM_EPILOG)
        lab_exit(lab, 1, STEP_BATCH, 3 << 8);
    jobenv_make_hook(model, job, &job->rec.nodes[0], hooks[_i].kind, &env.strings, &env.n);

    ck_assert_pstr_eq(env_get(&env, hooks[_i].name), hooks[_i].value);
    env_free(&env);
    lab_free(lab);
}
END_TEST

/* ---- whole environments ---- */

static int compare_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Every variable, in the order of the alphabet. */
static void assert_whole(struct env *env, const char *expected)
{
    AUTO(strbuf) struct strbuf text = { 0 };

    qsort(env->strings, env->n, sizeof(*env->strings), compare_text);
    for (uint32_t i = 0; i < env->n; i++)
        strbuf_addf(&text, "%s\n", env->strings[i]);
    ck_assert_str_eq(strbuf_text(&text), expected);
    env_free(env);
}

static void fill_job(const struct job *job)
{
    struct job_spec *spec = job->rec.spec;

    spec->account = xstrdup("physics");
    spec->qos = xstrdup("high");
    spec->extra = xstrdup("more");
    spec->comment = xstrdup("said");
    spec->features = xstrdup("fast");
    spec->reservation = xstrdup("r1");
    spec->licenses = xstrdup("matlab:1");
    spec->wckey = xstrdup("key");
    spec->submit_host = xstrdup("head");
    xstrset(&job->body->msg.work_dir, "/home/ann");
    xstrset(&job->body->msg.std_err, "err");
}

START_TEST(a_script_has_these_and_no_others)
{
    struct lab *lab = lab_new("nodes=2 cpus=4");
    uint32_t id =
        lab_submit(lab, "array=3-9:2%2 nodes=2 per_node=2 cpus=1 mem=100 time=60 overcommit");
    struct job *job =
        (struct job *)(uintptr_t)lab_job(lab, id + 1); /* the first task of the array */
    struct env env;

    fill_job(job);
    job->rec.spec->ntasks_per_core = 1;
    job->rec.spec->ntasks_per_socket = 2;
    job->rec.spec->threads_per_core = 1;
    job->rec.spec->mem_per_cpu = 7;
    job->rec.restarts = 1;
    env = env_of(lab, id + 1, STEP_BATCH);

    assert_whole(&env, "ENVIRONMENT=BATCH\n"
                       "SLURM_ARRAY_JOB_ID=1\n"
                       "SLURM_ARRAY_TASK_COUNT=4\n"
                       "SLURM_ARRAY_TASK_ID=3\n"
                       "SLURM_ARRAY_TASK_MAX=9\n"
                       "SLURM_ARRAY_TASK_MIN=3\n"
                       "SLURM_ARRAY_TASK_STEP=2\n"
                       "SLURM_CLUSTER_NAME=lab\n"
                       "SLURM_CONF=/etc/slurm/slurm.conf\n"
                       "SLURM_CPUS_ON_NODE=1\n"
                       "SLURM_CPUS_PER_TASK=1\n"
                       "SLURM_JOBID=2\n"
                       "SLURM_JOB_ACCOUNT=physics\n"
                       "SLURM_JOB_CPUS_PER_NODE=1(x2)\n"
                       "SLURM_JOB_END_TIME=1800000060\n"
                       "SLURM_JOB_GID=1000\n"
                       "SLURM_JOB_ID=2\n"
                       "SLURM_JOB_NAME=story\n"
                       "SLURM_JOB_NODELIST=n[1-2]\n"
                       "SLURM_JOB_NUM_NODES=2\n"
                       "SLURM_JOB_PARTITION=main\n"
                       "SLURM_JOB_QOS=high\n"
                       "SLURM_JOB_RESERVATION=r1\n"
                       "SLURM_JOB_START_TIME=1800000000\n"
                       "SLURM_JOB_UID=1000\n"
                       "SLURM_JOB_USER=ann\n"
                       "SLURM_MEM_PER_CPU=7\n"
                       "SLURM_MEM_PER_NODE=100\n"
                       "SLURM_NNODES=2\n"
                       "SLURM_NODELIST=n[1-2]\n"
                       "SLURM_NPROCS=4\n"
                       "SLURM_NTASKS=4\n"
                       "SLURM_NTASKS_PER_CORE=1\n"
                       "SLURM_NTASKS_PER_NODE=2\n"
                       "SLURM_NTASKS_PER_SOCKET=2\n"
                       "SLURM_OVERCOMMIT=1\n"
                       "SLURM_RESTART_COUNT=1\n"
                       "SLURM_SUBMIT_HOST=head\n"
                       "SLURM_TASKS_PER_NODE=2(x2)\n"
                       "SLURM_THREADS_PER_CORE=1\n");
    lab_free(lab);
}
END_TEST

START_TEST(a_task_has_these_and_no_others)
{
    struct lab *lab = lab_new("nodes=2 cpus=4");
    struct env env;

    lab_submit(lab, "nodes=2 exclusive");
    fill_job(lab_job(lab, 1));
    lab_step(lab, 1, "nodes=2 ntasks=3 cpus=2");
    job_find_step(lab_job(lab, 1), 0)->rec.spec->mem_per_node = 50;
    job_find_step(lab_job(lab, 1), 0)->rec.spec->ntasks_per_node = 2;
    env = env_of(lab, 1, 0);

    assert_whole(&env, "SLURM_CLUSTER_NAME=lab\n"
                       "SLURM_CONF=/etc/slurm/slurm.conf\n"
                       "SLURM_CPUS_PER_TASK=2\n"
                       "SLURM_DISTRIBUTION=block\n"
                       "SLURM_JOBID=1\n"
                       "SLURM_JOB_ACCOUNT=physics\n"
                       "SLURM_JOB_CPUS_PER_NODE=4(x2)\n"
                       "SLURM_JOB_GID=1000\n"
                       "SLURM_JOB_ID=1\n"
                       "SLURM_JOB_NODELIST=n[1-2]\n"
                       "SLURM_JOB_NUM_NODES=2\n"
                       "SLURM_JOB_PARTITION=main\n"
                       "SLURM_JOB_QOS=high\n"
                       "SLURM_JOB_RESERVATION=r1\n"
                       "SLURM_JOB_START_TIME=1800000000\n"
                       "SLURM_JOB_UID=1000\n"
                       "SLURM_JOB_USER=ann\n"
                       "SLURM_MEM_PER_NODE=50\n"
                       "SLURM_NNODES=2\n"
                       "SLURM_NODELIST=n[1-2]\n"
                       "SLURM_NPROCS=3\n"
                       "SLURM_NTASKS=3\n"
                       "SLURM_NTASKS_PER_NODE=2\n"
                       "SLURM_SRUN_COMM_HOST=192.0.2.7\n"
                       "SLURM_SRUN_COMM_PORT=4000\n"
                       "SLURM_STEPID=0\n"
                       "SLURM_STEP_ID=0\n"
                       "SLURM_STEP_LAUNCHER_PORT=4000\n"
                       "SLURM_STEP_NODELIST=n[1-2]\n"
                       "SLURM_STEP_NUM_NODES=2\n"
                       "SLURM_STEP_NUM_TASKS=3\n"
                       "SLURM_STEP_TASKS_PER_NODE=2,1\n"
                       "SLURM_TASKS_PER_NODE=2,1\n");
    lab_free(lab);
}
END_TEST

START_TEST(a_task_of_a_step_that_preserves_its_environment_has_not_its_size)
{
    struct lab *lab = lab_new("nodes=2 cpus=4");
    struct env env;

    lab_submit(lab, "nodes=2 exclusive");
    lab_step(lab, 1, "nodes=1 ntasks=1");
    job_find_step(lab_job(lab, 1), 0)->rec.spec->preserve_env = true;
    env = env_of(lab, 1, 0);

    assert_whole(&env, "SLURM_CLUSTER_NAME=lab\n"
                       "SLURM_CONF=/etc/slurm/slurm.conf\n"
                       "SLURM_DISTRIBUTION=cyclic\n"
                       "SLURM_JOBID=1\n"
                       "SLURM_JOB_CPUS_PER_NODE=4(x2)\n"
                       "SLURM_JOB_GID=1000\n"
                       "SLURM_JOB_ID=1\n"
                       "SLURM_JOB_NODELIST=n[1-2]\n"
                       "SLURM_JOB_NUM_NODES=2\n"
                       "SLURM_JOB_PARTITION=main\n"
                       "SLURM_JOB_START_TIME=1800000000\n"
                       "SLURM_JOB_UID=1000\n"
                       "SLURM_JOB_USER=ann\n"
                       "SLURM_NODELIST=n[1-2]\n"
                       "SLURM_SRUN_COMM_HOST=192.0.2.7\n"
                       "SLURM_SRUN_COMM_PORT=4000\n"
                       "SLURM_STEPID=0\n"
                       "SLURM_STEP_ID=0\n"
                       "SLURM_STEP_LAUNCHER_PORT=4000\n"
                       "SLURM_STEP_NODELIST=n1\n"
                       "SLURM_STEP_NUM_NODES=1\n"
                       "SLURM_STEP_NUM_TASKS=1\n"
                       "SLURM_STEP_TASKS_PER_NODE=1\n"
                       "SLURM_TASKS_PER_NODE=1\n");
    lab_free(lab);
}
END_TEST

static void assert_program(enum job_program kind, bool on_node, const char *expected)
{
    struct lab *lab = lab_new("nodes=1 cpus=2 gpus=2");
    const struct model *model = control_model(lab->control);
    struct env env = { 0 };
    const struct job *job;

    model_find_node(model, "n1")->conf->devices[0].gpu_env = GPU_ENV_NVIDIA;
    job = lab_job(lab, lab_submit(lab, "gres=gpu:2 ntasks=2 time=60"));
    fill_job(job);
    if (kind == JOB_PROGRAM_EPILOG)
        lab_exit(lab, 1, STEP_BATCH, 3 << 8);
    if (on_node)
        jobenv_make_hook(model, job, &job->rec.nodes[0], kind, &env.strings, &env.n);
    else
        jobenv_make_program(model, job, kind, &env.strings, &env.n);
    assert_whole(&env, expected);
    lab_free(lab);
}

START_TEST(a_prolog_has_these_and_no_others)
{
    assert_program(JOB_PROGRAM_PROLOG, true,
                   "CUDA_VISIBLE_DEVICES=0,1\n"
                   "SLURM_CLUSTER_NAME=lab\n"
                   "SLURM_JOBID=1\n"
                   "SLURM_JOB_ACCOUNT=physics\n"
                   "SLURM_JOB_COMMENT=said\n"
                   "SLURM_JOB_CONSTRAINTS=fast\n"
                   "SLURM_JOB_CPUS_PER_NODE=2\n"
                   "SLURM_JOB_END_TIME=1800000060\n"
                   "SLURM_JOB_EXTRA=more\n"
                   "SLURM_JOB_GID=1000\n"
                   "SLURM_JOB_GPUS=0,1\n"
                   "SLURM_JOB_GROUP=users\n"
                   "SLURM_JOB_ID=1\n"
                   "SLURM_JOB_LICENSES=matlab:1\n"
                   "SLURM_JOB_NAME=story\n"
                   "SLURM_JOB_NODELIST=n1\n"
                   "SLURM_JOB_NUM_NODES=1\n"
                   "SLURM_JOB_OVERSUBSCRIBE=OK\n"
                   "SLURM_JOB_PARTITION=main\n"
                   "SLURM_JOB_RESERVATION=r1\n"
                   "SLURM_JOB_RESTART_COUNT=0\n"
                   "SLURM_JOB_START_TIME=1800000000\n"
                   "SLURM_JOB_STDERR=err\n"
                   "SLURM_JOB_STDIN=/dev/null\n"
                   "SLURM_JOB_STDOUT=slurm-%j.out\n"
                   "SLURM_JOB_UID=1000\n"
                   "SLURM_JOB_USER=ann\n"
                   "SLURM_JOB_WORK_DIR=/home/ann\n"
                   "SLURM_NODELIST=n1\n"
                   "SLURM_NTASKS=2\n"
                   "SLURM_UID=1000\n"
                   "SLURM_WCKEY=key\n");
}
END_TEST

START_TEST(an_epilog_has_these_and_no_others)
{
    assert_program(JOB_PROGRAM_EPILOG, true,
                   "CUDA_VISIBLE_DEVICES=0,1\n"
                   "SLURM_CLUSTER_NAME=lab\n"
                   "SLURM_JOBID=1\n"
                   "SLURM_JOB_ACCOUNT=physics\n"
                   "SLURM_JOB_COMMENT=said\n"
                   "SLURM_JOB_CONSTRAINTS=fast\n"
                   "SLURM_JOB_CPUS_PER_NODE=2\n"
                   "SLURM_JOB_DERIVED_EC=0\n"
                   "SLURM_JOB_END_TIME=1800000000\n"
                   "SLURM_JOB_EXIT_CODE2=3:0\n"
                   "SLURM_JOB_EXIT_CODE=768\n"
                   "SLURM_JOB_EXTRA=more\n"
                   "SLURM_JOB_GID=1000\n"
                   "SLURM_JOB_GPUS=0,1\n"
                   "SLURM_JOB_GROUP=users\n"
                   "SLURM_JOB_ID=1\n"
                   "SLURM_JOB_LICENSES=matlab:1\n"
                   "SLURM_JOB_NAME=story\n"
                   "SLURM_JOB_NODELIST=n1\n"
                   "SLURM_JOB_NUM_NODES=1\n"
                   "SLURM_JOB_OVERSUBSCRIBE=OK\n"
                   "SLURM_JOB_PARTITION=main\n"
                   "SLURM_JOB_RESERVATION=r1\n"
                   "SLURM_JOB_RESTART_COUNT=0\n"
                   "SLURM_JOB_START_TIME=1800000000\n"
                   "SLURM_JOB_STDERR=err\n"
                   "SLURM_JOB_STDIN=/dev/null\n"
                   "SLURM_JOB_STDOUT=slurm-%j.out\n"
                   "SLURM_JOB_UID=1000\n"
                   "SLURM_JOB_USER=ann\n"
                   "SLURM_JOB_WORK_DIR=/home/ann\n"
                   "SLURM_NODELIST=n1\n"
                   "SLURM_NTASKS=2\n"
                   "SLURM_UID=1000\n"
                   "SLURM_WCKEY=key\n");
}
END_TEST

START_TEST(the_controllers_prolog_has_these_and_no_others)
{
    assert_program(JOB_PROGRAM_PROLOG, false,
                   "SLURM_CLUSTER_NAME=lab\n"
                   "SLURM_CONF=/etc/slurm/slurm.conf\n"
                   "SLURM_JOBID=1\n"
                   "SLURM_JOB_ACCOUNT=physics\n"
                   "SLURM_JOB_COMMENT=said\n"
                   "SLURM_JOB_CONSTRAINTS=fast\n"
                   "SLURM_JOB_CPUS_PER_NODE=2\n"
                   "SLURM_JOB_END_TIME=1800000060\n"
                   "SLURM_JOB_EXTRA=more\n"
                   "SLURM_JOB_GID=1000\n"
                   "SLURM_JOB_GROUP=users\n"
                   "SLURM_JOB_ID=1\n"
                   "SLURM_JOB_LICENSES=matlab:1\n"
                   "SLURM_JOB_NAME=story\n"
                   "SLURM_JOB_NODELIST=n1\n"
                   "SLURM_JOB_NUM_NODES=1\n"
                   "SLURM_JOB_OVERSUBSCRIBE=OK\n"
                   "SLURM_JOB_PARTITION=main\n"
                   "SLURM_JOB_RESERVATION=r1\n"
                   "SLURM_JOB_RESTART_COUNT=0\n"
                   "SLURM_JOB_START_TIME=1800000000\n"
                   "SLURM_JOB_STDERR=err\n"
                   "SLURM_JOB_STDIN=/dev/null\n"
                   "SLURM_JOB_STDOUT=slurm-%j.out\n"
                   "SLURM_JOB_UID=1000\n"
                   "SLURM_JOB_USER=ann\n"
                   "SLURM_JOB_WORK_DIR=/home/ann\n"
                   "SLURM_NODELIST=n1\n"
                   "SLURM_NTASKS=2\n"
                   "SLURM_SCRIPT_CONTEXT=prolog_slurmctld\n"
                   "SLURM_UID=1000\n"
                   "SLURM_WCKEY=key\n");
}
END_TEST

START_TEST(the_controllers_epilog_has_these_and_no_others)
{
    assert_program(JOB_PROGRAM_EPILOG, false,
                   "SLURM_CLUSTER_NAME=lab\n"
                   "SLURM_CONF=/etc/slurm/slurm.conf\n"
                   "SLURM_JOBID=1\n"
                   "SLURM_JOB_ACCOUNT=physics\n"
                   "SLURM_JOB_COMMENT=said\n"
                   "SLURM_JOB_CONSTRAINTS=fast\n"
                   "SLURM_JOB_CPUS_PER_NODE=2\n"
                   "SLURM_JOB_DERIVED_EC=0\n"
                   "SLURM_JOB_END_TIME=1800000000\n"
                   "SLURM_JOB_EXIT_CODE2=3:0\n"
                   "SLURM_JOB_EXIT_CODE=768\n"
                   "SLURM_JOB_EXTRA=more\n"
                   "SLURM_JOB_GID=1000\n"
                   "SLURM_JOB_GROUP=users\n"
                   "SLURM_JOB_ID=1\n"
                   "SLURM_JOB_LICENSES=matlab:1\n"
                   "SLURM_JOB_NAME=story\n"
                   "SLURM_JOB_NODELIST=n1\n"
                   "SLURM_JOB_NUM_NODES=1\n"
                   "SLURM_JOB_OVERSUBSCRIBE=OK\n"
                   "SLURM_JOB_PARTITION=main\n"
                   "SLURM_JOB_RESERVATION=r1\n"
                   "SLURM_JOB_RESTART_COUNT=0\n"
                   "SLURM_JOB_START_TIME=1800000000\n"
                   "SLURM_JOB_STDERR=err\n"
                   "SLURM_JOB_STDIN=/dev/null\n"
                   "SLURM_JOB_STDOUT=slurm-%j.out\n"
                   "SLURM_JOB_UID=1000\n"
                   "SLURM_JOB_USER=ann\n"
                   "SLURM_JOB_WORK_DIR=/home/ann\n"
                   "SLURM_NODELIST=n1\n"
                   "SLURM_NTASKS=2\n"
                   "SLURM_SCRIPT_CONTEXT=epilog_slurmctld\n"
                   "SLURM_UID=1000\n"
                   "SLURM_WCKEY=key\n");
}
END_TEST

CHECK_MAIN(jobenv, CASE(a_script_has_these_and_no_others), CASE(a_task_has_these_and_no_others),
           CASE(a_task_of_a_step_that_preserves_its_environment_has_not_its_size),
           CASE(a_prolog_has_these_and_no_others), CASE(an_epilog_has_these_and_no_others),
           CASE(the_controllers_prolog_has_these_and_no_others),
           CASE(the_controllers_epilog_has_these_and_no_others),
           LOOP_CASE(a_script_finds_its_job_in_the_environment, ARRAY_N(batch)),
           LOOP_CASE(a_task_finds_its_step_in_the_environment, ARRAY_N(steps)),
           CASE(an_sruns_own_step_knows_the_jobs_name),
           LOOP_CASE(cpus_that_have_no_task_are_not_counted, ARRAY_N(threads)),
           LOOP_CASE(programs_on_nodes_are_told_the_job, ARRAY_N(hooks)))
