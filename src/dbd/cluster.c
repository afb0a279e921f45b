#include "dbd/cluster.h"

#include <errno.h>
#include <string.h>

#include <event2/event.h>

#include "common/msg/acct.h"
#include "common/msg/dbd.h"
#include "common/msg/types.h"
#include "common/text/words.h"
#include "ctld/control/acct/carry.h"
#include "ctld/control/acct/follow.h"
#include "dbd/coming.h"
#include "dbd/dbd.h"
#include "dbd/give.h"
#include "dbd/history.h"

struct cluster {
    struct clusters *clusters;
    char *name;
    uint64_t conn_id;              /* of its controller, which may be gone */
    bool is_told;                  /* of everything so far: it has registered */
    struct coming coming;          /* of a controller that has not, */
    struct dbd_register registers; /* and what it asked for */
    struct give *give;             /* of the history, to who asks for it */
    struct history *history;
    struct aging *aging; /* of what it tells */
    UT_hash_handle hh;
};

struct clusters {
    struct dbd *dbd;
    struct cluster *all; /* uthash by name */
    struct turn_reader reader;
    struct dbd_records changed; /* on disk, and not told yet */
    struct event *tell;
    struct acct_clusters acct;
};

/* ---- telling ---- */

static struct conn *conn_of(const struct clusters *clusters, const struct cluster *cluster)
{
    return conn_find(&clusters->dbd->ctld, cluster->conn_id);
}

/* Sends a list in pieces. The records stay the list's. */
static void send_records(struct conn *conn, uint64_t turn, const struct dbd_records *list)
{
    struct dbd_records piece = { 0 };
    uint32_t at = 0;

    while (!piece.is_last) {
        piece = acct_next_piece(list, &at);
        ctld_send(conn, turn, MSG_DBD_RECORDS, 0, 0, &piece);
    }
}

static void tell_all(struct conn *conn, struct cluster *cluster)
{
    struct ctld *ctld = conn->ctld;
    AUTO(dbd_records) struct dbd_records list;

    dbd_records_init(&list);
    list.is_all = true;
    acct_tell_all(ctld->control, cluster->name, &list);
    send_records(conn, ctld_turn(ctld), &list);
    cluster->is_told = true;
    log_info(ctld->log, "cluster %s is told of %u records", cluster->name, list.records_n);
}

static bool wants(const struct change *change)
{
    return acct_is_told(change->kept) && change->record.n > 0;
}

static bool take(const struct change *change, uint64_t turn, void *ctx)
{
    struct clusters *clusters = ctx;
    struct dbd_record *record = ARRAY_PUSH(clusters->changed.records, clusters->changed.records_n);

    (void)turn;
    dbd_record_init(record);
    record->kind = change->kept;
    record->record.data = xmemdup(change->record.data, change->record.n);
    record->record.n = change->record.n;
    event_active(clusters->tell, EV_TIMEOUT, 0);
    return true;
}

/* Tells a cluster what has changed, but for what is not its business. */
static void tell_changed(struct conn *conn, const struct cluster *cluster,
                         const struct dbd_records *changed)
{
    struct dbd_records list = { 0 };

    for (uint32_t i = 0; i < changed->records_n; i++) {
        const struct dbd_record *record = &changed->records[i];

        if (acct_is_told_to(cluster->name, record->kind, &record->record))
            *ARRAY_PUSH(list.records, list.records_n) = *record;
    }
    if (list.records_n)
        send_records(conn, OUTBOX_AT_ONCE, &list);
    free(list.records);
}

static void on_tell(evutil_socket_t fd, short what, void *arg)
{
    struct clusters *clusters = arg;

    (void)fd;
    (void)what;
    for (struct cluster *cluster = clusters->all; cluster; cluster = cluster->hh.next) {
        struct conn *conn = cluster->is_told ? conn_of(clusters, cluster) : NULL;

        if (conn)
            tell_changed(conn, cluster, &clusters->changed);
    }
    dbd_records_clear(&clusters->changed);
    dbd_records_init(&clusters->changed);
    ctld_flush(&clusters->dbd->ctld);
}

/* ---- clusters ---- */

static struct cluster *find(const struct clusters *clusters, const char *name)
{
    struct cluster *cluster;

    HASH_FIND_STR(clusters->all, name, cluster);
    return cluster;
}

/* Returns the cluster that the connection speaks for, or NULL: it has not registered, or another
 * one has since. */
static struct cluster *cluster_of(const struct request *request)
{
    const struct clusters *clusters = dbd_of(request->ctld)->clusters;
    struct cluster *cluster = find(clusters, rpc_session_peer(request->conn->session)->cluster);

    return cluster && cluster->conn_id == request->conn->id ? cluster : NULL;
}

