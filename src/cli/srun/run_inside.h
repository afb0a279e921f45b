/* run_inside.h - what the files behind run.h share. */
#pragma once

#include <event2/event.h>

#include "cli/srun/io_server.h"
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
    struct strbuf environment;

    struct event *report;   /* lines about tasks that ended, folded */
    struct event *too_late; /* -I, -W, after an abort: one thing at a time */
    void (*on_too_late)(struct run *run);
    struct event *signals[RUN_SIGNALS_MAX];
    uint32_t signals_n;
    int64_t interrupted_ms; /* the last ^C, or 0 */

    uint32_t job_id, step_id;
    bool in_job;
    bool granted, created;
    bool step_ended, job_ended;
    bool aborting; /* told the controller to end the step */
    bool finishing;
    uint32_t end_state; /* of the step, enum job_state */
    int end_status;     /* wait status of the step */
    int status;         /* what srun exits with; -1: as the tasks say */
};

/* Ends the step, as the user asked or an option says. Says so once. */
void run_abort(struct run *run);

/* Leaves the loop. */
void run_leave(struct run *run, int status);

/* Runs `fn` after that time, in place of what was to run before; 0 cancels. */
void run_later(struct run *run, uint32_t seconds, void (*fn)(struct run *run));

/* Opens what srun itself reads and writes, once job and step have their numbers. */
int run_open_streams(struct run *run, struct err *err);

/* Everything is written; the last thing that happens. */
void run_on_drained(void *ctx);

/* Looks whether everything is over. */
void run_check_end(struct run *run);

/* Catches signals from now on. */
void run_catch_signals(struct run *run);
