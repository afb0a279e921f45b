#include "cli/sreport/units.h"

#include "cli/sacctmgr/words.h"

/* Letters and digits of "(100.00%)", which stand behind an amount. */
#define PERCENT_WIDTH 9

int unit_find(const char *word)
{
    static const struct acct_key words[] = {
        { "SecPer", 6, UNIT_SECONDS_PERCENT }, { "MinPer", 6, UNIT_MINUTES_PERCENT },
        { "HourPer", 6, UNIT_HOURS_PERCENT },  { "Seconds", 1, UNIT_SECONDS },
        { "Minutes", 1, UNIT_MINUTES },        { "Hours", 1, UNIT_HOURS },
        { "Percent", 1, UNIT_PERCENT },
    };

    return acct_key_find(words, ARRAY_N(words), word);
}

const char *unit_name(enum unit unit)
{
    static const char *const names[] = {
        [UNIT_SECONDS] = "Seconds",
        [UNIT_MINUTES] = "Minutes",
        [UNIT_HOURS] = "Hours",
        [UNIT_PERCENT] = "Percentage of Total",
        [UNIT_SECONDS_PERCENT] = "Seconds/Percentage of Total",
        [UNIT_MINUTES_PERCENT] = "Minutes/Percentage of Total",
        [UNIT_HOURS_PERCENT] = "Hours/Percentage of Total",
    };

    return names[unit];
}

bool unit_has_percent(enum unit unit)
{
    return unit >= UNIT_PERCENT;
}

void unit_format_percent(uint64_t part, uint64_t whole, struct strbuf *out)
{
    strbuf_addf(out, "%.2f%%", whole ? 100.0 * (double)part / (double)whole : 0.0);
}

void unit_format(enum unit unit, uint64_t seconds, uint64_t whole, struct strbuf *out)
{
    static const double sizes[] = {
        [UNIT_SECONDS] = 1,         [UNIT_MINUTES] = 60,        [UNIT_HOURS] = 3600,
        [UNIT_PERCENT] = 0,         [UNIT_SECONDS_PERCENT] = 1, [UNIT_MINUTES_PERCENT] = 60,
        [UNIT_HOURS_PERCENT] = 3600
    };

    if (unit == UNIT_PERCENT) {
        unit_format_percent(seconds, whole, out);
        return;
    }
    strbuf_addf(out, "%.0f", (double)seconds / sizes[unit]);
    if (!unit_has_percent(unit))
        return;
    strbuf_addc(out, '(');
    unit_format_percent(seconds, whole, out);
    strbuf_addc(out, ')');
}

uint32_t unit_width(enum unit unit, uint32_t least, uint32_t digits)
{
    const uint32_t width = digits > least ? digits : least;

    return unit > UNIT_PERCENT ? width + PERCENT_WIDTH : width;
}
