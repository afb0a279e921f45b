#include "ctld/dispatch/dbd_link.h"

#include <errno.h>
#include <string.h>

#include <event2/event.h>

#include "common/client/connect.h"
#include "common/msg/dbd.h"
#include "common/msg/types.h"
#include "common/text/words.h"
#include "ctld/control/acct/follow.h"
#include "ctld/control/control.h"
#include "ctld/dispatch/carrier.h"
#include "ctld/dispatch/ctld.h"
#include "ctld/dispatch/dbd_take.h"
#include "ctld/dispatch/dbd_tell.h"

#define PAUSE_FIRST_MS 500
#define PAUSE_MOST_MS  5000
#define HEARTBEAT_MS   30000
#define REGISTRATION   1 /* the number of that request */

#define PAUSE_REFUSED_MS 30000

struct dbd_link {
    struct ctld *ctld;
    struct slurm_conf *conf; /* held while what it says is tried */
    const char *hosts[2];
    struct client_options options;
    struct connect_call *call;
    struct rpc_session *session;
    struct dbd_tell *tell;
    struct dbd_take *take;
    struct carrier *carrier; /* of transactions of before */
    struct event *timer;     /* for the next try */
    int pause_ms;
    bool is_away;               /* which was told */
    bool is_refused;            /* records of accounts differ from those there, */
    struct dbd_refused refused; /* by these conflicts */
    uint32_t keep;              /* enum acct_keep: what holds there */
    struct err why;             /* it is away */
    uint64_t number;            /* of the slurmdbd that is there, */
    uint64_t applied;           /* which has turns up to this one */
    bool is_other;              /* of another database than this controller's */
    bool is_told;               /* of the history, or will be */
    struct dbd_records coming;  /* pieces that have arrived */
};

static void try_again(struct dbd_link *link);

/* ---- both ways ---- */

/* Sends the records that this controller owns, in pieces. */
static void send_own(struct dbd_link *link)
{
    struct ctld *ctld = link->ctld;
    AUTO(dbd_records) struct dbd_records list;
    struct dbd_records piece = { 0 };
    uint32_t at = 0;

    dbd_records_init(&list);
    acct_tell_all(ctld->control, ctld->conf->cluster_name, &list);
    list.keep = link->keep;
    while (!piece.is_last) {
        piece = acct_next_piece(&list, &at);
        (void)rpc_send(link->session, MSG_DBD_RECORDS, REGISTRATION, 0, &piece);
    }
    log_info(ctld->log, "slurmdbd is told of the %u records of accounts that were kept here",
             list.records_n);
}

/* Transactions go before the records: slurmdbd takes both at once. */
static void on_carried(const struct dbd_carried *page, bool is_last, const struct err *err,
                       void *ctx)
{
    struct dbd_link *link = ctx;

    if (err) {
        log_error(link->ctld->log, "slurmdbd is not told of accounts: %s", err->text);
        return;
    }
    (void)rpc_send(link->session, MSG_DBD_CARRIED, REGISTRATION, 0, page);
    if (is_last)
        send_own(link);
}

/* Begins when accounts are slurmdbd's: of a cluster that it refuses it gets nothing. */
static void tell_history(struct dbd_link *link)
{
    if (link->is_told)
        return;
    link->is_told = true;
    if (link->is_other)
        dbd_tell_hold(link->tell);
    else
        dbd_tell_begin(link->tell, link->session, link->applied);
}

static int on_registered(struct dbd_link *link, const struct rpc_frame *frame, struct err *err)
{
    AUTO(dbd_registered) struct dbd_registered reply;
    int rc = rpc_decode(frame, dbd_registered_schema(), &reply, err);

    if (rc < 0)
        return rc;
    link->number = reply.number;
    link->applied = reply.applied;
    link->is_other = reply.is_other;
    if (reply.asks_own)
        carrier_begin(link->carrier, store_number(link->ctld->store), reply.number, reply.carried);
    else
        tell_history(link);
    return 0;
}

static int follow(struct dbd_link *link, struct err *err)
{
    struct act *act = ctld_act(link->ctld);
    int rc = acct_follow(act, &link->coming, err);

    if (rc == 0) {
        acct_set_owner(act, link->number);
        link->keep = ACCT_KEEP_NEITHER;
        tell_history(link);
    }
    dbd_records_clear(&link->coming);
    dbd_records_init(&link->coming);
    return rc;
}

/* Goes on as owner, and tries again later, when somebody may have made them agree. */
static int on_refused(struct dbd_link *link, const struct rpc_frame *frame, struct err *err)
{
    const bool was_refused = link->is_refused;
    int rc;

    dbd_refused_clear(&link->refused);
    rc = rpc_decode(frame, dbd_refused_schema(), &link->refused, err);
    if (rc < 0)
        return rc;
    link->is_refused = true;
    link->pause_ms = PAUSE_REFUSED_MS;
    if (!was_refused)
        log_error(
            link->ctld->log,
            "slurmdbd does not take this cluster: %u records of accounts differ from its own; "
            "accounts are kept here. 'sluice move accounting --plan' shows them, and what "
            "to do",
            link->refused.conflicts);
    return err_set(err, EEXIST, "%u records of accounts differ", link->refused.conflicts);
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
    case MSG_DBD_REFUSED:
        return on_refused(link, frame, err);
    case MSG_DBD_CARRIED:
        return dbd_take_carried(link->take, frame, err);
    case MSG_DBD_TURN:
        return dbd_take_turn(link->take, frame, err);
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
        if (frame->type != MSG_DBD_REFUSED)
            log_error(link->ctld->log, "slurmdbd on %s: %s", rpc_session_name(session), err.text);
        if (err.code == E_PROTO || err.code == E_TOO_BIG) /* it will be the same again */
            link->pause_ms = PAUSE_REFUSED_MS;
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
    dbd_take_stop(link->take);
    carrier_stop(link->carrier);
    link->is_told = false;
    dbd_records_clear(&link->coming);
    dbd_records_init(&link->coming);
}

