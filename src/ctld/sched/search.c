#include "ctld/sched/search.h"

#include <string.h>

#include "ctld/sched/choose.h"
#include "ctld/sched/job.h"
#include "ctld/sched/look.h"

#define MAX(a, b) ((a) > (b) ? (a) : (b))

struct search *search_new(const struct sched_cluster *cluster, const struct future *future,
                          const struct windows *windows, const struct holders *holders)
{
    struct search *search = xcalloc(1, sizeof(*search));

    for (uint32_t i = 0; i < cluster->nodes_n; i++)
        search->words = MAX(cluster->nodes[i].words, search->words);
    search->cluster = cluster;
    search->future = future;
    search->windows = windows;
    search->holders = holders;
    search->able = xcalloc(cluster->nodes_n, sizeof(*search->able));
    search->picked = xcalloc(cluster->nodes_n, sizeof(*search->picked));
    search->waits = xcalloc(cluster->nodes_n, sizeof(*search->waits));
    search->visits = xcalloc(cluster->nodes_n, sizeof(*search->visits));
    search->leaves_n = 1;
    while (search->leaves_n * SIGHT_BLOCK < cluster->nodes_n)
        search->leaves_n *= 2;
    search->soonest = xcalloc(2 * (size_t)search->leaves_n, sizeof(*search->soonest));
    search->stays = xcalloc(cluster->nodes_n, sizeof(*search->stays));
    bitset_init(&search->held, cluster->nodes_n);
    search->frees = xcalloc(cluster->nodes_n, sizeof(*search->frees));
    search->frees_bits = xcalloc((size_t)cluster->nodes_n * search->words + 1, sizeof(uint64_t));
    for (uint32_t i = 0; i < cluster->nodes_n; i++)
        search->frees[i].bits = search->frees_bits + (size_t)i * search->words;
    search->window.bits = xcalloc(search->words + 1, sizeof(uint64_t));
    search->sights = sights_new(cluster);
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
    free(search->visits);
    free(search->soonest);
    free(search->stays);
    bitset_clear(&search->held);
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

void search_forget_node(struct search *search, uint32_t node)
{
    sights_forget_node(search->sights, node);
}

void search_begin(struct search *search, const struct holder_user *user)
{
    search->number++;
    search->user = *user;
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
        ready = future_ready(search->future, node, at, look->length, least, NULL);
        if (ready == FUTURE_END)
            return ready;
        at = holders_ready(search->holders, node, &search->user, ready, look->length);
        if (search->windows->n > 0 || look->kind->reservation != 0)
            at = windows_ready(search->windows, node, look->kind->reservation, at, look->length);
        if (at == ready || at == FUTURE_END)
            return at;
    }
}

int64_t look_until(const struct search *search, const struct look *look, uint32_t node)
{
    int64_t until;

    future_ready(search->future, node, look->at, look->length,
                 &look->kind->needs[search->cluster->nodes[node].model].least, &until);
    return until >= FUTURE_END ? FUTURE_END : until - look->length;
}

uint32_t look_at_node(struct search *search, const struct look *look, uint32_t node, int64_t enough,
                      int64_t *ret_wake, struct gres_share *ret_most)
{
    const struct sched_node *of = &search->cluster->nodes[node];
    int64_t at = look->at;

    for (;;) {
        uint32_t tasks;

        at = node_ready(search, look, node, at);
        *ret_wake = at;
        if (at > enough || at == FUTURE_END)
            return 0;
        tasks = demand_tasks(&look->kind->demand, of, window(search, look, node, at), ret_most);
        if (tasks)
            return at == look->at ? tasks : 0;
        at = future_next_release(search->future, node, at);
    }
}

/* look_at_node has just looked at the node: its window is what is free. */
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

/* The least preferred nodes need no look once the most preferred ones will do. */
static bool is_settled(const struct look *look)
{
    return look->will_do && look->able_n >= look->wants;
}

bool look_learn(struct search *search, const struct look *look, uint32_t position, int64_t wake)
{
    const uint32_t node = search->cluster->order[position];
    const struct demand_least least = sight_least(look->sight, &search->cluster->nodes[node]);
    const int64_t known = look->sight->wakes[position];

    search->visits[position] = (struct visit){ search->number, wake };
    sight_raise(look->sight, position,
                future_ready(search->future, node, MAX(known, look->now_ms),
                             look->sight->key.length, &least, NULL));
    return look->sight->wakes[position] > known;
}

/* True: the sight has learned something. */
static bool visit(struct search *search, struct look *look, uint32_t position)
{
    const int64_t enough = look->rule.nodes_min == 1 ? look->first_wait : look->at;
    const uint32_t node = search->cluster->order[position];
    struct gres_share share = { 0 };
    int64_t wake;
    const uint32_t tasks = look_at_node(search, look, node, enough, &wake, &share);

    if (tasks) {
        add_able(search, look, node, tasks, &share);
        return false;
    }
    look->first_wait = wake < look->first_wait ? wake : look->first_wait;
    return look_learn(search, look, position, wake);
}

static void look_at_block(struct search *search, struct look *look, uint32_t block)
{
    bool learned = false;

    for (uint64_t word = look->kind->open.words[block]; word && !is_settled(look);
         word &= word - 1) {
        const uint32_t position = block * SIGHT_BLOCK + (uint32_t)__builtin_ctzll(word);

        if (look_wake(search, look, position) <= look->at)
            learned |= visit(search, look, position);
    }
    if (learned)
        sight_learned(look->sight, search->cluster, block);
}

