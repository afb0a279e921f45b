/* trace.h - a trace file on the disk, compressed by gzip or not. */
#pragma once

#include "ctld/sim/swf.h"

/*
 * Reads a trace. `ret` must be initialised by swf_init. The error says what is wrong with the file
 * or a line of it.
 */
int trace_read(const char *path, struct swf *ret, struct err *err);
