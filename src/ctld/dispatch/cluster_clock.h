/*
 * cluster_clock.h - the time that limits and timeouts count in: milliseconds that never jump.
 *
 * Cluster time goes on over restarts of the controller (by the boot clock within one boot, by the
 * wall clock across a reboot, never backwards) and does not follow changes of the wall clock.
 */
#pragma once

#include "common/base/clock.h"
#include "ctld/control/act/act.h"
#include "ctld/control/act/turn.h"

struct cluster_clock {
    struct clock clock;
    int64_t boot_tag;       /* tells this boot of the machine from others */
    int64_t offset_ms;      /* cluster time less boot clock */
    int64_t wall_offset_ms; /* wall clock less boot clock, when last looked at */
    int64_t kept_ms;        /* cluster time that the store was last told */
    struct {
        int64_t cluster_ms, boot_ms, boot_tag, wall_s;
    } saved; /* by cluster_clock_load, for cluster_clock_start */
};

void cluster_clock_init(struct cluster_clock *clock, struct clock wall);

/* Takes a number that the store kept, if it is one of the clock's. */
void cluster_clock_load(struct cluster_clock *clock, const char *name, int64_t number);
void cluster_clock_start(struct cluster_clock *clock);

struct moment cluster_clock_now(const struct cluster_clock *clock);

/* Returns by how many ms the wall clock was set since the last call; 0 for small corrections. */
int64_t cluster_clock_jump(struct cluster_clock *clock);

/* Notes the clock's numbers in a turn, when a second or more has passed since the last time. */
void cluster_clock_note(struct cluster_clock *clock, struct turn *turn);
