#include "ctld/sched/plan/turns.h"

#include <string.h>

#define HEAD_START_MS 3600000.0

/* ---- the order ---- */

/* Returns the key that orders jobs: the lesser one comes first, and of equal ones the better
 * rank. */
static double key_of(const struct turns *turns, int64_t duration_ms, int64_t since_ms)
{
    const double length = (double)length_planned(duration_ms);

    if (turns->turn == PLAN_TURN_QUEUE)
        return 0;
    if (turns->turn != PLAN_TURN_STRETCHED)
        return length;
    return -((double)(turns->now_ms - since_ms) + HEAD_START_MS) / length;
}

static int compare_waits(const void *a, const void *b)
{
    const struct sched_job *left = *(struct sched_job *const *)a;
    const struct sched_job *right = *(struct sched_job *const *)b;

    if (left->since_ms != right->since_ms)
        return left->since_ms < right->since_ms ? -1 : 1;
    return sched_job_compare(left, right);
}

/* Compares jobs of one length, whose order does not change with time. */
static int compare_in_group(const struct turns *turns, const struct sched_job *a,
                            const struct sched_job *b)
{
    return turns->turn == PLAN_TURN_STRETCHED ? compare_waits(&a, &b) : sched_job_compare(a, b);
}

static void sort_group(const struct turns *turns, struct turn_group *group)
{
    if (!group->sorted)
        qsort(group->jobs, group->n, sizeof(struct sched_job *),
              turns->turn == PLAN_TURN_STRETCHED ? compare_waits : sched_job_compare_sorted);
    group->sorted = true;
}

/* ---- families and groups ---- */

/* Returns whether the job shares what is found out: only if nothing but nodes and pools decides
 * about it. */
static bool shares(const struct sched_job *job)
{
    for (uint32_t i = 0; i < job->options_n; i++) {
        if (job->options[i].not_before != INT64_MIN || job->options[i].reservation)
            return false;
    }
    return job->duration_min_ms == 0;
}

/* What a class or a family is told apart by. */
enum key_part { OF_CLASS, OF_FAMILY };

static char *make_key(const struct sched_job *job, enum key_part part, uint32_t *ret_n)
{
    const uint32_t n = shares(job) ? job->options_n : 1;
    uintptr_t *key = xcalloc(n, sizeof(*key));

    key[0] = (uintptr_t)job;
    for (uint32_t i = 0; shares(job) && i < n; i++)
        key[i] =
            part == OF_CLASS ? (uintptr_t)job->options[i].kind : (uintptr_t)job->options[i].claims;
    *ret_n = n * (uint32_t)sizeof(*key);
    return (char *)key;
}

/* Returns the one list that all options claim, or NULL when there are several or none. */
static struct claim_list *only_list(const struct sched_job *job)
{
    for (uint32_t i = 1; i < job->options_n; i++) {
        if (job->options[i].claims != job->options[0].claims)
            return NULL;
    }
    return job->options[0].claims;
}

static struct turn_class *get_class(struct turns *turns, const struct sched_job *job)
{
    struct turn_class *class;
    uint32_t key_n;
    AUTO_FREE char *key = make_key(job, OF_CLASS, &key_n);

    HASH_FIND(hh, turns->classes, key, key_n, class);
    if (class)
        return class;
    class = xcalloc(1, sizeof(*class));
    class->key = STEAL(key);
    class->key_n = key_n;
    class->shares = shares(job);
    class->least_ms = job->duration_ms;
    HASH_ADD_KEYPTR(hh, turns->classes, class->key, class->key_n, class);
    return class;
}

static struct turn_family *get_family(struct turn_class *class, const struct sched_job *job)
{
    struct turn_family *family;
    uint32_t key_n;
    AUTO_FREE char *key = make_key(job, OF_FAMILY, &key_n);

    HASH_FIND(hh, class->families, key, key_n, family);
    if (family)
        return family;
    family = xcalloc(1, sizeof(*family));
    family->class = class;
    family->key = STEAL(key);
    family->claims = only_list(job);
    family->parked_on = POOL_NONE;
    HASH_ADD_KEYPTR(hh, class->families, family->key, key_n, family);
    return family;
}

