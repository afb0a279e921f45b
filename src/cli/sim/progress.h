/* progress.h - a line on a terminal that tells how far a long simulation is. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct progress {
    const char *what;
    bool on; /* someone watches */
    bool shown;
    int64_t begun_ms, told_ms;
};

/* Begins a progress line. `what` is borrowed. Prints nothing when stderr is no terminal. */
struct progress progress_begin(const char *what);

/* Updates the line: not during the first second, and then a few times a second. */
void progress_tell(struct progress *progress, uint32_t done_n, uint32_t all_n);

/* Removes the line. */
void progress_end(struct progress *progress);
