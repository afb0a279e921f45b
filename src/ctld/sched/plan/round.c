/*
 * A round of the jobs that were put off: each that may start now is tried, by turn. Jobs that are
 * known not to be able to start are not looked at and are told what they were told before.
 */
#include "ctld/sched/plan/state.h"

static void note_fall(struct planner *planner, uint32_t pool, int64_t ready_ms)
{
    if (pool != POOL_NONE && planner->pools->at[pool].kind == PLAN_POOL_RAMP &&
        ready_ms < planner->next_fall_ms && ready_ms < END_HORIZON)
        planner->next_fall_ms = ready_ms;
}

/* Returns a pool that keeps jobs of this duration, or longer ones, from starting now, or POOL_NONE.
 * For a ramp it notes when time alone may give enough back. */
static uint32_t short_of(struct planner *planner, struct claim_list *claims, int64_t duration_ms,
                         int64_t *ret_ready_ms)
{
    uint32_t pool;

    if (!claims)
        return POOL_NONE;
    pool = claims_short(planner->pools, claims, POOLS_ALL, planner->now_ms,
                        length_planned(duration_ms), ret_ready_ms);
    note_fall(planner, pool, *ret_ready_ms);
    return pool;
}

/*
 * Returns whether neither the job by this option, nor a longer one, can start now. Without backfill
 * such a job has to be met all the same, for it blocks those behind it.
 */
static bool is_shut(struct planner *planner, const struct sched_job *job,
                    const struct sched_option *option, int64_t duration_ms)
{
    const int64_t now_ms = planner->now_ms;
    int64_t ready_ms;

    if (!plan_is_open(planner->plan, job, option))
        return true;
    if (!planner->cluster.policy.backfill)
        return planner->plan->lines[option->partition].floor > now_ms;
    return plan_negative_until(planner->plan, option->kind, length_planned(duration_ms), now_ms) >
               now_ms ||
           short_of(planner, option->claims, duration_ms, &ready_ms) != POOL_NONE;
}

/* Returns whether a pool is known to keep all jobs of the family that are of this duration, or
 * longer, from starting. */
static bool is_known_parked(struct planner *planner, const struct turn_family *family,
                            int64_t duration_ms)
{
    if (!family->claims || !planner->cluster.policy.backfill ||
        !turns_are_parked(family, duration_ms, planner->pools, planner->now_ms))
        return false;
    note_fall(planner, family->parked_on, family->parked_until_ms);
    return true;
}

/* Finds out whether a pool keeps them from it: once, and not again before it may have changed. */
static bool is_parked(struct planner *planner, struct turn_family *family, int64_t duration_ms)
{
    int64_t until_ms;
    uint32_t pool;

    if (is_known_parked(planner, family, duration_ms))
        return true;
    if (!planner->cluster.policy.backfill)
        return false;
    pool = short_of(planner, family->claims, duration_ms, &until_ms);
    if (pool == POOL_NONE)
        return false;
    turns_park(family, duration_ms, planner->pools, pool, until_ms);
    return true;
}

/* Returns whether no job of the family that is of this duration, or longer, can start now. */
static bool is_vain(struct planner *planner, struct turn_family *family, int64_t duration_ms)
{
    const struct sched_job *any = family->groups[0].jobs[0];

    if (is_parked(planner, family, duration_ms))
        return true;
    for (uint32_t i = 0; i < any->options_n; i++) {
        if (!is_shut(planner, any, &any->options[i], duration_ms))
            return false;
    }
    return true;
}

/* Returns a length such that neither jobs as long as that, nor longer ones, can start now by the
 * option, whatever they claim of pools; PLAN_NEVER: none is known. */
static int64_t shut_from(struct planner *planner, const struct sched_option *option)
{
    if (!plan_takes_jobs(planner->plan, option))
        return 0;
    if (!planner->cluster.policy.backfill)
        return planner->plan->lines[option->partition].floor > planner->now_ms ? 0 : PLAN_NEVER;
    return plan_negative_from(planner->plan, option->kind, planner->now_ms);
}

static bool shares_what_is_known(const struct planner *planner, const struct turn_class *class)
{
    return class->shares && !limits_count_tries(&planner->limits);
}

/* Finds out from which length on nodes keep all jobs of the class from starting; returns whether
 * some are left. */
static bool limit_class(struct planner *planner, struct turn_class *class)
{
    const struct sched_job *any = class->families->groups[0].jobs[0];
    int64_t length = 0;

    if (!shares_what_is_known(planner, class))
        return turns_limit(class, PLAN_NEVER);
    for (uint32_t i = 0; i < any->options_n && length < PLAN_NEVER; i++) {
        const int64_t from = shut_from(planner, &any->options[i]);

        length = from > length ? from : length;
    }
    return turns_limit(class, length);
}