/* Returns the index at which the group of this duration is, or should be. */
static uint32_t find_group(const struct turn_family *family, int64_t duration_ms)
{
    uint32_t low = 0, high = family->n;

    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;

        if (family->groups[middle].duration_ms < duration_ms)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static struct turn_group *get_group(struct turn_family *family, int64_t duration_ms)
{
    const uint32_t at = find_group(family, duration_ms);

    if (at < family->n && family->groups[at].duration_ms == duration_ms)
        return &family->groups[at];
    ARRAY_PUSH(family->groups, family->n);
    memmove(&family->groups[at + 1], &family->groups[at],
            (family->n - 1 - at) * sizeof(*family->groups));
    family->groups[at] = (struct turn_group){ .duration_ms = duration_ms, .sorted = true };
    return &family->groups[at];
}

static void free_class(struct turns *turns, struct turn_class *class)
{
    HASH_DEL(turns->classes, class);
    free(class->heap.at);
    free(class->key);
    free(class);
}

static void free_family(struct turn_family *family)
{
    HASH_DEL(family->class->families, family);
    free(family->groups);
    free(family->key);
    free(family);
}

static void drop_group(struct turns *turns, struct turn_family *family, struct turn_group *group)
{
    struct turn_class *class = family->class;

    free(group->jobs);
    family->n--;
    memmove(group, group + 1, (size_t)(&family->groups[family->n] - group) * sizeof(*group));
    if (family->n > 0)
        return;
    free_family(family);
    if (!class->families)
        free_class(turns, class);
}

static void clear_class(struct turns *turns, struct turn_class *class)
{
    struct turn_family *family, *next;

    HASH_ITER (hh, class->families, family, next) {
        for (uint32_t i = 0; i < family->n; i++)
            free(family->groups[i].jobs);
        free_family(family);
    }
    free_class(turns, class);
}

void turns_clear(struct turns *turns)
{
    struct turn_class *class, *next;

    HASH_ITER (hh, turns->classes, class, next)
        clear_class(turns, class);
    free(turns->heap.at);
    free(turns->untried);
    *turns = (struct turns){ 0 };
}

/* ---- jobs ---- */

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
    struct turn_class *class = get_class(turns, job);
    struct turn_group *group;

    if (job->duration_ms < class->least_ms)
        class->least_ms = job->duration_ms;
    job->family = get_family(class, job);
    group = get_group(job->family, job->duration_ms);
    group->sorted = group->n == 0 ||
                    (group->sorted && compare_in_group(turns, group->jobs[group->n - 1], job) < 0);
    *ARRAY_PUSH(group->jobs, group->n) = job;
    turns_doubt(turns, job);
}

void turns_drop(struct turns *turns, struct sched_job *job)
{
    struct turn_group *group = get_group(job->family, job->duration_ms);
    const uint32_t at = find_job(turns, group, job);

    turns_settle(turns, job);
    group->n--;
    memmove(&group->jobs[at], &group->jobs[at + 1], (group->n - at) * sizeof(struct sched_job *));
    group->round = 0;
    if (group->n == 0)
        drop_group(turns, job->family, group);
    job->family = NULL;
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
        family->groups[i].sorted = false;
}

void turns_resort(struct turns *turns)
{
    for (struct turn_class *class = turns->classes; class; class = class->hh.next) {
        for (struct turn_family *family = class->families; family; family = family->hh.next)
            resort_family(family);
    }
}

/* ---- a round ---- */

static bool comes_before(const struct turn_entry *a, const struct turn_entry *b)
{
    if (a->key < b->key || a->key > b->key)
        return a->key < b->key;
    return sched_job_compare(a->job, b->job) < 0;
}

static void swap(struct turn_entry *a, struct turn_entry *b)
{
    const struct turn_entry kept = *a;

    *a = *b;
    *b = kept;
}

static void push(struct turn_heap *heap, struct turn_entry entry)
{
    uint32_t i = heap->n;

    *ARRAY_PUSH(heap->at, heap->n) = entry;
    for (; i > 0 && comes_before(&heap->at[i], &heap->at[(i - 1) / 2]); i = (i - 1) / 2)
        swap(&heap->at[i], &heap->at[(i - 1) / 2]);
}

