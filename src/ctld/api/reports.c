/*
 * reports.c - what jobs have held, what became of the time of the cluster, and its events: rows of
 * the store, sent one by one.
 */
#include "ctld/api/api.h"

#include <errno.h>

#include "common/msg/move.h"
#include "common/msg/sums.h"
#include "common/msg/types.h"
#include "ctld/control/acct/acct.h"
#include "ctld/control/control.h"

struct rows_cursor {
    struct ctld *ctld;
    uint64_t conn_id;
    uint32_t request;
    char *cluster;     /* that is asked about; owned */
    uint32_t row_type; /* message */
    char *rows;        /* of that message's size */
    uint32_t n, at;    /* those before `at` are sent */
    bool asked, dropped;
};

static void release_rows(void *ctx)
{
    struct rows_cursor *cursor = ctx;

    store_rows_free(cursor->row_type, cursor->rows, cursor->n);
    cursor->rows = NULL;
    if (cursor->asked) {
        cursor->dropped = true; /* on_rows frees it */
        return;
    }
    free(cursor->cluster);
    free(cursor);
}

static void on_rows(void *rows, uint32_t n, const struct err *err, void *ctx)
{
    struct rows_cursor *cursor = ctx;
    struct ctld *ctld = cursor->ctld;
    struct conn *conn = cursor->dropped ? NULL : conn_find(ctld, cursor->conn_id);
    struct stream *stream = conn ? conn_find_stream(conn, cursor->request) : NULL;

    cursor->asked = false;
    cursor->rows = rows;
    cursor->n = n;
    if (!stream)
        release_rows(cursor);
    else if (err)
        stream_fail(stream, err);
    else
        stream_continue(stream);
    ctld_end_turn(ctld);
}

/* Returns whether who asks is shown the row. What users hold is told as sshare tells it; of what
 * they share, the time of the cluster, everybody is told. */
static bool is_shown(const struct stream *stream, const struct rows_cursor *cursor, const void *row)
{
    struct control *control = (struct control *)(uintptr_t)stream->control;
    const struct sum_info *sum = row;

    return cursor->row_type != MSG_SUM_INFO ||
           acct_sees_usage(control, stream->caller, cursor->cluster, sum->account, sum->user);
}

static bool produce_row(struct stream *stream)
{
    struct rows_cursor *cursor = stream->ctx;
    const size_t size = msg_schema(cursor->row_type)->size;

    stream->waiting = cursor->asked;
    while (cursor->at < cursor->n) {
        const void *row = cursor->rows + cursor->at++ * size;

        if (is_shown(stream, cursor, row)) {
            stream_send(stream, cursor->row_type, row);
            return true;
        }
    }
    return false;
}

/* Returns the cluster that a request names, or NULL. */
static const char *cluster_of(uint32_t type, const void *msg)
{
    if (type == MSG_SUMS_LIST)
        return ((const struct sums_list *)msg)->cluster;
    if (type == MSG_UTILIZATION_LIST)
        return ((const struct utilization_list *)msg)->cluster;
    if (type == MSG_HISTORY_COUNT_LIST)
        return ((const struct history_count_list *)msg)->cluster;
    return ((const struct cluster_event_list *)msg)->cluster;
}

static int on_rows_list(struct request *request, void *msg, struct err *err)
{
    const char *asked = cluster_of(request->type, msg);
    const char *cluster = asked ? asked : rpc_session_peer(request->conn->session)->cluster;
    struct store *store = api_history_of(request, cluster);
    struct rows_cursor *cursor;

    if (!store)
        return err_set(err, ESRCH,
                       "nothing is known of cluster %s: its controller has not registered",
                       cluster);
    cursor = xcalloc(1, sizeof(*cursor));
    cursor->cluster = xstrdup(cluster);
    cursor->ctld = request->ctld;
    cursor->conn_id = request->conn->id;
    cursor->request = request->id;
    cursor->row_type = store_row_type(request->type);
    cursor->asked = true;
    store_rows(store, request->act.caller->uid, request->type, msg, ctld_now(request->ctld).wall_s,
               on_rows, cursor);
    request_stream(request, produce_row, release_rows, cursor);
    return 0;
}

/* Slurm makes sums of jobs by their sizes of the jobs themselves: they are a query of jobs. */
static int on_sums_list(struct request *request, void *msg, struct err *err)
{
    const struct sums_list *asked = msg;

    if (asked->sizes && acct_check_range(request->act.control, request->act.caller, asked->from,
                                         asked->until, err) < 0)
        return -err->code;
    return on_rows_list(request, msg, err);
}

/* With PrivateData=events nodes' troubles are told to operators alone. */
static int on_cluster_event_list(struct request *request, void *msg, struct err *err)
{
    const struct model *model = control_model(request->act.control);

    if ((model->config.private_data & PRIVATE_EVENTS) &&
        !caller_has_level(request->act.caller, LEVEL_OPERATOR))
        return err_set(err, E_ACCESS, "%s", err_string(E_ACCESS));
    return on_rows_list(request, msg, err);
}

const struct handler report_handlers[] = {
    { MSG_SUMS_LIST, ROLE_USER, HANDLER_RECALLS, on_sums_list },
    { MSG_UTILIZATION_LIST, ROLE_USER, HANDLER_RECALLS, on_rows_list },
    { MSG_CLUSTER_EVENT_LIST, ROLE_USER, HANDLER_RECALLS, on_cluster_event_list },
    { MSG_HISTORY_COUNT_LIST, ROLE_ROOT, HANDLER_RECALLS, on_rows_list },
};
const size_t report_handlers_n = ARRAY_N(report_handlers);
