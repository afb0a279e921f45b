/*
 * In which order jobs come: the priority that a job gets when it is accepted, and what time and a
 * new configuration make of it. The arithmetic is in ctld/policy; here its inputs are gathered.
 *
 * A priority that follows from the rest of the state is not noted in a turn when only time has
 * changed it: a restart computes it again.
 */
#include "ctld/control/feed/rank.h"

#include "common/text/words.h"
#include "ctld/control/acct/fair.h"
#include "ctld/control/acct/usage.h"
#include "ctld/control/act/state.h"
#include "ctld/control/act/timers.h"
#include "ctld/control/feed/feed.h"
#include "ctld/control/feed/snapshot.h"
#include "ctld/control/limit/judge.h"
#include "ctld/control/request/tres.h"

struct rank_change {
    struct job *job; /* only while no job has left the model since the round began */
    uint32_t id;
    uint64_t had, gets;
};

/* All priorities as they are at one moment: computed piece by piece, then taken together. */
struct rank_round {
    struct moment at;
    struct rank_change *jobs; /* owned; NULL: there is none */
    uint32_t jobs_n, done_n;
    uint64_t jobs_dropped; /* the model's, when it began */
};

/* What rank_settle counts, the same for all jobs, and how far computing again has come. */
struct rank {
    double *totals; /* owned: of each partition, of each name in PriorityWeightTRES */
    uint32_t cluster_cpus;
    uint32_t factor_max; /* of the partitions' PriorityJobFactor */
    int64_t due_ms;      /* when priorities are computed again, cluster time */
    struct rank_round round;
};

#define LOWEST_PRIORITY       1000 /* from here down, numbers are left to those who set their own */
#define CALC_PERIOD_DEFAULT_S 300

static void forget_round(struct rank_round *round)
{
    free(round->jobs);
    *round = (struct rank_round){ 0 };
}

static void forget_totals(struct rank *rank)
{
    free(rank->totals);
    forget_round(&rank->round);
    *rank = (struct rank){ 0 };
}

struct rank *rank_new(void)
{
    return xcalloc(1, sizeof(struct rank));
}

struct rank *rank_free(struct rank *rank)
{
    forget_totals(rank);
    free(rank);
    return NULL;
}

/* ---- one job in one partition ---- */

/* True if the job's priority follows from its factors, and is not set by a request. */
static bool is_computed(const struct control *control, const struct job_record *rec)
{
    return control->model->config.priority.multifactor && !rec->spec->hold &&
           rec->spec->priority == COUNT_UNSET;
}

/* Counts the totals of the cluster once for a configuration: they do not change with the jobs. */
static void count_totals(struct control *control)
{
    const struct model *model = control->model;
    const struct tres_weights *weights = &model->config.priority.weight_tres;
    struct rank *rank = control->rank;

    forget_totals(rank);
    rank->totals = xcalloc((size_t)model->partitions_n * weights->n + 1, sizeof(*rank->totals));
    for (uint32_t i = 0; i < model->nodes_n; i++)
        rank->cluster_cpus += model->nodes[i].conf->cpus;
    for (uint32_t p = 0; p < model->partitions_n; p++) {
        const struct partition *part = &model->partitions[p];

        if (part->conf->priority_job_factor > rank->factor_max)
            rank->factor_max = part->conf->priority_job_factor;
        for (uint32_t i = 0; i < weights->n; i++)
            rank->totals[p * weights->n + i] = tres_of_partition(model, part, weights->at[i].name);
    }
}

/* Returns what the job asks of each TRES that has a weight, to be freed; NULL: none has. */
static struct priority_tres *fill_tres(const struct control *control, const struct tres_job *job)
{
    const struct tres_weights *weights = &control->model->config.priority.weight_tres;
    struct priority_tres *tres = weights->n ? xcalloc(weights->n, sizeof(*tres)) : NULL;

    for (uint32_t i = 0; i < weights->n; i++) {
        const char *name = weights->at[i].name;

        tres[i] = (struct priority_tres){
            .name = name,
            .asked = tres_of_job(control->model, job, name),
            .total = control->rank->totals[job->part->index * weights->n + i],
        };
    }
    return tres;
}

/* Adds what the job's association and QOS are worth. Those of a job that has none are worth
 * nothing. */
static void add_standing(const struct control *of, struct moment now, const struct tres_job *job,
                         struct priority_inputs *inputs)
{
    struct control *control = (struct control *)(uintptr_t)of;
    const struct assoc *assoc = usage_assoc_of(control, job->rec, job->part->conf->name);
    const struct qos_record *qos;

