#include "unit/ctld/sched/proof/gres.h"

#include "unit/ctld/sched/proof/cores.h"

#include <inttypes.h>
#include <string.h>

#include "ctld/model/model.h"
#include "unit/ctld/sched/proof/checker.h"

static bool is_same(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "") == 0;
}

uint64_t gres_held(const struct plan_node *node, const struct plan_place *place, const char *name,
                   const char *type)
{
    uint32_t device = 0, amount = PLAN_COUNTED;
    uint64_t held = 0;

    for (uint32_t i = 0; i < node->gres_n; i++) {
        const struct plan_gres *gres = &node->gres[i];
        const bool meant = is_same(gres->name, name) && (!type || is_same(gres->type, type));

        if (gres->counted) {
            held += meant ? place->amounts[amount] : 0;
            amount++;
            continue;
        }
        for (uint64_t d = 0; d < gres->count; d++, device++)
            held += meant && place->devices.size && bitset_has(&place->devices, device);
    }
    return held;
}

/* A whole node that nobody shares comes with all it has. */
static bool takes_all(const struct plan_snapshot *snapshot, const struct claim *claim)
{
    return claim->job->shape.exclusive == PLAN_EXCLUSIVE_NODE ||
           snapshot->partitions[claim->partition].share == OVERSUBSCRIBE_EXCLUSIVE;
}

