#include "ctld/sched/future/window.h"

#include <string.h>

#include "ctld/sched/future/future.h"

void windows_init(struct windows *windows, const struct plan_snapshot *snapshot)
{
    *windows = (struct windows){ 0 };
    for (uint32_t i = 0; i < snapshot->reservations_n; i++)
        windows_set(windows, &snapshot->reservations[i]);
}

void windows_clear(struct windows *windows)
{
    for (uint32_t i = 0; i < windows->n; i++)
        bitset_clear(&windows->list[i].nodes);
    free(windows->list);
    *windows = (struct windows){ 0 };
}

static void drop(struct windows *windows, uint32_t id)
{
    for (uint32_t i = 0; i < windows->n; i++) {
        if (windows->list[i].id != id)
            continue;
        bitset_clear(&windows->list[i].nodes);
        windows->n--;
        memmove(&windows->list[i], &windows->list[i + 1],
                (windows->n - i) * sizeof(*windows->list));
        return;
    }
}

void windows_set(struct windows *windows, const struct plan_reservation *reservation)
{
    drop(windows, reservation->id);
    if (reservation->nodes.size && !bitset_is_empty(&reservation->nodes)) {
        struct plan_reservation *window = ARRAY_PUSH(windows->list, windows->n);

        *window = *reservation;
        window->nodes = (struct bitset){ 0 };
        bitset_copy(&window->nodes, &reservation->nodes);
    }
}

const struct plan_reservation *windows_find(const struct windows *windows, uint32_t id)
{
    for (uint32_t i = 0; i < windows->n; i++) {
        if (windows->list[i].id == id)
            return &windows->list[i];
    }
    return NULL;
}

static int64_t ready_inside(const struct plan_reservation *own, uint32_t node, int64_t from,
                            int64_t length)
{
    const int64_t at = own && own->from_ms > from ? own->from_ms : from;

    if (!own || !bitset_has(&own->nodes, node) || future_add(at, length) > own->to_ms)
        return FUTURE_END;
    return at;
}

/* Returns whether the window keeps the job off the node. A job of a reservation has its nodes
 * whatever others they are kept for, as long as they are there. */
static bool is_foreign(const struct plan_reservation *window, uint32_t node, uint32_t reservation)
{
    return window->id != reservation && (reservation == 0 || window->absent) &&
           bitset_has(&window->nodes, node);
}

static int64_t ready_outside(const struct windows *windows, uint32_t node, uint32_t reservation,
                             int64_t from, int64_t length)
{
    int64_t at = from;
    bool moved = true;

    while (moved) {
        moved = false;
        for (uint32_t i = 0; i < windows->n; i++) {
            const struct plan_reservation *window = &windows->list[i];

            if (!is_foreign(window, node, reservation) || at >= window->to_ms ||
                future_add(at, length) <= window->from_ms)
                continue;
            at = window->to_ms;
            moved = true;
        }
    }
    return at;
}

/* Nodes are absent from now on, so a job that begins inside its own window later meets no
 * absence. */
int64_t windows_ready(const struct windows *windows, uint32_t node, uint32_t reservation,
                      int64_t from, int64_t length)
{
    const int64_t at = ready_outside(windows, node, reservation, from, length);

    if (reservation == 0 || at == FUTURE_END)
        return at;
    return ready_inside(windows_find(windows, reservation), node, at, length);
}

int64_t windows_until(const struct windows *windows, uint32_t node, uint32_t reservation,
                      int64_t from)
{
    const struct plan_reservation *own = windows_find(windows, reservation);
    int64_t until = own ? own->to_ms : FUTURE_END;

    for (uint32_t i = 0; !own && i < windows->n; i++) {
        const struct plan_reservation *window = &windows->list[i];

        if (is_foreign(window, node, reservation) && window->to_ms > from &&
            window->from_ms < until)
            until = window->from_ms;
    }
    return until > from ? until : from;
}

int64_t windows_next_end(const struct windows *windows, int64_t after)
{
    int64_t next = PLAN_NEVER;

    for (uint32_t i = 0; i < windows->n; i++) {
        const int64_t end = windows->list[i].to_ms;

        next = end > after && end < next ? end : next;
    }
    return next;
}

const struct plan_reservation *windows_end_at(const struct windows *windows, uint32_t node,
                                              uint32_t reservation, int64_t at)
{
    for (uint32_t i = 0; i < windows->n; i++) {
        if (is_foreign(&windows->list[i], node, reservation) && windows->list[i].to_ms == at)
            return &windows->list[i];
    }
    return NULL;
}
