/*
 * dump_text.h - the words of a dump: names, values, comments, statements that are passed over. For
 * dump.c alone.
 *
 * Reads a descriptor through a buffer, from any offset on, and counts lines.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/base/strbuf.h"

struct dump_text {
    int fd; /* borrowed */
    char *name;
    char *buffer;
    size_t n, at;  /* bytes in the buffer, and those that were taken */
    uint64_t base; /* offset in the file of the buffer's first byte */
    uint64_t line; /* of the next byte, from 1 */
    int failed;    /* an errno of reading */
    bool has_head; /* a comment says that mysqldump wrote it */
    bool has_tail; /* and one that it came to its end */
};

void dump_text_init(struct dump_text *text, int fd, const char *name);
void dump_text_clear(struct dump_text *text);
void dump_text_seek(struct dump_text *text, uint64_t offset, uint64_t line);
uint64_t dump_text_offset(const struct dump_text *text);

/* Set an error with file and line; return -EILSEQ, or the code of reading. */
int dump_text_fail(struct dump_text *text, struct err *err, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
int dump_text_failed(struct dump_text *text, struct err *err);

/* At the begin of the file. Fails if its first bytes are those of one that is packed. */
int dump_text_check(struct dump_text *text, struct err *err);

/* Reads more of the file. Returns whether there is a byte to take. */
bool dump_text_fill(struct dump_text *text);

/* Return the next byte, taken or not; -1: there is none. */
static inline int dump_text_peek(struct dump_text *text)
{
    if (text->at == text->n && !dump_text_fill(text))
        return -1;
    return (unsigned char)text->buffer[text->at];
}

static inline int dump_text_get(struct dump_text *text)
{
    const int c = dump_text_peek(text);

    text->at += c >= 0;
    text->line += c == '\n';
    return c;
}

/* Pass over blanks and line breaks; comments, too. */
void dump_text_skip_blanks(struct dump_text *text);
int dump_text_skip_comments(struct dump_text *text, struct err *err);

/* Takes the word if it comes next, in any case, and the blanks behind it. */
bool dump_text_word(struct dump_text *text, const char *word);

/* Reads a name, quoted by ` or ", or plain, of less than DUMP_NAME_MAX bytes. */
int dump_text_name(struct dump_text *text, char *ret, struct err *err);

/* Reads what is left of the line, without the blanks around it; what has no room is left out. */
void dump_text_rest_of_line(struct dump_text *text, char *ret, size_t size);

/* A value that is read: its bytes are appended. */
struct dump_value {
    struct strbuf *bytes;
    size_t max; /* bytes that are kept */
    bool is_null, is_cut;
};
int dump_text_value(struct dump_text *text, struct dump_value *value, struct err *err);

/* Passes over the rest of a definition in a table. Returns the comma or the parenthesis behind it,
 * which is taken. */
int dump_text_skip_item(struct dump_text *text, struct err *err);

/* Passes over the rest of a statement, and what ends it: the delimiter, "" is a semicolon. */
int dump_text_skip_statement(struct dump_text *text, const char *delimiter, struct err *err);
