#include "common/rpc/session.h"

#include <errno.h>
#include <event2/event.h>
#include <event2/util.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <unistd.h>

#include "common/net/addr.h"
#include "common/rpc/inside.h"

#define HANDSHAKE_BODY_MAX (16u << 10) /* from a stranger */

const char *rpc_role_name(enum rpc_role role)
{
    static const char *const names[] = { "nobody", "client", "node",    "controller",
                                         "step",   "srun",   "slurmdbd" };

    return (size_t)role < ARRAY_N(names) ? names[role] : "unknown role";
}

/* ---- life ---- */

static void free_now(struct rpc_session *session)
{
    event_free(session->readable);
    event_free(session->writable);
    event_free(session->work);
    event_free(session->timer);
    greet_clear(session);
    channel_clear(&session->channel);
    free(session->peer.node);
    free(session->peer.cluster);
    free(session->peer.address);
    free(session->peer.version);
    free((char *)(uintptr_t)session->options.cluster);
    free((char *)(uintptr_t)session->options.node);
    free((char *)(uintptr_t)session->options.authc.socket_path);
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

/* Finds out what the kernel knows of the peer. */
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
    session->readable = event_new(base, fd, EV_READ | EV_PERSIST, session_on_readable, session);
    session->writable = event_new(base, fd, EV_WRITE, session_on_writable, session);
    session->work = event_new(base, -1, 0, session_on_work, session);
    session->timer = event_new(base, -1, 0, session_on_timer, session);
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

enum net_silence rpc_session_silence(const struct rpc_session *session)
{
    const struct greeting *greet = &session->greet;

    if (session->state == SESSION_HELLO)
        return GATE_SAID_NOTHING;
    if (session->state == SESSION_VERDICT && (!greet->peer_good || !greet->proof_sent))
        return GATE_WORKS; /* authd does */
    return GATE_HAS_SPOKEN;
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
