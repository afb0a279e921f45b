#include "noded/stdio/link_inside.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "common/msg/types.h"

#define HEARTBEAT_MS 20000

static const struct step_node *node_of(const struct srun_link *srun)
{
    return &srun->options.body->nodes[srun->options.node_index];
}

static void set_deadline(struct srun_link *srun, int ms)
{
    struct timeval wait = { ms / 1000, ms % 1000 * 1000 };

    event_add(srun->deadline, &wait);
}

/* ---- what is sent ---- */

void link_send_output(struct srun_link *srun)
{
    struct outflow_frame frame;

    while (srun->agreed && outflow_next(srun->out, &frame)) {
        struct io_data data = { .task = frame.task,
                                .stream = frame.stream,
                                .data = { (uint8_t *)(uintptr_t)frame.data, frame.n } };

        (void)rpc_send(srun->session, MSG_IO_DATA, 0, 0, &data);
    }
}

static void send_started(struct srun_link *srun)
{
    const struct step_node *node = node_of(srun);
    struct io_task_start start = {
        .tasks = node->tasks, .tasks_n = node->tasks_n, .pids = srun->pids, .pids_n = node->tasks_n
    };

    if (srun->agreed && srun->pids)
        (void)rpc_send(srun->session, MSG_IO_TASK_START, 0, 0, &start);
}

static void send_exit(struct srun_link *srun, const struct exited *exited)
{
    struct io_task_exit exit = { .task = node_of(srun)->tasks[exited->local],
                                 .status = exited->status,
                                 .in_mpi = exited->in_mpi };

    if (srun->agreed)
        (void)rpc_send(srun->session, MSG_IO_TASK_EXIT, 0, 0, &exit);
}

void link_send_credit(struct srun_link *srun)
{
    uint64_t total = inflow_consumed(srun->in);
    struct io_credit credit = { .bytes = (uint32_t)(total - srun->in_credited), .total = total };

    if (!srun->agreed || total == srun->in_credited)
        return;
    srun->in_credited = total;
    (void)rpc_send(srun->session, MSG_IO_CREDIT, 0, 0, &credit);
}

void link_check_done(struct srun_link *srun)
{
    if (!srun->finishing || srun->outputs_n || !outflow_is_done(srun->out) || !srun->agreed)
        return;
    srun->agreed = false;
    srun->closing = true;
    rpc_session_close(srun->session, NULL); /* on_closed says done, once all is out */
}

/* ---- what srun says ---- */

/* Finds which of this node's tasks input is for; fails with -E_PROTO for another node's. */
static int local_of(const struct srun_link *srun, uint32_t task, uint32_t *ret_local,
                    struct err *err)
{
    const struct step_node *node = node_of(srun);

    *ret_local = COUNT_UNSET;
    if (task == COUNT_UNSET)
        return 0;
    for (uint32_t i = 0; i < node->tasks_n; i++) {
        if (node->tasks[i] == task) {
            *ret_local = i;
            return 0;
        }
    }
    return err_set(err, E_PROTO, "input for task %u, which is not on this node", task);
}

int srun_link_guest_input(struct srun_link *srun, uint32_t task, const void *data, uint32_t n,
                          struct err *err)
{
    uint32_t local;
    int rc = local_of(srun, task, &local, err);

    if (rc == 0 && n > 0) /* an end is srun's to send */
        rc = inflow_add(srun->guests, local, data, n, err);
    if (rc < 0)
        return rc;
    link_feed_all(srun);
    srun->guests_wait = !link_has_room_for_guests(srun);
    return srun->guests_wait;
}

static int on_data(struct srun_link *srun, const struct rpc_frame *frame, struct err *err)
{
    AUTO(io_data) struct io_data data;
    uint32_t local;
    int rc = rpc_decode(frame, io_data_schema(), &data, err);

    if (rc == 0)
        rc = local_of(srun, data.task, &local, err);
    if (rc == 0)
        rc = inflow_add(srun->in, local, data.data.data, data.data.n, err);
    if (rc == 0)
        link_feed_all(srun);
    return rc;
}

/* Takes a credit. The first one on a connection says where srun stands. */
static int on_credit(struct srun_link *srun, const struct rpc_frame *frame, struct err *err)
{
    struct io_credit credit;
    uint64_t total;
    int rc = rpc_decode(frame, io_credit_schema(), &credit, err);

    if (rc < 0)
        return rc;
    total = credit.total ? credit.total : outflow_consumed(srun->out) + credit.bytes;
    rc = srun->agreed ? outflow_credit(srun->out, total, err)
                      : outflow_rewind(srun->out, total, err);
    if (rc < 0)
        return rc;
    if (!srun->agreed) {
        srun->agreed = true;
        send_started(srun);
        for (uint32_t i = 0; i < srun->exits_n; i++)
            send_exit(srun, &srun->exits[i]);
        relays_repeat(&srun->relays, srun->session);
    }
    link_send_output(srun);
    link_want_output(srun);
    link_check_done(srun);
    return 0;
}

