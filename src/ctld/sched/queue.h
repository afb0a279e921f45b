/*
 * queue.h - the waiting jobs, by rank; and by duration, where a policy wants that.
 *
 * Borrows the jobs. Places are numbers from 0; inserting and removing shifts those behind.
 */
#pragma once

#include "ctld/sched/job.h"

struct queue {
    struct sched_job **by_rank;
    struct sched_job **by_duration; /* ties by rank; filled only when `sorts` */
    uint32_t n, room;
    bool sorts;
};

void queue_clear(struct queue *queue);

/* Where the job stands, or would stand. */
uint32_t queue_rank(const struct queue *queue, const struct sched_job *job);
uint32_t queue_turn(const struct queue *queue, const struct sched_job *job); /* by duration */

/* After jobs were given other priorities where they stand: the first rank whose job changes, or n.
 */
uint32_t queue_first_misplaced(const struct queue *queue);
void queue_sort(struct queue *queue);

/* Returns its rank. */
uint32_t queue_insert(struct queue *queue, struct sched_job *job);
void queue_remove(struct queue *queue, uint32_t rank);
