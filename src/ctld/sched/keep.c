#include "ctld/sched/keep.h"

static bool is_due(const struct sched_job *job, int64_t now_ms)
{
    return job->tried && !job->runs && job->verdict == PLAN_LATER && job->at_ms <= now_ms &&
           job->places_n > 0;
}

/* One of the ways to run the job leads to the partition that it is planned in, and is open. */
static bool may_start_there(const struct plan *plan, const struct sched_job *job, int64_t now_ms)
{
    if (!plan->cluster->partitions[job->partition].starts_jobs ||
        (!plan->cluster->policy.backfill && plan->lines[job->partition].floor > now_ms))
        return false;
    for (uint32_t i = 0; i < job->options_n; i++) {
        if (job->options[i].partition == job->partition && job->options[i].not_before <= now_ms)
            return true;
    }
    return false;
}

static bool is_free(const struct plan *plan, const struct sched_job *job, int64_t now_ms)
{
    const int64_t length = length_planned(job->duration_ms);
    const int64_t to = future_add(now_ms, length);

    for (uint32_t i = 0; i < job->places_n; i++) {
        const struct sched_place *place = &job->places[i];

        if (!bitset_has(&plan->cluster->usable, place->node) ||
            future_until(plan->future, place, now_ms) < to ||
            windows_ready(&plan->windows, place->node, job->reservation, now_ms, length) > now_ms)
            return false;
    }
    for (uint32_t i = 0; i < job->licenses_n; i++) {
        if (tally_until(&plan->licenses[job->licenses[i].license], now_ms, job->licenses[i].count) <
            to)
            return false;
    }
    return true;
}

bool keep_places(const struct plan *plan, const struct sched_job *job, int64_t now_ms,
                 struct plan_outcome *ret)
{
    if (!is_due(job, now_ms) || !may_start_there(plan, job, now_ms) || !is_free(plan, job, now_ms))
        return false;
    *ret = (struct plan_outcome){
        .partition = job->partition,
        .at_ms = now_ms,
        .places = places_copy(plan->cluster, job->places, job->places_n),
        .places_n = job->places_n,
    };
    return true;
}
