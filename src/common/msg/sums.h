/*
 * sums.h - what jobs held over a time, summed by who held it, and what became of the time of the
 * cluster: what sreport asks for.
 *
 * Amounts are TRES seconds: so many of the TRES, in its unit (memory in MB), times seconds. A time
 * is widened to full hours of the controller's local time.
 */
#pragma once

#include "common/msg/acct.h"

/* Whose sums are told; lists that are empty do not filter. */
#define SUMS_LIST(FIELD, LIST, PART)                                                               \
    FIELD(1, TIME, from, 0, "what ran from this moment on; absent: 1970")                          \
    FIELD(2, TIME, until, FIELD_REQUIRED, "until this one")                                        \
    FIELD(3, STRS, accounts, FIELD_CRITICAL, "only in these")                                      \
    FIELD(4, STRS, users, FIELD_CRITICAL, "only of these")                                         \
    FIELD(5, STRS, partitions, FIELD_CRITICAL, "only in these")                                    \
    FIELD(6, STRS, wckeys, FIELD_CRITICAL, "only with these; an empty text: without one")          \
    FIELD(7, BOOL, sizes, FIELD_CRITICAL, "apart for each number of cpus that jobs held")          \
    FIELD(8, STR, cluster, FIELD_CRITICAL, "of this cluster; absent: of who asks")
SCHEMA_DECLARE(sums_list, SUMS_LIST);

#define SUM_INFO(FIELD, LIST, PART)                                                                \
    FIELD(1, STR, account, 0, "absent: jobs without one")                                          \
    FIELD(2, STR, user, 0, "")                                                                     \
    FIELD(3, STR, partition, 0, "")                                                                \
    FIELD(4, STR, wckey, 0, "absent: jobs without one")                                            \
    FIELD(5, U32, cpus, 0, "of sizes: so many did each job hold")                                  \
    FIELD(6, U64, jobs, 0, "that ran at some moment of the time")                                  \
    LIST(7, acct_amount, held, 0, "TRES seconds")
SCHEMA_DECLARE(sum_info, SUM_INFO);

#define UTILIZATION_LIST(FIELD, LIST, PART)                                                        \
    FIELD(1, TIME, from, 0, "from this moment on; absent: 1970")                                   \
    FIELD(2, TIME, until, FIELD_REQUIRED, "until this one, or now, whichever comes first")         \
    FIELD(3, STR, cluster, FIELD_CRITICAL, "of this cluster; absent: of who asks")
SCHEMA_DECLARE(utilization_list, UTILIZATION_LIST);

/* One TRES of the cluster. All but `count` are TRES seconds; allocated, down, planned_down, idle
 * and planned add up to the whole. */
#define UTILIZATION_INFO(FIELD, LIST, PART)                                                        \
    FIELD(1, STR, tres, FIELD_REQUIRED, "")                                                        \
    FIELD(2, U64, count, 0, "of it the cluster has, on average over the time in which it was")     \
    FIELD(3, U64, allocated, 0, "held by jobs")                                                    \
    FIELD(4, U64, down, 0, "of nodes that could not be used")                                      \
    FIELD(5, U64, planned_down, 0, "of nodes that were not to be used")                            \
    FIELD(6, U64, idle, 0, "")                                                                     \
    FIELD(7, U64, planned, 0, "of cpus: idle, while jobs waited for some")                         \
    FIELD(8, U64, over, 0, "of cpus: for which jobs waited beyond what there was")
SCHEMA_DECLARE(utilization_info, UTILIZATION_INFO);

/* Sums as they are kept, to be copied elsewhere: rows of one period of the calendar. A row without
 * a user is about the whole cluster. */
#define SUM_COPIED(FIELD, LIST, PART)                                                              \
    FIELD(1, STR, account, 0, "")                                                                  \
    FIELD(2, STR, user, 0, "")                                                                     \
    FIELD(3, STR, partition, 0, "")                                                                \
    FIELD(4, STR, wckey, 0, "")                                                                    \
    FIELD(5, U32, cpus, 0, "so many did each job hold")                                            \
    FIELD(6, U64, began, 0, "jobs that ran first in this period")                                  \
    FIELD(7, U64, carried, 0, "jobs that had run in the one before")                               \
    FIELD(8, U64, cpu, 0, "TRES seconds, as the next three")                                       \
    FIELD(9, U64, mem, 0, "")                                                                      \
    FIELD(10, U64, node, 0, "")                                                                    \
    FIELD(11, U64, billing, 0, "")                                                                 \
    FIELD(12, U64, waited, 0, "cpu seconds, of the cluster")                                       \
    LIST(13, acct_amount, more, 0, "other TRES")
SCHEMA_DECLARE(sum_copied, SUM_COPIED);

/* Returns what a row adds to the weight of its period. */
static inline uint64_t sum_copied_weight(const struct sum_copied *row)
{
    return row->began + row->carried + row->cpu + row->mem + row->node + row->billing + row->waited;
}

#define SUMS_COPIED(FIELD, LIST, PART)                                                             \
    FIELD(1, U32, period, 0, "enum period")                                                        \
    FIELD(2, TIME, at, 0, "when it began")                                                         \
    FIELD(3, BOOL, begins, 0, "these are its first rows; others may follow")                       \
    FIELD(4, U64, weight, 0, "of all its rows together, by which copies of a period compare")      \
    LIST(5, sum_copied, rows, 0, "")
SCHEMA_DECLARE(sums_copied, SUMS_COPIED);

/* What was held in one period, by all jobs together. */
#define SUM_WHOLE(FIELD, LIST, PART)                                                               \
    FIELD(1, TIME, at, 0, "when the period began")                                                 \
    FIELD(2, U64, cpu, 0, "TRES seconds, as the next three")                                       \
    FIELD(3, U64, mem, 0, "")                                                                      \
    FIELD(4, U64, node, 0, "")                                                                     \
    FIELD(5, U64, billing, 0, "")                                                                  \
    FIELD(6, U64, waited, 0, "cpu seconds, of the cluster")                                        \
    LIST(7, acct_amount, more, 0, "other TRES")
SCHEMA_DECLARE(sum_whole, SUM_WHOLE);

/* What a user held in an account, or the whole cluster in hours, as somebody else has summed it up
 * who knew all jobs. What is more than the jobs that are known held is kept as a rest. */
#define SUMS_WHOLE(FIELD, LIST, PART)                                                              \
    FIELD(1, U32, period, 0, "enum period, of all rows")                                           \
    FIELD(2, STR, account, 0, "absent: of the whole cluster")                                      \
    FIELD(3, STR, user, 0, "absent as the account is")                                             \
    FIELD(4, STR, partition, 0, "of jobs in it alone; absent: in all that are not apart")          \
    FIELD(5, STRS, apart, 0, "partitions that have sums of their own")                             \
    LIST(6, sum_whole, rows, 0, "each later than the one before")
SCHEMA_DECLARE(sums_whole, SUMS_WHOLE);

#define SUMS_WHOLE_ROWS_MAX 2000
#define SUM_WHOLE_MAX       (UINT64_C(1) << 53) /* of an amount: so many can be added up */

/* Fails where the sums are none that can be: of a period, time or amount that is not there, or of
 * somebody who has no name. */
int sums_whole_check(const struct sums_whole *whole, struct err *err);
