/*
 * room.h - the free cores of a node as a job sees them, and the tasks that they hold.
 */
#pragma once

#include "ctld/sched/place/demand.h"

struct room {
    uint64_t cores, tasks;
};

/* Returns how many rows of cpus the job may choose one of. */
uint32_t room_rows(const struct demand *demand, const struct sched_node *node);
struct room room_in_row(const struct demand *demand, const struct sched_node *node,
                        const struct supply *free, uint32_t row);

/* Finds the cores of a row that the job may take, in the way it wants them. */
void room_find(const struct demand *demand, const struct sched_node *node,
               const struct supply *free, uint32_t row, struct cores *ret);

/* Returns what the job can use of these cores on one socket. */
struct room room_on_socket(const struct demand *demand, const struct cores *cores, uint32_t socket);
