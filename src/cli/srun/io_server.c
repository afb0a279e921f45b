#include "cli/srun/io_server.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "common/crypt/crypt.h"
#include "common/msg/types.h"
#include "common/net/listen.h"
#include "common/rpc/relays.h"
#include "common/rpc/server.h"

#define HEARTBEAT_MS  20000
#define CREDIT_AT     (128u << 10) /* consumed bytes worth a message */
#define BACKLOG_PAUSE (16u << 20)  /* of output; then nothing more is taken in */
#define BACKLOG_GO_ON (4u << 20)
#define SIGNALS_KEPT  64 /* for nodes that have not dialled in yet */

/* A node of the step; its number is that of the layout. */
struct node {
    struct io_server *server;
    uint32_t number;
    struct rpc_session *session;
    uint64_t received; /* bytes of output, since the step began */
    uint64_t consumed; /* of them written */
    uint64_t credited; /* of them told to the node */
    uint32_t tasks_n;
    uint32_t exits_n; /* told on this connection; a new one tells all of them again */
    bool done;        /* all its tasks have ended, and it closed */
    bool was_connected;
    bool agreed; /* on this connection: it said how much input it has */
    struct relays relays;
};

/* A connection that has not said which node it is. */
struct stranger {
    struct stranger *next;
    struct io_server *server;
    struct rpc_session *session;
};

struct io_server {
    struct io_server_options options;
    struct io_server_callbacks callbacks;
    void *ctx;
    struct rpc_server *rpc;
    int fd;
    uint16_t port;
    uint8_t token[IO_TOKEN_BYTES];
    struct output *output;
    struct input *input;
    uint32_t stdin_task;
    struct node *nodes; /* none before io_server_start */
    uint32_t nodes_n;
    struct stranger *strangers;
    bool paused;
    uint32_t rows, columns;
    uint8_t signals[SIGNALS_KEPT];
    uint32_t signals_n;
};

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

/* `always`: also little, because nothing else is under way that would bring it along. */
static void send_credit(struct node *node, bool always)
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
    struct node *node = &server->nodes[source];

    node->consumed += n;
    send_credit(node, node->consumed == node->received);
    if (server->paused && output_backlog(server->output) < BACKLOG_GO_ON)
        pause_nodes(server, false);
}

static int on_data(struct node *node, const struct rpc_frame *frame, struct err *err)
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

static void feed_node(struct node *node)
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
            (struct node){ .server = server, .number = i, .tasks_n = nodes[i].tasks_n };
    if (input)
        input_set_readers(input, nodes_n);
    for (uint32_t i = 0; input && i < nodes_n; i++) {
        if (!wants_input(server, &nodes[i]))
            input_leave(input, i);
    }
    rpc_server_listen(server->rpc, server->fd);
}

static int on_credit(struct node *node, const struct rpc_frame *frame, struct err *err)
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

static int on_started(struct node *node, const struct rpc_frame *frame, struct err *err)
{
    AUTO(io_task_start) struct io_task_start start;

    int rc = rpc_decode(frame, io_task_start_schema(), &start, err);
    if (rc == 0)
        node->server->callbacks.on_started(&start, rpc_session_name(node->session),
                                           node->server->ctx);
    return rc;
}

static int on_exited(struct node *node, const struct rpc_frame *frame, struct err *err)
{
    struct io_task_exit exit;

    int rc = rpc_decode(frame, io_task_exit_schema(), &exit, err);
    if (rc < 0)
        return rc;
    node->exits_n++;
    node->server->callbacks.on_exited(exit.task, exit.status, node->server->ctx);
    return 0;
}

/* ---- from node to node ---- */

static int on_relay(struct node *node, const struct rpc_frame *frame, struct err *err)
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

static int on_relayed(struct node *node, const struct rpc_frame *frame, struct err *err)
{
    struct io_relayed relayed;

    int rc = rpc_decode(frame, io_relayed_schema(), &relayed, err);
    if (rc == 0)
        relays_acknowledged(&node->relays, relayed.number);
    return rc;
}

static int on_abort(struct node *node, const struct rpc_frame *frame, struct err *err)
{
    AUTO(io_abort) struct io_abort abort;

    int rc = rpc_decode(frame, io_abort_schema(), &abort, err);
    if (rc == 0 && node->server->callbacks.on_abort)
        node->server->callbacks.on_abort(rpc_session_name(node->session),
                                         abort.text ? abort.text : "", node->server->ctx);
    return rc;
}

