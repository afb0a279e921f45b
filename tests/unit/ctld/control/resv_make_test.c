/* Reservations are made: what they get, and why they are refused. */
#include "unit/check_main.h"

#include "unit/ctld/control/acct_desk.h"
#include "unit/ctld/control/resv_desk.h"

#define HOUR "start=now+600 duration=60 users=ann "

/* ---- what they get ---- */

static const struct {
    const char *config, *asked, *shown, *flags;
} given[] = {
    { "nodes=4", HOUR "nodes=n[2-3]", "600-4200 n[2-3]", "SPEC_NODES" },
    { "nodes=4", HOUR "nodes=ALL", "600-4200 n[1-4]", "SPEC_NODES,ALL_NODES" },
    { "nodes=4", HOUR "nodes=ALL partition=debug flags=part_nodes", "600-4200 n[1-4]",
      "SPEC_NODES,PART_NODES" },
    { "nodes=4", HOUR "nodecnt=2", "600-4200 n[1-2]", "" },
    { "nodes=4", HOUR "nodecnt=9", "600-4200 n[1-4]", "" },
    { "nodes=4", HOUR "nodes=n4 nodecnt=2", "600-4200 n4", "SPEC_NODES" },
    { "nodes=4", HOUR "corecnt=2", "600-4200 n1 n1:0-1", "" },
    { "nodes=4", HOUR "corecnt=2 flags=first_cores", "600-4200 n1 n1:0-1", "FIRST_CORES" },
    { "nodes=4", HOUR "corecnt=4", "600-4200 n1", "" },
    { "nodes=4", HOUR "nodecnt=2 corecnt=2", "600-4200 n[1-2] n1:0 n2:0", "" },
    { "nodes=4", HOUR "nodes=n[3-4] corecnt=1,2", "600-4200 n[3-4] n3:0 n4:0-1", "SPEC_NODES" },
    { "nodes=2 threads=2 cores=2 sockets=1", HOUR "corecnt=1", "600-4200 n1 n1:0-1", "" },
    { "nodes=2 licenses=3", HOUR "licenses=matlab:2 flags=license_only", "600-4200 -",
      "ANY_NODES" },
    { "nodes=4", "start=now duration=60 users=ann nodes=n1", "0-3600 n1", "SPEC_NODES" },
    { "nodes=4", "start=now+600 endtime=now+660 users=ann nodes=n1", "600-660 n1", "SPEC_NODES" },
    { "nodes=4", "start=now+600 endtime=now+600 users=ann nodes=n1", "600-600 n1", "SPEC_NODES" },
    { "nodes=4", "start=now+600 duration=infinite users=ann nodes=n1", "600-31536600 n1",
      "SPEC_NODES" },
    { "nodes=4", HOUR "nodes=n1 flags=daily,maint", "600-4200 n1", "MAINT,DAILY,SPEC_NODES" },
    { "nodes=4", HOUR "nodes=n1 flags=purge_comp", "600-4200 n1",
      "SPEC_NODES,PURGE_COMP=00:05:00" },
    { "nodes=4", HOUR "nodes=n1 purgecomp=20", "600-4200 n1", "SPEC_NODES,PURGE_COMP=00:20:00" },
};

START_TEST(it_gets_what_was_asked_for)
{
    struct lab *lab = lab_new(given[_i].config);
    AUTO_FREE char *text = xasprintf("reservationname=r %s", given[_i].asked);

    resv_have(lab, text);

    ck_assert_str_eq(resv_shown(lab, "r"), given[_i].shown);
    ck_assert_str_eq(resv_flags(lab, "r"), given[_i].flags);
    lab_free(lab);
}
END_TEST

START_TEST(names_are_found_after_who_may_use_it)
{
    struct lab *lab = lab_new("nodes=4");

    resv_have(lab, HOUR "nodes=n1");
    resv_have(lab, "start=now+600 duration=60 users=-bob,-ann nodes=n2");
    resv_have(lab, "reservationname=mine " HOUR "nodes=n3");
    resv_have(lab, "start=now+600 duration=60 groups=staff nodes=n4");

    ck_assert_str_eq(resv_shown(lab, "ann_1"), "600-4200 n1");
    ck_assert_str_eq(resv_shown(lab, "bob_2"), "600-4200 n2");
    ck_assert_str_eq(resv_shown(lab, "staff_4"), "600-4200 n4");
    lab_free(lab);
}
END_TEST

