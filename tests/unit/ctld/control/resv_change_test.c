/* Reservations are changed and deleted, also while jobs are in them. */
#include "unit/check_main.h"

#include "unit/ctld/control/resv_desk.h"

#define HOUR "start=now+600 duration=60 users=ann "

/* A lab where r is to come on n[1-2], open is open on n3 and comes every day, and job 1 runs in
 * it. */
static struct lab *lab_with_two(void)
{
    struct lab *lab = lab_new("nodes=4 licenses=3");

    resv_have(lab, "reservationname=r " HOUR "nodes=n[1-2]");
    resv_have(lab, "reservationname=open start=now duration=60 users=ann nodes=n3 flags=daily");
    lab_submit(lab, "ntasks=1 time=600 resv=open");
    ck_assert_str_eq(lab_state(lab, 1), "RUNNING");
    return lab;
}

static const struct {
    const char *asked, *shown, *flags;
} changes[] = {
    { "r duration=30", "600-2400 n[1-2]", "SPEC_NODES" },
    { "r duration+=30", "600-6000 n[1-2]", "SPEC_NODES" },
    { "r duration-=30", "600-2400 n[1-2]", "SPEC_NODES" },
    { "r endtime=now+1200", "600-1200 n[1-2]", "SPEC_NODES" },
    { "r start=now+1200", "1200-4800 n[1-2]", "SPEC_NODES" },
    { "r start=now+1200 endtime=now+1500", "1200-1500 n[1-2]", "SPEC_NODES" },
    { "r start=now+1200 duration=5", "1200-1500 n[1-2]", "SPEC_NODES" },
    { "r nodes=n4", "600-4200 n4", "SPEC_NODES" },
    { "r nodes+=n4", "600-4200 n[1-2,4]", "SPEC_NODES" },
    { "r nodes-=n1", "600-4200 n2", "SPEC_NODES" },
    { "r nodecnt=3", "600-4200 n[1-2,4]", "SPEC_NODES" },
    { "r flags=maint", "600-4200 n[1-2]", "MAINT,SPEC_NODES" },
    { "r flags=daily nodes=ALL flags=maint", "600-4200 n[1-4]",
      "MAINT,DAILY,SPEC_NODES,ALL_NODES" },
    { "open duration=30", "0-1800 n3", "DAILY,SPEC_NODES" },
    { "open flags-=daily", "0-3600 n3", "SPEC_NODES" },
    { "open nodes=n4", "0-3600 n4", "DAILY,SPEC_NODES" },
    { "open nodes+=n4", "0-3600 n[3-4]", "DAILY,SPEC_NODES" },
};

START_TEST(what_is_said_is_changed)
{
    struct lab *lab = lab_with_two();
    AUTO_FREE char *text = xasprintf("reservationname=%s", changes[_i].asked);
    AUTO_FREE char *name = xstrndup(changes[_i].asked, strcspn(changes[_i].asked, " "));
    const char *said = resv_update(lab, text);

    ck_assert_msg(!*said, "%s: %s", said, lab->err.text);
    ck_assert_str_eq(resv_shown(lab, name), changes[_i].shown);
    ck_assert_str_eq(resv_flags(lab, name), changes[_i].flags);
    ck_assert_str_eq(lab_state(lab, 1), "RUNNING");
    lab_free(lab);
}
END_TEST

static const struct {
    const char *asked;
    int code;
} refused[] = {
    { "open start=now+600", E_RESERVATION_STARTED },
    { "r start=2001-01-01T00:00:00", E_TIME_VALUE },
    { "r endtime=2001-01-01T00:00:00", E_TIME_VALUE },
    { "r endtime=now+300", E_TIME_VALUE },
    { "r nodes=n9", E_NODE_NAME },
    { "r nodes+=n9", E_NODE_NAME },
    { "r nodes=n3 endtime=now+2days", E_RESERVATION_OVERLAP },
    { "r nodes+=n3", E_RESERVATION_OVERLAP },
    { "r users=", E_RESERVATION_EMPTY },
    { "r users-=ann", E_RESERVATION_EMPTY },
    { "r groups=staff", E_RESERVATION_BOTH },
    { "r accounts=none", E_ACCOUNT },
    { "r accounts+=none", E_ACCOUNT },
    { "r partition=none", E_PARTITION_NAME },
    { "r licenses=matlab:9", E_LICENSES },
    { "r skip", E_RESERVATION_NO_SKIP },
    { "none duration=5", E_RESERVATION },
};

