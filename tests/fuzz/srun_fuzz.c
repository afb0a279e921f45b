/*
 * srun, behind the handshake: what the controller's stream tells of job and step, and what nodes
 * that have dialled in say, with the step's token or without. The stream, the server's port and the
 * environment are doubles; output goes to a file that takes all.
 */
#include "session_doubles.h"

#include <fcntl.h>

#include "cli/srun/io_inside.h"
#include "cli/srun/request.h"
#include "cli/srun/run_inside.h"
#include "one_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
unsigned long long fuzz_count(void);

#define MESSAGES_MAX 300
#define NODES_N      3 /* of the usual layout; two tasks each */
#define CALLERS_N    5 /* connections at one time */

static struct tape tape;
static unsigned long long messages_n;

unsigned long long fuzz_count(void)
{
    return messages_n;
}

/* ---- what stands around ---- */

static struct {
    struct event_base *base;
    const struct follow_callbacks *follow;
    void *follow_ctx;
    bool is_up, has_left, listens;
    struct io_server *io;
    struct rpc_options options;
    struct rpc_server_callbacks server;
} around;

struct follow *follow_new(struct client *client, const struct follow_request *request,
                          const struct follow_callbacks *callbacks, void *ctx)
{
    (void)client;
    (void)request;
    around.follow = callbacks;
    around.follow_ctx = ctx;
    around.is_up = true;
    return (struct follow *)&around;
}

struct follow *follow_free(struct follow *follow)
{
    (void)follow;
    around.follow = NULL;
    return NULL;
}

bool follow_is_up(const struct follow *follow)
{
    (void)follow;
    return around.is_up;
}

struct killer *killer_new(struct client *client)
{
    return (struct killer *)client;
}

struct killer *killer_free(struct killer *killer)
{
    (void)killer;
    return NULL;
}

void killer_send(struct killer *killer, const struct job_signal *request)
{
    AUTO(strbuf) struct strbuf bytes = { 0 };

    (void)killer;
    schema_encode(job_signal_schema(), request, &bytes);
}

void killer_try_again(struct killer *killer)
{
    (void)killer;
}

struct event_base *client_base(struct client *client)
{
    (void)client;
    return around.base;
}

struct rpc_session *client_session(struct client *client)
{
    (void)client;
    return NULL;
}

void command_report(const struct command *command, const char *what, const struct err *err)
{
    (void)command;
    (void)what;
    FUZZ_CHECK(err->code != 0);
}

void command_say(const struct command *command, const char *text)
{
    (void)command;
    FUZZ_CHECK(text);
}

int command_exit_error(void)
{
    return 1;
}

int command_exit_immediate(void)
{
    return 1;
}

int srun_make_environment(const struct submit_options *options, const struct slurm_conf *conf,
                          bool in_job, uint16_t port, const struct step_spec *step,
                          struct strbuf *ret, struct err *err)
{
    (void)options;
    (void)conf;
    (void)in_job;
    (void)port;
    (void)step;
    (void)err;
    strbuf_adds(ret, "A=b");
    return 0;
}

void srun_fill_addresses(struct step_spec *step, const struct io_server *io)
{
    (void)step;
    (void)io;
}

void srun_add_controllers_address(struct step_spec *step, const struct io_server *io,
                                  const struct rpc_session *session)
{
    (void)step;
    (void)io;
    (void)session;
}

int net_listen_tcp(const char *host, uint16_t port, int *ret_fd, uint16_t *ret_port,
                   struct err *err)
{
    (void)host;
    (void)port;
    (void)err;
    *ret_fd = dup(2);
    *ret_port = 60001;
    return 0;
}

int net_listen_abstract(const char *name, int *ret_fd, struct err *err)
{
    (void)name;
    *ret_fd = -1;
    return err_set(err, EADDRINUSE, "none");
}

struct rpc_server *rpc_server_new(struct event_base *base, const struct rpc_options *options,
                                  uint32_t handshakes_max,
                                  const struct rpc_server_callbacks *callbacks, void *ctx)
{
    (void)base;
    (void)handshakes_max;
    around.options = *options;
    around.server = *callbacks;
    around.io = ctx;
    around.listens = false;
    return (struct rpc_server *)&around;
}

