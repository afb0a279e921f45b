#include "common/proc/signals.h"

#include <signal.h>
#include <stddef.h>

void signals_default(void)
{
    for (int i = 1; i < NSIG; i++)
        (void)signal(i, SIG_DFL); /* fails for those that cannot change */
}

void signals_reset(void)
{
    sigset_t none;

    signals_default();
    sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
}
