/* Which events pull which triggers, and what their programs are told. */
#include "unit/check_main.h"

#include <errno.h>
#include <string.h>

#include "common/msg/trigger.h"
#include "unit/ctld/control/lab.h"
#include "ctld/control/act/act.h"
#include "ctld/control/act/kept.h"
#include "ctld/control/load.h"

#define NODES "nodes=4 cpus=2 timeout=0"

static int set(struct lab *lab, struct trigger_record request)
{
    const struct caller caller = lab_caller(0);

    if (!request.program)
        request.program = (char *)(uintptr_t) "/tell";
    return lab_change_kept(
        lab, &caller,
        &(struct kept_edit){ .verb = KEPT_ADD,
                             .kind = KEPT_TRIGGER,
                             .record = schema_encode_blob(trigger_record_schema(), &request) });
}

/* Those whose `fields` ("id job_id") are as in `like`. */
static int clear_as(struct lab *lab, uint32_t uid, const char *fields, struct trigger_record like)
{
    const struct caller caller = lab_caller(uid);
    struct kept_edit edit = { .verb = KEPT_REMOVE,
                              .kind = KEPT_TRIGGER,
                              .like = schema_encode_blob(trigger_record_schema(), &like) };

    AUTO(words) struct words words = words_split(fields, " ");

    for (uint32_t i = 0; i < words.n; i++)
        lab_match(&edit, trigger_record_schema(), words.at[i]);
    return lab_change_kept(lab, &caller, &edit);
}

static int clear(struct lab *lab, const char *fields, struct trigger_record like)
{
    return clear_as(lab, 0, fields, like);
}

/* What the programs were told within the next window, and how many triggers are left. */
static void expect(struct lab *lab, const char *told, uint32_t left)
{
    const struct kept_list all = { .kind = KEPT_TRIGGER };
    struct kept_listing *listing;
    AUTO(strbuf) struct strbuf found = { 0 };
    uint32_t n = 0;

    lab_wait(lab, 11);
    for (const char *at = strbuf_text(&lab->orders); (at = strstr(at, "head: /tell ")); at++)
        strbuf_addf(&found, "%.*s;", (int)strcspn(at + 12, "\n"), at + 12);
    ck_assert_str_eq(strbuf_text(&found), told);
    ck_assert_int_eq(control_kept_list(lab->control, NULL, &all, &listing, NULL), 0);
    while (control_kept_next(listing, NULL))
        n++;
    control_kept_list_free(listing);
    ck_assert_uint_eq(n, left);
    strbuf_clear(&lab->orders);
}

static void run_down(struct lab *lab, const char *names)
{
    lab_update(lab, 0, names, NODE_UPDATE_DOWN, "test");
}

START_TEST(nodes_that_go_down_together_make_one_run)
{
    struct lab *lab = lab_new(NODES);

    run_down(lab, "n4");
    set(lab, (struct trigger_record){ .events = TRIGGER_DOWN });
    expect(lab, "", 1);
    run_down(lab, "n1");
    run_down(lab, "n2");
    expect(lab, "n[1-2];", 0);
    run_down(lab, "n3");
    expect(lab, "", 0);
    lab_free(lab);
}
END_TEST

START_TEST(only_the_nodes_that_were_named_count)
{
    struct lab *lab = lab_new(NODES);

    set(lab, (struct trigger_record){ .events = TRIGGER_DOWN, .nodes = (char *)"n[1-2]" });
    run_down(lab, "n3");
    expect(lab, "", 1);
    run_down(lab, "n[2-4]");
    expect(lab, "n2;", 0);
    lab_free(lab);
}
END_TEST

START_TEST(a_permanent_one_stays)
{
    struct lab *lab = lab_new(NODES);

    set(lab, (struct trigger_record){ .events = TRIGGER_DOWN | TRIGGER_UP, .permanent = true });
    run_down(lab, "n1");
    expect(lab, "n1;", 1);
    lab_update(lab, 0, "n1", NODE_UPDATE_RESUME, NULL);
    expect(lab, "n1;", 1);
    expect(lab, "", 1);
    lab_free(lab);
}
END_TEST

START_TEST(a_node_is_drained_when_its_last_job_has_ended)
{
    struct lab *lab = lab_new(NODES);
    uint32_t job = lab_submit(lab, "on=n1");

    set(lab, (struct trigger_record){ .events = TRIGGER_DRAINED });
    lab_update(lab, 0, "n1", NODE_UPDATE_DRAIN, "test");
    expect(lab, "", 1);
    lab_exit(lab, job, STEP_BATCH, 0);
    expect(lab, "n1;", 0);
    lab_free(lab);
}
END_TEST

START_TEST(a_node_drains_while_it_has_jobs)
{
    struct lab *lab = lab_new(NODES);

    lab_submit(lab, "on=n1");
    set(lab, (struct trigger_record){ .events = TRIGGER_DRAINING });
    lab_update(lab, 0, "n2", NODE_UPDATE_DRAIN, "test");
    expect(lab, "", 1);
    lab_update(lab, 0, "n1", NODE_UPDATE_DRAIN, "test");
    expect(lab, "n1;", 0);
    lab_free(lab);
}
END_TEST

