#include "common/base/strbuf.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

char *strbuf_reserve(struct strbuf *buf, size_t n)
{
    size_t need = buf->len + n + 1;

    if (need > buf->cap) {
        size_t cap = buf->cap ? buf->cap : 64;

        while (cap < need)
            cap *= 2;
        buf->data = xrealloc(buf->data, cap);
        buf->cap = cap;
        buf->data[buf->len] = '\0'; /* also when nothing comes to be written */
    }
    return buf->data + buf->len;
}

void strbuf_grown(struct strbuf *buf, size_t n)
{
    buf->len += n;
    assert(buf->len < buf->cap);
    buf->data[buf->len] = '\0';
}

void strbuf_add(struct strbuf *buf, const void *bytes, size_t n)
{
    char *at = strbuf_reserve(buf, n);

    if (n)
        memcpy(at, bytes, n);
    strbuf_grown(buf, n);
}

void strbuf_addc(struct strbuf *buf, char c)
{
    strbuf_add(buf, &c, 1);
}

void strbuf_adds(struct strbuf *buf, const char *text)
{
    strbuf_add(buf, text, strlen(text));
}

void strbuf_vaddf(struct strbuf *buf, const char *fmt, va_list args)
{
    va_list again;
    int length;

    va_copy(again, args);
    length = vsnprintf(NULL, 0, fmt, again);
    va_end(again);
    assert(length >= 0);
    vsnprintf(strbuf_reserve(buf, (size_t)length), (size_t)length + 1, fmt, args);
    strbuf_grown(buf, (size_t)length);
}

void strbuf_addf(struct strbuf *buf, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    strbuf_vaddf(buf, fmt, args);
    va_end(args);
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
