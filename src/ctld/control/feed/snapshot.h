/*
 * snapshot.h - the model as the planner wants to see it.
 *
 * Needs no running control, so that the simulator and what-if questions tell the planner the same.
 * Texts and sets of the model are borrowed unless something else is said.
 */
#pragma once

#include "ctld/model/model.h"
#include "ctld/sched/planner.h"

/* ---- the cluster (feed_node.c, feed_cluster.c) ---- */

/* A node for the planner; `usable` is left open. Clear it. */
void feed_fill_node(const struct model *model, const struct node *node, struct plan_node *ret);
void feed_clear_node(struct plan_node *plan);

/* Nodes, partitions, switches, pools and policy for the planner; no time, reservations and jobs. */
void feed_fill_cluster(const struct model *model, struct plan_snapshot *ret);
void feed_clear_cluster(struct plan_snapshot *snapshot);

/* How many pools licenses have, which come before all others. */
uint32_t feed_license_pools_n(const struct model *model);

/* ---- jobs (feed_job.c) ---- */

/* A waiting job for the planner; `partition` is the one its record names, more candidates are those
 * of its request. `begin_ms` is the cluster time of --begin, 0: at once. Clear it. */
void feed_fill_job(const struct model *model, const struct job_record *rec,
                   const struct job_request *request, uint32_t partition, int64_t begin_ms,
                   struct plan_job *ret);
void feed_clear_plan_job(struct plan_job *plan);

/* ---- numbers (feed_id.c) ---- */

/*
 * The planner's number of a job, and of each task of an array, whether it has a record of its own
 * or not. `task` is COUNT_UNSET for a job that is no part of an array.
 */
uint64_t feed_id(uint32_t job_id, uint32_t task);
uint64_t feed_id_of(const struct job *job); /* not of one that stands for several tasks */

/* The record that the number means, and which task of it; NULL: there is none (any more). */
struct job *feed_find(const struct model *model, uint64_t id, uint32_t *ret_task);

/* "12" or "12_3". Appends. */
void feed_id_format(uint64_t id, struct strbuf *out);

/* ---- allocations (feed_place.c) ---- */

/* Makes places of the nodes that the job still holds; see plan_places_free. */
void feed_fill_places(const struct model *model, const struct job *job, struct plan_job *plan);

/* True if what the place takes is free on its node, which takes new work. */
bool feed_place_fits(const struct model *model, const struct plan_place *place);

/* What a place takes on its node, for the record; `ret` is initialized. */
void feed_show_place(const struct model *model, const struct plan_place *place,
                     struct job_node *ret);

/* "n[1-3]": where the places are, sorted; NULL: there are none. To be freed. */
char *feed_place_names(const struct model *model, const struct plan_place *places, uint32_t n);
