/*
 * run.h - a step from its request to its end, as srun sees it.
 *
 * The controller's stream tells what becomes of job and step, the nodes' connections what the tasks
 * print and how they end. Runs on the client's loop until the step is over and everything it
 * printed is written.
 */
#pragma once

#include "cli/lib/command.h"
#include "cli/srun/streams.h"
#include "cli/submit/options.h"

struct run;

struct run_request {
    struct command *command;
    const struct submit_options *options;
    const struct stream_plans *plans;
    struct job_spec *job;   /* NULL inside an allocation */
    struct job_body *body;  /* the same */
    struct step_spec *step; /* without addresses, token and environment: run adds them */
    uint32_t job_id;        /* inside an allocation */
};

/*
 * Opens the port that nodes reach srun by and makes the tasks' environment: what needs no answer of
 * the controller, so that the connection may still be under way. What `request` names is borrowed.
 */
int run_new(const struct run_request *request, struct run **ret, struct err *err);

/* Frees a run whose step does not come to be. NULL is fine. Returns NULL. */
struct run *run_free(struct run *run);

/* Runs the step; the connection must be up. Frees `run`; returns what srun exits with. */
int run_step(struct run *run);
