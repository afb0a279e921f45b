/* Jobs that must be over by a moment, and how long jobs may go on beyond their limits. */
#include "unit/check_main.h"

#include <string.h>

#include "ctld/control/act/act.h"
#include "ctld/control/job/deadline.h"
#include "ctld/model/model.h"
#include "unit/ctld/control/lab.h"

static const char *look(struct lab *lab, uint32_t id)
{
    static char text[200];

    snprintf(text, sizeof(text), "%s:%s", lab_state(lab, id), lab_reason(lab, id));
    return text;
}

/* What Slurm 22.05 makes of the same. */
static const struct {
    const char *spec, *seen;
    int64_t limit_s, time_min_s;
} accepted[] = {
    { "deadline=600", "RUNNING:None", 600, 60 },
    { "deadline=639", "RUNNING:None", 600, 60 },
    { "deadline=60", "RUNNING:None", 60, 60 },
    { "deadline=0", "DEADLINE:DeadLine", LIMIT_INFINITE, 60 },
    { "deadline=600 time=300", "RUNNING:None", 300, LIMIT_UNSET },
    { "deadline=600 time=600", "RUNNING:None", 600, LIMIT_UNSET },
    { "deadline=600 time=900", "DEADLINE:DeadLine", 900, LIMIT_UNSET },
    { "deadline=600 time=900 time_min=300", "RUNNING:None", 600, 300 },
    { "deadline=600 time=120 time_min=60", "RUNNING:None", 120, 60 },
};

START_TEST(the_limit_ends_with_the_deadline)
{
    struct lab *lab = lab_new("nodes=1");

    ck_assert_uint_eq(lab_submit(lab, accepted[_i].spec), 1);
    lab_wait(lab, 1);

    ck_assert_str_eq(look(lab, 1), accepted[_i].seen);
    ck_assert_int_eq(lab_job(lab, 1)->rec.spec->time_limit, accepted[_i].limit_s);
    ck_assert_int_eq(lab_job(lab, 1)->rec.spec->time_min, accepted[_i].time_min_s);
    lab_free(lab);
}
END_TEST

START_TEST(a_deadline_that_is_over_or_too_near_is_refused)
{
    struct lab *lab = lab_new("nodes=1");

    lab_submit(lab, "deadline=600 time=900 time_min=720");
    ck_assert_int_eq(lab->rc, -E_TIME_MIN);
    lab_wait(lab, 100);
    lab_submit(lab, "deadline=99");
    ck_assert_int_eq(lab->rc, -E_TIME_LIMIT);
    lab_free(lab);
}
END_TEST

/* A client that is not ours may send any number. */
START_TEST(times_beyond_all_reckoning_are_refused)
{
    const struct moment now = { .wall_s = 1800000000 };
    struct job_spec spec = { .time_limit = 60, .time_min = INT64_MAX, .deadline = 1800000600 };
    struct lab *lab = lab_new("nodes=1");

    ck_assert_int_eq(deadline_accept(now, &spec, NULL), -E_TIME_MIN);
    spec.deadline = INT64_MAX;
    ck_assert_int_eq(deadline_accept(now, &spec, NULL), -E_TIME_MIN);
    lab_submit(lab, "deadline=9000000000000000000 time=60");
    ck_assert_int_eq(lab->rc, -E_TIME_VALUE);
    lab_submit(lab, "begin=9000000000000000000");
    ck_assert_int_eq(lab->rc, -E_TIME_VALUE);
    lab_free(lab);
}
END_TEST

START_TEST(a_waiting_job_ends_once_it_could_not_end_in_time)
{
    struct lab *lab = lab_new("nodes=1");

    lab_submit(lab, "exclusive");
    lab_submit(lab, "exclusive deadline=130 time=60");
    lab_wait(lab, 70);
    lab_restart(lab, "nodes=1");
    ck_assert_str_eq(lab_state(lab, 2), "PENDING");
    lab_wait(lab, 2);
    ck_assert_str_eq(look(lab, 2), "DEADLINE:DeadLine");
    ck_assert_int_eq(lab_job(lab, 2)->rec.end_time, 1800000071);
    ck_assert_int_eq(lab_job(lab, 2)->rec.exit_status, 1);
    lab_free(lab);
}
END_TEST

