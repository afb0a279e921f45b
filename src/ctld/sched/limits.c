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
    free(limits->lines_plans);
    *limits = (struct limits){ 0 };
}

void limits_reset(struct limits *limits)
{
    forget_users(limits);
    memset(limits->partitions_tries, 0,
           limits->cluster->partitions_n * sizeof(*limits->partitions_tries));
    memset(limits->lines_plans, 0, lines_n(limits->cluster) * sizeof(*limits->lines_plans));
    limits->tries = limits->starts = 0;
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

void limits_count(struct limits *limits, const struct sched_job *job)
{
    if (job->runs) {
        limits->starts += job->backfilled;
        return;
    }
    limits->lines_plans[line_of(limits, job)] += job->claims;
    if (!job_waits_in_line(job))
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
