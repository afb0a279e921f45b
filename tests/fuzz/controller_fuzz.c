/*
 * Whoever has got through the handshake may say anything, in any order: users, administrators,
 * srun and nodes, to the controller's dispatcher, its handlers and all below. The tape is a story:
 * messages as programs send them, with none or some fields changed; others made of their schemas
 * alone; some with bytes changed; and beside them time that passes, configurations read anew,
 * connections that come, go, and do not read, a store that lags or has no room.
 */
#include "controller_doubles.h"
#include "controller_messages.h"
#include "tape.h"

#include "common/crypt/crypt.h"
#include "ctld/api/api.h"
#include "ctld/config/config.h"
#include "ctld/dispatch/lag.h"
#include "one_file.h"
#include "ctld/control/control.h"
#include "ctld/control/load.h"
#include "ctld/control/node/settings.h"
#include "ctld/control/act/turn.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MESSAGES_MAX 400 /* of one story */
#define SESSIONS_N   11

static const char conf_text[] =
    "ClusterName=lab\nSlurmctldHost=head\nSlurmUser=root\nSchedulerType=sched/backfill\n"
    "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core_Memory\nGresTypes=gpu\n"
    "PriorityType=priority/multifactor\nPriorityWeightAge=10\nPriorityWeightJobSize=10\n"
    "MaxJobCount=60\nMaxArraySize=50\nMinJobAge=2\nSlurmdTimeout=30\nInactiveLimit=30\n"
    "KillWait=5\nMaxJobId=200\nFirstJobId=1\nEnforcePartLimits=ANY\nLicenses=lic:3\n"
    "PrologSlurmctld=/bin/true\nEpilogSlurmctld=/bin/true\nPrologFlags=Alloc\nMailProg=/bin/true\n"
    "RebootProgram=/bin/true\nHealthCheckInterval=5\nHealthCheckProgram=/bin/true\n"
    "NodeName=n[1-2] CPUs=4 RealMemory=1000 Feature=a\n"
    "NodeName=n[3-4] CPUs=8 Sockets=2 CoresPerSocket=2 ThreadsPerCore=2 RealMemory=2000 "
    "Gres=gpu:2 Feature=b,c TmpDisk=10\n"
    "PartitionName=main Nodes=n[1-4] Default=YES MaxTime=INFINITE OverSubscribe=FORCE:2\n"
    "PartitionName=debug Nodes=n[1-2] MaxTime=10 PriorityTier=5 MaxNodes=1\n";

/* Read anew, it is another. */
static const char other_conf_text[] =
    "ClusterName=lab\nSlurmctldHost=head\nSlurmUser=root\nSelectType=select/linear\n"
    "MaxJobCount=60\nMaxArraySize=50\nMinJobAge=2\nSlurmdTimeout=30\nPrivateData=jobs\n"
    "NodeName=n[2-3] CPUs=8 RealMemory=500 Feature=c\nNodeName=n1 CPUs=1\n"
    "PartitionName=main Nodes=n[1-3] Default=YES\n"
    "PartitionName=hidden Nodes=n1 Hidden=YES AllowGroups=physics\n";

static const struct {
    uid_t uid;
    enum rpc_role role;
    const char *node;
} peers[SESSIONS_N] = {
    { 0, RPC_ROLE_NODE, "n1" },    { 0, RPC_ROLE_NODE, "n2" },    { 0, RPC_ROLE_NODE, "n3" },
    { 0, RPC_ROLE_NODE, "n4" },    { 0, RPC_ROLE_CLIENT, NULL },  { 1000, RPC_ROLE_CLIENT, NULL },
    { 1000, RPC_ROLE_SRUN, NULL }, { 1001, RPC_ROLE_SRUN, NULL }, { 1002, RPC_ROLE_CLIENT, NULL },
    { 1003, RPC_ROLE_SRUN, NULL }, { 0, RPC_ROLE_NODE, "n1" },
};

struct story {
    struct tape tape;
    struct ctld ctld;
    struct rpc_session sessions[SESSIONS_N];
    uint32_t request;
    bool has_other_conf;
};

static struct story story;
static unsigned long long messages_n; /* of all stories */

unsigned long long fuzz_count(void);

unsigned long long fuzz_count(void)
{
    return messages_n;
}

