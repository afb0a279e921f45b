/*
 * gantt.h - a picture (SVG) of which job was on which node, and when.
 *
 * Each node is a row, which is as high as it had jobs at one time. Pure.
 */
#pragma once

#include "ctld/sim/world.h"

#define GANTT_JOBS_MAX  20000
#define GANTT_BARS_MAX  100000 /* a job has one on each of its nodes */
#define GANTT_NODES_MAX 2000

/* Draws all jobs of the world that started; those that run still, up to now. `names` are theirs, in
 * their order. Fails with E_TOO_BIG for what would not be a picture any more. */
int gantt_draw(const struct world *world, char *const *names, struct strbuf *out, struct err *err);
