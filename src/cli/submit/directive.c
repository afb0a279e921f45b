#include "cli/submit/directive.h"

#include <string.h>

struct line {
    const char *at;
    const char *end;
    uint32_t number;
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\v' || c == '\f' || c == '\r';
}

static void skip_blanks(struct line *line)
{
    while (line->at < line->end && is_blank(*line->at))
        line->at++;
}

/* Reads what stands between quotes; line->at is at the opening one. */
static int read_quoted(struct line *line, struct strbuf *word, struct err *err)
{
    const char *begin = line->at;
    char quote = *line->at++;

    while (line->at < line->end && *line->at != quote) {
        if (*line->at == '\\' && line->at + 1 < line->end) {
            line->at++;
            if (quote == '\'')
                continue; /* is dropped, and protects nothing */
        }
        strbuf_addc(word, *line->at++);
    }
    if (line->at == line->end)
        return err_set(err, E_SYNTAX, "line %u: Unmatched `%c` in [%.*s]", line->number, quote,
                       (int)(line->end - begin < 100 ? line->end - begin : 100), begin);
    line->at++;
    return 0;
}

/* Reads the next word; returns 0 when the line, or what is not comment in it, is over. */
static int next_word(struct line *line, struct strbuf *word, struct err *err)
{
    skip_blanks(line);
    if (line->at == line->end || *line->at == '#')
        return 0;
    while (line->at < line->end && !is_blank(*line->at) && *line->at != '#') {
        if (*line->at == '"' || *line->at == '\'') {
            int rc = read_quoted(line, word, err);
            if (rc < 0)
                return rc;
            continue;
        }
        if (*line->at == '\\' && (++line->at == line->end || is_blank(*line->at)))
            break; /* a blank ends the word all the same */
        strbuf_addc(word, *line->at++);
    }
    return 1;
}

static void directive_clear(struct directive *directive)
{
    for (uint32_t i = 0; i < directive->words_n; i++)
        free(directive->words[i]);
    free(directive->words);
}

static int read_words(struct line *line, struct directive *directive, struct err *err)
{
    *ARRAY_PUSH(directive->words, directive->words_n) = xstrdup("");
    for (;;) {
        AUTO(strbuf) struct strbuf word = { 0 };

        int rc = next_word(line, &word, err);
        if (rc < 0)
            return rc;
        if (rc == 0)
            break;
        if (directive->words_n > DIRECTIVE_WORDS_MAX)
            return err_set(err, E_TOO_BIG, "line %u: more than %d words", line->number,
                           DIRECTIVE_WORDS_MAX);
        *ARRAY_PUSH(directive->words, directive->words_n) = strbuf_steal(&word);
    }
    *ARRAY_PUSH(directive->words, directive->words_n) = NULL;
    directive->words_n--;
    return 0;
}

static int add_line(struct directives *directives, struct line line, const char *magic,
                    struct err *err)
{
    struct directive directive = { .line = line.number };
    int rc;

    if (line.end - line.at > (ptrdiff_t)DIRECTIVE_LINE_MAX)
        return err_set(err, E_TOO_BIG, "line %u: longer than %u bytes", line.number,
                       DIRECTIVE_LINE_MAX);
    if (directives->n == DIRECTIVES_MAX)
        return err_set(err, E_TOO_BIG, "line %u: more than %d %s lines", line.number,
                       DIRECTIVES_MAX, magic);
    line.at += strlen(magic);
    rc = read_words(&line, &directive, err);
    if (rc < 0)
        directive_clear(&directive);
    else
        *ARRAY_PUSH(directives->at, directives->n) = directive;
    return rc;
}

static bool starts_with(const struct line *line, const char *text)
{
    const size_t n = strlen(text);

    return (size_t)(line->end - line->at) >= n && memcmp(line->at, text, n) == 0;
}

/* True if a command stands here, so that the directives are over. */
static bool is_command(struct line line)
{
    skip_blanks(&line);
    return line.at < line.end && *line.at != '#';
}

static int read_lines(const char *script, size_t n, const char *magic,
                      struct directives *directives, struct err *err)
{
    const char *end = script + n;
    struct line line = { .at = script };

    for (; line.at < end; line.at = line.end + 1) {
        int rc = 0;

        line.end = memchr(line.at, '\n', (size_t)(end - line.at));
        if (!line.end)
            line.end = end;
        line.number++;
        if (is_command(line))
            break;
        if (starts_with(&line, magic))
            rc = add_line(directives, line, magic, err);
        if (rc < 0)
            return rc;
    }
    return 0;
}

int directives_parse(const char *script, size_t n, const char *magic,
                     struct directives *ret_directives, struct err *err)
{
    struct directives directives = { 0 };

    int rc = read_lines(script, n, magic, &directives, err);
    if (rc < 0)
        directives_clear(&directives);
    else
        *ret_directives = directives;
    return rc;
}

void directives_clear(struct directives *directives)
{
    for (uint32_t i = 0; i < directives->n; i++)
        directive_clear(&directives->at[i]);
    free(directives->at);
    memset(directives, 0, sizeof(*directives));
}

void directives_auto_(struct directives *directives)
{
    directives_clear(directives);
}
