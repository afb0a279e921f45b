/*
 * Why a job waits, and when it would start: asked of the planner when somebody wants to know.
 *
 * It is not kept: it follows from the rest of the state, and a restart finds it again.
 */
#include "ctld/control/feed/explain.h"

#include <string.h>
#include <utlist.h>

#include "common/text/hostlist.h"
#include "ctld/control/act/follow.h"
#include "ctld/control/act/state.h"
#include "ctld/control/act/timers.h"
#include "ctld/control/feed/array.h"
#include "ctld/control/feed/feed.h"
#include "ctld/control/feed/snapshot.h"
#include "ctld/control/job/alter.h"
#include "ctld/control/job/depend.h"
#include "ctld/control/limit/claims.h"
#include "ctld/control/limit/judge.h"
#include "ctld/control/limit/used.h"
#include "ctld/control/request/spec.h"
#include "ctld/control/resv/resv.h"

_Static_assert(PLAN_BLOCKERS_MAX == JOB_BLOCKERS_MAX, "clients know how many are told at most");
_Static_assert((int)PLAN_LACKS_NODES == (int)JOB_LACKS_NODES, "plan_lack and job_lacks are alike");
_Static_assert((int)PLAN_WHY_PRIORITY == (int)REASON_PRIORITY &&
                   (int)PLAN_WHY_RESOURCES == (int)REASON_RESOURCES &&
                   (int)PLAN_WHY_PARTITION_DOWN == (int)REASON_PARTITION_DOWN &&
                   (int)PLAN_WHY_BEGIN == (int)REASON_BEGIN_TIME &&
                   (int)PLAN_WHY_RESERVATION == (int)REASON_RESERVATION &&
                   (int)PLAN_WHY_NODES_DOWN == (int)REASON_NODES_UNAVAILABLE,
               "plan_why and job_reason are alike");

/* Finds the nodes that the job could use, were nothing else there. */
static void find_wanted(const struct model *model, const struct job *job, struct bitset *ret)
{
    if (!job->rec.spec->req_nodes || model_node_set(model, job->rec.spec->req_nodes, ret, NULL) < 0)
        bitset_copy(ret, &model->partitions[job->partition].nodes);
}

/* Returns the nodes that the job could use were they not down or drained, to be freed. */
static char *unavailable_nodes(const struct model *model, const struct job *job)
{
    AUTO(bitset) struct bitset wanted = { 0 };
    AUTO(hostlist) struct hostlist *names = hostlist_new();

    find_wanted(model, job, &wanted);
    BITSET_FOREACH (&wanted, i) {
        if (!node_is_usable(&model->nodes[i]))
            hostlist_add(names, model->nodes[i].rec.name);
    }
    return hostlist_format(names);
}

static uint32_t reason_of(const struct plan_decision *decision)
{
    if (decision->why == PLAN_WHY_POOL)
        return decision->reason;
    if (decision->verdict == PLAN_NEVER_FITS)
        return REASON_BAD_CONSTRAINTS;
    if (decision->why == PLAN_WHY_NONE || decision->why == PLAN_WHY_NOT_TRIED)
        return REASON_PRIORITY;
    return decision->why;
}

/* Puts the forecast in place of a decision that promises no start, and keeps the reason. */
static void add_forecast(const struct control *control, uint64_t id, struct plan_decision *ret)
{
    struct plan_decision forecast;
    const enum plan_why why = ret->why;
    const uint32_t pool = ret->pool, reason = ret->reason;

    if (ret->verdict != PLAN_WAITS || (why != PLAN_WHY_RESOURCES && why != PLAN_WHY_PRIORITY &&
                                       why != PLAN_WHY_POOL && why != PLAN_WHY_NOT_TRIED))
        return;
    if (!planner_look(control->forecast, id, &forecast) || forecast.verdict != PLAN_LATER)
        return;
    *ret = forecast;
    ret->why = why;
    ret->pool = pool;
    ret->reason = reason;
}

/* Finds the planner's number of the job, or of the first of tasks that wait together. False: the
 * planner knows none of them. */
static bool id_in_plan(const struct job *job, uint64_t *ret)
{
    const int64_t first = job->array ? bitset_next(&job->told, 0) : 0;

    *ret = job->array ? feed_id(job->array->id, (uint32_t)first) : feed_id_of(job);
    return first >= 0;
}

bool job_explain(const struct control *control, const struct job *job, struct plan_decision *ret)
{
    uint64_t id;

    if (job->rec.state != JOB_PENDING || control->planner_stale || !id_in_plan(job, &id) ||
        !planner_look(control->planner, id, ret))
        return false;
    if (control->forecast)
        add_forecast(control, id, ret);
    return true;
}

