/*
 * request.h - what a job asks for, as it is understood: the names and lists of its spec, which are
 * texts, in numbers of this configuration. Plain data, kept beside the job's record; who makes it
 * is ctld/control/request.h.
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
    uint32_t waits_for; /* enum job_reason: the limit of the record's partition that it breaks */
    char *unreadable;   /* what cannot be understood under this configuration; NULL: all can */
};

void job_request_clear(struct job_request *request);
void job_request_auto_(struct job_request *request);
