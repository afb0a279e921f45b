/*
 * per_node.h - what a job has on each of its nodes, as its variables tell it. Pure.
 *
 * Where tasks use fewer threads of a core than there are, the others are the job's, too, but are
 * not counted, as in Slurm.
 */
#pragma once

#include "common/msg/job.h"
#include "common/msg/node.h"
#include "ctld/model/model.h"

/* Cpus of a core, or 1 where only cores are counted. */
uint32_t node_threads(const struct node_info *conf);

/* Counts cpus in rising order: those that can have a task, where so many of a core have one. */
struct core_count {
    uint32_t threads; /* of a core of the node */
    uint32_t most;    /* that have a task; 0: all */
    uint32_t n;
    uint32_t core, of_core; /* the last one's, and how many of it */
};
void core_count_add(struct core_count *count, uint32_t cpu);

/* How many of a job's cpus on a node can have tasks, without those in `without`, which may be
 * NULL. */
uint32_t place_cpus(const struct model *model, uint32_t node, const struct job_node *place,
                    uint32_t per_core, const struct bitset *without);

/* Cpus on the job's i-th node, as SLURM_CPUS_ON_NODE says them. */
uint32_t job_cpus_on(const struct model *model, const struct job *job, uint32_t i);

/* Cpus and tasks on each node of the job, as SLURM_JOB_CPUS_PER_NODE and SLURM_TASKS_PER_NODE say
 * them; `ret` has rec.nodes_n members. */
void job_cpus_per_node(const struct model *model, const struct job *job, uint32_t *ret);
void job_tasks_per_node(const struct model *model, const struct job *job, uint32_t *ret);

/* The position of a node in the job's allocation, or -1. */
int64_t job_position(const struct job *job, const char *node);

/* What the job holds of a node, also of one that is leaving it; NULL: nothing. */
struct job_node *job_find_place(struct job *job, const char *node);

/* What the job holds of a node that is leaving it; NULL: the node is not leaving. */
struct job_node *job_find_leaving(struct job *job, const char *node);
