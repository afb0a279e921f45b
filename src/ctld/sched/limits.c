#include "ctld/sched/limits.h"

#include <string.h>

void limits_init(struct limits *limits, const struct sched_cluster *cluster)
{
    *limits = (struct limits){ .cluster = cluster };
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

void limits_clear(struct limits *limits)
{
    forget_users(limits);
    free(limits->partitions_tries);
    *limits = (struct limits){ 0 };
}

void limits_reset(struct limits *limits)
{
    forget_users(limits);
    memset(limits->partitions_tries, 0,
           limits->cluster->partitions_n * sizeof(*limits->partitions_tries));
    limits->tries = limits->plans = limits->starts = 0;
}

static bool is_under(uint32_t count, uint32_t limit)
{
    return limit == 0 || count < limit;
}

static struct user_count *find_user(const struct limits *limits, uint32_t uid)
{
    struct user_count *user;

    HASH_FIND_INT(limits->users, &uid, user);
    return user;
}

bool limits_let_try(const struct limits *limits, const struct sched_job *job)
{
    const struct plan_policy *policy = &limits->cluster->policy;
    const struct user_count *user = policy->tries_per_user ? find_user(limits, job->uid) : NULL;

    return is_under(limits->tries, policy->tries_max) &&
           is_under(user ? user->tries : 0, policy->tries_per_user) &&
           is_under(limits->partitions_tries[job->options[0].partition],
                    policy->tries_per_partition);
}

bool limits_let_plan(const struct limits *limits, const struct sched_job *job, int64_t now_ms)
{
    const struct plan_policy *policy = &limits->cluster->policy;

    return is_under(limits->plans, policy->plans_max) &&
           job->priority >= policy->reserve_priority &&
           limits_of_age(limits, job, now_ms) == PLAN_NEVER;
}

bool limits_let_backfill(const struct limits *limits)
{
    return is_under(limits->starts, limits->cluster->policy.starts_max);
}

bool limits_are_sorting(const struct limits *limits)
{
    const struct plan_policy *policy = &limits->cluster->policy;

    return policy->shortest_first && !is_under(limits->plans, policy->plans_max);
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

void limits_count(struct limits *limits, const struct sched_job *job)
{
    if (job->runs) {
        limits->starts += job->backfilled;
        return;
    }
    limits->plans += job->claims;
    if (!job_waits_in_line(job))
        return;
    limits->tries++;
    limits->partitions_tries[job->options[0].partition]++;
    if (limits->cluster->policy.tries_per_user)
        count_user(limits, job->uid);
}

int64_t limits_of_age(const struct limits *limits, const struct sched_job *job, int64_t now_ms)
{
    const int64_t age_ms = limits->cluster->policy.reserve_age_ms;

    if (age_ms == 0 || now_ms - job->since_ms >= age_ms)
        return PLAN_NEVER;
    return job->since_ms + age_ms;
}

void limits_begin(struct limits *limits, struct sched_job *const *jobs, uint32_t n)
{
    const struct plan_policy *policy = &limits->cluster->policy;

    limits->starts = 0;
    if (!policy->shortest_first)
        return;
    limits_reset(limits);
    for (uint32_t i = 0; i < n; i++)
        limits_count(limits, jobs[i]);
}