static int on_signal(struct srun_link *srun, const struct rpc_frame *frame, struct err *err)
{
    struct io_signal signal;
    int rc = rpc_decode(frame, io_signal_schema(), &signal, err);

    if (rc == 0)
        srun->callbacks.on_signal(srun->ctx, (int)signal.signal);
    return rc;
}

static int on_window(struct srun_link *srun, const struct rpc_frame *frame, struct err *err)
{
    struct io_window window;
    int rc = rpc_decode(frame, io_window_schema(), &window, err);

    if (rc == 0)
        srun->callbacks.on_window(srun->ctx, window.rows, window.columns);
    return rc;
}

static int on_relay(struct srun_link *srun, const struct rpc_frame *frame, struct err *err)
{
    AUTO(io_relay) struct io_relay relay;
    int rc = rpc_decode(frame, io_relay_schema(), &relay, err);

    if (rc == 0 && relays_take(&srun->relays, srun->session, &relay) && srun->callbacks.on_relay)
        srun->callbacks.on_relay(srun->ctx, relay.from, relay.data.data, relay.data.n);
    return rc;
}

static int on_relayed(struct srun_link *srun, const struct rpc_frame *frame, struct err *err)
{
    struct io_relayed relayed;
    int rc = rpc_decode(frame, io_relayed_schema(), &relayed, err);

    if (rc == 0)
        relays_acknowledged(&srun->relays, relayed.number);
    return rc;
}

static const struct {
    uint32_t type;
    int (*handle)(struct srun_link *srun, const struct rpc_frame *frame, struct err *err);
} handlers[] = {
    { MSG_IO_DATA, on_data },     { MSG_IO_CREDIT, on_credit }, { MSG_IO_SIGNAL, on_signal },
    { MSG_IO_WINDOW, on_window }, { MSG_IO_RELAY, on_relay },   { MSG_IO_RELAYED, on_relayed },
};

static void on_frame(struct rpc_session *session, const struct rpc_frame *frame, void *ctx)
{
    struct err err = { 0 };

    for (size_t i = 0; i < ARRAY_N(handlers); i++) {
        if (handlers[i].type != frame->type)
            continue;
        if (handlers[i].handle(ctx, frame, &err) < 0)
            rpc_session_close(session, err.text);
        return;
    }
    (void)rpc_refuse_unknown(session, frame);
}

/* ---- the connection ---- */

static void on_ready(struct rpc_session *session, void *ctx)
{
    struct srun_link *srun = ctx;
    const struct launch_body *body = srun->options.body;
    struct io_hello hello = { .job_id = body->job_id,
                              .step_id = body->step_id,
                              .token = body->io_token,
                              .node = node_of(srun)->name,
                              .node_index = srun->options.node_index };
    struct io_credit credit = { .total =
                                    inflow_received(srun->in) }; /* kept, so not needed again */

    (void)rpc_send(session, MSG_IO_HELLO, 0, 0, &hello);
    (void)rpc_send(session, MSG_IO_CREDIT, 0, 0, &credit);
    srun->in_credited = inflow_consumed(srun->in);
    if (srun->was_connected)
        return;
    srun->was_connected = true;
    event_del(srun->deadline);
    srun->callbacks.on_connected(srun->ctx, srun->host, srun->port);
}

static void on_closed(struct rpc_session *session, const struct err *why, void *ctx)
{
    struct srun_link *srun = ctx;

    (void)why; /* seen from the user's side there is nobody to tell; dialing again will show */
    srun->session = rpc_session_free(session);
    srun->agreed = false;
    if (srun->closing)
        srun->callbacks.on_done(srun->ctx);
    else
        dialer_start(srun->dialer);
}

/* Accepts only the user whom this process runs as, since only that user may be srun. */
static bool accept_peer(const struct rpc_peer *peer, void *ctx, struct err *err)
{
    (void)ctx;
    if (peer->uid == getuid() && peer->role == RPC_ROLE_SRUN)
        return true;
    (void)err_set(err, E_ACCESS, "the peer is %s of uid %u, not srun of uid %u",
                  rpc_role_name(peer->role), peer->uid, getuid());
    return false;
}

static void on_dialed(void *ctx, int fd, const struct net_addr *addr)
{
    static const struct rpc_callbacks callbacks = { .on_ready = on_ready,
                                                    .on_frame = on_frame,
                                                    .on_closed = on_closed };
    struct srun_link *srun = ctx;
    struct rpc_options options = { .role = RPC_ROLE_STEP,
                                   .cluster = srun->options.cluster,
                                   .authc = srun->options.authc,
                                   .clock = srun->options.clock,
                                   .accept_peer = accept_peer,
                                   .heartbeat_ms = HEARTBEAT_MS };

    free(srun->host);
    srun->host = net_addr_host(addr);
    srun->port = net_addr_port(addr);
    srun->session = rpc_session_new(srun->base, fd, true, &options, &callbacks, srun);
}

