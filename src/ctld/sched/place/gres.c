#include "ctld/sched/place/gres.h"

#include <string.h>

#include "common/base/minmax.h"
#include "common/text/words.h"
#include "ctld/sched/place/gres_choice.h"

static struct gres_want *want_of(struct gres_wants *wants, const struct plan_gres_ask *ask)
{
    struct gres_want *want;

    for (uint32_t i = 0; i < wants->n; i++) {
        if (text_is(wants->at[i].name, ask->name) && text_is(wants->at[i].type, ask->type))
            return &wants->at[i];
    }
    want = ARRAY_PUSH(wants->at, wants->n);
    *want = (struct gres_want){ .name = ask->name, .type = ask->type, .pooled = -1 };
    return want;
}

/* Returns the only want for gpus, or else the one for gpus of any type. */
static struct gres_want *only_gpu(struct gres_wants *wants)
{
    struct gres_want *only = NULL;

    for (uint32_t i = 0; i < wants->n; i++) {
        if (strcmp(wants->at[i].name, "gpu") != 0)
            continue;
        if (only)
            return want_of(wants, &(struct plan_gres_ask){ .name = "gpu" });
        only = &wants->at[i];
    }
    return only ? only : want_of(wants, &(struct plan_gres_ask){ .name = "gpu" });
}

static void add_ask(struct gres_wants *wants, const struct plan_gres_ask *ask)
{
    struct gres_want *want = want_of(wants, ask);

    switch (ask->per) {
    case PLAN_PER_NODE:
        want->per_node = ask->count;
        break;
    case PLAN_PER_TASK:
        want->per_task = ask->count;
        break;
    case PLAN_PER_SOCKET:
        want->per_socket = ask->count;
        break;
    case PLAN_PER_JOB:
        break;
    }
}

/* Notes what is asked for the job as a whole. It is pooled unless it follows from nodes or tasks:
 * then it needs no dealing. */
static void pool_ask(struct gres_wants *wants, const struct plan_gres_ask *ask)
{
    struct gres_want *want = want_of(wants, ask);

    want->per_job = ask->count;
    if (want->per_node || want->per_task || want->per_socket || want->tasks_each ||
        want->pooled >= 0 || wants->pooled_n == GRES_POOLED_MAX)
        return;
    want->pooled = (int32_t)wants->pooled_n;
    wants->pooled[wants->pooled_n++] = ask->count;
}

static int typed_first(const void *a, const void *b)
{
    const struct gres_want *left = a, *right = b;

    if (!left->type != !right->type)
        return left->type ? -1 : 1;
    if (strcmp(left->name, right->name) != 0)
        return strcmp(left->name, right->name);
    return left->type ? strcmp(left->type, right->type) : 0;
}

void gres_wants_init(struct gres_wants *wants, const struct plan_shape *shape)
{
    *wants = (struct gres_wants){ .sockets = MAX(shape->sockets_per_node, 1) };
    for (uint32_t i = 0; i < shape->gres_n; i++)
        add_ask(wants, &shape->gres[i]);
    if (shape->ntasks_per_gpu && shape->ntasks)
        only_gpu(wants)->tasks_each = shape->ntasks_per_gpu;
    for (uint32_t i = 0; i < shape->gres_n; i++) {
        if (shape->gres[i].per == PLAN_PER_JOB)
            pool_ask(wants, &shape->gres[i]);
    }
    if (wants->n)
        qsort(wants->at, wants->n, sizeof(*wants->at), typed_first);
}

void gres_wants_clear(struct gres_wants *wants)
{
    free(wants->at);
    *wants = (struct gres_wants){ 0 };
}

