/*
 * reserved.h - pools of reserved licenses.
 *
 * The pool of a license counts what is in use, by whomever: so no license is given twice, whatever
 * reservations say. A license that reservations have gets one more pool, of what is outside:
 * reservations claim of it in their times, and with them the jobs that are in none. And what a
 * reservation has of a license is a pool for its jobs.
 *
 * What the planner was told of is kept in control->reserved: numbers of pools follow from it.
 */
#pragma once

#include "common/msg/reservation.h"
#include "ctld/control/act/act.h"
#include "ctld/model/model.h"
#include "ctld/sched/planner.h"

/* What a reservation has of a license. */
struct reserved_license {
    uint32_t resv_id;
    uint32_t license; /* its place in the model's list */
    uint32_t count;
    bool is_open; /* the reservation's time has come and is not over */
};

/* Finds anew which licenses are reserved, for a planner that is told everything. */
void feed_count_reserved(struct act *act);

/* Has the planner told everything if reservations have other licenses than it was told, or have
 * opened or closed. */
void feed_watch_reserved(struct act *act);

/* Returns how many pools there are of these; they come behind those of licenses. */
uint32_t feed_reserved_pools_n(const struct control *control);

/* Adds them to those of the snapshot. */
void feed_add_reserved_pools(const struct control *control, struct plan_snapshot *snapshot);

/* Returns what the reservation itself claims; the caller's. */
struct plan_claim *feed_reserved_claims(const struct control *control,
                                        const struct reservation_record *resv, uint32_t *ret_n);

/* Adds what the job claims of them, if it runs by the option, to its claims of licenses. */
void feed_claim_reserved(const struct control *control, const struct job_record *rec,
                         struct plan_option *option);
