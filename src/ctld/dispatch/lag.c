#include "ctld/dispatch/lag.h"

#include <event2/event.h>
#include <utlist.h>

#include "ctld/dispatch/snapshot.h"

/* How many answers, and how large a request, a connection may have waiting; above that it waits for
 * the disk. */
#define LOOKS_MAX     64
#define LOOK_BODY_MAX (64u << 10)

/* A request whose answer waits for a turn, or for a snapshot. */
struct look {
    struct look *next;
    struct rpc_frame frame; /* its body is owned */
    bool is_begun;          /* the reader has got some of the answer */
    bool is_unserved;
};

struct lag {
    struct ctld *ctld;
    uint64_t committed; /* when it was last looked at */
    bool is_on;
    struct snapshot *asked;    /* the store's thread reads it */
    struct snapshot *snapshot; /* that is shown */
};

static bool has_turns_waiting(const struct ctld *ctld)
{
    return store_committed(ctld->store) < ctld->turn_number;
}

bool lag_is_on(const struct lag *lag)
{
    return lag->is_on;
}

/* ---- requests that look ---- */

static void free_look(struct conn *conn, struct look *look)
{
    LL_DELETE(conn->looks, look);
    conn->looks_n--;
    free((void *)(uintptr_t)look->frame.body);
    free(look);
}

void lag_drop_conn(struct conn *conn)
{
    while (conn->looks)
        free_look(conn, conn->looks);
}

static struct look *find_look(const struct conn *conn, uint32_t request)
{
    struct look *look;

    LL_FOREACH (conn->looks, look) {
        if (look->frame.request == request)
            return look;
    }
    return NULL;
}

void lag_note_sent(struct conn *conn, uint32_t request, uint32_t flags)
{
    struct look *look = flags & RPC_REPLY ? find_look(conn, request) : NULL;

    if (look && !(flags & RPC_MORE))
        free_look(conn, look);
    else if (look)
        look->is_begun = true;
}

bool lag_begin_look(struct request *request, const struct rpc_frame *frame)
{
    const struct lag *lag = request->ctld->lag;
    struct conn *conn = request->conn;
    struct look *look;

    if (lag->snapshot) {
        request->snapshot = lag->snapshot;
        request->act.control = snapshot_control(lag->snapshot);
        request->at_once = true;
        return true;
    }
    if (!has_turns_waiting(request->ctld) || conn->looks_n == LOOKS_MAX ||
        frame->body_n > LOOK_BODY_MAX || find_look(conn, frame->request))
        return true;
    look = xcalloc(1, sizeof(*look));
    look->frame = *frame;
    look->frame.body = xmemdup(frame->body, frame->body_n);
    look->is_unserved = lag->is_on && lag->asked;
    LL_PREPEND(conn->looks, look);
    conn->looks_n++;
    return !look->is_unserved;
}

/* Serves a request again, and forgets what waits of its earlier answer. */
static void serve_anew(struct conn *conn, struct look *look)
{
    struct stream *stream = conn_find_stream(conn, look->frame.request);
    struct look mine = *look;

    if (stream)
        stream_drop(stream);
    outbox_forget_request(conn->ctld->outbox, conn, mine.frame.request);
    look->frame.body = NULL;
    free_look(conn, look);
    conn_serve(conn, &mine.frame);
    free((void *)(uintptr_t)mine.frame.body);
}

/* Serves the requests that were put off, or all whose answers nobody has seen yet. */
static void serve_looks(struct ctld *ctld, bool all)
{
    for (struct conn *conn = ctld->conns; conn; conn = conn->hh.next) {
        struct look *look, *next;

        LL_FOREACH_SAFE(conn->looks, look, next)
        {
            if (look->is_unserved || (all && !look->is_begun))
                serve_anew(conn, look);
        }
    }
}

/* ---- the snapshot ---- */

/* Cuts off readers of earlier snapshots: they have had the time of a whole trouble, and two
 * snapshots are enough. */
static void cut_readers_of_others(struct ctld *ctld, const struct snapshot *snapshot)
{
    struct err err = { 0 };

    err_set(&err, E_TIMEOUT, "the list was read so slowly that it is out of date: ask again");
    for (struct conn *conn = ctld->conns; conn; conn = conn->hh.next) {
        for (struct stream *stream = conn->streams, *next; stream; stream = next) {
            next = stream->next;
            if (stream->snapshot && stream->snapshot != snapshot)
                stream_fail(stream, &err);
        }
    }
}

static void ask(struct lag *lag);

static void on_snapshot(const struct err *err, struct ctld *ctld)
{
    struct lag *lag = ctld->lag;
    struct snapshot *snapshot = STEAL(lag->asked);

    if (err)
        log_error(ctld->log, "what is on disk cannot be shown: %s", err->text);
    else if (lag->is_on && snapshot_turn(snapshot) == store_committed(ctld->store))
        lag->snapshot = STEAL(snapshot);
    else if (lag->is_on)
        ask(lag);
    snapshot_unref(snapshot);
    if (lag->asked)
        return;
    if (lag->snapshot)
        cut_readers_of_others(ctld, lag->snapshot);
    serve_looks(ctld, lag->snapshot);
    ctld_end_turn(ctld);
}

static void ask(struct lag *lag)
{
    struct err err = { 0 };

    if (lag->asked)
        return;
    if (snapshot_ask(lag->ctld, on_snapshot, &lag->asked, &err) < 0)
        log_error(lag->ctld->log, "what is on disk cannot be shown: %s", err.text);
}

/* ---- whether it lags ---- */

void lag_note_turn(struct lag *lag)
{
    if (!lag->is_on && has_turns_waiting(lag->ctld) && !evtimer_pending(lag->ctld->lag_event, NULL))
        evtimer_add(lag->ctld->lag_event, &(struct timeval){ .tv_usec = LAG_MS * 1000 });
}

void lag_on_late(evutil_socket_t fd, short what, void *arg)
{
    struct lag *lag = arg;

    (void)fd;
    (void)what;
    if (lag->is_on || !has_turns_waiting(lag->ctld))
        return;
    lag->is_on = true;
    ask(lag);
}

void lag_note_committed(struct lag *lag, uint64_t committed)
{
    if (committed == lag->committed)
        return;
    lag->committed = committed;
    evtimer_del(lag->ctld->lag_event);
    lag->snapshot = snapshot_unref(lag->snapshot);
    if (lag->is_on)
        event_active(lag->ctld->more_event, EV_TIMEOUT, 1); /* what could not start may */
    lag->is_on = false;
    lag_note_turn(lag);
}

void lag_go_on(struct lag *lag)
{
    if (lag->is_on)
        return;
    serve_looks(lag->ctld, false);
    ctld_flush(lag->ctld);
}

struct lag *lag_new(struct ctld *ctld)
{
    struct lag *lag = xcalloc(1, sizeof(*lag));

    lag->ctld = ctld;
    return lag;
}

struct lag *lag_free(struct lag *lag)
{
    if (!lag)
        return NULL;
    snapshot_unref(lag->asked);
    snapshot_unref(lag->snapshot);
    free(lag);
    return NULL;
}
