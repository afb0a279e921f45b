/* Jobs around reservations, and in them. */
#include "unit/check_main.h"

#include "unit/ctld/control/acct_desk.h"
#include "unit/ctld/control/resv_desk.h"

#define IN_TEN "start=now+600 duration=60 users=ann "
#define NOW    "start=now duration=60 users=ann "

/* ---- who is in none ---- */

static const struct {
    const char *job;
    int64_t start;
} around[] = {
    { "nodes=1 exclusive=1 time=600", 0 },   { "nodes=1 exclusive=1 time=601", 4200 },
    { "nodes=1 exclusive=1", 4200 },         { "nodes=2 exclusive=1 time=600", 0 },
    { "ntasks=1 time=660 time_min=300", 0 }, { "ntasks=1 time=660 on=n1", 4200 },
};

START_TEST(a_job_of_none_is_planned_around_it)
{
    struct lab *lab = lab_new("nodes=2 backfill=1");

    resv_have(lab, "reservationname=r " IN_TEN "nodes=ALL");
    lab_submit(lab, around[_i].job);
    ck_assert_int_eq(resv_start_of(lab, 1), around[_i].start);

    lab_wait(lab, around[_i].start + 1);
    ck_assert_str_eq(lab_state(lab, 1), "RUNNING");
    ck_assert_int_eq(resv_start_of(lab, 1), around[_i].start);
    lab_free(lab);
}
END_TEST

START_TEST(a_job_of_none_takes_other_nodes)
{
    struct lab *lab = lab_new("nodes=2");

    resv_have(lab, "reservationname=r " IN_TEN "nodes=n1");
    lab_submit(lab, "ntasks=1 time=7200");
    lab_submit(lab, "nodes=2 time=7200");

    ck_assert_str_eq(resv_nodes_of(lab, 1), "n2");
    ck_assert_int_eq(resv_start_of(lab, 2), 4200);
    lab_free(lab);
}
END_TEST

START_TEST(cores_beside_those_of_a_reservation_are_for_all)
{
    struct lab *lab = lab_new("nodes=1 backfill=1");

    resv_have(lab, "reservationname=r " NOW "corecnt=3");
    lab_submit_as(lab, LAB_OTHER, "ntasks=1 time=600");
    lab_submit_as(lab, LAB_OTHER, "ntasks=1 time=300");
    lab_submit_as(lab, LAB_OTHER, "ntasks=1 exclusive=1 time=300");
    lab_submit(lab, "ntasks=3 time=300 resv=r");

    ck_assert_str_eq(lab_state(lab, 1), "RUNNING");
    ck_assert_int_eq(resv_start_of(lab, 2), 600);
    ck_assert_int_eq(resv_start_of(lab, 3), 3600);
    ck_assert_str_eq(lab_state(lab, 4), "RUNNING");
    lab_free(lab);
}
END_TEST

START_TEST(nodes_say_that_they_are_reserved)
{
    struct lab *lab = lab_new("nodes=3");

    resv_have(lab, "reservationname=r " NOW "nodes=n1");
    resv_have(lab, "reservationname=m " NOW "nodes=n2 flags=maint");
    resv_have(lab, "reservationname=later " IN_TEN "nodes=n3");
    lab_wait(lab, 1);
    ck_assert_str_eq(lab_node_state(lab, "n1"), "IDLE+RESERVED");
    ck_assert_str_eq(lab_node_state(lab, "n2"), "IDLE+MAINTENANCE+RESERVED");
    ck_assert_str_eq(lab_node_state(lab, "n3"), "IDLE");

    lab_wait(lab, 600);
    ck_assert_str_eq(lab_node_state(lab, "n3"), "IDLE+RESERVED");
    lab_wait(lab, 3000);
    ck_assert_str_eq(lab_node_state(lab, "n1"), "IDLE");
    ck_assert_str_eq(lab_node_state(lab, "n2"), "IDLE");
    lab_free(lab);
}
END_TEST

/* ---- who is in it ---- */

