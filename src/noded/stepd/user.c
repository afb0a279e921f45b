#include "noded/stepd/user.h"

#include <errno.h>
#include <event2/event.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "noded/stepd/become.h"
#include "noded/stepd/frame.h"
#include "noded/stepd/payload.h"
#include "noded/stepd/script.h"
#include "noded/stepd/spool.h"
#include "noded/stepd/streams.h"
#include "noded/stepd/task.h"
#include "noded/stepd/usage.h"

#define WORK_DIR_ELSE "/tmp"
#define BODY_MAX      (1u << 20)
#define SAMPLE_MS     100 /* after the start; then twice as long each time */

struct user {
    const struct stepd_launch *launch;
    const struct cgroup *cgroup;
    int pair_fd;
    int script_fd; /* empty file for the script, made as root; -1: none */
    struct launch_body body;
    struct task_env env;
    struct task_env_node env_node;
    char *launcher_host;
    char *program; /* the script, or NULL: look for argv[0] */
    char **argv;
    struct streams streams;
    struct srun_link *srun; /* NULL: all streams are files */
    struct usage_task *tasks;
    uint32_t tasks_n, running_n;
    struct strbuf unsaid; /* lines for a stderr that is not open yet */
    bool streams_are_open;
    struct event_base *base;
    bool over; /* nothing is left to do, perhaps before the loop began */
    struct event *child_event, *pair_event, *wait_event, *sample_event;
    int64_t sample_ms; /* until the next look at the tasks */
};

static uint32_t cred_index(const struct user *user)
{
    return user->launch->cred->node_index;
}

static const struct step_node *here(const struct user *user)
{
    return &user->body.nodes[cred_index(user)];
}

static void tell(const struct user *user, const struct frame *frame)
{
    (void)frame_send_waiting(user->pair_fd, frame); /* on_pair sees when the parent is gone */
}

static void tell_text(const struct user *user, enum frame_kind kind, int code, const char *text)
{
    struct frame frame = { .kind = kind, .code = code };

    memcpy(frame.text, text, strnlen(text, sizeof(frame.text) - 1)); /* cut, and ended by zero */
    tell(user, &frame);
}

/* Whole lines for the step's stderr, wherever that leads. */
static void say(struct user *user, const char *lines)
{
    int fd = user->streams_are_open ? streams_error_file(&user->streams, &user->body) : -1;

    if (fd >= 0) {
        if (write(fd, lines, strlen(lines)) < 0)
            tell_text(user, FRAME_LOG, errno, lines);
    } else if (user->srun) {
        srun_link_say(user->srun, lines);
    } else {
        strbuf_adds(&user->unsaid, lines);
    }
}

/* ---- setting up, as the user ---- */

static int read_environment(struct user *user, struct err *err)
{
    AUTO(strbuf) struct strbuf blob = { 0 };
    int rc;

    if (user->body.environment_sha256.n == 0 && user->launch->environment_fd < 0)
        return 0;
    rc = payload_read(user->launch->environment_fd, "environment", &user->body.environment_sha256,
                      BLOB_MAX, &blob, err);
    if (rc == 0 && blob.len)
        task_env_add_blob(&user->env, blob.data, blob.len);
    return rc;
}

static int write_script(struct user *user, struct err *err)
{
    AUTO(strbuf) struct strbuf script = { 0 };
    AUTO_CLOSE int fd = steal_fd(&user->script_fd);
    int rc = payload_read(user->launch->script_fd, "script", &user->body.script_sha256, BLOB_MAX,
                          &script, err);

    if (rc < 0)
        return rc;
    for (size_t at = 0; at < script.len;) {
        ssize_t n = write(fd, script.data + at, script.len - at);

        if (n < 0)
            return err_set(err, errno, "cannot write the script: %s", strerror(errno));
        at += (size_t)n;
    }
    user->program = script_path(user->launch->spool_dir, user->body.job_id);
    return 0;
}

/* The command; for a batch step the script's path and its arguments. */
static int make_argv(struct user *user, struct err *err)
{
    const struct launch_body *body = &user->body;
    uint32_t n = 0;

    if (user->script_fd < 0 && body->argv_n == 0)
        return err_set(err, EINVAL, "no command to run");
    if (user->script_fd >= 0) {
        int rc = write_script(user, err);

        if (rc < 0)
            return rc;
    }
    user->argv = xcalloc((size_t)body->argv_n + 2, sizeof(*user->argv));
    if (user->program)
        user->argv[n++] = user->program;
    for (uint32_t i = 0; i < body->argv_n; i++)
        user->argv[n++] = body->argv[i];
    return 0;
}

