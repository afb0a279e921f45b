/*
 * core.h - what the files of this folder share: the state behind control.h, and the steps that use
 * cases are made of. Nothing outside ctld/control includes it.
 *
 * Who may do what: jobfsm.c alone writes job->rec.state; feed.c alone talks to the planner;
 * launch.c alone writes orders that start something. A function that changes a record also notes
 * it in the turn; one that moves a deadline nearer calls control_wake_at.
 */
#pragma once

#include "ctld/control/control.h"
#include "ctld/control/depend.h"
#include "ctld/control/event.h"
#include "ctld/control/feed.h"
#include "ctld/control/rank.h"
#include "ctld/control/trigger.h"
#include "ctld/model/kept.h"
#include "ctld/sched/planner.h"

/* After a new beginning the planner is told of jobs in slices; ids, some perhaps gone by then. */
struct telling {
    uint32_t *jobs;
    uint32_t jobs_n, done_n;
};

struct asked;

struct control {
    struct model *model;
    struct planner *planner;
    struct planner *forecast; /* plans for all; NULL where the planner does so itself */
    bool forecast_stale;      /* something has changed since it planned */
    int64_t forecast_ms;      /* until then it may do so much more work: */
    uint32_t forecast_units;
    struct planner **retired; /* of earlier beginnings, to be freed in slices */
    uint32_t retired_n;
    struct telling telling;
    struct asked *asked; /* questions, in the order in which they are answered */
    uint64_t asked_n;    /* that there ever were */
    uint64_t incarnation;
    struct bitset told_usable; /* nodes that the planner takes for usable */
    struct bitset told_absent; /* of these, those that do not answer, and are awaited: */
    int64_t absent_ms;         /* until then they do, or are down */
    bool planner_stale;        /* it is to be told everything anew */
    int64_t clock_offset_ms;   /* wall - cluster, when the planner was last told a --begin */
    int64_t next_ms;           /* no timer is due before this cluster time */
    int64_t hold_ms;           /* after a start: until then, nodes may still be on their way back */
    int64_t clean_ms;          /* after an end: until then, others wait for its nodes to be clean */
    int64_t health_ms;         /* HealthCheckInterval: when the round of all nodes began; 0: none */
    uint32_t health_n;         /* nodes that have had their turn in it */
    int64_t reconfigured_ms;   /* when nodes were last told to read their files; 0: never */
    uint64_t next_priority;    /* of priority/basic */
    struct rank rank;
    struct depend depend;
    struct kept_table kept[KEPT_KINDS_N]; /* kept.c */
    struct triggers triggers;
    uint32_t *untold; /* waiting jobs with clients that do not know it yet */
    uint32_t untold_n;
    struct diag diag;  /* the counters control owns */
    bool pass_goes_on; /* of the planner: the last call did not end it */
};

#define CONTROL_NUMBER_NEXT_PRIORITY "next_priority"
#define CONTROL_NUMBER_RECONFIGURED  "reconfigured_ms"
#define CONTROL_NUMBER_INCARNATION   "incarnation"

/* ---- timers (tick.c) ---- */

/* The moment comes no later than this. Early wake-ups are harmless. */
void control_wake_at(struct control *control, int64_t cluster_ms);

/* Cluster time at which the job's limit is reached; INT64_MAX: no limit, or it does not run. */
int64_t job_limit_ms(const struct job *job);
int64_t job_warn_ms(const struct job *job);
int64_t step_limit_ms(const struct step *step);
int64_t job_retire_ms(const struct control *control, const struct job *job);

/* CompleteWait: nothing is planned until nodes of jobs that have just ended are clean. */
bool control_awaits_cleaning(const struct control *control, struct moment now);

/* ---- telling the planner everything (feed_all.c) ---- */

/* The cluster; the jobs are told by feed_go_on. After it planner_fits_ever may be asked. */
void feed_begin(struct act *act);

