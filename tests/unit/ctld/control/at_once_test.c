/*
 * What makes a start possible leads to it at that very moment: the clock of these stories stands
 * still from the event on, and no timer is served.
 */
#include "unit/check_main.h"

#include "unit/ctld/control/lab.h"

/* Two nodes, where job 1 runs on all of n1, and job 2 waits for what the event brings. */
static void end_the_job_before(struct lab *lab)
{
    lab_exit(lab, 1, STEP_BATCH, 0);
}

static void cancel_the_job_before(struct lab *lab)
{
    lab_cancel(lab, 1);
}

static void release_the_job(struct lab *lab)
{
    lab_hold(lab, 0, 2, HOLD_RELEASE);
}

static void resume_the_node(struct lab *lab)
{
    lab_update(lab, 0, "n2", NODE_UPDATE_RESUME, NULL);
}

static void return_of_the_node(struct lab *lab)
{
    lab_register(lab, "n2");
}

static void ask_for_the_other_node(struct lab *lab)
{
    AUTO(job_update) struct job_update update;

    job_update_init(&update);
    update.job_id = 2;
    update.spec = xmalloc(sizeof(*update.spec));
    job_spec_init(update.spec);
    update.spec->req_nodes = xstrdup("n2");
    *ARRAY_PUSH(update.set, update.set_n) = SPEC_TAG_req_nodes;
    lab_change(lab, LAB_USER, &update);
}

static void nothing_before(struct lab *lab)
{
    (void)lab;
}

static void drain_n2(struct lab *lab)
{
    lab_update(lab, 0, "n2", NODE_UPDATE_DRAIN, "fans");
}

static void lose_n2(struct lab *lab)
{
    lab_lose(lab, "n2");
}

static const struct {
    const char *job; /* 2 */
    void (*before)(struct lab *lab);
    void (*event)(struct lab *lab);
} events[] = {
    { "on=n1", nothing_before, end_the_job_before },
    { "on=n1", nothing_before, cancel_the_job_before },
    { "on=n2 hold", nothing_before, release_the_job },
    { "on=n2", drain_n2, resume_the_node },
    { "on=n2", lose_n2, return_of_the_node },
    { "on=n1", nothing_before, ask_for_the_other_node },
};

START_TEST(an_event_that_lets_a_job_start_starts_it)
{
    struct lab *lab = lab_new("nodes=2 cpus=1 timeout=300 backfill");
    int64_t then_ms;

    lab_submit(lab, "on=n1 time=1000");
    events[_i].before(lab);
    lab_submit(lab, events[_i].job);
    lab_wait(lab, 10);
    ck_assert_str_eq(lab_state(lab, 2), "PENDING");
    then_ms = lab->now.cluster_ms;
    events[_i].event(lab);

    ck_assert_str_eq(lab_state(lab, 2), "RUNNING");
    ck_assert_int_eq(lab->now.cluster_ms, then_ms);
    lab_free(lab);
}
END_TEST

/* Whatever the file says about intervals. */
START_TEST(no_parameter_puts_a_pause_before_a_start)
{
    struct lab *lab = lab_new("nodes=1 cpus=1 backfill sched=defer,sched_interval=600,"
                              "sched_min_interval=600000000,batch_sched_delay=600,bf_interval=600");
    const uint32_t first = lab_submit(lab, "time=1000"), second = lab_submit(lab, "time=1000");

    ck_assert_str_eq(lab_state(lab, first), "RUNNING");
    lab_exit(lab, first, STEP_BATCH, 0);

    ck_assert_str_eq(lab_state(lab, second), "RUNNING");
    lab_free(lab);
}
END_TEST

CHECK_MAIN(at_once, LOOP_CASE(an_event_that_lets_a_job_start_starts_it, ARRAY_N(events)),
           CASE(no_parameter_puts_a_pause_before_a_start))
