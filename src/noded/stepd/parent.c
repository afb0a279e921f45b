#include "noded/stepd/parent.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/msg/job.h"
#include "noded/priv/channel.h"
#include "noded/stepd/account.h"
#include "noded/stepd/script.h"
#include "noded/stepd/spool.h"
#include "noded/stepd/user.h"

#define CALLERS_MAX   4u  /* connections to the control socket */
#define KILL_AGAIN_MS 2   /* between rounds of killing, at first */
#define KILL_MOST_MS  200 /* and at most */
#define CHILD_GRACE_MS                                                                             \
    30000 /* for the user child of a step that was ended to give up its streams */
#define KILL_WAIT_MAX_S 86400u /* a longer one is a mistake */

enum { POLL_SIGNALS, POLL_PAIR, POLL_LISTEN, POLL_CALLERS, POLL_N = POLL_CALLERS + CALLERS_MAX };

struct parent {
    const struct stepd_launch *launch;
    struct log *log;
    struct cgroup *cgroup;
    char title[SPOOL_NAME_MAX];
    pid_t child;
    int child_status;
    bool child_gone;
    int pair_fd, signal_fd;
    struct priv_channel *callers[CALLERS_MAX];
    struct step_report report; /* as it is now */
    struct account account;
    bool killing;    /* until nobody is left */
    bool was_empty;  /* the last round of killing found nobody */
    bool all_reaped; /* no process is left to wait for */
    int kill_pause_ms;
    int64_t kill_at_ms;       /* when killing begins, 0: not planned */
    int64_t child_kill_at_ms; /* when the child's time is over too, 0: it has all it wants */
    int64_t again_at_ms;      /* next round of killing */
};

/* ---- reports ---- */

static void send_report(struct parent *parent, struct priv_channel **caller)
{
    AUTO(strbuf) struct strbuf bytes = { 0 };
    struct priv_msg msg = { .verb = PRIV_STEP_REPORT };

    schema_encode(step_report_schema(), &parent->report, &bytes);
    msg.bytes = (const uint8_t *)bytes.data;
    msg.bytes_n = (uint32_t)bytes.len;
    if (priv_send(*caller, &msg, NULL) < 0)
        *caller = priv_channel_free(*caller); /* it calls again when it wants to know */
}

static void send_reports(struct parent *parent)
{
    for (uint32_t i = 0; i < CALLERS_MAX; i++) {
        if (parent->callers[i])
            send_report(parent, &parent->callers[i]);
    }
}

static void set_failed(struct parent *parent, int code, const char *text)
{
    if (parent->report.code)
        return; /* the first trouble tells most */
    parent->report.code = code ? code : EIO;
    xstrset(&parent->report.error, text);
    log_error(parent->log, "step %s: %s", parent->title, text);
}

/* ---- ending ---- */

static void start_killing(struct parent *parent)
{
    if (parent->killing)
        return;
    parent->killing = true;
    parent->kill_at_ms = 0;
    parent->kill_pause_ms = KILL_AGAIN_MS;
    parent->again_at_ms = clock_mono_ms();
}

static void end_step(struct parent *parent, uint32_t kill_wait_s, const char *reason)
{
    struct frame frame = { .kind = FRAME_END };
    uint32_t wait_s = kill_wait_s < KILL_WAIT_MAX_S ? kill_wait_s : KILL_WAIT_MAX_S;
    int64_t kill_at_ms = clock_mono_ms() + (int64_t)wait_s * 1000;

    log_info(parent->log, "step %s: ends%s%s, KILL after %u s", parent->title, *reason ? ": " : "",
             reason, wait_s);
    snprintf(frame.text, sizeof(frame.text), "%s", reason);
    (void)frame_send(parent->pair_fd, &frame); /* only words */
    parent->child_kill_at_ms = kill_at_ms + CHILD_GRACE_MS;
    if (wait_s == 0) {
        start_killing(parent);
        return;
    }
    if (!parent->kill_at_ms || kill_at_ms < parent->kill_at_ms)
        parent->kill_at_ms = kill_at_ms;
    (void)cgroup_signal(parent->cgroup, SIGCONT, parent->child);
    (void)cgroup_signal(parent->cgroup, SIGTERM, parent->child);
}

