/*
 * A step, behind the handshake. Its user side: what srun says by the connection that the step has
 * dialled, and who came by SlurmdPort to look or attach. Its root parent: what the user side says,
 * all of it hostile, and what callers of the control socket do. Dialling, the gate and cgroups are
 * doubles; tasks are pipes that print, read, and end.
 */
#include "session_doubles.h"

#include <fcntl.h>
#include <sys/socket.h>

#include "common/msg/visit.h"
#include "noded/cgroup/cgroup.h"
#include "noded/stdio/dialer.h"
#include "noded/stdio/srun_link.h"
#include "noded/stdio/visitors.h"
#include "noded/stepd/parent_inside.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
unsigned long long fuzz_count(void);

#define MESSAGES_MAX 300
#define TASKS_N      2
#define VISITORS_N   6

static struct tape tape;
static unsigned long long messages_n;

unsigned long long fuzz_count(void)
{
    return messages_n;
}

/* ---- what stands around the user side ---- */

static struct {
    dialer_connected_fn *connected;
    dialer_failed_fn *failed;
    void *ctx;
    bool is_dialling;
    struct err why;
    struct net_gate_callbacks gate;
    void *gate_ctx;
} around;

struct dialer *dialer_new(struct event_base *base, char *const *addresses, uint32_t addresses_n,
                          const char *controller, dialer_connected_fn *connected,
                          dialer_failed_fn *failed, void *ctx)
{
    (void)base;
    (void)addresses;
    (void)addresses_n;
    (void)controller;
    around.connected = connected;
    around.failed = failed;
    around.ctx = ctx;
    return (struct dialer *)&around;
}

struct dialer *dialer_free(struct dialer *dialer)
{
    (void)dialer;
    around.is_dialling = false;
    return NULL;
}

void dialer_start(struct dialer *dialer)
{
    (void)dialer;
    FUZZ_CHECK(!around.is_dialling);
    around.is_dialling = true;
}

const struct err *dialer_why(const struct dialer *dialer)
{
    (void)dialer;
    return &around.why;
}

struct net_gate *net_gate_new(struct event_base *base, uint32_t guests_max,
                              const struct net_gate_callbacks *callbacks, void *ctx)
{
    (void)base;
    (void)guests_max;
    around.gate = *callbacks;
    around.gate_ctx = ctx;
    return NULL;
}

struct net_gate *net_gate_free(struct net_gate *gate)
{
    return gate;
}

