/* Reservations while time passes: they come again, controllers restart, clocks are put on. */
#include "unit/check_main.h"

#include <time.h>

#include "unit/ctld/control/resv_desk.h"

#define NOW "start=now duration=60 users=ann "
#define DAY 86400

/* ---- coming again ---- */

static const struct {
    const char *flag;
    int64_t next; /* the clock shows Friday 08:00 in the beginning */
} again[] = {
    { "hourly", 3600 },     { "daily", DAY },   { "weekly", 7 * DAY },
    { "weekday", 3 * DAY }, { "weekend", DAY },
};

START_TEST(it_comes_again)
{
    struct lab *lab = lab_new("nodes=2");
    AUTO_FREE char *text = xasprintf(
        "reservationname=r start=now duration=30 users=ann nodes=n1 flags=%s", again[_i].flag);

    setenv("TZ", "UTC", 1);
    tzset();
    resv_have(lab, text);
    lab_wait(lab, 1801);
    ck_assert_int_eq(resv_get(lab, "r")->start - RESV_BEGIN, again[_i].next);
    ck_assert_int_eq(resv_get(lab, "r")->end - RESV_BEGIN, again[_i].next + 1800);
    ck_assert_str_eq(lab_node_state(lab, "n1"), "IDLE");

    lab_wait(lab, again[_i].next - 1800);
    ck_assert_str_eq(lab_node_state(lab, "n1"), "IDLE+RESERVED");
    lab_free(lab);
}
END_TEST

START_TEST(jobs_that_wait_are_for_its_next_time)
{
    struct lab *lab = lab_new("nodes=2");

    resv_have(lab, "reservationname=r " NOW "nodes=n1 flags=daily");
    lab_submit(lab, "ntasks=4 time=3600 resv=r");
    lab_submit(lab, "ntasks=4 time=3600 resv=r");
    lab_wait(lab, 4000);
    ck_assert_str_eq(lab_reason(lab, 2), "Reservation");
    lab_wait(lab, DAY - 4000 - 1);
    ck_assert_str_eq(lab_state(lab, 2), "PENDING");

    lab_wait(lab, 2);
    ck_assert_str_eq(lab_state(lab, 2), "RUNNING");
    ck_assert_int_eq(resv_start_of(lab, 2), DAY);
    lab_free(lab);
}
END_TEST

START_TEST(jobs_of_none_are_planned_around_all_its_times)
{
    struct lab *lab = lab_new("nodes=1 backfill=1");

    resv_have(lab, "reservationname=r " NOW "nodes=n1 flags=daily");
    lab_submit(lab, "ntasks=4 time=3600");
    lab_submit(lab, "ntasks=4 time=86000");
    lab_submit(lab, "ntasks=4 time=82800");

    ck_assert_int_eq(resv_start_of(lab, 1), 3600);
    ck_assert_int_gt(resv_start_of(lab, 2), 300 * DAY); /* as far as they are told */
    ck_assert_int_eq(resv_start_of(lab, 3), DAY + 3600);
    lab_free(lab);
}
END_TEST

/* ---- restarts ---- */

/* What was asked of a lab stands again after a restart. */
static void expect_same_after_restart(struct lab *lab, const char *config, const char *const *names,
                                      size_t names_n, uint32_t jobs_n)
{
    struct reservation_record before[8];
    int64_t starts[16];

    for (size_t i = 0; i < names_n; i++)
        schema_copy(reservation_record_schema(), &before[i], resv_get(lab, names[i]));
    for (uint32_t i = 0; i < jobs_n; i++)
        starts[i] = resv_start_of(lab, i + 1);
    lab_restart(lab, config);

    for (size_t i = 0; i < names_n; i++) {
        ck_assert_msg(resv_get(lab, names[i]), "%s is gone", names[i]);
        ck_assert(schema_equal(reservation_record_schema(), &before[i], resv_get(lab, names[i])));
        reservation_record_clear(&before[i]);
    }
    for (uint32_t i = 0; i < jobs_n; i++)
        ck_assert_int_eq(resv_start_of(lab, i + 1), starts[i]);
}

