/* What --export lets through was seen with Slurm 22.05. */
#include "unit/check_main.h"

#include <string.h>

#include "cli/submit/environment.h"
#include "common/msg/job_env.h"
#include "cli/submit/options.h"

static char *const mine[] = { "A=1", "SLURM_X=2", "B=3=4", "SBATCH_Z=5", NULL };

static const struct {
    const char *spec;
    const char *result;
    bool login;
} exports[] = {
    { NULL, "SLURM_X=2 A=1 B=3=4 SBATCH_Z=5", false },
    { "ALL", "SLURM_X=2 A=1 B=3=4 SBATCH_Z=5", false },
    { "NONE", "SLURM_X=2", true },
    { "NIL", "SLURM_X=2", false },
    { "ALL,C=3", "SLURM_X=2 C=3 A=1 B=3=4 SBATCH_Z=5", false },
    { "C=3,A", "SLURM_X=2 C=3 A=1", true },
    { "C=\"a,b\",D,B", "SLURM_X=2 C=\"a,b\" B=3=4", true },
    { "A=9,ALL", "SLURM_X=2 A=9 B=3=4 SBATCH_Z=5", false },
    { "A=1,A=2", "SLURM_X=2 A=2", true },
};

static void print(const struct environment *environment, struct strbuf *out)
{
    for (uint32_t i = 0; i < environment->n; i++)
        strbuf_addf(out, "%s%s", i > 0 ? " " : "", environment->at[i]);
}

START_TEST(export_lets_through_what_it_names)
{
    AUTO(environment) struct environment environment = { 0 };
    AUTO(strbuf) struct strbuf out = { 0 };
    bool login = !exports[_i].login;

    environment_export(&environment, exports[_i].spec, mine, &login);

    print(&environment, &out);
    ck_assert_str_eq(strbuf_text(&out), exports[_i].result);
    ck_assert_int_eq(login, exports[_i].login);
    ck_assert_ptr_null(environment.at[environment.n]);
}
END_TEST

START_TEST(a_job_submitted_from_a_job_does_not_take_over_what_described_that)
{
    char *const inside[] = {
        "SLURM_JOB_ID=1",     "SLURM_JOBID=1",    "SLURM_STEP_ID=0", "SLURM_PROCID=3",
        "SLURM_NTASKS=5",     "SLURM_CONF=/c",    "SLURM_MINE=x",    "SLURM_TASKS_PER_NODE=5",
        "SLURM_EXIT_ERROR=4", "SLURM_JOB_NAME=n", "PATH=/bin",       NULL
    };
    AUTO(environment) struct environment environment = { 0 };
    AUTO(strbuf) struct strbuf out = { 0 };

    environment_copy(&environment, inside);
    environment_leave_job(&environment);

    print(&environment, &out);
    ck_assert_str_eq(strbuf_text(&out), "SLURM_CONF=/c SLURM_MINE=x SLURM_EXIT_ERROR=4 PATH=/bin");
}
END_TEST

/* What a job inherits all the same: it is so wherever the user is, or overwritten for sure. */
static bool may_stay(const char *name)
{
    static const char *const stays[] = {
        "ENVIRONMENT",         "HOSTNAME",
        "SLURM_CLUSTER_NAME",  "SLURM_CONF",
        "SLURM_MEM_BIND",      "SLURM_MEM_BIND_LIST",
        "SLURM_MEM_BIND_TYPE", "SLURM_MEM_BIND_PREFER",
        "SLURM_MEM_BIND_SORT", "SLURM_MEM_BIND_VERBOSE",
        "SLURM_SUBMIT_HOST",
    };

    for (size_t i = 0; i < ARRAY_N(stays); i++) {
        if (strcmp(stays[i], name) == 0)
            return true;
    }
    return false;
}

