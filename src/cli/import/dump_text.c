#include "cli/import/dump_text.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "cli/import/dump.h"
#include "common/base/alloc.h"
#include "common/base/minmax.h"

#define BUFFER_SIZE (256u << 10)

void dump_text_init(struct dump_text *text, int fd, const char *name)
{
    *text = (struct dump_text){
        .fd = fd, .name = xstrdup(name), .buffer = xmalloc(BUFFER_SIZE), .line = 1
    };
}

void dump_text_clear(struct dump_text *text)
{
    free(text->name);
    free(text->buffer);
}

void dump_text_seek(struct dump_text *text, uint64_t offset, uint64_t line)
{
    text->line = line;
    if (offset >= text->base && offset <= text->base + text->n) {
        text->at = (size_t)(offset - text->base);
        return;
    }
    text->base = offset;
    text->n = text->at = 0;
}

uint64_t dump_text_offset(const struct dump_text *text)
{
    return text->base + text->at;
}

int dump_text_fail(struct dump_text *text, struct err *err, const char *format, ...)
{
    AUTO(strbuf) struct strbuf what = { 0 };
    va_list args;

    if (text->failed)
        return dump_text_failed(text, err);
    va_start(args, format);
    strbuf_vaddf(&what, format, args);
    va_end(args);
    return err_set(err, EILSEQ, "%s, line %llu: %s", text->name, (unsigned long long)text->line,
                   strbuf_text(&what));
}

int dump_text_failed(struct dump_text *text, struct err *err)
{
    return err_set(err, text->failed, "cannot read %s: %s", text->name, strerror(text->failed));
}

bool dump_text_fill(struct dump_text *text)
{
    ssize_t n;

    text->base += text->n;
    text->n = text->at = 0;
    do {
        n = pread(text->fd, text->buffer, BUFFER_SIZE, (off_t)text->base);
    } while (n < 0 && errno == EINTR);
    if (n < 0)
        text->failed = errno;
    text->n = n > 0 ? (size_t)n : 0;
    return n > 0;
}

/* ---- what was packed ---- */

static const struct {
    const char *magic; /* first bytes of such a file */
    const char *name, *program;
} packings[] = {
    { "\x1f\x8b", "gzip", "zcat" },
    { "\xfd"
      "7zXZ",
      "xz", "xzcat" },
    { "\x28\xb5\x2f\xfd", "zstd", "zstdcat" },
    { "BZh", "bzip2", "bzcat" },
    { "\x04\x22\x4d\x18", "lz4", "lz4cat" },
    { "PK\x03\x04", "zip", "unzip -p" },
};

int dump_text_check(struct dump_text *text, struct err *err)
{
    if (text->at == text->n)
        dump_text_fill(text);
    for (size_t i = 0; i < ARRAY_N(packings); i++) {
        const size_t n = strlen(packings[i].magic);

        if (text->n >= n && memcmp(text->buffer, packings[i].magic, n) == 0)
            return err_set(err, EILSEQ,
                           "%s: it is packed by %s: unpack it first, or read it from a pipe, "
                           "%s FILE | ... -",
                           text->name, packings[i].name, packings[i].program);
    }
    return 0;
}

static int cut(struct dump_text *text, const char *what, struct err *err)
{
    if (text->failed)
        return dump_text_failed(text, err);
    return err_set(err, EPIPE, "%s, line %llu: it was cut: it ends in the middle of %s", text->name,
                   (unsigned long long)text->line, what);
}

/* ---- blanks and comments ---- */

void dump_text_skip_blanks(struct dump_text *text)
{
    int c;

    while ((c = dump_text_peek(text)) == ' ' || c == '\n' || c == '\t' || c == '\r')
        dump_text_get(text);
}

void dump_text_rest_of_line(struct dump_text *text, char *ret, size_t size)
{
    size_t n = 0;
    int c;

    while ((c = dump_text_get(text)) >= 0 && c != '\n') {
        if (n + 1 < size && (n > 0 || c != ' ') && c != '\r')
            ret[n++] = (char)c;
    }
    while (n > 0 && ret[n - 1] == ' ')
        n--;
    ret[n] = '\0';
}

