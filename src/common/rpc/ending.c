#include <errno.h>
#include <event2/event.h>
#include <event2/util.h>
#include <string.h>

#include "common/msg/types.h"
#include "common/rpc/inside.h"

enum {
    LINGER_MS = 2000, /* for the peer to read why, and hang up */
    SILENT_MAX = 3,   /* heartbeats missed */
};

void session_close_now(struct rpc_session *session)
{
    session->state = SESSION_DONE;
    event_del(session->readable);
    event_del(session->writable);
    event_del(session->timer);
    channel_close(&session->channel);
    session_kick(session);
}

void session_fail(struct rpc_session *session, const struct err *why)
{
    if (session->state >= SESSION_ENDING)
        return;
    session->why = *why;
    session_close_now(session);
}

void session_finish(struct rpc_session *session, const struct err *why)
{
    if (session->state >= SESSION_ENDING)
        return;
    session->why = *why;
    session->state = SESSION_ENDING;
    session->is_paused = false;
    session_wait(session, LINGER_MS);
    session_kick(session);
}

void session_end_because(struct rpc_session *session, const struct err *why)
{
    struct err told = *why;

    if (session->state < SESSION_READY) {
        greet_refuse(session, why);
    } else if (session->state == SESSION_READY) {
        rpc_send_error(session, 0, why->code, why->text);
        err_prefix(&told, "%s", session->name);
        session_finish(session, &told);
    }
}

void session_told_error(struct rpc_session *session, const struct rpc_frame *frame)
{
    struct err why = { 0 };

    rpc_decode_error(frame, &why);
    err_prefix(&why, "%s closed the connection", session->name);
    session_fail(session, &why);
}

void session_hung_up(struct rpc_session *session, int code)
{
    const char *when = session->state < SESSION_READY ? " during the handshake" : "";
    struct err why = { 0 };

    if (code == 0 || code == ECONNRESET || code == EPIPE)
        err_set(&why, E_CLOSED, "%s closed the connection%s", session->name, when);
    else
        err_set(&why, code, "%s: connection lost%s: %s", session->name, when, strerror(code));
    if (session->state == SESSION_ENDING)
        session_close_now(session);
    else
        session_fail(session, &why);
}

void rpc_session_close(struct rpc_session *session, const char *reason)
{
    struct err why = { 0 };

    err_set(&why, E_CLOSED, "%s", reason ? reason : "connection closed");
    if (reason || session->state < SESSION_READY)
        session_end_because(session, &why);
    else
        session_finish(session, &why);
}

/* ---- time ---- */

/*
 * Gives a silent peer up. The reason is sent, should the peer be able to hear, but nothing waits
 * for it.
 */
static void give_up(struct rpc_session *session)
{
    uint32_t ms = session->options.heartbeat_ms * SILENT_MAX;
    struct err why = { 0 };

    err_set(&why, E_TIMEOUT, "no sign of life for %u.%03u s", ms / 1000, ms % 1000);
    rpc_send_error(session, 0, why.code, why.text);
    channel_flush(&session->channel);
    err_prefix(&why, "%s", session->name);
    session_fail(session, &why);
}

bool rpc_session_is_alive(const struct rpc_session *session)
{
    /* One silent interval is normal: a side that has just been heard skips its heartbeat. */
    return session->silent <= 1 || session->channel.got_bytes;
}

static void heartbeat(struct rpc_session *session)
{
    struct channel *channel = &session->channel;
    bool quiet = !channel->sent_bytes || !channel->got_bytes;

    session->silent = channel->got_bytes || session->is_paused ? 0 : session->silent + 1;
    channel->sent_bytes = channel->got_bytes = false;
    if (session->silent >= SILENT_MAX) {
        give_up(session);
        return;
    }
    if (quiet && channel_backlog(channel) == 0)
        rpc_send(session, MSG_HEARTBEAT, 0, 0, NULL);
    session_wait(session, session->options.heartbeat_ms);
}

static void handshake_late(struct rpc_session *session)
{
    static const char *const waits[] = { "its hello", "its proof", "its verdict" };
    struct err why = { 0 };
    uint32_t ms = session->options.handshake_ms;

    err_set(
        &why, ETIMEDOUT, "handshake not finished in %u.%03u s: waited for %s", ms / 1000, ms % 1000,
        session->state == SESSION_VERDICT && !session->greet.peer_good ? "the authentication daemon"
                                                                       : waits[session->state]);
    if (session->state == SESSION_HELLO && !session->peer.is_local) {
        err_prefix(&why, "%s", session->name);
        session_fail(session, &why);
    } else {
        session_end_because(session, &why);
    }
}

void session_on_timer(evutil_socket_t fd, short what, void *arg)
{
    struct rpc_session *session = arg;

    (void)fd;
    (void)what;
    session_enter(session);
    if (session->state == SESSION_READY)
        heartbeat(session);
    else if (session->state < SESSION_READY)
        handshake_late(session);
    else if (session->state == SESSION_ENDING)
        session_close_now(session);
    session_leave(session);
}
