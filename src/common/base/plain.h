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
 * The character that begins at a byte above 0x7f: how many bytes it has and, by `ret_code`, which
 * it is. 0 when it is none: cut short, longer than it need be, a surrogate, or beyond U+10FFFF.
 */
uint32_t plain_character(const char *at, uint32_t *ret_code);

/* Which byte of the text is the first one of a control character, from 0; -1: none is. */
int64_t plain_find_control(const char *text);

/* The same, but tabs and line breaks are fine. */
int64_t plain_find_control_in_lines(const char *text);

/*
 * Control characters, and bytes that are not UTF-8, become "\x1b" from byte `from` on. A backslash
 * stays what it is: this is for reading, not for getting the bytes back.
 */
void plain_escape(struct strbuf *text, size_t from);

/* The same, but line breaks and tabs stay: of a text that is known to have lines. */
void plain_escape_lines(struct strbuf *text, size_t from);

/* A copy that is escaped; NULL gives NULL. */
char *plain_copy(const char *text);
