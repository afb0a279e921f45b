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

#include "common/base/strbuf.h"

struct program {
    struct program *next;
    char *path, *what;
    char **environment;
};

struct programs {
    struct event_base *base;
    struct log *log;
    struct program *first, **last; /* the first one runs, when pid is not 0 */
    uint32_t n;
    pid_t pid;
    int pid_fd; /* readable when the program has ended */
    struct event *ended, *timeout, *start;
    bool drops; /* told that programs are dropped, until there is room again */
};

static void on_ended(evutil_socket_t fd, short what, void *arg);
static void on_timeout(evutil_socket_t fd, short what, void *arg);
static void on_start(evutil_socket_t fd, short what, void *arg);

struct programs *programs_new(struct event_base *base, struct log *log)
{
    struct programs *programs = xcalloc(1, sizeof(*programs));

    programs->base = base;
    programs->log = log;
    programs->last = &programs->first;
    programs->pid_fd = -1;
    programs->timeout = evtimer_new(base, on_timeout, programs);
    programs->start = evtimer_new(base, on_start, programs);
    return programs;
}

static void program_free(struct program *program)
{
    for (uint32_t i = 0; program->environment[i]; i++)
        free(program->environment[i]);
    free(program->environment);
    free(program->path);
    free(program->what);
    free(program);
}

static void drop_first(struct programs *programs)
{
    struct program *program = programs->first;

    programs->first = program->next;
    if (!programs->first)
        programs->last = &programs->first;
    programs->n--;
    program_free(program);
}

static void forget_process(struct programs *programs)
{
    if (programs->ended)
        event_free(programs->ended);
    if (programs->pid_fd >= 0)
        close(programs->pid_fd);
    event_del(programs->timeout);
    programs->ended = NULL;
    programs->pid_fd = -1;
    programs->pid = 0;
}

struct programs *programs_free(struct programs *programs)
{
    if (!programs)
        return NULL;
    forget_process(programs);
    while (programs->first)
        drop_first(programs);
    event_free(programs->timeout);
    event_free(programs->start);
    free(programs);
    return NULL;
}

/* ---- one program ---- */

/* The loop's signals are blocked or handled in ways that are no program's business. */
static int spawn(struct programs *programs, const struct program *program)
{
    char *argv[] = { program->path, NULL };
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, all;
    int rc;

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
    rc = posix_spawn(&programs->pid, program->path, &actions, &attributes, argv,
                     program->environment);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    if (rc)
        programs->pid = 0;
    return -rc;
}

static void watch(struct programs *programs)
{
    const struct timeval limit = { .tv_sec = PROGRAMS_TIMEOUT_S };

    programs->pid_fd = (int)syscall(SYS_pidfd_open, programs->pid, 0); /* close-on-exec by birth */
    programs->ended = event_new(programs->base, programs->pid_fd, EV_READ, on_ended, programs);
    event_add(programs->ended, NULL);
    event_add(programs->timeout, &limit);
}

static void start_first(struct programs *programs)
{
    const struct program *program = programs->first;
    int rc = spawn(programs, program);

    if (rc == 0) {
        watch(programs);
        return;
    }
    log_error(programs->log, "%s: cannot run %s: %s", program->what, program->path, strerror(-rc));
    drop_first(programs);
    if (programs->first)
        event_active(programs->start, EV_TIMEOUT, 1);
}

static void on_start(evutil_socket_t fd, short what, void *arg)
{
    struct programs *programs = arg;

    (void)fd;
    (void)what;
    if (programs->first && !programs->pid)
        start_first(programs);
}

static void log_end(const struct programs *programs, int status)
{
    const struct program *program = programs->first;

    if (WIFSIGNALED(status))
        log_error(programs->log, "%s: %s was killed by signal %d", program->what, program->path,
                  WTERMSIG(status));
    else if (WEXITSTATUS(status))
        log_error(programs->log, "%s: %s ended with status %d", program->what, program->path,
                  WEXITSTATUS(status));
}

static void on_ended(evutil_socket_t fd, short what, void *arg)
{
    struct programs *programs = arg;
    int status = 0;

    (void)fd;
    (void)what;
    (void)waitpid(programs->pid, &status, 0); /* it has ended: this does not wait */
    log_end(programs, status);
    forget_process(programs);
    drop_first(programs);
    programs->drops = false;
    if (programs->first)
        start_first(programs);
}

static void on_timeout(evutil_socket_t fd, short what, void *arg)
{
    struct programs *programs = arg;

    (void)fd;
    (void)what;
    log_error(programs->log, "%s: %s runs for more than %d s and is killed", programs->first->what,
              programs->first->path, PROGRAMS_TIMEOUT_S);
    (void)kill(-programs->pid, SIGKILL);
}

void programs_run(struct programs *programs, const char *path, char *const *environment,
                  const char *what)
{
    struct program *program;
    uint32_t n = 0;

    if (programs->n >= PROGRAMS_MAX) {
        if (!programs->drops)
            log_error(programs->log, "%s: %d programs wait already, no more are run", what,
                      PROGRAMS_MAX);
        programs->drops = true;
        return;
    }
    program = xcalloc(1, sizeof(*program));
    program->path = xstrdup(path);
    program->what = xstrdup(what);
    while (environment[n])
        n++;
    program->environment = xcalloc((size_t)n + 1, sizeof(*program->environment));
    for (uint32_t i = 0; i < n; i++)
        program->environment[i] = xstrdup(environment[i]);
    *programs->last = program;
    programs->last = &program->next;
    programs->n++;
    if (!programs->pid)
        event_active(programs->start, EV_TIMEOUT, 1);
}
