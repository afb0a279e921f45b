/*
 * The table of variables: what stands in it and where, and that an environment is made of the facts
 * that there are. Whole environments are held in the tests of those who make them (jobenv,
 * task_env, describe).
 */
#include "common/msg/job_env.h"

#include <string.h>

#include "unit/check_main.h"

static struct job_record job;
static struct job_spec spec;
static struct job_body body;
static struct job_env_facts facts;
static struct strbuf made;

static void before(void)
{
    job_record_init(&job);
    job_spec_init(&spec);
    job.spec = &spec;
    facts = (struct job_env_facts)JOB_ENV_NO_FACTS;
}

static void after(void)
{
    strbuf_clear(&made);
}

static void note(void *ctx, const char *name, const char *value)
{
    (void)ctx;
    strbuf_addf(&made, "%s=%s ", name, value);
}

static const char *make(unsigned in)
{
    job_env_make(in, &facts, note, NULL);
    return strbuf_text(&made);
}

START_TEST(a_name_stands_once_in_an_environment)
{
    unsigned in, other;

    for (size_t i = 0; job_env_name(i, &in); i++) {
        ck_assert_uint_ne(in, 0);
        for (size_t k = 0; k < i; k++)
            ck_assert_msg(strcmp(job_env_name(i, &in), job_env_name(k, &other)) != 0 ||
                              !(in & other),
                          "%s stands twice", job_env_name(i, &in));
    }
}
END_TEST

/* What old scripts call it, where that stands. */
static const struct {
    const char *name, *old;
    unsigned in;
} old_names[] = {
    { "SLURM_JOB_ID", "SLURM_JOBID", ~0u },
    { "SLURM_STEP_ID", "SLURM_STEPID", ~0u },
    { "SLURM_JOB_NODELIST", "SLURM_NODELIST",
      JOB_ENV_BATCH | JOB_ENV_STEP | JOB_ENV_ALLOC | JOB_ENV_HOOK | JOB_ENV_CTLD },
    { "SLURM_NTASKS", "SLURM_NPROCS", JOB_ENV_REQUEST | JOB_ENV_BATCH | JOB_ENV_STEP },
    { "SLURM_JOB_NUM_NODES", "SLURM_NNODES", JOB_ENV_BATCH | JOB_ENV_STEP | JOB_ENV_ALLOC },
    { "SLURM_JOB_UID", "SLURM_UID", JOB_ENV_HOOK | JOB_ENV_CTLD },
};

static unsigned places_of(const char *name)
{
    const char *at;
    unsigned in, all = 0;

    for (size_t i = 0; (at = job_env_name(i, &in)); i++)
        all |= strcmp(at, name) == 0 ? in : 0;
    return all;
}

START_TEST(an_old_name_stands_beside_the_new_one)
{
    const unsigned in = old_names[_i].in;

    ck_assert_uint_eq(places_of(old_names[_i].old) & in, places_of(old_names[_i].name) & in);
    ck_assert_uint_ne(places_of(old_names[_i].old), 0);
}
END_TEST

START_TEST(without_facts_there_is_nothing)
{
    ck_assert_str_eq(make(JOB_ENV_REQUEST | JOB_ENV_SRUN | JOB_ENV_BOUND | JOB_ENV_PROGRAM), "");
}
END_TEST

START_TEST(a_request_tells_what_was_asked)
{
    facts.spec = &spec;
    spec.ntasks = 4;
    spec.cpus_per_task = 0;
    spec.mem_per_cpu = 100;
    spec.overcommit = true;

    ck_assert_str_eq(make(JOB_ENV_REQUEST), "SLURM_NTASKS=4 SLURM_NPROCS=4 SLURM_CPUS_PER_TASK=0 "
                                            "SLURM_MEM_PER_CPU=100 SLURM_OVERCOMMIT=1 ");
}
END_TEST

START_TEST(where_srun_listens_has_four_names)
{
    facts.launcher_host = "192.0.2.1";
    facts.launcher_port = "4000";

    ck_assert_str_eq(make(JOB_ENV_SRUN),
                     "SLURM_LAUNCH_NODE_IPADDR=192.0.2.1 SLURM_SRUN_COMM_HOST=192.0.2.1 "
                     "SLURM_SRUN_COMM_PORT=4000 SLURM_STEP_LAUNCHER_PORT=4000 ");
}
END_TEST

START_TEST(what_is_bound_is_told_in_parts_and_whole)
{
    AUTO(cpu_bind) struct cpu_bind cpus = { 0 };
    AUTO(mem_bind) struct mem_bind memory = { 0 };

    ck_assert_int_eq(cpu_bind_add(&cpus, "verbose,map_cpu:0,1", NULL), 0);
    ck_assert_int_eq(mem_bind_add(&memory, "prefer,local", NULL), 0);
    facts.cpu_bind = &cpus;
    facts.mem_bind = &memory;

    ck_assert_str_eq(make(JOB_ENV_BOUND),
                     "SLURM_CPU_BIND=verbose,map_cpu:0,1 SLURM_CPU_BIND_VERBOSE=verbose "
                     "SLURM_CPU_BIND_TYPE=map_cpu: SLURM_CPU_BIND_LIST=0,1 "
                     "SLURM_MEM_BIND=quiet,prefer,local SLURM_MEM_BIND_VERBOSE=quiet "
                     "SLURM_MEM_BIND_TYPE=local SLURM_MEM_BIND_LIST= "
                     "SLURM_MEM_BIND_PREFER=prefer ");
}
END_TEST