static void enter_work_dir(struct user *user)
{
    const char *dir = user->body.work_dir;

    if (!dir || chdir(dir) == 0)
        return;
    AUTO_FREE char *line = xasprintf("slurmstepd: error: couldn't chdir to `%s': %s: going to %s "
                                     "instead\n",
                                     dir, strerror(errno), WORK_DIR_ELSE);
    say(user, line);
    if (chdir(WORK_DIR_ELSE) < 0)
        (void)chdir("/");
}

static void finish_environment(struct user *user)
{
    for (uint32_t i = 0; i < user->body.environment_n; i++)
        task_env_add(&user->env, user->body.environment[i]);
    user->env_node = (struct task_env_node){
        .body = &user->body,
        .node_index = user->launch->cred->node_index,
        .conf_path = user->launch->conf_path,
    };
}

static int read_orders(struct user *user, struct err *err)
{
    const struct launch_cred *cred = user->launch->cred;
    AUTO(strbuf) struct strbuf bytes = { 0 };
    int rc = payload_read(user->launch->body_fd, "launch body", &cred->body_sha256, BODY_MAX,
                          &bytes, err);

    if (rc == 0)
        rc = payload_decode_body(&bytes, cred, &user->body, err);
    if (rc == 0)
        rc = read_environment(user, err);
    if (rc == 0)
        rc = make_argv(user, err);
    return rc;
}

static int set_up(struct user *user, struct err *err)
{
    int rc = read_orders(user, err);

    if (rc < 0)
        return rc;
    finish_environment(user);
    (void)umask((mode_t)user->body.umask & 0777);
    enter_work_dir(user);
    task_limits_warn(user->body.limits, user->body.limits_n, &user->unsaid);
    rc = streams_open_files(&user->streams, &user->body, cred_index(user), err);
    user->tasks_n = here(user)->tasks_n;
    user->tasks = xcalloc(user->tasks_n, sizeof(*user->tasks));
    return rc;
}

/* ---- running ---- */

static void stop_loop(struct user *user)
{
    user->over = true;
    event_base_loopbreak(user->base);
}

static void fail(struct user *user, const struct err *err)
{
    tell_text(user, FRAME_FAILED, err->code, err->text);
    stop_loop(user);
}

static int start_task(struct user *user, uint32_t local, struct err *err)
{
    const struct stream_set *set = &user->streams.tasks[local];
    struct task_plan plan = {
        .program = user->program,
        .argv = user->argv,
        .environment = &user->env,
        .node = &user->env_node,
        .local = local,
        .in = set->in,
        .out = set->out,
        .err = set->err,
        .terminal = set->terminal,
    };
    pid_t pid = task_start(&plan, err);

    if (pid < 0)
        return (int)pid;
    usage_begin(&user->tasks[local], here(user)->tasks[local], pid);
    user->running_n++;
    return 0;
}

/* Short jobs are looked at too, and long ones are not disturbed. */
static void plan_sample(struct user *user)
{
    const int64_t most_ms = (int64_t)user->launch->sample_s * 1000;
    struct timeval wait;

    if (!most_ms)
        return;
    user->sample_ms = user->sample_ms ? user->sample_ms * 2 : SAMPLE_MS;
    if (user->sample_ms > most_ms)
        user->sample_ms = most_ms;
    wait = (struct timeval){ user->sample_ms / 1000, user->sample_ms % 1000 * 1000 };
    evtimer_add(user->sample_event, &wait);
}

static void on_sample(evutil_socket_t fd, short what, void *arg)
{
    struct user *user = arg;
    AUTO_FREE pid_t *pids = NULL;
    int n = cgroup_members(user->cgroup, &pids);

    (void)fd;
    (void)what;
    usage_sample(user->tasks, user->tasks_n, pids, n > 0 ? (uint32_t)n : 0);
    tell(user, &(struct frame){ .kind = FRAME_SAMPLED });
    if (user->running_n)
        plan_sample(user);
}