/* Returns when decay will have made room in the limits on minutes that the job waits for: cluster
 * time, now if that is not what it waits for; INT64_MAX: never. */
static int64_t room_ms(const struct control *control, struct moment now, const struct job *job)
{
    struct control *mine = (struct control *)(uintptr_t)control; /* what is used is counted anew */

    return limit_room_ms(mine, now, &job->rec, &job->request,
                         &control->model->partitions[job->partition]);
}

/* Returns the limit of whose pool there is too little for the job, or NULL: it waits for something
 * else. */
static const struct limit *limit_waited_for(const struct control *control, const struct job *job,
                                            const struct plan_decision *decision)
{
    const uint32_t first = feed_first_limit(control);

    if (decision->why != PLAN_WHY_POOL || decision->pool < first ||
        decision->partition >= control->model->partitions_n)
        return NULL;
    return limit_of_pool((struct control *)(uintptr_t)control, &job->rec,
                         &control->model->partitions[decision->partition], decision->pool - first);
}

/* Adds the limit, and for a job that would not start under it whatever others do, that. */
static void add_limit(const struct control *control, struct moment now, const struct job *job,
                      const struct plan_decision *decision, struct strbuf *text)
{
    const struct limit *limit = limit_waited_for(control, job, decision);

    if (!limit)
        return;
    strbuf_adds(text, ": ");
    limit_tell(limit, text);
    if (decision->verdict != PLAN_NEVER_FITS)
        return;
    if (limit_counts_time(limit) && job->rec.spec->time_limit < 0)
        strbuf_adds(text, ", under which no job without a time limit can start");
    else if (limit_is_of_use(limit) && room_ms(control, now, job) < INT64_MAX)
        strbuf_adds(text, ", of which too little is left");
    else
        strbuf_adds(text, ", under which this job can not start");
}

/* Adds which license there is none of any more, or fewer than the job asks for. */
static void add_lacking_license(const struct control *control, const struct job *job,
                                const struct plan_decision *decision, struct strbuf *text)
{
    struct err why = { 0 };

    if (decision->why == PLAN_WHY_POOL && decision->pool < feed_license_pools_n(control->model) &&
        spec_check_licenses(control->model, job->rec.spec, &why) < 0)
        strbuf_addf(text, ": %s", why.text);
}

/* Adds who holds what the job waits for. */
static void add_blockers(const struct plan_decision *decision, const char *before,
                         struct strbuf *text)
{
    for (uint32_t i = 0; i < decision->blockers_n; i++) {
        if (i == 0)
            strbuf_addf(text, "%s%s", before,
                        decision->blockers_n == 1 ? "held by job " : "held by jobs ");
        else
            strbuf_adds(text, ", ");
        feed_id_format(decision->blockers[i], text);
    }
}

/* ---- reservations ---- */

static int64_t length_of(const struct job *job)
{
    const struct job_spec *spec = job->rec.spec;
    const int64_t limit_s = spec->time_min > 0 ? spec->time_min : spec->time_limit;

    return limit_s < 0 ? PLAN_NEVER : limit_s * 1000;
}

/* Returns whether the nodes without those that are kept are too few for the job. */
static bool lacks_nodes(const struct model *model, const struct job *job,
                        const struct bitset *wanted, const struct bitset *kept)
{
    AUTO(bitset) struct bitset left = { 0 };

    bitset_copy(&left, wanted);
    bitset_minus(&left, kept);
    if (job->rec.spec->req_nodes && bitset_count(&left) < bitset_count(wanted))
        return true;
    BITSET_FOREACH (wanted, i) {
        if (!node_is_usable(&model->nodes[i]) && bitset_has(&left, (uint32_t)i))
            bitset_del(&left, (uint32_t)i);
    }
    return bitset_count(&left) < job->rec.spec->min_nodes || bitset_is_empty(&left);
}

/*
 * Returns what is kept from a job that is in no reservation, in Slurm's words, or NULL where it is
 * not reservations that leave it too few nodes. It has two for all nodes of the cluster, as for
 * maintenance, and for some of them.
 */
static const char *kept_from(const struct control *control, const struct job *job)
{
    AUTO(bitset) struct bitset wanted = { 0 }, kept = { 0 }, of_maint = { 0 };

    if (job->rec.spec->reservation || job->partition == PARTITION_NONE || !resv_any(control))
        return NULL;
    find_wanted(control->model, job, &wanted);
    planner_kept_nodes(control->planner, length_of(job), false, &kept);
    if (!lacks_nodes(control->model, job, &wanted, &kept))
        return NULL;
    planner_kept_nodes(control->planner, length_of(job), true, &of_maint);
    if (bitset_count(&kept) == control->model->nodes_n || bitset_contains(&of_maint, &wanted))
        return "Reserved for maintenance";
    return "May be reserved for other job";
}