START_TEST(a_job_in_it_waits_for_its_start)
{
    struct lab *lab = lab_new("nodes=2");

    resv_have(lab, "reservationname=r " IN_TEN "nodes=n2");
    lab_submit(lab, "ntasks=1 time=60 resv=r");
    ck_assert_str_eq(lab_reason(lab, 1), "Reservation");
    lab_wait(lab, 599);
    ck_assert_str_eq(lab_state(lab, 1), "PENDING");

    lab_wait(lab, 1);
    ck_assert_str_eq(lab_state(lab, 1), "RUNNING");
    ck_assert_str_eq(resv_nodes_of(lab, 1), "n2");
    ck_assert_str_eq(lab_job(lab, 1)->rec.resv_name, "r");
    lab_free(lab);
}
END_TEST

START_TEST(jobs_in_it_share_what_it_has)
{
    struct lab *lab = lab_new("nodes=3");

    resv_have(lab, "reservationname=r " NOW "nodes=n[2-3]");
    lab_submit(lab, "nodes=1 exclusive=1 time=600 resv=r");
    lab_submit(lab, "nodes=1 exclusive=1 time=600 resv=r");
    lab_submit(lab, "nodes=1 exclusive=1 time=600 resv=r");

    ck_assert_str_eq(resv_nodes_of(lab, 1), "n2");
    ck_assert_str_eq(resv_nodes_of(lab, 2), "n3");
    ck_assert_str_eq(lab_reason(lab, 3), "Resources");
    ck_assert_int_eq(resv_start_of(lab, 3), 600);
    lab_free(lab);
}
END_TEST

static const struct {
    const char *config, *job;
    int64_t end; /* -1: it goes on */
} ends[] = {
    { "nodes=1", "ntasks=1 time=36000 resv=r", 3600 },
    { "nodes=1", "ntasks=1 resv=r", 3600 },
    { "nodes=1", "ntasks=1 time=600 resv=r", 600 },
    { "nodes=1 over_run=300", "ntasks=1 time=36000 resv=r", 3900 },
    { "nodes=1 over_run=300", "ntasks=1 time=3700 resv=r", 3700 },
    { "nodes=1 over_run=4294967295", "ntasks=1 time=36000 resv=r", -1 },
    { "nodes=1 over_run=4294967295", "ntasks=1 resv=r", -1 },
    { "nodes=1 over=600", "ntasks=1 time=3500 resv=r", 3600 },
};

START_TEST(a_job_is_ended_with_it)
{
    struct lab *lab = lab_new(ends[_i].config);

    resv_have(lab, "reservationname=r " NOW "nodes=n1");
    lab_submit(lab, ends[_i].job);
    lab_wait(lab, (ends[_i].end < 0 ? 5000 : ends[_i].end) - 1);
    ck_assert_str_eq(lab_state(lab, 1), "RUNNING");
    if (ends[_i].end < 0) {
        ck_assert_str_eq(resv_shown(lab, "r"), "0-3600 n1");
        lab_exit(lab, 1, STEP_BATCH, 0);
    }

    lab_wait(lab, 2);
    ck_assert_str_eq(lab_state(lab, 1), ends[_i].end < 0 ? "COMPLETED" : "TIMEOUT");
    if (ends[_i].end != 600)
        ck_assert_str_eq(resv_shown(lab, "r"), "gone");
    lab_free(lab);
}
END_TEST

/* What waits for a node of it knows that its jobs end then. */
START_TEST(what_comes_behind_counts_on_the_end)
{
    struct lab *lab = lab_new("nodes=1");

    resv_have(lab, "reservationname=r " NOW "nodes=n1");
    lab_submit(lab, "ntasks=4 time=36000 resv=r");
    lab_submit_as(lab, LAB_OTHER, "ntasks=4 time=600");

    ck_assert_int_eq(resv_start_of(lab, 2), 3600);
    lab_wait(lab, 3602);
    ck_assert_str_eq(lab_state(lab, 1), "TIMEOUT");
    ck_assert_str_eq(lab_state(lab, 2), "RUNNING");
    lab_free(lab);
}
END_TEST

