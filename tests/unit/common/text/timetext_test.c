#include "unit/check_main.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#include "common/text/timetext.h"

#define NOW INT64_C(1795205469) /* Friday, 2026-11-20T20:11:09 UTC */

static void use_zone(const char *zone)
{
    setenv("TZ", zone, 1);
    tzset();
}

static void assert_prints(int64_t t, const char *manner, const char *expected)
{
    AUTO(strbuf) struct strbuf out = { 0 };

    time_format(&out, t, manner, NOW, "Unknown");
    ck_assert_str_eq(strbuf_text(&out), expected);
}

/* `sbatch -H --begin=TEXT` at NOW, then EligibleTime of scontrol, Slurm 22.05.8. */
static const struct {
    const char *text;
    const char *moment;
} begins[] = {
    { "now", "2026-11-20T20:11:09" },
    { "now ", "2026-11-20T20:11:09" },
    { "now+0", "2026-11-20T20:11:09" },
    { "now+1", "2026-11-20T20:11:10" },
    { "NOW+5", "2026-11-20T20:11:14" },
    { "now+ 5", "2026-11-20T20:11:14" },
    { "now+60", "2026-11-20T20:12:09" },
    { "now+1minute", "2026-11-20T20:12:09" },
    { "now+3minutes", "2026-11-20T20:14:09" },
    { "now+5  minutes", "2026-11-20T20:16:09" },
    { "now+1hour", "2026-11-20T21:11:09" },
    { "now+2hours", "2026-11-20T22:11:09" },
    { "now + 1 hour", "2026-11-20T21:11:09" },
    { "now+1day", "2026-11-21T20:11:09" },
    { "now+5DAYS", "2026-11-25T20:11:09" },
    { "now+1week", "2026-11-27T20:11:09" },
    { "now+1weeks", "2026-11-27T20:11:09" },
    { "now+99999999999", "5195-10-06T05:57:48" },
    { "now-5", "2026-11-20T20:11:04" },
    { "now-1hour", "2026-11-20T19:11:09" },
    { "today", "2026-11-20T00:00:00" },
    { "tomorrow", "2026-11-21T00:00:00" },
    { "midnight", "2026-11-21T00:00:00" },
    { "noon", "2026-11-21T12:00:00" },
    { "NOON", "2026-11-21T12:00:00" },
    { "fika", "2026-11-21T15:00:00" },
    { "teatime", "2026-11-21T16:00:00" },
    { "16:00", "2026-11-21T16:00:00" },
    { "23:00", "2026-11-20T23:00:00" },
    { "16:00:30", "2026-11-21T16:00:30" },
    { "  16:00", "2026-11-21T16:00:00" },
    { "4:00PM", "2026-11-21T16:00:00" },
    { "4:00pm", "2026-11-21T16:00:00" },
    { "4:00 PM", "2026-11-21T16:00:00" },
    { "12:30AM", "2026-11-21T00:30:00" },
    { "12:30pm", "2026-11-21T12:30:00" },
    { "12:00AM", "2026-11-21T00:00:00" },
    { "12:00PM", "2026-11-21T12:00:00" },
    { "0:00AM", "2026-11-21T00:00:00" },
    { "0:00PM", "2026-11-21T12:00:00" },
    { "0:30", "2026-11-21T00:30:00" },
    { "1225", "2026-12-25T00:00:00" },
    { "122526", "2026-12-25T00:00:00" },
    { "12/25", "2026-12-25T00:00:00" },
    { "12/25/27", "2027-12-25T00:00:00" },
    { "12/25/99", "2099-12-25T00:00:00" },
    { "12.25", "2026-12-25T00:00:00" },
    { "12.25.27", "2027-12-25T00:00:00" },
    { "1/1", "2027-01-01T00:00:00" },
    { "01/01", "2027-01-01T00:00:00" },
    { "1/2/03", "2003-01-02T00:00:00" },
    { "01/20/10", "2010-01-20T00:00:00" },
    { "02/29/28", "2028-02-29T00:00:00" },
    { "11/20", "2027-11-20T00:00:00" },
    { "11/20-23:00", "2026-11-20T23:00:00" },
    { "11/20-20:00", "2027-11-20T20:00:00" },
    { "2027-01-20", "2027-01-20T00:00:00" },
    { "2027-01-20T12:34", "2027-01-20T12:34:00" },
    { "2027-01-20T12:34:56", "2027-01-20T12:34:56" },
    { "2027-01-20 12:34", "2027-01-20T12:34:00" },
    { "2027-01-20-12:34", "2027-01-20T12:34:00" },
    { "2027-01-20T 12:34", "2027-01-20T12:34:00" },
    { "2027-01-20TT12:34", "2027-01-20T12:34:00" },
    { "2027-01-20T", "2027-01-20T00:00:00" },
    { "12:34-2027-01-20", "2027-01-20T12:34:00" },
    { "2010-01-20T12:34:00", "2010-01-20T12:34:00" },
    { "2100-01-01", "2100-01-01T00:00:00" },
    { "12/25-16:00", "2026-12-25T16:00:00" },
    { "12/25T16:00", "2026-12-25T16:00:00" },
    { "122527-16:00", "2027-12-25T16:00:00" },
    { "16:00 12/25", "2026-12-25T16:00:00" },
    { "16:00-12/25", "2026-12-25T16:00:00" },
    { "12:30AMT12/25", "2026-12-25T00:30:00" },
    { "tomorrowT16:00", "2026-11-21T16:00:00" },
    { "tomorrow-16:00", "2026-11-21T16:00:00" },
    { "16:00tomorrow", "2026-11-21T16:00:00" },
    { "4:00 AM tomorrow", "2026-11-21T04:00:00" },
    { "today 16:00", "2026-11-20T16:00:00" },
    { "noon tomorrow", "2026-11-21T12:00:00" },
    { "12/25 noon", "2026-12-25T12:00:00" },
    { "uts1800000000", "2027-01-15T08:00:00" },
    /* ours: Slurm refuses capitals with a T, and learned elevenses later */
    { "TOMORROWT4:00", "2026-11-21T04:00:00" },
    { "4:00 TOMORROW", "2026-11-21T04:00:00" },
    { "elevenses", "2026-11-21T11:00:00" },
};

