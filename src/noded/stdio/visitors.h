/*
 * visitors.h - who came to a step by SlurmdPort: sattach, sstat, scontrol.
 *
 * Only the step's user, SlurmUser and root are let in. Some look once, others stay and see what the
 * tasks print from then on, and what they printed last (recent.h); one that does not read is cut,
 * and never holds the tasks up. Owns the connections. Runs on the user child's loop; callbacks run
 * from there.
 */
#pragma once

#include "common/authc/authc.h"
#include "common/base/clock.h"
#include "common/msg/visit.h"

struct event_base;
struct visitors;

#define VISITORS_MAX         64u         /* at one time */
#define VISITORS_UNKNOWN_MAX 32u         /* beside them in their handshakes: common/net/gate.h */
#define VISITORS_BACKLOG_MAX (16u << 20) /* bytes that one may leave unread */
#define VISITORS_LEAVE_MS    5000        /* to take what is left when the step is over */

struct visitors_options {
    const char *cluster; /* borrowed, as all */
    uint32_t slurm_uid;
    struct authc_options authc;
    struct clock clock;
};

struct visitors_callbacks {
    /* Fills *ret, which is initialised. */
    void (*on_look)(void *ctx, struct step_sight *ret);
    /*
     * Called when somebody who is attached sends input for a task of the step, COUNT_UNSET: all
     * that are here. Returns 0; 1 when there is no room for more until visitors_go_on; or less, and
     * he is cut.
     */
    int (*on_input)(void *ctx, uint32_t task, const void *data, uint32_t n, struct err *err);
};

struct visitors *visitors_new(struct event_base *base, const struct visitors_options *options,
                              const struct visitors_callbacks *callbacks, void *ctx);
struct visitors *visitors_free(struct visitors *visitors); /* NULL is fine */

/* Takes somebody who came; owns fd. What is not a TCP connection is closed. */
void visitors_take(struct visitors *visitors, int fd);

/* Reads input again, for which there is room. */
void visitors_go_on(struct visitors *visitors);

/* Sends output to all who are attached. */
void visitors_output(struct visitors *visitors, uint32_t task, uint32_t stream, const void *data,
                     uint32_t n);
void visitors_task_exited(struct visitors *visitors, uint32_t task, int status);

/*
 * Sends everybody away, with what is left, since the step is over. `fn` runs once nobody is there,
 * perhaps at once.
 */
void visitors_finish(struct visitors *visitors, void (*fn)(void *ctx), void *ctx);
