/*
 * amend.c - jobs of the history are changed. Of users the store is asked first whose jobs these
 * are, so the answer is a list without records, whose end says that it was done.
 */
#include "ctld/api/api.h"

#include "common/msg/amend.h"
#include "common/msg/types.h"
#include "ctld/control/job/amend.h"

struct amending {
    struct ctld *ctld;
    uint64_t conn_id;
    uint32_t request, uid;
    struct history_amend msg;
    struct history_list filter; /* of the same jobs */
    struct bitset found;        /* of the request, those that the history has as the caller's */
    bool asked, dropped;
};

static void release_amending(void *ctx)
{
    struct amending *amending = ctx;

    if (amending->asked) {
        amending->dropped = true; /* on_owners frees it */
        return;
    }
    history_amend_clear(&amending->msg);
    history_list_clear(&amending->filter);
    bitset_clear(&amending->found);
    free(amending);
}

static bool produce_end(struct stream *stream)
{
    const struct amending *amending = stream->ctx;

    stream->waiting = amending->asked;
    return false;
}

static void on_owners(struct jobs_page *page, uint64_t next, const struct err *err, void *ctx);

static void ask_owners(struct amending *amending, uint64_t after)
{
    amending->asked = true;
    store_history(amending->ctld->store, amending->uid, &amending->filter, after, on_owners,
                  amending);
}

static void amend_now(struct amending *amending, const struct caller *caller)
{
    struct act act = *ctld_act(amending->ctld);

    act.caller = caller;
    control_amend(&act, &amending->msg);
}

/* Amends what the caller has of the jobs, when all of them have been looked at. */
static int amend_own(struct amending *amending, const struct caller *caller, struct err *err)
{
    struct act act = *ctld_act(amending->ctld);
    int rc;

    act.caller = caller;
    rc = control_amend_drop_unknown(&act, &amending->msg, &amending->found, err);
    if (rc == 0)
        amend_now(amending, caller);
    return rc;
}

/* Looks at a page of the jobs. Returns less than 0: somebody else has one. */
static int check_owners(struct amending *amending, const struct caller *caller,
                        const struct jobs_page *page, struct err *err)
{
    int rc = 0;

    for (uint32_t i = 0; rc == 0 && i < page->n; i++)
        rc = control_amend_check_owner(caller, &amending->msg, page->jobs[i].job, &amending->found,
                                       err);
    return rc;
}

static void on_owners(struct jobs_page *page, uint64_t next, const struct err *err, void *ctx)
{
    struct amending *amending = ctx;
    struct ctld *ctld = amending->ctld;
    struct conn *conn = amending->dropped ? NULL : conn_find(ctld, amending->conn_id);
    struct stream *stream = conn ? conn_find_stream(conn, amending->request) : NULL;
    struct err why = { 0 };

    amending->asked = false;
    if (!stream)
        release_amending(amending);
    else if (err || check_owners(amending, conn_caller(conn), page, &why) < 0)
        stream_fail(stream, err ? err : &why);
    else if (next)
        ask_owners(amending, next);
    else if (amend_own(amending, conn_caller(conn), &why) < 0)
        stream_fail(stream, &why);
    else
        stream_continue(stream);
    ctld_end_turn(ctld);
}

static int on_history_amend(struct request *request, void *msg, struct err *err)
{
    struct amending *amending;
    bool asks_owner;
    int rc = control_amend_check(&request->act, msg, &asks_owner, err);

    if (rc < 0)
        return rc;
    amending = xcalloc(1, sizeof(*amending));
    amending->ctld = request->ctld;
    amending->conn_id = request->conn->id;
    amending->request = request->id;
    amending->uid = request->act.caller->uid;
    schema_copy(history_amend_schema(), &amending->msg, msg);
    bitset_init(&amending->found, amending->msg.job_ids_n);
    history_list_init(&amending->filter);
    amending->filter.duplicates = true;
    for (uint32_t i = 0; i < amending->msg.job_ids_n; i++)
        *ARRAY_PUSH(amending->filter.job_ids, amending->filter.job_ids_n) =
            amending->msg.job_ids[i];
    if (asks_owner)
        ask_owners(amending, 0);
    else
        amend_now(amending, request->act.caller);
    request_stream(request, produce_end, release_amending, amending);
    return 0;
}

const struct handler amend_handlers[] = {
    { MSG_HISTORY_AMEND, ROLE_USER, HANDLER_CHANGES, on_history_amend },
};
const size_t amend_handlers_n = ARRAY_N(amend_handlers);
