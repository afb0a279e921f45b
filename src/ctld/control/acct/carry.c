#include "ctld/control/acct/carry.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "ctld/control/act/state.h"

#define NAME "carried "

static struct carried_from *find(const struct control *control, uint64_t place)
{
    for (uint32_t i = 0; i < control->carried_n; i++) {
        if (control->carried[i].place == place)
            return &control->carried[i];
    }
    return NULL;
}

uint64_t carry_until(const struct control *control, uint64_t place)
{
    const struct carried_from *from = find(control, place);

    return from ? from->until : 0;
}

static void set_until(struct control *control, uint64_t place, uint64_t until)
{
    struct carried_from *from = find(control, place);

    if (!from) {
        from = ARRAY_PUSH(control->carried, control->carried_n);
        from->place = place;
    }
    from->until = until;
}

void carry_load_number(struct control *control, const char *name, int64_t number)
{
    if (strncmp(name, NAME, strlen(NAME)) == 0)
        set_until(control, strtoull(name + strlen(NAME), NULL, 16), (uint64_t)number);
}

void carry_clear(struct control *control)
{
    free(control->carried);
    control->carried = NULL;
    control->carried_n = 0;
}

void carry_take(struct act *act, uint64_t own, const struct dbd_carried *carried)
{
    AUTO_FREE char *name = xasprintf(NAME "%016" PRIx64, carried->place);
    const uint64_t before = carry_until(act->control, carried->place);

    for (uint32_t i = 0; i < carried->events_n; i++) {
        struct event_record event = carried->events[i];

        if (carry_place(event.turn, event.place) <= before || event.origin == own)
            continue;
        if (!event.origin)
            event.origin = carried->place;
        event.came_ms = act->now.wall_s * 1000;
        event.turn = 0; /* as it is kept, which is in columns */
        event.place = 0;
        turn_note_event(act->turn, &event);
    }
    if (carried->until <= before)
        return;
    set_until(act->control, carried->place, carried->until);
    turn_note_number(act->turn, name, (int64_t)carried->until);
}

void carry_fill(uint64_t own, uint64_t other, struct event_record *events, uint32_t n,
                uint64_t until, struct dbd_carried *ret)
{
    dbd_carried_init(ret);
    ret->place = own;
    ret->until = until;
    for (uint32_t i = 0; i < n; i++) {
        if (events[i].origin == other)
            event_record_clear(&events[i]);
        else
            *ARRAY_PUSH(ret->events, ret->events_n) = events[i];
    }
    free(events);
}
