/*
 * wish.h - a job of the other cluster as sbatch would be asked for it here.
 *
 * What Slurm shows of a job becomes options of sbatch, so that they are read and checked as those
 * of users are. What it does not show is taken from the script's #SBATCH lines. Pure, but for a
 * look where the script's path ends and its arguments begin.
 */
#pragma once

#include "cli/import/queue/saved.h"
#include "cli/submit/options.h"
#include "common/text/words.h"

struct wish {
    const char *stays; /* why the job does not come; NULL: it comes */
    struct words argv; /* "sbatch" and options, without --array, --dependency, --hold and --nice */
    struct words script_args;
    char *command;    /* path of the script */
    char *dependency; /* as it is shown, or NULL */
    char *begin_host; /* where it was submitted */
    char *admin_comment;
    char *work_dir;
    uint32_t array_limit; /* tasks at once; 0: any */
    struct strbuf notes;  /* what comes in another way than it was, divided by "; " */
};

/* Returns why a job cannot come, whatever its script is; NULL: it can. */
const char *wish_why_stays(const struct queue_job *job);
void wish_make(const struct queue_job *job, int64_t saved, struct wish *ret);
void wish_clear(struct wish *wish);

/* True if both ask for the same, but for the numbers of tasks. */
bool wish_equal(const struct wish *one, const struct wish *other);

/*
 * Fills the options of a job, which were made for sbatch. What only the #SBATCH lines say is left
 * out when they cannot be read.
 */
int wish_options(const struct wish *wish, const struct queue_job *job, int64_t now,
                 struct submit_options *ret, struct err *err);