/* Gives up when srun refuses where it once answered: it has gone for good, and nobody takes what is
 * left. */
static void give_up_if_gone(struct srun_link *srun)
{
    if (srun->finishing && srun->was_connected && dialer_why(srun->dialer)->code == ECONNREFUSED)
        set_deadline(srun, 0);
}

static void on_dial_failed(void *ctx)
{
    give_up_if_gone(ctx);
}

static void on_deadline(evutil_socket_t fd, short what, void *arg)
{
    struct srun_link *srun = arg;

    (void)fd;
    (void)what;
    if (srun->finishing && srun->agreed && !srun->hurrying) {
        set_deadline(srun, SRUN_FLUSH_MS); /* it is there, only slow: perhaps somebody reads */
        return;
    }
    if (srun->was_connected) {
        srun->callbacks.on_done(srun->ctx);
        return;
    }
    struct err why = *dialer_why(srun->dialer);
    if (!why.code)
        (void)err_set(&why, E_TIMEOUT, "no answer within %d s", SRUN_CONNECT_MS / 1000);
    (void)err_prefix(&why, "cannot reach srun");
    srun->callbacks.on_failed(srun->ctx, &why);
}

struct srun_link *srun_link_new(struct event_base *base, const struct srun_link_options *options,
                                const struct srun_link_callbacks *callbacks, void *ctx)
{
    const struct launch_body *body = options->body;
    struct srun_link *srun = xcalloc(1, sizeof(*srun));

    srun->base = base;
    srun->options = *options;
    srun->callbacks = *callbacks;
    srun->ctx = ctx;
    srun->out = outflow_new();
    srun->in = inflow_new(node_of(srun)->tasks_n);
    srun->guests = inflow_new(node_of(srun)->tasks_n);
    srun->deadline = evtimer_new(base, on_deadline, srun);
    if (!body->patient)
        set_deadline(srun, SRUN_CONNECT_MS);
    srun->dialer = dialer_new(base, body->io_addresses, body->io_addresses_n, options->controller,
                              on_dialed, on_dial_failed, srun);
    dialer_start(srun->dialer);
    return srun;
}

struct srun_link *srun_link_free(struct srun_link *srun)
{
    if (!srun)
        return NULL;
    link_close_streams(srun);
    dialer_free(srun->dialer);
    rpc_session_free(srun->session);
    event_free(srun->deadline);
    outflow_free(srun->out);
    inflow_free(srun->in);
    inflow_free(srun->guests);
    relays_clear(&srun->relays);
    free(srun->pids);
    free(srun->exits);
    free(srun->host);
    free(srun);
    return NULL;
}

void srun_link_tasks_started(struct srun_link *srun, const uint32_t *pids)
{
    srun->pids = xmemdup(pids, node_of(srun)->tasks_n * sizeof(*pids));
    send_started(srun);
}

void srun_link_task_exited(struct srun_link *srun, uint32_t local, int status, bool in_mpi)
{
    struct exited exited = { local, status, in_mpi };

    *ARRAY_PUSH(srun->exits, srun->exits_n) = exited;
    inflow_leave(srun->in, local);
    inflow_leave(srun->guests, local);
    link_close_input(srun, local);
    send_exit(srun, &exited);
    link_send_credit(srun);
}

void srun_link_relay(struct srun_link *srun, const uint32_t *nodes, uint32_t nodes_n,
                     const struct strbuf *bytes)
{
    const struct io_relay relay = { .nodes = (uint32_t *)(uintptr_t)nodes,
                                    .nodes_n = nodes_n,
                                    .data = { (uint8_t *)bytes->data, (uint32_t)bytes->len } };

    relays_send(&srun->relays, srun->agreed ? srun->session : NULL, &relay);
}

void srun_link_abort(struct srun_link *srun, const char *why)
{
    struct io_abort abort = { .text = (char *)(uintptr_t)why };

    if (srun->agreed)
        (void)rpc_send(srun->session, MSG_IO_ABORT, 0, 0, &abort);
}

void srun_link_finish(struct srun_link *srun)
{
    srun->finishing = true;
    set_deadline(srun, srun->hurrying ? SRUN_HURRY_MS : SRUN_FLUSH_MS);
    link_check_done(srun);
    give_up_if_gone(srun);
}

void srun_link_hurry(struct srun_link *srun)
{
    srun->hurrying = true;
    if (srun->finishing)
        set_deadline(srun, SRUN_HURRY_MS);
}
