#include "dbd/standby.h"

#include <errno.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include <event2/event.h>

#include "common/client/connect.h"
#include "common/msg/types.h"
#include "common/net/here.h"
#include "dbd/dbd.h"

#define LOOK_UP_MS 10000 /* of a name, before there is a loop */
#define LOOK_MS    2000  /* that the other one has to answer */
#define SILENT_MS  5000  /* after which the backup tries for the database: a restart is shorter */
#define NO_BASE_MS 10000 /* more, when that was away, too: the first one is to be first again */
#define WE         "slurmdbd" /* in place of a cluster's name, towards another slurmdbd */

struct standby {
    struct dbd *dbd;
    struct rpc_server *server; /* refuses */
    struct client_options options;
    const char *host; /* of the other one */
    struct connect_call *call;
    struct rpc_session *session; /* with it */
    int64_t silent_since_ms;     /* 0: the first one answers, or was not asked yet */
    int told;                    /* code of what was logged last */
};

/* ---- which one ---- */

static bool is_here(const char *name, const char *host)
{
    const struct conf_host here = { .name = (char *)(uintptr_t)name };

    return slurm_conf_controller_is_on(&here, host) || net_is_here(name, LOOK_UP_MS, NULL) > 0;
}

static int check_pair(const struct conf_dbd *conf, const char *path, struct err *err)
{
    if (conf->storage != CONF_DBD_MYSQL)
        return err_set(
            err, ENOTSUP,
            "%s: DbdBackupHost=%s needs StorageType=accounting_storage/mysql: a directory "
            "cannot be taken over safely, as no lock on a network file system says for "
            "certain that the other slurmdbd is gone",
            path, conf->backup_host);
    if (!conf->host || strcasecmp(conf->host, "localhost") == 0 || net_is_loopback(conf->host) ||
        net_is_loopback(conf->addr ? conf->addr : conf->host))
        return err_set(err, EINVAL,
                       "%s: DbdBackupHost=%s must reach the first slurmdbd, and DbdHost=%s is each "
                       "machine itself",
                       path, conf->backup_host, conf->host ? conf->host : "localhost");
    if (strcasecmp(conf->host, conf->backup_host) == 0)
        return err_set(err, EINVAL, "%s: DbdHost and DbdBackupHost are both %s", path, conf->host);
    return 0;
}

int dbd_find_rank(const struct conf_dbd *conf, const char *path, enum dbd_rank *ret,
                  struct err *err)
{
    char host[256] = "";
    int rc;

    *ret = DBD_ALONE;
    if (!conf->backup_host)
        return 0;
    rc = check_pair(conf, path, err);
    if (rc < 0)
        return rc;
    gethostname(host, sizeof(host) - 1);
    if (is_here(conf->host, host))
        *ret = DBD_FIRST;
    else if (is_here(conf->backup_host, host))
        *ret = DBD_BACKUP;
    else
        return err_set(err, EINVAL,
                       "this host is '%s', and %s says DbdHost=%s and DbdBackupHost=%s: start "
                       "slurmdbd there, or change the file",
                       host, path, conf->host, conf->backup_host);
    return 0;
}

/* ---- refusing ---- */

static bool refuse(const struct rpc_peer *peer, void *ctx, struct err *err)
{
    const struct standby *standby = ctx;
    const struct conf_dbd *conf = &standby->dbd->conf;

    (void)peer;
    if (standby->dbd->rank == DBD_BACKUP)
        err_set(err, E_STANDBY, "slurmdbd on %s stands by for the one on %s", conf->backup_host,
                conf->host);
    else
        err_set(err, E_STANDBY, "slurmdbd on %s waits for its database",
                conf->host ? conf->host : "this host");
    return false;
}

static void on_session(struct rpc_session *session, void *ctx)
{
    (void)ctx;
    rpc_session_free(session); /* not reached: nobody is accepted */
}

static void on_refused(const struct err *why, void *ctx)
{
    log_debug(((struct standby *)ctx)->dbd->ctld.log, "%s", why->text);
}

/* ---- the other one ---- */

static void on_gone(struct rpc_session *session, const struct err *why, void *ctx)
{
    (void)why;
    rpc_session_free(session);
    ((struct standby *)ctx)->session = NULL;
}

static void on_looked(void *arg, struct rpc_session *session, const struct err *why)
{
    struct standby *standby = arg;
    struct log *log = standby->dbd->ctld.log;

    standby->call = NULL;
    if (session) {
        standby->silent_since_ms = 0;
        standby->session = session;
        rpc_session_set_callbacks(session, &(struct rpc_callbacks){ .on_closed = on_gone },
                                  standby);
        rpc_session_close(session, "seen");
        return;
    }
    if (standby->silent_since_ms)
        return;
    standby->silent_since_ms = clock_mono_ms();
    log_info(log, "the first slurmdbd does not answer: %s", why->text);
}

static void on_answer(struct rpc_session *session, const struct rpc_frame *frame, void *ctx)
{
    struct standby *standby = ctx;
    struct err err = { 0 };

    if (frame->type == MSG_ERROR && rpc_decode_error(frame, &err) < 0)
        log_error(standby->dbd->ctld.log, "slurmdbd on %s does not give back: %s", standby->host,
                  err.text);
    rpc_session_free(session);
    standby->session = NULL;
}

