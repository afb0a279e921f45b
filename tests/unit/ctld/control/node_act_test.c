/* HealthCheckProgram and rebooting, as far as the controller has to do with them. */
#include "unit/check_main.h"

#include <string.h>

#include "unit/ctld/control/lab.h"
#include "ctld/control/act/act.h"
#include "ctld/control/control.h"
#include "ctld/control/node/node_act.h"
#include "ctld/control/node/update.h"
#include "ctld/control/node/reboot.h"

#define NODES "nodes=4 cpus=2 hooks=12 health=40 timeout=0"

static uint32_t count(struct lab *lab, const char *word)
{
    const char *text = strbuf_text(&lab->orders);
    uint32_t n = 0;

    for (; (text = strstr(text, word)); text++)
        n++;
    return n;
}

static struct node *node_of(struct lab *lab, const char *name)
{
    return model_find_node(control_model(lab->control), name);
}

static const char *state_of(struct lab *lab, const char *name)
{
    static struct strbuf text;
    uint32_t state, flags;

    strbuf_clear(&text);
    node_display_state(node_of(lab, name), &state, &flags);
    node_state_format(state, flags, &text);
    return strbuf_text(&text);
}

static int ask_reboot(struct lab *lab, const char *name, bool asap, uint32_t next)
{
    const struct caller caller = lab_caller(0);
    const struct node_reboot request = { .names = (char *)(uintptr_t)name,
                                         .asap = asap,
                                         .next = next };
    int rc = control_node_reboot(lab_act(lab, &caller), &request, NULL);

    lab_settle(lab);
    return rc;
}

static void reboot(struct lab *lab, const char *name)
{
    lab_node(lab, name)->boot++;
    lab_register(lab, name);
}

/* ---- health ---- */

START_TEST(a_node_whose_slurmd_has_started_is_checked)
{
    struct lab *lab = lab_new(NODES);

    ck_assert_uint_eq(count(lab, "check health"), 4);
    strbuf_clear(&lab->orders);
    lab_register(lab, "n1");
    ck_assert_uint_eq(count(lab, "check health"), 0);
    reboot(lab, "n1");
    ck_assert_uint_eq(count(lab, "n1: check health in boot2"), 1);
    lab_free(lab);
}
END_TEST

START_TEST(all_are_checked_every_interval)
{
    struct lab *lab = lab_new(NODES);

    lab_wait(lab, 1);
    strbuf_clear(&lab->orders);
    lab_wait(lab, 38);
    ck_assert_uint_eq(count(lab, "check health"), 0);
    lab_wait(lab, 2);
    ck_assert_uint_eq(count(lab, "check health"), 4);
    lab_wait(lab, 40);
    ck_assert_uint_eq(count(lab, "check health"), 8);
    lab_free(lab);
}
END_TEST

static const struct {
    uint32_t states;
    const char *checked;
} by_state[] = {
    { HEALTH_IDLE, "n2 n4" },
    { HEALTH_NONDRAINED_IDLE, "n4" },
    { HEALTH_ALLOC, "n1" },
    { HEALTH_MIXED, "n3" },
    { HEALTH_MIXED | HEALTH_ALLOC, "n1 n3" },
    { HEALTH_CYCLE, "n1 n2 n3 n4" },
    { HEALTH_ANY | HEALTH_IDLE, "n1 n2 n3 n4" },
    { HEALTH_START_ONLY, "" },
};

START_TEST(only_nodes_of_the_states_that_are_named_are_checked)
{
    AUTO_FREE char *text = xasprintf(NODES " health_states=%u", by_state[_i].states);
    struct lab *lab = lab_new(text);
    AUTO(strbuf) struct strbuf checked = { 0 };

    lab_submit(lab, "on=n1 ntasks=2");
    lab_submit(lab, "on=n3 ntasks=1");
    lab_update(lab, 0, "n2", NODE_UPDATE_DRAIN, "why");
    lab_wait(lab, 1);
    strbuf_clear(&lab->orders);
    lab_wait(lab, 75);
    for (int i = 1; i <= 4; i++) {
        AUTO_FREE char *order = xasprintf("n%d: check health", i);

        if (count(lab, order))
            strbuf_addf(&checked, "%sn%d", checked.len ? " " : "", i);
    }
    ck_assert_str_eq(strbuf_text(&checked), by_state[_i].checked);
    lab_free(lab);
}
END_TEST

START_TEST(with_cycle_they_have_their_turns_one_after_the_other)
{
    struct lab *lab = lab_new(NODES " health_states=16");

    lab_wait(lab, 1);
    strbuf_clear(&lab->orders);
    lab_wait(lab, 41);
    ck_assert_uint_eq(count(lab, "check health"), 1);
    for (uint32_t i = 2; i <= 4; i++) {
        lab_wait(lab, 10);
        ck_assert_uint_eq(count(lab, "check health"), i);
    }
    lab_wait(lab, 5);
    ck_assert_uint_eq(count(lab, "check health"), 4);
    lab_free(lab);
}
END_TEST

/* ---- rebooting ---- */

