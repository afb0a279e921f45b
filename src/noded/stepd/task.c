#include "noded/stepd/task.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
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
#define STACK_BYTES  (64 * 1024)
#define LINE_MAX_N   256

/* What keeps a task from its program, other than what it has said itself. */
enum trouble { TROUBLE_NONE, TROUBLE_GROUP, TROUBLE_PROGRAM };

/*
 * All that a task's process needs, made before there is one: it may share the memory of the process
 * that starts it, and be killed at any moment. So it makes system calls, and changes nothing but
 * the last three members and the text of its pid.
 */
struct task_image {
    const struct task_plan *plan;
    bool is_apart; /* has memory of its own */
    struct task_env env;
    struct strbuf said; /* for its stderr, of its gpus */
    char *pid_text;     /* within `env`, with room for any */
    char **environment; /* the strings are those of `env` */
    char *program;
    enum trouble trouble;
    int why; /* errno */
};

/* Finds the soft limit to set: what was asked, as far as this node's hard limit goes. */
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

/* Returns the first executable of that name in PATH, or the name itself. To be freed. */
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

/* Returns the interpreter that a script names, in `line`; NULL where there is none, or no
 * script. */
static const char *read_interpreter(const char *program, char line[LINE_MAX_N])
{
    AUTO_CLOSE int fd = open(program, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    const ssize_t n = fd >= 0 ? read(fd, line, LINE_MAX_N - 1) : 0;
    char *name = line + 2;

    if (n <= 2 || line[0] != '#' || line[1] != '!')
        return NULL;
    line[n] = '\0';
    name += strspn(name, " \t");
    name[strcspn(name, " \t\r\n")] = '\0';
    return name;
}

/*
 * Says why the program cannot be executed. A script whose "#!" names nothing fails with ENOENT too:
 * then the interpreter is to be named. The line is no longer than a pipe takes that nobody reads,
 * and nothing is waited for: see start_sharing.
 */
static void say_program(int out, const char *program, int why)
{
    char line[LINE_MAX_N];
    const char *interpreter = why == ENOENT ? read_interpreter(program, line) : NULL;

    if (interpreter)
        dprintf(out, "slurmstepd: error: execve(): bad interpreter(%s): %s\n", interpreter,
                strerror(why));
    else
        dprintf(out, "slurmstepd: error: execve(): %.*s: %s\n", PATH_MAX, program, strerror(why));
}

static bool take_stdio(const struct task_plan *plan)
{
    if (plan->terminal) {
        (void)setsid();
        (void)ioctl(plan->in, TIOCSCTTY, 0);
    } else {
        (void)setpgid(0, 0);
    }
    return dup2(plan->in, 0) >= 0 && dup2(plan->out, 1) >= 0 && dup2(plan->err, 2) >= 0;
}

static void write_pid(char *text)
{
    char digits[3 * sizeof(pid_t)];
    size_t n = 0;

    for (pid_t left = getpid(); left; left /= 10)
        digits[n++] = (char)('0' + left % 10);
    while (n)
        *text++ = digits[--n];
    *text = '\0';
}

/* Makes the task's own environment from what is known without its process. */
static void make_environment(struct task_image *image)
{
    const struct task_plan *plan = image->plan;
    AUTO(bitset) struct bitset cores = { 0 };

    cpu_plan_cores(&plan->binding->cpus, plan->local, &cores);
    task_env_copy(&image->env, plan->environment);
    task_env_set_task(&image->env, plan->node, plan->local, INT_MAX);
    task_gres_set_task(&image->env, plan->node, plan->gpu_bind,
                       &(struct gpu_task){ plan->local, &cores }, &image->said);
    for (uint32_t i = 0; i < plan->mpi->environment_n; i++)
        task_env_add(&image->env, plan->mpi->environment[i]);
}

/* Sets environment and program; once more after prologs, which change the environment. */
static void settle(struct task_image *image)
{
    const struct task_plan *plan = image->plan;

    free(image->environment);
    free(image->program);
    image->environment = task_env_array(&image->env);
    image->program = plan->program ? xstrdup(plan->program) : search(&image->env, plan->argv[0]);
}

static const char *node_name(const struct task_plan *plan)
{
    return plan->node->body->nodes[plan->node->node_index].name;
}

/* Runs the cluster's prolog, then the step's; one that fails is the end of the task. */
static int run_prologs(struct task_image *image)
{
    const struct task_plan *plan = image->plan;
    const char *own = plan->node->body->task_prolog;
    int why = 0;

    task_hook_add_limits(&image->env, plan->node->body);
    if (plan->prolog)
        why = task_prolog_run(plan->prolog, false, node_name(plan), &image->env);
    if (!why && own)
        why = task_prolog_run(own, true, node_name(plan), &image->env);
    task_hook_drop_limits(&image->env, plan->node->body);
    settle(image);
    return why;
}

/* Joins the task's group: a task that is not where it would be found must not run. */
static bool join_group(struct task_image *image)
{
    const int rc = cgroup_enter_task(image->plan->cgroup, image->plan->local);

    if (rc < 0) {
        image->trouble = TROUBLE_GROUP;
        image->why = -rc;
    }
    return rc == 0;
}

/* Runs as the process of a task. Returns the status to exit with when there is no program to
 * become. */
static int run(void *arg)
{
    struct task_image *image = arg;
    const struct task_plan *plan = image->plan;
    int why;

    if (!take_stdio(plan) || !join_group(image))
        return EXIT_FAILURE;
    why = task_bind_self(plan->binding, plan->node, plan->local);
    if (why)
        return why;
    signals_reset();
    write_pid(image->pid_text);
    if (plan->mpi->fd >= 0)
        (void)fcntl(plan->mpi->fd, F_SETFD, 0); /* goes on into the program */
    if (image->said.len && write(STDERR_FILENO, image->said.data, image->said.len) < 0) {
        /* Its stderr is gone: it runs all the same. */
    }
    if (image->is_apart && (why = run_prologs(image)))
        return why;
    set_limits(plan->node->body);
    if (plan->node->body->stopped)
        (void)raise(SIGSTOP);
    execve(image->program, plan->argv, image->environment);
    image->trouble = TROUBLE_PROGRAM;
    image->why = errno;
    return image->why;
}

/* Says the trouble on the task's stderr, by who has memory to do it in. */
static void say_trouble(const struct task_image *image)
{
    const struct task_plan *plan = image->plan;

    if (image->trouble == TROUBLE_GROUP)
        dprintf(plan->err, "slurmstepd: error: task %u cannot enter its cgroup: %s\n", plan->local,
                strerror(image->why));
    if (image->trouble == TROUBLE_PROGRAM)
        say_program(plan->err, image->program, image->why);
}

/* Returns whether the task becomes its program at once: it waits for nobody and has nothing to put
 * together. */
static bool is_quick(const struct task_plan *plan)
{
    const struct launch_body *body = plan->node->body;

    return !plan->prolog && !body->task_prolog && !body->stopped &&
           task_bind_is_quiet(plan->binding);
}

/*
 * Starts the task in our memory, while we wait until it has become its program: nothing is copied
 * for it, and then again for us at each page that we write. That saves half a millisecond of a
 * short step. Where the program's file system hangs so do we; root's parent can end both.
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
    if (pid > 0)
        say_trouble(image);
    return pid;
}

static pid_t start_apart(struct task_image *image)
{
    pid_t pid = fork();

    if (pid == 0) {
        const int why = run(image);

        say_trouble(image);
        _exit(why);
    }
    return pid;
}

pid_t task_start(const struct task_plan *plan, struct err *err)
{
    struct task_image image = { .plan = plan, .is_apart = !is_quick(plan) };
    pid_t pid;
    int why;

    make_environment(&image);
    image.pid_text = task_env_get(&image.env, "SLURM_TASK_PID");
    settle(&image);
    pid = image.is_apart ? start_apart(&image) : start_sharing(&image);
    why = errno;
    task_env_clear(&image.env);
    strbuf_clear(&image.said);
    free(image.environment);
    free(image.program);
    if (pid < 0)
        return err_set(err, why, "cannot start task %u: %s",
                       plan->node->body->nodes[plan->node->node_index].tasks[plan->local],
                       strerror(why));
    return pid;
}
