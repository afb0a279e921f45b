#include "auth/replay/slots.h"

#include <assert.h>
#include <string.h>

#include "common/base/alloc.h"

static uint32_t home_of(const struct slots *slots, const uint32_t id[2])
{
    return id[0] & (slots->size - 1);
}

static uint32_t after(const struct slots *slots, uint32_t i)
{
    return (i + 1) & (slots->size - 1);
}

void slots_resize(struct slots *slots, uint32_t size)
{
    struct slots old = *slots;

    assert(size > old.n && (size & (size - 1)) == 0);
    *slots = (struct slots){ .at = xcalloc(size, sizeof(*slots->at)), .size = size };
    for (uint32_t i = 0; i < old.size; i++) {
        if (old.at[i].is_used)
            slots_add(slots, &old.at[i]);
    }
    free(old.at);
}

void slots_clear(struct slots *slots)
{
    free(slots->at);
    *slots = (struct slots){ 0 };
}

/* Returns the place of the id, or else the free place where it would be. */
static uint32_t look_up(const struct slots *slots, const uint32_t id[2])
{
    uint32_t i = home_of(slots, id);

    while (slots->at[i].is_used && memcmp(slots->at[i].id, id, sizeof(slots->at[i].id)) != 0)
        i = after(slots, i);
    return i;
}

const struct slot *slots_find(const struct slots *slots, const uint32_t id[2])
{
    const struct slot *slot = &slots->at[look_up(slots, id)];

    return slot->is_used ? slot : NULL;
}

void slots_add(struct slots *slots, const struct slot *slot)
{
    uint32_t i = look_up(slots, slot->id);

    assert(slots->n + 1 < slots->size);
    slots->n += !slots->at[i].is_used;
    slots->at[i] = *slot;
    slots->at[i].is_used = true;
}

/* Empties a slot and closes the gap: of the slots behind it up to the next free place, each that a
   search would no longer reach across the gap moves into it, and leaves a gap in turn. */
static void take_out(struct slots *slots, uint32_t gap)
{
    for (uint32_t i = after(slots, gap); slots->at[i].is_used; i = after(slots, i)) {
        uint32_t home = home_of(slots, slots->at[i].id);

        if (((i - home) & (slots->size - 1)) < ((i - gap) & (slots->size - 1)))
            continue;
        slots->at[gap] = slots->at[i];
        gap = i;
    }
    slots->at[gap].is_used = false;
    slots->n--;
}

/* A place that is emptied may be filled from behind: it is looked at again. */
void slots_sweep(struct slots *slots, bool (*is_dead)(const void *arg, const struct slot *slot),
                 const void *arg)
{
    for (uint32_t i = 0; i < slots->size; i++) {
        while (slots->at[i].is_used && is_dead(arg, &slots->at[i]))
            take_out(slots, i);
    }
}
