#include "unit/ctld/sched/proof/checker.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "ctld/model/model.h"
#include "unit/ctld/sched/proof/cores.h"
#include "unit/ctld/sched/proof/deadline.h"
#include "unit/ctld/sched/proof/features.h"
#include "unit/ctld/sched/proof/gres.h"

bool wrong(struct strbuf *problem, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    strbuf_vaddf(problem, fmt, args);
    va_end(args);
    strbuf_addc(problem, '\n');
    return false;
}

static bool is_wanted_partition(const struct plan_job *job, uint32_t partition)
{
    for (uint32_t i = 0; i < job->options_n; i++) {
        if (job->options[i].partition == partition)
            return true;
    }
    return false;
}

static bool check_node(const struct plan_snapshot *snapshot, const struct claim *claim,
                       uint32_t number, struct strbuf *problem)
{
    const struct plan_job *job = claim->job;
    const struct plan_node *node = &snapshot->nodes[number];

    if (number >= snapshot->nodes_n)
        return wrong(problem, "job %" PRIu64 ": there is no node %u", job->id, number);
    if (!node->usable)
        return wrong(problem, "job %" PRIu64 ": node %u is not usable", job->id, number);
    if (!bitset_has(&snapshot->partitions[claim->partition].nodes, number))
        return wrong(problem, "job %" PRIu64 ": node %u is not in its partition", job->id, number);
    if (job->shape.excluded.size && bitset_has(&job->shape.excluded, number))
        return wrong(problem, "job %" PRIu64 ": node %u is excluded", job->id, number);
    if (!node->counts_cpus && (job->shape.sockets_per_node > node->sockets ||
                               job->shape.cores_per_socket > node->cores_per_socket ||
                               job->shape.threads_per_core > node->threads_per_core))
        return wrong(problem, "job %" PRIu64 ": node %u has too few sockets, cores or threads",
                     job->id, number);
    return true;
}

uint64_t checker_memory_due(const struct plan_snapshot *snapshot, const struct claim *claim,
                            const struct plan_place *place)
{
    const struct plan_shape *shape = &claim->job->shape;
    const struct plan_node *node = &snapshot->nodes[place->node];

    if (!(snapshot->policy.select & SELECT_MEMORY))
        return 0;
    if (shape->whole_node_memory)
        return node->memory_mb;
    if (shape->mem_per_gpu_mb)
        return shape->mem_per_gpu_mb * gres_held(node, place, "gpu", NULL);
    if (shape->mem_per_cpu_mb) {
        const uint64_t mb = shape->mem_per_cpu_mb * cores_charged(snapshot, claim, place);

        return cores_unit(snapshot, claim) == CORES_NODE && mb > node->memory_mb ? node->memory_mb
                                                                                 : mb;
    }
    return shape->mem_per_node_mb;
}

/* A whole node has memory for its tasks, not for each of its cpus; counted or not. */
static bool check_memory(const struct plan_snapshot *snapshot, const struct claim *claim,
                         const struct plan_place *place, struct strbuf *problem)
{
    const struct plan_shape *shape = &claim->job->shape;
    const uint64_t has_mb = snapshot->nodes[place->node].memory_mb;
    const uint64_t due_mb = checker_memory_due(snapshot, claim, place);
    const uint64_t tasks_mb =
        shape->mem_per_cpu_mb * place->tasks * (shape->cpus_per_task ? shape->cpus_per_task : 1);

    if (place->amounts[PLAN_MEMORY] != due_mb)
        return wrong(problem, "job %" PRIu64 ": %llu MB on node %u, not %llu", claim->job->id,
                     (unsigned long long)place->amounts[PLAN_MEMORY], place->node,
                     (unsigned long long)due_mb);
    if (shape->mem_per_node_mb > has_mb || shape->mem_per_cpu_mb > has_mb || due_mb > has_mb ||
        ((snapshot->policy.select & SELECT_MEMORY) && !shape->whole_node_memory &&
         tasks_mb > has_mb))
        return wrong(problem, "job %" PRIu64 ": node %u has only %llu MB", claim->job->id,
                     place->node, (unsigned long long)has_mb);
    return true;
}

