#include "common/rpc/session.h"

#include <assert.h>
#include <errno.h>
#include <event2/event.h>
#include <event2/util.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <unistd.h>

#include "common/msg/types.h"
#include "common/net/addr.h"
#include "common/rpc/inside.h"

enum {
    HANDSHAKE_BODY_MAX = 16 << 10, /* from a stranger */
    LINGER_MS = 2000,              /* for the peer to read why, and hang up */
    SILENT_MAX = 3,                /* heartbeats missed */
};

const char *rpc_role_name(enum rpc_role role)
{
    static const char *const names[] = { "nobody", "client", "node", "controller", "step", "srun" };

    return (size_t)role < ARRAY_N(names) ? names[role] : "unknown role";
}

/* ---- life ---- */

static void free_options(struct rpc_options *options)
{
    free((char *)(uintptr_t)options->cluster);
    free((char *)(uintptr_t)options->node);
    free((char *)(uintptr_t)options->authc.socket_path);
}

static void free_peer(struct rpc_peer *peer)
{
    free(peer->node);
    free(peer->address);
    free(peer->version);
}

static void free_now(struct rpc_session *session)
{
    event_free(session->readable);
    event_free(session->writable);
    event_free(session->work);
    event_free(session->timer);
    greet_clear(session);
    channel_clear(&session->channel);
    free_peer(&session->peer);
    free_options(&session->options);
    free(session->name);
    free(session);
}

void session_enter(struct rpc_session *session)
{
    session->depth++;
}

void session_leave(struct rpc_session *session)
{
    if (--session->depth == 0 && session->is_freed)
        free_now(session);
}

struct rpc_session *rpc_session_free(struct rpc_session *session)
{
    if (!session)
        return NULL;
    session->is_freed = true;
    session->state = SESSION_DONE;
    if (session->depth == 0)
        free_now(session);
    return NULL;
}

void session_kick(struct rpc_session *session)
{
    event_active(session->work, EV_TIMEOUT, 0);
}

void session_wait(struct rpc_session *session, uint32_t ms)
{
    struct timeval wait = { ms / 1000, ms % 1000 * 1000 };

    event_add(session->timer, &wait);
}

/* ---- ending ---- */

/* Where all endings meet: nothing is read or written any more; work calls on_closed. */
static void close_now(struct rpc_session *session)
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
    close_now(session);
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

/* Tells the peer, in the words of the stage that the session is in. */
static void end_because(struct rpc_session *session, const struct err *why)
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

static void on_peer_error(struct rpc_session *session, const struct rpc_frame *frame)
{
    struct err why = { 0 };

    rpc_decode_error(frame, &why);
    err_prefix(&why, "%s closed the connection", session->name);
    session_fail(session, &why);
}

/* The peer hung up (0) or the connection broke (an errno). */
static void at_end(struct rpc_session *session, int code)
{
    const char *when = session->state < SESSION_READY ? " during the handshake" : "";
    struct err why = { 0 };

    if (code == 0 || code == ECONNRESET || code == EPIPE)
        err_set(&why, E_CLOSED, "%s closed the connection%s", session->name, when);
    else
        err_set(&why, code, "%s: connection lost%s: %s", session->name, when, strerror(code));
    if (session->state == SESSION_ENDING)
        close_now(session);
    else
        session_fail(session, &why);
}

/* ---- frames in ---- */

static void take_frame(struct rpc_session *session, const struct rpc_frame *frame)
{
    bool answer = !(frame->flags & RPC_REPLY) && session->options.heartbeat_ms == 0;

    if (frame->type == MSG_HEARTBEAT) {
        if (answer)
            rpc_send(session, MSG_HEARTBEAT, 0, RPC_REPLY, NULL);
    } else if (frame->type == MSG_ERROR && frame->request == 0) {
        on_peer_error(session, frame);
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

/* Delivers what was read, as far as the session may; after the last of it, the end. */
static void pump(struct rpc_session *session)
{
    while (may_take(session)) {
        struct rpc_frame frame;
        struct err err = { 0 };
        int rc = channel_next(&session->channel, &frame, &err);

        if (rc < 0)
            end_because(session, &err);
        if (rc <= 0)
            break;
        dispatch(session, &frame);
    }
    if (discards(session))
        channel_discard(&session->channel);
    if (session->at_end && (may_take(session) || discards(session)))
        at_end(session, session->end_code);
}

/* Reading stops while nobody takes what was read, so that a peer cannot fill our memory. */
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

static void on_readable(evutil_socket_t fd, short what, void *arg)
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
            close_now(session);
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
        at_end(session, -rc);
}

static void on_writable(evutil_socket_t fd, short what, void *arg)
{
    struct rpc_session *session = arg;

    (void)fd;
    (void)what;
    session_enter(session);
    write_some(session);
    adjust_reading(session);
    session_leave(session);
}

void session_put(struct rpc_session *session, uint32_t type, uint32_t request, uint32_t flags,
                 const void *msg)
{
    AUTO(strbuf) struct strbuf body = { 0 };
    struct rpc_frame frame = { .type = type, .request = request, .flags = flags };

    if (msg)
        schema_encode(msg_schema(type), msg, &body);
    assert(body.len <= RPC_BODY_MAX);
    frame.body = body.data;
    frame.body_n = (uint32_t)body.len;
    channel_put(&session->channel, &frame);
    session_kick(session);
}

/* ---- work and time ---- */

static void report_end(struct rpc_session *session)
{
    void (*on_closed)(struct rpc_session *, const struct err *, void *) =
        session->callbacks.on_closed;

    session->callbacks = (struct rpc_callbacks){ 0 };
    greet_explain(session);
    if (on_closed)
        on_closed(session, &session->why, session->ctx);
}

static void on_work(evutil_socket_t fd, short what, void *arg)
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

/* Tells why, should the peer be able to hear, but does not wait for it. */
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
        end_because(session, &why);
    }
}

