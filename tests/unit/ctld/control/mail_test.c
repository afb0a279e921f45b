/* Who is told what, and in which words, was seen with Slurm 22.05. */
#include "unit/check_main.h"

#include <errno.h>
#include <signal.h>
#include <string.h>

#include "unit/ctld/control/lab.h"

#define EXIT(code) ((code) << 8)
#define ALL        "INVALID_DEPEND,BEGIN,END,FAIL,REQUEUE,STAGE_OUT"

static const struct {
    const char *spec;
    int32_t status;
    const char *mails;
} ends[] = {
    { "mail=" ALL, 0,
      "ann: Slurm Job_id=1 Name=story Began, Queued time 00:00:00\n"
      "ann: Slurm Job_id=1 Name=story Ended, Run time 00:00:05, COMPLETED, ExitCode 0\n" },
    { "mail=END mail_user=b@x", 0,
      "b@x: Slurm Job_id=1 Name=story Ended, Run time 00:00:05, COMPLETED, ExitCode 0\n" },
    { "mail=FAIL", EXIT(3),
      "ann: Slurm Job_id=1 Name=story Failed, Run time 00:00:05, FAILED, ExitCode 3\n" },
    { "mail=FAIL", SIGKILL, "ann: Slurm Job_id=1 Name=story Failed, Run time 00:00:05, FAILED\n" },
    { "mail=END", EXIT(3), "" },
    { "mail=FAIL", 0, "" },
    { "mail=REQUEUE", 0, "" },
    { "", 0, "" },
};

START_TEST(an_end_is_told_to_who_asked_for_it)
{
    struct lab *lab = lab_new("nodes=1");
    const uint32_t id = lab_submit(lab, ends[_i].spec);

    lab_wait(lab, 5);
    lab_exit(lab, id, STEP_BATCH, ends[_i].status);

    ck_assert_str_eq(strbuf_text(&lab->mails), ends[_i].mails);
    lab_free(lab);
}
END_TEST

/* One that an older controller took: a subject of two lines would be two lines of the mail's head.
 */
START_TEST(a_subject_is_one_line)
{
    struct lab *lab = lab_new("nodes=1");

    lab_submit(lab, "mail=BEGIN name=a\nBcc:b\x1b");

    ck_assert_str_eq(strbuf_text(&lab->mails),
                     "ann: Slurm Job_id=1 Name=a\\x0aBcc:b\\x1b Began, Queued time 00:00:00\n");
    lab_free(lab);
}
END_TEST

START_TEST(its_program_is_told_how_long_the_job_waited_and_ran)
{
    struct lab *lab = lab_new("nodes=1");
    const uint32_t id = lab_submit(lab, "mail=" ALL);

    lab_wait(lab, 5);
    lab_exit(lab, id, STEP_BATCH, 0);

    ck_assert_str_eq(strbuf_text(&lab->mail_times),
                     "SLURM_JOB_QUEUED_TIME=00:00:00\nSLURM_JOB_RUN_TIME=00:00:05\n");
    lab_free(lab);
}
END_TEST

START_TEST(a_job_that_is_cancelled_has_ended_not_failed)
{
    struct lab *lab = lab_new("nodes=1");
    const uint32_t id = lab_submit(lab, "hold=1 mail=END,FAIL");

    lab_cancel(lab, id);

    ck_assert_str_eq(
        strbuf_text(&lab->mails),
        "ann: Slurm Job_id=1 Name=story Ended, Run time 00:00:00, CANCELLED, ExitCode 0\n");
    lab_free(lab);
}
END_TEST

START_TEST(parts_of_the_time_limit_are_told_once)
{
    struct lab *lab = lab_new("nodes=1");

    lab_submit(lab, "time=100 mail=FAIL,TIME_LIMIT_50,TIME_LIMIT_90,TIME_LIMIT");
    lab_wait(lab, 60);
    lab_restart(lab, "nodes=1");
    lab_wait(lab, 60);

    ck_assert_str_eq(
        strbuf_text(&lab->mails),
        "ann: Slurm Job_id=1 Name=story Reached 50% of time limit, Run time 00:00:50\n"
        "ann: Slurm Job_id=1 Name=story Reached 90% of time limit, Run time 00:01:30\n"
        "ann: Slurm Job_id=1 Name=story Failed, Run time 00:01:40, TIMEOUT, ExitCode 0\n"
        "ann: Slurm Job_id=1 Name=story Reached time limit, Run time 00:01:40\n");
    lab_free(lab);
}
END_TEST

