#include "ctld/sched/search/search.h"

#include "common/base/minmax.h"
#include "ctld/sched/future/job.h"
#include "ctld/sched/pick/choose.h"
#include "ctld/sched/search/look.h"

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
    outlook_init(&search->outlook, cluster->nodes_n);
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
    search->sights = sights_new(cluster, future);
    search->models = xcalloc(cluster->nodes_n, sizeof(*search->models));
    for (uint32_t i = 0; i < cluster->nodes_n; i++)
        search->models[i] = cluster->nodes[i].model;
    return search;
}

struct search *search_free(struct search *search)
{
    if (!search)
        return NULL;
    sights_free(search->sights);
    free(search->models);
    free(search->able);
    free(search->picked);
    free(search->waits);
    outlook_clear(&search->outlook);
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
    outlook_begin(&search->outlook);
    search->user = *user;
}

/* Returns until when a job that starts at the moment is there. */
static int64_t end_of(const struct search *search, const struct look *look, int64_t at)
{
    const int64_t end = future_add(at, look->length);
    const int64_t deadline = windows_deadline(search->windows, look->kind->reservation, at);

    return deadline < end ? deadline : end;
}

/* Returns what is free on the node from `at` on for the job's time; valid until the next call. */
static const struct supply *window(struct search *search, const struct look *look, uint32_t node,
                                   int64_t at)
{
    const int64_t to = end_of(search, look, at);

    future_window(search->future, node, at, to, &search->window);
    if (windows_are_on(search->windows, node))
        windows_mask(search->windows, node, look->kind->reservation, at, to, &search->window);
    return &search->window;
}

/* Returns the first moment, not before `at`, at which the node may hold a part of the job, and how
 * long it then may wait for its start there. */
static int64_t node_ready(const struct search *search, const struct look *look, uint32_t node,
                          int64_t at, int64_t *ret_until)
{
    const struct demand_least *least = &look->kind->needs[search->models[node]].least;
    const uint32_t reservation = look->kind->reservation;
    const bool has_windows = windows_are_on(search->windows, node) || reservation;

    for (;;) {
        int64_t free, ready;

        if (has_windows)
            at = windows_ready(search->windows, node, reservation, at, look->length);
        if (at >= FUTURE_END)
            return FUTURE_END;
        free = future_ready_until(search->future, node, at, look->length,
                                  windows_deadline(search->windows, reservation, at), least,
                                  ret_until);
        if (free >= FUTURE_END)
            return FUTURE_END;
        ready = holders_ready(search->holders, node, &search->user, free,
                              end_of(search, look, free) - free);
        if (ready == free && (free == at || !has_windows))
            return ready;
        at = ready;
    }
}

int64_t look_at_counts(struct search *search, const struct look *look, uint32_t node,
                       int64_t *ret_until)
{
    search->looks_n++;
    return node_ready(search, look, node, look->at, ret_until);
}

int64_t look_next_release(const struct search *search, uint32_t node, int64_t after)
{
    const int64_t given = future_next_release(search->future, node, after);
    int64_t opened;

    if (!windows_are_on(search->windows, node))
        return given;
    opened = windows_next_release(search->windows, node, after);
    return opened < given ? opened : given;
}

uint32_t look_at_node(struct search *search, const struct look *look, uint32_t node, int64_t enough,
                      int64_t *ret_wake, struct gres_share *ret_most)
{
    const struct sched_node *of = &search->cluster->nodes[node];
    int64_t at = look->at, until;

    search->looks_n++;
    for (;;) {
        uint32_t tasks;

        at = node_ready(search, look, node, at, &until);
        *ret_wake = at;
        if (at > enough || at == FUTURE_END)
            return 0;
        tasks = demand_tasks(&look->kind->demand, of, window(search, look, node, at), ret_most);
        tasks = kind_tasks(look->kind, node, tasks);
        if (tasks)
            return at == look->at ? tasks : 0;
        at = look_next_release(search, node, at);
    }
}

struct sched_place *look_places(struct search *search, const struct look *look, uint32_t n)
{
    struct sched_place *places;
    uint32_t words = 0;

    for (uint32_t i = 0; i < n; i++)
        words = MAX(words, search->cluster->nodes[search->picked[i].node].words);
    places = places_new(n, words);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t node = search->picked[i].node;
        const struct sched_node *of = &search->cluster->nodes[node];

