/* Reads what the user child says: hostile input, in frames of one size. */
#include "noded/stepd/parent_inside.h"

#include <errno.h>
#include <unistd.h>

#include "noded/stepd/ending.h"

static bool has_exit(const struct parent *parent, uint32_t task)
{
    for (uint32_t i = 0; i < parent->report.exits_n; i++) {
        if (parent->report.exits[i].task == task)
            return true;
    }
    return false;
}

static void tell_exit(const struct parent *parent, const struct frame *frame)
{
    AUTO(strbuf) struct strbuf ending = { 0 };

    task_ending_format(frame->number, &ending);
    log_verbose(parent->log, "step %s: task %u (pid %d) ended: %s", parent->title, frame->task,
                frame->code, strbuf_text(&ending));
}

static void on_exit_frame(struct parent *parent, const struct frame *frame)
{
    uint32_t tasks_n = parent->launch->cred->tasks_n;

    if (parent->report.exits_n == tasks_n || has_exit(parent, frame->task))
        return;
    struct task_exit *exit = ARRAY_PUSH(parent->report.exits, parent->report.exits_n);
    *exit = (struct task_exit){ .task = frame->task, .status = frame->number };
    tell_exit(parent, frame);
    if (parent->report.exits_n == tasks_n)
        parent_start_killing(parent); /* what the tasks left behind */
    else
        parent_check_oom(parent);
}

static void on_started(struct parent *parent)
{
    if (parent->report.state != HELD_STARTING)
        return;
    parent->report.state = HELD_RUNNING;
    log_verbose(parent->log, "step %s: its tasks run", parent->title);
    parent_send_reports(parent);
}

/* Takes the failure. E_SPOOL becomes EIO: for that the node is taken out of service, which is not
 * for a user's process to say. */
static void on_failed(struct parent *parent, const struct frame *frame)
{
    parent_set_failed(parent, frame->code == E_SPOOL ? EIO : frame->code, frame->text);
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
        on_failed(parent, frame);
        break;
    case FRAME_UNABLE:
        parent->report.by_node = parent->report.code == 0;
        on_failed(parent, frame);
        break;
    case FRAME_SAMPLED:
        parent_on_sampled(parent);
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
            parent_end_step(parent, parent->launch->cred->kill_wait_s, "");
        break;
    case FRAME_LOG:
        log_info(parent->log, "step %s: %s", parent->title, frame->text);
        break;
    default: /* a frame that only the parent sends */
        parent_start_killing(parent);
        break;
    }
}

void parent_on_pair(struct parent *parent)
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
