#include "help_text.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

int help_text_read(const char *command, struct strbuf *out, struct err *err)
{
    FILE *from = popen(command, "r");
    size_t n = 1;

    while (from && n > 0) {
        n = fread(strbuf_reserve(out, 4096), 1, 4096, from);
        strbuf_grown(out, n);
    }
    if (!from || pclose(from) != 0 || out->len == 0)
        return err_set(err, EINVAL, "'%s' prints no help", command);
    return 0;
}

struct line {
    const char *at; /* behind the indent */
    size_t n, indent;
};

/* The next line of *text; false: there is none. */
static bool next_line(const char **text, struct line *ret)
{
    const size_t length = strcspn(*text, "\n");

    if (!**text)
        return false;
    ret->indent = strspn(*text, " ");
    ret->at = *text + ret->indent;
    ret->n = ret->indent > length ? 0 : length - ret->indent;
    *text += length + ((*text)[length] == '\n');
    return true;
}

static size_t word_end(const struct line *line, size_t from)
{
    while (from < line->n && line->at[from] != ' ')
        from++;
    return from;
}

static bool is_capitals(const struct line *line, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) {
        if (!isupper((unsigned char)line->at[i]))
            return false;
    }
    return to > from;
}

/* How long "-a, --all=VALUE" or "-f FILE" is at the beginning of a line. */
static size_t option_length(const struct line *line)
{
    const size_t first = word_end(line, 0), second = word_end(line, first + 1);
    const bool has_names = line->at[first - 1] == ',';

    return has_names || (first == 2 && is_capitals(line, first + 1, second)) ? second : first;
}

/* How long what is typed is, where two blanks end it. */
static size_t typed_length(const struct line *line)
{
    for (size_t n = 0; n + 1 < line->n; n++) {
        if (line->at[n] == ' ' && line->at[n + 1] == ' ')
            return n;
    }
    return line->n;
}

/* The entry that begins with this line and goes on in those that are indented further. */
static void tell_entry(const struct line *line, size_t typed, const char **text, help_entry_fn *fn,
                       void *ctx)
{
    AUTO_FREE char *spec = xstrndup(line->at, typed);
    AUTO(strbuf) struct strbuf meaning = { 0 };
    const char *ahead = *text;
    struct line next;

    while (typed < line->n && line->at[typed] == ' ')
        typed++;
    strbuf_add(&meaning, line->at + typed, line->n - typed);
    while (next_line(&ahead, &next) && next.n > 0 && next.indent > line->indent + 6 &&
           *next.at != '-') {
        strbuf_addf(&meaning, "%s%.*s", meaning.len ? " " : "", (int)next.n, next.at);
        *text = ahead;
    }
    fn(spec, strbuf_text(&meaning), ctx);
}

void help_text_options(const char *text, help_entry_fn *fn, void *ctx)
{
    struct line line;

    while (next_line(&text, &line)) {
        if (line.indent >= 2 && line.n > 1 && *line.at == '-')
            tell_entry(&line, option_length(&line), &text, fn, ctx);
    }
}

void help_text_section(const char *text, const char *begins, help_entry_fn *fn, void *ctx)
{
    struct line line;
    bool inside = false;

    while (next_line(&text, &line)) {
        if (line.indent < 2)
            inside = line.n >= strlen(begins) && strncmp(line.at, begins, strlen(begins)) == 0;
        else if (inside)
            tell_entry(&line, typed_length(&line), &text, fn, ctx);
    }
}

void help_text_verbs(const char *text, help_entry_fn *fn, void *ctx)
{
    struct line line;

    while (next_line(&text, &line)) {
        AUTO(strbuf) struct strbuf spec = { 0 };

        if (line.indent != 2 || line.n == 0)
            continue;
        for (size_t i = 0; i < line.n; i++) { /* several blanks stand before the arguments */
            if (line.at[i] != ' ' || line.at[i + 1] != ' ')
                strbuf_addc(&spec, line.at[i]);
        }
        const struct line squeezed = { strbuf_text(&spec), spec.len, 2 };
        tell_entry(&squeezed, spec.len, &text, fn, ctx);
    }
}
