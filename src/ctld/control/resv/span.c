#include "ctld/control/resv/span.h"

#include <time.h>

#define HOUR_S INT64_C(3600)
#define YEAR_S (INT64_C(366) * 24 * HOUR_S)

enum { SUNDAY = 0, SATURDAY = 6, DAYS_OF_WEEK = 7 };

static struct tm local(int64_t t)
{
    const time_t moment = (time_t)t;
    struct tm tm = { 0 };

    localtime_r(&moment, &tm);
    return tm;
}

/* Returns the same hour of the day, so many days later. */
static int64_t days_later(int64_t t, int64_t days)
{
    struct tm tm = local(t);

    tm.tm_mday += (int)days;
    tm.tm_isdst = -1;
    return (int64_t)mktime(&tm);
}

static bool is_weekend(int64_t t)
{
    const int day = local(t).tm_wday;

    return day == SUNDAY || day == SATURDAY;
}

/* Returns whether the flags let it come on the day of the moment. */
static bool comes_on(uint64_t flags, int64_t t)
{
    if (flags & (RESV_DAILY | RESV_WEEKLY))
        return true;
    return is_weekend(t) ? flags & RESV_WEEKEND : flags & RESV_WEEKDAY;
}

static int64_t next_day(const struct reservation_record *resv, int64_t first, int64_t after)
{
    const bool weekly = !(resv->flags & (RESV_DAILY | RESV_WEEKDAY | RESV_WEEKEND));
    const int64_t step = weekly ? DAYS_OF_WEEK : 1;
    int64_t days = after > first ? (after - first) / (24 * HOUR_S) / step * step : 0;
    int64_t next = days_later(first, days);

    while (next <= after || !comes_on(resv->flags, next)) {
        days += step;
        next = days_later(first, days);
    }
    return next;
}

int64_t resv_next_start(const struct reservation_record *resv, int64_t after)
{
    const int64_t first = resv->first_start ? resv->first_start : resv->start;

    if (!(resv->flags & RESV_COMES_AGAIN))
        return 0;
    if (resv->flags & RESV_HOURLY)
        return after < first ? first : first + ((after - first) / HOUR_S + 1) * HOUR_S;
    return next_day(resv, first, after);
}

struct resv_times resv_times_begin(const struct reservation_record *resv)
{
    return (struct resv_times){ .resv = resv };
}

bool resv_times_next(struct resv_times *times, int64_t until)
{
    const struct reservation_record *resv = times->resv;
    const int64_t start = times->start == 0 ? resv->start : resv_next_start(resv, times->start);

    if (start == 0 || start >= until)
        return false;
    times->start = start;
    times->end = start + resv_length(resv);
    return true;
}

bool resv_times_meet(const struct reservation_record *a, const struct reservation_record *b)
{
    struct resv_times of_a = resv_times_begin(a), of_b = resv_times_begin(b);
    const int64_t until = (a->start > b->start ? a->start : b->start) + YEAR_S;
    bool more = resv_times_next(&of_a, until) && resv_times_next(&of_b, until);

    while (more) {
        if (of_a.start < of_b.end && of_b.start < of_a.end)
            return true;
        more = of_a.end <= of_b.end ? resv_times_next(&of_a, until) : resv_times_next(&of_b, until);
    }
    return false;
}
