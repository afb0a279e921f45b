/* Chooses by runs: nodes of one weight that follow one another. */
#include "ctld/sched/pick/fit_state.h"

#include "common/base/minmax.h"

struct run {
    uint32_t from, n; /* n 0: taken */
    uint64_t cpus, tasks;
    uint32_t most_tasks; /* of one node */
    int64_t required;    /* number of a required node in it or beside it; -1: none */
    uint32_t distance;   /* 0: beside a required node, 1: behind the first of them, 2: before */
};

struct runs {
    struct run *at; /* once sorted, the largest first */
    uint32_t n;
    bool begun;                      /* and so sorted, when one more is asked for: */
    uint32_t *tightest;              /* positions, the tightest first */
    uint32_t large_gone, tight_gone; /* the first of both orders, that have been taken */
    uint32_t *most_nodes;            /* that one of at[i] and those behind it has */
    uint64_t *most_tasks;            /* the same */
};

/* Returns whether only required nodes, or none, stand between two nodes; *ret is the first of
 * them. */
static bool is_joined(const struct pick_rule *rule, uint32_t left, uint32_t right,
                      int64_t *ret_required)
{
    for (uint32_t node = left + 1; node < right; node++) {
        if (!pick_is_required(rule, node))
            return false;
    }
    if (left + 1 < right && *ret_required < 0)
        *ret_required = left + 1;
    return true;
}

static struct run run_begin(const struct pick_rule *rule, const struct fit_tier *tier,
                            uint32_t from)
{
    uint32_t node = tier->nodes[from].node;
    struct run run = { .from = from, .required = -1 };

    while (node > 0 && pick_is_required(rule, node - 1))
        run.required = --node;
    return run;
}

static uint32_t distance_of(const struct pick_rule *rule, const struct fit_tier *tier,
                            const struct run *run)
{
    if (!rule->required || run->required >= 0)
        return 0;
    return tier->nodes[run->from].node < bitset_next(rule->required, 0) ? 2 : 1;
}

/* Returns the run of nodes from `from` on. */
static struct run run_from(const struct pick_rule *rule, const struct fit_tier *tier, uint32_t from)
{
    struct run run = run_begin(rule, tier, from);
    uint32_t i = from;

    for (;; i++) {
        run.n++;
        run.cpus += tier->nodes[i].cpus;
        run.tasks += tier->nodes[i].tasks;
        run.most_tasks = MAX(run.most_tasks, tier->nodes[i].tasks);
        if (i + 1 == tier->n ||
            !is_joined(rule, tier->nodes[i].node, tier->nodes[i + 1].node, &run.required))
            break;
    }
    if (run.required < 0 && pick_is_required(rule, tier->nodes[i].node + 1))
        run.required = tier->nodes[i].node + 1;
    run.distance = distance_of(rule, tier, &run);
    return run;
}

/* Orders runs near required nodes first; then, with `sign` 1, those with fewest free cpus. */
static int compare(const struct run *a, const struct run *b, int sign)
{
    if (a->distance != b->distance)
        return a->distance < b->distance ? -1 : 1;
    if (a->cpus != b->cpus)
        return a->cpus < b->cpus ? -sign : sign;
    return a->from < b->from ? -1 : a->from > b->from;
}

static int by_size(const void *a, const void *b)
{
    return compare(a, b, -1);
}

static int by_tightness(const void *a, const void *b, void *runs)
{
    const struct run *at = runs;

    return compare(&at[*(const uint32_t *)a], &at[*(const uint32_t *)b], 1);
}

static void runs_init(struct runs *runs, const struct pick_rule *rule, const struct fit_tier *tier)
{
    *runs = (struct runs){ .at = xcalloc(tier->n, sizeof(*runs->at)) };
    for (uint32_t from = 0; from < tier->n; from += runs->at[runs->n++].n)
        runs->at[runs->n] = run_from(rule, tier, from);
}

static void runs_sort(struct runs *runs)
{
    qsort(runs->at, runs->n, sizeof(*runs->at), by_size);
    runs->tightest = xcalloc(runs->n, sizeof(*runs->tightest));
    for (uint32_t i = 0; i < runs->n; i++)
        runs->tightest[i] = i;
    qsort_r(runs->tightest, runs->n, sizeof(*runs->tightest), by_tightness, runs->at);
    runs->most_nodes = xcalloc(runs->n + 1, sizeof(*runs->most_nodes));
    runs->most_tasks = xcalloc(runs->n + 1, sizeof(*runs->most_tasks));
    for (uint32_t i = runs->n; i-- > 0;) {
        runs->most_nodes[i] = MAX(runs->most_nodes[i + 1], runs->at[i].n);
        runs->most_tasks[i] = MAX(runs->most_tasks[i + 1], runs->at[i].tasks);
    }
}

