#include "unit/ctld/sched/proof/claim.h"

#include "common/base/alloc.h"
#include "ctld/model/model.h"
#include "unit/ctld/sched/proof/deadline.h"

void place_keep(struct plan_place *to, const struct plan_place *from)
{
    *to = *from;
    to->cpus = to->devices = (struct bitset){ 0 };
    bitset_copy(&to->cpus, &from->cpus);
    bitset_copy(&to->devices, &from->devices);
}

void place_drop(struct plan_place *place)
{
    bitset_clear(&place->cpus);
    bitset_clear(&place->devices);
}

struct plan_place *places_keep(const struct plan_place *places, uint32_t n)
{
    struct plan_place *kept = xcalloc(n, sizeof(*kept));

    for (uint32_t i = 0; i < n; i++)
        place_keep(&kept[i], &places[i]);
    return kept;
}

void places_drop(struct plan_place *places, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        place_drop(&places[i]);
    free(places);
}

int64_t claim_end(int64_t from, int64_t duration_ms)
{
    return duration_ms >= PLAN_NEVER - from ? PLAN_NEVER : from + duration_ms;
}

void claims_add(struct claims *claims, const struct plan_job *job, uint32_t option, int64_t from,
                int64_t to, const struct plan_place *places, uint32_t places_n)
{
    *ARRAY_PUSH(claims->list, claims->n) = (struct claim){
        .job = job,
        .option = &job->options[option],
        .partition = job->options[option].partition,
        .from = from,
        .to = to,
        .places = places_keep(places, places_n),
        .places_n = places_n,
    };
}

void claims_copy(struct claims *claims, const struct claim *claim)
{
    struct claim copy = *claim;

    copy.places = places_keep(claim->places, claim->places_n);
    *ARRAY_PUSH(claims->list, claims->n) = copy;
}

bool place_is_whole(const struct plan_node *node, const struct plan_place *place)
{
    return node->counts_cpus ? place->amounts[PLAN_CPUS] >= node->cpus
                             : place->row == 0 && bitset_count(&place->cpus) == node->cpus;
}

bool option_takes_whole_nodes(const struct plan_snapshot *snapshot, const struct plan_job *job,
                              const struct plan_option *option)
{
    return job->shape.exclusive == PLAN_EXCLUSIVE_NODE ||
           snapshot->partitions[option->partition].share == OVERSUBSCRIBE_EXCLUSIVE ||
           (snapshot->policy.select & SELECT_LINEAR);
}

/* An overdue job holds its places at least a moment longer. */
struct claims claims_running(const struct plan_snapshot *snapshot)
{
    struct claims claims = { 0 };

    for (uint32_t i = 0; i < snapshot->jobs_n; i++) {
        const struct plan_job *job = &snapshot->jobs[i];

        if (job->runs)
            claims_add(&claims, job, 0, INT64_MIN,
                       job->end_ms > snapshot->now_ms ? job->end_ms : snapshot->now_ms + 1,
                       job->places, job->places_n);
    }
    claims.running_n = claims.n;
    return claims;
}

void claims_add_planned(struct claims *claims, const struct plan_snapshot *snapshot,
                        const struct planner *planner)
{
    uint32_t n;
    AUTO_FREE const struct plan_job **jobs = jobs_by_rank(snapshot, &n);

    for (uint32_t i = 0; i < n; i++) {
        struct plan_decision decision;

        if (!planner_look(planner, jobs[i]->id, &decision) || decision.verdict != PLAN_LATER)
            continue;
        claims_add(claims, jobs[i], decision.option, decision.at_ms,
                   deadline_cut(snapshot, jobs[i]->options[decision.option].reservation,
                                decision.at_ms, claim_end(decision.at_ms, decision.duration_ms)),
                   decision.places, decision.places_n);
        claims->list[claims->n - 1].in_pool = decision.places_n == 0;
    }
}

void claims_clear(struct claims *claims)
{
    for (uint32_t i = 0; i < claims->n; i++)
        places_drop(claims->list[i].places, claims->list[i].places_n);
    free(claims->list);
    *claims = (struct claims){ 0 };
}

void claims_auto_(struct claims *claims)
{
    claims_clear(claims);
}

const struct plan_place *claim_place_on(const struct claim *claim, uint32_t node)
{
    for (uint32_t i = 0; i < claim->places_n; i++) {
        if (claim->places[i].node == node)
            return &claim->places[i];
    }
    return NULL;
}

bool claims_overlap(const struct claim *a, const struct claim *b)
{
    return a->from < b->to && b->from < a->to;
}

/* The highest of the partitions that will do. */
static uint32_t tier_of(const struct plan_snapshot *snapshot, const struct plan_job *job)
{
    uint32_t tier = 0;

    for (uint32_t i = 0; i < job->options_n; i++) {
        const uint32_t own = snapshot->partitions[job->options[i].partition].tier;

        tier = own > tier ? own : tier;
    }
    return tier;
}

static int by_rank(const void *a, const void *b, void *of)
{
    const struct plan_job *left = *(const struct plan_job *const *)a;
    const struct plan_job *right = *(const struct plan_job *const *)b;
    const struct plan_snapshot *snapshot = of;
    const uint32_t left_tier = tier_of(snapshot, left);
    const uint32_t right_tier = tier_of(snapshot, right);

    if (left_tier != right_tier)
        return left_tier > right_tier ? -1 : 1;
    if (left->priority != right->priority)
        return left->priority > right->priority ? -1 : 1;
    if (left->submit_ms != right->submit_ms)
        return left->submit_ms < right->submit_ms ? -1 : 1;
    return left->id < right->id ? -1 : left->id > right->id;
}

const struct plan_job **jobs_by_rank(const struct plan_snapshot *snapshot, uint32_t *ret_n)
{
    const struct plan_job **jobs = xcalloc(snapshot->jobs_n, sizeof(*jobs));
    uint32_t n = 0;

    for (uint32_t i = 0; i < snapshot->jobs_n; i++) {
        if (!snapshot->jobs[i].runs)
            jobs[n++] = &snapshot->jobs[i];
    }
    qsort_r(jobs, n, sizeof(const struct plan_job *), by_rank, (void *)snapshot);
    *ret_n = n;
    return jobs;
}