/* Tells so many jobs, or begins anew if that is due; true: there is more to tell. */
bool feed_go_on(struct act *act, uint32_t work);

/* The planner knows all jobs: it may make steps, and be asked about what waits. */
bool feed_is_told(const struct control *control);

/* Frees some of what earlier planners held; true: there is more. */
bool feed_free_retired(struct control *control, uint32_t work);
void feed_free(struct control *control); /* at the end: the planners and what belongs to them */

/* ---- telling it what changes (feed.c) ---- */

void feed_apply(struct act *act, const struct plan_change *change);
void feed_job_waits(struct act *act, struct job *job);
void feed_job_started(struct act *act, struct job *job);
void feed_job_gone(struct act *act, struct job *job);

/* A running job ends at another time than was told. */
void feed_job_end(struct act *act, const struct job *job);

/* One that runs holds something else than before, on the same nodes. */
void feed_job_holds(struct act *act, const struct job *job);

/* A task has ended, or the array's limit has risen: others may start. */
void feed_array(struct act *act, struct array *array);
void feed_priorities(struct act *act, const struct plan_priority *priorities, uint32_t n);
void feed_node_freed(struct act *act, const struct job *job, uint32_t node);

/* ---- which nodes it counts on (feed_presence.c) ---- */

/* After anything that may change whether the node takes new work. */
void feed_node(struct act *act, const struct node *node);
/* Before all else is told: who is usable, `nodes` being all; and who is awaited, borrowed. */
void feed_fill_presence(struct act *act, struct plan_node *nodes);
struct plan_reservation feed_absence(const struct control *control);

bool job_is_eligible(const struct control *control, const struct job *job);

/* A waiting job as the planner wants it; clear it with feed_clear_plan_job. */
void feed_fill_waiting(const struct control *control, struct moment now,
                       const struct job_record *rec, uint32_t partition, struct plan_job *plan);
/* The same of one that holds nodes. */
void feed_fill_running(const struct control *control, struct moment now, const struct job *job,
                       struct plan_job *plan);

/* Of an eligible record of an array: at most so many of the tasks it is to know; the number. */
uint32_t feed_tasks(struct act *act, struct job *job, uint32_t most);

/* ---- which tasks of arrays it knows (feed_array.c) ---- */

/* The next one of the record that the planner is to know; -1: none. */
int64_t feed_next_task(const struct job *job);
void feed_note_told(struct job *job, uint32_t task);
void feed_forget_told(struct job *job); /* all of the record's */

/* Only the array's limit keeps its tasks from the planner. */
bool job_awaits_array(const struct job *job);

/* ---- arrays (array.c) ---- */

/*
 * The record of exactly these tasks, some or all of those that `job` stands for: itself, or a new
 * one. Noted. Of one task it is that task's own record.
 */
struct job *array_split(struct act *act, struct job *job, const struct bitset *tasks);
struct job *array_take(struct act *act, struct job *job, uint32_t task);

/* How many of its tasks may run at once; 0: all. Those that run already do so. */
void array_set_limit(struct act *act, struct array *array, uint32_t limit);

/* A record that is named, or some of the tasks that it stands for. */
struct named_job {
    struct job *job;
    struct bitset part; /* of job->tasks; size 0: the record as it is */
};

/*
 * The records that a job id and task numbers (NULL: all) name: a job, a task of an array, or those
 * of an array. E_JOB_ID where there is none, E_ACCESS where one is not the caller's. Nothing
 * changes; *ret is for named_jobs_free.
 */
int jobs_named(const struct control *control, const struct caller *caller, uint32_t job_id,
               const char *tasks, struct named_job **ret, uint32_t *ret_n, struct err *err);
void named_jobs_free(struct named_job *named, uint32_t n);

/* The record of exactly what is named: one of which only some tasks are is split now. */
struct job *named_job_take(struct act *act, const struct named_job *named);

/* ---- deadlines (deadline.c) ---- */