START_TEST(what_makes_no_sense_changes_nothing)
{
    struct lab *lab = lab_with_two();
    AUTO_FREE char *text = xasprintf("reservationname=%s", refused[_i].asked);
    AUTO(reservation_record) struct reservation_record before;

    schema_copy(reservation_record_schema(), &before, resv_get(lab, "r"));
    ck_assert_msg(*resv_update(lab, text), "'%s' was done", text);

    ck_assert_str_eq(err_string(lab->rc), err_string(refused[_i].code));
    ck_assert(schema_equal(reservation_record_schema(), &before, resv_get(lab, "r")));
    lab_free(lab);
}
END_TEST

static const struct {
    const char *before, *change, *after;
} lists[] = {
    { "users=ann", "users+=bob", "ann,bob" },
    { "users=ann,bob", "users-=bob", "ann" },
    { "users=ann,bob,cora", "users-=ann,cora", "bob" },
    { "users=ann", "users=bob", "bob" },
    { "users=ann,bob", "users=-bob", "ann" },
    /* More who may use it are fewer who are kept out. */
    { "users=-ann,-bob", "users+=bob", "-ann" },
    { "users=-ann", "users-=bob", "-ann,-bob" },
};

START_TEST(lists_get_more_and_less)
{
    struct lab *lab = lab_new("nodes=2");
    AUTO_FREE char *made =
        xasprintf("reservationname=r start=now+600 duration=60 nodes=n1 %s", lists[_i].before);
    AUTO_FREE char *changed = xasprintf("reservationname=r %s", lists[_i].change);

    resv_have(lab, made);
    ck_assert_str_eq(resv_update(lab, changed), "");
    ck_assert_str_eq(resv_get(lab, "r")->users, lists[_i].after);
    lab_free(lab);
}
END_TEST

START_TEST(one_that_is_used_or_waited_for_is_not_deleted)
{
    struct lab *lab = lab_with_two();

    lab_submit(lab, "ntasks=1 time=600 resv=open,r not=n3");
    ck_assert_str_eq(resv_delete(lab, "open"), err_string(E_RESERVATION_IN_USE));
    ck_assert_str_eq(resv_delete(lab, "r"), err_string(E_RESERVATION_IN_USE));

    lab_cancel(lab, 2);
    ck_assert_str_eq(resv_delete(lab, "r"), "");
    ck_assert_str_eq(resv_shown(lab, "r"), "gone");
    lab_exit(lab, 1, STEP_BATCH, 0);
    ck_assert_str_eq(resv_delete(lab, "open"), "");
    ck_assert_str_eq(resv_delete(lab, "open"), err_string(E_RESERVATION));
    lab_free(lab);
}
END_TEST

START_TEST(what_a_deleted_one_had_is_free_at_once)
{
    struct lab *lab = lab_new("nodes=1");

    resv_have(lab, "reservationname=r start=now duration=60 users=ann nodes=n1");
    lab_submit_as(lab, LAB_OTHER, "ntasks=1 time=60");
    ck_assert_str_eq(lab_state(lab, 1), "PENDING");
    ck_assert_int_eq(resv_start_of(lab, 1), 3600);

    resv_delete(lab, "r");
    ck_assert_str_eq(lab_state(lab, 1), "RUNNING");
    lab_free(lab);
}
END_TEST

