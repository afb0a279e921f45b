/*
 * keep.h - a job whose planned moment has come goes where it was planned to.
 *
 * A start may choose other places than a plan (choose.h). Those behind it in rank are planned
 * around its plan, though: would it go elsewhere now, they had to wait longer, and users would not
 * find their jobs where squeue --start said.
 */
#pragma once

#include "ctld/sched/plan.h"

/*
 * Whether the job's planned moment is here and its places are free, given those before it in rank.
 * Then `ret` has them (owned), the partition and the moment.
 */
bool keep_places(const struct plan *plan, const struct sched_job *job, int64_t now_ms,
                 struct plan_outcome *ret);
