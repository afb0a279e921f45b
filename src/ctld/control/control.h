/*
 * control.h - what the controller does when something happens: the use cases, as pure functions.
 *
 * Owns the model and the planner. Sees no clock, file, socket or randomness: time and messages come
 * in, notes in a turn come out; the same inputs in the same order give the same state. Everything
 * the daemon, the simulator and the scenario tests make happen goes through here.
 *
 * What changes the model takes an act; an error leaves model and turn as they were.
 * Errors are those that Slurm's clients know (base/err.h), with a text that names the value.
 */
#pragma once

#include "common/msg/alter.h"
#include "common/msg/hook.h"
#include "common/msg/job.h"
#include "common/msg/kept.h"
#include "common/msg/node.h"
#include "common/msg/priority.h"
#include "ctld/control/act.h"
#include "ctld/model/model.h"

struct control;

/*
 * `config` is taken over. Fails as model_new does: a partition names a node that is not there.
 */
int control_new(struct model_config *config, struct control **ret_control, struct err *err);
struct control *control_free(struct control *control);

/* ---- start: what the store kept, then control_ready once ---- */

void control_load_number(struct control *control, const char *name, int64_t number);
void control_load_node(struct control *control, const struct node_record *node);
void control_kept_load(struct control *control, const struct kept_kind *kind, const void *record);
void control_load_job(struct control *control, struct job_record *job); /* takes what it owns */
void control_load_step(struct control *control, const struct step_record *step);
void control_ready(struct act *act);

/*
 * How often a controller has begun to lead this cluster, this time included. control_ready raises
 * it, so it is on disk with the first turn, before anything is said or ordered under it.
 */
uint64_t control_incarnation(const struct control *control);

/* The name under which turns keep the cluster time; the dispatcher starts its clock from it. */
#define CONTROL_NUMBER_CLUSTER_MS "cluster_ms"
#define CONTROL_NUMBER_NEXT_JOB   "next_job"
#define CONTROL_NUMBER_ID_ROUND   "id_round"

/* Whether a job that is not over is in the partition, or may get there. */
bool control_uses_partition(const struct control *control, const char *name);

/* Hidden=YES, or AllowGroups without a group of the caller's; administrators see all. */
bool control_hides_partition(const struct partition_info *part, const struct caller *caller);

/* A new configuration; running jobs keep what they have. Takes `config` over. */
int control_reconfigure(struct act *act, struct model_config *config, struct err *err);

/*
 * All nodes read their configuration again: those that have a session now, others when they come
 * back. Jobs and steps do not notice.
 */
void control_nodes_reconfigure(struct act *act);

/*
 * A setting of NODE_ACT_DEBUG_* for these nodes, until they next read their configuration. Those
 * without a session do not hear of it: *ret_absent is a host list of them, the caller's, NULL when
 * there are none. Fails when a name is no node's; no node is told then.
 */
int control_nodes_set(struct act *act, const char *names, enum node_act what, const char *value,
                      char **ret_absent, struct err *err);

/* ---- clients ---- */

/*
 * A job that is to start at once or not at all (spec->immediate) is submitted, or allocated, in the
 * turn in which a question (below) says that it would start. control_asks_first tells whether that
 * is so; a job that is there already, by its token, is just returned.
 */
int control_submit(struct act *act, const struct job_spec *spec, uint32_t *ret_job_id,
                   struct err *err);

/* `step` may be NULL (salloc). Events about it go to the job's stream. */
int control_allocate(struct act *act, const struct job_allocate *request, uint32_t *ret_job_id,
                     struct err *err);

bool control_asks_first(const struct control *control, const struct caller *caller,
                        const struct job_spec *spec);

/*
 * When and where the job would start, without making one. The planner finds that out little by
 * little in control_schedule, while other requests come in between; then control_answer tells it.
 * *ret_question is the question's number, not 0. Fails where control_submit would.
 */
int control_ask(struct act *act, const struct job_spec *spec, uint64_t *ret_question,
                struct err *err);

/* Nobody waits for the answer any more. */
void control_ask_no_more(struct control *control, uint64_t question);

struct control_answer {
    uint64_t question;
    bool starts;                /* at once */
    struct job_submitted would; /* to be cleared */
};

/* The next answer there is, told once; false: there is none. */
bool control_answer(struct control *control, struct control_answer *ret);

/* The step may have to wait for cpus of its job; its events say so. */
int control_step_run(struct act *act, const struct step_run *request, uint32_t *ret_step_id,
                     struct err *err);

/* A client came back: checks that the job (and step) is its own, and repeats where it stands. */
int control_attach(struct act *act, const struct job_attach *request, uint32_t *ret_job_id,
                   uint32_t *ret_step_id, struct err *err);

/*
 * A connection that followed a job (and step) is gone. When nobody has come back for
 * client_grace_s, a step is ended, and so is a job that is nothing without its client: an srun's,
 * or an allocation that nobody waits for any more. An srun that closed its connection (`closed`),
 * as the kernel does when it is killed, has a few seconds.
 */