/* Of what is asked, before defaults are filled in. E_TIME_LIMIT, E_TIME_MIN. */
int deadline_accept(struct moment now, struct job_spec *spec, struct err *err);

/* The time limit of a job that starts then: less than its own where the deadline wants it. */
int64_t deadline_cut(const struct job_spec *spec, int64_t now_s);

/* The moment is waited for at which deadline_end would end the job. */
void deadline_watch(struct act *act, const struct job *job);

/* Ends a waiting job that could not end in time any more; true: it did. */
bool deadline_end(struct act *act, struct job *job);

/* ---- jobs that wait for others (depend.c, depend_ask.c) ---- */

/* What spec.dependency comes to, into a record that waits for nothing yet. E_DEPENDENCY. */
int depend_accept(const struct control *control, struct job_record *rec, struct err *err);
void job_forget_dependencies(struct job_record *rec);

/*
 * The waiting job has been given what it waits for, also nothing: it is told to the planner if that
 * is fulfilled. It may end, and its tasks may be split.
 */
void depend_begin(struct act *act, struct job *job);

/* Whether the job could wait for what `text` says; "" is nothing. E_DEPENDENCY, E_CIRCULAR. */
int depend_check(const struct control *control, const struct job *job, const char *text,
                 struct err *err);

/* spec.dependency has changed; depend_decide is still due. Tasks may be split. */
void depend_again(struct act *act, struct job *job);

/* spec.name has changed. */
void depend_rename(struct act *act, struct job *job);

/* It has started, waits again, or is over with clean nodes: those that wait for it are told. */
void depend_tell(struct act *act, const struct job *job);

/* Something about the waiting job itself has changed: it is held no more. */
void depend_decide(struct act *act, struct job *job);
void depend_tick(struct act *act, struct job *job);
void depend_settle(struct control *control);

/* REASON_NONE: it waits for no job. */
uint32_t job_dependency_reason(const struct job_record *rec);

/* ---- why a job waits (explain.c) ---- */

/* Where the plan puts a waiting job; false: it is not in it (yet), and its record says why. */
bool job_explain(const struct control *control, const struct job *job, struct plan_decision *ret);

/* The first answer to why it waits; the planner's follows, where the job may be planned. */
void job_set_first_reason(const struct control *control, struct moment now, struct job *job);

/* What the plan says goes into the job's record, or into what a client is shown of it. */
void job_note_wait(const struct control *control, struct job *job);
void job_show_wait(const struct control *control, struct moment now, const struct job *job,
                   struct job_info *ret);

/* ---- questions about jobs that are not there (question.c) ---- */

/* The first of those that wait is put to the planner; which one may be asked now. */
void questions_pose(struct act *act);

/* Whether this planner works on one. */
bool questions_occupy(const struct control *control, const struct planner *planner);

/* What the planner has found out is noted; the forecast, which else may wait, works on what it is
 * asked. True: there are more that wait for an answer. */
bool questions_go_on(struct act *act, uint32_t work);

/* Works on them alone, while nothing may start; true: as above. */
bool questions_ponder(struct act *act, uint32_t work);

/* The planners are others. */
void questions_begin_anew(struct control *control);
void questions_free(struct control *control);

/* ---- accepting jobs (spec.c, submit.c) ---- */

/*
 * Checks `spec` and fills what it leaves open; the job would go to *ret_part. A job that may never
 * start as things are is accepted and waits with a reason (spec_waits_for).
 */
int spec_complete(const struct model *model, const struct caller *caller, struct job_spec *spec,
                  const struct partition **ret_part, struct err *err);

/* Why the job cannot be given to the planner, or REASON_NONE; `text` gets the figures. */
uint32_t spec_waits_for(const struct job_spec *spec, const struct partition *part,
                        struct strbuf *text);

/*
 * An id for a new job, and where its launch numbers begin. Ids rise up to MaxJobId and begin again
 * at FirstJobId; no two jobs that are known have the same. Enough are kept back for the tasks of
 * arrays that have none yet; `wanted` is how many the new job will need.
 */
