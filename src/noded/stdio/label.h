/*
 * label.h - what a task prints on its way to a file, with the task's number before every line
 * (srun --label with a file for each task or node).
 *
 * Files do not make anybody wait long, so they are written at once.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct event_base;
struct label;

/* Reads `from` until its end, which it owns, and writes to `to`, which is borrowed. */
struct label *label_new(struct event_base *base, uint32_t task, uint32_t ntasks, int from, int to);

/* Takes what can still be read now; a line without an end gets one. NULL is fine. */
struct label *label_free(struct label *label);
