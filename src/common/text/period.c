#include "common/text/period.h"

#include <stdbool.h>
#include <time.h>

#define MINUTE_S 60
#define HOUR_S   3600
#define DAY_S    (24 * HOUR_S)

static struct tm local(int64_t t)
{
    const time_t moment = (time_t)t;
    struct tm tm = { 0 };

    localtime_r(&moment, &tm);
    return tm;
}

static int seconds_into_hour(const struct tm *tm)
{
    return tm->tm_min * MINUTE_S + tm->tm_sec;
}

/* Where clocks are put back or forward by less than an hour, the way back to the last full one may
 * lead past that change, to a moment at which the clock showed no full hour. */
static int64_t hour_start(int64_t t)
{
    struct tm tm = local(t);

    while (seconds_into_hour(&tm) != 0) {
        t -= seconds_into_hour(&tm);
        tm = local(t);
    }
    return t;
}

static int64_t hour_next(int64_t t)
{
    int64_t next = hour_start(t) + HOUR_S;
    struct tm tm = local(next);

    while (seconds_into_hour(&tm) != 0) {
        next += HOUR_S - seconds_into_hour(&tm);
        tm = local(next);
    }
    return next;
}

static bool is_of_date(int64_t t, const struct tm *date)
{
    const struct tm tm = local(t);

    return tm.tm_mday == date->tm_mday && tm.tm_mon == date->tm_mon && tm.tm_year == date->tm_year;
}

#define NIGHT_S (3 * HOUR_S) /* from the begin of a date to a moment that its clocks show once */

/* Returns a moment early on a date. mktime looks at the file of the time zone each time, to see if
 * it is another one. There may be no midnight, or two; there is a noon. */
static int64_t early_on(const struct tm *date)
{
    struct tm noon = { .tm_year = date->tm_year,
                       .tm_mon = date->tm_mon,
                       .tm_mday = date->tm_mday,
                       .tm_hour = 12,
                       .tm_isdst = -1 };

    return (int64_t)mktime(&noon) - DAY_S / 2 + NIGHT_S;
}

/* Returns the first hour of a date (its year, month, and day of the month, which need not be in
 * it). `near` is a moment that is early on the date, unless clocks were changed by hours between.
 */
static int64_t first_hour(const struct tm *date, int64_t near)
{
    struct tm of = local(near);
    int64_t start;

    if (!is_of_date(near, date)) {
        near = early_on(date);
        of = local(near + DAY_S / 2 - NIGHT_S);
    }
    start = hour_start(near);
    while (is_of_date(start - 1, &of))
        start = hour_start(start - 1);
    return start;
}

/* Returns about three o'clock of the date that lies so many days from the one of the moment. */
static int64_t night_of(int64_t t, const struct tm *tm, int days)
{
    return t - tm->tm_hour * HOUR_S - seconds_into_hour(tm) + days * DAY_S + NIGHT_S;
}

int64_t period_start(enum period period, int64_t t)
{
    struct tm tm;
    int64_t near;

    if (period == PERIOD_HOUR)
        return hour_start(t);
    tm = local(t);
    near = night_of(t, &tm, period == PERIOD_MONTH ? 1 - tm.tm_mday : 0);
    if (period == PERIOD_MONTH)
        tm.tm_mday = 1;
    return first_hour(&tm, near);
}

int64_t period_next(enum period period, int64_t t)
{
    struct tm tm;
    int64_t near;

    if (period == PERIOD_HOUR)
        return hour_next(t);
    tm = local(t);
    near = night_of(t, &tm, 1);
    if (period == PERIOD_MONTH) {
        tm.tm_mday = 1;
        tm.tm_mon++;
    } else {
        tm.tm_mday++;
    }
    return first_hour(&tm, near);
}

/* Returns the end of the longest run of periods from a moment on that are over by `until`. */
static int64_t run_end(enum period period, int64_t from, int64_t until)
{
    int64_t next;

    while (period_start(period, from) == from && (next = period_next(period, from)) <= until)
        from = next;
    return from;
}

/* Returns the longest period that begins at a moment and is over by another one. */
static enum period longest(int64_t from, int64_t until)
{
    for (enum period period = PERIOD_MONTH; period > PERIOD_HOUR; period--) {
        if (run_end(period, from, until) > from)
            return period;
    }
    return PERIOD_HOUR;
}

uint32_t period_cut(int64_t from, int64_t until, struct period_run ret[PERIOD_RUNS_MAX])
{
    uint32_t n = 0;

    from = hour_start(from);
    if (until > from)
        until = hour_next(until - 1);
    while (from < until) {
        const enum period period = longest(from, until);
        int64_t end = run_end(period, from, until);

        /* Hours before a day, and days before a month, end where the longer one begins. */
        for (enum period up = period + 1; up < PERIODS_N; up++) {
            const int64_t begins = period_next(up, from);

            if (begins < end)
                end = begins;
        }
        if (n > 0 && ret[n - 1].period == period)
            ret[n - 1].until = end;
        else
            ret[n++] = (struct period_run){ period, from, end };
        from = end;
    }
    return n;
}