static void on_applied(const char *name, uint64_t turn, void *ctx)
{
    struct clusters *clusters = ctx;
    const struct cluster *cluster = find(clusters, name);
    struct conn *conn = cluster ? conn_of(clusters, cluster) : NULL;
    const struct dbd_applied msg = { .turn = turn };

    if (conn)
        ctld_send(conn, OUTBOX_AT_ONCE, MSG_DBD_APPLIED, 0, 0, &msg);
}

/* A controller has all that is here: what is here is of its database from now on. */
static void on_given(void *ctx)
{
    struct cluster *cluster = ctx;

    if (cluster->registers.store)
        history_set_fed_by(cluster->history, cluster->registers.store);
}

static struct store *store_of(void *ctx)
{
    return history_store(((const struct cluster *)ctx)->history);
}

/* Nobody is told that the connection ends. */
static void stop_waiting(struct cluster *cluster)
{
    struct conn *conn = conn_of(cluster->clusters, cluster);

    if (conn)
        conn->waits.drop = NULL;
}

static void cluster_free(struct cluster *cluster)
{
    stop_waiting(cluster);
    aging_free(cluster->aging);
    history_free(cluster->history);
    give_free(cluster->give);
    coming_clear(&cluster->coming);
    dbd_register_clear(&cluster->registers);
    free(cluster->name);
    free(cluster);
}

/* Returns the cluster, whose store may not be open. */
static struct cluster *need_cluster(struct clusters *clusters, const char *name)
{
    struct cluster *cluster = find(clusters, name);

    if (cluster)
        return cluster;
    cluster = xcalloc(1, sizeof(*cluster));
    cluster->clusters = clusters;
    cluster->name = xstrdup(name);
    coming_init(&cluster->coming);
    dbd_register_init(&cluster->registers);
    cluster->give = give_new(clusters->dbd, on_given, cluster);
    cluster->history = history_new(clusters->dbd, name, on_applied, clusters);
    HASH_ADD_KEYPTR(hh, clusters->all, cluster->name, strlen(cluster->name), cluster);
    return cluster;
}

/* Opens the store of what the cluster tells. It is made only for who has registered: names that
 * nobody has cost tables, and connections to their server. */
static int open_history(struct cluster *cluster, struct err *err)
{
    struct dbd *dbd = cluster->clusters->dbd;
    int rc = history_open(cluster->history, err);

    if (rc == 0 && !cluster->aging)
        cluster->aging = aging_new(&(struct aging_of){ .ctld = &dbd->ctld,
                                                       .conf_path = dbd->conf_path,
                                                       .cluster = cluster->name,
                                                       .kinds = AGING_CLUSTER,
                                                       .store = store_of,
                                                       .ctx = cluster });
    return rc;
}

/* Returns whether the cluster has registered before, or was given a history; also one that was
 * deleted since. */
static bool has_history(struct control *control, const char *name)
{
    const struct cluster_record *rec = kept_find(control_kept(control, KEPT_CLUSTER), name);

    return rec && (rec->host || rec->has_history);
}

/* Forgets a cluster of which nothing is kept. */
static void drop_unknown(struct cluster *cluster)
{
    struct clusters *clusters = cluster->clusters;

    if (history_store(cluster->history) || has_history(clusters->dbd->ctld.control, cluster->name))
        return;
    HASH_DEL(clusters->all, cluster);
    cluster_free(cluster);
}

/* The connection of a controller ends that has not registered. */
static void on_gone(void *ctx)
{
    struct cluster *cluster = ctx;

    coming_clear(&cluster->coming);
    drop_unknown(cluster);
}

/* ---- hearing ---- */

/* Lets the connection speak for the cluster from now on. */
static void let_speak(struct clusters *clusters, struct cluster *cluster, struct conn *conn)
{
    struct conn *before;

    before = cluster->conn_id ? conn_of(clusters, cluster) : NULL;
    stop_waiting(cluster);
    if (before && before != conn)
        conn_close(before, "another controller of this cluster has registered");
    cluster->conn_id = conn->id;
    cluster->is_told = false;
    give_stop(cluster->give);
    coming_clear(&cluster->coming);
    history_forget_part(cluster->history);
    conn->waits.drop = on_gone;
    conn->waits.ctx = cluster;
}

/* Answers a registration. A controller that has its accounts still is one only when these have come
 * (finish_registration): until then nothing is changed. */
