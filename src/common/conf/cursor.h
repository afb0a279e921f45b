/*
 * cursor.h - walks over the text of a configuration file, character by character, with positions.
 * Private to this folder.
 *
 * A backslash before the end of a line joins two lines: cursor_peek does not see them, the calls
 * that say "raw" do.
 */
#pragma once

#include "common/conf/file.h"

#define CURSOR_END (-1)

struct cursor {
    const char *text;
    size_t n;
    size_t at;
    struct conf_at pos;
};

static inline bool cursor_is_blank(int c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

/* Returns the character `ahead` of the cursor, joints included, or CURSOR_END. */
static inline int cursor_raw(const struct cursor *cur, size_t ahead)
{
    return cur->at + ahead < cur->n ? (unsigned char)cur->text[cur->at + ahead] : CURSOR_END;
}

/* Moves over one character of the logical line, which must be there. */
void cursor_skip(struct cursor *cur);

/* Returns the next character of the logical line, or CURSOR_END. */
int cursor_peek(struct cursor *cur);

/* Returns true at the end of the logical line, or at a comment. */
bool cursor_at_line_end(struct cursor *cur);
void cursor_skip_blanks(struct cursor *cur);

/* Moves to the start of the next line of text. */
void cursor_skip_line(struct cursor *cur);

/* Reads the value at the cursor, without quotes, into new memory; `key` is for messages. */
int cursor_read_value(struct cursor *cur, const char *key, char **ret_value, struct err *err);

/* Reads the key at the cursor into new memory. */
int cursor_read_key(struct cursor *cur, char **ret_key, struct err *err);
