#include "ctld/control/job/jobfsm.h"

#include <assert.h>

#define TO(state) (1u << (state))

/* Ends that come only to a job with nodes, and may come to any such job. */
#define TO_AN_END                                                                                  \
    (TO(JOB_COMPLETE) | TO(JOB_CANCELLED) | TO(JOB_FAILED) | TO(JOB_TIMEOUT) | TO(JOB_NODE_FAIL) | \
     TO(JOB_PREEMPTED) | TO(JOB_BOOT_FAIL) | TO(JOB_DEADLINE) | TO(JOB_OOM))

/* A job that goes back to PENDING is requeued, also when it was over. */
static const uint32_t moves[JOB_STATES_N] = {
    [JOB_PENDING] = TO(JOB_RUNNING) | TO(JOB_CANCELLED) | TO(JOB_FAILED) | TO(JOB_DEADLINE),
    [JOB_RUNNING] = TO(JOB_PENDING) | TO(JOB_SUSPENDED) | TO_AN_END,
    [JOB_SUSPENDED] = TO(JOB_PENDING) | TO(JOB_RUNNING) | TO_AN_END,
    [JOB_COMPLETE] = TO(JOB_PENDING),
    [JOB_CANCELLED] = TO(JOB_PENDING),
    [JOB_FAILED] = TO(JOB_PENDING),
    [JOB_TIMEOUT] = TO(JOB_PENDING),
    [JOB_NODE_FAIL] = TO(JOB_PENDING),
    [JOB_PREEMPTED] = TO(JOB_PENDING),
    [JOB_BOOT_FAIL] = TO(JOB_PENDING),
    [JOB_DEADLINE] = TO(JOB_PENDING),
    [JOB_OOM] = TO(JOB_PENDING),
};

bool jobfsm_may(uint32_t from, uint32_t to)
{
    return from < JOB_STATES_N && to < JOB_STATES_N && (moves[from] & TO(to));
}

void jobfsm_move(struct job *job, uint32_t to)
{
    assert(jobfsm_may(job->rec.state, to));
    if (job->array)
        job->array->active_n -= job_state_is_active(job->rec.state);
    job->rec.state = to;
    if (job->array)
        job->array->active_n += job_state_is_active(job->rec.state);
}
