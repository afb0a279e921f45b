#include "ctld/sched/plan/keeper.h"

#include "ctld/sched/plan/attempt.h"

void keeper_reset(struct keeper *keeper)
{
    keeper->freed_n = 0;
    keeper->is_full = keeper->forgets = false;
    keeper->first = INT64_MAX;
}

void keeper_forget(struct keeper *keeper, struct plan *plan)
{
    keeper->forgets = true;
    freed_forget(&plan->freed);
}

static bool stretches_meet(const struct freed *a, const struct freed *b)
{
    return a->node == b->node && a->from <= b->to && b->from <= a->to;
}

/* Adds the stretch, joined with those that it meets. */
static void note(struct keeper *keeper, struct freed freed)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < keeper->freed_n; i++) {
        const struct freed other = keeper->freed[i];

        if (!stretches_meet(&freed, &other)) {
            keeper->freed[kept++] = other;
            continue;
        }
        freed.from = other.from < freed.from ? other.from : freed.from;
        freed.to = other.to > freed.to ? other.to : freed.to;
    }
    keeper->freed_n = kept;
    keeper->is_full |= kept == KEEPER_MAX;
    if (kept < KEEPER_MAX)
        keeper->freed[keeper->freed_n++] = freed;
}

void keeper_freed(struct keeper *keeper, struct plan *plan, const struct sched_job *job)
{
    /* A running job has had its places for ever: -FUTURE_END stands for that, since lengths are
     * taken off it. */
    const int64_t from = job->from > -FUTURE_END ? job->from : -FUTURE_END;

    for (uint32_t i = 0; i < job->places_n; i++) {
        const struct freed freed = { job->places[i].node, from, job->to };

        freed_note(&plan->freed, &freed);
        note(keeper, freed);
    }
    if (job->places_n && from < keeper->first)
        keeper->first = from;
    claims_freed(plan->pools, job->list);
}

static bool is_usable(const struct plan *plan, const struct sched_job *job,
                      const struct sched_place *place)
{
    const struct holder_user user = { .uid = job->uid, .alone = job->alone };

    return bitset_has(&plan->cluster->usable, place->node) &&
           holders_until(&plan->holders, place->node, &user, job->from) >= job->to;
}

static bool is_free(const struct plan *plan, const struct sched_job *job)
{
    for (uint32_t i = 0; i < job->places_n; i++) {
        const struct sched_place *place = &job->places[i];

        if (!is_usable(plan, job, place) || future_until(plan->future, place, job->from) < job->to)
            return false;
    }
    return true;
}

static int64_t option_from(const struct sched_option *option, int64_t now_ms)
{
    return option->not_before > now_ms ? option->not_before : now_ms;
}

/* Returns whether a job of the option's kind could use the stretch and start no later than
 * planned. */
static bool may_gain(const struct plan *plan, const struct sched_job *job,
                     const struct sched_option *option, const struct freed *freed, int64_t now_ms)
{
    return plan_ready_in(plan, option->kind, freed, option_from(option, now_ms),
                         job->to - job->from) <= job->from;
}

static bool concerns(const struct freed *freed, const struct sched_job *job, int64_t now_ms)
{
    return freed->from < job->to && freed->to > now_ms;
}

static bool may_move(const struct keeper *keeper, const struct plan *plan,
                     const struct sched_job *job, int64_t now_ms)
{
    if (keeper->is_full)
        return keeper->first < job->to;
    for (uint32_t i = 0; i < keeper->freed_n; i++) {
        const struct freed *freed = &keeper->freed[i];

        for (uint32_t j = 0; concerns(freed, job, now_ms) && j < job->options_n; j++) {
            if (may_gain(plan, job, &job->options[j], freed, now_ms))
                return true;
        }
    }
    return false;
}

/* Returns the first moment at which what became free may be of use to the job on its only node. */
static int64_t first_of_use(const struct keeper *keeper, const struct sched_job *job,
                            int64_t now_ms)
{
    const int64_t from = option_from(&job->options[0], now_ms), length = job->to - job->from;
    int64_t first = keeper->is_full ? from : job->from;

    for (uint32_t i = 0; i < keeper->freed_n; i++) {
        const struct freed *freed = &keeper->freed[i];
        const int64_t of_use = freed->from - length + 1;

        if (concerns(freed, job, now_ms) && of_use < first)
            first = of_use;
    }
    return first > from ? first : from;
}

/* Returns whether the job's place is free and none is before it: one walk through the node's steps
 * tells both. */
static bool is_first_place(const struct keeper *keeper, const struct plan *plan,
                           const struct sched_job *job, int64_t now_ms)
{
    const struct sched_place *place = &job->places[0];
    const struct kind *kind = job->options[0].kind;
    const uint32_t model = plan->cluster->nodes[place->node].model;

    return is_usable(plan, job, place) &&
           future_ready(plan->future, place->node, first_of_use(keeper, job, now_ms),
                        job->to - job->from, &kind->needs[model].least) == job->from;
}

static bool is_best_place(const struct keeper *keeper, const struct plan *plan,
                          const struct sched_job *job, int64_t now_ms)
{
    if (job->options_n == 1 && job->options[0].kind->takes_same)
        return is_first_place(keeper, plan, job, now_ms);
    return is_free(plan, job) && !may_move(keeper, plan, job, now_ms);
}

/* Returns whether what the job claims of pools is free at its place, and no earlier moment can have
 * become so. */
static bool keeps_claims(const struct plan *plan, const struct sched_job *job, int64_t now_ms)
{
    for (uint32_t i = 0; i < job->options_n; i++) {
        if (claims_were_freed(plan->pools, job->options[i].claims) ||
            claims_by_nodes(plan->pools, job->options[i].claims) != POOL_NONE)
            return false;
    }
    return claims_until(plan->pools, job->list, POOLS_ALL, job->from) >= job->to &&
           !plan_is_blocked(plan, job, now_ms);
}

/* Returns whether the job's nodes may have been ready a little before its planned moment, which was
 * rounded up. Present moments are not rounded. */
static bool may_be_early(const struct plan *plan, const struct sched_job *job, int64_t now_ms)
{
    return job->from - plan->cluster->policy.resolution_ms <= now_ms;
}

/* Returns whether the job may be ended by its reservation, so that what it needs hangs on when it
 * begins. */
static bool may_be_ended(const struct sched_job *job)
{
    for (uint32_t i = 0; i < job->options_n; i++) {
        if (job->options[i].reservation)
            return true;
    }
    return false;
}

bool keeper_keeps(const struct keeper *keeper, const struct plan *plan, const struct sched_job *job,
                  int64_t now_ms)
{
    return job->was_planned && !keeper->forgets && plan->cluster->policy.backfill &&
           !may_be_early(plan, job, now_ms) && job->wakes_ms > now_ms &&
           job->duration_min_ms == 0 && !job->in_pool && !may_be_ended(job) &&
           keeps_claims(plan, job, now_ms) && is_best_place(keeper, plan, job, now_ms);
}