START_TEST(the_plan_is_the_same_after_a_restart)
{
    static const char config[] = "nodes=4 backfill=1";
    static const char *const names[] = { "open", "later", "cores", "float", "again" };
    struct lab *lab = lab_new(config);

    resv_have(lab, "reservationname=open " NOW "nodes=n1");
    resv_have(lab, "reservationname=later start=now+600 duration=60 users=bob nodes=n2");
    resv_have(lab, "reservationname=cores " NOW "nodes=n3 corecnt=3");
    resv_have(lab, "reservationname=float start=now+900 duration=60 users=bob nodes=n4 "
                   "flags=time_float");
    resv_have(lab, "reservationname=again start=now+2hours duration=60 users=bob nodes=n1 "
                   "flags=daily");
    lab_submit(lab, "ntasks=4 time=300 resv=open");
    lab_submit(lab, "ntasks=4 time=3600 resv=open");
    lab_submit(lab, "ntasks=4 time=900");
    lab_submit(lab, "ntasks=4 time=901");
    lab_submit(lab, "nodes=2 exclusive=1 time=7200");
    lab_wait(lab, 10);

    expect_same_after_restart(lab, config, names, ARRAY_N(names), 5);
    ck_assert_str_eq(lab_state(lab, 1), "RUNNING");
    lab_wait(lab, 1);
    ck_assert_str_eq(lab_node_state(lab, "n3"), "IDLE+RESERVED");
    lab_wait(lab, 3700);
    ck_assert_str_eq(resv_shown(lab, "open"), "gone");
    lab_free(lab);
}
END_TEST

START_TEST(a_job_is_ended_with_it_after_a_restart)
{
    struct lab *lab = lab_new("nodes=1");

    resv_have(lab, "reservationname=r " NOW "nodes=n1");
    lab_submit(lab, "ntasks=4 time=36000 resv=r");
    lab_wait(lab, 600);
    lab_restart(lab, "nodes=1");
    lab_wait(lab, 2999);
    ck_assert_str_eq(lab_state(lab, 1), "RUNNING");
    lab_wait(lab, 2);
    ck_assert_str_eq(lab_state(lab, 1), "TIMEOUT");
    ck_assert_str_eq(resv_shown(lab, "r"), "gone");
    lab_free(lab);
}
END_TEST

/* The controller was down meanwhile. */
static void sleep_for(struct lab *lab, int64_t seconds)
{
    lab->now.wall_s += seconds;
    lab->now.cluster_ms += seconds * 1000;
}

START_TEST(what_was_over_meanwhile_is_gone_after_a_restart)
{
    struct lab *lab = lab_new("nodes=2 timeout=0");

    resv_have(lab, "reservationname=r " NOW "nodes=n1");
    resv_have(lab, "reservationname=again " NOW "nodes=n2 flags=daily");
    lab_submit(lab, "ntasks=4 time=36000 resv=r");
    lab_submit(lab, "ntasks=4 time=36000 resv=r");
    sleep_for(lab, 3 * DAY + 7200);
    lab_restart(lab, "nodes=2 timeout=0");
    lab_wait(lab, 2);

    ck_assert_str_eq(resv_shown(lab, "r"), "gone");
    ck_assert_str_eq(lab_state(lab, 1), "TIMEOUT");
    ck_assert_str_eq(lab_state(lab, 2), "RESV_DEL_HOLD");
    ck_assert_int_eq(resv_get(lab, "again")->start - RESV_BEGIN, 4 * DAY);
    lab_free(lab);
}
END_TEST

START_TEST(numbers_go_on_after_a_restart)
{
    struct lab *lab = lab_new("nodes=2");
    uint32_t first;

    resv_have(lab, "reservationname=a " NOW "nodes=n1");
    first = resv_get(lab, "a")->id;
    ck_assert_str_eq(resv_delete(lab, "a"), "");
    lab_restart(lab, "nodes=2");
    ck_assert_str_eq(resv_shown(lab, "a"), "gone");
    resv_have(lab, "reservationname=b " NOW "nodes=n1");
    ck_assert_uint_gt(resv_get(lab, "b")->id, first);
    lab_free(lab);
}
END_TEST

START_TEST(nodes_that_are_configured_no_more_are_let_alone)
{
    struct lab *lab = lab_new("nodes=3");

    resv_have(lab, "reservationname=r " NOW "nodes=n[1-3]");
    resv_have(lab, "reservationname=c start=now+2hours duration=60 users=ann nodes=n3 corecnt=1");
    lab_lose(lab, "n3");
    lab->nodes_n = 2;
    lab_crash(lab, "nodes=2");
    lab_register(lab, "n1");
    lab_register(lab, "n2");
    lab_submit(lab, "nodes=2 time=60 resv=r");
    ck_assert_str_eq(lab_state(lab, 1), "RUNNING");
    lab_wait(lab, 8000);
    ck_assert_str_eq(resv_shown(lab, "r"), "gone");
    lab->nodes_n = 3;
    lab_free(lab);
}
END_TEST

