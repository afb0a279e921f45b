#include "auth/replay/replay.h"

#include <assert.h>
#include <string.h>

#include "auth/replay/census.h"
#include "common/base/alloc.h"

/* A span of which all that an account has made is refused, and not remembered. */
struct forgotten {
    int64_t from;
    int64_t to;
};

struct replay {
    struct slots slots;
    uint32_t slots_max;
    uint64_t seed;
    int64_t full_at; /* nothing could be given up in this second */
    struct forgotten forgotten[CENSUS_ACCOUNTS];
};

struct replay *replay_new(uint32_t slots_max, uint64_t seed)
{
    struct replay *replay = xcalloc(1, sizeof(*replay));

    assert(slots_max >= REPLAY_SLOTS_MIN);
    replay->slots_max = slots_max;
    replay->seed = seed;
    slots_resize(&replay->slots, REPLAY_SLOTS_MIN);
    return replay;
}

struct replay *replay_free(struct replay *replay)
{
    if (replay)
        slots_clear(&replay->slots);
    free(replay);
    return NULL;
}

/* Spreads numbers over 64 bits, differently for each seed (the finish of SplitMix64). */
static uint64_t scatter(uint64_t seed, uint64_t number)
{
    uint64_t x = seed ^ (number * 0x9e3779b97f4a7c15);

    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
    x = (x ^ x >> 27) * 0x94d049bb133111eb;
    return x ^ x >> 31;
}

/* Returns an account: root has the first for itself, other reserved users share the next, all
   others the rest. */
static uint8_t account_of(const struct replay *replay, const struct replay_use *use)
{
    uint64_t scattered = scatter(replay->seed, use->made_by) >> 16;

    if (!use->is_reserved)
        return (uint8_t)(CENSUS_RESERVED + scattered % (CENSUS_ACCOUNTS - CENSUS_RESERVED));
    return (uint8_t)(use->made_by ? 1 + scattered % (CENSUS_RESERVED - 1) : 0);
}

static uint32_t owner_of(const struct replay *replay, const struct replay_use *use)
{
    return (uint32_t)(scatter(replay->seed, (uint64_t)use->uid << 32 | (uint32_t)use->pid) >> 16);
}

static bool is_forgotten(const struct replay *replay, const struct slot *slot)
{
    const struct forgotten *forgotten = &replay->forgotten[slot->account];

    return slot->encoded_at >= forgotten->from && slot->encoded_at <= forgotten->to;
}

/* FORGETTING */

struct sweep {
    const struct replay *replay;
    int64_t now;
};

static bool is_dead(const void *arg, const struct slot *slot)
{
    const struct sweep *sweep = arg;

    return (int64_t)slot->encoded_at + slot->ttl < sweep->now || is_forgotten(sweep->replay, slot);
}

static void sweep(struct replay *replay, int64_t now)
{
    slots_sweep(&replay->slots, is_dead, &(struct sweep){ replay, now });
}

/* Refuses what the victim's account made until the end of its span. An earlier span that has
   expired is replaced; one that still counts (the clock was set back) stays refused, too. */
static void forget(struct replay *replay, const struct census_victim *victim, int64_t now)
{
    struct forgotten *forgotten = &replay->forgotten[victim->account];
    int64_t from = now - REPLAY_TTL_MAX_S;
    bool is_over = forgotten->to + REPLAY_TTL_MAX_S < now;

    if (is_over || forgotten->from > from)
        forgotten->from = from;
    if (is_over || forgotten->to < victim->until)
        forgotten->to = victim->until;
}

static uint32_t fraction(uint32_t of, uint32_t eighths)
{
    return of / 8 * eighths;
}

static void give_up(struct replay *replay, int64_t now)
{
    struct census *census = census_new(&replay->slots, now, REPLAY_TTL_MAX_S);
    uint32_t allowance = replay->slots_max / 4 / CENSUS_RESERVED;
    uint32_t want = replay->slots.n - fraction(replay->slots_max, 5);
    uint32_t freed = 0;
    uint32_t n = 1;

    for (; freed < want && n; freed += n) {
        struct census_victim victim;

        n = census_strike(census, REPLAY_YOUNG_S, allowance, &victim);
        if (n)
            forget(replay, &victim, now);
    }
    census_free(census);
    sweep(replay, now);
}

/*
 * Frees places; false when none can be freed. A sweep of all is paid for by the eighth of all that
 * came before it.
 */
static bool make_room(struct replay *replay, int64_t now)
{
    struct slots *slots = &replay->slots;

    if (slots->n < fraction(slots->size, 6))
        return true;
    if (replay->full_at == now)
        return false;
    sweep(replay, now);
    if (slots->size < replay->slots_max && slots->n >= fraction(slots->size, 4))
        slots_resize(slots, 2 * slots->size);
    else if (slots->n > fraction(slots->size, 5))
        give_up(replay, now);
    if (slots->n < fraction(slots->size, 6))
        return true;
    replay->full_at = now;
    return false;
}

void replay_expire(struct replay *replay, int64_t now)
{
    uint32_t size = replay->slots.size;

    sweep(replay, now);
    while (size > REPLAY_SLOTS_MIN && replay->slots.n < fraction(size, 1))
        size /= 2;
    if (size < replay->slots.size)
        slots_resize(&replay->slots, size);
}

/* CHECKING */

/*
 * True if a credential made by a clock that is ahead would keep its place too long: it lies in the
 * table for longer than others, and is young all the time, so that others would be made to give up
 * all of theirs.
 */
static bool is_ahead_for_long(const struct replay *replay, const struct replay_use *use,
                              int64_t now)
{
    return use->encoded_at > now + REPLAY_YOUNG_S && !use->is_reserved &&
           replay->slots.n >= fraction(replay->slots_max, 4);
}

static bool is_own_retry(const struct slot *slot, const struct slot *again,
                         const struct replay_use *use)
{
    return use->is_retry && use->pid > 0 && slot->owner == again->owner;
}

enum replay_verdict replay_check(struct replay *replay, const struct replay_use *use, int64_t now)
{
    struct slot slot = { .owner = owner_of(replay, use),
                         .encoded_at = use->encoded_at,
                         .ttl = (uint16_t)use->ttl,
                         .account = account_of(replay, use) };
    const struct slot *known;

    assert(use->mac_n >= sizeof(slot.id) && use->ttl <= REPLAY_TTL_MAX_S);
    memcpy(slot.id, use->mac, sizeof(slot.id));
    known = slots_find(&replay->slots, slot.id);
    if (known)
        return is_own_retry(known, &slot, use) ? REPLAY_NEW : REPLAY_SEEN;
    if (is_forgotten(replay, &slot) || is_ahead_for_long(replay, use, now))
        return REPLAY_CAPPED;
    if (!make_room(replay, now))
        return REPLAY_FULL;
    if (is_forgotten(replay, &slot)) /* by now */
        return REPLAY_CAPPED;
    slots_add(&replay->slots, &slot);
    return REPLAY_NEW;
}

uint32_t replay_count(const struct replay *replay)
{
    return replay->slots.n;
}
