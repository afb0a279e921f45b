#include "noded/stdio/visitors.h"

#include <event2/event.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utlist.h>

#include "common/msg/types.h"
#include "common/net/addr.h"
#include "common/net/gate.h"
#include "common/rpc/preface.h"
#include "common/rpc/session.h"
#include "noded/stdio/recent.h"

#define HEARTBEAT_MS 20000

struct visitor {
    struct visitors *visitors;
    struct net_guest *place; /* until the handshake is over */
    struct rpc_session *session;
    bool attached;
    bool waits; /* until there is room for its input */
    struct visitor *prev, *next;
};

struct visitors {
    struct event_base *base;
    struct visitors_options options;
    struct visitors_callbacks callbacks;
    void *ctx;
    struct visitor *all;
    struct net_gate *gate;
    uint32_t ready_n;
    struct recent *recent;
    struct event *deadline; /* of visitors_finish */
    void (*on_finished)(void *ctx);
    void *finished_ctx;
};

static void leave(struct visitor *visitor)
{
    struct visitors *visitors = visitor->visitors;

    DL_DELETE(visitors->all, visitor);
    visitors->ready_n -= !visitor->place;
    net_guest_leave(visitor->place);
    rpc_session_free(visitor->session);
    free(visitor);
}

static void check_finished(struct visitors *visitors)
{
    void (*fn)(void *ctx) = visitors->on_finished;

    if (!fn || visitors->all)
        return;
    visitors->on_finished = NULL;
    event_del(visitors->deadline);
    fn(visitors->finished_ctx);
}

static void on_deadline(evutil_socket_t fd, short what, void *arg)
{
    struct visitors *visitors = arg;

    (void)fd;
    (void)what;
    while (visitors->all)
        leave(visitors->all);
    check_finished(visitors);
}

/* ---- what they ask ---- */

static void on_look(struct visitor *visitor, const struct rpc_frame *frame)
{
    struct visitors *visitors = visitor->visitors;
    AUTO(step_sight) struct step_sight sight;

    step_sight_init(&sight);
    visitors->callbacks.on_look(visitors->ctx, &sight);
    if (rpc_send(visitor->session, MSG_STEP_SIGHT, frame->request, RPC_REPLY, &sight) == -E_TOO_BIG)
        (void)rpc_send_error(visitor->session, frame->request, E_TOO_BIG,
                             "the step has too many processes to name");
}

static void send_piece(void *ctx, uint32_t task, uint32_t stream, const void *data, uint32_t n)
{
    struct visitor *visitor = ctx;
    struct io_data msg = { .task = task,
                           .stream = stream,
                           .data = { (uint8_t *)(uintptr_t)data, n } };

    (void)rpc_send(visitor->session, MSG_IO_DATA, 0, 0, &msg); /* on_closed follows a failure */
}

/* Attaches the visitor, who is first told what was printed just before: a prompt, perhaps, that
 * waits for an answer. */
static void on_attach(struct visitor *visitor, const struct rpc_frame *frame)
{
    visitor->attached = true;
    (void)rpc_send(visitor->session, MSG_OK, frame->request, RPC_REPLY, NULL);
    recent_each(visitor->visitors->recent, send_piece, visitor);
}

static void on_input(struct visitor *visitor, const struct rpc_frame *frame)
{
    struct visitors *visitors = visitor->visitors;
    AUTO(io_data) struct io_data data;
    struct err err = { 0 };
    int rc = rpc_decode(frame, io_data_schema(), &data, &err);

    if (rc == 0 && data.data.n > IO_DATA_MAX)
        rc = err_set(&err, E_TOO_BIG, "input of %u bytes in one message", data.data.n);
    if (rc == 0 && visitor->attached)
        rc = visitors->callbacks.on_input(visitors->ctx, data.task, data.data.data, data.data.n,
                                          &err);
    if (rc < 0)
        rpc_session_close(visitor->session, err.text);
    visitor->waits = rc > 0;
    if (visitor->waits)
        rpc_session_pause(visitor->session);
}

void visitors_go_on(struct visitors *visitors)
{
    struct visitor *it;

    DL_FOREACH (visitors->all, it) {
        if (it->waits)
            rpc_session_resume(it->session);
        it->waits = false;
    }
}

static const struct {
    uint32_t type;
    void (*handle)(struct visitor *visitor, const struct rpc_frame *frame);
} handlers[] = {
    { MSG_STEP_LOOK, on_look },
    { MSG_STEP_ATTACH, on_attach },
    { MSG_IO_DATA, on_input },
};

static void on_frame(struct rpc_session *session, const struct rpc_frame *frame, void *ctx)
{
    for (size_t i = 0; i < ARRAY_N(handlers); i++) {
        if (handlers[i].type == frame->type) {
            handlers[i].handle(ctx, frame);
            return;
        }
    }
    (void)rpc_refuse_unknown(session, frame);
}

/* ---- coming and going ---- */

static void on_closed(struct rpc_session *session, const struct err *why, void *ctx)
{
    struct visitor *visitor = ctx;
    struct visitors *visitors = visitor->visitors;

    (void)session;
    (void)why; /* it was told to the visitor; the user has no log */
    leave(visitor);
    check_finished(visitors);
}

