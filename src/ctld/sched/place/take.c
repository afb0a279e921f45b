#include "ctld/sched/place/take.h"

#include <string.h>

#include "common/base/minmax.h"
#include "ctld/sched/place/bound.h"
#include "ctld/sched/place/gres_choice.h"
#include "ctld/sched/place/need.h"
#include "ctld/sched/place/room.h"
#include "ctld/sched/place/spare.h"
#include "ctld/sched/place/split.h"

/* Returns whether what this many cores cost is free. */
static bool is_affordable(const struct demand *demand, const struct sched_node *node,
                          const struct supply *free, uint64_t cores, const struct demand_part *part)
{
    const uint32_t cap = sched_node_cap(node, demand->partition);

    return (!cap || cores <= free->amounts[cap]) &&
           need_memory(demand, node, cores, part) <= free->amounts[PLAN_MEMORY];
}

static void keep_near(const struct demand *demand, const struct bitset *near, struct cores *cores)
{
    if (near->size == 0)
        return;
    if (demand->unit == UNIT_SOCKET)
        cores_keep_sockets_near(cores, near);
    else
        cores_keep_near(cores, near);
}

/* A part, and the cores of a row that it may take. */
struct taker {
    const struct demand *demand;
    const struct sched_node *node;
    const struct supply *free;
    const struct demand_part *part;
    const struct cores *cores;
};

/* Splits the part with at least this many cores. */
static bool split_with(const struct demand *demand, const struct cores *cores,
                       const struct bitset *near, uint32_t least, const struct demand_part *part,
                       struct split *ret)
{
    if (!split_find(demand, cores, near, part, ret))
        return false;
    ret->cores = MAX(ret->cores, least);
    return ret->on_socket || ret->cores <= cores_left(cores);
}

static bool find_split(const struct demand *demand, const struct cores *cores,
                       const struct gres_choice *choice, const struct demand_part *part,
                       struct split *ret)
{
    const uint32_t least =
        choice->spots.size ? bitset_count(&choice->spots) / cores->node->threads : 0;

    return split_with(demand, cores, &choice->near, least, part, ret);
}

static bool is_enough_near(const void *arg, const struct bitset *near, uint32_t least)
{
    const struct taker *taker = arg;
    AUTO(cores) struct cores cores = { .node = taker->node };
    AUTO(split) struct split split = { 0 };

    bitset_copy(&cores.first, &taker->cores->first);
    keep_near(taker->demand, near, &cores);
    return split_with(taker->demand, &cores, near, least, taker->part, &split) &&
           is_affordable(taker->demand, taker->node, taker->free, split.cores, taker->part);
}

/* Returns whether devices are wanted for each socket: they come in a way of their own. */
static bool is_per_socket(const struct gres_wants *wants)
{
    for (uint32_t i = 0; i < wants->n; i++) {
        if (wants->at[i].per_socket)
            return true;
    }
    return false;
}

static bool choose_devices(const struct taker *taker, struct gres_choice *ret)
{
    const struct demand *demand = taker->demand;
    const struct demand_part *part = taker->part;
    const bool whole = demand->unit == UNIT_SOCKET; /* what is near is rounded up */
    const struct gres_part of = {
        .free = taker->free,
        .tasks = part->tasks,
        .share = &part->share,
        .cores = taker->cores,
        .cores_n = whole && demand->binds_gres && !demand->wishes_near
                       ? 0
                       : (uint32_t)need_cores(demand, taker->node, part),
        .now = part->now,
        .bound = demand->binds_gres,
        .covers = !split_matters(demand, taker->node) && !demand->one_core_per_socket,
    };

    if (demand->binds_gres && !demand->wishes_near && taker->node->gres_n <= BOUND_SORTS_MAX &&
        !is_per_socket(&demand->gres))
        return bound_choose(&demand->gres, taker->node, &of, is_enough_near, taker, ret);
    return gres_choose(&demand->gres, taker->node, &of, ret);
}

/* Finds the cores of a row that the part may take, and its devices. Returns false when they are not
 * enough for a bound part. */
static bool find_cores(const struct demand *demand, const struct sched_node *node,
                       const struct supply *free, uint32_t row, const struct demand_part *part,
                       struct cores *ret, struct gres_choice *ret_choice)
{
    const struct taker taker = { demand, node, free, part, ret };

