/*
 * cores.h - for the checker: which cpus of one node are right for a place.
 */
#pragma once

#include "common/base/strbuf.h"
#include "unit/ctld/sched/proof/claim.h"

enum cores_unit { CORES_CPU, CORES_CORE, CORES_SOCKET, CORES_NODE };

/* What cpus are given in. */
enum cores_unit cores_unit(const struct plan_snapshot *snapshot, const struct claim *claim);

/* Cpus that the job must have on the node, given its tasks and devices there. */
uint64_t cores_needed(const struct plan_snapshot *snapshot, const struct claim *claim,
                      const struct plan_place *place);

/* Cpus that memory is counted by: with CR_CPU those that it needs, else those that it has, without
 * the threads of a core that --threads-per-core leaves idle. */
uint64_t cores_charged(const struct plan_snapshot *snapshot, const struct claim *claim,
                       const struct plan_place *place);

/* The cpus are whole units, for jobs, enough for what runs there, and not one unit more. */
bool cores_check(const struct plan_snapshot *snapshot, const struct claim *claim,
                 const struct plan_place *place, struct strbuf *problem);
