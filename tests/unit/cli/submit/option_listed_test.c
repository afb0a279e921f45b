/* --distribution=arbitrary and SLURM_HOSTFILE. */
#include "unit/check_main.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/submit/environment.h"
#include "cli/submit/options.h"
#include "common/text/words.h"

static int read_line(struct submit_options *options, const char *line, struct err *err)
{
    AUTO(words) struct words words = words_split(line, " ");
    char *argv[64] = { "" };
    int operand;
    int rc;

    for (uint32_t i = 0; i < words.n; i++)
        argv[i + 1] = words.at[i];
    rc = submit_options_parse(options, FROM_COMMAND_LINE, (int)words.n + 1, argv, &operand, err);
    return rc < 0 ? rc : submit_options_check(options, err);
}

static const struct {
    const char *file; /* SLURM_HOSTFILE names a file with this; NULL: is not set */
    const char *line;
    uint32_t ntasks;
    const char *nodes;
    uint32_t dist;
} lists[] = {
    { NULL, "-m arbitrary -w b,a,a", 3, "b,a,a", DIST_ARBITRARY },
    { NULL, "-m arbitrary -w b,a,a -n2", 2, "b,a", DIST_ARBITRARY },
    { "b\na\na\n", "", 3, "b,a,a", DIST_ARBITRARY },
    { "b\na\na\n", "-m block", 3, "b,a,a", DIST_ARBITRARY },
    { "b\na\na\n", "-n1", 1, "b", DIST_ARBITRARY },
    { "b\na\na\n", "-w c", COUNT_UNSET, "c", DIST_DEFAULT },
    { "b\na\na\n", "-w c,d -m arbitrary", 2, "c,d", DIST_ARBITRARY },
};

START_TEST(tasks_go_where_names_stand)
{
    char path[] = "/tmp/option_listed_test.XXXXXX";
    const int fd = mkstemp(path);
    AUTO_FREE char *variable = xasprintf("SLURM_HOSTFILE=%s", path);
    char *const environment[] = { lists[_i].file ? variable : NULL, NULL };
    AUTO(submit_options) struct submit_options options;
    struct err err = { 0 };
    int rc;

    ck_assert_int_ge(fd, 0);
    if (lists[_i].file)
        ck_assert_int_gt(write(fd, lists[_i].file, strlen(lists[_i].file)), 0);
    close(fd);
    submit_options_init(&options, SUBMIT_SBATCH);
    ck_assert_int_eq(submit_options_from_env(&options, environment, &err), 0);

    rc = read_line(&options, lists[_i].line, &err);

    unlink(path);
    ck_assert_msg(rc == 0, "%s", err.text);
    ck_assert_uint_eq(options.job.ntasks, lists[_i].ntasks);
    ck_assert_str_eq(options.job.req_nodes, lists[_i].nodes);
    ck_assert_uint_eq(options.job.dist_nodes, lists[_i].dist);
}
END_TEST

static const struct {
    const char *variable, *line, *text;
} refusals[] = {
    { NULL, "-m arbitrary",
      "With Arbitrary distribution you need to specify a nodelist or hostfile with the -w option" },
    { NULL, "-m arbitrary -w a,b -n3",
      "Too few NodeNames in Slurm Hostfile: 2 for 3 tasks (--distribution=arbitrary)" },
    { "SLURM_HOSTFILE=/nonexistent/hosts", "-n1",
      "Failure getting NodeNames from hostfile (SLURM_HOSTFILE): cannot open host file "
      "'/nonexistent/hosts': No such file or directory" },
};

START_TEST(a_list_that_will_not_do_is_refused)
{
    char *const environment[] = { (char *)refusals[_i].variable, NULL };
    AUTO(submit_options) struct submit_options options;
    struct err err = { 0 };

    submit_options_init(&options, SUBMIT_SBATCH);
    ck_assert_int_eq(submit_options_from_env(&options, environment, &err), 0);

    ck_assert_int_lt(read_line(&options, refusals[_i].line, &err), 0);

    ck_assert_str_eq(err.text, refusals[_i].text);
    ck_assert_int_eq(submit_exit_status(&err), 1);
}
END_TEST

START_TEST(steps_of_a_job_follow_its_list)
{
    char *const in_job[] = { "SLURM_JOB_ID=5", "SLURM_DISTRIBUTION=arbitrary",
                             "SLURM_ARBITRARY_NODELIST=b,a,a", "SLURM_NTASKS=3", NULL };
    AUTO(submit_options) struct submit_options job, step;
    AUTO(environment) struct environment environment = { 0 };
    struct err err = { 0 };

    submit_options_init(&job, SUBMIT_SBATCH);
    ck_assert_int_eq(read_line(&job, "-m arbitrary -w b,a,a", &err), 0);
    environment_describe(&environment, &job);
    submit_options_init(&step, SUBMIT_SRUN);
    ck_assert_int_eq(submit_options_from_env(&step, in_job, &err), 0);
    ck_assert_int_eq(read_line(&step, "-n2", &err), 0);

    ck_assert_str_eq(environment_get(&environment, "SLURM_DISTRIBUTION"), "arbitrary");
    ck_assert_str_eq(environment_get(&environment, "SLURM_ARBITRARY_NODELIST"), "b,a,a");
    ck_assert_str_eq(step.job.req_nodes, "b,a");
}
END_TEST

CHECK_MAIN(option_listed, LOOP_CASE(tasks_go_where_names_stand, ARRAY_N(lists)),
           LOOP_CASE(a_list_that_will_not_do_is_refused, ARRAY_N(refusals)),
           CASE(steps_of_a_job_follow_its_list))
