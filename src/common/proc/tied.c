#include "common/proc/tied.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/alloc.h"

#define STATUS_NOT_RUN 127

/*
 * Asks for a signal when the parent ends. Returns false when it has already ended, because then no
 * signal comes.
 */
static bool tie_to(pid_t parent, int signal)
{
    return prctl(PR_SET_PDEATHSIG, signal) == 0 && getppid() == parent;
}

static NO_RETURN void run_program(pid_t parent, const sigset_t *usual, char **argv)
{
    if (!tie_to(parent, SIGKILL))
        _exit(STATUS_NOT_RUN);
    (void)sigprocmask(SIG_SETMASK, usual, NULL);
    (void)execv(argv[0], argv);
    _exit(STATUS_NOT_RUN);
}

/* Ends as the program did, but without a core of this process, which has done nothing wrong. */
static int end_as(int status)
{
    const struct rlimit none = { 0, 0 };
    const int number = WTERMSIG(status);
    sigset_t one;

    if (!WIFSIGNALED(status))
        return WEXITSTATUS(status);
    (void)setrlimit(RLIMIT_CORE, &none);
    sigemptyset(&one);
    sigaddset(&one, number);
    (void)sigprocmask(SIG_UNBLOCK, &one, NULL);
    (void)raise(number);
    return STATUS_NOT_RUN;
}

/* Waits for the program and returns its wait status. SIGTERM tells that the parent has ended. */
static int watch(pid_t pid, const sigset_t *watched)
{
    int status;

    while (waitpid(pid, &status, WNOHANG) != pid)
        if (sigwaitinfo(watched, NULL) == SIGTERM)
            (void)kill(0, SIGKILL); /* the program, what it started, and this process */
    return status;
}

int tied_main(int argc, char **argv)
{
    const pid_t parent = argc > 2 ? (pid_t)atoi(argv[1]) : 0;
    sigset_t watched, usual;
    pid_t self, pid;

    sigemptyset(&watched);
    sigaddset(&watched, SIGTERM);
    sigaddset(&watched, SIGCHLD);
    if (argc < 3 || sigprocmask(SIG_BLOCK, &watched, &usual) < 0 || getpgrp() != getpid() ||
        !tie_to(parent, SIGTERM))
        return STATUS_NOT_RUN;
    self = getpid();
    pid = fork();
    if (pid < 0)
        return STATUS_NOT_RUN;
    if (pid == 0)
        run_program(self, &usual, argv + 2);
    return end_as(watch(pid, &watched));
}
