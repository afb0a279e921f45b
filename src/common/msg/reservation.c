#include "common/msg/reservation.h"

#include <string.h>
#include <strings.h>

#include "common/text/duration.h"

SCHEMA_DEFINE(reservation_part, RESERVATION_PART)
SCHEMA_DEFINE(reservation_record, RESERVATION_RECORD)
SCHEMA_DEFINE(reservation_words, RESERVATION_WORDS)
SCHEMA_DEFINE(reservation_ask, RESERVATION_ASK)
SCHEMA_DEFINE(reservation_change, RESERVATION_CHANGE)
SCHEMA_DEFINE(reservation_changed, RESERVATION_CHANGED)

/* In the order in which they are shown; `least`: so many letters of the word will do. */
static const struct {
    uint64_t flag;
    const char *word;
    size_t least;
} words[] = {
    { RESV_MAINT, "MAINT", 3 },
    { RESV_NO_HOLD_JOBS, "NO_HOLD_JOBS_AFTER", 1 },
    { RESV_OVERLAP, "OVERLAP", 1 },
    { RESV_FLEX, "FLEX", 2 },
    { RESV_IGNORE_JOBS, "IGNORE_JOBS", 1 },
    { RESV_HOURLY, "HOURLY", 1 },
    { RESV_DAILY, "DAILY", 1 },
    { RESV_WEEKDAY, "WEEKDAY", 5 },
    { RESV_WEEKEND, "WEEKEND", 5 },
    { RESV_WEEKLY, "WEEKLY", 5 },
    { RESV_SPEC_NODES, "SPEC_NODES", 2 },
    { RESV_ALL_NODES, "ALL_NODES", 2 },
    { RESV_ANY_NODES, "ANY_NODES", 1 },
    { RESV_STATIC_ALLOC, "STATIC_ALLOC", 2 },
    { RESV_PART_NODES, "PART_NODES", 2 },
    { RESV_FIRST_CORES, "FIRST_CORES", 2 },
    { RESV_TIME_FLOAT, "TIME_FLOAT", 1 },
    { RESV_REPLACE, "REPLACE", 7 },
    { RESV_REPLACE_DOWN, "REPLACE_DOWN", 8 },
    { RESV_PURGE_COMP, "PURGE_COMP", 2 },
    { RESV_MAGNETIC, "MAGNETIC", 3 },
    { RESV_USER_DELETE, "USER_DELETE", 2 },
    { RESV_LICENSE_ONLY, "LICENSE_ONLY", 1 },
    { RESV_FORCE_START, "FORCE_START", 3 },
};

const char *reservation_flag_word(uint64_t flag)
{
    for (size_t i = 0; i < ARRAY_N(words); i++) {
        if (words[i].flag == flag)
            return words[i].word;
    }
    return NULL;
}

uint64_t reservation_flag_read(const char *word, size_t n)
{
    for (size_t i = 0; i < ARRAY_N(words); i++) {
        if (n >= words[i].least && n <= strlen(words[i].word) &&
            strncasecmp(word, words[i].word, n) == 0)
            return words[i].flag;
    }
    return 0;
}

void reservation_flags_format(uint64_t flags, uint32_t purge_comp_s, struct strbuf *out)
{
    const size_t before = out->len;

    for (size_t i = 0; i < ARRAY_N(words); i++) {
        if (!(flags & words[i].flag))
            continue;
        if (out->len > before)
            strbuf_addc(out, ',');
        strbuf_adds(out, words[i].word);
        if (words[i].flag == RESV_PURGE_COMP) {
            strbuf_addc(out, '=');
            duration_format(out, purge_comp_s);
        }
    }
}
