/* What a new process takes over: no handler of the old one's, but the one that tells of faults. */
#include "unit/check_main.h"

#include <signal.h>
#include <stdbool.h>

#include "common/proc/signals.h"

static void handler(int signal)
{
    (void)signal;
}

static bool is_handled_by(int signal, void (*expected)(int))
{
    struct sigaction now;

    ck_assert_int_eq(sigaction(signal, NULL, &now), 0);
    return now.sa_handler == expected;
}

START_TEST(handlers_go_but_those_of_faults)
{
    (void)signal(SIGTERM, handler);
    (void)signal(SIGSEGV, handler);

    signals_default();

    ck_assert(is_handled_by(SIGTERM, SIG_DFL));
    ck_assert(is_handled_by(SIGSEGV, handler));
}
END_TEST

START_TEST(no_signal_stays_ignored)
{
    (void)signal(SIGPIPE, SIG_IGN);
    (void)signal(SIGFPE, SIG_IGN);

    signals_default();

    ck_assert(is_handled_by(SIGPIPE, SIG_DFL));
    ck_assert(is_handled_by(SIGFPE, SIG_DFL));
}
END_TEST

START_TEST(a_fault_is_in_no_set_that_blocks)
{
    sigset_t set;

    signals_but_faults(&set);

    ck_assert(sigismember(&set, SIGTERM) == 1 && sigismember(&set, SIGCHLD) == 1);
    ck_assert(sigismember(&set, SIGSEGV) == 0 && sigismember(&set, SIGILL) == 0);
}
END_TEST

CHECK_MAIN(signals, CASE(handlers_go_but_those_of_faults), CASE(no_signal_stays_ignored),
           CASE(a_fault_is_in_no_set_that_blocks))
