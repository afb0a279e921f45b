/* Leads tasks from their start to their end. */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include "noded/stepd/program.h"
#include "noded/stepd/spool.h"
#include "noded/stepd/task.h"
#include "noded/stepd/task_bind.h"
#include "noded/stepd/task_gres.h"
#include "noded/stepd/task_hook.h"
#include "noded/stepd/user_inside.h"

#define EPILOG_LIMIT_S 5   /* as Slurm: then it is killed */
#define SAMPLE_MS      100 /* after the start; then twice as long each time */
#define OOM_LOOK_MS    1000
#define SRUN_FIRST_S   5 /* that long after --wait srun has ended the step itself, with words */

static int start_program(struct user *user, uint32_t local, char *const *argv, struct err *err)
{
    const struct stream_set *set = &user->streams.tasks[local];
    struct task_plan plan = {
        .program = user->program,
        .argv = argv,
        .environment = &user->env,
        .node = &user->env_node,
        .local = local,
        .in = set->in,
        .out = set->out,
        .err = set->err,
        .terminal = set->terminal,
        .gpu_bind = &user->gpu_bind,
        .binding = &user->binding,
        .cgroup = user->cgroup,
        .prolog = user->body.service ? NULL : user->launch->task_prolog,
    };
    AUTO(mpi_task) struct mpi_task mpi = { .fd = -1 };
    pid_t pid = user->mpi ? mpi_add_task(user->mpi, local, &mpi, err) : 0;

    plan.mpi = &mpi;
    if (pid == 0)
        pid = task_start(&plan, err);
    if (pid < 0)
        return (int)pid;
    usage_begin(&user->tasks[local], user_here(user)->tasks[local], pid,
                user->launch->bounds->counts);
    user->running_n++;
    return 0;
}

static int start_task(struct user *user, uint32_t local, struct err *err)
{
    const uint32_t task = user_here(user)->tasks[local];
    char **argv;
    int rc;

    if (user->body.programs_n == 0)
        return start_program(user, local, user->argv, err);
    argv = program_argv(&user->body, task);
    rc = argv ? start_program(user, local, argv, err)
              : err_set(err, EINVAL, "no program for task %u", task);
    program_free(argv);
    return rc;
}

/* Plans the next sample so that short jobs are looked at too, and long ones are not disturbed. */
static void plan_sample(struct user *user)
{
    int64_t most_ms = (int64_t)user->launch->sample_s * 1000;
    struct timeval wait;

    if (user->launch->cred->oom_kill_step && (!most_ms || most_ms > OOM_LOOK_MS))
        most_ms = OOM_LOOK_MS; /* a kill of somebody's child is seen no other way */

    if (!most_ms)
        return;
    user->sample_ms = user->sample_ms ? user->sample_ms * 2 : SAMPLE_MS;
    if (user->sample_ms > most_ms)
        user->sample_ms = most_ms;
    wait = (struct timeval){ user->sample_ms / 1000, user->sample_ms % 1000 * 1000 };
    evtimer_add(user->sample_event, &wait);
}

void user_on_sample(evutil_socket_t fd, short what, void *arg)
{
    struct user *user = arg;
    AUTO_FREE pid_t *pids = NULL;
    int n = cgroup_members(user->cgroup, &pids);

    (void)fd;
    (void)what;
    usage_sample(user->tasks, user->tasks_n, pids, n > 0 ? (uint32_t)n : 0, user->cgroup);
    user_tell(user, &(struct frame){ .kind = FRAME_SAMPLED });
    if (user->running_n)
        plan_sample(user);
}

static void say_started(struct user *user)
{
    AUTO_FREE uint32_t *pids = xcalloc(user->tasks_n, sizeof(*pids));

    for (uint32_t i = 0; i < user->tasks_n; i++)
        pids[i] = (uint32_t)user->tasks[i].pid;
    user_tell(user, &(struct frame){ .kind = FRAME_STARTED });
    if (user->srun)
        srun_link_tasks_started(user->srun, pids);
}