int job_check_ids(const struct control *control, uint32_t wanted, struct err *err);
void job_give_id(struct act *act, struct job_record *rec);

/* A node holds jobs that were given ids which are not known here: the state that knew them is lost.
 * Ids go on behind them. */
void job_learn_ids(struct act *act, const struct node_register *reg);

/* That the next job will get; 0: all are in use. */
uint32_t job_next_id(const struct control *control);

/* Checks a spec once more after it was altered. `moves`: *part is chosen anew, else it stays. */
int spec_complete_again(const struct model *model, const struct caller *caller,
                        struct job_spec *spec, bool moves, const struct partition **part,
                        struct err *err);

/* What the record of a waiting job has from its spec. */
void job_follow_spec(struct job_record *rec, struct moment now);

/*
 * A record ready to become a job, checked; the caller clears it, also on failure. Whether it could
 * start now is asked for separately (question.c).
 */
int job_make_record(struct act *act, const struct job_spec *asked, struct job_record *rec,
                    const struct partition **ret_part, struct err *err);

/* Whether any set of the partition's nodes could hold the job. */
int job_check_plan(struct act *act, const struct job_record *rec, const struct partition *part,
                   struct err *err);

/* Cpus that the job asks for, and tasks, as clients show them while it waits. */
uint32_t spec_cpus(const struct job_spec *spec);

/* At least so many are to be had on each node: where more are asked for in all than tasks need. */
uint32_t spec_cpus_per_node(const struct job_spec *spec);

/* The nodes of a host list in the model; fails with E_NODE_NAME. `ret` must be empty. */
int model_node_set(const struct model *model, const char *hosts, struct bitset *ret,
                   struct err *err);

int64_t moment_ms_of_wall(struct moment now, int64_t wall_s);
int64_t moment_wall_of_ms(struct moment now, int64_t cluster_ms); /* not before now */

/* ---- the life of a job (start.c, finish.c) ---- */

void job_start(struct act *act, struct job *job, const struct plan_decision *decision);

void job_set_partition(const struct control *control, struct job *job, uint32_t partition);

/* How long it was suspended up to when it last changed that. */
static inline int64_t job_paused_s(const struct job *job)
{
    const struct job_record *rec = &job->rec;

    return rec->suspend_time ? rec->suspend_time - rec->start_time - rec->pre_suspend_s : 0;
}

/* Its time limit is another one than when it started: timers and planner follow. */
void job_limit_changed(struct act *act, struct job *job);

/* Whether the step ends when one of its processes is killed for memory. */
bool step_ends_for_memory(const struct control *control, const struct step *step);

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

/* A job that is not over becomes it. Its nodes are told; it is COMPLETING until they are clean. */
void job_end(struct act *act, struct job *job, const struct job_ending *ending);

/* A batch job that was not submitted to run but once. */
bool job_may_requeue(const struct control *control, const struct job *job);

/* Before it is requeued: it will be held, and is perhaps shown as SPECIAL_EXIT. */
void job_hold_requeued(struct job *job, bool special_exit);

/* The same, because a node could not start it. */
void job_hold_unlaunched(struct job *job);

/* The same, because its launch was lost too often. */
void job_hold_for_losses(struct job *job);

/* Slurm's words for why a requeued job is held. */
const char *job_requeued_why(const struct job *job);

/*
 * A job that runs, or has ended, waits once more, behind its nodes where they are not clean. Of the
 * ending only reason, message and KillWait matter.
 */
void job_requeue(struct act *act, struct job *job, const struct job_ending *ending);

/* Its script has ended with a code for which it is to run again: it is requeued. */
bool job_requeue_for_exit(struct act *act, struct job *job);

/* How a job ends whose last process ended with this wait status. */
struct job_ending job_ending_of(int32_t status, bool out_of_memory);