/* One round. Nobody but the child may be left, and it only as long as it delivers output. */
static void kill_round(struct parent *parent)
{
    int64_t now = clock_mono_ms();
    bool child_too = parent->child_kill_at_ms && now >= parent->child_kill_at_ms;
    pid_t except = parent->child_gone || child_too ? 0 : parent->child;

    parent->was_empty = cgroup_kill(parent->cgroup, except) == 0;
    parent->again_at_ms = now + parent->kill_pause_ms;
    if (parent->kill_pause_ms < KILL_MOST_MS)
        parent->kill_pause_ms *= 2;
}

/* ---- what the child says ---- */

static bool has_exit(const struct parent *parent, uint32_t task)
{
    for (uint32_t i = 0; i < parent->report.exits_n; i++) {
        if (parent->report.exits[i].task == task)
            return true;
    }
    return false;
}

static void on_exit_frame(struct parent *parent, const struct frame *frame)
{
    uint32_t tasks_n = parent->launch->cred->tasks_n;

    if (parent->report.exits_n == tasks_n || has_exit(parent, frame->task))
        return;
    struct task_exit *exit = ARRAY_PUSH(parent->report.exits, parent->report.exits_n);
    *exit = (struct task_exit){ .task = frame->task, .status = frame->number };
    if (parent->report.exits_n == tasks_n)
        start_killing(parent); /* what the tasks left behind */
}

static void on_started(struct parent *parent)
{
    if (parent->report.state != HELD_STARTING)
        return;
    parent->report.state = HELD_RUNNING;
    send_reports(parent);
}

static void on_raise(struct parent *parent, const struct frame *frame)
{
    if (frame->number > 0 && frame->number < NSIG)
        (void)cgroup_signal(parent->cgroup, frame->number, parent->child);
}

static void on_frame(struct parent *parent, const struct frame *frame)
{
    switch (frame->kind) {
    case FRAME_STARTED:
        on_started(parent);
        break;
    case FRAME_FAILED:
        set_failed(parent, frame->code, frame->text);
        break;
    case FRAME_SAMPLED:
        account_sample(&parent->account, parent->cgroup);
        break;
    case FRAME_USAGE:
        account_add_task(&parent->report, &frame->usage, parent->launch->cred->tasks_n);
        break;
    case FRAME_EXIT:
        on_exit_frame(parent, frame);
        break;
    case FRAME_RAISE:
        on_raise(parent, frame);
        break;
    case FRAME_STOP:
        if (!parent->kill_at_ms && !parent->killing)
            end_step(parent, parent->launch->cred->kill_wait_s, "");
        break;
    case FRAME_LOG:
        log_info(parent->log, "step %s: %s", parent->title, frame->text);
        break;
    default: /* a frame that only the parent sends */
        start_killing(parent);
        break;
    }
}

static void on_pair(struct parent *parent)
{
    struct frame frame;
    int rc;

    while ((rc = frame_receive(parent->pair_fd, &frame)) > 0)
        on_frame(parent, &frame);
    if (rc == -E_PROTO && !parent->child_gone)
        (void)kill(parent->child, SIGKILL); /* it is no longer ours */
    if (rc < 0) {
        close(parent->pair_fd);
        parent->pair_fd = -1;
    }
}

/* ---- processes that ended ---- */

static void on_child_gone(struct parent *parent, int status)
{
    parent->child_gone = true;
    parent->child_status = status;
    if (parent->pair_fd >= 0)
        on_pair(parent); /* its last words */
    start_killing(parent);
    parent->was_empty = false; /* it may have started somebody since */
    parent->again_at_ms = clock_mono_ms();
}

/* The child, and whoever lost its parent: this process is their reaper. */
static void reap(struct parent *parent)
{
    struct signalfd_siginfo info;
    struct rusage usage;
    int status;
    pid_t pid;

    while (read(parent->signal_fd, &info, sizeof(info)) > 0)
        ;
    while ((pid = wait4(-1, &status, WNOHANG, &usage)) > 0) {
        if (pid == parent->child) {
            on_child_gone(parent, status); /* its own time is not the job's */
            continue;
        }
        account_add_orphan(&parent->account, &usage);
        if (parent->killing)
            parent->again_at_ms = clock_mono_ms();
    }
    parent->all_reaped = pid < 0 && errno == ECHILD;
}

/* ---- the monitor ---- */

