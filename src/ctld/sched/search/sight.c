#include "ctld/sched/search/sight.h"

#include <assert.h>
#include <string.h>

#define SIGHT_WHOLE UINT32_MAX /* as kind->least_cpus */
#define SIGHTS_MAX  512
#define LENGTHS_MAX 64 /* powers of two */

#define PREPARED_AT_ONCE 512 /* a multiple of SIGHT_GROUP */

static_assert(SIGHT_GROUPS == SIGHT_GROUP, "a block has as many groups as these have nodes");

/* The sights for one need, by rising length: one walk through a node's steps serves them all. */
struct sight_family {
    uint32_t cpus; /* SIGHT_WHOLE: all of the node */
    uint32_t devices;
    struct demand_least *least; /* that such jobs need of a node, by its model */
    uint32_t *seen;             /* of each node: its version when it was learned; 0: not at all */
    struct sight *sights[LENGTHS_MAX];
    int64_t lengths[LENGTHS_MAX];
    uint32_t n;
};

struct sights {
    const struct sched_cluster *cluster;
    const struct future *future;
    uint32_t blocks_n;
    uint32_t *position; /* of each node */
    struct sight_family **families;
    uint32_t families_n, sights_n;
    uint32_t known_n; /* nodes that the first sight has learned, by position */
};

struct sights *sights_new(const struct sched_cluster *cluster, const struct future *future)
{
    struct sights *sights = xcalloc(1, sizeof(*sights));

    sights->cluster = cluster;
    sights->future = future;
    sights->blocks_n = (cluster->nodes_n + SIGHT_BLOCK - 1) / SIGHT_BLOCK;
    sights->position = xcalloc(cluster->nodes_n, sizeof(*sights->position));
    for (uint32_t i = 0; i < cluster->nodes_n; i++)
        sights->position[cluster->order[i]] = i;
    return sights;
}

static void sight_free(struct sight *sight)
{
    free(sight->wakes);
    free(sight->groups);
    free(sight->first);
    free(sight);
}

static void family_free(struct sight_family *family)
{
    for (uint32_t i = 0; i < family->n; i++)
        sight_free(family->sights[i]);
    free(family->least);
    free(family->seen);
    free(family);
}

void sights_forget(struct sights *sights)
{
    for (uint32_t i = 0; i < sights->families_n; i++)
        family_free(sights->families[i]);
    sights->families_n = sights->sights_n = sights->known_n = 0;
}

struct sights *sights_free(struct sights *sights)
{
    if (!sights)
        return NULL;
    sights_forget(sights);
    free(sights->families);
    free(sights->position);
    free(sights);
    return NULL;
}

static void forget_position(struct sight_family *family, uint32_t position)
{
    family->seen[position] = 0;
    for (uint32_t i = 0; i < family->n; i++) {
        struct sight *sight = family->sights[i];

        sight->wakes[position] = INT64_MIN;
        sight->groups[position / SIGHT_GROUP] = INT64_MIN;
        sight->first[position / SIGHT_BLOCK] = INT64_MIN;
    }
}

void sights_forget_node(struct sights *sights, uint32_t node)
{
    for (uint32_t i = 0; i < sights->families_n; i++)
        forget_position(sights->families[i], sights->position[node]);
}

/* ---- learning ---- */

static void learn_node(const struct sights *sights, struct sight_family *family, uint32_t position,
                       int64_t now_ms)
{
    const uint32_t node = sights->cluster->order[position];
    const int64_t known = family->sights[0]->wakes[position];
    int64_t wakes[LENGTHS_MAX];

    future_readies(sights->future, node, known > now_ms ? known : now_ms,
                   &family->least[sights->cluster->nodes[node].model], family->lengths, family->n,
                   wakes);
    for (uint32_t i = 0; i < family->n; i++)
        family->sights[i]->wakes[position] = wakes[i];
}

