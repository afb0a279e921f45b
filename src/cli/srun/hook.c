#include "cli/srun/hook.h"

#include <errno.h>
#include <event2/event.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/msg/job_env.h"
#include "common/proc/signals.h"
#include "common/text/words.h"

struct srun_hook {
    struct event *ended;
    pid_t pid;
    int pid_fd;
    struct log *log;
    struct conf_hook_limit limit;
    srun_hook_over_fn *fn;
    void *ctx;
};

const char *srun_hook_program(const char *option, const char *conf)
{
    const char *program = option ? option : conf;

    return program && *program && !word_is(program, "none") ? program : NULL;
}

static void PRINTF_LIKE(2, 3) set(const char *name, const char *fmt, ...)
{
    AUTO(strbuf) struct strbuf text = { 0 };
    va_list args;

    va_start(args, fmt);
    strbuf_vaddf(&text, fmt, args);
    va_end(args);
    (void)setenv(name, strbuf_text(&text), 1);
}

static void set_text(const char *name, const char *value)
{
    if (value)
        (void)setenv(name, value, 1);
}

static void add_variable(void *ctx, const char *name, const char *value)
{
    (void)ctx;
    set_text(name, value);
}

void srun_hook_set_job(const struct job_record *job)
{
    AUTO_FREE uint32_t *counts = xcalloc(job->nodes_n, sizeof(*counts));
    struct job_env_facts facts = JOB_ENV_NO_FACTS;

    for (uint32_t i = 0; i < job->nodes_n; i++)
        counts[i] = job->nodes[i].cpus_n;
    facts.job = job;
    facts.spec = job->spec;
    facts.cpus_per_node = (struct job_env_counts){ counts, job->nodes_n };
    job_env_make(JOB_ENV_SRUN_JOB, &facts, add_variable, NULL);
}

/* Sets what srun tells its tasks of where and how it was called, without what is the user's. */
static void set_told(const struct strbuf *environment)
{
    const char *at = environment->data, *end = at ? at + environment->len : NULL;

    for (; at && at < end; at += strnlen(at, (size_t)(end - at)) + 1) {
        AUTO_FREE char *name = xstrndup(at, strcspn(at, "="));

        if (word_starts(name, "SLURM_", NULL))
            set_text(name, at + strlen(name) + 1);
    }
}

static void set_limits(const struct step_spec *command)
{
    for (uint32_t i = 0; i < command->limits_n; i++) {
        const char *limit = rlimit_name(command->limits[i].resource);
        AUTO_FREE char *name = limit ? xasprintf("SLURM_RLIMIT_%s", limit) : NULL;

        if (name)
            set(name, "%" PRIu64, command->limits[i].soft);
    }
}

static NO_RETURN void execute(const struct srun_hook_plan *plan)
{
    AUTO_FREE char **argv = xcalloc((size_t)plan->command->argv_n + 2, sizeof(*argv));
    struct job_env_facts facts = JOB_ENV_NO_FACTS;

    argv[0] = (char *)(uintptr_t)plan->path;
    for (uint32_t i = 0; i < plan->command->argv_n; i++)
        argv[i + 1] = plan->command->argv[i];
    set_told(plan->environment);
    set_limits(plan->command);
    facts.step = facts.sized = plan->step;
    facts.context = plan->context;
    job_env_make(JOB_ENV_SRUN_STEP, &facts, add_variable, NULL);
    signals_reset();
    execv(plan->path, argv);
    dprintf(STDERR_FILENO, "srun: error: %s: %s\n", plan->path, strerror(errno));
    _exit(127);
}

/* Returns the pid, with a descriptor that becomes readable at its end; -1: it is logged why not. */
static pid_t start(const struct srun_hook_plan *plan, int *ret_fd)
{
    pid_t pid;

    *ret_fd = -1;
    if (access(plan->path, R_OK | X_OK) < 0) {
        log_info(plan->log, "Access denied for %s: %s", plan->path, strerror(errno));
        return -1;
    }
    pid = fork();
    if (pid == 0)
        execute(plan);
    *ret_fd = pid > 0 ? (int)syscall(SYS_pidfd_open, pid, 0) : -1;
    if (pid < 0)
        log_error(plan->log, "%s is not run: %s", plan->path, strerror(errno));
    return pid;
}

static void end_late(pid_t pid, const struct conf_hook_limit *limit, struct log *log)
{
    log_error(log, "a program runs for more than %s%u s and is killed", limit->key, limit->seconds);
    (void)kill(pid, SIGKILL);
}

/* Waits for a program that has ended, or is about to. Returns its exit code, or 1. */
static int collect(pid_t pid, struct log *log)
{
    int status = 0;

    (void)waitpid(pid, &status, 0);
    if (WIFEXITED(status))
        return WEXITSTATUS(status);
    log_error(log, "script did not exit normally");
    return 1;
}

static void on_ended(evutil_socket_t fd, short what, void *arg)
{
    struct srun_hook *program = arg;
    int code;

    (void)fd;
    if (what & EV_TIMEOUT)
        end_late(program->pid, &program->limit, program->log);
    code = collect(program->pid, program->log);
    program->pid = 0;
    program->fn(code, program->ctx);
}

struct srun_hook *srun_hook_start(struct event_base *base, const struct srun_hook_plan *plan,
                                  srun_hook_over_fn *fn, void *ctx)
{
    const struct timeval limit = { .tv_sec = plan->limit.seconds };
    struct srun_hook *program;
    int fd;
    const pid_t pid = start(plan, &fd);

    if (pid < 0)
        return NULL;
    program = xcalloc(1, sizeof(*program));
    *program = (struct srun_hook){
        .pid = pid, .pid_fd = fd, .log = plan->log, .limit = plan->limit, .fn = fn, .ctx = ctx
    };
    program->ended = event_new(base, fd, EV_READ, on_ended, program);
    event_add(program->ended, plan->limit.seconds ? &limit : NULL);
    return program;
}

struct srun_hook *srun_hook_free(struct srun_hook *program)
{
    if (!program)
        return NULL;
    event_free(program->ended);
    if (program->pid > 0) {
        (void)kill(program->pid, SIGKILL);
        (void)waitpid(program->pid, NULL, 0);
    }
    close(program->pid_fd);
    free(program);
    return NULL;
}

int srun_hook_run(const struct srun_hook_plan *plan)
{
    int fd, n, code;
    const pid_t pid = start(plan, &fd);
    struct pollfd poll_fd = { .fd = fd, .events = POLLIN };

    if (pid < 0)
        return 0;
    do
        n = poll(&poll_fd, 1,
                 plan->limit.seconds ? (int)(plan->limit.seconds * UINT64_C(1000)) : -1);
    while (n < 0 && errno == EINTR);
    if (n == 0)
        end_late(pid, &plan->limit, plan->log);
    code = collect(pid, plan->log);
    close(fd);
    return code;
}
