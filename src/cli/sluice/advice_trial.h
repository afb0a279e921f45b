/*
 * advice_trial.h - asking the scheduler about a job like the one that waits, with something
 * changed.
 */
#pragma once

#include "cli/sluice/advice.h"

#define SOONER_S  60 /* less is no gain worth a word */
#define AT_ONCE_S 10 /* between a question and its answer */

/* One job that is to start sooner, and what was found; borrows everything. */
struct seek {
    const struct job_info *info;
    const struct advice_asker *asker;
    int64_t planned; /* the start to be beaten; 0: there is none */
    struct advice *advice;
};

/* One question with its answer; owns `nodes` and `spec`. */
struct trial {
    const struct advice_asker *asker;
    int64_t planned; /* start to be beaten; 0: there is none */
    struct job_spec spec;
    int64_t start;
    char *nodes;
};

/* Begins a trial with the job as it is, from which one change is to be made. */
void trial_begin(struct trial *trial, const struct seek *seek);
void trial_end(struct trial *trial);

/* Asks the scheduler; returns true if the job would start sooner, and keeps time and nodes then. */
bool trial_is_sooner(struct trial *trial);

/*
 * Makes advice of what was tried last and helped; takes over `change`. The result is borrowed from
 * the advice.
 */
struct advice_change *trial_add_change(const struct seek *seek, struct trial *trial, char *change);