static void on_verb(struct parent *parent, const struct priv_msg *msg)
{
    struct priv_signal signal;
    struct priv_end end;

    if (msg->verb == PRIV_END && priv_end_decode(msg, &end, NULL) == 0)
        end_step(parent, end.kill_wait_s, end.reason);
    if (msg->verb != PRIV_SIGNAL)
        return;
    signal = priv_signal_decode(msg);
    if (signal.signal == 0 || signal.signal >= NSIG)
        return;
    if (signal.flags & SIGNAL_BATCH_ONLY)
        (void)frame_send(parent->pair_fd, &(struct frame){ .kind = FRAME_SIGNAL_TASKS,
                                                           .number = (int32_t)signal.signal });
    else
        (void)cgroup_signal(parent->cgroup, (int)signal.signal, parent->child);
}

static void on_caller(struct parent *parent, struct priv_channel **caller)
{
    struct priv_msg msg;
    struct err err = { 0 };
    int rc;

    while ((rc = priv_receive(*caller, PRIV_STEP, &msg, &err)) > 0) {
        on_verb(parent, &msg);
        priv_msg_close(&msg);
    }
    if (rc == -E_PROTO || rc == -E_TOO_BIG)
        log_error(parent->log, "step %s: control socket: %s", parent->title, err.text);
    if (rc < 0 || priv_channel_flush(*caller, NULL) < 0)
        *caller = priv_channel_free(*caller);
}

static bool is_own_user(int fd)
{
    struct ucred peer;
    socklen_t n = sizeof(peer);

    return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &n) == 0 && peer.uid == geteuid();
}

static void take_call(struct parent *parent, int fd)
{
    for (uint32_t i = 0; i < CALLERS_MAX && is_own_user(fd); i++) {
        if (parent->callers[i])
            continue;
        parent->callers[i] = priv_channel_new(fd);
        send_report(parent, &parent->callers[i]);
        return;
    }
    close(fd);
}

static void on_call(struct parent *parent)
{
    int fd;

    while ((fd = accept4(parent->launch->listen_fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK)) >= 0)
        take_call(parent, fd);
}

/* ---- the loop ---- */

static int wait_ms(const struct parent *parent)
{
    int64_t next = parent->killing ? parent->again_at_ms : parent->kill_at_ms;
    int64_t now = clock_mono_ms();

    /* With only the child left there is nothing to kill until its time is over. */
    if (parent->killing && parent->was_empty && !parent->child_gone)
        next = parent->child_kill_at_ms;
    if (next == 0)
        return -1;
    return next > now ? (int)(next - now) : 0;
}

static void set_polls(const struct parent *parent, struct pollfd polls[POLL_N])
{
    polls[POLL_SIGNALS] = (struct pollfd){ .fd = parent->signal_fd, .events = POLLIN };
    polls[POLL_PAIR] = (struct pollfd){ .fd = parent->pair_fd, .events = POLLIN };
    polls[POLL_LISTEN] = (struct pollfd){ .fd = parent->launch->listen_fd, .events = POLLIN };
    for (uint32_t i = 0; i < CALLERS_MAX; i++) {
        const struct priv_channel *caller = parent->callers[i];
        bool write = caller && priv_channel_wants_write(caller);

        polls[POLL_CALLERS + i] =
            (struct pollfd){ .fd = caller ? priv_channel_fd(caller) : -1,
                             .events = (short)(POLLIN | (write ? POLLOUT : 0)) };
    }
}

static void turn(struct parent *parent)
{
    struct pollfd polls[POLL_N];

    set_polls(parent, polls);
    if (poll(polls, POLL_N, wait_ms(parent)) < 0)
        return;
    if (polls[POLL_PAIR].revents)
        on_pair(parent);
    if (polls[POLL_SIGNALS].revents)
        reap(parent);
    if (polls[POLL_LISTEN].revents)
        on_call(parent);
    for (uint32_t i = 0; i < CALLERS_MAX; i++) {
        if (polls[POLL_CALLERS + i].revents && parent->callers[i])
            on_caller(parent, &parent->callers[i]);
    }
    if (parent->kill_at_ms && clock_mono_ms() >= parent->kill_at_ms)
        start_killing(parent);
    if (parent->killing && wait_ms(parent) == 0)
        kill_round(parent);
}

static bool is_over(const struct parent *parent)
{
    return parent->child_gone && parent->killing && parent->was_empty && parent->all_reaped;
}

/* ---- beginning and end ---- */

