#include "dbd/give.h"

#include "common/msg/dbd.h"
#include "common/msg/types.h"
#include "ctld/dispatch/carrier.h"
#include "ctld/dispatch/turn_part.h"
#include "dbd/dbd.h"

struct give {
    struct dbd *dbd;
    give_done_fn *on_done;
    void *ctx;
    struct carrier *carrier;
    struct store *store; /* borrowed; NULL: nothing is given */
    uint64_t conn_id;
    bool copy_begins;
    bool is_asked; /* the store reads a piece, */
    bool is_void;  /* which is for somebody who is gone */
};

static void ask(struct give *give);

/* Returns the connection, or NULL: it is gone, and nothing is given any more. */
static struct conn *conn_of(struct give *give)
{
    struct conn *conn = give->store ? conn_find(&give->dbd->ctld, give->conn_id) : NULL;

    if (!conn)
        give_stop(give);
    return conn;
}

static void on_carried(const struct dbd_carried *page, bool is_last, const struct err *err,
                       void *ctx)
{
    struct give *give = ctx;
    struct conn *conn = conn_of(give);

    if (!conn)
        return;
    if (err) {
        conn_close(conn, err->text);
        return;
    }
    ctld_send(conn, OUTBOX_AT_ONCE, MSG_DBD_CARRIED, 0, 0, page);
    if (is_last)
        ask(give);
    ctld_flush(&give->dbd->ctld);
}

static void send_piece(struct conn *conn, const struct dbd_turn *whole)
{
    struct dbd_turn part = { 0 };

    while (turn_part_next(whole, &part))
        ctld_send(conn, OUTBOX_AT_ONCE, MSG_DBD_TURN, 0, 0, &part);
}

static void on_piece(struct turn_changes *piece, uint64_t turn, const struct err *err, void *ctx)
{
    struct give *give = ctx;
    const bool is_void = give->is_void;
    const struct dbd_turn msg = { .turn = turn,
                                  .is_copy = true,
                                  .begins = give->copy_begins,
                                  .changes = piece->changes,
                                  .changes_n = piece->changes_n };
    struct conn *conn;

    give->is_asked = give->is_void = false;
    conn = conn_of(give);
    if (!conn)
        return;
    if (is_void) {
        ask(give);
        return;
    }
    if (err) {
        conn_close(conn, err->text);
        return;
    }
    give->copy_begins = false;
    send_piece(conn, &msg);
    ctld_flush(&give->dbd->ctld);
}

static void ask(struct give *give)
{
    if (give->is_asked) { /* for somebody before: then it is asked again */
        give->is_void = true;
        return;
    }
    give->is_asked = true;
    store_copy(give->store, give->copy_begins, on_piece, give);
}

void give_begin(struct give *give, uint64_t conn_id, struct store *store, uint64_t number,
                uint64_t carried)
{
    give_stop(give);
    give->conn_id = conn_id;
    give->store = store;
    give->copy_begins = true;
    carrier_begin(give->carrier, give->dbd->number, number, carried);
}

void give_stop(struct give *give)
{
    give->store = NULL;
    give->is_void = give->is_asked;
    carrier_stop(give->carrier);
}

void give_applied(struct give *give, uint64_t turn)
{
    if (!conn_of(give))
        return;
    if (!turn) {
        ask(give);
        return;
    }
    give_stop(give);
    give->on_done(give->ctx);
}

struct give *give_new(struct dbd *dbd, give_done_fn *on_done, void *ctx)
{
    struct give *give = xcalloc(1, sizeof(*give));

    give->dbd = dbd;
    give->on_done = on_done;
    give->ctx = ctx;
    give->carrier = carrier_new(&dbd->ctld, on_carried, give);
    return give;
}

struct give *give_free(struct give *give)
{
    if (give)
        carrier_free(give->carrier);
    free(give);
    return NULL;
}
