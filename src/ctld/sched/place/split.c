#include "ctld/sched/place/split.h"

#include "common/base/minmax.h"
#include "ctld/sched/place/need.h"
#include "ctld/sched/place/room.h"
#include "ctld/sched/place/spare.h"

void split_clear(struct split *split)
{
    free(split->on_socket);
    *split = (struct split){ 0 };
}

void split_auto_(struct split *split)
{
    split_clear(split);
}

bool split_matters(const struct demand *demand, const struct sched_node *node)
{
    return !node->counts_cpus && (demand->unit == UNIT_SOCKET ||
                                  (need_per_socket(demand, node) && demand->unit != UNIT_NODE));
}

/* ---- cores of bounded sockets ---- */

/*
 * The most tasks that a number of cores hold, taken from one socket and those behind it in the
 * order of choice; -1: there are not so many cores.
 */
struct table {
    uint32_t sockets, cores; /* rows, and columns less one */
    uint32_t *there;         /* cores of each socket, in the order of choice */
    int64_t *tasks;
};

static int64_t *cell(const struct table *table, uint32_t socket, uint32_t cores)
{
    return &table->tasks[(size_t)socket * (table->cores + 1) + cores];
}

static int64_t tasks_with(const struct table *table, const struct demand *demand, uint32_t used,
                          uint32_t socket, uint32_t here, uint32_t cores)
{
    const int64_t behind = *cell(table, socket + 1, cores - here);
    const uint64_t tasks = need_tasks_in(demand, used, here);

    return behind < 0 ? -1 : behind + (int64_t)MIN(tasks, demand->tasks_per_socket);
}

static void fill_row(const struct table *table, const struct demand *demand, uint32_t used,
                     uint32_t socket)
{
    for (uint32_t cores = 0; cores <= table->cores; cores++) {
        int64_t *most = cell(table, socket, cores);

        *most = -1;
        for (uint32_t here = 0; here <= MIN(cores, table->there[socket]); here++) {
            const int64_t tasks = tasks_with(table, demand, used, socket, here, cores);

            *most = tasks > *most ? tasks : *most;
        }
    }
}

/* Returns the socket that is the i-th in the order of choice. */
static uint32_t socket_at(const struct table *table, const struct demand_part *part, uint32_t i)
{
    return part->now ? table->sockets - 1 - i : i;
}

static struct table table_new(const struct demand *demand, const struct cores *cores,
                              const struct demand_part *part)
{
    struct table table = { .sockets = cores_sockets(cores->node), .cores = cores_left(cores) };

    table.there = xcalloc(table.sockets + 1, sizeof(*table.there));
    table.tasks = xcalloc((size_t)(table.sockets + 1) * (table.cores + 1), sizeof(*table.tasks));
    for (uint32_t i = 0; i < table.sockets; i++)
        table.there[i] = cores_on_socket(cores, socket_at(&table, part, i));
    for (uint32_t n = 1; n <= table.cores; n++)
        *cell(&table, table.sockets, n) = -1;
    for (uint32_t i = table.sockets; i-- > 0;)
        fill_row(&table, demand, need_used(demand, cores->node), i);
    return table;
}

/* Deals as many cores to each socket as leave the rest enough for the others. */
static void deal(const struct table *table, const struct demand *demand, uint32_t used,
                 const struct demand_part *part, struct split *split)
{
    int64_t due = part->tasks;
    uint32_t left = (uint32_t)split->cores;

    split->on_socket = xcalloc(table->sockets + 1, sizeof(*split->on_socket));
    for (uint32_t i = 0; i < table->sockets; i++) {
        uint32_t here = MIN(left, table->there[i]);

        while (here && tasks_with(table, demand, used, i, here, left) < due)
            here--;
        split->on_socket[socket_at(table, part, i)] = here;
        due -= (int64_t)MIN(need_tasks_in(demand, used, here), demand->tasks_per_socket);
        left -= here;
    }
}

