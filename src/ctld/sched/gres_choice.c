#include "ctld/sched/gres_choice.h"

#include <string.h>

#define ROWS_MAX 64 /* of a node; one with more is served by any */

struct gres_choice gres_choice_any(void)
{
    struct gres_choice choice = { .near = { 0 } };

    memset(choice.rows, 0xff, sizeof(choice.rows));
    return choice;
}

void gres_choice_auto_(struct gres_choice *choice)
{
    bitset_clear(&choice->near);
}

bool gres_choice_has(const struct gres_choice *choice, uint32_t want, uint32_t row)
{
    return want >= GRES_WANTS_MAX || row >= ROWS_MAX || (choice->rows[want] >> row & 1);
}

/* ---- candidates ---- */

static bool is_same_type(const struct sched_gres *a, const struct sched_gres *b)
{
    return a->type && b->type ? strcmp(a->type, b->type) == 0 : a->type == b->type;
}

/* All devices of a sort are near the same cpus. */
static bool is_same_near(const struct sched_gres *a, const struct sched_gres *b)
{
    return a->near && b->near ? bitset_equal(&a->near[0], &b->near[0]) : a->near == b->near;
}

/* Sorts that the want accepts and that are like the `row`-th: of its type, or also near its cpus.
 */
static uint64_t rows_like(const struct gres_want *want, const struct sched_node *node, uint32_t row,
                          bool near)
{
    uint64_t rows = 0;

    for (uint32_t i = 0; i < node->gres_n; i++) {
        if (gres_is_wanted(want, &node->gres[i]) &&
            is_same_type(&node->gres[i], &node->gres[row]) &&
            (!near || is_same_near(&node->gres[i], &node->gres[row])))
            rows |= UINT64_C(1) << i;
    }
    return rows;
}

/* The k-th candidate, in the order of preference; 0: it is none, or was there before. */
static uint64_t candidate(const struct gres_want *want, const struct sched_node *node, uint32_t k)
{
    const uint32_t row = k % node->gres_n;
    uint64_t rows;

    if (k == 2 * node->gres_n)
        return UINT64_MAX;
    if (!gres_is_wanted(want, &node->gres[row]))
        return 0;
    rows = rows_like(want, node, row, k < node->gres_n);
    return (uint32_t)__builtin_ctzll(rows) == row ? rows : 0;
}

/* ---- whether one will do ---- */

static uint64_t devices_in(const struct gres_want *want, const struct sched_node *node,
                           const struct supply *free, uint64_t rows)
{
    uint64_t n = 0;

    for (uint32_t i = 0; i < node->gres_n; i++) {
        if ((rows >> i & 1) && gres_is_wanted(want, &node->gres[i]))
            n += gres_free_of(&node->gres[i], node, free);
    }
    return n;
}

/* Adds the cpus near these sorts; false when one of them is near to all. */
static bool add_near(const struct gres_want *want, const struct sched_node *node, uint64_t rows,
                     struct bitset *near)
{
    if (near->size == 0)
        bitset_init(near, node->cpus);
    for (uint32_t i = 0; i < node->gres_n; i++) {
        if (!(rows >> i & 1) || !gres_is_wanted(want, &node->gres[i]))
            continue;
        if (!node->gres[i].near)
            return false;
        bitset_or(near, &node->gres[i].near[0]);
    }
    return true;
}

static bool has_cores(const struct gres_want *want, const struct sched_node *node, uint64_t rows,
                      const struct cores *cores, uint32_t cores_n)
{
    AUTO(bitset) struct bitset near = { 0 };
    AUTO(cores) struct cores close = { .node = node };

    if (!add_near(want, node, rows, &near))
        return true;
    bitset_copy(&close.first, &cores->first);
    cores_keep_near(&close, &near);
    return cores_left(&close) >= cores_n;
}

static uint64_t choose_rows(const struct gres_want *want, const struct sched_node *node,
                            const struct supply *free, uint64_t n, const struct cores *cores,
                            uint32_t cores_n)
{
    uint64_t enough = 0;

    for (uint32_t k = 0; k <= 2 * node->gres_n; k++) {
        const uint64_t rows = candidate(want, node, k);

        if (!rows || devices_in(want, node, free, rows) < n)
            continue;
        if (has_cores(want, node, rows, cores, cores_n))
            return rows;
        enough = enough ? enough : rows;
    }
    return enough ? enough : UINT64_MAX;
}

static bool has_near(const struct gres_want *want, const struct sched_node *node)
{
    for (uint32_t i = 0; i < node->gres_n; i++) {
        if (node->gres[i].near && gres_is_wanted(want, &node->gres[i]))
            return true;
    }
    return false;
}

/* Beside typed wants of its name, one without type takes what these leave, of any sort. */
static bool is_alone(const struct gres_wants *wants, uint32_t at)
{
    for (uint32_t i = 0; i < at; i++) {
        if (strcmp(wants->at[i].name, wants->at[at].name) == 0 && !wants->at[at].type)
            return false;
    }
    return true;
}

void gres_choose(const struct gres_wants *wants, const struct sched_node *node,
                 const struct supply *free, uint32_t tasks, const struct gres_share *share,
                 const struct cores *cores, uint32_t cores_n, struct gres_choice *ret)
{
    for (uint32_t w = 0; w < wants->n && w < GRES_WANTS_MAX; w++) {
        const struct gres_want *want = &wants->at[w];
        const uint64_t n = gres_devices(wants, want, tasks, share);

        if (n == 0 || node->gres_n == 0 || node->gres_n > ROWS_MAX)
            continue;
        if (is_alone(wants, w))
            ret->rows[w] = choose_rows(want, node, free, n, cores, cores_n);
        if (has_near(want, node) && !add_near(want, node, ret->rows[w], &ret->near)) {
            bitset_clear(&ret->near);
            return;
        }
    }
}
