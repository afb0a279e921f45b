/* service.c - store, key, state, server: what makes a process a controller. */
#include <errno.h>
#include <pwd.h>
#include <string.h>
#include <unistd.h>

#include <event2/event.h>

#include "common/conf/paths.h"
#include "common/net/manager.h"
#include "ctld/api/api.h"
#include "ctld/config/config.h"
#include "ctld/dispatch/dbd_link.h"
#include "ctld/dispatch/lag.h"
#include "ctld/dispatch/loading.h"
#include "ctld/main/start.h"
#include "ctld/control/control.h"
#include "ctld/control/load.h"
#include "ctld/control/node/settings.h"
#include "ctld/control/act/turn.h"

#define FAREWELL_S 2

/* ---- state ---- */

static struct model_config config_of(const struct ctld *ctld, const struct slurm_conf *conf,
                                     const char *host)
{
    struct model_config config;

    config_of_conf(conf, host, &config);
    config.slurm_uid = ctld->slurm_uid;
    return config;
}

static void on_ended(const struct job_record *job, const struct job_body *body, uint64_t turn,
                     void *ctx)
{
    completion_tell(((struct ctld *)ctx)->completion, job, body, turn);
}

/* Tells JobComp of jobs whose end was on disk when the controller ended, and not yet told. */
static int catch_up(struct ctld *ctld, struct err *err)
{
    const uint64_t told = completion_told(ctld->completion);

    int rc = 0;

    ctld->turn_number = store_committed(ctld->store);
    if (told > 0 && told < ctld->turn_number)
        rc = store_each_ended(ctld->store, told, on_ended, ctld, err);
    completion_begin(ctld->completion, ctld->turn_number);
    return rc;
}

static int load_state(struct ctld *ctld, const struct started *started, struct err *err)
{
    struct loading loading = { .clock = &ctld->clock, .completion = ctld->completion };
    struct model_config config = config_of(ctld, ctld->conf, started->host);
    int rc;

    rc = control_new(&config, &ctld->control, err);
    loading.control = ctld->control;
    if (rc == 0)
        rc = store_load(ctld->store, &loading_loader, &loading, err);
    if (rc == 0)
        cluster_clock_start(&ctld->clock);
    return rc < 0 ? rc : catch_up(ctld, err);
}

/* Keeps the old database under another name, never removed: -c forgets everything. */
static int set_state_aside(const struct ctld *ctld, struct err *err)
{
    static const char *const suffixes[] = { "", "-wal", "-shm", "-mark" };
    const char *dir = ctld->conf->state_save_location;

    for (size_t i = 0; i < ARRAY_N(suffixes); i++) {
        AUTO_FREE char *from = xasprintf("%s/sluice.db%s", dir, suffixes[i]);
        AUTO_FREE char *to = xasprintf("%s/sluice.db.old%s", dir, suffixes[i]);

        if (rename(from, to) < 0 && errno != ENOENT)
            return err_set(err, errno, "cannot set the old state '%s' aside: %s", from,
                           strerror(errno));
        if (errno == ENOENT)
            errno = 0;
    }
    return 0;
}

static int open_key(struct ctld *ctld, struct err *err)
{
    AUTO_FREE char *path = xasprintf("%s/controller.key", ctld->conf->state_save_location);

    if (access(path, F_OK) == 0)
        return crypt_sign_key_load(path, &ctld->key, err);
    crypt_sign_key_new(&ctld->key);
    return crypt_sign_key_store(path, &ctld->key, err);
}

/* How many ids are left out after a loss: more than are given between two moments at which the
 * power may fail. */
#define IDS_LEFT_OUT 10000

static void go_on_behind_loss(struct ctld *ctld)
{
    const uint32_t next = control_model(ctld->control)->next_job_id + IDS_LEFT_OUT;

    control_load_number(ctld->control, CONTROL_NUMBER_NEXT_JOB, next);
    log_error(ctld->log, "%s. The next job id is %u", store_loss(ctld->store), next);
}

