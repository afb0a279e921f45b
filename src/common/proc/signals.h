/* signals.h - what a new process must not take over from the one that made it. */
#pragma once
#include <signal.h>

/*
 * Sets every signal that can be handled to its default action. A handler of faults (SIGSEGV and the
 * like) stays: it is that of a sanitizer, and a new program loses it anyway.
 */
void signals_default(void);

/* Sets every signal to its default action as signals_default does, and blocks none. */
void signals_reset(void);

/* All signals but those of faults: with its signal blocked, a fault ends the process before anybody
 * can report it. */
void signals_but_faults(sigset_t *ret_set);
