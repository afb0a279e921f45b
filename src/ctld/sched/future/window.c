#include "ctld/sched/future/window.h"

#include <string.h>

#include "common/base/minmax.h"
#include "ctld/sched/future/future.h"

/* ---- the list ---- */

/* Returns the place of the reservation in the list, or where it would be. */
static uint32_t find_place(const struct windows *windows, uint32_t id)
{
    uint32_t low = 0, high = windows->n;

    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;

        if (windows->list[middle]->id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Finds the reservation of an option. */
static struct window *find(const struct windows *windows, uint32_t reservation)
{
    const uint32_t id = reservation & ~PLAN_RESV_WITHIN;
    const uint32_t i = find_place(windows, id);

    return i < windows->n && windows->list[i]->id == id ? windows->list[i] : NULL;
}

static void note_node(struct windows *windows, uint32_t node, struct window *window)
{
    struct node_windows *of = &windows->of_node[node];

    *ARRAY_PUSH(of->at, of->n) = window;
}

static void forget_node(struct windows *windows, uint32_t node, const struct window *window)
{
    struct node_windows *of = &windows->of_node[node];

    for (uint32_t i = 0; i < of->n; i++) {
        if (of->at[i] == window)
            of->at[i--] = of->at[--of->n];
    }
}

static struct claim_time time_of(const struct plan_span *span)
{
    return (struct claim_time){ .from = span->from_ms, .to = span->to_ms, .sorts = POOLS_ALL };
}

static void take_claims(const struct windows *windows, const struct window *window)
{
    for (uint32_t i = 0; i < window->spans_n; i++)
        claims_take(windows->pools, window->claims, time_of(&window->spans[i]));
}

/* The last span first: a tally is long where spans are many, and what is behind has to move. */
static void give_claims(const struct windows *windows, const struct window *window)
{
    for (uint32_t i = window->spans_n; i-- > 0;)
        claims_give(windows->pools, window->claims, time_of(&window->spans[i]));
    claims_freed(windows->pools, window->claims);
}

static void window_free(const struct windows *windows, struct window *window)
{
    claims_put(windows->pools, window->claims, 0);
    places_free(window->parts, window->parts_n);
    bitset_clear(&window->nodes);
    free(window->spans);
    free(window);
}

static void drop(struct windows *windows, uint32_t id)
{
    const uint32_t i = find_place(windows, id);
    struct window *window = find(windows, id);

    if (!window)
        return;
    BITSET_FOREACH (&window->nodes, node)
        forget_node(windows, (uint32_t)node, window);
    for (uint32_t k = 0; k < window->parts_n; k++)
        forget_node(windows, window->parts[k].node, window);
    give_claims(windows, window);
    windows->floating_n -= window->floats_ms > 0;
    windows->n--;
    memmove(&windows->list[i], &windows->list[i + 1], (windows->n - i) * sizeof(*windows->list));
    window_free(windows, window);
}

static int compare_parts(const void *a, const void *b)
{
    const struct sched_place *left = a, *right = b;

    return left->node < right->node ? -1 : left->node > right->node;
}

static void copy_parts(const struct windows *windows, struct window *window,
                       const struct plan_reservation *from)
{
    uint32_t words = 0;

    for (uint32_t i = 0; i < from->parts_n; i++) {
        if (from->parts[i].node < windows->cluster->nodes_n)
            words = MAX(windows->cluster->nodes[from->parts[i].node].words, words);
    }
    window->parts = places_new(from->parts_n, words);
    for (uint32_t i = 0; i < from->parts_n; i++) {
        if (from->parts[i].node < windows->cluster->nodes_n)
            sched_place_take(&window->parts[window->parts_n++], windows->cluster, &from->parts[i]);
    }
    qsort(window->parts, window->parts_n, sizeof(*window->parts), compare_parts);
}

static struct window *window_new(const struct windows *windows, const struct plan_reservation *from)
{
    struct window *window = xcalloc(1, sizeof(*window));

    window->id = from->id;
    window->flags = from->flags;
    window->overrun_ms = from->overrun_ms;
    window->yields_ms = from->yields_ms;
    window->floats_ms = from->floats_ms;
    window->spans_n = from->spans_n;
    window->spans = xmemdup(from->spans, from->spans_n * sizeof(*from->spans));
    bitset_init(&window->nodes, windows->cluster->nodes_n);
    if (from->nodes.size == windows->cluster->nodes_n)
        bitset_or(&window->nodes, &from->nodes);
    if (from->parts_n)
        copy_parts(windows, window, from);
    window->claims = claims_get(windows->pools, from->claims, from->claims_n,
                                &(struct claim_terms){ .length = 0 });
    take_claims(windows, window);
    return window;
}

static void add(struct windows *windows, struct window *window)
{
    const uint32_t i = find_place(windows, window->id);

    ARRAY_PUSH(windows->list, windows->n);
    memmove(&windows->list[i + 1], &windows->list[i],
            (windows->n - 1 - i) * sizeof(*windows->list));
    windows->list[i] = window;
    windows->floating_n += window->floats_ms > 0;
    BITSET_FOREACH (&window->nodes, node)
        note_node(windows, (uint32_t)node, window);
    for (uint32_t k = 0; k < window->parts_n; k++)
        note_node(windows, window->parts[k].node, window);
}

void windows_init(struct windows *windows, const struct sched_cluster *cluster, struct pools *pools,
                  const struct plan_snapshot *snapshot)
{
    *windows = (struct windows){ .cluster = cluster, .pools = pools };
    windows->of_node = xcalloc(cluster->nodes_n, sizeof(*windows->of_node));
    for (uint32_t i = 0; i < snapshot->reservations_n; i++)
        windows_set(windows, &snapshot->reservations[i]);
}

void windows_clear(struct windows *windows)
{
    for (uint32_t i = 0; i < windows->n; i++)
        window_free(windows, windows->list[i]);
    for (uint32_t i = 0; windows->of_node && i < windows->cluster->nodes_n; i++)
        free(windows->of_node[i].at);
    free(windows->of_node);
    free(windows->list);
    *windows = (struct windows){ 0 };
}

void windows_set(struct windows *windows, const struct plan_reservation *reservation)
{
    drop(windows, reservation->id);
    windows->end_after = windows->end_before = 0;
    if (reservation->spans_n || reservation->floats_ms)
        add(windows, window_new(windows, reservation));
}

void windows_take_of(const struct windows *windows, uint32_t pool)
{
    for (uint32_t i = 0; i < windows->n; i++) {
        const struct window *window = windows->list[i];

        for (uint32_t k = 0; claims_find(window->claims, pool) && k < window->spans_n; k++)
            claims_take_of(windows->pools, window->claims, pool, time_of(&window->spans[k]));
    }
}

/* ---- one window ---- */

static const struct sched_place *part_on(const struct window *window, uint32_t node)
{
    const struct sched_place wanted = { .node = node };

    if (window->parts_n == 0)
        return NULL;
    return bsearch(&wanted, window->parts, window->parts_n, sizeof(*window->parts), compare_parts);
}

/* Returns the first span that is not over at the moment; spans_n: there is none. */
static uint32_t span_at(const struct window *window, int64_t at)
{
    uint32_t low = 0, high = window->spans_n;

    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;

        if (window->spans[middle].to_ms <= at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Returns the first moment at which a window that always comes so long after now lets a job begin:
 * one that its deadline cuts short in time. */
static int64_t clear_of_floating(const struct window *window, int64_t at, int64_t length,
                                 int64_t deadline)
{
    if (MIN(length, deadline - at) <= window->floats_ms)
        return at;
    return deadline < FUTURE_END ? deadline - window->floats_ms : FUTURE_END;
}

/* Returns the first moment, not before `at`, from which on for `length`, or up to the deadline, no
 * span is met. */
static int64_t clear_of(const struct window *window, int64_t at, int64_t length, int64_t deadline)
{
    if (window->floats_ms)
        return clear_of_floating(window, at, length, deadline);
    for (uint32_t i = span_at(window, at); i < window->spans_n; i++) {
        if (window->spans[i].from_ms >= MIN(future_add(at, length), deadline))
            break;
        at = window->spans[i].to_ms;
    }
    return at < FUTURE_END ? at : FUTURE_END;
}

static bool is_met(const struct window *window, int64_t from, int64_t to)
{
    return clear_of(window, from, to - from, FUTURE_END) != from;
}

/*
 * Returns whether the window keeps a job of this length off. `own` is that of the job's
 * reservation, NULL where that is not there; `reservation` 0: the job has none.
 */
static bool keeps_off(const struct window *window, const struct window *own, uint32_t reservation,
                      int64_t length)
{
    if (window == own)
        return false;
    if (window->flags & PLAN_RESV_ABSENT)
        return true;
    if (reservation == 0)
        return length > window->yields_ms;
    if (!own || own->flags & PLAN_RESV_MAINT)
        return false;
    return window->flags & PLAN_RESV_MAINT || !(own->flags & PLAN_RESV_OVERLAP);
}

/* ---- the node ---- */

/* Returns when a job of the window, which is open at the moment, is ended. */
static int64_t deadline_in(const struct window *window, int64_t at)
{
    const uint32_t span = span_at(window, at);

    if (window->flags & PLAN_RESV_FLEX || span == window->spans_n ||
        window->overrun_ms == PLAN_NEVER)
        return FUTURE_END;
    return future_add(window->spans[span].to_ms, window->overrun_ms);
}

int64_t windows_deadline(const struct windows *windows, uint32_t reservation, int64_t at)
{
    const struct window *own = reservation ? find(windows, reservation) : NULL;

    return own && !(reservation & PLAN_RESV_WITHIN) ? deadline_in(own, at) : FUTURE_END;
}

static int64_t ready_outside(const struct windows *windows, uint32_t node, const struct window *own,
                             uint32_t reservation, int64_t from, int64_t length)
{
    const struct node_windows *of = &windows->of_node[node];
    int64_t at = from;
    bool moved = true;

    while (moved && at < FUTURE_END) {
        moved = false;
        for (uint32_t i = 0; i < of->n; i++) {
            const int64_t before = at;

            if (bitset_has(&of->at[i]->nodes, node) &&
                keeps_off(of->at[i], own, reservation, length))
                at = clear_of(of->at[i], at, length, windows_deadline(windows, reservation, at));
            moved = moved || at != before;
        }
    }
    return at;
}

static int64_t ready_inside(const struct window *own, uint32_t node, int64_t from, int64_t length)
{
    if (own->flags & PLAN_RESV_FLEX)
        return from;
    if (!(own->flags & PLAN_RESV_ANYWHERE) && !bitset_has(&own->nodes, node) && !part_on(own, node))
        return FUTURE_END;
    for (uint32_t i = span_at(own, from); i < own->spans_n; i++) {
        const int64_t at = own->spans[i].from_ms > from ? own->spans[i].from_ms : from;

        if (future_add(at, length) <= own->spans[i].to_ms)
            return at;
    }
    return FUTURE_END;
}

int64_t windows_ready(const struct windows *windows, uint32_t node, uint32_t reservation,
                      int64_t from, int64_t length)
{
    const struct window *own = reservation ? find(windows, reservation) : NULL;
    const int64_t within = reservation & PLAN_RESV_WITHIN ? length : 1;

    if (reservation && !own)
        return FUTURE_END;
    for (;;) {
        int64_t at = own ? ready_inside(own, node, from, within) : from;

        if (at < FUTURE_END)
            at = ready_outside(windows, node, own, reservation, at, length);
        if (!own || at == from || at >= FUTURE_END)
            return at;
        from = at;
    }
}

static void take_part(const struct sched_node *node, struct supply *free, const struct supply *part)
{
    for (uint32_t i = 0; i < node->words; i++)
        free->bits[i] &= ~part->bits[i];
}

/* Leaves the cpus of the part; devices, too, where it has any. */
static void keep_part(const struct sched_node *node, struct supply *free, const struct supply *part)
{
    const struct bitset devices = supply_devices(part, node);
    const uint32_t words = bitset_is_empty(&devices) ? node->cpu_words : node->words;

    for (uint32_t i = 0; i < words; i++)
        free->bits[i] &= part->bits[i];
}

void windows_mask(const struct windows *windows, uint32_t node, uint32_t reservation, int64_t from,
                  int64_t to, struct supply *free)
{
    const struct window *own = reservation ? find(windows, reservation) : NULL;
    const struct sched_node *of_node = &windows->cluster->nodes[node];
    const struct node_windows *of = &windows->of_node[node];

    for (uint32_t i = 0; i < of->n; i++) {
        const struct sched_place *part = part_on(of->at[i], node);

        if (part && of->at[i] == own && !(own->flags & (PLAN_RESV_FLEX | PLAN_RESV_ANYWHERE)))
            keep_part(of_node, free, &part->supply);
        else if (part && keeps_off(of->at[i], own, reservation, to - from) &&
                 is_met(of->at[i], from, to))
            take_part(of_node, free, &part->supply);
    }
}

int64_t windows_next_release(const struct windows *windows, uint32_t node, int64_t after)
{
    const struct node_windows *of = &windows->of_node[node];
    int64_t next = FUTURE_END;

    for (uint32_t i = 0; i < of->n; i++) {
        const uint32_t span = span_at(of->at[i], after);

        if (part_on(of->at[i], node) && span < of->at[i]->spans_n &&
            of->at[i]->spans[span].to_ms < next)
            next = of->at[i]->spans[span].to_ms;
    }
    return next;
}

/* Returns when the window comes to a job that is there from `from` on. */
static int64_t comes_at(const struct window *window, int64_t from)
{
    const uint32_t span = span_at(window, from);

    if (window->floats_ms)
        return future_add(from, window->floats_ms);
    if (span == window->spans_n)
        return FUTURE_END;
    return window->spans[span].from_ms > from ? window->spans[span].from_ms : from;
}

/* A window that yields to short jobs lets a longer one be there no longer than it yields. */
static int64_t leaves_until(const struct window *window, int64_t from)
{
    const int64_t comes = comes_at(window, from);
    const int64_t yields = future_add(from, window->yields_ms);

    return yields > comes ? yields : comes;
}

int64_t windows_until(const struct windows *windows, const struct sched_place *place,
                      uint32_t reservation, int64_t from)
{
    const struct window *own = reservation ? find(windows, reservation) : NULL;
    const struct sched_node *node = &windows->cluster->nodes[place->node];
    const struct node_windows *of = &windows->of_node[place->node];
    int64_t until = FUTURE_END;

    for (uint32_t i = 0; i < of->n; i++) {
        const struct sched_place *part = part_on(of->at[i], place->node);
        const int64_t leaves =
            reservation ? comes_at(of->at[i], from) : leaves_until(of->at[i], from);

        if (keeps_off(of->at[i], own, reservation, FUTURE_END) && leaves < until &&
            (!part || supplies_meet(node, &part->supply, &place->supply)))
            until = leaves;
    }
    if (own && deadline_in(own, from) < until)
        until = deadline_in(own, from);
    return until;
}

/* ---- moments ---- */

int64_t windows_next_end(struct windows *windows, int64_t after)
{
    if (after >= windows->end_after && after < windows->end_before)
        return windows->end_before;
    windows->end_after = after;
    windows->end_before = PLAN_NEVER;
    for (uint32_t i = 0; i < windows->n; i++) {
        const struct window *window = windows->list[i];
        const uint32_t span = span_at(window, after);

        if (span < window->spans_n && window->spans[span].to_ms < windows->end_before)
            windows->end_before = window->spans[span].to_ms;
    }
    return windows->end_before;
}

int64_t windows_open_at(const struct windows *windows, uint32_t reservation, int64_t at)
{
    const struct window *window = find(windows, reservation);
    const uint32_t span = window ? span_at(window, at) : 0;

    if (!window || span == window->spans_n)
        return PLAN_NEVER;
    return window->spans[span].from_ms > at ? window->spans[span].from_ms : at;
}

const struct window *windows_end_at(const struct windows *windows, uint32_t node,
                                    uint32_t reservation, int64_t at)
{
    const struct window *own = reservation ? find(windows, reservation) : NULL;
    const struct node_windows *of = &windows->of_node[node];

    for (uint32_t i = 0; i < of->n; i++) {
        const struct window *window = of->at[i];
        const uint32_t span = span_at(window, at - 1);

        if (keeps_off(window, own, reservation, FUTURE_END) && span < window->spans_n &&
            window->spans[span].to_ms == at)
            return window;
    }
    return NULL;
}

void windows_kept(const struct windows *windows, int64_t from, int64_t length, uint32_t flags,
                  struct bitset *ret)
{
    bitset_clear(ret);
    bitset_init(ret, windows->cluster->nodes_n);
    for (uint32_t i = 0; i < windows->n; i++) {
        const struct window *window = windows->list[i];

        if ((flags == ~0u || window->flags & flags) && keeps_off(window, NULL, 0, length) &&
            is_met(window, from, future_add(from, length)))
            bitset_or(ret, &window->nodes);
    }
}