START_TEST(a_node_that_an_operator_resumes_is_told)
{
    struct lab *lab = lab_new(NODES);

    run_down(lab, "n[1-2]");
    lab_update(lab, 0, "n1", NODE_UPDATE_RESUME, NULL);
    set(lab, (struct trigger_record){ .events = TRIGGER_RESUME });
    expect(lab, "", 1);
    lab_update(lab, 0, "n2", NODE_UPDATE_RESUME, NULL);
    expect(lab, "n2;", 0);
    lab_free(lab);
}
END_TEST

START_TEST(a_node_that_is_updated_counts_as_a_new_configuration)
{
    struct lab *lab = lab_new(NODES);

    set(lab, (struct trigger_record){ .events = TRIGGER_RECONFIG });
    lab_submit(lab, "on=n1");
    expect(lab, "", 1);
    lab_update(lab, 0, "n2", NODE_UPDATE_DRAIN, "test");
    expect(lab, "reconfig;", 0);
    lab_free(lab);
}
END_TEST

START_TEST(idleness_counts_from_the_last_job)
{
    struct lab *lab = lab_new(NODES);
    uint32_t job = lab_submit(lab, "on=n1");

    set(lab,
        (struct trigger_record){
            .events = TRIGGER_IDLE, .offset_s = 60, .nodes = (char *)"n1", .permanent = true });
    lab_wait(lab, 100);
    lab_exit(lab, job, STEP_BATCH, 0);
    lab_wait(lab, 45);
    expect(lab, "", 1);
    expect(lab, "n1;", 1);
    lab_wait(lab, 200);
    expect(lab, "", 1);
    lab_free(lab);
}
END_TEST

START_TEST(the_program_may_run_later_than_the_event)
{
    struct lab *lab = lab_new(NODES);

    set(lab, (struct trigger_record){ .events = TRIGGER_DOWN, .offset_s = 60 });
    run_down(lab, "n1");
    expect(lab, "", 1);
    lab_restart(lab, NODES);
    lab_wait(lab, 30);
    expect(lab, "", 1);
    lab_wait(lab, 20);
    expect(lab, "n1;", 0);
    lab_free(lab);
}
END_TEST

START_TEST(the_end_of_a_job_pulls_its_trigger)
{
    struct lab *lab = lab_new(NODES);
    uint32_t job = lab_submit(lab, "on=n1");

    set(lab, (struct trigger_record){ .events = TRIGGER_FINI, .job_id = job });
    set(lab, (struct trigger_record){ .events = TRIGGER_DOWN, .job_id = job });
    expect(lab, "", 2);
    lab_exit(lab, job, STEP_BATCH, 0);
    expect(lab, "1;", 0);
    ck_assert_int_eq(set(lab, (struct trigger_record){ .events = TRIGGER_FINI, .job_id = job }),
                     -E_ALREADY_DONE);
    lab_free(lab);
}
END_TEST

START_TEST(a_time_limit_is_told_before_it_is_reached)
{
    struct lab *lab = lab_new(NODES);
    uint32_t job = lab_submit(lab, "on=n1 time=600");

    set(lab, (struct trigger_record){ .events = TRIGGER_TIME, .job_id = job, .offset_s = -120 });
    lab_wait(lab, 460);
    expect(lab, "", 1);
    expect(lab, "1;", 0);
    ck_assert_str_eq(lab_state(lab, job), "RUNNING");
    lab_free(lab);
}
END_TEST

START_TEST(a_time_limit_that_has_ended_the_job_pulls_too)
{
    struct lab *lab = lab_new(NODES);
    uint32_t job = lab_submit(lab, "on=n1 time=60");

    set(lab, (struct trigger_record){ .events = TRIGGER_TIME, .job_id = job });
    lab_wait(lab, 60);
    expect(lab, "1;", 0);
    lab_free(lab);
}
END_TEST

START_TEST(a_job_that_has_lost_its_node_and_waits_again_still_pulls)
{
    struct lab *lab = lab_new(NODES " requeue=1");
    uint32_t job = lab_submit(lab, "on=n1");

    set(lab, (struct trigger_record){ .events = TRIGGER_DOWN, .job_id = job });
    run_down(lab, "n2");
    expect(lab, "", 1);
    run_down(lab, "n1");
    expect(lab, "n1;", 0);
    lab_free(lab);
}
END_TEST

START_TEST(a_restart_and_a_reconfiguration_pull_theirs)
{
    struct lab *lab = lab_new(NODES);
    struct model_config config = lab_config(NODES);

    set(lab, (struct trigger_record){ .events = TRIGGER_RECONFIG });
    set(lab, (struct trigger_record){ .events = TRIGGER_STARTED });
    expect(lab, "", 2);
    ck_assert_int_eq(control_reconfigure(lab_act(lab, NULL), &config, NULL), 0);
    expect(lab, "reconfig;", 1);
    lab_restart(lab, NODES);
    expect(lab, "primary_slurmctld_resumed_operation;", 0);
    lab_free(lab);
}
END_TEST

