/* signals.h - what a new process must not take over from the one that made it. */
#pragma once

/* Lets all signals that can be handled do what they do by default. */
void signals_default(void);

/* Lets all signals do what they do by default, and blocks none. */
void signals_reset(void);