static void on_backup(void *arg, struct rpc_session *session, const struct err *why)
{
    static const struct rpc_callbacks callbacks = { .on_frame = on_answer, .on_closed = on_gone };
    struct standby *standby = arg;

    standby->call = NULL;
    if (!session) {
        log_debug(standby->dbd->ctld.log, "slurmdbd on %s: %s", standby->host, why->text);
        return;
    }
    standby->session = session;
    rpc_session_set_callbacks(session, &callbacks, standby);
    (void)rpc_send(session, MSG_DBD_YIELD, 1, 0, NULL);
}

static void connect_to_other(struct standby *standby, connected_fn *fn)
{
    if (!standby->call && !standby->session)
        standby->call = connect_start(standby->dbd->ctld.base, &standby->options, 0, fn, standby);
}

bool standby_may_open(struct standby *standby)
{
    if (standby->dbd->rank != DBD_BACKUP)
        return true;
    connect_to_other(standby, on_looked);
    return standby->silent_since_ms && clock_mono_ms() >= standby->silent_since_ms + SILENT_MS;
}

/* ---- waiting ---- */

static void tell(const struct standby *standby, int code, const struct err *why)
{
    struct log *log = standby->dbd->ctld.log;

    if (code == ENOTCONN)
        log_error(log, "%s; waiting for it (StorageHost=, StoragePort=)", why->text);
    else if (code == E_STANDBY)
        log_info(log, "stands by for slurmdbd on %s", standby->host);
    else if (standby->dbd->rank == DBD_BACKUP)
        log_info(log, "slurmdbd on %s does not answer, and has its database: %s", standby->host,
                 why->text);
    else
        log_info(log, "slurmdbd on %s is asked to give back: %s", standby->host, why->text);
}

bool standby_wait_for(struct standby *standby, int rc, const struct err *why)
{
    if (rc != -ENOTCONN && (standby->dbd->rank == DBD_ALONE || (rc != -EBUSY && rc != -E_STANDBY)))
        return false;
    if (rc == -E_STANDBY && standby->silent_since_ms)
        return true; /* what it is silent about was told */
    if (standby->told != -rc)
        tell(standby, -rc, why);
    standby->told = -rc;
    if (rc == -ENOTCONN)
        standby->silent_since_ms = clock_mono_ms() + NO_BASE_MS;
    if (rc == -EBUSY && standby->dbd->rank == DBD_FIRST)
        connect_to_other(standby, on_backup);
    return true;
}

static void fill_options(struct standby *standby)
{
    const struct conf_dbd *conf = &standby->dbd->conf;
    const char *first = conf->addr ? conf->addr : conf->host;

    standby->host = standby->dbd->rank == DBD_BACKUP ? first : conf->backup_host;
    standby->options = (struct client_options){ .hosts = &standby->host,
                                                .hosts_n = 1,
                                                .port = (uint16_t)conf->port,
                                                .cluster = WE,
                                                .slurm_uid = standby->dbd->ctld.slurm_uid,
                                                .role = RPC_ROLE_DBD,
                                                .server = RPC_ROLE_DBD,
                                                .timeout_ms = LOOK_MS,
                                                .authc = { .socket_path = standby->dbd->socket },
                                                .clock = standby->dbd->ctld.clock.clock };
}

struct standby *standby_new(struct dbd *dbd, const struct started *started)
{
    static const struct rpc_server_callbacks callbacks = { on_session, on_refused };
    struct standby *standby = xcalloc(1, sizeof(*standby));
    const struct rpc_options options = { .role = RPC_ROLE_DBD,
                                         .cluster = SESSION_ALL_CLUSTERS,
                                         .authc = { .socket_path = dbd->socket },
                                         .clock = dbd->ctld.clock.clock,
                                         .accept_peer = refuse,
                                         .ctx = standby };

    standby->dbd = dbd;
    fill_options(standby);
    standby->server = rpc_server_new(dbd->ctld.base, &options, 0, &callbacks, standby);
    rpc_server_listen(standby->server, started->tcp_fd);
    return standby;
}

struct standby *standby_free(struct standby *standby)
{
    if (!standby)
        return NULL;
    rpc_server_free(standby->server);
    connect_cancel(standby->call);
    rpc_session_free(standby->session);
    free(standby);
    return NULL;
}

/* ---- giving back ---- */

static int on_yield(struct request *request, void *msg, struct err *err)
{
    struct dbd *dbd = dbd_of(request->ctld);

    (void)msg;
    if (dbd->rank != DBD_BACKUP)
        return err_set(err, E_ACCESS, "this slurmdbd is not that of DbdBackupHost");
    log_info(request->ctld->log, "the first slurmdbd, on %s, is back: giving back",
             rpc_session_name(request->conn->session));
    request->at_once = true;
    request_reply(request, MSG_OK, NULL);
    dbd->gives_back = true;
    event_base_loopbreak(request->ctld->base);
    return 0;
}

const struct handler standby_handlers[] = {
    { MSG_DBD_YIELD, ROLE_SLURMDBD, HANDLER_ACTS, on_yield },
};
const size_t standby_handlers_n = ARRAY_N(standby_handlers);