START_TEST(what_cannot_be_meant_is_refused)
{
    struct lab *lab = lab_new(NODES);

    ck_assert_int_eq(set(lab, (struct trigger_record){ .events = 0 }), -E_PROTO);
    ck_assert_int_eq(set(lab, (struct trigger_record){ .events = 1 << 20 }), -EINVAL);
    ck_assert_int_eq(set(lab, (struct trigger_record){ .events = TRIGGER_FINI }), -E_JOB_ID);
    ck_assert_int_eq(set(lab, (struct trigger_record){ .events = TRIGGER_UP, .job_id = 7 }),
                     -E_JOB_ID);
    ck_assert_int_eq(
        set(lab, (struct trigger_record){ .events = TRIGGER_UP, .nodes = (char *)"n9" }),
        -E_NODE_NAME);
    ck_assert_int_eq(
        set(lab, (struct trigger_record){ .events = TRIGGER_UP, .program = (char *)"tell" }),
        -EINVAL);
    ck_assert_int_eq(set(lab, (struct trigger_record){ .events = TRIGGER_UP, .offset_s = 32001 }),
                     -EINVAL);
    expect(lab, "", 0);
    lab_free(lab);
}
END_TEST

START_TEST(the_same_is_set_once)
{
    struct lab *lab = lab_new(NODES);
    const struct trigger_record down = { .events = TRIGGER_DOWN };

    ck_assert_int_eq(set(lab, down), 0);
    ck_assert_int_eq(set(lab, down), -E_TRIGGER_DUPLICATE);
    ck_assert_int_eq(
        set(lab, (struct trigger_record){ .events = TRIGGER_DOWN, .nodes = (char *)"n1" }), 0);
    ck_assert_int_eq(set(lab, (struct trigger_record){ .events = TRIGGER_DOWN, .offset_s = 5 }), 0);
    ck_assert_int_eq(
        set(lab, (struct trigger_record){ .events = TRIGGER_DOWN, .program = (char *)"/other" }),
        0);
    expect(lab, "", 4);
    lab_free(lab);
}
END_TEST

START_TEST(those_are_cleared_that_are_all_of_what_is_said)
{
    struct lab *lab = lab_new(NODES);
    uint32_t job = lab_submit(lab, "on=n1");

    set(lab, (struct trigger_record){ .events = TRIGGER_DOWN });
    set(lab, (struct trigger_record){ .events = TRIGGER_FINI, .job_id = job });
    ck_assert_int_eq(clear(lab, "id job_id", (struct trigger_record){ .id = 1, .job_id = job }),
                     -ESRCH);
    ck_assert_int_eq(clear(lab, "uid", (struct trigger_record){ .uid = 7 }), -ESRCH);
    ck_assert_int_eq(clear(lab, "job_id", (struct trigger_record){ .job_id = job }), 0);
    expect(lab, "", 1);
    ck_assert_int_eq(clear(lab, "uid", (struct trigger_record){ .uid = 0 }), 0);
    lab_restart(lab, NODES);
    set(lab, (struct trigger_record){ .events = TRIGGER_DOWN });
    ck_assert_int_eq(clear(lab, "id", (struct trigger_record){ .id = 3 }), 0);
    lab_free(lab);
}
END_TEST

START_TEST(users_clear_only_their_own)
{
    struct lab *lab = lab_new("nodes=2 cpus=2");

    set(lab, (struct trigger_record){ .events = TRIGGER_DOWN });
    ck_assert_int_eq(clear_as(lab, LAB_USER, "id", (struct trigger_record){ .id = 1 }), -ESRCH);
    ck_assert_int_eq(clear(lab, "id", (struct trigger_record){ .id = 1 }), 0);
    lab_free(lab);
}
END_TEST

CHECK_MAIN(trigger, CASE(users_clear_only_their_own),
           CASE(nodes_that_go_down_together_make_one_run),
           CASE(only_the_nodes_that_were_named_count), CASE(a_permanent_one_stays),
           CASE(a_node_is_drained_when_its_last_job_has_ended),
           CASE(a_node_drains_while_it_has_jobs),
           CASE(a_node_that_is_updated_counts_as_a_new_configuration),
           CASE(a_node_that_an_operator_resumes_is_told), CASE(idleness_counts_from_the_last_job),
           CASE(the_program_may_run_later_than_the_event), CASE(the_end_of_a_job_pulls_its_trigger),
           CASE(a_time_limit_is_told_before_it_is_reached),
           CASE(a_time_limit_that_has_ended_the_job_pulls_too),
           CASE(a_job_that_has_lost_its_node_and_waits_again_still_pulls),
           CASE(a_restart_and_a_reconfiguration_pull_theirs), CASE(what_cannot_be_meant_is_refused),
           CASE(the_same_is_set_once), CASE(those_are_cleared_that_are_all_of_what_is_said))
