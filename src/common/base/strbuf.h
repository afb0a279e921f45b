/*
 * strbuf.h - a string that grows, always ended by a zero byte; also used as a byte buffer.
 *
 * `struct strbuf out = { 0 };` is a valid empty buffer. Owns its bytes.
 */
#pragma once

#include <assert.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include "common/base/alloc.h"

struct strbuf {
    char *data; /* NULL while nothing was ever added; use strbuf_text for a C string */
    size_t len;
    size_t cap;
};

/*
 * Makes room for n more bytes and returns where to write them. Call strbuf_grown(buf, written)
 * after that.
 */
static inline char *strbuf_reserve(struct strbuf *buf, size_t n);
static inline void strbuf_grown(struct strbuf *buf, size_t n);

static inline void strbuf_add(struct strbuf *buf, const void *bytes, size_t n);
static inline void strbuf_addc(struct strbuf *buf, char c);
static inline void strbuf_adds(struct strbuf *buf, const char *text);
void strbuf_addf(struct strbuf *buf, const char *fmt, ...) PRINTF_LIKE(2, 3);
void strbuf_vaddf(struct strbuf *buf, const char *fmt, va_list args);

/* Appends a decimal number, in a fifth of the time that strbuf_addf takes. */
void strbuf_addu(struct strbuf *buf, uint64_t number);
void strbuf_addi(struct strbuf *buf, int64_t number);

/* Drops the first n bytes; n is at most the length. */
void strbuf_consume(struct strbuf *buf, size_t n);
void strbuf_truncate(struct strbuf *buf, size_t len);

/* Returns the text so far ("" when empty), which is valid until the next change. */
const char *strbuf_text(const struct strbuf *buf);

/* Gives the string away (never NULL; free() it) and leaves the buffer empty. */
char *strbuf_steal(struct strbuf *buf);

/* Releases the memory; the buffer is then empty. */
void strbuf_clear(struct strbuf *buf);
void strbuf_auto_(struct strbuf *buf);

/* ---- functions called for each byte of each message, which are therefore inline ---- */

void strbuf_grow_(struct strbuf *buf, size_t n);

static inline char *strbuf_reserve(struct strbuf *buf, size_t n)
{
    if (n >= buf->cap - buf->len)
        strbuf_grow_(buf, n);
    return buf->data + buf->len;
}

static inline void strbuf_grown(struct strbuf *buf, size_t n)
{
    buf->len += n;
    assert(buf->len < buf->cap);
    buf->data[buf->len] = '\0';
}

static inline void strbuf_add(struct strbuf *buf, const void *bytes, size_t n)
{
    char *at = strbuf_reserve(buf, n);

    if (n)
        memcpy(at, bytes, n);
    strbuf_grown(buf, n);
}

static inline void strbuf_addc(struct strbuf *buf, char c)
{
    *strbuf_reserve(buf, 1) = c;
    strbuf_grown(buf, 1);
}

static inline void strbuf_adds(struct strbuf *buf, const char *text)
{
    strbuf_add(buf, text, strlen(text));
}