bool sights_learn_node(struct sights *sights, const struct sight *sight, uint32_t position,
                       int64_t now_ms)
{
    const uint32_t version = future_version(sights->future, sights->cluster->order[position]);
    struct sight_family *family = sight->family;

    if (family->seen[position] == version)
        return false;
    learn_node(sights, family, position, now_ms);
    family->seen[position] = version;
    return true;
}

static int64_t least_wake(const int64_t *wakes)
{
    int64_t least = wakes[0];

    for (uint32_t i = 1; i < SIGHT_GROUP; i++)
        least = wakes[i] < least ? wakes[i] : least;
    return least;
}

void sight_refresh(struct sight *sight, uint32_t group)
{
    const uint32_t block = group / SIGHT_GROUPS;
    const int64_t least = least_wake(&sight->wakes[group * SIGHT_GROUP]);

    if (least == sight->groups[group])
        return;
    sight->groups[group] = least;
    sight->first[block] = least_wake(&sight->groups[block * SIGHT_GROUPS]);
}

/* ---- families, and new sights ---- */

/*
 * Lengths and numbers are cut to powers of two: finer steps give better bounds, but more of them
 * have to be kept.
 */
static int64_t cut_length(int64_t length)
{
    int64_t step = 1;

    while (step * 2 <= length)
        step *= 2;
    return step;
}

static uint32_t cut_number(uint32_t n)
{
    uint32_t power = 1;

    if (n == 0 || n == SIGHT_WHOLE)
        return n;
    while (power <= n / 2)
        power *= 2;
    return power;
}

static struct sight_family *family_new(const struct sched_cluster *cluster, uint32_t cpus,
                                       uint32_t devices)
{
    struct sight_family *family = xcalloc(1, sizeof(*family));

    family->cpus = cpus;
    family->devices = devices;
    family->least = xcalloc(cluster->models_n, sizeof(*family->least));
    family->seen = xcalloc(cluster->nodes_n, sizeof(*family->seen));
    for (uint32_t i = 0; i < cluster->models_n; i++) {
        const struct sched_node *node = &cluster->nodes[cluster->models[i]];

        family->least[i] = (struct demand_least){
            .cpus = cpus == SIGHT_WHOLE ? node->cpus_n : cpus,
            .devices = devices,
        };
    }
    return family;
}

static struct sight_family *find_family(struct sights *sights, uint32_t cpus, uint32_t devices)
{
    for (uint32_t i = 0; i < sights->families_n; i++) {
        if (sights->families[i]->cpus == cpus && sights->families[i]->devices == devices)
            return sights->families[i];
    }
    return *ARRAY_PUSH(sights->families, sights->families_n) =
               family_new(sights->cluster, cpus, devices);
}

/* Returns whether one family needs no more than the other. All of a small node is less than a part
 * of a large one. */
static bool needs_less(const struct sight_family *less, const struct sight_family *more)
{
    return less->devices <= more->devices &&
           (less->cpus == more->cpus || less->cpus == 1 ||
            (less->cpus < more->cpus && more->cpus != SIGHT_WHOLE));
}

static bool is_closer(const struct sight_family *family, const struct sight_family *than)
{
    return family->devices != than->devices ? family->devices > than->devices
                                            : family->cpus > than->cpus;
}

/* Returns the closest sight that needs less for no longer, or NULL: where more is needed for longer
 * there is no room earlier. */
static const struct sight *find_lesser(const struct sights *sights,
                                       const struct sight_family *family, int64_t length)
{
    const struct sight_family *of = NULL;
    const struct sight *best = NULL;

    for (uint32_t i = 0; i < sights->families_n; i++) {
        const struct sight_family *less = sights->families[i];

        if (!needs_less(less, family) || (of && !is_closer(less, of)))
            continue;
        for (uint32_t k = 0; k < less->n && less->lengths[k] <= length; k++) {
            of = less;
            best = less->sights[k];
        }
    }
    return best;
}

