#include "common/text/timetext.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>

#include "common/text/words.h"

#define YEAR_1970 70 /* in a struct tm */

/* A text that is partly read, and the fields that it has given so far. */
struct reading {
    const char *text;
    const char *at;
    bool has_date;
    bool has_year;
    bool has_clock;
    struct tm tm;
};

static int refuse(const struct reading *in, struct err *err)
{
    if (!*in->at)
        return err_set(err, EINVAL, "time '%.80s' is incomplete", in->text);
    return err_set(err, EINVAL, "time '%.80s' is not understood at '%.80s'", in->text, in->at);
}

static int check_range(const char *text, int64_t t, int64_t *ret_time, struct err *err)
{
    if (t < 1 || t > TIME_MAX)
        return err_set(err, ERANGE, "time '%.80s' is not between the years 1970 and 9999", text);
    *ret_time = t;
    return 0;
}

static size_t digits_at(const char *at)
{
    return strspn(at, "0123456789");
}

static void skip_blanks(const char **at)
{
    while (isspace((unsigned char)**at))
        (*at)++;
}

/* Returns the value of n digits, which the caller has counted. */
static int take_digits(const char **at, size_t n)
{
    int value = 0;

    for (; n; n--)
        value = value * 10 + (*(*at)++ - '0');
    return value;
}

static bool set_date(struct reading *in, const char *after, int month, int day)
{
    if (in->has_date || month < 1 || month > 12 || day < 1 || day > 31)
        return false;
    in->has_date = true;
    in->tm.tm_mon = month - 1;
    in->tm.tm_mday = day;
    in->at = after;
    return true;
}

static void set_year(struct reading *in, int year)
{
    in->has_year = true;
    in->tm.tm_year = year - 1900;
}

static bool set_clock(struct reading *in, const char *after, int hour, int minute, int second)
{
    if (in->has_clock || hour > 23 || minute > 59 || second > 59)
        return false;
    in->has_clock = true;
    in->tm.tm_hour = hour;
    in->tm.tm_min = minute;
    in->tm.tm_sec = second;
    in->at = after;
    return true;
}

/* Takes YYYY-MM-DD. */
static bool take_iso_date(struct reading *in)
{
    const char *at = in->at;
    int year = take_digits(&at, 4);
    int month, day;

    at++;
    month = take_digits(&at, 2);
    if (digits_at(++at) != 2)
        return false;
    day = take_digits(&at, 2);
    if (!set_date(in, at, month, day))
        return false;
    set_year(in, year);
    return true;
}

/* Takes MMDD or MMDDYY. */
static bool take_packed_date(struct reading *in, size_t digits)
{
    const char *at = in->at;
    int month = take_digits(&at, 2);
    int day = take_digits(&at, 2);
    int year = digits == 6 ? 2000 + take_digits(&at, 2) : 0;

    if (!set_date(in, at, month, day))
        return false;
    if (year)
        set_year(in, year);
    return true;
}

/* Takes M/D or M/D/YY, with '/' or '.'. */
static bool take_divided_date(struct reading *in, size_t digits)
{
    const char *at = in->at;
    int month = take_digits(&at, digits);
    const char divider = *at++;
    int day, year = 0;

    digits = digits_at(at);
    if (digits < 1 || digits > 2)
        return false;
    day = take_digits(&at, digits);
    if (*at == divider) {
        at++;
        if (digits_at(at) != 2)
            return false;
        year = 2000 + take_digits(&at, 2);
    }
    if (!set_date(in, at, month, day))
        return false;
    if (year)
        set_year(in, year);
    return true;
}

/*
 * Takes AM or PM, and changes the hour of a 12-hour clock; without either `at` stays. Returns false
 * when the hour does not fit.
 */
static bool take_half_day(const char **at, int *hour)
{
    const char *half = *at;
    bool is_pm;

    skip_blanks(&half);
    is_pm = word_starts(half, "PM", NULL);
    if (!is_pm && !word_starts(half, "AM", NULL))
        return true;
    *at = half + 2;
    if (*hour > 12)
        return false;
    *hour = *hour % 12 + (is_pm ? 12 : 0);
    return true;
}