START_TEST(an_idle_node_is_rebooted_at_once_and_is_what_it_was_after)
{
    struct lab *lab = lab_new(NODES);

    ck_assert_int_eq(ask_reboot(lab, "n1", false, NODE_REBOOT_AS_BEFORE), 0);
    ck_assert_str_eq(state_of(lab, "n1"), "DOWN+REBOOT_ISSUED");
    ck_assert_str_eq(node_of(lab, "n1")->rec.reason, "reboot requested : reboot issued");
    ck_assert_uint_eq(count(lab, "n1: reboot in boot1"), 1);

    reboot(lab, "n1");
    ck_assert_str_eq(state_of(lab, "n1"), "IDLE");
    ck_assert_ptr_null(node_of(lab, "n1")->rec.reason);
    lab_free(lab);
}
END_TEST

START_TEST(a_slurmd_that_only_restarts_is_not_taken_for_a_reboot)
{
    struct lab *lab = lab_new(NODES " return=2");

    ask_reboot(lab, "n1", false, NODE_REBOOT_AS_BEFORE);
    lab_node(lab, "n1")->started++;
    lab_register(lab, "n1");
    ck_assert_str_eq(state_of(lab, "n1"), "DOWN+REBOOT_ISSUED");
    lab_free(lab);
}
END_TEST

START_TEST(a_busy_node_waits_for_its_jobs)
{
    struct lab *lab = lab_new(NODES);
    const uint32_t id = lab_submit(lab, "on=n1 ntasks=1");
    uint32_t next;

    ask_reboot(lab, "n1", false, NODE_REBOOT_AS_BEFORE);
    ck_assert_str_eq(state_of(lab, "n1"), "MIXED+REBOOT_REQUESTED");
    next = lab_submit(lab, "on=n1 ntasks=1");
    ck_assert_str_eq(lab_state(lab, next), "RUNNING");
    lab_exit(lab, id, STEP_BATCH, 0);
    ck_assert_uint_eq(count(lab, "reboot"), 0);
    lab_exit(lab, next, STEP_BATCH, 0);
    ck_assert_uint_eq(count(lab, "n1: reboot"), 1);
    lab_free(lab);
}
END_TEST

START_TEST(asap_takes_no_new_work_and_the_node_comes_back_undrained)
{
    struct lab *lab = lab_new(NODES);
    const uint32_t id = lab_submit(lab, "on=n1 ntasks=1");

    ask_reboot(lab, "n1", true, NODE_REBOOT_AS_BEFORE);
    ck_assert_str_eq(state_of(lab, "n1"), "MIXED+DRAIN+REBOOT_REQUESTED");
    ck_assert_str_eq(node_of(lab, "n1")->rec.reason, "Reboot ASAP");
    ck_assert_str_eq(lab_state(lab, lab_submit(lab, "on=n1 ntasks=1")), "PENDING");
    lab_exit(lab, id, STEP_BATCH, 0);
    ck_assert_str_eq(state_of(lab, "n1"), "DOWN+DRAIN+REBOOT_ISSUED");
    reboot(lab, "n1");
    ck_assert_str_eq(state_of(lab, "n1"), "MIXED");
    lab_free(lab);
}
END_TEST

START_TEST(a_drained_node_stays_drained_unless_next_state_says_resume)
{
    struct lab *lab = lab_new(NODES);

    lab_update(lab, 0, "n[1-2]", NODE_UPDATE_DRAIN, "disk");
    ask_reboot(lab, "n1", false, NODE_REBOOT_AS_BEFORE);
    ask_reboot(lab, "n2", false, NODE_REBOOT_THEN_RESUME);
    reboot(lab, "n1");
    reboot(lab, "n2");
    ck_assert_str_eq(state_of(lab, "n1"), "IDLE+DRAIN");
    ck_assert_str_eq(state_of(lab, "n2"), "IDLE");
    lab_free(lab);
}
END_TEST

START_TEST(next_state_down_is_down_after)
{
    struct lab *lab = lab_new(NODES);

    ask_reboot(lab, "n1", false, NODE_REBOOT_THEN_DOWN);
    reboot(lab, "n1");
    ck_assert_str_eq(state_of(lab, "n1"), "DOWN");
    ck_assert_str_eq(node_of(lab, "n1")->rec.reason,
                     "reboot requested : reboot issued : reboot complete");
    lab_free(lab);
}
END_TEST

START_TEST(a_node_that_is_not_back_in_time_is_down)
{
    struct lab *lab = lab_new(NODES);

    ask_reboot(lab, "n1", false, NODE_REBOOT_AS_BEFORE);
    lab_wait(lab, 59);
    ck_assert_str_eq(state_of(lab, "n1"), "DOWN+REBOOT_ISSUED");
    lab_wait(lab, 2);
    ck_assert_str_eq(state_of(lab, "n1"), "DOWN");
    ck_assert_str_eq(node_of(lab, "n1")->rec.reason,
                     "reboot requested : reboot issued : reboot timed out");
    lab_free(lab);
}
END_TEST

