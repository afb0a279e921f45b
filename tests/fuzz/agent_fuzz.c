/*
 * slurmd's network half, behind the handshake: whatever a controller, a command that came by
 * SlurmdPort and its own monitor may say, in any order, and sessions that come and go. The
 * monitor's socket, name service and dialling are doubles; everything else is the agent as it is.
 */
#include "session_doubles.h"

#include <sys/eventfd.h>
#include <sys/socket.h>

#include "common/crypt/crypt.h"
#include "common/msg/alter.h"
#include "common/msg/visit.h"
#include "common/net/dial.h"
#include "common/net/resolve.h"
#include "noded/agent/agent.h"
#include "noded/agent/door.h"
#include "noded/inventory/inventory.h"
#include "noded/priv/channel.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
unsigned long long fuzz_count(void);

#define MESSAGES_MAX 400

static struct tape tape;
static unsigned long long messages_n;

unsigned long long fuzz_count(void)
{
    return messages_n;
}

/* ---- what stands around ---- */

static struct {
    struct event_base *base;
    net_resolved_fn *on_resolved;
    net_dialed_fn *on_dialed;
    void *resolve_arg, *dial_arg;
    door_node_fn *on_visitor;
    void *visitor_ctx;
} around;

struct net_resolve_call *net_resolve_async(struct event_base *base, const char *host, uint16_t port,
                                           int timeout_ms, net_resolved_fn *fn, void *arg)
{
    (void)base;
    (void)host;
    (void)port;
    (void)timeout_ms;
    around.on_resolved = fn;
    around.resolve_arg = arg;
    return (struct net_resolve_call *)&around;
}

struct net_resolve_call *net_resolve_cancel(struct net_resolve_call *call)
{
    if (call)
        around.on_resolved = NULL;
    return NULL;
}

struct net_dial_call *net_dial_async(struct event_base *base, const struct net_addrs *addrs,
                                     int timeout_ms, net_dialed_fn *fn, void *arg)
{
    (void)base;
    (void)addrs;
    (void)timeout_ms;
    around.on_dialed = fn;
    around.dial_arg = arg;
    return (struct net_dial_call *)&around;
}

struct net_dial_call *net_dial_cancel(struct net_dial_call *call)
{
    if (call)
        around.on_dialed = NULL;
    return NULL;
}

struct door *door_new(struct event_base *base, const struct agent_options *options,
                      struct root *root, door_node_fn *fn, void *ctx)
{
    (void)options;
    (void)root;
    around.base = base;
    around.on_visitor = fn;
    around.visitor_ctx = ctx;
    return NULL;
}

struct door *door_free(struct door *door)
{
    return door;
}

void net_guest_own(struct net_guest *guest, const struct net_owner *kind, void *owner)
{
    (void)guest;
    (void)kind;
    (void)owner;
}

struct net_guest *net_guest_leave(struct net_guest *guest)
{
    (void)guest;
    return NULL;
}

struct inventory_load inventory_load(const struct inventory_where *where)
{
    (void)where;
    return (struct inventory_load){ .load_percent = 7 };
}

void inventory_read(const struct inventory_where *where, struct node_hardware *ret)
{
    (void)where;
    ret->cpus = 4 + tape_next(&tape) % 2;
}

void rpc_answer_credential(struct rpc_question *question, const char *credential,
                           const struct err *why)
{
    (void)question;
    FUZZ_CHECK(credential || why);
}

/* ---- the monitor ---- */

#define ASKED_MAX 256

static struct {
    int fd; /* readable while there is a packet */
    struct strbuf packet;
    bool has_packet, is_gone;
    uint32_t asked[ASKED_MAX], asked_n;      /* requests that wait for an answer */
    uint32_t job_id, step_id, launch_number; /* of the last launch */
} monitor;

struct priv_channel *priv_channel_new(int fd)
{
    monitor.fd = fd;
    return (struct priv_channel *)&monitor;
}

struct priv_channel *priv_channel_free(struct priv_channel *channel)
{
    (void)channel;
    close(monitor.fd);
    return NULL;
}

int priv_channel_flush(struct priv_channel *channel, struct err *err)
{
    (void)channel;
    (void)err;
    return 0;
}

bool priv_channel_wants_write(const struct priv_channel *channel)
{
    (void)channel;
    return tape_below(&tape, 16) == 1;
}

/* What the agent asks must be what the monitor understands. */
int priv_send(struct priv_channel *channel, const struct priv_msg *msg, struct err *err)
{
    AUTO(strbuf) struct strbuf packet = { 0 };
    struct priv_msg again;
    struct priv_launch launch;

    (void)channel;
    priv_encode(msg, &packet);
    FUZZ_CHECK(priv_decode(packet.data, packet.len, msg->fds_n, PRIV_MONITOR, &again, err) == 0);
    FUZZ_CHECK(again.verb != PRIV_LAUNCH || priv_launch_decode(&again, &launch, err) == 0);
    if (monitor.asked_n < ASKED_MAX)
        monitor.asked[monitor.asked_n++] = msg->request;
    return 0;
}