static int open_state(struct ctld *ctld, const struct started *started, struct err *err)
{
    int rc = started->options.fresh ? set_state_aside(ctld, err) : 0;

    if (rc == 0)
        rc = open_key(ctld, err);
    if (rc == 0)
        rc = store_open(&(struct store_place){ .dir = ctld->conf->state_save_location },
                        &ctld->store, err);
    if (rc == 0 && store_remark(ctld->store))
        log_info(ctld->log, "%s", store_remark(ctld->store));
    if (rc == 0)
        log_info(ctld->log,
                 "jobs and their history are kept in %s/sluice.db, with AccountingStorageType=%s "
                 "or any other",
                 ctld->conf->state_save_location, ctld->conf->accounting_type);
    if (rc == 0)
        rc = load_state(ctld, started, err);
    if (rc == 0 && store_loss(ctld->store))
        go_on_behind_loss(ctld);
    if (rc == 0)
        rc = store_start(ctld->store, err);
    return rc;
}

/* ---- who may connect ---- */

static bool accept_peer(const struct rpc_peer *peer, void *ctx, struct err *err)
{
    const struct ctld *ctld = ctx;

    switch (peer->role) {
    case RPC_ROLE_CLIENT:
    case RPC_ROLE_SRUN:
        return conn_check_quota(ctld, peer, err) == 0;
    case RPC_ROLE_NODE: /* its credential was asked for by its monitor, which is root */
        if (peer->uid == 0 || peer->uid == ctld->slurm_uid)
            return true;
        err_set(err, E_ACCESS, "a node daemon must be started by root or SlurmUser, not by uid %u",
                peer->uid);
        return false;
    default:
        err_set(err, E_ACCESS, "a %s has nothing to ask of a controller",
                rpc_role_name(peer->role));
        return false;
    }
}

static void open_server(struct ctld *ctld, const struct started *started)
{
    const struct rpc_options options = { .role = RPC_ROLE_CONTROLLER,
                                         .cluster = ctld->conf->cluster_name,
                                         .authc = { .socket_path = ctld->conf->auth_socket },
                                         .clock = ctld->clock.clock,
                                         .accept_peer = accept_peer,
                                         .ctx = ctld,
                                         .heartbeat_ms = conf_node_heartbeat_ms(ctld->conf) };

    start_server(ctld, started, &options);
}

/* Adds "cluster lab: 2 of 3 nodes connected, 15 jobs known", which `systemctl status` shows. */
static void describe(void *ctx, struct strbuf *out)
{
    const struct ctld *ctld = ctx;
    const struct model *model = control_model(ctld->control);
    uint32_t online_n = 0;

    for (uint32_t i = 0; i < model->nodes_n; i++)
        online_n += model->nodes[i].online;
    strbuf_addf(out, "cluster %s: %u of %u nodes connected, %u jobs known",
                ctld->conf->cluster_name, online_n, model->nodes_n, HASH_COUNT(model->jobs));
    if (ctld->in_trouble)
        strbuf_adds(out, "; the disk is full, nothing is accepted");
}

static void tell_small_quota(const struct ctld *ctld)
{
    const struct quota_room room = conn_room(ctld);

    if (quota_is_small(&room))
        log_error(ctld->log,
                  "%u descriptors are few for %u nodes: users may hold %u sessions in all, and "
                  "nodes may be kept out; LimitNOFILE=%u would do",
                  room.descriptors, room.nodes, quota_for_users(&room), 4 * room.nodes + 1024);
}

/* ---- a new configuration ---- */

static void fill_config(const struct ctld *ctld, struct model_config *ret)
{
    *ret = config_of(ctld, ctld->conf, control_model(ctld->control)->config.controller_host);
}

static int obey(struct ctld *ctld, const struct slurm_conf *conf, struct err *err)
{
    struct model_config config =
        config_of(ctld, conf, control_model(ctld->control)->config.controller_host);

    return control_reconfigure(ctld_act(ctld), &config, err);
}

static int obey_conf(struct ctld *ctld, struct err *err)
{
    return obey(ctld, ctld->conf, err);
}

