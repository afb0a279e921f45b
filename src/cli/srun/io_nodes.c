/* io_nodes.c - nodes of the step that have dialled in: what their tasks print, read and tell. */
#include <errno.h>
#include <string.h>

#include "cli/srun/io_inside.h"
#include "common/msg/types.h"

#define CREDIT_AT     (128u << 10) /* consumed bytes worth a message */
#define BACKLOG_PAUSE (16u << 20)  /* of output; then nothing more is taken in */
#define BACKLOG_GO_ON (4u << 20)

/* ---- output ---- */

static void pause_nodes(struct io_server *server, bool pause)
{
    server->paused = pause;
    for (uint32_t i = 0; i < server->nodes_n; i++) {
        if (!server->nodes[i].session)
            continue;
        if (pause)
            rpc_session_pause(server->nodes[i].session);
        else
            rpc_session_resume(server->nodes[i].session);
    }
}

/*
 * Sends credit; with `always` also a little, because nothing else is under way that would bring it
 * along.
 */
static void send_credit(struct io_node *node, bool always)
{
    uint64_t news = node->consumed > node->credited ? node->consumed - node->credited : 0;
    struct io_credit credit = { .bytes = (uint32_t)news, .total = node->consumed };

    if (!node->session || news == 0 || (news < CREDIT_AT && !always))
        return;
    node->credited = node->consumed;
    (void)rpc_send(node->session, MSG_IO_CREDIT, 0, 0, &credit);
}

void io_server_consumed(struct io_server *server, uint32_t source, uint32_t n)
{
    struct io_node *node = &server->nodes[source];

    node->consumed += n;
    send_credit(node, node->consumed == node->received);
    if (server->paused && output_backlog(server->output) < BACKLOG_GO_ON)
        pause_nodes(server, false);
}

static int on_data(struct io_node *node, const struct rpc_frame *frame, struct err *err)
{
    AUTO(io_data) struct io_data data;
    struct io_server *server = node->server;

    int rc = rpc_decode(frame, io_data_schema(), &data, err);
    if (rc < 0)
        return rc;
    if (data.data.n > IO_DATA_MAX || data.stream > IO_STDERR || data.stream == IO_STDIN)
        return err_set(err, E_PROTO, "IO_DATA of %u bytes for stream %u", data.data.n, data.stream);
    if (data.task != COUNT_UNSET && data.task >= IO_NODES_MAX * 64u)
        return err_set(err, E_PROTO, "IO_DATA of task %u", data.task);
    node->received += data.data.n;
    output_add(server->output, node->number, data.task, data.stream, data.data.data, data.data.n);
    if (!server->paused && output_backlog(server->output) > BACKLOG_PAUSE)
        pause_nodes(server, true);
    return 0;
}

/* ---- input ---- */

static bool wants_input(const struct io_server *server, const struct step_node *node)
{
    if (server->stdin_task == COUNT_UNSET)
        return node->tasks_n > 0;
    for (uint32_t i = 0; i < node->tasks_n; i++) {
        if (node->tasks[i] == server->stdin_task)
            return true;
    }
    return false;
}

static void feed_node(struct io_node *node)
{
    struct io_server *server = node->server;
    struct io_data data = { .task = server->stdin_task, .stream = IO_STDIN };
    const void *bytes;
    uint32_t n;

    while (node->agreed && input_next(server->input, node->number, &bytes, &n)) {
        data.data = (struct blob){ (uint8_t *)(uintptr_t)bytes, n };
        (void)rpc_send(node->session, MSG_IO_DATA, 0, 0, &data);
    }
}

void io_server_feed(struct io_server *server)
{
    for (uint32_t i = 0; server->input && i < server->nodes_n; i++)
        feed_node(&server->nodes[i]);
}

void io_server_start(struct io_server *server, struct output *output, struct input *input,
                     uint32_t stdin_task, const struct step_node *nodes, uint32_t nodes_n)
{
    server->output = output;
    server->input = input;
    server->stdin_task = stdin_task;
    server->nodes = xcalloc(nodes_n + 1, sizeof(*server->nodes));
    server->nodes_n = nodes_n;
    for (uint32_t i = 0; i < nodes_n; i++)
        server->nodes[i] =
            (struct io_node){ .server = server, .number = i, .tasks_n = nodes[i].tasks_n };
    if (input)
        input_set_readers(input, nodes_n);
    for (uint32_t i = 0; input && i < nodes_n; i++) {
        if (!wants_input(server, &nodes[i]))
            input_leave(input, i);
    }
    rpc_server_listen(server->rpc, server->fd);
    if (server->local_fd >= 0)
        rpc_server_listen(server->rpc, server->local_fd);
}

static int on_credit(struct io_node *node, const struct rpc_frame *frame, struct err *err)
{
    struct io_server *server = node->server;
    struct io_credit credit;

    int rc = rpc_decode(frame, io_credit_schema(), &credit, err);
    if (rc < 0 || !server->input)
        return rc;
    if (node->agreed)
        input_consumed(server->input, node->number, credit.total);
    else
        input_rewind(server->input, node->number, credit.total);
    node->agreed = true;
    feed_node(node);
    return 0;
}

/* ---- what tasks do ---- */

static int on_started(struct io_node *node, const struct rpc_frame *frame, struct err *err)
{
    AUTO(io_task_start) struct io_task_start start;

    int rc = rpc_decode(frame, io_task_start_schema(), &start, err);
    if (rc == 0)
        node->server->callbacks.on_started(&start, rpc_session_name(node->session),
                                           node->server->ctx);
    return rc;
}

