#include "ctld/sched/plan/limits.h"

#include <string.h>
#include <utlist.h>

#define LINE_OF_NO_PLACES UINT32_MAX /* of jobs that never get one */

static uint32_t line_of(const struct limits *limits, const struct sched_job *job)
{
    const struct sched_option *option = &job->options[0];

    if (job->no_place)
        return LINE_OF_NO_PLACES;
    if (!limits->cluster->policy.plans_in_lines)
        return 0;
    return option->partition * 2 + (option->kind->shape.gres_n > 0);
}

void limits_init(struct limits *limits, const struct sched_cluster *cluster, struct pools *pools)
{
    *limits = (struct limits){ .cluster = cluster, .pools = pools };
    limits->partitions_tries = xcalloc(cluster->partitions_n, sizeof(*limits->partitions_tries));
}

static void forget_users(struct limits *limits)
{
    struct user_count *user, *next;

    HASH_ITER (hh, limits->users, user, next) {
        HASH_DEL(limits->users, user);
        free(user);
    }
}

static void free_lane(struct limits *limits, struct lane *lane)
{
    HASH_DEL(limits->lanes, lane);
    queue_clear(&lane->jobs);
    free(lane);
}

/* Takes the lane from among those with its claims, and frees it. */
static void drop_lane(struct limits *limits, struct lane *lane)
{
    if (lane->list)
        DL_DELETE(lane->list->lanes, lane);
    else if (lane->is_mixed)
        DL_DELETE(limits->mixed, lane);
    free_lane(limits, lane);
}

void limits_clear(struct limits *limits)
{
    struct lane *lane, *next;

    forget_users(limits);
    HASH_ITER (hh, limits->lanes, lane, next)
        free_lane(limits, lane);
    allotments_clear(&limits->allotments);
    free(limits->partitions_tries);
    *limits = (struct limits){ 0 };
}

static bool is_under(uint32_t count, uint32_t limit)
{
    return limit == 0 || count < limit;
}

/* ---- places in the future ---- */

static bool is_private(const struct limits *limits, uint32_t pool)
{
    return pool != POOL_NONE && limits->pools->at[pool].is_private;
}

static uint32_t exhausted_for(const struct limits *limits, const struct sched_job *job,
                              uint32_t option, uint32_t sorts)
{
    struct claim_list *list = job->options[option].claims;
    int64_t falls_ms;
    uint32_t pool;

    if (!list)
        return POOL_NONE;
    pool =
        claims_exhausted(limits->pools, list, sorts, length_planned(job->duration_ms), &falls_ms);

    pools_await_fall(limits->pools, falls_ms);
    return pool;
}

/* Returns the pool that the job waits for whatever nodes there are, or POOL_NONE. A private pool
 * counts only if all options of the job wait for private ones. */
static uint32_t exhausted_of(const struct limits *limits, const struct sched_job *job)
{
    for (uint32_t i = 0; i < job->options_n; i++) {
        if (exhausted_for(limits, job, i, POOLS_PRIVATE) == POOL_NONE)
            return exhausted_for(limits, job, i, POOLS_SHARED);
    }
    return exhausted_for(limits, job, 0, POOLS_PRIVATE);
}

/* Returns what the jobs of this line that wait for the pool, or for POOL_NONE, may have. A forecast
 * is of all jobs. */
static struct allotment *allotment_of(struct limits *limits, uint32_t line, uint32_t pool)
{
    if (is_private(limits, pool))
        return allotments_get(&limits->allotments, 0, pool,
                              limits->cluster->policy.forecasts ? 0 : 1);
    return allotments_get(&limits->allotments, line, pool, limits->cluster->policy.plans_max);
}

static bool has_place_left(struct limits *limits, uint32_t line, uint32_t pool)
{
    return allotment_has_left(&limits->allotments, allotment_of(limits, line, pool));
}

void limits_reset(struct limits *limits)
{
    forget_users(limits);
    memset(limits->partitions_tries, 0,
           limits->cluster->partitions_n * sizeof(*limits->partitions_tries));
    allotments_reset(&limits->allotments);
    limits->tries = limits->starts = 0;
}

static bool has_several_lists(const struct sched_job *job)
{
    for (uint32_t i = 1; i < job->options_n; i++) {
        if (job->options[i].claims != job->options[0].claims)
            return true;
    }
    return false;
}