/* A node of the job failed: requeued, goes on without it, or ends with NODE_FAIL. */
void job_node_failed(struct act *act, struct job *job, uint32_t position, const char *why);

/* The node is taken from the job without hope of a word from it: failed, gone from the file. */
void job_node_lost(struct act *act, struct job *job, uint32_t position, const char *why);

/* Nothing of the job, which has ended, is left on the node. */
void job_node_clean(struct act *act, struct job *job, uint32_t position);

/* Nothing of the job is left on a node that was leaving it, or never will be (`why`). */
void job_leaving_clean(struct act *act, struct job *job, const char *node, const char *why);

/* What a step says on its stderr: "CANCELLED AT ..." in the controller's time zone, and why. */
char *end_message(struct moment now, const char *why);

/* Tells a node to end what it has of a job, or of one step: COUNT_UNSET means all. */
void order_end(const char *node, uint32_t job_id, uint32_t step_id, uint32_t kill_wait_s,
               const char *message, struct turn *turn);

/* Tells one node, once more, to end what it has of the job, and to run the Epilog then. */
void job_order_end(struct act *act, const struct job *job, const struct job_node *place,
                   uint32_t kill_wait_s, const char *message);

/* The position of a node in the job's allocation, or -1. */
int64_t job_position(const struct job *job, const char *node);

/* What it holds of a node, also of one that is leaving; NULL: nothing. */
struct job_node *job_find_place(struct job *job, const char *node);

/* A node that is leaving the job; NULL: it is not. */
struct job_node *job_find_leaving(struct job *job, const char *node);

void job_set_reason(struct job *job, uint32_t reason, const char *text);

void job_order_signal(const struct job *job, uint32_t signal, uint32_t flags, struct turn *turn);

/* Tells one node, once more, whether the job is suspended. */
void job_repeat_suspend(const struct job *job, int64_t position, struct turn *turn);

void job_tell_granted(const struct model *model, struct job *job, struct turn *turn);

/* Once, and only to clients of a job that does not start at once. */
void job_tell_queued(struct job *job, struct turn *turn);

/* One more stream follows the job: says where it stands. */
int job_attach(const struct model *model, struct job *job, struct turn *turn);

/* An event for who follows the job, if anybody does; event->job is filled here. */
void job_tell_event(struct job *job, struct job_event *event, bool last, struct turn *turn);
void job_tell(struct job *job, uint32_t kind, const char *text, bool last, struct turn *turn);

/*
 * A node could not start the script, whatever the job asks: the job waits again, held for somebody
 * to look at it. Where it may not be requeued, it is over.
 */
void job_launch_failed(struct act *act, struct job *job, const char *why);

/* The script's launch was lost on a node that is there: requeued, held at last, or NODE_FAIL. */
void job_step_lost(struct act *act, struct job *job, uint32_t position, const char *why);

/* ---- before a job's work, and after it (configure.c) ---- */

/* The job has its nodes: what has to run first is started, and when there is nothing, its work. */
void job_configure(struct act *act, struct job *job);

/* Something that had to be over is, perhaps the last. More often is fine. */
void job_go_on(struct act *act, struct job *job);

/* Its work has ended, or will never begin. */
void job_clean_up(struct act *act, struct job *job);

void job_run_program(struct act *act, const struct job *job, enum job_program kind);

/* After a restart of the controller nobody knows what became of its programs: they run again. */
void job_repeat_program(struct act *act, const struct job *job);

/* A job that has ended is over when its nodes are clean and its EpilogSlurmctld is over. */
void job_check_clean(struct act *act, struct job *job);

/* Wait statuses of what could not be started: shown as 0:53 and 0:54, as Slurm shows them. */
#define STATUS_NOT_LAUNCHED  53
#define STATUS_PROLOG_FAILED 54

/* ---- steps (step.c, step_end.c) ---- */

/* A waiting step with the job's next number. Copied; not noted yet. */
struct step *step_new(struct control *control, struct job *job, const struct step_spec *spec);

