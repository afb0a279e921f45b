/*
 * lines.h - commands that are read line by line from standard input.
 */
#pragma once

#include <stdbool.h>

#include "common/base/strbuf.h"
#include "common/text/words.h"

#define LINE_MAX_BYTES (1u << 20)

/* Reads a line byte by byte, without its end: a question may be answered from what is behind it.
 * Returns 1, 0 at the end of the input, or -1 for a line of more than LINE_MAX_BYTES. */
int line_read(struct strbuf *line);

/* Splits a line at blanks that no quotes are around; the quotes stay for who reads the words. */
void line_split(const char *line, struct words *words);
