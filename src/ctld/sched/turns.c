#include "ctld/sched/turns.h"

#include <string.h>

#define HEAD_START_MS 3600000.0

/* ---- the order ---- */

static double stretch(const struct turns *turns, const struct sched_job *job)
{
    return ((double)(turns->now_ms - job->since_ms) + HEAD_START_MS) /
           (double)length_planned(job->duration_ms);
}

static int compare_turns(const struct turns *turns, const struct sched_job *a,
                         const struct sched_job *b)
{
    if (turns->turn == PLAN_TURN_STRETCHED) {
        const double a_stretch = stretch(turns, a), b_stretch = stretch(turns, b);

        if (a_stretch < b_stretch || a_stretch > b_stretch)
            return a_stretch > b_stretch ? -1 : 1;
    } else if (a->duration_ms != b->duration_ms) {
        return a->duration_ms < b->duration_ms ? -1 : 1;
    }
    return sched_job_compare(a, b);
}

/* Of jobs of one length the order does not change with time. */
static int compare_ranks(const void *a, const void *b)
{
    return sched_job_compare(*(struct sched_job *const *)a, *(struct sched_job *const *)b);
}

static int compare_waits(const void *a, const void *b)
{
    const struct sched_job *left = *(struct sched_job *const *)a;
    const struct sched_job *right = *(struct sched_job *const *)b;

    if (left->since_ms != right->since_ms)
        return left->since_ms < right->since_ms ? -1 : 1;
    return sched_job_compare(left, right);
}

static int compare_in_group(const struct turns *turns, const struct sched_job *a,
                            const struct sched_job *b)
{
    return turns->turn == PLAN_TURN_STRETCHED ? compare_waits(&a, &b) : compare_ranks(&a, &b);
}

static void sort_group(const struct turns *turns, struct turn_group *group)
{
    if (!group->sorted)
        qsort(group->jobs, group->n, sizeof(struct sched_job *),
              turns->turn == PLAN_TURN_STRETCHED ? compare_waits : compare_ranks);
    group->sorted = true;
}

/* ---- families and groups ---- */

/* Only jobs about which nothing but nodes decides share what is found out. */
static bool shares(const struct sched_job *job)
{
    for (uint32_t i = 0; i < job->options_n; i++) {
        if (job->options[i].not_before != INT64_MIN)
            return false;
    }
    return job->licenses_n == 0 && job->reservation == 0 && job->duration_min_ms == 0;
}

static char *make_key(const struct sched_job *job, uint32_t *ret_n)
{
    const uint32_t n = shares(job) ? job->options_n : 1;
    uintptr_t *key = xcalloc(n, sizeof(*key));

    key[0] = (uintptr_t)job;
    for (uint32_t i = 0; shares(job) && i < n; i++)
        key[i] = (uintptr_t)job->options[i].kind;
    *ret_n = n * (uint32_t)sizeof(*key);
    return (char *)key;
}

static struct turn_family *get_family(struct turns *turns, const struct sched_job *job)
{
    struct turn_family *family;
    uint32_t key_n;
    AUTO_FREE char *key = make_key(job, &key_n);

    HASH_FIND(hh, turns->families, key, key_n, family);
    if (family)
        return family;
    family = xcalloc(1, sizeof(*family));
    family->key = STEAL(key);
    family->key_n = key_n;
    family->shares = shares(job);
    HASH_ADD_KEYPTR(hh, turns->families, family->key, family->key_n, family);
    return family;
}

