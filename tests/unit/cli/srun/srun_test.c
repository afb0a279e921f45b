/*
 * The real srun, as a process, against a controller and a node that this test plays: what it says,
 * what it asks for, and how it exits.
 */
#include "unit/cli/srun/io_rig.h"

#include <pwd.h>
#include <stdio.h>

#include "common/msg/job.h"
#include "common/msg/types.h"
#include "common/net/listen.h"
#include "common/rpc/server.h"

struct stage {
    struct io_rig rig; /* authd and directory; the rest of it is not used */
    struct event_base *base;
    struct event *deadline;
    struct net_unix_listener *listener;
    struct rpc_server *server;
    struct rpc_session *client; /* srun's, NULL when there is none */
    uint32_t stream;            /* request that is answered by events */
    struct job_allocate allocate;
    struct step_run run;
    bool asked;   /* JOB_ALLOCATE or STEP_RUN came */
    int attached; /* JOB_ATTACHs */
    struct job_signal signal;
    int signals; /* JOB_SIGNALs */
    struct srun_link *link;
    struct launch_body body;
    bool connected, delivered;
    int last_signal;
    bool heard_alarm;
    int out; /* what task 0 prints */
    pid_t pid;
    int stdout_fd, stderr_fd;
};

/* ---- the controller ---- */

static void send_event(struct stage *stage, uint32_t type, const void *event)
{
    rpc_send(stage->client, type, stage->stream, RPC_REPLY | RPC_MORE, event);
}

static void send_job(struct stage *stage, enum job_event_kind kind)
{
    struct job_spec spec;
    struct job_record job = { .id = 5, .spec = &spec };
    struct job_event event = { .kind = kind, .job = &job };

    job_spec_init(&spec);
    send_event(stage, MSG_JOB_EVENT, &event);
}

static struct step_record the_step(struct stage *stage)
{
    return (struct step_record){ .job_id = 5,
                                 .step_id = 0,
                                 .ntasks = stage->body.ntasks,
                                 .nodes = stage->body.nodes,
                                 .nodes_n = stage->body.nodes_n,
                                 .ended_by = COUNT_UNSET };
}

static void send_step(struct stage *stage, enum step_event_kind kind, uint32_t end_state)
{
    struct step_record step = the_step(stage);
    struct step_event event = { .kind = kind, .step = &step };

    step.end_state = end_state;
    send_event(stage, MSG_STEP_EVENT, &event);
}

static void on_frame(struct rpc_session *session, const struct rpc_frame *frame, void *ctx)
{
    struct stage *stage = ctx;

    switch (frame->type) {
    case MSG_JOB_ALLOCATE:
        stage->asked = true;
        stage->stream = frame->request;
        job_allocate_clear(&stage->allocate);
        ck_assert_int_eq(rpc_decode(frame, job_allocate_schema(), &stage->allocate, NULL), 0);
        break;
    case MSG_STEP_RUN:
        stage->asked = true;
        stage->stream = frame->request;
        step_run_clear(&stage->run);
        ck_assert_int_eq(rpc_decode(frame, step_run_schema(), &stage->run, NULL), 0);
        break;
    case MSG_JOB_ATTACH:
        stage->attached++;
        stage->stream = frame->request;
        break;
    case MSG_JOB_SIGNAL:
        stage->signals++;
        ck_assert_int_eq(rpc_decode(frame, job_signal_schema(), &stage->signal, NULL), 0);
        rpc_send(session, MSG_OK, frame->request, RPC_REPLY, NULL);
        break;
    default:
        break;
    }
}

static void on_closed(struct rpc_session *session, const struct err *why, void *ctx)
{
    struct stage *stage = ctx;

    (void)why;
    if (stage->client == session)
        stage->client = NULL;
    rpc_session_free(session);
}

static void on_session(struct rpc_session *session, void *ctx)
{
    static const struct rpc_callbacks callbacks = { .on_frame = on_frame, .on_closed = on_closed };
    struct stage *stage = ctx;

    stage->client = session;
    rpc_session_set_callbacks(session, &callbacks, stage);
}

