#include "ctld/dispatch/carrier.h"

#include "ctld/control/acct/carry.h"
#include "ctld/dispatch/ctld.h"

struct carrier {
    struct ctld *ctld;
    carrier_page_fn *on_page;
    void *ctx;
    uint64_t own, other;
    struct event_place after;
    bool is_on;
    bool is_asked; /* the store reads a page, */
    bool is_void;  /* which is for somebody who is gone */
};

static void ask(struct carrier *carrier);

static void on_events(struct event_record *events, uint32_t n, struct event_place next,
                      bool is_last, const struct err *err, void *ctx)
{
    struct carrier *carrier = ctx;
    AUTO(dbd_carried) struct dbd_carried page;
    const bool is_void = carrier->is_void;

    carry_fill(carrier->own, carrier->other, events, n, carry_place(next.turn, next.n), &page);
    carrier->is_asked = carrier->is_void = false;
    if (is_void && carrier->is_on)
        ask(carrier);
    if (is_void || !carrier->is_on)
        return;
    carrier->after = next;
    carrier->is_on = !is_last && !err;
    if (carrier->is_on)
        ask(carrier);
    carrier->on_page(&page, is_last, err, carrier->ctx);
}

static void ask(struct carrier *carrier)
{
    AUTO(event_list) struct event_list list;

    event_list_init(&list);
    list.kind = EVENT_ACCOUNTING;
    carrier->is_asked = true;
    store_events(carrier->ctld->store, 0, &list, carrier->after, on_events, carrier);
}

void carrier_begin(struct carrier *carrier, uint64_t own, uint64_t other, uint64_t after)
{
    carrier->own = own;
    carrier->other = other;
    carrier->after =
        (struct event_place){ .turn = carry_place_turn(after), .n = carry_place_n(after) };
    carrier->is_on = true;
    if (carrier->is_asked)
        carrier->is_void = true; /* then it is asked again */
    else
        ask(carrier);
}

void carrier_stop(struct carrier *carrier)
{
    carrier->is_on = false;
    carrier->is_void = carrier->is_asked;
}

struct carrier *carrier_new(struct ctld *ctld, carrier_page_fn *on_page, void *ctx)
{
    struct carrier *carrier = xcalloc(1, sizeof(*carrier));

    carrier->ctld = ctld;
    carrier->on_page = on_page;
    carrier->ctx = ctx;
    return carrier;
}

struct carrier *carrier_free(struct carrier *carrier)
{
    free(carrier);
    return NULL;
}
