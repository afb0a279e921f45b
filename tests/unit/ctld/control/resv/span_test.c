/* When reservations are that come again: by the clock on the wall, also where that is put on. */
#include "unit/check_main.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "common/base/strbuf.h"
#include "ctld/control/resv/span.h"

#define HOUR 3600

/* Zones by their rules, since not every machine has files of zones. */
#define BERLIN    "CET-1CEST,M3.5.0,M10.5.0/3"
#define NEW_YORK  "EST5EDT,M3.2.0,M11.1.0"
#define LORD_HOWE "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0"
#define KOLKATA   "IST-5:30"

static void be_in(const char *zone)
{
    setenv("TZ", zone, 1);
    tzset();
}

/* "2026-03-28T02:30" by the clock there. */
static int64_t at(const char *text)
{
    struct tm tm = { .tm_isdst = -1 };

    ck_assert_int_eq(sscanf(text, "%d-%d-%dT%d:%d", &tm.tm_year, &tm.tm_mon, &tm.tm_mday,
                            &tm.tm_hour, &tm.tm_min),
                     5);
    tm.tm_year -= 1900;
    tm.tm_mon -= 1;
    return (int64_t)mktime(&tm);
}

static struct reservation_record made(const char *start, uint64_t flags, int64_t length)
{
    struct reservation_record resv;

    reservation_record_init(&resv);
    resv.name = (char *)"r";
    resv.start = resv.first_start = at(start);
    resv.end = resv.start + length;
    resv.flags = flags;
    return resv;
}

/* "Sat 28 02:30", and those that follow. */
static const char *next_ones(const struct reservation_record *resv, uint32_t n)
{
    static char text[512];
    AUTO(strbuf) struct strbuf out = { 0 };
    int64_t start = resv->start;

    for (uint32_t i = 0; i < n; i++) {
        const time_t moment = (time_t)start;
        char one[32];
        struct tm tm;

        localtime_r(&moment, &tm);
        strftime(one, sizeof(one), "%a %d %H:%M", &tm);
        strbuf_addf(&out, "%s%s", i ? ", " : "", one);
        start = resv_next_start(resv, start);
    }
    snprintf(text, sizeof(text), "%s", strbuf_text(&out));
    return text;
}

static const struct {
    const char *zone, *start;
    uint64_t flags;
    const char *next;
} rows[] = {
    { "UTC", "2027-01-15T22:30", RESV_HOURLY, "Fri 15 22:30, Fri 15 23:30, Sat 16 00:30" },
    { "UTC", "2027-01-15T08:00", RESV_DAILY, "Fri 15 08:00, Sat 16 08:00, Sun 17 08:00" },
    { "UTC", "2027-01-15T08:00", RESV_WEEKLY, "Fri 15 08:00, Fri 22 08:00, Fri 29 08:00" },
    { "UTC", "2027-01-14T08:00", RESV_WEEKDAY,
      "Thu 14 08:00, Fri 15 08:00, Mon 18 08:00, Tue 19 08:00" },
    { "UTC", "2027-01-16T08:00", RESV_WEEKEND, "Sat 16 08:00, Sun 17 08:00, Sat 23 08:00" },
    /* Several at once: whenever one of them is. */
    { "UTC", "2027-01-15T08:00", RESV_WEEKDAY | RESV_WEEKEND,
      "Fri 15 08:00, Sat 16 08:00, Sun 17 08:00" },
    { "UTC", "2027-01-15T08:00", RESV_WEEKLY | RESV_DAILY, "Fri 15 08:00, Sat 16 08:00" },
    { "UTC", "2027-01-15T08:00", RESV_HOURLY | RESV_DAILY, "Fri 15 08:00, Fri 15 09:00" },
    /* A leap day, and the end of a year. */
    { "UTC", "2028-02-28T08:00", RESV_DAILY, "Mon 28 08:00, Tue 29 08:00, Wed 01 08:00" },
    { "UTC", "2027-12-31T08:00", RESV_DAILY, "Fri 31 08:00, Sat 01 08:00" },
    /* Clocks go on at 02:00 on the 28th, back at 03:00 on the 25th of October. */
    { BERLIN, "2027-03-27T08:00", RESV_DAILY, "Sat 27 08:00, Sun 28 08:00, Mon 29 08:00" },
    { BERLIN, "2027-10-30T08:00", RESV_DAILY, "Sat 30 08:00, Sun 31 08:00, Mon 01 08:00" },
    { BERLIN, "2027-03-22T08:00", RESV_WEEKLY, "Mon 22 08:00, Mon 29 08:00" },
    { BERLIN, "2027-10-25T08:00", RESV_WEEKLY, "Mon 25 08:00, Mon 01 08:00" },
    { BERLIN, "2027-03-26T23:30", RESV_WEEKDAY, "Fri 26 23:30, Mon 29 23:30" },
    { BERLIN, "2027-03-27T00:10", RESV_WEEKEND, "Sat 27 00:10, Sun 28 00:10, Sat 03 00:10" },
    { BERLIN, "2027-10-30T23:30", RESV_WEEKEND, "Sat 30 23:30, Sun 31 23:30, Sat 06 23:30" },
    { NEW_YORK, "2027-03-13T12:00", RESV_DAILY, "Sat 13 12:00, Sun 14 12:00, Mon 15 12:00" },
    { NEW_YORK, "2027-11-06T12:00", RESV_DAILY, "Sat 06 12:00, Sun 07 12:00, Mon 08 12:00" },
    /* Here by half an hour only. */
    { LORD_HOWE, "2027-10-02T12:00", RESV_DAILY, "Sat 02 12:00, Sun 03 12:00, Mon 04 12:00" },
    { LORD_HOWE, "2027-04-03T12:00", RESV_DAILY, "Sat 03 12:00, Sun 04 12:00, Mon 05 12:00" },
    { KOLKATA, "2027-03-27T23:45", RESV_DAILY, "Sat 27 23:45, Sun 28 23:45" },
    /* An hour is an hour, whatever clocks show. */
    { BERLIN, "2027-03-28T01:30", RESV_HOURLY, "Sun 28 01:30, Sun 28 03:30, Sun 28 04:30" },
    { BERLIN, "2027-10-31T01:30", RESV_HOURLY,
      "Sun 31 01:30, Sun 31 02:30, Sun 31 02:30, Sun 31 03:30" },
};