static void on_refused(const struct err *why, void *ctx)
{
    (void)ctx;
    ck_abort_msg("%s", why->text);
}

static bool accept_all(const struct rpc_peer *peer, void *ctx, struct err *err)
{
    (void)peer;
    (void)ctx;
    (void)err;
    return true;
}

/* ---- the node ---- */

static void on_connected(void *ctx, const char *host, uint16_t port)
{
    struct stage *stage = ctx;
    uint32_t pids[RIG_TASKS_MAX] = { 0 };

    (void)host;
    (void)port;
    stage->connected = true;
    srun_link_tasks_started(stage->link, pids);
}

static void on_signal(void *ctx, int signal)
{
    struct stage *stage = ctx;

    stage->last_signal = signal;
    stage->heard_alarm |= signal == SIGALRM;
}

static void on_window(void *ctx, uint32_t rows, uint32_t columns)
{
    (void)ctx;
    (void)rows;
    (void)columns;
}

static void on_delivered(void *ctx)
{
    ((struct stage *)ctx)->delivered = true;
}

/* A step of `tasks_n` tasks on tux0, as srun asked for it. */
static void make_body(struct stage *stage, uint32_t tasks_n)
{
    const struct step_spec *spec = stage->allocate.step ? stage->allocate.step : stage->run.step;
    struct launch_body *body = &stage->body;
    struct step_node *node;

    launch_body_init(body);
    body->job_id = 5;
    body->ntasks = tasks_n;
    node = ARRAY_PUSH(body->nodes, body->nodes_n);
    step_node_init(node);
    node->name = xstrdup("tux0");
    for (uint32_t i = 0; i < tasks_n; i++)
        *ARRAY_PUSH(node->tasks, node->tasks_n) = i;
    for (uint32_t i = 0; i < spec->io_addresses_n; i++)
        *ARRAY_PUSH(body->io_addresses, body->io_addresses_n) = xstrdup(spec->io_addresses[i]);
    body->io_token.data = xmemdup(spec->io_token.data, spec->io_token.n);
    body->io_token.n = spec->io_token.n;
}

static void start_node(struct stage *stage)
{
    static const struct srun_link_callbacks callbacks = { .on_connected = on_connected,
                                                          .on_failed = rig_on_failed,
                                                          .on_signal = on_signal,
                                                          .on_window = on_window,
                                                          .on_output = rig_on_output,
                                                          .on_done = on_delivered };
    const struct srun_link_options options = { .cluster = "rig",
                                               .authc = { .socket_path = stage->rig.socket },
                                               .body = &stage->body,
                                               .controller = "127.0.0.1" };
    int out[2];

    ck_assert_int_eq(pipe2(out, O_CLOEXEC), 0);
    stage->link = srun_link_new(stage->base, &options, &callbacks, stage);
    srun_link_add_output(stage->link, 0, IO_STDOUT, out[0]);
    stage->out = out[1];
}

static void end_tasks(struct stage *stage, int status)
{
    close(stage->out);
    stage->out = -1;
    for (uint32_t i = 0; i < stage->body.ntasks; i++)
        srun_link_task_exited(stage->link, i, status, false);
    srun_link_finish(stage->link);
}

/* ---- srun ---- */