static int reconfigure(struct ctld *ctld, struct err *err)
{
    AUTO(conf_notes) struct conf_notes notes = { 0 };
    struct slurm_conf *conf = NULL;
    int rc = start_read_conf(ctld->conf->path, &conf, &notes, err);

    if (rc < 0)
        return rc;
    start_log_notes(ctld->log, &notes);
    rc = obey(ctld, conf, err);
    if (rc < 0) {
        slurm_conf_free(conf);
        return rc;
    }
    slurm_conf_free(ctld->conf);
    ctld->conf = conf;
    start_read_cgroup(ctld);
    completion_configure(ctld->completion, conf, ctld->turn_number);
    log_set_level(ctld->log, (enum log_level)conf->slurmctld_debug);
    tell_small_quota(ctld);
    control_nodes_reconfigure(ctld_act(ctld));
    dbd_link_configure(ctld->dbd_link);
    log_info(ctld->log, "configuration read again from %s", conf->path);
    return 0;
}

static struct store *own_store(void *ctx)
{
    return ((const struct ctld *)ctx)->store;
}

static void start_aging(struct ctld *ctld)
{
    ctld->aging = aging_new(&(struct aging_of){ .ctld = ctld,
                                                .conf_path = ctld->conf->path,
                                                .cluster = ctld->conf->cluster_name,
                                                .kinds = AGING_ALL,
                                                .store = own_store,
                                                .ctx = ctld });
    aging_tell_notes(ctld, ctld->conf->path);
}

int start_service(struct ctld *ctld, struct started *started, struct err *err)
{
    int rc;

    start_readers(ctld);
    completion_configure(ctld->completion, ctld->conf, 0);
    rc = open_state(ctld, started, err);
    if (rc < 0)
        return rc;
    ctld->find_handler = api_find;
    ctld->reconfigure = reconfigure;
    ctld->obey_conf = obey_conf;
    ctld->fill_config = fill_config;
    start_turns(ctld);
    start_aging(ctld);
    ctld->dbd_link = dbd_link_new(ctld);
    control_ready(ctld_act(ctld));
    ctld_end_turn(ctld);
    open_server(ctld, started);
    tell_small_quota(ctld);
    log_info(ctld->log, "slurmctld (Sluice %s) serves cluster %s on port %u", SLUICE_VERSION,
             ctld->conf->cluster_name, ctld->conf->slurmctld_ports.first);
    proc_ready(STEAL(started->background));
    ctld->manager = net_manager_new(ctld->base, describe, ctld);
    return 0;
}

/* ---- the end ---- */

static void on_late(evutil_socket_t fd, short what, void *arg)
{
    (void)fd;
    (void)what;
    event_base_loopbreak(arg);
}

static void say_farewell(struct ctld *ctld)
{
    const struct timeval limit = { .tv_sec = FAREWELL_S };
    struct event *late = evtimer_new(ctld->base, on_late, ctld->base);
    struct conn *conn, *next;

    ctld->server = rpc_server_free(ctld->server);
    HASH_ITER (hh, ctld->conns, conn, next)
        conn_close(conn, "the controller stops");
    event_add(late, &limit);
    while (ctld->conns && event_base_loop(ctld->base, EVLOOP_ONCE) == 0 &&
           !event_base_got_break(ctld->base))
        ;
    event_free(late);
    conns_free(ctld);
}

void stop_state(struct ctld *ctld)
{
    if (ctld->outbox) { /* it has begun with turns */
        if (!ctld->failed)
            say_farewell(ctld);
        ctld_clear(ctld);
    }
    control_free(ctld->control);
    dbd_link_free(ctld->dbd_link);
    aging_free(ctld->aging);
    completion_free(ctld->completion);
    event_log_free(ctld->event_log);
    turn_stream_free(ctld->stream);
    programs_free(ctld->programs);
    names_free(ctld->names);
    programs_free(ctld->mails);
    store_free(ctld->store);
    lag_free(ctld->lag);
}

void stop_service(struct ctld *ctld, struct started *started)
{
    ctld->manager = net_manager_free(ctld->manager);
    stop_state(ctld);
    net_unix_listener_free(started->unix_listener);
    if (started->tcp_fd >= 0)
        close(started->tcp_fd);
    proc_pidfile_free(started->pidfile);
    proc_not_ready(started->background);
    proc_user_clear(&started->user);
    conf_cgroup_clear(&ctld->cgroup);
    free(started->host);
    slurm_conf_free(ctld->conf);
}