START_TEST(it_comes_again_at_the_hour_on_the_wall)
{
    struct reservation_record resv;
    uint32_t n = 1;

    be_in(rows[_i].zone);
    resv = made(rows[_i].start, rows[_i].flags, HOUR);
    for (const char *c = rows[_i].next; *c; c++)
        n += *c == ',';

    ck_assert_str_eq(next_ones(&resv, n), rows[_i].next);
}
END_TEST

START_TEST(an_hour_that_does_not_exist_moves_one_time_of_it)
{
    struct reservation_record resv;

    be_in(BERLIN);
    resv = made("2027-03-27T02:30", RESV_DAILY, HOUR);
    ck_assert_str_eq(next_ones(&resv, 3), "Sat 27 02:30, Sun 28 03:30, Mon 29 02:30");

    /* That time is over, and the record tells of the moved one. */
    resv.start = resv_next_start(&resv, resv.start);
    ck_assert_str_eq(next_ones(&resv, 3), "Sun 28 03:30, Mon 29 02:30, Tue 30 02:30");
}
END_TEST

START_TEST(an_hour_that_comes_twice_has_it_once)
{
    struct reservation_record resv;

    be_in(BERLIN);
    resv = made("2027-10-30T02:30", RESV_DAILY, HOUR);
    ck_assert_str_eq(next_ones(&resv, 3), "Sat 30 02:30, Sun 31 02:30, Mon 01 02:30");
}
END_TEST

/* Moments between two times of it, and on them. */
START_TEST(the_next_one_is_the_first_after_the_moment)
{
    struct reservation_record resv;

    be_in("UTC");
    resv = made("2027-01-15T08:00", RESV_DAILY, HOUR);
    ck_assert_int_eq(resv_next_start(&resv, resv.start - 9), resv.start);
    ck_assert_int_eq(resv_next_start(&resv, resv.start), resv.start + 24 * HOUR);
    ck_assert_int_eq(resv_next_start(&resv, resv.start + 24 * HOUR - 1), resv.start + 24 * HOUR);
    resv.flags = RESV_HOURLY;
    ck_assert_int_eq(resv_next_start(&resv, resv.start - 9), resv.start);
    ck_assert_int_eq(resv_next_start(&resv, resv.start + HOUR), resv.start + 2 * HOUR);
    resv.flags = RESV_MAINT;
    ck_assert_int_eq(resv_next_start(&resv, resv.start), 0);
}
END_TEST

START_TEST(after_many_years_it_is_still_at_its_hour)
{
    struct reservation_record resv;

    be_in(BERLIN);
    resv = made("2027-01-15T08:00", RESV_DAILY, HOUR);
    resv.start = resv_next_start(&resv, at("2057-07-01T12:00"));
    ck_assert_int_eq(resv.start, at("2057-07-02T08:00"));
    resv.flags = RESV_WEEKLY; /* on Fridays */
    resv.start = resv_next_start(&resv, at("2057-07-01T12:00"));
    ck_assert_int_eq(resv.start, at("2057-07-06T08:00"));
    resv.flags = RESV_WEEKEND;
    ck_assert_int_eq(resv_next_start(&resv, at("2057-07-01T12:00")), at("2057-07-07T08:00"));
}
END_TEST

static const char *const zones[] = { "UTC", BERLIN, NEW_YORK, LORD_HOWE };