START_TEST(who_may_not_use_it_is_refused)
{
    struct lab *lab = lab_new("nodes=2");

    resv_have(lab, "reservationname=r " NOW "nodes=n1");
    resv_have(lab, "reservationname=not start=now duration=60 users=-ann nodes=n2");
    resv_have(lab, "reservationname=float start=now+60 duration=60 users=ann nodes=n1 "
                   "flags=time_float,overlap");
    lab_submit_as(lab, LAB_OTHER, "ntasks=1 resv=r");
    ck_assert_int_eq(lab->rc, -E_RESERVATION_ACCESS);
    lab_submit_as(lab, 0, "ntasks=1 resv=r");
    ck_assert_int_eq(lab->rc, -E_RESERVATION_ACCESS);
    lab_submit(lab, "ntasks=1 resv=not");
    ck_assert_int_eq(lab->rc, -E_RESERVATION_ACCESS);
    lab_submit(lab, "ntasks=1 resv=r,not");
    ck_assert_int_eq(lab->rc, -E_RESERVATION_ACCESS);
    lab_submit(lab, "ntasks=1 resv=float");
    ck_assert_int_eq(lab->rc, -E_RESERVATION_ACCESS);
    lab_submit(lab, "ntasks=1 resv=none");
    ck_assert_int_eq(lab->rc, -E_RESERVATION);
    lab_submit(lab, "ntasks=1 resv=r,none");
    ck_assert_int_eq(lab->rc, -E_RESERVATION);

    lab_submit_as(lab, LAB_OTHER, "ntasks=1 resv=not");
    ck_assert_str_eq(resv_nodes_of(lab, lab_job(lab, 1)->rec.id), "n2");
    lab_free(lab);
}
END_TEST

START_TEST(an_account_below_a_listed_one_may_use_it)
{
    struct desk desk = desk_new("nodes=2 cpus=4");
    struct lab *lab = desk.lab;

    add_account(&desk, 0, "physics", "root");
    add_account(&desk, 0, "lasers", "physics");
    add_account(&desk, 0, "biology", "root");
    add_user(&desk, 0, "ann", "lasers");
    add_user(&desk, 0, "ann", "biology");
    add_user(&desk, 0, "bob", "lasers");
    resv_have(lab, "reservationname=r start=now duration=60 accounts=physics users=ann nodes=n1");

    lab_submit(lab, "ntasks=1 account=lasers resv=r");
    ck_assert_str_eq(lab_state(lab, 1), "RUNNING");
    lab_submit(lab, "ntasks=1 account=biology resv=r");
    ck_assert_int_eq(lab->rc, -E_RESERVATION_ACCESS);
    lab_submit_as(lab, LAB_OTHER, "ntasks=1 account=lasers resv=r");
    ck_assert_int_eq(lab->rc, -E_RESERVATION_ACCESS);
    resv_have(lab, "reservationname=no start=now duration=60 accounts=-physics nodes=n2");
    lab_submit(lab, "ntasks=1 account=lasers resv=no");
    ck_assert_int_eq(lab->rc, -E_RESERVATION_ACCESS);
    desk_free(&desk);
}
END_TEST

START_TEST(of_several_the_first_that_has_room_is_taken)
{
    struct lab *lab = lab_new("nodes=2");

    resv_have(lab, "reservationname=late " IN_TEN "nodes=n1");
    resv_have(lab, "reservationname=now " NOW "nodes=n2");
    lab_submit(lab, "ntasks=4 time=60 resv=late,now");
    lab_submit(lab, "ntasks=4 time=6000 resv=now,late");

    ck_assert_str_eq(lab_job(lab, 1)->rec.resv_name, "now");
    ck_assert_str_eq(resv_nodes_of(lab, 1), "n2");
    lab_wait(lab, 61);
    ck_assert_str_eq(lab_job(lab, 2)->rec.resv_name, "now");
    lab_free(lab);
}
END_TEST

START_TEST(of_several_one_may_end)
{
    struct lab *lab = lab_new("nodes=2");

    resv_have(lab, "reservationname=a start=now+60 duration=1 users=ann nodes=n1");
    resv_have(lab, "reservationname=b " IN_TEN "nodes=n2");
    lab_submit(lab, "ntasks=1 time=60 resv=a,b not=n1");
    lab_wait(lab, 130);
    ck_assert_str_eq(resv_shown(lab, "a"), "gone");
    ck_assert_str_eq(lab_job(lab, 1)->rec.spec->reservation, "b");
    lab_wait(lab, 480);
    ck_assert_str_eq(lab_job(lab, 1)->rec.resv_name, "b");
    lab_free(lab);
}
END_TEST

/* ---- flags ---- */

