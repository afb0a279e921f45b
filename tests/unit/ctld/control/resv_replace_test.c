/* Nodes of reservations that are exchanged for others. */
#include "unit/check_main.h"

#include <string.h>

#include "ctld/control/load.h"
#include "unit/ctld/control/resv_desk.h"

#define NODES "nodes=4 cpus=2 timeout=0"

static const char *nodes(const struct lab *lab, const char *name)
{
    return resv_get(lab, name)->nodes;
}

static void drain(struct lab *lab, const char *name)
{
    ck_assert_int_eq(lab_update(lab, 0, name, NODE_UPDATE_DRAIN, "test"), 0);
    lab_wait(lab, 1);
}

START_TEST(a_drained_node_is_replaced_by_a_free_one)
{
    struct lab *lab = lab_new(NODES);

    resv_have(lab, "reservationname=r start=now duration=60 users=ann nodecnt=2");
    ck_assert_str_eq(nodes(lab, "r"), "n[1-2]");

    drain(lab, "n1");

    ck_assert_str_eq(nodes(lab, "r"), "n[2-3]");
    ck_assert_uint_eq(resv_get(lab, "r")->core_cnt, 4);
    lab_submit(lab, "nodes=2 ntasks=2 time=60 resv=r");
    ck_assert_str_eq(resv_nodes_of(lab, 1), "n2,n3");
    lab_free(lab);
}
END_TEST

START_TEST(a_node_that_fails_is_replaced_and_one_that_others_have_is_left)
{
    struct lab *lab = lab_new("nodes=4 cpus=2 timeout=30");

    resv_have(lab, "reservationname=r start=now+600 duration=60 users=ann nodecnt=1");
    resv_have(lab, "reservationname=s start=now+1200 duration=60 users=ann nodes=n2");
    lab_lose(lab, "n1");

    lab_wait(lab, 60);

    ck_assert_str_eq(nodes(lab, "r"), "n3");
    lab_free(lab);
}
END_TEST

START_TEST(nodes_that_were_named_or_are_to_stay_are_not_replaced)
{
    struct lab *lab = lab_new(NODES);

    resv_have(lab, "reservationname=named start=now duration=60 users=ann nodes=n1");
    resv_have(lab,
              "reservationname=stays start=now duration=60 users=ann nodecnt=1 flags=static_alloc");
    drain(lab, "n[1-2]");
    lab_wait(lab, 60);

    ck_assert_str_eq(nodes(lab, "named"), "n1");
    ck_assert_str_eq(nodes(lab, "stays"), "n2");
    lab_free(lab);
}
END_TEST

START_TEST(a_node_is_replaced_once_there_is_another)
{
    struct lab *lab = lab_new(NODES);

    lab_submit(lab, "nodes=3 ntasks=6 time=600");
    resv_have(lab, "reservationname=r start=now duration=60 users=ann nodecnt=1");
    ck_assert_str_eq(nodes(lab, "r"), "n4");
    drain(lab, "n4");
    lab_wait(lab, 60);
    ck_assert_str_eq(nodes(lab, "r"), "n4");

    lab_cancel(lab, 1);
    lab_wait(lab, 60);

    ck_assert_str_eq(nodes(lab, "r"), "n1");
    lab_free(lab);
}
END_TEST

START_TEST(replace_gives_idle_nodes_for_those_that_jobs_have)
{
    struct lab *lab = lab_new(NODES);

    resv_have(lab, "reservationname=r start=now duration=60 users=ann nodecnt=2 flags=replace");
    lab_wait(lab, 1);
    lab_submit(lab, "ntasks=1 time=600 resv=r");
    lab_wait(lab, 1);
    ck_assert_str_eq(nodes(lab, "r"), "n[2-3]");

    lab_submit(lab, "ntasks=1 time=600 resv=r");
    lab_wait(lab, 1);
    ck_assert_str_eq(resv_nodes_of(lab, 2), "n2");
    ck_assert_str_eq(nodes(lab, "r"), "n[3-4]");

    lab_submit(lab, "ntasks=2 time=600 resv=r");
    lab_wait(lab, 60);
    ck_assert_str_eq(resv_nodes_of(lab, 3), "n3");
    ck_assert_str_eq(nodes(lab, "r"), "n[3-4]");

    lab_restart(lab, NODES);
    lab_wait(lab, 60);
    ck_assert_str_eq(lab_state(lab, 1), "RUNNING");
    ck_assert_str_eq(nodes(lab, "r"), "n[3-4]");
    lab_free(lab);
}
END_TEST

