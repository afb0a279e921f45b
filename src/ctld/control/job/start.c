#include "ctld/control/job/start.h"

#include "common/text/hostlist.h"
#include "ctld/control/acct/usage.h"
#include "ctld/control/act/event.h"
#include "ctld/control/act/follow.h"
#include "ctld/control/act/per_node.h"
#include "ctld/control/act/state.h"
#include "ctld/control/act/timers.h"
#include "ctld/control/act/turn.h"
#include "ctld/control/feed/feed.h"
#include "ctld/control/feed/snapshot.h"
#include "ctld/control/job/configure.h"
#include "ctld/control/job/deadline.h"
#include "ctld/control/limit/count.h"
#include "ctld/control/limit/several.h"
#include "ctld/control/job/depend.h"
#include "ctld/control/job/jobfsm.h"
#include "ctld/control/job/mail.h"
#include "ctld/control/resv/resv.h"
#include "ctld/control/request/tres.h"

static int compare_places(const void *a, const void *b)
{
    const struct plan_place *left = a, *right = b;

    return left->node < right->node ? -1 : left->node > right->node;
}

/* Fills in the nodes in the configuration's order, which is that of SLURM_JOB_NODELIST. */
static void fill_nodes(const struct control *control, struct job *job,
                       const struct plan_decision *decision)
{
    AUTO(hostlist) struct hostlist *names = hostlist_new();
    AUTO_FREE struct plan_place *places =
        xmemdup(decision->places, decision->places_n * sizeof(*places));

    qsort(places, decision->places_n, sizeof(*places), compare_places);
    job->rec.ncpus = 0;
    for (uint32_t i = 0; i < decision->places_n; i++) {
        struct job_node *node = ARRAY_PUSH(job->rec.nodes, job->rec.nodes_n);

        job_node_init(node);
        feed_show_place(control->model, &places[i], node);
        job->rec.ncpus += node->cpus_n;
        hostlist_add(names, node->name);
    }
    job->rec.node_list = hostlist_format(names);
}

static void set_times(struct job *job, struct moment now)
{
    const int64_t limit = job->rec.spec->time_limit;

    job->rec.start_time = now.wall_s;
    job->rec.start_cluster_ms = now.cluster_ms;
    job->rec.end_time = limit < 0 ? 0 : now.wall_s + limit;
    if (job->rec.eligible_time == 0)
        job->rec.eligible_time = now.wall_s;
}

void job_limit_changed(struct act *act, struct job *job)
{
    const int64_t limit = job->rec.spec->time_limit;

    job->rec.end_time = limit < 0 ? 0 : job->rec.start_time + job_paused_s(job) + limit;
    job->rec.flags &= ~(uint32_t)JOB_FLAG_WARNED;
    if (job_warn_ms(job) <= act->now.cluster_ms)
        job->rec.flags |= JOB_FLAG_WARNED;
    control_wake_at(act->control, job_limit_ms(job));
    control_wake_at(act->control, job_warn_ms(job));
    control_wake_at(act->control, job_mail_ms(job));
    feed_job_end(act, job);
}

/* Forgets what an earlier run of a requeued job left. */
static void forget_outcome(struct model *model, struct job *job)
{
    model_drop_ended_steps(model, job); /* their numbers are given again */
    job->rec.exit_status = 0;
    job->rec.derived_status = 0;
    job->rec.kill_signal = 0;
    job->rec.ended_by = COUNT_UNSET;
    job->rec.end_cluster_ms = 0;
    job->rec.flags &=
        ~(uint32_t)(JOB_FLAG_REQUEUED | JOB_FLAG_BACKFILLED | JOB_FLAG_WARNED |
                    JOB_FLAG_SPECIAL_EXIT | JOB_FLAG_REQUEUED_HELD | JOB_FLAG_LAUNCH_FAILED |
                    JOB_FLAG_TOLD_50 | JOB_FLAG_TOLD_80 | JOB_FLAG_TOLD_90);
}