/* ---- connections of nodes ---- */

static const struct {
    uint32_t type;
    int (*handle)(struct node *node, const struct rpc_frame *frame, struct err *err);
} handlers[] = {
    { MSG_IO_DATA, on_data },          { MSG_IO_CREDIT, on_credit },
    { MSG_IO_TASK_START, on_started }, { MSG_IO_TASK_EXIT, on_exited },
    { MSG_IO_RELAY, on_relay },        { MSG_IO_RELAYED, on_relayed },
    { MSG_IO_ABORT, on_abort },
};

static void on_frame(struct rpc_session *session, const struct rpc_frame *frame, void *ctx)
{
    struct node *node = ctx;
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
    struct node *node = ctx;

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

static void send_signal(struct node *node, int signal)
{
    struct io_signal msg = { .signal = (uint32_t)signal };

    if (node->session)
        (void)rpc_send(node->session, MSG_IO_SIGNAL, 0, 0, &msg);
}

static void send_window(struct node *node)
{
    struct io_window msg = { .rows = node->server->rows, .columns = node->server->columns };

    if (node->session && msg.rows > 0)
        (void)rpc_send(node->session, MSG_IO_WINDOW, 0, 0, &msg);
}

/* The first thing to say is how much has come already: what is received needs no repeating. */
static void greet_node(struct node *node)
{
    struct io_server *server = node->server;
    struct io_credit credit = { .total = node->received };

    (void)rpc_send(node->session, MSG_IO_CREDIT, 0, 0, &credit);
    node->credited = node->received;
    send_window(node);
    relays_repeat(&node->relays, node->session);
    for (uint32_t i = 0; i < server->signals_n && !node->was_connected; i++)
        send_signal(node, server->signals[i]);
    node->was_connected = true;
    if (server->paused)
        rpc_session_pause(node->session);
}

static void node_take_session(struct node *node, struct rpc_session *session)
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

/* ---- connections of strangers ---- */

static void stranger_free(struct stranger *stranger)
{
    struct stranger **at = &stranger->server->strangers;

    while (*at != stranger)
        at = &(*at)->next;
    *at = stranger->next;
    free(stranger);
}

static int check_hello(const struct io_server *server, const struct io_hello *hello,
                       struct err *err)
{
    if (hello->token.n != IO_TOKEN_BYTES ||
        !crypt_equal(hello->token.data, server->token, IO_TOKEN_BYTES))
        return err_set(err, E_ACCESS, "node %s does not know the token of this step",
                       hello->node ? hello->node : "?");
    if (hello->node_index >= server->nodes_n)
        return err_set(err, E_PROTO, "IO_HELLO of node number %u", hello->node_index);
    return 0;
}

static void on_hello(struct rpc_session *session, const struct rpc_frame *frame, void *ctx)
{
    struct stranger *stranger = ctx;
    struct io_server *server = stranger->server;
    AUTO(io_hello) struct io_hello hello;
    struct err err = { 0 };
    int rc;

    io_hello_init(&hello);
    rc = frame->type == MSG_IO_HELLO ? rpc_decode(frame, io_hello_schema(), &hello, &err)
                                     : err_set(&err, E_PROTO, "not an IO_HELLO");
    if (rc == 0)
        rc = check_hello(server, &hello, &err);
    if (rc < 0) {
        server->callbacks.on_refused(&err, server->ctx);
        rpc_session_close(session, err.text);
        return;
    }
    stranger_free(stranger);
    node_take_session(&server->nodes[hello.node_index], session);
}

static void on_stranger_closed(struct rpc_session *session, const struct err *why, void *ctx)
{
    (void)why;
    stranger_free(ctx);
    rpc_session_free(session);
}

static void on_session(struct rpc_session *session, void *ctx)
{
    static const struct rpc_callbacks callbacks = { .on_frame = on_hello,
                                                    .on_closed = on_stranger_closed };
    struct io_server *server = ctx;
    struct stranger *stranger = xcalloc(1, sizeof(*stranger));

    *stranger = (struct stranger){ server->strangers, server, session };
    server->strangers = stranger;
    rpc_session_set_callbacks(session, &callbacks, stranger);
}

static void on_handshake_failed(const struct err *why, void *ctx)
{
    struct io_server *server = ctx;

    server->callbacks.on_refused(why, server->ctx);
}

/* Steps run as the user who runs srun, and as nobody else. */
static bool accept_peer(const struct rpc_peer *peer, void *ctx, struct err *err)
{
    (void)ctx;
    if (peer->uid == getuid() && peer->role == RPC_ROLE_STEP)
        return true;
    err_set(err, E_ACCESS, "the peer is %s of uid %u, not a step of uid %u",
            rpc_role_name(peer->role), (unsigned)peer->uid, (unsigned)getuid());
    return false;
}

/* ---- the server ---- */

static int listen_somewhere(struct io_server *server, struct err *err)
{
    uint32_t first = server->options.first_port, last = server->options.last_port;
    int rc = -EADDRINUSE;

    if (first == 0)
        return net_listen_tcp(NULL, 0, &server->fd, &server->port, err);
    for (uint32_t port = first; rc < 0 && port <= last; port++)
        rc = net_listen_tcp(NULL, (uint16_t)port, &server->fd, &server->port, err);
    if (rc < 0)
        err_prefix(err, "no port of SrunPortRange=%u-%u is free", first, last);
    return rc;
}

int io_server_new(const struct io_server_options *options,
                  const struct io_server_callbacks *callbacks, void *ctx,
                  struct io_server **ret_server, struct err *err)
{
    const struct rpc_server_callbacks rpc_callbacks = { on_session, on_handshake_failed };
    const struct rpc_options rpc_options = { .role = RPC_ROLE_SRUN,
                                             .cluster = options->cluster,
                                             .authc = options->authc,
                                             .clock = options->clock,
                                             .accept_peer = accept_peer,
                                             .heartbeat_ms = HEARTBEAT_MS };
    struct io_server *server = xcalloc(1, sizeof(*server));
    int rc;

    server->options = *options;
    server->callbacks = *callbacks;
    server->ctx = ctx;
    server->fd = -1;
    server->stdin_task = COUNT_UNSET;
    crypt_random(server->token, sizeof(server->token));
    rc = listen_somewhere(server, err);
    if (rc < 0) {
        io_server_free(server);
        return rc;
    }
    server->rpc = rpc_server_new(options->base, &rpc_options, 0, &rpc_callbacks, server);
    *ret_server = server;
    return 0;
}

struct io_server *io_server_free(struct io_server *server)
{
    if (!server)
        return NULL;
    rpc_server_free(server->rpc);
    while (server->strangers) {
        rpc_session_free(server->strangers->session);
        stranger_free(server->strangers);
    }
    for (uint32_t i = 0; i < server->nodes_n; i++) {
        rpc_session_free(server->nodes[i].session);
        relays_clear(&server->nodes[i].relays);
    }
    free(server->nodes);
    if (server->fd >= 0)
        close(server->fd);
    wipe(server->token, sizeof(server->token));
    free(server);
    return NULL;
}

uint16_t io_server_port(const struct io_server *server)
{
    return server->port;
}

const uint8_t *io_server_token(const struct io_server *server)
{
    return server->token;
}

static bool all_were_connected(const struct io_server *server)
{
    for (uint32_t i = 0; i < server->nodes_n; i++) {
        if (!server->nodes[i].was_connected)
            return false;
    }
    return server->nodes_n > 0;
}

void io_server_signal(struct io_server *server, int signal)
{
    for (uint32_t i = 0; i < server->nodes_n; i++)
        send_signal(&server->nodes[i], signal);
    if (!all_were_connected(server) && server->signals_n < SIGNALS_KEPT)
        server->signals[server->signals_n++] = (uint8_t)signal;
}

void io_server_set_window(struct io_server *server, uint32_t rows, uint32_t columns)
{
    server->rows = rows;
    server->columns = columns;
    for (uint32_t i = 0; i < server->nodes_n; i++)
        send_window(&server->nodes[i]);
}

uint32_t io_server_open(const struct io_server *server)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < server->nodes_n; i++)
        n += server->nodes[i].session != NULL;
    return n;
}

uint32_t io_server_done(const struct io_server *server)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < server->nodes_n; i++)
        n += server->nodes[i].done;
    return n;
}