/* Tells once that it is away, and tries again after a while. */
static void go_on_without(struct dbd_link *link, const struct err *why)
{
    const bool is_owner = acct_owner(link->ctld->control) != 0;

    link->why = *why;
    if (link->is_refused) {
        drop_connection(link);
        try_again(link);
        return;
    }
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
                                      .tres_n = counted.n,
                                      .store = store_number(link->ctld->store) };

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

/* Comments are told in any case: they are in the record. */
static void choose_bodies(const struct dbd_link *link)
{
    const char *flags = link->conf->accounting_store_flags;
    AUTO(words) struct words words = words_split(flags ? flags : "", ",");
    struct store_bodies which = { 0 };

    for (uint32_t i = 0; i < words.n; i++) {
        which.scripts |= word_is(words.at[i], "job_script");
        which.environments |= word_is(words.at[i], "job_env");
    }
    store_log_bodies(link->ctld->store, &which);
}

void dbd_link_configure(struct dbd_link *link)
{
    drop_connection(link);
    event_del(link->timer);
    slurm_conf_free(link->conf);
    link->conf = slurm_conf_ref(link->ctld->conf);
    link->is_away = link->is_refused = false;
    link->pause_ms = PAUSE_FIRST_MS;
    fill_options(link);
    choose_bodies(link);
    if (slurm_conf_has_dbd(link->conf))
        event_active(link->timer, EV_TIMEOUT, 0);
    else
        dbd_tell_nobody(link->tell);
}

void dbd_link_go_on(struct dbd_link *link, uint64_t committed)
{
    if (!link)
        return;
    dbd_tell_go_on(link->tell, committed);
    dbd_take_go_on(link->take, committed);
}

/* ---- moving ---- */

/* slurmdbd knows now whose history it has: it is told of what it lacks, from the beginning. */
static void on_taken(void *ctx)
{
    struct dbd_link *link = ctx;

    if (!link->is_other)
        return;
    link->is_other = false;
    dbd_tell_begin(link->tell, link->session, 0);
}

int dbd_link_move(struct dbd_link *link, const struct move_accounting *asked, struct err *err)
{
    if (!slurm_conf_has_dbd(link->conf))
        return err_set(err, EINVAL, "slurm.conf names no slurmdbd");
    if (!asked->takes) {
        link->keep = asked->keep;
        if (!acct_owner(link->ctld->control))
            dbd_link_configure(link);
        return 0;
    }
    if (!link->session)
        return err_set(err, ENOTCONN, "slurmdbd on %s does not answer: %s", link->hosts[0],
                       link->why.text);
    if (acct_owner(link->ctld->control) != link->number)
        return err_set(err, EBUSY, "the cluster has not registered with slurmdbd yet");
    if (!dbd_take_goes_on(link->take))
        dbd_take_begin(link->take, link->session, link->number);
    return 0;
}

void dbd_link_look(const struct dbd_link *link, struct move_status *ret)
{
    ret->owner = acct_owner(link->ctld->control);
    if (!slurm_conf_has_dbd(link->conf)) {
        ret->phase = MOVE_NOWHERE;
        dbd_take_look(link->take, ret);
        return;
    }
    dbd_tell_look(link->tell, ret);
    if (!link->session)
        ret->phase = MOVE_AWAY;
    if (!link->session && link->why.text[0])
        xstrset(&ret->why, link->why.text);
    dbd_take_look(link->take, ret);
    if (!link->is_refused)
        return;
    ret->phase = MOVE_REFUSED;
    ret->refused = xcalloc(1, sizeof(*ret->refused));
    schema_copy(dbd_refused_schema(), ret->refused, &link->refused);
}

struct dbd_link *dbd_link_new(struct ctld *ctld)
{
    struct dbd_link *link = xcalloc(1, sizeof(*link));

    link->ctld = ctld;
    link->timer = evtimer_new(ctld->base, on_timer, link);
    dbd_records_init(&link->coming);
    dbd_refused_init(&link->refused);
    link->tell = dbd_tell_new(ctld);
    link->take = dbd_take_new(ctld, on_taken, link);
    link->carrier = carrier_new(ctld, on_carried, link);
    dbd_link_configure(link);
    return link;
}

struct dbd_link *dbd_link_free(struct dbd_link *link)
{
    if (!link)
        return NULL;
    drop_connection(link);
    dbd_records_clear(&link->coming);
    dbd_refused_clear(&link->refused);
    dbd_tell_free(link->tell);
    dbd_take_free(link->take);
    carrier_free(link->carrier);
    event_free(link->timer);
    slurm_conf_free(link->conf);
    free(link);
    return NULL;
}
