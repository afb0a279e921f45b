#include <errno.h>
#include <event2/event.h>
#include <event2/util.h>

#include "common/msg/types.h"
#include "common/rpc/inside.h"

/* ---- frames in ---- */

static void take_frame(struct rpc_session *session, const struct rpc_frame *frame)
{
    if (frame->type == MSG_HEARTBEAT) {
        if (!(frame->flags & RPC_REPLY)) /* the peer may send them more often than we do */
            rpc_send(session, MSG_HEARTBEAT, 0, RPC_REPLY, NULL);
    } else if (frame->type == MSG_ERROR && frame->request == 0) {
        session_told_error(session, frame);
    } else if (session->callbacks.on_frame) {
        session->callbacks.on_frame(session, frame, session->ctx);
    }
}

static bool may_take(const struct rpc_session *session)
{
    if (session->is_freed || session->is_paused)
        return false;
    if (session->state < SESSION_READY)
        return !greet_holds(session);
    return session->state == SESSION_READY ||
           (session->state == SESSION_ENDING && session->greet.refusal_comes);
}

static void dispatch(struct rpc_session *session, const struct rpc_frame *frame)
{
    if (session->state == SESSION_READY)
        take_frame(session, frame);
    else if (session->state == SESSION_ENDING)
        greet_late_frame(session, frame);
    else
        greet_frame(session, frame);
}

static bool discards(const struct rpc_session *session)
{
    return session->state == SESSION_ENDING && !session->greet.refusal_comes;
}

/* Delivers what was read, as far as the session may take it, and then the end. */
static void pump(struct rpc_session *session)
{
    while (may_take(session)) {
        struct rpc_frame frame;
        struct err err = { 0 };
        int rc = channel_next(&session->channel, &frame, &err);

        if (rc < 0)
            session_end_because(session, &err);
        if (rc <= 0)
            break;
        dispatch(session, &frame);
    }
    if (discards(session))
        channel_discard(&session->channel);
    if (session->at_end && (may_take(session) || discards(session)))
        session_hung_up(session, session->end_code);
}

/* Stops reading while nobody takes what was read, so that a peer cannot fill our memory. */
static void adjust_reading(struct rpc_session *session)
{
    if (session->is_freed || session->state == SESSION_DONE)
        return;
    if (!session->at_end && (may_take(session) || discards(session)))
        event_add(session->readable, NULL);
    else
        event_del(session->readable);
}

static void read_some(struct rpc_session *session)
{
    ssize_t n = channel_read(&session->channel);

    if (n == -EAGAIN)
        return;
    session->at_end = n <= 0;
    session->end_code = n < 0 ? (int)-n : 0;
    pump(session);
}

void session_on_readable(evutil_socket_t fd, short what, void *arg)
{
    struct rpc_session *session = arg;

    (void)fd;
    (void)what;
    session_enter(session);
    read_some(session);
    adjust_reading(session);
    session_leave(session);
}

/* ---- frames out ---- */

static void after_write(struct rpc_session *session)
{
    if (session->state == SESSION_READY && session->was_above &&
        channel_backlog(&session->channel) <= RPC_LOW_WATER) {
        session->was_above = false;
        if (session->callbacks.on_drained)
            session->callbacks.on_drained(session, session->ctx);
    } else if (session->state == SESSION_ENDING && !session->is_shut &&
               channel_backlog(&session->channel) == 0) {
        session->is_shut = true;
        channel_shut(&session->channel);
        if (session->at_end)
            session_close_now(session);
    }
}

static void write_some(struct rpc_session *session)
{
    int rc;

    if (session->state == SESSION_DONE)
        return;
    rc = channel_flush(&session->channel);
    if (rc == -EAGAIN)
        event_add(session->writable, NULL);
    /* What a peer said before it broke the connection is worth reading: let that tell the end. */
    if (rc == 0 || rc == -EAGAIN)
        after_write(session);
    else if (session->state == SESSION_ENDING || session->is_paused)
        session_hung_up(session, -rc);
}

void session_on_writable(evutil_socket_t fd, short what, void *arg)
{
    struct rpc_session *session = arg;

    (void)fd;
    (void)what;
    session_enter(session);
    write_some(session);
    adjust_reading(session);
    session_leave(session);
}

/* ---- the rest, soon ---- */

static void report_end(struct rpc_session *session)
{
    void (*on_closed)(struct rpc_session *, const struct err *, void *) =
        session->callbacks.on_closed;

    session->callbacks = (struct rpc_callbacks){ 0 };
    greet_explain(session);
    if (on_closed)
        on_closed(session, &session->why, session->ctx);
}

void session_on_work(evutil_socket_t fd, short what, void *arg)
{
    struct rpc_session *session = arg;

    (void)fd;
    (void)what;
    session_enter(session);
    if (session->state < SESSION_READY)
        greet_answers(session);
    pump(session);
    write_some(session);
    adjust_reading(session);
    if (session->state == SESSION_DONE && !session->is_freed)
        report_end(session);
    session_leave(session);
}