/* Begins the sight with nothing known. */
static void begin(const struct sights *sights, struct sight *sight)
{
    const size_t blocks_n = sights->blocks_n;

    sight->wakes = xcalloc(blocks_n, SIGHT_BLOCK * sizeof(*sight->wakes));
    sight->groups = xcalloc(blocks_n, SIGHT_GROUPS * sizeof(*sight->groups));
    sight->first = xcalloc(blocks_n, sizeof(*sight->first));
    for (uint32_t i = 0; i < sights->cluster->nodes_n; i++)
        sight->wakes[i] = INT64_MIN;
    for (uint32_t i = sights->cluster->nodes_n; i < blocks_n * SIGHT_BLOCK; i++)
        sight->wakes[i] = FUTURE_END; /* there is no such node */
    for (uint32_t i = 0; i < blocks_n * SIGHT_GROUPS; i++)
        sight->groups[i] = least_wake(&sight->wakes[i * SIGHT_GROUP]);
    for (uint32_t i = 0; i < blocks_n; i++)
        sight->first[i] = least_wake(&sight->groups[i * SIGHT_GROUPS]);
}

static void begin_with(const struct sights *sights, struct sight *sight, const struct sight *lesser)
{
    const size_t blocks_n = sights->blocks_n;

    sight->wakes = xmemdup(lesser->wakes, blocks_n * SIGHT_BLOCK * sizeof(*sight->wakes));
    sight->groups = xmemdup(lesser->groups, blocks_n * SIGHT_GROUPS * sizeof(*sight->groups));
    sight->first = xmemdup(lesser->first, blocks_n * sizeof(*sight->first));
}

static struct sight *add_sight(struct sights *sights, struct sight_family *family, int64_t length)
{
    const struct sight *lesser = find_lesser(sights, family, length);
    struct sight *sight = xcalloc(1, sizeof(*sight));
    uint32_t at = family->n;

    sight->length = length;
    sight->family = family;
    if (lesser)
        begin_with(sights, sight, lesser);
    else
        begin(sights, sight);
    for (; at > 0 && family->lengths[at - 1] > length; at--) {
        family->sights[at] = family->sights[at - 1];
        family->lengths[at] = family->lengths[at - 1];
    }
    family->sights[at] = sight;
    family->lengths[at] = length;
    family->n++;
    sights->sights_n++;
    memset(family->seen, 0, sights->cluster->nodes_n * sizeof(*family->seen));
    return sight;
}

static struct sight *get(struct sights *sights, uint32_t cpus, uint32_t devices, int64_t length)
{
    struct sight_family *family = find_family(sights, cpus, devices);

    for (uint32_t i = 0; i < family->n; i++) {
        if (family->lengths[i] == length)
            return family->sights[i];
    }
    return add_sight(sights, family, length);
}

static uint32_t lesser(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Learns with the sight of what any job needs. It bounds every other one, and those begin with what
 * it knows. */
uint32_t sights_prepare(struct sights *sights, int64_t now_ms)
{
    const uint32_t first = sights->known_n;
    const uint32_t n = lesser(sights->cluster->nodes_n - first, PREPARED_AT_ONCE);
    struct sight *base = n ? get(sights, 1, 0, 1) : NULL;

    for (uint32_t i = first; i < first + n; i++)
        sights_learn_node(sights, base, i, now_ms);
    for (uint32_t i = first; i < first + n; i += SIGHT_GROUP)
        sight_refresh(base, i / SIGHT_GROUP);
    sights->known_n += n;
    return n;
}

struct sight *sights_get(struct sights *sights, const struct kind *kind, int64_t length,
                         int64_t now_ms, uint32_t *looks_n)
{
    const uint32_t before = sights->sights_n;
    struct sight *sight;

    if (sights->sights_n == SIGHTS_MAX)
        sights_forget(sights);
    while (sights_prepare(sights, now_ms))
        ;
    sight = get(sights, cut_number(kind->least_cpus), cut_number(kind->least_devices),
                cut_length(length));
    if (sights->sights_n != before)
        *looks_n += sights->blocks_n;
    return sight;
}
