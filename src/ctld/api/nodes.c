/* nodes.c - what node daemons say, and what operators say about nodes. */
#include "ctld/api/api.h"

#include <errno.h>
#include <string.h>

#include "common/authc/authc.h"
#include "common/conf/node_change.h"
#include "common/conf/paths.h"
#include "common/msg/types.h"
#include "ctld/control/control.h"
#include "ctld/control/job/hook.h"
#include "ctld/control/node/node.h"
#include "ctld/control/node/update.h"
#include "ctld/control/node/reboot.h"

/* ---- registration: the answer carries our key, in a credential that authd makes ---- */

struct registration {
    struct ctld *ctld;
    struct conn *conn;
    uint32_t request;
    struct node_register node;
    struct authc_call *call;
};

static void drop_registration(void *ctx)
{
    struct registration *registration = ctx;

    authc_cancel(registration->call);
    node_register_clear(&registration->node);
    free(registration);
}

/* Gives the node to this connection: the newest session of a node is the one that counts. */
static void take_node(struct ctld *ctld, struct conn *conn, const char *name)
{
    struct conn *old = conn_find_node(ctld, name);

    if (old && old != conn) {
        free(STEAL(old->node));
        conn_close(old, "the node has opened a newer connection");
    }
    xstrset(&conn->node, name);
}

static void log_if_less(const struct ctld *ctld, const char *name)
{
    const struct node *node = model_find_node(control_model(ctld->control), name);

    if (node && node->invalid)
        log_error(ctld->log,
                  "node %s has less than slurm.conf says and takes no jobs: %s. Give it back what "
                  "it lacks, or put what `slurmd -C` prints there in slurm.conf and call "
                  "`scontrol reconfigure`; it is then resumed by itself",
                  name, node->rec.reason);
}

static void log_if_ahead(const struct ctld *ctld, const char *name, uint32_t next_job_id)
{
    const uint32_t next = control_model(ctld->control)->next_job_id;

    if (next > next_job_id)
        log_error(
            ctld->log,
            "node %s holds job %u, whose id nobody has been given here: state that was on disk "
            "is lost, or %s is of another controller. The next job id is %u",
            name, next - 1, ctld->conf->state_save_location, next);
}

static void register_node(struct registration *registration, struct conn *conn,
                          const char *credential)
{
    struct ctld *ctld = registration->ctld;
    const struct node_register *node = &registration->node;
    const struct rpc_peer *peer = rpc_session_peer(conn->session);
    struct node_welcome welcome = { .incarnation = control_incarnation(ctld->control),
                                    .key_credential = (char *)(uintptr_t)credential,
                                    .heartbeat_ms = conf_node_heartbeat_ms(ctld->conf) };
    struct request request = {
        .ctld = ctld, .conn = conn, .id = registration->request, .act = *ctld_act(ctld)
    };
    const uint32_t next_job_id = control_model(ctld->control)->next_job_id;
    struct err err = { 0 };

    take_node(ctld, conn, node->name);
    request_reply(&request, MSG_NODE_WELCOME, &welcome);
    if (control_node_register(&request.act, peer->address, node, &err) < 0) {
        log_error(ctld->log, "node %s is refused: %s", node->name, err.text);
        free(STEAL(conn->node));
        conn_close(conn, err.text);
        return;
    }
    log_info(ctld->log, "node %s registered from %s", node->name, rpc_session_name(conn->session));
    log_if_less(ctld, node->name);
    log_if_ahead(ctld, node->name, next_job_id);
}

static void on_key_credential(void *arg, int rc, const char *credential, const struct err *err)
{
    struct registration *registration = arg;
    struct ctld *ctld = registration->ctld;
    struct conn *conn = registration->conn;

    registration->call = NULL;
    conn->waits.drop = NULL;
    if (rc < 0) {
        log_error(ctld->log, "node %s cannot be welcomed: %s", registration->node.name, err->text);
        conn_close(conn, "the controller's authentication daemon does not answer");
    } else {
        rpc_session_resume(conn->session);
        register_node(registration, conn, credential);
    }
    drop_registration(registration);
    ctld_end_turn(ctld);
}

static void encode_key(const struct ctld *ctld, struct strbuf *out)
{
    struct controller_key key = { .label = (char *)(uintptr_t)CONTROLLER_KEY_LABEL,
                                  .cluster = ctld->conf->cluster_name,
                                  .incarnation = control_incarnation(ctld->control),
                                  .key = { (uint8_t *)(uintptr_t)ctld->key.public,
                                           CRYPT_PUBLIC_N } };

    schema_encode(controller_key_schema(), &key, out);
}

static int on_node_register(struct request *request, void *msg, struct err *err)
{
    const struct node_register *node = msg;
    const struct rpc_peer *peer = rpc_session_peer(request->conn->session);
    const struct authc_options authc = { .socket_path = request->ctld->conf->auth_socket };
    struct authc_what what = AUTHC_WHAT;
    AUTO(strbuf) struct strbuf key = { 0 };
    struct registration *registration;

    if (!peer->node || strcmp(peer->node, node->name) != 0)
        return err_set(err, E_ACCESS, "node '%s' may not register as '%s'",
                       peer->node ? peer->node : "", node->name);
    if (!model_find_node(control_model(request->ctld->control), node->name))
        return err_set(err, E_NODE_NAME, "node '%s' is not in the controller's %s", node->name,
                       request->ctld->conf->path);
    if (request->conn->waits.drop)
        return err_set(err, EALREADY, "node '%s' registers already", node->name);
    registration = xcalloc(1, sizeof(*registration));
    registration->ctld = request->ctld;
    registration->conn = request->conn;
    registration->request = request->id;
    schema_copy(node_register_schema(), &registration->node, node);
    encode_key(request->ctld, &key);
    what.payload = key.data;
    what.payload_n = key.len;
    what.only_uid = peer->uid; /* root, but where a whole cluster runs as one user */
    rpc_session_pause(request->conn->session);
    registration->call =
        authc_encode_async(request->ctld->base, &authc, &what, on_key_credential, registration);
    request->conn->waits.drop = drop_registration;
    request->conn->waits.ctx = registration;
    return 0;
}

