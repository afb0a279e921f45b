#include "common/conf/age.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#include "common/text/words.h"

#define COUNT_MAX 100000u

static bool unit_of(const char *word, enum conf_age_unit *ret)
{
    static const struct {
        const char *word;
        enum conf_age_unit unit;
    } units[] = {
        { "", CONF_AGE_MONTHS },     { "month", CONF_AGE_MONTHS }, { "months", CONF_AGE_MONTHS },
        { "day", CONF_AGE_DAYS },    { "days", CONF_AGE_DAYS },    { "hour", CONF_AGE_HOURS },
        { "hours", CONF_AGE_HOURS },
    };

    for (size_t i = 0; i < ARRAY_N(units); i++) {
        if (word_is(word, units[i].word)) {
            *ret = units[i].unit;
            return true;
        }
    }
    return false;
}

int conf_age_parse(const char *text, struct conf_age *ret, struct err *err)
{
    size_t digits = strspn(text, "0123456789");
    AUTO_FREE char *number = xstrndup(text, digits);
    struct conf_age age = { 0 };
    uint64_t count = 0;

    if (number_parse(number, 1, COUNT_MAX, &count, NULL) < 0 || !unit_of(text + digits, &age.unit))
        return err_set(err, EINVAL, "'%.40s' is no age: 12 or 12months, 30days, 48hours", text);
    age.count = (uint32_t)count;
    *ret = age;
    return 0;
}

void conf_age_format(const struct conf_age *age, struct strbuf *out)
{
    static const char *const units[] = { "months", "days", "hours" };

    if (age->count)
        strbuf_addf(out, "%u %s", age->count, units[age->unit]);
    else
        strbuf_adds(out, "NONE");
}

int64_t conf_age_before(const struct conf_age *age, int64_t now)
{
    time_t t = (time_t)now;
    struct tm tm;

    if (!age->count || !localtime_r(&t, &tm))
        return 0;
    tm.tm_min = tm.tm_sec = 0;
    tm.tm_isdst = -1;
    if (age->unit != CONF_AGE_HOURS)
        tm.tm_hour = 0;
    if (age->unit == CONF_AGE_HOURS)
        return (int64_t)mktime(&tm) - (int64_t)age->count * 3600;
    if (age->unit == CONF_AGE_DAYS) {
        tm.tm_mday -= (int)age->count;
    } else {
        tm.tm_mday = 1;
        tm.tm_mon -= (int)age->count;
    }
    return (int64_t)mktime(&tm);
}
