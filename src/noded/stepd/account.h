/*
 * account.h - adds up what a step used here, for its report. On root's side: what tasks used is
 * told by the step's user side, what the step used by the kernel.
 */
#pragma once

#include <sys/resource.h>

#include "noded/cgroup/cgroup.h"
#include "noded/stepd/frame.h"

struct account {
    uint64_t user_us, system_us; /* of processes that left their task */
    uint64_t memory_kb;          /* most that the cgroup was seen to hold */
};

/* Adds a process that was waited for here, its parent having gone. */
void account_add_orphan(struct account *account, const struct rusage *rusage);

/* Looks at the cgroup now. */
void account_sample(struct account *account, const struct cgroup *cgroup);

/* Adds one task's end, from a FRAME_USAGE. The first one for a task counts, at most `tasks_n` in
 * all. */
void account_add_task(struct step_report *report, const struct task_usage *usage, uint32_t tasks_n);

/* Fills the sums of the report. `cgroup` may be NULL. */
void account_finish(const struct account *account, const struct cgroup *cgroup,
                    struct step_report *report);