START_TEST(without_replace_a_job_keeps_the_node_in_it)
{
    struct lab *lab = lab_new(NODES);

    resv_have(lab,
              "reservationname=r start=now duration=60 users=ann nodecnt=1 flags=replace_down");
    lab_wait(lab, 1);
    lab_submit(lab, "ntasks=1 time=600 resv=r");
    lab_wait(lab, 60);

    ck_assert_str_eq(nodes(lab, "r"), "n1");
    lab_free(lab);
}
END_TEST

/* Reads a configuration whose partition `debug` has other nodes. */
static void reconfigure(struct lab *lab, const char *text, const char *hosts)
{
    struct model_config config = lab_config(text);

    xstrset(&config.partitions[1].nodes, hosts);
    ck_assert_int_eq(control_reconfigure(lab_act(lab, NULL), &config, NULL), 0);
    lab_settle(lab);
    lab_wait(lab, 1);
}

START_TEST(part_nodes_follows_the_partition)
{
    struct lab *lab = lab_new(NODES);

    reconfigure(lab, NODES, "n1");
    resv_have(lab, "reservationname=r start=now duration=60 users=ann nodes=all "
                   "partitionname=debug flags=part_nodes");
    ck_assert_str_eq(nodes(lab, "r"), "n1");

    reconfigure(lab, NODES, "n[1-2]");
    ck_assert_str_eq(nodes(lab, "r"), "n[1-2]");
    ck_assert_uint_eq(resv_get(lab, "r")->core_cnt, 4);

    ck_assert_str_eq(resv_update(lab, "reservationname=r flags-=part_nodes"), "");
    reconfigure(lab, NODES, "n3");
    ck_assert_str_eq(nodes(lab, "r"), "n[1-2]");
    ck_assert(control_uses_partition(lab->control, "debug"));
    ck_assert(!control_uses_partition(lab->control, "main"));
    lab_free(lab);
}
END_TEST

START_TEST(a_node_that_is_not_configured_any_more_is_forgotten)
{
    struct lab *lab = lab_new(NODES);
    struct model_config config = lab_config("nodes=2 cpus=2 timeout=0");

    resv_have(lab, "reservationname=r start=now duration=60 users=ann nodes=n[2-4]");
    resv_have(lab, "reservationname=c start=now duration=60 users=ann nodes=n1 corecnt=1");
    resv_have(lab, "reservationname=g start=now+7200 duration=60 users=ann nodes=n[3-4]");

    ck_assert_int_eq(control_reconfigure(lab_act(lab, NULL), &config, NULL), 0);
    lab_settle(lab);
    lab_wait(lab, 1);

    ck_assert_str_eq(nodes(lab, "r"), "n2");
    ck_assert_uint_eq(resv_get(lab, "r")->core_cnt, 2);
    ck_assert_str_eq(resv_shown(lab, "c"), "0-3600 n1 n1:0");
    ck_assert_ptr_null(nodes(lab, "g"));
    lab_submit(lab, "ntasks=1 time=60 resv=r");
    ck_assert_str_eq(resv_nodes_of(lab, 1), "n2");
    lab_free(lab);
}
END_TEST

CHECK_MAIN(resv_replace, CASE(a_drained_node_is_replaced_by_a_free_one),
           CASE(a_node_that_fails_is_replaced_and_one_that_others_have_is_left),
           CASE(nodes_that_were_named_or_are_to_stay_are_not_replaced),
           CASE(a_node_is_replaced_once_there_is_another),
           CASE(replace_gives_idle_nodes_for_those_that_jobs_have),
           CASE(without_replace_a_job_keeps_the_node_in_it), CASE(part_nodes_follows_the_partition),
           CASE(a_node_that_is_not_configured_any_more_is_forgotten))
