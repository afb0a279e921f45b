/*
 * trial.h - a promise put to the test on many random stories.
 *
 * Each story is told in a process of its own, so that a crash is a failure like another. A story
 * that fails is made small and printed; its lines can be told again with trial_retell.
 */
#pragma once

#include "unit/ctld/sched/proof/random.h"

/* A cluster right after a step. */
struct trial_moment {
    const struct sim *sim;
    const struct planner *planner;
    bool done;                   /* the step ended a pass: every job is planned */
    struct plan_snapshot before; /* the step: nothing it started runs */
    struct plan_snapshot after;
    /* And in `sim`: the place that each job had after the last pass before this one, and whether
     * something was taken away since. */
};

/* Whether the promise holds; when not, `problem` tells why. */
typedef bool trial_promise(const struct trial_moment *moment, struct strbuf *problem);

/*
 * Tells `n` stories made from seeds that follow `seed`, and fails the running check test with the
 * smallest story found when the promise does not hold in one. TRIAL_SEED in the environment is
 * added to the seed: other stories (tests/sched/hunt).
 */
void trial_run(trial_promise *promise, const struct random_mix *mix, uint64_t seed, uint32_t n);

/*
 * Tells one line in this process; *sim is NULL before the first, and the caller's to free. False
 * when the line is a step after which the promise does not hold.
 */
bool trial_tell(trial_promise *promise, struct sim **sim, const char *line, struct strbuf *problem);

/* The failure that the story ends in as text, or NULL when the promise holds all through it. */
char *trial_retell(trial_promise *promise, const char *story);

/* A story that fails, made small: as trial_run does it. */
char *trial_shrink(trial_promise *promise, const char *story);