static int on_exited(struct io_node *node, const struct rpc_frame *frame, struct err *err)
{
    struct io_task_exit exit;

    int rc = rpc_decode(frame, io_task_exit_schema(), &exit, err);
    if (rc < 0)
        return rc;
    node->exits_n++;
    node->server->callbacks.on_exited(exit.task, exit.status, node->server->ctx);
    if (exit.in_mpi && node->server->callbacks.on_broken)
        node->server->callbacks.on_broken(exit.task, node->server->ctx);
    return 0;
}

/* ---- from node to node ---- */

static int on_relay(struct io_node *node, const struct rpc_frame *frame, struct err *err)
{
    AUTO(io_relay) struct io_relay relay;
    struct io_server *server = node->server;

    int rc = rpc_decode(frame, io_relay_schema(), &relay, err);
    if (rc < 0 || !relays_take(&node->relays, node->session, &relay))
        return rc;
    for (uint32_t i = 0; i < relay.nodes_n; i++) {
        const struct io_relay sent = { .from = node->number, .data = relay.data };

        if (relay.nodes[i] >= server->nodes_n)
            return err_set(err, E_PROTO, "IO_RELAY for node number %u", relay.nodes[i]);
        relays_send(&server->nodes[relay.nodes[i]].relays, server->nodes[relay.nodes[i]].session,
                    &sent);
    }
    return 0;
}

static int on_relayed(struct io_node *node, const struct rpc_frame *frame, struct err *err)
{
    struct io_relayed relayed;

    int rc = rpc_decode(frame, io_relayed_schema(), &relayed, err);
    if (rc == 0)
        relays_acknowledged(&node->relays, relayed.number);
    return rc;
}

static int on_abort(struct io_node *node, const struct rpc_frame *frame, struct err *err)
{
    AUTO(io_abort) struct io_abort abort;

    int rc = rpc_decode(frame, io_abort_schema(), &abort, err);
    if (rc == 0 && node->server->callbacks.on_abort)
        node->server->callbacks.on_abort(rpc_session_name(node->session),
                                         abort.text ? abort.text : "", node->server->ctx);
    return rc;
}

/* ---- connections ---- */

static const struct {
    uint32_t type;
    int (*handle)(struct io_node *node, const struct rpc_frame *frame, struct err *err);
} handlers[] = {
    { MSG_IO_DATA, on_data },          { MSG_IO_CREDIT, on_credit },
    { MSG_IO_TASK_START, on_started }, { MSG_IO_TASK_EXIT, on_exited },
    { MSG_IO_RELAY, on_relay },        { MSG_IO_RELAYED, on_relayed },
    { MSG_IO_ABORT, on_abort },
};

static void on_frame(struct rpc_session *session, const struct rpc_frame *frame, void *ctx)
{
    struct io_node *node = ctx;
    struct err err = { 0 };

    for (size_t i = 0; i < ARRAY_N(handlers); i++) {
        if (handlers[i].type != frame->type)
            continue;
        if (handlers[i].handle(node, frame, &err) < 0) {
            node->server->callbacks.on_refused(&err, node->server->ctx);
            rpc_session_close(session, err.text);
        }
        return;
    }
    (void)rpc_refuse_unknown(session, frame);
}

static void on_node_closed(struct rpc_session *session, const struct err *why, void *ctx)
{
    struct io_node *node = ctx;

    (void)why;
    if (node->session != session) { /* a newer connection took its place */
        rpc_session_free(session);
        return;
    }
    node->session = rpc_session_free(session);
    node->agreed = false;
    node->done = node->exits_n >= node->tasks_n; /* else it will come again */
    if (node->done && node->server->input)
        input_leave(node->server->input, node->number);
    node->server->callbacks.on_closed(node->server->ctx);
}

void io_server_give_up(struct io_server *server, uint32_t number)
{
    struct io_node *node = number < server->nodes_n ? &server->nodes[number] : NULL;

    if (!node)
        return;
    node->given_up = true;
    node->session = rpc_session_free(node->session);
    node->agreed = false;
    if (server->input)
        input_leave(server->input, number);
}

void io_node_send_signal(struct io_node *node, int signal)
{
    struct io_signal msg = { .signal = (uint32_t)signal };

    if (node->session)
        (void)rpc_send(node->session, MSG_IO_SIGNAL, 0, 0, &msg);
}

void io_node_send_window(struct io_node *node)
{
    struct io_window msg = { .rows = node->server->rows, .columns = node->server->columns };

    if (node->session && msg.rows > 0)
        (void)rpc_send(node->session, MSG_IO_WINDOW, 0, 0, &msg);
}

/* Tells the node first how much has come already: what is received needs no repeating. */
static void greet_node(struct io_node *node)
{
    struct io_server *server = node->server;
    struct io_credit credit = { .total = node->received };

    (void)rpc_send(node->session, MSG_IO_CREDIT, 0, 0, &credit);
    node->credited = node->received;
    io_node_send_window(node);
    relays_repeat(&node->relays, node->session);
    for (uint32_t i = 0; i < server->signals_n && !node->was_connected; i++)
        io_node_send_signal(node, server->signals[i]);
    node->was_connected = true;
    if (server->paused)
        rpc_session_pause(node->session);
}

void io_node_take_session(struct io_node *node, struct rpc_session *session)
{
    static const struct rpc_callbacks callbacks = { .on_frame = on_frame,
                                                    .on_closed = on_node_closed };
    struct rpc_session *old = node->session;

    node->session = session;
    node->agreed = false;
    node->done = false;
    node->exits_n = 0;
    rpc_session_set_callbacks(session, &callbacks, node);
    rpc_session_free(old);
    greet_node(node);
    node->server->callbacks.on_connected(node->server->ctx);
}
