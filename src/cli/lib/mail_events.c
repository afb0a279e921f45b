#include "cli/lib/mail_events.h"

#include <errno.h>

#include "common/text/words.h"

/* Words in the order in which Slurm shows them. */
static const char *const names[] = {
    "ARRAY_TASKS", "INVALID_DEPEND", "BEGIN",         "END",           "FAIL",       "REQUEUE",
    "STAGE_OUT",   "TIME_LIMIT_50",  "TIME_LIMIT_80", "TIME_LIMIT_90", "TIME_LIMIT",
};
#define MAIL_ALL 0x7eu /* all but ARRAY_TASKS and those of the time limit */

int mail_events_read(const char *text, uint32_t *events)
{
    AUTO(words) struct words words = words_split(text, ",");
    bool none = false;

    for (uint32_t i = 0; i < words.n; i++) {
        size_t event = 0;

        while (event < ARRAY_N(names) && !word_is(words.at[i], names[event]))
            event++;
        if (event < ARRAY_N(names))
            *events |= 1u << event;
        else if (word_is(words.at[i], "ALL"))
            *events |= MAIL_ALL;
        else if (word_is(words.at[i], "NONE"))
            none = true;
        else
            return -EINVAL;
    }
    if (none)
        *events = 0;
    return 0;
}

void mail_events_format(uint32_t events, struct strbuf *out)
{
    const size_t begin = out->len;

    for (size_t i = 0; i < ARRAY_N(names); i++) {
        if (events & (1u << i))
            strbuf_addf(out, "%s%s", out->len > begin ? "," : "", names[i]);
    }
}
