/* Watches memory that is not bounded by the kernel: JobAcctGatherParams=OverMemoryKill. */
#include "noded/stepd/parent_inside.h"

#include <stdio.h>

#include "noded/stepd/oom.h"
#include "noded/stepd/usage.h"

#define BYTES_PER_KB 1024

static uint64_t held_kb(const struct parent *parent)
{
    uint64_t kb = cgroup_usage(parent->cgroup).memory_kb;
    AUTO_FREE pid_t *pids = NULL;
    int n;

    if (kb)
        return kb;
    n = cgroup_members(parent->cgroup, &pids);
    for (int i = 0; i < n; i++) {
        if (pids[i] == parent->child)
            pids[i] = 0;
    }
    return usage_memory_kb(pids, n > 0 ? (uint32_t)n : 0, parent->launch->bounds->counts);
}

static void say(const struct parent *parent, const struct strbuf *line)
{
    log_info(parent->log, "step %s: %s", parent->title, strbuf_text(line));
    parent_say(parent, strbuf_text(line));
}

static void kill_for_memory(struct parent *parent, uint64_t kb, uint64_t limit_kb)
{
    AUTO(strbuf) struct strbuf line = { 0 }, advice = { 0 };
    const struct launch_cred *cred = parent->launch->cred;
    const struct oom_where where = { parent->title, cred->node, cred->memory };

    strbuf_addf(&line,
                "slurmstepd: error: StepId=%s exceeded memory limit (%llu > %llu), being killed\n",
                parent->title, (unsigned long long)kb * BYTES_PER_KB,
                (unsigned long long)limit_kb * BYTES_PER_KB);
    say(parent, &line);
    oom_advise(&(struct oom){ 0 }, kb, &where, &advice);
    say(parent, &advice);
    parent->report.out_of_memory = true;
    parent_end_step(parent, 0, "");
}

void parent_check_oom(struct parent *parent)
{
    if (!parent->launch->cred->oom_kill_step || parent->killing ||
        cgroup_usage(parent->cgroup).oom_kills == 0)
        return;
    parent_end_step(parent, 0, "");
}

void parent_on_sampled(struct parent *parent)
{
    const struct launch_cred *cred = parent->launch->cred;
    uint64_t kb;

    account_sample(&parent->account, parent->cgroup);
    parent_check_oom(parent);
    if (!parent->launch->bounds->over_memory_kill || !cred->memory || cred->memory == MB_UNSET ||
        parent->killing)
        return;
    kb = held_kb(parent);
    if (kb > cred->memory * BYTES_PER_KB)
        kill_for_memory(parent, kb, cred->memory * BYTES_PER_KB);
}