bool net_gate_enter(struct net_gate *gate, int fd)
{
    (void)gate;
    (void)fd;
    return false;
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

/* ---- what stands around root ---- */

int cgroup_signal(const struct cgroup *group, int number, pid_t except)
{
    (void)group;
    (void)except;
    FUZZ_CHECK(number > 0 && number < NSIG);
    return 0;
}

void cgroup_freeze(const struct cgroup *group, bool frozen, pid_t except)
{
    (void)group;
    (void)frozen;
    (void)except;
}

int cgroup_kill(const struct cgroup *group, pid_t except)
{
    (void)group;
    (void)except;
    return tape_next(&tape) % 2;
}

int cgroup_members(const struct cgroup *group, pid_t **ret_pids)
{
    (void)group;
    *ret_pids = NULL;
    return 0;
}

uint64_t cgroup_task_memory_kb(const struct cgroup *group, uint32_t task)
{
    (void)group;
    return task;
}

struct cgroup_usage cgroup_usage(const struct cgroup *group)
{
    (void)group;
    return (struct cgroup_usage){ .memory_kb = (uint64_t)tape_next(&tape) << 10,
                                  .oom_kills = tape_next(&tape) > 250 };
}

/* ---- the step ---- */

static char io_token[16] = "0123456789abcdef", node_name[] = "n1";
static uint32_t numbers[TASKS_N] = { 2, 3 };
static struct step_node nodes[] = { { .name = node_name, .tasks = numbers, .tasks_n = TASKS_N } };

static struct {
    struct event_base *base;
    struct srun_link *srun;
    struct visitors *visitors;
    int output[TASKS_N], input[TASKS_N]; /* the tasks' ends of their pipes; -1: closed */
    bool has_ended[TASKS_N];
    bool is_started, is_finishing, is_done;

    struct parent parent;
    struct log *log;
    int child_fd, caller_fd;
} step;

static void on_connected(void *ctx, const char *host, uint16_t port)
{
    const uint32_t pids[TASKS_N] = { 100, 101 };

    (void)ctx;
    (void)port;
    FUZZ_CHECK(host && !step.is_started);
    step.is_started = true;
    srun_link_tasks_started(step.srun, pids);
}

static void on_failed(void *ctx, const struct err *why)
{
    (void)ctx;
    FUZZ_CHECK(why->code != 0);
}

static void on_signal(void *ctx, int number)
{
    (void)ctx;
    (void)number;
}

static void on_window(void *ctx, uint32_t rows, uint32_t columns)
{
    (void)ctx;
    (void)rows;
    (void)columns;
}

static void on_output(void *ctx, uint32_t task, uint32_t stream, const void *data, uint32_t n)
{
    (void)ctx;
    visitors_output(step.visitors, task, stream, data, n);
}

static void on_guest_room(void *ctx)
{
    (void)ctx;
    visitors_go_on(step.visitors);
}

static void on_relay(void *ctx, uint32_t from, const void *bytes, size_t n)
{
    (void)ctx;
    (void)from;
    FUZZ_CHECK(n == 0 || bytes);
}

static void on_done(void *ctx)
{
    (void)ctx;
    step.is_done = true;
}

static void on_look(void *ctx, struct step_sight *ret)
{
    (void)ctx;
    ret->job_id = 1;
    ret->node = xstrdup(node_name);
}

static int on_input(void *ctx, uint32_t task, const void *data, uint32_t n, struct err *err)
{
    (void)ctx;
    return srun_link_guest_input(step.srun, task, data, n, err);
}

static const struct launch_body body = {
    .job_id = 1,
    .io_token = { (uint8_t *)io_token, sizeof(io_token) },
    .nodes = nodes,
    .nodes_n = 1,
};

static void open_pipes(uint32_t local)
{
    int out[2], in[2];

    FUZZ_CHECK(pipe2(out, O_NONBLOCK | O_CLOEXEC) == 0 && pipe2(in, O_NONBLOCK | O_CLOEXEC) == 0);
    step.output[local] = out[1];
    step.input[local] = in[0];
    srun_link_add_output(step.srun, numbers[local], IO_STDOUT, out[0]);
    srun_link_add_input(step.srun, local, in[1], false);
}

static void begin_user(void)
{
    static const struct srun_link_callbacks srun_callbacks = {
        on_connected, on_failed, on_signal, on_window, on_output, on_guest_room, on_relay, on_done
    };
    static const struct visitors_callbacks visitors_callbacks = { on_look, on_input };
    const struct srun_link_options srun_options = { .cluster = "lab",
                                                    .body = &body,
                                                    .controller = "" };
    const struct visitors_options visitors_options = { .cluster = "lab" };

    step.srun = srun_link_new(step.base, &srun_options, &srun_callbacks, NULL);
    step.visitors = visitors_new(step.base, &visitors_options, &visitors_callbacks, NULL);
    for (uint32_t i = 0; i < TASKS_N; i++)
        open_pipes(i);
}

/* ---- root's side ---- */

static const struct launch_cred cred = { .job_id = 1,
                                         .tasks_n = TASKS_N,
                                         .memory = 100,
                                         .kill_wait_s = 5,
                                         .node = node_name,
                                         .oom_kill_step = true };
static const struct bounds bounds = { .over_memory_kill = true };
static const struct stepd_launch launch = { .cred = &cred, .bounds = &bounds, .listen_fd = -1 };

static int open_pair(int *ret_other)
{
    int pair[2];

    FUZZ_CHECK(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, pair) == 0);
    *ret_other = pair[1];
    return pair[0];
}

static void begin_parent(void)
{
    step.parent = (struct parent){ .launch = &launch,
                                   .log = step.log,
                                   .title = "1.0",
                                   .child_gone = true, /* nobody whom it could kill */
                                   .signal_fd = -1 };
    step_report_init(&step.parent.report);
    step.parent.report.state = HELD_STARTING;
    step.parent.pair_fd = open_pair(&step.child_fd);
    step.parent.callers[0] = priv_channel_new(open_pair(&step.caller_fd));
}

