/* ask.h - a question whose answer is yes or no, from standard input. */
#pragma once

#include <stdbool.h>

/* Prints "(N/y): " and waits so long for an answer; none is no. What is neither yes nor no is asked
 * again; a y inside of another word is none. */
bool ask_yes(int wait_ms);
