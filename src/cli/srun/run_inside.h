/* run_inside.h - what the files behind run.h share. */
#pragma once

#include <event2/event.h>

#include "cli/srun/io_server.h"
#include "cli/srun/hook.h"
#include "cli/srun/pty.h"
#include "cli/srun/run.h"
#include "cli/srun/tasks.h"
#include "cli/submit/follow.h"
#include "cli/submit/killer.h"

#define RUN_SIGNALS_MAX 12

struct run {
    struct run_request request;
    struct command *command;
    const struct submit_options *options;
    struct event_base *base;
    struct io_server *io;
    struct output *output; /* NULL until the step is created; likewise input */
    struct input *input;
    int input_fd;
    struct tasks *tasks;
    struct follow *follow;
    struct killer *killer;
    struct pty pty;
    struct srun_hook *prolog; /* SrunProlog, while it runs */
    struct step_record step;  /* as it was created, until the nodes are answered */
    struct strbuf environment;

    struct event *report;   /* lines about tasks that ended, folded */
    struct event *too_late; /* -I, -W, after an abort: one thing at a time */
    void (*on_too_late)(struct run *run);
    struct event *signals[RUN_SIGNALS_MAX];
    uint32_t signals_n;
    int64_t interrupted_ms; /* the last ^C, or 0 */
    bool passed_on;         /* ^C went to the tasks; the end of the step is planned */

    uint32_t job_id, step_id;
    bool in_job;
    bool granted, created;
    bool step_ended, job_ended;
    bool aborting; /* told the controller to end the step */
    bool said_aborted;
    bool waited; /* for other steps */
    bool finishing;
    uint32_t end_state; /* of the step, enum job_state */
    int end_status;     /* wait status of the step */
    int status;         /* what srun exits with; -1: as the tasks say */
};

/* Ends the step, as the user asked or an option says. Prints that once. */
void run_abort(struct run *run);

/* Prints, once, that the step is ended before its time, by whomever. */
void run_say_aborted(struct run *run);

/* Prints that the controller ends the step, and waits KillWait and some seconds for the end. */
void run_await_end(struct run *run);

/* Leaves the loop with this exit status. */
void run_leave(struct run *run, int status);

/* Runs `fn` after `seconds`, in place of what was to run before; 0 cancels. */
void run_later(struct run *run, uint32_t seconds, void (*fn)(struct run *run));

/* Opens what srun itself reads and writes, once job and step have their numbers. */
int run_open_streams(struct run *run, struct err *err);

/* Runs last, when everything is written. */
void run_on_drained(void *ctx);

/* Checks whether everything is over. */
void run_check_end(struct run *run);

/* Catches signals from now on. */
void run_catch_signals(struct run *run);

/* Take events of the controller's stream. */
void run_on_job(const struct job_event *event, void *ctx);
void run_on_step(const struct step_event *event, void *ctx);
void run_on_lost(const struct err *why, void *ctx);
void run_on_back(void *ctx);
void run_on_over(const struct err *why, void *ctx);

/* Take what nodes tell of tasks. */
void run_on_started(const struct io_task_start *start, const char *node, void *ctx);
void run_on_exited(uint32_t task, int status, void *ctx);
void run_on_broken(uint32_t task, void *ctx);

/* Prints how tasks ended that have not been reported yet. */
void run_report(struct run *run);

/* Leaves with the exit status that the tasks, or else the controller, tell. */
void run_leave_now(struct run *run);

/* Callbacks of the loop: for run_report, and for what run_later was given. */
void run_on_report(evutil_socket_t fd, short what, void *ctx);
void run_on_timer(evutil_socket_t fd, short what, void *ctx);