/* What was told of tasks is of no more than there are. */
static void check_report(void)
{
    FUZZ_CHECK(step.parent.report.exits_n <= TASKS_N && step.parent.report.usage_n <= TASKS_N);
}

static void end_parent(void)
{
    account_finish(&step.parent.account, NULL, &step.parent.report);
    step_report_clear(&step.parent.report);
    for (uint32_t i = 0; i < CALLERS_MAX; i++)
        priv_channel_free(step.parent.callers[i]);
    if (step.parent.pair_fd >= 0)
        close(step.parent.pair_fd);
    close(step.child_fd);
    close(step.caller_fd);
}

static void take_bytes(void *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        ((uint8_t *)bytes)[i] = tape_next(&tape);
}

static void child_speaks(void)
{
    struct frame frame = { .kind = tape_below(&tape, FRAME_KINDS_N + 1),
                           .task = tape_below(&tape, 4),
                           .number = tape_next(&tape),
                           .code = (int32_t)tape_number(&tape) };
    size_t n = sizeof(frame);

    if (tape_below(&tape, 4) == 1)
        take_bytes(&frame.usage, sizeof(frame.usage));
    else
        frame.usage.task = tape_below(&tape, 4);
    if (tape_below(&tape, 2))
        memset(frame.text, tape_next(&tape), sizeof(frame.text)); /* without an end */
    if (tape_below(&tape, 64) == 1)
        n = tape_next(&tape);
    if (step.parent.pair_fd < 0)
        return;
    messages_n++;
    (void)!send(step.child_fd, &frame, n, MSG_NOSIGNAL | MSG_DONTWAIT);
    parent_on_pair(&step.parent);
}

static void encode_verb(uint32_t verb, struct strbuf *bytes)
{
    const struct priv_signal number = { 1, 0, tape_next(&tape), tape_next(&tape) };
    const struct priv_end end = { 1, 0, tape_next(&tape) % 3, tape_next(&tape), "why" };
    const struct priv_say words = { 1, 0, "be quick" };
    const struct priv_connect connect = { 1, 0 };

    if (verb == PRIV_SIGNAL)
        priv_signal_encode(&number, bytes);
    else if (verb == PRIV_END)
        priv_end_encode(&end, bytes);
    else if (verb == PRIV_SAY)
        priv_say_encode(&words, bytes);
    else if (verb == PRIV_CONNECT)
        priv_connect_encode(&connect, bytes);
}

static void caller_speaks(void)
{
    static const uint32_t verbs[] = { PRIV_SIGNAL, PRIV_END, PRIV_SAY, PRIV_CONNECT, PRIV_LOG };
    AUTO(strbuf) struct strbuf bytes = { 0 }, packet = { 0 };
    const uint32_t verb = verbs[tape_below(&tape, ARRAY_N(verbs))];
    struct priv_msg msg = { .verb = verb };
    AUTO_CLOSE int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    struct priv_channel *channel;

    encode_verb(verb, &bytes);
    msg.bytes = (const uint8_t *)bytes.data;
    msg.bytes_n = (uint32_t)bytes.len;
    if (!step.parent.callers[0]) {
        close(step.caller_fd);
        step.parent.callers[0] = priv_channel_new(open_pair(&step.caller_fd));
    }
    messages_n++;
    if (tape_below(&tape, 16) == 1) {
        priv_encode(&msg, &packet);
        double_spoil(&tape, &packet);
        (void)!send(step.caller_fd, packet.data, packet.len, MSG_NOSIGNAL | MSG_DONTWAIT);
    } else {
        msg.fds_n = verb == PRIV_CONNECT || verb == PRIV_LOG;
        msg.fds[0] = null;
        channel = priv_channel_new(dup(step.caller_fd));
        (void)priv_send(channel, &msg, NULL);
        priv_channel_free(channel);
    }
    parent_on_caller(&step.parent, &step.parent.callers[0]);
}