/* ---- reports ---- */

static int check_registered(const struct request *request, struct err *err)
{
    if (request->conn->node)
        return 0;
    return err_set(err, E_ACCESS, "a report before the registration, or after a newer one");
}

static int on_step_report(struct request *request, void *msg, struct err *err)
{
    int rc = check_registered(request, err);

    if (rc == 0)
        control_step_report(&request->act, request->conn->node, msg);
    return rc;
}

static int on_node_report(struct request *request, void *msg, struct err *err)
{
    int rc = check_registered(request, err);

    if (rc == 0)
        control_node_report(&request->act, request->conn->node, msg);
    return rc;
}

static int on_hook_report(struct request *request, void *msg, struct err *err)
{
    const struct hook_report *report = msg;
    struct ctld *ctld = request->ctld;
    int rc = check_registered(request, err);

    if (rc < 0)
        return rc;
    if (report->code)
        log_error(ctld->log, "node %s, job %u: %s%s%s", request->conn->node, report->job_id,
                  report->text ? report->text : err_string(report->code), report->said ? ": " : "",
                  report->said ? report->said : "");
    control_hook_report(&request->act, request->conn->node, report);
    return 0;
}

static int on_blob_get(struct request *request, void *msg, struct err *err)
{
    const struct blob_get *get = msg;

    if (get->sha256.n != SHA256_BYTES)
        return err_set(err, E_PROTO, "blob named by %u bytes, not %d", get->sha256.n, SHA256_BYTES);
    api_send_blob(request, get->sha256.data);
    return 0;
}

/* Changes what slurm.conf says about nodes, until it is read again. */
static int change_conf(struct ctld *ctld, const struct node_update *update, struct err *err)
{
    const struct conf_node_change change = {
        .names = update->names,
        .weight = update->weight == COUNT_UNSET ? CONF_UNSET : update->weight,
        .cpu_bind = update->cpu_bind == COUNT_UNSET ? CONF_UNSET : update->cpu_bind,
        .features = update->features,
        .active_features = update->active_features,
        .gres = update->gres,
        .addrs = update->addresses,
        .hostnames = update->hosts,
    };
    AUTO(conf_nodes) struct conf_nodes other = { 0 };
    int rc;

    if (!conf_node_change_is_any(&change))
        return 0;
    other = conf_nodes_copy(ctld->conf);
    rc = conf_nodes_change(ctld->conf, &change, err);
    if (rc == 0)
        rc = ctld->obey_conf(ctld, err);
    if (rc < 0)
        conf_nodes_swap(&other, ctld->conf);
    else
        log_info(ctld->log, "nodes %s: changed by an operator", update->names);
    return rc;
}

/* Replaces NodeSets by their nodes. */
static int name_nodes(struct ctld *ctld, char **names, struct err *err)
{
    char *nodes = NULL;
    int rc = conf_nodes_named(ctld->conf, *names, &nodes, err);

    if (rc < 0)
        return rc;
    free(*names);
    *names = nodes;
    return 0;
}

/* Updates nodes: all of the change is done, or nothing. */
static int on_node_update(struct request *request, void *msg, struct err *err)
{
    struct node_update *update = msg;
    struct ctld *ctld = request->ctld;
    int rc = name_nodes(ctld, &update->names, err);

    if (rc == 0)
        rc = control_node_check_update(ctld->control, request->act.caller, msg, err);
    if (rc == 0)
        rc = change_conf(ctld, msg, err);
    if (rc == 0)
        rc = control_node_update(&request->act, msg, err);
    if (rc == 0)
        request_reply(request, MSG_OK, NULL);
    return rc;
}

static int on_node_reboot(struct request *request, void *msg, struct err *err)
{
    struct node_reboot *reboot = msg;
    struct ctld *ctld = request->ctld;
    int rc = name_nodes(ctld, &reboot->names, err);

    if (rc == 0)
        rc = control_node_reboot(&request->act, msg, err);
    if (rc == 0)
        request_reply(request, MSG_OK, NULL);
    return rc;
}

const struct handler node_handlers[] = {
    { MSG_NODE_REGISTER, ROLE_NODE, HANDLER_ACTS, on_node_register },
    { MSG_STEP_REPORT, ROLE_NODE, HANDLER_ACTS, on_step_report },
    { MSG_NODE_REPORT, ROLE_NODE, HANDLER_ACTS, on_node_report },
    { MSG_HOOK_REPORT, ROLE_NODE, HANDLER_ACTS, on_hook_report },
    { MSG_BLOB_GET, ROLE_NODE, HANDLER_RECALLS, on_blob_get },
    { MSG_NODE_UPDATE, ROLE_USER, HANDLER_CHANGES, on_node_update },
    { MSG_NODE_REBOOT, ROLE_USER, HANDLER_CHANGES, on_node_reboot },
};
const size_t node_handlers_n = ARRAY_N(node_handlers);
