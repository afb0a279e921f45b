#include "ctld/sched/limits.h"

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

void limits_init(struct limits *limits, const struct sched_cluster *cluster)
{
    *limits = (struct limits){ .cluster = cluster };
    limits->partitions_tries = xcalloc(cluster->partitions_n, sizeof(*limits->partitions_tries));
    limits->lines_plans = xcalloc(lines_n(cluster), sizeof(*limits->lines_plans));
    limits->lines_put_off = xcalloc(lines_n(cluster), sizeof(*limits->lines_put_off));
}

static void forget_users(struct limits *limits)
{
    struct user_count *user, *next;

    HASH_ITER (hh, limits->users, user, next) {
        HASH_DEL(limits->users, user);
        free(user);
    }
}

void limits_clear(struct limits *limits)
{
    forget_users(limits);
    for (uint32_t i = 0; limits->cluster && i < lines_n(limits->cluster); i++)
        queue_clear(&limits->lines_put_off[i]);
    free(limits->partitions_tries);
    free(limits->lines_plans);
    free(limits->lines_put_off);
    *limits = (struct limits){ 0 };
}

static bool is_under(uint32_t count, uint32_t limit)
{
    return limit == 0 || count < limit;
}

static bool is_open(const struct limits *limits, uint32_t line)
{
    return limits->lines_put_off[line].n > 0 &&
           is_under(limits->lines_plans[line], limits->cluster->policy.plans_max);
}

void limits_reset(struct limits *limits)
{
    forget_users(limits);
    memset(limits->partitions_tries, 0,
           limits->cluster->partitions_n * sizeof(*limits->partitions_tries));
    memset(limits->lines_plans, 0, lines_n(limits->cluster) * sizeof(*limits->lines_plans));
    limits->tries = limits->starts = limits->open_n = 0;
    for (uint32_t i = 0; i < lines_n(limits->cluster); i++)
        limits->open_n += is_open(limits, i);
}

void limits_put_off(struct limits *limits, struct sched_job *job, bool put_off)
{
    const uint32_t line = line_of(limits, job);
    struct queue *jobs = &limits->lines_put_off[line];

    limits->open_n -= is_open(limits, line);
    if (put_off)
        queue_insert(jobs, job);
    else
        queue_remove(jobs, queue_rank(jobs, job));
    limits->open_n += is_open(limits, line);
}

struct sched_job *limits_first_open(const struct limits *limits, const struct sched_job *from)
{
    struct sched_job *first = NULL;

    for (uint32_t i = 0; limits->open_n && i < lines_n(limits->cluster); i++) {
        const struct queue *jobs = &limits->lines_put_off[i];
        const uint32_t rank = is_open(limits, i) ? queue_rank(jobs, from) : jobs->n;

        if (rank < jobs->n && (!first || sched_job_compare(jobs->by_rank[rank], first) < 0))
            first = jobs->by_rank[rank];
    }
    return first;
}

void limits_resort(struct limits *limits)
{
    for (uint32_t i = 0; i < lines_n(limits->cluster); i++)
        queue_sort(&limits->lines_put_off[i]);
}

bool limits_are_given(const struct limits *limits)
{
    return limits->open_n == 0;
}

bool limits_count_tries(const struct limits *limits)
{
    const struct plan_policy *policy = &limits->cluster->policy;

    return policy->tries_max || policy->tries_per_user || policy->tries_per_partition ||
           policy->starts_max;
}

bool limits_are_set(const struct limits *limits)
{
    return limits_count_tries(limits) || limits->cluster->policy.plans_max;
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

    if (job->priority < policy->reserve_priority || !is_old(job, policy->reserve_age_ms, now_ms))
        return false;
    return is_aged || is_under(limits->lines_plans[line_of(limits, job)], policy->plans_max);
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

static void count_plan(struct limits *limits, const struct sched_job *job)
{
    const uint32_t line = line_of(limits, job);

    limits->open_n -= is_open(limits, line);
    limits->lines_plans[line] += job->claims;
    limits->open_n += is_open(limits, line);
}

void limits_count(struct limits *limits, const struct sched_job *job)
{
    if (job->runs) {
        limits->starts += job->backfilled;
        return;
    }
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
