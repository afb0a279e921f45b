/*
 * utilization.h - what became of the time of the cluster, and what events say of it.
 */
#pragma once

#include "common/msg/cluster_event.h"
#include "common/msg/sums.h"
#include "ctld/store/sql/sql.h"

/* Read what is asked for, with what jobs that run or wait have held and waited until `now`. The
 * caller clears and frees the array. Events that were purged are told only with
 * `with_purged`: their times count. */
int utilization_read(struct sql *db, const struct utilization_list *list, int64_t now,
                     struct utilization_info **ret, uint32_t *ret_n, struct err *err);
int cluster_events_read(struct sql *db, const struct cluster_event_list *list, bool with_purged,
                        struct cluster_event **ret, uint32_t *ret_n, struct err *err);
