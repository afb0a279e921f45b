/*
 * hook.h - SrunProlog and SrunEpilog: programs that srun runs beside its step, as the user.
 *
 * They get the command of the step as arguments, srun's environment and what job and step are, as
 * its tasks do, and srun's own streams. One that cannot be executed is told and does not count as
 * failed. What a failure means is the caller's; that a signal ended one, or that it was killed for
 * its time, is logged here.
 */
#pragma once

#include "common/base/log.h"
#include "common/conf/slurm_conf.h"
#include "common/msg/job.h"

struct event_base;
struct srun_hook;

/* What a hook runs with. All borrowed. */
struct srun_hook_plan {
    const char *path;
    const char *context; /* SLURM_SCRIPT_CONTEXT */
    const struct step_record *step;
    const struct step_spec *command;
    const struct strbuf *environment; /* as srun sends it for the tasks */
    struct conf_hook_limit limit;
    struct log *log;
};

/* Called when the hook has ended with exit code `code`, which is 1 when a signal ended it. */
typedef void srun_hook_over_fn(int code, void *ctx);

/*
 * Starts the hook and calls `fn` from the loop when it has ended. Returns NULL if it could not be
 * started, which is logged.
 */
struct srun_hook *srun_hook_start(struct event_base *base, const struct srun_hook_plan *plan,
                                  srun_hook_over_fn *fn, void *ctx);
struct srun_hook *srun_hook_free(struct srun_hook *program); /* kills it; NULL is fine */

/* Runs the hook and waits for it; returns its exit code as above, 0 if it could not be started. */
int srun_hook_run(const struct srun_hook_plan *plan);

/* Puts the job that srun was given for its step into srun's own environment. */
void srun_hook_set_job(const struct job_record *job);

/* Returns the program of an option, or else of slurm.conf; NULL: nothing is to be run. */
const char *srun_hook_program(const char *option, const char *conf);