/* Returns whether the one reservation that the job names is open: then it waits for others in it.
 */
static bool is_let_in(const struct control *control, struct moment now, const struct job *job)
{
    const struct reservation_record *resv = resv_find(control, job->rec.spec->reservation);

    return resv && resv_is_open(resv, now.wall_s);
}

/* Returns the reason of a job that may wait for a reservation, and in `ret_kept` what is kept from
 * it. */
static uint32_t reserved_reason(const struct control *control, struct moment now,
                                const struct job *job, uint32_t reason, const char **ret_kept)
{
    *ret_kept = NULL;
    if (reason != REASON_RESERVATION && reason != REASON_RESOURCES && reason != REASON_PRIORITY)
        return reason;
    if (job->rec.spec->reservation)
        return reason == REASON_RESERVATION && is_let_in(control, now, job) ? REASON_RESOURCES
                                                                            : reason;
    *ret_kept = kept_from(control, job);
    if (!*ret_kept && reason == REASON_RESERVATION)
        *ret_kept = "May be reserved for other job";
    return *ret_kept ? (uint32_t)REASON_NODES_UNAVAILABLE : reason;
}

/* Returns why the planner lets the job wait, and says it in `text`. Slurm's words for nodes that
 * cannot be had name the nodes. */
static uint32_t planned_reason(const struct control *control, struct moment now,
                               const struct job *job, const struct plan_decision *decision,
                               struct strbuf *text)
{
    const char *kept;
    const uint32_t reason = reserved_reason(control, now, job, reason_of(decision), &kept);

    if (kept) {
        strbuf_addf(text, "%s, %s", job_reason_name(reason), kept);
    } else if (reason == REASON_NODES_UNAVAILABLE) {
        AUTO_FREE char *nodes = unavailable_nodes(control->model, job);

        strbuf_addf(text, "%s, UnavailableNodes:%s", job_reason_name(reason), nodes);
    } else {
        const size_t name_n = strlen(job_reason_name(reason));

        strbuf_adds(text, job_reason_name(reason));
        add_limit(control, now, job, decision, text);
        add_lacking_license(control, job, decision, text);
        add_blockers(decision, text->len > name_n ? ", " : ": ", text);
    }
    return reason;
}

/* ---- jobs that are not planned ---- */

/* Returns the reason of a job that breaks a limit by itself, and tells the limit. */
static uint32_t limited_reason(const struct control *control, const struct job *job,
                               struct strbuf *figures)
{
    const struct limit *limit;
    const uint32_t reason =
        limit_reason_of((struct control *)(uintptr_t)control, &job->rec, &job->request,
                        &control->model->partitions[job->partition], &limit);

    if (limit)
        limit_tell(limit, figures);
    else if (reason == REASON_INVALID_ACCOUNT)
        strbuf_addf(figures, "user %s is not in account %s", job->rec.user_name,
                    job->rec.spec->account ? job->rec.spec->account : "(none)");
    else
        strbuf_addf(figures, "QOS %s may not be used by account %s",
                    job->rec.spec->qos ? job->rec.spec->qos : "(none)",
                    job->rec.spec->account ? job->rec.spec->account : "(none)");
    return reason;
}

static uint32_t partition_reason(const struct control *control, const struct job *job,
                                 struct strbuf *figures)
{
    const struct partition *part;
    uint32_t reason;

    if (job->partition == PARTITION_NONE) {
        strbuf_addf(figures, "partition %s is not configured", job->rec.partition);
        return REASON_PARTITION_INACTIVE;
    }
    part = &control->model->partitions[job->partition];
    if (job->request.unreadable) {
        strbuf_adds(figures, job->request.unreadable);
        return REASON_BAD_CONSTRAINTS;
    }
    if (job->request.others_n > 0)
        return REASON_NONE;
    reason = job->request.waits_for;
    if (reason == REASON_NONE && job->request.limited_by != REASON_NONE)
        return limited_reason(control, job, figures);
    if (reason == REASON_NONE || part->conf->state != PARTITION_DOWN) {
        spec_tell_wait(reason, job->rec.spec, part, figures);
        return reason;
    }
    strbuf_addf(figures, "partition %s is down", part->conf->name);
    return REASON_PARTITION_DOWN;
}