    if (!assoc)
        return;
    qos = acct_find_qos(control, usage_qos_of(control, job->rec, assoc));
    inputs->fair_share = fair_of(control, now, assoc)->factor;
    inputs->assoc_priority = fair_priority(assoc);
    inputs->assoc_priority_max = fair_assoc_priority_max(control, now);
    inputs->qos_priority = qos ? qos->priority : 0;
    inputs->qos_priority_max = fair_qos_priority_max(control, now);
}

/* Returns since when the job's age counts; 0: it does not. */
static int64_t accrues_from(const struct job_record *rec)
{
    if (rec->accrues_not)
        return 0;
    return rec->accrue_time ? rec->accrue_time : rec->eligible_time;
}

/* Returns the inputs of the arithmetic. `tres` is what fill_tres returned, and is borrowed. */
static struct priority_inputs inputs_of(const struct control *control, struct moment now,
                                        const struct tres_job *job,
                                        const struct priority_tres *tres)
{
    const struct job_record *rec = job->rec;
    const struct model *model = control->model;

    struct priority_inputs inputs = {
        .now_s = now.wall_s,
        .submit_s = rec->submit_time,
        .eligible_s = accrues_from(rec),
        .nodes = rec->spec->min_nodes,
        .cpus = rec->ncpus,
        .time_limit_s = rec->spec->time_limit,
        .cluster_nodes = model->nodes_n,
        .cluster_cpus = control->rank->cluster_cpus,
        .partition_factor = job->part->conf->priority_job_factor,
        .partition_factor_max = control->rank->factor_max,
        .nice = rec->spec->nice,
        .site = rec->spec->site_factor,
        .tres = tres,
        .tres_n = model->config.priority.weight_tres.n,
    };

    add_standing(control, now, job, &inputs);
    return inputs;
}

/* ---- what sprio shows ---- */

static uint64_t billionths(double value)
{
    return value > 0 ? (uint64_t)(value * PRIORITY_BILLION + 0.5) : 0;
}

static void show_parts(const struct control *control, const struct priority_inputs *inputs,
                       struct priority_info *ret)
{
    const struct priority_config *config = &control->model->config.priority;

    for (uint32_t i = 0; i < inputs->tres_n; i++) {
        const struct priority_factor factor =
            priority_tres_factor(config, inputs, inputs->tres[i].name);

        *ARRAY_PUSH(ret->tres, ret->tres_n) =
            (struct priority_part){ .name = xstrdup(inputs->tres[i].name),
                                    .raw = billionths(factor.raw),
                                    .weighted = billionths(factor.weighted) };
    }
}

static void show_factors(const struct control *control, struct moment now, const struct job *job,
                         const struct partition *part, struct priority_info *ret)
{
    const struct tres_job weighed = { &job->rec, &job->request, part };
    AUTO_FREE struct priority_tres *tres = fill_tres(control, &weighed);
    const struct priority_inputs inputs = inputs_of(control, now, &weighed, tres);
    struct priority_factors factors;

    priority_factors(&control->model->config.priority, &inputs, &factors);
    ret->priority = factors.total;
    ret->nice = factors.nice;
    ret->site = factors.site;
    ret->age = billionths(factors.age.weighted);
    ret->assoc = billionths(factors.assoc.weighted);
    ret->fair_share = billionths(factors.fair_share.weighted);
    ret->job_size = billionths(factors.job_size.weighted);
    ret->in_partition = billionths(factors.partition.weighted);
    ret->qos = billionths(factors.qos.weighted);
    ret->age_raw = billionths(factors.age.raw);
    ret->assoc_raw = billionths(factors.assoc.raw);
    ret->fair_share_raw = billionths(factors.fair_share.raw);
    ret->job_size_raw = billionths(factors.job_size.raw);
    ret->in_partition_raw = billionths(factors.partition.raw);
    ret->qos_raw = billionths(factors.qos.raw);
    show_parts(control, &inputs, ret);
}

/* Returns whether sprio lists the job: as in Slurm whatever keeps it waiting, but for what says
 * that it is not to start yet. */
static bool is_listed(const struct job_record *rec, struct moment now)
{
    return rec->state == JOB_PENDING && !(rec->flags & JOB_FLAG_COMPLETING) && rec->priority != 0 &&
           rec->dependencies_n == 0 && rec->spec->begin <= now.wall_s;
}

