#include "noded/stepd/oom.h"

#include <signal.h>
#include <sys/wait.h>

#include "common/schema/schema.h"
#include "noded/cgroup/files.h"

#define TASKS_NAMED 8 /* then "..." */

int oom_task_ended(struct oom *oom, const struct cgroup *cgroup, uint32_t task, int status)
{
    uint64_t kills;

    if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGKILL)
        return status;
    kills = cgroup_usage(cgroup).oom_kills;
    if (kills <= oom->kills)
        return status;
    oom->kills++; /* one process was this task; others may have been its children */
    *ARRAY_PUSH(oom->tasks, oom->tasks_n) = task;
    return OUT_OF_MEMORY_STATUS;
}

/* Appends as "50M", or "2G" where that is exact. */
static void add_mb(uint64_t mb, struct strbuf *out)
{
    bool whole = mb >= 1024 && mb % 1024 == 0;

    strbuf_addf(out, "%llu%c", (unsigned long long)(whole ? mb / 1024 : mb), whole ? 'G' : 'M');
}

/* Returns half as much again, in steps that people would write. */
static uint64_t next_mb(uint64_t mb)
{
    const uint64_t more = mb + mb / 2 + 1, step = more > 4096 ? 1024 : more > 200 ? 100 : 10;

    return (more + step - 1) / step * step;
}

static void add_tasks(const struct oom *oom, struct strbuf *out)
{
    strbuf_adds(out, oom->tasks_n == 1 ? "task " : "tasks ");
    for (uint32_t i = 0; i < oom->tasks_n && i < TASKS_NAMED; i++)
        strbuf_addf(out, "%s%u", i ? "," : "", oom->tasks[i]);
    if (oom->tasks_n > TASKS_NAMED)
        strbuf_adds(out, ",...");
}

void oom_advise(const struct oom *oom, uint64_t peak_kb, const struct oom_where *where,
                struct strbuf *out)
{
    const bool asked = where->asked_mb && where->asked_mb != MB_UNSET;

    strbuf_addf(out, "slurmstepd: error: StepId=%s on %s: ", where->title, where->node);
    if (oom->tasks_n)
        add_tasks(oom, out);
    else
        strbuf_adds(out, "a process");
    strbuf_adds(out, " ran out of memory; asked for ");
    if (asked)
        add_mb(where->asked_mb, out);
    else
        strbuf_adds(out, "all of the node");
    if (peak_kb) {
        strbuf_adds(out, ", used at most ");
        add_mb((peak_kb + 1023) / 1024, out);
    }
    if (asked) {
        strbuf_adds(out, "; next, try --mem=");
        add_mb(next_mb(where->asked_mb), out);
    } else {
        strbuf_adds(out, "; next, try a node with more");
    }
    strbuf_addc(out, '\n');
}

void oom_describe(struct oom *oom, const struct cgroup *cgroup, const struct oom_where *where,
                  struct strbuf *out)
{
    const struct cgroup_usage usage = cgroup_usage(cgroup);

    if (usage.oom_kills == 0)
        return;
    strbuf_addf(out,
                "slurmstepd: error: Detected %llu oom-kill event(s) in StepId=%s. Some of your "
                "processes may have been killed by the cgroup out-of-memory handler.\n",
                (unsigned long long)usage.oom_kills, where->title);
    oom_advise(oom, usage.peak_memory_kb, where, out);
}

/* Takes the protection off. Fails where that is not allowed; then there was none that root could
 * take away. */
void as_root_oom_unprotect(void)
{
    (void)cgroup_file_write("/proc/self", "oom_score_adj", "0");
}
