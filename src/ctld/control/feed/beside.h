/*
 * beside.h - pools beside the licences, and what jobs claim of them.
 *
 * A simulation brings them; whoever counts limits of users may. Borrowed for as long as the
 * controller runs.
 */
#pragma once

#include "ctld/model/model.h"
#include "ctld/sched/planner.h"

struct feed_beside {
    const struct plan_pool *pools; /* they come after the licences, in this order */
    uint32_t pools_n;
    /* What the job claims, by the numbers of these pools; borrowed until the next call. */
    const struct plan_claim *(*claims_of)(void *ctx, const struct job_record *rec, uint32_t *ret_n);
    void *ctx;
};