/* ---- the clock on the wall ---- */

START_TEST(when_the_clock_is_put_on_it_begins_sooner)
{
    struct lab *lab = lab_new("nodes=1 backfill=1");

    resv_have(lab, "reservationname=r start=now+2hours duration=60 users=ann nodes=n1");
    lab_submit_as(lab, LAB_OTHER, "ntasks=4 time=3000");
    lab_submit_as(lab, LAB_OTHER, "ntasks=4 time=3000");
    lab_submit(lab, "ntasks=4 time=60 resv=r");
    lab_wait(lab, 60);
    ck_assert_int_eq(resv_start_of(lab, 2), 3000);

    lab->now.wall_s += 3600; /* the job that runs ends at 01:49 by it, r begins at 02:00 */
    lab_submit_as(lab, LAB_OTHER, "ntasks=1 time=60");
    ck_assert_int_eq(resv_start_of(lab, 2), 10800);
    lab_wait(lab, 2 * 3600 - 3660);
    ck_assert_str_eq(lab_state(lab, 3), "RUNNING");
    lab_free(lab);
}
END_TEST

START_TEST(when_the_clock_is_put_back_it_begins_later)
{
    struct lab *lab = lab_new("nodes=1");

    resv_have(lab, "reservationname=r start=now+600 duration=60 users=ann nodes=n1");
    lab_submit(lab, "ntasks=4 time=60 resv=r");
    lab_wait(lab, 60);
    lab->now.wall_s -= 3600;
    lab_wait(lab, 600);
    ck_assert_str_eq(lab_state(lab, 1), "PENDING");
    lab_wait(lab, 3541);
    ck_assert_str_eq(lab_state(lab, 1), "RUNNING");
    lab_free(lab);
}
END_TEST

/* It had begun, and has not any more. */
START_TEST(when_the_clock_is_put_back_before_its_start_its_jobs_run_on)
{
    struct lab *lab = lab_new("nodes=1");

    resv_have(lab, "reservationname=r " NOW "nodes=n1");
    lab_submit(lab, "ntasks=4 time=7200 resv=r");
    lab_submit(lab, "ntasks=4 time=60 resv=r");
    lab_wait(lab, 60);
    lab->now.wall_s -= 1800;
    lab_wait(lab, 60);
    ck_assert_str_eq(lab_state(lab, 1), "RUNNING");
    ck_assert_str_eq(lab_state(lab, 2), "PENDING");

    lab_wait(lab, 1800 + 3600); /* by its end on the wall */
    ck_assert_str_eq(lab_state(lab, 1), "TIMEOUT");
    ck_assert_str_eq(resv_shown(lab, "r"), "gone");
    lab_free(lab);
}
END_TEST

START_TEST(when_the_clock_is_put_on_over_its_end_it_is_over)
{
    struct lab *lab = lab_new("nodes=1");

    resv_have(lab, "reservationname=r " NOW "nodes=n1");
    resv_have(lab, "reservationname=again start=now+2hours duration=60 users=ann nodes=n1 "
                   "flags=daily");
    lab_submit(lab, "ntasks=4 time=36000 resv=r");
    lab_wait(lab, 60);
    lab->now.wall_s += 10 * DAY;
    lab_wait(lab, 200);

    ck_assert_str_eq(lab_state(lab, 1), "TIMEOUT");
    ck_assert_str_eq(resv_shown(lab, "r"), "gone");
    ck_assert_int_eq(resv_get(lab, "again")->start - RESV_BEGIN, 10 * DAY + 7200);
    lab_free(lab);
}
END_TEST

CHECK_MAIN(resv_time, LOOP_CASE(it_comes_again, ARRAY_N(again)),
           CASE(jobs_that_wait_are_for_its_next_time),
           CASE(jobs_of_none_are_planned_around_all_its_times),
           CASE(the_plan_is_the_same_after_a_restart), CASE(a_job_is_ended_with_it_after_a_restart),
           CASE(what_was_over_meanwhile_is_gone_after_a_restart),
           CASE(numbers_go_on_after_a_restart),
           CASE(nodes_that_are_configured_no_more_are_let_alone),
           CASE(when_the_clock_is_put_on_it_begins_sooner),
           CASE(when_the_clock_is_put_back_it_begins_later),
           CASE(when_the_clock_is_put_back_before_its_start_its_jobs_run_on),
           CASE(when_the_clock_is_put_on_over_its_end_it_is_over))
