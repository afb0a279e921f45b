/*
 * queue.h - the waiting jobs, by rank; and by turn, where a policy has another one than that.
 *
 * Borrows the jobs. Places are numbers from 0; inserting and removing shifts those behind.
 */
#pragma once

#include "ctld/sched/job.h"

struct queue {
    struct sched_job **by_rank;
    struct sched_job **by_turn; /* ties by rank; only filled for a turn other than by rank */
    uint32_t n, room;
    enum plan_turn turn;
    int64_t sorted_ms; /* at that time */
};

void queue_clear(struct queue *queue);

/* Where the job stands, or would stand. */
uint32_t queue_rank(const struct queue *queue, const struct sched_job *job);

/* Whose turn is when, as of now; cheap when little has changed. */
void queue_turn_to(struct queue *queue, int64_t now_ms);

/* After jobs were given other priorities where they stand: the first rank whose job changes, or n.
 */
uint32_t queue_first_misplaced(const struct queue *queue);
void queue_sort(struct queue *queue);

/* Returns its rank. */
uint32_t queue_insert(struct queue *queue, struct sched_job *job);
void queue_remove(struct queue *queue, uint32_t rank);
