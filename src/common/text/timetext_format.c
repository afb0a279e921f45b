/* Prints moments. Reading them is the larger half, in timetext.c. */
#include "common/text/timetext.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>

#include "common/text/words.h"

#define MANNER_MAX 256 /* bytes in a strftime text */
#define RESULT_MAX 1024

static const char standard[] = "%Y-%m-%dT%H:%M:%S";

static bool is_standard(const char *manner)
{
    return !manner || !*manner || word_is(manner, "standard");
}

int time_format_check(const char *manner, struct err *err)
{
    if (is_standard(manner) || word_is(manner, "relative"))
        return 0;
    if (strlen(manner) > MANNER_MAX || !strchr(manner, '%'))
        return err_set(err, EINVAL, "invalid SLURM_TIME_FORMAT = '%.*s'", MANNER_MAX, manner);
    return 0;
}

/* Returns the days from the day of `now` to the day of `t`, by the calendar. */
static int64_t days_between(const struct tm *now, const struct tm *t)
{
    struct tm from = { .tm_year = now->tm_year, .tm_mon = now->tm_mon, .tm_mday = now->tm_mday };
    struct tm to = { .tm_year = t->tm_year, .tm_mon = t->tm_mon, .tm_mday = t->tm_mday };

    return (timegm(&to) - timegm(&from)) / 86400;
}

static const char *relative_manner(const struct tm *t, int64_t now_s)
{
    time_t clock = (time_t)now_s;
    struct tm now;
    int64_t days;

    if (!localtime_r(&clock, &now))
        return standard;
    days = days_between(&now, t);
    if (days == 0)
        return "%H:%M:%S";
    if (days == 1)
        return "Tomorr %H:%M";
    if (days == -1)
        return "Ystday %H:%M";
    if (days > 1 && days < 7)
        return "%a %H:%M";
    return t->tm_year == now.tm_year ? "%-d %b %H:%M" : "%-d %b %Y";
}

static const char *manner_for(const char *manner, const struct tm *t, int64_t now)
{
    if (is_standard(manner) || time_format_check(manner, NULL) < 0)
        return standard;
    return word_is(manner, "relative") ? relative_manner(t, now) : manner;
}

void time_format(struct strbuf *out, int64_t t, const char *manner, int64_t now, const char *unset)
{
    time_t clock = (time_t)t;
    struct tm tm;
    size_t n;

    if (t == 0) {
        strbuf_adds(out, unset);
        return;
    }
    if (!localtime_r(&clock, &tm)) { /* no calendar has this year */
        strbuf_addf(out, "%lld", (long long)t);
        return;
    }
    n = strftime(strbuf_reserve(out, RESULT_MAX), RESULT_MAX, manner_for(manner, &tm, now), &tm);
    if (n == 0)
        n = strftime(strbuf_reserve(out, RESULT_MAX), RESULT_MAX, standard, &tm);
    strbuf_grown(out, n);
}
