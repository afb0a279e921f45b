#include "noded/stepd/task.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
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
#define STACK_BYTES  (256 * 1024)

/*
 * What a task's process makes for itself. Where it shares memory with the process that starts it,
 * that one releases it.
 */
struct task_image {
    const struct task_plan *plan;
    struct task_env env;
    char **environment; /* the strings are env's */
    char *program;
};

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

static const char *limit_name(uint32_t resource)
{
    static const char *const names[RLIM_NLIMITS] = {
        [RLIMIT_CPU] = "CPU",           [RLIMIT_FSIZE] = "FSIZE",
        [RLIMIT_DATA] = "DATA",         [RLIMIT_STACK] = "STACK",
        [RLIMIT_CORE] = "CORE",         [RLIMIT_RSS] = "RSS",
        [RLIMIT_NPROC] = "NPROC",       [RLIMIT_NOFILE] = "NOFILE",
        [RLIMIT_MEMLOCK] = "MEMLOCK",   [RLIMIT_AS] = "AS",
        [RLIMIT_LOCKS] = "LOCKS",       [RLIMIT_SIGPENDING] = "SIGPENDING",
        [RLIMIT_MSGQUEUE] = "MSGQUEUE", [RLIMIT_NICE] = "NICE",
        [RLIMIT_RTPRIO] = "RTPRIO",     [RLIMIT_RTTIME] = "RTTIME",
    };

    return names[resource];
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
                    limit_name(limits[i].resource), (unsigned long long)limits[i].soft,
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

static int take_stdio(const struct task_plan *plan)
{
    if (plan->terminal) {
        (void)setsid();
        (void)ioctl(plan->in, TIOCSCTTY, 0);
    } else {
        (void)setpgid(0, 0);
    }
    if (dup2(plan->in, 0) < 0 || dup2(plan->out, 1) < 0 || dup2(plan->err, 2) < 0)
        return EXIT_FAILURE;
    return 0;
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
static int join_group(const struct task_plan *plan)
{
    struct err err = { 0 };

    if (cgroup_enter_task(plan->cgroup, plan->local, &err) == 0)
        return 0;
    dprintf(STDERR_FILENO, "slurmstepd: error: %s\n", err.text);
    return EXIT_FAILURE;
}

static const char *node_name(const struct task_plan *plan)
{
    return plan->node->body->nodes[plan->node->node_index].name;
}

/* The cluster's, then the step's; one that fails is the end of the task. */
static int run_prologs(const struct task_plan *plan, struct task_env *env)
{
    const char *own = plan->node->body->task_prolog;
    int why = 0;

    if (plan->prolog)
        why = task_prolog_run(plan->prolog, "TaskProlog", node_name(plan), env);
    if (!why && own)
        why = task_prolog_run(own, "--task-prolog", node_name(plan), env);
    return why;
}

/* All of a task before its program; or the status to exit with. */
static int prepare(struct task_image *image)
{
    const struct task_plan *plan = image->plan;
    int why = take_stdio(plan);

    if (!why)
        why = join_group(plan);
    if (!why)
        why = task_bind_self(plan->binding, plan->node, plan->local);
    if (why)
        return why;
    signals_reset();
    set_environment(plan, &image->env);
    return run_prologs(plan, &image->env);
}

/* The process of a task. Returns the status to exit with when there is no program to become. */
static int run(void *arg)
{
    struct task_image *image = arg;
    const struct task_plan *plan = image->plan;
    int why = prepare(image);

    if (why)
        return why;
    image->environment = task_env_array(&image->env);
    image->program = plan->program ? xstrdup(plan->program) : search(&image->env, plan->argv[0]);
    set_limits(plan->node->body);
    if (plan->node->body->stopped)
        (void)raise(SIGSTOP);
    execve(image->program, plan->argv, image->environment);
    why = errno;
    say_why(image->program, why);
    return why;
}

/* Whether it becomes its program at once, and waits for nobody before. */
static bool is_quick(const struct task_plan *plan)
{
    const struct launch_body *body = plan->node->body;

    return !plan->prolog && !body->task_prolog && !body->stopped;
}

/*
 * In our memory, while we wait until it has become its program: nothing is copied for it, and then
 * again for us at each page that we write. Half a millisecond of the time of a short step.
 */
static pid_t start_sharing(struct task_image *image)
{
    AUTO_FREE char *stack = xmalloc(STACK_BYTES);
    sigset_t all, before;
    pid_t pid;

    sigfillset(&all); /* our handlers must not run in it */
    (void)sigprocmask(SIG_SETMASK, &all, &before);
    pid = clone(run, stack + STACK_BYTES, CLONE_VM | CLONE_VFORK | SIGCHLD, image);
    (void)sigprocmask(SIG_SETMASK, &before, NULL);
    return pid;
}

static pid_t start_apart(struct task_image *image)
{
    pid_t pid = fork();

    if (pid == 0)
        _exit(run(image));
    return pid;
}

pid_t task_start(const struct task_plan *plan, struct err *err)
{
    struct task_image image = { .plan = plan };
    pid_t pid = is_quick(plan) ? start_sharing(&image) : start_apart(&image);
    const int why = errno;

    task_env_clear(&image.env);
    free(image.environment);
    free(image.program);
    if (pid < 0)
        return err_set(err, why, "cannot start task %u: %s",
                       plan->node->body->nodes[plan->node->node_index].tasks[plan->local],
                       strerror(why));
    return pid;
}
