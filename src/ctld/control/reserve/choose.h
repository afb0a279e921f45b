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

/*
 * Fills in nodes, parts and core_cnt of the record by what it asks for. `named`: a host list, or
 * NULL; *resv is not in the table, or is left as it is there. E_NODE_NAME, E_RESERVATION_OVERLAP,
 * E_NODES_BUSY, E_FEATURE, E_RESERVATION_CORES.
 */
int reserve_choose(struct act *act, struct reservation_record *resv, const char *named,
                   struct err *err);
