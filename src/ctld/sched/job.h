/*
 * job.h - a job as the planner keeps it, and the lengths of time that jobs hold nodes for.
 */
#pragma once

#include <uthash.h>

#include "ctld/sched/kind.h"

struct sched_job {
    uint32_t id, partition;
    uint64_t priority;
    int64_t submit_ms, duration_ms, earliest_ms;
    struct kind *kind; /* of a waiting job */

    bool runs;
    int64_t end_ms; /* of a running job: no later than this */

    struct sched_place *places; /* held, or planned */
    uint32_t places_n;
    bool claims; /* its places are taken in the plan's future, during: */
    int64_t from, to;

    bool tried;         /* what came of it: */
    bool told_hopeless; /* that it never fits */
    enum plan_verdict verdict;
    enum plan_why why;
    int64_t at_ms;
    bool backfilled;
    UT_hash_handle hh;
};

/* Copies the job; a running one's places are cut to the cpus its nodes have. */
struct sched_job *sched_job_new(const struct sched_cluster *cluster, struct kinds *kinds,
                                const struct plan_job *from);
void sched_job_free(struct kinds *kinds, struct sched_job *job);

/* The order of planning: by the partition's tier, priority, time of submission, id. */
int sched_job_compare(const struct sched_cluster *cluster, const struct sched_job *a,
                      const struct sched_job *b);

/* The place on a node goes; false when there is none. */
bool sched_job_drop_place(struct sched_job *job, uint32_t node);

/*
 * How long a plan holds nodes for a job of this duration. A job without limit holds them very long,
 * but not for ever: else a wide job behind it had no plan, and narrow ones would overtake it again
 * and again.
 */
int64_t length_planned(int64_t duration_ms);

/*
 * When a running job is taken to end. One whose end has passed is on its way out: it is given a
 * second more, then two, four and so on. A job without limit ends at the horizon, which is before
 * the end of any other one that would start now.
 */
int64_t end_assumed(int64_t end_ms, int64_t now_ms);
#define END_HORIZON (INT64_C(1) << 42) /* some 140 years; no plan that late is told */