static int on_register(struct request *request, void *msg, struct err *err)
{
    const char *name = rpc_session_peer(request->conn->session)->cluster;
    struct dbd *dbd = dbd_of(request->ctld);
    const struct dbd_register *asked = msg;
    struct dbd_registered reply = { .number = dbd->number,
                                    .asks_own = asked->follows != dbd->number };
    struct cluster *cluster;
    int rc = acct_name_check("cluster", name, err);

    if (rc == 0 && !reply.asks_own)
        rc = acct_register(&request->act, name, asked, err);
    if (rc < 0)
        return rc;
    cluster = need_cluster(dbd->clusters, name);
    if (has_history(request->act.control, name))
        rc = open_history(cluster, err);
    if (rc < 0)
        return rc;
    let_speak(dbd->clusters, cluster, request->conn);
    dbd_register_clear(&cluster->registers);
    schema_copy(dbd_register_schema(), &cluster->registers, asked);
    history_set_speaker(cluster->history, asked->store);
    reply.applied = history_turn(cluster->history);
    reply.is_other =
        history_fed_by(cluster->history) && history_fed_by(cluster->history) != asked->store;
    reply.carried = carry_until(request->act.control, asked->store);
    log_info(request->ctld->log, "cluster %s: its controller on %s has registered%s", name,
             asked->host, reply.asks_own ? " for the first time" : "");
    request_reply(request, MSG_DBD_REGISTERED, &reply);
    if (!reply.asks_own)
        tell_all(request->conn, cluster);
    return 0;
}

/* Says whose message is not taken, and why. Returns `rc`. */
static int note_refusal(const struct cluster *cluster, int rc, struct err *err)
{
    if (rc == 0)
        return 0;
    err_prefix(err, "cluster %s, whose controller is on %s", cluster->name,
               cluster->registers.host);
    log_error(cluster->clusters->dbd->ctld.log, "nothing more is taken of this connection: %s",
              err->text);
    return rc;
}

/* Returns how many bytes have come of other clusters. */
static uint64_t coming_of_others(const struct cluster *cluster)
{
    uint64_t bytes = 0;

    for (const struct cluster *at = cluster->clusters->all; at; at = at->hh.next)
        bytes += at != cluster ? at->coming.bytes : 0;
    return bytes;
}

static int on_carried(struct request *request, void *msg, struct err *err)
{
    struct cluster *cluster = cluster_of(request);
    struct dbd_carried *page = msg;

    if (!cluster || cluster->is_told)
        return err_set(err, E_PROTO, "transactions of a cluster that does not register");
    return note_refusal(
        cluster, coming_add_carried(&cluster->coming, page, coming_of_others(cluster), err), err);
}

/* Takes all that a controller has sent of its accounts, or nothing where that differs from what is
 * here. */
static int finish_registration(struct request *request, struct cluster *cluster, struct err *err)
{
    AUTO(dbd_refused) struct dbd_refused refused;
    struct act *act = &request->act;
    int rc;

    dbd_refused_init(&refused);
    rc = acct_find_conflicts(act->control, cluster->name, &cluster->coming.records, &refused, err);
    if (rc == 0 && refused.conflicts) {
        log_info(request->ctld->log, "cluster %s: %u of its records differ from those here",
                 cluster->name, refused.conflicts);
        request_reply(request, MSG_DBD_REFUSED, &refused);
        return 0;
    }
    if (rc == 0)
        rc = open_history(cluster, err);
    if (rc == 0)
        rc = acct_register(act, cluster->name, &cluster->registers, err);
    if (rc == 0)
        rc = acct_adopt(act, cluster->name, &cluster->coming.records, err);
    for (uint32_t i = 0; rc == 0 && i < cluster->coming.carried_n; i++)
        carry_take(act, dbd_of(request->ctld)->number, &cluster->coming.carried[i]);
    if (rc == 0)
        tell_all(request->conn, cluster);
    return rc;
}

static int on_records(struct request *request, void *msg, struct err *err)
{
    struct cluster *cluster = cluster_of(request);
    struct dbd_records *piece = msg;
    int rc;

    if (!cluster || cluster->is_told)
        return err_set(err, E_PROTO, "records of a cluster that does not register");
    rc = note_refusal(
        cluster, coming_add_records(&cluster->coming, piece, coming_of_others(cluster), err), err);
    if (rc == 0 && !piece->is_last)
        return 0;
    if (rc == 0)
        rc = finish_registration(request, cluster, err);
    coming_clear(&cluster->coming);
    return rc;
}

static int on_give(struct request *request, void *msg, struct err *err)
{
    struct cluster *cluster = cluster_of(request);
    const struct dbd_give *asked = msg;

    if (!cluster || !cluster->is_told)
        return err_set(err, E_PROTO, "the history of a cluster that has not registered");
    give_begin(cluster->give, request->conn->id, history_store(cluster->history),
               cluster->registers.store, asked->carried);
    return 0;
}

/* A piece that was given is on the controller's disk. */
static int on_give_applied(struct request *request, void *msg, struct err *err)
{
    struct cluster *cluster = cluster_of(request);

    (void)err;
    if (cluster)
        give_applied(cluster->give, ((const struct dbd_applied *)msg)->turn);
    return 0;
}

