#include "ctld/sched/plan/allot.h"

void allotments_clear(struct allotments *allotments)
{
    struct allotment *allotment, *next;

    HASH_ITER (hh, allotments->all, allotment, next) {
        HASH_DEL(allotments->all, allotment);
        queue_clear(&allotment->jobs);
        free(allotment);
    }
    free(allotments->heap);
    free(allotments->waiting);
    *allotments = (struct allotments){ 0 };
}

struct allotment *allotments_get(struct allotments *allotments, uint32_t line, uint32_t pool,
                                 uint32_t places_max)
{
    const struct allotment_key key = { line, pool };
    struct allotment *allotment;

    HASH_FIND(hh, allotments->all, &key, sizeof(key), allotment);
    if (!allotment) {
        allotment = xcalloc(1, sizeof(*allotment));
        allotment->key = key;
        HASH_ADD(hh, allotments->all, key, sizeof(key), allotment);
    }
    allotment->places_max = places_max;
    return allotment;
}

/* ---- places ---- */

static uint32_t places_n(const struct allotments *allotments, const struct allotment *allotment)
{
    return allotment->round == allotments->round ? allotment->places_n : 0;
}

bool allotment_has_left(const struct allotments *allotments, const struct allotment *allotment)
{
    return allotment->places_max == 0 || places_n(allotments, allotment) < allotment->places_max;
}

static bool is_open(const struct allotments *allotments, const struct allotment *allotment)
{
    return allotment->jobs.n > 0 && allotment_has_left(allotments, allotment);
}

void allotment_give(struct allotments *allotments, struct allotment *allotment)
{
    const bool was_open = is_open(allotments, allotment);

    allotment->places_n = places_n(allotments, allotment) + 1;
    allotment->round = allotments->round;
    allotments->open_n -= was_open && !is_open(allotments, allotment);
}

void allotments_reset(struct allotments *allotments)
{
    allotments->round++;
    allotments->open_n = allotments->waiting_n;
    allotments->heap_known = false;
}

/* ---- the heap ---- */

static bool comes_before(const struct allotment *a, const struct allotment *b)
{
    return sched_job_compare(a->next, b->next) < 0;
}

static void put(struct allotments *allotments, uint32_t i, struct allotment *allotment)
{
    allotments->heap[i] = allotment;
    allotment->heap_at = i + 1;
}

/* Puts the allotment where it belongs in the heap, from i on up or down. */
static void settle(struct allotments *allotments, uint32_t i, struct allotment *allotment)
{
    struct allotment **heap = allotments->heap;

    for (; i > 0 && comes_before(allotment, heap[(i - 1) / 2]); i = (i - 1) / 2)
        put(allotments, i, heap[(i - 1) / 2]);
    for (uint32_t child; (child = 2 * i + 1) < allotments->heap_n; i = child) {
        child += child + 1 < allotments->heap_n && comes_before(heap[child + 1], heap[child]);
        if (!comes_before(heap[child], allotment))
            break;
        put(allotments, i, heap[child]);
    }
    put(allotments, i, allotment);
}

static void leave_heap(struct allotments *allotments, struct allotment *allotment)
{
    const uint32_t at = allotment->heap_at;
    struct allotment *last;

    if (!at)
        return;
    allotment->heap_at = 0;
    last = allotments->heap[--allotments->heap_n];
    if (last != allotment)
        settle(allotments, at - 1, last);
}

/* Lets the allotment stand in the heap for its first job at `from` or behind it, if there is
 * one. */
static void stand_for(struct allotments *allotments, struct allotment *allotment,
                      const struct sched_job *from)
{
    const uint32_t rank = queue_rank(&allotment->jobs, from);

    if (rank == allotment->jobs.n) {
        leave_heap(allotments, allotment);
        return;
    }
    allotment->next = allotment->jobs.by_rank[rank];
    if (!allotment->heap_at) {
        ARRAY_PUSH(allotments->heap, allotments->heap_n);
        allotment->heap_at = allotments->heap_n;
    }
    settle(allotments, allotment->heap_at - 1, allotment);
}

static void fill_heap(struct allotments *allotments, const struct sched_job *from)
{
    for (uint32_t i = 0; i < allotments->heap_n; i++)
        allotments->heap[i]->heap_at = 0;
    allotments->heap_n = 0;
    for (uint32_t i = 0; i < allotments->waiting_n; i++) {
        if (is_open(allotments, allotments->waiting[i]))
            stand_for(allotments, allotments->waiting[i], from);
    }
    allotments->heap_known = true;
}

struct sched_job *allotments_first(struct allotments *allotments, const struct sched_job *from)
{
    if (!allotments->open_n)
        return NULL;
    if (!allotments->heap_known)
        fill_heap(allotments, from);
    while (allotments->heap_n) {
        struct allotment *first = allotments->heap[0];

        if (!is_open(allotments, first))
            leave_heap(allotments, first);
        else if (sched_job_compare(first->next, from) < 0)
            stand_for(allotments, first, from);
        else
            return first->next;
    }
    return NULL;
}

/* ---- jobs ---- */

static void begin_to_wait(struct allotments *allotments, struct allotment *allotment)
{
    *ARRAY_PUSH(allotments->waiting, allotments->waiting_n) = allotment;
    allotment->waiting_at = allotments->waiting_n;
}

static void cease_to_wait(struct allotments *allotments, struct allotment *allotment)
{
    struct allotment *last = allotments->waiting[--allotments->waiting_n];

    allotments->waiting[allotment->waiting_at - 1] = last;
    last->waiting_at = allotment->waiting_at;
    allotment->waiting_at = 0;
}

void allotment_add(struct allotments *allotments, struct allotment *allotment,
                   struct sched_job *job)
{
    const bool was_open = is_open(allotments, allotment);

    if (!allotment->waiting_at)
        begin_to_wait(allotments, allotment);
    queue_insert(&allotment->jobs, job);
    allotments->open_n += !was_open && is_open(allotments, allotment);
    if (allotments->heap_known &&
        (!allotment->heap_at || sched_job_compare(job, allotment->next) < 0))
        stand_for(allotments, allotment, job);
}

void allotment_drop(struct allotments *allotments, struct allotment *allotment,
                    struct sched_job *job)
{
    const bool was_open = is_open(allotments, allotment);

    queue_remove(&allotment->jobs, queue_rank(&allotment->jobs, job));
    if (allotment->jobs.n == 0)
        cease_to_wait(allotments, allotment);
    allotments->open_n -= was_open && !is_open(allotments, allotment);
    if (allotment->heap_at && allotment->next == job)
        stand_for(allotments, allotment, job);
}

void allotments_resort(struct allotments *allotments)
{
    for (uint32_t i = 0; i < allotments->waiting_n; i++)
        queue_sort(&allotments->waiting[i]->jobs);
    allotments->heap_known = false;
}
