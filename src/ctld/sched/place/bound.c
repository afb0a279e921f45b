#include "ctld/sched/place/bound.h"

#include <string.h>

#include "common/base/minmax.h"

/* Sorts of devices near the same cpus. */
struct group {
    const struct bitset *near; /* NULL: near all */
    uint64_t rows;             /* sorts of the node */
    uint64_t devices;          /* free */
    uint32_t cores;            /* near */
};

struct search {
    const struct gres_wants *wants;
    const struct sched_node *node;
    const struct gres_part *part;
    bound_enough_fn *enough;
    const void *arg;
    struct group *groups;
    uint32_t groups_n;
    uint64_t *due;     /* devices of each want that the search is about; 0: it is not */
    uint64_t due_n;    /* of all */
    uint64_t *there;   /* free devices of each sort */
    uint32_t *groupof; /* of each sort */
    uint64_t *counts;  /* [want * gres_n + sort]: devices in the choice that is tried */
    bool *in;          /* whether a group is of the choice that is tried */
};

/* ---- what there is ---- */

static bool is_same_near(const struct bitset *a, const struct bitset *b)
{
    return a && b ? bitset_equal(a, b) : a == b;
}

static uint32_t cores_near(const struct cores *cores, const struct bitset *near)
{
    AUTO(cores) struct cores close = { .node = cores->node };

    bitset_copy(&close.first, &cores->first);
    if (near)
        cores_keep_near(&close, near);
    return cores_left(&close);
}

static bool is_wanted(const struct search *search, uint32_t row)
{
    for (uint32_t w = 0; w < search->wants->n; w++) {
        if (search->due[w] && gres_is_wanted(&search->wants->at[w], &search->node->gres[row]))
            return true;
    }
    return false;
}

static void add_to_group(struct search *search, uint32_t row)
{
    const struct bitset *near =
        search->node->gres[row].near ? &search->node->gres[row].near[0] : NULL;
    uint32_t g = 0;

    while (g < search->groups_n && !is_same_near(search->groups[g].near, near))
        g++;
    if (g == search->groups_n)
        *ARRAY_PUSH(search->groups, search->groups_n) =
            (struct group){ .near = near, .cores = cores_near(search->part->cores, near) };
    search->groups[g].rows |= UINT64_C(1) << row;
    search->groups[g].devices += search->there[row];
}

static int roomiest_first(const void *a, const void *b)
{
    const struct group *left = a, *right = b;

    if (left->cores != right->cores)
        return left->cores > right->cores ? -1 : 1;
    return left->rows < right->rows ? -1 : 1;
}

/* Returns how many free devices of the sort are of use: those near which every core is in use are
 * not, until one is free. */
static uint64_t free_of_use(const struct search *search, const struct sched_gres *gres)
{
    const struct gres_part *part = search->part;

    if (part->covers && gres->near && cores_near(part->cores, &gres->near[0]) == 0)
        return 0;
    return gres_free_of(gres, search->node, part->free);
}

static void search_init(struct search *search)
{
    const struct sched_node *node = search->node;
    const struct gres_part *part = search->part;

    search->due = xcalloc(search->wants->n + 1, sizeof(*search->due));
    search->there = xcalloc(node->gres_n + 1, sizeof(*search->there));
    search->groupof = xcalloc(node->gres_n + 1, sizeof(*search->groupof));
    search->counts = xcalloc((size_t)search->wants->n * node->gres_n + 1, sizeof(*search->counts));
    for (uint32_t w = 0; w < search->wants->n; w++) {
        if (!gres_has_near(&search->wants->at[w], node))
            continue;
        search->due[w] =
            gres_devices(search->wants, &search->wants->at[w], part->tasks, part->share);
        search->due_n += search->due[w];
    }
    for (uint32_t row = 0; row < node->gres_n; row++) {
        search->there[row] = free_of_use(search, &node->gres[row]);
        if (search->there[row] && is_wanted(search, row))
            add_to_group(search, row);
    }
    search->in = xcalloc(search->groups_n + 1, sizeof(*search->in));
    if (part->now && search->groups_n)
        qsort(search->groups, search->groups_n, sizeof(*search->groups), roomiest_first);
    for (uint32_t g = 0; g < search->groups_n; g++) {
        for (uint32_t row = 0; row < node->gres_n; row++) {
            if (search->groups[g].rows >> row & 1)
                search->groupof[row] = g;
        }
    }
}