/* Passes over the rest of a line that is a comment, and notes what mysqldump says of the file. */
static void skip_line(struct dump_text *text)
{
    char line[40];

    dump_text_rest_of_line(text, line, sizeof(line));
    if (strncmp(line, "MySQL dump ", 11) == 0 || strncmp(line, "MariaDB dump ", 13) == 0)
        text->has_head = true;
    else if (strncmp(line, "Dump completed", 14) == 0)
        text->has_tail = true;
}

/* Passes over the rest of a comment, also of one with a statement in it that is for a server. */
static int skip_block(struct dump_text *text, struct err *err)
{
    int c, last = 0;

    while ((c = dump_text_get(text)) >= 0) {
        if (last == '*' && c == '/')
            return 0;
        last = c;
    }
    return cut(text, "a comment", err);
}

int dump_text_skip_comments(struct dump_text *text, struct err *err)
{
    for (;;) {
        int c, rc = 0;

        dump_text_skip_blanks(text);
        c = dump_text_peek(text);
        if (c != '-' && c != '#' && c != '/' && c != ';')
            return 0;
        dump_text_get(text);
        if (c == ';')
            continue;
        if (c == '#' || (c == '-' && dump_text_peek(text) == '-')) {
            if (c == '-')
                dump_text_get(text);
            skip_line(text);
        } else if (c == '/' && dump_text_peek(text) == '*') {
            dump_text_get(text);
            rc = skip_block(text, err);
        } else {
            rc = dump_text_fail(text, err, "'%c' begins no statement", c);
        }
        if (rc < 0)
            return rc;
    }
}

/* ---- words and names ---- */

static bool is_of_name(int c)
{
    return isalnum(c) || c == '_' || c == '$' || c >= 0x80;
}

/* Makes sure that so many bytes are in the buffer, where the file has them. */
static void need(struct dump_text *text, size_t n)
{
    size_t left = text->n - text->at;
    ssize_t more;

    if (left >= n)
        return;
    memmove(text->buffer, text->buffer + text->at, left);
    text->base += text->at;
    text->at = 0;
    text->n = left;
    while (text->n < n && (more = pread(text->fd, text->buffer + text->n, BUFFER_SIZE - text->n,
                                        (off_t)(text->base + text->n))) > 0)
        text->n += (size_t)more;
}

bool dump_text_word(struct dump_text *text, const char *word)
{
    const size_t n = strlen(word);

    need(text, n + 1);
    if (text->n - text->at < n || strncasecmp(text->buffer + text->at, word, n) != 0)
        return false;
    if (text->n - text->at > n && is_of_name((unsigned char)text->buffer[text->at + n]))
        return false;
    text->at += n;
    dump_text_skip_blanks(text);
    return true;
}

static int add_to_name(struct dump_text *text, char *name, size_t *n, int c, struct err *err)
{
    if (*n + 1 == DUMP_NAME_MAX)
        return dump_text_fail(text, err, "a name of more than %d bytes", DUMP_NAME_MAX - 1);
    name[(*n)++] = (char)c;
    return 0;
}

int dump_text_name(struct dump_text *text, char *ret, struct err *err)
{
    const int quote = dump_text_peek(text);
    const bool is_quoted = quote == '`' || quote == '"';
    size_t n = 0;
    int c, rc = 0;

    if (is_quoted)
        dump_text_get(text);
    while (rc == 0 && (c = dump_text_peek(text)) >= 0 && (is_quoted || is_of_name(c))) {
        dump_text_get(text);
        if (is_quoted && c == quote) {
            if (dump_text_peek(text) != quote)
                break;
            dump_text_get(text);
        }
        rc = add_to_name(text, ret, &n, c, err);
    }
    ret[n] = '\0';
    if (rc == 0 && n == 0)
        rc = dump_text_peek(text) < 0 ? cut(text, "a statement", err)
                                      : dump_text_fail(text, err, "a name is missing");
    return rc;
}

