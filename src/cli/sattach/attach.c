#include "cli/sattach/attach.h"

#include <event2/event.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/lib/nodes.h"
#include "cli/srun/input.h"
#include "cli/srun/output.h"
#include "cli/srun/pty.h"
#include "cli/srun/tasks.h"
#include "common/client/visit.h"
#include "common/msg/node.h"
#include "common/msg/types.h"

#define HEARTBEAT_MS   20000
#define UNWRITTEN_HIGH (4u << 20) /* bytes; from here on nodes are not read */
#define UNWRITTEN_LOW  (1u << 20)

static const int ending_signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };

/* One node of the step. */
struct place {
    struct attach *attach;
    uint32_t index; /* in the step's list */
    struct visit *visit;
    struct rpc_session *session; /* NULL: not there yet, or gone */
    bool paused;                 /* its input: it has not taken what was sent before */
    uint64_t sent;
};

struct attach {
    const struct attach_request *request;
    struct command *command;
    struct event_base *base;
    struct place *places;
    uint32_t places_n, open; /* the latter: that are coming, or there */
    bool any;                /* one was there */
    bool resting;            /* nodes are not read: too much is unwritten */
    struct output *output;
    struct input *input; /* NULL until somebody is there */
    struct pty pty;
    struct event *signals[ARRAY_N(ending_signals)];
    int ended_by; /* signal */
    int status;   /* highest of the tasks */
};

static void leave(struct attach *attach)
{
    event_base_loopbreak(attach->base);
}

/* ---- input ---- */

/* True if a task of the node reads the input, of which every such node gets all. */
static bool reads_input(const struct place *place)
{
    const struct attach_request *request = place->attach->request;
    const struct step_node *node = &request->step->nodes[place->index];

    for (uint32_t i = 0; i < node->tasks_n; i++) {
        if (request->input_task == COUNT_UNSET || node->tasks[i] == request->input_task)
            return true;
    }
    return false;
}

/* Sends input, but not its end: the tasks' input is their srun's to end. */
static void feed(struct place *place)
{
    struct attach *attach = place->attach;
    const void *data;
    uint32_t n;

    while (attach->input && place->session && !place->paused &&
           input_next(attach->input, place->index, &data, &n)) {
        const struct io_data msg = { .task = attach->request->input_task,
                                     .stream = IO_STDIN,
                                     .data = { (uint8_t *)(uintptr_t)data, n } };

        if (n == 0)
            continue;
        (void)rpc_send(place->session, MSG_IO_DATA, 0, 0, &msg);
        place->sent += n;
        place->paused = rpc_session_backlog(place->session) > RPC_HIGH_WATER;
        if (!place->paused)
            input_consumed(attach->input, place->index, place->sent);
    }
}

static void on_input(void *ctx)
{
    struct attach *attach = ctx;

    for (uint32_t i = 0; i < attach->places_n; i++)
        feed(&attach->places[i]);
}

static void on_drained(struct rpc_session *session, void *ctx)
{
    struct place *place = ctx;

    (void)session;
    if (!place->paused)
        return;
    place->paused = false;
    input_consumed(place->attach->input, place->index, place->sent);
    feed(place);
}

/*
 * Begins to read once every node is there or is known not to come, so that all get all of the
 * input.
 */
static void begin_input(struct attach *attach)
{
    attach->input = input_new(attach->base, STDIN_FILENO, on_input, attach);
    input_set_readers(attach->input, attach->places_n);
    for (uint32_t i = 0; i < attach->places_n; i++) {
        if (!attach->places[i].session || !reads_input(&attach->places[i]))
            input_leave(attach->input, i);
    }
}

/* ---- output ---- */

static void set_reading(struct attach *attach, bool reading)
{
    attach->resting = !reading;
    for (uint32_t i = 0; i < attach->places_n; i++) {
        struct rpc_session *session = attach->places[i].session;

        if (session && reading)
            rpc_session_resume(session);
        else if (session)
            rpc_session_pause(session);
    }
}

