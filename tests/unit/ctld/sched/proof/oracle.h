/*
 * oracle.h - whether a job fits, by trying every placement: for tiny clusters only.
 *
 * Every set of cpus and devices of every node with every number of tasks is held against the
 * checker, then every set of nodes with these. Nothing is known here about how to find a place.
 */
#pragma once

#include "unit/ctld/sched/proof/claim.h"

#define ORACLE_NODES   4
#define ORACLE_CPUS    8 /* of a node */
#define ORACLE_DEVICES 4
#define ORACLE_AMOUNT  4 /* of each sort that is counted */

struct oracle_option {
    struct plan_place place;
    bool free; /* at the moment looked at */
};

/* What could be given to a job on each node, were it empty. */
struct oracle {
    const struct plan_snapshot *snapshot;
    struct claim claim; /* of the job, without places */
    struct oracle_option *options[ORACLE_NODES];
    uint32_t options_n[ORACLE_NODES];
};

/* Tries everything on the nodes of the option's partition as they are: usable or not. */
struct oracle oracle_new(const struct plan_snapshot *snapshot, const struct plan_job *job,
                         uint32_t option);
void oracle_clear(struct oracle *oracle);
void oracle_auto_(struct oracle *oracle);

/* The fewest nodes that could hold the job were they empty and usable; 0: none could. */
uint32_t oracle_nodes_least(const struct plan_snapshot *snapshot, const struct plan_job *job,
                            uint32_t option);

/* Whether some placement fits beside the claims, all through the job's time from `at_ms` on. */
bool oracle_fits(struct oracle *oracle, const struct claims *beside, int64_t at_ms);
