/*
 * queue.h - the waiting jobs by rank.
 *
 * Borrows the jobs. Ranks are numbers from 0; inserting and removing shifts those behind.
 */
#pragma once

#include "ctld/sched/future/job.h"

struct queue {
    struct sched_job **by_rank;
    uint32_t n, room;
};

void queue_clear(struct queue *queue);

/* Returns the rank at which the job stands, or would stand. */
uint32_t queue_rank(const struct queue *queue, const struct sched_job *job);

/* Returns the first rank whose job changes after jobs were given other priorities, or n. */
uint32_t queue_first_misplaced(const struct queue *queue);
void queue_sort(struct queue *queue);

/* Adds the job at the end, wherever it belongs: queue_sort must follow. */
void queue_append(struct queue *queue, struct sched_job *job);

void queue_insert(struct queue *queue, struct sched_job *job);
void queue_remove(struct queue *queue, uint32_t rank);
