/* signals.h - what a new process must not take over from the one that made it. */
#pragma once

/* All that can be handled does what it does by default. */
void signals_default(void);

/* The same, and none is blocked. */
void signals_reset(void);
