/*
 * usage.h - what associations and QOS have used: TRES seconds and run time of their jobs, decaying.
 *
 * What a job used is added to the usage records of its association and QOS in the turn in which it
 * ceases to hold it, and its record says since when what it holds is in none of them (usage_ms). So
 * what is on disk counts everything once, whatever dies. What running jobs have used so far is
 * computed; that of an account is the sum of what is below it. A job that has no association counts
 * nowhere.
 *
 * Usage decays by PriorityDecayHalfLife of priority/multifactor, that of a QOS with NoDecay does
 * not. What is used at an even rate and decays meanwhile has a formula, so nothing depends on how
 * often somebody looks. Time is cluster time, which no change of the wall clock makes jump.
 */
#pragma once

#include "ctld/control/acct/tree.h"
#include "ctld/model/model.h"

#define USAGE_WALL "wall" /* where the name of a TRES is asked for: run time of jobs */

struct usage;

struct usage *usage_new(void);
struct usage *usage_free(struct usage *usage);

/* Returns in whose name the job runs in the partition, or would: its account's association, or that
 * of the user's default account; NULL: it has none, or nobody uses accounts. */
const struct assoc *usage_assoc_of(struct control *control, const struct job_record *rec,
                                   const char *partition);

/* Returns the name of the QOS of a job with this association: its own, or the default one. */
const char *usage_qos_of(struct control *control, const struct job_record *rec,
                         const struct assoc *assoc);

/* Returns the UsageFactor of the QOS, by which the use of its jobs counts. */
double usage_factor_of(struct control *control, const char *qos);

/* Begins to count what the job holds from now on, if it runs. Who calls it notes the job. */
void acct_usage_begin(struct act *act, struct job *job);

/* Adds what the job has used by now to what is kept. To be called before it holds something else,
 * in the turn that notes the job; a job that is not counted may be given. */
void acct_usage_end(struct act *act, struct job *job);

/* Adds what a job of the past used, which was never in memory, as much as is left of it by now.
 * usage_past_added is due once some were added, before anybody asks. */
void usage_add_past(struct act *act, const struct job_record *job);
void usage_past_added(struct act *act);

/* Goes by the present configuration: after a start, or a new one. */
void usage_settle(struct act *act);

/* Forgets all usage when a PriorityUsageResetPeriod is over. */
void usage_tick(struct act *act);
void usage_load_number(struct control *control, const char *name, int64_t number);

/* Adds what running jobs have used so far by the old record of their QOS. To be called for each
 * change of one, before anybody asks for usage again. */
void usage_qos_changed(struct act *act, const struct qos_record *before,
                       const struct qos_record *after);

/* Whose use is asked for. */
enum usage_of {
    USAGE_OF_ALL,
    USAGE_OF_ENDED, /* of jobs that run no more */
};

/* Forget what jobs of the association and of all below it, or of the QOS, have used by now. */
void usage_forget_assoc(struct act *act, const struct assoc *assoc);
void usage_forget_qos(struct act *act, const char *qos);

/* Return how much was used by now, in TRES seconds; `tres` is a name ("cpu"), or USAGE_WALL: then
 * in seconds. What is not known has used nothing. */
double usage_of_assoc(struct control *control, struct moment now, const struct assoc *assoc,
                      const char *tres, enum usage_of of);
double usage_of_qos(struct control *control, struct moment now, const char *qos, const char *tres,
                    enum usage_of of);

/* Return when the jobs that run now will have brought usage up to a limit if none ends and none
 * begins: cluster time; now, if it is; INT64_MAX: never. */
int64_t usage_of_assoc_reaches_ms(struct control *control, struct moment now,
                                  const struct assoc *assoc, const char *tres, double limit);
int64_t usage_of_qos_reaches_ms(struct control *control, struct moment now, const char *qos,
                                const char *tres, double limit);

/* Return when decay, or the end of a PriorityUsageResetPeriod, will have brought usage below a
 * limit if nothing more is used: cluster time; now, if it is below; INT64_MAX: never. */
int64_t usage_of_assoc_below_ms(struct control *control, struct moment now,
                                const struct assoc *assoc, const char *tres, double limit);
int64_t usage_of_qos_below_ms(struct control *control, struct moment now, const char *qos,
                              const char *tres, double limit);
