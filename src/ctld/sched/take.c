#include "ctld/sched/take.h"

#include <string.h>

#include "ctld/sched/gres_choice.h"
#include "ctld/sched/need.h"
#include "ctld/sched/room.h"
#include "ctld/sched/spare.h"

#define MIN(a, b) ((a) < (b) ? (a) : (b))

static bool choose_devices(const struct demand *demand, const struct sched_node *node,
                           const struct supply *free, const struct demand_part *part,
                           const struct cores *cores, struct gres_choice *ret)
{
    const struct gres_part of = {
        .free = free,
        .tasks = part->tasks,
        .share = &part->share,
        .cores = cores,
        .cores_n = (uint32_t)need_cores(demand, node, part),
        .now = part->now,
        .bound = demand->binds_gres,
    };

    return gres_choose(&demand->gres, node, &of, ret);
}

/* As --ntasks-per-socket lets them be there; UINT64_MAX: it is not given. */
static uint64_t tasks_by_socket(const struct demand *demand, const struct cores *cores)
{
    uint64_t tasks = 0;

    if (!demand->tasks_per_socket)
        return UINT64_MAX;
    for (uint32_t s = 0; s < cores_sockets(cores->node); s++)
        tasks += room_on_socket(demand, cores, s).tasks;
    return tasks;
}

/* Whether the part finds enough cores of the row near its devices. */
static bool is_bound_in_row(const struct demand *demand, const struct sched_node *node,
                            const struct supply *free, const struct demand_part *part, uint32_t row)
{
    AUTO(gres_choice) struct gres_choice choice = gres_choice_any();
    AUTO(cores) struct cores cores = { 0 };

    room_find(demand, node, free, row, &cores);
    if (!choose_devices(demand, node, free, part, &cores, &choice))
        return false;
    if (choice.near.size)
        cores_keep_near(&cores, &choice.near);
    return cores_left(&cores) >= need_cores(demand, node, part) &&
           tasks_by_socket(demand, &cores) >= part->tasks;
}

/* The first row that holds the part. */
static uint32_t row_for(const struct demand *demand, const struct sched_node *node,
                        const struct supply *free, const struct demand_part *part)
{
    const uint32_t rows = room_rows(demand, node);

    for (uint32_t row = 0; row + 1 < rows; row++) {
        const struct room room = room_in_row(demand, node, free, row);

        if (demand_holds(demand, node, &room, free->amounts[PLAN_MEMORY], part) &&
            (!demand->binds_gres || is_bound_in_row(demand, node, free, part, row)))
            return row;
    }
    return rows - 1;
}

/* Each socket takes no more tasks than it may have. Slurm begins with the last one. */
static void take_by_socket(const struct demand *demand, struct cores *cores,
                           const struct demand_part *part, struct bitset *taken)
{
    const uint32_t sockets = cores_sockets(cores->node);
    uint32_t tasks = part->tasks;

    for (uint32_t i = 0; tasks && i < sockets; i++) {
        const uint32_t s = part->now ? sockets - i - 1 : i;
        const uint64_t some = MIN(room_on_socket(demand, cores, s).tasks, tasks);

        cores_take_from(cores, s,
                        (uint32_t)need_cores_for(demand, need_used(demand, cores->node), some),
                        taken);
        tasks -= (uint32_t)some;
    }
}

static bool has_core_near(const struct cores *cores, uint32_t socket, const struct bitset *near)
{
    const uint32_t each = cores->node->cpus_per_socket;

    for (uint32_t cpu = socket * each; cpu < (socket + 1) * each; cpu++) {
        if (near->size == 0 || bitset_has(near, cpu))
            return true;
    }
    return false;
}

/* All cores of so many sockets that what the job can use of them is enough; first of those with a
 * cpu near its devices. */
static void take_sockets(const struct demand *demand, struct cores *cores,
                         const struct demand_part *part, const struct bitset *near,
                         struct bitset *taken)
{
    const uint64_t due = need_cores(demand, cores->node, part);
    const uint32_t sockets = cores_sockets(cores->node);
    struct room got = { 0 };

    for (uint32_t i = 0; i < 2 * sockets; i++) {
        const uint32_t s = i % sockets;
        const struct room room = room_on_socket(demand, cores, s);

        if (got.cores >= due && (!demand->tasks_per_socket || got.tasks >= part->tasks))
            return;
        if (i < sockets && !has_core_near(cores, s, near))
            continue;
        cores_take_from(cores, s, UINT32_MAX, taken);
        got.cores += room.cores;
        got.tasks += room.tasks;
    }
}

