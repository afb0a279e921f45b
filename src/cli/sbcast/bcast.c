#include "cli/sbcast/bcast.h"

#include <event2/event.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/srun/io_server.h"
#include "cli/srun/request.h"
#include "cli/srun/tasks.h"
#include "cli/submit/follow.h"
#include "cli/submit/killer.h"
#include "cli/submit/request.h"
#include "common/msg/types.h"

#define ENDING_S 60 /* for the controller to say that the step has ended */

struct bcast {
    const struct bcast_request *request;
    struct command *command;
    struct event_base *base;
    struct step_spec step;
    struct io_server *io;
    struct output *output;
    struct input *input;
    struct tasks *tasks; /* one on each node */
    struct follow *follow;
    struct killer *killer;
    struct event *timer, *interrupt, *terminate;
    pid_t packer;
    int stream; /* of the packer */
    uint32_t step_id;
    uint32_t exits_n, nodes_n;
    bool over, finishing;
    int status; /* highest errno so far */
};

static void leave(struct bcast *bcast)
{
    event_base_loopbreak(bcast->base);
}

static void raise_status(struct bcast *bcast, int code)
{
    if (code > bcast->status)
        bcast->status = code;
}

static void later(struct bcast *bcast, uint32_t seconds)
{
    event_del(bcast->timer);
    if (seconds)
        event_add(bcast->timer, &(struct timeval){ (time_t)seconds, 0 });
}

/* Sets a new time to wait for more, since something has come. */
static void progress(struct bcast *bcast)
{
    if (!bcast->finishing)
        later(bcast, bcast->request->timeout_s);
}

static void end_step(struct bcast *bcast)
{
    const struct job_signal request = { .job_id = bcast->request->job_id,
                                        .step_id = bcast->step_id,
                                        .flags = SIGNAL_CANCEL };

    if (bcast->finishing)
        return;
    bcast->finishing = true;
    later(bcast, ENDING_S);
    if (bcast->step_id == COUNT_UNSET)
        leave(bcast);
    else
        killer_send(bcast->killer, &request);
}

static void on_timer(evutil_socket_t fd, short what, void *arg)
{
    struct bcast *bcast = arg;

    (void)fd;
    (void)what;
    if (bcast->finishing) {
        leave(bcast);
        return;
    }
    log_error(bcast->command->log, "no node has taken anything for %u s",
              bcast->request->timeout_s);
    raise_status(bcast, ETIMEDOUT);
    end_step(bcast);
}

static void on_interrupt(evutil_socket_t fd, short what, void *arg)
{
    struct bcast *bcast = arg;

    (void)fd;
    (void)what;
    raise_status(bcast, EINTR);
    end_step(bcast);
}

/* ---- the nodes ---- */

static void check_over(struct bcast *bcast)
{
    if (bcast->over && io_server_open(bcast->io) == 0)
        leave(bcast);
}

static void on_started(const struct io_task_start *start, const char *node, void *ctx)
{
    struct bcast *bcast = ctx;

    (void)start;
    log_verbose(bcast->command->log, "%s is ready", node);
    progress(bcast);
}

static void on_exited(uint32_t task, int status, void *ctx)
{
    struct bcast *bcast = ctx;
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : EIO;

    if (!tasks_exited(bcast->tasks, task, status))
        return;
    progress(bcast);
    bcast->exits_n++;
    raise_status(bcast, code);
    if (code && !bcast->finishing)
        log_error(bcast->command->log, "REQUEST_FILE_BCAST(%s): %s", tasks_node(bcast->tasks, task),
                  strerror(code));
}

static void on_connected(void *ctx)
{
    progress(ctx);
}

static void on_closed(void *ctx)
{
    check_over(ctx);
}

static void on_refused(const struct err *why, void *ctx)
{
    struct bcast *bcast = ctx;

    log_verbose(bcast->command->log, "a connection was refused: %s", why->text);
}

static void on_input(void *ctx)
{
    struct bcast *bcast = ctx;

    io_server_feed(bcast->io);
    progress(bcast);
}

