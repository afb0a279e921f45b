#include "unit/check_main.h"

#include "ctld/dispatch/cluster_clock.h"
#include "ctld/control/act/turn.h"

/* A clock as it is after a restart that was told these numbers, `gone_s` of wall time ago. */
static struct cluster_clock restarted(int64_t gone_s, bool same_boot)
{
    struct cluster_clock clock;

    cluster_clock_init(&clock, (struct clock){ 0 });
    cluster_clock_load(&clock, CONTROL_NUMBER_CLUSTER_MS, 5000000);
    cluster_clock_load(&clock, "clock_boot_ms", clock_mono_ms() - 2000);
    cluster_clock_load(&clock, "clock_boot_tag", same_boot ? clock.boot_tag : clock.boot_tag + 1);
    cluster_clock_load(&clock, "clock_wall_s", clock_wall_s(&clock.clock) - gone_s);
    cluster_clock_start(&clock);
    return clock;
}

static bool is_about(int64_t ms, int64_t expected)
{
    return ms >= expected && ms < expected + 1500;
}

START_TEST(setting_the_wall_clock_leaves_cluster_time_alone_and_is_told)
{
    struct cluster_clock clock;

    cluster_clock_init(&clock, (struct clock){ 0 });
    cluster_clock_start(&clock);
    int64_t before = cluster_clock_now(&clock).cluster_ms;
    clock.clock.skew_s = _i ? 86400 : -86400;
    int64_t jump = cluster_clock_jump(&clock);

    ck_assert(is_about(cluster_clock_now(&clock).cluster_ms, before));
    ck_assert(is_about(jump, _i ? 86400000 : -86400000));
    ck_assert_int_eq(cluster_clock_jump(&clock), 0);
}
END_TEST

START_TEST(within_a_boot_time_goes_on_by_the_boot_clock_whatever_the_wall_says)
{
    struct cluster_clock clock = restarted(90000, true);

    ck_assert(is_about(cluster_clock_now(&clock).cluster_ms, 5002000));
}
END_TEST

START_TEST(across_a_reboot_time_goes_on_by_the_wall_clock)
{
    struct cluster_clock clock = restarted(60, false);

    ck_assert(is_about(cluster_clock_now(&clock).cluster_ms, 5060000 - 1000) ||
              is_about(cluster_clock_now(&clock).cluster_ms, 5060000));
}
END_TEST

START_TEST(time_never_goes_back_when_the_wall_clock_did)
{
    struct cluster_clock clock = restarted(-3600, false);

    ck_assert(is_about(cluster_clock_now(&clock).cluster_ms, 5000000));
}
END_TEST

START_TEST(the_numbers_are_noted_at_most_once_a_second)
{
    struct cluster_clock clock = restarted(0, true);
    struct turn turn;

    turn_init(&turn);
    cluster_clock_note(&clock, &turn);
    uint32_t n = turn.changes.changes_n;
    cluster_clock_note(&clock, &turn);

    ck_assert_uint_gt(n, 0);
    ck_assert_uint_eq(turn.changes.changes_n, n);
    turn_clear(&turn);
}
END_TEST

CHECK_MAIN(cluster_clock,
           LOOP_CASE(setting_the_wall_clock_leaves_cluster_time_alone_and_is_told, 2),
           CASE(within_a_boot_time_goes_on_by_the_boot_clock_whatever_the_wall_says),
           CASE(across_a_reboot_time_goes_on_by_the_wall_clock),
           CASE(time_never_goes_back_when_the_wall_clock_did),
           CASE(the_numbers_are_noted_at_most_once_a_second))
