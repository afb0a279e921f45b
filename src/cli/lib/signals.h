/* Asks all questions, at most SIGHTS_AT_ONCE at a time, and waits for the answers. */
#pragma once

/* Reads "USR1" or "SIGUSR1" in any case, or "10". Returns 1 .. SIGRTMAX, or -EINVAL. */
int signal_parse(const char *text);

/*
 * Returns "USR1", or the number in decimal for a signal without a name; never NULL, valid until the
 * end.
 */
const char *signal_name(int number);
