/*
 * fit_deal.h - how many tasks each node of a job that starts gets.
 */
#pragma once

#include "ctld/sched/pick/fit.h"

/*
 * `nodes` come in the order in which they were chosen, tasks being what each can hold. As in Slurm,
 * each may use no more cpus than the job still needs when its turn comes, less one (with CR_CPU: a
 * core's) for every node that must follow; within that tasks are dealt in turn, or in planes. (-m
 * block only numbers them apart.) Whole nodes are not limited so, and get tasks in turn, or packed.
 * Sorts by number.
 */
void fit_deal(const struct pick_rule *rule, const struct fit_way *way, struct pick_node *nodes,
              uint32_t n);

/* Sets the shares to what each node is given, in their order: first what lies together on each, or
 * all where tasks are more than nodes; then what is still wanted. Every node gets some. */
void fit_deal_pooled(const struct pick_rule *rule, struct pick_node *nodes, uint32_t n);
