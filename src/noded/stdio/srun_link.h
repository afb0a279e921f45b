/*
 * srun_link.h - the connection from a step's user side to srun: streams, exits, signals, window
 * size.
 *
 * Dials the addresses in order until one answers, and again when the connection breaks; what srun
 * has not consumed by then is sent again (io.h). Peer and token prove both sides: srun must be run
 * by the same user. Owns the descriptors it is given. Runs on the user child's loop; callbacks run
 * from there.
 */
#pragma once

#include "common/authc/authc.h"
#include "common/base/clock.h"
#include "common/msg/io.h"

struct event_base;

#define SRUN_CONNECT_MS 30000 /* until the first connection stands */
#define SRUN_FLUSH_MS   60000 /* for srun to come back and take what is left after the last exit */
#define SRUN_HURRY_MS   5000  /* the same, when the step is being ended */

struct srun_link_options {
    const char *cluster;
    struct authc_options authc;
    struct clock clock;
    const struct launch_body *body; /* must outlive the connection; so must the two below */
    uint32_t node_index;
    const char *controller; /* replaces "@controller" in addresses; "" when not known */
};

struct srun_link_callbacks {
    /* Called when the first connection stands, with where it leads: start the tasks. */
    void (*on_connected)(void *ctx, const char *host, uint16_t port);
    /* Called when the connection did not come about in time. */
    void (*on_failed)(void *ctx, const struct err *why);
    void (*on_signal)(void *ctx, int signal);
    void (*on_window)(void *ctx, uint32_t rows, uint32_t columns);
    /* Called when a task has printed something, which srun will get, too. */
    void (*on_output)(void *ctx, uint32_t task, uint32_t stream, const void *data, uint32_t n);
    /* Called when there is room again after srun_link_guest_input had none. */
    void (*on_guest_room)(void *ctx);
    /* Called with bytes of srun_link_relay on the node at the position `from`. May be NULL. */
    void (*on_relay)(void *ctx, uint32_t from, const void *bytes, size_t n);
    /* Called after srun_link_finish when srun has everything, or will never have it. */
    void (*on_done)(void *ctx);
};

struct srun_link;

struct srun_link *srun_link_new(struct event_base *base, const struct srun_link_options *options,
                                const struct srun_link_callbacks *callbacks, void *ctx);
struct srun_link *srun_link_free(struct srun_link *srun); /* NULL is fine */

/* Reads `fd` until its end and sends it as `stream` of `task`. */
void srun_link_add_output(struct srun_link *srun, uint32_t task, uint32_t stream, int fd);

/* Writes srun's input to `fd`, for the local task `local`. A terminal gets ^D at the end. */
void srun_link_add_input(struct srun_link *srun, uint32_t local, int fd, bool terminal);

/*
 * Takes input from somebody else, for one task of the step or (COUNT_UNSET) all that are here; it
 * goes in when what srun has sent is in. Returns 0, or 1 when more must wait for on_guest_room;
 * fails with E_PROTO for a task of another node, E_TOO_BIG when it did not wait.
 */
int srun_link_guest_input(struct srun_link *srun, uint32_t task, const void *data, uint32_t n,
                          struct err *err);

/* Sends one line for the step's stderr. */
void srun_link_say(struct srun_link *srun, const char *text);

void srun_link_tasks_started(struct srun_link *srun, const uint32_t *pids);
/* Tells that a task has ended; `in_mpi`: it has failed between MPI_Init and MPI_Finalize. */
void srun_link_task_exited(struct srun_link *srun, uint32_t local, int status, bool in_mpi);

/* Sends bytes to other nodes of the step, by their positions; in order, and each but once. */
void srun_link_relay(struct srun_link *srun, const uint32_t *nodes, uint32_t nodes_n,
                     const struct strbuf *bytes);

/* Asks srun to end the step. */
void srun_link_abort(struct srun_link *srun, const char *why);

/* Ends the link when all tasks have ended and nobody holds their pipes: on_done follows once all is
 * delivered. */
void srun_link_finish(struct srun_link *srun);

/* Tells that the step is being ended: do not wait long for a srun that does not answer. */
void srun_link_hurry(struct srun_link *srun);
