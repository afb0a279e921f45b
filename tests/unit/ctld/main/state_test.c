/* A controller that starts again, on what it kept, on less, and on nothing. */
#include "unit/ctld/main/head.h"

#define CONF "NodeName=n1\nPartitionName=main Nodes=n1 Default=YES"

struct id_seen {
    uint32_t id;
};

static void note_id(const struct rpc_frame *frame, struct id_seen *seen)
{
    AUTO(job_submitted) struct job_submitted submitted;

    ck_assert_int_eq(rpc_decode(frame, job_submitted_schema(), &submitted, NULL), 0);
    seen->id = submitted.job_id;
}

static void on_reply(const struct rpc_frame *frame, void *ctx)
{
    if (frame->type == MSG_JOB_SUBMITTED)
        note_id(frame, ctx);
}

static uint32_t submit(struct head *head)
{
    struct id_seen seen = { 0 };
    struct job_body body = { .work_dir = (char[]){ "/tmp" } };
    struct job_spec spec;
    struct guest guest;

    job_spec_init(&spec);
    spec.name = (char[]){ "job" };
    guest_connect(&guest, head);
    guest.on_reply = on_reply;
    guest.ctx = &seen;
    ck_assert_int_eq(guest_submit(&guest, head, &spec, &body, "#!/bin/sh\n"), 0);
    guest_leave(&guest, head);
    return seen.id;
}

static void shell(const struct head *head, const char *command)
{
    AUTO_FREE char *whole = xasprintf("cd '%s' && %s", head->dir, command);

    ck_assert_int_eq(system(whole), 0);
}

START_TEST(ids_go_on_after_a_good_end)
{
    struct head head;

    head_start(&head, CONF);
    ck_assert_uint_eq(submit(&head), 1);
    head_end(&head);
    head_run(&head, false);

    ck_assert_uint_eq(submit(&head), 2);
    head_stop(&head);
}
END_TEST

START_TEST(ids_go_on_far_behind_those_that_were_lost)
{
    struct head head;

    head_start(&head, CONF);
    submit(&head);
    head_end(&head);
    shell(&head, "cp sluice.db older");
    head_run(&head, false);
    ck_assert_uint_eq(submit(&head), 2);
    head_end(&head);
    shell(&head, "mv older sluice.db");
    head_run(&head, false);

    ck_assert_uint_gt(submit(&head), 1000);
    head_stop(&head);
}
END_TEST

START_TEST(who_wants_to_begin_anew_begins_with_the_first_id)
{
    struct head head;

    head_start(&head, CONF);
    submit(&head);
    head_end(&head);
    head_run(&head, true);

    ck_assert_uint_eq(submit(&head), 1);
    shell(&head, "test -e sluice.db.old && test -e sluice.db.old-mark");
    head_stop(&head);
}
END_TEST

CHECK_MAIN(state, CASE(ids_go_on_after_a_good_end), CASE(ids_go_on_far_behind_those_that_were_lost),
           CASE(who_wants_to_begin_anew_begins_with_the_first_id))

#undef main
HEAD_MAIN
