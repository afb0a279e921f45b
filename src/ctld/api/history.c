/*
 * history.c - looking at what was: pages of the store, sent as fast as they are read. While one is
 * sent, the store's thread reads the next.
 */
#include "ctld/api/api.h"

#include "common/msg/types.h"
#include "common/text/words.h"
#include "ctld/control/acct/acct.h"

struct page {
    struct jobs_page jobs;
    uint32_t at; /* those before it are sent */
};

struct history_cursor {
    struct ctld *ctld;
    uint64_t conn_id;
    uint32_t request, uid;
    struct history_list filter;
    char *cluster;           /* whose history it is; owned */
    struct page page, ahead; /* what is being sent, and what comes then */
    uint64_t after;          /* where the page after these begins */
    bool is_last;            /* there is none after these */
    bool is_ahead;           /* `ahead` has come */
    bool asked, dropped;
};

static void release_page(struct page *page)
{
    arena_clear(&page->jobs.memory);
    *page = (struct page){ 0 };
}

static void release_history(void *ctx)
{
    struct history_cursor *cursor = ctx;

    release_page(&cursor->page);
    release_page(&cursor->ahead);
    if (cursor->asked) {
        cursor->dropped = true; /* on_page frees it */
        return;
    }
    history_list_clear(&cursor->filter);
    free(cursor->cluster);
    free(cursor);
}

/* Returns the store to be asked, or NULL: nothing is known of the cluster. */
static struct store *store_of(struct ctld *ctld, const char *cluster)
{
    if (ctld->find_history)
        return ctld->find_history(ctld, cluster);
    return text_is(cluster, ctld->conf->cluster_name) ? ctld->store : NULL;
}

struct store *api_history_of(const struct request *request, const char *cluster)
{
    return store_of(request->ctld,
                    cluster ? cluster : rpc_session_peer(request->conn->session)->cluster);
}

static void on_page(struct jobs_page *page, uint64_t next, const struct err *err, void *ctx)
{
    struct history_cursor *cursor = ctx;
    struct ctld *ctld = cursor->ctld;
    struct conn *conn = cursor->dropped ? NULL : conn_find(ctld, cursor->conn_id);
    struct stream *stream = conn ? conn_find_stream(conn, cursor->request) : NULL;

    cursor->asked = false;
    cursor->ahead = (struct page){ .jobs = *page };
    *page = (struct jobs_page){ 0 };
    cursor->is_ahead = true;
    cursor->is_last = next == 0;
    cursor->after = next;
    if (!stream)
        release_history(cursor);
    else if (err)
        stream_fail(stream, err);
    else if (stream->waiting)
        stream_continue(stream);
    ctld_end_turn(ctld);
}

static void ask_page(struct history_cursor *cursor)
{
    struct store *store = store_of(cursor->ctld, cursor->cluster);

    if (cursor->asked || cursor->is_ahead || cursor->is_last || !store)
        return;
    cursor->asked = true;
    store_history(store, cursor->uid, &cursor->filter, cursor->after, on_page, cursor);
}

/* Turns to the next page; true: there is one to send now. */
static bool turn_page(struct history_cursor *cursor)
{
    if (!cursor->is_ahead)
        return false;
    release_page(&cursor->page);
    cursor->page = cursor->ahead;
    cursor->ahead = (struct page){ 0 };
    cursor->is_ahead = false;
    return true;
}

static void leave_out_services(struct history_job *job)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < job->steps_n; i++) {
        if (!step_is_service(job->steps[i].step_id))
            job->steps[kept++] = job->steps[i];
    }
    job->steps_n = kept;
}

static void send_history_job(struct stream *stream, struct history_job *job)
{
    job->now = ctld_now(stream->conn->ctld).wall_s;
    leave_out_services(job);
    for (uint32_t i = 0; i < job->steps_n; i++)
        api_hide_tokens(job->steps[i].spec);
    stream_send(stream, MSG_HISTORY_JOB, job);
}

/* Returns the next job, or NULL: it has not been read, or there is none. */
static struct history_job *next_job(struct history_cursor *cursor)
{
    while (cursor->page.at == cursor->page.jobs.n) {
        bool is_there = turn_page(cursor);

        ask_page(cursor);
        if (!is_there)
            return NULL;
    }
    return &cursor->page.jobs.jobs[cursor->page.at++];
}

static bool produce_history(struct stream *stream)
{
    struct history_cursor *cursor = stream->ctx;
    struct history_job *job = next_job(cursor);

    while (job && !acct_sees_job(stream->control, stream->caller, cursor->cluster, job->job))
        job = next_job(cursor);
    if (job)
        send_history_job(stream, job);
    else
        stream->waiting = cursor->asked;
    return job != NULL;
}

/* Leaves only this owner of those that are asked for, or nobody when it is not among them. */
static void narrow_to(uint32_t uid, struct history_list *filter)
{
    const bool is_asked = api_lists_number(filter->uids, filter->uids_n, uid);

    filter->uids_n = 0;
    *ARRAY_PUSH(filter->uids, filter->uids_n) = is_asked ? uid : UINT32_MAX;
}

/* Refuses more than MaxQueryTimeRange, but for jobs that are named. */
static int check_range(const struct request *request, const struct history_list *asked,
                       struct err *err)
{
    const int64_t now = ctld_now(request->ctld).wall_s;

    if (asked->job_ids_n)
        return 0;
    return acct_check_range(request->act.control, request->act.caller, asked->from,
                            asked->until ? asked->until : now, err);
}

static int on_history_list(struct request *request, void *msg, struct err *err)
{
    struct history_cursor *cursor;

    if (check_range(request, msg, err) < 0)
        return -err->code;
    cursor = xcalloc(1, sizeof(*cursor));
    cursor->ctld = request->ctld;
    cursor->conn_id = request->conn->id;
    cursor->request = request->id;
    cursor->uid = request->act.caller->uid;
    schema_copy(history_list_schema(), &cursor->filter, msg);
    cursor->cluster =
        xstrdup(cursor->filter.cluster ? cursor->filter.cluster
                                       : rpc_session_peer(request->conn->session)->cluster);
    if (!acct_sees_jobs_of_others(request->act.control, request->act.caller))
        narrow_to(request->act.caller->uid, &cursor->filter);
    request_stream(request, produce_history, release_history, cursor);
    return 0;
}

const struct handler history_handlers[] = {
    { MSG_HISTORY_LIST, ROLE_USER, HANDLER_RECALLS, on_history_list },
};
const size_t history_handlers_n = ARRAY_N(history_handlers);