/* Where the group of such jobs is, or should be. */
static uint32_t find_group(const struct turn_family *family, int64_t duration_ms)
{
    uint32_t low = 0, high = family->n;

    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;

        if (family->groups[middle]->duration_ms < duration_ms)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static struct turn_group *get_group(struct turns *turns, const struct sched_job *job)
{
    struct turn_family *family = get_family(turns, job);
    const uint32_t at = find_group(family, job->duration_ms);
    struct turn_group *group;

    if (at < family->n && family->groups[at]->duration_ms == job->duration_ms)
        return family->groups[at];
    group = xcalloc(1, sizeof(*group));
    group->family = family;
    group->duration_ms = job->duration_ms;
    group->sorted = true;
    ARRAY_PUSH(family->groups, family->n);
    memmove(&family->groups[at + 1], &family->groups[at],
            (family->n - 1 - at) * sizeof(struct turn_group *));
    family->groups[at] = group;
    return group;
}

static void free_family(struct turns *turns, struct turn_family *family)
{
    HASH_DEL(turns->families, family);
    free(family->groups);
    free(family->key);
    free(family);
}

static void drop_group(struct turns *turns, struct turn_group *group)
{
    struct turn_family *family = group->family;
    const uint32_t at = find_group(family, group->duration_ms);

    family->n--;
    memmove(&family->groups[at], &family->groups[at + 1],
            (family->n - at) * sizeof(struct turn_group *));
    free(group->jobs);
    free(group);
    if (family->n == 0)
        free_family(turns, family);
}

void turns_clear(struct turns *turns)
{
    struct turn_family *family, *next;

    HASH_ITER (hh, turns->families, family, next) {
        for (uint32_t i = 0; i < family->n; i++) {
            free(family->groups[i]->jobs);
            free(family->groups[i]);
        }
        free_family(turns, family);
    }
    free(turns->heap);
    free(turns->untried);
    *turns = (struct turns){ 0 };
}

/* ---- jobs ---- */

static void push_job(const struct turns *turns, struct turn_group *group, struct sched_job *job)
{
    group->sorted = group->n == 0 ||
                    (group->sorted && compare_in_group(turns, group->jobs[group->n - 1], job) < 0);
    *ARRAY_PUSH(group->jobs, group->n) = job;
}

static uint32_t find_job(const struct turns *turns, const struct turn_group *group,
                         const struct sched_job *job)
{
    uint32_t low = 0, high = group->n;

    while (!group->sorted && group->jobs[low] != job)
        low++;
    while (group->sorted && low < high) {
        const uint32_t middle = low + (high - low) / 2;

        if (compare_in_group(turns, group->jobs[middle], job) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void turns_add(struct turns *turns, struct sched_job *job)
{
    job->turn = get_group(turns, job);
    push_job(turns, job->turn, job);
    turns_doubt(turns, job);
}

void turns_drop(struct turns *turns, struct sched_job *job)
{
    struct turn_group *group = job->turn;
    const uint32_t at = find_job(turns, group, job);

    turns_settle(turns, job);
    job->turn = NULL;
    group->n--;
    memmove(&group->jobs[at], &group->jobs[at + 1], (group->n - at) * sizeof(struct sched_job *));
    if (group->n == 0)
        drop_group(turns, group);
}

void turns_doubt(struct turns *turns, struct sched_job *job)
{
    if (job->untried)
        return;
    *ARRAY_PUSH(turns->untried, turns->untried_n) = job;
    job->untried = turns->untried_n;
}

void turns_settle(struct turns *turns, struct sched_job *job)
{
    if (!job->untried)
        return;
    turns->untried[job->untried - 1] = turns->untried[--turns->untried_n];
    turns->untried[job->untried - 1]->untried = job->untried;
    job->untried = 0;
}

static void resort_family(struct turn_family *family)
{
    for (uint32_t i = 0; i < family->n; i++)
        family->groups[i]->sorted = false;
}

void turns_resort(struct turns *turns)
{
    for (struct turn_family *family = turns->families; family; family = family->hh.next)
        resort_family(family);
}

/* ---- a round: a heap ---- */

struct sched_job *turn_job(const struct turn_group *group)
{
    return group->jobs[group->next];
}

static bool comes_before(const struct turns *turns, const struct turn_group *a,
                         const struct turn_group *b)
{
    return compare_turns(turns, turn_job(a), turn_job(b)) < 0;
}

static void swap(struct turn_group **a, struct turn_group **b)
{
    struct turn_group *kept = *a;

    *a = *b;
    *b = kept;
}

void turns_begin(struct turns *turns, int64_t now_ms)
{
    turns->now_ms = now_ms;
    turns->heap_n = 0;
}

void turns_enter(struct turns *turns, struct turn_group *group, bool is_new)
{
    struct turn_group **heap;
    uint32_t i = turns->heap_n;

    if (is_new) {
        sort_group(turns, group);
        group->next = 0;
    }
    if (group->next >= group->n)
        return;
    *ARRAY_PUSH(turns->heap, turns->heap_n) = group;
    heap = turns->heap;
    for (; i > 0 && comes_before(turns, heap[i], heap[(i - 1) / 2]); i = (i - 1) / 2)
        swap(&heap[i], &heap[(i - 1) / 2]);
}

struct turn_group *turns_first(const struct turns *turns)
{
    return turns->heap_n ? turns->heap[0] : NULL;
}

void turns_leave(struct turns *turns)
{
    struct turn_group **heap = turns->heap;
    uint32_t i = 0;

    heap[0] = heap[--turns->heap_n];
    for (;;) {
        uint32_t least = i;

        for (uint32_t child = 2 * i + 1; child <= 2 * i + 2 && child < turns->heap_n; child++)
            least = comes_before(turns, heap[child], heap[least]) ? child : least;
        if (least == i)
            return;
        swap(&heap[i], &heap[least]);
        i = least;
    }
}
