/* Moves bytes through the pipes and terminals between tasks and this process. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "noded/stdio/link_inside.h"

#define END_OF_FILE "\004" /* what ^D sends to a terminal */

void link_want_output(struct srun_link *srun)
{
    bool room = outflow_room(srun->out) > 0;

    for (struct stream *it = srun->streams; it; it = it->next) {
        if (it->stream == IO_STDIN)
            continue;
        if (room)
            event_add(it->event, NULL);
        else
            event_del(it->event);
    }
}

static void stream_close(struct stream *stream)
{
    struct stream **at = &stream->srun->streams;

    while (*at != stream)
        at = &(*at)->next;
    *at = stream->next;
    event_free(stream->event);
    close(stream->fd);
    free(stream);
}

static void stream_ended(struct stream *stream)
{
    struct srun_link *srun = stream->srun;
    struct outflow_frame end = { .task = stream->task, .stream = stream->stream };

    outflow_add(srun->out, &end);
    srun->outputs_n--;
    stream_close(stream);
}

static void on_readable(evutil_socket_t fd, short what, void *arg)
{
    struct stream *stream = arg;
    struct srun_link *srun = stream->srun;
    uint8_t bytes[IO_DATA_MAX];
    uint32_t room = outflow_room(srun->out);

    (void)what;
    if (room == 0) {
        event_del(stream->event);
        return;
    }
    ssize_t n = read(fd, bytes, room < sizeof(bytes) ? room : sizeof(bytes));
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (n <= 0) { /* a terminal that nobody holds any more says EIO */
        stream_ended(stream);
    } else {
        outflow_add(srun->out,
                    &(struct outflow_frame){ stream->task, stream->stream, bytes, (uint32_t)n });
        srun->callbacks.on_output(srun->ctx, stream->task, stream->stream, bytes, (uint32_t)n);
        if (outflow_room(srun->out) == 0)
            link_want_output(srun);
    }
    link_send_output(srun);
    link_check_done(srun);
}

/* Writes what there is to the task. Returns 1 when all was written, 0 when the pipe is full, -1
 * when the task does not read any more. */
static int feed_from(const struct stream *stream, struct inflow *in)
{
    const void *data;
    uint32_t n;

    while (inflow_next(in, stream->local, &data, &n)) {
        ssize_t written = write(stream->fd, data, n);

        if (written < 0)
            return errno == EAGAIN || errno == EINTR ? 0 : -1;
        inflow_took(in, stream->local, (uint32_t)written);
    }
    return 1;
}

static void stream_feed(struct stream *stream)
{
    struct srun_link *srun = stream->srun;
    int rc = feed_from(stream, srun->in);

    if (rc > 0)
        rc = feed_from(stream, srun->guests);
    if (rc == 0) {
        event_add(stream->event, NULL);
        return;
    }
    if (rc < 0) {
        inflow_leave(srun->in, stream->local);
        inflow_leave(srun->guests, stream->local);
        stream_close(stream);
        return;
    }
    if (!inflow_is_at_end(srun->in, stream->local))
        return;
    if (stream->terminal && write(stream->fd, END_OF_FILE, 1) < 0 && errno == EAGAIN) {
        event_add(stream->event, NULL);
        return;
    }
    stream_close(stream);
}

bool link_has_room_for_guests(const struct srun_link *srun)
{
    return inflow_received(srun->guests) - inflow_consumed(srun->guests) < IO_WINDOW_BYTES / 2;
}

static void on_writable(evutil_socket_t fd, short what, void *arg)
{
    struct stream *stream = arg;
    struct srun_link *srun = stream->srun;

    (void)fd;
    (void)what;
    stream_feed(stream);
    link_send_credit(srun);
    if (srun->guests_wait && link_has_room_for_guests(srun)) {
        srun->guests_wait = false;
        srun->callbacks.on_guest_room(srun->ctx);
    }
}

void link_feed_all(struct srun_link *srun)
{
    struct stream *next;

    for (struct stream *it = srun->streams; it; it = next) {
        next = it->next;
        if (it->stream == IO_STDIN)
            stream_feed(it);
    }
    link_send_credit(srun);
}

static struct stream *stream_new(struct srun_link *srun, uint32_t stream, int fd)
{
    struct stream *it = xcalloc(1, sizeof(*it));
    bool input = stream == IO_STDIN;
    int flags = fcntl(fd, F_GETFL);

    (void)fcntl(fd, F_SETFL, flags | O_NONBLOCK);
    it->srun = srun;
    it->fd = fd;
    it->stream = stream;
    it->event = event_new(srun->base, fd, (short)(input ? EV_WRITE : EV_READ | EV_PERSIST),
                          input ? on_writable : on_readable, it);
    it->next = srun->streams;
    srun->streams = it;
    return it;
}

void srun_link_add_output(struct srun_link *srun, uint32_t task, uint32_t stream, int fd)
{
    stream_new(srun, stream, fd)->task = task;
    srun->outputs_n++;
    link_want_output(srun);
}

void srun_link_add_input(struct srun_link *srun, uint32_t local, int fd, bool terminal)
{
    struct stream *stream = stream_new(srun, IO_STDIN, fd);

    stream->local = local;
    stream->terminal = terminal;
    stream_feed(stream);
}

void srun_link_say(struct srun_link *srun, const char *text)
{
    outflow_add(srun->out, &(struct outflow_frame){ COUNT_UNSET, IO_STDERR, (const uint8_t *)text,
                                                    (uint32_t)strlen(text) });
    link_send_output(srun);
}

void link_close_input(struct srun_link *srun, uint32_t local)
{
    for (struct stream *it = srun->streams; it; it = it->next) {
        if (it->stream == IO_STDIN && it->local == local) {
            stream_close(it);
            return;
        }
    }
}

void link_close_streams(struct srun_link *srun)
{
    while (srun->streams)
        stream_close(srun->streams);
}
