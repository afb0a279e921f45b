/*
 * parent_inside.h - what the parts of the root parent share. Private to parent*.c.
 */
#pragma once

#include <signal.h>

#include "noded/priv/channel.h"
#include "noded/stepd/account.h"
#include "noded/stepd/parent.h"
#include "noded/stepd/spool.h"

#define CALLERS_MAX 4u /* connections to the control socket */

struct parent {
    const struct stepd_launch *launch;
    struct log *log;
    struct cgroup *cgroup;
    struct pam *pam; /* NULL: no session */
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

/* parent_report.c: what callers hear. */
void parent_send_report(struct parent *parent, struct priv_channel **caller);
void parent_send_reports(struct parent *parent);

/* Notes that the step could not be started, or lost its user side. The first trouble is the one
 * told. */
void parent_set_failed(struct parent *parent, int code, const char *text);

/* parent_callers.c: whole lines for the stderr of the step. */
void parent_say(const struct parent *parent, const char *lines);

/* parent_kill.c: the end of all processes. */
void parent_start_killing(struct parent *parent);
void parent_end_step(struct parent *parent, uint32_t kill_wait_s, const char *reason);
void parent_kill_round(struct parent *parent);

/* parent_child.c: takes all that the user child has said so far. */
void parent_on_pair(struct parent *parent);

/* parent_memory.c: a moment to look at what the step holds. */
void parent_on_sampled(struct parent *parent);

/* Kills all tasks, with --oom-kill-step, once one has been killed for memory. */
void parent_check_oom(struct parent *parent);

/* parent_callers.c: the monitor, through the control socket. */
void parent_on_call(struct parent *parent);
void parent_on_caller(struct parent *parent, struct priv_channel **caller);

/* Refuses all calls: to those who call, the step daemon is gone from here on. */
void parent_hang_up(struct parent *parent);