/* Returns the length that a lane is keyed by, where what the job takes of pools hangs on it; else
 * 0. */
static int64_t length_key(const struct sched_job *job)
{
    const struct claim_list *list = job->options[0].claims;

    return list && list->by_length ? job->duration_ms : 0;
}

static struct lane *get_lane(struct limits *limits, const struct sched_job *job)
{
    struct claim_list *list = job->options[0].claims;
    const bool is_mixed = has_several_lists(job);
    const struct lane_key key = { .line = line_of(limits, job),
                                  .claims = is_mixed ? (uintptr_t)job : (uintptr_t)list,
                                  .length = length_key(job) };
    struct lane *lane;

    HASH_FIND(hh, limits->lanes, &key, sizeof(key), lane);
    if (lane)
        return lane;
    lane = xcalloc(1, sizeof(*lane));
    lane->key = key;
    lane->line = line_of(limits, job);
    lane->list = is_mixed ? NULL : list;
    lane->is_mixed = is_mixed;
    if (!job->no_place)
        lane->allotment = allotment_of(limits, lane->line, exhausted_of(limits, job));
    HASH_ADD(hh, limits->lanes, key, sizeof(key), lane);
    if (lane->list)
        DL_APPEND(lane->list->lanes, lane);
    else if (is_mixed)
        DL_APPEND(limits->mixed, lane);
    return lane;
}

void limits_put_off(struct limits *limits, struct sched_job *job, bool put_off)
{
    struct lane *lane = get_lane(limits, job);

    if (put_off) {
        queue_insert(&lane->jobs, job);
        if (lane->allotment)
            allotment_add(&limits->allotments, lane->allotment, job);
        return;
    }
    queue_remove(&lane->jobs, queue_rank(&lane->jobs, job));
    if (lane->allotment)
        allotment_drop(&limits->allotments, lane->allotment, job);
    if (lane->jobs.n == 0)
        drop_lane(limits, lane);
}

static void move_lane(struct limits *limits, struct lane *lane, struct allotment *to)
{
    for (uint32_t i = 0; i < lane->jobs.n; i++) {
        allotment_drop(&limits->allotments, lane->allotment, lane->jobs.by_rank[i]);
        allotment_add(&limits->allotments, to, lane->jobs.by_rank[i]);
    }
    lane->allotment = to;
}

/* Finds out what the lanes wait for now. Sets *first to the first job that waits for something else
 * than before, if it comes before that one. */
static void regroup(struct limits *limits, struct lane *lanes, struct sched_job **first)
{
    for (struct lane *lane = lanes; lane; lane = lane->next) {
        struct sched_job *job = lane->jobs.by_rank[0];
        const uint32_t exhausted = exhausted_of(limits, job);

        if (!lane->allotment || exhausted == lane->allotment->key.pool)
            continue;
        move_lane(limits, lane, allotment_of(limits, lane->line, exhausted));
        if (!*first || sched_job_compare(job, *first) < 0)
            *first = job;
    }
}

struct sched_job *limits_first_regrouped(struct limits *limits)
{
    struct sched_job *first = NULL;

    for (struct claim_list *list; (list = pools_next_changed(limits->pools));)
        regroup(limits, list->lanes, &first);
    regroup(limits, limits->mixed, &first);
    return first;
}

bool limits_would_lose(struct limits *limits, const struct sched_job *job,
                       const struct claim_list *starts, int64_t length)
{
    const struct claim_list *list = job->options[0].claims;

    if (!job->claims || job->exhausted != POOL_NONE)
        return false;
    for (uint32_t i = 0; list && starts && i < list->n; i++) {
        const uint32_t pool = list->claims[i].pool;

        if (claims_of(starts, pool) && !is_private(limits, pool) &&
            !has_place_left(limits, line_of(limits, job), pool) &&
            claims_exhaust(limits->pools, pool, starts, length, list,
                           length_planned(job->duration_ms)))
            return true;
    }
    return false;
}

static uint64_t nodes_number(const struct limits *limits, const struct sched_job *job)
{
    uint64_t number = 0;

    for (uint32_t i = 0; i < job->options_n; i++) {
        struct claim_list *list = job->options[i].claims;

        number += list && list->by_nodes ? claims_nodes_number(limits->pools, list) : 0;
    }
    return number;
}

bool limits_are_regrouped(const struct limits *limits, const struct sched_job *job)
{
    return job->exhausted != exhausted_of(limits, job) ||
           job->nodes_number != nodes_number(limits, job);
}

