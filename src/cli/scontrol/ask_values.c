/* ask_values.c - one value of a reservation, by the kind of its key. */
#include "cli/scontrol/ask_values.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "common/text/duration.h"
#include "common/text/timetext.h"
#include "common/text/words.h"

#define TEXT_MAX 400 /* bytes of what was typed that an error repeats */

int ask_refuse(const struct asking *asking, struct err *err, const char *fmt, ...)
{
    char text[TEXT_MAX];
    va_list args;

    va_start(args, fmt);
    vsnprintf(text, sizeof(text), fmt, args);
    va_end(args);
    return err_set(err, EINVAL, "scontrol: error: %s  No reservation %s.", text,
                   asking->is_new ? "created" : "update");
}

static void *place_of(const struct asking *asking, size_t member)
{
    return (char *)asking->ask + member;
}

int ask_read_text(struct asking *asking, size_t member, struct err *err)
{
    (void)err;
    xstrset(place_of(asking, member), asking->value);
    return 0;
}

/* ---- times ---- */

int ask_read_time(struct asking *asking, size_t member, struct err *err)
{
    const char *what = member == offsetof(struct reservation_ask, start) ? "start" : "end";

    if (time_parse(asking->value, asking->now, place_of(asking, member), NULL) == 0)
        return 0;
    return err_set(err, E_TIME_VALUE,
                   "Invalid time specification (pos=0): %.100s\n"
                   "scontrol: error: Invalid %s time %.120s.  No reservation %s.",
                   asking->value, what, asking->pair, asking->is_new ? "created" : "update");
}

static int refuse_duration(const struct asking *asking, struct err *err)
{
    return ask_refuse(asking, err, "Invalid duration %.200s.", asking->pair);
}

int ask_read_duration(struct asking *asking, size_t member, struct err *err)
{
    int64_t seconds;

    if (duration_parse(asking->value, &seconds, NULL) < 0)
        return refuse_duration(asking, err);
    *(int64_t *)place_of(asking, member) =
        seconds < 0 ? LIMIT_INFINITE : duration_round_up(seconds);
    if (!asking->is_new)
        asking->ask->duration_how = asking->how;
    return 0;
}

int ask_read_delay(struct asking *asking, size_t member, struct err *err)
{
    int64_t seconds;

    if (duration_parse(asking->value, &seconds, NULL) < 0 || seconds < 0 ||
        seconds >= COUNT_INFINITE)
        return refuse_duration(asking, err);
    *(uint32_t *)place_of(asking, member) = (uint32_t)seconds;
    return 0;
}

int ask_read_purge(struct asking *asking, size_t member, struct err *err)
{
    const int rc = ask_read_delay(asking, member, err);

    if (rc == 0)
        asking->ask->flags |= RESV_PURGE_COMP;
    return rc;
}

/* ---- flags ---- */

/* What can be taken from a reservation again. */
#define REMOVABLE                                                                                  \
    (RESV_MAINT | RESV_FLEX | RESV_IGNORE_JOBS | RESV_COMES_AGAIN | RESV_ANY_NODES |               \
     RESV_LICENSE_ONLY | RESV_STATIC_ALLOC | RESV_PART_NODES | RESV_PURGE_COMP | RESV_MAGNETIC |   \
     RESV_USER_DELETE)

/* Reads "word", "+word", "-word", or "PURGE_COMP=time". Returns false where it is none. */
static bool read_flag(const struct asking *asking, const char *text)
{
    struct reservation_ask *ask = asking->ask;
    const bool is_less = *text == '-';
    const char *word = text + (*text == '-' || *text == '+');
    const size_t n = strcspn(word, "=");
    const uint64_t flag = reservation_flag_read(word, n);
    int64_t seconds;

    if (!flag || (is_less && !(flag & REMOVABLE)) || (word[n] && flag != RESV_PURGE_COMP) ||
        (!asking->is_new && flag == RESV_TIME_FLOAT))
        return false;
    if (is_less) {
        ask->flags_less |= flag;
        return true;
    }
    ask->flags |= flag;
    if (!word[n] || !word[n + 1])
        return true;
    if (duration_parse(word + n + 1, &seconds, NULL) == 0 && seconds >= 0 &&
        seconds < COUNT_INFINITE)
        ask->purge_comp_s = (uint32_t)seconds; /* else it has that of the word alone, as in Slurm */
    return true;
}

/* Appends the words with the sign of "+=" or "-=" before each. */
static void spell_flags(const struct asking *asking, struct strbuf *out)
{
    static const char *const signs[] = { [RESV_SET] = "", [RESV_MORE] = "+", [RESV_LESS] = "-" };
    const char *sign = signs[asking->how];

    strbuf_adds(out, *asking->value ? sign : "");
    for (const char *at = asking->value; *at; at++) {
        strbuf_addc(out, *at);
        if (*at == ',')
            strbuf_adds(out, sign);
    }
}

int ask_read_flags(struct asking *asking, size_t member, struct err *err)
{
    AUTO(strbuf) struct strbuf spelt = { 0 };
    const char *at;

    (void)member;
    spell_flags(asking, &spelt);
    for (at = strbuf_text(&spelt); *at;) {
        const size_t n = strcspn(at, ",");
        AUTO_FREE char *word = xstrndup(at, n);

        if (!read_flag(asking, word))
            return ask_refuse(asking, err, "Error parsing flags %.200s.", strbuf_text(&spelt));
        at += n + (at[n] == ',');
    }
    return 0;
}

/* ---- lists of names ---- */

static struct reservation_words *words_of(struct asking *asking, size_t member)
{
    struct reservation_words **words = place_of(asking, member);

    if (!*words) {
        *words = xmalloc(sizeof(**words));
        reservation_words_init(*words);
    }
    return *words;
}

int ask_read_nodes(struct asking *asking, size_t member, struct err *err)
{
    struct reservation_words *words;

    if (asking->is_new && asking->how != RESV_SET)
        return ask_refuse(asking, err, "The +=/-= notation is not supported when updating nodes.");
    words = words_of(asking, member);
    words->how = asking->how;
    xstrset(&words->words, asking->value);
    return 0;
}

/* Appends the words, each with '-' before it: all but these. */
static void add_excluded(const char *list, struct strbuf *out)
{
    AUTO(words) struct words words = words_split(list, ",");

    for (uint32_t i = 0; i < words.n; i++)
        strbuf_addf(out, "%s-%s", i ? "," : "", words.at[i]);
}

/* Reads a list; a new reservation has none that could become longer, and -= names who is shut out.
 */
int ask_read_words(struct asking *asking, size_t member, struct err *err)
{
    AUTO(strbuf) struct strbuf list = { 0 };
    struct reservation_words *words;

    if (*(struct reservation_words **)place_of(asking, member))
        return err_set(err, EINVAL, "scontrol: error: Parameter %.200s specified more than once",
                       asking->pair);
    words = words_of(asking, member);
    if (asking->is_new && asking->how == RESV_LESS)
        add_excluded(asking->value, &list);
    else
        strbuf_adds(&list, asking->value);
    words->words = strbuf_steal(&list);
    words->how = asking->is_new ? RESV_SET : asking->how;
    return 0;
}