/* Takes H:MM or H:MM:SS, with AM or PM. */
static bool take_clock(struct reading *in, size_t digits)
{
    const char *at = in->at;
    int hour = take_digits(&at, digits);
    int minute, second = 0;

    if (digits_at(++at) != 2)
        return false;
    minute = take_digits(&at, 2);
    if (*at == ':') {
        if (digits_at(++at) != 2)
            return false;
        second = take_digits(&at, 2);
    }
    return take_half_day(&at, &hour) && set_clock(in, at, hour, minute, second);
}

static bool take_numbers(struct reading *in)
{
    size_t digits = digits_at(in->at);
    char next = in->at[digits];

    if (digits == 4 && next == '-' && digits_at(in->at + 5) == 2 && in->at[7] == '-')
        return take_iso_date(in);
    if (digits == 4 || digits == 6)
        return take_packed_date(in, digits);
    if (digits > 2)
        return false;
    return next == ':'                  ? take_clock(in, digits)
           : next == '/' || next == '.' ? take_divided_date(in, digits)
                                        : false;
}

static bool set_day_from(struct reading *in, const char *after, const struct tm *today, int days)
{
    struct tm day = { .tm_year = today->tm_year,
                      .tm_mon = today->tm_mon,
                      .tm_mday = today->tm_mday + days };

    timegm(&day); /* carries over the end of the month */
    if (!set_date(in, after, day.tm_mon + 1, day.tm_mday))
        return false;
    set_year(in, day.tm_year + 1900);
    return true;
}

static bool take_word(struct reading *in, const struct tm *today)
{
    static const struct {
        const char *name;
        int hour;
    } hours[] = {
        { "midnight", 0 }, { "elevenses", 11 }, { "noon", 12 }, { "fika", 15 }, { "teatime", 16 },
    };
    static const char *const days[] = { "today", "tomorrow" };
    const char *after;

    for (size_t i = 0; i < ARRAY_N(hours); i++) {
        if (word_starts(in->at, hours[i].name, &after))
            return set_clock(in, after, hours[i].hour, 0, 0);
    }
    for (int i = 0; i < (int)ARRAY_N(days); i++) {
        if (word_starts(in->at, days[i], &after))
            return set_day_from(in, after, today, i);
    }
    return false;
}

/* Returns whether a divider stands here. 'T' is one unless it begins a word in capitals. */
static bool is_divider(const char *at)
{
    if (*at == 'T')
        return !word_starts(at, "today", NULL) && !word_starts(at, "tomorrow", NULL) &&
               !word_starts(at, "teatime", NULL);
    return *at == '-' || isspace((unsigned char)*at);
}

/* Reads all items of a text that is neither "now..." nor "uts...". */
static int read_items(struct reading *in, const struct tm *today, struct err *err)
{
    skip_blanks(&in->at);
    do {
        bool is_read = isdigit((unsigned char)*in->at) ? take_numbers(in) : take_word(in, today);

        if (!is_read)
            return refuse(in, err);
        while (is_divider(in->at))
            in->at++;
    } while (*in->at);
    return 0;
}

/* Turns local time into seconds; returns false when the day is not in the calendar. */
static bool to_seconds(const struct reading *in, int64_t *ret)
{
    struct tm tm = in->tm;
    struct tm day = { .tm_year = tm.tm_year, .tm_mon = tm.tm_mon, .tm_mday = tm.tm_mday };

    timegm(&day);
    tm.tm_isdst = -1;
    *ret = mktime(&tm);
    return day.tm_mon == in->tm.tm_mon || !in->has_date;
}

