/*
 * demand.h - what a job asks of one node, and what it gets there.
 *
 * Cpus are given by cores with all their threads, by sockets, or by whole nodes, as
 * SelectTypeParameters and --exclusive say. For a plan the lowest cores of a free set are taken:
 * the answer for a number of tasks does not depend on cpus that stay free, so that a plan stays the
 * same when others take what it leaves. A job that starts now gets the cores that Slurm would give.
 *
 * What holds so many tasks holds fewer too, down to the least, and what has more free holds no
 * less.
 */
#pragma once

#include "ctld/sched/place/gres.h"

enum demand_unit {
    UNIT_CPU, /* cores, of which the job is charged only the cpus that it uses */
    UNIT_CORE,
    UNIT_SOCKET,
    UNIT_NODE,
};

struct demand {
    uint32_t partition;
    enum demand_unit unit;
    uint32_t tasks;                            /* over all nodes; 0: tasks_least on each */
    uint32_t tasks_least, tasks_most;          /* on a node */
    uint32_t tasks_per_socket, tasks_per_core; /* 0: any */
    uint32_t cpus_per_task, cpus_least, cpus_per_gpu;
    uint32_t threads;                   /* used of each core; 0: all */
    uint32_t sockets, cores_per_socket; /* that a node must have */
    uint32_t rows;                      /* this job and so many others, less one, may be on a cpu */
    enum plan_spare spare;
    uint32_t spared_n;
    bool spares_first;
    bool one_core_per_socket;
    bool binds_gres;    /* only cores next to its devices will do; not of whole nodes */
    bool wishes_near;   /* binds_gres is a wish, for which devices are not chosen otherwise */
    bool takes_devices; /* all that the node has */
    bool deals_in_turn; /* cores over sockets, for a start now */
    bool counts_memory; /* memory is given out, not only looked at */
    bool all_memory;
    uint64_t node_mb, cpu_mb, gpu_mb; /* one of them, or none */
    struct gres_wants gres;
};

/* Borrows the texts of the shape. */
void demand_init(struct demand *demand, const struct plan_shape *shape, uint32_t select,
                 const struct plan_partition *partition);
void demand_clear(struct demand *demand);

/* Returns how many tasks the node could hold, were it empty; 0: less than the least, or the node is
 * not of the sort. */
uint32_t demand_tasks_empty(const struct demand *demand, const struct sched_node *node,
                            struct gres_share *ret_most);

/* What must at least be free on the node: numbers of cpus and devices, and amounts. */
struct demand_least {
    uint32_t cpus, devices;
    uint64_t amounts[PLAN_AMOUNTS_MAX];
    uint32_t amounts_n; /* those from here on are 0 */
};
struct demand_least demand_least(const struct demand *demand, const struct sched_node *node);

/* Returns how many tasks, at most tasks_most, and how much of what is pooled this supply can hold;
 * 0: less than the least. */
uint32_t demand_tasks(const struct demand *demand, const struct sched_node *node,
                      const struct supply *free, struct gres_share *ret_most);

/* Returns whether the most tasks and the most of what is pooled may not go together: then a node is
 * asked share by share (pick/bound.h). */
bool demand_has_offers(const struct demand *demand);

/* Returns how many tasks the supply can hold with exactly this share of what is pooled; 0: less
 * than the least. */
uint32_t demand_tasks_sharing(const struct demand *demand, const struct sched_node *node,
                              const struct supply *free, const struct gres_share *share);

/* What falls to one node. */
struct demand_part {
    uint32_t tasks;
    struct gres_share share;
    bool now; /* it starts now */
};

/* Takes a part that demand_tasks said can be held. `ret` comes with nothing taken. */
void demand_take(const struct demand *demand, const struct sched_node *node,
                 const struct supply *free, const struct demand_part *part,
                 struct sched_place *ret);