START_TEST(nodes_that_are_taken_out_are_for_others_at_once)
{
    struct lab *lab = lab_new("nodes=2");

    resv_have(lab, "reservationname=r start=now duration=60 users=ann nodes=n[1-2]");
    lab_submit_as(lab, LAB_OTHER, "ntasks=1 time=60");
    resv_update(lab, "reservationname=r nodes-=n2");

    ck_assert_str_eq(lab_state(lab, 1), "RUNNING");
    ck_assert_str_eq(resv_nodes_of(lab, 1), "n2");
    lab_free(lab);
}
END_TEST

START_TEST(a_new_end_is_that_of_its_jobs)
{
    struct lab *lab = lab_new("nodes=1");

    resv_have(lab, "reservationname=r start=now duration=60 users=ann nodes=n1");
    lab_submit(lab, "ntasks=1 time=36000 resv=r");
    ck_assert_str_eq(resv_update(lab, "reservationname=r duration=10"), "");
    lab_wait(lab, 599);
    ck_assert_str_eq(lab_state(lab, 1), "RUNNING");
    lab_wait(lab, 1);
    ck_assert_str_eq(lab_state(lab, 1), "TIMEOUT");
    lab_wait(lab, 1);
    ck_assert_str_eq(resv_shown(lab, "r"), "gone");

    resv_have(lab, "reservationname=r start=now duration=10 users=ann nodes=n1");
    lab_submit(lab, "ntasks=1 time=36000 resv=r");
    resv_update(lab, "reservationname=r duration=20");
    lab_wait(lab, 1100);
    ck_assert_str_eq(lab_state(lab, 2), "RUNNING");
    lab_free(lab);
}
END_TEST

START_TEST(its_users_may_change_while_their_jobs_run)
{
    struct lab *lab = lab_with_two();

    ck_assert_str_eq(resv_update(lab, "reservationname=open users=bob"), "");
    ck_assert_str_eq(lab_state(lab, 1), "RUNNING");
    lab_submit(lab, "ntasks=1 resv=open");
    ck_assert_int_eq(lab->rc, -E_RESERVATION_ACCESS);
    lab_free(lab);
}
END_TEST

START_TEST(the_next_time_of_one_that_comes_again_is_left_out)
{
    struct lab *lab = lab_new("nodes=2");

    resv_have(lab, "reservationname=r " HOUR "nodes=n1 flags=daily");
    ck_assert_str_eq(resv_update(lab, "reservationname=r skip"), "");
    ck_assert_str_eq(resv_shown(lab, "r"), "87000-90600 n1");
    ck_assert_str_eq(resv_update(lab, "reservationname=r skip"), "");
    ck_assert_str_eq(resv_shown(lab, "r"), "173400-177000 n1");
    lab_free(lab);
}
END_TEST

START_TEST(a_time_that_is_there_is_left_out_unless_it_is_used)
{
    struct lab *lab = lab_with_two();

    ck_assert_str_eq(resv_update(lab, "reservationname=open skip"),
                     err_string(E_RESERVATION_IN_USE));
    lab_exit(lab, 1, STEP_BATCH, 0);
    ck_assert_str_eq(resv_update(lab, "reservationname=open skip"), "");
    ck_assert_str_eq(resv_shown(lab, "open"), "86400-90000 n3");
    ck_assert_str_eq(lab_node_state(lab, "n3"), "IDLE");
    lab_free(lab);
}
END_TEST

CHECK_MAIN(resv_change, LOOP_CASE(what_is_said_is_changed, ARRAY_N(changes)),
           LOOP_CASE(what_makes_no_sense_changes_nothing, ARRAY_N(refused)),
           LOOP_CASE(lists_get_more_and_less, ARRAY_N(lists)),
           CASE(one_that_is_used_or_waited_for_is_not_deleted),
           CASE(what_a_deleted_one_had_is_free_at_once),
           CASE(nodes_that_are_taken_out_are_for_others_at_once),
           CASE(a_new_end_is_that_of_its_jobs), CASE(its_users_may_change_while_their_jobs_run),
           CASE(the_next_time_of_one_that_comes_again_is_left_out),
           CASE(a_time_that_is_there_is_left_out_unless_it_is_used))
