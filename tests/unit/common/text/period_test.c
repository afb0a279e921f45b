/* Hours, days and months where clocks are put back and forward. */
#include "unit/check_main.h"

#include <string.h>
#include <time.h>

#include "common/base/strbuf.h"
#include "common/text/period.h"
#include "common/text/timetext.h"

#define CENTRAL_EUROPE "CET-1CEST,M3.5.0,M10.5.0/3"
#define BRAZIL         "<-03>3<-02>,M10.3.0/0,M2.3.0/0"       /* clocks change at midnight */
#define LORD_HOWE      "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0" /* by half an hour */
#define INDIA          "IST-5:30"

static void set_zone(const char *zone)
{
    setenv("TZ", zone, 1);
    tzset();
}

/* A moment, what lies before it, and the lengths of the hour, day and month that hold it. */
static const struct {
    const char *zone;
    const char *start[PERIODS_N]; /* of the hour, day, month, as local time */
    int64_t t, length[PERIODS_N];
} moments[] = {
    { "UTC",
      { "2026-11-26T02:00:00", "2026-11-26T00:00:00", "2026-11-01T00:00:00" },
      1795658401,
      { 3600, 86400, 30 * 86400 } },
    { "UTC",
      { "2028-02-29T23:00:00", "2028-02-29T00:00:00", "2028-02-01T00:00:00" },
      1835481599,
      { 3600, 86400, 29 * 86400 } },
    { "UTC",
      { "2026-12-31T23:00:00", "2026-12-31T00:00:00", "2026-12-01T00:00:00" },
      1798761599,
      { 3600, 86400, 31 * 86400 } },
    { INDIA,
      { "2026-11-26T07:00:00", "2026-11-26T00:00:00", "2026-11-01T00:00:00" },
      1795658401,
      { 3600, 86400, 30 * 86400 } },
    /* 2026-03-29: 02:00 is 03:00; 03:10 local */
    { CENTRAL_EUROPE,
      { "2026-03-29T03:00:00", "2026-03-29T00:00:00", "2026-03-01T00:00:00" },
      1774746600,
      { 3600, 23 * 3600, 31 * 86400 - 3600 } },
    /* 2026-10-25: 03:00 is 02:00 again; the second 02:10 */
    { CENTRAL_EUROPE,
      { "2026-10-25T02:00:00", "2026-10-25T00:00:00", "2026-10-01T00:00:00" },
      1792890600,
      { 3600, 25 * 3600, 31 * 86400 + 3600 } },
    /* 2026-10-18 begins at 01:00 */
    { BRAZIL,
      { "2026-10-18T01:00:00", "2026-10-18T01:00:00", "2026-10-01T00:00:00" },
      1792292405,
      { 3600, 23 * 3600, 31 * 86400 - 3600 } },
    /* 2026-02-14 has two hours from 23:00 on; the second 23:10 */
    { BRAZIL,
      { "2026-02-14T23:00:00", "2026-02-14T00:00:00", "2026-02-01T00:00:00" },
      1771121400,
      { 3600, 25 * 3600, 28 * 86400 + 3600 } },
    /* 2026-04-05: 02:00 is 01:30 again; the second 01:45, of an hour of 90 minutes */
    { LORD_HOWE,
      { "2026-04-05T01:00:00", "2026-04-05T00:00:00", "2026-04-01T00:00:00" },
      1775315700,
      { 5400, 86400 + 1800, 30 * 86400 + 1800 } },
    /* 2026-10-04: 02:00 is 02:30; 02:45, of the hour that began at 01:00 */
    { LORD_HOWE,
      { "2026-10-04T01:00:00", "2026-10-04T00:00:00", "2026-10-01T00:00:00" },
      1791042300,
      { 5400, 86400 - 1800, 31 * 86400 - 1800 } },
};

START_TEST(a_period_begins_by_the_clock_on_the_wall)
{
    set_zone(moments[_i].zone);
    for (enum period period = PERIOD_HOUR; period < PERIODS_N; period++) {
        const int64_t start = period_start(period, moments[_i].t);
        const int64_t next = period_next(period, moments[_i].t);
        AUTO(strbuf) struct strbuf text = { 0 };

        time_format(&text, start, NULL, start, "");
        ck_assert_str_eq(strbuf_text(&text), moments[_i].start[period]);
        ck_assert_int_eq(next - start, moments[_i].length[period]);
        ck_assert_int_eq(period_start(period, start), start);
        ck_assert_int_eq(period_start(period, next), next);
        ck_assert_int_eq(period_start(period, next - 1), start);
    }
}
END_TEST

