#include "noded/bind/deal.h"

struct pile {
    uint32_t *places;
    uint32_t places_n;
    uint32_t taken; /* of them, from the first on */
};

struct dealer {
    const struct cpu_deal *deal;
    struct pile *piles;
    uint32_t piles_n;
    uint32_t turn;           /* the pile to take from */
    uint32_t tasks_per_core; /* 0: any */
    struct {
        uint32_t tasks;
        uint32_t last; /* of them, one more than its number */
    } * cores;
};

/* Returns the position of a thread in its core. */
static uint32_t thread_of(const struct cpu_tree *tree, uint32_t place)
{
    uint32_t thread = 0;

    while (place > thread && tree->cpus[place - thread - 1].core == tree->cpus[place].core)
        thread++;
    return thread;
}

static uint32_t make_piles(struct dealer *dealer)
{
    const struct cpu_deal *deal = dealer->deal;
    const struct cpu_tree *tree = deal->tree;
    uint32_t n = 0;

    dealer->piles_n = deal->dist == DIST_BLOCK ? 1 : tree->sockets_n;
    dealer->piles = xcalloc(dealer->piles_n, sizeof(*dealer->piles));
    dealer->cores = xcalloc(tree->cores_n, sizeof(*dealer->cores));
    BITSET_FOREACH (deal->usable, i) {
        const uint32_t place = (uint32_t)i;
        struct pile *pile = &dealer->piles[deal->dist == DIST_BLOCK ? 0 : tree->cpus[place].socket];

        if (deal->threads_per_core && thread_of(tree, place) >= deal->threads_per_core)
            continue;
        *ARRAY_PUSH(pile->places, pile->places_n) = place;
        n++;
    }
    return n;
}

static void free_piles(struct dealer *dealer)
{
    for (uint32_t i = 0; i < dealer->piles_n; i++)
        free(dealer->piles[i].places);
    free(dealer->piles);
    free(dealer->cores);
}

static void begin_anew(struct dealer *dealer)
{
    for (uint32_t i = 0; i < dealer->piles_n; i++)
        dealer->piles[i].taken = 0;
    for (uint32_t i = 0; i < dealer->deal->tree->cores_n; i++)
        dealer->cores[i].tasks = 0;
    dealer->turn = 0;
}

static void pass_on(struct dealer *dealer)
{
    dealer->turn = (dealer->turn + 1) % dealer->piles_n;
}

/* Takes a thread from the pile whose turn it is, or from the next that is not empty. There is one
 * thread at least. */
static uint32_t take_place(struct dealer *dealer)
{
    struct pile *pile = &dealer->piles[dealer->turn];

    for (uint32_t i = 0; i < dealer->piles_n && pile->taken == pile->places_n; i++) {
        pass_on(dealer);
        pile = &dealer->piles[dealer->turn];
    }
    if (pile->taken == pile->places_n) {
        begin_anew(dealer);
        return take_place(dealer);
    }
    return pile->places[pile->taken++];
}

/* Counts the task on the core; returns false when the core has no room for it. */
static bool enter_core(struct dealer *dealer, uint32_t core, uint32_t task)
{
    if (dealer->cores[core].tasks && dealer->cores[core].last == task + 1)
        return true;
    if (dealer->tasks_per_core && dealer->cores[core].tasks >= dealer->tasks_per_core)
        return false;
    dealer->cores[core].tasks++;
    dealer->cores[core].last = task + 1;
    return true;
}

static void deal_task(struct dealer *dealer, uint32_t task, uint32_t cpus, struct bitset *mask)
{
    const struct cpu_deal *deal = dealer->deal;

    for (uint32_t got = 0; got < cpus;) {
        const uint32_t place = take_place(dealer);

        if (!enter_core(dealer, deal->tree->cpus[place].core, task))
            continue;
        bitset_add(mask, place);
        got++;
        if (deal->dist == DIST_FCYCLIC)
            pass_on(dealer);
    }
    if (deal->dist == DIST_CYCLIC)
        pass_on(dealer);
}