START_TEST(a_requeue_is_told)
{
    struct lab *lab = lab_new("nodes=2");

    lab_submit(lab, "mail=REQUEUE on=n1 requeue=2");
    lab_wait(lab, 7);
    lab_reboot(lab, "n1");
    lab_settle(lab);

    ck_assert_ptr_nonnull(strstr(strbuf_text(&lab->mails),
                                 "ann: Slurm Job_id=1 Name=story Requeued, Run time 00:00:0"));
    lab_free(lab);
}
END_TEST

START_TEST(a_run_that_is_given_up_for_its_exit_code_has_failed)
{
    struct lab *lab = lab_new("nodes=1 requeue=1 requeue_exit=3");
    const uint32_t id = lab_submit(lab, "mail=REQUEUE,FAIL");

    lab_wait(lab, 5);
    lab_exit(lab, id, STEP_BATCH, EXIT(3));

    ck_assert_str_eq(
        strbuf_text(&lab->mails),
        "ann: Slurm Job_id=1 Name=story Failed, Run time 00:00:05, FAILED, ExitCode 3\n");
    lab_free(lab);
}
END_TEST

START_TEST(a_dependency_that_cannot_be_fulfilled_is_told_once)
{
    struct lab *lab = lab_new("nodes=1 cpus=2");
    const uint32_t first = lab_submit(lab, "name=a");
    const uint32_t second = lab_submit(lab, "name=b");

    lab_submit(lab, "mail=INVALID_DEPEND after=afterok:1,afterok:2");
    lab_exit(lab, first, STEP_BATCH, EXIT(1));
    lab_exit(lab, second, STEP_BATCH, EXIT(1));

    ck_assert_str_eq(strbuf_text(&lab->mails),
                     "ann: Slurm Job_id=3 Name=story Invalid dependency\n");
    lab_free(lab);
}
END_TEST

START_TEST(an_array_is_told_as_a_whole)
{
    struct lab *lab = lab_new("nodes=1 cpus=1");

    lab_submit(lab, "array=1-2 cpus=1 mail=" ALL);
    lab_exit(lab, 2, STEP_BATCH, EXIT(1));
    lab_exit(lab, 1, STEP_BATCH, EXIT(2));

    ck_assert_str_eq(strbuf_text(&lab->mails),
                     "ann: Slurm Array Summary Job_id=1_* (1) Name=story Began\n"
                     "ann: Slurm Array Summary Job_id=1_* (1) Name=story Failed, FAILED, "
                     "ExitCode [1-2]\n");
    lab_free(lab);
}
END_TEST

START_TEST(its_tasks_are_told_on_request)
{
    struct lab *lab = lab_new("nodes=1 cpus=1");

    lab_submit(lab, "array=1-2 cpus=1 mail=ARRAY_TASKS,END");
    lab_exit(lab, 2, STEP_BATCH, 0);
    ck_assert_str_eq(strbuf_text(&lab->mail_times),
                     "SLURM_ARRAY_TASK_ID=1\nSLURM_ARRAY_TASK_COUNT=2\nSLURM_ARRAY_TASK_MIN=1\n"
                     "SLURM_ARRAY_TASK_MAX=2\nSLURM_ARRAY_TASK_STEP=1\n"
                     "SLURM_JOB_RUN_TIME=00:00:00\n");
    lab_exit(lab, 1, STEP_BATCH, 0);

    ck_assert_str_eq(strbuf_text(&lab->mails),
                     "ann: Slurm Array Task Job_id=1_1 (2) Name=story Ended, Run time 00:00:00, "
                     "COMPLETED, ExitCode 0\n"
                     "ann: Slurm Array Task Job_id=1_2 (1) Name=story Ended, Run time 00:00:00, "
                     "COMPLETED, ExitCode 0\n");
    lab_free(lab);
}
END_TEST

START_TEST(an_address_that_is_an_option_is_refused)
{
    struct lab *lab = lab_new("nodes=1");

    ck_assert_uint_eq(lab_submit(lab, "mail=END mail_user=-x"), 0);
    ck_assert_int_eq(lab->rc, -EINVAL);
    ck_assert_str_eq(lab->err.text, "mail user '-x': an address does not begin with '-'");
    lab_free(lab);
}
END_TEST

CHECK_MAIN(mail, CASE(an_address_that_is_an_option_is_refused), CASE(a_subject_is_one_line),
           LOOP_CASE(an_end_is_told_to_who_asked_for_it, ARRAY_N(ends)),
           CASE(its_program_is_told_how_long_the_job_waited_and_ran),
           CASE(a_job_that_is_cancelled_has_ended_not_failed),
           CASE(parts_of_the_time_limit_are_told_once), CASE(a_requeue_is_told),
           CASE(a_run_that_is_given_up_for_its_exit_code_has_failed),
           CASE(a_dependency_that_cannot_be_fulfilled_is_told_once),
           CASE(an_array_is_told_as_a_whole), CASE(its_tasks_are_told_on_request))