bool gres_share_next(struct gres_share *share, const struct gres_share *most, uint32_t pooled_n)
{
    if (pooled_n == 0)
        return false;
    if (share->pooled[0] == 0) {
        for (uint32_t i = 0; i < pooled_n; i++) {
            share->pooled[i] = 1;
            if (most->pooled[i] == 0)
                return false;
        }
        return true;
    }
    for (uint32_t i = 0; i < pooled_n; i++) {
        if (share->pooled[i]++ < most->pooled[i])
            return true;
        share->pooled[i] = 1;
    }
    return false;
}

uint64_t gres_devices(const struct gres_wants *wants, const struct gres_want *want, uint32_t tasks,
                      const struct gres_share *share)
{
    uint64_t n = MAX(want->per_node, want->per_socket * wants->sockets);

    n = MAX(n, want->per_task * tasks);
    if (want->tasks_each)
        n = MAX(n, (tasks + want->tasks_each - 1) / want->tasks_each);
    return want->pooled >= 0 ? MAX(n, share->pooled[want->pooled]) : n;
}

uint64_t gres_gpus(const struct gres_wants *wants, uint32_t tasks, const struct gres_share *share)
{
    uint64_t gpus = 0;

    for (uint32_t i = 0; i < wants->n; i++) {
        if (strcmp(wants->at[i].name, "gpu") == 0)
            gpus += gres_devices(wants, &wants->at[i], tasks, share);
    }
    return gpus;
}

uint64_t gres_gpus_of(const struct sched_node *node)
{
    uint64_t gpus = 0;

    for (uint32_t i = 0; i < node->gres_n; i++) {
        if (strcmp(node->gres[i].name, "gpu") == 0)
            gpus += node->gres[i].count;
    }
    return gpus;
}

bool gres_is_wanted(const struct gres_want *want, const struct sched_gres *gres)
{
    return strcmp(want->name, gres->name) == 0 && (!want->type || text_is(want->type, gres->type));
}

bool gres_has_near(const struct gres_want *want, const struct sched_node *node)
{
    for (uint32_t i = 0; i < node->gres_n; i++) {
        if (node->gres[i].near && gres_is_wanted(want, &node->gres[i]))
            return true;
    }
    return false;
}

uint64_t gres_free_of(const struct sched_gres *gres, const struct sched_node *node,
                      const struct supply *free)
{
    const struct bitset devices = supply_devices(free, node);
    uint64_t n = 0;

    if (gres->counted)
        return free->amounts[gres->first];
    for (uint32_t i = 0; i < gres->count; i++)
        n += bitset_has(&devices, gres->first + i);
    return n;
}

static uint64_t free_for(const struct gres_want *want, const struct sched_node *node,
                         const struct supply *free)
{
    uint64_t n = 0;

    for (uint32_t i = 0; i < node->gres_n; i++) {
        if (gres_is_wanted(want, &node->gres[i]))
            n += gres_free_of(&node->gres[i], node, free);
    }
    return n;
}

/* Returns how many devices are left for a want without type when those with one have taken
 * theirs. */
static uint64_t left_for(const struct gres_wants *wants, uint32_t at, const struct sched_node *node,
                         const struct supply *free, uint32_t tasks, const struct gres_share *share)
{
    const struct gres_want *want = &wants->at[at];
    uint64_t n = free_for(want, node, free);

    for (uint32_t i = 0; i < at && !want->type; i++) {
        if (strcmp(wants->at[i].name, want->name) == 0)
            n -= MIN(n, gres_devices(wants, &wants->at[i], tasks, share));
    }
    return n;
}

bool gres_is_enough(const struct gres_wants *wants, const struct sched_node *node,
                    const struct supply *free, uint32_t tasks, const struct gres_share *share)
{
    for (uint32_t i = 0; i < wants->n; i++) {
        if (gres_devices(wants, &wants->at[i], tasks, share) >
            left_for(wants, i, node, free, tasks, share))
            return false;
    }
    return true;
}