static void drain(int fd)
{
    char bytes[4096];

    while (recv(fd, bytes, sizeof(bytes), MSG_DONTWAIT) > 0)
        ;
}

static void root_turn(void)
{
    if (tape_below(&tape, 4))
        child_speaks();
    else
        caller_speaks();
    if (step.parent.kill_at_ms && clock_mono_ms() >= step.parent.kill_at_ms)
        parent_start_killing(&step.parent);
    if (step.parent.killing && tape_below(&tape, 8) == 1)
        parent_kill_round(&step.parent);
    if (step.parent.killing && tape_below(&tape, 16) == 1) { /* else the rest is all the same */
        end_parent();
        begin_parent();
    }
    drain(step.child_fd);
    drain(step.caller_fd);
    check_report();
}

/* ---- what srun and visitors say ---- */

static void make_data(struct tape *from, void *msg)
{
    struct io_data *data = msg;

    data->task = tape_below(from, 4) ? numbers[tape_below(from, TASKS_N)] : COUNT_UNSET;
    data->data.n = tape_below(from, 16) ? tape_next(from) : 60000;
    data->data.data = xcalloc(data->data.n, 1);
}

static void make_credit(struct tape *from, void *msg)
{
    struct io_credit *credit = msg;

    credit->bytes = tape_below(from, 3) ? tape_next(from) : 0;
    credit->total = tape_below(from, 3) ? 0 : tape_next(from);
}

static void make_relay(struct tape *from, void *msg)
{
    struct io_relay *relay = msg;

    relay->number = tape_below(from, 9);
    relay->data.n = tape_next(from);
    relay->data.data = xcalloc(relay->data.n, 1);
}

static const struct double_usual said[] = {
    { MSG_IO_DATA, make_data },     { MSG_IO_DATA, make_data }, { MSG_IO_CREDIT, make_credit },
    { MSG_IO_CREDIT, make_credit }, { MSG_IO_SIGNAL, NULL },    { MSG_IO_WINDOW, NULL },
    { MSG_IO_RELAY, make_relay },   { MSG_IO_RELAYED, NULL },   { MSG_STEP_LOOK, NULL },
    { MSG_STEP_ATTACH, NULL },      { MSG_IO_HELLO, NULL },     { MSG_HEARTBEAT, NULL },
};

static struct rpc_session *any_session(void)
{
    return &double_sessions[tape_below(&tape, 2) ? 0 : tape_below(&tape, VISITORS_N)];
}

static void say(void)
{
    AUTO(strbuf) struct strbuf bytes = { 0 };
    const uint32_t type = double_speak(&tape, said, ARRAY_N(said), &bytes);

    messages_n++;
    double_deliver(any_session(), type, tape_below(&tape, 4), 0, bytes.data, bytes.len);
}

static void dial(void)
{
    static const struct net_addr where = { 0 };

    if (!around.is_dialling)
        return;
    around.is_dialling = false;
    err_set(&around.why, tape_below(&tape, 2) ? ECONNREFUSED : ETIMEDOUT, "nobody");
    if (tape_below(&tape, 4) && !double_sessions[VISITORS_N].is_taken) {
        around.why = (struct err){ 0 };
        around.connected(around.ctx, dup(2), &where);
    } else {
        around.is_dialling = true;
        around.failed(around.ctx);
    }
}

static void visit(void)
{
    int pair[2];

    if (double_sessions[VISITORS_N].is_taken || step.is_done ||
        socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0)
        return;
    around.gate.on_guest(NULL, pair[0], around.gate_ctx);
    close(pair[1]);
}

static void change_session(struct rpc_session *session)
{
    const struct rpc_peer peer = { .uid = tape_below(&tape, 8) ? getuid() : 1001,
                                   .role = session->options.role == RPC_ROLE_STEP &&
                                                   tape_below(&tape, 2)
                                               ? RPC_ROLE_SRUN
                                               : RPC_ROLE_CLIENT,
                                   .address = (char *)(uintptr_t) "10.0.0.1" };

    if (!session->is_taken)
        return;
    if (!session->is_open)
        double_open_session(session, &peer);
    else if (tape_below(&tape, 4) == 1)
        double_end_session(session, tape_below(&tape, 2) ? E_CLOSED : E_TIMEOUT);
}

