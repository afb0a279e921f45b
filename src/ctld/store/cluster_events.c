/* cluster_events.c - events of nodes and cluster back from their table. */
#include "common/msg/node.h"
#include "ctld/store/reading.h"
#include "ctld/store/utilization.h"

static int read_rows(struct sql_stmt *stmt, bool with_purged, struct cluster_event **ret,
                     uint32_t *ret_n, struct err *err)
{
    struct cluster_event *events = NULL;
    uint32_t n = 0;
    int rc;

    while ((rc = sql_step(stmt, err)) > 0 &&
           (rc = read_column(stmt, 0, cluster_event_schema(), ARRAY_PUSH(events, n), err)) == 0) {
        if (events[n - 1].is_purged && !with_purged)
            cluster_event_clear(&events[--n]);
    }
    if (rc == 0) {
        *ret = events;
        *ret_n = n;
        return 0;
    }
    for (uint32_t i = 0; i < n; i++)
        cluster_event_clear(&events[i]);
    free(events);
    return rc;
}

int cluster_events_read(struct sql *db, const struct cluster_event_list *list, bool with_purged,
                        struct cluster_event **ret, uint32_t *ret_n, struct err *err)
{
    AUTO(strbuf) struct strbuf sql = { 0 };
    struct sql_stmt *stmt;
    int at = 3, rc;

    strbuf_adds(&sql, "SELECT record FROM {cluster_events} WHERE until >= ? AND since < ?");
    if (list->open)
        strbuf_addf(&sql, " AND until = %lld", (long long)INT64_MAX);
    read_add_in(&sql, "node", list->nodes_n);
    strbuf_adds(&sql, " ORDER BY node, since");
    rc = sql_prepare(db, strbuf_text(&sql), &stmt, err);
    if (rc < 0)
        return rc;
    sql_bind_int64(stmt, 1, list->from);
    sql_bind_int64(stmt, 2, list->until ? list->until : INT64_MAX);
    read_bind_texts(stmt, &at, list->nodes, list->nodes_n);
    rc = read_rows(stmt, with_purged, ret, ret_n, err);
    sql_finalize(stmt);
    return rc;
}
