#include "ctld/sched/plan/queue.h"

#include <string.h>

void queue_clear(struct queue *queue)
{
    free(queue->by_rank);
    *queue = (struct queue){ 0 };
}

uint32_t queue_rank(const struct queue *queue, const struct sched_job *job)
{
    uint32_t low = 0, high = queue->n;

    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;

        if (sched_job_compare(queue->by_rank[middle], job) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void grow(struct queue *queue)
{
    if (queue->n < queue->room)
        return;
    queue->room = queue->room ? queue->room * 2 : 64;
    queue->by_rank = xreallocarray(queue->by_rank, queue->room, sizeof(struct sched_job *));
}

/* A job is misplaced if one behind it comes before it. */
uint32_t queue_first_misplaced(const struct queue *queue)
{
    uint32_t first = queue->n, least = queue->n - 1;

    for (uint32_t rank = queue->n; rank-- > 0;) {
        if (sched_job_compare(queue->by_rank[rank], queue->by_rank[least]) > 0)
            first = rank;
        else
            least = rank;
    }
    return first;
}

void queue_sort(struct queue *queue)
{
    if (queue->n == 0)
        return;
    qsort(queue->by_rank, queue->n, sizeof(struct sched_job *), sched_job_compare_sorted);
}

void queue_append(struct queue *queue, struct sched_job *job)
{
    grow(queue);
    queue->by_rank[queue->n++] = job;
}

void queue_insert(struct queue *queue, struct sched_job *job)
{
    const uint32_t rank = queue_rank(queue, job);

    grow(queue);
    memmove(&queue->by_rank[rank + 1], &queue->by_rank[rank],
            (queue->n++ - rank) * sizeof(struct sched_job *));
    queue->by_rank[rank] = job;
}

void queue_remove(struct queue *queue, uint32_t rank)
{
    queue->n--;
    memmove(&queue->by_rank[rank], &queue->by_rank[rank + 1],
            (queue->n - rank) * sizeof(struct sched_job *));
}
