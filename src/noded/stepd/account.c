#include "noded/stepd/account.h"

static uint64_t micros(const struct timeval *time)
{
    return (uint64_t)time->tv_sec * 1000000 + (uint64_t)time->tv_usec;
}

void account_add_orphan(struct account *account, const struct rusage *rusage)
{
    account->user_us += micros(&rusage->ru_utime);
    account->system_us += micros(&rusage->ru_stime);
}

void account_sample(struct account *account, const struct cgroup *cgroup)
{
    uint64_t now_kb = cgroup_usage(cgroup).memory_kb;

    if (now_kb > account->memory_kb)
        account->memory_kb = now_kb;
}

void account_add_task(struct step_report *report, const struct task_usage *usage, uint32_t tasks_n)
{
    for (uint32_t i = 0; i < report->usage_n; i++) {
        if (report->usage[i].task == usage->task)
            return;
    }
    if (report->usage_n < tasks_n)
        *ARRAY_PUSH(report->usage, report->usage_n) = *usage;
}

/*
 * Takes the cgroup's memory: what a lone task and its children hold is what the cgroup holds, while
 * samples count pages that processes share once for each. Killed for want of memory, it held all
 * that it was let.
 */
static void take_cgroup_memory(const struct account *account, const struct cgroup_usage *cgroup,
                               struct task_usage *task)
{
    uint64_t most_kb = cgroup->oom_kills ? cgroup->peak_memory_kb : account->memory_kb;

    if (most_kb > task->memory_kb)
        task->memory_kb = most_kb;
}

void account_finish(const struct account *account, const struct cgroup *cgroup,
                    struct step_report *report)
{
    struct cgroup_usage usage = cgroup ? cgroup_usage(cgroup) : (struct cgroup_usage){ 0 };

    report->out_of_memory = report->out_of_memory || usage.oom_kills > 0;
    report->peak_memory_kb = usage.peak_memory_kb;
    report->user_us = account->user_us;
    report->system_us = account->system_us;
    if (report->usage_n == 1)
        take_cgroup_memory(account, &usage, &report->usage[0]);
    for (uint32_t i = 0; i < report->usage_n; i++) {
        report->user_us += report->usage[i].user_us;
        report->system_us += report->usage[i].system_us;
    }
}
