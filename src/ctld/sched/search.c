#include "ctld/sched/search.h"

#include <string.h>

#include "ctld/sched/choose.h"
#include "ctld/sched/job.h"
#include "ctld/sched/pick.h"
#include "ctld/sched/sight.h"

#define MAX(a, b) ((a) > (b) ? (a) : (b))

struct search {
    const struct sched_cluster *cluster;
    const struct future *future;
    const struct windows *windows;
    struct sights *sights;
    struct pick_node *able, *picked; /* room for all nodes */
    int64_t *waits;
    uint64_t *frees_bits;
    struct supply *frees; /* of the able nodes, for choose_nodes */
    uint32_t words;       /* of the largest node */
    struct supply window; /* room for the bits of the largest node */
    bool keeps_plan;
};

/* What one look at all nodes at one moment finds. */
struct look {
    const struct kind *kind;
    struct pick_rule rule;
    int64_t at, length;
    bool now;
    bool will_do;   /* the able ones */
    uint32_t wants; /* able ones, for a start */
    uint32_t able_n, waits_n;
    uint64_t tasks;      /* that the able ones hold */
    int64_t required_at; /* no required node is ready earlier */
    int64_t first_wait;  /* the earliest of the waits */
    int64_t grows_at;    /* an able node may hold more from then on */
};

struct search *search_new(const struct sched_cluster *cluster, const struct future *future,
                          const struct windows *windows)
{
    struct search *search = xcalloc(1, sizeof(*search));

    for (uint32_t i = 0; i < cluster->nodes_n; i++)
        search->words = MAX(cluster->nodes[i].words, search->words);
    search->cluster = cluster;
    search->future = future;
    search->windows = windows;
    search->able = xcalloc(cluster->nodes_n, sizeof(*search->able));
    search->picked = xcalloc(cluster->nodes_n, sizeof(*search->picked));
    search->waits = xcalloc(cluster->nodes_n, sizeof(*search->waits));
    search->frees = xcalloc(cluster->nodes_n, sizeof(*search->frees));
    search->frees_bits = xcalloc((size_t)cluster->nodes_n * search->words + 1, sizeof(uint64_t));
    for (uint32_t i = 0; i < cluster->nodes_n; i++)
        search->frees[i].bits = search->frees_bits + (size_t)i * search->words;
    search->window.bits = xcalloc(search->words + 1, sizeof(uint64_t));
    search->sights = sights_new();
    return search;
}

struct search *search_free(struct search *search)
{
    if (!search)
        return NULL;
    sights_free(search->sights);
    free(search->able);
    free(search->picked);
    free(search->waits);
    free(search->frees);
    free(search->frees_bits);
    free(search->window.bits);
    free(search);
    return NULL;
}

void search_forget(struct search *search)
{
    sights_forget(search->sights);
}

void search_keep_plan(struct search *search, bool keeps)
{
    search->keeps_plan = keeps;
}

int64_t search_from(struct search *search, const struct kind *kind, int64_t duration_ms)
{
    const int64_t length = length_planned(duration_ms);

    return sights_get(search->sights, kind, length, &search->cluster->usable)->from;
}

/* What is free on the node from `at` on for the job's time; valid until the next call. */
static const struct supply *window(struct search *search, const struct look *look, uint32_t node,
                                   int64_t at)
{
    future_window(search->future, node, at, future_add(at, look->length), &search->window);
    return &search->window;
}

/* The first moment, not before `at`, at which the node may hold a part of the job. */
static int64_t node_ready(const struct search *search, const struct look *look, uint32_t node,
                          int64_t at)
{
    const struct demand_least *least = &look->kind->needs[search->cluster->nodes[node].model].least;
    int64_t ready;

    for (;;) {
        ready = future_ready(search->future, node, at, look->length, least);
        if ((search->windows->n == 0 && look->kind->reservation == 0) || ready == FUTURE_END)
            return ready;
        at = windows_ready(search->windows, node, look->kind->reservation, ready, look->length);
        if (at == ready || at == FUTURE_END)
            return at;
    }
}

/*
 * Tasks the node can hold at the moment, or 0, and a later moment when it may. Gives up looking for
 * that at `enough`: other nodes wake before.
 */
static uint32_t tasks_on(struct search *search, const struct look *look, uint32_t node,
                         int64_t enough, int64_t *wake, struct gres_share *ret_most)
{
    const struct sched_node *of = &search->cluster->nodes[node];
    int64_t at = look->at;

    for (;;) {
        uint32_t tasks;

        at = node_ready(search, look, node, at);
        *wake = at;
        if (at > enough || at == FUTURE_END)
            return 0;
        tasks = demand_tasks(&look->kind->demand, of, window(search, look, node, at), ret_most);
        if (tasks)
            return at == look->at ? tasks : 0;
        at = future_next_release(search->future, node, at);
    }
}

/* tasks_on has just looked at the node: its window is what is free. */
static void keep_free(struct search *search, const struct look *look, uint32_t node)
{
    struct supply *kept = &search->frees[look->able_n];

    memcpy(kept->bits, search->window.bits,
           search->cluster->nodes[node].words * sizeof(*kept->bits));
    memcpy(kept->amounts, search->window.amounts, sizeof(kept->amounts));
}

static bool is_full(const struct kind_need *need, uint32_t tasks, const struct gres_share *share)
{
    return tasks == need->tasks_max && memcmp(share, &need->pooled_max, sizeof(*share)) == 0;
}

