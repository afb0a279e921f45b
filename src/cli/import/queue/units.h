/*
 * units.h - what of a saved queue becomes one job here: a job, or the tasks of an array that ask
 * for the same. Owns its units; they borrow the saved queue. Pure.
 */
#pragma once

#include "cli/import/queue/wish.h"

enum unit_state {
    UNIT_STAYS,    /* it does not come: `why` */
    UNIT_NEW,      /* it is not here yet */
    UNIT_ARRIVING, /* it is here, and held until the other cluster has let it go */
    UNIT_HERE,
};

struct unit {
    const struct queue_job **jobs; /* at least one; the first gives the unit its number */
    uint32_t jobs_n;
    struct wish wish;
    char *tasks;  /* of an array: 1-5,9%2; NULL: no array */
    char *origin; /* what its record here says */
    enum unit_state state;
    uint32_t job_id; /* here; 0: none yet */
    char *why;       /* it stays, or NULL */

    char *dependency;             /* with numbers of here */
    const char *dependency_lacks; /* why it cannot be kept: the job comes held; or NULL */
};

struct units {
    const struct saved *saved;
    struct unit *at;
    uint32_t n;
};

void units_make(const struct saved *saved, struct units *ret);
void units_clear(struct units *units);
void units_auto_(struct units *units);

void unit_stay(struct unit *unit, const char *why, ...) PRINTF_LIKE(2, 3);

/*
 * Gives the unit's dependency numbers of here. Returns false if it has to wait for a unit that
 * comes but has no number yet.
 */
bool units_map_dependency(const struct units *units, struct unit *unit);
