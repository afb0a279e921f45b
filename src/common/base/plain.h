/*
 * plain.h - text of one user on the terminal of another: nothing in it acts there.
 *
 * A control character is a byte below 0x20, 0x7f, or one of U+0080 to U+009F as UTF-8, which some
 * terminals obey like ESC and a letter. So are U+2028 and U+2029, at which programs split listings,
 * and those that turn the direction of text (U+202A to U+202E, U+2066 to U+2069). What is not UTF-8
 * may be the text of an older character set: it is taken, but not printed as it is, since 0x80 to
 * 0x9f are the same control characters there. Pure.
 */
#pragma once

#include <stdbool.h>

#include "common/base/strbuf.h"

/*
 * Returns how many bytes the character has that begins at a byte above 0x7f, and its code by
 * `ret_code`. Returns 0 when it is cut short, longer than need be, a surrogate, or beyond U+10FFFF.
 */
uint32_t plain_character(const char *at, uint32_t *ret_code);

/* Returns where the first control character of the text begins, in bytes from 0, or -1. */
int64_t plain_find_control(const char *text);

/* Returns the same as plain_find_control, except that tabs and line breaks are allowed. */
int64_t plain_find_control_in_lines(const char *text);

/*
 * Escapes control characters, and bytes that are not UTF-8, as "\x1b" from byte `from` on. A
 * backslash stays as it is: the result is for reading, not for getting the bytes back.
 */
void plain_escape(struct strbuf *text, size_t from);

/* Escapes as plain_escape does, but keeps line breaks and tabs, for text that has several lines. */
void plain_escape_lines(struct strbuf *text, size_t from);

/* Returns an escaped copy in new memory; NULL gives NULL. */
char *plain_copy(const char *text);
