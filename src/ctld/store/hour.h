/*
 * hour.h - how the time of one TRES in one hour is shared out. Pure.
 */
#pragma once

#include <stdint.h>

/* TRES seconds. */
struct hour_share {
    uint64_t whole; /* what there is */
    uint64_t allocated, down, planned_down;
    uint64_t planned, over;
    uint64_t idle;
};

/*
 * Shares out what there is. `whole`, `allocated`, `down` and `planned_down` are what was said of
 * the hour, perhaps more than there can be: jobs may share cpus, and nodes that are set down while
 * they work count twice. What jobs held counts first, then what was down, then what was planned to
 * be. Of the rest as much is planned as jobs waited for, `waited`; what they waited for beyond is
 * over.
 */
void hour_share_out(struct hour_share *share, uint64_t waited);
