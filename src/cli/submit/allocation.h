/*
 * allocation.h - a job that is asked for, waited for, held and given back: what salloc is about,
 * and srun when it has to have its nodes before its step.
 *
 * Runs on the client's loop. What becomes of the job is said here, in the words of the command.
 */
#pragma once

#include "cli/lib/command.h"
#include "cli/submit/options.h"
#include "common/msg/job.h"

/* Words with which salloc and srun tell of a request that came to nothing. */
#define ALLOCATION_FAILED       "Job submit/allocate failed"
#define ALLOCATION_NO_RESOURCES "Unable to allocate resources"

struct allocation;

struct allocation_callbacks {
    void (*on_ready)(const struct job_event *event, void *ctx); /* the nodes may be used; once */
    /* Called last: there is no job, as it was refused or taken back. `status` is the command's. */
    void (*on_failed)(int status, void *ctx);
    /* Called last, when the job is over. */
    void (*on_revoked)(void *ctx);
};

/* Asks for options->job, which is filled; obeys -I. Both are borrowed; `command` is connected. */
struct allocation *allocation_new(struct command *command, const struct submit_options *options,
                                  const struct allocation_callbacks *callbacks, void *ctx);

/*
 * Frees the allocation; NULL is fine. Returns NULL. No callback runs after it; the job, if there is
 * one, stays.
 */
struct allocation *allocation_free(struct allocation *allocation);

bool allocation_was_queued(const struct allocation *allocation);

/* Prints, in the words above, that somebody ended the job while it waited. */
void allocation_say_cancelled(const struct command *command, const char *what);

/* Cancels the job: on_failed is called with this status, at once when there is no job yet. */
void allocation_take_back(struct allocation *allocation, int status);

/* Gives the job back, if it still exists, with a wait status; waits for the controller's word. */
void allocation_release(struct allocation *allocation, int wait_status);
