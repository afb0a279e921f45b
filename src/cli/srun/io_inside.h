/* io_inside.h - what the files behind io_server.h share. */
#pragma once

#include "cli/srun/io_server.h"
#include "common/rpc/relays.h"
#include "common/rpc/server.h"

#define SIGNALS_KEPT 64 /* for nodes that have not dialled in yet */

/* A node of the step; its number is that of the layout. */
struct io_node {
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
    bool given_up;
    bool agreed; /* on this connection: it said how much input it has */
    struct relays relays;
};

/* A connection that has not said which node it belongs to. */
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
    int local_fd; /* a Unix socket beside it, for nodes on this host; -1: none */
    char local_name[IO_LOCAL_NAME_MAX];
    uint8_t token[IO_TOKEN_BYTES];
    struct output *output;
    struct input *input;
    uint32_t stdin_task;
    struct io_node *nodes; /* none before io_server_start */
    uint32_t nodes_n;
    struct stranger *strangers;
    bool paused;
    uint32_t rows, columns;
    uint8_t signals[SIGNALS_KEPT];
    uint32_t signals_n;
};

/* Gives the node its connection; an older one is dropped. */
void io_node_take_session(struct io_node *node, struct rpc_session *session);

void io_node_send_signal(struct io_node *node, int signal);

/* Sends the node the size of the terminal, once it is known. */
void io_node_send_window(struct io_node *node);