START_TEST(a_begin_time_is_read_as_slurm_does)
{
    struct err err = { 0 };
    int64_t t = 0;

    use_zone("UTC0");
    ck_assert_msg(time_parse(begins[_i].text, NOW, &t, &err) == 0, "%s", err.text);

    assert_prints(t, NULL, begins[_i].moment);
}
END_TEST

/* sbatch refuses all of these but the last block, where it rolls over or takes the later part. */
static const struct {
    const char *text;
    const char *error;
} refused[] = {
    { "", "time '' is incomplete" },
    { " ", "time ' ' is incomplete" },
    { "abc", "time 'abc' is not understood at 'abc'" },
    { "+5", "time '+5' is not understood at '+5'" },
    { "now+", "time 'now+' is incomplete" },
    { "now+x", "time 'now+x' is not understood at 'x'" },
    { "now++5", "time 'now++5' is not understood at '+5'" },
    { "nowx", "time 'nowx' is not understood at 'x'" },
    { "now+1min", "time 'now+1min' is not understood at 'min'" },
    { "now+1h", "time 'now+1h' is not understood at 'h'" },
    { "now+1month", "time 'now+1month' is not understood at 'month'" },
    { "now+1hour x", "time 'now+1hour x' is not understood at 'hour x'" },
    { "now+5minutesx", "time 'now+5minutesx' is not understood at 'minutesx'" },
    { "today+1day", "time 'today+1day' is not understood at '+1day'" },
    { "16:00+1hour", "time '16:00+1hour' is not understood at '+1hour'" },
    { "4PM", "time '4PM' is not understood at '4PM'" },
    { "24:00", "time '24:00' is not understood at '24:00'" },
    { "23:59:60", "time '23:59:60' is not understood at '23:59:60'" },
    { "13:00AM", "time '13:00AM' is not understood at '13:00AM'" },
    { "4:00 P", "time '4:00 P' is not understood at 'P'" },
    { "12:3", "time '12:3' is not understood at '12:3'" },
    { "16:00:5", "time '16:00:5' is not understood at '16:00:5'" },
    { "016:00", "time '016:00' is not understood at '016:00'" },
    { "9", "time '9' is not understood at '9'" },
    { "0900", "time '0900' is not understood at '0900'" },
    { "12252027", "time '12252027' is not understood at '12252027'" },
    { "12/25/2027", "time '12/25/2027' is not understood at '12/25/2027'" },
    { "1/2/3", "time '1/2/3' is not understood at '1/2/3'" },
    { "1 / 2", "time '1 / 2' is not understood at '1 / 2'" },
    { "13/01", "time '13/01' is not understood at '13/01'" },
    { "12/32", "time '12/32' is not understood at '12/32'" },
    { "25.12", "time '25.12' is not understood at '25.12'" },
    { "2027-1-2", "time '2027-1-2' is not understood at '2027-1-2'" },
    { "2027-13-01", "time '2027-13-01' is not understood at '2027-13-01'" },
    { "2027-01-20T25:00", "time '2027-01-20T25:00' is not understood at '25:00'" },
    { "2027-01-20T12", "time '2027-01-20T12' is not understood at '12'" },
    { "2027-01-20T12:34:56Z", "time '2027-01-20T12:34:56Z' is not understood at 'Z'" },
    { "2027-01-20T12:34:56.1", "time '2027-01-20T12:34:56.1' is not understood at '.1'" },
    { "2027/01/20", "time '2027/01/20' is not understood at '2027/01/20'" },
    { "1800000000", "time '1800000000' is not understood at '1800000000'" },
    { "noonT1", "time 'noonT1' is not understood at '1'" },
    { "uts", "time 'uts': a number is missing" },
    { "uts-5", "time 'uts-5': '-5' is not a number" },
    { "uts0", "time 'uts0': '0' is less than 1" },

    { "02/30", "time '02/30': there is no such day" },
    { "2/29", "time '2/29': there is no such day" },
    { "2027-02-29", "time '2027-02-29': there is no such day" },
    { "1969-12-31", "time '1969-12-31' is not between the years 1970 and 9999" },
    { "now+9999999999999999999999weeks",
      "time 'now+9999999999999999999999weeks' is not between the years 1970 and 9999" },
    { "now-9999999999", "time 'now-9999999999' is not between the years 1970 and 9999" },
    { "12/25 12/26", "time '12/25 12/26' is not understood at '12/26'" },
    { "16:00 noon", "time '16:00 noon' is not understood at 'noon'" },
};

