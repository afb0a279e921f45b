/* groups.h - the jobs of a workload that are reported together: all, of one size, of one queue. */
#pragma once

#include "ctld/sim/metrics.h"

enum group_kind { GROUP_ALL, GROUP_SIZE, GROUP_QUEUE };

struct group {
    enum group_kind kind;
    int64_t number; /* of the size class, or the queue */
    char *name;     /* owned by the groups */
};

struct groups {
    struct group *at;
    uint32_t n;
};

/* Returns the groups that hold a job; no queues when there is only one. */
struct groups groups_of(const struct workload *workload);
void groups_auto_(struct groups *groups);

struct metrics group_metrics(const struct group *group, const struct workload *workload);
