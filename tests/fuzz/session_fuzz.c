/*
 * A local peer may say anything, during the handshake and after: the session delivers messages and
 * ends once, with a reason. The first byte picks how the input is cut into portions.
 */
#include <event2/event.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "common/msg/types.h"
#include "common/rpc/session.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct result {
    int ready, closed;
};

static bool accept_all(const struct rpc_peer *peer, void *ctx, struct err *err)
{
    (void)ctx;
    (void)err;
    return peer->role != RPC_ROLE_NONE;
}

static void on_ready(struct rpc_session *session, void *ctx)
{
    (void)session;
    ((struct result *)ctx)->ready++;
}

static void on_frame(struct rpc_session *session, const struct rpc_frame *frame, void *ctx)
{
    struct result *result = ctx;

    if (!result->ready || result->closed)
        abort();
    if (msg_schema(frame->type))
        rpc_send_bytes(session, frame->type, frame->request, RPC_REPLY, frame->body, frame->body_n);
    else
        rpc_refuse_unknown(session, frame);
}

static void on_closed(struct rpc_session *session, const struct err *why, void *ctx)
{
    (void)session;
    if (why->code <= 0 || why->text[0] == '\0')
        abort();
    ((struct result *)ctx)->closed++;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct rpc_options options = { .role = RPC_ROLE_CONTROLLER,
                                                .cluster = "lab",
                                                .accept_peer = accept_all };
    static const struct rpc_callbacks callbacks = { .on_ready = on_ready,
                                                    .on_frame = on_frame,
                                                    .on_closed = on_closed };
    struct result result = { 0 };
    struct event_base *base;
    struct rpc_session *session;
    size_t portion;
    int fds[2];

    if (size < 1 || size > 32768 || socketpair(AF_UNIX, SOCK_STREAM, 0, fds) < 0)
        return 0;
    portion = data[0] ? data[0] : size;
    base = event_base_new();
    session = rpc_session_new(base, fds[1], false, &options, &callbacks, &result);
    for (size_t at = 1; at < size; at += portion) {
        size_t n = size - at < portion ? size - at : portion;

        if (send(fds[0], data + at, n, MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
            break;
        event_base_loop(base, EVLOOP_NONBLOCK);
    }
    close(fds[0]);
    while (!result.closed)
        event_base_loop(base, EVLOOP_ONCE);
    if (result.closed != 1)
        abort();
    rpc_session_free(session);
    event_base_free(base);
    return 0;
}