bool control_priority_info(const struct control *control, struct moment now, const struct job *job,
                           uint32_t i, struct priority_info *ret)
{
    const struct job_record *rec = &job->rec;
    const char *list = rec->spec->partition ? rec->spec->partition : rec->partition;
    AUTO(words) struct words names = words_split(list, ",");
    const struct partition *part =
        i < names.n ? model_find_partition(control->model, names.at[i]) : NULL;

    if (!is_listed(rec, now) || !part)
        return false;
    priority_info_init(ret);
    ret->job_id = rec->array_job_id ? rec->array_job_id : rec->id;
    ret->uid = rec->uid;
    ret->user = xstrdup(rec->user_name);
    ret->partition = xstrdup(part->conf->name);
    ret->account = xstrdup(rec->spec->account);
    ret->qos_name = xstrdup(rec->spec->qos);
    ret->is_set = !is_computed(control, rec);
    if (ret->is_set)
        ret->priority = rec->priority;
    else
        show_factors(control, now, job, part, ret);
    return true;
}

/* Returns the priority in the partition of that name; 1, the lowest: there is none. */
static uint64_t priority_in(const struct control *control, struct moment now,
                            const struct job_record *rec, const struct job_request *request,
                            const char *partition)
{
    const struct tres_job job = { rec, request, model_find_partition(control->model, partition) };
    AUTO_FREE struct priority_tres *tres = job.part ? fill_tres(control, &job) : NULL;
    struct priority_inputs inputs;
    struct priority_factors factors;

    if (!job.part)
        return 1;
    inputs = inputs_of(control, now, &job, tres);
    priority_factors(&control->model->config.priority, &inputs, &factors);
    return factors.total > 1 ? factors.total : 1;
}

/* Returns the priority in that one of the job's partitions that ranks it highest. */
static uint64_t best_of(const struct control *control, struct moment now,
                        const struct job_record *rec, const struct job_request *request)
{
    const char *list = rec->spec->partition ? rec->spec->partition : rec->partition;
    AUTO(words) struct words names = { 0 };
    uint64_t best = 1;

    if (!strchr(list, ',')) /* as nearly all: nothing is to be taken apart for these */
        return priority_in(control, now, rec, request, list);
    names = words_split(list, ",");
    for (uint32_t i = 0; i < names.n; i++) {
        const uint64_t there = priority_in(control, now, rec, request, names.at[i]);

        best = there > best ? there : best;
    }
    return best;
}

/* ---- what becomes of it ---- */

/* Returns the next of the falling numbers, moved by --nice. */
static uint64_t by_arrival(const struct control *control, const struct job_spec *spec)
{
    const uint64_t priority = control->next_priority;

    if (spec->nice > 0)
        return priority > (uint64_t)spec->nice ? priority - (uint64_t)spec->nice : 1;
    return priority + (uint64_t) - (int64_t)spec->nice;
}

uint64_t rank_of(const struct control *control, struct moment now, const struct job_record *rec,
                 const struct job_request *request)
{
    if (rec->spec->hold)
        return 0;
    if (rec->spec->priority != COUNT_UNSET)
        return rec->spec->priority;
    if (is_computed(control, rec))
        return best_of(control, now, rec, request);
    return by_arrival(control, rec->spec);
}

void rank_take(struct act *act, struct job *job)
{
    const struct job_spec *spec = job->rec.spec;
    const bool arrives = !spec->hold && spec->priority == COUNT_UNSET &&
                         !act->control->model->config.priority.multifactor;

    job->rec.priority = rank_of(act->control, act->now, &job->rec, &job->request);
    if (arrives && act->control->next_priority > LOWEST_PRIORITY)
        act->control->next_priority--;
}

/* ---- all of them again ---- */

void rank_again(const struct control *control, struct moment now, struct job *job,
                int32_t nice_before)
{
    struct job_record *rec = &job->rec;
    const int64_t lower = (int64_t)rec->spec->nice - nice_before;

    if (rec->spec->priority != COUNT_UNSET || is_computed(control, rec))
        rec->priority = rank_of(control, now, rec, &job->request);
    else if (lower > 0 && (uint64_t)lower >= rec->priority)
        rec->priority = 1;
    else
        rec->priority -= (uint64_t)lower;
}

/* Returns whether the job's priority is computed again, unless it is set by a request. Of a deep
 * queue each look at what was asked is a wait for memory. */
static bool may_be_due(const struct control *control, const struct job *job)
{
    const bool runs = control->model->config.priority.flags & PRIORITY_CALCULATE_RUNNING;

    return job->rec.priority > 0 &&
           (job->rec.state == JOB_PENDING || (runs && job->rec.state == JOB_RUNNING));
}

static bool is_due(const struct control *control, const struct job *job)
{
    return may_be_due(control, job) && is_computed(control, &job->rec);
}

