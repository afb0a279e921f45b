/* link_inside.h - what the files behind srun_link.h share. */
#pragma once

#include <event2/event.h>

#include "common/rpc/relays.h"
#include "common/rpc/session.h"
#include "noded/stdio/dialer.h"
#include "noded/stdio/inflow.h"
#include "noded/stdio/outflow.h"
#include "noded/stdio/srun_link.h"

/* A pipe or terminal between a task and this process. */
struct stream {
    struct srun_link *srun;
    struct stream *next;
    struct event *event;
    int fd;
    uint32_t task, local;
    uint32_t stream; /* enum io_stream */
    bool terminal;
};

struct exited {
    uint32_t local;
    int status;
    bool in_mpi;
};

struct srun_link {
    struct event_base *base;
    struct srun_link_options options;
    struct srun_link_callbacks callbacks;
    void *ctx;
    struct dialer *dialer;
    struct rpc_session *session;
    bool agreed; /* on this connection: srun said what it has */
    bool was_connected;
    bool finishing; /* no more output will come */
    bool closing;   /* srun has everything */
    bool hurrying;
    struct event *deadline;
    struct outflow *out;
    struct inflow *in;
    struct inflow *guests; /* input from others than srun */
    bool guests_wait;      /* there was no room for more of it */
    uint64_t in_credited;
    struct stream *streams;
    uint32_t outputs_n; /* output streams not at their end */
    uint32_t *pids;     /* of the tasks once started, else NULL */
    struct exited *exits;
    uint32_t exits_n;
    struct relays relays;
    char *host; /* where the connection leads */
    uint16_t port;
};

/* ---- srun_link.c: what is sent ---- */

void link_send_output(struct srun_link *srun);
void link_send_credit(struct srun_link *srun);

/* Closes the connection when srun has everything. */
void link_check_done(struct srun_link *srun);

/* ---- link_streams.c: pipes and terminals of tasks ---- */

/* Reads tasks only while there is room, so that a slow srun slows them down. */
void link_want_output(struct srun_link *srun);

/* Hands on to tasks what there is for them. */
void link_feed_all(struct srun_link *srun);

bool link_has_room_for_guests(const struct srun_link *srun);

void link_close_input(struct srun_link *srun, uint32_t local);
void link_close_streams(struct srun_link *srun);