static void say_started(struct user *user)
{
    AUTO_FREE uint32_t *pids = xcalloc(user->tasks_n, sizeof(*pids));

    for (uint32_t i = 0; i < user->tasks_n; i++)
        pids[i] = (uint32_t)user->tasks[i].pid;
    tell(user, &(struct frame){ .kind = FRAME_STARTED });
    if (user->srun)
        srun_link_tasks_started(user->srun, pids);
}

static void start_tasks(struct user *user)
{
    struct err err = { 0 };
    int rc = 0;

    if (user->srun)
        rc = streams_open_srun(&user->streams, &user->body, cred_index(user), user->srun, &err);
    user->streams_are_open = true;
    if (user->unsaid.len)
        say(user, strbuf_text(&user->unsaid));
    task_env_set_node(&user->env, &user->env_node);
    for (uint32_t i = 0; i < user->tasks_n && rc == 0; i++)
        rc = start_task(user, i, &err);
    if (rc < 0) {
        fail(user, &err);
        return;
    }
    streams_close_tasks(&user->streams);
    say_started(user);
    plan_sample(user);
}

static void on_wait_over(evutil_socket_t fd, short what, void *arg)
{
    (void)fd;
    (void)what;
    tell_text(arg, FRAME_STOP, 0,
              "the first task ended, and the time to wait for the rest is over");
}

static void first_exit(struct user *user)
{
    struct timeval wait = { (time_t)user->body.wait_s, 0 };

    if (user->body.wait_s && user->running_n && !evtimer_pending(user->wait_event, NULL))
        evtimer_add(user->wait_event, &wait);
}

static void task_ended(struct user *user, uint32_t local, int status)
{
    struct frame frame = { .kind = FRAME_EXIT, .task = here(user)->tasks[local], .number = status };

    user->running_n--;
    tell(user, &frame);
    if (user->srun)
        srun_link_task_exited(user->srun, local, status);
    if (status != 0 && user->body.kill_on_bad_exit && user->running_n)
        tell_text(user, FRAME_STOP, 0, "a task failed, and --kill-on-bad-exit was asked for");
    first_exit(user);
    if (user->running_n)
        return;
    if (user->srun)
        srun_link_finish(user->srun);
    else
        stop_loop(user);
}

/* What /proc says of a task must be read while nobody has waited for it. */
static void take_task(struct user *user, uint32_t local)
{
    struct usage_task *task = &user->tasks[local];
    struct frame frame = { .kind = FRAME_USAGE };
    struct rusage rusage;
    int status;

    usage_take_files(task);
    if (wait4(task->pid, &status, WNOHANG, &rusage) != task->pid)
        return;
    usage_end(task, &rusage);
    frame.usage = task->usage;
    tell(user, &frame);
    task_ended(user, local, status);
}

static void on_child(evutil_socket_t fd, short what, void *arg)
{
    struct user *user = arg;
    siginfo_t info = { 0 };

    (void)fd;
    (void)what;
    while (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid > 0) {
        uint32_t local = usage_find(user->tasks, user->tasks_n, info.si_pid);

        if (local < user->tasks_n)
            take_task(user, local);
        else
            (void)waitpid(info.si_pid, NULL, WNOHANG);
        info.si_pid = 0;
    }
}

static void signal_tasks(const struct user *user, int signal)
{
    for (uint32_t i = 0; i < user->tasks_n; i++) {
        if (user->tasks[i].pid)
            (void)kill(user->tasks[i].pid, signal);
    }
}

/* "*** JOB 12 ON tux1 CANCELLED AT 2026-11-20T20:37:00 ***", which people and scripts look for. */
static void say_end(struct user *user, const char *reason)
{
    char title[SPOOL_NAME_MAX];
    bool batch = user->body.step_id == STEP_BATCH;

    step_title(user->body.job_id, user->body.step_id, title);
    if (batch)
        snprintf(title, sizeof(title), "%u", user->body.job_id);
    AUTO_FREE char *line = xasprintf("slurmstepd: error: *** %s %s ON %s %s ***\n",
                                     batch ? "JOB" : "STEP", title, here(user)->name, reason);
    say(user, line);
}

