/*
 * play.h - a scenario, played in a world, and what came of its expectations.
 */
#pragma once

#include "ctld/sim/scenario.h"
#include "ctld/sim/world.h"

struct play_hooks {
    /* Makes the spec as sbatch does, when the clock shows `wall_s`. `ret` is initialised. */
    int (*make_spec)(void *ctx, const struct words *options, int64_t wall_s, struct job_spec *ret,
                     struct err *err);

    /* Reads what follows the verb as scontrol does. `ret` is initialised. */
    int (*make_ask)(void *ctx, enum reservation_verb verb, const struct words *words,
                    int64_t wall_s, struct reservation_ask *ret, struct err *err);
    void *ctx;
};

struct play {
    struct world *world;
    char **refusals; /* of each job of the scenario; NULL: it was taken */
    uint32_t jobs_n;
    uint32_t expectations_n, failures_n;
    struct strbuf failures; /* a line each: "FILE:LINE: ..." */
};

/*
 * Plays to the end. `config` is taken over, also on failure. Fails when the scenario cannot be
 * played: an option that sbatch does not take, a node that is not there. An expectation that is not
 * met is no error of this call.
 */
int play_run(const struct scenario *scenario, struct model_config *config,
             const struct play_hooks *hooks, struct play *ret, struct err *err);
void play_clear(struct play *play);
void play_auto_(struct play *play);

/* Adds "300", or "0.25" where there are parts of a second. */
void play_format_time(int64_t ms, struct strbuf *out);
