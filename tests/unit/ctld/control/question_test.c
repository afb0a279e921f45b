/* Questions about jobs that are not there, answered little by little: sbatch --test-only. */
#include "unit/check_main.h"

#include "unit/ctld/control/lab.h"
#include "ctld/control/act/act.h"
#include "ctld/control/load.h"
#include "ctld/control/answer/question.h"
#include "ctld/control/schedule.h"

#define CONFIG "nodes=4 cpus=2 backfill"

/* All nodes are busy for 1000 s, and `n` jobs wait, each 100 s long. */
static struct lab *busy_lab(uint32_t n)
{
    struct lab *lab = lab_new(CONFIG);

    lab_submit(lab, "nodes=4 exclusive time=1000");
    for (uint32_t i = 0; i < n; i++)
        lab_submit(lab, "nodes=4 exclusive time=100");
    return lab;
}

static void reconfigure(struct lab *lab, const char *text)
{
    struct model_config config = lab_config(text);

    ck_assert_int_eq(control_reconfigure(lab_act(lab, NULL), &config, NULL), 0);
}

static uint64_t ask(struct lab *lab, const char *text)
{
    struct caller caller = lab_caller(LAB_USER);
    AUTO(job_spec) struct job_spec spec;
    uint64_t question = 0;

    lab_job_spec(text, &spec);
    lab->err = (struct err){ 0 };
    lab->rc = control_ask(lab_act(lab, &caller), &spec, &question, &lab->err);
    return question;
}

/* Seconds from now until the start; the question must be the next one that is answered. */
static int64_t answer(struct lab *lab, uint64_t question)
{
    struct control_answer answer;
    int64_t start;

    while (!control_answer(lab->control, &answer))
        control_schedule(lab_act(lab, NULL), 1);
    ck_assert_uint_eq(answer.question, question);
    start = answer.would.planned_start - lab->now.wall_s;
    job_submitted_clear(&answer.would);
    return start;
}

START_TEST(questions_are_answered_in_their_order)
{
    struct lab *lab = busy_lab(5);
    const uint64_t first = ask(lab, "nodes=4 time=10");
    const uint64_t second = ask(lab, "nodes=1 ntasks=1 time=60");

    ck_assert_int_eq(answer(lab, first), 1500);
    ck_assert_int_eq(answer(lab, second), 1500);
    lab_free(lab);
}
END_TEST

START_TEST(nothing_of_a_question_is_answered_at_once)
{
    struct lab *lab = busy_lab(5);
    struct control_answer none;

    ask(lab, "nodes=4 time=10");

    ck_assert(!control_answer(lab->control, &none));
    lab_free(lab);
}
END_TEST

START_TEST(a_job_that_comes_while_it_is_answered_is_counted)
{
    struct lab *lab = busy_lab(5);
    const uint64_t question = ask(lab, "nodes=4 time=10");

    control_schedule(lab_act(lab, NULL), 1);
    lab_cancel(lab, 2);

    ck_assert_int_eq(answer(lab, question), 1400);
    lab_free(lab);
}
END_TEST

START_TEST(a_question_that_nobody_waits_for_is_dropped)
{
    struct lab *lab = busy_lab(5);
    const uint64_t first = ask(lab, "nodes=4 time=10");
    const uint64_t second = ask(lab, "nodes=4 time=20");

    control_schedule(lab_act(lab, NULL), 1);
    control_ask_no_more(lab->control, first);
    control_ask_no_more(lab->control, first);

    ck_assert_int_eq(answer(lab, second), 1500);
    lab_free(lab);
}
END_TEST

START_TEST(a_new_configuration_in_between_begins_it_anew)
{
    struct lab *lab = busy_lab(5);
    const uint64_t question = ask(lab, "nodes=4 time=10");

    control_schedule(lab_act(lab, NULL), 1);
    reconfigure(lab, CONFIG);

    ck_assert_int_eq(answer(lab, question), 1500);
    lab_free(lab);
}
END_TEST

/* No place for it is looked for, but somebody waits for a word. */
START_TEST(a_partition_that_is_closed_in_between_has_no_start)
{
    struct lab *lab = lab_new(CONFIG);
    const uint64_t question = ask(lab, "part=debug nodes=1 time=10");
    struct control_answer answer;
    ck_assert_int_eq(lab->rc, 0);

    reconfigure(lab, CONFIG " debug=inactive");
    while (!control_answer(lab->control, &answer))
        control_schedule(lab_act(lab, NULL), 1);

    ck_assert_uint_eq(answer.question, question);
    ck_assert(!answer.starts);
    ck_assert_int_eq(answer.would.planned_start, 0);
    job_submitted_clear(&answer.would);
    lab_free(lab);
}
END_TEST

START_TEST(what_cannot_be_submitted_is_not_asked_about)
{
    struct lab *lab = busy_lab(0);

    ask(lab, "nodes=1 ntasks=1 mem=999999999");
    ck_assert_int_eq(lab->rc, -E_NODE_CONFIG);
    ask(lab, "immediate=1 hold=1");
    ck_assert_int_eq(lab->rc, -E_NODES_BUSY);
    lab_free(lab);
}
END_TEST

CHECK_MAIN(question, CASE(questions_are_answered_in_their_order),
           CASE(nothing_of_a_question_is_answered_at_once),
           CASE(a_job_that_comes_while_it_is_answered_is_counted),
           CASE(a_question_that_nobody_waits_for_is_dropped),
           CASE(a_new_configuration_in_between_begins_it_anew),
           CASE(a_partition_that_is_closed_in_between_has_no_start),
           CASE(what_cannot_be_submitted_is_not_asked_about))
