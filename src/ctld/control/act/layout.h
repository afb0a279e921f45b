/*
 * layout.h - which nodes of a job a step takes, and how many tasks each gets.
 *
 * Nodes are taken in the order of the allocation, as many as the step may have; when they have too
 * little room, the roomiest. Tasks are dealt in turn, in planes, or packed
 * (ctld/sched/pick/deal.h), or as a list says. Block and cyclic give every node as many tasks, and
 * number them apart. Pure.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "ctld/sched/pick/deal.h"

/* One node of the job, as it is offered. */
struct layout_node {
    uint32_t cpus;       /* that the step could have here */
    uint32_t most_tasks; /* that other resources are enough for */
    uint32_t listed;     /* times that --nodelist names it */
    bool barred;         /* excluded, failed, before --relative, or too little memory */
};

struct layout_ask {
    uint32_t min_nodes, max_nodes; /* 1 <= min <= max */
    uint32_t ntasks;
    uint32_t cpus_per_task;   /* 1 or more */
    uint32_t ntasks_per_node; /* 0: any */
    bool overcommit;
    bool as_listed; /* a task for each time that a node is listed */
    enum deal deal;
    uint32_t plane_size;
};

/* Fills ret_tasks (nodes_n of them; 0: node not used). False: the step does not fit. */
bool layout_make(const struct layout_ask *ask, const struct layout_node *nodes, uint32_t nodes_n,
                 uint32_t *ret_tasks);