/* Returns the cpus that are dealt to a task. One with several cpus that is bound to cores takes
 * whole cores. */
static uint32_t cpus_of_task(const struct cpu_deal *deal)
{
    const struct cpu_tree *tree = deal->tree;
    uint32_t threads = tree->cpus_n / tree->cores_n;

    if (deal->level != CPU_BIND_CORES || deal->cpus_per_task == 1)
        return deal->cpus_per_task;
    if (deal->threads_per_core && deal->threads_per_core < threads)
        threads = deal->threads_per_core;
    return (deal->cpus_per_task + threads - 1) / threads * threads;
}

/* ---- widening ---- */

static uint32_t part_of(const struct tree_cpu *cpu, enum cpu_bind_kind level)
{
    switch (level) {
    case CPU_BIND_SOCKETS:
        return cpu->socket;
    case CPU_BIND_CORES:
        return cpu->core;
    case CPU_BIND_LDOMS:
        return cpu->ldom;
    default:
        return cpu->number;
    }
}

static void widen(const struct cpu_deal *deal, struct bitset *mask)
{
    const struct tree_cpu *cpus = deal->tree->cpus;
    AUTO(bitset) struct bitset wide = { 0 };

    bitset_init(&wide, mask->size);
    BITSET_FOREACH (deal->usable, i) {
        BITSET_FOREACH (mask, k) {
            if (part_of(&cpus[i], deal->level) == part_of(&cpus[k], deal->level))
                bitset_add(&wide, (uint32_t)i);
        }
    }
    bitset_copy(mask, &wide);
}

static void deal_all(struct dealer *dealer, struct bitset *masks)
{
    const struct cpu_deal *deal = dealer->deal;
    const uint32_t cpus = cpus_of_task(deal);
    const bool alone = deal->level == CPU_BIND_CORES && deal->cpus_per_task == 1;

    dealer->tasks_per_core = deal->tasks_per_core ? deal->tasks_per_core : alone;
    for (uint32_t i = 0; i < deal->tasks_n; i++) {
        bitset_init(&masks[i], deal->usable->size);
        deal_task(dealer, i, cpus, &masks[i]);
        widen(deal, &masks[i]);
    }
}

bool cpu_deal(const struct cpu_deal *deal, struct bitset *masks)
{
    struct dealer dealer = { .deal = deal };
    const uint32_t threads = make_piles(&dealer);
    const bool enough = (uint64_t)deal->tasks_n * deal->cpus_per_task <= threads;

    if (enough)
        deal_all(&dealer, masks);
    for (uint32_t i = 0; !enough && i < deal->tasks_n; i++)
        bitset_copy(&masks[i], deal->usable);
    free_piles(&dealer);
    return enough;
}

/* ---- which level ---- */

static uint32_t count_parts(const struct cpu_tree *tree, const struct bitset *usable,
                            enum cpu_bind_kind level)
{
    uint32_t n = 0;
    int64_t before = -1;

    BITSET_FOREACH (usable, i) {
        n += before < 0 || part_of(&tree->cpus[i], level) != part_of(&tree->cpus[before], level);
        before = i;
    }
    return n;
}

enum cpu_bind_kind cpu_deal_level(const struct cpu_tree *tree, const struct bitset *usable,
                                  uint32_t tasks_n, uint32_t cpus_per_task)
{
    static const enum cpu_bind_kind levels[] = { CPU_BIND_SOCKETS, CPU_BIND_CORES,
                                                 CPU_BIND_THREADS };

    for (size_t i = 0; i < ARRAY_N(levels); i++) {
        if (count_parts(tree, usable, levels[i]) == (uint64_t)tasks_n * cpus_per_task)
            return levels[i];
    }
    return CPU_BIND_UNSAID;
}
