/* events.c - what happened: pages of the store, and for who follows then those that come. */
#include "ctld/api/api.h"

#include "common/msg/types.h"
#include "ctld/control/acct/acct.h"
#include "ctld/control/control.h"

struct events_cursor {
    struct ctld *ctld;
    uint64_t conn_id;
    uint32_t request;
    uint32_t uid;
    struct event_list filter;
    struct event_record *page;
    uint32_t n, at; /* those before `at` are sent */
    struct event_place after;
    uint32_t newest_left;      /* to be found on the way back from the newest event */
    struct event_place oldest; /* of those that were found */
    bool asked, is_last, dropped;
    bool has_news; /* committed while a page was asked for, which may have been read before, or
                    * while one was being sent */
    struct turn_reader reader; /* says that there are more */
};

static void release_page(struct events_cursor *cursor)
{
    for (uint32_t i = 0; i < cursor->n; i++)
        event_record_clear(&cursor->page[i]);
    free(cursor->page);
    cursor->page = NULL;
    cursor->n = cursor->at = 0;
}

static void release_events(void *ctx)
{
    struct events_cursor *cursor = ctx;

    release_page(cursor);
    turn_stream_remove(cursor->ctld->stream, &cursor->reader);
    if (cursor->asked) {
        cursor->dropped = true; /* on_events frees it */
        return;
    }
    event_list_clear(&cursor->filter);
    free(cursor);
}

static struct stream *stream_of(const struct events_cursor *cursor)
{
    struct conn *conn = conn_find(cursor->ctld, cursor->conn_id);

    return conn ? conn_find_stream(conn, cursor->request) : NULL;
}

static bool is_private(const struct control *control, uint32_t private)
{
    return control_model(control)->config.private_data & private;
}

/* Returns whether the reader sees a job of others. Under which account it ran stands in no event: a
 * coordinator is told of jobs that are still there. */
static bool sees_job(const struct control *control, const struct caller *caller, uint32_t job_id)
{
    const struct model *model = control_model(control);
    const struct job *job = model_find_job(model, job_id);

    return !is_private(control, PRIVATE_JOBS) ||
           (job && acct_sees_job(control, caller, model->config.cluster_name, &job->rec));
}

/* Returns whether the reader is shown the event, by what he may see when it is sent. */
static bool is_shown(const struct events_cursor *cursor, const struct caller *caller,
                     const struct event_record *event)
{
    const struct control *control = cursor->ctld->control;
    const bool is_own = event->has_caller && event->uid == cursor->uid;

    if (is_own || (event->job_id && event->owner_uid == cursor->uid) ||
        caller_has_level(caller, LEVEL_OPERATOR))
        return true;
    switch (event->kind) {
    case EVENT_REQUEST:
    case EVENT_REFUSED:
        return false;
    case EVENT_ACCOUNTING:
        return acct_sees_changes(control, caller);
    case EVENT_NODE_CHANGED:
        return !is_private(control, PRIVATE_EVENTS);
    default:
        return !event->job_id || sees_job(control, caller, event->job_id);
    }
}

/*
 * Goes through a page of the way back, which ends at the oldest event that is to be shown: the next
 * page begins with that one and goes forward.
 */
static void look_back(struct events_cursor *cursor, const struct caller *caller, bool is_end)
{
    const struct event_place *oldest = &cursor->oldest;

    for (uint32_t i = 0; i < cursor->n && cursor->newest_left; i++) {
        const struct event_record *event = &cursor->page[i];

        if (!is_shown(cursor, caller, event))
            continue;
        cursor->oldest = (struct event_place){ .turn = event->turn, .n = event->place };
        cursor->newest_left--;
    }
    release_page(cursor);
    if (cursor->newest_left && !is_end)
        return;
    if (oldest->n)
        cursor->after = (struct event_place){ .turn = oldest->turn, .n = oldest->n - 1 };
    else if (oldest->turn)
        cursor->after = (struct event_place){ .turn = oldest->turn - 1, .n = UINT32_MAX };
    else
        cursor->after = (struct event_place){ 0 };
}

static void on_events(struct event_record *events, uint32_t n, struct event_place next,
                      bool is_last, const struct err *err, void *ctx)
{
    struct events_cursor *cursor = ctx;
    struct ctld *ctld = cursor->ctld;
    struct stream *stream = cursor->dropped ? NULL : stream_of(cursor);

    cursor->asked = false;
    cursor->page = events;
    cursor->n = n;
    cursor->after = next;
    cursor->is_last = is_last;
    if (next.back && !err && stream) {
        cursor->is_last = false;
        look_back(cursor, conn_caller(stream->conn), is_last);
    }
    if (!stream)
        release_events(cursor);
    else if (err)
        stream_fail(stream, err);
    else
        stream_continue(stream);
    ctld_end_turn(ctld);
}

static void ask_page(struct events_cursor *cursor)
{
    cursor->asked = true;
    cursor->has_news = false;
    store_events(cursor->ctld->store, cursor->uid, &cursor->filter, cursor->after, on_events,
                 cursor);
}

/* Looks again for a client that follows and has been shown all there was. */
static bool on_committed(const struct change *change, uint64_t turn, void *ctx)
{
    struct events_cursor *cursor = ctx;

    (void)change;
    (void)turn;
    if (cursor->is_last && !cursor->asked && cursor->at == cursor->n)
        ask_page(cursor);
    else
        cursor->has_news = true;
    return true;
}

static bool produce_event(struct stream *stream)
{
    struct events_cursor *cursor = stream->ctx;

    while (cursor->at < cursor->n) {
        const struct event_record *event = &cursor->page[cursor->at++];

        if (is_shown(cursor, stream->caller, event)) {
            stream_send(stream, MSG_EVENT_INFO, event);
            return true;
        }
    }
    release_page(cursor);
    if ((!cursor->is_last || cursor->has_news) && !cursor->asked)
        ask_page(cursor);
    stream->waiting = cursor->asked || cursor->filter.follow;
    return false;
}

static int on_event_list(struct request *request, void *msg, struct err *err)
{
    struct events_cursor *cursor = xcalloc(1, sizeof(*cursor));

    (void)err;
    cursor->ctld = request->ctld;
    cursor->conn_id = request->conn->id;
    cursor->request = request->id;
    cursor->uid = request->act.caller->uid;
    schema_copy(event_list_schema(), &cursor->filter, msg);
    cursor->newest_left = cursor->filter.newest;
    cursor->after.back = cursor->newest_left > 0;
    cursor->reader = (struct turn_reader){ .kinds = TURN_KIND(CHANGE_EVENT),
                                           .take = on_committed,
                                           .ctx = cursor };
    if (cursor->filter.follow)
        turn_stream_add(request->ctld->stream, &cursor->reader);
    request_stream(request, produce_event, release_events, cursor);
    return 0;
}

const struct handler event_handlers[] = {
    { MSG_EVENT_LIST, ROLE_USER, HANDLER_RECALLS, on_event_list },
};
const size_t event_handlers_n = ARRAY_N(event_handlers);
