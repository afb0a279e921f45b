/*
 * ends.h - when running jobs end: the first one first, of several at one instant the one that
 * started first. Pure.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct run_end {
    int64_t at_ms;
    bool early;      /* before its limit */
    uint64_t serial; /* rises with each start */
    uint32_t job;
};

/* A heap: `struct ends ends = { 0 };` is an empty one. */
struct ends {
    struct run_end *at;
    uint32_t n;
};

void ends_push(struct ends *ends, struct run_end end);

/* Takes the first end out; there must be one. */
struct run_end ends_pop(struct ends *ends);
void ends_clear(struct ends *ends);
