#include "common/text/pattern.h"

#include <ctype.h>
#include <string.h>

#include "common/base/alloc.h"
#include "common/base/strbuf.h"
#include "common/text/jobid.h"

/* One symbol: '%', perhaps a width, a letter. */
struct symbol {
    int width;
    char letter; /* 0 at the end of the pattern */
    size_t n;    /* bytes in all */
};

static struct symbol symbol_at(const char *at)
{
    struct symbol symbol = { .n = 1 };

    while (isdigit((unsigned char)at[symbol.n])) {
        if (symbol.width < PATTERN_WIDTH_MAX)
            symbol.width = symbol.width * 10 + (at[symbol.n] - '0');
        symbol.n++;
    }
    if (symbol.width > PATTERN_WIDTH_MAX)
        symbol.width = PATTERN_WIDTH_MAX;
    symbol.letter = at[symbol.n];
    if (symbol.letter)
        symbol.n++;
    return symbol;
}

static bool add_number(struct strbuf *out, int width, uint32_t number)
{
    if (number == NO_VAL)
        return false;
    if (width)
        strbuf_addf(out, "%0*u", width, number);
    else
        strbuf_addu(out, number);
    return true;
}

static bool add_text(struct strbuf *out, const char *text)
{
    if (!text)
        return false;
    strbuf_adds(out, text);
    return true;
}

static bool add_step(struct strbuf *out, int width, uint32_t step)
{
    if (step == NO_VAL || step <= STEP_MAX)
        return add_number(out, width, step);
    step_id_format(out, step);
    return true;
}

/* Appends "128.0", where the width is the job's; only "128" outside of ordinary steps. */
static bool add_job_and_step(struct strbuf *out, int width, const struct pattern_values *values)
{
    if (!add_number(out, width, values->job))
        return false;
    if (values->step <= STEP_MAX)
        strbuf_addf(out, ".%u", values->step);
    return true;
}

/* Appends the value of a symbol; returns false when it is not known. */
static bool add_value(struct strbuf *out, const struct symbol *symbol,
                      const struct pattern_values *values)
{
    switch (symbol->letter) {
    case 'A':
        return add_number(out, symbol->width, values->array_job);
    case 'a':
        strbuf_addf(out, "%0*u", symbol->width, values->array_task);
        return true;
    case 'b':
        return add_number(out, symbol->width,
                          values->array_task == NO_VAL ? NO_VAL : values->array_task % 10);
    case 'J':
        return add_job_and_step(out, symbol->width, values);
    case 'j':
        return add_number(out, symbol->width, values->job);
    case 'N':
        return add_text(out, values->node_name);
    case 'n':
        return add_number(out, symbol->width, values->node);
    case 's':
        return add_step(out, symbol->width, values->step);
    case 't':
        return add_number(out, symbol->width, values->task);
    case 'u':
        return add_text(out, values->user_name);
    case 'x':
        return add_text(out, values->job_name);
    default:
        return false;
    }
}

static void add_unescaped(struct strbuf *out, const char *pattern)
{
    for (; *pattern; pattern++) {
        if (*pattern == '\\')
            pattern++;
        if (!*pattern)
            return;
        strbuf_addc(out, *pattern);
    }
}

static void add_expanded(struct strbuf *out, const char *pattern,
                         const struct pattern_values *values)
{
    while (*pattern && out->len <= PATTERN_RESULT_MAX) {
        struct symbol symbol = { .n = 1 };

        if (*pattern == '%')
            symbol = symbol_at(pattern);
        if (symbol.letter == '%' && symbol.n == 2)
            strbuf_addc(out, '%');
        else if (!add_value(out, &symbol, values))
            strbuf_add(out, pattern, symbol.n);
        pattern += symbol.n;
    }
}

int pattern_expand(const char *pattern, const struct pattern_values *values, char **ret_name,
                   struct err *err)
{
    AUTO(strbuf) struct strbuf out = { 0 };

    if (strlen(pattern) > PATTERN_RESULT_MAX)
        return err_set(err, E_TOO_BIG, "file name '%.80s...' is longer than %d bytes", pattern,
                       PATTERN_RESULT_MAX);
    if (strchr(pattern, '\\'))
        add_unescaped(&out, pattern);
    else
        add_expanded(&out, pattern, values);
    if (out.len > PATTERN_RESULT_MAX)
        return err_set(err, E_TOO_BIG, "file name '%.80s' becomes longer than %d bytes", pattern,
                       PATTERN_RESULT_MAX);
    *ret_name = strbuf_steal(&out);
    return 0;
}

bool pattern_has(const char *pattern, const char *letters)
{
    if (strchr(pattern, '\\'))
        return false;
    while ((pattern = strchr(pattern, '%'))) {
        struct symbol symbol = symbol_at(pattern);

        if (symbol.letter && strchr(letters, symbol.letter))
            return true;
        pattern += symbol.n;
    }
    return false;
}