static bool split_bounded(const struct demand *demand, const struct cores *cores,
                          const struct demand_part *part, struct split *ret)
{
    const struct table table = table_new(demand, cores, part);
    uint64_t n = need_cores(demand, cores->node, part);

    while (n <= table.cores && *cell(&table, 0, (uint32_t)n) < (int64_t)part->tasks)
        n++;
    if (n <= table.cores) {
        ret->cores = n;
        deal(&table, demand, need_used(demand, cores->node), part, ret);
    }
    free(table.there);
    free(table.tasks);
    return n <= table.cores;
}

/* ---- whole sockets ---- */

static bool has_cpu_near(const struct cores *cores, uint32_t socket, const struct bitset *near)
{
    const uint32_t each = cores->node->cpus_per_socket;
    const int64_t first = near->size ? bitset_next(near, socket * each) : socket * each;

    return first >= 0 && first < (int64_t)(socket + 1) * each;
}

static bool is_enough(const struct demand *demand, const struct sched_node *node,
                      const struct room *got, const struct demand_part *part)
{
    return got->cores >= need_cores(demand, node, part) &&
           (!need_per_socket(demand, node) || got->tasks >= part->tasks);
}

/* Drops sockets that became needless: smaller ones, of which cores are left to the system, may be
 * of no use once a larger one is there, too. */
static void drop_needless(const struct demand *demand, const struct cores *cores,
                          const struct demand_part *part, struct room got, struct split *split)
{
    for (uint32_t s = 0; s < cores_sockets(cores->node); s++) {
        const struct room room = room_on_socket(demand, cores, s);
        const struct room rest = { got.cores - room.cores, got.tasks - room.tasks };

        if (split->on_socket[s] == 0 || !is_enough(demand, cores->node, &rest, part))
            continue;
        split->cores -= split->on_socket[s];
        split->on_socket[s] = 0;
        got = rest;
    }
}

static bool split_whole(const struct demand *demand, const struct cores *cores,
                        const struct bitset *near, const struct demand_part *part,
                        struct split *ret)
{
    const uint32_t sockets = cores_sockets(cores->node);
    struct room got = { 0 };

    ret->on_socket = xcalloc(sockets + 1, sizeof(*ret->on_socket));
    for (uint32_t i = 0; i < 2 * sockets && !is_enough(demand, cores->node, &got, part); i++) {
        const uint32_t s = i % sockets;
        const struct room room = room_on_socket(demand, cores, s);

        if (room.cores == 0 || ret->on_socket[s] || (i < sockets && !has_cpu_near(cores, s, near)))
            continue;
        ret->on_socket[s] = cores_on_socket(cores, s);
        ret->cores += ret->on_socket[s];
        got.cores += room.cores;
        got.tasks += room.tasks;
    }
    if (is_enough(demand, cores->node, &got, part)) {
        drop_needless(demand, cores, part, got, ret);
        return true;
    }
    split_clear(ret);
    return false;
}

/* ---- any ---- */

bool split_find(const struct demand *demand, const struct cores *cores, const struct bitset *near,
                const struct demand_part *part, struct split *ret)
{
    *ret = (struct split){ 0 };
    if (demand->unit == UNIT_SOCKET)
        return split_whole(demand, cores, near, part, ret);
    if (need_per_socket(demand, cores->node))
        return split_bounded(demand, cores, part, ret);
    ret->cores = need_cores(demand, cores->node, part);
    return ret->cores <= cores_left(cores);
}

uint64_t split_least(const struct demand *demand, const struct sched_node *node,
                     const struct demand_part *part)
{
    const struct bitset none = { 0 };
    AUTO(split) struct split split = { 0 };
    AUTO(cores) struct cores cores = { 0 };

    if (demand->unit == UNIT_NODE)
        return spare_cores_given(demand, node);
    if (!split_matters(demand, node) || (demand->unit == UNIT_SOCKET && node->cpus_n < node->cpus))
        return need_cores(demand, node, part);
    room_find(demand, node, &node->all, 0, &cores);
    return split_find(demand, &cores, &none, part, &split) ? split.cores
                                                           : need_cores(demand, node, part);
}
