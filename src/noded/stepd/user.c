#include "noded/stepd/user_inside.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "noded/stepd/become.h"
#include "noded/stepd/script.h"
#include "noded/stepd/spool.h"

#define OPEN_AGAIN_MS 50 /* between tries of a file whose directory is not there yet */

uint32_t user_node_index(const struct user *user)
{
    return user->launch->cred->node_index;
}

const struct step_node *user_here(const struct user *user)
{
    return &user->body.nodes[user_node_index(user)];
}

void user_tell(const struct user *user, const struct frame *frame)
{
    (void)frame_send_waiting(user->pair_fd, frame); /* on_pair sees when the parent is gone */
}

void user_tell_text(const struct user *user, enum frame_kind kind, int code, const char *text)
{
    struct frame frame = { .kind = kind, .code = code };

    memcpy(frame.text, text, strnlen(text, sizeof(frame.text) - 1)); /* cut, and ended by zero */
    user_tell(user, &frame);
}

/* Writes and never waits: a FIFO may be full, and its reader not read. The tasks' own writes do
 * wait. */
static ssize_t write_words(int fd, const char *lines)
{
    struct stat status;
    AUTO_CLOSE int own = -1;
    char path[32];

    if (fstat(fd, &status) < 0 || !S_ISFIFO(status.st_mode))
        return write(fd, lines, strlen(lines));
    snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
    own = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
    return own < 0 ? -1 : write(own, lines, strlen(lines));
}

void user_say(struct user *user, const char *lines)
{
    int fd = user->streams_are_open ? streams_error_file(&user->streams, &user->body) : -1;

    if (fd >= 0) {
        if (write_words(fd, lines) < 0)
            user_tell_text(user, FRAME_LOG, errno, lines);
    } else if (user->srun) {
        srun_link_say(user->srun, lines);
        visitors_output(user->visitors, COUNT_UNSET, IO_STDERR, lines, (uint32_t)strlen(lines));
    } else {
        strbuf_adds(&user->unsaid, lines);
    }
}

static void leave_loop(void *ctx)
{
    struct user *user = ctx;

    user->over = true;
    event_base_loopbreak(user->base);
}

void user_stop(struct user *user)
{
    visitors_finish(user->visitors, leave_loop, user);
}

void user_fail(struct user *user, const struct err *err)
{
    user_tell_text(user, FRAME_FAILED, err->code, err->text);
    user_stop(user);
}

/* ---- the parent ---- */

/* Says "*** JOB 12 ON tux1 CANCELLED AT 2026-11-20T20:37:00 ***", which people and scripts look
 * for. As in Slurm the first node says it for all. */
static void say_end(struct user *user, const char *reason)
{
    char title[SPOOL_NAME_MAX];
    bool batch = user->body.step_id == STEP_BATCH;

    step_title(user->body.job_id, user->body.step_id, title);
    if (batch)
        snprintf(title, sizeof(title), "%u", user->body.job_id);
    AUTO_FREE char *line = xasprintf("slurmstepd: error: *** %s %s ON %s %s ***\n",
                                     batch ? "JOB" : "STEP", title, user_here(user)->name, reason);
    user_say(user, line);
}

/* Ends the step: the parent signals the tasks, and if there are none yet, there shall be none. */
static void on_end(struct user *user, const char *reason)
{
    struct err err = { 0 };
    const char *lacks = user->lacks;

    user->ending = true;
    if (reason[0] && user_node_index(user) == 0)
        say_end(user, reason);
    if (user->srun)
        srun_link_hurry(user->srun);
    if (user->streams_are_open)
        return;
    if (*lacks)
        err_set(&err, ECANCELED, "the step was ended while it tried: %s", lacks);
    else
        err_set(&err, ECANCELED, "the step was ended before it reached its srun");
    user_fail(user, &err);
}

void user_take_frames(struct user *user)
{
    struct frame frame;
    int rc, visitor;

    while ((rc = frame_receive_fd(user->pair_fd, &frame, &visitor)) > 0) {
        if (visitor >= 0)
            visitors_take(user->visitors, visitor);
        if (frame.kind == FRAME_SIGNAL_TASKS)
            user_signal_tasks(user, frame.number);
        if (frame.kind == FRAME_SAY) {
            AUTO_FREE char *words = xasprintf("%s%s", frame.text, frame.number ? "\n" : "");

            user_say(user, words);
        }
        if (frame.kind == FRAME_END)
            on_end(user, frame.text);
    }
    if (rc < 0) { /* without its parent nobody would clean up after the step */
        user_signal_tasks(user, SIGKILL);
        user_stop(user);
    }
}

static void on_pair(evutil_socket_t fd, short what, void *arg)
{
    (void)fd;
    (void)what;
    user_take_frames(arg);
}

/* ---- srun ---- */

static void on_connected(void *ctx, const char *host, uint16_t port)
{
    struct user *user = ctx;

    user->launcher_host = xstrdup(host);
    user->env_node.launcher_host = user->launcher_host;
    user->env_node.launcher_port = port;
    user_start_tasks(user);
}

static void on_failed(void *ctx, const struct err *why)
{
    user_fail(ctx, why);
}

static void on_signal(void *ctx, int signal)
{
    if (signal > 0 && signal < NSIG)
        user_tell(ctx, &(struct frame){ .kind = FRAME_RAISE, .number = signal });
}

static void on_window(void *ctx, uint32_t rows, uint32_t columns)
{
    struct user *user = ctx;
    struct winsize size = { .ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns };

    if (user->streams.terminal_fd >= 0 && user->running_n)
        (void)ioctl(user->streams.terminal_fd, TIOCSWINSZ, &size);
}