START_TEST(a_job_is_not_started_when_it_could_not_end_in_time)
{
    struct lab *lab = lab_new("nodes=1");

    lab_submit(lab, "exclusive");
    lab_submit(lab, "exclusive deadline=130 time=60");
    lab->now.wall_s += 71; /* and nothing was due in between */
    lab->now.cluster_ms += 71000;
    lab_exit(lab, 1, STEP_BATCH, 0);
    ck_assert_str_eq(look(lab, 2), "DEADLINE:DeadLine");
    ck_assert_str_eq(look(lab, lab_submit(lab, "exclusive")), "RUNNING:None");
    lab_free(lab);
}
END_TEST

START_TEST(jobs_that_could_not_start_anyway_are_let_be)
{
    struct lab *lab = lab_new("nodes=1");

    lab_submit(lab, "hold deadline=130 time=60");
    lab_submit(lab, "deadline=130 time=60 after=afterok:1");
    lab_submit(lab, "deadline=130 time=60 begin=100");
    lab_wait(lab, 99);
    ck_assert_str_eq(look(lab, 1), "PENDING:JobHeldUser");
    ck_assert_str_eq(look(lab, 2), "PENDING:Dependency");
    ck_assert_str_eq(look(lab, 3), "PENDING:BeginTime");
    lab_wait(lab, 1);
    ck_assert_str_eq(look(lab, 3), "DEADLINE:DeadLine");
    lab_free(lab);
}
END_TEST

START_TEST(tasks_of_an_array_have_the_deadline_in_common)
{
    struct lab *lab = lab_new("nodes=1 cpus=1");

    lab_submit(lab, "array=0-3 deadline=130 time=60");
    lab_wait(lab, 71);
    ck_assert_str_eq(look(lab, 1), "DEADLINE:DeadLine");
    ck_assert_str_eq(lab_job(lab, 1)->rec.array_tasks, "2-3");
    lab_free(lab);
}
END_TEST

START_TEST(a_job_may_go_on_beyond_its_limit_as_the_partition_says)
{
    struct lab *lab = lab_new("nodes=1 over=120");

    lab_submit(lab, "time=60");
    lab_wait(lab, 179);
    ck_assert_str_eq(look(lab, 1), "RUNNING:None");
    lab_wait(lab, 1);
    ck_assert_str_eq(look(lab, 1), "TIMEOUT:TimeLimit");
    lab_free(lab);
}
END_TEST

START_TEST(nobody_starts_while_nodes_of_a_job_that_has_ended_are_cleaned)
{
    struct lab *lab = lab_new("nodes=2 complete_wait=20");

    lab_submit(lab, "on=n1");
    lab_node(lab, "n1")->deaf = true;
    lab_cancel(lab, 1);
    ck_assert_str_eq(lab_state(lab, 1), "COMPLETING");
    lab_submit(lab, "on=n2");
    lab_wait(lab, 19);
    ck_assert_str_eq(lab_state(lab, 2), "PENDING");
    lab_wait(lab, 2);
    ck_assert_str_eq(lab_state(lab, 2), "RUNNING");
    ck_assert_str_eq(lab_state(lab, 1), "COMPLETING");
    lab_submit(lab, "on=n2");
    ck_assert_str_eq(lab_state(lab, 3), "RUNNING");
    lab_free(lab);
}
END_TEST

CHECK_MAIN(deadline, LOOP_CASE(the_limit_ends_with_the_deadline, ARRAY_N(accepted)),
           CASE(a_deadline_that_is_over_or_too_near_is_refused),
           CASE(times_beyond_all_reckoning_are_refused),
           CASE(a_waiting_job_ends_once_it_could_not_end_in_time),
           CASE(a_job_is_not_started_when_it_could_not_end_in_time),
           CASE(jobs_that_could_not_start_anyway_are_let_be),
           CASE(tasks_of_an_array_have_the_deadline_in_common),
           CASE(nobody_starts_while_nodes_of_a_job_that_has_ended_are_cleaned),
           CASE(a_job_may_go_on_beyond_its_limit_as_the_partition_says))
