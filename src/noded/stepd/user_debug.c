/* user_debug.c - what srun --slurmd-debug shows of a node: its tasks' starts and ends. */
#include <sys/wait.h>

#include "common/base/log.h"
#include "common/text/timetext.h"
#include "noded/stepd/user_inside.h"

/* Returns whether there is anything to see: as with Slurm, not below this level. */
static bool is_wanted(const struct user *user)
{
    return user->body.node_level >= LOG_ERROR;
}

/* Returns the level that is shown: Slurm's step daemon tells two levels more than srun asks for,
 * debug2 at most. */
static enum log_level told_level(const struct user *user)
{
    const uint32_t asked = user->body.node_level;

    return (enum log_level)((asked < LOG_VERBOSE ? asked : LOG_VERBOSE) + 2);
}

void user_debug_begin(struct user *user)
{
    AUTO_FREE char *lines = NULL;
    const char *name = user_here(user)->name;

    if (!is_wanted(user))
        return;
    lines = xasprintf("slurmstepd-%s: debug levels are stderr='%s'\n"
                      "slurmstepd-%s: starting %u tasks\n",
                      name, log_level_name(told_level(user)), name, user->tasks_n);
    user_say(user, lines);
}

void user_debug_started(struct user *user, uint32_t local)
{
    const struct usage_task *task = &user->tasks[local];
    AUTO(strbuf) struct strbuf now = { 0 };
    AUTO_FREE char *line = NULL;

    if (!is_wanted(user))
        return;
    time_format(&now, clock_wall_s(&user->launch->clock), NULL, 0, "");
    line = xasprintf("slurmstepd-%s: task %u (%d) started %s\n", user_here(user)->name,
                     task->usage.task, (int)task->pid, strbuf_text(&now));
    user_say(user, line);
}

void user_debug_exited(struct user *user, uint32_t local, int status)
{
    const struct usage_task *task = &user->tasks[local];
    AUTO(strbuf) struct strbuf line = { 0 };

    if (!is_wanted(user))
        return;
    strbuf_addf(&line, "slurmstepd-%s: task %u (%d) exited", user_here(user)->name,
                task->usage.task, (int)task->pid);
    if (WIFSIGNALED(status))
        strbuf_addf(&line, ". Killed by signal %d.\n", WTERMSIG(status));
    else
        strbuf_addf(&line, " with exit code %d.\n", WEXITSTATUS(status));
    user_say(user, strbuf_text(&line));
}
