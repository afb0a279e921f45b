/*
 * replace.h - nodes of a reservation that are exchanged for others.
 *
 * As in Slurm a node that is down or drained is replaced in any reservation whose nodes were chosen
 * by their number, unless they are to stay (STATIC_ALLOC); with REPLACE so is one that a job of the
 * reservation has. With PART_NODES the nodes are those that the partition has.
 */
#pragma once

#include "ctld/control/act/act.h"

/* Looks at all reservations, if something has happened to nodes or jobs since the last look, or if
 * a node could not be replaced then. */
void reserve_replace(struct act *act);
