#include "ctld/dispatch/programs.h"

#include <errno.h>
#include <event2/event.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <utlist.h>

#include "common/base/strbuf.h"
#include "common/names/run_as.h"
#include "common/proc/tied.h"

#define ARGV_PROGRAM 2 /* where the path of a program is among its argv */

struct program {
    struct program *prev, *next;
    struct programs *programs;
    struct program_run run; /* its texts are owned */
    char *const *path;      /* of run.paths: which is its turn */
    char **argv;            /* a role that stands between and its word, it, then run.arguments */
    pid_t pid;              /* 0: it waits */
    int pid_fd;             /* readable when it has ended */
    struct event *ended, *timeout;
    bool is_late;
};

struct programs {
    struct event_base *base;
    struct log *log;
    struct program *all; /* in their order */
    uint32_t n, running_n;
    uint64_t committed;
    struct event *start;
    bool drops; /* told that programs are dropped, until there is room again */
};

static void on_start(evutil_socket_t fd, short what, void *arg);

struct programs *programs_new(struct event_base *base, struct log *log)
{
    struct programs *programs = xcalloc(1, sizeof(*programs));

    programs->base = base;
    programs->log = log;
    programs->start = evtimer_new(base, on_start, programs);
    return programs;
}

static void free_texts(char *const *texts)
{
    for (uint32_t i = 0; texts[i]; i++)
        free(texts[i]);
    free((void *)(uintptr_t)texts);
}

/* Returns a program's arguments: the role between, an empty text for its path, its own. */
static char **make_argv(const struct program_run *run)
{
    char **argv = NULL;
    uint32_t n = 0;

    *ARRAY_PUSH(argv, n) = xstrdup(run->as_other ? RUN_AS_ROLE : TIED_ROLE);
    *ARRAY_PUSH(argv, n) = xasprintf("%u", run->as_other ? run->uid : (uint32_t)getpid());
    *ARRAY_PUSH(argv, n) = xstrdup("");
    for (uint32_t i = 0; run->arguments && run->arguments[i]; i++)
        *ARRAY_PUSH(argv, n) = xstrdup(run->arguments[i]);
    *ARRAY_PUSH(argv, n) = NULL;
    return argv;
}

static char **copy_texts(char *const *from)
{
    char **copy;
    uint32_t n = 0;

    while (from[n])
        n++;
    copy = xcalloc((size_t)n + 1, sizeof(*copy));
    for (uint32_t i = 0; i < n; i++)
        copy[i] = xstrdup(from[i]);
    return copy;
}

static void forget_process(struct program *program)
{
    program->programs->running_n -= program->pid != 0;
    if (program->ended)
        event_free(program->ended);
    if (program->timeout)
        event_free(program->timeout);
    if (program->pid_fd >= 0)
        close(program->pid_fd);
    program->ended = program->timeout = NULL;
    program->pid_fd = -1;
    program->pid = 0;
}

static void drop(struct program *program)
{
    struct programs *programs = program->programs;

    DL_DELETE(programs->all, program);
    programs->n--;
    forget_process(program);
    free_texts(program->run.paths);
    free_texts(program->argv);
    free_texts(program->run.environment);
    free((char *)(uintptr_t)program->run.what);
    free(program->run.ctx);
    free(program);
}

struct programs *programs_free(struct programs *programs)
{
    if (!programs)
        return NULL;
    while (programs->all)
        drop(programs->all);
    event_free(programs->start);
    free(programs);
    return NULL;
}

/* ---- one program ---- */

/* Starts the program, with all signals set back that the loop blocks or handles. */
static int spawn(struct program *program)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    const bool between = program->run.tied || program->run.as_other;
    sigset_t none, all;
    int rc;

    if (program->run.tied && access(*program->path, X_OK) < 0)
        return -errno;
    xstrset(&program->argv[ARGV_PROGRAM], *program->path);
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    for (int fd = 0; fd <= STDERR_FILENO; fd++)
        posix_spawn_file_actions_addopen(&actions, fd, "/dev/null", O_RDWR, 0);
    posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setflags(&attributes,
                             POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSID);
    rc = posix_spawn(&program->pid, between ? "/proc/self/exe" : *program->path, &actions,
                     &attributes, program->argv + (between ? 0 : ARGV_PROGRAM),
                     program->run.environment);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    if (rc)
        program->pid = 0;
    return -rc;
}

