/* lone.c - the history of a cluster without a controller, which somebody loads here. */
#include "common/msg/types.h"
#include "ctld/control/job/import.h"
#include "dbd/dbd.h"
#include "dbd/history.h"

/* ---- answering when it is on disk ---- */

/* An answer that waits for the store of the cluster, as a list of one row. */
struct answer {
    struct ctld *ctld;
    uint64_t conn_id;
    uint32_t request;
    bool is_on_disk;
    bool is_told;
    bool is_dropped; /* nobody reads it any more */
    struct import_taken taken;
};

static void answer_free(struct answer *answer)
{
    import_taken_clear(&answer->taken);
    free(answer);
}

static void release(void *ctx)
{
    struct answer *answer = ctx;

    answer->is_dropped = true;
    if (answer->is_on_disk)
        answer_free(answer); /* else on_added frees it */
}

static bool produce(struct stream *stream)
{
    struct answer *answer = stream->ctx;

    stream->waiting = !answer->is_on_disk;
    if (stream->waiting || answer->is_told)
        return false;
    answer->is_told = true;
    stream_send(stream, MSG_IMPORT_TAKEN, &answer->taken);
    return true;
}

static void on_added(void *ctx)
{
    struct answer *answer = ctx;
    struct conn *conn = answer->is_dropped ? NULL : conn_find(answer->ctld, answer->conn_id);
    struct stream *stream = conn ? conn_find_stream(conn, answer->request) : NULL;

    answer->is_on_disk = true;
    if (stream)
        stream_continue(stream);
    else
        answer_free(answer);
}

static struct answer *answer_new(const struct request *request)
{
    struct answer *answer = xcalloc(1, sizeof(*answer));

    answer->ctld = request->ctld;
    answer->conn_id = request->conn->id;
    answer->request = request->id;
    import_taken_init(&answer->taken);
    return answer;
}

/* ---- requests ---- */

static int find(struct request *request, const char *cluster, struct history **ret, struct err *err)
{
    if (!cluster)
        return err_set(err, E_NOT_SUPPORTED,
                       "a slurmdbd has no history of its own: which cluster is meant?");
    return clusters_lone(dbd_of(request->ctld)->clusters, &request->act, cluster, ret, err);
}

/* Numbers of jobs are the cluster's own matter: there are none here that could go on above them. */
static int on_import_begin(struct request *request, void *msg, struct err *err)
{
    const struct import_begin *asked = msg;
    struct import_begun begun;
    struct history *history;
    int rc;

    import_begun_init(&begun);
    rc = control_import_begin(&request->act, &(struct import_begin){ 0 }, &begun, err);
    if (rc == 0)
        rc = find(request, asked->cluster, &history, err);
    if (rc < 0)
        return rc;
    begun.next_job = asked->highest_job + 1;
    request_reply(request, MSG_IMPORT_BEGUN, &begun);
    return 0;
}

static int on_import_page(struct request *request, void *msg, struct err *err)
{
    const struct import_page *page = msg;
    struct act act = request->act;
    struct answer *answer = answer_new(request);
    struct history *history;
    struct turn turn;
    int rc;

    turn_init(&turn);
    act.turn = &turn; /* it goes to the store of the cluster */
    rc = control_import_history(&act, page, &answer->taken, err);
    if (rc == 0)
        rc = find(request, page->cluster, &history, err);
    if (rc == 0) {
        history_add(history, &turn.changes, on_added, answer);
        request_stream(request, produce, release, answer);
    } else {
        answer_free(answer);
    }
    turn_clear(&turn);
    return rc;
}

const struct handler lone_handlers[] = {
    { MSG_IMPORT_BEGIN, ROLE_USER, HANDLER_CHANGES, on_import_begin },
    { MSG_IMPORT_PAGE, ROLE_USER, HANDLER_CHANGES, on_import_page },
};
const size_t lone_handlers_n = ARRAY_N(lone_handlers);