static void on_consumed(uint32_t source, uint32_t n, void *ctx)
{
    struct bcast *bcast = ctx;

    io_server_consumed(bcast->io, source, n);
}

static void on_broken(const struct err *why, void *ctx)
{
    (void)why;
    (void)ctx;
}

static void on_drained(void *ctx)
{
    (void)ctx;
}

/* Opens the output; what a receiver says goes to our stderr only with -v: its exit tells all. */
static int open_output(struct bcast *bcast, struct err *err)
{
    static const struct output_callbacks callbacks = { on_consumed, on_broken, on_drained };
    const struct output_options options = {
        .base = bcast->base,
        .out = { "/dev/null", COUNT_UNSET },
        .err = { "/dev/null", COUNT_UNSET },
        .out_fd = STDOUT_FILENO,
        .err_fd = STDERR_FILENO,
    };

    return output_new(&options, &callbacks, bcast, &bcast->output, err);
}

/* ---- the controller's stream ---- */

static void start(struct bcast *bcast, const struct step_record *step)
{
    struct err err = { 0 };

    if (bcast->input)
        return;
    bcast->step_id = step->step_id;
    bcast->nodes_n = step->nodes_n;
    tasks_set_layout(bcast->tasks, step->nodes, step->nodes_n, step->ntasks);
    if (open_output(bcast, &err) < 0 ||
        pack_start(&bcast->request->source, &bcast->packer, &bcast->stream, &err) < 0) {
        command_report(bcast->command, NULL, &err);
        raise_status(bcast, EIO);
        end_step(bcast);
        return;
    }
    bcast->input = input_new(bcast->base, bcast->stream, on_input, bcast);
    io_server_start(bcast->io, bcast->output, bcast->input, COUNT_UNSET, step->nodes,
                    step->nodes_n);
    progress(bcast);
}

static void on_step(const struct step_event *event, void *ctx)
{
    struct bcast *bcast = ctx;

    for (uint32_t i = 0; i < event->exits_n; i++)
        on_exited(event->exits[i].task, event->exits[i].status, bcast);
    if (event->kind == STEP_EVENT_CREATED && event->step)
        start(bcast, event->step);
    if (event->kind == STEP_EVENT_NODE_FAILED) {
        log_error(bcast->command->log, "%s: %s", event->node ? event->node : "?",
                  event->text ? event->text : "the node failed");
        raise_status(bcast, EIO);
    }
    if (event->kind == STEP_EVENT_ENDED) {
        bcast->over = true;
        check_over(bcast);
    }
}

static void on_over(const struct err *why, void *ctx)
{
    struct bcast *bcast = ctx;

    if (why) {
        command_report(bcast->command, NULL, why);
        raise_status(bcast, EIO);
    }
    bcast->over = true;
    if (why && bcast->step_id == COUNT_UNSET)
        leave(bcast);
    else
        check_over(bcast);
}

static void on_back(void *ctx)
{
    struct bcast *bcast = ctx;

    killer_try_again(bcast->killer);
}

static void on_lost(const struct err *why, void *ctx)
{
    struct bcast *bcast = ctx;

    log_verbose(bcast->command->log, "lost the controller, will try again: %s", why->text);
}

/* ---- beginning and end ---- */

static int open_io(struct bcast *bcast, struct err *err)
{
    static const struct io_server_callbacks callbacks = { .on_started = on_started,
                                                          .on_exited = on_exited,
                                                          .on_connected = on_connected,
                                                          .on_closed = on_closed,
                                                          .on_refused = on_refused };
    const struct slurm_conf *conf = bcast->command->cli.conf;
    const struct io_server_options options = {
        .base = bcast->base,
        .cluster = conf->cluster_name,
        .authc = { .socket_path = conf->auth_socket },
        .clock = clock_from_env(),
        .first_port = (uint16_t)conf->srun_ports.first,
        .last_port = (uint16_t)conf->srun_ports.last,
    };

    return io_server_new(&options, &callbacks, bcast, &bcast->io, err);
}