static void begin_round(struct act *act)
{
    struct rank_round *round = &act->control->rank->round;

    round->at = act->now;
    round->jobs_dropped = act->control->model->jobs_dropped;
    fair_settle(act->control, act->now);
    act->control->use_changed = true; /* UsageThreshold is held against shares */
    for (struct job *job = act->control->model->jobs; job; job = job->hh.next) {
        if (may_be_due(act->control, job))
            *ARRAY_PUSH(round->jobs, round->jobs_n) =
                (struct rank_change){ .job = job, .id = job->rec.id, .had = job->rec.priority };
    }
}

/* Returns the job of the round; NULL: it is gone. */
static struct job *job_of(const struct control *control, const struct rank_change *change)
{
    struct job *job = control->rank->round.jobs_dropped == control->model->jobs_dropped
                          ? change->job
                          : model_find_job(control->model, change->id);

    return job && job->rec.id == change->id ? job : NULL;
}

/* Returns the job as the round found it; NULL: gone, started, held, or of a new priority. */
static struct job *find_unchanged(const struct control *control, const struct rank_change *change)
{
    struct job *job = job_of(control, change);

    return job && job->rec.priority == change->had && is_due(control, job) ? job : NULL;
}

/* Adds the new priority of the job, or of those of its tasks that the planner knows. */
static void add_changed(const struct job *job, struct plan_priority **changed, uint32_t *n)
{
    if (!job->array)
        *ARRAY_PUSH(*changed, *n) =
            (struct plan_priority){ .id = feed_id_of(job), .priority = job->rec.priority };
    BITSET_FOREACH (&job->told, task)
        *ARRAY_PUSH(*changed, *n) = (struct plan_priority){
            .id = feed_id(job->array->id, (uint32_t)task),
            .priority = job->rec.priority,
        };
}

/* Returns whether the job gets a place in the future by one of the two priorities alone. */
static bool is_over_threshold(struct control *control, const struct job *job,
                              const struct rank_change *change)
{
    const struct partition *part =
        job->partition == PARTITION_NONE ? NULL : &control->model->partitions[job->partition];

    return part && limit_bounds_priority(control) &&
           limit_denies_place(control, &job->rec, change->had, part) !=
               limit_denies_place(control, &job->rec, change->gets, part);
}

/* Takes the round all at once: an order in which only some jobs have aged is wrong. */
static void take_round(struct act *act)
{
    const struct rank_round *round = &act->control->rank->round;
    AUTO_FREE struct plan_priority *changed = NULL;
    uint32_t n = 0;

    for (uint32_t i = 0; i < round->jobs_n; i++) {
        const struct rank_change *change = &round->jobs[i];
        struct job *job = change->gets == change->had ? NULL : find_unchanged(act->control, change);

        if (!job)
            continue;
        job->rec.priority = change->gets;
        if (job->rec.state != JOB_PENDING)
            continue;
        if (is_over_threshold(act->control, job, change)) {
            feed_job_gone(act, job);
            feed_job_waits(act, job);
        } else {
            add_changed(job, &changed, &n);
        }
    }
    if (n > 0)
        feed_priorities(act, changed, n);
}

bool rank_step(struct act *act, uint32_t work)
{
    const bool only_up = act->control->model->config.priority.flags & PRIORITY_INCR_ONLY;
    struct rank_round *round = &act->control->rank->round;

    if (!round->jobs)
        return false;
    for (; work > 0 && round->done_n < round->jobs_n; work--) {
        struct rank_change *change = &round->jobs[round->done_n++];
        const struct job *job = job_of(act->control, change); /* looked at again by take_round */

        change->gets =
            job ? best_of(act->control, round->at, &job->rec, &job->request) : change->had;
        if (only_up && change->gets < change->had)
            change->gets = change->had;
    }
    if (round->done_n < round->jobs_n)
        return true;
    take_round(act);
    forget_round(round);
    return false;
}

void rank_tick(struct act *act)
{
    const int64_t period_s = act->control->model->config.priority.calc_period_s;

    if (!act->control->model->config.priority.multifactor)
        return;
    if (act->now.cluster_ms >= act->control->rank->due_ms && !act->control->rank->round.jobs) {
        begin_round(act);
        act->control->rank->due_ms =
            act->now.cluster_ms + (period_s > 0 ? period_s : CALC_PERIOD_DEFAULT_S) * 1000;
    }
    control_wake_at(act->control, act->control->rank->due_ms);
}

void rank_settle(struct act *act)
{
    count_totals(act->control);
    rank_tick(act);
    (void)rank_step(act, UINT32_MAX);
}
