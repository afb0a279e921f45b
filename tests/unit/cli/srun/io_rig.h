/*
 * io_rig.h - an authd of this build, and the step's side of srun's streams in this process.
 *
 * `struct io_rig rig; io_rig_open(&rig, nodes, tasks); ... io_rig_close(&rig);`
 */
#pragma once

#include <event2/event.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/srun/io_server.h"
#include "common/crypt/crypt.h"
#include "noded/stdio/srun_link.h"
#include "unit/check_main.h"

#define RIG_NODES_MAX 4
#define RIG_TASKS_MAX 4 /* on a node */

struct io_rig_node {
    struct io_rig *rig;
    struct srun_link *link;
    uint32_t number;
    int out[RIG_TASKS_MAX]; /* what the test writes, a task prints */
    int in[RIG_TASKS_MAX];  /* what a task reads */
    bool connected, done;
    int last_signal;
    uint32_t rows;
    uint32_t heard[RIG_NODES_MAX]; /* relays from each node */
};

struct io_rig {
    char dir[40];
    char *socket;
    pid_t authd;
    struct event_base *base;
    struct event *deadline;
    struct launch_body body;
    struct io_server *server;
    struct output *output;
    struct input *input;
    struct io_rig_node nodes[RIG_NODES_MAX];
    uint32_t nodes_n, tasks_n; /* tasks on each node */
    int sink[2];               /* srun's stdout: the test reads [0] */
    int source[2];             /* srun's stdin: the test writes [1] */
    uint32_t started_n, exited_n, refused_n;
    int last_status;
    bool drained;
    char aborted[64]; /* why a node asked for the end */
    struct err broken;
};

static inline void rig_run_authd(const struct io_rig *rig)
{
    char self[4096];
    ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
    int null = open("/dev/null", O_RDWR);

    if (n <= 0)
        _exit(126);
    self[n] = '\0';
    *strrchr(self, '/') = '\0';
    char *path = xasprintf("%s/../bin/munged", self);
    char *key = xasprintf("--key-file=%s/key", rig->dir);
    char *socket_option = xasprintf("--socket=%s", rig->socket);
    char *pid = xasprintf("--pid-file=%s/pid", rig->dir);
    char *log = xasprintf("--log-file=%s/log", rig->dir);
    char *seed = xasprintf("--seed-file=%s/seed", rig->dir);

    dup2(null, STDOUT_FILENO);
    dup2(null, STDERR_FILENO);
    execl(path, "munged", "-F", "--origin=127.0.0.1", key, socket_option, pid, log, seed,
          (char *)NULL);
    _exit(127);
}

