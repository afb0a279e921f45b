/* finish.h - what follows from a job's end: its nodes, its next run, and what of it is left. */
#pragma once

#include "common/msg/job.h"
#include "ctld/control/act/act.h"
#include "ctld/control/act/turn.h"
#include "ctld/model/model.h"

/* How a job ends. Texts are borrowed. */
struct job_ending {
    uint32_t state;          /* enum job_state */
    uint32_t reason;         /* enum job_reason */
    const char *reason_text; /* NULL: none */
    bool is_forced;          /* its steps say on stderr that they are ended */
    const char *why_forced;  /* after what they say: "DUE TO TIME LIMIT"; NULL: nothing */
    uint32_t kill_wait_s;    /* between TERM and KILL */
    uint32_t ended_by;       /* COUNT_UNSET: nobody */
};

/* Ends a job that is not over. Its nodes are told; it is COMPLETING until they are clean. */
void job_end(struct act *act, struct job *job, const struct job_ending *ending);

/* True for a batch job that was not submitted to run but once. */
bool job_may_requeue(const struct control *control, const struct job *job);

/* Lets a job that runs, or has ended, wait once more, behind its nodes where they are not clean. Of
 * the ending only reason, message and KillWait matter. */
void job_requeue(struct act *act, struct job *job, const struct job_ending *ending);

/* How a job ends whose last process ended with this wait status. */
struct job_ending job_ending_of(int32_t status, bool out_of_memory);

/* Takes a node that failed from the job, which is requeued, goes on without it, or ends with
 * NODE_FAIL. */
void job_node_failed(struct act *act, struct job *job, uint32_t position, const char *why);

/* Gives back a node on which nothing is left of the job, which has ended. */
void job_node_clean(struct act *act, struct job *job, uint32_t position);

/* Gives back a node that was leaving the job and has nothing left of it, or never will tell
 * (`why`). */
void job_leaving_clean(struct act *act, struct job *job, const char *node, const char *why);

/* What a step says on its stderr: "CANCELLED AT ..." in the controller's time zone, and why. */
char *end_message(struct moment now, const char *why);

/* Tells a node to end what it has of a job, or of one step. The order is copied. */
void order_end(const char *node, const struct order_end *order, struct turn *turn);

/* Tells one node, once more, to end what it has of the job, and to run the Epilog then. */
void job_order_end(struct act *act, const struct job *job, const struct job_node *place,
                   uint32_t kill_wait_s, const char *message);

/* Requeues a job whose script was lost on a node that is there; in the end it is held, or
 * NODE_FAIL. */
void job_step_lost(struct act *act, struct job *job, uint32_t position, const char *why);

/* Completes a job that has ended if its nodes are clean and its EpilogSlurmctld is over. */
void job_check_clean(struct act *act, struct job *job);

/* Wait statuses of what could not be started: shown as 0:53 and 0:54, as Slurm shows them. */
#define STATUS_NOT_LAUNCHED  53
#define STATUS_PROLOG_FAILED 54
