/*
 * gres.h - for the checker: generic resources of a place.
 */
#pragma once

#include "common/base/strbuf.h"
#include "unit/ctld/sched/proof/claim.h"

/* Devices, or the amount, that the place holds of a sort; type NULL: of all types. */
uint64_t gres_held(const struct plan_node *node, const struct plan_place *place, const char *name,
                   const char *type);

/* What the place has to hold of what an ask names, by all that is asked of the same sort; of what
 * is asked for the job as a whole only that it is something. */
bool gres_check(const struct plan_snapshot *snapshot, const struct claim *claim,
                const struct plan_place *place, struct strbuf *problem);

/* Whether one of these cpus of its node is near each device that it holds, where that is due: to a
 * job that is bound, whose cores are not given by sockets. */
bool gres_is_covered(const struct plan_snapshot *snapshot, const struct claim *claim,
                     const struct plan_place *place, const struct bitset *cpus);

/* What is asked for the job as a whole is what its places hold together. */
bool gres_check_sums(const struct plan_snapshot *snapshot, const struct claim *claim,
                     struct strbuf *problem);