static int on_turn(struct request *request, void *msg, struct err *err)
{
    struct cluster *cluster = cluster_of(request);

    if (!cluster || !cluster->is_told)
        return err_set(err, E_PROTO, "a turn of a cluster that has not registered");
    return note_refusal(cluster, history_take(cluster->history, msg, err), err);
}

const struct handler cluster_handlers[] = {
    { MSG_DBD_TURN, ROLE_CONTROLLER, HANDLER_ACTS, on_turn },
    { MSG_DBD_REGISTER, ROLE_CONTROLLER, HANDLER_ACTS, on_register },
    { MSG_DBD_RECORDS, ROLE_CONTROLLER, HANDLER_ACTS, on_records },
    { MSG_DBD_CARRIED, ROLE_CONTROLLER, HANDLER_ACTS, on_carried },
    { MSG_DBD_GIVE, ROLE_CONTROLLER, HANDLER_ACTS, on_give },
    { MSG_DBD_APPLIED, ROLE_CONTROLLER, HANDLER_ACTS, on_give_applied },
};
const size_t cluster_handlers_n = ARRAY_N(cluster_handlers);

/* ---- life ---- */

static void each_job(in_use_look_fn *look, void *arg, void *ctx)
{
    const struct clusters *clusters = ctx;

    for (const struct cluster *cluster = clusters->all; cluster; cluster = cluster->hh.next)
        history_each_job(cluster->history, look, arg);
}

static bool is_connected(const char *name, void *ctx)
{
    const struct clusters *clusters = ctx;
    const struct cluster *cluster = find(clusters, name);

    return cluster && conn_of(clusters, cluster);
}

struct clusters *clusters_new(struct dbd *dbd)
{
    struct clusters *clusters = xcalloc(1, sizeof(*clusters));

    clusters->dbd = dbd;
    clusters->tell = event_new(dbd->ctld.base, -1, 0, on_tell, clusters);
    dbd_records_init(&clusters->changed);
    clusters->reader = (struct turn_reader){
        .kinds = TURN_KIND(CHANGE_KEPT), .wants = wants, .take = take, .ctx = clusters
    };
    turn_stream_add(dbd->ctld.stream, &clusters->reader);
    clusters->acct = (struct acct_clusters){ each_job, is_connected, clusters };
    acct_set_clusters(dbd->ctld.control, &clusters->acct);
    return clusters;
}

struct clusters *clusters_free(struct clusters *clusters)
{
    struct cluster *cluster, *next;

    if (!clusters)
        return NULL;
    acct_set_clusters(clusters->dbd->ctld.control, NULL);
    turn_stream_remove(clusters->dbd->ctld.stream, &clusters->reader);
    HASH_ITER (hh, clusters->all, cluster, next) {
        HASH_DEL(clusters->all, cluster);
        cluster_free(cluster);
    }
    dbd_records_clear(&clusters->changed);
    event_free(clusters->tell);
    free(clusters);
    return NULL;
}

int clusters_open(struct clusters *clusters, struct err *err)
{
    struct kept_table *table = control_kept(clusters->dbd->ctld.control, KEPT_CLUSTER);
    const struct cluster_record *rec;
    uint64_t serial = 0;
    int rc = 0;

    while (rc == 0 && (rec = kept_next(table, &serial))) {
        if (!rec->deleted && has_history(clusters->dbd->ctld.control, rec->name))
            rc = open_history(need_cluster(clusters, rec->name), err);
    }
    return rc;
}

int clusters_lone(struct clusters *clusters, struct act *act, const char *name,
                  struct history **ret, struct err *err)
{
    struct cluster_record *rec = kept_find(control_kept(act->control, KEPT_CLUSTER), name);
    struct cluster *cluster;
    int rc;

    if (!rec || rec->deleted)
        return err_set(err, ESRCH, "cluster %.60s is not known", name);
    if (rec->host)
        return err_set(err, E_NOT_SUPPORTED,
                       "cluster %s has a controller, which keeps its history: load it there", name);
    cluster = need_cluster(clusters, name);
    rc = open_history(cluster, err);
    if (rc < 0)
        return rc;
    if (!rec->has_history) {
        rec->has_history = true;
        kept_note(act, KEPT_CLUSTER, rec);
    }
    *ret = cluster->history;
    return 0;
}

struct store *clusters_store(const struct clusters *clusters, const char *name)
{
    const struct cluster *cluster = name ? find(clusters, name) : NULL;

    return cluster ? history_store(cluster->history) : NULL;
}

uint32_t clusters_online(const struct clusters *clusters)
{
    uint32_t n = 0;

    for (const struct cluster *cluster = clusters->all; cluster; cluster = cluster->hh.next)
        n += conn_of(clusters, cluster) != NULL;
    return n;
}