/* ---- values ---- */

static void add_byte(struct dump_value *value, size_t start, int c)
{
    if (value->bytes->len - start < value->max)
        strbuf_addc(value->bytes, (char)c);
    else
        value->is_cut = true;
}

static bool ends_plain_run(char c)
{
    return c == ',' || c == ')' || c == ' ' || c == '\n' || c == '\'' || c == '(' || c == ';';
}

static bool ends_string_run(char c)
{
    return c == '\'' || c == '"' || c == '\\' || c == '\n';
}

/* Takes bytes that mean themselves as far as the buffer has them, and no more than `room`. What
 * comes then is looked at byte by byte. */
static inline void take_run(struct dump_text *text, struct dump_value *value, size_t room,
                            bool ends(char))
{
    const char *from = text->buffer + text->at;
    const size_t left = text->n - text->at, most = MIN(left, room);
    size_t n = 0;

    while (n < most && !ends(from[n]))
        n++;
    strbuf_add(value->bytes, from, n);
    text->at += n;
}

/* Returns how many bytes the value may still have. */
static size_t room_of(const struct dump_value *value, size_t start, size_t max)
{
    const size_t n = value->bytes->len - start;

    return n < max ? max - n : 0;
}

/* Returns the byte that is written so behind a backslash. */
static int escaped(int c)
{
    switch (c) {
    case '0':
        return '\0';
    case 'n':
        return '\n';
    case 'r':
        return '\r';
    case 't':
        return '\t';
    case 'b':
        return '\b';
    case 'Z':
        return 26;
    default:
        return c;
    }
}

/* Reads the rest of a text, whose first quote was taken. Two quotes are one. */
static int read_string(struct dump_text *text, struct dump_value *value, int quote, struct err *err)
{
    const size_t start = value->bytes->len;
    int c;

    for (;;) {
        take_run(text, value, room_of(value, start, value->max), ends_string_run);
        c = dump_text_get(text);
        if (c < 0)
            break;
        if (c == '\\') {
            c = dump_text_get(text);
            if (c < 0)
                break;
            add_byte(value, start, escaped(c));
            continue;
        }
        if (c == quote) {
            if (dump_text_peek(text) != quote)
                return 0;
            dump_text_get(text);
        }
        add_byte(value, start, c);
    }
    return cut(text, "a text", err);
}

