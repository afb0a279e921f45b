#include "ctld/sim/reader.h"

#include <string.h>

#include "common/text/duration.h"
#include "common/text/words.h"

#define TIME_MAX_S INT64_C(3153600000) /* 100 years */

void reader_begin(struct reader *in, const char *line, const char *end)
{
    in->number++;
    in->line = in->at = in->begins = line;
    in->end = end;
}

void reader_clear(struct reader *in)
{
    free(in->word);
    in->word = NULL;
}

int reader_fail(const struct reader *in, const char *fmt, ...)
{
    AUTO(strbuf) struct strbuf text = { 0 };
    va_list args;

    va_start(args, fmt);
    strbuf_vaddf(&text, fmt, args);
    va_end(args);
    return err_set(in->err, E_SYNTAX, "%s:%u:%zu: %s", in->name, in->number,
                   (size_t)(in->begins - in->line) + 1, strbuf_text(&text));
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* Appends up to the closing quote, which must be there. */
static int take_quoted(struct reader *in, struct strbuf *word)
{
    const char quote = *in->at++;

    while (in->at < in->end && *in->at != quote)
        strbuf_addc(word, *in->at++);
    if (in->at == in->end)
        return reader_fail(in, "a quote is not closed");
    in->at++;
    return 0;
}

int reader_next(struct reader *in)
{
    AUTO(strbuf) struct strbuf word = { 0 };
    bool any;

    while (in->at < in->end && is_blank(*in->at))
        in->at++;
    in->begins = in->at;
    any = in->at < in->end && *in->at != '#';
    while (any && in->at < in->end && !is_blank(*in->at)) {
        if (*in->at != '"' && *in->at != '\'')
            strbuf_addc(&word, *in->at++);
        else if (take_quoted(in, &word) < 0)
            return -E_SYNTAX;
    }
    free(in->word);
    in->word = strbuf_steal(&word);
    return any;
}

int reader_need(struct reader *in, const char *what)
{
    int rc = reader_next(in);

    if (rc == 0)
        return reader_fail(in, "%s is missing", what);
    return rc < 0 ? rc : 0;
}

int reader_end(struct reader *in)
{
    int rc = reader_next(in);

    return rc > 0 ? reader_fail(in, "'%s': nothing more is expected here", in->word) : rc;
}

int reader_time(struct reader *in, const char *text, int64_t *ret_ms)
{
    uint64_t seconds = 0;
    int64_t length = 0;
    int rc;

    if (strpbrk(text, ":-")) {
        rc = duration_parse(text, &length, NULL);
        seconds = length >= 0 ? (uint64_t)length : UINT64_MAX;
    } else {
        rc = number_parse(text, 0, TIME_MAX_S, &seconds, NULL);
    }
    if (rc < 0 || seconds > (uint64_t)TIME_MAX_S)
        return reader_fail(in, "'%s' is no time: seconds, M:S, H:M:S or D-H:M:S up to 100 years",
                           text);
    *ret_ms = (int64_t)seconds * 1000;
    return 0;
}