static void search_clear(struct search *search)
{
    free(search->groups);
    free(search->due);
    free(search->there);
    free(search->groupof);
    free(search->counts);
    free(search->in);
}

/* ---- devices of some groups, at least one of each ---- */

static uint64_t *count_of(const struct search *search, uint32_t want, uint32_t row)
{
    return &search->counts[(size_t)want * search->node->gres_n + row];
}

/* Devices out of which flow can be changed: a type that is kept to, and whether each group is to
 * give only one so far. */
struct flow {
    const char *type; /* of what is wanted without one; NULL: any */
    bool one_each;
    uint64_t seen; /* sorts that were looked at in this step */
};

static bool may_take(const struct search *search, const struct flow *flow, uint32_t want,
                     uint32_t row)
{
    const struct sched_gres *gres = &search->node->gres[row];

    return search->due[want] && search->there[row] && search->in[search->groupof[row]] &&
           gres_is_wanted(&search->wants->at[want], gres) &&
           (search->wants->at[want].type || !flow->type ||
            (gres->type && strcmp(gres->type, flow->type) == 0));
}

static uint64_t taken_of(const struct search *search, uint64_t rows)
{
    uint64_t n = 0;

    for (uint32_t row = 0; row < search->node->gres_n; row++) {
        for (uint32_t w = 0; (rows >> row & 1) && w < search->wants->n; w++)
            n += *count_of(search, w, row);
    }
    return n;
}

/* Takes one more device for the want; others give way to other devices where they can. */
static bool take_one(const struct search *search, struct flow *flow, uint32_t want);

/* Gives up a device of one of these sorts for another one; returns whether there is one. */
static bool make_way(const struct search *search, struct flow *flow, uint64_t rows)
{
    for (uint32_t row = 0; row < search->node->gres_n; row++) {
        for (uint32_t w = 0; (rows >> row & 1) && w < search->wants->n; w++) {
            if (*count_of(search, w, row) == 0 || !take_one(search, flow, w))
                continue;
            *count_of(search, w, row) -= 1;
            return true;
        }
    }
    return false;
}

static bool take_one(const struct search *search, struct flow *flow, uint32_t want)
{
    for (uint32_t row = 0; row < search->node->gres_n; row++) {
        const uint64_t group = search->groups[search->groupof[row]].rows;
        const uint64_t self = UINT64_C(1) << row;
        const bool crowded = flow->one_each && taken_of(search, group) > 0;

        if ((flow->seen & self) || !may_take(search, flow, want, row))
            continue;
        flow->seen |= crowded ? group : self;
        if ((crowded || taken_of(search, self) >= search->there[row]) &&
            !make_way(search, flow, crowded ? group : self))
            continue;
        *count_of(search, want, row) += 1;
        return true;
    }
    return false;
}

static uint64_t taken_by(const struct search *search, uint32_t want)
{
    uint64_t n = 0;

    for (uint32_t row = 0; row < search->node->gres_n; row++)
        n += *count_of(search, want, row);
    return n;
}

/* Takes as many as can be had; returns how many more they are. */
static uint64_t take_all(const struct search *search, struct flow *flow)
{
    uint64_t n = 0;

    for (uint32_t w = 0; w < search->wants->n; w++) {
        while (taken_by(search, w) < search->due[w]) {
            flow->seen = 0;
            if (!take_one(search, flow, w))
                break;
            n++;
        }
    }
    return n;
}

/*
 * Takes one of each group first, then the rest. What is taken in steps like these leaves no group
 * again: it is a maximal flow from wants to groups, by paths that make it larger.
 */
static bool take_of(const struct search *search, uint32_t groups, const char *type)
{
    struct flow flow = { .type = type, .one_each = true };
    uint64_t taken;

    memset(search->counts, 0,
           (size_t)search->wants->n * search->node->gres_n * sizeof(*search->counts));
    taken = take_all(search, &flow);
    if (taken < groups)
        return false;
    flow.one_each = false;
    return taken + take_all(search, &flow) == search->due_n;
}

static bool take_devices(const struct search *search, uint32_t groups)
{
    for (uint32_t row = 0; row < search->node->gres_n; row++) {
        const char *type = search->node->gres[row].type;

        if (type && search->in[search->groupof[row]] && take_of(search, groups, type))
            return true;
    }
    return take_of(search, groups, NULL);
}