/* Returns whether the job may start; if not, the longer ones of its family need not be looked
 * at. */
static bool may_start(struct planner *planner, const struct sched_job *job)
{
    struct turn_family *family = job->family;
    const int64_t shortest_ms = family->groups[0].duration_ms;

    if (!shares_what_is_known(planner, family->class))
        return true;
    if (!limit_class(planner, family->class))
        return false;
    if (is_vain(planner, family, shortest_ms))
        turns_shorten(&planner->turns, family, shortest_ms);
    else if (is_vain(planner, family, job->duration_ms))
        turns_shorten(&planner->turns, family, job->duration_ms);
    else
        return true;
    return false;
}

static void doubt_family(struct turns *turns, const struct turn_family *family)
{
    for (uint32_t i = 0; i < family->n; i++) {
        for (uint32_t j = 0; j < family->groups[i].n; j++)
            turns_doubt(turns, family->groups[i].jobs[j]);
    }
}

static void doubt_all(struct planner *planner)
{
    for (struct turn_class *class = planner->turns.classes; class; class = class->hh.next) {
        for (struct turn_family *family = class->families; family; family = family->hh.next)
            doubt_family(&planner->turns, family);
    }
    planner->doubts_all = false;
}

/* Lets those families of the class take part that nothing is known to keep from starting. */
static void begin_class(struct planner *planner, struct turn_class *class)
{
    const bool shares = shares_what_is_known(planner, class);

    if (!limit_class(planner, class))
        return;
    class->least_ms = PLAN_NEVER;
    for (struct turn_family *family = class->families; family; family = family->hh.next) {
        const int64_t shortest_ms = family->groups[0].duration_ms;

        if (shortest_ms < class->least_ms)
            class->least_ms = shortest_ms;
        if (!shares || !is_known_parked(planner, family, shortest_ms))
            turns_line_up(&planner->turns, family);
    }
    turns_enter(&planner->turns, class);
}

static void begin(struct planner *planner)
{
    if (!planner->cluster.policy.backfill) /* those that were put off were counted, too */
        pass_count_lines(planner, planner->queue.n);
    plan_tell_lines(planner->plan);
    planner->next_fall_ms = PLAN_NEVER;
    if (planner->doubts_all)
        doubt_all(planner);
    turns_begin(&planner->turns, planner->now_ms);
    for (struct turn_class *class = planner->turns.classes; class; class = class->hh.next)
        begin_class(planner, class);
    planner->round_begun = true;
    planner->round_done = false;
}

/* Tries the job whose turn it is; returns false when the units are spent. A family is gone with its
 * last job, and its class with it if it is the only one. */
static bool try_first(struct planner *planner, struct sched_job *job, uint32_t *units)
{
    struct turn_family *family = job->family;
    struct turn_class *class = family->class;
    const bool is_last = family->n == 1 && family->groups[0].n == 1;
    const bool is_only = is_last && HASH_COUNT(class->families) == 1;
    struct plan_outcome outcome;

    if (!pass_try(planner, job, units, &outcome))
        return false;
    turns_leave(&planner->turns);
    pass_settle(planner, job, &outcome);
    if (!job->runs)
        turns_pass_over(&planner->turns, job);
    if (!job->runs || !is_last)
        turns_line_up(&planner->turns, family);
    if (!job->runs || !is_only)
        turns_enter(&planner->turns, class);
    return true;
}

/* Settles a job that was not tried: it cannot start, or its group had been tried already. */
static void settle_untried(struct planner *planner, uint32_t *units)
{
    struct sched_job *job = planner->turns.untried[0];
    const struct plan_outcome outcome = plan_stays(planner->plan, job, planner->now_ms);

    pass_settle(planner, job, &outcome);
    pass_spend_little(planner, units);
}

bool round_next(struct planner *planner, uint32_t *units)
{
    struct turns *turns = &planner->turns;
    struct sched_job *job;

    if (!planner->round_begun) {
        begin(planner);
        return true;
    }
    job = turns_first(turns);
    if (!job && turns->untried_n == 0) {
        planner->round_done = true;
    } else if (!job) {
        settle_untried(planner, units);
    } else if (!may_start(planner, job)) {
        turns_leave(turns);
        turns_line_up(turns, job->family);
        turns_enter(turns, job->family->class);
        pass_spend_little(planner, units);
    } else {
        return try_first(planner, job, units);
    }
    return true;
}
