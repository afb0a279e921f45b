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

/* Where the job stands, or would stand. */
uint32_t queue_rank(const struct queue *queue, const struct sched_job *job);

/* After jobs were given other priorities where they stand: the first rank whose job changes, or n.
 */
uint32_t queue_first_misplaced(const struct queue *queue);
void queue_sort(struct queue *queue);

/* Anywhere: to be sorted before all else. */
void queue_append(struct queue *queue, struct sched_job *job);

void queue_insert(struct queue *queue, struct sched_job *job);
void queue_remove(struct queue *queue, uint32_t rank);