START_TEST(in_a_flexible_one_jobs_run_before_and_outside)
{
    struct lab *lab = lab_new("nodes=2");

    resv_have(lab, "reservationname=r " IN_TEN "nodes=n1 flags=flex");
    lab_submit(lab, "nodes=2 exclusive=1 time=36000 resv=r");
    ck_assert_str_eq(lab_state(lab, 1), "RUNNING");

    lab_wait(lab, 5000);
    ck_assert_str_eq(lab_state(lab, 1), "RUNNING");
    lab_free(lab);
}
END_TEST

START_TEST(a_magnetic_one_draws_jobs_that_fit_in_it)
{
    struct lab *lab = lab_new("nodes=2");

    resv_have(lab, "reservationname=r " NOW "nodes=n2 flags=magnetic");
    lab_submit(lab, "ntasks=4 time=600");
    lab_submit(lab, "ntasks=4 time=36000");
    lab_submit_as(lab, LAB_OTHER, "ntasks=4 time=600");

    ck_assert_str_eq(lab_job(lab, 1)->rec.resv_name, "r");
    ck_assert_str_eq(resv_nodes_of(lab, 1), "n2");
    ck_assert_str_eq(resv_nodes_of(lab, 2), "n1");
    ck_assert_ptr_null(lab_job(lab, 2)->rec.resv_name);
    ck_assert_int_eq(resv_start_of(lab, 3), 3600);
    lab_free(lab);
}
END_TEST

START_TEST(jobs_of_maintenance_run_over_those_of_others)
{
    struct lab *lab = lab_new("nodes=2");

    resv_have(lab, "reservationname=r " NOW "nodes=n[1-2]");
    resv_have(lab, "reservationname=m start=now duration=60 users=bob nodes=n1 flags=maint");
    lab_submit(lab, "nodes=2 time=60 resv=r");
    lab_submit(lab, "nodes=1 time=60 resv=r");
    lab_submit_as(lab, LAB_OTHER, "nodes=1 time=60 resv=m");

    ck_assert_str_eq(lab_state(lab, 1), "PENDING");
    ck_assert_str_eq(resv_nodes_of(lab, 2), "n2");
    ck_assert_str_eq(resv_nodes_of(lab, 3), "n1");
    lab_free(lab);
}
END_TEST

START_TEST(short_jobs_of_others_run_where_the_start_may_be_delayed)
{
    struct lab *lab = lab_new("nodes=1");

    resv_have(lab, "reservationname=r start=now+60 duration=60 users=ann nodes=n1 "
                   "maxstartdelay=5");
    lab_submit_as(lab, LAB_OTHER, "ntasks=1 time=300");
    lab_submit_as(lab, LAB_OTHER, "ntasks=1 time=360");

    ck_assert_str_eq(lab_state(lab, 1), "RUNNING");
    ck_assert_int_eq(resv_start_of(lab, 2), 3660);
    lab_free(lab);
}
END_TEST

START_TEST(one_that_floats_lets_only_short_jobs_run)
{
    struct lab *lab = lab_new("nodes=1");

    resv_have(lab, "reservationname=r start=now+600 duration=60 users=ann nodes=n1 "
                   "flags=time_float");
    lab_submit(lab, "ntasks=1 time=600");
    lab_submit(lab, "ntasks=1 time=601");
    ck_assert_str_eq(lab_state(lab, 1), "RUNNING");
    lab_wait(lab, 7200);
    lab_submit(lab, "ntasks=1 time=600");

    ck_assert_str_eq(lab_state(lab, 2), "PENDING");
    ck_assert_int_eq(resv_start_of(lab, 2), -1);
    ck_assert_str_eq(lab_state(lab, 3), "RUNNING");
    ck_assert_str_eq(resv_shown(lab, "r"), "600-4200 n1");
    lab_free(lab);
}
END_TEST

/* ---- when it is over ---- */

START_TEST(jobs_that_still_wait_are_held_when_it_is_over)
{
    struct lab *lab = lab_new("nodes=1");

    resv_have(lab, "reservationname=r " NOW "nodes=n1");
    lab_submit(lab, "ntasks=4 time=36000 resv=r");
    lab_submit(lab, "ntasks=4 time=60 resv=r");
    lab_wait(lab, 3602);

    ck_assert_str_eq(lab_state(lab, 1), "TIMEOUT");
    ck_assert_str_eq(lab_state(lab, 2), "RESV_DEL_HOLD");
    ck_assert_str_eq(lab_reason(lab, 2), "ReservationDeleted");
    ck_assert_str_eq(lab_reason_text(lab, 2), "Reservation r was deleted");
    ck_assert_uint_eq(lab_job(lab, 2)->rec.priority, 0);
    ck_assert_ptr_null(lab_job(lab, 2)->rec.spec->reservation);
    ck_assert_str_eq(lab_hold(lab, 0, 2, HOLD_RELEASE), "");
    ck_assert_str_eq(lab_state(lab, 2), "RUNNING");
    lab_free(lab);
}
END_TEST

