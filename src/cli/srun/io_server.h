/*
 * io_server.h - where the nodes of a step dial in with their streams.
 *
 * One connection for each node (common/msg/io.h). Who dials must be this process's own uid and show
 * the step's token. A connection that breaks may come again: both sides go on where they were.
 * Owns the connections; borrows output and input.
 */
#pragma once

#include "cli/srun/input.h"
#include "cli/srun/output.h"
#include "common/authc/authc.h"
#include "common/base/clock.h"
#include "common/msg/step.h"

#define IO_TOKEN_BYTES 32
#define IO_NODES_MAX   65536

#define IO_LOCAL_NAME_MAX 32

struct io_server;

struct io_server_options {
    struct event_base *base;
    const char *cluster; /* borrowed */
    struct authc_options authc;
    struct clock clock;
    uint16_t first_port, last_port; /* SrunPortRange; 0: any port */
};

struct io_server_callbacks {
    void (*on_started)(const struct io_task_start *start, const char *node, void *ctx);
    void (*on_exited)(uint32_t task, int status, void *ctx);
    void (*on_broken)(uint32_t task, void *ctx); /* it exited within MPI; may be NULL */
    void (*on_abort)(const char *node, const char *why,
                     void *ctx);     /* a task asks for the end; may be NULL */
    void (*on_connected)(void *ctx); /* a node is there, for signals and windows */
    void (*on_closed)(void *ctx);    /* a connection is gone, see io_server_open */
    void (*on_refused)(const struct err *why,
                       void *ctx); /* somebody who is not ours, for the log */
};

/* Makes a server that listens, but accepts nobody yet. */
int io_server_new(const struct io_server_options *options,
                  const struct io_server_callbacks *callbacks, void *ctx,
                  struct io_server **ret_server, struct err *err);
struct io_server *io_server_free(struct io_server *server);

uint16_t io_server_port(const struct io_server *server);

/*
 * Returns the abstract Unix socket for nodes on this host, where the kernel says who the peer is;
 * "": none. The name is random, so that no other srun's is taken for it; it is no secret.
 */
const char *io_server_local_name(const struct io_server *server);
const uint8_t *io_server_token(const struct io_server *server); /* IO_TOKEN_BYTES */

/*
 * Begins to accept; nodes that dialled earlier have waited. `input` may be NULL; `stdin_task` is as
 * in step_spec. The layout is the controller's.
 */
void io_server_start(struct io_server *server, struct output *output, struct input *input,
                     uint32_t stdin_task, const struct step_node *nodes, uint32_t nodes_n);

/* Sends input to the nodes; to be called when there is input. */
void io_server_feed(struct io_server *server);

/* Notes that bytes of a source (a node's number) are written, as output.h tells. */
void io_server_consumed(struct io_server *server, uint32_t source, uint32_t n);

/* Sends a signal to every node, also to those that dial in later. */
void io_server_signal(struct io_server *server, int signal);
void io_server_set_window(struct io_server *server, uint32_t rows, uint32_t columns);

/* Gives up the node of that number, which has failed: nothing more is awaited or taken from it. */
void io_server_give_up(struct io_server *server, uint32_t node);

/* Returns the number of connections that are up. */
uint32_t io_server_open(const struct io_server *server);

/* Returns the number of nodes whose tasks have all ended and that have closed since. */
uint32_t io_server_done(const struct io_server *server);