START_TEST(srun_tells_its_programs_job_and_step)
{
    uint32_t cpus[] = { 4, 2 };
    struct step_node nodes[2];
    struct step_record step;
    char list[] = "n[1-2]", user[] = "ann", part[] = "main", name[] = "story", step_list[] = "n2";

    step_record_init(&step);
    for (uint32_t i = 0; i < ARRAY_N(nodes); i++) {
        step_node_init(&nodes[i]);
        nodes[i].tasks_n = 3;
    }
    job.uid = 1000;
    job.gid = 100;
    job.nodes_n = 2;
    job.user_name = user;
    job.node_list = list;
    job.partition = part;
    spec.name = name;
    step.job_id = 7;
    step.step_id = 1;
    step.ntasks = 3;
    step.nodes = nodes;
    step.nodes_n = 1;
    step.node_list = step_list;
    facts.job = &job;
    facts.spec = &spec;
    facts.step = facts.sized = &step;
    facts.cpus_per_node = (struct job_env_counts){ cpus, ARRAY_N(cpus) };
    facts.context = "prolog_srun";

    ck_assert_str_eq(make(JOB_ENV_SRUN_JOB | JOB_ENV_SRUN_STEP),
                     "SLURM_JOB_UID=1000 SLURM_JOB_GID=100 SLURM_JOB_USER=ann "
                     "SLURM_JOB_NODELIST=n[1-2] SLURM_NODELIST=n2 SLURM_JOB_NUM_NODES=2 "
                     "SLURM_NNODES=1 SLURM_JOB_CPUS_PER_NODE=4,2 SLURM_TASKS_PER_NODE=3 "
                     "SLURM_JOB_PARTITION=main SLURM_JOB_NAME=story SLURM_NTASKS=3 "
                     "SLURM_NPROCS=3 SLURM_JOB_ID=7 SLURM_JOBID=7 SLURM_STEP_ID=1 "
                     "SLURM_STEPID=1 SLURM_STEP_NODELIST=n2 SLURM_STEP_NUM_NODES=1 "
                     "SLURM_STEP_NUM_TASKS=3 SLURM_STEP_TASKS_PER_NODE=3 "
                     "SLURM_SCRIPT_CONTEXT=prolog_srun ");
}
END_TEST

static const struct {
    const char *named, *got, *told;
} reservations[] = {
    { NULL, NULL, NULL },
    { "r1", NULL, " SLURM_JOB_RESERVATION=r1 " },
    { "r1,r2", "r2", " SLURM_JOB_RESERVATION=r2 " },
    { NULL, "drawn", " SLURM_JOB_RESERVATION=drawn " },
};

START_TEST(a_job_is_told_the_reservation_that_it_is_in)
{
    const char *text;

    facts.job = &job;
    facts.spec = job.spec = &spec;
    spec.reservation = (char *)(uintptr_t)reservations[_i].named;
    job.resv_name = (char *)(uintptr_t)reservations[_i].got;

    text = make(JOB_ENV_BATCH | JOB_ENV_ALLOC);
    if (reservations[_i].told)
        ck_assert_ptr_nonnull(strstr(text, reservations[_i].told));
    else
        ck_assert_ptr_null(strstr(text, "RESERVATION"));
}
END_TEST

START_TEST(a_mail_says_that_a_text_is_absent)
{
    facts.job = &job;
    facts.spec = &spec;
    facts.body = &body;
    facts.absent = "(null)";
    job.id = 3;
    job.exit_status = 2 << 8;

    ck_assert_str_eq(make(JOB_ENV_MAIL | JOB_ENV_ENDED),
                     "SLURM_CLUSTER_NAME=(null) SLURM_JOB_ID=3 SLURM_JOBID=3 SLURM_JOB_UID=0 "
                     "SLURM_JOB_GID=0 SLURM_JOB_USER=(null) SLURM_JOB_GROUP=(null) "
                     "SLURM_JOB_NODELIST=(null) SLURM_JOB_PARTITION=(null) SLURM_JOB_NAME=(null) "
                     "SLURM_JOB_ACCOUNT=(null) SLURM_JOB_WORK_DIR=(null) "
                     "SLURM_JOB_RESTART_COUNT=0 SLURM_JOB_EXIT_CODE=512 SLURM_JOB_EXIT_CODE2=2:0 "
                     "SLURM_JOB_DERIVED_EC=0 ");
}
END_TEST

START_TEST(a_node_tells_programs_of_the_administrator_its_name)
{
    facts.node = "n1";
    facts.conf_path = "/etc/slurm/slurm.conf";
    facts.context = "prolog_slurmd";

    ck_assert_str_eq(make(JOB_ENV_PROGRAM), "SLURMD_NODENAME=n1 SLURM_CONF=/etc/slurm/slurm.conf "
                                            "SLURM_SCRIPT_CONTEXT=prolog_slurmd ");
}
END_TEST

CHECK_MAIN_WITH(job_env, before, after, CASE(a_name_stands_once_in_an_environment),
                LOOP_CASE(an_old_name_stands_beside_the_new_one, ARRAY_N(old_names)),
                CASE(without_facts_there_is_nothing), CASE(a_request_tells_what_was_asked),
                CASE(where_srun_listens_has_four_names),
                CASE(what_is_bound_is_told_in_parts_and_whole),
                CASE(srun_tells_its_programs_job_and_step),
                LOOP_CASE(a_job_is_told_the_reservation_that_it_is_in, ARRAY_N(reservations)),
                CASE(a_mail_says_that_a_text_is_absent),
                CASE(a_node_tells_programs_of_the_administrator_its_name))
