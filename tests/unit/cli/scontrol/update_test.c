/* What is refused here, a Slurm 22.05 refused in these words. */
#include "unit/check_main.h"

#include <string.h>

#include "cli/scontrol/update.h"

#define WORDS_MAX 6

static int count(char *const *argv)
{
    int n = 0;

    while (n < WORDS_MAX && argv[n])
        n++;
    return n;
}

static const struct {
    const char *argv[WORDS_MAX];
    const char *names;
    uint32_t state;
    const char *reason;
} good[] = {
    { { "nodename=a[1-2]", "state=drain", "reason=bad disk" },
      "a[1-2]",
      NODE_UPDATE_DRAIN,
      "bad disk" },
    { { "REASON=x", "STATE=Down", "NODENAME=a" }, "a", NODE_UPDATE_DOWN, "x" },
    { { "NodeName=a", "State=RESUME" }, "a", NODE_UPDATE_RESUME, NULL },
    { { "NodeName=a", "State=undrain" }, "a", NODE_UPDATE_UNDRAIN, NULL },
    { { "NodeName=a", "State=idle" }, "a", NODE_UPDATE_IDLE, NULL },
    { { "NodeName=a", "State=fail", "Reason=\"in quotes\"" }, "a", NODE_UPDATE_FAIL, "in quotes" },
    { { "Node=a", "Reason=only this" }, "a", NODE_UPDATE_NONE, "only this" },
    { { "NodeName=a", "Reason=(null)" }, "a", NODE_UPDATE_NONE, "" },
};

START_TEST(pairs_come_in_any_order_and_case)
{
    AUTO(node_update) struct node_update update;
    char *const *argv = (char *const *)(uintptr_t)good[_i].argv;
    const char *word;

    node_update_init(&update);
    ck_assert_int_eq(update_entity_of(count(argv), argv, &word), UPDATE_NODE);
    ck_assert_int_eq(update_parse_node(count(argv), argv, &update, NULL), 0);

    ck_assert_str_eq(update.names, good[_i].names);
    ck_assert_uint_eq(update.state, good[_i].state);
    ck_assert_pstr_eq(update.reason, good[_i].reason);
}
END_TEST

#define NEED_REASON "You must specify a reason when DOWNING or DRAINING a node. Request denied"

static const struct {
    const char *argv[WORDS_MAX];
    const char *text;
} bad[] = {
    { { "nodename=a", "state=drain" }, NEED_REASON },
    { { "nodename=a", "state=drain", "reason=" }, NEED_REASON },
    { { "nodename=a", "state=down" }, NEED_REASON },
    { { "nodename=a", "state=fail" }, NEED_REASON },
    { { "nodename=a" }, "No changes specified" },
    { { "nodename=a", "foo" }, "scontrol: error: Invalid input: foo  Request aborted" },
    { { "nodename=a", "foo=bar" },
      "Update of this parameter is not supported: foo=bar\nRequest aborted" },
    { { "nodename=a", "weight=3" },
      "Update of this parameter is not supported: weight=3\nRequest aborted" },
    { { "nodename=a", "state=nix" },
      "Invalid input: state=nix\nRequest aborted\n"
      "Valid states are: DOWN DRAIN FAIL IDLE RESUME UNDRAIN\n"
      "Not all states are valid given a node's prior state" },
};

START_TEST(what_cannot_be_done_is_refused_in_slurms_words)
{
    AUTO(node_update) struct node_update update;
    char *const *argv = (char *const *)(uintptr_t)bad[_i].argv;
    struct err err = { 0 };

    node_update_init(&update);
    ck_assert_int_eq(update_parse_node(count(argv), argv, &update, &err), -EINVAL);

    ck_assert_str_eq(err.text, bad[_i].text);
}
END_TEST

START_TEST(other_entities_are_told_apart)
{
    char *const job[] = { (char *)(uintptr_t) "timelimit=5", (char *)(uintptr_t) "jobid=7" };
    char *const nothing[] = { (char *)(uintptr_t) "state=down", (char *)(uintptr_t) "nodename" };
    const char *word;

    ck_assert_int_eq(update_entity_of(2, job, &word), UPDATE_OTHER);
    ck_assert_str_eq(word, "JobId");
    ck_assert_int_eq(update_entity_of(2, nothing, &word), UPDATE_NONE);
}
END_TEST

CHECK_MAIN(update, LOOP_CASE(pairs_come_in_any_order_and_case, ARRAY_N(good)),
           LOOP_CASE(what_cannot_be_done_is_refused_in_slurms_words, ARRAY_N(bad)),
           CASE(other_entities_are_told_apart))
