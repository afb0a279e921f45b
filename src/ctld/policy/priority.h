/*
 * priority.h - what priority/multifactor makes of a job: factors, weights, and their sum.
 *
 * Each factor is a raw number, from 0 to 1 where it is normalised, times its weight; the sum, plus
 * the site factor, less the nice value, is the priority. It is never 0, which means held. Pure; all
 * is as Slurm's priority plugin documents it, and where that leaves doubts, as Slurm 22.05 counts.
 */
#pragma once

#include "ctld/model/model.h"

#define PRIORITY_MAX UINT32_MAX

/* Time limits count in minutes, and no limit is as many as Slurm's number for it. */
#define PRIORITY_MINUTES_INFINITE UINT32_C(0xffffffff)

/* How much of one resource a job asks for, and how much its partition has. */
struct priority_tres {
    const char *name; /* "cpu", "gres/gpu:tesla" */
    double asked, total;
};

/* About one job in one partition. A waiting job of several partitions has a priority in each. */
struct priority_inputs {
    int64_t now_s;
    int64_t submit_s;
    int64_t eligible_s; /* when it could have started but for resources; 0: not yet */
    uint32_t nodes, cpus;
    int64_t time_limit_s; /* below 0: none */
    uint32_t cluster_nodes, cluster_cpus;
    uint32_t partition_factor, partition_factor_max; /* PriorityJobFactor; of all partitions */
    uint32_t assoc_priority, assoc_priority_max;
    uint32_t qos_priority, qos_priority_max;
    double fair_share;  /* 0 to 1 */
    int32_t nice, site; /* one lowers, one raises */
    const struct priority_tres *tres;
    uint32_t tres_n;
};

struct priority_factor {
    double raw, weighted;
};

struct priority_factors {
    struct priority_factor age, assoc, fair_share, job_size, partition, qos;
    double tres; /* weighted, all together; one by one: priority_tres_factor */
    int32_t nice, site;
    uint32_t total; /* 1 to PRIORITY_MAX */
};

void priority_factors(const struct priority_config *config, const struct priority_inputs *inputs,
                      struct priority_factors *ret);

/* The part of one resource; `name` as in PriorityWeightTRES. */
struct priority_factor priority_tres_factor(const struct priority_config *config,
                                            const struct priority_inputs *inputs, const char *name);