static void on_output(void *ctx, uint32_t task, uint32_t stream, const void *data, uint32_t n)
{
    struct user *user = ctx;

    visitors_output(user->visitors, task, stream, data, n);
}

static void on_guest_room(void *ctx)
{
    struct user *user = ctx;

    visitors_go_on(user->visitors);
}

static void on_done(void *ctx)
{
    user_stop(ctx);
}

static const struct srun_link_callbacks srun_link_callbacks = {
    .on_connected = on_connected,
    .on_failed = on_failed,
    .on_signal = on_signal,
    .on_window = on_window,
    .on_output = on_output,
    .on_guest_room = on_guest_room,
    .on_relay = user_on_relay,
    .on_done = on_done,
};

static void dial_srun(struct user *user)
{
    struct srun_link_options options = {
        .cluster = user->launch->cred->cluster,
        .authc = user->launch->authc,
        .clock = user->launch->clock,
        .body = &user->body,
        .node_index = user_node_index(user),
        .controller = user->launch->controller,
    };

    user->srun = srun_link_new(user->base, &options, &srun_link_callbacks, user);
}

/* ---- files ---- */

/* Tries again later. The log has the first reason; others of the step's loop go on meanwhile. */
static void try_again(struct user *user, bool is_first)
{
    const struct timeval wait = { 0, OPEN_AGAIN_MS * 1000 };

    if (is_first) {
        AUTO_FREE char *words = xasprintf("%s; trying again", user->lacks);

        user_tell_text(user, FRAME_LOG, 0, words);
    }
    evtimer_add(user->open_event, &wait);
}

static void begin(struct user *user)
{
    const bool is_first = !user->lacks[0];
    struct err err = { 0 };
    const int rc = user_open_files(user, &err);

    if (rc > 0) {
        try_again(user, is_first);
        return;
    }
    user->lacks[0] = '\0';
    if (rc < 0)
        user_fail(user, &err);
    else if (streams_need_srun(&user->body))
        dial_srun(user);
    else
        user_start_tasks(user);
}

static void on_open_again(evutil_socket_t fd, short what, void *arg)
{
    struct user *user = arg;

    (void)fd;
    (void)what;
    if (!user->ending)
        begin(user);
}

/* ---- visitors ---- */

static int on_input(void *ctx, uint32_t task, const void *data, uint32_t n, struct err *err)
{
    struct user *user = ctx;

    return user->srun ? srun_link_guest_input(user->srun, task, data, n, err) : 0;
}

static void receive_visitors(struct user *user)
{
    static const struct visitors_callbacks callbacks = { .on_look = user_look,
                                                         .on_input = on_input };
    const struct visitors_options options = {
        .cluster = user->launch->cred->cluster,
        .slurm_uid = user->launch->slurm_uid,
        .authc = user->launch->authc,
        .clock = user->launch->clock,
    };

    user->visitors = visitors_new(user->base, &options, &callbacks, user);
}

/* ---- from root to the end ---- */

static void make_loop(struct user *user)
{
    sigset_t term;

    /*
     * When the machine goes down, everybody gets a TERM; who tells how the tasks ended has to wait
     * for them. Not ignored but blocked: so one that finds a task before its exec waits for it.
     */
    sigemptyset(&term);
    sigaddset(&term, SIGTERM);
    (void)sigprocmask(SIG_SETMASK, &term, NULL);
    (void)signal(SIGPIPE, SIG_IGN);
    user->base = event_base_new();
    user->child_event = evsignal_new(user->base, SIGCHLD, user_on_child, user);
    user->pair_event = event_new(user->base, user->pair_fd, EV_READ | EV_PERSIST, on_pair, user);
    user->wait_event = evtimer_new(user->base, user_on_wait_over, user);
    user->sample_event = evtimer_new(user->base, user_on_sample, user);
    user->open_event = evtimer_new(user->base, on_open_again, user);
    event_add(user->child_event, NULL);
    event_add(user->pair_event, NULL);
}

static int as_root_prepare(struct user *user, const struct cgroup *cgroup, struct err *err)
{
    const struct stepd_launch *launch = user->launch;
    int rc = 0, null = open("/dev/null", O_RDWR | O_CLOEXEC);

    for (int i = 0; null >= 0 && i < 3; i++) /* the daemon's stderr is not for users */
        (void)dup2(null, i);
    as_root_oom_unprotect();
    rc = cgroup_enter_own(cgroup, err);
    if (rc == 0 && launch->script_fd >= 0)
        rc = as_root_script_make(launch->spool_fd, launch->cred, &user->script_fd, err);
    if (rc == 0)
        rc = as_root_container_enter(launch->container, launch->cred, err);
    if (rc == 0)
        rc = as_root_become(launch->cred, err);
    return rc;
}

int user_main(const struct stepd_launch *launch, const struct cgroup *cgroup, int pair_fd)
{
    struct user user = { .launch = launch, .cgroup = cgroup, .pair_fd = pair_fd, .script_fd = -1 };
    struct err err = { 0 };

    launch_body_init(&user.body);
    if (as_root_prepare(&user, cgroup, &err) < 0) {
        user_tell_text(&user, FRAME_UNABLE, err.code, err.text);
        return EXIT_FAILURE;
    }
    if (user_set_up(&user, &err) < 0) {
        user_tell_text(&user, FRAME_FAILED, err.code, err.text);
        return EXIT_FAILURE;
    }
    make_loop(&user);
    receive_visitors(&user);
    begin(&user);
    if (!user.over)
        event_base_dispatch(user.base);
    streams_finish(&user.streams);
    mpi_free(user.mpi);
    return EXIT_SUCCESS; /* the process ends here, and with it all it holds */
}
