#include "common/proc/signals.h"

#include <stdbool.h>
#include <stddef.h>

#include "common/base/alloc.h"

static const int faults[] = { SIGSEGV, SIGBUS, SIGILL, SIGFPE };

static bool is_fault(int signal)
{
    for (size_t i = 0; i < ARRAY_N(faults); i++) {
        if (faults[i] == signal)
            return true;
    }
    return false;
}

static bool is_ignored(int signal)
{
    struct sigaction now;

    return sigaction(signal, NULL, &now) == 0 && now.sa_handler == SIG_IGN;
}

void signals_default(void)
{
    for (int i = 1; i < NSIG; i++) {
        if (!is_fault(i) || is_ignored(i))
            (void)signal(i, SIG_DFL); /* fails for those that cannot change */
    }
}

void signals_reset(void)
{
    sigset_t none;

    signals_default();
    sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
}

void signals_but_faults(sigset_t *ret_set)
{
    sigfillset(ret_set);
    for (size_t i = 0; i < ARRAY_N(faults); i++)
        sigdelset(ret_set, faults[i]);
}
