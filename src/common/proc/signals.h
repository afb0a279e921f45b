/* signals.h - what a new process must not take over from the one that made it. */
#pragma once

/* Sets every signal that can be handled to its default action. */
void signals_default(void);

/* Sets every signal to its default action, and blocks none. */
void signals_reset(void);