int priv_receive(struct priv_channel *channel, unsigned side, struct priv_msg *ret, struct err *err)
{
    uint64_t count;
    bool was = monitor.has_packet;
    uint32_t fds_n = 0;
    int rc;

    (void)channel;
    if (read(monitor.fd, &count, sizeof(count)) < 0 && !was)
        return 0;
    monitor.has_packet = false;
    if (monitor.is_gone)
        return err_set(err, E_CLOSED, "gone");
    if (!was)
        return 0;
    if (monitor.packet.len > 7)
        fds_n = (uint8_t)monitor.packet.data[7] % (PRIV_FDS_MAX + 1);
    rc = priv_decode(monitor.packet.data, monitor.packet.len, fds_n, side, ret, err);
    if (rc < 0)
        return rc;
    for (uint32_t i = 0; i < ret->fds_n; i++)
        ret->fds[i] = dup(2);
    return 1;
}

void priv_msg_close(struct priv_msg *msg)
{
    for (uint32_t i = 0; i < msg->fds_n; i++)
        close(msg->fds[i]);
}

static void push_packet(const struct priv_msg *msg)
{
    const uint64_t one = 1;

    strbuf_truncate(&monitor.packet, 0);
    priv_encode(msg, &monitor.packet);
    if (tape_below(&tape, 64) == 1)
        double_spoil(&tape, &monitor.packet);
    monitor.has_packet = true;
    if (write(monitor.fd, &one, sizeof(one)) < 0)
        abort();
    event_base_loop(around.base, EVLOOP_NONBLOCK);
}

/* ---- words that messages are made of ---- */

static const char *const words[] = { "n1", "", "all", "root", "/tmp/x", "a\nb", "debug", "quiet" };

static uint8_t blob_hash[SHA256_BYTES];
static char blob_text[] = "A=b";

static bool known_number(struct tape *from, const char *field, uint64_t *ret)
{
    if (strstr(field, "id") || strstr(field, "number")) {
        *ret = tape_below(from, 5);
        return true;
    }
    return false;
}

static const char *known_text(struct tape *from, const char *field)
{
    (void)field;
    return tape_below(from, 4) ? NULL : "debug";
}

static void set_blob(struct blob *blob, const void *data, size_t n)
{
    blob->data = xmemdup(data, n);
    blob->n = (uint32_t)n;
}

static bool known_blob(struct tape *from, const char *field, struct blob *ret)
{
    static const uint8_t signature[PRIV_SIGNATURE_N];

    if (strstr(field, "sha256") && tape_below(from, 8))
        set_blob(ret, blob_hash, sizeof(blob_hash));
    else if (strcmp(field, "signature") == 0 && tape_below(from, 8))
        set_blob(ret, signature, sizeof(signature));
    else
        return false;
    return true;
}

/* ---- what a controller says ---- */

static void make_cred(struct tape *from, struct order_launch *order)
{
    AUTO(launch_cred) struct launch_cred cred;
    AUTO(launch_body) struct launch_body body;

    tape_message(from, launch_cred_schema(), &cred, TAPE_DEPTH_MAX);
    launch_body_init(&body);
    cred.job_id = tape_below(from, 4);
    cred.step_id = tape_below(from, 3);
    cred.launch_number = tape_below(from, 3);
    if (tape_below(from, 4) == 1)
        tape_change(from, launch_cred_schema(), &cred);
    if (tape_below(from, 2))
        set_blob(&body.environment_sha256, blob_hash, SHA256_BYTES);
    if (tape_below(from, 2))
        set_blob(&body.script_sha256, blob_hash, SHA256_BYTES);
    blob_hash[0] ^= (uint8_t)(tape_below(from, 8) == 1);
    order->cred = schema_encode_blob(launch_cred_schema(), &cred);
    order->body = schema_encode_blob(launch_body_schema(), &body);
}

static void make_launch(struct tape *from, void *msg)
{
    struct order_launch *order = msg;
    static const uint8_t signature[PRIV_SIGNATURE_N];

    make_cred(from, order);
    set_blob(&order->signature, signature, sizeof(signature));
}

static void make_chunk(struct tape *from, void *msg)
{
    struct blob_chunk *chunk = msg;
    const uint32_t n = sizeof(blob_text) - 1, cut = tape_below(from, 4) ? 0 : 1;

    set_blob(&chunk->sha256, blob_hash, SHA256_BYTES);
    chunk->total = n;
    chunk->offset = cut ? tape_below(from, n) : 0;
    set_blob(&chunk->data, blob_text + chunk->offset, cut ? 1 : n - chunk->offset);
}