    room_find(demand, node, free, row, ret);
    if (!choose_devices(&taker, ret_choice) && demand->binds_gres)
        return false;
    if (demand->binds_gres)
        keep_near(demand, &ret_choice->near, ret);
    return true;
}

bool take_is_held(const struct demand *demand, const struct sched_node *node,
                  const struct supply *free, uint32_t row, const struct room *room,
                  const struct demand_part *part)
{
    AUTO(gres_choice) struct gres_choice choice = gres_choice_any();
    AUTO(cores) struct cores cores = { 0 };
    AUTO(split) struct split split = { 0 };

    if (part->tasks > room->tasks || need_cores(demand, node, part) > room->cores)
        return false;
    if (node->counts_cpus || (!demand->binds_gres && !split_matters(demand, node)))
        return is_affordable(demand, node, free, split_least(demand, node, part), part);
    return find_cores(demand, node, free, row, part, &cores, &choice) &&
           find_split(demand, &cores, &choice, part, &split) &&
           is_affordable(demand, node, free, split.cores, part);
}

/* Returns the first row that holds the part. */
static uint32_t row_for(const struct demand *demand, const struct sched_node *node,
                        const struct supply *free, const struct demand_part *part)
{
    const uint32_t rows = room_rows(demand, node);

    for (uint32_t row = 0; row + 1 < rows; row++) {
        const struct room room = room_in_row(demand, node, free, row);

        if (take_is_held(demand, node, free, row, &room, part))
            return row;
    }
    return rows - 1;
}

/*
 * Takes cores task by task. A task of several cpus stays on one socket, and the next one goes there
 * while it fits whole; what fits on no socket is dealt core by core.
 */
static void take_tasks_whole(const struct demand *demand, struct cores *cores, uint32_t n,
                             struct bitset *taken)
{
    const uint32_t used = need_used(demand, cores->node);

    for (uint32_t s = 0; n && s < cores_sockets(cores->node); s++) {
        const uint64_t tasks = need_tasks_in(demand, used, cores_on_socket(cores, s));
        const uint64_t due = need_cores_for(demand, used, tasks);

        n -= cores_take_from(cores, s, (uint32_t)MIN(due, n), taken);
    }
    cores_take_in_turn(cores, n, taken);
}

/* Takes up to n cores as Slurm does for a job that starts. */
static void take_now(const struct demand *demand, struct cores *cores, uint32_t n,
                     struct bitset *taken)
{
    if (!demand->deals_in_turn)
        cores_take_best_socket(cores, n, taken);
    else if (demand->cpus_per_task > 1)
        take_tasks_whole(demand, cores, n, taken);
    else
        cores_take_in_turn(cores, n, taken);
}

static void take_some(const struct demand *demand, struct cores *cores,
                      const struct demand_part *part, uint32_t n, struct bitset *taken)
{
    if (part->now)
        take_now(demand, cores, n, taken);
    else
        cores_take_lowest(cores, n, taken);
}

/* Takes cores next to the devices first; `near` of size 0: there are none such. */
static void take_near_first(const struct demand *demand, struct cores *cores,
                            const struct demand_part *part, const struct bitset *near, uint32_t n,
                            struct bitset *taken)
{
    AUTO(cores) struct cores close = { .node = cores->node };
    uint32_t got = bitset_count(taken) / cores->node->threads;

    if (near->size) {
        bitset_copy(&close.first, &cores->first);
        cores_keep_near(&close, near);
        bitset_minus(&cores->first, &close.first);
        take_some(demand, &close, part, n - got, taken);
        got = bitset_count(taken) / cores->node->threads;
    }
    if (got < n)
        take_some(demand, cores, part, n - got, taken);
}

static void take_cores(const struct demand *demand, struct cores *cores,
                       const struct demand_part *part, const struct bitset *near,
                       const struct split *split, struct bitset *taken)
{
    if (!split->on_socket) {
        take_near_first(demand, cores, part, near, (uint32_t)split->cores, taken);
        return;
    }
    for (uint32_t s = 0; s < cores_sockets(cores->node); s++)
        cores_take_from(cores, s, split->on_socket[s], taken);
}