static bool check_listed(const struct claim *claim, const struct plan_place *place,
                         struct strbuf *problem)
{
    const struct plan_shape *shape = &claim->job->shape;

    for (uint32_t i = 0; i < shape->listed_n; i++) {
        if (shape->listed[i].node == place->node &&
            (shape->overcommit || shape->listed[i].tasks == place->tasks))
            return true;
    }
    return shape->listed_n == 0 || wrong(problem, "job %" PRIu64 ": %u tasks on node %u",
                                         claim->job->id, place->tasks, place->node);
}

static bool check_tasks(const struct plan_snapshot *snapshot, const struct claim *claim,
                        const struct plan_place *place, struct strbuf *problem)
{
    const struct plan_shape *shape = &claim->job->shape;
    const uint32_t due = shape->ntasks_per_node ? shape->ntasks_per_node : 1;
    const uint32_t cap = snapshot->partitions[claim->partition].cpus_per_node_max;
    const uint64_t each = shape->cpus_per_task ? shape->cpus_per_task : 1;

    if (shape->overcommit)
        return true;
    if (cap && shape->ntasks && place->tasks * each > cap)
        return wrong(problem, "job %" PRIu64 ": tasks with %llu cpus on node %u", claim->job->id,
                     (unsigned long long)(place->tasks * each), place->node);
    if (place->tasks == 0 || (shape->ntasks_per_node && place->tasks > shape->ntasks_per_node) ||
        (shape->ntasks == 0 && place->tasks != due))
        return wrong(problem, "job %" PRIu64 ": %u tasks on node %u", claim->job->id, place->tasks,
                     place->node);
    return true;
}

bool checker_place(const struct plan_snapshot *snapshot, const struct claim *claim,
                   const struct plan_place *place, struct strbuf *problem)
{
    return check_node(snapshot, claim, place->node, problem) &&
           check_listed(claim, place, problem) && check_tasks(snapshot, claim, place, problem) &&
           cores_check(snapshot, claim, place, problem) &&
           gres_check(snapshot, claim, place, problem) &&
           check_memory(snapshot, claim, place, problem);
}

static bool check_nodes(const struct claim *claim, struct strbuf *problem)
{
    const struct plan_shape *shape = &claim->job->shape;
    uint32_t least = shape->min_nodes ? shape->min_nodes : 1;

    if (shape->required.size && bitset_count(&shape->required) > least)
        least = bitset_count(&shape->required);
    if (claim->places_n < least || (shape->max_nodes && claim->places_n > shape->max_nodes))
        return wrong(problem, "job %" PRIu64 ": %u nodes", claim->job->id, claim->places_n);
    BITSET_FOREACH (&shape->required, node) {
        if (!claim_place_on(claim, (uint32_t)node))
            return wrong(problem, "job %" PRIu64 ": node %lld is required", claim->job->id,
                         (long long)node);
    }
    for (uint32_t i = 1; i < claim->places_n; i++) {
        if (claim->places[i].node <= claim->places[i - 1].node)
            return wrong(problem, "job %" PRIu64 ": nodes are not in order", claim->job->id);
        if (shape->contiguous && claim->places[i].node != claim->places[i - 1].node + 1)
            return wrong(problem, "job %" PRIu64 ": nodes are not neighbours", claim->job->id);
    }
    return true;
}

/* The first leaf switch that has the node; switches_n: none has. */
static uint32_t leaf_of(const struct plan_snapshot *snapshot, uint32_t node)
{
    uint32_t i = 0;

    while (i < snapshot->switches_n &&
           (snapshot->switches[i].level || !bitset_has(&snapshot->switches[i].nodes, node)))
        i++;
    return i;
}

/* So many leaf switches, until the job has waited for them long enough. */
static bool check_switches(const struct plan_snapshot *snapshot, const struct claim *claim,
                           struct strbuf *problem)
{
    const struct plan_job *job = claim->job;
    uint64_t leaves = 0;