void job_tell_granted(const struct model *model, struct job *job, struct turn *turn)
{
    AUTO_FREE uint32_t *cpus = xcalloc(job->rec.nodes_n, sizeof(*cpus));
    AUTO_FREE uint32_t *tasks = xcalloc(job->rec.nodes_n, sizeof(*tasks));
    struct job_event event;

    job_tasks_per_node(model, job, tasks);
    job_cpus_per_node(model, job, cpus);
    job_event_init(&event);
    event.kind = JOB_EVENT_GRANTED;
    event.tasks_per_node = tasks;
    event.tasks_per_node_n = job->rec.nodes_n;
    event.cpus_per_node = cpus;
    event.cpus_per_node_n = job->rec.nodes_n;
    job_tell_event(job, &event, false, turn);
}

void job_set_partition(const struct control *control, struct job *job, uint32_t partition)
{
    if (partition == job->partition)
        return;
    job->partition = partition;
    xstrset(&job->rec.partition, control->model->partitions[partition].conf->name);
}

/* Gives an srun's step that waits for Prologs the number of the run that has begun. */
static void renumber_waiting_steps(struct act *act, struct job *job)
{
    for (struct step *step = job->live; step; step = step->live_next) {
        if (step->rec.state != STEP_PENDING)
            continue;
        step->rec.launch_number = job->rec.launch_number;
        turn_note_step(act->turn, &step->rec);
    }
}

/* Sets the time limit. With --time-min the job gets as long as there is room for. */
static void set_limit(struct act *act, struct job *job, const struct plan_decision *decision)
{
    const struct tres_job here = { &job->rec, &job->request,
                                   &act->control->model->partitions[job->partition] };
    struct job_spec *spec = job->rec.spec;
    const int64_t room_s = decision->duration_ms / 1000;
    int64_t limit_s = limit_time_in(act->control, &here);

    if (spec->time_min > 0 && decision->duration_ms != PLAN_NEVER &&
        (limit_s < 0 || limit_s > room_s))
        limit_s = room_s;
    spec->time_limit = deadline_cut(spec, limit_s, act->now.wall_s);
}

/* Notes the reservation that the job runs in. One that draws jobs is shown as if they had named
 * it. */
static void enter_reservation(struct act *act, struct job *job,
                              const struct plan_decision *decision)
{
    const struct reservation_record *resv =
        decision->reservation ? resv_find_id(act->control, decision->reservation) : NULL;

    resv_enter(&job->rec, resv);
    if (resv && !job->rec.spec->reservation)
        job->rec.spec->reservation = xstrdup(resv->name);
}

void job_start(struct act *act, struct job *job, const struct plan_decision *decision)
{
    job_forget_nodes(job);
    forget_outcome(act->control->model, job);
    jobfsm_move(job, JOB_RUNNING);
    if (decision->backfilled)
        job->rec.flags |= JOB_FLAG_BACKFILLED;
    job_set_reason(job, REASON_NONE, NULL);
    job_set_partition(act->control, job, decision->partition); /* one of several candidates */
    enter_reservation(act, job, decision);
    set_limit(act, job, decision);
    set_times(job, act->now);
    job->rec.launch_number++;
    limit_count(act->control, job);
    fill_nodes(act->control, job, decision);
    job_bill_held(act->control->model, job);
    acct_usage_begin(act, job);
    if (job->rec.spec->ntasks == COUNT_UNSET)
        job->rec.ntasks = job->rec.nodes_n;
    model_hold_nodes(act->control->model, job);
    control_wake_at(act->control, job_limit_ms(job));
    control_wake_at(act->control, resv_ends_job_ms(act->control, act->now, &job->rec));
    if (job->rec.resv_id) { /* which is not idle any more, and may get other nodes */
        act->control->resv_look_ms = 0;
        control_wake_at(act->control, act->now.cluster_ms);
    }
    control_wake_at(act->control, job_warn_ms(job));
    control_wake_at(act->control, job_mail_ms(job));
    act->control->diag.jobs_started++;
    act->control->diag.backfilled_jobs += decision->backfilled;
    act->control->diag.backfilled_ever += decision->backfilled;
    event_note_start(act, job, decision->backfilled);
    job_mail(act, job, NEWS_BEGAN);
    job_configure(act, job);
    if (job->rec.flags & JOB_FLAG_CONFIGURING)
        renumber_waiting_steps(act, job);
    depend_tell(act, job);
}
