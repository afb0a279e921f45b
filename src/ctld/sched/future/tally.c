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

/* Returns the index of the step that holds the moment. */
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

/* Makes a step begin at the moment and returns its index. */
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
    if (i == 0 || i >= tally->n || tally->steps[i].taken != tally->steps[i - 1].taken ||
        tally->steps[i].ends != tally->steps[i - 1].ends)
        return;
    tally->n--;
    memmove(&tally->steps[i], &tally->steps[i + 1], (tally->n - i) * sizeof(*tally->steps));
}

/* Adds to all steps in [from, to); `more` wraps around for what is given back. */
static void change(struct tally *tally, int64_t from, int64_t to, uint64_t more, tally_area ends)
{
    uint32_t first, end;

    if (from >= to)
        return;
    first = split(tally, from);
    end = split(tally, to);
    for (uint32_t i = first; i < end; i++) {
        tally->steps[i].taken += more;
        tally->steps[i].ends += ends;
    }
    merge(tally, end);
    merge(tally, first);
}

void tally_take(struct tally *tally, int64_t from, int64_t to, uint64_t amount)
{
    change(tally, from, to, amount, 0);
}

void tally_give(struct tally *tally, int64_t from, int64_t to, uint64_t amount)
{
    change(tally, from, to, 0 - amount, 0);
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

bool tally_is_ready(const struct tally *tally, int64_t from, int64_t length, uint64_t amount)
{
    const int64_t to = future_add(from, length);

    for (uint32_t i = find(tally, from); i < tally->n && tally->steps[i].from < to; i++) {
        if (!has_left(tally, i, amount))
            return false;
    }
    return true;
}

int64_t tally_until(const struct tally *tally, int64_t from, uint64_t amount)
{
    for (uint32_t i = find(tally, from); i < tally->n; i++) {
        if (!has_left(tally, i, amount))
            return tally->steps[i].from > from ? tally->steps[i].from : from;
    }
    return FUTURE_END;
}

uint64_t tally_taken(const struct tally *tally, int64_t at)
{
    return tally->steps[find(tally, at)].taken;
}

uint64_t tally_most(const struct tally *tally, int64_t from, int64_t to)
{
    uint32_t i = find(tally, from);
    uint64_t most = tally->steps[i].taken;

    while (++i < tally->n && tally->steps[i].from < to)
        most = tally->steps[i].taken > most ? tally->steps[i].taken : most;
    return most;
}

int64_t tally_change_after(const struct tally *tally, int64_t at, int64_t to)
{
    const uint32_t next = find(tally, at) + 1;

    return next < tally->n && tally->steps[next].from < to ? tally->steps[next].from : to;
}

/* ---- ramps ---- */

static tally_area area(uint64_t amount, int64_t length)
{
    return (tally_area)amount * length;
}

static int64_t end_of_ramp(int64_t to)
{
    return to < RAMP_END ? to : RAMP_END;
}

void tally_take_ramp(struct tally *tally, int64_t from, int64_t to, uint64_t amount)
{
    to = end_of_ramp(to);
    change(tally, from, to, amount, area(amount, to));
}

void tally_give_ramp(struct tally *tally, int64_t from, int64_t to, uint64_t amount)
{
    to = end_of_ramp(to);
    change(tally, from, to, 0 - amount, -area(amount, to));
}

tally_area tally_ramp_total(const struct tally *tally)
{
    return area(tally->total, 1000);
}

/* Returns what is taken of a ramp at a moment of the step. */
static tally_area taken_at(const struct tally *tally, uint32_t i, int64_t at)
{
    return tally->steps[i].ends - area(tally->steps[i].taken, at);
}

int64_t tally_ramp_falls(uint64_t taken, tally_area ends, tally_area most)
{
    tally_area at;

    if (taken == 0)
        return ends <= most ? INT64_MIN : FUTURE_END;
    at = (ends - most + (tally_area)taken - 1) / (tally_area)taken;
    return at < FUTURE_END ? (int64_t)at : FUTURE_END;
}

/* Returns where the step begins, or `at` when it began before. */
static int64_t begin_of(const struct tally *tally, uint32_t i, int64_t at)
{
    return tally->steps[i].from > at ? tally->steps[i].from : at;
}

/* Where a job that begins would take too much, it does so until the step is over or what is taken
 * has come down. A later step leaves less to the job the later it begins, up to that step. */
int64_t tally_ramp_ready(const struct tally *tally, int64_t from, int64_t length, uint64_t amount)
{
    const tally_area total = tally_ramp_total(tally);
    int64_t ready = from;

    for (uint32_t i = find(tally, from); i < tally->n; i++) {
        const int64_t at = begin_of(tally, i, ready);
        const int64_t end = i + 1 < tally->n ? tally->steps[i + 1].from : FUTURE_END;
        int64_t falls;

        if (at >= future_add(ready, length))
            break;
        if (taken_at(tally, i, at) + area(amount, length - (at - ready)) <= total)
            continue;
        falls = tally_ramp_falls(tally->steps[i].taken, tally->steps[i].ends,
                                 total - area(amount, length));
        ready = falls < end ? falls : end;
    }
    return ready;
}

bool tally_ramp_is_ready(const struct tally *tally, int64_t from, int64_t length, uint64_t amount)
{
    const tally_area total = tally_ramp_total(tally);
    const int64_t to = future_add(from, length);

    for (uint32_t i = find(tally, from); i < tally->n; i++) {
        const int64_t at = begin_of(tally, i, from);

        if (at >= to)
            break;
        if (taken_at(tally, i, at) + area(amount, length - (at - from)) > total)
            return false;
    }
    return true;
}

int64_t tally_ramp_until(const struct tally *tally, int64_t from, uint64_t amount)
{
    int64_t until = FUTURE_END;

    for (uint32_t i = find(tally, from); i < tally->n; i++) {
        const int64_t at = begin_of(tally, i, from);
        const tally_area left = tally_ramp_total(tally) - taken_at(tally, i, at);

        if (at >= until)
            break;
        if (left < 0)
            return at;
        if (amount && left / (tally_area)amount < until - at)
            until = at + (int64_t)(left / (tally_area)amount);
    }
    return until;
}

int64_t tally_ramp_closes(const struct tally *tally, int64_t from, int64_t length, uint64_t amount)
{
    int64_t closes = FUTURE_END;

    for (uint32_t i = find(tally, from) + 1; i < tally->n; i++) {
        const int64_t begin = tally->steps[i].from - length + 1;
        const tally_area left = tally_ramp_total(tally) - taken_at(tally, i, tally->steps[i].from);
        int64_t reach = 0;

        if (begin >= closes)
            break;
        if (left >= area(amount, length))
            continue;
        if (amount && left > 0)
            reach = (int64_t)(left / (tally_area)amount);
        closes = begin + reach < closes ? begin + reach : closes;
    }
    return closes;
}
