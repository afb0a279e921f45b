/*
 * choose.h - which nodes and cores a reservation gets.
 *
 * Nodes that are named are taken; else the planner is asked where a job of that size would be at
 * that time, so topology, weights and running jobs count as they do for jobs. Jobs that wait do
 * not: they will be planned around the reservation.
 */
#pragma once

#include "common/msg/reservation.h"
#include "ctld/control/act/act.h"
#include "ctld/model/model.h"

/*
 * Fills in nodes, parts and core_cnt of the record by what it asks for. `named`: a host list, or
 * NULL; *resv is not in the table, or is left as it is there. E_NODE_NAME, E_RESERVATION_OVERLAP,
 * E_NODES_BUSY, E_FEATURE, E_RESERVATION_CORES.
 */
int reserve_choose(struct act *act, struct reservation_record *resv, const char *named,
                   struct err *err);

/* Adds so many more nodes to *ret, which has the size of the model's, as they are chosen for the
 * reservation, that are none of `except`; or none at all. */
void reserve_choose_more(struct act *act, const struct reservation_record *resv, uint32_t n,
                         const struct bitset *except, struct bitset *ret);

/* Gives the reservation these nodes, whole but for its parts, which are of some of them. */
void reserve_take_nodes(const struct model *model, const struct bitset *nodes,
                        struct reservation_record *resv);
