/*
 * relay.h - a man in the middle of two TCP sessions: passes bytes on, in what portions and how
 * changed the test says.
 */
#pragma once

#include "unit/common/rpc/pair.h"

struct relay {
    struct relay_end {
        struct relay *relay;
        int fd;
        struct event *event;
        size_t passed; /* bytes that came in here so far */
    } ends[2];         /* [0] beside the initiator, [1] beside the responder */
    size_t portion;    /* bytes passed at a time, 0: as they come */
    unsigned flip_end; /* whose bytes are altered */
    size_t flip_at;    /* the byte of them, from 0; SIZE_MAX none */
    bool reflects;     /* what the initiator says comes back to it */
};

static inline void relay_pass(struct relay_end *to, const uint8_t *bytes, size_t n, size_t portion)
{
    for (size_t at = 0, part; at < n; at += part) {
        part = portion && portion < n - at ? portion : n - at;
        /* The ends are blocking; what a closed one does not take is lost, as on a wire. */
        if (send(to->fd, bytes + at, part, MSG_NOSIGNAL) != (ssize_t)part)
            return;
    }
}

static inline void relay_on_bytes(evutil_socket_t fd, short what, void *arg)
{
    struct relay_end *from = arg;
    struct relay *relay = from->relay;
    unsigned side = from == &relay->ends[0] ? 0 : 1;
    struct relay_end *to = &relay->ends[relay->reflects ? side : !side];
    uint8_t bytes[4096];
    ssize_t n = recv(fd, bytes, relay->portion ? relay->portion : sizeof(bytes), 0);

    (void)what;
    if (n <= 0) {
        event_del(from->event);
        shutdown(to->fd, SHUT_WR);
        return;
    }
    if (side == relay->flip_end && relay->flip_at >= from->passed &&
        relay->flip_at < from->passed + (size_t)n)
        bytes[relay->flip_at - from->passed] ^= 0x10;
    from->passed += (size_t)n;
    relay_pass(to, bytes, (size_t)n, relay->portion);
}

/* Between pair_init and pair_start. */
static inline void relay_init(struct relay *relay, struct pair *pair)
{
    int fds[2];

    *relay = (struct relay){ .flip_at = SIZE_MAX };
    tcp_pair(fds); /* pair->fd[0] is joined to ends[0], fds to ends[1] and b */
    relay->ends[0].fd = pair->fd[1];
    relay->ends[1].fd = fds[0];
    pair->fd[1] = fds[1];
    for (unsigned i = 0; i < 2; i++) {
        relay->ends[i].relay = relay;
        setsockopt(relay->ends[i].fd, IPPROTO_TCP, TCP_NODELAY, &(int){ 1 }, sizeof(int));
        relay->ends[i].event = event_new(pair->base, relay->ends[i].fd, EV_READ | EV_PERSIST,
                                         relay_on_bytes, &relay->ends[i]);
        event_add(relay->ends[i].event, NULL);
    }
}

static inline void relay_clear(struct relay *relay)
{
    for (unsigned i = 0; i < 2; i++) {
        event_free(relay->ends[i].event);
        close(relay->ends[i].fd);
    }
}