static void make_welcome(struct tape *from, void *msg)
{
    struct node_welcome *welcome = msg;

    welcome->incarnation = tape_next(from);
    welcome->key_credential = xstrdup("MUNGE:key:");
}

static void make_end(struct tape *from, void *msg)
{
    struct order_end *order = msg;

    order->job_id = tape_below(from, 4);
    order->step_id = tape_below(from, 2) ? COUNT_UNSET : tape_below(from, 3);
}

static void make_forget(struct tape *from, void *msg)
{
    struct order_forget *order = msg;

    order->job_id = tape_below(from, 4);
    order->step_id = tape_below(from, 3);
    order->launch_number = tape_below(from, 3);
}

static void make_node_act(struct tape *from, void *msg)
{
    struct order_hook *order = msg;
    AUTO(node_cred) struct node_cred cred;
    static const uint8_t signature[PRIV_SIGNATURE_N];

    node_cred_init(&cred);
    tape_message(from, node_cred_schema(), &cred, 0);
    order->cred = schema_encode_blob(node_cred_schema(), &cred);
    set_blob(&order->signature, signature, sizeof(signature));
}

static void make_error(struct tape *from, void *msg)
{
    struct msg_error *error = msg;

    error->code = tape_below(from, 40);
    error->text = xstrdup("no");
}

static const struct double_usual orders[] = {
    { MSG_ORDER_LAUNCH, make_launch },
    { MSG_BLOB_CHUNK, make_chunk },
    { MSG_NODE_WELCOME, make_welcome },
    { MSG_ORDER_END, make_end },
    { MSG_ORDER_FORGET, make_forget },
    { MSG_HOOK_FORGET, make_forget },
    { MSG_ORDER_NODE, make_node_act },
    { MSG_ORDER_PROLOG, make_node_act },
    { MSG_ORDER_EPILOG, make_node_act },
    { MSG_ORDER_SIGNAL, NULL },
    { MSG_ORDER_SAY, NULL },
    { MSG_ERROR, make_error },
    { MSG_STREAM_END, NULL },
    { MSG_HEARTBEAT, NULL },
    { MSG_NODE_LOOK, NULL },
    { MSG_JOB_INFO, NULL },
};

static void say(struct rpc_session *session)
{
    static const uint32_t flags[] = { 0, RPC_REPLY, RPC_REPLY | RPC_MORE, RPC_REPLY | RPC_END,
                                      RPC_REPLY | RPC_ERROR };
    AUTO(strbuf) struct strbuf body = { 0 };
    const uint32_t type = double_speak(&tape, orders, ARRAY_N(orders), &body);
    const uint32_t request =
        tape_below(&tape, 2) ? tape_below(&tape, 3) : 1000 + tape_below(&tape, 9);

    messages_n++;
    double_deliver(session, type, request, flags[tape_below(&tape, ARRAY_N(flags))], body.data,
                   body.len);
}

/* ---- what the monitor says ---- */

static void answer(void)
{
    AUTO(strbuf) struct strbuf bytes = { 0 };
    const uint32_t which = monitor.asked_n ? tape_below(&tape, monitor.asked_n) : 0;
    const struct priv_answer text = { tape_below(&tape, 4) ? 0 : tape_next(&tape) % 40, "text", 4 };
    struct priv_msg msg = { .verb = PRIV_ANSWER };

    if (monitor.asked_n) {
        msg.request = monitor.asked[which];
        monitor.asked[which] = monitor.asked[--monitor.asked_n];
    }
    priv_answer_encode(&text, &bytes);
    msg.bytes = (const uint8_t *)bytes.data;
    msg.bytes_n = (uint32_t)bytes.len;
    push_packet(&msg);
}

static void push_record(uint32_t verb, const struct schema *schema)
{
    AUTO(strbuf) struct strbuf bytes = { 0 };
    AUTO_FREE void *record = xcalloc(1, schema->size);

    tape_message(&tape, schema, record, 0);
    schema_encode(schema, record, &bytes);
    schema_clear(schema, record);
    if (bytes.len > 0 && bytes.len <= PRIV_BYTES_MAX)
        push_packet(&(struct priv_msg){
            .verb = verb, .bytes = (const uint8_t *)bytes.data, .bytes_n = (uint32_t)bytes.len });
}

static void monitor_speaks(void)
{
    static const uint8_t job[4] = { 0, 0, 0, 1 };

    messages_n++;
    switch (tape_below(&tape, 8)) {
    case 0:
        push_record(PRIV_HOOK_REPORT, hook_report_schema());
        break;
    case 1:
    case 2:
        push_record(PRIV_STEP_REPORT, step_report_schema());
        break;
    case 3:
        push_packet(&(struct priv_msg){ .verb = PRIV_JOB_CLEAN, .bytes = job, .bytes_n = 4 });
        break;
    default:
        answer();
        break;
    }
}

