/* Calls of zlib that trace.c makes; opened when a trace is read. */
#include <zlib.h>

#include "common/base/library.h"

LIBRARY(libz, "libz.so.1", "compressed traces of sluice sim", NULL);

FORWARD(libz, gzFile, gzopen, (const char *path, const char *mode), (path, mode))
FORWARD(libz, int, gzread, (gzFile file, voidp buffer, unsigned n), (file, buffer, n))
FORWARD(libz, const char *, gzerror, (gzFile file, int *ret_code), (file, ret_code))
FORWARD(libz, int, gzclose, (gzFile file), (file))
