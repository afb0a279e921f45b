/*
 * extern.c - the process of a job's step `extern`: it holds open, as the job's user and within the
 * job's bounds, what belongs to the job on a node and to none of its steps.
 */
#include <signal.h>
#include <stdlib.h>

#include "noded/main/main.h"

/* Waits for the end of the step only: no signal that a user means for his programs ends it. */
int extern_main(int argc, char **argv)
{
    sigset_t all, end;
    int signal;

    (void)argc;
    (void)argv;
    sigfillset(&all);
    (void)sigprocmask(SIG_SETMASK, &all, NULL);
    sigemptyset(&end);
    sigaddset(&end, SIGTERM);
    return sigwait(&end, &signal) ? EXIT_FAILURE : EXIT_SUCCESS;
}
