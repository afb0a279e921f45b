#include "ctld/sched/plan/limits.h"

#include <string.h>

static uint32_t lines_n(const struct sched_cluster *cluster)
{
    return cluster->partitions_n * 2 + 1;
}

static uint32_t line_of(const struct limits *limits, const struct sched_job *job)
{
    const struct sched_option *option = &job->options[0];

    if (!limits->cluster->policy.plans_in_lines)
        return 0;
    return option->partition * 2 + (option->kind->shape.gres_n > 0);
}

void limits_init(struct limits *limits, const struct sched_cluster *cluster, struct pools *pools)
{
    *limits = (struct limits){ .cluster = cluster, .pools = pools };
    limits->partitions_tries = xcalloc(cluster->partitions_n, sizeof(*limits->partitions_tries));
    limits->lines_plans = xcalloc(lines_n(cluster), sizeof(*limits->lines_plans));
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

void limits_clear(struct limits *limits)
{
    struct lane *lane, *next;

    forget_users(limits);
    HASH_ITER (hh, limits->lanes, lane, next)
        free_lane(limits, lane);
    free(limits->partitions_tries);
    free(limits->lines_plans);
    free(limits->pools_plans);
    free(limits->private_plans);
    *limits = (struct limits){ 0 };
}

static bool is_under(uint32_t count, uint32_t limit)
{
    return limit == 0 || count < limit;
}

/* ---- places in the future ---- */

/* Returns the plans of jobs of the line that wait for the pool, or NULL when there were none so
 * far. */
static struct pool_plans *find_pool_plans(const struct limits *limits, uint32_t line, uint32_t pool)
{
    for (uint32_t i = 0; i < limits->pools_plans_n; i++) {
        if (limits->pools_plans[i].line == line && limits->pools_plans[i].pool == pool)
            return &limits->pools_plans[i];
    }
    return NULL;
}

/* Returns how many plans the line has of jobs that wait for the pool; POOL_NONE: for no pool. */
static uint32_t plans_n(const struct limits *limits, uint32_t line, uint32_t pool)
{
    const struct pool_plans *plans;

    if (pool == POOL_NONE)
        return limits->lines_plans[line];
    if (limits->pools->at[pool].is_private)
        return pool < limits->private_n ? limits->private_plans[pool] : 0;
    plans = find_pool_plans(limits, line, pool);
    return plans ? plans->n : 0;
}

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

/* Returns whether one more job that waits in the line for this pool, or for POOL_NONE, may have a
 * place in the future. */
static bool has_plan_left(const struct limits *limits, uint32_t line, uint32_t pool)
{
    if (is_private(limits, pool))
        return plans_n(limits, 0, pool) == 0;
    return is_under(plans_n(limits, line, pool), limits->cluster->policy.plans_max);
}

static bool is_open(const struct limits *limits, const struct lane *lane)
{
    return has_plan_left(limits, lane->line, lane->exhausted);
}

/* Sets limits->open to the first open lane from this one on. Places are only taken between two
 * resets, so lanes close and none opens: earlier ones need not be looked at again. */
static void find_open(struct limits *limits, struct lane *from)
{
    while (from && !is_open(limits, from))
        from = from->hh.next;
    limits->open = from;
}

void limits_reset(struct limits *limits)
{
    forget_users(limits);
    memset(limits->partitions_tries, 0,
           limits->cluster->partitions_n * sizeof(*limits->partitions_tries));
    memset(limits->lines_plans, 0, lines_n(limits->cluster) * sizeof(*limits->lines_plans));
    if (limits->private_n)
        memset(limits->private_plans, 0, limits->private_n * sizeof(*limits->private_plans));
    limits->tries = limits->starts = limits->pools_plans_n = 0;
    find_open(limits, limits->lanes);
}

/* Returns what a lane is keyed by: the claims of the job's options if they are the same, else the
 * job. */
static uintptr_t claims_key(const struct sched_job *job)
{
    for (uint32_t i = 1; i < job->options_n; i++) {
        if (job->options[i].claims != job->options[0].claims)
            return (uintptr_t)job;
    }
    return (uintptr_t)job->options[0].claims;
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
    const struct lane_key key = { line_of(limits, job), claims_key(job), length_key(job) };
    struct lane *lane;

    HASH_FIND(hh, limits->lanes, &key, sizeof(key), lane);
    if (lane)
        return lane;
    lane = xcalloc(1, sizeof(*lane));
    lane->key = key;
    lane->line = line_of(limits, job);
    lane->exhausted = exhausted_of(limits, job);
    HASH_ADD(hh, limits->lanes, key, sizeof(key), lane);
    if (!limits->open)
        find_open(limits, lane); /* it was the last one */
    return lane;
}

void limits_put_off(struct limits *limits, struct sched_job *job, bool put_off)
{
    struct lane *lane = get_lane(limits, job);

    if (put_off) {
        queue_insert(&lane->jobs, job);
        return;
    }
    queue_remove(&lane->jobs, queue_rank(&lane->jobs, job));
    if (lane->jobs.n > 0)
        return;
    if (limits->open == lane)
        find_open(limits, lane->hh.next);
    free_lane(limits, lane);
}

struct sched_job *limits_first_regrouped(struct limits *limits)
{
    struct sched_job *first = NULL;

    for (struct lane *lane = limits->lanes; lane; lane = lane->hh.next) {
        const uint32_t exhausted = exhausted_of(limits, lane->jobs.by_rank[0]);

        if (exhausted == lane->exhausted)
            continue;
        lane->exhausted = exhausted;
        if (!first || sched_job_compare(lane->jobs.by_rank[0], first) < 0)
            first = lane->jobs.by_rank[0];
    }
    if (first)
        find_open(limits, limits->lanes);
    return first;
}

bool limits_would_lose(const struct limits *limits, const struct sched_job *job,
                       const struct claim_list *starts, int64_t length)
{
    const struct claim_list *list = job->options[0].claims;

    if (!job->claims || job->exhausted != POOL_NONE)
        return false;
    for (uint32_t i = 0; list && starts && i < list->n; i++) {
        const uint32_t pool = list->claims[i].pool;

        if (claims_of(starts, pool) && !is_private(limits, pool) &&
            !has_plan_left(limits, line_of(limits, job), pool) &&
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

struct sched_job *limits_first_open(const struct limits *limits, const struct sched_job *from)
{
    struct sched_job *first = NULL;

    for (struct lane *lane = limits->open; lane; lane = lane->hh.next) {
        const struct queue *jobs = &lane->jobs;
        const uint32_t rank = is_open(limits, lane) ? queue_rank(jobs, from) : jobs->n;

        if (rank < jobs->n && (!first || sched_job_compare(jobs->by_rank[rank], first) < 0))
            first = jobs->by_rank[rank];
    }
    return first;
}

void limits_resort(struct limits *limits)
{
    for (struct lane *lane = limits->lanes; lane; lane = lane->hh.next)
        queue_sort(&lane->jobs);
}

bool limits_are_given(const struct limits *limits)
{
    return !limits->open;
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

bool limits_let_plan(const struct limits *limits, const struct sched_job *job, int64_t now_ms)
{
    const struct plan_policy *policy = &limits->cluster->policy;
    const bool is_aged = policy->plan_age_ms && is_old(job, policy->plan_age_ms, now_ms);
    const uint32_t exhausted = exhausted_of(limits, job);

    if (job->priority < policy->reserve_priority || !is_old(job, policy->reserve_age_ms, now_ms))
        return false;
    return (is_aged && !is_private(limits, exhausted)) ||
           has_plan_left(limits, line_of(limits, job), exhausted);
}

bool limits_let_wait_in_pool(const struct limits *limits, const struct sched_job *job,
                             int64_t now_ms)
{
    return !job->put_off && is_private(limits, exhausted_of(limits, job)) &&
           limits_let_plan(limits, job, now_ms);
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

static void count_private_plan(struct limits *limits, uint32_t pool)
{
    if (pool >= limits->private_n) {
        limits->private_plans =
            xreallocarray(limits->private_plans, pool + 1, sizeof(*limits->private_plans));
        memset(limits->private_plans + limits->private_n, 0,
               (pool + 1 - limits->private_n) * sizeof(*limits->private_plans));
        limits->private_n = pool + 1;
    }
    limits->private_plans[pool]++;
}

static void count_pool_plan(struct limits *limits, uint32_t line, uint32_t pool)
{
    struct pool_plans *plans = find_pool_plans(limits, line, pool);

    if (!plans) {
        plans = ARRAY_PUSH(limits->pools_plans, limits->pools_plans_n);
        *plans = (struct pool_plans){ .line = line, .pool = pool };
    }
    plans->n++;
}

static void count_plan(struct limits *limits, const struct sched_job *job)
{
    const uint32_t line = is_private(limits, job->exhausted) ? 0 : line_of(limits, job);

    if (!job->claims)
        return;
    if (job->exhausted == POOL_NONE)
        limits->lines_plans[line]++;
    else if (is_private(limits, job->exhausted))
        count_private_plan(limits, job->exhausted);
    else
        count_pool_plan(limits, line, job->exhausted);
    find_open(limits, limits->open);
}

void limits_count(struct limits *limits, struct sched_job *job)
{
    if (job->runs) {
        limits->starts += job->backfilled;
        return;
    }
    job->exhausted = exhausted_of(limits, job);
    job->nodes_number = nodes_number(limits, job);
    count_plan(limits, job);
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

    if (!is_old(job, policy->reserve_age_ms, now_ms))
        return job->since_ms + policy->reserve_age_ms;
    if (policy->plan_age_ms && !job->claims && !is_old(job, policy->plan_age_ms, now_ms))
        return job->since_ms + policy->plan_age_ms;
    return PLAN_NEVER;
}
