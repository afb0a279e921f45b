#include "cli/srun/sink.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <event2/event.h>

#include "common/base/alloc.h"

#define PIECES_PER_TURN 64 /* then other events get their turn */

enum kind {
    SINK_PLAIN,  /* a file: never makes us wait, cannot be polled */
    SINK_OWN,    /* opened anew, so O_NONBLOCK is ours alone */
    SINK_SOCKET, /* MSG_DONTWAIT */
    SINK_SHARED, /* a pipe that could not be opened anew: PIPE_BUF bytes fit when poll says so */
};

struct piece {
    struct piece *next;
    uint32_t n, at;
    uint32_t source, credit;
    uint8_t data[];
};

struct sink {
    enum kind kind;
    int fd;
    bool owned;
    bool broken;
    const char *name;
    struct sink_callbacks callbacks;
    void *ctx;
    struct event *ready;
    struct piece *first, **last;
    uint64_t backlog;
};

static void on_ready(evutil_socket_t fd, short what, void *ctx);

/* Opens a second open file description of the same pipe or terminal; returns it, or -1. */
static int open_anew(int fd)
{
    char path[64];

    snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
    return open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
}

static void choose_kind(struct sink *sink)
{
    struct stat st = { 0 };
    int again;

    if (fstat(sink->fd, &st) < 0 || S_ISREG(st.st_mode) ||
        (S_ISCHR(st.st_mode) && !isatty(sink->fd))) {
        sink->kind = SINK_PLAIN;
        return;
    }
    if (S_ISSOCK(st.st_mode)) {
        sink->kind = SINK_SOCKET;
        return;
    }
    again = open_anew(sink->fd);
    sink->kind = again < 0 ? SINK_SHARED : SINK_OWN;
    if (again < 0)
        return;
    if (sink->owned)
        close(sink->fd);
    sink->fd = again;
    sink->owned = true;
}

struct sink *sink_new(struct event_base *base, int fd, bool owned, const char *name,
                      const struct sink_callbacks *callbacks, void *ctx)
{
    struct sink *sink = xcalloc(1, sizeof(*sink));

    sink->fd = fd;
    sink->owned = owned;
    sink->name = name;
    sink->callbacks = *callbacks;
    sink->ctx = ctx;
    sink->last = &sink->first;
    choose_kind(sink);
    sink->ready = sink->kind == SINK_PLAIN ? evtimer_new(base, on_ready, sink)
                                           : event_new(base, sink->fd, EV_WRITE, on_ready, sink);
    return sink;
}

static void drop_first(struct sink *sink)
{
    struct piece *piece = sink->first;

    sink->first = piece->next;
    if (!sink->first)
        sink->last = &sink->first;
    sink->backlog -= piece->n - piece->at;
    if (piece->credit > 0)
        sink->callbacks.on_written(piece->source, piece->credit, sink->ctx);
    free(piece);
}

static void set_broken(struct sink *sink, int code)
{
    struct err why = { 0 };

    sink->broken = true;
    while (sink->first)
        drop_first(sink);
    err_set(&why, code, "%s: %s", sink->name, strerror(code));
    sink->callbacks.on_broken(&why, sink->ctx);
}

struct sink *sink_free(struct sink *sink)
{
    if (!sink)
        return NULL;
    while (sink->first) {
        struct piece *piece = sink->first;

        sink->first = piece->next;
        free(piece);
    }
    event_free(sink->ready);
    if (sink->owned)
        close(sink->fd);
    free(sink);
    return NULL;
}

static bool is_writable(int fd)
{
    struct pollfd ready = { .fd = fd, .events = POLLOUT };

    return poll(&ready, 1, 0) == 1;
}

static ssize_t write_some(const struct sink *sink, const uint8_t *data, size_t n)
{
    switch (sink->kind) {
    case SINK_SOCKET:
        return send(sink->fd, data, n, MSG_DONTWAIT | MSG_NOSIGNAL);
    case SINK_SHARED:
        if (!is_writable(sink->fd)) {
            errno = EAGAIN;
            return -1;
        }
        return write(sink->fd, data, n < PIPE_BUF ? n : PIPE_BUF);
    default:
        return write(sink->fd, data, n);
    }
}

static void wait_until_ready(struct sink *sink)
{
    static const struct timeval at_once = { 0, 0 };

    event_add(sink->ready, sink->kind == SINK_PLAIN ? &at_once : NULL);
}

/* Writes a part of the first piece; false when it has to wait. */
static bool write_first(struct sink *sink)
{
    struct piece *piece = sink->first;
    ssize_t n = 0;

    if (piece->n > piece->at)
        n = write_some(sink, piece->data + piece->at, piece->n - piece->at);
    if (n < 0 && errno == EINTR)
        return true;
    if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
        return false;
    if (n < 0) {
        set_broken(sink, errno);
        return true;
    }
    piece->at += (uint32_t)n;
    sink->backlog -= (uint64_t)n;
    if (piece->at == piece->n)
        drop_first(sink);
    return true;
}

static void on_ready(evutil_socket_t fd, short what, void *ctx)
{
    struct sink *sink = ctx;

    (void)fd;
    (void)what;
    for (int i = 0; i < PIECES_PER_TURN && sink->first; i++) {
        if (!write_first(sink))
            break;
    }
    if (sink->first)
        wait_until_ready(sink);
}

void sink_add(struct sink *sink, const void *data, uint32_t n, uint32_t source, uint32_t credit)
{
    struct piece *piece;

    if (sink->broken) {
        if (credit > 0)
            sink->callbacks.on_written(source, credit, sink->ctx);
        return;
    }
    piece = xmalloc(sizeof(*piece) + n);
    *piece = (struct piece){ .n = n, .source = source, .credit = credit };
    if (n > 0)
        memcpy(piece->data, data, n);
    if (!sink->first)
        wait_until_ready(sink);
    *sink->last = piece;
    sink->last = &piece->next;
    sink->backlog += n;
}

uint64_t sink_backlog(const struct sink *sink)
{
    return sink->backlog;
}