static void drop_first(struct turn_heap *heap)
{
    uint32_t i = 0;

    heap->at[0] = heap->at[--heap->n];
    for (;;) {
        uint32_t least = i;

        for (uint32_t child = 2 * i + 1; child <= 2 * i + 2 && child < heap->n; child++)
            least = comes_before(&heap->at[child], &heap->at[least]) ? child : least;
        if (least == i)
            return;
        swap(&heap->at[i], &heap->at[least]);
        i = least;
    }
}

void turns_begin(struct turns *turns, int64_t now_ms)
{
    turns->now_ms = now_ms;
    turns->round++;
    turns->heap.n = 0;
    for (struct turn_class *class = turns->classes; class; class = class->hh.next)
        class->heap.n = 0;
}

static bool is_cut(const struct turn_class *class, int64_t duration_ms)
{
    return length_planned(duration_ms) >= class->vain_length;
}

bool turns_limit(struct turn_class *class, int64_t length)
{
    class->vain_length = length;
    return !is_cut(class, class->least_ms);
}

void turns_shorten(struct turns *turns, struct turn_family *family, int64_t duration_ms)
{
    if (family->vain_round == turns->round && family->vain_ms <= duration_ms)
        return;
    family->vain_round = turns->round;
    family->vain_ms = duration_ms;
}

void turns_park(struct turn_family *family, int64_t duration_ms, const struct pools *pools,
                uint32_t pool, int64_t until_ms)
{
    family->parked_on = pool;
    family->parked_given_n = pools->at[pool].given_n;
    family->parked_ms = duration_ms;
    family->parked_until_ms = until_ms;
}

bool turns_are_parked(const struct turn_family *family, int64_t duration_ms,
                      const struct pools *pools, int64_t now_ms)
{
    return family->parked_on != POOL_NONE && duration_ms >= family->parked_ms &&
           now_ms < family->parked_until_ms &&
           pools->at[family->parked_on].given_n == family->parked_given_n;
}

static void go_to(struct turn_group *group, uint32_t next)
{
    group->next = next;
    group->since_ms = next < group->n ? group->jobs[next]->since_ms : 0;
}

static void prepare_group(const struct turns *turns, struct turn_group *group)
{
    if (group->round == turns->round)
        return;
    sort_group(turns, group);
    group->round = turns->round;
    go_to(group, 0);
}

void turns_pass_over(struct turns *turns, const struct sched_job *job)
{
    struct turn_group *group = get_group(job->family, job->duration_ms);

    prepare_group(turns, group);
    go_to(group, group->next + 1);
}

/* Finds the family's next job; returns false when none of its jobs is left. */
static bool find_next(const struct turns *turns, struct turn_family *family, struct turn_entry *ret)
{
    const bool is_vain = family->vain_round == turns->round;

    ret->job = NULL;
    for (uint32_t i = 0; i < family->n; i++) {
        struct turn_group *group = &family->groups[i];
        struct turn_entry entry;

        if ((is_vain && group->duration_ms >= family->vain_ms) ||
            is_cut(family->class, group->duration_ms))
            break;
        prepare_group(turns, group);
        if (group->next >= group->n)
            continue;
        entry.key = key_of(turns, group->duration_ms, group->since_ms);
        if (ret->job && entry.key > ret->key)
            continue;
        entry.job = group->jobs[group->next];
        if (!ret->job || comes_before(&entry, ret))
            *ret = entry;
    }
    return ret->job;
}

void turns_line_up(struct turns *turns, struct turn_family *family)
{
    struct turn_entry entry;

    if (find_next(turns, family, &entry))
        push(&family->class->heap, entry);
}

void turns_enter(struct turns *turns, struct turn_class *class)
{
    if (is_cut(class, class->least_ms))
        class->heap.n = 0;
    while (class->heap.n) {
        const struct turn_entry first = class->heap.at[0];

        if (!is_cut(class, first.job->duration_ms)) {
            push(&turns->heap, first);
            return;
        }
        drop_first(&class->heap);
        turns_line_up(turns, first.job->family);
    }
}

struct sched_job *turns_first(const struct turns *turns)
{
    return turns->heap.n ? turns->heap.at[0].job : NULL;
}

void turns_leave(struct turns *turns)
{
    struct turn_heap *heap = &turns_first(turns)->family->class->heap;

    drop_first(&turns->heap);
    drop_first(heap);
}