void rpc_server_listen(struct rpc_server *server, int fd)
{
    (void)server;
    (void)fd;
    around.listens = true;
}

struct rpc_server *rpc_server_free(struct rpc_server *server)
{
    (void)server;
    return NULL;
}

int event_base_loopbreak(struct event_base *base)
{
    (void)base;
    around.has_left = true;
    return 0;
}

/* ---- words that messages are made of ---- */

static const char *const words[] = { "n1",   "n2",      "n3", "", "launch failed: no",
                                     "a\nb", "\033[1m", "%s" };

static bool known_number(struct tape *from, const char *field, uint64_t *ret)
{
    static const char *const names[] = { "task", "tasks", "node_index", "nodes", "kind", "stream" };

    for (size_t i = 0; i < ARRAY_N(names); i++) {
        if (strcmp(field, names[i]) != 0)
            continue;
        *ret = tape_below(from, 2 * NODES_N + 1);
        return true;
    }
    return false;
}

static const char *known_text(struct tape *from, const char *field)
{
    return strcmp(field, "node") == 0 ? words[tape_below(from, NODES_N)] : NULL;
}

static bool known_blob(struct tape *from, const char *field, struct blob *ret)
{
    if (strcmp(field, "token") != 0 || tape_below(from, 8) == 1)
        return false;
    *ret = (struct blob){ xmemdup(io_server_token(around.io), IO_TOKEN_BYTES), IO_TOKEN_BYTES };
    return true;
}

/* ---- what the controller tells ---- */

static void fill_layout(struct step_record *step)
{
    step->job_id = 7;
    step->ntasks = 2 * NODES_N;
    step->nodes = xcalloc(NODES_N, sizeof(*step->nodes));
    step->nodes_n = NODES_N;
    for (uint32_t i = 0; i < NODES_N; i++) {
        struct step_node *node = &step->nodes[i];

        step_node_init(node);
        node->name = xstrdup(words[i]);
        node->tasks_n = 2;
        node->tasks = xcalloc(2, sizeof(uint32_t));
        node->tasks[0] = 2 * i;
        node->tasks[1] = 2 * i + 1;
    }
}

static void controller_tells_step(void)
{
    AUTO(step_event) struct step_event event;
    const uint32_t how = tape_below(&tape, 8);

    step_event_init(&event);
    if (how < 5) {
        event.kind = tape_below(&tape, 7);
        event.step = xcalloc(1, sizeof(*event.step));
        step_record_init(event.step);
        fill_layout(event.step);
        event.node = xstrdup(words[tape_below(&tape, ARRAY_N(words))]);
        event.text = xstrdup(words[tape_below(&tape, ARRAY_N(words))]);
    } else {
        tape_message(&tape, step_event_schema(), &event, 0);
    }
    if (how == 4)
        tape_change(&tape, step_event_schema(), &event);
    around.follow->on_step(&event, around.follow_ctx);
}

static void controller_tells_job(void)
{
    AUTO(job_event) struct job_event event;

    job_event_init(&event);
    tape_message(&tape, job_event_schema(), &event, 0);
    if (tape_below(&tape, 4))
        event.kind = tape_below(&tape, 3);
    around.follow->on_job(&event, around.follow_ctx);
}

static void controller_goes(void)
{
    struct err why = { 0 };

    err_set(&why, tape_below(&tape, 2) ? E_CLOSED : E_JOB_ID, "gone");
    around.is_up = !around.is_up;
    if (around.is_up)
        around.follow->on_back(around.follow_ctx);
    else
        around.follow->on_lost(&why, around.follow_ctx);
    if (tape_below(&tape, 64) == 1)
        around.follow->on_over(tape_below(&tape, 2) ? &why : NULL, around.follow_ctx);
}

static void controller_tells(void)
{
    messages_n++;
    switch (tape_below(&tape, 8)) {
    case 0:
        controller_goes();
        break;
    case 1:
    case 2:
        controller_tells_job();
        break;
    default:
        controller_tells_step();
        break;
    }
}

/* ---- what nodes say ---- */

