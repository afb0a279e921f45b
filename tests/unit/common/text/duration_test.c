#include "unit/check_main.h"

#include <errno.h>
#include <string.h>

#include "common/text/duration.h"

/* `sbatch -t TEXT`, then what scontrol and squeue of Slurm 22.05.8 print as the limit. */
static const struct {
    const char *text;
    int64_t s;
    const char *printed;
    const char *printed_short;
} limits[] = {
    { "5", 300, "00:05:00", "5:00" },
    { "1", 60, "00:01:00", "1:00" },
    { "60", 3600, "01:00:00", "1:00:00" },
    { "61", 3660, "01:01:00", "1:01:00" },
    { "1440", 86400, "1-00:00:00", "1-00:00:00" },
    { "1500", 90000, "1-01:00:00", "1-01:00:00" },
    { "5:00", 300, "00:05:00", "5:00" },
    { "5:01", 301, "00:06:00", "6:00" },
    { "0:30", 30, "00:01:00", "1:00" },
    { "90:30", 5430, "01:31:00", "1:31:00" },
    { "1:60", 120, "00:02:00", "2:00" },
    { "1:61", 121, "00:03:00", "3:00" },
    { "1:00:00", 3600, "01:00:00", "1:00:00" },
    { "00:05:00", 300, "00:05:00", "5:00" },
    { "1:2:3", 3723, "01:03:00", "1:03:00" },
    { "25:00:00", 90000, "1-01:00:00", "1-01:00:00" },
    { "1:90:90", 9090, "02:32:00", "2:32:00" },
    { "1-", 86400, "1-00:00:00", "1-00:00:00" },
    { "1-0", 86400, "1-00:00:00", "1-00:00:00" },
    { "1-2", 93600, "1-02:00:00", "1-02:00:00" },
    { "1-2:3", 93780, "1-02:03:00", "1-02:03:00" },
    { "1-2:3:4", 93784, "1-02:04:00", "1-02:04:00" },
    { "0-0:1", 60, "00:01:00", "1:00" },
    { "365-0", 31536000, "365-00:00:00", "365-00:00:00" },
    { "INFINITE", DURATION_INFINITE, "UNLIMITED", "UNLIMITED" },
    { "infinite", DURATION_INFINITE, "UNLIMITED", "UNLIMITED" },
    { "Unlimited", DURATION_INFINITE, "UNLIMITED", "UNLIMITED" },
    { "-1", DURATION_INFINITE, "UNLIMITED", "UNLIMITED" },
};

START_TEST(a_time_limit_is_read_and_printed_as_slurm_does)
{
    AUTO(strbuf) struct strbuf printed = { 0 }, printed_short = { 0 };
    struct err err = { 0 };
    int64_t s = 0;

    ck_assert_msg(duration_parse(limits[_i].text, &s, &err) == 0, "%s", err.text);
    duration_format(&printed, duration_round_up(s));
    duration_format_short(&printed_short, duration_round_up(s));

    ck_assert_int_eq(s, limits[_i].s);
    ck_assert_str_eq(strbuf_text(&printed), limits[_i].printed);
    ck_assert_str_eq(strbuf_text(&printed_short), limits[_i].printed_short);
}
END_TEST

/* sbatch refuses these too, but for "-2" and the last four, where it overflows. */
static const char *const refused[] = {
    "",
    " 5",
    "5 ",
    "5m",
    "1h",
    "1:",
    ":1",
    "1::",
    "1-:",
    "-1:00",
    "1:2:3:4",
    "1-2-3",
    "1-2:3:4:5",
    "abc",
    "1.5",
    "+5",
    "0x10",
    "unlim",
    "NOT_SET",
    "-",
    "-2",
    "1--2",
    "100000-0:1",
    "99999999999999999999999",
    "1-99999999999999999999",
    "144000001",
};

START_TEST(a_bad_time_limit_is_refused_by_name)
{
    struct err err = { 0 };
    int64_t s = 7;

    ck_assert_int_lt(duration_parse(refused[_i], &s, &err), 0);

    AUTO(strbuf) struct strbuf start = { 0 };
    strbuf_addf(&start, "time '%s' is ", refused[_i]);
    ck_assert_msg(strncmp(err.text, strbuf_text(&start), start.len) == 0, "%s", err.text);
    ck_assert_int_eq(s, 7);
}
END_TEST

START_TEST(the_longest_time_limit_is_100000_days)
{
    int64_t s = 0;

    ck_assert_int_eq(duration_parse("100000-0", &s, NULL), 0);
    ck_assert_int_eq(s, DURATION_MAX_S);
    ck_assert_int_eq(duration_parse("100000-0:0:1", &s, NULL), -ERANGE);
}
END_TEST

START_TEST(run_times_are_printed_to_the_second)
{
    static const struct {
        int64_t s;
        const char *printed;
        const char *printed_short;
    } rows[] = {
        { 0, "00:00:00", "0:00" },     { 7, "00:00:07", "0:07" },
        { 3599, "00:59:59", "59:59" }, { 93784, "1-02:03:04", "1-02:03:04" },
        { -2, "INVALID", "INVALID" },
    };

    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        AUTO(strbuf) struct strbuf printed = { 0 }, printed_short = { 0 };

        duration_format(&printed, rows[i].s);
        duration_format_short(&printed_short, rows[i].s);
        ck_assert_str_eq(strbuf_text(&printed), rows[i].printed);
        ck_assert_str_eq(strbuf_text(&printed_short), rows[i].printed_short);
    }
}
END_TEST

START_TEST(plain_seconds_are_a_number_or_without_limit)
{
    struct err err = { 0 };
    int64_t s = 0;

    ck_assert_int_eq(duration_parse_seconds("30", &s, &err), 0);
    ck_assert_int_eq(s, 30);
    ck_assert_int_eq(duration_parse_seconds("infinite", &s, &err), 0);
    ck_assert_int_eq(s, DURATION_INFINITE);
    ck_assert_int_eq(duration_parse_seconds("5:00", &s, &err), -EINVAL);
    ck_assert_str_eq(err.text, "'5:00' is not a number");
}
END_TEST

CHECK_MAIN(duration, LOOP_CASE(a_time_limit_is_read_and_printed_as_slurm_does, ARRAY_N(limits)),
           LOOP_CASE(a_bad_time_limit_is_refused_by_name, ARRAY_N(refused)),
           CASE(the_longest_time_limit_is_100000_days), CASE(run_times_are_printed_to_the_second),
           CASE(plain_seconds_are_a_number_or_without_limit))