static void look_round(struct search *search, struct look *look)
{
    const uint32_t blocks_n = (search->cluster->nodes_n + SIGHT_BLOCK - 1) / SIGHT_BLOCK;

    for (uint32_t block = 0; block < blocks_n && !is_settled(look); block++) {
        if (look->kind->open.words[block] && look->sight->first[block] <= look->at)
            look_at_block(search, look, block);
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

/* When the first of the block's nodes that sleep wakes. */
static int64_t block_wakes(const struct search *search, const struct look *look, uint32_t block)
{
    int64_t first = FUTURE_END;

    for (uint64_t word = look->kind->open.words[block]; word; word &= word - 1) {
        const uint32_t position = block * SIGHT_BLOCK + (uint32_t)__builtin_ctzll(word);
        const int64_t wake = look_wake(search, look, position);

        if (wake > look->at && wake < first)
            first = wake;
    }
    return first;
}

static int64_t first_to_wake(const struct search *search, const struct look *look)
{
    const uint32_t blocks_n = (search->cluster->nodes_n + SIGHT_BLOCK - 1) / SIGHT_BLOCK;
    int64_t first = FUTURE_END;

    for (uint32_t block = 0; block < blocks_n; block++) {
        if (look->kind->open.words[block] && look->sight->first[block] < first) {
            const int64_t wake = block_wakes(search, look, block);

            first = wake < first ? wake : first;
        }
    }
    return first;
}

/* When so many more nodes are awake. */
static int64_t enough_to_wake(struct search *search, const struct look *look, uint32_t missing)
{
    uint32_t n = 0;

    BITSET_FOREACH (&look->kind->open, position) {
        const int64_t wake = look_wake(search, look, (uint32_t)position);

        if (wake > look->at)
            search->waits[n++] = wake;
    }
    return n < missing ? FUTURE_END : nth_smallest(search->waits, n, missing);
}

/* No required node is ready earlier. */
static int64_t required_wake(const struct search *search, const struct look *look)
{
    int64_t last = INT64_MIN;

    BITSET_FOREACH (&look->kind->open, position) {
        const int64_t wake = look_wake(search, look, (uint32_t)position);

        if (wake > last && bitset_has(look->rule.required, search->cluster->order[position]))
            last = wake;
    }
    return last;
}

/*
 * Too few nodes: enough must wake. Enough, but not the right ones or not for all tasks: one more
 * must wake, or one must be able to hold more.
 */
static int64_t next_moment(struct search *search, const struct look *look)
{
    const uint32_t min = look->rule.nodes_min;
    int64_t next, required;

    if (look->able_n + 1 < min)
        next = enough_to_wake(search, look, min - look->able_n);
    else
        next = first_to_wake(search, look);
    if (look->able_n >= min && look->grows_at < next)
        next = look->grows_at;
    if (!look->rule.required)
        return next;
    required = required_wake(search, look);
    return required > next ? required : next;
}

struct sched_place *look_places(struct search *search, const struct look *look, uint32_t n)
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
    if (look->able_n < look->rule.nodes_min || look->tasks < look->rule.tasks)
        return 0;
    if (look->now)
        return choose_nodes(search->cluster, look->kind, search->able, search->frees, look->able_n,
                            search->picked);
    return pick_nodes(&look->rule, search->able, look->able_n, search->picked);
}

/* Any nodes will do if only there are enough of them, each for its share of the tasks. */
static bool is_plain(const struct look *look)
{
    return pick_is_plain(&look->rule) &&
           (uint64_t)look->rule.nodes_min * look->kind->demand.tasks_least >= look->rule.tasks;
}

static uint32_t try_moment(struct search *search, struct look *look,
                           struct sched_place **ret_places, int64_t *ret_next)
{
    uint32_t n;

    look_round(search, look);
    n = choose(search, look);
    if (n)
        *ret_places = look_places(search, look, n);
    else
        *ret_next = next_moment(search, look);
    return n;
}

/* The first sight of all is learned at once: the others begin with what it knows. */
static struct sight *get_sight(struct search *search, const struct kind *kind, int64_t length,
                               int64_t now_ms)
{
    bool fresh;
    struct sight *base = sights_base(search->sights, &fresh);

    for (uint32_t i = 0; fresh && i < search->cluster->nodes_n; i++) {
        const uint32_t node = search->cluster->order[i];
        const struct demand_least least = sight_least(base, &search->cluster->nodes[node]);

        sight_raise(base, i,
                    future_ready(search->future, node, now_ms, base->key.length, &least, NULL));
        if (i % SIGHT_BLOCK == SIGHT_BLOCK - 1 || i + 1 == search->cluster->nodes_n)
            sight_learned(base, search->cluster, i / SIGHT_BLOCK);
    }
    return sights_get(search->sights, kind, length);
}

uint32_t search_try(struct search *search, const struct kind *kind, int64_t duration_ms,
                    int64_t now_ms, int64_t *at, struct sched_place **ret_places)
{
    const int64_t length = length_planned(duration_ms);
    struct look look = {
        .kind = kind,
        .sight = get_sight(search, kind, length, now_ms),
        .rule = kind_rule(kind),
        .at = *at,
        .length = length,
        .now_ms = now_ms,
        .now = *at <= now_ms && !search->keeps_plan,
        .first_wait = FUTURE_END,
        .grows_at = FUTURE_END,
    };
    uint32_t n;

    look.wants = look.now ? choose_wants(kind) : 0;
    if (!look.now && is_plain(&look)) {
        n = sweep(search, &look, ret_places);
        *at = look.at;
        return n;
    }
    return try_moment(search, &look, ret_places, at);
}