START_TEST(numbers_of_nodes_keep_off_others)
{
    struct lab *lab = lab_new("nodes=4");

    resv_have(lab, "reservationname=a " HOUR "nodes=n1");
    resv_have(lab, "reservationname=b " HOUR "nodecnt=2");
    resv_have(lab, "reservationname=later start=now+2hours duration=60 users=ann nodecnt=2");
    resv_have(lab, "reservationname=over " HOUR "nodecnt=2 flags=overlap");
    resv_have(lab, "reservationname=maint " HOUR "nodecnt=2 flags=maint");
    resv_have(lab, "reservationname=rest " HOUR "nodecnt=9");

    ck_assert_str_eq(resv_shown(lab, "b"), "600-4200 n[2-3]");
    ck_assert_str_eq(resv_shown(lab, "later"), "7200-10800 n[1-2]");
    ck_assert_str_eq(resv_shown(lab, "over"), "600-4200 n[1-2]");
    ck_assert_str_eq(resv_shown(lab, "maint"), "600-4200 n[1-2]");
    ck_assert_str_eq(resv_shown(lab, "rest"), "600-4200 n4");
    lab_free(lab);
}
END_TEST

START_TEST(numbers_of_cores_share_a_node)
{
    struct lab *lab = lab_new("nodes=2");

    resv_have(lab, "reservationname=a " HOUR "corecnt=3");
    resv_have(lab, "reservationname=b " HOUR "corecnt=1");
    resv_have(lab, "reservationname=c " HOUR "corecnt=2");

    ck_assert_str_eq(resv_shown(lab, "a"), "600-4200 n1 n1:0-2");
    ck_assert_str_eq(resv_shown(lab, "b"), "600-4200 n1 n1:3");
    ck_assert_str_eq(resv_shown(lab, "c"), "600-4200 n2 n2:0-1");
    ck_assert_str_eq(resv_create(lab, "reservationname=d " HOUR "corecnt=3"),
                     err_string(E_NODES_BUSY));
    lab_free(lab);
}
END_TEST

START_TEST(nodes_with_features_are_chosen)
{
    struct lab *lab = lab_new("nodes=2 features=fast");

    resv_have(lab, "reservationname=r " HOUR "nodecnt=1 features=fast");
    ck_assert_str_eq(resv_shown(lab, "r"), "600-4200 n1");
    ck_assert_str_ne(resv_create(lab, HOUR "nodecnt=1 features=slow"), "");
    lab_free(lab);
}
END_TEST

START_TEST(nodes_that_are_down_are_not_chosen_and_may_be_named)
{
    struct lab *lab = lab_new("nodes=3");

    lab_update(lab, 0, "n1", NODE_UPDATE_DOWN, "broken");
    lab_update(lab, 0, "n2", NODE_UPDATE_DRAIN, "broken");
    resv_have(lab, "reservationname=a " HOUR "nodecnt=2");
    resv_have(lab, "reservationname=b " HOUR "nodes=n[1-2]");

    ck_assert_str_eq(resv_shown(lab, "a"), "600-4200 n3");
    ck_assert_str_eq(resv_shown(lab, "b"), "600-4200 n[1-2]");
    lab_free(lab);
}
END_TEST

START_TEST(jobs_that_run_into_it_are_in_the_way)
{
    struct lab *lab = lab_new("nodes=3");

    lab_submit(lab, "nodes=1 exclusive=1 time=3600 on=n1");
    lab_submit(lab, "nodes=1 exclusive=1 time=300 on=n2");
    ck_assert_str_eq(resv_create(lab, HOUR "nodes=n[1-2]"), err_string(E_NODES_BUSY));
    ck_assert_str_eq(resv_create(lab, HOUR "nodes=n1 flags=maint"), err_string(E_NODES_BUSY));
    ck_assert_str_eq(resv_create(lab, HOUR "nodes=n1 flags=overlap"), err_string(E_NODES_BUSY));
    ck_assert_str_eq(resv_create(lab, HOUR "nodecnt=3"), err_string(E_NODES_BUSY));

    resv_have(lab, "reservationname=b " HOUR "nodecnt=2");
    resv_have(lab, "reservationname=a " HOUR "nodes=n1 flags=ignore_jobs");
    ck_assert_str_eq(resv_shown(lab, "b"), "600-4200 n[2-3]");
    ck_assert_str_eq(resv_shown(lab, "a"), "600-4200 n1");
    lab_free(lab);
}
END_TEST