static void on_consumed(uint32_t source, uint32_t n, void *ctx)
{
    struct attach *attach = ctx;

    (void)source;
    (void)n;
    if (attach->resting && output_backlog(attach->output) <= UNWRITTEN_LOW)
        set_reading(attach, true);
}

static void on_broken(const struct err *why, void *ctx)
{
    struct attach *attach = ctx;

    if (why->code != EPIPE)
        log_error(attach->command->log, "%s", why->text);
    if (!attach->status)
        attach->status = command_exit_error();
    leave(attach);
}

static void on_all_written(void *ctx)
{
    leave(ctx);
}

static void on_data(struct place *place, const struct rpc_frame *frame)
{
    struct attach *attach = place->attach;
    AUTO(io_data) struct io_data data;
    struct err err = { 0 };

    if (rpc_decode(frame, io_data_schema(), &data, &err) < 0) {
        rpc_session_close(place->session, err.text);
        return;
    }
    if (data.data.n) /* tasks end one by one, the streams are all ours until the last one has */
        output_add(attach->output, place->index, data.task, data.stream, data.data.data,
                   data.data.n);
    if (!attach->resting && output_backlog(attach->output) > UNWRITTEN_HIGH)
        set_reading(attach, false);
}

static void on_exit_of_task(struct place *place, const struct rpc_frame *frame)
{
    struct attach *attach = place->attach;
    struct io_task_exit exit;
    int code;

    if (rpc_decode(frame, io_task_exit_schema(), &exit, NULL) < 0)
        return;
    code = tasks_code_of(exit.status);
    if (code > attach->status)
        attach->status = code;
    log_verbose(attach->command->log, "1 tasks finished (rc=%d)", exit.status);
    if (WIFSIGNALED(exit.status))
        log_error(attach->command->log, "task %u killed by signal %d", exit.task,
                  WTERMSIG(exit.status));
    else if (code)
        log_error(attach->command->log, "task %u exited with exit code %d", exit.task, code);
}

/* ---- the nodes ---- */

static bool all_decided(const struct attach *attach)
{
    for (uint32_t i = 0; i < attach->places_n; i++) {
        if (attach->places[i].visit)
            return false;
    }
    return true;
}

/* Checks what to do when a node is there, has gone, or will not come. */
static void check(struct attach *attach)
{
    if (attach->any && !attach->input && all_decided(attach))
        begin_input(attach);
    if (attach->open > 0)
        return;
    if (!attach->any && !attach->status)
        attach->status = command_exit_error();
    output_finish(attach->output);
}

static void on_frame(struct rpc_session *session, const struct rpc_frame *frame, void *ctx)
{
    struct place *place = ctx;
    struct err err = { 0 };

    if (frame->type == MSG_IO_DATA)
        on_data(place, frame);
    else if (frame->type == MSG_IO_TASK_EXIT)
        on_exit_of_task(place, frame);
    else if (frame->flags & RPC_ERROR)
        rpc_session_close(session, rpc_decode_error(frame, &err) ? err.text : NULL);
}

static void on_closed(struct rpc_session *session, const struct err *why, void *ctx)
{
    struct place *place = ctx;
    struct attach *attach = place->attach;

    if (why->code != E_CLOSED)
        log_error(attach->command->log, "%s: %s", attach->request->step->nodes[place->index].name,
                  why->text);
    place->session = rpc_session_free(session);
    attach->open--;
    if (attach->input)
        input_leave(attach->input, place->index);
    check(attach);
}

static void on_visited(void *arg, struct rpc_session *session, const struct err *err)
{
    static const struct rpc_callbacks callbacks = { .on_frame = on_frame,
                                                    .on_drained = on_drained,
                                                    .on_closed = on_closed };
    struct place *place = arg;
    struct attach *attach = place->attach;

    place->visit = NULL;
    if (session) {
        place->session = session;
        attach->any = true;
        rpc_session_set_callbacks(session, &callbacks, place);
        (void)rpc_send(session, MSG_STEP_ATTACH, 1, 0, NULL);
    } else {
        log_error(attach->command->log, "%s", err->text);
        attach->open--;
    }
    check(attach);
}