static void runs_clear(struct runs *runs)
{
    free(runs->at);
    free(runs->tightest);
    free(runs->most_nodes);
    free(runs->most_tasks);
}

/* Returns whether the run can hold all that is left. */
static bool suffices(const struct fit_state *state, const struct run *run)
{
    if (run->n == 0 || !fit_suffices(state, run->n, run->tasks))
        return false;
    return state->n + 1 < state->rule->nodes_max || run->most_tasks >= state->tasks_left;
}

/* Returns the best run without sorting: most starts need one run only. */
static struct run *first_run(const struct fit_state *state, struct runs *runs)
{
    struct run *best = NULL;

    for (uint32_t i = 0; i < runs->n; i++) {
        struct run *run = &runs->at[i];

        if (suffices(state, run) && (!best || compare(run, best, 1) < 0))
            best = run;
    }
    return best;
}

/* Returns the tightest run that can hold all that is left. Few are looked at in vain, since what is
 * left falls into one run only near the end. */
static struct run *tightest_run(const struct fit_state *state, struct runs *runs)
{
    const uint32_t large = runs->large_gone;

    if (!fit_suffices(state, runs->most_nodes[large], runs->most_tasks[large]))
        return NULL;
    while (runs->at[runs->tightest[runs->tight_gone]].n == 0)
        runs->tight_gone++;
    for (uint32_t i = runs->tight_gone; i < runs->n; i++) {
        struct run *run = &runs->at[runs->tightest[i]];

        if (suffices(state, run))
            return run;
    }
    return NULL;
}

/* Returns the tightest run that can hold all that is left, else the largest, or NULL when none will
 * do. */
static struct run *next_run(const struct fit_state *state, struct runs *runs)
{
    struct run *best = NULL;

    if (!runs->begun) {
        runs->begun = true;
        best = first_run(state, runs);
        if (best)
            return best;
    }
    if (!runs->tightest)
        runs_sort(runs);
    while (runs->large_gone < runs->n && runs->at[runs->large_gone].n == 0)
        runs->large_gone++;
    if (runs->large_gone == runs->n)
        return NULL;
    best = tightest_run(state, runs);
    if (best || state->n + 1 == state->rule->nodes_max)
        return best;
    return &runs->at[runs->large_gone];
}

/* Returns where in the run the nodes from the first required one on begin. */
static uint32_t middle_of(const struct fit_tier *tier, const struct run *run)
{
    uint32_t middle = run->from;

    while (run->required >= 0 && middle < run->from + run->n &&
           tier->nodes[middle].node < run->required)
        middle++;
    return middle;
}

/* Returns the k-th node from `middle` on, then back from it. */
static uint32_t nth_node(const struct run *run, uint32_t middle, uint32_t k)
{
    const uint32_t behind = run->from + run->n - middle;

    return k < behind ? middle + k : middle - 1 - (k - behind);
}

/* Returns, of the nodes that can hold all that is left, the one with the fewest free cpus, or
 * -1. */
static int64_t tightest_node(const struct fit_state *state, const struct fit_tier *tier,
                             const struct run *run)
{
    const uint32_t middle = middle_of(tier, run);
    int64_t best = -1;

    for (uint32_t k = 0; k < run->n; k++) {
        const uint32_t i = nth_node(run, middle, k);

        if (tier->nodes[i].tasks >= state->tasks_left &&
            (best < 0 || tier->nodes[i].cpus < tier->nodes[best].cpus))
            best = i;
    }
    return best;
}

/* Takes nodes of the run in order, as far as they will do; beside a required one, then what stands
 * before it. */
static void take_run(struct fit_state *state, const struct fit_tier *tier, const struct run *run)
{
    const uint32_t middle = middle_of(tier, run);
    bool ended = false;

    for (uint32_t k = 0; k < run->n && !fit_is_done(state); k++) {
        const uint32_t i = nth_node(run, middle, k);

        if (fit_passes_by(state, &tier->nodes[i]))
            ended = ended || (run->required >= 0 && i >= middle);
        else if (!ended || i < middle)
            fit_take(state, tier, i);
    }
}

/* Returns whether one more node would do. */
static bool wants_one(const struct fit_state *state)
{
    if (state->rule->many)
        return state->n + 1 == state->rule->nodes_max;
    return state->rule->nodes_min == 1;
}

void fit_runs(struct fit_state *state, const struct fit_tier *tier)
{
    struct run *run;
    struct runs runs;

    runs_init(&runs, state->rule, tier);
    while (!fit_is_done(state) && (run = next_run(state, &runs))) {
        const int64_t one = wants_one(state) ? tightest_node(state, tier, run) : -1;

        if (one >= 0)
            fit_take(state, tier, (uint32_t)one);
        else
            take_run(state, tier, run);
        run->n = 0;
    }
    runs_clear(&runs);
}
