#include "ctld/sched/future/tally.h"

#include <string.h>

#include "ctld/sched/future/future.h"

void tally_init(struct tally *tally, uint64_t total)
{
    *tally = (struct tally){ .total = total, .room = 4 };
    tally->steps = xcalloc(tally->room, sizeof(*tally->steps));
    tally_reset(tally);
}

void tally_clear(struct tally *tally)
{
    free(tally->steps);
    *tally = (struct tally){ 0 };
}

void tally_reset(struct tally *tally)
{
    tally->n = 1;
    tally->steps[0] = (struct tally_step){ .from = INT64_MIN };
}

/* The step that holds the moment. */
static uint32_t find(const struct tally *tally, int64_t at)
{
    uint32_t low = 0, high = tally->n;

    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;

        if (tally->steps[middle].from <= at)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Makes a step begin at the moment; returns it. */
static uint32_t split(struct tally *tally, int64_t at)
{
    const uint32_t i = find(tally, at);

    if (tally->steps[i].from == at)
        return i;
    if (at >= FUTURE_END)
        return tally->n;
    if (tally->n == tally->room) {
        tally->room *= 2;
        tally->steps = xreallocarray(tally->steps, tally->room, sizeof(*tally->steps));
    }
    memmove(&tally->steps[i + 1], &tally->steps[i], (tally->n - i) * sizeof(*tally->steps));
    tally->steps[i + 1].from = at;
    tally->n++;
    return i + 1;
}

static void merge(struct tally *tally, uint32_t i)
{
    if (i == 0 || i >= tally->n || tally->steps[i].taken != tally->steps[i - 1].taken)
        return;
    tally->n--;
    memmove(&tally->steps[i], &tally->steps[i + 1], (tally->n - i) * sizeof(*tally->steps));
}

/* `more` wraps around for what is given back. */
static void change(struct tally *tally, int64_t from, int64_t to, uint64_t more)
{
    uint32_t first, end;

    if (from >= to)
        return;
    first = split(tally, from);
    end = split(tally, to);
    for (uint32_t i = first; i < end; i++)
        tally->steps[i].taken += more;
    merge(tally, end);
    merge(tally, first);
}

void tally_take(struct tally *tally, int64_t from, int64_t to, uint64_t amount)
{
    change(tally, from, to, amount);
}

void tally_give(struct tally *tally, int64_t from, int64_t to, uint64_t amount)
{
    change(tally, from, to, 0 - amount);
}

static bool has_left(const struct tally *tally, uint32_t i, uint64_t amount)
{
    return tally->steps[i].taken <= tally->total && tally->total - tally->steps[i].taken >= amount;
}

int64_t tally_ready(const struct tally *tally, int64_t from, int64_t length, uint64_t amount)
{
    int64_t ready = from;

    for (uint32_t i = find(tally, from); i < tally->n; i++) {
        if (tally->steps[i].from >= future_add(ready, length))
            break;
        if (!has_left(tally, i, amount))
            ready = i + 1 < tally->n ? tally->steps[i + 1].from : FUTURE_END;
    }
    return ready;
}

int64_t tally_until(const struct tally *tally, int64_t from, uint64_t amount)
{
    for (uint32_t i = find(tally, from); i < tally->n; i++) {
        if (!has_left(tally, i, amount))
            return tally->steps[i].from > from ? tally->steps[i].from : from;
    }
    return FUTURE_END;
}