/* ---- the story ---- */

static void find_controller(void)
{
    static const struct net_addr where = { 0 };
    struct net_addr one = where;
    const struct net_addrs addrs = { .addrs = &one, .addrs_n = 1 };
    struct err err = { 0 };
    net_resolved_fn *on_resolved = around.on_resolved;
    net_dialed_fn *on_dialed = around.on_dialed;

    err_set(&err, ENOENT, "nowhere");
    around.on_resolved = NULL;
    around.on_dialed = NULL;
    if (on_resolved)
        on_resolved(around.resolve_arg, tape_below(&tape, 8) ? 0 : -ENOENT, &addrs, &err);
    else if (on_dialed && tape_below(&tape, 8))
        on_dialed(around.dial_arg, dup(2), &where, NULL);
    else if (on_dialed)
        on_dialed(around.dial_arg, -1, NULL, &err);
}

static void visit(void)
{
    int pair[2];

    if (double_sessions[DOUBLE_SESSIONS_MAX / 2].is_taken || tape_below(&tape, 4) ||
        socketpair(AF_UNIX, SOCK_STREAM, 0, pair) < 0)
        return;
    around.on_visitor(around.visitor_ctx, pair[0], NULL);
    close(pair[1]);
}

static void change_session(struct rpc_session *session)
{
    const struct rpc_peer peer = { .uid = tape_below(&tape, 16) ? 0 : 1000,
                                   .role =
                                       tape_below(&tape, 4) ? RPC_ROLE_CONTROLLER : RPC_ROLE_CLIENT,
                                   .address = (char *)(uintptr_t) "10.0.0.1" };
    static const uint8_t claim[] = { 1, 2, 3 };

    if (!session->is_taken)
        find_controller();
    else if (!session->is_open && session->options.make_credential && tape_below(&tape, 4) == 1)
        session->options.make_credential(claim, sizeof(claim), (struct rpc_question *)&around,
                                         session->options.ctx);
    else if (!session->is_open)
        double_open_session(session, &peer);
    else if (tape_below(&tape, 8) == 1)
        double_end_session(session, tape_below(&tape, 2) ? E_CLOSED : E_TIMEOUT);
}

static void take_turn(void)
{
    struct rpc_session *session = &double_sessions[tape_below(&tape, 8) ? 0 : tape_below(&tape, 4)];
    const uint32_t what = tape_below(&tape, 32);

    if (what < 18)
        say(session);
    else if (what < 25)
        monitor_speaks();
    else if (what < 27)
        change_session(session);
    else if (what < 28)
        visit();
    else if (what < 29)
        double_let_read(session, tape_below(&tape, 2));
    else if (what < 30)
        double_mono_us += 1000 * (int64_t)tape_next(&tape);
    else
        double_fire_timer(around.base, tape_next(&tape));
    if (!session->is_open)
        change_session(session);
    double_settle_sessions();
    event_base_loop(around.base, EVLOOP_NONBLOCK);
}

/* The agent runs until its story ends. */
int event_base_dispatch(struct event_base *base)
{
    around.base = base;
    for (int i = 0; i < MESSAGES_MAX && !tape_ended(&tape); i++)
        take_turn();
    return 0;
}

static struct log *quiet_log(void)
{
    static struct log *log;

    if (!log)
        log = log_new_daemon("slurmd", LOG_QUIET);
    log_set_stderr(log, false); /* also when a story asks for more */
    return log;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *controllers[] = { (char *)(uintptr_t) "head", (char *)(uintptr_t) "spare" };
    const struct agent_options options = { .cluster = "lab",
                                           .node = "n1",
                                           .host = "n1",
                                           .boot_id = "boot",
                                           .controllers = controllers,
                                           .controllers_n = 2,
                                           .controller_port = 6817,
                                           .port = 6818,
                                           .tmp_fs = "/tmp",
                                           .log = quiet_log() };
    crypt_sha256(blob_text, sizeof(blob_text) - 1, blob_hash);
    tape = (struct tape){ .data = data,
                          .size = size,
                          .words = words,
                          .words_n = ARRAY_N(words),
                          .known_number = known_number,
                          .known_text = known_text,
                          .known_blob = known_blob };
    monitor.has_packet = monitor.is_gone = false;
    monitor.asked_n = 0;
    double_mono_us = INT64_C(1000000000);
    double_wall_ms = INT64_C(1800000000000);
    (void)agent_run(&options, eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    strbuf_clear(&monitor.packet);
    return 0;
}
