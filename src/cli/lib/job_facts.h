/*
 * job_facts.h - what follows from a job's record and body, said once for all commands. Pure.
 *
 * Slurm's commands differ in what they call a job's start, its end and its nodes. Ours do as they
 * do, by which of these functions they ask; each function names who asks it. A moment is in
 * seconds since 1970, and 0 where it is not known; a span is in seconds.
 */
#pragma once

#include "common/msg/job_spans.h"
#include "common/msg/tres.h"

/* ---- when ---- */

/*
 * Return start and end for the accounting (sacct). A job that waits again still has the start of
 * its last run, and a job that runs has the moment at which its limit will end it: neither counts.
 */
int64_t job_started(const struct job_record *job);
int64_t job_ended(const struct job_record *job);

/*
 * Returns whether the job was over before it had nodes. The record of such a job has its end as its
 * start, for squeue and scontrol, or none if it comes from elsewhere.
 */
bool job_never_began(const struct job_record *job);

/*
 * Returns the start of a job that has one, else the planned start while it waits (scontrol,
 * documents).
 */
int64_t job_start_planned(const struct job_record *job, const struct job_info *info);

/*
 * Returns squeue's start: also a planned one of any state, or --begin while that is to come. A job
 * that was over before it started has its end as its start.
 */
int64_t job_start_expected(const struct job_record *job, const struct job_info *info, int64_t now);

/* Returns a job's end if it has one, else when its limit ends it if it starts at `start`. */
int64_t job_end_from(const struct job_record *job, int64_t start);

/* Returns how long the job has been suspended since it started. */
int64_t job_suspended_time(const struct job_record *job, int64_t now);

/* Returns how long the job's limit lets it run on: LIMIT_UNSET, LIMIT_INFINITE, or 0 and more. */
int64_t job_time_left(const struct job_record *job, int64_t now);

/*
 * Returns the time from being eligible until the start, the end of a job that never started, or
 * `now` (sacct).
 */
int64_t job_waited(const struct job_record *job, int64_t now);

/* Returns the time from the submission until the start or `now`, whatever kept the job (squeue). */
int64_t job_pending_time(const struct job_record *job, int64_t now);

/* Returns the moment from which the job's age counts. */
int64_t job_accrues_from(const struct job_record *job);

/*
 * Returns when the scheduler last looked at the job. It looks when something changed for the job:
 * the start is such a moment, and so is the submission of a job that is held since.
 */
int64_t job_looked_at(const struct job_record *job);

/* ---- state ---- */

/* True if the job waits until somebody releases it. */
static inline bool job_waits_held(const struct job_record *job)
{
    return job->state == JOB_PENDING && job->priority == 0;
}

static inline bool job_is_completing(const struct job_record *job)
{
    return job->flags & JOB_FLAG_COMPLETING;
}

/* Returns the number of the job's array, or its own. */
static inline uint32_t job_array_id(const struct job_record *job)
{
    return job->array_job_id ? job->array_job_id : job->id;
}

/* ---- where ---- */

/* Returns the node of the job's batch script, the first; NULL while it has no nodes. */
const char *job_batch_host(const struct job_record *job);

/* Returns the job's nodes; of a completing job those that still have some of it. To be freed. */
char *job_busy_nodes(const struct job_record *job);
uint32_t job_busy_nodes_n(const struct job_record *job);

/* Returns how many nodes the job asks for: 1 or more. */
uint32_t job_asked_nodes(const struct job_spec *spec);

/*
 * Returns how many nodes a waiting job will get at least: as many as it asks for, and as have its
 * cpus; 1 or more.
 */
uint32_t job_least_nodes(const struct job_spec *spec, const struct job_info *info);

/* ---- how much ---- */

/* True if a number is given, and has a bound. */
static inline bool count_is_number(uint32_t count)
{
    return count != COUNT_UNSET && count != COUNT_INFINITE;
}

/* Returns the number, or `other` for one that is not given or has no bound. */
static inline uint32_t count_or(uint32_t count, uint32_t other)
{
    return count_is_number(count) ? count : other;
}

/* Return the cpus of a task, and the cpus that each of the job's nodes has to have. */
uint32_t job_cpus_per_task(const struct job_spec *spec);
uint32_t job_least_cpus_of_node(const struct job_spec *spec);

/* Returns what the job holds, or asks for as long as it holds nothing. To be cleared. */
struct tres job_tres(const struct job_record *job);

/* Appends what the job holds of a node's generic resources, as "gpu:2(IDX:0-1),ssd(CNT:1)". */
void job_node_gres(const struct job_node *node, struct strbuf *out);

/* Returns the MB that the job holds on the node; 0 where memory is not counted. */
static inline uint64_t job_node_memory(const struct job_node *node)
{
    return node->memory == MB_UNSET ? 0 : node->memory;
}

/* ---- files of a batch script, as patterns ---- */

const char *job_std_in(const struct job_body *body);
const char *job_std_out(const struct job_record *job, const struct job_body *body);

/* Returns the pattern of stderr, which is that of stdout where the job names none. */
const char *job_std_err(const struct job_record *job, const struct job_body *body);
