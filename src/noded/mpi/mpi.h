/*
 * mpi.h - what a step's tasks on this node need to find one another: srun --mpi=pmi2 and pmix.
 *
 * Lives in the step's user child. Servers on different nodes speak through srun, by `relay` and
 * mpi_relayed.
 */
#pragma once

#include "common/base/strbuf.h"
#include "common/msg/step.h"

struct event_base;

struct mpi_callbacks {
    /* Sends bytes to the nodes at these positions of the layout. */
    void (*relay)(void *ctx, const uint32_t *nodes, uint32_t nodes_n, const struct strbuf *bytes);
    /* Called when a task wants the whole step ended, or cannot be served. */
    void (*abort)(void *ctx, const char *why);
};

/* What MPI gives a task. Owns strings and descriptor. */
struct mpi_task {
    char **environment; /* "NAME=value" */
    uint32_t environment_n;
    int fd; /* stays open in the task, under the number that the environment tells; -1: none */
};
void mpi_task_clear(struct mpi_task *task);
void mpi_task_auto_(struct mpi_task *task);

struct mpi;

/* Makes the server of the step's MPI. Returns 0 with NULL for body->mpi of "none" or nothing. Fails
 * for a kind that this build cannot serve. */
int mpi_new(struct event_base *base, const struct launch_body *body, uint32_t node_index,
            const struct mpi_callbacks *callbacks, void *ctx, struct mpi **ret, struct err *err);
struct mpi *mpi_free(struct mpi *mpi); /* NULL is fine */

/* Adds a task before it is started; the descriptor is to be closed here when it has been. */
int mpi_add_task(struct mpi *mpi, uint32_t local, struct mpi_task *ret, struct err *err);

/* Returns true if the task has begun with MPI and not ended that: others may wait for it. */
bool mpi_is_inside(const struct mpi *mpi, uint32_t local);

/* Takes what `relay` of the node at `from` was given. */
void mpi_relayed(struct mpi *mpi, uint32_t from, const void *bytes, size_t n);
