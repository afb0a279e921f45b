/* The lines were written by Slurm 22.05; what is expected is what its sacct -c printed. */
#include "unit/check_main.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>

#include "cli/sacct/completion.h"

static void use_utc(void)
{
    setenv("TZ", "UTC", 1);
    tzset();
}

static void no_more(void)
{
    unsetenv("TZ");
}

START_TEST(a_line_becomes_the_job_that_it_tells_of)
{
    AUTO(history_job) struct history_job history;
    const struct job_record *job;

    ck_assert_int_eq(
        completion_read("JobId=60002 UserId=ann(1000) GroupId=staff(100) Name=one JobState=FAILED "
                        "Partition=main TimeLimit=30 StartTime=2026-11-23T05:06:18 "
                        "EndTime=2026-11-23T05:06:19 NodeList=worker-[1-2] NodeCnt=2 ProcCnt=4 "
                        "WorkDir=/home/ann ReservationName= Tres=cpu=4,node=2 Account=lab QOS= "
                        "WcKey= Cluster=unknown SubmitTime=2026-11-23T05:06:17 "
                        "EligibleTime=2026-11-23T05:06:17 DerivedExitCode=2:0 ExitCode=3:9 ",
                        &history, NULL),
        0);

    job = history.job;
    ck_assert_uint_eq(job->id, 60002);
    ck_assert_uint_eq(job->uid, 1000);
    ck_assert_str_eq(job->user_name, "ann");
    ck_assert_str_eq(job->group_name, "staff");
    ck_assert_str_eq(job->spec->name, "one");
    ck_assert_uint_eq(job->state, JOB_FAILED);
    ck_assert_int_eq(job->spec->time_limit, 1800);
    ck_assert_int_eq(job->end_time - job->submit_time, 2);
    ck_assert_int_eq(job->start_time, 1795410378);
    ck_assert_str_eq(job->node_list, "worker-[1-2]");
    ck_assert_uint_eq(job->nodes_n, 2);
    ck_assert_uint_eq(job->ncpus, 4);
    ck_assert_str_eq(history.body->work_dir, "/home/ann");
    ck_assert_str_eq(job->spec->account, "lab");
    ck_assert_int_eq(job->derived_status, W_EXITCODE(2, 0));
    ck_assert_int_eq(job->exit_status, W_EXITCODE(3, 9));
}
END_TEST

START_TEST(values_may_have_blanks_in_them)
{
    AUTO(history_job) struct history_job history;

    ck_assert_int_eq(completion_read("JobId=7 Name=two words JobState=COMPLETED NodeList=(null) "
                                     "WorkDir=/a Name=b ArrayJobId=5 ArrayTaskId=2",
                                     &history, NULL),
                     0);

    ck_assert_str_eq(history.job->spec->name, "two words");
    ck_assert_uint_eq(history.job->state, JOB_COMPLETE);
    ck_assert_str_eq(history.job->node_list, "(null)");
    ck_assert_uint_eq(history.job->nodes_n, 0);
    ck_assert_str_eq(history.body->work_dir, "/a Name=b");
    ck_assert_uint_eq(history.job->array_job_id, 5);
    ck_assert_uint_eq(history.job->array_task, 2);
}
END_TEST

START_TEST(a_line_of_something_else_is_no_job)
{
    struct history_job history;
    struct err err = { 0 };

    ck_assert_int_lt(completion_read("root:x:0:0:root:/root:/bin/bash", &history, &err), 0);
    ck_assert_str_eq(err.text, "no line of jobcomp/filetxt: root:x:0:0:root:/root:/bin/bash");
    ck_assert_int_lt(completion_read("", &history, NULL), 0);
    ck_assert_int_lt(completion_read("JobId=x Name=y", &history, NULL), 0);
}
END_TEST

CHECK_MAIN_WITH(completion, use_utc, no_more, CASE(a_line_becomes_the_job_that_it_tells_of),
                CASE(values_may_have_blanks_in_them), CASE(a_line_of_something_else_is_no_job))
