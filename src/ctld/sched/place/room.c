#include "ctld/sched/place/room.h"

#include "common/base/minmax.h"
#include "ctld/sched/place/need.h"
#include "ctld/sched/place/spare.h"

static bool is_by_socket(const struct demand *demand, const struct sched_node *node)
{
    return need_per_socket(demand, node) || demand->one_core_per_socket ||
           demand->unit == UNIT_SOCKET;
}

/* Finds the cores that the job may take. Of a whole socket the job may use one core, but takes the
 * others too. */
static void find_cores(const struct demand *demand, const struct sched_node *node,
                       const struct bitset *free, struct cores *ret)
{
    cores_find(ret, node, free);
    if (demand->unit == UNIT_SOCKET)
        cores_keep_whole_sockets(ret);
    else if (demand->one_core_per_socket)
        cores_keep_few(ret, 1);
}

static uint64_t usable_on_socket(const struct demand *demand, uint64_t cores)
{
    return demand->one_core_per_socket ? MIN(cores, 1) : cores;
}

/* Returns how many tasks the socket holds, as --ntasks-per-socket lets them be there. */
static uint64_t tasks_on_socket(const struct demand *demand, const struct sched_node *node,
                                uint64_t cores)
{
    const uint64_t tasks = need_tasks_in(demand, need_used(demand, node), cores);
    const uint32_t most = need_per_socket(demand, node);

    return most ? MIN(tasks, most) : tasks;
}

struct room room_on_socket(const struct demand *demand, const struct cores *cores, uint32_t socket)
{
    const uint64_t there = usable_on_socket(demand, cores_on_socket(cores, socket));

    return (struct room){ .cores = there, .tasks = tasks_on_socket(demand, cores->node, there) };
}

static struct room room_by_socket(const struct demand *demand, const struct sched_node *node,
                                  const struct bitset *free)
{
    AUTO(cores) struct cores cores;
    struct room room = { 0 };

    find_cores(demand, node, free, &cores);
    for (uint32_t s = 0; s < cores_sockets(node); s++) {
        const struct room socket = room_on_socket(demand, &cores, s);

        room.cores += socket.cores;
        room.tasks += socket.tasks;
    }
    if (!need_per_socket(demand, node))
        room.tasks = need_tasks_in(demand, need_used(demand, node), room.cores);
    return room;
}

static struct room room_in(const struct demand *demand, const struct sched_node *node,
                           const struct bitset *free)
{
    struct room room = { 0 };

    if (demand->unit == UNIT_NODE && bitset_count(free) < node->cpus_n)
        return room;
    if (demand->spare != PLAN_SPARE_BY_NODE) {
        AUTO(bitset) struct bitset given = { 0 };

        spare_find_given(demand, node, &given);
        return room_by_socket(demand, node, &given);
    }
    if (is_by_socket(demand, node))
        return room_by_socket(demand, node, free);
    room.cores = cores_count(node, free);
    room.tasks = need_tasks_in(demand, need_used(demand, node), room.cores);
    return room;
}

static struct room room_in_pool(const struct demand *demand, const struct sched_node *node,
                                const struct supply *free)
{
    uint64_t cpus = free->amounts[PLAN_CPUS];

    if (demand->unit == UNIT_NODE && cpus < node->cpus)
        return (struct room){ 0 };
    if (demand->unit == UNIT_NODE)
        cpus = spare_cores_given(demand, node);
    return (struct room){ .cores = cpus, .tasks = cpus / demand->cpus_per_task };
}

/*
 * Finds the free cpus of one row, or those free in all rows for a job that shares with nobody.
 * Returns whether they are to be freed.
 */
static bool cpus_of(const struct demand *demand, const struct sched_node *node,
                    const struct supply *free, uint32_t row, struct bitset *ret)
{
    if (demand->rows == 1 && node->rows > 1) {
        supply_join_rows(free, node, false, ret);
        return true;
    }
    *ret = supply_row(free, node, row);
    return false;
}

uint32_t room_rows(const struct demand *demand, const struct sched_node *node)
{
    return node->counts_cpus ? 1 : MIN(demand->rows, node->rows);
}

/* Returns what the job can use when no more than this many sockets are free, all of them whole. */
static struct room room_in_sockets(const struct demand *demand, const struct sched_node *node,
                                   uint64_t sockets, struct room room)
{
    const uint64_t each = usable_on_socket(demand, node->cpus_per_socket / node->threads);

    room.cores = MIN(room.cores, sockets * each);
    if (need_per_socket(demand, node))
        room.tasks = MIN(room.tasks, sockets * tasks_on_socket(demand, node, each));
    else
        room.tasks = MIN(room.tasks, need_tasks_in(demand, need_used(demand, node), room.cores));
    return room;
}

/*
 * Returns what the job can use where jobs of a partition with MaxCPUsPerNode have only so many
 * cores of the node together. Of whole nodes and sockets, cores count that the job does not use,
 * too.
 */
static struct room room_under_cap(const struct demand *demand, const struct sched_node *node,
                                  const struct supply *free, struct room room)
{
    const uint32_t cap = sched_node_cap(node, demand->partition);
    const uint64_t socket = node->cpus_per_socket / node->threads;
    const uint64_t left = cap ? free->amounts[cap] : UINT64_MAX;

    if (!cap)
        return room;
    if (demand->unit == UNIT_NODE)
        return spare_cores_given(demand, node) <= left ? room : (struct room){ 0 };
    if (demand->unit == UNIT_SOCKET && socket)
        return room_in_sockets(demand, node, left / socket, room);
    if (room.cores <= left)
        return room;
    room.cores = left;
    room.tasks = MIN(room.tasks, need_tasks_in(demand, need_used(demand, node), room.cores));
    return room;
}

struct room room_in_row(const struct demand *demand, const struct sched_node *node,
                        const struct supply *free, uint32_t row)
{
    struct bitset cpus;

    if (node->counts_cpus)
        return room_in_pool(demand, node, free);
    const bool is_owned = cpus_of(demand, node, free, row, &cpus);
    const struct room room = room_in(demand, node, &cpus);

    if (is_owned)
        bitset_clear(&cpus);
    return room_under_cap(demand, node, free, room);
}

void room_find(const struct demand *demand, const struct sched_node *node,
               const struct supply *free, uint32_t row, struct cores *ret)
{
    struct bitset cpus;
    const bool is_owned = cpus_of(demand, node, free, row, &cpus);

    find_cores(demand, node, &cpus, ret);
    if (is_owned)
        bitset_clear(&cpus);
}
