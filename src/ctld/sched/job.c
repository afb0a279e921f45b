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

/* A job that chose how many cores it leaves to the system has the whole node. */
static void copy_place(const struct sched_cluster *cluster, const struct plan_job *from,
                       const struct plan_place *held, struct sched_place *ret)
{
    const struct sched_node *node = &cluster->nodes[held->node];

    sched_place_take(ret, cluster, held);
    if (from->shape.spare != PLAN_SPARE_BY_NODE && !node->counts_cpus)
        sched_place_give(ret, node, &held->cpus);
    sched_place_count(ret, node, from->partition);
}

static void copy_places(const struct sched_cluster *cluster, struct sched_job *job,
                        const struct plan_job *from)
{
    uint32_t words = 0;

    for (uint32_t i = 0; i < from->places_n; i++) {
        const uint32_t node = from->places[i].node;

        if (node < cluster->nodes_n && cluster->nodes[node].words > words)
            words = cluster->nodes[node].words;
    }
    job->places = places_new(from->places_n, words);
    for (uint32_t i = 0; i < from->places_n; i++) {
        const uint32_t node = from->places[i].node;

        if (node >= cluster->nodes_n || !cluster->nodes[node].cpus)
            continue;
        copy_place(cluster, from, &from->places[i], &job->places[job->places_n++]);
    }
}

static void add_option(struct sched_job *job, struct kinds *kinds, const struct plan_job *asked,
                       int64_t not_before)
{
    struct sched_option *option = ARRAY_PUSH(job->options, job->options_n);

    option->partition = asked->partition;
    option->kind = kinds_get(kinds, asked);
    option->not_before = not_before;
}

/* In one of the partitions it may go to. */
static void add_partition(const struct sched_cluster *cluster, struct kinds *kinds,
                          struct sched_job *job, const struct plan_job *from, uint32_t partition)
{
    struct plan_job asked = *from;

    if (partition >= cluster->partitions_n)
        return;
    asked.partition = partition;
    if (cluster->partitions[partition].tier > job->tier)
        job->tier = cluster->partitions[partition].tier;
    add_option(job, kinds, &asked, INT64_MIN);
    if (asked.shape.switches == 0)
        return;
    asked.shape.switches = 0;
    add_option(job, kinds, &asked, future_add(from->since_ms, from->shape.switch_wait_ms));
}

static void sort_options(const struct sched_cluster *cluster, struct sched_job *job)
{
    for (uint32_t i = 1; i < job->options_n; i++) {
        const struct sched_option option = job->options[i];
        uint32_t at = i;

        for (; at > 0 && cluster->partitions[job->options[at - 1].partition].tier <
                             cluster->partitions[option.partition].tier;
             at--)
            job->options[at] = job->options[at - 1];
        job->options[at] = option;
    }
}

static void add_options(const struct sched_cluster *cluster, struct kinds *kinds,
                        struct sched_job *job, const struct plan_job *from)
{
    add_partition(cluster, kinds, job, from, from->partition);
    for (uint32_t i = 0; i < from->others_n; i++)
        add_partition(cluster, kinds, job, from, from->others[i]);
    sort_options(cluster, job);
    job->partition = job->options[0].partition;
}

struct sched_job *sched_job_new(const struct sched_cluster *cluster, struct kinds *kinds,
                                const struct plan_job *from)
{
    struct sched_job *job = xcalloc(1, sizeof(*job));

    job->id = from->id;
    job->uid = from->uid;
    job->partition = from->partition;
    job->reservation = from->reservation;
    job->wants_alone = from->shape.exclusive == PLAN_EXCLUSIVE_USER;
    job->priority = from->priority;
    job->submit_ms = from->submit_ms;
    job->since_ms = from->since_ms;
    job->duration_ms = from->duration_ms;
    job->duration_min_ms = from->duration_min_ms;
    job->earliest_ms = from->earliest_ms;
    job->licenses_n = from->shape.licenses_n;
    job->licenses = xmemdup(from->shape.licenses, from->shape.licenses_n * sizeof(*job->licenses));
    job->runs = from->runs;
    job->end_ms = from->end_ms;
    if (job->runs)
        copy_places(cluster, job, from);
    else
        add_options(cluster, kinds, job, from);
    return job;
}

void sched_job_drop_options(struct kinds *kinds, struct sched_job *job)
{
    for (uint32_t i = 0; i < job->options_n; i++)
        kinds_put(kinds, job->options[i].kind);
    free(job->options);
    job->options = NULL;
    job->options_n = 0;
}

void sched_job_free(struct kinds *kinds, struct sched_job *job)
{
    sched_job_drop_options(kinds, job);
    places_free(job->places, job->places_n);
    free(job->licenses);
    free(job);
}

int sched_job_compare(const struct sched_job *a, const struct sched_job *b)
{
    if (a->tier != b->tier)
        return a->tier > b->tier ? -1 : 1;
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
        sched_place_clear(&job->places[i]);
        job->places_n--;
        memmove(&job->places[i], &job->places[i + 1], (job->places_n - i) * sizeof(*job->places));
        return true;
    }
    return false;
}
