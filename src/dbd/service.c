/* service.c - slurmdbd.conf, store, state, server: what makes a process a slurmdbd. */
#include <errno.h>
#include <string.h>

#include <event2/event.h>

#include "common/base/version.h"
#include "common/conf/beside.h"
#include "common/net/here.h"
#include "common/net/manager.h"
#include "ctld/config/config.h"
#include "ctld/control/act/turn.h"
#include "ctld/control/control.h"
#include "ctld/control/load.h"
#include "ctld/dispatch/conn.h"
#include "ctld/dispatch/lag.h"
#include "ctld/dispatch/loading.h"
#include "dbd/dbd.h"

#define HEARTBEAT_MS 30000
#define LOOK_S       1 /* between looks at what is waited for */

/* ---- the configuration ---- */

static int check_conf(const struct conf_dbd *conf, const char *path, struct err *err)
{
    if (!conf->is_there)
        return err_set(err, ENOENT,
                       "there is no %s: DbdHost= and StorageLoc= say where this runs "
                       "and where it keeps what it is told",
                       path);
    return 0;
}

static int read_conf(const struct dbd *dbd, struct conf_dbd *ret, struct err *err)
{
    AUTO_FREE char *path = conf_path_beside(dbd->conf_path, "slurmdbd.conf");
    AUTO(conf_notes) struct conf_notes notes = { 0 };
    int rc = conf_dbd_load(dbd->conf_path, conf_read_disk, NULL, &notes, ret, err);

    if (rc == 0)
        rc = check_conf(ret, path, err);
    if (rc == 0)
        start_log_notes(dbd->ctld.log, &notes);
    return rc;
}

/* Returns the socket of munged that AuthInfo=socket=PATH names, to be freed, or NULL. */
static char *auth_socket(const struct conf_dbd *conf)
{
    const char *at = conf->auth_info ? strstr(conf->auth_info, "socket=") : NULL;

    at = at ? at + strlen("socket=") : NULL;
    return at ? xstrndup(at, strcspn(at, ",")) : NULL;
}

/* Returns where it is reached when that is for this machine alone, or NULL. */
static const char *listen_address(const struct conf_dbd *conf)
{
    const char *address = conf->addr ? conf->addr : conf->host;

    return address && net_is_loopback(address) ? address : NULL;
}

int dbd_process(struct ctld *ctld, struct started *started, struct err *err)
{
    struct dbd *dbd = dbd_of(ctld);
    AUTO_FREE char *path = conf_path_beside(started->options.conf_path, "slurmdbd.conf");
    struct start_place place;
    int rc = proc_open_std(err);

    dbd->conf_path = xstrdup(started->options.conf_path);
    if (rc == 0)
        rc = read_conf(dbd, &dbd->conf, err);
    if (rc == 0)
        rc = places_init(&dbd->places, &dbd->conf, path, err);
    if (rc == 0)
        rc = dbd_find_rank(&dbd->conf, path, &dbd->rank, err);
    if (rc < 0)
        return rc;
    dbd->socket = auth_socket(&dbd->conf);
    log_set_level(ctld->log, (enum log_level)dbd->conf.debug + (unsigned)started->options.verbose);
    place = (struct start_place){ .program = "slurmdbd",
                                  .conf = path,
                                  .user = dbd->conf.user,
                                  .log_path = dbd->conf.log_file,
                                  .pid_path = dbd->conf.pid_file,
                                  .dir = dbd->places.dir,
                                  .port_key = "DbdPort",
                                  .port = (uint16_t)dbd->conf.port,
                                  .address = listen_address(&dbd->conf) };
    rc = start_daemon(ctld->log, &place, started, err);
    ctld->slurm_uid = started->user.uid;
    return rc;
}

const char *dbd_log_path(const struct ctld *ctld)
{
    return ((const struct dbd *)ctld)->conf.log_file;
}

/* ---- state ---- */

