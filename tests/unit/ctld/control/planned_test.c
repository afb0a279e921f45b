/* When jobs are said to start, under each way of planning: sbatch --test-only, squeue --start. */
#include "unit/check_main.h"

#include "unit/ctld/control/lab.h"
#include "ctld/control/answer/info.h"
#include "ctld/control/answer/question.h"

#define BEGIN_S INT64_C(1800000000) /* of a lab */

/* A job that is asked about: when it would start, in seconds from the beginning, and where. */
static void check_question(struct lab *lab, const char *job, int64_t start_s, const char *nodes)
{
    struct control_answer answer;
    struct job_spec spec;

    lab_job_spec(job, &spec);
    ck_assert(lab_ask(lab, &spec, &answer));
    ck_assert_msg(answer.would.planned_start - BEGIN_S == start_s, "%s: at %lld, not at %lld", job,
                  (long long)(answer.would.planned_start - BEGIN_S), (long long)start_s);
    ck_assert_str_eq(answer.would.planned_nodes, nodes);
    job_submitted_clear(&answer.would);
    job_spec_clear(&spec);
}

static void check_waiting(struct lab *lab, uint32_t job, int64_t start_s)
{
    AUTO(job_info) struct job_info info;

    control_job_info(lab->control, lab->now, lab_job(lab, job), &info);
    ck_assert_msg(info.planned_start - BEGIN_S == start_s, "job %u: at %lld, not at %lld", job,
                  (long long)(info.planned_start - BEGIN_S), (long long)start_s);
}

/*
 * n1 is busy for 600 s; then a job of n1 and n2 takes 600 s, then one of all nodes 300 s. (A real
 * Slurm counts all of them for --test-only too, whatever bf_window says.)
 */
static struct lab *three_nodes(const char *sched, uint32_t *first, uint32_t *all)
{
    AUTO_FREE char *config = xasprintf("nodes=3 cpus=1 backfill sched=%s", sched);
    struct lab *lab = lab_new(config);

    lab_submit(lab, "time=600 on=n1");
    *first = lab_submit(lab, "nodes=2 on=n[1-2] time=600");
    *all = lab_submit(lab, "nodes=3 time=300");
    lab_wait(lab, 2); /* the forecast follows within a second */
    return lab;
}

static const char *const ways[] = {
    "",
    "bf_window=15",
    "bf_max_job_test=1",
    "bf_max_job_test=100",
    "bf_max_job_test=100,bf_window=15",
};

START_TEST(a_waiting_job_is_told_when_it_starts_however_planning_is_bounded)
{
    uint32_t first, all;
    struct lab *lab = three_nodes(ways[_i], &first, &all);

    check_waiting(lab, first, 600);
    check_waiting(lab, all, 1200);
    lab_free(lab);
}
END_TEST

START_TEST(a_question_counts_all_that_wait_however_planning_is_bounded)
{
    uint32_t first, all;
    struct lab *lab = three_nodes(ways[_i], &first, &all);

    check_question(lab, "nodes=3 time=60", 1500, "n[1-3]");
    lab_free(lab);
}
END_TEST

START_TEST(a_question_about_a_job_that_delays_no_promise_is_answered_now)
{
    uint32_t first, all;
    struct lab *lab = three_nodes("", &first, &all);

    check_question(lab, "nodes=1 time=3600", 2, "n3");
    ck_assert_str_eq(lab_state(lab, lab_submit(lab, "nodes=1 time=3600")), "RUNNING");
    lab_wait(lab, 2);
    check_waiting(lab, first, 600);
    check_waiting(lab, all, 3602);
    lab_free(lab);
}
END_TEST

/* As for Slurm, also where so many jobs are before it that it would not be looked at. */
START_TEST(a_question_about_a_job_that_fits_before_all_others_is_answered_now)
{
    uint32_t first, all;
    struct lab *lab = three_nodes(ways[_i], &first, &all);

    check_question(lab, "nodes=1 time=590", 2, "n2");
    lab_free(lab);
}
END_TEST

START_TEST(where_all_are_promised_a_place_it_is_answered_when_they_let_it)
{
    uint32_t first, all;
    struct lab *lab = three_nodes("bf_max_job_test=100", &first, &all);

    check_question(lab, "nodes=1 time=3600", 1500, "n1");
    lab_free(lab);
}
END_TEST

CHECK_MAIN(planned,
           LOOP_CASE(a_waiting_job_is_told_when_it_starts_however_planning_is_bounded,
                     ARRAY_N(ways)),
           LOOP_CASE(a_question_counts_all_that_wait_however_planning_is_bounded, ARRAY_N(ways)),
           CASE(a_question_about_a_job_that_delays_no_promise_is_answered_now),
           LOOP_CASE(a_question_about_a_job_that_fits_before_all_others_is_answered_now,
                     ARRAY_N(ways)),
           CASE(where_all_are_promised_a_place_it_is_answered_when_they_let_it))
