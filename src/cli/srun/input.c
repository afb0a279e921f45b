#include "cli/srun/input.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <event2/event.h>

#include "common/base/strbuf.h"

#define KEEP_SLACK (512u << 10) /* dead bytes at the front before the rest is moved */

struct reader {
    uint64_t consumed, sent;
    bool end_sent;
    bool left;
};

struct input {
    int fd;
    struct event *ready; /* readable, or at once for what cannot be polled */
    bool pollable;
    void (*on_input)(void *ctx);
    void *ctx;
    struct strbuf kept;
    uint64_t kept_from; /* place of kept's first byte in the input */
    bool at_end;
    struct reader *readers;
    uint32_t readers_n;
};

static uint64_t end_of(const struct input *input)
{
    return input->kept_from + input->kept.len;
}

/* Returns the place up to which all who still read have consumed. */
static uint64_t consumed_by_all(const struct input *input)
{
    uint64_t least = end_of(input);

    for (uint32_t i = 0; i < input->readers_n; i++) {
        if (!input->readers[i].left && input->readers[i].consumed < least)
            least = input->readers[i].consumed;
    }
    return least;
}

static bool has_readers(const struct input *input)
{
    for (uint32_t i = 0; i < input->readers_n; i++) {
        if (!input->readers[i].left)
            return true;
    }
    return false;
}

static size_t room(const struct input *input)
{
    uint64_t waiting = end_of(input) - consumed_by_all(input);

    return waiting >= IO_WINDOW_BYTES ? 0 : IO_WINDOW_BYTES - (size_t)waiting;
}

static bool is_background(const struct input *input)
{
    pid_t foreground = tcgetpgrp(input->fd);

    return foreground >= 0 && foreground != getpgrp();
}

static void want_more(struct input *input)
{
    static const struct timeval at_once = { 0, 0 };

    if (input->at_end || !has_readers(input) || room(input) == 0 || is_background(input))
        return;
    event_add(input->ready, input->pollable ? NULL : &at_once);
}

static void on_ready(evutil_socket_t fd, short what, void *ctx)
{
    struct input *input = ctx;
    size_t most = room(input);
    ssize_t n;

    (void)fd;
    (void)what;
    if (most == 0)
        return;
    if (most > IO_DATA_MAX)
        most = IO_DATA_MAX;
    n = read(input->fd, strbuf_reserve(&input->kept, most), most);
    if (n < 0 && (errno == EINTR || errno == EAGAIN)) {
        want_more(input);
        return;
    }
    if (n < 0 && errno == EIO && is_background(input))
        return;
    if (n > 0)
        strbuf_grown(&input->kept, (size_t)n);
    else
        input->at_end = true;
    input->on_input(input->ctx);
    want_more(input);
}

/*
 * True unless `fd` is a file or a device such as /dev/null: those are always readable, and epoll
 * refuses them.
 */
static bool is_pollable(int fd)
{
    struct stat st = { 0 };

    return fstat(fd, &st) == 0 && (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode) || isatty(fd));
}

struct input *input_new(struct event_base *base, int fd, void on_input(void *ctx), void *ctx)
{
    struct input *input = xcalloc(1, sizeof(*input));

    input->fd = fd;
    input->on_input = on_input;
    input->ctx = ctx;
    input->pollable = is_pollable(fd);
    input->ready = input->pollable ? event_new(base, fd, EV_READ, on_ready, input)
                                   : evtimer_new(base, on_ready, input);
    return input;
}

struct input *input_free(struct input *input)
{
    if (!input)
        return NULL;
    event_free(input->ready);
    strbuf_clear(&input->kept);
    free(input->readers);
    free(input);
    return NULL;
}

void input_set_readers(struct input *input, uint32_t n)
{
    if (n <= input->readers_n)
        return;
    input->readers = xreallocarray(input->readers, n, sizeof(*input->readers));
    memset(&input->readers[input->readers_n], 0, (n - input->readers_n) * sizeof(*input->readers));
    input->readers_n = n;
    want_more(input);
}

bool input_next(struct input *input, uint32_t reader, const void **ret_data, uint32_t *ret_n)
{
    struct reader *it = reader < input->readers_n ? &input->readers[reader] : NULL;
    uint64_t left;

    if (!it || it->left)
        return false;
    left = end_of(input) - it->sent;
    if (left == 0 && (!input->at_end || it->end_sent))
        return false;
    *ret_data = left > 0 ? input->kept.data + (it->sent - input->kept_from) : NULL;
    *ret_n = left > IO_DATA_MAX ? IO_DATA_MAX : (uint32_t)left;
    it->sent += *ret_n;
    it->end_sent = *ret_n == 0;
    return true;
}

static void drop_consumed(struct input *input)
{
    uint64_t dead = consumed_by_all(input) - input->kept_from;

    if (dead < KEEP_SLACK && dead < input->kept.len)
        return;
    strbuf_consume(&input->kept, (size_t)dead);
    input->kept_from += dead;
}

void input_consumed(struct input *input, uint32_t reader, uint64_t total)
{
    struct reader *it = reader < input->readers_n ? &input->readers[reader] : NULL;

    if (!it || total <= it->consumed || total > it->sent)
        return;
    it->consumed = total;
    drop_consumed(input);
    want_more(input);
}

void input_rewind(struct input *input, uint32_t reader, uint64_t total)
{
    struct reader *it = reader < input->readers_n ? &input->readers[reader] : NULL;

    if (!it)
        return;
    if (total >= it->consumed && total <= it->sent)
        it->sent = total;
    it->end_sent = false;
}

void input_leave(struct input *input, uint32_t reader)
{
    if (reader >= input->readers_n || input->readers[reader].left)
        return;
    input->readers[reader].left = true;
    drop_consumed(input);
    want_more(input);
}

void input_try_again(struct input *input)
{
    want_more(input);
}