/*
 * A task of several cpus stays on one socket, and the next one goes there while it fits whole; what
 * fits on no socket is dealt core by core.
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

/* As Slurm does for a job that starts; up to n. */
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
    if (demand->tasks_per_socket) {
        take_by_socket(demand, cores, part, taken);
        n -= MIN(n, bitset_count(taken) / cores->node->threads);
    }
    if (part->now)
        take_now(demand, cores, n, taken);
    else
        cores_take_lowest(cores, n, taken);
}

/* Cores next to the devices go first; `near` of size 0: there are none such. */
static void take_cores(const struct demand *demand, struct cores *cores,
                       const struct demand_part *part, const struct bitset *near,
                       struct bitset *taken)
{
    const uint32_t n = (uint32_t)need_cores(demand, cores->node, part);
    AUTO(cores) struct cores close = { .node = cores->node };
    uint32_t got;

    if (demand->unit == UNIT_SOCKET) {
        take_sockets(demand, cores, part, near, taken);
        return;
    }
    if (demand->binds_gres && near->size)
        cores_keep_near(cores, near);
    if (near->size == 0 || demand->binds_gres || demand->tasks_per_socket) {
        take_some(demand, cores, part, n, taken);
        return;
    }
    bitset_copy(&close.first, &cores->first);
    cores_keep_near(&close, near);
    bitset_minus(&cores->first, &close.first);
    take_some(demand, &close, part, n, taken);
    got = bitset_count(taken) / cores->node->threads;
    if (got < n)
        take_some(demand, cores, part, n - got, taken);
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

static void take_cpus(const struct demand *demand, const struct sched_node *node,
                      const struct supply *free, const struct demand_part *part,
                      struct gres_choice *choice, struct sched_place *place, struct bitset *taken)
{
    AUTO(cores) struct cores cores = { 0 };

    if (node->pool)
        return;
    if (!demand->takes_devices) /* else none are chosen by their cpus */
        bitset_init(taken, node->cpus);
    if (demand->rows > 1)
        place->row = row_for(demand, node, free, part) + 1;
    if (demand->unit == UNIT_NODE) {
        take_node(demand, node, place);
        return;
    }
    room_find(demand, node, free, place->row ? place->row - 1 : 0, &cores);
    choose_devices(demand, node, free, part, &cores, choice);
    take_cores(demand, &cores, part, &choice->near, taken);
    sched_place_add_cpus(place, node, taken);
}

void demand_take(const struct demand *demand, const struct sched_node *node,
                 const struct supply *free, const struct demand_part *part, struct sched_place *ret)
{
    const uint64_t cores = need_cores_taken(demand, node, part);
    AUTO(gres_choice) struct gres_choice choice = gres_choice_any();
    AUTO(bitset) struct bitset taken = { 0 };

    ret->tasks = part->tasks;
    if (node->pool)
        ret->supply.amounts[PLAN_POOL_CPUS] = demand->unit == UNIT_NODE ? node->cpus : cores;
    take_cpus(demand, node, free, part, &choice, ret, &taken);
    ret->supply.amounts[PLAN_MEMORY] = need_memory(demand, node, cores, part);
    sched_place_count(ret, node, demand->partition);
    if (demand->takes_devices)
        take_all_devices(node, ret);
    else
        gres_take(&demand->gres, node, free, part->tasks, &part->share, &choice, &taken, ret);
}

bool take_is_bound(const struct demand *demand, const struct sched_node *node,
                   const struct supply *free, const struct demand_part *part)
{
    return node->pool ||
           is_bound_in_row(demand, node, free, part, row_for(demand, node, free, part));
}

uint32_t take_cores_near(const struct demand *demand, const struct sched_node *node,
                         const struct supply *free, const struct demand_part *part)
{
    AUTO(gres_choice) struct gres_choice choice = gres_choice_any();
    AUTO(cores) struct cores cores = { 0 };

    room_find(demand, node, free, row_for(demand, node, free, part), &cores);
    (void)choose_devices(demand, node, free, part, &cores, &choice);
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

    if (node->pool)
        return close;
    room_find(demand, node, free, row_for(demand, node, free, part), &cores);
    for (uint32_t i = 0; i < demand->gres.pooled_n; i++)
        close.pooled[i] = MIN(close.pooled[i], gres_most_close(&demand->gres, node, &of, i));
    return close;
}