static void set_result(struct parent *parent)
{
    AUTO_FREE char *text = NULL;

    parent->report.state = HELD_ENDED;
    account_finish(&parent->account, parent->cgroup, &parent->report);
    if (parent->report.exits_n == parent->launch->cred->tasks_n || parent->report.code)
        return;
    text = WIFSIGNALED(parent->child_status)
               ? xasprintf("the step's user side was killed by signal %d",
                           WTERMSIG(parent->child_status))
               : xasprintf("the step's user side ended early, with status %d",
                           WEXITSTATUS(parent->child_status));
    set_failed(parent, ECHILD, text);
}

static void finish(struct parent *parent)
{
    struct err err = { 0 };

    set_result(parent);
    if (parent->launch->script_fd >= 0)
        as_root_script_remove(parent->launch->spool_fd, parent->launch->cred->job_id);
    if (spool_write_result(parent->launch->record_fd, &parent->report, &err) < 0)
        log_error(parent->log, "step %s: %s", parent->title, err.text);
    send_reports(parent);
    on_call(parent); /* who called meanwhile hears it too */
    log_info(parent->log, "step %s: ended", parent->title);
    if (parent->cgroup && cgroup_remove(parent->cgroup) < 0)
        log_error(parent->log, "step %s: cannot remove cgroup %s", parent->title,
                  cgroup_path(parent->cgroup));
}

static int make_cgroup(struct parent *parent, struct err *err)
{
    const struct launch_cred *cred = parent->launch->cred;
    char word[SPOOL_NAME_MAX];
    struct cgroup_name name = { cred->uid, cred->job_id, word };
    int rc;

    step_word(cred->step_id, word);
    rc = cgroup_make(parent->launch->cgroups, &name, getpid(), &parent->cgroup, err);
    if (rc == 0)
        rc = spool_write(parent->launch->record_fd, "cgroup", cgroup_path(parent->cgroup),
                         strlen(cgroup_path(parent->cgroup)), err);
    return rc;
}

static int start_child(struct parent *parent, struct err *err)
{
    int pair[2];

    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, pair) < 0)
        return err_set(err, errno, "cannot make a socket pair: %s", strerror(errno));
    parent->child = fork();
    if (parent->child == 0) {
        close(pair[0]);
        close(parent->signal_fd);
        close(parent->launch->listen_fd);
        (void)prctl(PR_SET_CHILD_SUBREAPER, 0);
        _exit(user_main(parent->launch, parent->cgroup, pair[1]));
    }
    close(pair[1]);
    parent->pair_fd = pair[0];
    return parent->child < 0 ? err_set(err, errno, "cannot fork: %s", strerror(errno)) : 0;
}

static int watch_children(struct parent *parent, struct err *err)
{
    sigset_t all, children;

    (void)prctl(PR_SET_CHILD_SUBREAPER, 1);
    sigfillset(&all); /* a daemon's end or reload is no business of a running step */
    (void)sigprocmask(SIG_SETMASK, &all, NULL);
    sigemptyset(&children);
    sigaddset(&children, SIGCHLD);
    parent->signal_fd = signalfd(-1, &children, SFD_CLOEXEC | SFD_NONBLOCK);
    if (parent->signal_fd < 0)
        return err_set(err, errno, "cannot watch processes: %s", strerror(errno));
    return 0;
}

static void init_report(struct parent *parent)
{
    const struct launch_cred *cred = parent->launch->cred;

    step_report_init(&parent->report);
    parent->report.job_id = cred->job_id;
    parent->report.step_id = cred->step_id;
    parent->report.launch_number = cred->launch_number;
    parent->report.state = HELD_STARTING;
}

int as_root_parent_main(const struct stepd_launch *launch, struct log *log)
{
    struct parent parent = { .launch = launch, .log = log, .pair_fd = -1, .signal_fd = -1 };
    struct err err = { 0 };
    int rc;

    step_title(launch->cred->job_id, launch->cred->step_id, parent.title);
    init_report(&parent);
    rc = watch_children(&parent, &err);
    if (rc == 0)
        rc = make_cgroup(&parent, &err);
    if (rc == 0)
        rc = start_child(&parent, &err);
    if (rc < 0)
        set_failed(&parent, err.code, err.text);
    while (rc == 0 && !is_over(&parent))
        turn(&parent);
    finish(&parent);
    return rc == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