static bool accept_peer(const struct rpc_peer *peer, void *ctx, struct err *err)
{
    const struct visitors *visitors = ctx;

    if (peer->role == RPC_ROLE_CLIENT &&
        (peer->uid == getuid() || peer->uid == 0 || peer->uid == visitors->options.slurm_uid))
        return true;
    (void)err_set(err, E_ACCESS, "uid %u may not look at a step of uid %u", peer->uid, getuid());
    return false;
}

static bool answer(int fd, int code)
{
    uint8_t bytes[RPC_PREFACE_ANSWER_N];

    rpc_preface_answer_encode(code, bytes);
    return send(fd, bytes, sizeof(bytes), MSG_NOSIGNAL | MSG_DONTWAIT) == sizeof(bytes);
}

static void on_ready(struct rpc_session *session, void *ctx)
{
    struct visitor *visitor = ctx;
    struct visitors *visitors = visitor->visitors;

    visitor->place = net_guest_leave(visitor->place);
    if (visitors->ready_n++ >= VISITORS_MAX)
        rpc_session_close(session, "too many look at this step");
}

static enum net_silence silence_of(const void *owner)
{
    return rpc_session_silence(((const struct visitor *)owner)->session);
}

static void on_evicted(void *owner)
{
    struct visitor *visitor = owner;

    leave(visitor);
}

static void on_guest(struct net_guest *place, int fd, void *ctx)
{
    static const struct rpc_callbacks callbacks = { .on_ready = on_ready,
                                                    .on_frame = on_frame,
                                                    .on_closed = on_closed };
    static const struct net_owner kind = { silence_of, on_evicted };
    struct visitors *visitors = ctx;
    const struct rpc_options options = { .role = RPC_ROLE_STEP,
                                         .cluster = visitors->options.cluster,
                                         .authc = visitors->options.authc,
                                         .clock = visitors->options.clock,
                                         .accept_peer = accept_peer,
                                         .ctx = visitors,
                                         .heartbeat_ms = HEARTBEAT_MS,
                                         .backlog_max = VISITORS_BACKLOG_MAX };
    struct visitor *visitor;

    if (!answer(fd, 0)) {
        net_guest_leave(place);
        close(fd);
        return;
    }
    visitor = xcalloc(1, sizeof(*visitor));
    visitor->visitors = visitors;
    visitor->place = place;
    net_guest_own(place, &kind, visitor);
    DL_APPEND(visitors->all, visitor);
    visitor->session = rpc_session_new(visitors->base, fd, false, &options, &callbacks, visitor);
}

/* Takes a TCP connection only. Who passes descriptors on is not trusted: of a Unix socket the
 * kernel would tell another's uid. */
void visitors_take(struct visitors *visitors, int fd)
{
    bool is_tcp = net_is_tcp(fd);

    if (is_tcp && !visitors->on_finished && net_gate_enter(visitors->gate, fd))
        return;
    if (is_tcp)
        (void)answer(fd, EBUSY);
    close(fd);
}

/* ---- the whole ---- */

struct visitors *visitors_new(struct event_base *base, const struct visitors_options *options,
                              const struct visitors_callbacks *callbacks, void *ctx)
{
    static const struct net_gate_callbacks gate = { .on_guest = on_guest };
    struct visitors *visitors = xcalloc(1, sizeof(*visitors));

    visitors->base = base;
    visitors->options = *options;
    visitors->callbacks = *callbacks;
    visitors->ctx = ctx;
    visitors->gate = net_gate_new(base, VISITORS_UNKNOWN_MAX, &gate, visitors);
    visitors->recent = recent_new();
    visitors->deadline = evtimer_new(base, on_deadline, visitors);
    return visitors;
}

struct visitors *visitors_free(struct visitors *visitors)
{
    if (!visitors)
        return NULL;
    while (visitors->all)
        leave(visitors->all);
    net_gate_free(visitors->gate);
    event_free(visitors->deadline);
    recent_free(visitors->recent);
    free(visitors);
    return NULL;
}

/* ---- what they see ---- */

void visitors_output(struct visitors *visitors, uint32_t task, uint32_t stream, const void *data,
                     uint32_t n)
{
    struct visitor *it;

    recent_add(visitors->recent, task, stream, data, n);
    DL_FOREACH (visitors->all, it) {
        if (it->attached)
            send_piece(it, task, stream, data, n);
    }
}

void visitors_task_exited(struct visitors *visitors, uint32_t task, int status)
{
    const struct io_task_exit exit = { .task = task, .status = status };
    struct visitor *it;

    DL_FOREACH (visitors->all, it) {
        if (it->attached)
            (void)rpc_send(it->session, MSG_IO_TASK_EXIT, 0, 0, &exit);
    }
}

void visitors_finish(struct visitors *visitors, void (*fn)(void *ctx), void *ctx)
{
    struct visitor *it, *next;

    visitors->on_finished = fn;
    visitors->finished_ctx = ctx;
    DL_FOREACH_SAFE (visitors->all, it, next) {
        if (rpc_session_is_ready(it->session))
            rpc_session_close(it->session, NULL);
        else
            leave(it);
    }
    event_add(visitors->deadline,
              &(struct timeval){ VISITORS_LEAVE_MS / 1000, VISITORS_LEAVE_MS % 1000 * 1000 });
    check_finished(visitors);
}
