/* The life of job arrays: one record for tasks that wait, one for each that does not. */
#include "unit/check_main.h"

#include <signal.h>

#include <errno.h>
#include <string.h>

#include "ctld/control/act/act.h"
#include "ctld/control/control.h"
#include "ctld/control/job/requeue.h"
#include "ctld/control/job/signal.h"
#include "ctld/control/act/state.h"
#include "ctld/control/job/suspend.h"
#include "ctld/control/job/update.h"
#include "unit/ctld/control/lab.h"

#define EXIT(code) ((code) << 8)

/* "1_2=RUNNING:None 1_[3-5%2]=PENDING:JobArrayTaskLimit ", in the order of their arrival. */
static const char *look(struct lab *lab)
{
    static char text[1000];
    AUTO(strbuf) struct strbuf out = { 0 };

    for (const struct job *job = control_model(lab->control)->jobs; job; job = job->hh.next) {
        job_name_format(&job->rec, 0, &out);
        strbuf_addf(&out, "=%s:%s ", lab_state(lab, job->rec.id), lab_reason(lab, job->rec.id));
    }
    snprintf(text, sizeof(text), "%s", strbuf_text(&out));
    return text;
}

START_TEST(tasks_start_from_the_first_and_get_ids_of_their_own)
{
    struct lab *lab = lab_new("nodes=1 cpus=2");
    const uint32_t id = lab_submit(lab, "array=1-4 cpus=1 mem=1");

    ck_assert_msg(id == 1, "%s", lab->err.text);
    ck_assert_str_eq(look(lab), "1_[3-4]=PENDING:Resources 1_1=RUNNING:None 1_2=RUNNING:None ");
    ck_assert_uint_eq(lab_job(lab, 2)->rec.array_task, 1);
    ck_assert_uint_eq(lab_job(lab, 3)->rec.array_task, 2);

    lab_exit(lab, 2, STEP_BATCH, 0);
    lab_exit(lab, 3, STEP_BATCH, EXIT(1));
    ck_assert_str_eq(look(lab), "1_4=RUNNING:None 1_1=COMPLETED:None 1_2=FAILED:NonZeroExitCode "
                                "1_3=RUNNING:None ");
    ck_assert_uint_eq(lab_job(lab, 1)->rec.array_task, 4);
    ck_assert_uint_eq(lab_submit(lab, ""), 5);
    lab_free(lab);
}
END_TEST

START_TEST(no_more_run_at_once_than_the_array_allows)
{
    struct lab *lab = lab_new("nodes=1 cpus=4");
    const uint32_t id = lab_submit(lab, "array=0-8:2%2 cpus=1 mem=1");

    ck_assert_msg(id == 1, "%s", lab->err.text);
    ck_assert_str_eq(look(lab), "1_[4,6,8%2]=PENDING:JobArrayTaskLimit 1_0=RUNNING:None "
                                "1_2=RUNNING:None ");
    lab_exit(lab, 2, STEP_BATCH, 0);
    ck_assert_str_eq(look(lab), "1_[6,8%2]=PENDING:JobArrayTaskLimit 1_0=COMPLETED:None "
                                "1_2=RUNNING:None 1_4=RUNNING:None ");
    lab_restart(lab, "nodes=1 cpus=4");
    lab_wait(lab, 10);
    ck_assert_str_eq(look(lab), "1_[6,8%2]=PENDING:JobArrayTaskLimit 1_0=COMPLETED:None "
                                "1_2=RUNNING:None 1_4=RUNNING:None ");
    lab_cancel_tasks(lab, 1, "4");
    ck_assert_str_eq(look(lab), "1_[8%2]=PENDING:JobArrayTaskLimit 1_0=COMPLETED:None "
                                "1_2=RUNNING:None 1_4=CANCELLED:None 1_6=RUNNING:None ");
    lab_free(lab);
}
END_TEST

START_TEST(a_waiting_task_that_is_cancelled_makes_room_under_the_limit)
{
    struct lab *lab = lab_new("nodes=1 cpus=1");

    lab_submit(lab, "");
    lab_submit(lab, "array=1-3%1 cpus=1");
    ck_assert_str_eq(look(lab), "1=RUNNING:None 2_[1-3%1]=PENDING:Resources ");
    lab_cancel_tasks(lab, 2, "1");
    lab_exit(lab, 1, STEP_BATCH, 0);
    ck_assert_str_eq(look(lab), "1=COMPLETED:None 2_[3%1]=PENDING:JobArrayTaskLimit "
                                "2_1=CANCELLED:Resources 2_2=RUNNING:None ");
    lab_free(lab);
}
END_TEST

