#include "cli/srun/io_inside.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/crypt/crypt.h"
#include "common/msg/types.h"
#include "common/net/listen.h"

#define HEARTBEAT_MS 20000

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
    if (server->nodes[hello->node_index].given_up)
        return err_set(err, E_ACCESS, "node %s was taken for failed",
                       hello->node ? hello->node : "?");
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
    io_node_take_session(&server->nodes[hello.node_index], session);
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

/* True for a step's peer: steps run as the user who runs srun, and as nobody else. */
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

static void listen_here(struct io_server *server)
{
    uint64_t number;

    crypt_random(&number, sizeof(number));
    snprintf(server->local_name, sizeof(server->local_name), "sluice-srun-%016" PRIx64, number);
    if (net_listen_abstract(server->local_name, &server->local_fd, NULL) < 0)
        server->local_name[0] = '\0'; /* then all come through the port */
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
    server->fd = server->local_fd = -1;
    server->stdin_task = COUNT_UNSET;
    crypt_random(server->token, sizeof(server->token));
    rc = listen_somewhere(server, err);
    if (rc < 0) {
        io_server_free(server);
        return rc;
    }
    listen_here(server);
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
    if (server->local_fd >= 0)
        close(server->local_fd);
    wipe(server->token, sizeof(server->token));
    free(server);
    return NULL;
}

uint16_t io_server_port(const struct io_server *server)
{
    return server->port;
}

const char *io_server_local_name(const struct io_server *server)
{
    return server->local_name;
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
        io_node_send_signal(&server->nodes[i], signal);
    if (!all_were_connected(server) && server->signals_n < SIGNALS_KEPT)
        server->signals[server->signals_n++] = (uint8_t)signal;
}

void io_server_set_window(struct io_server *server, uint32_t rows, uint32_t columns)
{
    server->rows = rows;
    server->columns = columns;
    for (uint32_t i = 0; i < server->nodes_n; i++)
        io_node_send_window(&server->nodes[i]);
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
