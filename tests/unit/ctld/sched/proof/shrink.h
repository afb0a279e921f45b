/*
 * shrink.h - makes a text of lines that fails a small one that still fails.
 *
 * Lines are left out, then words, then numbers are made smaller, until nothing of that can be done
 * without the failure going away. Knows nothing of what the lines mean, save that the first one
 * tells how large things are: its numbers stay above 0.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Whether the text fails as the first one did. */
typedef bool shrink_fails(const char *text, void *arg);

/* Tries at most `tries` texts. The result is the caller's. */
char *shrink(const char *text, shrink_fails *fails, void *arg, uint32_t tries);
