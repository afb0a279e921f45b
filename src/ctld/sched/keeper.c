#include "ctld/sched/keeper.h"

/* More would be looked at for longer than a search takes. */
#define FREED_MAX 128

void keeper_clear(struct keeper *keeper)
{
    free(keeper->freed);
    *keeper = (struct keeper){ .first = INT64_MAX };
}

void keeper_reset(struct keeper *keeper)
{
    keeper->n = 0;
    keeper->first = INT64_MAX;
    keeper->forgets = false;
}

void keeper_freed(struct keeper *keeper, const struct sched_job *job)
{
    /* A running job has its places since ever; lengths are taken off this. */
    const int64_t from = job->from > -FUTURE_END ? job->from : -FUTURE_END;

    for (uint32_t i = 0; i < job->places_n; i++) {
        if (keeper->n == FREED_MAX)
            keeper->first = from < keeper->first ? from : keeper->first;
        else
            *ARRAY_PUSH(keeper->freed, keeper->n) =
                (struct freed){ job->places[i].node, from, job->to };
    }
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
    const struct sched_node *node = &plan->cluster->nodes[freed->node];
    const struct kind_need *need = &option->kind->needs[node->model];
    const int64_t length = job->to - job->from;
    int64_t from = freed->from - length + 1, ready;

    if (!need->admitted)
        return false;
    from = from > now_ms ? from : now_ms;
    from = option->not_before > from ? option->not_before : from;
    ready = future_ready(plan->future, freed->node, from, length, &need->least, NULL);
    return ready <= job->from && ready < freed->to;
}

static bool may_move(const struct keeper *keeper, const struct plan *plan,
                     const struct sched_job *job, int64_t now_ms)
{
    if (keeper->first < job->to)
        return true;
    for (uint32_t i = 0; i < keeper->n; i++) {
        if (keeper->freed[i].from >= job->to || keeper->freed[i].to <= now_ms)
            continue;
        for (uint32_t j = 0; j < job->options_n; j++) {
            if (may_gain(plan, job, &job->options[j], &keeper->freed[i], now_ms))
                return true;
        }
    }
    return false;
}

bool keeper_keeps(const struct keeper *keeper, const struct plan *plan, const struct sched_job *job,
                  int64_t now_ms)
{
    return job->was_planned && !keeper->forgets && plan->cluster->policy.backfill &&
           job->from > now_ms && job->wakes_ms > now_ms && job->licenses_n == 0 &&
           job->duration_min_ms == 0 && is_free(plan, job) && !may_move(keeper, plan, job, now_ms);
}
