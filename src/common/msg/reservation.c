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

/*
 * In the order in which they are shown; a word that was cut short is the first that fits. `least`:
 * so many letters of the word will do; 0: nobody may ask for it.
 */
static const struct {
    uint64_t flag; /* LICENSE_ONLY is another word for ANY_NODES */
    const char *word;
    size_t least;
    const char *shown; /* NULL: as the word */
} words[] = {
    { RESV_MAINT, "MAINT", 3, NULL },
    { RESV_FLEX, "FLEX", 1, NULL },
    { RESV_OVERLAP, "OVERLAP", 1, NULL },
    { RESV_IGNORE_JOBS, "IGNORE_JOBS", 1, NULL },
    { RESV_HOURLY, "HOURLY", 1, NULL },
    { RESV_DAILY, "DAILY", 1, NULL },
    { RESV_WEEKDAY, "WEEKDAY", 1, NULL },
    { RESV_WEEKEND, "WEEKEND", 5, NULL },
    { RESV_WEEKLY, "WEEKLY", 5, NULL },
    { RESV_SPEC_NODES, "SPEC_NODES", 0, NULL },
    { RESV_ALL_NODES, "ALL_NODES", 0, NULL },
    { RESV_ANY_NODES, "ANY_NODES", 1, NULL },
    { RESV_LICENSE_ONLY | RESV_ANY_NODES, "LICENSE_ONLY", 1, "ANY_NODES" },
    { RESV_STATIC_ALLOC, "STATIC_ALLOC", 1, "STATIC" },
    { RESV_PART_NODES, "PART_NODES", 2, NULL },
    { RESV_FIRST_CORES, "FIRST_CORES", 2, NULL },
    { RESV_TIME_FLOAT, "TIME_FLOAT", 1, NULL },
    { RESV_REPLACE, "REPLACE", 1, NULL },
    { RESV_REPLACE_DOWN, "REPLACE_DOWN", 8, NULL },
    { RESV_PURGE_COMP, "PURGE_COMP", 2, NULL },
    { RESV_NO_HOLD_JOBS, "NO_HOLD_JOBS_AFTER_END", 1, NULL },
    { RESV_MAGNETIC, "MAGNETIC", 3, NULL },
    { RESV_USER_DELETE, "USER_DELETE", 1, NULL },
    { RESV_FORCE_START, "FORCE_START", 2, NULL },
};

static const char *shown_at(size_t i)
{
    return words[i].shown ? words[i].shown : words[i].word;
}

const char *reservation_flag_word(uint64_t flag)
{
    for (size_t i = 0; i < ARRAY_N(words); i++) {
        if (words[i].flag & flag)
            return shown_at(i);
    }
    return NULL;
}

uint64_t reservation_flag_read(const char *word, size_t n)
{
    for (size_t i = 0; i < ARRAY_N(words); i++) {
        if (words[i].least && n >= words[i].least && n <= strlen(words[i].word) &&
            strncasecmp(word, words[i].word, n) == 0)
            return words[i].flag;
    }
    return 0;
}

void reservation_flags_each(uint64_t flags, void (*take)(void *ctx, const char *word), void *ctx)
{
    const char *last = "";

    for (size_t i = 0; i < ARRAY_N(words); i++) {
        if (!(flags & words[i].flag) || strcmp(last, shown_at(i)) == 0)
            continue;
        last = shown_at(i);
        take(ctx, last);
    }
}

struct flags_text {
    struct strbuf *out;
    size_t begin;
    uint32_t purge_comp_s;
};

static void add_flag(void *ctx, const char *word)
{
    const struct flags_text *text = ctx;

    if (text->out->len > text->begin)
        strbuf_addc(text->out, ',');
    strbuf_adds(text->out, word);
    if (word == reservation_flag_word(RESV_PURGE_COMP)) {
        strbuf_addc(text->out, '=');
        duration_format(text->out, text->purge_comp_s);
    }
}

void reservation_flags_format(uint64_t flags, uint32_t purge_comp_s, struct strbuf *out)
{
    struct flags_text text = { out, out->len, purge_comp_s };

    reservation_flags_each(flags, add_flag, &text);
}
