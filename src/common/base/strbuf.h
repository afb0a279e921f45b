/*
 * strbuf.h - a string that grows, always ended by a zero byte; also used as a byte buffer.
 *
 * `struct strbuf out = { 0 };` is a valid empty buffer. Owns its bytes.
 */
#pragma once

#include <stdint.h>

#include "common/base/alloc.h"

struct strbuf {
    char *data; /* NULL while nothing was ever added; use strbuf_text for a C string */
    size_t len;
    size_t cap;
};

void strbuf_add(struct strbuf *buf, const void *bytes, size_t n);
void strbuf_addc(struct strbuf *buf, char c);
void strbuf_adds(struct strbuf *buf, const char *text);
void strbuf_addf(struct strbuf *buf, const char *fmt, ...) PRINTF_LIKE(2, 3);
void strbuf_vaddf(struct strbuf *buf, const char *fmt, va_list args);

/* Room for n more bytes; returns where to write. Follow with strbuf_grown(buf, written). */
char *strbuf_reserve(struct strbuf *buf, size_t n);
void strbuf_grown(struct strbuf *buf, size_t n);

/* Drops the first n bytes (n up to len). */
void strbuf_consume(struct strbuf *buf, size_t n);
void strbuf_truncate(struct strbuf *buf, size_t len);

/* The text so far, "" when empty; valid until the next change. */
const char *strbuf_text(const struct strbuf *buf);

/* Gives the string away (never NULL; free() it) and leaves the buffer empty. */
char *strbuf_steal(struct strbuf *buf);

/* Back to empty, memory released. */
void strbuf_clear(struct strbuf *buf);
void strbuf_auto_(struct strbuf *buf);
