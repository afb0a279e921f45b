/*
 * Which variables the controller sets for scripts and for tasks, and to what. Read off Slurm 22.05
 * with jobs of the same shape on nodes of 4 cpus, but for the times, which later versions set.
 */
#include "unit/check_main.h"

#include "ctld/control/control.h"
#include "ctld/control/act/jobenv.h"
#include "ctld/control/act/turn.h"
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

CHECK_MAIN(jobenv, LOOP_CASE(a_script_finds_its_job_in_the_environment, ARRAY_N(batch)),
           LOOP_CASE(a_task_finds_its_step_in_the_environment, ARRAY_N(steps)),
           CASE(an_sruns_own_step_knows_the_jobs_name),
           LOOP_CASE(cpus_that_have_no_task_are_not_counted, ARRAY_N(threads)),
           LOOP_CASE(programs_on_nodes_are_told_the_job, ARRAY_N(hooks)))
