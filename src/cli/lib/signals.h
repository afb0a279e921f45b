/* signals.h - signals by name and number, as --signal, --kill-command and scancel -s take them. */
#pragma once

/* "USR1", "SIGUSR1" in any case, "10". Returns 1 .. SIGRTMAX, or -EINVAL. */
int signal_parse(const char *text);

/* "USR1", or the number in decimal for a signal without a name; never NULL, valid until the end. */
const char *signal_name(int number);
