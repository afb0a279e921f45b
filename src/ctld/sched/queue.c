#include "ctld/sched/queue.h"

#include <string.h>

#define HEAD_START_MS 3600000.0

static double stretch(const struct sched_job *job, int64_t now_ms)
{
    const int64_t wait_ms = now_ms > job->since_ms ? now_ms - job->since_ms : 0;

    return ((double)wait_ms + HEAD_START_MS) / (double)length_planned(job->duration_ms);
}

static int compare_turns(const struct queue *queue, const struct sched_job *a,
                         const struct sched_job *b)
{
    if (queue->turn == PLAN_TURN_STRETCHED) {
        const double a_stretch = stretch(a, queue->sorted_ms);
        const double b_stretch = stretch(b, queue->sorted_ms);

        if (a_stretch < b_stretch || a_stretch > b_stretch)
            return a_stretch > b_stretch ? -1 : 1;
    } else if (a->duration_ms != b->duration_ms) {
        return a->duration_ms < b->duration_ms ? -1 : 1;
    }
    return sched_job_compare(a, b);
}

void queue_clear(struct queue *queue)
{
    free(queue->by_rank);
    free(queue->by_turn);
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

static uint32_t find_turn(const struct queue *queue, const struct sched_job *job)
{
    uint32_t low = 0, high = queue->n;

    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;

        if (compare_turns(queue, queue->by_turn[middle], job) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* An insertion sort: time, and a few priorities, change little about the order. */
static void sort_turns(struct queue *queue)
{
    for (uint32_t i = 1; queue->turn != PLAN_TURN_RANK && i < queue->n; i++) {
        struct sched_job *job = queue->by_turn[i];
        uint32_t at = i;

        for (; at > 0 && compare_turns(queue, queue->by_turn[at - 1], job) > 0; at--)
            queue->by_turn[at] = queue->by_turn[at - 1];
        queue->by_turn[at] = job;
    }
}

void queue_turn_to(struct queue *queue, int64_t now_ms)
{
    if (queue->turn != PLAN_TURN_STRETCHED || queue->sorted_ms == now_ms)
        return;
    queue->sorted_ms = now_ms;
    sort_turns(queue);
}

static void insert_at(struct sched_job **jobs, uint32_t n, uint32_t at, struct sched_job *job)
{
    memmove(&jobs[at + 1], &jobs[at], (n - at) * sizeof(struct sched_job *));
    jobs[at] = job;
}

static void remove_at(struct sched_job **jobs, uint32_t n, uint32_t at)
{
    memmove(&jobs[at], &jobs[at + 1], (n - at - 1) * sizeof(struct sched_job *));
}

static void grow(struct queue *queue)
{
    if (queue->n < queue->room)
        return;
    queue->room = queue->room ? queue->room * 2 : 64;
    queue->by_rank = xreallocarray(queue->by_rank, queue->room, sizeof(struct sched_job *));
    queue->by_turn = xreallocarray(queue->by_turn, queue->room, sizeof(struct sched_job *));
}

/* A job stays where none behind it comes before it. */
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

static int compare_ranks(const void *a, const void *b)
{
    return sched_job_compare(*(struct sched_job *const *)a, *(struct sched_job *const *)b);
}

void queue_sort(struct queue *queue)
{
    if (queue->n == 0)
        return;
    qsort(queue->by_rank, queue->n, sizeof(struct sched_job *), compare_ranks);
    sort_turns(queue);
}

uint32_t queue_insert(struct queue *queue, struct sched_job *job)
{
    const uint32_t rank = queue_rank(queue, job);

    grow(queue);
    if (queue->turn != PLAN_TURN_RANK)
        insert_at(queue->by_turn, queue->n, find_turn(queue, job), job);
    insert_at(queue->by_rank, queue->n, rank, job);
    queue->n++;
    return rank;
}

void queue_remove(struct queue *queue, uint32_t rank)
{
    if (queue->turn != PLAN_TURN_RANK)
        remove_at(queue->by_turn, queue->n, find_turn(queue, queue->by_rank[rank]));
    remove_at(queue->by_rank, queue->n, rank);
    queue->n--;
}