/* Says what of a controller's configuration there is without a cluster. */
static void fill_config(const struct ctld *ctld, struct model_config *ret)
{
    const struct conf_dbd *conf = &((const struct dbd *)ctld)->conf;

    *ret =
        (struct model_config){ .slurm_user = xstrdup(conf->user),
                               .slurm_uid = ctld->slurm_uid,
                               .private_data = config_private(conf->private_data),
                               .has_slurmdbd = true,
                               .default_qos = xstrdup(conf->default_qos),
                               .max_query_min =
                                   conf->max_query_min == CONF_UNLIMITED ? 0 : conf->max_query_min,
                               .first_job_id = 1,
                               .max_job_id = 1 };
}

/* What is loaded, beside what a controller has. */
struct dbd_loading {
    struct loading loading; /* the first member, for the functions that take only this */
    struct dbd *dbd;
};

#define NUMBER "dbd_number"

static void on_number(const char *name, int64_t number, void *ctx)
{
    struct dbd_loading *loading = ctx;

    if (strcmp(name, NUMBER) == 0)
        loading->dbd->number = (uint64_t)number;
    loading_loader.on_number(name, number, &loading->loading);
}

static int load_state(struct ctld *ctld, struct err *err)
{
    struct dbd_loading loading = { { .clock = &ctld->clock, .control = ctld->control },
                                   dbd_of(ctld) };
    struct store_loader loader = loading_loader;

    loader.on_number = on_number;
    return store_load(ctld->store, &loader, &loading, err);
}

/* Draws the number of a new database: whoever has seen another one has seen another database. */
static void draw_number(struct ctld *ctld)
{
    struct dbd *dbd = dbd_of(ctld);

    if (dbd->number)
        return;
    crypt_random(&dbd->number, sizeof(dbd->number));
    dbd->number = (dbd->number & INT64_MAX) | 1;
    turn_note_number(&ctld->turn, NUMBER, (int64_t)dbd->number);
}

static void describe(void *ctx, struct strbuf *out)
{
    const struct ctld *ctld = ctx;

    const struct dbd *dbd = (const struct dbd *)ctld;
    const struct clusters *clusters = dbd->clusters;

    if (!clusters && dbd->rank == DBD_BACKUP)
        strbuf_addf(out, "stands by for slurmdbd on %s", dbd->conf.host);
    else if (!clusters)
        strbuf_adds(out, "waits for its database");
    if (!clusters)
        return;
    strbuf_addf(out, "%u clusters connected", clusters_online(clusters));
    if (ctld->in_trouble)
        strbuf_adds(out, "; nothing is accepted: the disk is full, or the database away");
}

/* Lets a moment pass. Returns false when a signal says that it is to end. */
static bool wait_a_moment(struct ctld *ctld)
{
    event_base_loopexit(ctld->base, &(struct timeval){ .tv_sec = LOOK_S });
    event_base_dispatch(ctld->base);
    return !event_base_got_break(ctld->base);
}

static int try_to_open(struct dbd *dbd, struct err *err)
{
    AUTO(place) struct place place = places_of_accounts(&dbd->places);

    return standby_may_open(dbd->standby) ? store_open(&place.store, &dbd->ctld.store, err)
                                          : -E_STANDBY;
}

/* Waits for the store of accounts, as long as what keeps it away may pass. A server that is not
 * there yet is waited for, as Slurm's does: it may start with this machine. Who has started us does
 * not wait. */
static int wait_for_store(struct dbd *dbd, struct started *started, struct err *err)
{
    struct ctld *ctld = &dbd->ctld;
    struct err why = { 0 };
    bool was_away = false;
    int rc;

    while ((rc = try_to_open(dbd, &why)) < 0) {
        was_away |= rc == -ENOTCONN;
        if (!standby_wait_for(dbd->standby, rc, &why))
            return err_set(err, -rc, "%s", why.text);
        proc_ready(STEAL(started->background));
        if (!ctld->manager)
            ctld->manager = net_manager_new(ctld->base, describe, ctld);
        if (!wait_a_moment(ctld))
            return err_set(err, ECANCELED, "ended while it waited");
    }
    if (was_away)
        log_info(ctld->log, "the server of the database is there");
    return 0;
}

