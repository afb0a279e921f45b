#include "ctld/dispatch/dbd_link.h"

#include <string.h>

#include <event2/event.h>

#include "common/client/connect.h"
#include "common/msg/dbd.h"
#include "common/msg/types.h"
#include "common/text/words.h"
#include "ctld/control/acct/follow.h"
#include "ctld/control/control.h"
#include "ctld/dispatch/ctld.h"
#include "ctld/dispatch/dbd_tell.h"

#define PAUSE_FIRST_MS 500
#define PAUSE_MOST_MS  5000
#define HEARTBEAT_MS   30000
#define REGISTRATION   1 /* the number of that request */

struct dbd_link {
    struct ctld *ctld;
    struct slurm_conf *conf; /* held while what it says is tried */
    const char *hosts[2];
    struct client_options options;
    struct connect_call *call;
    struct rpc_session *session;
    struct dbd_tell *tell;
    struct event *timer; /* for the next try */
    int pause_ms;
    bool is_away;              /* which was told */
    uint64_t number;           /* of the slurmdbd that is there */
    struct dbd_records coming; /* pieces that have arrived */
};

static void try_again(struct dbd_link *link);

/* ---- both ways ---- */

/* Sends the records that this controller owns, in pieces. */
static void send_own(struct dbd_link *link)
{
    struct ctld *ctld = link->ctld;
    AUTO(dbd_records) struct dbd_records list;

    dbd_records_init(&list);
    acct_tell_all(ctld->control, ctld->conf->cluster_name, &list);
    for (uint32_t i = 0; i < acct_pieces_n(&list); i++) {
        const struct dbd_records piece = acct_piece(&list, i);

        (void)rpc_send(link->session, MSG_DBD_RECORDS, REGISTRATION, 0, &piece);
    }
    log_info(ctld->log, "slurmdbd is told of the %u records of accounts that were kept here",
             list.records_n);
}

static int on_registered(struct dbd_link *link, const struct rpc_frame *frame, struct err *err)
{
    AUTO(dbd_registered) struct dbd_registered reply;
    int rc = rpc_decode(frame, dbd_registered_schema(), &reply, err);

    if (rc < 0)
        return rc;
    link->number = reply.number;
    if (reply.asks_own)
        send_own(link);
    dbd_tell_begin(link->tell, link->session, reply.applied);
    return 0;
}

static int follow(struct dbd_link *link, struct err *err)
{
    struct act *act = ctld_act(link->ctld);
    int rc = acct_follow(act, &link->coming, err);

    if (rc == 0)
        acct_set_owner(act, link->number);
    dbd_records_clear(&link->coming);
    dbd_records_init(&link->coming);
    return rc;
}

static int on_records(struct dbd_link *link, const struct rpc_frame *frame, struct err *err)
{
    AUTO(dbd_records) struct dbd_records piece;
    int rc = rpc_decode(frame, dbd_records_schema(), &piece, err);

    if (rc < 0)
        return rc;
    acct_join_piece(&link->coming, &piece);
    return piece.is_last ? follow(link, err) : 0;
}

static int on_applied(struct dbd_link *link, const struct rpc_frame *frame, struct err *err)
{
    AUTO(dbd_applied) struct dbd_applied applied;
    int rc = rpc_decode(frame, dbd_applied_schema(), &applied, err);

    if (rc == 0)
        dbd_tell_applied(link->tell, applied.turn);
    return rc;
}

static int on_message(struct dbd_link *link, const struct rpc_frame *frame, struct err *err)
{
    switch (frame->type) {
    case MSG_DBD_REGISTERED:
        return on_registered(link, frame, err);
    case MSG_DBD_RECORDS:
        return on_records(link, frame, err);
    case MSG_DBD_APPLIED:
        return on_applied(link, frame, err);
    case MSG_ERROR:
        return rpc_decode_error(frame, err);
    default:
        return 0; /* a heartbeat, or of a later version */
    }
}

static void on_frame(struct rpc_session *session, const struct rpc_frame *frame, void *ctx)
{
    struct dbd_link *link = ctx;
    struct err err = { 0 };

    if (on_message(link, frame, &err) < 0) {
        log_error(link->ctld->log, "slurmdbd: %s", err.text);
        rpc_session_close(session, err.text);
    }
    ctld_end_turn(link->ctld);
}

/* ---- the connection ---- */

static void drop_connection(struct dbd_link *link)
{
    link->call = connect_cancel(link->call);
    link->session = rpc_session_free(link->session);
    dbd_tell_stop(link->tell);
    dbd_records_clear(&link->coming);
    dbd_records_init(&link->coming);
}