void control_client_gone(struct act *act, uint32_t job_id, uint32_t step_id, bool closed);

/*
 * New time limits for steps that are not over, by their owner or an operator. Fails as jobs_named
 * does, and with E_JOB_ID when there is no such step.
 */
int control_step_update(struct act *act, const struct step_update *request, struct err *err);

int control_signal(struct act *act, const struct job_signal *request, struct err *err);
int control_release(struct act *act, const struct job_release *request, struct err *err);

/* Fails when none is named; what is refused to some of several is in the answer. */
int control_update(struct act *act, const struct job_update *request, struct job_altered *ret,
                   struct err *err);
int control_requeue(struct act *act, const struct job_rerun *request, struct job_altered *ret,
                    struct err *err);
int control_suspend(struct act *act, const struct job_suspend *request, struct job_altered *ret,
                    struct err *err);
int control_top(struct act *act, const struct job_top *request, struct job_altered *ret,
                struct err *err);

/* Says something to who sits before a salloc or srun. */
int control_notify(struct act *act, const struct job_notify *request, struct err *err);

/* Whether the next one would be done. */
int control_node_check_update(const struct control *control, const struct caller *caller,
                              const struct node_update *request, struct err *err);

/* State, reason and what an operator notes; what slurm.conf says is changed there. */
int control_node_update(struct act *act, const struct node_update *request, struct err *err);
int control_node_reboot(struct act *act, const struct node_reboot *request, struct err *err);

/* Whether the caller may read the job's script. */
int control_may_read_script(const struct control *control, const struct caller *caller,
                            uint32_t job_id, const struct job_record **ret_job, struct err *err);

/* ---- nodes ---- */

/* Compares what the node holds with what the model says; orders make them agree. */
int control_node_register(struct act *act, const char *address, const struct node_register *node,
                          struct err *err);
void control_node_seen(struct act *act, const char *node);
void control_node_lost(struct act *act, const char *node);
void control_step_report(struct act *act, const char *node, const struct step_report *report);
void control_hook_report(struct act *act, const char *node, const struct hook_report *report);
/* PrologSlurmctld or EpilogSlurmctld of this run of the job has ended; 0: it went well. */
void control_program_over(struct act *act, uint32_t job_id, uint32_t launch_number,
                          enum job_program kind, int32_t code);
void control_node_report(struct act *act, const char *node, const struct node_report *report);

/* ---- time and scheduling ---- */

/* Limits, KillWait, SlurmdTimeout, MinJobAge, --begin. Call when control_next_ms is reached. */
void control_tick(struct act *act);

/* Cluster time at which control_tick has something to do next; INT64_MAX: nothing. */
int64_t control_next_ms(const struct control *control, struct moment now);

/* Plans and starts jobs, at most `work` units; true when there is more to do. */
bool control_schedule(struct act *act, uint32_t work);

/* How many calls of control_schedule had something to do. */
uint64_t control_passes(const struct control *control);

/* ---- records that are kept beside jobs and steps (common/msg/kept.h) ---- */

/*
 * Adds, alters, removes: all that is asked for or nothing, each checked against what those before
 * it leave. ESRCH: none is meant. *ret, initialised by the caller, is told what was changed.
 */
int control_kept_change(struct act *act, const struct kept_change *request,
                        struct kept_changed *ret, struct err *err);

/* Those that `request` (copied) means and the caller may see, in order; records are borrowed. */
struct kept_listing;
int control_kept_list(const struct control *control, const struct kept_list *request,
                      struct kept_listing **ret, struct err *err);
const struct kept_kind *control_kept_list_kind(const struct kept_listing *listing);
/* NULL: there are no more. Records may come and go between two calls. */
const void *control_kept_next(struct kept_listing *listing, const struct caller *caller);
struct kept_listing *control_kept_list_free(struct kept_listing *listing);

/* At the end of every turn: triggers see what has changed; every few seconds it pulls triggers for
 * it. */
void control_watch_triggers(struct act *act);

/* ---- looking ---- */

const struct model *control_model(const struct control *control);
/*
 * What the job's priority is made of in the i-th partition that it waits in. False when there is
 * none, or it does not wait for its turn. *ret is to be released with priority_info_clear.
 */
bool control_priority_info(const struct control *control, struct moment now, const struct job *job,
                           uint32_t i, struct priority_info *ret);

void control_diag(const struct control *control, struct diag *ret);

/* Its counters begin anew, but for what was last and what counts since the start. */
void control_diag_reset(struct act *act);

/* What a client is shown of a job, without a copy: valid during the call of `show`. */
typedef void control_show_fn(const struct job_info *info, void *ctx);
void control_show_job(const struct control *control, struct moment now, const struct job *job,
                      control_show_fn *show, void *ctx);

/* Messages for clients, made from the model; the caller clears them. */
void control_job_info(const struct control *control, struct moment now, const struct job *job,
                      struct job_info *ret);
void control_node_info(const struct control *control, struct moment now, const struct node *node,
                       struct node_info *ret);
void control_partition_info(const struct control *control, uint32_t index,
                            struct partition_info *ret);
