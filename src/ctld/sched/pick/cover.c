#include "ctld/sched/pick/cover.h"

#include <string.h>

#include "common/base/minmax.h"

/* A way to bring what is lacking, as far as it is made. */
struct way {
    uint32_t left; /* nodes still to be taken */
    int64_t lacks[COVER_SUMS_MAX];
    uint32_t *met;
    uint32_t work;
};

void cover_init(struct cover *cover, const struct pick_rule *rule,
                const struct constraint_alternative *alternative)
{
    *cover = (struct cover){
        .rule = rule,
        .alternative = alternative,
        .sums_n = 1 + rule->pooled_n,
        .quotas_n = alternative ? alternative->quotas_n : 0,
    };
    cover->lacks[0] = (int64_t)rule->tasks;
    for (uint32_t i = 0; i < rule->pooled_n; i++)
        cover->lacks[1 + i] = (int64_t)rule->pooled[i];
    cover->met = xcalloc(cover->quotas_n + 1, sizeof(*cover->met));
    cover->met_trial = xcalloc(cover->quotas_n + 1, sizeof(*cover->met_trial));
}

void cover_clear(struct cover *cover)
{
    for (uint32_t i = 0; i < cover->buckets_n; i++)
        free(cover->buckets[i].meets);
    for (uint32_t i = 0; i < GRES_POOLED_MAX; i++)
        free(cover->orders[i]);
    free(cover->sorted);
    free(cover->buckets);
    free(cover->met);
    free(cover->met_trial);
    *cover = (struct cover){ 0 };
}

void cover_auto_(struct cover *cover)
{
    cover_clear(cover);
}

/* ---- buckets ---- */

static void fill_gives(const struct pick_rule *rule, const struct pick_node *node, uint32_t *gives)
{
    gives[0] = (uint32_t)MIN(node->tasks, rule->tasks);
    for (uint32_t i = 0; i < rule->pooled_n; i++)
        gives[1 + i] = (uint32_t)MIN(node->share.pooled[i], rule->pooled[i]);
}

/* Orders the most first; buckets that give the same are told apart by their features. */
static int compare(const struct cover_bucket *a, const struct cover_bucket *b, uint32_t sums_n)
{
    for (uint32_t i = 0; i < sums_n; i++) {
        if (a->gives[i] != b->gives[i])
            return a->gives[i] > b->gives[i] ? -1 : 1;
    }
    return a->features < b->features ? -1 : a->features > b->features;
}

static uint32_t add_bucket(struct cover *cover, const struct cover_bucket *like, uint32_t at)
{
    const uint32_t number = cover->buckets_n;
    struct cover_bucket *bucket = ARRAY_PUSH(cover->buckets, cover->buckets_n);
    uint32_t sorted_n = number;

    *bucket = *like;
    bucket->meets = xcalloc(cover->quotas_n + 1, sizeof(*bucket->meets));
    for (uint32_t i = 0; i < cover->quotas_n; i++)
        bucket->meets[i] =
            constraint_meets(&cover->alternative->quotas[i].predicate, bucket->features);
    (void)ARRAY_PUSH(cover->sorted, sorted_n);
    memmove(cover->sorted + at + 1, cover->sorted + at, (number - at) * sizeof(*cover->sorted));
    cover->sorted[at] = number;
    cover->ordered = false;
    return number;
}

