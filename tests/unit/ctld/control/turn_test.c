#include "unit/check_main.h"

#include "ctld/control/job/finish.h"
#include "ctld/control/act/turn.h"

START_TEST(a_thing_noted_twice_is_kept_once_as_it_is_last)
{
    struct turn turn;
    struct node_record node;

    turn_init(&turn);
    node_record_init(&node);
    node.name = xstrdup("tux1");
    turn_note_node(&turn, &node);
    turn_note_number(&turn, "x", 1);
    node.drain = true;
    turn_note_node(&turn, &node);
    turn_note_number(&turn, "y", 2);

    ck_assert_uint_eq(turn.changes.changes_n, 3);
    struct node_record kept;
    const struct blob *bytes = &turn.changes.changes[0].record;
    ck_assert_int_eq(schema_decode(node_record_schema(), bytes->data, bytes->n, &kept, NULL), 0);
    ck_assert(kept.drain);
    node_record_clear(&kept);
    node_record_clear(&node);
    turn_clear(&turn);
}
END_TEST

START_TEST(a_cleared_turn_is_empty_and_its_messages_are_gone)
{
    struct turn turn;
    struct order_end *order = xcalloc(1, sizeof(*order));
    const struct job_record job = { .id = 7 };

    turn_init(&turn);
    order_end_init(order);
    order->reason = xstrdup("DUE TO TIME LIMIT");
    turn_order(&turn, "tux1", MSG_ORDER_END, order);
    turn_note_job_retired(&turn, &job);
    turn_clear(&turn);

    ck_assert_uint_eq(turn.effects_n, 0);
    ck_assert_uint_eq(turn.changes.changes_n, 0);
}
END_TEST

static void fill_job(struct job_record *job)
{
    job_record_init(job);
    job->spec = xcalloc(1, sizeof(*job->spec));
    job_spec_init(job->spec);
    job->id = 7;
    job->launch_number = 2;
}

START_TEST(an_end_is_marked_and_stays_so_when_the_job_is_noted_again)
{
    static const struct job_body body;
    struct turn turn;
    AUTO(job_record) struct job_record job;

    fill_job(&job);
    turn_init(&turn);
    turn_note_run(&turn, &job, &body);
    turn_note_job_end(&turn, &job, &body);
    turn_note_job(&turn, &job);

    ck_assert_uint_eq(turn.changes.changes_n, 2);
    ck_assert_uint_eq(turn.changes.changes[0].kind, CHANGE_RUN);
    ck_assert_uint_eq(turn.changes.changes[0].run, 2);
    ck_assert(!turn.changes.changes[0].is_end);
    ck_assert(turn.changes.changes[1].is_end);
    turn_clear(&turn);
}
END_TEST

/* The first step of the next run has the same number. */
START_TEST(steps_of_two_runs_are_two_things)
{
    struct turn turn;
    AUTO(step_record) struct step_record step;

    step_record_init(&step);
    step.job_id = 7;
    turn_init(&turn);
    for (uint32_t i = 0; i < 4; i++) {
        step.launch_number = 1 + i / 2;
        turn_note_step(&turn, &step);
    }

    ck_assert_uint_eq(turn.changes.changes_n, 2);
    ck_assert_uint_eq(turn.changes.changes[1].run, 2);
    turn_clear(&turn);
}
END_TEST

CHECK_MAIN(turn, CASE(an_end_is_marked_and_stays_so_when_the_job_is_noted_again),
           CASE(steps_of_two_runs_are_two_things),
           CASE(a_thing_noted_twice_is_kept_once_as_it_is_last),
           CASE(a_cleared_turn_is_empty_and_its_messages_are_gone))