    if (snapshot->switches_n == 0 || job->shape.switches == 0 ||
        claim->from >= job->since_ms + job->shape.switch_wait_ms)
        return true;
    for (uint32_t i = 0; i < claim->places_n; i++)
        leaves |= UINT64_C(1) << leaf_of(snapshot, claim->places[i].node);
    if ((leaves >> snapshot->switches_n & 1) ||
        (uint32_t)__builtin_popcountll(leaves) > job->shape.switches)
        return wrong(problem, "job %" PRIu64 ": not below %u switches", job->id,
                     job->shape.switches);
    return true;
}

/* Nodes that are asked for: as a number, by name, by the counts of a constraint. */
static uint32_t nodes_asked(const struct plan_shape *shape)
{
    const uint32_t named = shape->required.size ? bitset_count(&shape->required) : 0;
    const uint32_t counts[] = { features_counted(shape->features),
                                features_counted(shape->prefer) };
    uint32_t asked = shape->min_nodes > named ? shape->min_nodes : named;

    for (uint32_t i = 0; i < ARRAY_N(counts); i++) {
        if (counts[i] && named + counts[i] > asked)
            asked = named + counts[i];
    }
    return asked;
}

/* Every node gets a task at least, also when there are fewer tasks than nodes. */
static bool check_task_sum(const struct claim *claim, struct strbuf *problem)
{
    const struct plan_shape *shape = &claim->job->shape;
    const uint32_t due = shape->ntasks > claim->places_n ? shape->ntasks : claim->places_n;
    uint32_t sum = 0;

    if (shape->ntasks == 0 || shape->overcommit)
        return true;
    for (uint32_t i = 0; i < claim->places_n; i++)
        sum += claim->places[i].tasks;
    if (sum != due || (claim->places_n > shape->ntasks && claim->places_n > nodes_asked(shape)))
        return wrong(problem, "job %" PRIu64 ": %u tasks on %u nodes", claim->job->id, sum,
                     claim->places_n);
    return true;
}

/* Whether it is its reservation that ends it. */
static bool is_ended(const struct plan_snapshot *snapshot, const struct claim *claim)
{
    return claim->to == deadline_cut(snapshot, claim->option->reservation, claim->from, PLAN_NEVER);
}

static bool check_time(const struct plan_snapshot *snapshot, const struct claim *claim,
                       struct strbuf *problem)
{
    const struct plan_job *job = claim->job;
    const int64_t length = claim->to == PLAN_NEVER ? PLAN_NEVER : claim->to - claim->from;
    const int64_t least = job->duration_min_ms ? job->duration_min_ms : job->duration_ms;

    if (claim->from < job->earliest_ms || claim->from < snapshot->now_ms)
        return wrong(problem, "job %" PRIu64 ": starts too early, at %lld", job->id,
                     (long long)claim->from);
    if (length > job->duration_ms || (length < least && !is_ended(snapshot, claim)))
        return wrong(problem, "job %" PRIu64 ": %lld ms long", job->id, (long long)length);
    return true;
}

bool checker_set(const struct plan_snapshot *snapshot, const struct claim *claim,
                 struct strbuf *problem)
{
    const struct plan_job *job = claim->job;

    if (!features_met(job->shape.features, snapshot->nodes, claim->places, claim->places_n) &&
        !(job->shape.prefer &&
          features_met(job->shape.prefer, snapshot->nodes, claim->places, claim->places_n)))
        return wrong(problem, "job %" PRIu64 ": nodes without '%s'", job->id, job->shape.features);
    return check_nodes(claim, problem) && check_switches(snapshot, claim, problem) &&
           check_task_sum(claim, problem) && gres_check_sums(snapshot, claim, problem);
}

bool checker_job(const struct plan_snapshot *snapshot, const struct claim *claim,
                 struct strbuf *problem)
{
    const struct plan_job *job = claim->job;

    if (!is_wanted_partition(job, claim->partition))
        return wrong(problem, "job %" PRIu64 ": not in partition %u", job->id, claim->partition);
    if (!snapshot->partitions[claim->partition].starts_jobs)
        return wrong(problem, "job %" PRIu64 ": partition %u is down", job->id, claim->partition);
    for (uint32_t i = 0; i < claim->places_n; i++) {
        if (!checker_place(snapshot, claim, &claim->places[i], problem))
            return false;
    }
    return checker_set(snapshot, claim, problem) && check_time(snapshot, claim, problem);
}