static const char *const zones[] = { "UTC", INDIA, CENTRAL_EUROPE, BRAZIL, LORD_HOWE };

START_TEST(days_consist_of_hours_and_months_of_days)
{
    int64_t day, hour, month;

    set_zone(zones[_i]);
    month = period_start(PERIOD_MONTH, 1767225600);
    for (int i = 0; i < 24; i++) {
        const int64_t next_month = period_next(PERIOD_MONTH, month);

        for (day = month; day < next_month;) {
            const int64_t next_day = period_next(PERIOD_DAY, day);

            for (hour = day; hour < next_day; hour = period_next(PERIOD_HOUR, hour))
                ck_assert_int_eq(period_start(PERIOD_DAY, hour), day);
            ck_assert_int_eq(hour, next_day);
            ck_assert_int_eq(period_start(PERIOD_MONTH, day), month);
            day = next_day;
        }
        ck_assert_int_eq(day, next_month);
        month = next_month;
    }
}
END_TEST

static const struct {
    const char *from, *until, *runs;
} cuts[] = {
    { "2026-11-26T00:00:00", "2026-11-26T00:00:00", "" },
    { "2026-11-26T05:00:00", "2026-11-26T04:00:00", "" },
    { "2026-11-26T05:10:00", "2026-11-26T05:20:00", "H11-26T05-11-26T06 " },
    { "2026-11-26T00:00:00", "2026-11-27T00:00:00", "D11-26T00-11-27T00 " },
    { "2026-11-01T00:00:00", "2026-12-01T00:00:00", "M11-01T00-12-01T00 " },
    { "2026-11-01T00:00:00", "2026-12-02T00:00:00", "M11-01T00-12-01T00 D12-01T00-12-02T00 " },
    { "2026-10-30T22:00:00", "2027-02-02T01:00:00",
      "H10-30T22-10-31T00 D10-31T00-11-01T00 M11-01T00-02-01T00 D02-01T00-02-02T00 "
      "H02-02T00-02-02T01 " },
    { "2026-11-26T22:00:00", "2026-11-27T03:00:00", "H11-26T22-11-27T03 " },
    { "2026-11-26T22:00:00", "2026-11-28T00:00:00", "H11-26T22-11-27T00 D11-27T00-11-28T00 " },
    { "2026-11-30T22:00:00", "2026-12-01T03:00:00", "H11-30T22-12-01T03 " },
    { "2026-11-29T00:00:00", "2026-12-03T00:00:00", "D11-29T00-12-03T00 " },
};

static int64_t moment(const char *text)
{
    int64_t t;

    ck_assert_int_eq(time_parse(text, 1, &t, NULL), 0);
    return t;
}

START_TEST(a_time_is_cut_into_the_longest_periods_in_order)
{
    struct period_run runs[PERIOD_RUNS_MAX];
    AUTO(strbuf) struct strbuf text = { 0 };
    uint32_t n;

    set_zone("UTC");
    n = period_cut(moment(cuts[_i].from), moment(cuts[_i].until), runs);
    for (uint32_t i = 0; i < n; i++) {
        strbuf_addc(&text, "HDM"[runs[i].period]);
        time_format(&text, runs[i].from, "%m-%dT%H-", 1, "");
        time_format(&text, runs[i].until, "%m-%dT%H ", 1, "");
    }

    ck_assert_str_eq(strbuf_text(&text), cuts[_i].runs);
}
END_TEST

CHECK_MAIN(period,
           LOOP_CASE(a_period_begins_by_the_clock_on_the_wall,
                     sizeof(moments) / sizeof(moments[0])),
           LOOP_CASE(days_consist_of_hours_and_months_of_days, sizeof(zones) / sizeof(zones[0])),
           LOOP_CASE(a_time_is_cut_into_the_longest_periods_in_order,
                     sizeof(cuts) / sizeof(cuts[0])))
