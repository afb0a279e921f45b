#include "noded/stdio/label.h"

#include <event2/event.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/base/alloc.h"
#include "common/base/file_io.h"
#include "common/base/strbuf.h"

#define READ_AT_ONCE (64u << 10)
#define LINE_MAX_N   (16u << 10) /* then it is broken, so that what is held stays small */

struct label {
    struct event *event;
    int from, to;
    char prefix[32];
    struct strbuf line; /* without its end so far */
};

/* Writes all. A disk that is full loses output, as it does for a task that writes itself. */
static void put(const struct label *label, const struct strbuf *out)
{
    (void)write_all(label->to, out->data, out->len);
}

static void end_line(struct label *label, struct strbuf *out)
{
    strbuf_adds(out, label->prefix);
    strbuf_add(out, label->line.data, label->line.len);
    strbuf_addc(out, '\n');
    strbuf_truncate(&label->line, 0);
}

static void take(struct label *label, const char *data, size_t n)
{
    AUTO(strbuf) struct strbuf out = { 0 };

    while (n > 0) {
        const char *end = memchr(data, '\n', n);
        size_t length = end ? (size_t)(end - data) : n;

        strbuf_add(&label->line, data, length);
        if (end || label->line.len >= LINE_MAX_N)
            end_line(label, &out);
        length += end != NULL;
        data += length;
        n -= length;
    }
    if (out.len)
        put(label, &out);
}

/* Reads what is there; returns whether more may come. */
static bool read_some(struct label *label)
{
    char bytes[READ_AT_ONCE];
    ssize_t n = read(label->from, bytes, sizeof(bytes));

    if (n > 0)
        take(label, bytes, (size_t)n);
    return n > 0;
}

static void on_readable(evutil_socket_t fd, short what, void *arg)
{
    struct label *label = arg;

    (void)fd;
    (void)what;
    if (!read_some(label))
        event_del(label->event);
}

struct label *label_new(struct event_base *base, uint32_t task, uint32_t ntasks, int from, int to)
{
    struct label *label = xcalloc(1, sizeof(*label));
    const int width = snprintf(NULL, 0, "%u", ntasks > 0 ? ntasks - 1 : 0);

    (void)fcntl(from, F_SETFL, fcntl(from, F_GETFL) | O_NONBLOCK);
    label->from = from;
    label->to = to;
    snprintf(label->prefix, sizeof(label->prefix), "%*u: ", width, task);
    label->event = event_new(base, from, EV_READ | EV_PERSIST, on_readable, label);
    event_add(label->event, NULL);
    return label;
}

struct label *label_free(struct label *label)
{
    AUTO(strbuf) struct strbuf out = { 0 };

    if (!label)
        return NULL;
    while (read_some(label))
        ;
    if (label->line.len) {
        end_line(label, &out);
        put(label, &out);
    }
    strbuf_clear(&label->line);
    event_free(label->event);
    close(label->from);
    free(label);
    return NULL;
}
