#include "common/base/strbuf.h"

#include <stdio.h>

void strbuf_grow_(struct strbuf *buf, size_t n)
{
    size_t need = buf->len + n + 1;
    size_t cap = buf->cap ? buf->cap : 64;

    while (cap < need)
        cap *= 2;
    buf->data = xrealloc(buf->data, cap);
    buf->cap = cap;
    buf->data[buf->len] = '\0'; /* also when nothing comes to be written */
}

/* Formats once in most cases, because most texts fit into the room that is there. */
void strbuf_vaddf(struct strbuf *buf, const char *fmt, va_list args)
{
    enum { USUAL = 64 };
    char *at = strbuf_reserve(buf, USUAL);
    size_t room = buf->cap - buf->len;
    va_list again;
    int length;

    va_copy(again, args);
    length = vsnprintf(at, room, fmt, args);
    assert(length >= 0);
    if ((size_t)length >= room)
        vsnprintf(strbuf_reserve(buf, (size_t)length), (size_t)length + 1, fmt, again);
    va_end(again);
    strbuf_grown(buf, (size_t)length);
}

void strbuf_addf(struct strbuf *buf, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    strbuf_vaddf(buf, fmt, args);
    va_end(args);
}

void strbuf_addu(struct strbuf *buf, uint64_t number)
{
    char digits[20];
    size_t at = sizeof(digits);

    do {
        digits[--at] = (char)('0' + number % 10);
        number /= 10;
    } while (number);
    strbuf_add(buf, digits + at, sizeof(digits) - at);
}

void strbuf_addi(struct strbuf *buf, int64_t number)
{
    if (number < 0)
        strbuf_addc(buf, '-');
    strbuf_addu(buf, number < 0 ? -(uint64_t)number : (uint64_t)number);
}

void strbuf_consume(struct strbuf *buf, size_t n)
{
    assert(n <= buf->len);
    if (n == 0)
        return;
    memmove(buf->data, buf->data + n, buf->len - n);
    strbuf_truncate(buf, buf->len - n);
}

void strbuf_truncate(struct strbuf *buf, size_t len)
{
    assert(len <= buf->len);
    buf->len = len;
    if (buf->data)
        buf->data[len] = '\0';
}

const char *strbuf_text(const struct strbuf *buf)
{
    return buf->data ? buf->data : "";
}

char *strbuf_steal(struct strbuf *buf)
{
    char *text = buf->data ? buf->data : xstrdup("");

    *buf = (struct strbuf){ 0 };
    return text;
}

void strbuf_clear(struct strbuf *buf)
{
    free(buf->data);
    *buf = (struct strbuf){ 0 };
}

void strbuf_auto_(struct strbuf *buf)
{
    strbuf_clear(buf);
}
