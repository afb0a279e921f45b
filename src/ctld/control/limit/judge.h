/*
 * judge.h - limits that a job breaks by itself, whatever others do: how much it asks for, and for
 * how long.
 */
#pragma once

#include "ctld/control/limit/standing.h"
#include "ctld/control/request/tres.h"

/* Returns why the job may not start in the partition as things are: a limit that it breaks by
 * itself, an account or QOS that is no longer its user's; REASON_NONE: it may. *ret_limit (may be
 * NULL) is the limit, or NULL. */
uint32_t limit_reason_of(struct control *control, const struct job_record *rec,
                         const struct job_request *request, const struct partition *part,
                         const struct limit **ret_limit);

/* Notes in the request what limit_reason_of says of the partition (PARTITION_NONE: nothing), and
 * drops other candidates that would let the job wait. */
void limit_judge(struct control *control, const struct job_record *rec, uint32_t partition,
                 struct job_request *request);

/* Reads anew what a job asks for, and judges it. A waiting one that names no time limit gets the
 * one that it has in the partition as things are. */
void limit_read_request(struct control *control, struct job_record *rec, uint32_t partition,
                        struct job_request *request);

/* Returns the longest time limit in seconds that limits in all partitions that the job names leave
 * it if it names none, or LIMIT_INFINITE. */
int64_t limit_longest(struct control *control, const struct tres_job *job);

/* Fails with E_ACCT_POLICY if the job, in one of the partitions that it names, breaks a limit by
 * itself for which it is to be refused: DenyOnLimit. */
int limit_check_denied(struct control *control, const struct tres_job *job, struct err *err);

/* Returns the most nodes that limits on one job let it have in the partition, 0: any. What it asks
 * for at least is never more than that: limit_judge keeps such a job waiting. */
uint32_t limit_most_nodes(struct control *control, const struct job_record *rec,
                          const struct partition *part);

/* Returns whether the job, with this priority, gets no place in the future: by MinPrioThreshold, or
 * the flag NoReserve of its QOS. */
bool limit_denies_place(struct control *control, const struct job_record *rec, uint64_t priority,
                        const struct partition *part);