START_TEST(cores_of_jobs_that_run_are_avoided)
{
    struct lab *lab = lab_new("nodes=1");

    lab_submit(lab, "ntasks=2 time=3600");
    resv_have(lab, "reservationname=r " HOUR "corecnt=2");
    ck_assert_str_eq(resv_shown(lab, "r"), "600-4200 n1 n1:2-3");
    lab_free(lab);
}
END_TEST

/* ---- refusals ---- */

static const struct {
    const char *asked;
    int code;
} refused[] = {
    { "start=2001-01-01T00:00:00 duration=60 users=ann nodes=n1", E_TIME_VALUE },
    { "start=2001-01-01T00:00:00 duration=60 users=ann nodecnt=1", E_TIME_VALUE },
    { HOUR "nodes=n9", E_NODE_NAME },
    { HOUR "nodes=n[1-9]", E_NODE_NAME },
    { HOUR "nodes=n1 partition=none", E_PARTITION_NAME },
    { "start=now+600 duration=60 accounts=none nodes=n1", E_ACCOUNT },
    { "start=now+600 duration=60 qos=none nodes=n1", E_QOS },
    { "start=now+600 duration=60 allowedpartitions=none nodes=n1", E_PARTITION_NAME },
    { "start=now+600 duration=60 users=ann,-bob nodes=n1", E_USER_ID },
    { HOUR "licenses=none:1 flags=any_nodes", E_LICENSES },
    { HOUR "licenses=matlab:4 flags=any_nodes", E_LICENSES },
    { HOUR "licenses=matlab:1", E_NODE_NAME },
    { HOUR "nodes=n1", E_RESERVATION_OVERLAP },
    { HOUR "nodes=n[1-2]", E_RESERVATION_OVERLAP },
    { HOUR "nodes=ALL", E_RESERVATION_OVERLAP },
    { HOUR "nodes=n1 corecnt=1", E_NODES_BUSY },
    { "start=now duration=20 users=ann nodes=n1", E_RESERVATION_OVERLAP },
    { "start=now+600 duration=15 users=ann nodes=n3 flags=hourly", E_RESERVATION_OVERLAP },
    { "reservationname=there " HOUR "nodes=n2", E_RESERVATION_NAME },
    { HOUR "nodes=n[2-3] corecnt=1", E_RESERVATION_CORES },
    { HOUR "nodes=n2 corecnt=1,2", E_RESERVATION_CORES },
    { HOUR "nodes=n2 corecnt=9", E_NODES_BUSY },
    { HOUR "corecnt=99", E_NODES_BUSY },
    { HOUR "nodes=n2 flags=time_float,daily", E_NOT_SUPPORTED },
};

START_TEST(what_makes_no_sense_is_refused)
{
    struct lab *lab = lab_new("nodes=3 licenses=3");
    uint32_t kept_n;

    resv_have(lab, "reservationname=there start=now+900 duration=10 users=ann nodes=n1");
    resv_have(lab, "reservationname=late start=now+5hours duration=60 users=ann nodes=n3");
    kept_n = lab->kept_n;
    ck_assert_msg(*resv_create(lab, refused[_i].asked), "'%s' was taken", refused[_i].asked);

    ck_assert_str_eq(err_string(lab->rc), err_string(refused[_i].code));
    ck_assert_uint_eq(lab->kept_n, kept_n);
    lab_free(lab);
}
END_TEST

static const struct {
    const char *asked;
} taken[] = {
    { HOUR "nodes=n1 flags=maint" },
    { HOUR "nodes=n1 flags=overlap" },
    { HOUR "nodes=n2" },
    { "start=now duration=15 users=ann nodes=n1" },
    { "start=now+1500 duration=15 users=ann nodes=n1" },
    { "start=now+1500 duration=15 users=ann nodes=n1 flags=daily" },
    { "start=now+2000 duration=15 users=ann nodes=n1 flags=hourly" },
};

