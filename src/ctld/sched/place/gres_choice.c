#include "ctld/sched/place/gres_choice.h"

#include <string.h>

#define ROWS_MAX 63 /* of a node; one with more is served by any */

struct gres_choice gres_choice_any(void)
{
    struct gres_choice choice = { .near = { 0 } };

    memset(choice.rows, 0xff, sizeof(choice.rows));
    return choice;
}

void gres_choice_auto_(struct gres_choice *choice)
{
    bitset_clear(&choice->near);
    bitset_clear(&choice->spots);
    free(choice->counts);
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

/* Returns whether the sorts' devices are near the same cpus; all devices of a sort are. */
static bool is_same_near(const struct sched_gres *a, const struct sched_gres *b)
{
    return a->near && b->near ? bitset_equal(&a->near[0], &b->near[0]) : a->near == b->near;
}

/* Returns which sorts the want accepts that are like the `row`-th: of its type, or also near its
 * cpus. */
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

/* Returns the k-th candidate, in the order of preference; 0: it is none, or was there before. */
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

/* Returns whether a free core is near these devices, or no core is nearer than another. */
static bool has_core_near(const struct sched_gres *gres, const struct cores *cores)
{
    AUTO(cores) struct cores close = { .node = cores->node };

    if (!gres->near)
        return true;
    bitset_copy(&close.first, &cores->first);
    cores_keep_near(&close, &gres->near[0]);
    return cores_left(&close) > 0;
}

/*
 * Returns whether the devices are of use. Devices for each socket are, whatever its cores do: the
 * part need take no core of each socket, and what it does not take others may, without taking its
 * place.
 */
static bool is_of_use(const struct gres_want *want, const struct sched_gres *gres,
                      const struct gres_part *part)
{
    return gres_is_wanted(want, gres) &&
           (!part->bound || want->per_socket || has_core_near(gres, part->cores));
}

static uint64_t devices_in(const struct gres_want *want, const struct sched_node *node,
                           const struct gres_part *part, uint64_t rows)
{
    uint64_t n = 0;

    for (uint32_t i = 0; i < node->gres_n; i++) {
        if ((rows >> i & 1) && is_of_use(want, &node->gres[i], part))
            n += gres_free_of(&node->gres[i], node, part->free);
    }
    return n;
}

/* Adds the cpus near these sorts; returns false when one of them is near to all. */
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

static uint32_t cores_near(const struct gres_want *want, const struct sched_node *node,
                           uint64_t rows, const struct cores *cores)
{
    AUTO(bitset) struct bitset near = { 0 };
    AUTO(cores) struct cores close = { .node = node };

    if (!add_near(want, node, rows, &near))
        return cores_left(cores);
    bitset_copy(&close.first, &cores->first);
    cores_keep_near(&close, &near);
    return cores_left(&close);
}

/* Returns, of one type near the same cpus, the sorts with enough devices and cores that have most
 * cores. */
static uint64_t roomiest(const struct gres_want *want, const struct sched_node *node,
                         const struct gres_part *part, uint64_t n)
{
    uint64_t best = 0;
    uint32_t most = 0;

    for (uint32_t k = 0; k < node->gres_n; k++) {
        const uint64_t rows = candidate(want, node, k);
        uint32_t cores;

        if (!rows || devices_in(want, node, part, rows) < n)
            continue;
        cores = cores_near(want, node, rows, part->cores);
        if (cores < part->cores_n || (best && cores <= most))
            continue;
        best = rows;
        most = cores;
    }
    return best;
}

static uint64_t choose_rows(const struct gres_want *want, const struct sched_node *node,
                            const struct gres_part *part, uint64_t n)
{
    uint64_t enough = part->now ? roomiest(want, node, part, n) : 0;

    if (enough)
        return enough;
    for (uint32_t k = 0; k <= 2 * node->gres_n; k++) {
        const uint64_t rows = candidate(want, node, k);

        /* A bound part has no use for cores near other devices than those taken. */
        if (part->bound && enough && k >= node->gres_n)
            break;
        if (!rows || devices_in(want, node, part, rows) < n)
            continue;
        if (cores_near(want, node, rows, part->cores) >= part->cores_n)
            return rows;
        enough = enough ? enough : rows;
    }
    return enough ? enough : UINT64_MAX;
}

/* ---- so many devices on each of some sockets ---- */

#define GROUPS_MAX 16

/* The sorts near the same cpus, as one socket's. */
struct group {
    uint64_t rows;
    uint32_t cores;
};

static uint32_t find_groups(const struct gres_want *want, const struct sched_node *node,
                            const struct gres_part *part, struct group *ret)
{
    uint64_t seen = 0;
    uint32_t n = 0;

    for (uint32_t i = 0; i < node->gres_n && n < GROUPS_MAX; i++) {
        struct group group = { 0 };

        for (uint32_t j = i; j < node->gres_n && !(seen >> i & 1); j++) {
            if (gres_is_wanted(want, &node->gres[j]) &&
                is_same_near(&node->gres[i], &node->gres[j]))
                group.rows |= UINT64_C(1) << j;
        }
        seen |= group.rows;
        if (!(group.rows >> i & 1) || devices_in(want, node, part, group.rows) < want->per_socket)
            continue;
        group.cores = cores_near(want, node, group.rows, part->cores);
        ret[n++] = group;
    }
    return n;
}

/* Returns the first `count` of the groups that have this many cores together; 0: none have. */
static uint64_t first_groups(const struct group *groups, uint32_t n, uint32_t count,
                             uint32_t cores_n)
{
    if (count == 0)
        return cores_n == 0 ? UINT64_C(1) << 63 : 0;
    for (uint32_t i = 0; i + count <= n; i++) {
        const uint32_t left = cores_n > groups[i].cores ? cores_n - groups[i].cores : 0;
        const uint64_t rest = first_groups(groups + i + 1, n - i - 1, count - 1, left);

        if (rest)
            return rest | groups[i].rows;
    }
    return 0;
}

/* Chooses sorts for devices that are wanted for each socket; cpus are taken near them only. Devices
 * near no cpus in particular serve any socket. */
static uint64_t choose_sockets(const struct gres_wants *wants, const struct gres_want *want,
                               const struct sched_node *node, const struct gres_part *part,
                               uint64_t n)
{
    struct group groups[GROUPS_MAX];
    const uint32_t groups_n = find_groups(want, node, part, groups);

    for (uint32_t i = 0; i < groups_n; i++) {
        if (!node->gres[__builtin_ctzll(groups[i].rows)].near &&
            devices_in(want, node, part, groups[i].rows) >= n)
            return groups[i].rows;
    }
    return first_groups(groups, groups_n, wants->sockets, part->cores_n);
}

/* Returns whether the want is alone. One without type beside typed wants of its name is not: it
 * takes what these leave, of any sort. */
static bool is_alone(const struct gres_wants *wants, uint32_t at)
{
    for (uint32_t i = 0; i < at; i++) {
        if (strcmp(wants->at[i].name, wants->at[at].name) == 0 && !wants->at[at].type)
            return false;
    }
    return true;
}

static uint64_t rows_of_use(const struct gres_want *want, const struct sched_node *node,
                            const struct gres_part *part)
{
    uint64_t rows = 0;

    for (uint32_t i = 0; i < node->gres_n; i++)
        rows |= (uint64_t)is_of_use(want, &node->gres[i], part) << i;
    return rows;
}

bool gres_choose(const struct gres_wants *wants, const struct sched_node *node,
                 const struct gres_part *part, struct gres_choice *ret)
{
    bool enough = true, nears = true;

    for (uint32_t w = 0; w < wants->n && w < GRES_WANTS_MAX; w++) {
        const struct gres_want *want = &wants->at[w];
        const uint64_t n = gres_devices(wants, want, part->tasks, part->share);

        if (n == 0 || node->gres_n == 0 || node->gres_n > ROWS_MAX)
            continue;
        ret->by_socket = ret->by_socket || (want->per_socket && part->bound);
        if (want->per_socket && part->bound)
            ret->rows[w] = choose_sockets(wants, want, node, part, n);
        else if (is_alone(wants, w))
            ret->rows[w] = choose_rows(want, node, part, n);
        if (part->bound)
            ret->rows[w] &= rows_of_use(want, node, part);
        enough = enough && devices_in(want, node, part, ret->rows[w]) >= n;
        if (nears && gres_has_near(want, node))
            nears = add_near(want, node, ret->rows[w], &ret->near);
    }
    if (!nears)
        bitset_clear(&ret->near);
    return enough;
}

uint64_t gres_most_close(const struct gres_wants *wants, const struct sched_node *node,
                         const struct gres_part *part, uint32_t pooled)
{
    uint64_t most = 0;

    for (uint32_t w = 0; w < wants->n; w++) {
        const struct gres_want *want = &wants->at[w];

        for (uint32_t k = 0; want->pooled == (int32_t)pooled && k < node->gres_n; k++) {
            const uint64_t rows = node->gres_n > ROWS_MAX ? 0 : candidate(want, node, k);
            const uint64_t n = rows ? devices_in(want, node, part, rows) : 0;

            most = n > most ? n : most;
        }
    }
    return most;
}
