/* output.h - where the texts of a simulation go. */
#pragma once

#include "common/base/strbuf.h"

/* Writes text to the file, which is made anew; "-" is standard output. */
int output_write(const char *path, const struct strbuf *text, struct err *err);