START_TEST(what_is_beside_or_over_another_is_taken)
{
    struct lab *lab = lab_new("nodes=3");

    resv_have(lab, "reservationname=there start=now+900 duration=10 users=ann nodes=n1");
    ck_assert_str_eq(resv_create(lab, taken[_i].asked), "");
    lab_free(lab);
}
END_TEST

START_TEST(licenses_that_others_have_at_that_time_are_not_given)
{
    struct lab *lab = lab_new("nodes=2 licenses=3");

    resv_have(lab, "reservationname=a " HOUR "licenses=matlab:2 flags=any_nodes");
    ck_assert_str_eq(resv_create(lab, HOUR "licenses=matlab:2 flags=any_nodes"),
                     err_string(E_LICENSES));
    ck_assert_str_eq(resv_create(lab, HOUR "licenses=matlab:1 flags=any_nodes"), "");
    ck_assert_str_eq(resv_create(lab, "start=now+2hours duration=60 users=ann licenses=matlab:3 "
                                      "flags=any_nodes"),
                     "");
    lab_free(lab);
}
END_TEST

START_TEST(users_and_coordinators_may_not)
{
    struct desk desk = desk_with_coordinator();
    struct lab *lab = desk.lab;
    static const enum reservation_verb verbs[] = { RESV_UPDATE, RESV_DELETE };

    ck_assert_str_eq(resv_ask_as(lab, LAB_USER, RESV_CREATE, HOUR "nodes=n1"),
                     err_string(E_USER_ID));
    ck_assert_str_eq(resv_ask_as(lab, LAB_ROLE, RESV_CREATE, HOUR "nodes=n1"),
                     err_string(E_USER_ID));
    resv_have(lab, "reservationname=r " HOUR "nodes=n1");
    for (size_t i = 0; i < ARRAY_N(verbs); i++) {
        ck_assert_str_eq(resv_ask_as(lab, LAB_USER, verbs[i], "reservationname=r"),
                         err_string(E_USER_ID));
        ck_assert_str_eq(resv_ask_as(lab, LAB_USER, verbs[i], "reservationname=none"),
                         err_string(E_USER_ID));
        ck_assert_str_eq(resv_ask_as(lab, 0, verbs[i], "reservationname=none"),
                         err_string(E_RESERVATION));
    }
    desk_free(&desk);
}
END_TEST

START_TEST(its_users_delete_it_where_it_lets_them)
{
    struct lab *lab = lab_new("nodes=2");

    resv_have(lab, "reservationname=r " HOUR "nodes=n1 flags=user_delete");
    ck_assert_str_eq(resv_ask_as(lab, LAB_OTHER, RESV_DELETE, "reservationname=r"),
                     err_string(E_USER_ID));
    ck_assert_str_eq(resv_ask_as(lab, LAB_USER, RESV_UPDATE, "reservationname=r duration=5"),
                     err_string(E_USER_ID));
    ck_assert_str_eq(resv_ask_as(lab, LAB_USER, RESV_DELETE, "reservationname=r"), "");
    ck_assert_str_eq(resv_shown(lab, "r"), "gone");
    lab_free(lab);
}
END_TEST

CHECK_MAIN(resv_make, LOOP_CASE(it_gets_what_was_asked_for, ARRAY_N(given)),
           CASE(names_are_found_after_who_may_use_it), CASE(numbers_of_nodes_keep_off_others),
           CASE(numbers_of_cores_share_a_node), CASE(nodes_with_features_are_chosen),
           CASE(nodes_that_are_down_are_not_chosen_and_may_be_named),
           CASE(jobs_that_run_into_it_are_in_the_way), CASE(cores_of_jobs_that_run_are_avoided),
           LOOP_CASE(what_makes_no_sense_is_refused, ARRAY_N(refused)),
           LOOP_CASE(what_is_beside_or_over_another_is_taken, ARRAY_N(taken)),
           CASE(licenses_that_others_have_at_that_time_are_not_given),
           CASE(users_and_coordinators_may_not), CASE(its_users_delete_it_where_it_lets_them))