static void on_pair(evutil_socket_t fd, short what, void *arg)
{
    struct user *user = arg;
    struct frame frame;
    int rc;

    (void)what;
    while ((rc = frame_receive(fd, &frame)) > 0) {
        if (frame.kind == FRAME_SIGNAL_TASKS)
            signal_tasks(user, frame.number);
        if (frame.kind != FRAME_END)
            continue;
        if (frame.text[0])
            say_end(user, frame.text);
        if (user->srun)
            srun_link_hurry(user->srun);
    }
    if (rc < 0) { /* without its parent nobody would clean up after the step */
        signal_tasks(user, SIGKILL);
        stop_loop(user);
    }
}

/* ---- srun ---- */

static void on_connected(void *ctx, const char *host, uint16_t port)
{
    struct user *user = ctx;

    user->launcher_host = xstrdup(host);
    user->env_node.launcher_host = user->launcher_host;
    user->env_node.launcher_port = port;
    start_tasks(user);
}

static void on_failed(void *ctx, const struct err *why)
{
    fail(ctx, why);
}

static void on_signal(void *ctx, int signal)
{
    if (signal > 0 && signal < NSIG)
        tell(ctx, &(struct frame){ .kind = FRAME_RAISE, .number = signal });
}

static void on_window(void *ctx, uint32_t rows, uint32_t columns)
{
    struct user *user = ctx;
    struct winsize size = { .ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns };

    if (user->streams.terminal_fd >= 0 && user->running_n)
        (void)ioctl(user->streams.terminal_fd, TIOCSWINSZ, &size);
}

static void on_done(void *ctx)
{
    stop_loop(ctx);
}

static const struct srun_link_callbacks srun_link_callbacks = {
    .on_connected = on_connected,
    .on_failed = on_failed,
    .on_signal = on_signal,
    .on_window = on_window,
    .on_done = on_done,
};

static void dial_srun(struct user *user)
{
    struct srun_link_options options = {
        .cluster = user->launch->cred->cluster,
        .authc = user->launch->authc,
        .clock = user->launch->clock,
        .body = &user->body,
        .node_index = cred_index(user),
        .controller = user->launch->controller,
    };

    user->srun = srun_link_new(user->base, &options, &srun_link_callbacks, user);
}

/* ---- from root to the end ---- */

static void make_loop(struct user *user)
{
    sigset_t none;

    sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
    (void)signal(SIGPIPE, SIG_IGN);
    user->base = event_base_new();
    user->child_event = evsignal_new(user->base, SIGCHLD, on_child, user);
    user->pair_event = event_new(user->base, user->pair_fd, EV_READ | EV_PERSIST, on_pair, user);
    user->wait_event = evtimer_new(user->base, on_wait_over, user);
    user->sample_event = evtimer_new(user->base, on_sample, user);
    event_add(user->child_event, NULL);
    event_add(user->pair_event, NULL);
}

static int as_root_prepare(struct user *user, const struct cgroup *cgroup, struct err *err)
{
    const struct stepd_launch *launch = user->launch;
    int rc = 0, null = open("/dev/null", O_RDWR | O_CLOEXEC);

    for (int i = 0; null >= 0 && i < 3; i++) /* the daemon's stderr is not for users */
        (void)dup2(null, i);
    if (cgroup_path(cgroup)[0])
        rc = cgroup_enter(cgroup, err);
    if (rc == 0 && launch->script_fd >= 0)
        rc = as_root_script_make(launch->spool_fd, launch->cred, &user->script_fd, err);
    if (rc == 0)
        rc = as_root_become(launch->cred, err);
    return rc;
}

int user_main(const struct stepd_launch *launch, const struct cgroup *cgroup, int pair_fd)
{
    struct user user = { .launch = launch, .cgroup = cgroup, .pair_fd = pair_fd, .script_fd = -1 };
    struct err err = { 0 };
    int rc = as_root_prepare(&user, cgroup, &err);

    launch_body_init(&user.body);
    if (rc == 0)
        rc = set_up(&user, &err);
    if (rc < 0) {
        tell_text(&user, FRAME_FAILED, err.code, err.text);
        return EXIT_FAILURE;
    }
    make_loop(&user);
    if (streams_need_srun(&user.body))
        dial_srun(&user);
    else
        start_tasks(&user);
    if (!user.over)
        event_base_dispatch(user.base);
    return EXIT_SUCCESS; /* the process ends here, and with it all it holds */
}
