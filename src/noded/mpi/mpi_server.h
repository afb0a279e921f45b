/*
 * mpi_server.h - what kinds of servers for MPI tasks have in common. Private to this folder.
 */
#pragma once

#include "noded/mpi/gather.h"
#include "noded/mpi/mpi.h"

struct event_base;

/* What a server borrows; it lives as long as the server. */
struct mpi_context {
    struct event_base *base;
    const struct launch_body *body;
    uint32_t node_index;
    struct gather *gather;
    const struct mpi_callbacks *callbacks;
    void *ctx;
};

struct mpi_server_class {
    const char *word; /* --mpi=WORD */
    int (*open)(const struct mpi_context *context, void **ret_server, struct err *err);
    void (*close)(void *server);
    int (*add_task)(void *server, uint32_t local, struct mpi_task *ret, struct err *err);
    bool (*is_inside)(const void *server, uint32_t local);
};
