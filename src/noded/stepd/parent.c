#include "noded/stepd/parent_inside.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/proc/signals.h"
#include "noded/stepd/ending.h"
#include "noded/stepd/pam.h"
#include "noded/stepd/script.h"
#include "noded/stepd/user.h"

enum { POLL_SIGNALS, POLL_PAIR, POLL_LISTEN, POLL_CALLERS, POLL_N = POLL_CALLERS + CALLERS_MAX };

/* ---- processes that ended ---- */

static void on_child_gone(struct parent *parent, int status)
{
    parent->child_gone = true;
    parent->child_status = status;
    if (parent->pair_fd >= 0)
        parent_on_pair(parent); /* its last words */
    parent_start_killing(parent);
    parent->was_empty = false; /* it may have started somebody since */
    parent->again_at_ms = clock_mono_ms();
}

/* Waits for the child, and for whoever lost its parent: this process is their reaper. */
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
        parent_on_pair(parent);
    if (polls[POLL_SIGNALS].revents)
        reap(parent);
    if (polls[POLL_LISTEN].revents)
        parent_on_call(parent);
    for (uint32_t i = 0; i < CALLERS_MAX; i++) {
        if (polls[POLL_CALLERS + i].revents && parent->callers[i])
            parent_on_caller(parent, &parent->callers[i]);
    }
    if (parent->kill_at_ms && clock_mono_ms() >= parent->kill_at_ms)
        parent_start_killing(parent);
    if (parent->killing && wait_ms(parent) == 0)
        parent_kill_round(parent);
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
    parent_set_failed(parent, ECHILD, text);
}

static void finish(struct parent *parent)
{
    AUTO(strbuf) struct strbuf ending = { 0 };
    struct err err = { 0 };

    parent->pam = as_root_pam_close(parent->pam);
    set_result(parent);
    if (parent->launch->script_fd >= 0)
        as_root_script_remove(parent->launch->spool_fd, parent->launch->cred->job_id);
    if (spool_write_result(parent->launch->record_fd, &parent->report, &err) < 0)
        log_error(parent->log, "step %s: %s", parent->title, err.text);
    parent_on_call(parent); /* who called meanwhile may get the socket */
    step_ending_format(&parent->report, &ending);
    log_info(parent->log, "step %s: ended: %s", parent->title, strbuf_text(&ending));
    if (parent->cgroup && cgroup_remove(parent->cgroup) < 0)
        log_error(parent->log, "step %s: cannot remove cgroup %s", parent->title,
                  cgroup_path(parent->cgroup));
    parent_hang_up(parent); /* nobody has to wait until the kernel has taken this process apart */
}

/* Bounds the step. One that the kernel does not bound as asked runs all the same, and the log has
 * why. */
static void bound(const struct parent *parent)
{
    AUTO(strbuf) struct strbuf lines = { 0 };

    bounds_apply(parent->launch->bounds, parent->launch->cgroups, parent->cgroup,
                 parent->launch->cred, &lines);
    if (lines.len)
        log_error(parent->log, "step %s: %s", parent->title, strbuf_text(&lines));
    if (parent->launch->cred->oom_kill_step)
        (void)cgroup_kill_together(parent->cgroup); /* else parent_check_oom comes later */
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
        rc = cgroup_enter_system(parent->cgroup, err);
    if (rc == 0)
        rc = cgroup_open_tasks(parent->cgroup, cred->tasks_n, err);
    if (rc == 0)
        bound(parent);
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
        log_free(parent->log); /* root's; what the user's side has to say the parent writes */
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
    signals_but_faults(&all); /* a daemon's end or reload is no business of a running step */
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
    rc = cgroup_root_heal(launch->cgroups, &err);
    if (rc == 0)
        rc = watch_children(&parent, &err);
    if (rc == 0)
        rc = make_cgroup(&parent, &err);
    if (rc == 0)
        rc = as_root_container_make(launch->container, launch->cred, &err);
    if (rc == 0 && launch->use_pam)
        rc = as_root_pam_open(launch->cred->user_name, &parent.pam, &err);
    if (rc == 0)
        rc = start_child(&parent, &err);
    if (rc < 0) {
        parent.report.by_node = true;
        parent_set_failed(&parent, err.code, err.text);
    } else
        log_info(log, "step %s: begins for uid %u, with %u task%s here", parent.title,
                 launch->cred->uid, launch->cred->tasks_n, launch->cred->tasks_n == 1 ? "" : "s");
    while (rc == 0 && !is_over(&parent))
        turn(&parent);
    finish(&parent);
    return rc == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
