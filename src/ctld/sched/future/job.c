#include "ctld/sched/future/job.h"

#include <string.h>

#include "ctld/sched/future/future.h"

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

/* Copies a running job's place. A job that chose how many cores it leaves to the system has the
 * whole node. */
static void copy_place(const struct sched_cluster *cluster, const struct plan_job *from,
                       const struct plan_place *held, struct sched_place *ret)
{
    const struct sched_node *node = &cluster->nodes[held->node];

    sched_place_take(ret, cluster, held);
    if (from->shape.spare != PLAN_SPARE_BY_NODE && !node->counts_cpus)
        sched_place_give(ret, node, &held->cpus);
    sched_place_count(ret, node, from->options[0].partition);
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

/* Returns whether an option before this one has the same claims: the job claims them once. */
static bool has_list(const struct sched_job *job, uint32_t before, const struct claim_list *list)
{
    for (uint32_t i = 0; i < before; i++) {
        if (job->options[i].claims == list)
            return true;
    }
    return false;
}

static struct claim_list *get_claims(struct kinds *kinds, struct pools *pools,
                                     const struct plan_option *option, struct kind *kind,
                                     int64_t length)
{
    struct claim_terms terms = { .length = length };

    if (pools_count_nodes(pools, option->claims, option->claims_n)) {
        terms.nodes_least = kind_nodes_least(kinds, kind);
        terms.nodes_most = kind->nodes_max;
        terms.kind = kind;
    }
    return claims_get(pools, option->claims, option->claims_n, &terms);
}

static void add_option(struct sched_job *job, struct kinds *kinds, struct pools *pools,
                       const struct plan_option *option, const struct plan_job *asked,
                       struct sched_option made)
{
    made.kind = kinds_get(kinds, &asked->shape, made.partition, made.reservation);
    made.claims = get_claims(kinds, pools, option, made.kind, job->claimed_ms);
    if (has_list(job, job->options_n, made.claims))
        claims_put(pools, made.claims, job->claimed_ms);
    *ARRAY_PUSH(job->options, job->options_n) = made;
}

/* Adds the job's options in one of the partitions that it may go to. */
static void add_partition(const struct sched_cluster *cluster, struct kinds *kinds,
                          struct pools *pools, struct sched_job *job, const struct plan_job *from,
                          uint32_t number)
{
    const struct plan_option *option = &from->options[number];
    struct plan_job asked = *from;
    struct sched_option made = { .number = number,
                                 .partition = option->partition,
                                 .reservation = option->reservation,
                                 .not_before = INT64_MIN };

    if (option->partition >= cluster->partitions_n)
        return;
    if (cluster->partitions[option->partition].tier > job->tier)
        job->tier = cluster->partitions[option->partition].tier;
    add_option(job, kinds, pools, option, &asked, made);
    if (asked.shape.switches == 0)
        return;
    asked.shape.switches = 0;
    made.not_before = future_add(from->since_ms, from->shape.switch_wait_ms);
    add_option(job, kinds, pools, option, &asked, made);
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
                        struct pools *pools, struct sched_job *job, const struct plan_job *from)
{
    for (uint32_t i = 0; i < from->options_n; i++)
        add_partition(cluster, kinds, pools, job, from, i);
    sort_options(cluster, job);
    job->option = job->options[0].number;
    job->partition = job->options[0].partition;
    job->reservation = job->options[0].reservation;
    job->list = job->options[0].claims;
}

static int64_t length_claimed(const struct sched_job *job, int64_t now_ms)
{
    return job->runs ? end_assumed(job->end_ms, now_ms) - now_ms : length_planned(job->duration_ms);
}

void sched_job_lengthen(struct pools *pools, struct sched_job *job, int64_t now_ms)
{
    const int64_t length = length_claimed(job, now_ms);

    if (length <= job->claimed_ms)
        return;
    claims_lengthen(pools, job->list, length - job->claimed_ms);
    job->claimed_ms = length;
}

struct sched_job *sched_job_new(const struct sched_cluster *cluster, struct kinds *kinds,
                                struct pools *pools, const struct plan_job *from)
{
    struct sched_job *job = xcalloc(1, sizeof(*job));

    job->id = from->id;
    job->uid = from->uid;
    job->partition = from->options[0].partition;
    job->pool = job->exhausted = POOL_NONE;
    job->reservation = from->options[0].reservation;
    job->wants_alone = from->shape.exclusive == PLAN_EXCLUSIVE_USER;
    job->no_place = from->no_place;
    job->priority = from->priority;
    job->submit_ms = from->submit_ms;
    job->since_ms = from->since_ms;
    job->duration_ms = from->duration_ms;
    job->duration_min_ms = from->duration_min_ms;
    job->earliest_ms = from->earliest_ms;
    job->runs = from->runs;
    job->end_ms = from->end_ms;
    job->claimed_ms = length_claimed(job, pools->now_ms);
    if (job->runs) {
        copy_places(cluster, job, from);
        job->list = claims_get(pools, from->options[0].claims, from->options[0].claims_n,
                               &(struct claim_terms){ .length = job->claimed_ms,
                                                      .nodes_most = job->places_n,
                                                      .places = job->places });
    } else {
        add_options(cluster, kinds, pools, job, from);
    }
    return job;
}

/* Releases the options' lists of claims, but not the one that a running job holds. */
void sched_job_drop_options(struct kinds *kinds, struct pools *pools, struct sched_job *job)
{
    for (uint32_t i = 0; i < job->options_n; i++) {
        struct claim_list *list = job->options[i].claims;

        kinds_put(kinds, job->options[i].kind);
        if (!has_list(job, i, list) && !(job->runs && list == job->list))
            claims_put(pools, list, job->claimed_ms);
    }
    free(job->options);
    job->options = NULL;
    job->options_n = 0;
}

void sched_job_free(struct kinds *kinds, struct pools *pools, struct sched_job *job)
{
    sched_job_drop_options(kinds, pools, job);
    if (job->runs)
        claims_put(pools, job->list, job->claimed_ms);
    places_free(job->places, job->places_n);
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

int sched_job_compare_sorted(const void *a, const void *b)
{
    return sched_job_compare(*(struct sched_job *const *)a, *(struct sched_job *const *)b);
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