struct sched_job *limits_first_open(struct limits *limits, const struct sched_job *from)
{
    return allotments_first(&limits->allotments, from);
}

void limits_resort(struct limits *limits)
{
    for (struct lane *lane = limits->lanes; lane; lane = lane->hh.next)
        queue_sort(&lane->jobs);
    allotments_resort(&limits->allotments);
}

bool limits_are_given(const struct limits *limits)
{
    return limits->allotments.open_n == 0;
}

bool limits_count_tries(const struct limits *limits)
{
    const struct plan_policy *policy = &limits->cluster->policy;

    return policy->tries_max || policy->tries_per_user || policy->tries_per_partition ||
           policy->starts_max;
}

bool limits_are_set(const struct limits *limits)
{
    return limits_count_tries(limits) || limits->cluster->policy.plans_max ||
           limits->pools->privates_n;
}

static struct user_count *find_user(const struct limits *limits, uint32_t uid)
{
    struct user_count *user;

    HASH_FIND_INT(limits->users, &uid, user);
    return user;
}

bool limits_leave_tries(const struct limits *limits)
{
    return is_under(limits->tries, limits->cluster->policy.tries_max);
}

bool limits_let_try(const struct limits *limits, const struct sched_job *job)
{
    const struct plan_policy *policy = &limits->cluster->policy;
    const struct user_count *user = policy->tries_per_user ? find_user(limits, job->uid) : NULL;

    return limits_leave_tries(limits) && is_under(user ? user->tries : 0, policy->tries_per_user) &&
           is_under(limits->partitions_tries[job->options[0].partition],
                    policy->tries_per_partition);
}

static bool is_old(const struct sched_job *job, int64_t age_ms, int64_t now_ms)
{
    return age_ms == 0 || now_ms - job->since_ms >= age_ms;
}

bool limits_let_plan(struct limits *limits, const struct sched_job *job, int64_t now_ms)
{
    const struct plan_policy *policy = &limits->cluster->policy;
    const bool is_aged = policy->plan_age_ms && is_old(job, policy->plan_age_ms, now_ms);
    const uint32_t exhausted = exhausted_of(limits, job);

    if (job->no_place || job->priority < policy->reserve_priority ||
        !is_old(job, policy->reserve_age_ms, now_ms))
        return false;
    return (is_aged && !is_private(limits, exhausted)) ||
           has_place_left(limits, line_of(limits, job), exhausted);
}

bool limits_let_wait_in_pool(struct limits *limits, const struct sched_job *job, int64_t now_ms)
{
    return !job->put_off && limits_let_plan(limits, job, now_ms) &&
           (limits->cluster->policy.forecasts || is_private(limits, exhausted_of(limits, job)));
}

bool limits_let_backfill(const struct limits *limits)
{
    return is_under(limits->starts, limits->cluster->policy.starts_max);
}

static void count_user(struct limits *limits, uint32_t uid)
{
    struct user_count *user = find_user(limits, uid);

    if (!user) {
        user = xcalloc(1, sizeof(*user));
        user->uid = uid;
        HASH_ADD_INT(limits->users, uid, user);
    }
    user->tries++;
}

void limits_count(struct limits *limits, struct sched_job *job)
{
    if (job->runs) {
        limits->starts += job->backfilled;
        return;
    }
    job->exhausted = exhausted_of(limits, job);
    job->nodes_number = nodes_number(limits, job);
    if (job->claims)
        allotment_give(&limits->allotments,
                       allotment_of(limits, line_of(limits, job), job->exhausted));
    if (!job->in_line)
        return;
    limits->tries++;
    limits->partitions_tries[job->options[0].partition]++;
    if (limits->cluster->policy.tries_per_user)
        count_user(limits, job->uid);
}

int64_t limits_of_age(const struct limits *limits, const struct sched_job *job, int64_t now_ms)
{
    const struct plan_policy *policy = &limits->cluster->policy;

    if (job->no_place)
        return PLAN_NEVER;
    if (!is_old(job, policy->reserve_age_ms, now_ms))
        return job->since_ms + policy->reserve_age_ms;
    if (policy->plan_age_ms && !job->claims && !is_old(job, policy->plan_age_ms, now_ms))
        return job->since_ms + policy->plan_age_ms;
    return PLAN_NEVER;
}
