/*
 * freed.h - what became free on nodes: where jobs ended, were cancelled, or moved away in the plan.
 *
 * What was true of a plan stays true while nodes only fill up. So whoever remembers how far the log
 * was when something was found out can tell, from what it holds since, whether that still holds.
 * Only the latest stretches are kept.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define FREED_MAX 128 /* more would be looked at for longer than a search takes */

struct freed {
    uint32_t node;
    int64_t from, to;
};

struct freed_log {
    struct freed ring[FREED_MAX];
    uint64_t n; /* that were ever noted: the next one's number */
};

static inline void freed_note(struct freed_log *log, const struct freed *freed)
{
    log->ring[log->n++ % FREED_MAX] = *freed;
}

/* Forgets the log, since anything may have changed: nobody may rely on what was noted. */
static inline void freed_forget(struct freed_log *log)
{
    log->n += FREED_MAX + 1;
}

/* Returns whether all stretches from this number on are still there. */
static inline bool freed_reaches(const struct freed_log *log, uint64_t number)
{
    return log->n - number <= FREED_MAX;
}

static inline const struct freed *freed_at(const struct freed_log *log, uint64_t number)
{
    return &log->ring[number % FREED_MAX];
}
