/* world_state.h - what a world holds; for world.c and world_begin.c. */
#pragma once

#include <uthash.h>

#include "ctld/sim/world.h"
#include "ctld/control/act/act.h"
#include "ctld/control/act/turn.h"

/* The place of the job with the controller's id. */
struct job_name {
    uint32_t id, number;
    UT_hash_handle hh;
};

struct world {
    struct control *control;
    struct act act; /* see world_act */
    struct turn turn;
    int64_t now_ms;           /* since the beginning */
    int64_t told_ms;          /* until when the caller last let time pass */
    int64_t wall_s, begin_ms; /* what wall clock and cluster time showed then */
    struct world_job *jobs;
    uint32_t jobs_n;
    struct job_name *names; /* uthash by id */
    struct plan_pool *pools;
    struct feed_beside beside;      /* these, and what jobs claim of them */
    struct plan_claim *next_claims; /* of the next job */
    uint32_t next_claims_n;
    struct ends ends;
    uint64_t starts_n;
    char *const *users; /* see world_begin */
    uint32_t users_n, first_uid;
};

/* Returns the act of this moment; `caller` may be NULL. The next call overwrites it. */
struct act *world_act(struct world *world, const struct caller *caller);

/* Returns what the job claims, for feed_beside. */
const struct plan_claim *world_claims_of(void *ctx, const struct job_record *rec, uint32_t *ret_n);

/* Notes the job's id, which is known from now on. */
void world_learn_id(struct world *world, uint32_t number);

/* Notes that the job runs since `at_ms`, where the record says. */
void world_note_start(struct world *world, struct world_job *job, const struct job_record *rec,
                      int64_t at_ms);

/* Lets the controller do all that it has to do at this moment. */
void world_settle(struct world *world);