/* Tells once that it is away, and tries again after a while. */
static void go_on_without(struct dbd_link *link, const struct err *why)
{
    const bool is_owner = acct_owner(link->ctld->control) != 0;

    if (!link->is_away)
        log_info(link->ctld->log, "slurmdbd on %s does not answer, %s: %s", link->hosts[0],
                 is_owner ? "what is known of accounts holds meanwhile" : "accounts are kept here",
                 why->text);
    link->is_away = true;
    drop_connection(link);
    try_again(link);
}

static void on_closed(struct rpc_session *session, const struct err *why, void *ctx)
{
    (void)session;
    go_on_without(ctx, why);
}

static void send_registration(struct dbd_link *link)
{
    const struct slurm_conf *conf = link->ctld->conf;
    AUTO(words)
    struct words counted = words_split(conf->accounting_tres ? conf->accounting_tres : "", ",");
    const struct dbd_register msg = { .host = conf->controllers[0].addr,
                                      .port = conf->slurmctld_ports.first,
                                      .follows = acct_owner(link->ctld->control),
                                      .tres = counted.at,
                                      .tres_n = counted.n };

    (void)rpc_send(link->session, MSG_DBD_REGISTER, REGISTRATION, 0, &msg);
}

static void on_connected(void *arg, struct rpc_session *session, const struct err *why)
{
    static const struct rpc_callbacks callbacks = { .on_frame = on_frame, .on_closed = on_closed };
    struct dbd_link *link = arg;

    link->call = NULL;
    if (!session) {
        go_on_without(link, why);
        return;
    }
    log_info(link->ctld->log, "slurmdbd: connected to %s", rpc_session_name(session));
    link->session = session;
    link->is_away = false;
    link->pause_ms = PAUSE_FIRST_MS;
    rpc_session_set_callbacks(session, &callbacks, link);
    send_registration(link);
}

static void on_timer(evutil_socket_t fd, short what, void *arg)
{
    struct dbd_link *link = arg;

    (void)fd;
    (void)what;
    link->call = connect_start(link->ctld->base, &link->options, 0, on_connected, link);
}

static void try_again(struct dbd_link *link)
{
    const struct timeval pause = { link->pause_ms / 1000, link->pause_ms % 1000 * 1000 };

    event_add(link->timer, &pause);
    link->pause_ms = link->pause_ms * 2 < PAUSE_MOST_MS ? link->pause_ms * 2 : PAUSE_MOST_MS;
}

/* ---- life ---- */

static void fill_options(struct dbd_link *link)
{
    const struct slurm_conf *conf = link->conf;

    link->hosts[0] = conf->accounting_host;
    link->hosts[1] = conf->accounting_backup_host;
    link->options = (struct client_options){ .hosts = link->hosts,
                                             .hosts_n = conf->accounting_backup_host ? 2 : 1,
                                             .port = slurm_conf_dbd_port(conf),
                                             .cluster = conf->cluster_name,
                                             .slurm_uid = link->ctld->slurm_uid,
                                             .role = RPC_ROLE_CONTROLLER,
                                             .server = RPC_ROLE_DBD,
                                             .heartbeat_ms = HEARTBEAT_MS,
                                             .authc = { .socket_path = conf->auth_socket },
                                             .clock = link->ctld->clock.clock };
}

void dbd_link_configure(struct dbd_link *link)
{
    drop_connection(link);
    event_del(link->timer);
    slurm_conf_free(link->conf);
    link->conf = slurm_conf_ref(link->ctld->conf);
    link->is_away = false;
    link->pause_ms = PAUSE_FIRST_MS;
    fill_options(link);
    if (slurm_conf_has_dbd(link->conf))
        event_active(link->timer, EV_TIMEOUT, 0);
    else
        dbd_tell_nobody(link->tell);
}

void dbd_link_go_on(struct dbd_link *link, uint64_t committed)
{
    if (link)
        dbd_tell_go_on(link->tell, committed);
}

struct dbd_link *dbd_link_new(struct ctld *ctld)
{
    struct dbd_link *link = xcalloc(1, sizeof(*link));

    link->ctld = ctld;
    link->timer = evtimer_new(ctld->base, on_timer, link);
    dbd_records_init(&link->coming);
    link->tell = dbd_tell_new(ctld);
    dbd_link_configure(link);
    return link;
}

struct dbd_link *dbd_link_free(struct dbd_link *link)
{
    if (!link)
        return NULL;
    drop_connection(link);
    dbd_records_clear(&link->coming);
    dbd_tell_free(link->tell);
    event_free(link->timer);
    slurm_conf_free(link->conf);
    free(link);
    return NULL;
}