START_TEST(a_bad_time_is_refused_by_name)
{
    struct err err = { 0 };
    int64_t t = 7;

    use_zone("UTC0");
    ck_assert_int_lt(time_parse(refused[_i].text, NOW, &t, &err), 0);

    ck_assert_str_eq(err.text, refused[_i].error);
    ck_assert_int_eq(t, 7);
}
END_TEST

/* `sacct -S` asks about what was. */
static const struct {
    const char *text;
    const char *moment;
} pasts[] = {
    { "16:00", "2026-11-20T16:00:00" },     { "23:00", "2026-11-20T23:00:00" },
    { "midnight", "2026-11-20T00:00:00" },  { "today", "2026-11-20T00:00:00" },
    { "11/20", "2026-11-20T00:00:00" },     { "11/30", "2026-11-30T00:00:00" },
    { "12/01", "2025-12-01T00:00:00" },     { "0101", "2026-01-01T00:00:00" },
    { "now-7days", "2026-11-13T20:11:09" }, { "2026-11-18T10:00", "2026-11-18T10:00:00" },
};

START_TEST(a_question_about_the_past_looks_back)
{
    struct err err = { 0 };
    int64_t t = 0;

    use_zone("UTC0");
    ck_assert_msg(time_parse_past(pasts[_i].text, NOW, &t, &err) == 0, "%s", err.text);

    assert_prints(t, NULL, pasts[_i].moment);
}
END_TEST

START_TEST(times_are_local)
{
    int64_t t = 0;

    use_zone("CET-1CEST,M3.5.0,M10.5.0/3");
    ck_assert_int_eq(time_parse("2026-07-01T12:00", NOW, &t, NULL), 0);
    assert_prints(t, NULL, "2026-07-01T12:00:00");
    assert_prints(t, "%H %Z", "12 CEST");
    ck_assert_int_eq(time_parse("2026-12-01T12:00", NOW, &t, NULL), 0);
    assert_prints(t, "%H %Z", "12 CET");
    /* 21:11 local: today in this zone, tomorrow's in UTC */
    ck_assert_int_eq(time_parse("21:30", NOW, &t, NULL), 0);
    assert_prints(t, NULL, "2026-11-20T21:30:00");
}
END_TEST

/* Toil asks sacct -S 1970-01-01. */
START_TEST(the_first_day_is_ever)
{
    static const char *const zones[] = { "UTC0", "CET-1CEST,M3.5.0,M10.5.0/3" };

    for (size_t i = 0; i < ARRAY_N(zones); i++) {
        int64_t t = 0;

        use_zone(zones[i]);
        ck_assert_int_eq(time_parse_past("1970-01-01", NOW, &t, NULL), 0);
        ck_assert_int_eq(t, 1);
    }
}
END_TEST