/* True if the job is held, but not by its owner. */
static bool is_held_by_us(const struct job *job)
{
    return job->rec.reason == REASON_HELD_ADMIN || job->rec.reason == REASON_MAX_REQUEUE ||
           job->rec.reason == REASON_RESERVATION_DELETED;
}

/* Returns the first reason in Slurm's order (held, other jobs, not yet, the partition's state, its
 * limits), or REASON_NONE: the plan knows. */
static uint32_t first_reason(const struct control *control, struct moment now,
                             const struct job *job, struct strbuf *text)
{
    AUTO(strbuf) struct strbuf figures = { 0 };
    uint32_t reason;

    if (job->rec.priority == 0) {
        if (job->rec.flags & JOB_FLAG_REQUEUED_HELD)
            strbuf_adds(text, job_requeued_why(job));
        else if (job->rec.reason == REASON_RESERVATION_DELETED && job->rec.reason_text)
            strbuf_adds(text, job->rec.reason_text);
        return is_held_by_us(job) ? job->rec.reason : REASON_HELD_USER;
    }
    reason = job_dependency_reason(&job->rec);
    if (reason != REASON_NONE)
        return reason;
    if (job->rec.spec->begin > now.wall_s)
        return REASON_BEGIN_TIME;
    reason = partition_reason(control, job, &figures);
    if (reason == REASON_NONE && job_awaits_array(job))
        return REASON_ARRAY_LIMIT;
    if (reason != REASON_NONE)
        strbuf_addf(text, "%s: %s", job_reason_name(reason), strbuf_text(&figures));
    return reason;
}

void job_set_first_reason(const struct control *control, struct moment now, struct job *job)
{
    AUTO(strbuf) struct strbuf text = { 0 };
    const uint32_t reason = first_reason(control, now, job, &text);

    job_set_reason(job, reason, text.len ? strbuf_text(&text) : NULL);
}

/* ---- what is told ---- */

void job_note_wait(const struct control *control, struct moment now, struct job *job)
{
    AUTO(strbuf) struct strbuf text = { 0 };
    struct plan_decision decision;
    uint32_t reason;

    if (!job_explain(control, job, &decision))
        return;
    reason = planned_reason(control, now, job, &decision, &text);
    job_set_reason(job, reason, strbuf_text(&text));
}

/* Adds a blocker to what is shown. `job` is NULL if it is gone by now. */
static void show_blocker(struct moment now, uint32_t id, uint32_t task, const struct job *job,
                         struct job_info *ret)
{
    struct job_blocker *blocker = ARRAY_PUSH(ret->blockers, ret->blockers_n);

    job_blocker_init(blocker);
    blocker->job_id = id;
    blocker->array_task = task;
    if (!job)
        return;
    blocker->user_name = xstrdup(job->rec.user_name);
    blocker->waits = !job_holds_nodes(job);
    if (!blocker->waits && job_limit_ms(job) != INT64_MAX)
        blocker->until = moment_wall_of_ms(now, job_limit_ms(job));
}

static void show_blockers(const struct control *control, struct moment now,
                          const struct plan_decision *decision, struct job_info *ret)
{
    for (uint32_t i = 0; i < decision->blockers_n; i++) {
        uint32_t task;
        const struct job *job = feed_find(control->model, decision->blockers[i], &task);

        show_blocker(now, (uint32_t)(decision->blockers[i] >> 32), task, job, ret);
    }
}

/* Shows the jobs that this one depends on. Arrays are told only by the list of dependencies. */
static void show_awaited_jobs(const struct control *control, struct moment now,
                              const struct job *job, struct job_info *ret)
{
    for (uint32_t i = 0; i < job->rec.dependencies_n && ret->blockers_n < JOB_BLOCKERS_MAX; i++) {
        const struct job_dependency *on = &job->rec.dependencies[i];
        const struct job *other = on->is_array || on->array_task != COUNT_UNSET || on->is_failed
                                      ? NULL
                                      : model_find_job(control->model, on->job_id);

        if (other && !job_state_is_over(other->rec.state))
            show_blocker(now, on->job_id, COUNT_UNSET, other, ret);
    }
}

/* Shows the tasks of the job's array that run. */
static void show_fellows(struct moment now, const struct job *job, struct job_info *ret)
{
    const struct job *other;

    DL_FOREACH2(job->array->jobs, other, array_next)
    {
        if (job_holds_nodes(other) && ret->blockers_n < JOB_BLOCKERS_MAX)
            show_blocker(now, job->array->id, other->rec.array_task, other, ret);
    }
}

