/*
 * amounts.h - what the nodes of a row of sinfo have: the least and the most, or together. Pure.
 */
#pragma once

#include "cli/sinfo/columns.h"

enum sinfo_amount {
    SINFO_CPUS,
    SINFO_SOCKETS,
    SINFO_CORES,
    SINFO_THREADS,
    SINFO_MEMORY,
    SINFO_DISK,
    SINFO_WEIGHT,
    SINFO_FREE_MEMORY,
    SINFO_LOAD, /* percent */
};

#define SINFO_UNSAID UINT64_MAX /* a node that has not reported */

struct sinfo_range {
    uint64_t least, most;
};

/* Returns the range over the row's nodes; 0 and 0 for a row without nodes. */
struct sinfo_range sinfo_range_of(const struct sinfo_row *row, enum sinfo_amount amount);

/* Cpus by use; free cpus of a node that takes no work are "other". */
struct sinfo_cpus {
    uint64_t allocated, idle, other;
};
struct sinfo_cpus sinfo_cpus_of(const struct sinfo_row *row);
