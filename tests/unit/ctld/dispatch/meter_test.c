/* What sdiag counts by the day, and what goes on. */
#include "unit/check_main.h"

#include "ctld/dispatch/meter.h"

#define EVENING INT64_C(1795219000) /* 2026-11-20T23:56:40 */

START_TEST(a_day_begins_at_midnight)
{
    struct meter meter;

    meter_init(&meter, EVENING);

    ck_assert(!meter_is_of_yesterday(&meter, EVENING + 199));
    ck_assert(meter_is_of_yesterday(&meter, EVENING + 200));
    ck_assert(!meter_is_of_yesterday(&meter, EVENING - 86400)); /* a clock that was set back */
    meter_clear(&meter);
}
END_TEST

START_TEST(passes_are_counted_anew_and_requests_go_on)
{
    AUTO(diag) struct diag diag = { 0 };
    struct meter meter;

    meter_init(&meter, EVENING);
    meter_cycle(&meter, 30);
    meter_cycle(&meter, 20);
    meter_count(&meter, 7, 1000, 5);

    meter_begin_day(&meter, EVENING + 200);
    meter_count(&meter, 7, 1000, 5);

    meter_fill(&meter, &diag);
    ck_assert_int_eq(meter.since, EVENING + 200);
    ck_assert_uint_eq(diag.cycle_max_us, 0);
    ck_assert_uint_eq(diag.cycle_total_us, 0);
    ck_assert_uint_eq(diag.cycle_last_us, 20);
    ck_assert_uint_eq(diag.by_type_n, 1);
    ck_assert_uint_eq(diag.by_type[0].count, 2);
    ck_assert_uint_eq(diag.by_user[0].count, 2);
    meter_clear(&meter);
}
END_TEST

CHECK_MAIN(meter, CASE(a_day_begins_at_midnight), CASE(passes_are_counted_anew_and_requests_go_on))
