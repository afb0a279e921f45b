/*
 * advice.h - the smallest changes to a waiting job that would start it sooner.
 *
 * Each is tried by asking the scheduler, about a job like it with that one change, behind all that
 * wait: what starts sooner even there does so in the job's own place. Pure but for the question.
 */
#pragma once

#include "common/base/strbuf.h"
#include "common/msg/job.h"

/* Asks when a job with this request would start, and where (to be freed). Returns false if never,
   or if that is not known. */
typedef bool advice_ask_fn(void *ctx, const struct job_spec *spec, int64_t *ret_start,
                           char **ret_nodes);

struct advice_asker {
    advice_ask_fn *ask;
    void *ctx;
    char *const *partitions; /* others to try */
    uint32_t partitions_n;
};

/* One change that makes the job start sooner. Owns its texts. */
struct advice_change {
    char *change; /* "--time=00:45:00", "without --exclusive" */
    char *before; /* what the job asks now: "10:00:00"; NULL: the change says it */
    int64_t start;
    char *nodes; /* NULL: not told */
};

struct advice {
    bool is_sought; /* no change could help other jobs */
    struct advice_change *changes;
    uint32_t n;
};

/* True if other jobs are in this job's way: it then has a plan, or gets one in a moment. */
bool job_waits_for_others(const struct job_record *job);

/* True if what the job asks of nodes decides when it starts, so that nodes are worth a look. */
bool job_waits_for_room(const struct job_record *job);

void advice_find(const struct job_info *info, const struct advice_asker *asker, struct advice *ret);
void advice_clear(struct advice *advice);
void advice_auto_(struct advice *advice);

/* Appends a line for each advice; nothing for a job for which none were sought. */
void advice_format(const struct advice *advice, struct strbuf *out);