/* Ends a program: the next path of its run starts, or the run is over. */
static void over(struct program *program, int code)
{
    struct programs *programs = program->programs;

    event_active(programs->start, EV_TIMEOUT, 1);
    if (code == 0 && *program->path && *++program->path) {
        forget_process(program);
        return;
    }
    programs->drops = false;
    if (program->run.on_over)
        program->run.on_over(program->run.ctx, code);
    drop(program);
}

static int check_end(const struct program *program, int status)
{
    const struct program_run *run = &program->run;

    if (program->is_late)
        return ETIME; /* told when it was killed */
    if (WIFSIGNALED(status))
        log_error(program->programs->log, "%s: %s was killed by signal %d", run->what,
                  *program->path, WTERMSIG(status));
    else if (WEXITSTATUS(status))
        log_error(program->programs->log, "%s: %s ended with status %d", run->what, *program->path,
                  WEXITSTATUS(status));
    return WIFSIGNALED(status) ? EINTR : WEXITSTATUS(status) ? EIO : 0;
}

static void on_ended(evutil_socket_t fd, short what, void *arg)
{
    struct program *program = arg;
    int status = 0;

    (void)fd;
    (void)what;
    (void)waitpid(program->pid, &status, 0); /* it has ended: this does not wait */
    over(program, check_end(program, status));
}

static void on_timeout(evutil_socket_t fd, short what, void *arg)
{
    struct program *program = arg;

    (void)fd;
    (void)what;
    log_error(program->programs->log, "%s: %s runs for more than %u s and is killed",
              program->run.what, *program->path, program->run.timeout_s);
    program->is_late = true;
    (void)kill(-program->pid, SIGKILL);
}

static void start(struct program *program)
{
    struct programs *programs = program->programs;
    const struct timeval limit = { .tv_sec = program->run.timeout_s };
    int rc;

    if (!*program->path) { /* nothing to run */
        over(program, 0);
        return;
    }
    rc = spawn(program);
    if (rc < 0) {
        log_error(programs->log, "%s: cannot run %s: %s", program->run.what, *program->path,
                  strerror(-rc));
        over(program, -rc);
        return;
    }
    programs->running_n++;
    program->pid_fd = (int)syscall(SYS_pidfd_open, program->pid, 0); /* close-on-exec by birth */
    program->ended = event_new(programs->base, program->pid_fd, EV_READ, on_ended, program);
    event_add(program->ended, NULL);
    program->timeout = evtimer_new(programs->base, on_timeout, program);
    if (program->run.timeout_s)
        event_add(program->timeout, &limit);
}

static void on_start(evutil_socket_t fd, short what, void *arg)
{
    struct programs *programs = arg;
    struct program *program, *next;
    bool one_is_alone = false;

    (void)fd;
    (void)what;
    DL_FOREACH_SAFE (programs->all, program, next) {
        const bool is_alone = program->run.alone;

        if (programs->running_n >= PROGRAMS_AT_ONCE || program->run.turn > programs->committed)
            return;
        if (!program->pid && !(is_alone && one_is_alone))
            start(program);
        one_is_alone |= is_alone;
    }
}

void programs_run(struct programs *programs, const struct program_run *run)
{
    struct program *program;

    if (programs->n >= PROGRAMS_MAX && !run->on_over) {
        if (!programs->drops)
            log_error(programs->log, "%s: %d programs wait already, no more are run", run->what,
                      PROGRAMS_MAX);
        programs->drops = true;
        return;
    }
    program = xcalloc(1, sizeof(*program));
    program->programs = programs;
    program->run = *run;
    program->run.paths = copy_texts(run->paths);
    program->path = program->run.paths;
    program->run.arguments = NULL;
    program->argv = make_argv(run);
    program->run.what = xstrdup(run->what);
    program->run.environment = copy_texts(run->environment);
    program->pid_fd = -1;
    DL_APPEND(programs->all, program);
    programs->n++;
    event_active(programs->start, EV_TIMEOUT, 1);
}

void programs_release(struct programs *programs, uint64_t committed)
{
    if (programs->committed == committed)
        return;
    programs->committed = committed;
    if (programs->n)
        event_active(programs->start, EV_TIMEOUT, 1);
}