START_TEST(whatever_a_job_is_told_does_not_go_on_to_the_next)
{
    const unsigned told = JOB_ENV_REQUEST | JOB_ENV_SRUN | JOB_ENV_BATCH | JOB_ENV_STEP |
                          JOB_ENV_NODE | JOB_ENV_BOUND | JOB_ENV_TASK | JOB_ENV_ALLOC;
    const char *name;
    unsigned in;

    for (size_t i = 0; (name = job_env_name(i, &in)); i++) {
        AUTO(environment) struct environment environment = { 0 };

        environment_set(&environment, "SLURM_JOB_ID", "1");
        environment_set(&environment, name, "x");
        environment_leave_job(&environment);
        if (in & told)
            ck_assert_msg((environment.n > 0) == may_stay(name), "%s", name);
    }
}
END_TEST

START_TEST(outside_a_job_variables_are_the_users_own)
{
    char *const outside[] = { "SLURM_NTASKS=5", NULL };
    AUTO(environment) struct environment environment = { 0 };

    environment_copy(&environment, outside);
    environment_leave_job(&environment);

    ck_assert_str_eq(environment_get(&environment, "SLURM_NTASKS"), "5");
}
END_TEST

START_TEST(what_was_asked_is_told_to_the_job)
{
    char *argv[] = { "sbatch",
                     "-n3",
                     "-c2",
                     "--mem=100",
                     "--ntasks-per-node=2",
                     "-O",
                     "-mcyclic",
                     "--open-mode=append" };
    AUTO(submit_options) struct submit_options options;
    AUTO(environment) struct environment environment = { 0 };
    AUTO(strbuf) struct strbuf out = { 0 };
    int operand;

    submit_options_init(&options, SUBMIT_SBATCH);
    ck_assert_int_eq(
        submit_options_parse(&options, FROM_COMMAND_LINE, (int)ARRAY_N(argv), argv, &operand, NULL),
        0);
    environment_describe(&environment, &options);

    print(&environment, &out);
    ck_assert_str_eq(strbuf_text(&out),
                     "SLURM_NTASKS=3 SLURM_NPROCS=3 SLURM_NTASKS_PER_NODE=2 SLURM_CPUS_PER_TASK=2 "
                     "SLURM_MEM_PER_NODE=100 SLURM_OVERCOMMIT=1 SLURM_DISTRIBUTION=cyclic "
                     "SLURM_OPEN_MODE=a");
}
END_TEST

START_TEST(nothing_is_told_that_was_not_asked)
{
    AUTO(submit_options) struct submit_options options;
    AUTO(environment) struct environment environment = { 0 };

    submit_options_init(&options, SUBMIT_SBATCH);
    environment_describe(&environment, &options);

    ck_assert_uint_eq(environment.n, 0);
}
END_TEST

START_TEST(setting_replaces_and_unsetting_removes)
{
    AUTO(environment) struct environment environment = { 0 };
    AUTO(strbuf) struct strbuf out = { 0 };

    environment_set(&environment, "A", "%d", 1);
    environment_set(&environment, "AB", "%s", "2");
    environment_set(&environment, "A", "%d", 3);
    environment_unset(&environment, "AB");
    environment_unset(&environment, "ABC");
    ck_assert_int_eq(environment_encode(&environment, &out, NULL), 0);

    ck_assert_uint_eq(out.len, 4);
    ck_assert_int_eq(memcmp(out.data, "A=3", 4), 0);
}
END_TEST

START_TEST(a_login_shell_tells_its_variables)
{
    AUTO(environment) struct environment environment = { 0 };
    struct err err = { 0 };

    ck_assert_msg(environment_login(&environment, 30, &err) == 0, "%s", err.text);

    ck_assert_ptr_nonnull(environment_get(&environment, "HOME"));
    ck_assert_ptr_nonnull(environment_get(&environment, "PATH"));
    ck_assert_ptr_null(environment_get(&environment, "SHLVL"));
}
END_TEST

CHECK_MAIN(environment, LOOP_CASE(export_lets_through_what_it_names, ARRAY_N(exports)),
           CASE(a_job_submitted_from_a_job_does_not_take_over_what_described_that),
           CASE(whatever_a_job_is_told_does_not_go_on_to_the_next),
           CASE(outside_a_job_variables_are_the_users_own), CASE(what_was_asked_is_told_to_the_job),
           CASE(nothing_is_told_that_was_not_asked), CASE(setting_replaces_and_unsetting_removes),
           CASE(a_login_shell_tells_its_variables))