static int open_streams(struct user *user, struct err *err)
{
    const uint32_t here = user_node_index(user);
    int rc = 0;

    if (user->srun)
        rc = streams_open_srun(&user->streams, &user->body, here, user->srun, err);
    if (rc == 0)
        rc = streams_label(&user->streams, &user->body, here, user->base, err);
    user->streams_are_open = true;
    if (user->unsaid.len)
        user_say(user, strbuf_text(&user->unsaid));
    return rc;
}

static int start_all(struct user *user, struct err *err)
{
    int rc = 0;

    user_take_frames(user);
    if (user->ending)
        return err_set(err, ECANCELED, "the step was ended before its tasks started");
    user_debug_begin(user);
    for (uint32_t i = 0; i < user->tasks_n && rc == 0; i++)
        rc = start_task(user, i, err);
    return rc;
}

void user_start_tasks(struct user *user)
{
    struct err err = { 0 };
    int rc = open_streams(user, &err);

    if (rc == 0)
        rc = user_open_mpi(user, &err);
    task_env_set_node(&user->env, &user->env_node);
    task_gres_set_node(&user->env, &user->env_node);
    task_bind_set_node(&user->env, &user->binding);
    if (rc == 0)
        rc = start_all(user, &err);
    if (rc < 0) {
        user_fail(user, &err);
        return;
    }
    streams_close_tasks(&user->streams);
    for (uint32_t i = 0; i < user->tasks_n; i++)
        user_debug_started(user, i);
    say_started(user);
    plan_sample(user);
    /* An end that was ordered meanwhile may have signalled only some of them. */
    user_take_frames(user);
    if (user->ending)
        user_signal_tasks(user, SIGTERM);
}

void user_on_wait_over(evutil_socket_t fd, short what, void *arg)
{
    (void)fd;
    (void)what;
    user_tell_text(arg, FRAME_STOP, 0,
                   "the first task ended, and the time to wait for the rest is over");
}

/* Says who was killed for memory, who should hear of it from us, not only from an exit status. */
static void say_oom(struct user *user)
{
    char title[SPOOL_NAME_MAX];
    AUTO(strbuf) struct strbuf lines = { 0 };
    struct oom_where where = {
        .title = title,
        .node = user_here(user)->name,
        .asked_mb = user->launch->cred->memory,
    };

    step_title(user->body.job_id, user->body.step_id, title);
    oom_describe(&user->oom, user->cgroup, &where, &lines);
    if (lines.len)
        user_say(user, strbuf_text(&lines));
}

static void task_ended(struct user *user, uint32_t local, int status)
{
    struct frame frame = { .kind = FRAME_EXIT,
                           .task = user_here(user)->tasks[local],
                           .number = status,
                           .code = user->tasks[local].pid };
    const struct timeval wait = { (time_t)user->body.wait_s + SRUN_FIRST_S, 0 };

    user->running_n--;
    user_tell(user, &frame);
    if (user->srun)
        srun_link_task_exited(user->srun, local, status,
                              status != 0 && user->mpi && mpi_is_inside(user->mpi, local));
    visitors_task_exited(user->visitors, frame.task, status);
    if (status != 0 && user->body.kill_on_bad_exit && user->running_n)
        user_tell_text(user, FRAME_STOP, 0, "a task failed, and --kill-on-bad-exit was asked for");
    if (user->body.wait_s && user->running_n && !evtimer_pending(user->wait_event, NULL))
        evtimer_add(user->wait_event, &wait); /* --wait counts from the first exit on */
    if (user->running_n)
        return;
    say_oom(user);
    if (user->srun)
        srun_link_finish(user->srun);
    else
        user_stop(user);
}

static void on_epilog_too_long(evutil_socket_t fd, short what, void *arg)
{
    const struct task_epilog *epilog = arg;

    (void)fd;
    (void)what;
    if (epilog->pid > 0)
        (void)kill(-epilog->pid, SIGKILL);
}

