/*
 * request.h - what a job or a step asks for, as it is understood: the names and lists of its spec,
 * which are texts, in numbers of this configuration. Plain data, kept beside the record; who makes
 * it is ctld/control/request/request.h.
 */
#pragma once

#include "common/base/bitset.h"
#include "common/text/gres.h"
#include "common/text/licenses.h"

struct job_request {
    struct gres_list per_node, per_job, per_socket, per_task;
    struct licenses licenses;
    struct bitset required, excluded; /* nodes; size 0: not said */
    uint32_t *listed;                 /* --distribution=arbitrary: tasks on each required node */
    uint32_t listed_n;
    uint32_t *others; /* partitions beside the record's that would take it, in the spec's order */
    uint32_t others_n;
    uint32_t waits_for;  /* enum job_reason: the limit of the record's partition that it breaks */
    uint32_t limited_by; /* enum job_reason: that of its association or QOS; limit/judge.h */
    char *unreadable;    /* what cannot be understood under this configuration; NULL: all can */
};

/* Returns whether no partition would take the job as it is. */
static inline bool job_request_is_barred(const struct job_request *request)
{
    return request->others_n == 0 && (request->waits_for || request->limited_by);
}

void job_request_clear(struct job_request *request);
void job_request_auto_(struct job_request *request);

/* What a step says of generic resources and of nodes; all empty if it says nothing. */
struct step_request {
    struct gres_list per_node, per_step, per_task, per_socket;
    struct bitset required, excluded; /* nodes; size 0: not said */
    uint32_t *listed;                 /* --distribution=arbitrary: the node of each task */
    uint32_t listed_n;
    char *unreadable; /* what a kept step says that cannot be understood; NULL: nothing */
};

void step_request_clear(struct step_request *request);
void step_request_auto_(struct step_request *request);
