#include "ctld/sched/place/cores.h"

#include <string.h>

/* Returns bit i of each core's first thread, when cores have a power of two of them: 1, 2, 4 ... */
static uint64_t firsts_of_word(uint64_t free, uint32_t threads)
{
    static const uint64_t firsts[] = {
        [1] = UINT64_MAX,
        [2] = UINT64_C(0x5555555555555555),
        [4] = UINT64_C(0x1111111111111111),
        [8] = UINT64_C(0x0101010101010101),
    };

    for (uint32_t step = 1; step < threads; step *= 2)
        free &= free >> step;
    return free & firsts[threads];
}

static bool fits_words(uint32_t threads)
{
    return threads == 1 || threads == 2 || threads == 4 || threads == 8;
}

static bool is_whole(const struct bitset *free, uint32_t first, uint32_t threads)
{
    for (uint32_t i = 0; i < threads; i++) {
        if (!bitset_has(free, first + i))
            return false;
    }
    return true;
}

uint32_t cores_count(const struct sched_node *node, const struct bitset *free)
{
    uint32_t n = 0;

    if (fits_words(node->threads)) {
        for (uint32_t i = 0; i < (free->size + 63) / 64; i++)
            n += (uint32_t)__builtin_popcountll(firsts_of_word(free->words[i], node->threads));
        return n;
    }
    for (uint32_t i = 0; i + node->threads <= free->size; i += node->threads)
        n += is_whole(free, i, node->threads);
    return n;
}

void cores_find(struct cores *cores, const struct sched_node *node, const struct bitset *free)
{
    *cores = (struct cores){ .node = node };
    bitset_init(&cores->first, free->size);
    if (fits_words(node->threads)) {
        for (uint32_t i = 0; i < (free->size + 63) / 64; i++)
            cores->first.words[i] = firsts_of_word(free->words[i], node->threads);
        return;
    }
    for (uint32_t i = 0; i + node->threads <= free->size; i += node->threads) {
        if (is_whole(free, i, node->threads))
            bitset_add(&cores->first, i);
    }
}

void cores_clear(struct cores *cores)
{
    bitset_clear(&cores->first);
}

void cores_auto_(struct cores *cores)
{
    cores_clear(cores);
}

uint32_t cores_left(const struct cores *cores)
{
    return bitset_count(&cores->first);
}

uint32_t cores_sockets(const struct sched_node *node)
{
    return node->cpus_per_socket ? node->cpus / node->cpus_per_socket : 0;
}

/* `for` over the first cpus of the socket's cores. */
#define FOREACH_ON_SOCKET(set, at, from, to)                                                       \
    for (int64_t at = bitset_next((set), (from)); at >= 0 && at < (int64_t)(to);                   \
         at = bitset_next((set), (uint32_t)at + 1))

static uint32_t socket_begin(const struct cores *cores, uint32_t socket)
{
    return socket * cores->node->cpus_per_socket;
}

uint32_t cores_on_socket(const struct cores *cores, uint32_t socket)
{
    const uint32_t from = socket_begin(cores, socket);
    uint32_t n = 0;

    FOREACH_ON_SOCKET(&cores->first, at, from, from + cores->node->cpus_per_socket)
    n++;
    return n;
}

static void drop_socket(struct cores *cores, uint32_t socket)
{
    const uint32_t from = socket_begin(cores, socket);

    FOREACH_ON_SOCKET(&cores->first, at, from, from + cores->node->cpus_per_socket)
    bitset_del(&cores->first, (uint32_t)at);
}

void cores_keep_whole_sockets(struct cores *cores)
{
    const struct bitset all = supply_row(&cores->node->all, cores->node, 0);
    struct cores whole;

    cores_find(&whole, cores->node, &all);
    for (uint32_t s = 0; s < cores_sockets(cores->node); s++) {
        if (cores_on_socket(cores, s) < cores_on_socket(&whole, s))
            drop_socket(cores, s);
    }
    cores_clear(&whole);
}

void cores_keep_few(struct cores *cores, uint32_t per_socket)
{
    for (uint32_t s = 0; s < cores_sockets(cores->node); s++) {
        const uint32_t from = socket_begin(cores, s);
        uint32_t n = 0;

        FOREACH_ON_SOCKET(&cores->first, at, from, from + cores->node->cpus_per_socket)
        {
            if (n++ >= per_socket)
                bitset_del(&cores->first, (uint32_t)at);
        }
    }
}

void cores_keep_near(struct cores *cores, const struct bitset *cpus)
{
    BITSET_FOREACH (&cores->first, at) {
        bool near = false;

        for (uint32_t i = 0; i < cores->node->threads; i++)
            near = near || bitset_has(cpus, (uint32_t)at + i);
        if (!near)
            bitset_del(&cores->first, (uint32_t)at);
    }
}

void cores_keep_sockets_near(struct cores *cores, const struct bitset *cpus)
{
    const uint32_t each = cores->node->cpus_per_socket;

    for (uint32_t s = 0; s < cores_sockets(cores->node); s++) {
        const int64_t first = bitset_next(cpus, s * each);

        if (first < 0 || first >= (int64_t)(s + 1) * each)
            drop_socket(cores, s);
    }
}

static void take(struct cores *cores, uint32_t first, struct bitset *taken)
{
    bitset_del(&cores->first, first);
    for (uint32_t i = 0; i < cores->node->threads; i++)
        bitset_add(taken, first + i);
}

uint32_t cores_take_from(struct cores *cores, uint32_t socket, uint32_t n, struct bitset *taken)
{
    const uint32_t from = socket_begin(cores, socket);
    uint32_t taken_n = 0;

    FOREACH_ON_SOCKET(&cores->first, at, from, from + cores->node->cpus_per_socket)
    {
        if (taken_n == n)
            break;
        take(cores, (uint32_t)at, taken);
        taken_n++;
    }
    return taken_n;
}

void cores_take_lowest(struct cores *cores, uint32_t n, struct bitset *taken)
{
    BITSET_FOREACH (&cores->first, at) {
        if (n-- == 0)
            return;
        take(cores, (uint32_t)at, taken);
    }
}

void cores_take_in_turn(struct cores *cores, uint32_t n, struct bitset *taken)
{
    uint32_t before;

    do {
        before = n;
        for (uint32_t s = 0; n && s < cores_sockets(cores->node); s++)
            n -= cores_take_from(cores, s, 1, taken);
    } while (n && n < before);
}

/* Returns the socket that holds n cores with the least left over; where none does, the one with
 * most cores. */
static uint32_t best_socket(const struct cores *cores, uint32_t n)
{
    uint32_t best = 0, best_n = cores_on_socket(cores, 0);

    for (uint32_t s = 1; s < cores_sockets(cores->node); s++) {
        const uint32_t there = cores_on_socket(cores, s);
        const bool better = best_n >= n ? there >= n && there < best_n : there > best_n;

        if (better) {
            best = s;
            best_n = there;
        }
    }
    return best;
}

void cores_take_best_socket(struct cores *cores, uint32_t n, struct bitset *taken)
{
    n -= cores_take_from(cores, best_socket(cores, n), n, taken);
    cores_take_lowest(cores, n, taken);
}
