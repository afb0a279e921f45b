/*
 * gate.h - what waits for programs of the administrator: launches for a job's Prolog, the word that
 * a job is clean for its Epilog.
 *
 * Runs on the monitor's loop. Launches that wait are in memory only: a controller that hears of
 * another monitor orders them again.
 */
#pragma once

#include "common/msg/step.h"
#include "noded/hooks/hooks.h"
#include "noded/priv/verbs.h"

struct gate;

struct gate_callbacks {
    /* Called when the Prolog is over, well or not: the launch may be obeyed, or refused, now. */
    void (*on_launch)(void *ctx, const struct priv_msg *msg);
    /* Called when the launch will not be: answer the request. */
    void (*on_dropped)(void *ctx, uint32_t request, const struct err *why);
    void (*on_report)(void *ctx, const struct hook_report *report);
    /* Called when nothing of the job is left here, and its Epilog is over. */
    void (*on_clean)(void *ctx, uint32_t job_id);
};

int gate_new(struct event_base *base, int spool_fd, const struct hooks_options *options,
             const struct gate_callbacks *callbacks, void *ctx, struct gate **ret, struct err *err);
struct gate *gate_free(struct gate *gate); /* NULL is fine */

/* Runs the Prolog of a credential that is checked. */
void gate_prolog(struct gate *gate, const struct hook_cred *cred);
/* Keeps an Epilog to be run when gate_job_empty is called. */
void gate_epilog(struct gate *gate, const struct hook_cred *cred);

/* Returns 0: go on; -EINPROGRESS: keep the launch with gate_hold; -EAGAIN, -E_PROLOG: refuse it. */
int gate_check(const struct gate *gate, const struct launch_cred *cred, struct err *err);

/* Keeps a copy of the message, and of its descriptors. */
void gate_hold(struct gate *gate, const struct priv_msg *msg, const struct launch_cred *cred);

/* Drops launches that wait and are to end. */
void gate_end(struct gate *gate, const struct priv_end *end);

/* Runs the Epilog of a job of which no process is left. */
void gate_job_empty(struct gate *gate, uint32_t job_id);

/* Returns true if the Prolog or Epilog was begun, and not forgotten since. */
bool gate_has_run(const struct gate *gate, uint32_t job_id, uint32_t launch_number, uint32_t kind);
void gate_forget(struct gate *gate, uint32_t job_id, uint32_t launch_number);