static uint64_t more(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Of one sort, as named: 0 when it is only asked for the job as a whole. */
static uint64_t due(const struct plan_shape *shape, uint32_t tasks, const char *name,
                    const char *type)
{
    uint64_t n = 0;

    for (uint32_t i = 0; i < shape->gres_n; i++) {
        const struct plan_gres_ask *ask = &shape->gres[i];

        if (!is_same(ask->name, name) || !is_same(ask->type, type))
            continue;
        if (ask->per == PLAN_PER_NODE)
            n = more(n, ask->count);
        else if (ask->per == PLAN_PER_TASK)
            n = more(n, ask->count * tasks);
        else if (ask->per == PLAN_PER_SOCKET)
            n = more(n, ask->count * more(shape->sockets_per_node, 1));
    }
    if (shape->ntasks_per_gpu && shape->ntasks && is_same(name, "gpu") && !type)
        n = more(n, (tasks + shape->ntasks_per_gpu - 1) / shape->ntasks_per_gpu);
    return n;
}

/* The first ask of its sort speaks for all of them. */
static bool speaks(const struct plan_shape *shape, uint32_t at)
{
    for (uint32_t i = 0; i < at; i++) {
        if (is_same(shape->gres[i].name, shape->gres[at].name) &&
            is_same(shape->gres[i].type, shape->gres[at].type))
            return false;
    }
    return true;
}

/* All that the node must give of one name: at least `due` of each type, and the sum. */
static bool check_name(const struct plan_snapshot *snapshot, const struct claim *claim,
                       const struct plan_place *place, const char *name, struct strbuf *problem)
{
    const struct plan_shape *shape = &claim->job->shape;
    const struct plan_node *node = &snapshot->nodes[place->node];
    const uint64_t held = gres_held(node, place, name, NULL);
    uint64_t sum = 0;
    bool pooled = false, bare = true;

    for (uint32_t i = 0; i < shape->gres_n; i++) {
        const struct plan_gres_ask *ask = &shape->gres[i];
        uint64_t least;

        if (!is_same(ask->name, name) || !speaks(shape, i) || ask->count == 0)
            continue;
        bare &= ask->type != NULL;
        least = due(shape, place->tasks, name, ask->type);
        pooled |= least == 0;
        least = more(least, 1);
        if (ask->type && gres_held(node, place, name, ask->type) < least)
            return wrong(problem, "job %" PRIu64 ": too few of %s:%s on node %u", claim->job->id,
                         name, ask->type, place->node);
        sum += least;
    }
    sum += bare ? due(shape, place->tasks, name, NULL) : 0;
    if (held < sum || (held > sum && !pooled && !takes_all(snapshot, claim)))
        return wrong(problem, "job %" PRIu64 ": %llu of %s on node %u, not %llu", claim->job->id,
                     (unsigned long long)held, name, place->node, (unsigned long long)sum);
    return true;
}

static bool is_asked(const struct plan_shape *shape, const char *name)
{
    for (uint32_t i = 0; i < shape->gres_n; i++) {
        if (is_same(shape->gres[i].name, name))
            return true;
    }
    return shape->ntasks_per_gpu && shape->ntasks && is_same(name, "gpu");
}

/* --gpus-per-socket, --gres-flags=enforce-binding: what has devices uses the cores near them. */
static bool is_bound(const struct plan_shape *shape)
{
    bool per_socket = shape->binds_gres;

    for (uint32_t i = 0; i < shape->gres_n; i++)
        per_socket |= shape->gres[i].per == PLAN_PER_SOCKET;
    return per_socket;
}

/* Where all devices that it holds are near some cpus its cores are among those. */
static bool check_near(const struct plan_snapshot *snapshot, const struct claim *claim,
                       const struct plan_place *place, struct strbuf *problem)
{
    const struct plan_node *node = &snapshot->nodes[place->node];
    AUTO(bitset) struct bitset near = { 0 };
    uint32_t device = 0;

    bitset_init(&near, node->cpus);
    for (uint32_t i = 0; i < node->gres_n; i++) {
        for (uint64_t d = 0; d < node->gres[i].count && !node->gres[i].counted; d++, device++) {
            if (!bitset_has(&place->devices, device))
                continue;
            if (!node->gres[i].near)
                return true;
            bitset_or(&near, &node->gres[i].near[d]);
        }
    }
    if (bitset_is_empty(&near) || bitset_contains(&near, &place->cpus))
        return true;
    return wrong(problem, "job %" PRIu64 ": cpus away from its devices on node %u", claim->job->id,
                 place->node);
}

static bool meets(const struct bitset *a, const struct bitset *b)
{
    BITSET_FOREACH (a, member) {
        if (bitset_has(b, (uint32_t)member))
            return true;
    }
    return false;
}

/* Cores, or devices, are asked for by sockets. */
static bool asks_per_socket(const struct plan_shape *shape)
{
    for (uint32_t i = 0; i < shape->gres_n; i++) {
        if (shape->gres[i].per == PLAN_PER_SOCKET)
            return true;
    }
    return shape->ntasks_per_socket > 0 || shape->one_core_per_socket;
}

bool gres_is_covered(const struct plan_snapshot *snapshot, const struct claim *claim,
                     const struct plan_place *place, const struct bitset *cpus)
{
    const struct plan_shape *shape = &claim->job->shape;
    const struct plan_node *node = &snapshot->nodes[place->node];
    const enum cores_unit unit = cores_unit(snapshot, claim);
    uint32_t device = 0;

    if (!shape->binds_gres || asks_per_socket(shape) || unit == CORES_SOCKET || unit == CORES_NODE)
        return true;
    for (uint32_t i = 0; i < node->gres_n; i++) {
        const struct plan_gres *gres = &node->gres[i];

        for (uint64_t d = 0; d < gres->count && !gres->counted; d++, device++) {
            if (bitset_has(&place->devices, device) && gres->near &&
                bitset_count(&gres->near[d]) < node->cpus && !meets(&gres->near[d], cpus))
                return false;
        }
    }
    return true;
}

/* Whether both sorts are near the same cpus, and not near all. */
static bool is_same_socket(const struct plan_node *node, const struct plan_gres *a,
                           const struct plan_gres *b)
{
    return a->near && b->near && a->count && b->count && bitset_count(&a->near[0]) < node->cpus &&
           bitset_equal(&a->near[0], &b->near[0]);
}

/* Of devices that are asked for each socket so many near each. */
static bool check_sockets(const struct plan_node *node, const struct claim *claim,
                          const struct plan_place *place, const struct plan_gres_ask *ask,
                          struct strbuf *problem)
{
    for (uint32_t i = 0; i < node->gres_n && ask->per == PLAN_PER_SOCKET; i++) {
        uint64_t held = 0;
        uint32_t device = 0;

        for (uint32_t k = 0; k < node->gres_n; k++) {
            const struct plan_gres *gres = &node->gres[k];
            const bool meant = is_same(gres->name, ask->name) &&
                               (!ask->type || is_same(gres->type, ask->type)) &&
                               is_same_socket(node, &node->gres[i], gres);

            for (uint64_t d = 0; d < gres->count && !gres->counted; d++, device++)
                held += meant && bitset_has(&place->devices, device);
        }
        if (held > ask->count)
            return wrong(problem, "job %" PRIu64 ": %llu of %s near one socket of node %u",
                         claim->job->id, (unsigned long long)held, ask->name, place->node);
    }
    return true;
}

/* Its cpus are near its devices, and its devices near as many sockets as it asks for. */
static bool check_bound(const struct plan_snapshot *snapshot, const struct claim *claim,
                        const struct plan_place *place, struct strbuf *problem)
{
    const struct plan_shape *shape = &claim->job->shape;
    const struct plan_node *node = &snapshot->nodes[place->node];

    if (!is_bound(shape) || cores_unit(snapshot, claim) == CORES_NODE || node->counts_cpus)
        return true;
    for (uint32_t i = 0; i < shape->gres_n; i++) {
        if (!check_sockets(node, claim, place, &shape->gres[i], problem))
            return false;
    }
    return check_near(snapshot, claim, place, problem);
}

bool gres_check(const struct plan_snapshot *snapshot, const struct claim *claim,
                const struct plan_place *place, struct strbuf *problem)
{
    const struct plan_shape *shape = &claim->job->shape;
    const struct plan_node *node = &snapshot->nodes[place->node];

    for (uint32_t i = 0; i < node->gres_n; i++) {
        const char *name = node->gres[i].name;
        const uint64_t held = gres_held(node, place, name, NULL);

        if (takes_all(snapshot, claim) &&
            gres_held(node, place, name, node->gres[i].type) < node->gres[i].count)
            return wrong(problem, "job %" PRIu64 ": not all of %s on its own node %u",
                         claim->job->id, name, place->node);
        if (!takes_all(snapshot, claim) && !is_asked(shape, name) && held)
            return wrong(problem, "job %" PRIu64 ": %s on node %u, which it did not ask for",
                         claim->job->id, name, place->node);
    }
    if (!check_bound(snapshot, claim, place, problem))
        return false;
    for (uint32_t i = 0; i < shape->gres_n; i++) {
        if (!check_name(snapshot, claim, place, shape->gres[i].name, problem))
            return false;
    }
    return !is_asked(shape, "gpu") || check_name(snapshot, claim, place, "gpu", problem);
}

bool gres_check_sums(const struct plan_snapshot *snapshot, const struct claim *claim,
                     struct strbuf *problem)
{
    const struct plan_shape *shape = &claim->job->shape;

    for (uint32_t i = 0; i < shape->gres_n; i++) {
        const struct plan_gres_ask *ask = &shape->gres[i];
        uint64_t held = 0;

        if (ask->per != PLAN_PER_JOB || due(shape, 1, ask->name, ask->type))
            continue;
        if (ask->count < claim->places_n)
            return wrong(problem, "job %" PRIu64 ": %u nodes for %llu of %s", claim->job->id,
                         claim->places_n, (unsigned long long)ask->count, ask->name);
        for (uint32_t k = 0; k < claim->places_n; k++)
            held += gres_held(&snapshot->nodes[claim->places[k].node], &claim->places[k], ask->name,
                              ask->type);
        if (held < ask->count || (held > ask->count && !takes_all(snapshot, claim)))
            return wrong(problem, "job %" PRIu64 ": %llu of %s, not %llu", claim->job->id,
                         (unsigned long long)held, ask->name, (unsigned long long)ask->count);
    }
    return true;
}