static void make_hello(struct tape *from, void *msg)
{
    struct io_hello *hello = msg;

    hello->job_id = 7;
    hello->node_index = tape_below(from, NODES_N);
    hello->node = xstrdup(words[hello->node_index]);
    hello->token =
        (struct blob){ xmemdup(io_server_token(around.io), IO_TOKEN_BYTES), IO_TOKEN_BYTES };
}

static void make_data(struct tape *from, void *msg)
{
    struct io_data *data = msg;

    data->task = tape_below(from, 2 * NODES_N);
    data->stream = 1 + tape_below(from, 2);
    data->data.n = tape_below(from, 32) ? tape_next(from) : 60000;
    data->data.data = xcalloc(data->data.n, 1);
    if (data->data.n)
        memset(data->data.data, tape_below(from, 2) ? '\n' : 'x', data->data.n / 2);
}

static void make_exit(struct tape *from, void *msg)
{
    struct io_task_exit *exit = msg;

    exit->task = tape_below(from, 2 * NODES_N);
    exit->status = tape_below(from, 4) ? 0 : tape_next(from) << tape_below(from, 9);
    exit->in_mpi = tape_below(from, 8) == 1;
}

static void make_credit(struct tape *from, void *msg)
{
    ((struct io_credit *)msg)->bytes = tape_next(from);
}

static void make_relay(struct tape *from, void *msg)
{
    struct io_relay *relay = msg;

    relay->number = tape_below(from, 9);
    relay->nodes_n = 1 + tape_below(from, 2);
    relay->nodes = xcalloc(relay->nodes_n, sizeof(uint32_t));
    relay->nodes[0] = tape_below(from, NODES_N + 1);
    relay->data.n = tape_next(from);
    relay->data.data = xcalloc(relay->data.n, 1);
}

static const struct double_usual said[] = {
    { MSG_IO_HELLO, make_hello },    { MSG_IO_DATA, make_data },  { MSG_IO_DATA, make_data },
    { MSG_IO_TASK_EXIT, make_exit }, { MSG_IO_TASK_START, NULL }, { MSG_IO_CREDIT, make_credit },
    { MSG_IO_RELAY, make_relay },    { MSG_IO_RELAYED, NULL },    { MSG_IO_ABORT, NULL },
    { MSG_IO_SIGNAL, NULL },         { MSG_HEARTBEAT, NULL },
};

static void say(struct rpc_session *session, const struct double_usual *rows, uint32_t rows_n)
{
    AUTO(strbuf) struct strbuf bytes = { 0 };
    const uint32_t type = double_speak(&tape, rows, rows_n, &bytes);

    messages_n++;
    double_deliver(session, type, 0, 0, bytes.data, bytes.len);
}

static void on_early_close(struct rpc_session *session, const struct err *why, void *ctx)
{
    (void)why;
    (void)ctx;
    rpc_session_free(session);
}

/* Who dials has shaken hands, and said who it is; others are refused before. */
static void dial(void)
{
    static const struct rpc_callbacks callbacks = { .on_closed = on_early_close };
    const struct rpc_peer peer = { .uid = getuid(),
                                   .role = RPC_ROLE_STEP,
                                   .address = (char *)(uintptr_t) "10.0.0.1" };
    struct rpc_session *session;

    if (!around.listens || double_sessions[CALLERS_N - 1].is_taken)
        return;
    session = rpc_session_new(around.base, dup(2), false, &around.options, &callbacks, NULL);
    double_open_session(session, &peer);
    around.server.on_session(session, around.io);
    if (tape_below(&tape, 8))
        say(session, said, 1);
}

static void refuse_somebody(void)
{
    const struct rpc_peer peer = { .uid = getuid() + 1, .role = tape_below(&tape, 8) };
    struct err why = { 0 };

    FUZZ_CHECK(!around.options.accept_peer(&peer, around.options.ctx, &why));
    around.server.on_refused(&why, around.io);
}

/* ---- the story ---- */

