#include "cli/lib/signals.h"

#include <errno.h>
#include <signal.h>
#include <string.h>

#include "common/text/words.h"

static const struct {
    const char *name;
    int number;
} names[] = {
    { "HUP", SIGHUP },       { "INT", SIGINT },     { "QUIT", SIGQUIT }, { "ABRT", SIGABRT },
    { "KILL", SIGKILL },     { "ALRM", SIGALRM },   { "TERM", SIGTERM }, { "USR1", SIGUSR1 },
    { "USR2", SIGUSR2 },     { "URG", SIGURG },     { "CONT", SIGCONT }, { "STOP", SIGSTOP },
    { "TSTP", SIGTSTP },     { "TTIN", SIGTTIN },   { "TTOU", SIGTTOU }, { "ILL", SIGILL },
    { "TRAP", SIGTRAP },     { "BUS", SIGBUS },     { "FPE", SIGFPE },   { "SEGV", SIGSEGV },
    { "PIPE", SIGPIPE },     { "CHLD", SIGCHLD },   { "XCPU", SIGXCPU }, { "XFSZ", SIGXFSZ },
    { "PROF", SIGPROF },     { "IO", SIGIO },       { "PWR", SIGPWR },   { "SYS", SIGSYS },
    { "VTALRM", SIGVTALRM }, { "WINCH", SIGWINCH }, { "POLL", SIGPOLL }, { "STKFLT", SIGSTKFLT },
};

int signal_parse(const char *text)
{
    const char *name = text;
    uint64_t number;

    if (number_parse(text, 1, (uint64_t)SIGRTMAX, &number, NULL) == 0)
        return (int)number;
    word_starts(text, "SIG", &name);
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (word_is(name, names[i].name))
            return names[i].number;
    }
    return -EINVAL;
}

const char *signal_name(int number)
{
    static const char *const plain[] = {
        "32", "33", "34", "35", "36", "37", "38", "39", "40", "41", "42",
        "43", "44", "45", "46", "47", "48", "49", "50", "51", "52", "53",
        "54", "55", "56", "57", "58", "59", "60", "61", "62", "63", "64",
    };

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (names[i].number == number)
            return names[i].name;
    }
    return number >= 32 && number <= 64 ? plain[number - 32] : "0";
}