/* Returns how many tasks this many devices are enough for, by one want alone. */
static uint64_t tasks_in(const struct gres_want *want, uint64_t devices)
{
    uint64_t tasks = UINT64_MAX;

    if (want->per_task)
        tasks = devices / want->per_task;
    if (want->tasks_each)
        tasks = MIN(tasks,
                    (want->per_node ? MIN(devices, want->per_node) : devices) * want->tasks_each);
    return tasks;
}

uint32_t gres_tasks(const struct gres_wants *wants, const struct sched_node *node,
                    const struct supply *free, uint32_t most, struct gres_share *ret_most)
{
    struct gres_share one = { 0 };

    for (uint32_t i = 0; i < wants->pooled_n; i++)
        one.pooled[i] = 1;
    for (uint32_t i = 0; i < wants->n; i++)
        most = (uint32_t)MIN(most, tasks_in(&wants->at[i], free_for(&wants->at[i], node, free)));
    while (most && !gres_is_enough(wants, node, free, most, &one))
        most--;
    for (uint32_t i = 0; i < wants->n && most; i++) {
        const int32_t pooled = wants->at[i].pooled;

        if (pooled >= 0)
            ret_most->pooled[pooled] =
                MIN(left_for(wants, i, node, free, most, &one), wants->pooled[pooled]);
    }
    return most;
}

struct gres_share gres_share_most(const struct gres_wants *wants, const struct sched_node *node,
                                  const struct supply *free)
{
    struct gres_share most = { 0 };

    for (uint32_t i = 0; i < wants->n; i++) {
        const int32_t pooled = wants->at[i].pooled;

        if (pooled >= 0)
            most.pooled[pooled] = MIN(free_for(&wants->at[i], node, free), wants->pooled[pooled]);
    }
    return most;
}

uint64_t gres_tasks_served(const struct gres_wants *wants, const struct sched_node *node,
                           const struct supply *free)
{
    uint64_t tasks = UINT64_MAX;

    for (uint32_t i = 0; i < wants->n; i++) {
        const struct gres_want *want = &wants->at[i];
        const uint64_t most = want->per_job ? want->per_job : UINT64_MAX;

        tasks = MIN(tasks, tasks_in(want, MIN(free_for(want, node, free), most)));
    }
    return MIN(tasks, UINT32_MAX) == UINT32_MAX ? UINT64_MAX : tasks;
}

/* Returns the sorts of the node that the want can be met from; *ret_counted is how many are
 * counted. */
static uint32_t sorts_wanted(const struct gres_want *want, const struct sched_node *node,
                             uint32_t *ret_counted, const struct sched_gres **ret_last)
{
    uint32_t n = 0;

    *ret_counted = 0;
    for (uint32_t g = 0; g < node->gres_n; g++) {
        if (!gres_is_wanted(want, &node->gres[g]))
            continue;
        *ret_last = &node->gres[g];
        *ret_counted += node->gres[g].counted;
        n++;
    }
    return n;
}

/* Devices of several wants may be the same ones, as far as is known here: the least is that of the
 * largest want. */
void gres_add_least(const struct gres_wants *wants, const struct sched_node *node, uint32_t tasks,
                    uint64_t *amounts, uint32_t *devices)
{
    const struct gres_share none = { 0 };

    for (uint32_t i = 0; i < wants->n; i++) {
        const struct gres_want *want = &wants->at[i];
        const uint64_t least = gres_devices(wants, want, tasks, &none);
        const struct sched_gres *last = NULL;
        uint32_t counted;
        const uint32_t sorts = sorts_wanted(want, node, &counted, &last);

        if (sorts == 1 && counted)
            amounts[last->first] = MAX(amounts[last->first], least);
        else if (sorts > 0 && counted == 0)
            *devices = (uint32_t)MAX(*devices, MIN(least, node->devices_n));
    }
}

static bool is_near(const struct sched_gres *gres, uint32_t device, const struct bitset *cpus)
{
    return !gres->near || !cpus->size || bitset_meets(&gres->near[device], cpus);
}