/* Puts the address that the controller saw in front of those that the client gave. */
void spec_add_address(struct step_spec *spec, const struct caller *caller);

/* Says where the step stands. */
void step_tell_state(struct step *step, struct turn *turn);

/* One more stream follows the step: says where it stands. */
int step_attach(struct step *step, struct turn *turn);

/* Tells one node, once more, to end its part of the step. */
void step_repeat_end(struct act *act, const struct step *step, uint32_t position);

/* Starts those of the job's waiting steps that fit, in their order. */
void job_start_steps(struct act *act, struct job *job);
void step_start_batch(struct act *act, struct job *job);
/* PrologFlags=Contain: one process of the job's on each of its nodes as long as the job lasts. */
void step_start_extern(struct act *act, struct job *job);

/* How a step ends before its time. */
struct step_ending {
    uint32_t state;    /* enum job_state */
    uint32_t ended_by; /* COUNT_UNSET: nobody */
    const char *why;   /* borrowed; NULL: nothing is to be said of it */
    bool at_once;      /* KILL; else TERM, and KILL after KillWait */
    bool is_quiet;     /* srun is not told before the end, and says afterwards that it was forced */
};

/* Tells the nodes of a step to end it; a waiting step is over at once. */
void step_stop(struct act *act, struct step *step, const struct step_ending *ending);

/* Its job has ended: a waiting step is over, the nodes of others are told by the job's order. */
void step_end_with_job(struct act *act, struct step *step, const struct job_ending *ending);

/* One of its nodes has nothing of the step any more. `exits` may be NULL; `why`: it failed. */
void step_node_over(struct act *act, struct step *step, uint32_t position,
                    const struct step_report *report, const char *why);

/* Takes what a node says about one step, from a report or a registration. */
void step_take_report(struct act *act, const char *node, const struct step_report *report);

int64_t step_position(const struct step *step, const char *node);
bool step_is_active(const struct step *step); /* has nodes that have not ended */

/* The stream of a step's events: its own, or the job's for the step of an srun job. */
uint32_t step_stream(const struct step *step);
void step_tell(struct step *step, struct step_event *event, bool last, struct turn *turn);

/* ---- orders (launch.c) ---- */

/* Orders every node of the step to launch its part, or one of them once more; notes the step. */
void launch_orders(struct act *act, struct step *step);
void launch_again(struct act *act, struct step *step, uint32_t position);

/* ---- nodes (node_update.c) ---- */

/* Without a text: none. */
void node_set_reason(struct node *node, struct moment now, const char *reason, uint32_t uid);

/*
 * hardware.c: a machine with less than configured takes no work until it has enough. Returns
 * whether its gpus are others than were known: then all is to be planned anew.
 */
bool node_check_hardware(struct model *model, struct node *node, struct moment now);

/* The parts that registering has with jobs: what is held, and what should be. */
void node_converge(struct act *act, struct node *node, const struct node_register *reg);

/* It starts nothing more until an operator says so. An earlier reason stays. */
void node_drain_for(struct act *act, struct node *node, const char *reason);

/* Down: its jobs fail. `unexpected`: it may return by itself. */
void node_go_down_for(struct act *act, struct node *node, const char *reason, bool unexpected);

/* ---- clients (attach.c) ---- */

/* After a restart nobody follows anything: who needs a client has the grace to get it. */
void attach_await_clients(struct act *act, struct job *job);
void attach_tick(struct act *act, struct job *job);

/* It runs, or it has ended and its nodes are not all clean. */
bool job_holds_nodes(const struct job *job);

/* ---- errors ---- */

/* The job must exist and be the caller's, or the caller an admin. */
int job_of_caller(const struct control *control, const struct caller *caller, uint32_t job_id,
                  struct job **ret_job, struct err *err);

/* Passes rc on, but for E_ACCESS says E_USER_ID: Slurm's word where the job stays what it is. */
int say_user_id(int rc, struct err *err);