static void on_timer(evutil_socket_t fd, short what, void *arg)
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
        close_now(session);
    session_leave(session);
}

void session_ready(struct rpc_session *session)
{
    session->state = SESSION_READY;
    session->channel.body_max = RPC_BODY_MAX;
    greet_clear(session);
    event_del(session->timer);
    if (session->options.heartbeat_ms)
        session_wait(session, session->options.heartbeat_ms);
    if (session->callbacks.on_ready)
        session->callbacks.on_ready(session, session->ctx);
}

/* ---- birth ---- */

static void copy_options(struct rpc_options *to, const struct rpc_options *from)
{
    *to = *from;
    to->cluster = xstrdup(from->cluster);
    to->node = xstrdup(from->node);
    to->authc.socket_path = xstrdup(from->authc.socket_path);
    if (to->handshake_ms == 0)
        to->handshake_ms = RPC_HANDSHAKE_MS;
    if (to->backlog_max == 0)
        to->backlog_max = RPC_BACKLOG_MAX;
}

/* What the kernel knows of the other end. */
static int know_peer(struct rpc_session *session, struct err *err)
{
    struct rpc_peer *peer = &session->peer;
    int fd = session->channel.fd;
    struct net_addr addr = { .n = sizeof(addr.storage) };
    struct ucred cred;
    socklen_t n = sizeof(cred);

    if (getpeername(fd, (struct sockaddr *)&addr.storage, &addr.n) < 0) {
        session->name = xstrdup("unknown peer");
        if (errno == ENOTCONN) /* reset since it was made: its process was killed, say */
            return err_set(err, E_CLOSED, "the peer closed the connection before it said anything");
        return err_set(err, errno, "connection: %s", strerror(errno));
    }
    peer->is_local = addr.storage.ss_family == AF_UNIX;
    if (!peer->is_local) {
        session->name = net_addr_text(&addr);
        peer->address = net_addr_host(&addr);
        peer->port = net_addr_port(&addr);
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &(int){ 1 }, sizeof(int));
        return 0;
    }
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &cred, &n) < 0) {
        session->name = xstrdup("local peer");
        return err_set(err, errno, "local peer's uid: %s", strerror(errno));
    }
    peer->uid = cred.uid;
    peer->gid = cred.gid;
    peer->pid = cred.pid;
    session->name = xasprintf("uid %u, pid %d", (unsigned)cred.uid, (int)cred.pid);
    return 0;
}

struct rpc_session *rpc_session_new(struct event_base *base, int fd, bool initiator,
                                    const struct rpc_options *options,
                                    const struct rpc_callbacks *callbacks, void *ctx)
{
    struct rpc_session *session = xcalloc(1, sizeof(*session));
    struct err err = { 0 };

    session->base = base;
    session->initiator = initiator;
    session->callbacks = *callbacks;
    session->ctx = ctx;
    copy_options(&session->options, options);
    evutil_make_socket_nonblocking(fd);
    evutil_make_socket_closeonexec(fd);
    channel_init(&session->channel, fd);
    session->channel.body_max = HANDSHAKE_BODY_MAX;
    session->readable = event_new(base, fd, EV_READ | EV_PERSIST, on_readable, session);
    session->writable = event_new(base, fd, EV_WRITE, on_writable, session);
    session->work = event_new(base, -1, 0, on_work, session);
    session->timer = event_new(base, -1, 0, on_timer, session);
    if (know_peer(session, &err) < 0) {
        session_fail(session, &err);
        return session;
    }
    greet_start(session);
    session_wait(session, session->options.handshake_ms);
    session_kick(session);
    return session;
}

/* ---- for its owner ---- */

const char *rpc_session_name(const struct rpc_session *session)
{
    return session->name;
}

void rpc_session_set_callbacks(struct rpc_session *session, const struct rpc_callbacks *callbacks,
                               void *ctx)
{
    session->callbacks = *callbacks;
    session->ctx = ctx;
}

const struct rpc_peer *rpc_session_peer(const struct rpc_session *session)
{
    return &session->peer;
}

bool rpc_session_is_ready(const struct rpc_session *session)
{
    return session->state == SESSION_READY;
}

size_t rpc_session_backlog(const struct rpc_session *session)
{
    return channel_backlog(&session->channel);
}

void rpc_session_pause(struct rpc_session *session)
{
    if (session->state < SESSION_ENDING)
        session->is_paused = true;
    session_kick(session);
}

void rpc_session_resume(struct rpc_session *session)
{
    session->is_paused = false;
    session_kick(session);
}

void rpc_session_close(struct rpc_session *session, const char *reason)
{
    struct err why = { 0 };

    err_set(&why, E_CLOSED, "%s", reason ? reason : "connection closed");
    if (reason || session->state < SESSION_READY)
        end_because(session, &why);
    else
        session_finish(session, &why);
}