/* Fills in the day that the text left open. */
static bool complete(struct reading *in, int64_t now, const struct tm *today, bool is_past,
                     int64_t *ret)
{
    if (!in->has_date) {
        in->tm.tm_mon = today->tm_mon;
        in->tm.tm_mday = today->tm_mday;
    }
    if (!in->has_year)
        in->tm.tm_year = today->tm_year;
    if (in->has_date && !in->has_year && is_past && in->tm.tm_mon > today->tm_mon)
        in->tm.tm_year--;
    if (!to_seconds(in, ret))
        return false;
    if (in->has_year || is_past || *ret >= now)
        return true;
    if (in->has_date)
        in->tm.tm_year++;
    else
        in->tm.tm_mday++;
    return to_seconds(in, ret);
}

/* Returns the seconds in the unit that `name` spells as a whole, or 0. */
static int64_t unit_seconds(const char *name)
{
    static const struct {
        const char *name;
        int64_t s;
    } units[] = {
        { "", 1 },         { "second", 1 },    { "seconds", 1 },    { "minute", 60 },
        { "minutes", 60 }, { "hour", 3600 },   { "hours", 3600 },   { "day", 86400 },
        { "days", 86400 }, { "week", 604800 }, { "weeks", 604800 },
    };
    const char *end;

    for (size_t i = 0; i < ARRAY_N(units); i++) {
        if (!word_starts(name, units[i].name, &end))
            continue;
        skip_blanks(&end);
        if (!*end)
            return units[i].s;
    }
    return 0;
}

/* Reads what follows "now": nothing, or a sign, a count and a unit. */
static int parse_from_now(struct reading *in, int64_t now, int64_t *ret_time, struct err *err)
{
    int64_t count = 0, unit;
    char sign;

    skip_blanks(&in->at);
    sign = *in->at;
    if (!sign)
        return check_range(in->text, now, ret_time, err);
    if (sign != '+' && sign != '-')
        return refuse(in, err);
    in->at++;
    skip_blanks(&in->at);
    if (!isdigit((unsigned char)*in->at))
        return refuse(in, err);
    for (; isdigit((unsigned char)*in->at); in->at++) {
        if (count <= TIME_MAX) /* far enough to be refused, whatever the unit */
            count = count * 10 + (*in->at - '0');
    }
    skip_blanks(&in->at);
    unit = unit_seconds(in->at);
    if (!unit)
        return refuse(in, err);
    return check_range(in->text, sign == '+' ? now + count * unit : now - count * unit, ret_time,
                       err);
}

static int parse_seconds(const struct reading *in, int64_t *ret_time, struct err *err)
{
    uint64_t seconds = 0;
    int rc = number_parse(in->at, 1, TIME_MAX, &seconds, err);

    if (rc < 0)
        return err ? err_prefix(err, "time '%.80s'", in->text) : rc;
    *ret_time = (int64_t)seconds;
    return 0;
}

static int parse(const char *text, int64_t now, bool is_past, int64_t *ret_time, struct err *err)
{
    struct reading in = { .text = text, .at = text };
    time_t clock = (time_t)now;
    struct tm today;
    int64_t t = 0;
    int rc;

    skip_blanks(&in.at);
    if (word_starts(in.at, "now", &in.at))
        return parse_from_now(&in, now, ret_time, err);
    if (word_starts(in.at, "uts", &in.at))
        return parse_seconds(&in, ret_time, err);
    if (!localtime_r(&clock, &today))
        return err_set(err, ERANGE, "the current time %lld is not in the calendar", (long long)now);
    rc = read_items(&in, &today, err);
    if (rc < 0)
        return rc;
    if (!complete(&in, now, &today, is_past, &t))
        return err_set(err, EINVAL, "time '%.80s': there is no such day", text);
    if (in.tm.tm_year == YEAR_1970 && t < 1)
        t = 1; /* the year's first hours, east of Greenwich, and its first second */
    return check_range(text, t, ret_time, err);
}

int time_parse(const char *text, int64_t now, int64_t *ret_time, struct err *err)
{
    return parse(text, now, false, ret_time, err);
}

int time_parse_past(const char *text, int64_t now, int64_t *ret_time, struct err *err)
{
    return parse(text, now, true, ret_time, err);
}