START_TEST(tomorrow_may_be_in_another_month_and_year)
{
    int64_t now = 0, t = 0;

    use_zone("UTC0");
    ck_assert_int_eq(time_parse("2026-12-31T20:00", NOW, &now, NULL), 0);
    ck_assert_int_eq(time_parse("tomorrow", now, &t, NULL), 0);
    assert_prints(t, NULL, "2027-01-01T00:00:00");
    ck_assert_int_eq(time_parse("8:00", now, &t, NULL), 0);
    assert_prints(t, NULL, "2027-01-01T08:00:00");
}
END_TEST

/* squeue -o %S at NOW with SLURM_TIME_FORMAT, Slurm 22.05.8; "Ystday" by the manual page. */
static const struct {
    const char *moment;
    const char *manner;
    const char *printed;
} prints[] = {
    { "2026-11-20T20:11:09", NULL, "2026-11-20T20:11:09" },
    { "2026-11-20T20:11:09", "", "2026-11-20T20:11:09" },
    { "2026-11-20T20:11:09", "standard", "2026-11-20T20:11:09" },
    { "2026-11-20T20:11:09", "Standard", "2026-11-20T20:11:09" },
    { "2026-11-20T20:11:09", "%s", "1795205469" },
    { "2026-11-20T20:11:09", "%a %T", "Fri 20:11:09" },
    { "2026-11-20T20:11:09", "%c", "Fri Nov 20 20:11:09 2026" },
    { "2026-11-20T20:11:09", "%p", "PM" },
    { "2026-11-20T20:11:09", "%", "%" },
    { "2026-11-20T20:11:09", "%Q", "%Q" },
    { "2026-11-20T20:11:09", "x", "2026-11-20T20:11:09" },
    { "2026-11-20T21:12:27", "relative", "21:12:27" },
    { "2026-11-21T01:12:27", "relative", "Tomorr 01:12" },
    { "2026-11-19T01:12:27", "relative", "Ystday 01:12" },
    { "2026-11-22T20:12:28", "relative", "Sun 20:12" },
    { "2026-11-26T20:12:28", "relative", "Thu 20:12" },
    { "2026-11-27T20:12:28", "relative", "27 Nov 20:12" },
    { "2026-12-20T20:12:28", "relative", "20 Dec 20:12" },
    { "2027-01-19T20:12:28", "relative", "19 Jan 2027" },
    { "2028-06-06T12:00:00", "relative", "6 Jun 2028" },
};

START_TEST(a_time_is_printed_in_the_manner_asked_for)
{
    int64_t t = 0;

    use_zone("UTC0");
    ck_assert_int_eq(time_parse(prints[_i].moment, NOW, &t, NULL), 0);

    assert_prints(t, prints[_i].manner, prints[_i].printed);
}
END_TEST

START_TEST(an_unknown_time_is_printed_as_the_caller_says)
{
    use_zone("UTC0");
    assert_prints(0, "%s", "Unknown");
    assert_prints(INT64_MAX, NULL, "9223372036854775807");
}
END_TEST

START_TEST(a_manner_without_conversions_is_refused)
{
    char longest[300];
    struct err err = { 0 };

    memset(longest, '%', sizeof(longest));
    longest[sizeof(longest) - 1] = '\0';

    ck_assert_int_eq(time_format_check("relative", &err), 0);
    ck_assert_int_eq(time_format_check("%H", &err), 0);
    ck_assert_int_eq(time_format_check(NULL, &err), 0);
    ck_assert_int_eq(time_format_check(longest, &err), -EINVAL);
    ck_assert_int_eq(time_format_check("x", &err), -EINVAL);
    ck_assert_str_eq(err.text, "invalid SLURM_TIME_FORMAT = 'x'");
}
END_TEST

CHECK_MAIN(timetext, LOOP_CASE(a_begin_time_is_read_as_slurm_does, ARRAY_N(begins)),
           LOOP_CASE(a_bad_time_is_refused_by_name, ARRAY_N(refused)),
           LOOP_CASE(a_question_about_the_past_looks_back, ARRAY_N(pasts)), CASE(times_are_local),
           CASE(the_first_day_is_ever), CASE(tomorrow_may_be_in_another_month_and_year),
           LOOP_CASE(a_time_is_printed_in_the_manner_asked_for, ARRAY_N(prints)),
           CASE(an_unknown_time_is_printed_as_the_caller_says),
           CASE(a_manner_without_conversions_is_refused))
