#include "noded/stepd/task.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/proc/signals.h"
#include "noded/stepd/task_bind.h"
#include "noded/stepd/task_gres.h"
#include "noded/stepd/task_hook.h"

#define PATH_DEFAULT "/usr/local/bin:/usr/bin:/bin"

/* The soft limit to set: what was asked, as far as this node's hard limit goes. */
static bool limit_of(const struct rlimit_spec *spec, struct rlimit *ret, bool *ret_cut)
{
    rlim_t asked = spec->soft == UINT64_MAX ? RLIM_INFINITY : (rlim_t)spec->soft;

    if (spec->resource >= RLIM_NLIMITS || getrlimit(spec->resource, ret) < 0)
        return false;
    *ret_cut = asked > ret->rlim_max; /* RLIM_INFINITY is the largest number */
    ret->rlim_cur = *ret_cut ? ret->rlim_max : asked;
    return true;
}

void task_limits_warn(const struct rlimit_spec *limits, uint32_t limits_n, struct strbuf *out)
{
    for (uint32_t i = 0; i < limits_n; i++) {
        struct rlimit limit;
        bool cut;

        /* "unlimited" is what a login gives, not what somebody asked for: no line for that. */
        if (!limit_of(&limits[i], &limit, &cut) || !cut || limits[i].soft == UINT64_MAX)
            continue;
        strbuf_addf(out,
                    "slurmstepd: error: RLIMIT_%s of %llu is more than this node allows: %llu\n",
                    rlimit_name(limits[i].resource), (unsigned long long)limits[i].soft,
                    (unsigned long long)limit.rlim_max);
    }
}

static void set_limits(const struct launch_body *body)
{
    for (uint32_t i = 0; i < body->limits_n; i++) {
        struct rlimit limit;
        bool cut;

        if (limit_of(&body->limits[i], &limit, &cut))
            (void)setrlimit(body->limits[i].resource, &limit); /* cannot fail: soft <= hard */
    }
}

static bool is_program(const char *path)
{
    struct stat status;

    return stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, X_OK) == 0;
}

/* The first executable of that name in PATH, or the name itself. To be freed. */
static char *search(const struct task_env *env, const char *name)
{
    const char *path = task_env_get(env, "PATH");

    if (strchr(name, '/'))
        return xstrdup(name);
    for (const char *at = path ? path : PATH_DEFAULT; at; at = strchr(at, ':')) {
        at += *at == ':';
        size_t n = strcspn(at, ":");
        AUTO_FREE char *full = xasprintf("%.*s/%s", n ? (int)n : 1, n ? at : ".", name);

        if (is_program(full))
            return STEAL(full);
    }
    return xstrdup(name);
}

/* A script whose "#!" names nothing fails with ENOENT too: then the interpreter is to be named. */
static void say_why(const char *program, int why)
{
    char line[256] = "";
    AUTO_CLOSE int fd = open(program, O_RDONLY | O_CLOEXEC);
    ssize_t n = why == ENOENT && fd >= 0 ? read(fd, line, sizeof(line) - 1) : 0;

    if (n > 2 && line[0] == '#' && line[1] == '!') {
        char *name = line + 2 + strspn(line + 2, " \t");

        name[strcspn(name, " \t\r\n")] = '\0';
        dprintf(STDERR_FILENO, "slurmstepd: error: execve(): bad interpreter(%s): %s\n", name,
                strerror(why));
        return;
    }
    dprintf(STDERR_FILENO, "slurmstepd: error: execve(): %s: %s\n", program, strerror(why));
}

static void take_stdio(const struct task_plan *plan)
{
    if (plan->terminal) {
        (void)setsid();
        (void)ioctl(plan->in, TIOCSCTTY, 0);
    } else {
        (void)setpgid(0, 0);
    }
    if (dup2(plan->in, 0) < 0 || dup2(plan->out, 1) < 0 || dup2(plan->err, 2) < 0)
        _exit(EXIT_FAILURE);
}

/* As the task, which says on its own stderr what it was asked to say. */
static void set_environment(const struct task_plan *plan, struct task_env *env)
{
    AUTO(bitset) struct bitset cores = { 0 };
    AUTO(strbuf) struct strbuf said = { 0 };

    cpu_plan_cores(&plan->binding->cpus, plan->local, &cores);
    task_env_copy(env, plan->environment);
    task_env_set_task(env, plan->node, plan->local, getpid());
    task_gres_set_task(env, plan->node, plan->gpu_bind, &(struct gpu_task){ plan->local, &cores },
                       &said);
    for (uint32_t i = 0; i < plan->mpi->environment_n; i++)
        task_env_add(env, plan->mpi->environment[i]);
    if (plan->mpi->fd >= 0)
        (void)fcntl(plan->mpi->fd, F_SETFD, 0); /* goes on into the program */
    if (said.len)
        dprintf(STDERR_FILENO, "%s", strbuf_text(&said));
}

/* A task that is not where it would be found must not run. */
static void join_group(const struct task_plan *plan)
{
    struct err err = { 0 };

    if (cgroup_enter_task(plan->cgroup, plan->local, &err) == 0)
        return;
    dprintf(STDERR_FILENO, "slurmstepd: error: %s\n", err.text);
    _exit(EXIT_FAILURE);
}

static const char *node_name(const struct task_plan *plan)
{
    return plan->node->body->nodes[plan->node->node_index].name;
}

/* The cluster's, then the step's; one that fails is the end of the task. */
static void run_prologs(const struct task_plan *plan, struct task_env *env)
{
    const char *own = plan->node->body->task_prolog;
    int why = 0;

    task_hook_add_limits(env, plan->node->body);
    if (plan->prolog)
        why = task_prolog_run(plan->prolog, "TaskProlog", node_name(plan), env);
    if (!why && own)
        why = task_prolog_run(own, "--task-prolog", node_name(plan), env);
    task_hook_drop_limits(env, plan->node->body);
    if (why)
        _exit(why);
}

static void run(const struct task_plan *plan)
{
    AUTO(task_env) struct task_env env = { 0 };
    int why;

    take_stdio(plan);
    join_group(plan);
    task_bind_self(plan->binding, plan->node, plan->local);
    signals_reset();
    set_environment(plan, &env);
    run_prologs(plan, &env);
    AUTO_FREE char **array = task_env_array(&env);
    AUTO_FREE char *program = plan->program ? xstrdup(plan->program) : search(&env, plan->argv[0]);
    set_limits(plan->node->body);
    if (plan->node->body->stopped)
        (void)raise(SIGSTOP);
    execve(program, plan->argv, array);
    why = errno;
    say_why(program, why);
    _exit(why);
}

pid_t task_start(const struct task_plan *plan, struct err *err)
{
    pid_t pid = fork();

    if (pid < 0)
        return err_set(err, errno, "cannot start task %u: %s",
                       plan->node->body->nodes[plan->node->node_index].tasks[plan->local],
                       strerror(errno));
    if (pid == 0) {
        run(plan);
        _exit(EXIT_FAILURE); /* not reached */
    }
    return pid;
}
