/*
 * advice.h - the smallest changes to a waiting job that would start it sooner.
 *
 * Each is tried by asking the scheduler, about a job like it with that one change, behind all that
 * wait: what starts sooner even there does so in the job's own place. Pure but for the question.
 */
#pragma once

#include "common/base/strbuf.h"
#include "common/msg/job.h"

/* When a job that asks for this would start, and where (to be freed). False: never, or not known.
 */
typedef bool advice_ask_fn(void *ctx, const struct job_spec *spec, int64_t *ret_start,
                           char **ret_nodes);

struct advice_asker {
    advice_ask_fn *ask;
    void *ctx;
    char *const *partitions; /* others to try */
    uint32_t partitions_n;
};

/* Appends lines; nothing for a job that no change of what it asks for could help. */
void advice_add(const struct job_info *info, const struct advice_asker *asker, struct strbuf *out);
