/* Since when nodes can not be used, as the history is told it. */
#include "unit/check_main.h"

#include "unit/ctld/control/lab.h"
#include "ctld/control/node/update.h"

static void expect(struct lab *lab, const char *text)
{
    ck_assert_str_eq(strbuf_text(&lab->outages), text);
    strbuf_truncate(&lab->outages, 0);
}

START_TEST(a_node_that_is_down_has_an_event_until_it_is_back)
{
    struct lab *lab = lab_new("nodes=2");

    lab_update(lab, 0, "n1", NODE_UPDATE_DOWN, "smoke");
    expect(lab, "n1 DOWN begins smoke\n");
    lab_wait(lab, 60);
    expect(lab, "");
    lab_update(lab, 0, "n1", NODE_UPDATE_RESUME, NULL);
    expect(lab, "n1 DOWN 60 s smoke\n");
    lab_free(lab);
}
END_TEST

START_TEST(another_state_or_reason_ends_an_event_and_begins_the_next)
{
    struct lab *lab = lab_new("nodes=1");

    lab_update(lab, 0, "n1", NODE_UPDATE_DRAIN, "a");
    strbuf_truncate(&lab->outages, 0);
    lab_wait(lab, 10);
    lab_update(lab, 0, "n1", NODE_UPDATE_DRAIN, "b");
    expect(lab, "n1 IDLE+DRAIN 10 s a\nn1 IDLE+DRAIN begins b\n");
    lab_update(lab, 0, "n1", NODE_UPDATE_DRAIN, "b");
    expect(lab, "");
    lab_wait(lab, 5);
    lab_update(lab, 0, "n1", NODE_UPDATE_DOWN, "b");
    expect(lab, "n1 IDLE+DRAIN 5 s b\nn1 DOWN+DRAIN begins b\n");
    lab_free(lab);
}
END_TEST

START_TEST(a_node_that_drains_is_out_when_its_last_job_is_gone)
{
    struct lab *lab = lab_new("nodes=1x4");
    uint32_t job = lab_submit(lab, "nodes=1 time=60");

    lab_update(lab, 0, "n1", NODE_UPDATE_DRAIN, "fans");
    expect(lab, "");
    lab_cancel(lab, job);
    expect(lab, "n1 IDLE+DRAIN begins fans\n");
    lab_free(lab);
}
END_TEST

START_TEST(an_event_goes_on_over_a_restart)
{
    struct lab *lab = lab_new("nodes=2");

    lab_update(lab, 0, "n1", NODE_UPDATE_DOWN, "smoke");
    strbuf_truncate(&lab->outages, 0);
    lab_wait(lab, 60);
    lab_restart(lab, "nodes=2");
    expect(lab, "");
    lab_update(lab, 0, "n1", NODE_UPDATE_RESUME, NULL);
    expect(lab, "n1 DOWN 60 s smoke\n");
    lab_free(lab);
}
END_TEST

static void reconfigure(struct lab *lab, const char *text)
{
    struct model_config config = lab_config(text);

    ck_assert_int_eq(control_reconfigure(lab_act(lab, NULL), &config, NULL), 0);
    lab_settle(lab);
}

START_TEST(the_event_of_a_node_that_leaves_ends_once)
{
    struct lab *lab = lab_new("nodes=2");

    lab_update(lab, 0, "n2", NODE_UPDATE_DOWN, "smoke");
    strbuf_truncate(&lab->outages, 0);
    lab_wait(lab, 60);
    lab_crash(lab, "nodes=1");
    expect(lab, "n2 DOWN 60 s smoke\n");
    lab_wait(lab, 10);
    lab_crash(lab, "nodes=1");
    expect(lab, "");
    lab_crash(lab, "nodes=2"); /* it is back, and still down */
    expect(lab, "n2 DOWN+NOT_RESPONDING begins smoke\n");
    lab_wait(lab, 5);
    reconfigure(lab, "nodes=1");
    expect(lab, "n2 DOWN+NOT_RESPONDING 5 s smoke\n");
    lab_crash(lab, "nodes=1");
    expect(lab, "");
    lab_free(lab);
}
END_TEST

CHECK_MAIN(outage, CASE(a_node_that_is_down_has_an_event_until_it_is_back),
           CASE(another_state_or_reason_ends_an_event_and_begins_the_next),
           CASE(a_node_that_drains_is_out_when_its_last_job_is_gone),
           CASE(an_event_goes_on_over_a_restart), CASE(the_event_of_a_node_that_leaves_ends_once))