/* Whether the able nodes, the last of which was just added, are sure to be enough. */
static bool will_do(const struct look *look)
{
    const struct pick_rule *rule = &look->rule;

    return look->able_n == rule->nodes_min && look->tasks >= rule->tasks && pick_is_plain(rule);
}

static void add_able(struct search *search, struct look *look, uint32_t node, uint32_t tasks,
                     const struct gres_share *share)
{
    if (look->now)
        keep_free(search, look, node);
    search->able[look->able_n++] = (struct pick_node){
        .node = node,
        .weight = search->cluster->nodes[node].weight,
        .tasks = tasks,
        .share = *share,
        .features = look->kind->needs[search->cluster->nodes[node].model].features,
    };
    look->tasks += tasks;
    look->will_do = look->will_do || will_do(look);
    if (!is_full(&look->kind->needs[search->cluster->nodes[node].model], tasks, share)) {
        const int64_t grows = future_next_release(search->future, node, look->at);

        look->grows_at = grows < look->grows_at ? grows : look->grows_at;
    }
}

static void add_wait(struct search *search, struct look *look, uint32_t node, int64_t wake)
{
    search->waits[look->waits_n++] = wake;
    look->first_wait = wake < look->first_wait ? wake : look->first_wait;
    if (look->rule.required && bitset_has(look->rule.required, node) && wake > look->required_at)
        look->required_at = wake;
}

/* The least preferred nodes need no look once the most preferred ones will do. */
static bool is_settled(const struct look *look)
{
    return look->will_do && look->able_n >= look->wants;
}

static void look_round(struct search *search, struct look *look, struct sight *sight)
{
    const struct kind *kind = look->kind;
    const bool one_will_do = look->rule.nodes_min == 1;

    for (uint32_t i = 0; i < kind->nodes_n && !is_settled(look); i++) {
        const int64_t enough = one_will_do ? look->first_wait : look->at;
        int64_t *wake = &sight->wakes[i];
        struct gres_share share = { 0 };
        uint32_t tasks = 0;

        if (*wake <= look->at)
            tasks = tasks_on(search, look, kind->nodes[i], enough, wake, &share);
        if (tasks)
            add_able(search, look, kind->nodes[i], tasks, &share);
        else
            add_wait(search, look, kind->nodes[i], *wake);
    }
}

/* The k-th smallest, k counted from 1; reorders. */
static int64_t nth_smallest(int64_t *values, uint32_t n, uint32_t k)
{
    uint32_t low = 0, high = n - 1;

    while (low < high) {
        const int64_t pivot = values[low + (high - low) / 2];
        uint32_t i = low, j = high;

        for (;;) {
            while (values[i] < pivot)
                i++;
            while (values[j] > pivot)
                j--;
            if (i >= j)
                break;
            const int64_t swapped = values[i];
            values[i++] = values[j];
            values[j--] = swapped;
        }
        if (k - 1 <= j)
            high = j;
        else
            low = j + 1;
    }
    return values[k - 1];
}

/*
 * Too few nodes: enough must wake. Enough, but not the right ones or not for all tasks: one more
 * must wake, or one must be able to hold more.
 */
static int64_t next_moment(struct search *search, const struct look *look)
{
    const uint32_t min = look->rule.nodes_min;
    int64_t next;

    if (look->able_n + 1 < min) {
        const uint32_t missing = min - look->able_n;

        if (missing > look->waits_n)
            return FUTURE_END;
        next = nth_smallest(search->waits, look->waits_n, missing);
    } else if (look->able_n < min) {
        next = look->first_wait;
    } else {
        next = look->grows_at < look->first_wait ? look->grows_at : look->first_wait;
    }
    return look->required_at > next ? look->required_at : next;
}

static struct sched_place *make_places(struct search *search, const struct look *look, uint32_t n)
{
    struct sched_place *places = xcalloc(n, sizeof(*places));

    for (uint32_t i = 0; i < n; i++) {
        const uint32_t node = search->picked[i].node;
        const struct sched_node *of = &search->cluster->nodes[node];

        const struct demand_part part = {
            .tasks = search->picked[i].tasks,
            .share = search->picked[i].share,
            .now = look->now,
        };

        sched_place_init(&places[i], of, node);
        demand_take(&look->kind->demand, of, window(search, look, node, look->at), &part,
                    &places[i]);
    }
    return places;
}

static uint32_t choose(struct search *search, const struct look *look)
{
    if (look->now)
        return choose_nodes(search->cluster, look->kind, search->able, search->frees, look->able_n,
                            search->picked);
    return pick_nodes(&look->rule, search->able, look->able_n, search->picked);
}

uint32_t search_try(struct search *search, const struct kind *kind, int64_t duration_ms, int64_t at,
                    int64_t now_ms, struct sched_place **ret_places, int64_t *ret_next)
{
    struct sight *sight;
    struct look look = {
        .kind = kind,
        .rule = kind_rule(kind),
        .at = at,
        .length = length_planned(duration_ms),
        .now = at <= now_ms && !search->keeps_plan,
        .required_at = INT64_MIN,
        .first_wait = FUTURE_END,
        .grows_at = FUTURE_END,
    };
    int64_t next;
    uint32_t n;

    look.wants = look.now ? choose_wants(kind) : 0;
    sight = sights_get(search->sights, kind, look.length, &search->cluster->usable);
    look_round(search, &look, sight);
    n = choose(search, &look);
    next = n ? at : next_moment(search, &look);
    if (at <= MAX(sight->from, now_ms)) /* else moments were left out that may be good */
        sight->from = next;
    if (n)
        *ret_places = make_places(search, &look, n);
    else
        *ret_next = next;
    return n;
}