static NO_RETURN void exec_srun(const struct stage *stage, char **argv, int out, int errors)
{
    char self[4096];
    ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
    int null = open("/dev/null", O_RDONLY);
    AUTO_FREE char *conf = xasprintf("%s/slurm.conf", stage->rig.dir);

    if (n <= 0)
        _exit(126);
    self[n] = '\0';
    *strrchr(self, '/') = '\0';
    setenv("SLURM_CONF", conf, 1);
    dup2(null, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    dup2(errors, STDERR_FILENO);
    AUTO_FREE char *path = xasprintf("%s/../bin/srun", self);

    execv(path, argv);
    _exit(127);
}

#define USUAL_KILL_WAIT_S 30
static int kill_wait_s = USUAL_KILL_WAIT_S;

static void write_conf(const struct stage *stage)
{
    AUTO_FREE char *path = xasprintf("%s/slurm.conf", stage->rig.dir);
    FILE *out = fopen(path, "w");

    ck_assert_ptr_nonnull(out);
    fprintf(out,
            "ClusterName=rig\nSlurmctldHost=localhost(127.0.0.1)\nSlurmUser=%s\n"
            "SlurmctldPidFile=%s/ctld.pid\nAuthInfo=socket=%s\nNodeName=tux0\n"
            "PartitionName=p Nodes=ALL Default=YES\nKillWait=%d\n",
            getpwuid(getuid())->pw_name, stage->rig.dir, stage->rig.socket, kill_wait_s);
    fclose(out);
}

static void stage_open(struct stage *stage, char **argv)
{
    const struct rpc_server_callbacks callbacks = { on_session, on_refused };
    struct rpc_options options = { .role = RPC_ROLE_CONTROLLER,
                                   .cluster = "rig",
                                   .accept_peer = accept_all };
    int out[2], errors[2];

    memset(stage, 0, sizeof(*stage));
    rig_start_authd(&stage->rig);
    stage->base = event_base_new();
    stage->deadline = evtimer_new(stage->base, rig_on_deadline, NULL);
    event_add(stage->deadline, &(struct timeval){ 50, 0 });
    job_allocate_init(&stage->allocate);
    step_run_init(&stage->run);
    stage->out = -1;
    write_conf(stage);
    AUTO_FREE char *path = xasprintf("%s/ctld.sock", stage->rig.dir);

    options.authc.socket_path = stage->rig.socket;
    ck_assert_int_eq(net_listen_unix(path, 0666, &stage->listener, NULL), 0);
    stage->server = rpc_server_new(stage->base, &options, 0, &callbacks, stage);
    rpc_server_listen(stage->server, net_unix_listener_fd(stage->listener));
    ck_assert_int_eq(pipe2(out, O_CLOEXEC), 0);
    ck_assert_int_eq(pipe2(errors, O_CLOEXEC), 0);
    stage->pid = fork();
    if (stage->pid == 0)
        exec_srun(stage, argv, out[1], errors[1]);
    close(out[1]);
    close(errors[1]);
    stage->stdout_fd = out[0];
    stage->stderr_fd = errors[0];
    while (!stage->asked)
        event_base_loop(stage->base, EVLOOP_ONCE);
}

/* Turns until `*flag`. */
static void until(struct stage *stage, const bool *flag)
{
    while (!*flag)
        event_base_loop(stage->base, EVLOOP_ONCE);
}

static void read_rest(struct stage *stage, int fd, struct strbuf *out)
{
    ssize_t n = 1;

    fcntl(fd, F_SETFL, O_NONBLOCK);
    while (n != 0) {
        n = read(fd, strbuf_reserve(out, 65536), 65536);
        if (n > 0)
            strbuf_grown(out, (size_t)n);
        else if (n < 0)
            event_base_loop(stage->base, EVLOOP_NONBLOCK), usleep(500);
    }
}

/* Waits for srun's end; checks what it said on stderr and how it exits. */
static void expect(struct stage *stage, const char *out, const char *errors, int status)
{
    AUTO(strbuf) struct strbuf got_out = { 0 };
    AUTO(strbuf) struct strbuf got_errors = { 0 };
    int got;

    read_rest(stage, stage->stderr_fd, &got_errors);
    read_rest(stage, stage->stdout_fd, &got_out);
    ck_assert_int_eq(waitpid(stage->pid, &got, 0), stage->pid);
    ck_assert_str_eq(strbuf_text(&got_errors), errors);
    ck_assert_str_eq(strbuf_text(&got_out), out);
    ck_assert(WIFEXITED(got));
    ck_assert_int_eq(WEXITSTATUS(got), status);
}

static void stage_close(struct stage *stage)
{
    AUTO_FREE char *clean = xasprintf("rm -r '%s'", stage->rig.dir);

    srun_link_free(stage->link);
    if (stage->out >= 0)
        close(stage->out);
    rpc_session_free(stage->client);
    rpc_server_free(stage->server);
    net_unix_listener_free(stage->listener);
    job_allocate_clear(&stage->allocate);
    step_run_clear(&stage->run);
    launch_body_clear(&stage->body);
    close(stage->stdout_fd);
    close(stage->stderr_fd);
    event_free(stage->deadline);
    event_base_free(stage->base);
    kill(stage->rig.authd, SIGTERM);
    waitpid(stage->rig.authd, NULL, 0);
    ck_assert_int_eq(system(clean), 0);
    free(stage->rig.socket);
}

static void start_step(struct stage *stage, uint32_t tasks_n)
{
    make_body(stage, tasks_n);
    send_job(stage, JOB_EVENT_GRANTED);
    send_step(stage, STEP_EVENT_CREATED, 0);
    start_node(stage);
    until(stage, &stage->connected);
}

static void end_step(struct stage *stage)
{
    send_step(stage, STEP_EVENT_ENDED, JOB_COMPLETE);
    send_job(stage, JOB_EVENT_ENDED);
}

START_TEST(output_and_exit_code_of_the_tasks_are_sruns)
{
    struct stage stage;
    char *argv[] = { "srun", "-n2", "hostname", "-f", NULL };

    stage_open(&stage, argv);
    start_step(&stage, 2);
    ck_assert_int_eq(write(stage.out, "tux0\n", 5), 5);
    end_tasks(&stage, 3 << 8);
    until(&stage, &stage.delivered);
    end_step(&stage);

    expect(&stage, "tux0\n", "srun: error: tux0: tasks 0-1: Exited with exit code 3\n", 3);
    ck_assert_str_eq(stage.allocate.spec->name, "hostname");
    ck_assert_uint_eq(stage.allocate.spec->kind, JOB_KIND_RUN);
    ck_assert_uint_eq(stage.allocate.step->ntasks, 2);
    ck_assert_uint_eq(stage.allocate.step->argv_n, 2);
    ck_assert_str_eq(stage.allocate.step->argv[1], "-f");
    ck_assert_int_eq(strncmp(stage.allocate.step->io_addresses[0], "@controller:", 12), 0);
    stage_close(&stage);
}
END_TEST

START_TEST(a_job_that_waits_is_told)
{
    struct stage stage;
    char *argv[] = { "srun", "-l", "true", NULL };

    stage_open(&stage, argv);
    send_job(&stage, JOB_EVENT_QUEUED);
    start_step(&stage, 1);
    ck_assert_int_eq(write(stage.out, "a\nb", 3), 3);
    end_tasks(&stage, 0);
    until(&stage, &stage.delivered);
    end_step(&stage);

    expect(&stage, "0: a\n0: b\n",
           "srun: job 5 queued and waiting for resources\n"
           "srun: job 5 has been allocated resources\n",
           0);
    stage_close(&stage);
}
END_TEST

START_TEST(inside_a_job_only_a_step_is_asked_for)
{
    struct stage stage;
    char *argv[] = { "srun", "--jobid=5", "-N1", "-n1", "-c2", "true", NULL };

    stage_open(&stage, argv);
    ck_assert_uint_eq(stage.run.job_id, 5);
    ck_assert_uint_eq(stage.run.step->cpus_per_task, 2);
    ck_assert(stage.run.step->exact);
    start_step(&stage, 1);
    end_tasks(&stage, 11);
    until(&stage, &stage.delivered);
    send_step(&stage, STEP_EVENT_ENDED, JOB_FAILED);

    expect(&stage, "", "srun: error: tux0: task 0: Segmentation fault\n", 139);
    stage_close(&stage);
}
END_TEST

START_TEST(a_refusal_is_told_in_slurms_words)
{
    struct stage stage;
    char *argv[] = { "srun", "true", NULL };

    stage_open(&stage, argv);
    rpc_send_error(stage.client, stage.stream, E_NODE_CONFIG, NULL);

    expect(&stage, "",
           "srun: error: Unable to allocate resources: "
           "Requested node configuration is not available\n",
           1);
    stage_close(&stage);
}
END_TEST

static void read_until(struct stage *stage, const char *text)
{
    AUTO(strbuf) struct strbuf got = { 0 };

    fcntl(stage->stderr_fd, F_SETFL, O_NONBLOCK);
    while (!strstr(strbuf_text(&got), text)) {
        ssize_t n = read(stage->stderr_fd, strbuf_reserve(&got, 4096), 4096);

        if (n > 0)
            strbuf_grown(&got, (size_t)n);
        event_base_loop(stage->base, EVLOOP_NONBLOCK);
        usleep(500);
    }
}

/* What was sent before a byte of output has been seen when that comes out. */
static void settle(struct stage *stage)
{
    char byte;

    ck_assert_int_eq(write(stage->out, "x", 1), 1);
    fcntl(stage->stdout_fd, F_SETFL, O_NONBLOCK);
    while (read(stage->stdout_fd, &byte, 1) < 1) {
        event_base_loop(stage->base, EVLOOP_NONBLOCK);
        usleep(500);
    }
}

START_TEST(one_interrupt_asks_and_two_end_the_step)
{
    struct stage stage;
    char *argv[] = { "srun", "sleep", "100", NULL };

    stage_open(&stage, argv);
    start_step(&stage, 1);
    settle(&stage);
    kill(stage.pid, SIGINT);
    read_until(&stage, "srun: interrupt (one more within 1 sec to abort)\n"
                       "srun: StepId=5.0 task 0: running\n");
    ck_assert_int_eq(stage.signals, 0);
    ck_assert_int_eq(stage.last_signal, 0);
    kill(stage.pid, SIGINT);
    read_until(&stage,
               "srun: sending Ctrl-C to StepId=5.0\n"
               "srun: forcing job termination\n"
               "srun: Job step aborted: Waiting up to 32 seconds for job step to finish.\n");
    while (stage.signals == 0 || stage.last_signal != SIGINT)
        event_base_loop(stage.base, EVLOOP_ONCE); /* a moment for the tasks lies between */
    ck_assert_uint_eq(stage.signal.job_id, 5);
    ck_assert_uint_eq(stage.signal.step_id, 0);
    ck_assert_uint_eq(stage.signal.flags, SIGNAL_CANCEL);
    end_tasks(&stage, SIGINT);
    until(&stage, &stage.delivered);
    end_step(&stage);

    expect(&stage, "", "", 130); /* of tasks nothing more is said then */
    stage_close(&stage);
}
END_TEST

START_TEST(other_signals_go_to_the_tasks)
{
    struct stage stage;
    char *argv[] = { "srun", "sleep", "100", NULL };

    stage_open(&stage, argv);
    start_step(&stage, 1);
    settle(&stage);
    kill(stage.pid, SIGALRM); /* but that, of which srun itself makes nothing either */
    kill(stage.pid, SIGUSR1);
    while (stage.last_signal != SIGUSR1)
        event_base_loop(stage.base, EVLOOP_ONCE);
    end_tasks(&stage, 0);
    until(&stage, &stage.delivered);
    end_step(&stage);

    expect(&stage, "", "", 0);
    ck_assert(!stage.heard_alarm);
    stage_close(&stage);
}
END_TEST

START_TEST(a_step_goes_on_over_a_restart_of_the_controller)
{
    struct stage stage;
    char *argv[] = { "srun", "true", NULL };

    stage_open(&stage, argv);
    start_step(&stage, 1);
    stage.client = rpc_session_free(stage.client);
    ck_assert_int_eq(write(stage.out, "still here\n", 11), 11);
    while (stage.attached == 0)
        event_base_loop(stage.base, EVLOOP_ONCE);
    send_step(&stage, STEP_EVENT_CREATED, 0);
    end_tasks(&stage, 7 << 8);
    until(&stage, &stage.delivered);
    end_step(&stage);

    expect(&stage, "still here\n", "srun: error: tux0: task 0: Exited with exit code 7\n", 7);
    stage_close(&stage);
}
END_TEST

START_TEST(a_step_goes_on_when_the_controller_has_given_its_srun_up)
{
    struct stage stage;
    char *argv[] = { "srun", "true", NULL };

    stage_open(&stage, argv);
    start_step(&stage, 1);
    rpc_send_error(stage.client, 0, E_TIMEOUT, "no sign of life for 60.000 s");
    while (stage.attached == 0)
        event_base_loop(stage.base, EVLOOP_ONCE);
    send_step(&stage, STEP_EVENT_CREATED, 0);
    end_tasks(&stage, 0);
    until(&stage, &stage.delivered);
    end_step(&stage);

    expect(&stage, "", "", 0);
    stage_close(&stage);
}
END_TEST

START_TEST(a_failed_task_ends_the_step_when_asked)
{
    struct stage stage;
    char *argv[] = { "srun", "-K", "-n2", "true", NULL };

    stage_open(&stage, argv);
    ck_assert(stage.allocate.step->kill_on_bad_exit);
    start_step(&stage, 2);
    srun_link_task_exited(stage.link, 1, 7 << 8, false);
    while (stage.signals == 0)
        event_base_loop(stage.base, EVLOOP_ONCE);
    ck_assert_uint_eq(stage.signal.flags, SIGNAL_CANCEL | SIGNAL_GENTLY);
    close(stage.out);
    stage.out = -1;
    srun_link_task_exited(stage.link, 0, SIGTERM, false);
    srun_link_finish(stage.link);
    until(&stage, &stage.delivered);
    end_step(&stage);

    AUTO(strbuf) struct strbuf errors = { 0 };

    read_rest(&stage, stage.stderr_fd, &errors);
    ck_assert_ptr_nonnull(strstr(strbuf_text(&errors), "srun: Terminating StepId=5.0\n"));
    ck_assert_ptr_nonnull(
        strstr(strbuf_text(&errors), "srun: error: tux0: task 1: Exited with exit code 7\n"));
    ck_assert_ptr_nonnull(strstr(strbuf_text(&errors), "srun: error: tux0: task 0: Terminated\n"));
    ck_assert_ptr_nonnull(strstr(strbuf_text(&errors), "srun: Force Terminated StepId=5.0\n"));
    ck_assert_ptr_null(strstr(strbuf_text(&errors), "aborted"));
    expect(&stage, "", "", 143);
    stage_close(&stage);
}
END_TEST

/* The connection of a node that lost its power stands until nothing was heard for long. */
START_TEST(a_node_that_failed_is_not_waited_for)
{
    struct stage stage;
    char *argv[] = { "srun", "true", NULL };

    stage_open(&stage, argv);
    start_step(&stage, 1);
    struct step_event failed = { .kind = STEP_EVENT_NODE_FAILED, .node = "tux0" };
    settle(&stage);
    send_event(&stage, MSG_STEP_EVENT, &failed);
    send_step(&stage, STEP_EVENT_ENDED, JOB_NODE_FAIL);
    send_job(&stage, JOB_EVENT_ENDED);

    expect(&stage, "", "srun: error: Node failure on tux0\n", 137);
    stage_close(&stage);
}
END_TEST

START_TEST(a_step_that_others_end_is_awaited_as_long_as_is_said)
{
    struct stage stage;
    char *argv[] = { "srun", "true", NULL };

    kill_wait_s = 0;
    stage_open(&stage, argv);
    start_step(&stage, 1);
    settle(&stage);
    send_step(&stage, STEP_EVENT_ENDING, 0);

    expect(&stage, "",
           "srun: Job step aborted: Waiting up to 2 seconds for job step to finish.\n"
           "srun: error: Timed out waiting for job step to complete\n",
           1);
    kill_wait_s = USUAL_KILL_WAIT_S;
    stage_close(&stage);
}
END_TEST

CHECK_MAIN(srun, CASE(output_and_exit_code_of_the_tasks_are_sruns), CASE(a_job_that_waits_is_told),
           CASE(inside_a_job_only_a_step_is_asked_for), CASE(a_refusal_is_told_in_slurms_words),
           CASE(one_interrupt_asks_and_two_end_the_step), CASE(other_signals_go_to_the_tasks),
           CASE(a_step_goes_on_over_a_restart_of_the_controller),
           CASE(a_step_goes_on_when_the_controller_has_given_its_srun_up),
           CASE(a_failed_task_ends_the_step_when_asked), CASE(a_node_that_failed_is_not_waited_for),
           CASE(a_step_that_others_end_is_awaited_as_long_as_is_said))