START_TEST(jobs_that_still_wait_go_on_where_it_says_so)
{
    struct lab *lab = lab_new("nodes=1");

    resv_have(lab, "reservationname=r " NOW "nodes=n1 flags=no_hold_jobs_after");
    lab_submit(lab, "ntasks=4 time=36000 resv=r");
    lab_submit(lab, "ntasks=4 time=60 resv=r");
    lab_wait(lab, 3602);

    ck_assert_str_eq(lab_state(lab, 2), "RUNNING");
    ck_assert_ptr_null(lab_job(lab, 2)->rec.spec->reservation);
    ck_assert_ptr_null(lab_job(lab, 2)->rec.resv_name);
    lab_free(lab);
}
END_TEST

START_TEST(one_that_is_idle_for_long_is_purged)
{
    struct lab *lab = lab_new("nodes=1");

    resv_have(lab, "reservationname=r " IN_TEN "nodes=n1 flags=purge_comp=2");
    lab_wait(lab, 700);
    lab_submit(lab, "ntasks=1 time=600 resv=r");
    lab_wait(lab, 1);
    lab_exit(lab, 1, STEP_BATCH, 0);
    lab_wait(lab, 100);
    ck_assert_str_ne(resv_shown(lab, "r"), "gone");
    lab_submit(lab, "ntasks=1 time=600 resv=r");
    lab_wait(lab, 500);
    ck_assert_str_ne(resv_shown(lab, "r"), "gone");

    lab_exit(lab, 2, STEP_BATCH, 0);
    lab_wait(lab, 119);
    ck_assert_str_ne(resv_shown(lab, "r"), "gone");
    lab_wait(lab, 2);
    ck_assert_str_eq(resv_shown(lab, "r"), "gone");
    lab_free(lab);
}
END_TEST

START_TEST(one_of_which_nothing_is_used_is_purged_soon_after_its_start)
{
    struct lab *lab = lab_new("nodes=1");

    resv_have(lab, "reservationname=r " IN_TEN "nodes=n1 flags=purge_comp=2");
    lab_submit_as(lab, LAB_OTHER, "ntasks=1 time=3600");
    lab_wait(lab, 719);
    ck_assert_str_ne(resv_shown(lab, "r"), "gone");
    lab_wait(lab, 2);
    ck_assert_str_eq(resv_shown(lab, "r"), "gone");
    ck_assert_str_eq(lab_state(lab, 1), "RUNNING");
    lab_free(lab);
}
END_TEST

CHECK_MAIN(resv_jobs, LOOP_CASE(a_job_of_none_is_planned_around_it, ARRAY_N(around)),
           CASE(a_job_of_none_takes_other_nodes),
           CASE(cores_beside_those_of_a_reservation_are_for_all),
           CASE(nodes_say_that_they_are_reserved), CASE(a_job_in_it_waits_for_its_start),
           CASE(jobs_in_it_share_what_it_has), LOOP_CASE(a_job_is_ended_with_it, ARRAY_N(ends)),
           CASE(what_comes_behind_counts_on_the_end), CASE(who_may_not_use_it_is_refused),
           CASE(an_account_below_a_listed_one_may_use_it),
           CASE(of_several_the_first_that_has_room_is_taken), CASE(of_several_one_may_end),
           CASE(in_a_flexible_one_jobs_run_before_and_outside),
           CASE(a_magnetic_one_draws_jobs_that_fit_in_it),
           CASE(jobs_of_maintenance_run_over_those_of_others),
           CASE(short_jobs_of_others_run_where_the_start_may_be_delayed),
           CASE(one_that_floats_lets_only_short_jobs_run),
           CASE(jobs_that_still_wait_are_held_when_it_is_over),
           CASE(jobs_that_still_wait_go_on_where_it_says_so),
           CASE(one_that_is_idle_for_long_is_purged),
           CASE(one_of_which_nothing_is_used_is_purged_soon_after_its_start))