/* ---- which groups ---- */

/* Finds the cpus near the groups that are tried; returns false when they are near to all. */
static bool find_near(const struct search *search, struct bitset *near)
{
    bitset_init(near, search->node->cpus);
    for (uint32_t g = 0; g < search->groups_n; g++) {
        if (!search->in[g])
            continue;
        if (!search->groups[g].near)
            return false;
        bitset_or(near, search->groups[g].near);
    }
    return true;
}

/* Finds a core near each group that is tried; one core may be near several. */
static void find_spots(const struct search *search, struct bitset *spots)
{
    bitset_init(spots, search->node->cpus);
    for (uint32_t g = 0; search->part->covers && g < search->groups_n; g++) {
        const struct bitset *near = search->groups[g].near;
        AUTO(cores) struct cores close = { .node = search->node };

        if (!search->in[g] || !near || bitset_meets(spots, near))
            continue;
        bitset_copy(&close.first, &search->part->cores->first);
        cores_keep_near(&close, near);
        cores_take_lowest(&close, 1, spots);
    }
}

static bool has_cores(const struct search *search)
{
    AUTO(bitset) struct bitset near = { 0 }, spots = { 0 };

    if (!find_near(search, &near))
        bitset_clear(&near);
    find_spots(search, &spots);
    return search->enough(search->arg, &near, bitset_count(&spots) / search->node->threads);
}

/* What the groups that are tried still lack. */
struct lack {
    uint32_t groups;
    uint64_t devices, cores;
};

/* Returns whether this many of the groups from `first` on could bring what lacks, each sum looked
 * at alone. */
static bool is_in_reach(const struct search *search, const struct lack *lack, uint32_t first)
{
    uint64_t devices = 0, cores = 0;

    if (first + lack->groups > search->groups_n)
        return false;
    for (uint32_t g = first; g < search->groups_n; g++) {
        devices += search->groups[g].devices;
        cores += search->groups[g].cores;
    }
    return devices >= lack->devices && cores >= lack->cores;
}

static bool try_groups(struct search *search, uint32_t all, struct lack lack, uint32_t first)
{
    if (lack.groups == 0)
        return lack.devices == 0 && has_cores(search) && take_devices(search, all);
    for (uint32_t g = first; g < search->groups_n && is_in_reach(search, &lack, g); g++) {
        const struct group *group = &search->groups[g];
        const struct lack rest = {
            .groups = lack.groups - 1,
            .devices = lack.devices - MIN(lack.devices, group->devices),
            .cores = lack.cores - MIN(lack.cores, group->cores),
        };

        search->in[g] = true;
        if (try_groups(search, all, rest, g + 1))
            return true;
        search->in[g] = false;
    }
    return false;
}

static void tell(const struct search *search, struct gres_choice *ret)
{
    const size_t size = (size_t)search->wants->n * search->node->gres_n;

    ret->counts = xmemdup(search->counts, size * sizeof(*ret->counts));
    ret->counts_n = search->node->gres_n;
    find_spots(search, &ret->spots);
    for (uint32_t w = 0; w < search->wants->n; w++) {
        for (uint32_t row = 0; !search->due[w] && row < search->node->gres_n; row++)
            ret->counts[(size_t)w * search->node->gres_n + row] = UINT64_MAX;
    }
    if (!find_near(search, &ret->near))
        bitset_clear(&ret->near);
}

static bool find(struct search *search)
{
    const struct lack lack = { .devices = search->due_n, .cores = search->part->cores_n };

    for (uint32_t n = 1; n <= search->groups_n && n <= search->due_n; n++) {
        struct lack of = lack;

        of.groups = n;
        if (try_groups(search, n, of, 0))
            return true;
    }
    return false;
}

bool bound_choose(const struct gres_wants *wants, const struct sched_node *node,
                  const struct gres_part *part, bound_enough_fn *enough, const void *arg,
                  struct gres_choice *ret)
{
    const struct bitset any = { 0 };
    struct search search = {
        .wants = wants, .node = node, .part = part, .enough = enough, .arg = arg
    };
    bool found;

    search_init(&search);
    found = search.due_n == 0 ? enough(arg, &any, 0) : find(&search);
    if (found && search.due_n)
        tell(&search, ret);
    search_clear(&search);
    return found;
}