static inline void rig_start_authd(struct io_rig *rig)
{
    struct authc_options asked = { 0 };
    char fingerprint[AUTHC_FINGERPRINT_SIZE];
    uint8_t key[128];

    strcpy(rig->dir, "/tmp/srun_io_test.XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(rig->dir));
    ck_assert_int_eq(chmod(rig->dir, 0755), 0);
    rig->socket = xasprintf("%s/socket", rig->dir);
    AUTO_FREE char *path = xasprintf("%s/key", rig->dir);
    AUTO_CLOSE int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

    crypt_random(key, sizeof(key));
    ck_assert_int_eq(write(fd, key, sizeof(key)), sizeof(key));
    rig->authd = fork();
    ck_assert_int_ge(rig->authd, 0);
    if (rig->authd == 0)
        rig_run_authd(rig);
    asked.socket_path = rig->socket;
    for (int i = 0; authc_fingerprint(&asked, fingerprint, NULL) < 0; i++) {
        ck_assert_msg(i < 4000 && waitpid(rig->authd, NULL, WNOHANG) == 0, "authd does not answer");
        usleep(5000);
    }
}

/* ---- srun's side ---- */

static inline void rig_on_started(const struct io_task_start *start, const char *node, void *ctx)
{
    (void)node;
    ((struct io_rig *)ctx)->started_n += start->tasks_n;
}

static inline void rig_on_exited(uint32_t task, int status, void *ctx)
{
    struct io_rig *rig = ctx;

    (void)task;
    rig->exited_n++;
    rig->last_status = status;
}

static inline void rig_ignore(void *ctx)
{
    (void)ctx;
}

static inline void rig_on_refused(const struct err *why, void *ctx)
{
    (void)why;
    ((struct io_rig *)ctx)->refused_n++;
}

static inline void rig_on_consumed(uint32_t source, uint32_t n, void *ctx)
{
    io_server_consumed(((struct io_rig *)ctx)->server, source, n);
}

static inline void rig_on_broken(const struct err *why, void *ctx)
{
    ((struct io_rig *)ctx)->broken = *why;
}

static inline void rig_on_drained(void *ctx)
{
    ((struct io_rig *)ctx)->drained = true;
}

static inline void rig_on_input(void *ctx)
{
    io_server_feed(((struct io_rig *)ctx)->server);
}

static inline void rig_on_abort(const char *node, const char *why, void *ctx)
{
    struct io_rig *rig = ctx;

    (void)node;
    snprintf(rig->aborted, sizeof(rig->aborted), "%s", why);
}

/* ---- the nodes' side ---- */

static inline void rig_on_connected(void *ctx, const char *host, uint16_t port)
{
    struct io_rig_node *node = ctx;
    uint32_t pids[RIG_TASKS_MAX] = { 0 };

    (void)host;
    (void)port;
    node->connected = true;
    srun_link_tasks_started(node->link, pids);
}

static inline void rig_on_failed(void *ctx, const struct err *why)
{
    (void)ctx;
    ck_abort_msg("%s", why->text);
}

static inline void rig_on_signal(void *ctx, int signal)
{
    ((struct io_rig_node *)ctx)->last_signal = signal;
}

static inline void rig_on_window(void *ctx, uint32_t rows, uint32_t columns)
{
    (void)columns;
    ((struct io_rig_node *)ctx)->rows = rows;
}

static inline void rig_on_output(void *ctx, uint32_t task, uint32_t stream, const void *data,
                                 uint32_t n)
{
    (void)ctx;
    (void)task;
    (void)stream;
    (void)data;
    (void)n;
}

/* Relays are numbers of four bytes, which must come in order and but once from each node. */
static inline void rig_on_relay(void *ctx, uint32_t from, const void *bytes, size_t n)
{
    struct io_rig_node *node = ctx;
    uint32_t number;

    ck_assert_uint_eq(n, sizeof(number));
    memcpy(&number, bytes, sizeof(number));
    ck_assert_uint_eq(number, node->heard[from]);
    node->heard[from]++;
}

static inline void rig_on_done(void *ctx)
{
    ((struct io_rig_node *)ctx)->done = true;
}

static inline void rig_fill_body(struct io_rig *rig)
{
    struct launch_body *body = &rig->body;

    launch_body_init(body);
    body->job_id = 5;
    body->ntasks = rig->nodes_n * rig->tasks_n;
    for (uint32_t i = 0; i < rig->nodes_n; i++) {
        struct step_node *node = ARRAY_PUSH(body->nodes, body->nodes_n);

        step_node_init(node);
        node->name = xasprintf("tux%u", i);
        for (uint32_t k = 0; k < rig->tasks_n; k++)
            *ARRAY_PUSH(node->tasks, node->tasks_n) = i * rig->tasks_n + k;
    }
    *ARRAY_PUSH(body->io_addresses, body->io_addresses_n) =
        xasprintf("127.0.0.1:%u", io_server_port(rig->server));
    body->io_token.data = xmemdup(io_server_token(rig->server), IO_TOKEN_BYTES);
    body->io_token.n = IO_TOKEN_BYTES;
}

static inline void rig_start_node(struct io_rig *rig, uint32_t number, bool with_input)
{
    static const struct srun_link_callbacks callbacks = { .on_connected = rig_on_connected,
                                                          .on_failed = rig_on_failed,
                                                          .on_signal = rig_on_signal,
                                                          .on_window = rig_on_window,
                                                          .on_output = rig_on_output,
                                                          .on_relay = rig_on_relay,
                                                          .on_done = rig_on_done };
    struct io_rig_node *node = &rig->nodes[number];
    const struct srun_link_options options = { .cluster = "rig",
                                               .authc = { .socket_path = rig->socket },
                                               .body = &rig->body,
                                               .node_index = number,
                                               .controller = "" };

    node->rig = rig;
    node->number = number;
    node->link = srun_link_new(rig->base, &options, &callbacks, node);
    for (uint32_t i = 0; i < rig->tasks_n; i++) {
        int out[2], in[2];

        ck_assert_int_eq(pipe2(out, O_CLOEXEC), 0);
        ck_assert_int_eq(pipe2(in, O_CLOEXEC | O_NONBLOCK), 0);
        srun_link_add_output(node->link, rig->body.nodes[number].tasks[i], IO_STDOUT, out[0]);
        node->out[i] = out[1];
        node->in[i] = in[0];
        if (with_input)
            srun_link_add_input(node->link, i, in[1], false);
        else
            close(in[1]);
    }
}

static inline void rig_on_deadline(evutil_socket_t fd, short what, void *ctx)
{
    (void)fd;
    (void)what;
    (void)ctx;
    ck_abort_msg("the test does not come to an end");
}

static inline void io_rig_open(struct io_rig *rig, uint32_t nodes_n, uint32_t tasks_n)
{
    const struct io_server_callbacks callbacks = { .on_started = rig_on_started,
                                                   .on_exited = rig_on_exited,
                                                   .on_abort = rig_on_abort,
                                                   .on_connected = rig_ignore,
                                                   .on_closed = rig_ignore,
                                                   .on_refused = rig_on_refused };
    struct io_server_options options = { .cluster = "rig" };

    memset(rig, 0, sizeof(*rig));
    rig_start_authd(rig);
    rig->nodes_n = nodes_n;
    rig->tasks_n = tasks_n;
    rig->base = event_base_new();
    rig->deadline = evtimer_new(rig->base, rig_on_deadline, rig);
    event_add(rig->deadline, &(struct timeval){ 50, 0 });
    options.base = rig->base;
    options.authc.socket_path = rig->socket;
    ck_assert_int_eq(io_server_new(&options, &callbacks, rig, &rig->server, NULL), 0);
    rig_fill_body(rig);
    ck_assert_int_eq(pipe2(rig->sink, O_CLOEXEC), 0);
    ck_assert_int_eq(pipe2(rig->source, O_CLOEXEC), 0);
}

/* Starts both sides. */
static inline void io_rig_start(struct io_rig *rig, bool label, uint32_t stdin_task)
{
    const struct output_callbacks callbacks = { rig_on_consumed, rig_on_broken, rig_on_drained };
    const struct output_options options = { .base = rig->base,
                                            .out = { NULL, COUNT_UNSET },
                                            .err = { NULL, COUNT_UNSET },
                                            .label = label,
                                            .out_fd = rig->sink[1],
                                            .err_fd = rig->sink[1] };
    bool with_input = stdin_task != COUNT_INFINITE;

    ck_assert_int_eq(output_new(&options, &callbacks, rig, &rig->output, NULL), 0);
    output_set_ntasks(rig->output, rig->body.ntasks);
    rig->input = with_input ? input_new(rig->base, rig->source[0], rig_on_input, rig) : NULL;
    io_server_start(rig->server, rig->output, rig->input, stdin_task, rig->body.nodes,
                    rig->body.nodes_n);
    for (uint32_t i = 0; i < rig->nodes_n; i++)
        rig_start_node(rig, i, with_input);
}

/* Turns the loop once; waits for something to happen. */
static inline void io_rig_turn(struct io_rig *rig)
{
    event_base_loop(rig->base, EVLOOP_ONCE);
}

/* Every task ends, as tasks do: its pipe closes, then its exit is known. */
static inline void io_rig_end_node(struct io_rig_node *node, int status)
{
    for (uint32_t i = 0; i < node->rig->tasks_n; i++) {
        if (node->out[i] >= 0)
            close(node->out[i]);
        node->out[i] = -1;
        srun_link_task_exited(node->link, i, status, false);
    }
    srun_link_finish(node->link);
}

/* Cuts every TCP connection to srun's port, as a broken network does. */
static inline uint32_t io_rig_cut(const struct io_rig *rig)
{
    uint32_t n = 0;

    for (int fd = 3; fd < 1024; fd++) {
        struct sockaddr_storage peer = { 0 };
        socklen_t length = sizeof(peer);

        if (getpeername(fd, (struct sockaddr *)&peer, &length) == 0 && peer.ss_family == AF_INET &&
            ntohs(((struct sockaddr_in *)(void *)&peer)->sin_port) == io_server_port(rig->server) &&
            shutdown(fd, SHUT_RDWR) == 0)
            n++;
    }
    return n;
}

static inline void io_rig_stop_authd(struct io_rig *rig)
{
    if (rig->authd == 0)
        return;
    kill(rig->authd, SIGTERM);
    waitpid(rig->authd, NULL, 0);
    rig->authd = 0;
}

static inline void io_rig_close(struct io_rig *rig)
{
    AUTO_FREE char *clean = xasprintf("rm -r '%s'", rig->dir);

    for (uint32_t i = 0; i < rig->nodes_n; i++) {
        srun_link_free(rig->nodes[i].link);
        for (uint32_t k = 0; rig->nodes[i].rig && k < rig->tasks_n; k++) {
            if (rig->nodes[i].out[k] >= 0)
                close(rig->nodes[i].out[k]);
            close(rig->nodes[i].in[k]);
        }
    }
    io_server_free(rig->server);
    output_free(rig->output);
    input_free(rig->input);
    for (int i = 0; i < 2; i++) {
        if (rig->sink[i] >= 0)
            close(rig->sink[i]);
        if (rig->source[i] >= 0)
            close(rig->source[i]);
    }
    launch_body_clear(&rig->body);
    event_free(rig->deadline);
    event_base_free(rig->base);
    io_rig_stop_authd(rig);
    ck_assert_int_eq(system(clean), 0);
    free(rig->socket);
}
