/*
 * fair.h - the shares of this cluster's associations, held against what they have used.
 *
 * Usage is counted at once (usage.h); the shares that priorities go by are those of the last
 * PriorityCalcPeriod. The arithmetic is in ctld/policy/fairshare.h; here its inputs are gathered.
 */
#pragma once

#include "ctld/control/acct/tree.h"
#include "ctld/policy/fairshare.h"

struct fair;

struct fair *fair_new(void);
struct fair *fair_free(struct fair *fair);

/* Computes all shares as usage is now. */
void fair_settle(struct control *control, struct moment now);

/* Returns the association's shares as they were computed last, borrowed; they are computed again
 * when an association or a QOS has changed since. It is of this cluster. */
const struct fair_share *fair_of(struct control *control, struct moment now,
                                 const struct assoc *assoc);

/* Returns all shares as usage is now, by the ids of associations, to be freed; those that
 * priorities go by do not change. */
struct fair_share *fair_compute(struct control *control, struct moment now);

/* Returns the way that PriorityFlags names. */
enum fair_way fair_way_of(const struct control *control);

/* Returns the association's own shares, 1 if it names none, or FAIR_PARENT. */
uint32_t fair_own_shares(const struct assoc_record *rec);

/* Returns the Priority of the association, or of the nearest account above that has one. */
uint32_t fair_priority(const struct assoc *assoc);

/* Return the highest Priority of all associations of this cluster, and of all QOS. */
uint32_t fair_assoc_priority_max(struct control *control, struct moment now);
uint32_t fair_qos_priority_max(struct control *control, struct moment now);