/* Whatever the zone and moment: it is later, at the hour, and none is left out. */
START_TEST(each_next_one_is_a_day_later_all_year)
{
    struct reservation_record resv;

    be_in(zones[_i]);
    resv = made("2027-01-01T12:00", RESV_DAILY, HOUR);
    for (int day = 0; day < 800; day++) {
        const int64_t next = resv_next_start(&resv, resv.start);
        const time_t moment = (time_t)next;
        struct tm tm;

        localtime_r(&moment, &tm);
        ck_assert_int_eq(tm.tm_hour * 60 + tm.tm_min, 12 * 60);
        ck_assert_int_ge(next - resv.start, 23 * HOUR);
        ck_assert_int_le(next - resv.start, 25 * HOUR);
        ck_assert_int_eq(resv_next_start(&resv, next - 1), next);
        resv.start = next;
    }
}
END_TEST

/* ---- times that meet ---- */

static const struct {
    const char *a;
    uint64_t a_flags;
    int64_t a_length;
    const char *b;
    uint64_t b_flags;
    int64_t b_length;
    bool meet;
} pairs[] = {
    { "2027-01-15T08:00", 0, HOUR, "2027-01-15T08:30", 0, HOUR, true },
    { "2027-01-15T08:00", 0, HOUR, "2027-01-15T09:00", 0, HOUR, false },
    { "2027-01-15T08:00", 0, 9 * HOUR, "2027-01-15T10:00", 0, HOUR, true },
    { "2027-01-15T08:00", RESV_DAILY, HOUR, "2027-01-20T08:30", 0, HOUR, true },
    { "2027-01-15T08:00", RESV_DAILY, HOUR, "2027-01-20T09:00", 0, 23 * HOUR, false },
    { "2027-01-15T08:00", RESV_DAILY, HOUR, "2027-01-10T08:30", 0, HOUR, false },
    { "2027-01-15T08:00", RESV_DAILY, HOUR, "2027-01-15T09:00", RESV_HOURLY, 60, true },
    { "2027-01-15T08:00", RESV_DAILY, HOUR, "2027-01-15T09:00", RESV_DAILY, HOUR, false },
    { "2027-01-15T08:00", RESV_WEEKDAY, HOUR, "2027-01-16T08:00", RESV_WEEKEND, HOUR, false },
    { "2027-01-15T23:30", RESV_WEEKDAY, HOUR, "2027-01-16T00:00", RESV_WEEKEND, HOUR, true },
    { "2027-01-15T08:00", RESV_WEEKLY, HOUR, "2027-01-18T08:00", RESV_DAILY, HOUR, true },
    /* One whose times run into each other. */
    { "2027-01-15T08:00", RESV_HOURLY, 2 * HOUR, "2027-01-15T12:30", 0, 60, true },
    { "2027-01-15T08:00", RESV_HOURLY, HOUR / 2, "2027-01-15T12:30", 0, HOUR / 2, false },
    /* Far apart: the one begins long after the other. */
    { "2027-01-15T08:00", RESV_DAILY, HOUR, "2030-01-15T08:30", 0, HOUR, true },
    { "2027-01-15T08:00", RESV_DAILY, HOUR, "2030-01-15T10:30", RESV_DAILY, HOUR, false },
    /* Of no length: at a moment of the other, or not. */
    { "2027-01-15T08:00", 0, 0, "2027-01-15T08:00", 0, HOUR, false },
};

START_TEST(times_meet_or_do_not)
{
    struct reservation_record a, b;

    be_in("UTC");
    a = made(pairs[_i].a, pairs[_i].a_flags, pairs[_i].a_length);
    b = made(pairs[_i].b, pairs[_i].b_flags, pairs[_i].b_length);

    ck_assert_int_eq(resv_times_meet(&a, &b), pairs[_i].meet);
    ck_assert_int_eq(resv_times_meet(&b, &a), pairs[_i].meet);
}
END_TEST

/* By winter's time they are apart. */
START_TEST(times_meet_when_clocks_are_put_on)
{
    struct reservation_record daily, hourly;

    be_in(BERLIN);
    daily = made("2027-01-15T08:00", RESV_DAILY, HOUR);
    hourly = made("2027-01-15T09:00", RESV_DAILY, 30 * 60);
    ck_assert(!resv_times_meet(&daily, &hourly));
    daily = made("2027-03-20T02:00", RESV_DAILY, HOUR);
    hourly = made("2027-03-20T03:00", RESV_DAILY, HOUR);
    ck_assert(resv_times_meet(&daily, &hourly)); /* on the 28th both begin at 03:00 */
}
END_TEST

CHECK_MAIN(span, LOOP_CASE(it_comes_again_at_the_hour_on_the_wall, ARRAY_N(rows)),
           CASE(an_hour_that_does_not_exist_moves_one_time_of_it),
           CASE(an_hour_that_comes_twice_has_it_once),
           CASE(the_next_one_is_the_first_after_the_moment),
           CASE(after_many_years_it_is_still_at_its_hour),
           LOOP_CASE(each_next_one_is_a_day_later_all_year, ARRAY_N(zones)),
           LOOP_CASE(times_meet_or_do_not, ARRAY_N(pairs)), CASE(times_meet_when_clocks_are_put_on))
