/*
 * rank.h - the priorities of jobs, given when they come and computed again as time passes.
 */
#pragma once

#include "common/msg/job.h"
#include "common/msg/priority.h"
#include "ctld/control/act.h"
#include "ctld/model/model.h"
#include "ctld/policy/priority.h"

struct rank_change {
    uint32_t id;
    uint64_t had, gets;
};

/* All priorities, as they are at one moment: computed piece by piece, then taken together. */
struct rank_round {
    struct moment at;
    struct rank_change *jobs; /* owned; NULL: there is none */
    uint32_t jobs_n, done_n;
};

/* What is the same for all jobs, counted by rank_settle; and how far computing again has come. */
struct rank {
    double *totals; /* owned: of each partition, of each name in PriorityWeightTRES */
    uint32_t cluster_cpus;
    uint32_t factor_max; /* of the partitions' PriorityJobFactor */
    int64_t due_ms;      /* when priorities are computed again, cluster time */
    struct rank_round round;
};

void rank_clear(struct rank *rank);

/* What the job's priority would be made of in that partition, now. */
void rank_factors(const struct control *control, struct moment now, const struct job_record *rec,
                  uint32_t partition, struct priority_factors *ret);

/* The priority that a job would get now; 0: it is held. */
uint64_t rank_of(const struct control *control, struct moment now, const struct job_record *rec);

/* The job is accepted: fills rec->priority, and the next job comes after it. */
void rank_take(struct act *act, struct job_record *rec);

/* What the job asks for has changed, from this --nice on. */
void rank_again(const struct control *control, struct moment now, struct job_record *rec,
                int32_t nice_before);

/* After a start or a new configuration, while the planner is to be rebuilt anyway. */
void rank_settle(struct act *act);

/* Begins to compute all of them again when PriorityCalcPeriod is over. */
void rank_tick(struct act *act);

/* Goes on with that, for at most `work` jobs; true when there is more to do. The result does not
 * depend on how it is cut. */
bool rank_step(struct act *act, uint32_t work);

/*
 * What the job's priority is made of in the i-th partition that it waits in. False when there is
 * none, or it does not wait for its turn. *ret is to be released with priority_info_clear.
 */
bool control_priority_info(const struct control *control, struct moment now, const struct job *job,
                           uint32_t i, struct priority_info *ret);
