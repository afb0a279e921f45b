/*
 * pair.h - two sessions in one process, joined by a socket, for the tests of common/rpc.
 *
 * Over TCP the credentials come from a stand-in for authd: "KEY|UID|hex of the claim", which is
 * good on a side with the same key. Who needs other answers sets the hooks before pair_start.
 */
#pragma once

#include <arpa/inet.h>
#include <event2/event.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "common/msg/common.h"
#include "common/msg/types.h"
#include "common/rpc/session.h"
#include "unit/check_main.h"
#include "unit/common/net/tcp_pair.h"

struct side {
    struct rpc_session *session;
    struct rpc_options options;
    struct rpc_callbacks callbacks;
    const char *key;       /* of its authd */
    uid_t uid;             /* in its credentials */
    struct err make_error; /* its authd makes no credential */
    struct err check_error;
    int ready, frames, drained, closed;
    uint32_t last_type, last_request, last_flags;
    struct strbuf bodies; /* of all frames */
    struct err why;
};

struct pair {
    struct event_base *base;
    struct side a; /* initiator */
    struct side b;
    int fd[2];
};

static inline void side_make(const void *claim, size_t n, struct rpc_question *question, void *ctx)
{
    struct side *side = ctx;
    AUTO(strbuf) struct strbuf cred = { 0 };

    strbuf_addf(&cred, "%s|%u|", side->key, (unsigned)side->uid);
    for (size_t i = 0; i < n; i++)
        strbuf_addf(&cred, "%02x", ((const uint8_t *)claim)[i]);
    rpc_answer_credential(question, side->make_error.code ? NULL : strbuf_text(&cred),
                          &side->make_error);
}

static inline void side_check(const char *credential, struct rpc_question *question, void *ctx)
{
    struct side *side = ctx;
    char key[32];
    unsigned uid;
    int at = 0;
    AUTO(strbuf) struct strbuf payload = { 0 };
    struct authc_identity identity = { 0 };
    struct err err = side->check_error;

    if (!err.code &&
        (sscanf(credential, "%31[^|]|%u|%n", key, &uid, &at) != 2 || strcmp(key, side->key) != 0))
        err_set(&err, E_KEY_MISMATCH, "credential does not verify");
    if (err.code) {
        rpc_answer_identity(question, NULL, &err);
        return;
    }
    for (const char *hex = credential + at; *hex; hex += 2) {
        unsigned byte;

        ck_assert_int_eq(sscanf(hex, "%2x", &byte), 1);
        strbuf_addc(&payload, (char)byte);
    }
    identity.uid = uid;
    identity.gid = uid;
    identity.payload = (uint8_t *)payload.data;
    identity.payload_n = payload.len;
    rpc_answer_identity(question, &identity, NULL);
}

static inline void side_fingerprint(struct rpc_question *question, void *ctx)
{
    struct side *side = ctx;
    AUTO_FREE char *text = xasprintf("print-of-%s", side->key);

    rpc_answer_fingerprint(question, text);
}

static inline bool side_accepts_all(const struct rpc_peer *peer, void *ctx, struct err *err)
{
    (void)peer;
    (void)ctx;
    (void)err;
    return true;
}

static inline void side_on_ready(struct rpc_session *session, void *ctx)
{
    struct side *side = ctx;

    (void)session;
    side->ready++;
}

static inline void side_on_frame(struct rpc_session *session, const struct rpc_frame *frame,
                                 void *ctx)
{
    struct side *side = ctx;

    (void)session;
    side->frames++;
    side->last_type = frame->type;
    side->last_request = frame->request;
    side->last_flags = frame->flags;
    strbuf_add(&side->bodies, frame->body, frame->body_n);
}

static inline void side_on_drained(struct rpc_session *session, void *ctx)
{
    struct side *side = ctx;

    (void)session;
    side->drained++;
}

static inline void side_on_closed(struct rpc_session *session, const struct err *why, void *ctx)
{
    struct side *side = ctx;

    (void)session;
    side->closed++;
    side->why = *why;
}

static inline void side_init(struct side *side, enum rpc_role role)
{
    *side = (struct side){ .key = "key", .uid = 77 };
    side->options = (struct rpc_options){ .role = role,
                                          .cluster = "lab",
                                          .accept_peer = side_accepts_all,
                                          .make_credential = side_make,
                                          .check_credential = side_check,
                                          .get_fingerprint = side_fingerprint,
                                          .ctx = side };
    side->callbacks =
        (struct rpc_callbacks){ side_on_ready, side_on_frame, side_on_drained, side_on_closed };
}

static inline void pair_init(struct pair *pair, bool tcp)
{
    *pair = (struct pair){ .base = event_base_new() };
    if (tcp)
        tcp_pair(pair->fd);
    else
        ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair->fd), 0);
    side_init(&pair->a, RPC_ROLE_CLIENT);
    side_init(&pair->b, RPC_ROLE_CONTROLLER);
}

static inline void pair_start_a(struct pair *pair)
{
    pair->a.session = rpc_session_new(pair->base, pair->fd[0], true, &pair->a.options,
                                      &pair->a.callbacks, &pair->a);
}

static inline void pair_start_b(struct pair *pair)
{
    pair->b.session = rpc_session_new(pair->base, pair->fd[1], false, &pair->b.options,
                                      &pair->b.callbacks, &pair->b);
}

static inline void pair_start(struct pair *pair)
{
    pair_start_a(pair);
    pair_start_b(pair);
}

static inline void pair_late(evutil_socket_t fd, short what, void *arg)
{
    (void)fd;
    (void)what;
    *(bool *)arg = true;
}

/* Runs the loop until `condition` (an expression) holds; fails the test after 20 s. */
#define PAIR_UNTIL(pair, condition)                                                                \
    do {                                                                                           \
        bool late_ = false;                                                                        \
        struct event *timer_ = event_new((pair)->base, -1, 0, pair_late, &late_);                  \
        event_add(timer_, &(struct timeval){ 20, 0 });                                             \
        while (!(condition) && !late_)                                                             \
            event_base_loop((pair)->base, EVLOOP_ONCE);                                            \
        event_free(timer_);                                                                        \
        ck_assert_msg(!late_, "never: " #condition " (a: %s; b: %s)", (pair)->a.why.text,          \
                      (pair)->b.why.text);                                                         \
    } while (0)

static inline void pair_ready(struct pair *pair)
{
    pair_start(pair);
    PAIR_UNTIL(pair, (pair->a.ready && pair->b.ready) || pair->a.closed || pair->b.closed);
    ck_assert_msg(pair->a.ready && pair->b.ready, "a: %s; b: %s", pair->a.why.text,
                  pair->b.why.text);
}

static inline void pair_clear(struct pair *pair)
{
    rpc_session_free(pair->a.session);
    rpc_session_free(pair->b.session);
    strbuf_clear(&pair->a.bodies);
    strbuf_clear(&pair->b.bodies);
    event_base_free(pair->base);
}