static void start(struct attach *attach, uint32_t index)
{
    const struct step_record *step = attach->request->step;
    const struct slurm_conf *conf = attach->command->cli.conf;
    const struct node_info *node = nodes_find(attach->request->nodes, step->nodes[index].name);
    struct place *place = &attach->places[index];
    struct visit_target target = { .node = step->nodes[index].name,
                                   .preface = { RPC_TARGET_STEP, step->job_id, step->step_id },
                                   .cluster = conf->cluster_name,
                                   .uid = step->uid,
                                   .authc = { .socket_path = conf->auth_socket },
                                   .clock = clock_from_env(),
                                   .heartbeat_ms = HEARTBEAT_MS };

    *place = (struct place){ .attach = attach, .index = index };
    if (!node || !node->address) {
        log_error(attach->command->log, "%s: its address is not known", target.node);
        return;
    }
    target.host = node->address;
    target.port = (uint16_t)node->port;
    attach->open++;
    place->visit = visit_start(attach->base, &target, on_visited, place);
}

/* ---- beginning and end ---- */

static void on_signal(evutil_socket_t fd, short what, void *arg)
{
    struct attach *attach = arg;

    (void)what;
    attach->ended_by = (int)fd;
    leave(attach);
}

static int open_output(struct attach *attach, struct err *err)
{
    static const struct output_callbacks callbacks = { on_consumed, on_broken, on_all_written };
    const struct attach_request *request = attach->request;
    const struct output_options options = { .base = attach->base,
                                            .out = { NULL, request->output_task },
                                            .err = { NULL, request->error_task },
                                            .label = request->label,
                                            .out_fd = STDOUT_FILENO,
                                            .err_fd = STDERR_FILENO };
    int rc = output_new(&options, &callbacks, attach, &attach->output, err);

    if (rc == 0)
        output_set_ntasks(attach->output, request->step->ntasks);
    return rc;
}

static void begin(struct attach *attach)
{
    const uint32_t n = attach->request->step->nodes_n;

    for (size_t i = 0; i < ARRAY_N(ending_signals); i++) { /* the terminal must be put back */
        attach->signals[i] = evsignal_new(attach->base, ending_signals[i], on_signal, attach);
        event_add(attach->signals[i], NULL);
    }
    if (attach->request->pty)
        pty_begin(&attach->pty);
    attach->places = xcalloc(n, sizeof(*attach->places));
    attach->places_n = n;
    for (uint32_t i = 0; i < n; i++)
        start(attach, i);
    if (attach->open == 0)
        check(attach);
    event_base_dispatch(attach->base);
}

static void end(struct attach *attach)
{
    pty_end(&attach->pty);
    for (uint32_t i = 0; i < attach->places_n; i++) {
        visit_cancel(attach->places[i].visit);
        rpc_session_free(attach->places[i].session);
    }
    free(attach->places);
    input_free(attach->input);
    output_free(attach->output);
    for (size_t i = 0; i < ARRAY_N(ending_signals); i++) {
        if (attach->signals[i])
            event_free(attach->signals[i]);
    }
    event_base_free(attach->base);
}

int attach_run(const struct attach_request *request)
{
    struct attach attach = { .request = request,
                             .command = request->command,
                             .base = event_base_new() };
    struct err err = { 0 };

    if (open_output(&attach, &err) < 0) {
        command_report(attach.command, NULL, &err);
        attach.status = command_exit_error();
    } else {
        begin(&attach);
    }
    end(&attach);
    if (attach.ended_by) { /* whoever started it shall see what ended it */
        (void)signal(attach.ended_by, SIG_DFL);
        (void)raise(attach.ended_by);
    }
    return attach.status;
}
