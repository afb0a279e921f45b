#include "ctld/sched/keeper.h"

void keeper_reset(struct keeper *keeper, const struct plan *plan)
{
    *keeper = (struct keeper){ .since = plan->freed.n, .first = INT64_MAX };
}

void keeper_forget(struct keeper *keeper, struct plan *plan)
{
    keeper->forgets = true;
    freed_forget(&plan->freed);
}

void keeper_freed(struct keeper *keeper, struct plan *plan, const struct sched_job *job)
{
    /* A running job has its places since ever; lengths are taken off this. */
    const int64_t from = job->from > -FUTURE_END ? job->from : -FUTURE_END;

    for (uint32_t i = 0; i < job->places_n; i++)
        freed_note(&plan->freed, job->places[i].node, from, job->to);
    if (job->places_n && from < keeper->first)
        keeper->first = from;
}

static bool is_free(const struct plan *plan, const struct sched_job *job)
{
    const struct holder_user user = { .uid = job->uid, .alone = job->alone };

    for (uint32_t i = 0; i < job->places_n; i++) {
        const struct sched_place *place = &job->places[i];

        if (!bitset_has(&plan->cluster->usable, place->node) ||
            future_until(plan->future, place, job->from) < job->to ||
            holders_until(&plan->holders, place->node, &user, job->from) < job->to)
            return false;
    }
    return true;
}

/* Whether a job of the kind could use the stretch, and start no later than planned. */
static bool may_gain(const struct plan *plan, const struct sched_job *job,
                     const struct sched_option *option, const struct freed *freed, int64_t now_ms)
{
    const int64_t from = option->not_before > now_ms ? option->not_before : now_ms;

    return plan_ready_in(plan, option->kind, freed, from, job->to - job->from) <= job->from;
}

static bool may_move(const struct keeper *keeper, const struct plan *plan,
                     const struct sched_job *job, int64_t now_ms)
{
    if (!freed_reaches(&plan->freed, keeper->since))
        return keeper->first < job->to;
    for (uint64_t number = keeper->since; number < plan->freed.n; number++) {
        const struct freed *freed = freed_at(&plan->freed, number);

        if (freed->from >= job->to || freed->to <= now_ms)
            continue;
        for (uint32_t j = 0; j < job->options_n; j++) {
            if (may_gain(plan, job, &job->options[j], freed, now_ms))
                return true;
        }
    }
    return false;
}

/* Its nodes may have been ready a little before the moment it was planned for: it was rounded up.
 * Present moments are not. */
static bool may_be_early(const struct plan *plan, const struct sched_job *job, int64_t now_ms)
{
    return job->from - plan->cluster->policy.resolution_ms <= now_ms;
}

bool keeper_keeps(const struct keeper *keeper, const struct plan *plan, const struct sched_job *job,
                  int64_t now_ms)
{
    return job->was_planned && !keeper->forgets && plan->cluster->policy.backfill &&
           !may_be_early(plan, job, now_ms) && job->wakes_ms > now_ms && job->licenses_n == 0 &&
           job->duration_min_ms == 0 && is_free(plan, job) && !may_move(keeper, plan, job, now_ms);
}