static int open_store(struct ctld *ctld, struct started *started, struct err *err)
{
    struct dbd *dbd = dbd_of(ctld);
    int rc;

    dbd->standby = standby_new(dbd, started);
    rc = wait_for_store(dbd, started, err);
    dbd->standby = standby_free(dbd->standby);
    if (rc == 0 && store_remark(ctld->store))
        log_info(ctld->log, "%s", store_remark(ctld->store));
    return rc;
}

static int open_state(struct ctld *ctld, struct started *started, struct err *err)
{
    struct model_config config;
    int rc = open_store(ctld, started, err);

    if (rc < 0)
        return rc;
    fill_config(ctld, &config);
    rc = control_new(&config, &ctld->control, err);
    if (rc == 0)
        rc = load_state(ctld, err);
    if (rc < 0)
        return rc;
    cluster_clock_start(&ctld->clock);
    ctld->turn_number = store_committed(ctld->store);
    if (store_loss(ctld->store))
        log_error(ctld->log, "%s", store_loss(ctld->store));
    return store_start(ctld->store, err);
}

/* ---- who may connect ---- */

/* Decides whether the other slurmdbd of this database is answered. Where the database is away, it
 * is not: it may be there for that one. */
static bool accept_other(const struct ctld *ctld, const struct rpc_peer *peer, struct err *err)
{
    const struct dbd *dbd = (const struct dbd *)ctld;

    if (dbd->rank == DBD_ALONE || (peer->uid != 0 && peer->uid != ctld->slurm_uid))
        err_set(err, E_ACCESS, "this slurmdbd knows of no other one%s",
                dbd->rank == DBD_ALONE ? ": it has no DbdBackupHost" : " of this user");
    else if (ctld->in_trouble && !ctld->lacks_room)
        err_set(err, E_STANDBY, "the database is away");
    else
        return true;
    return false;
}

static bool accept_peer(const struct rpc_peer *peer, void *ctx, struct err *err)
{
    const struct ctld *ctld = ctx;

    switch (peer->role) {
    case RPC_ROLE_CLIENT:
        return conn_check_quota(ctld, peer, err) == 0;
    case RPC_ROLE_DBD:
        return accept_other(ctld, peer, err);
    case RPC_ROLE_CONTROLLER:
        if (peer->uid == 0 || peer->uid == ctld->slurm_uid)
            return true;
        err_set(err, E_ACCESS,
                "a controller that tells of its jobs must run as SlurmUser of slurmdbd.conf (uid "
                "%u) or root, not as uid %u",
                (unsigned)ctld->slurm_uid, (unsigned)peer->uid);
        return false;
    default:
        err_set(err, E_ACCESS, "a %s has nothing to ask of a slurmdbd", rpc_role_name(peer->role));
        return false;
    }
}

static void open_server(struct ctld *ctld, const struct started *started)
{
    const struct rpc_options options = { .role = RPC_ROLE_DBD,
                                         .cluster = SESSION_ALL_CLUSTERS,
                                         .authc = { .socket_path = dbd_of(ctld)->socket },
                                         .clock = ctld->clock.clock,
                                         .accept_peer = accept_peer,
                                         .ctx = ctld,
                                         .heartbeat_ms = HEARTBEAT_MS };

    start_server(ctld, started, &options);
}

/* ---- a new configuration ---- */