/* ResumeAfter= is over before the node is back: it must not be given what the reboot would end. */
START_TEST(a_node_that_reboots_is_resumed_when_it_is_back)
{
    struct lab *lab = lab_new(NODES);
    const struct caller root = lab_caller(0);
    const struct node_update drain = { .names = (char *)(uintptr_t) "n1",
                                       .state = NODE_UPDATE_DRAIN,
                                       .reason = (char *)(uintptr_t) "a test",
                                       .weight = COUNT_UNSET,
                                       .cpu_bind = COUNT_UNSET,
                                       .resume_after_s = 10 };

    ck_assert_int_eq(control_node_update(lab_act(lab, &root), &drain, &lab->err), 0);
    ck_assert_int_eq(ask_reboot(lab, "n1", false, NODE_REBOOT_AS_BEFORE), 0);
    lab_wait(lab, 20);
    ck_assert_str_eq(state_of(lab, "n1"), "DOWN+DRAIN+REBOOT_ISSUED");

    lab_reboot(lab, "n1");
    lab_wait(lab, 1);
    ck_assert_str_eq(state_of(lab, "n1"), "IDLE");
    lab_free(lab);
}
END_TEST

START_TEST(a_reboot_that_has_not_begun_can_be_cancelled)
{
    struct lab *lab = lab_new(NODES);

    lab_submit(lab, "on=n1 ntasks=1");
    ask_reboot(lab, "n1", true, NODE_REBOOT_AS_BEFORE);
    lab_update(lab, 0, "n1", NODE_UPDATE_CANCEL_REBOOT, NULL);
    ck_assert_str_eq(state_of(lab, "n1"), "MIXED");
    ck_assert_ptr_null(node_of(lab, "n1")->rec.reason);
    ask_reboot(lab, "n2", false, NODE_REBOOT_AS_BEFORE);
    lab_update(lab, 0, "n2", NODE_UPDATE_CANCEL_REBOOT, NULL);
    ck_assert_str_eq(state_of(lab, "n2"), "DOWN+REBOOT_ISSUED");
    lab_free(lab);
}
END_TEST

START_TEST(nodes_without_a_program_and_users_are_refused)
{
    struct lab *lab = lab_new("nodes=1 cpus=2");
    const struct caller user = lab_caller(LAB_USER);
    const struct node_reboot request = { .names = (char *)(uintptr_t) "n1" };

    ck_assert_int_lt(ask_reboot(lab, "n1", false, NODE_REBOOT_AS_BEFORE), 0);
    ck_assert_int_eq(control_node_reboot(lab_act(lab, &user), &request, NULL), -EACCES);
    lab_free(lab);
}
END_TEST

START_TEST(a_restarted_controller_knows_of_reboots)
{
    struct lab *lab = lab_new(NODES);

    lab_submit(lab, "on=n1 ntasks=1");
    ask_reboot(lab, "n1", true, NODE_REBOOT_AS_BEFORE);
    ask_reboot(lab, "n2", false, NODE_REBOOT_THEN_DOWN);
    lab_node(lab, "n2")->online = false;
    lab_restart(lab, NODES);
    ck_assert_str_eq(state_of(lab, "n1"), "MIXED+DRAIN+REBOOT_REQUESTED");
    reboot(lab, "n2");
    ck_assert_str_eq(state_of(lab, "n2"), "DOWN");
    lab_free(lab);
}
END_TEST

/* ---- failing ---- */

START_TEST(a_failing_node_takes_no_new_work_until_it_is_resumed)
{
    struct lab *lab = lab_new(NODES);
    uint32_t id;

    lab_update(lab, 0, "n1", NODE_UPDATE_FAIL, "fan");
    ck_assert_str_eq(state_of(lab, "n1"), "IDLE+FAIL");
    id = lab_submit(lab, "on=n1");
    ck_assert_str_eq(lab_state(lab, id), "PENDING");
    lab_update(lab, 0, "n1", NODE_UPDATE_RESUME, NULL);
    ck_assert_str_eq(lab_state(lab, id), "RUNNING");
    lab_free(lab);
}
END_TEST

CHECK_MAIN(node_act, CASE(a_node_whose_slurmd_has_started_is_checked),
           CASE(all_are_checked_every_interval),
           LOOP_CASE(only_nodes_of_the_states_that_are_named_are_checked, ARRAY_N(by_state)),
           CASE(with_cycle_they_have_their_turns_one_after_the_other),
           CASE(an_idle_node_is_rebooted_at_once_and_is_what_it_was_after),
           CASE(a_slurmd_that_only_restarts_is_not_taken_for_a_reboot),
           CASE(a_busy_node_waits_for_its_jobs),
           CASE(asap_takes_no_new_work_and_the_node_comes_back_undrained),
           CASE(a_drained_node_stays_drained_unless_next_state_says_resume),
           CASE(next_state_down_is_down_after), CASE(a_node_that_is_not_back_in_time_is_down),
           CASE(a_node_that_reboots_is_resumed_when_it_is_back),
           CASE(a_reboot_that_has_not_begun_can_be_cancelled),
           CASE(nodes_without_a_program_and_users_are_refused),
           CASE(a_restarted_controller_knows_of_reboots),
           CASE(a_failing_node_takes_no_new_work_until_it_is_resumed))
