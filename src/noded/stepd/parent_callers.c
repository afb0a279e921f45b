/* Serves the monitor, or who else is root here, through the step's control socket. */
#include "noded/stepd/parent_inside.h"

#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "common/msg/job.h"

/* Signals all. What is frozen hears of nothing before it is thawed; on v1 not even of KILL. */
static void signal_all(struct parent *parent, int number)
{
    if (number == SIGSTOP || number == SIGCONT) {
        cgroup_freeze(parent->cgroup, number == SIGSTOP, parent->child);
        return;
    }
    (void)cgroup_signal(parent->cgroup, number, parent->child);
    if (number == SIGKILL)
        cgroup_freeze(parent->cgroup, false, parent->child);
}

static void on_signal(struct parent *parent, const struct priv_signal *signal)
{
    const struct frame tasks = { .kind = FRAME_SIGNAL_TASKS, .number = (int32_t)signal->signal };

    if (signal->signal == 0 || signal->signal >= NSIG)
        return;
    log_verbose(parent->log, "step %s: signal %u%s", parent->title, signal->signal,
                signal->flags & SIGNAL_BATCH_ONLY ? " to the batch shell" : "");
    if (signal->flags & SIGNAL_BATCH_ONLY)
        (void)frame_send(parent->pair_fd, &tasks);
    else
        signal_all(parent, (int)signal->signal);
}

void parent_say(const struct parent *parent, const char *lines)
{
    struct frame frame = { .kind = FRAME_SAY };

    while (*lines) {
        const size_t length = strcspn(lines, "\n");
        const bool ends = length < sizeof(frame.text);
        const size_t n = ends ? length : sizeof(frame.text) - 1;

        snprintf(frame.text, sizeof(frame.text), "%.*s", (int)n, lines);
        frame.number = ends;
        (void)frame_send(parent->pair_fd, &frame); /* only words */
        lines += n + (lines[n] == '\n');
    }
}

static void on_verb(struct parent *parent, const struct priv_msg *msg)
{
    struct priv_signal signal;
    struct priv_end end;
    struct priv_say words;

    if (msg->verb == PRIV_SAY && priv_say_decode(msg, &words, NULL) == 0) {
        AUTO_FREE char *line = xasprintf("slurmstepd: error: %s\n", words.text);

        parent_say(parent, line);
    }
    if (msg->verb == PRIV_END && priv_end_decode(msg, &end, NULL) == 0)
        parent_end_step(parent, end.kill_wait_s, end.reason);
    if (msg->verb == PRIV_LOG)
        (void)log_use(parent->log, msg->fds[0], NULL); /* else it goes on where it did */
    if (msg->verb == PRIV_CONNECT)
        (void)frame_send_fd(parent->pair_fd, &(struct frame){ .kind = FRAME_VISIT }, msg->fds[0]);
    if (msg->verb != PRIV_SIGNAL)
        return;
    signal = priv_signal_decode(msg);
    on_signal(parent, &signal);
}

void parent_on_caller(struct parent *parent, struct priv_channel **caller)
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
        parent_send_report(parent, &parent->callers[i]);
        return;
    }
    close(fd);
}

void parent_on_call(struct parent *parent)
{
    int fd;

    while ((fd = accept4(parent->launch->listen_fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK)) >= 0)
        take_call(parent, fd);
}

/* Hands the socket back to one of the callers: who gets it is the only one who has it. */
static void hand_back_socket(struct parent *parent)
{
    const struct priv_msg msg = { .verb = PRIV_STEP_SOCKET,
                                  .fds_n = 1,
                                  .fds = { parent->launch->listen_fd } };

    for (uint32_t i = 0; i < CALLERS_MAX; i++) {
        if (parent->callers[i] && priv_send(parent->callers[i], &msg, NULL) == 0)
            break;
    }
}

void parent_hang_up(struct parent *parent)
{
    hand_back_socket(parent);
    close(parent->launch->listen_fd);
    for (uint32_t i = 0; i < CALLERS_MAX; i++)
        parent->callers[i] = priv_channel_free(parent->callers[i]);
}
