/* user_sight.c - what a step's part on this node uses now, for those who look. */
#include "noded/stepd/user_inside.h"

#include <unistd.h>

/* Adds usage. Peaks are raised to what is held at this moment, so that who asks early learns
 * something too. */
static void add_usage(struct user *user, const pid_t *pids, uint32_t pids_n, struct step_sight *ret)
{
    usage_sample(user->tasks, user->tasks_n, pids, pids_n, user->cgroup);
    for (uint32_t i = 0; i < user->tasks_n; i++) {
        struct task_usage *usage = ARRAY_PUSH(ret->usage, ret->usage_n);

        usage_take_files(&user->tasks[i]);
        *usage = user->tasks[i].usage;
    }
}

static void add_processes(const struct user *user, const pid_t *pids, uint32_t pids_n,
                          struct step_sight *ret)
{
    for (uint32_t i = 0; i < pids_n; i++) {
        uint32_t local = usage_find(user->tasks, user->tasks_n, pids[i]);
        struct step_process *process = ARRAY_PUSH(ret->processes, ret->processes_n);

        step_process_init(process);
        process->pid = (uint32_t)pids[i];
        if (local == user->tasks_n)
            continue;
        process->local = local;
        process->task = user_here(user)->tasks[local];
    }
}

void user_look(void *ctx, struct step_sight *ret)
{
    struct user *user = ctx;
    AUTO_FREE pid_t *all = NULL;
    int n = cgroup_members(user->cgroup, &all);
    uint32_t kept = 0;

    for (int i = 0; i < n; i++) { /* this process is no part of what the user asked to run */
        if (all[i] != getpid())
            all[kept++] = all[i];
    }
    ret->job_id = user->body.job_id;
    ret->step_id = user->body.step_id;
    ret->node = xstrdup(user_here(user)->name);
    add_usage(user, all, kept, ret);
    add_processes(user, all, kept, ret);
}