        const struct demand_part part = {
            .tasks = search->picked[i].tasks,
            .share = search->picked[i].share,
            .now = look->now,
        };

        places[i].node = node;
        demand_take(&look->kind->demand, of, window(search, look, node, look->at), &part,
                    &places[i]);
    }
    return places;
}

/* Returns the least length that a job must find room for: one of a reservation may be ended at any
 * time. */
static int64_t least_length(const struct look *look)
{
    return look->kind->reservation ? 1 : look->length;
}

/* Returns whether any nodes will do if only there are enough of them, each for its share of the
 * tasks. */
static bool is_plain(const struct look *look)
{
    return pick_is_plain(&look->rule) &&
           (uint64_t)look->rule.nodes_min * look->kind->demand.tasks_least >= look->rule.tasks;
}

/* Asks the only node when it has room; else like sweep. */
static uint32_t ask_only_node(struct search *search, struct look *look,
                              struct sched_place **ret_places)
{
    struct pick_node only = { .weight = search->cluster->nodes[0].weight };
    int64_t wake;

    only.tasks = look_at_node(search, look, 0, FUTURE_END, &wake, &only.share);
    if (only.tasks == 0 && wake < FUTURE_END) {
        look->at = wake;
        only.tasks = look_at_node(search, look, 0, FUTURE_END, &wake, &only.share);
    }
    if (only.tasks == 0 || pick_nodes(&look->rule, &only, 1, search->picked) == 0) {
        look->at = FUTURE_END;
        return 0;
    }
    *ret_places = look_places(search, look, 1);
    return 1;
}

bool search_prepare(struct search *search, int64_t now_ms)
{
    const uint32_t looks_n = sights_prepare(search->sights, now_ms);

    search->looks_n += looks_n;
    return looks_n == 0;
}

uint32_t search_try(struct search *search, const struct kind *kind, int64_t duration_ms,
                    int64_t now_ms, int64_t *at, struct sched_place **ret_places)
{
    const int64_t length = length_planned(duration_ms);
    struct look look = {
        .kind = kind,
        .rule = kind_rule(kind),
        .at = *at,
        .length = length,
        .now_ms = now_ms,
        .now = *at <= now_ms && !search->keeps_plan,
        .first_wait = FUTURE_END,
        .grows_at = FUTURE_END,
    };
    const bool is_swept = !look.now && is_plain(&look);
    uint32_t n;

    search->shortage = (struct node_shortage){ .nodes = 0 };
    if (is_swept && kind->takes_same) {
        n = ask_only_node(search, &look, ret_places);
        *at = look.at;
        return n;
    }
    look.sight = sights_get(search->sights, kind, least_length(&look), now_ms, &search->looks_n);
    look.wants = look.now ? choose_wants(kind) : 0;
    if (!is_swept)
        return moment_try(search, &look, ret_places, at);
    n = sweep(search, &look, ret_places);
    *at = look.at;
    return n;
}

bool search_takes_first(const struct kind *kind)
{
    const struct look look = { .kind = kind, .rule = kind_rule(kind) };

    return is_plain(&look);
}

uint32_t search_try_within(struct search *search, const struct kind *kind, int64_t duration_ms,
                           int64_t now_ms, const struct search_bound *bound, int64_t *at,
                           struct sched_place **ret_places)
{
    struct look look = {
        .kind = kind,
        .rule = kind_rule(kind),
        .at = *at,
        .length = length_planned(duration_ms),
        .now_ms = now_ms,
        .allowed = bound->allowed,
        .known = bound->known,
        .others = bound->others,
        .first_wait = FUTURE_END,
        .grows_at = FUTURE_END,
    };

    look.rule.nodes_max = MIN(look.rule.nodes_max, bound->most);
    if (look.rule.nodes_max < look.rule.nodes_min) {
        *at = FUTURE_END;
        return 0;
    }
    look.sight = sights_get(search->sights, kind, least_length(&look), now_ms, &search->looks_n);
    return moment_try_within(search, &look, ret_places, at);
}

uint32_t search_looks(struct search *search)
{
    const uint32_t looks_n = search->looks_n;

    search->looks_n = 0;
    return looks_n;
}

struct node_shortage search_shortage(const struct search *search)
{
    return search->shortage;
}
