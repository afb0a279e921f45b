/* priority.h - what the priorities of waiting jobs are made of, for sprio. */
#pragma once

#include "common/schema/schema.h"

/* The scale of factors, which are told in billionths. */
#define PRIORITY_BILLION 1000000000.0

/* The part of one resource in PriorityWeightTRES. */
#define PRIORITY_TRES(FIELD, LIST, PART)                                                           \
    FIELD(1, STR, name, FIELD_REQUIRED, "cpu, gres/gpu:tesla")                                     \
    FIELD(2, U64, raw, 0, "share of what the partition has, in billionths")                        \
    FIELD(3, U64, weighted, 0, "the same times its weight, in billionths")
SCHEMA_DECLARE(priority_part, PRIORITY_TRES);

/* The priority of a job in one of the partitions that it waits in. */
#define PRIORITY_INFO(FIELD, LIST, PART)                                                           \
    FIELD(1, U32, job_id, FIELD_REQUIRED, "of an array, the array's")                              \
    FIELD(2, U32, uid, 0, "whose job")                                                             \
    FIELD(3, STR, user, 0, "their name; absent: not known")                                        \
    FIELD(4, STR, partition, 0, "this one")                                                        \
    FIELD(5, U64, priority, 0, "in this partition")                                                \
    FIELD(6, BOOL, is_set, 0, "an operator said it; the factors are 0 then")                       \
    FIELD(7, I32, nice, 0, "subtracted from the sum")                                              \
    FIELD(8, I32, site, 0, "added to the sum")                                                     \
    FIELD(9, U64, age, 0, "weighted, as the next; in billionths")                                  \
    FIELD(10, U64, assoc, 0, "of the association")                                                 \
    FIELD(11, U64, fair_share, 0, "of usage")                                                      \
    FIELD(12, U64, job_size, 0, "of nodes and cpus")                                               \
    FIELD(13, U64, in_partition, 0, "of PriorityJobFactor")                                        \
    FIELD(14, U64, qos, 0, "of the QOS")                                                           \
    FIELD(15, U64, age_raw, 0, "before weights, as the next; in billionths")                       \
    FIELD(16, U64, assoc_raw, 0, "of the association")                                             \
    FIELD(17, U64, fair_share_raw, 0, "of usage")                                                  \
    FIELD(18, U64, job_size_raw, 0, "of nodes and cpus")                                           \
    FIELD(19, U64, in_partition_raw, 0, "of PriorityJobFactor")                                    \
    FIELD(20, U64, qos_raw, 0, "of the QOS")                                                       \
    LIST(21, priority_part, tres, 0, "one for each name in PriorityWeightTRES")                    \
    FIELD(22, STR, account, 0, "--account")                                                        \
    FIELD(23, STR, qos_name, 0, "--qos")
SCHEMA_DECLARE(priority_info, PRIORITY_INFO);