static void on_sent(struct rpc_session *session, uint32_t type, const void *body, uint32_t n)
{
    AUTO(order_launch) struct order_launch order = { 0 };
    AUTO(launch_cred) struct launch_cred cred = { 0 };

    (void)session;
    if (type != MSG_ORDER_LAUNCH)
        return;
    FUZZ_CHECK(schema_decode(order_launch_schema(), body, n, &order, NULL) == 0);
    FUZZ_CHECK(schema_decode(launch_cred_schema(), order.cred.data, order.cred.n, &cred, NULL) ==
               0);
    orders_note(&heard, (struct order){ cred.job_id, cred.step_id, cred.launch_number });
}

/* ---- connections ---- */

static void open_session(uint32_t i)
{
    struct rpc_session *session = &story.sessions[i];

    *session = (struct rpc_session){ .is_open = true };
    session->peer = (struct rpc_peer){ .uid = peers[i].uid,
                                       .gid = peers[i].uid,
                                       .role = peers[i].role,
                                       .node = (char *)(uintptr_t)peers[i].node,
                                       .address = (char *)(uintptr_t) "10.0.0.7" };
    conn_accept(&story.ctld, session);
}

static void close_session(struct rpc_session *session, int code)
{
    struct err why = { 0 };

    err_set(&why, code, "closed");
    if (session->is_open)
        session->callbacks.on_closed(session, &why, session->ctx);
}

/* What the loop does between two messages. */
static void settle(void)
{
    for (int again = 1; again > 0; again--) {
        for (uint32_t i = 0; i < SESSIONS_N; i++) {
            if (story.sessions[i].is_closing) {
                close_session(&story.sessions[i], E_CLOSED);
                again = 2;
            }
        }
    }
    event_base_loop(story.ctld.base, EVLOOP_NONBLOCK);
}

static void deliver(uint32_t i, uint32_t type, const void *body, size_t n)
{
    struct rpc_session *session = &story.sessions[i];
    const struct rpc_frame frame = {
        .type = type, .request = ++story.request, .body = body, .body_n = (uint32_t)n
    };

    if (!session->is_open)
        open_session(i);
    if (session->is_paused || session->is_closing)
        return;
    messages_n++;
    session->callbacks.on_frame(session, &frame, session->ctx);
}

static void send_message(uint32_t i, uint32_t type, void *msg)
{
    AUTO(strbuf) struct strbuf body = { 0 };

    schema_encode(msg_schema(type), msg, &body);
    schema_clear(msg_schema(type), msg);
    if (body.len <= RPC_BODY_MAX)
        deliver(i, type, body.data, body.len);
}

static void put_script(uint32_t i)
{
    struct blob_chunk chunk;

    blob_chunk_init(&chunk);
    chunk.sha256 = (struct blob){ xmemdup(double_script_sha256, SHA256_BYTES), SHA256_BYTES };
    chunk.total = double_script.n;
    chunk.data = (struct blob){ xmemdup(double_script.data, double_script.n), double_script.n };
    send_message(i, MSG_BLOB_PUT, &chunk);
}

/* A node speaks for itself, unless it is to be found out what else it may. */
static uint32_t node_session(struct tape *tape, uint32_t type, const void *msg)
{
    if (type == MSG_NODE_REGISTER && ((const struct node_register *)msg)->name)
        return (uint32_t)(((const struct node_register *)msg)->name[1] - '1') % NODES_N;
    return tape_below(tape, NODES_N);
}

static void say_usual(struct tape *tape)
{
    uint32_t i = tape_below(tape, ARRAY_N(usual)), changes = tape_next(tape), from = usual[i].from;
    const struct schema *schema = msg_schema(usual[i].type);
    AUTO_FREE void *msg = xcalloc(1, schema->size);

    schema_init(schema, msg);
    usual[i].make(tape, msg);
    if (from == AS_NODE)
        from = node_session(tape, usual[i].type, msg);
    for (changes = changes < 96 ? 0 : changes % 6; changes > 0; changes--)
        tape_change(tape, schema, msg);
    if (from == AS_USER || from == AS_SRUN) {
        from += tape_below(tape, 8) ? 0 : 1;
        put_script(from);
    }
    send_message(from, usual[i].type, msg);
}