START_TEST(tasks_are_cancelled_one_by_one_in_sets_and_all_together)
{
    struct lab *lab = lab_new("nodes=1 cpus=1");

    lab_submit(lab, "array=1-6");
    ck_assert_int_eq(lab_cancel_tasks(lab, 1, "3-4,9"), 0);
    ck_assert_str_eq(look(lab), "1_[2,5-6]=PENDING:Resources 1_1=RUNNING:None "
                                "1_[3-4]=CANCELLED:Priority ");
    ck_assert_int_eq(lab_cancel_tasks(lab, 1, "3"), -E_ALREADY_DONE);
    ck_assert_int_eq(lab_cancel_tasks(lab, 1, "7"), -E_JOB_ID);
    ck_assert_int_eq(lab_cancel_tasks(lab, 2, "1"), -E_JOB_ID);
    ck_assert_int_eq(lab_cancel_as(lab, LAB_USER + 1, 1, COUNT_UNSET, 0, SIGNAL_CANCEL), -E_ACCESS);
    ck_assert_int_eq(lab_cancel(lab, 2), 0); /* the task's own id */
    ck_assert_str_eq(look(lab), "1_[5-6]=PENDING:Resources 1_1=CANCELLED:None "
                                "1_[3-4]=CANCELLED:Priority 1_2=RUNNING:None ");
    ck_assert_int_eq(lab_cancel(lab, 1), 0);
    ck_assert_str_eq(look(lab), "1_[5-6]=CANCELLED:Resources 1_1=CANCELLED:None "
                                "1_[3-4]=CANCELLED:Priority 1_2=CANCELLED:None ");
    ck_assert_int_eq(lab_cancel(lab, 1), -E_ALREADY_DONE);
    lab_free(lab);
}
END_TEST

START_TEST(a_requeued_task_stays_the_task_that_it_is)
{
    struct lab *lab = lab_new("nodes=2 cpus=1");

    lab_submit(lab, "array=7-8%1 requeue=2");
    lab_reboot(lab, "n1"); /* the other task has its turn first */
    ck_assert_str_eq(look(lab), "1_8=RUNNING:None 1_7=PENDING:JobArrayTaskLimit ");
    lab_exit(lab, 1, STEP_BATCH, 0);
    ck_assert_str_eq(look(lab), "1_8=COMPLETED:None 1_7=RUNNING:None ");
    ck_assert_uint_eq(lab_job(lab, 2)->rec.restarts, 1);
    lab_free(lab);
}
END_TEST

START_TEST(a_restart_knows_every_task)
{
    struct lab *lab = lab_new("nodes=1 cpus=2");

    lab_submit(lab, "array=1-5 cpus=1 mem=1 token=t");
    lab_restart(lab, "nodes=1 cpus=2");
    ck_assert_str_eq(look(lab), "1_[3-5]=PENDING:Resources 1_1=RUNNING:None 1_2=RUNNING:None ");
    ck_assert_uint_eq(lab_submit(lab, "array=1-5 token=t"), 1);
    for (uint32_t id = 2; id <= 5; id++)
        lab_exit(lab, id, STEP_BATCH, 0);
    lab_exit(lab, 1, STEP_BATCH, 0);
    lab_wait(lab, 400);
    ck_assert_str_eq(look(lab), "");
    ck_assert_ptr_null(model_find_array(control_model(lab->control), 1));
    ck_assert_uint_eq(control_model(lab->control)->ids_owed, 0);
    lab_free(lab);
}
END_TEST

static const struct {
    const char *config, *spec, *text;
    int code;
} refused[] = {
    { "max_array=10", "array=1-10", "Invalid job array specification: '1-10'", E_ARRAY },
    { "max_array=0", "array=1", "Invalid job array specification: MaxArraySize=0", E_ARRAY },
    { "max_jobs=4", "array=1-5", "Resource temporarily unavailable", EAGAIN },
    { "max_id=4", "array=1-5", "all job ids from FirstJobId=1 to MaxJobId=4", EAGAIN },
};