static void take_all_devices(const struct sched_node *node, struct sched_place *place)
{
    struct bitset devices = supply_devices(&place->supply, node);
    const struct bitset all = supply_devices(&node->all, node);

    bitset_or(&devices, &all);
    for (uint32_t i = 0; i < node->gres_n; i++) {
        if (node->gres[i].counted)
            place->supply.amounts[node->gres[i].first] = node->gres[i].count;
    }
}

static void take_node(const struct demand *demand, const struct sched_node *node,
                      struct sched_place *place)
{
    const struct bitset cpus = supply_row(&node->all, node, 0);
    AUTO(bitset) struct bitset given = { 0 };

    sched_place_add_cpus(place, node, &cpus);
    if (demand->spare != PLAN_SPARE_BY_NODE) {
        spare_find_given(demand, node, &given);
        sched_place_give(place, node, &given);
    }
}

/* Returns how many cores the part takes. */
static uint64_t take_cpus(const struct demand *demand, const struct sched_node *node,
                          const struct supply *free, const struct demand_part *part,
                          struct gres_choice *choice, struct sched_place *place,
                          struct bitset *taken)
{
    AUTO(cores) struct cores cores = { 0 };
    AUTO(split) struct split split = { 0 };

    if (node->counts_cpus)
        return split_least(demand, node, part);
    if (!demand->takes_devices) /* else none are chosen by their cpus */
        bitset_init(taken, node->cpus);
    if (demand->rows > 1)
        place->row = row_for(demand, node, free, part) + 1;
    if (demand->unit == UNIT_NODE) {
        take_node(demand, node, place);
        return split_least(demand, node, part);
    }
    find_cores(demand, node, free, place->row ? place->row - 1 : 0, part, &cores, choice);
    find_split(demand, &cores, choice, part, &split);
    if (choice->spots.size) { /* the cores that the choice of devices rests on */
        bitset_or(taken, &choice->spots);
        bitset_minus(&cores.first, &choice->spots);
    }
    take_cores(demand, &cores, part, &choice->near, &split, taken);
    sched_place_add_cpus(place, node, taken);
    return split.cores;
}

void demand_take(const struct demand *demand, const struct sched_node *node,
                 const struct supply *free, const struct demand_part *part, struct sched_place *ret)
{
    AUTO(gres_choice) struct gres_choice choice = gres_choice_any();
    AUTO(bitset) struct bitset taken = { 0 };
    uint64_t cores;

    ret->tasks = part->tasks;
    cores = take_cpus(demand, node, free, part, &choice, ret, &taken);
    if (node->counts_cpus)
        ret->supply.amounts[PLAN_CPUS] = demand->unit == UNIT_NODE ? node->cpus : cores;
    ret->supply.amounts[PLAN_MEMORY] = need_memory(demand, node, cores, part);
    sched_place_count(ret, node, demand->partition);
    if (demand->takes_devices)
        take_all_devices(node, ret);
    else
        gres_take(&demand->gres, node, free, part->tasks, &part->share, &choice, &taken, ret);
}

uint32_t take_cores_near(const struct demand *demand, const struct sched_node *node,
                         const struct supply *free, const struct demand_part *part)
{
    AUTO(gres_choice) struct gres_choice choice = gres_choice_any();
    AUTO(cores) struct cores cores = { 0 };

    const struct taker taker = { demand, node, free, part, &cores };

    room_find(demand, node, free, row_for(demand, node, free, part), &cores);
    (void)choose_devices(&taker, &choice);
    if (choice.near.size)
        cores_keep_near(&cores, &choice.near);
    return cores_left(&cores);
}

struct gres_share take_most_close(const struct demand *demand, const struct sched_node *node,
                                  const struct supply *free, const struct demand_part *part)
{
    AUTO(cores) struct cores cores = { 0 };
    const struct gres_part of = { .free = free, .cores = &cores, .bound = demand->binds_gres };
    struct gres_share close = part->share;

    if (node->counts_cpus)
        return close;
    room_find(demand, node, free, row_for(demand, node, free, part), &cores);
    for (uint32_t i = 0; i < demand->gres.pooled_n; i++)
        close.pooled[i] = MIN(close.pooled[i], gres_most_close(&demand->gres, node, &of, i));
    return close;
}
