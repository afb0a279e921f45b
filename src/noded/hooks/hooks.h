/*
 * hooks.h - Prolog and Epilog of jobs on this node: each once for a launch number of a job.
 *
 * Runs on the monitor's loop. What has run, and how it ended, is on disk (see README.md): another
 * monitor goes on from there.
 */
#pragma once

#include "common/base/log.h"
#include "common/conf/slurm_conf.h"
#include "common/msg/hook.h"

struct event_base;
struct hooks;

/* What hooks work with, borrowed; must outlive them. */
struct hooks_options {
    const char *prolog, *epilog; /* of slurm.conf; NULL: none */
    struct conf_hook_limit prolog_limit, epilog_limit;
    bool serial; /* PrologFlags=Serial: one at a time */
    const char *node, *boot_id;
    const char *conf_path; /* SLURM_CONF */
    struct log *log;
};

/* Called when a program has ended, or had ended before it was asked for. */
typedef void hooks_report_fn(void *ctx, const struct hook_report *report);

int hooks_new(struct event_base *base, int spool_fd, const struct hooks_options *options,
              hooks_report_fn *on_report, void *ctx, struct hooks **ret, struct err *err);
struct hooks *hooks_free(struct hooks *hooks); /* what runs goes on; NULL is fine */

/* Runs the program unless it has run or runs; `cred` is checked. The report always comes, perhaps
 * at once. */
void hooks_run(struct hooks *hooks, uint32_t kind, const struct hook_cred *cred);

/* Returns how far a job's Prolog is: ENOENT: not asked for, EINPROGRESS, 0: done, EIO: it has
 * failed. */
int hooks_prolog(const struct hooks *hooks, uint32_t job_id, uint32_t launch_number);

/* Returns true if the Prolog of any run of the job has begun and is not over. */
bool hooks_prolog_runs(const struct hooks *hooks, uint32_t job_id);

/* Returns true if the hook of that kind was begun, and not forgotten since. */
bool hooks_has_run(const struct hooks *hooks, uint32_t job_id, uint32_t launch_number,
                   uint32_t kind);

/* Forgets the results, which the controller knows. Who must not have them run again remembers that
 * it was. */
void hooks_forget(struct hooks *hooks, uint32_t job_id, uint32_t launch_number);