static int reconfigure(struct ctld *ctld, struct err *err)
{
    struct dbd *dbd = dbd_of(ctld);
    struct conf_dbd conf;
    struct model_config config;
    int rc = read_conf(dbd, &conf, err);

    if (rc < 0) {
        conf_dbd_clear(&conf);
        return rc;
    }
    conf_dbd_clear(&dbd->conf);
    dbd->conf = conf;
    log_set_level(ctld->log, (enum log_level)conf.debug);
    fill_config(ctld, &config);
    return control_reconfigure(ctld_act(ctld), &config, err);
}

static struct store *find_history(struct ctld *ctld, const char *cluster)
{
    return clusters_store(dbd_of(ctld)->clusters, cluster);
}

static struct store *own_store(void *ctx)
{
    return ((const struct ctld *)ctx)->store;
}

int dbd_service(struct ctld *ctld, struct started *started, struct err *err)
{
    int rc;

    start_readers(ctld);
    rc = open_state(ctld, started, err);
    if (rc < 0)
        return rc;
    ctld->find_handler = dbd_find_handler;
    ctld->find_history = find_history;
    ctld->reconfigure = reconfigure;
    ctld->fill_config = fill_config;
    start_turns(ctld);
    draw_number(ctld);
    ctld->aging = aging_new(&(struct aging_of){ .ctld = ctld,
                                                .conf_path = dbd_of(ctld)->conf_path,
                                                .cluster = "slurmdbd",
                                                .kinds = AGING_ACCOUNTS,
                                                .store = own_store,
                                                .ctx = ctld });
    dbd_of(ctld)->clusters = clusters_new(dbd_of(ctld));
    rc = clusters_open(dbd_of(ctld)->clusters, err);
    if (rc < 0)
        return rc;
    control_ready(ctld_act(ctld));
    ctld_end_turn(ctld);
    open_server(ctld, started);
    log_info(ctld->log, "slurmdbd (Sluice %s) serves on port %u, and keeps what it is told in %s",
             SLUICE_VERSION, dbd_of(ctld)->conf.port, places_text(&dbd_of(ctld)->places));
    proc_ready(STEAL(started->background));
    if (!ctld->manager)
        ctld->manager = net_manager_new(ctld->base, describe, ctld);
    return 0;
}

/* ---- the end, or another beginning ---- */

/* Returns whether what ended the service, or kept it from beginning, is that another slurmdbd has
 * the database. */
static bool is_usurped(const struct dbd *dbd, int rc)
{
    struct err why = { 0 };

    if (rc < 0)
        return rc == -EBUSY;
    if (!dbd->ctld.store || !store_failed(dbd->ctld.store, &why))
        return dbd->is_usurped;
    return why.code == EBUSY || why.code == E_USURPED;
}

/* Forgets all that was read from the database, and whoever is connected. */
static void forget_all(struct dbd *dbd)
{
    struct ctld *ctld = &dbd->ctld;

    ctld->failed = false; /* who is connected is told that this ends */
    dbd->clusters = clusters_free(dbd->clusters);
    stop_state(ctld);
    *ctld = (struct ctld){
        .base = ctld->base, .log = ctld->log, .slurm_uid = ctld->slurm_uid, .manager = ctld->manager
    };
    cluster_clock_init(&ctld->clock, clock_from_env());
    dbd->number = 0;
    dbd->gives_back = dbd->is_usurped = false;
}

bool dbd_begins_again(struct ctld *ctld, int rc)
{
    struct dbd *dbd = dbd_of(ctld);

    if (dbd->rank == DBD_ALONE || (!dbd->gives_back && !is_usurped(dbd, rc)))
        return false;
    if (!dbd->gives_back)
        log_info(ctld->log, "another slurmdbd has the database, or a part of it: waiting");
    forget_all(dbd);
    return true;
}

void dbd_stop(struct ctld *ctld, struct started *started)
{
    struct dbd *dbd = dbd_of(ctld);

    dbd->clusters = clusters_free(dbd->clusters);
    stop_service(ctld, started);
    conf_dbd_clear(&dbd->conf);
    places_clear(&dbd->places);
    free(dbd->conf_path);
    free(dbd->socket);
}