START_TEST(what_is_refused_to_some_tasks_leaves_their_record_whole)
{
    struct lab *lab = lab_new("nodes=1 cpus=1 requeue=1");
    const uint32_t id = lab_submit(lab, "array=1-4 hold=1");
    AUTO(job_altered) struct job_altered altered;
    AUTO(job_update) struct job_update update;
    struct job_signal signal = { .job_id = id, .tasks = (char[]){ "2" }, .signal = SIGUSR1 };
    const struct job_suspend suspend = { .job_id = id, .tasks = (char[]){ "2" } };
    const struct job_rerun rerun = { .job_id = id, .tasks = (char[]){ "2" } };
    const struct caller caller = lab_caller(0);

    job_altered_init(&altered);
    job_update_init(&update);
    update.job_id = id;
    update.tasks = xstrdup("2-3");
    update.spec = xmalloc(sizeof(*update.spec));
    job_spec_init(update.spec);
    update.spec->partition = xstrdup("nosuch");
    *ARRAY_PUSH(update.set, update.set_n) = SPEC_TAG_partition;
    signal.step_id = COUNT_UNSET;

    control_update(lab_act(lab, &caller), &update, &altered, NULL);
    control_requeue(lab_act(lab, &caller), &rerun, &altered, NULL);
    control_suspend(lab_act(lab, &caller), &suspend, &altered, NULL);
    ck_assert_uint_eq(altered.refused_n, 3);
    ck_assert_str_eq(altered.refused[0].tasks, "2-3");
    ck_assert_str_eq(altered.refused[2].tasks, "2");
    ck_assert_int_lt(control_signal(lab_act(lab, &caller), &signal, NULL), 0);
    ck_assert_str_eq(lab_job(lab, id)->rec.array_tasks, "1-4");
    lab_free(lab);
}
END_TEST

/* Tools ask for an array by its id as long as any of it is known. */
START_TEST(the_head_is_known_as_long_as_any_task)
{
    struct lab *lab = lab_new("nodes=1 cpus=3");
    const uint32_t id = lab_submit(lab, "array=1-3");

    lab_exit(lab, id, STEP_BATCH, 0);
    lab_wait(lab, 400);
    ck_assert_ptr_nonnull(model_find_job(control_model(lab->control), id));
    for (uint32_t i = id + 1; i <= id + 2; i++)
        lab_exit(lab, i, STEP_BATCH, 0);
    lab_wait(lab, 290);
    ck_assert_ptr_nonnull(model_find_job(control_model(lab->control), id));
    lab_wait(lab, 20);
    ck_assert_ptr_null(model_find_job(control_model(lab->control), id));
    lab_free(lab);
}
END_TEST

START_TEST(an_array_that_there_is_no_room_for_is_refused)
{
    struct lab *lab = lab_new(refused[_i].config);

    ck_assert_uint_eq(lab_submit(lab, refused[_i].spec), 0);
    ck_assert_int_eq(lab->rc, -refused[_i].code);
    ck_assert_msg(strstr(lab->err.text, refused[_i].text) == lab->err.text, "%s", lab->err.text);
    lab_free(lab);
}
END_TEST

START_TEST(ids_are_kept_back_for_tasks_that_have_none_yet)
{
    struct lab *lab = lab_new("nodes=1 cpus=1 max_id=6");

    ck_assert_uint_eq(lab_submit(lab, "array=1-4"), 1);
    ck_assert_uint_eq(lab_submit(lab, ""), 3);
    ck_assert_uint_eq(lab_submit(lab, ""), 4);
    ck_assert_uint_eq(lab_submit(lab, ""), 0);
    ck_assert_int_eq(lab->rc, -EAGAIN);
    lab_free(lab);
}
END_TEST

CHECK_MAIN(array, CASE(tasks_start_from_the_first_and_get_ids_of_their_own),
           CASE(no_more_run_at_once_than_the_array_allows),
           CASE(a_waiting_task_that_is_cancelled_makes_room_under_the_limit),
           CASE(tasks_are_cancelled_one_by_one_in_sets_and_all_together),
           CASE(a_requeued_task_stays_the_task_that_it_is), CASE(a_restart_knows_every_task),
           CASE(what_is_refused_to_some_tasks_leaves_their_record_whole),
           CASE(the_head_is_known_as_long_as_any_task),
           LOOP_CASE(an_array_that_there_is_no_room_for_is_refused, ARRAY_N(refused)),
           CASE(ids_are_kept_back_for_tasks_that_have_none_yet))