/* Fills in a step beside everything else that the job does: it holds no cpus of its own. */
static void fill_step(struct bcast *bcast)
{
    const struct bcast_request *request = bcast->request;
    struct step_spec *step = &bcast->step;
    char host[256] = "";

    step->service = STEP_SERVICE_RECEIVE;
    step->name = xstrdup("sbcast");
    step->min_nodes = step->max_nodes = step->ntasks = request->nodes_n;
    step->ntasks_per_node = 1;
    step->req_nodes = xstrdup(request->nodes);
    step->overlap = step->no_kill = step->no_gres = true;
    step->umask = 077;
    step->work_dir = xstrdup(request->work_dir);
    step->token = submit_token();
    (void)gethostname(host, sizeof(host) - 1);
    step->srun_host = xstrdup(host);
    step->srun_pid = (uint32_t)getpid();
    submit_blob(&step->io_token, io_server_token(bcast->io), IO_TOKEN_BYTES);
    srun_fill_addresses(step, bcast->io);
    srun_add_controllers_address(step, bcast->io, client_session(bcast->command->cli.client));
}

static void run(struct bcast *bcast)
{
    static const struct follow_callbacks callbacks = {
        .on_step = on_step, .on_lost = on_lost, .on_back = on_back, .on_over = on_over
    };
    const struct step_run message = { bcast->request->job_id, &bcast->step };
    const struct follow_request request = {
        .type = MSG_STEP_RUN,
        .msg = &message,
        .token = bcast->step.token,
        .job_id = bcast->request->job_id,
        .step_id = COUNT_UNSET,
    };

    bcast->follow = follow_new(bcast->command->cli.client, &request, &callbacks, bcast);
    progress(bcast);
    event_base_dispatch(bcast->base);
}

/* Tells why the stream was incomplete; a receiver that got it so says that itself. */
static void end_packer(struct bcast *bcast)
{
    int status = 0;

    if (bcast->stream >= 0)
        close(bcast->stream);
    if (bcast->packer <= 0)
        return;
    (void)waitpid(bcast->packer, &status, 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status) == 0)
        return;
    log_error(bcast->command->log, "the file cannot be read, or changed meanwhile: %s",
              strerror(WEXITSTATUS(status)));
    raise_status(bcast, WEXITSTATUS(status));
}

static void clear(struct bcast *bcast)
{
    follow_free(bcast->follow);
    killer_free(bcast->killer);
    io_server_free(bcast->io);
    input_free(bcast->input);
    output_free(bcast->output);
    end_packer(bcast);
    tasks_free(bcast->tasks);
    event_free(bcast->timer);
    event_free(bcast->interrupt);
    event_free(bcast->terminate);
    step_spec_clear(&bcast->step);
}

int bcast_run(const struct bcast_request *request)
{
    struct client *client = request->command->cli.client;
    struct bcast bcast = { .request = request,
                           .command = request->command,
                           .base = client_base(client),
                           .tasks = tasks_new(),
                           .killer = killer_new(client),
                           .stream = -1,
                           .step_id = COUNT_UNSET };
    struct err err = { 0 };

    step_spec_init(&bcast.step);
    bcast.timer = evtimer_new(bcast.base, on_timer, &bcast);
    bcast.interrupt = evsignal_new(bcast.base, SIGINT, on_interrupt, &bcast);
    bcast.terminate = evsignal_new(bcast.base, SIGTERM, on_interrupt, &bcast);
    event_add(bcast.interrupt, NULL);
    event_add(bcast.terminate, NULL);
    if (open_io(&bcast, &err) < 0) {
        command_report(bcast.command, NULL, &err);
        raise_status(&bcast, EIO);
    } else {
        fill_step(&bcast);
        run(&bcast);
    }
    if (bcast.status == 0 && bcast.exits_n < bcast.nodes_n)
        raise_status(&bcast, EIO); /* a node never told */
    clear(&bcast);
    return bcast.status;
}
