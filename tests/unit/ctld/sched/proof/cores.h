/*
 * cores.h - for the checker: which cpus of one node are right for a place.
 */
#pragma once

#include "common/base/strbuf.h"
#include "unit/ctld/sched/proof/claim.h"

enum cores_unit { CORES_CPU, CORES_CORE, CORES_SOCKET, CORES_NODE };

/* What cpus are given in. */
enum cores_unit cores_unit(const struct plan_snapshot *snapshot, const struct claim *claim);

/* The cpus of the place that the job's tasks can use: --threads-per-core leaves some idle. */
uint64_t cores_usable(const struct plan_snapshot *snapshot, const struct claim *claim,
                      const struct plan_place *place);

/* The cpus are whole units, for jobs, enough for what runs there, and not one unit more. */
bool cores_check(const struct plan_snapshot *snapshot, const struct claim *claim,
                 const struct plan_place *place, struct strbuf *problem);
