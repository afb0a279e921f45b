#include "ctld/sched/job.h"

#include <string.h>

#include "ctld/sched/future.h"

#define LENGTH_MAX (2 * END_HORIZON)
#define OVERDUE_MS 1000

int64_t length_planned(int64_t duration_ms)
{
    if (duration_ms < 1)
        return 1;
    return duration_ms < LENGTH_MAX ? duration_ms : LENGTH_MAX;
}

int64_t end_assumed(int64_t end_ms, int64_t now_ms)
{
    int64_t more = OVERDUE_MS;

    if (end_ms >= END_HORIZON)
        return END_HORIZON;
    if (end_ms > now_ms)
        return end_ms;
    while (end_ms + more <= now_ms)
        more *= 2;
    return end_ms + more;
}

static void copy_places(const struct sched_cluster *cluster, struct sched_job *job,
                        const struct plan_job *from)
{
    job->places = xcalloc(from->places_n, sizeof(*job->places));
    for (uint32_t i = 0; i < from->places_n; i++) {
        if (from->places[i].node < cluster->nodes_n && cluster->nodes[from->places[i].node].cpus)
            sched_place_take(&job->places[job->places_n++], cluster, &from->places[i]);
    }
}

struct sched_job *sched_job_new(const struct sched_cluster *cluster, struct kinds *kinds,
                                const struct plan_job *from)
{
    struct sched_job *job = xcalloc(1, sizeof(*job));

    job->id = from->id;
    job->partition = from->partition;
    job->priority = from->priority;
    job->submit_ms = from->submit_ms;
    job->duration_ms = from->duration_ms;
    job->earliest_ms = from->earliest_ms;
    job->runs = from->runs;
    job->end_ms = from->end_ms;
    if (job->runs)
        copy_places(cluster, job, from);
    else
        job->kind = kinds_get(kinds, from);
    return job;
}

void sched_job_free(struct kinds *kinds, struct sched_job *job)
{
    if (job->kind)
        kinds_put(kinds, job->kind);
    places_free(job->places, job->places_n);
    free(job);
}

int sched_job_compare(const struct sched_cluster *cluster, const struct sched_job *a,
                      const struct sched_job *b)
{
    const uint32_t a_tier = cluster->partitions[a->partition].tier;
    const uint32_t b_tier = cluster->partitions[b->partition].tier;

    if (a_tier != b_tier)
        return a_tier > b_tier ? -1 : 1;
    if (a->priority != b->priority)
        return a->priority > b->priority ? -1 : 1;
    if (a->submit_ms != b->submit_ms)
        return a->submit_ms < b->submit_ms ? -1 : 1;
    return a->id < b->id ? -1 : a->id > b->id;
}

bool sched_job_drop_place(struct sched_job *job, uint32_t node)
{
    for (uint32_t i = 0; i < job->places_n; i++) {
        if (job->places[i].node != node)
            continue;
        free(job->places[i].supply.bits);
        job->places_n--;
        memmove(&job->places[i], &job->places[i + 1], (job->places_n - i) * sizeof(*job->places));
        return true;
    }
    return false;
}
