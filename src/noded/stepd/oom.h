/*
 * oom.h - tasks that were killed for want of memory: which, and what their user is told.
 *
 * Runs on the step's user side, which may read the counts of its own cgroup.
 */
#pragma once

#include "common/msg/step.h"
#include "noded/cgroup/cgroup.h"

struct oom {
    uint64_t kills;  /* seen so far */
    uint32_t *tasks; /* whose first process it was */
    uint32_t tasks_n;
};

/*
 * Notes that a task has ended. Returns its status, or OUT_OF_MEMORY_STATUS when the kernel has
 * killed it for memory.
 */
int oom_task_ended(struct oom *oom, const struct cgroup *cgroup, uint32_t task, int status);

/* At the end of all tasks: what there is to say, appended; nothing when nobody was killed. */
struct oom_where {
    const char *title; /* "12.0" */
    const char *node;
    uint64_t asked_mb; /* 0 or MB_UNSET: all of the node */
};
void oom_describe(struct oom *oom, const struct cgroup *cgroup, const struct oom_where *where,
                  struct strbuf *out);

/* Appends one line: asked, most held, where, and what to ask for next. For a step that was polled,
 * too. */
void oom_advise(const struct oom *oom, uint64_t peak_kb, const struct oom_where *where,
                struct strbuf *out);

/* Takes off the daemon's protection from the kernel's killer, if it has one: it is not for jobs. */
void as_root_oom_unprotect(void);