/* ---- what tasks do ---- */

static void close_end(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

static void end_task(uint32_t local)
{
    if (!step.is_started || step.has_ended[local])
        return;
    step.has_ended[local] = true;
    close_end(&step.output[local]);
    close_end(&step.input[local]);
    srun_link_task_exited(step.srun, local, tape_next(&tape), false);
    visitors_task_exited(step.visitors, numbers[local], 0);
}

static void on_nobody(void *ctx)
{
    (void)ctx;
}

static void finish(void)
{
    if (!step.has_ended[0] || !step.has_ended[1] || step.is_finishing)
        return;
    step.is_finishing = true;
    srun_link_finish(step.srun);
    if (tape_below(&tape, 2))
        visitors_finish(step.visitors, on_nobody, NULL);
}

static void task_turn(void)
{
    const uint32_t local = tape_below(&tape, TASKS_N), n = tape_next(&tape);
    char bytes[4096] = { 0 };

    switch (tape_below(&tape, 8)) {
    case 0:
        end_task(local);
        finish();
        break;
    case 1:
        srun_link_say(step.srun, "words\n");
        break;
    case 2:
        srun_link_hurry(step.srun);
        break;
    case 3:
        if (step.input[local] >= 0)
            (void)!read(step.input[local], bytes, sizeof(bytes));
        break;
    case 4:
        srun_link_abort(step.srun, "why");
        break;
    default:
        if (step.output[local] >= 0)
            (void)!write(step.output[local], bytes, n * 16);
        break;
    }
}

/* ---- the story ---- */

static void take_turn(void)
{
    const uint32_t what = tape_below(&tape, 32);

    if (what < 14)
        say();
    else if (what < 22)
        root_turn();
    else if (what < 25)
        task_turn();
    else if (what < 27)
        change_session(any_session());
    else if (what < 28)
        visit();
    else if (what < 29)
        dial();
    else if (what < 30)
        double_let_read(any_session(), tape_below(&tape, 2));
    else if (what < 31)
        double_mono_us += INT64_C(100000) * tape_next(&tape);
    else
        double_fire_timer(step.base, tape_next(&tape));
    if (!double_sessions[0].is_taken)
        dial();
    else if (!double_sessions[0].is_open)
        change_session(&double_sessions[0]);
    double_settle_sessions();
    event_base_loop(step.base, EVLOOP_NONBLOCK);
    double_settle_sessions();
}

static const char *const words[] = { "n1", "", "all", "a\nb" };

static bool known_number(struct tape *from, const char *field, uint64_t *ret)
{
    if (strcmp(field, "task") != 0 && strcmp(field, "nodes") != 0)
        return false;
    *ret = tape_below(from, 5);
    return true;
}

static const char *known_text(struct tape *from, const char *field)
{
    (void)from;
    (void)field;
    return NULL;
}

static bool known_blob(struct tape *from, const char *field, struct blob *ret)
{
    (void)from;
    (void)field;
    (void)ret;
    return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!step.base) {
        step.base = event_base_new();
        step.log = log_new_daemon("slurmstepd", LOG_QUIET);
        log_set_stderr(step.log, false);
        (void)signal(SIGPIPE, SIG_IGN);
    }
    tape = (struct tape){ .data = data,
                          .size = size,
                          .words = words,
                          .words_n = ARRAY_N(words),
                          .known_number = known_number,
                          .known_text = known_text,
                          .known_blob = known_blob };
    double_mono_us = INT64_C(1000000000);
    step.is_started = step.is_finishing = step.is_done = false;
    step.has_ended[0] = step.has_ended[1] = false;
    around.is_dialling = false;
    begin_user();
    begin_parent();
    for (int i = 0; i < MESSAGES_MAX && !tape_ended(&tape) && !step.is_done; i++)
        take_turn();
    for (uint32_t i = 0; i < TASKS_N; i++) {
        close_end(&step.output[i]);
        close_end(&step.input[i]);
    }
    srun_link_free(step.srun);
    visitors_free(step.visitors);
    end_parent();
    return 0;
}
