/*
 * resv.h - reservations, as the planner wants to see them.
 */
#pragma once

#include "common/msg/reservation.h"
#include "ctld/control/act/act.h"
#include "ctld/model/model.h"
#include "ctld/sched/planner.h"

/* Fills a reservation for the planner, with the times that it will come in the next year; clear it
 * with feed_clear_reservation. */
void feed_fill_reservation(const struct model *model, struct moment now,
                           const struct reservation_record *resv, struct plan_reservation *ret);
void feed_clear_reservation(struct plan_reservation *plan);

/* Fills only which nodes it has, and parts of nodes: its times take longer to find. `ret` is
 * empty. */
void feed_fill_reserved_nodes(const struct model *model, const struct reservation_record *resv,
                              struct plan_reservation *ret);

/* Adds all reservations to those of the snapshot. */
void feed_fill_reservations(const struct act *act, struct plan_snapshot *snapshot);
void feed_clear_reservations(struct plan_snapshot *snapshot);

/* Tells the planner of a reservation that is new or has changed, or that has gone. */
void feed_reservation(struct act *act, const struct reservation_record *resv);
void feed_reservation_gone(struct act *act, uint32_t id);

/* Makes of each option of the job one for each reservation that the job names, or is drawn into. */
void feed_add_reservations(const struct control *control, const struct job_record *rec,
                           struct plan_job *plan);