static uint32_t any_session(struct tape *tape)
{
    return tape_below(tape, SESSIONS_N);
}

static void say_anything(struct tape *tape)
{
    uint32_t type = types[tape_below(tape, ARRAY_N(types))], from = any_session(tape);
    const struct schema *schema = msg_schema(type);
    AUTO_FREE void *msg = xcalloc(1, schema->size);

    tape_message(tape, schema, msg, 0);
    send_message(from, type, msg);
}

static void say_bytes(struct tape *tape)
{
    uint32_t type = types[tape_below(tape, ARRAY_N(types))], from = any_session(tape);
    const struct schema *schema = msg_schema(type);
    AUTO_FREE void *msg = xcalloc(1, schema->size);
    AUTO(strbuf) struct strbuf body = { 0 };
    uint32_t cuts = 1 + tape_below(tape, 4);

    tape_message(tape, schema, msg, 0);
    schema_encode(schema, msg, &body);
    schema_clear(schema, msg);
    while (body.len > 0 && cuts-- > 0)
        body.data[(tape_next(tape) | (size_t)tape_next(tape) << 8) % body.len] ^=
            (char)(1 + tape_next(tape));
    if (tape_below(tape, 8) == 0 && body.len > 0)
        body.len = tape_next(tape) % body.len;
    deliver(from, type, body.data, body.len);
}

/* ---- what happens beside ---- */

static void pass_time(struct tape *tape)
{
    static const int64_t steps_ms[] = {
        10, 1000, 3000, 20000, 61000, 3600000, 86400000, 90000000000
    };
    uint32_t i = tape_below(tape, 2 * ARRAY_N(steps_ms));

    if (i == ARRAY_N(steps_ms)) { /* an operator sets the clock */
        double_wall_ms -= 7200000;
    } else {
        i %= ARRAY_N(steps_ms);
        double_mono_us += steps_ms[i] * 1000;
        double_wall_ms += steps_ms[i];
    }
    event_active(story.ctld.timer, EV_TIMEOUT, 0);
}

static void change_connection(struct tape *tape)
{
    struct rpc_session *session = &story.sessions[any_session(tape)];

    switch (tape_below(tape, 6)) {
    case 0:
        close_session(session, E_CLOSED);
        break;
    case 1:
        close_session(session, E_TIMEOUT);
        break;
    case 2:
        session->is_slow = session->is_open;
        break;
    default: /* it reads */
        session->is_slow = false;
        session->backlog = 0;
        if (session->is_open && session->was_above && !session->is_closing) {
            session->was_above = false;
            session->callbacks.on_drained(session, session->ctx);
        }
        break;
    }
}

static void change_store(struct tape *tape)
{
    uint8_t how = tape_next(tape);

    double_store.lags = how & 1;
    double_store.in_trouble = how % 16 == 2;
    if (!double_store.lags)
        double_store.committed = double_store.handed;
    if (how & 4)
        event_active(story.ctld.lag_event, EV_TIMEOUT, 0);
    event_active(story.ctld.store_event, EV_READ, 0);
}

static void end_something(struct tape *tape)
{
    uint8_t how = tape_next(tape);

    double_end_program(how & 1 ? story.ctld.programs : story.ctld.mails, how & 2 ? EIO : 0);
    double_answer_asked(how & 4 || how < 200);
}

static void take_turn(struct tape *tape)
{
    uint32_t what = tape_below(tape, 32);

    if (what < 13)
        say_usual(tape);
    else if (what < 21)
        say_anything(tape);
    else if (what < 24)
        say_bytes(tape);
    else if (what < 26)
        pass_time(tape);
    else if (what < 28)
        change_connection(tape);
    else if (what < 29)
        change_store(tape);
    else
        end_something(tape);
    settle();
}

/* ---- the controller ---- */

static struct slurm_conf *load_conf(bool other)
{
    const char *text = other ? other_conf_text : conf_text;
    struct one_file file = { "slurm.conf", (const uint8_t *)text, strlen(text) };
    struct slurm_conf *conf = NULL;
    struct err err = { 0 };

    if (slurm_conf_load_from("slurm.conf", read_one_file, &file, &conf, NULL, &err) < 0) {
        fprintf(stderr, "%s\n", err.text);
        abort();
    }
    return conf;
}