static void limit_epilog(const struct user *user, struct task_epilog *epilog)
{
    const struct timeval limit = { EPILOG_LIMIT_S, 0 };

    if (!epilog->limit)
        epilog->limit = evtimer_new(user->base, on_epilog_too_long, epilog);
    evtimer_add(epilog->limit, &limit);
}

/* Says how an epilog ended; Slurm shows the wait status, not the exit status. */
static void say_epilog(struct user *user, int status)
{
    AUTO_FREE char *line = NULL;

    if (status == 0)
        return;
    line = xasprintf("slurmstepd-%s: error: TaskEpilog failed status=%d\n", user_here(user)->name,
                     status);
    user_say(user, line);
}

static void say_forbidden_epilog(struct user *user, const char *program, bool own)
{
    AUTO_FREE char *line =
        xasprintf("slurmstepd-%s: error: Could not run %s task_epilog [%s]: access denied\n",
                  user_here(user)->name, own ? "user" : "slurm", program);

    user_say(user, line);
    say_epilog(user, -1);
}

/* Starts the next epilog; returns false when there is none left. The task counts as running until
 * its epilogs are over. */
static bool start_epilog(struct user *user, uint32_t local)
{
    const char *const programs[] = { user->body.task_epilog, user->launch->task_epilog };
    struct task_epilog *epilog = &user->epilogs[local];

    epilog->pid = 0;
    while (epilog->pid <= 0 && epilog->next < ARRAY_N(programs) && !user->body.service) {
        const char *program = programs[epilog->next++];
        AUTO(task_env) struct task_env env = { 0 };

        if (!program)
            continue;
        task_env_copy(&env, &user->env);
        task_env_set_task(&env, &user->env_node, local, user->tasks[local].pid);
        task_env_unset(&env, "SLURM_TASK_PID"); /* that process is gone */
        task_hook_add_limits(&env, &user->body);
        epilog->pid = task_epilog_start(program, &env);
        if (epilog->pid == -EACCES)
            say_forbidden_epilog(user, program, program == user->body.task_epilog);
    }
    if (epilog->pid > 0)
        limit_epilog(user, epilog);
    return epilog->pid > 0;
}

/* Takes a task that has ended. What /proc says of it must be read while nobody has waited for
 * it. */
static void take_task(struct user *user, uint32_t local)
{
    struct usage_task *task = &user->tasks[local];
    struct frame frame = { .kind = FRAME_USAGE };
    struct rusage rusage;
    int status;

    usage_take_files(task);
    if (wait4(task->pid, &status, WNOHANG, &rusage) != task->pid)
        return;
    usage_end(task, &rusage);
    frame.usage = task->usage;
    user_tell(user, &frame);
    status = oom_task_ended(&user->oom, user->cgroup, task->usage.task, status);
    user->epilogs[local].status = status;
    user_debug_exited(user, local, status);
    if (!start_epilog(user, local))
        task_ended(user, local, status);
}

static void take_epilog(struct user *user, pid_t pid)
{
    int status = 0;

    (void)waitpid(pid, &status, WNOHANG);
    for (uint32_t i = 0; i < user->tasks_n; i++) {
        if (user->epilogs[i].pid != pid)
            continue;
        say_epilog(user, status);
        if (!start_epilog(user, i))
            task_ended(user, i, user->epilogs[i].status);
    }
}

void user_on_child(evutil_socket_t fd, short what, void *arg)
{
    struct user *user = arg;
    siginfo_t info = { 0 };

    (void)fd;
    (void)what;
    while (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid > 0) {
        uint32_t local = usage_find(user->tasks, user->tasks_n, info.si_pid);

        if (local < user->tasks_n)
            take_task(user, local);
        else
            take_epilog(user, info.si_pid);
        info.si_pid = 0;
    }
}

void user_signal_tasks(const struct user *user, int signal)
{
    for (uint32_t i = 0; i < user->tasks_n; i++) {
        if (user->tasks[i].pid)
            (void)kill(user->tasks[i].pid, signal);
    }
}
