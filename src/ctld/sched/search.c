#include "ctld/sched/search.h"

#include "ctld/sched/job.h"
#include "ctld/sched/pick.h"

struct search {
    const struct sched_cluster *cluster;
    struct kinds *kinds;
    const struct future *future;
    uint64_t sight_number;
    struct pick_node *able, *picked; /* room for all nodes */
    int64_t *waits;
    uint64_t *words; /* room for the cpus of the largest node */
};

/* What one look at all nodes at one moment finds. */
struct look {
    struct kind *kind;
    struct pick_rule rule;
    int64_t at, length;
    uint32_t able_n, waits_n;
    uint64_t tasks;      /* that the able ones hold */
    int64_t required_at; /* no required node is ready earlier */
    int64_t grows_at;    /* an able node may hold more from then on */
};

struct search *search_new(const struct sched_cluster *cluster, struct kinds *kinds,
                          const struct future *future)
{
    struct search *search = xcalloc(1, sizeof(*search));
    uint32_t cpus = 0;

    for (uint32_t i = 0; i < cluster->nodes_n; i++)
        cpus = cluster->nodes[i].cpus > cpus ? cluster->nodes[i].cpus : cpus;
    search->cluster = cluster;
    search->kinds = kinds;
    search->future = future;
    search->able = xcalloc(cluster->nodes_n, sizeof(*search->able));
    search->picked = xcalloc(cluster->nodes_n, sizeof(*search->picked));
    search->waits = xcalloc(cluster->nodes_n, sizeof(*search->waits));
    search->words = xcalloc(cpus / 64 + 1, sizeof(*search->words));
    search_forget(search);
    return search;
}

struct search *search_free(struct search *search)
{
    if (!search)
        return NULL;
    free(search->able);
    free(search->picked);
    free(search->waits);
    free(search->words);
    free(search);
    return NULL;
}

void search_forget(struct search *search)
{
    search->sight_number = ++search->kinds->sight_number;
}

int64_t search_from(const struct search *search, const struct kind *kind)
{
    return kind->sight.number == search->sight_number ? kind->sight.from : INT64_MIN;
}

static void sight_renew(const struct search *search, struct kind *kind)
{
    if (kind->sight.number == search->sight_number)
        return;
    kind->sight.number = search->sight_number;
    kind->sight.from = INT64_MIN;
    if (!kind->sight.wakes)
        kind->sight.wakes = xcalloc(kind->nodes_n, sizeof(*kind->sight.wakes));
    for (uint32_t i = 0; i < kind->nodes_n; i++)
        kind->sight.wakes[i] = INT64_MIN;
}

/* What is free on the node all through the look's time; the set is borrowed from the search. */
static struct bitset window(const struct search *search, const struct look *look, uint32_t node,
                            uint64_t *ret_memory_mb)
{
    struct bitset free = { .size = search->cluster->nodes[node].cpus, .words = search->words };

    future_window(search->future, node, look->at, future_add(look->at, look->length), &free,
                  ret_memory_mb);
    return free;
}

/* Tasks the node can hold from the moment on, or 0, and a later moment when it may. */
static uint32_t tasks_on(const struct search *search, const struct look *look, uint32_t node,
                         int64_t *wake)
{
    const struct demand *demand = &look->kind->demand;
    const struct sched_node *of = &search->cluster->nodes[node];
    struct bitset free;
    uint64_t free_mb;
    uint32_t tasks;

    *wake = future_ready(search->future, node, look->at, look->length,
                         demand_least_cpus(demand, of), demand_least_memory(demand, of));
    if (*wake > look->at)
        return 0;
    free = window(search, look, node, &free_mb);
    tasks = demand_tasks(demand, of, &free, free_mb);
    if (!tasks)
        *wake = future_next_release(search->future, node, look->at);
    return tasks;
}

static void add_able(struct search *search, struct look *look, uint32_t node, uint32_t tasks)
{
    search->able[look->able_n++] = (struct pick_node){
        .node = node,
        .weight = search->cluster->nodes[node].weight,
        .tasks = tasks,
    };
    look->tasks += tasks;
    if (tasks < look->kind->demand.tasks_most) {
        const int64_t grows = future_next_release(search->future, node, look->at);

        look->grows_at = grows < look->grows_at ? grows : look->grows_at;
    }
}

static void add_wait(struct search *search, struct look *look, uint32_t node, int64_t wake)
{
    search->waits[look->waits_n++] = wake;
    if (look->rule.required && bitset_has(look->rule.required, node) && wake > look->required_at)
        look->required_at = wake;
}

/* The least preferred nodes need no look once the most preferred ones will do. */
static bool is_settled(const struct look *look)
{
    return look->able_n == look->rule.nodes_min && look->tasks >= look->rule.tasks &&
           !look->rule.many && !look->rule.contiguous && !look->rule.required;
}

static void look_round(struct search *search, struct look *look)
{
    struct kind *kind = look->kind;

    for (uint32_t i = 0; i < kind->nodes_n && !is_settled(look); i++) {
        const uint32_t node = kind->nodes[i];
        int64_t *wake = &kind->sight.wakes[i];
        uint32_t tasks = 0;

        if (!bitset_has(&search->cluster->usable, node))
            continue;
        if (*wake <= look->at)
            tasks = tasks_on(search, look, node, wake);
        if (tasks)
            add_able(search, look, node, tasks);
        else
            add_wait(search, look, node, *wake);
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

    if (look->able_n < min) {
        const uint32_t missing = min - look->able_n;

        if (missing > look->waits_n)
            return FUTURE_END;
        next = nth_smallest(search->waits, look->waits_n, missing);
    } else {
        next = look->waits_n ? nth_smallest(search->waits, look->waits_n, 1) : FUTURE_END;
        next = look->grows_at < next ? look->grows_at : next;
    }
    return look->required_at > next ? look->required_at : next;
}

static struct plan_place *make_places(const struct search *search, const struct look *look,
                                      uint32_t n)
{
    struct plan_place *places = xcalloc(n, sizeof(*places));

    for (uint32_t i = 0; i < n; i++) {
        const uint32_t node = search->picked[i].node;
        uint64_t free_mb;
        const struct bitset free = window(search, look, node, &free_mb);

        places[i].node = node;
        demand_take(&look->kind->demand, &search->cluster->nodes[node], &free,
                    search->picked[i].tasks, &places[i]);
    }
    return places;
}

uint32_t search_try(struct search *search, struct kind *kind, int64_t at,
                    struct plan_place **ret_places, int64_t *ret_next)
{
    struct look look = {
        .kind = kind,
        .rule = kind_rule(kind),
        .at = at,
        .length = length_planned(kind->duration_ms),
        .required_at = INT64_MIN,
        .grows_at = FUTURE_END,
    };
    uint32_t n;

    sight_renew(search, kind);
    look_round(search, &look);
    n = pick_nodes(&look.rule, search->able, look.able_n, search->picked);
    kind->sight.from = n ? at : next_moment(search, &look);
    if (n)
        *ret_places = make_places(search, &look, n);
    else
        *ret_next = kind->sight.from;
    return n;
}