int dump_hex_digit(int c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c = tolower(c);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Reads digits in pairs. */
static int read_hex(struct dump_text *text, struct dump_value *value, struct err *err)
{
    const size_t start = value->bytes->len;
    int high;

    while ((high = dump_hex_digit(dump_text_peek(text))) >= 0) {
        int low;

        dump_text_get(text);
        low = dump_hex_digit(dump_text_get(text));
        if (low < 0)
            return dump_text_fail(text, err, "a hexadecimal value with an odd number of digits");
        add_byte(value, start, high << 4 | low);
    }
    return 0;
}

/* Reads a number, or a word such as NULL. */
static int read_plain(struct dump_text *text, struct dump_value *value, struct err *err)
{
    const size_t start = value->bytes->len;
    int c;

    take_run(text, value, DUMP_NAME_MAX, ends_plain_run);
    while ((c = dump_text_peek(text)) >= 0 && c != ',' && c != ')' && c != ' ' && c != '\n' &&
           c != '\'') {
        if (c == '(' || c == ';' || value->bytes->len - start > DUMP_NAME_MAX)
            return dump_text_fail(text, err, "what stands in place of a value is none");
        dump_text_get(text);
        add_byte(value, start, c);
    }
    if (c < 0)
        return cut(text, "a row", err);
    if (value->bytes->len == start)
        return dump_text_fail(text, err, "a value is missing");
    return 0;
}

/* Looks at a plain value: NULL is none, and a word before a text says how its bytes are meant. */
static int judge_plain(struct dump_text *text, struct dump_value *value, size_t start,
                       struct err *err)
{
    const char *word = value->bytes->data + start;
    const size_t n = value->bytes->len - start;

    if (n == 4 && strncasecmp(word, "NULL", 4) == 0) {
        value->is_null = true;
    } else if (*word == '_' || (n == 1 && tolower((unsigned char)*word) == 'x')) {
        const bool is_hex = *word != '_';
        int rc;

        strbuf_truncate(value->bytes, start);
        dump_text_skip_blanks(text);
        if (!is_hex && dump_text_peek(text) == '_')
            return dump_text_fail(text, err, "two words before a text");
        if (!is_hex)
            return dump_text_value(text, value, err);
        if (dump_text_get(text) != '\'')
            return dump_text_fail(text, err, "x without digits");
        rc = read_hex(text, value, err);
        if (rc == 0 && dump_text_get(text) != '\'')
            rc = dump_text_fail(text, err, "a hexadecimal value does not end");
        return rc;
    } else if (!isdigit((unsigned char)*word) && !strchr("+-.", *word)) {
        return dump_text_fail(text, err, "'%.*s' is no value", (int)(n < 40 ? n : 40), word);
    }
    if (value->is_null)
        strbuf_truncate(value->bytes, start);
    return 0;
}

int dump_text_value(struct dump_text *text, struct dump_value *value, struct err *err)
{
    const size_t start = value->bytes->len;
    int c, rc;

    dump_text_skip_blanks(text);
    c = dump_text_peek(text);
    if (c == '\'' || c == '"') {
        dump_text_get(text);
        return read_string(text, value, c, err);
    }
    need(text, 2);
    if (c == '0' && text->n - text->at > 1 &&
        tolower((unsigned char)text->buffer[text->at + 1]) == 'x') {
        text->at += 2;
        return read_hex(text, value, err);
    }
    rc = read_plain(text, value, err);
    return rc < 0 ? rc : judge_plain(text, value, start, err);
}

/* ---- passing over ---- */

static int skip_quoted(struct dump_text *text, int quote, struct err *err)
{
    int c;

    while ((c = dump_text_get(text)) >= 0) {
        if (c == '\\' && quote != '`')
            c = dump_text_get(text) < 0 ? -1 : 0;
        else if (c == quote)
            return 0; /* of a doubled one the second begins the next text */
        if (c < 0)
            break;
    }
    return cut(text, "a text", err);
}

static bool is_quote(int c)
{
    return c == '\'' || c == '"' || c == '`';
}

int dump_text_skip_item(struct dump_text *text, struct err *err)
{
    uint32_t depth = 0;
    int c, rc;

    while ((c = dump_text_get(text)) >= 0) {
        if (is_quote(c)) {
            rc = skip_quoted(text, c, err);
            if (rc < 0)
                return rc;
        } else if (depth == 0 && (c == ',' || c == ')')) {
            return c;
        } else if (c == '(') {
            depth++;
        } else if (c == ')') {
            depth--;
        }
    }
    return cut(text, "CREATE TABLE", err);
}

/* Takes the delimiter if it comes next. */
static bool take_delimiter(struct dump_text *text, const char *delimiter)
{
    const size_t n = strlen(delimiter);

    need(text, n);
    if (text->n - text->at < n || strncmp(text->buffer + text->at, delimiter, n) != 0)
        return false;
    text->at += n;
    return true;
}

int dump_text_skip_statement(struct dump_text *text, const char *delimiter, struct err *err)
{
    int c, rc;

    for (;;) {
        if (*delimiter && take_delimiter(text, delimiter))
            return 0;
        c = dump_text_get(text);
        if (c < 0)
            return cut(text, "a statement", err);
        if (c == ';' && !*delimiter)
            return 0;
        if (is_quote(c)) {
            rc = skip_quoted(text, c, err);
            if (rc < 0)
                return rc;
        }
    }
}
