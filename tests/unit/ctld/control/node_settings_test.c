/* What nodes are told about their own configuration. */
#include "unit/check_main.h"

#include <string.h>

#include "unit/ctld/control/lab.h"
#include "ctld/control/node/settings.h"

#define NODES "nodes=3 cpus=2 timeout=0"

static void reconfigure(struct lab *lab)
{
    strbuf_clear(&lab->orders);
    control_nodes_reconfigure(lab_act(lab, NULL));
    lab_settle(lab);
}

/* The node comes back, `age_ms` after it last read its files. */
static void come_back(struct lab *lab, const char *name, uint64_t age_ms)
{
    strbuf_clear(&lab->orders);
    lab_node(lab, name)->conf_age_ms = age_ms;
    lab_register(lab, name);
}

static bool told(struct lab *lab, const char *what)
{
    return strstr(strbuf_text(&lab->orders), what);
}

START_TEST(all_nodes_with_a_session_read_their_files_again)
{
    struct lab *lab = lab_new(NODES);

    lab_lose(lab, "n2");
    reconfigure(lab);
    ck_assert(told(lab, "n1: reconfigure in boot1"));
    ck_assert(!told(lab, "n2: "));
    ck_assert(told(lab, "n3: reconfigure in boot1"));
    lab_free(lab);
}
END_TEST

START_TEST(one_that_was_away_is_told_when_it_comes_back)
{
    struct lab *lab = lab_new(NODES);

    lab_lose(lab, "n2");
    reconfigure(lab);
    lab_wait(lab, 10);
    come_back(lab, "n2", 10001);
    ck_assert(told(lab, "n2: reconfigure"));
    come_back(lab, "n2", 0);
    ck_assert(!told(lab, "reconfigure"));
    lab_free(lab);
}
END_TEST

START_TEST(one_that_has_started_since_has_read_them)
{
    struct lab *lab = lab_new(NODES);

    lab_lose(lab, "n2");
    reconfigure(lab);
    lab_wait(lab, 10);
    come_back(lab, "n2", 9999);
    ck_assert(!told(lab, "reconfigure"));
    lab_free(lab);
}
END_TEST

START_TEST(a_restarted_controller_knows_when_they_were_told)
{
    struct lab *lab = lab_new(NODES);

    lab_lose(lab, "n2");
    reconfigure(lab);
    lab_wait(lab, 10);
    lab_restart(lab, NODES);
    come_back(lab, "n2", 10001);
    ck_assert(told(lab, "n2: reconfigure"));
    lab_free(lab);
}
END_TEST

START_TEST(without_a_reconfigure_nobody_is_told)
{
    struct lab *lab = lab_new(NODES);

    lab_wait(lab, 10);
    come_back(lab, "n2", 1000000);
    ck_assert(!told(lab, "reconfigure"));
    lab_free(lab);
}
END_TEST

START_TEST(a_setting_goes_to_the_nodes_that_are_named_and_there)
{
    struct lab *lab = lab_new(NODES);
    char *absent = NULL;
    struct err err = { 0 };

    lab_lose(lab, "n2");
    strbuf_clear(&lab->orders);
    ck_assert_int_eq(control_nodes_set(lab_act(lab, NULL), "n[1-2]", NODE_ACT_DEBUG_LEVEL, "debug2",
                                       &absent, &err),
                     0);
    lab_settle(lab);
    ck_assert_str_eq(absent, "n2");
    ck_assert(told(lab, "n1: set level in boot1 to debug2"));
    ck_assert(!told(lab, "n2: ") && !told(lab, "n3: "));
    free(absent);
    ck_assert_int_eq(control_nodes_set(lab_act(lab, NULL), "n1,nix", NODE_ACT_DEBUG_LEVEL, "info",
                                       &absent, &err),
                     -E_NODE_NAME);
    lab_free(lab);
}
END_TEST

CHECK_MAIN(node_settings, CASE(all_nodes_with_a_session_read_their_files_again),
           CASE(one_that_was_away_is_told_when_it_comes_back),
           CASE(one_that_has_started_since_has_read_them),
           CASE(a_restarted_controller_knows_when_they_were_told),
           CASE(without_a_reconfigure_nobody_is_told),
           CASE(a_setting_goes_to_the_nodes_that_are_named_and_there))