static void take_turn(void)
{
    struct rpc_session *session = &double_sessions[tape_below(&tape, CALLERS_N)];
    const uint32_t what = tape_below(&tape, 32);

    if (what < 19)
        say(session, said, ARRAY_N(said));
    else if (what < 24)
        controller_tells();
    else if (what < 26)
        dial();
    else if (what < 27)
        double_let_read(session, tape_below(&tape, 2));
    else if (what < 28 && tape_below(&tape, 4) == 1)
        double_end_session(session, tape_below(&tape, 2) ? E_CLOSED : E_TIMEOUT);
    else if (what < 29)
        refuse_somebody();
    else if (what < 30)
        double_mono_us += INT64_C(100000) * tape_next(&tape);
    else if (what < 31 && tape_below(&tape, 8) == 1)
        double_fire_timer(around.base, tape_next(&tape));
    if (!session->is_taken)
        dial();
    double_settle_sessions();
    event_base_loop(around.base, EVLOOP_NONBLOCK);
    double_settle_sessions();
}

int event_base_dispatch(struct event_base *base)
{
    AUTO(step_event) struct step_event created;

    (void)base;
    around.has_left = false;
    step_event_init(&created);
    if (tape_below(&tape, 8)) {
        created.kind = STEP_EVENT_CREATED;
        created.step = xcalloc(1, sizeof(*created.step));
        step_record_init(created.step);
        fill_layout(created.step);
        around.follow->on_step(&created, around.follow_ctx);
    }
    for (int i = 0; i < MESSAGES_MAX && !tape_ended(&tape) && !around.has_left; i++)
        take_turn();
    return 0;
}

static struct slurm_conf *load_conf(void)
{
    static const char text[] = "ClusterName=lab\nSlurmctldHost=head\nSlurmUser=root\nKillWait=5\n"
                               "NodeName=n[1-3] CPUs=2\nPartitionName=main Nodes=n[1-3]\n";
    struct one_file file = { "slurm.conf", (const uint8_t *)text, sizeof(text) - 1 };
    struct slurm_conf *conf = NULL;

    FUZZ_CHECK(slurm_conf_load_from("slurm.conf", read_one_file, &file, &conf, NULL, NULL) == 0);
    return conf;
}

static void run_story(struct command *command)
{
    char *argv[] = { (char *)(uintptr_t) "true" };
    struct step_spec step;
    struct job_spec job;
    struct submit_options options = { .immediate_s = COUNT_UNSET };
    struct stream_plans plans = {
        .out = { .srun_path = (char *)(uintptr_t) "/dev/null", .only_task = COUNT_UNSET },
        .err = { .srun_path = (char *)(uintptr_t) "/dev/null", .only_task = COUNT_UNSET }
    };
    const bool in_job = tape_below(&tape, 2);
    struct run *run;
    const struct run_request request = { .command = command,
                                         .options = &options,
                                         .plans = &plans,
                                         .job = in_job ? NULL : &job,
                                         .step = &step,
                                         .job_id = in_job ? 7 : 0 };

    step_spec_init(&step);
    job_spec_init(&job);
    step.argv = argv;
    step.argv_n = 1;
    step.stdin_task = tape_below(&tape, 2) ? COUNT_UNSET : 0;
    step.kill_on_bad_exit = tape_below(&tape, 2);
    step.wait_s = tape_below(&tape, 2);
    options.label = tape_below(&tape, 2);
    options.debugger_test = tape_below(&tape, 2);
    plans.no_input = tape_below(&tape, 2);
    plans.in.srun_path = (char *)(uintptr_t) "/bin/true";
    FUZZ_CHECK(run_new(&request, &run, NULL) == 0);
    (void)run_step(run);
    free(step.io_token.data);
    free(step.environment_sha256.data);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct command command;

    if (!around.base) {
        around.base = event_base_new();
        command.log = log_new_daemon("srun", LOG_QUIET);
        log_set_stderr(command.log, false);
        command.cli.conf = load_conf();
    }
    tape = (struct tape){ .data = data,
                          .size = size,
                          .words = words,
                          .words_n = ARRAY_N(words),
                          .known_number = known_number,
                          .known_text = known_text,
                          .known_blob = known_blob };
    double_mono_us = INT64_C(1000000000);
    run_story(&command);
    for (uint32_t i = 0; i < DOUBLE_SESSIONS_MAX; i++)
        FUZZ_CHECK(!double_sessions[i].is_taken);
    return 0;
}