static void fill_config(const struct ctld *ctld, struct model_config *ret)
{
    config_of_conf(ctld->conf, "head", ret);
}

static int obey(struct ctld *ctld, const struct slurm_conf *conf, struct err *err)
{
    struct model_config config;

    config_of_conf(conf, "head", &config);
    return control_reconfigure(ctld_act(ctld), &config, err);
}

static int obey_conf(struct ctld *ctld, struct err *err)
{
    return obey(ctld, ctld->conf, err);
}

static int reconfigure(struct ctld *ctld, struct err *err)
{
    struct slurm_conf *conf = load_conf(story.has_other_conf = !story.has_other_conf);
    int rc = obey(ctld, conf, err);

    if (rc < 0) {
        slurm_conf_free(conf);
        return rc;
    }
    slurm_conf_free(ctld->conf);
    ctld->conf = conf;
    completion_configure(ctld->completion, conf, ctld->turn_number);
    control_nodes_reconfigure(ctld_act(ctld));
    return 0;
}

static void prepare(void)
{
    static const char script[] = "#!/bin/sh\ntrue\n";

    double_script = (struct blob){ xmemdup(script, sizeof(script) - 1), sizeof(script) - 1 };
    crypt_sha256(script, sizeof(script) - 1, double_script_sha256);
    double_on_sent = on_sent;
}

static void begin(void)
{
    static struct event_base *base;
    static struct log *log;
    static const uint8_t seed[CRYPT_SEED_N] = { 1 };
    struct ctld *ctld = &story.ctld;
    struct model_config config;

    if (!base) {
        prepare();
        base = event_base_new();
        log = log_new_daemon("slurmctld", LOG_QUIET);
        log_set_stderr(log, false); /* also when a story asks for more */
    }
    double_mono_us = INT64_C(1000000000);
    double_wall_ms = INT64_C(1800000000000);
    heard = (struct orders){ 0 };
    *ctld = (struct ctld){ .base = base, .log = log, .store = &double_store };
    cluster_clock_start(&ctld->clock);
    ctld->conf = load_conf(false);
    config_of_conf(ctld->conf, "head", &config);
    FUZZ_CHECK(control_new(&config, &ctld->control, NULL) == 0);
    crypt_sign_key_from_seed(&ctld->key, seed);
    ctld->started = clock_wall_s(&ctld->clock.clock);
    ctld->find_handler = api_find;
    ctld->reconfigure = reconfigure;
    ctld->obey_conf = obey_conf;
    ctld->fill_config = fill_config;
    ctld->programs = programs_new(base, log);
    ctld->mails = programs_new(base, log);
    ctld->stream = turn_stream_new();
    ctld->completion = completion_new(ctld->stream, ctld->programs, log);
    completion_configure(ctld->completion, ctld->conf, 0);
    completion_begin(ctld->completion, 0);
    ctld->event_log = event_log_new(ctld->stream, log);
    turn_init(&ctld->turn);
    meter_init(&ctld->meter, ctld->started);
    ctld_init(ctld);
    control_ready(ctld_act(ctld));
    ctld_end_turn(ctld);
}

static void end(void)
{
    struct ctld *ctld = &story.ctld;

    double_answer_asked(true);
    store_dispatch(ctld->store);
    for (uint32_t i = 0; i < SESSIONS_N; i++)
        close_session(&story.sessions[i], E_CLOSED);
    store_dispatch(ctld->store);
    FUZZ_CHECK(!ctld->conns && !ctld->watches);
    ctld_clear(ctld);
    control_free(ctld->control);
    completion_free(ctld->completion);
    event_log_free(ctld->event_log);
    turn_stream_free(ctld->stream);
    programs_free(ctld->programs);
    programs_free(ctld->mails);
    slurm_conf_free(ctld->conf);
    lag_free(ctld->lag);
    double_store_forget(&double_store);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    story = (struct story){ .tape = { .data = data,
                                      .size = size,
                                      .words = words,
                                      .words_n = ARRAY_N(words),
                                      .known_number = known_number,
                                      .known_text = known_text,
                                      .known_blob = known_blob } };
    begin();
    for (int i = 0; i < MESSAGES_MAX && !tape_ended(&story.tape); i++)
        take_turn(&story.tape);
    end();
    return 0;
}