static uint32_t find_bucket(struct cover *cover, const struct cover_bucket *like)
{
    uint32_t low = 0, high = cover->buckets_n;

    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        const int order = compare(&cover->buckets[cover->sorted[middle]], like, cover->sums_n);

        if (order == 0)
            return cover->sorted[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return add_bucket(cover, like, low);
}

static uint32_t *recent_slot(struct cover *cover, const struct cover_bucket *like)
{
    uint64_t hash = like->features;

    for (uint32_t i = 0; i < cover->sums_n; i++)
        hash = hash * 31 + like->gives[i];
    return &cover->recent[hash % COVER_RECENT];
}

uint32_t cover_bucket(struct cover *cover, const struct pick_node *node)
{
    struct cover_bucket like = { .features = cover->quotas_n ? node->features : 0 };
    uint32_t *recent;

    fill_gives(cover->rule, node, like.gives);
    recent = recent_slot(cover, &like);
    if (*recent == 0 || compare(&cover->buckets[*recent - 1], &like, cover->sums_n) != 0)
        *recent = find_bucket(cover, &like) + 1;
    return *recent - 1;
}

struct by_sum {
    const struct cover_bucket *buckets;
    uint32_t sum;
};

static int compare_sum(const void *a, const void *b, void *by_sum)
{
    const struct by_sum *by = by_sum;
    const uint32_t left = by->buckets[*(const uint32_t *)a].gives[by->sum];
    const uint32_t right = by->buckets[*(const uint32_t *)b].gives[by->sum];

    return left > right ? -1 : left < right;
}

static void set_orders(struct cover *cover)
{
    for (uint32_t i = 0; i < cover->rule->pooled_n; i++) {
        struct by_sum by = { cover->buckets, 1 + i };

        free(cover->orders[i]);
        cover->orders[i] = xmemdup(cover->sorted, cover->buckets_n * sizeof(*cover->sorted));
        qsort_r(cover->orders[i], cover->buckets_n, sizeof(*cover->sorted), compare_sum, &by);
    }
    cover->ordered = true;
}

static const uint32_t *order_of(const struct cover *cover, uint32_t sum)
{
    return sum == 0 ? cover->sorted : cover->orders[sum - 1];
}

/* ---- what is chosen ---- */

static void count(const struct cover *cover, const struct cover_bucket *bucket, int64_t nodes,
                  int64_t *lacks, uint32_t *met)
{
    for (uint32_t i = 0; i < cover->sums_n; i++)
        lacks[i] -= nodes * bucket->gives[i];
    for (uint32_t i = 0; i < cover->quotas_n; i++) {
        if (bucket->meets[i])
            met[i] = (uint32_t)(met[i] + nodes);
    }
}

void cover_take(struct cover *cover, uint32_t bucket)
{
    count(cover, &cover->buckets[bucket], 1, cover->lacks, cover->met);
}

void cover_give_back(struct cover *cover, uint32_t bucket)
{
    count(cover, &cover->buckets[bucket], -1, cover->lacks, cover->met);
}

static uint32_t missing(const struct cover *cover, const uint32_t *met)
{
    return cover->quotas_n ? constraint_missing(cover->alternative, met) : 0;
}

static bool lacks_sums(const struct cover *cover, const int64_t *lacks)
{
    for (uint32_t i = 0; i < cover->sums_n; i++) {
        if (lacks[i] > 0)
            return true;
    }
    return false;
}

bool cover_is_full(const struct cover *cover)
{
    return !lacks_sums(cover, cover->lacks) && missing(cover, cover->met) == 0;
}

/* ---- what can be added ---- */

/* Returns how many nodes of the bucket leave room for those that the other quotas still miss. */
static uint32_t nodes_allowed(const struct cover *cover, const struct cover_bucket *bucket,
                              const struct way *way)
{
    uint32_t others = 0;

    for (uint32_t i = 0; i < cover->quotas_n; i++) {
        const uint32_t wanted = cover->alternative->quotas[i].nodes;

        if (!bucket->meets[i] && wanted > way->met[i] && wanted - way->met[i] > others)
            others = wanted - way->met[i];
    }
    return others > way->left ? 0 : MIN(bucket->nodes, way->left - others);
}

static void begin(const struct cover *cover, struct way *way, uint32_t k)
{
    way->left = k;
    memcpy(way->lacks, cover->lacks, sizeof(way->lacks));
    if (cover->quotas_n)
        memcpy(way->met, cover->met, cover->quotas_n * sizeof(*way->met));
}

/* Fills the way with the most that its nodes can bring of one sum. */
static void fill_greedily(struct cover *cover, struct way *way, uint32_t sum)
{
    const uint32_t *order = order_of(cover, sum);

    for (uint32_t i = 0; i < cover->buckets_n; i++) {
        struct cover_bucket *bucket = &cover->buckets[order[i]];

        bucket->trial = way->left ? nodes_allowed(cover, bucket, way) : 0;
        if (bucket->trial == 0)
            continue;
        count(cover, bucket, bucket->trial, way->lacks, way->met);
        way->left -= bucket->trial;
    }
}

/* Returns whether the buckets from `first` on can bring enough of each sum, looked at alone. */
static bool is_in_reach(const struct cover *cover, const struct way *way, uint32_t first)
{
    for (uint32_t sum = 0; sum < cover->sums_n; sum++) {
        const uint32_t *order = order_of(cover, sum);
        int64_t lacks = way->lacks[sum];
        uint32_t left = way->left;

        for (uint32_t i = 0; i < cover->buckets_n && left && lacks > 0; i++) {
            const struct cover_bucket *bucket = &cover->buckets[order[i]];
            const uint32_t nodes = MIN(left, bucket->nodes);

            if (compare(bucket, &cover->buckets[cover->sorted[first]], cover->sums_n) < 0)
                continue;
            lacks -= (int64_t)nodes * bucket->gives[sum];
            left -= nodes;
        }
        if (lacks > 0)
            return false;
    }
    return true;
}

/* Tries every number of nodes of every bucket, the most first. */
static bool try_all(struct cover *cover, struct way *way, uint32_t first)
{
    struct cover_bucket *bucket;

    if (way->left == 0 || first == cover->buckets_n)
        return way->left == 0 && !lacks_sums(cover, way->lacks) && missing(cover, way->met) == 0;
    if (++way->work > PICK_WORK_MAX || missing(cover, way->met) > way->left ||
        !is_in_reach(cover, way, first))
        return false;
    bucket = &cover->buckets[cover->sorted[first]];
    for (uint32_t nodes = nodes_allowed(cover, bucket, way) + 1; nodes-- > 0;) {
        bool found;

        bucket->trial = nodes;
        way->left -= nodes;
        count(cover, bucket, nodes, way->lacks, way->met);
        found = try_all(cover, way, first + 1);
        count(cover, bucket, -(int64_t)nodes, way->lacks, way->met);
        way->left += nodes;
        if (found)
            return true;
    }
    bucket->trial = 0;
    return false;
}

static bool is_loose(const struct cover *cover)
{
    return cover->alternative && cover->alternative->is_loose;
}

static bool find_way(struct cover *cover, struct way *way, uint32_t k)
{
    for (uint32_t sum = 0; sum < cover->sums_n; sum++) {
        begin(cover, way, k);
        fill_greedily(cover, way, sum);
        if (way->left || missing(cover, way->met) || way->lacks[sum] > 0) {
            if (is_loose(cover))
                break;
            return false;
        }
        if (!lacks_sums(cover, way->lacks))
            return true;
    }
    begin(cover, way, k);
    for (uint32_t i = 0; i < cover->buckets_n; i++)
        cover->buckets[i].trial = 0;
    return try_all(cover, way, 0);
}

bool cover_holds(struct cover *cover, uint32_t k)
{
    struct way way = { .met = cover->met_trial };

    if (!cover->ordered)
        set_orders(cover);
    if (k == 0 ? !cover_is_full(cover) : !find_way(cover, &way, k))
        return false;
    for (uint32_t i = 0; i < cover->buckets_n; i++)
        cover->buckets[i].used = k ? cover->buckets[i].trial : 0;
    return true;
}