/* Takes up to n of the free devices of a sort; returns how many are still wanted. */
static uint64_t take_devices(const struct sched_gres *gres, const struct sched_node *node,
                             const struct supply *free, uint64_t n, const struct bitset *near,
                             struct sched_place *place)
{
    const struct bitset there = supply_devices(free, node);
    struct bitset taken = supply_devices(&place->supply, node);

    for (uint32_t i = 0; n && i < gres->count; i++) {
        const uint32_t device = gres->first + i;

        if (!bitset_has(&there, device) || bitset_has(&taken, device) ||
            (near && !is_near(gres, i, near)))
            continue;
        bitset_add(&taken, device);
        n--;
    }
    return n;
}

static uint64_t take_counted(const struct sched_gres *gres, const struct supply *free, uint64_t n,
                             struct sched_place *place)
{
    const uint64_t left = free->amounts[gres->first] - place->supply.amounts[gres->first];
    const uint64_t some = MIN(n, left);

    place->supply.amounts[gres->first] += some;
    return n - some;
}

/* Returns how many are taken already of the devices near the same cpus as these. */
static uint64_t taken_near(const struct gres_want *want, const struct sched_node *node,
                           const struct sched_gres *gres, const struct sched_place *place)
{
    const struct bitset taken = supply_devices(&place->supply, node);
    uint64_t n = 0;

    for (uint32_t i = 0; i < node->gres_n; i++) {
        const struct sched_gres *other = &node->gres[i];

        for (uint32_t d = 0; !other->counted && d < other->count; d++)
            n += gres_is_wanted(want, other) && other->near &&
                 bitset_equal(&other->near[d], &gres->near[0]) &&
                 bitset_has(&taken, other->first + d);
    }
    return n;
}

/* Returns how many of these devices may serve the want: of those asked for each socket, only so
 * many near each. */
static uint64_t most_of(const struct gres_want *want, const struct sched_node *node,
                        const struct sched_gres *gres, const struct sched_place *place, uint64_t n)
{
    uint64_t taken;

    if (!want->per_socket || !gres->near)
        return n;
    taken = taken_near(want, node, gres, place);
    return taken < want->per_socket ? MIN(n, want->per_socket - taken) : 0;
}

/* Takes as many of each sort as were chosen (UINT64_MAX: not decided) and returns how many devices
 * that is. */
static uint64_t take_chosen(const struct sched_node *node, const struct supply *free,
                            const uint64_t *counts, struct sched_place *place)
{
    uint64_t taken = 0;

    for (uint32_t i = 0; i < node->gres_n; i++) {
        if (counts[i] && counts[i] < UINT64_MAX)
            taken += counts[i] - take_devices(&node->gres[i], node, free, counts[i], NULL, place);
    }
    return taken;
}

/* Takes in two rounds: what is near, then anything. */
void gres_take(const struct gres_wants *wants, const struct sched_node *node,
               const struct supply *free, uint32_t tasks, const struct gres_share *share,
               const struct gres_choice *choice, const struct bitset *cpus,
               struct sched_place *place)
{
    for (uint32_t w = 0; w < wants->n; w++) {
        uint64_t n = gres_devices(wants, &wants->at[w], tasks, share);

        if (choice->counts)
            n -= take_chosen(node, free, &choice->counts[(size_t)w * choice->counts_n], place);
        for (uint32_t round = 0; round < 2; round++) {
            for (uint32_t i = 0; n && i < node->gres_n; i++) {
                const struct sched_gres *gres = &node->gres[i];

                if (!gres_is_wanted(&wants->at[w], gres) || !gres_choice_has(choice, w, i))
                    continue;
                if (gres->counted) {
                    n = take_counted(gres, free, n, place);
                    continue;
                }
                const uint64_t most =
                    choice->by_socket ? most_of(&wants->at[w], node, gres, place, n) : n;

                n -= most - take_devices(gres, node, free, most, round == 0 ? cpus : NULL, place);
            }
        }
    }
}
