/*
 * layout.h - which nodes of a job a step takes, and how many tasks each gets.
 *
 * Nodes are taken in the order of the allocation, as few as will do. Block (the default when there
 * are more tasks than nodes) gives each node one task and then fills node after node; cyclic deals
 * them out in turn. Pure.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* One node of the job, as it is offered. */
struct layout_node {
    uint32_t cpus; /* that the step could have here */
    bool barred;   /* excluded, failed, before --relative, or too little memory */
    bool required; /* named by --nodelist */
};

struct layout_ask {
    uint32_t min_nodes, max_nodes; /* 1 <= min <= max */
    uint32_t ntasks;
    uint32_t cpus_per_task;   /* 1 or more */
    uint32_t ntasks_per_node; /* 0: any */
    bool overcommit;
    bool cyclic;
};

/* Tasks that fit on the node. */
uint32_t layout_capacity(const struct layout_ask *ask, const struct layout_node *node);

/* Fills ret_tasks (nodes_n of them; 0: node not used). False: the step does not fit. */
bool layout_make(const struct layout_ask *ask, const struct layout_node *nodes, uint32_t nodes_n,
                 uint32_t *ret_tasks);
