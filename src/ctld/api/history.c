/* history.c - looking at what was: pages of the store, sent as fast as they are read. */
#include "ctld/api/api.h"

#include "common/msg/types.h"

struct history_cursor {
    struct ctld *ctld;
    uint64_t conn_id;
    uint32_t request;
    struct history_list filter;
    struct history_job *jobs; /* the page at hand */
    uint32_t n, at;
    uint64_t after; /* where the next page begins */
    bool is_last, asked, dropped;
};

static void release_page(struct history_cursor *cursor)
{
    for (uint32_t i = 0; i < cursor->n; i++)
        history_job_clear(&cursor->jobs[i]);
    free(cursor->jobs);
    cursor->jobs = NULL;
    cursor->n = cursor->at = 0;
}

static void release_history(void *ctx)
{
    struct history_cursor *cursor = ctx;

    release_page(cursor);
    if (cursor->asked) {
        cursor->dropped = true; /* on_page frees it */
        return;
    }
    history_list_clear(&cursor->filter);
    free(cursor);
}

static void on_page(struct history_job *jobs, uint32_t n, uint64_t next, const struct err *err,
                    void *ctx)
{
    struct history_cursor *cursor = ctx;
    struct ctld *ctld = cursor->ctld;
    struct conn *conn = cursor->dropped ? NULL : conn_find(ctld, cursor->conn_id);
    struct stream *stream = conn ? conn_find_stream(conn, cursor->request) : NULL;

    cursor->asked = false;
    cursor->jobs = jobs;
    cursor->n = n;
    cursor->at = 0;
    cursor->is_last = next == 0;
    cursor->after = next;
    if (!stream)
        release_history(cursor);
    else if (err)
        stream_fail(stream, err);
    else
        stream_continue(stream);
    ctld_end_turn(ctld);
}

static void leave_out_services(struct history_job *job)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < job->steps_n; i++) {
        struct step_record step = job->steps[i];

        if (step_is_service(step.step_id))
            step_record_clear(&step);
        else
            job->steps[kept++] = step;
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

static bool produce_history(struct stream *stream)
{
    struct history_cursor *cursor = stream->ctx;

    if (cursor->at < cursor->n) {
        send_history_job(stream, &cursor->jobs[cursor->at++]);
        return true;
    }
    if (cursor->is_last)
        return false;
    release_page(cursor);
    cursor->asked = true;
    stream->waiting = true;
    store_history(cursor->ctld->store, &cursor->filter, cursor->after, on_page, cursor);
    return false;
}

/* Of the owners that are asked for, only this one is left; when it is not among them, nobody. */
static void narrow_to(uint32_t uid, struct history_list *filter)
{
    const bool is_asked = api_lists_number(filter->uids, filter->uids_n, uid);

    filter->uids_n = 0;
    *ARRAY_PUSH(filter->uids, filter->uids_n) = is_asked ? uid : UINT32_MAX;
}

static int on_history_list(struct request *request, void *msg, struct err *err)
{
    struct history_cursor *cursor = xcalloc(1, sizeof(*cursor));

    (void)err;
    cursor->ctld = request->ctld;
    cursor->conn_id = request->conn->id;
    cursor->request = request->id;
    schema_copy(history_list_schema(), &cursor->filter, msg);
    if (api_sees_only_own_jobs(request))
        narrow_to(request->caller->uid, &cursor->filter);
    request_stream(request, produce_history, release_history, cursor);
    return 0;
}

const struct handler history_handlers[] = {
    { MSG_HISTORY_LIST, ROLE_USER, false, on_history_list },
};
const size_t history_handlers_n = ARRAY_N(history_handlers);