/* Returns when decay will have made room for a job that limits on minutes keep from a plan; 0: that
 * is not what it waits for, or never. */
static int64_t room_time(const struct control *control, struct moment now, const struct job *job)
{
    const int64_t at_ms = room_ms(control, now, job);

    return at_ms == INT64_MAX || at_ms <= now.cluster_ms ? 0 : moment_wall_of_ms(now, at_ms);
}

/* Returns what the planned start rests on. */
static enum job_estimate estimate_of(const struct control *control, const struct job *job,
                                     const struct plan_decision *decision)
{
    const struct limit *limit = limit_waited_for(control, job, decision);

    if (limit && limit_is_of_use(limit))
        return ESTIMATE_DECAY;
    return decision->forecast ? ESTIMATE_FORECAST : ESTIMATE_LIMITS;
}

/* Shows a limit that will be used up before the planned start, which then comes to nothing; returns
 * whether there is one. */
static bool show_running_out(const struct control *control, struct moment now,
                             const struct job *job, const struct plan_decision *decision,
                             struct job_info *ret)
{
    struct control *mine = (struct control *)(uintptr_t)control; /* what is used is counted anew */
    AUTO(strbuf) struct strbuf text = { 0 };
    int64_t at_ms;
    const struct limit *limit =
        limit_running_out(mine, now, &job->rec, &control->model->partitions[decision->partition],
                          decision->at_ms, &at_ms);

    if (!limit)
        return false;
    limit_tell(limit, &text);
    ret->used_up = strbuf_steal(&text);
    ret->used_up_time = moment_wall_of_ms(now, at_ms);
    return true;
}

static void show_start(const struct control *control, struct moment now, const struct job *job,
                       const struct plan_decision *decision, struct job_info *ret)
{
    if (show_running_out(control, now, job, decision, ret))
        return;
    ret->planned_start = moment_wall_of_ms(now, decision->at_ms);
    ret->planned_nodes = feed_place_names(control->model, decision->places, decision->places_n);
    ret->estimate = estimate_of(control, job, decision);
}

static void show_plan(const struct control *control, struct moment now, const struct job *job,
                      const struct plan_decision *decision, struct job_info *ret)
{
    ret->lacks = decision->lacks; /* the two enums have the same numbers */
    show_blockers(control, now, decision, ret);
    if (decision->why == PLAN_WHY_NODES_DOWN)
        ret->unavailable_nodes = unavailable_nodes(control->model, job);
    if (decision->why == PLAN_WHY_BEGIN) {
        ret->planned_start = job->rec.spec->begin;
        ret->estimate = ESTIMATE_BEGIN;
    } else if (decision->verdict == PLAN_LATER && decision->at_ms != PLAN_NEVER) {
        show_start(control, now, job, decision, ret);
    } else if (job->partition != PARTITION_NONE) {
        ret->room_time = room_time(control, now, job);
    }
}

/* Returns how many nodes the job needs at least; 0: not known. As in Slurm that is no more than
 * tasks, however many cpus one of them asks for. */
static uint32_t least_nodes(const struct model *model, const struct job *job)
{
    const struct job_spec *spec = job->rec.spec;
    const uint32_t each =
        job->partition == PARTITION_NONE ? 0 : model->partitions[job->partition].node_cpus;
    const uint32_t tasks = count_is_set(spec->ntasks) ? spec->ntasks : 1;
    const uint32_t most = tasks > spec->min_nodes ? tasks : spec->min_nodes;
    const uint32_t least = each ? (job->rec.ncpus + each - 1) / each : 0;

    return least < most ? least : most;
}

void job_show_wait(const struct control *control, struct moment now, const struct job *job,
                   struct job_info *ret)
{
    AUTO(strbuf) struct strbuf text = { 0 };
    struct plan_decision decision;
    uint32_t reason = REASON_NONE;

    if (job->rec.state != JOB_PENDING || (job->rec.flags & JOB_FLAG_COMPLETING))
        return;
    ret->least_nodes = least_nodes(control->model, job);
    if (job_explain(control, job, &decision)) {
        reason = planned_reason(control, now, job, &decision, &text);
        show_plan(control, now, job, &decision, ret);
    } else {
        reason = first_reason(control, now, job, &text);
    }
    if (reason == REASON_NONE)
        return;
    if (reason == REASON_DEPENDENCY)
        show_awaited_jobs(control, now, job, ret);
    else if (reason == REASON_ARRAY_LIMIT && job->array)
        show_fellows(now, job, ret);
    ret->job->reason = reason;
    xstrset(&ret->job->reason_text, text.len ? strbuf_text(&text) : NULL);
}
