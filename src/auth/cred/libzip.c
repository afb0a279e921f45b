/* Calls of zlib and libbz2 that zip.c makes; opened when a credential is compressed. */
#include <bzlib.h>
#include <zlib.h>

#include "common/base/library.h"

LIBRARY(libz, "libz.so.1", "compressed credentials", NULL);
LIBRARY(libbz2, "libbz2.so.1.0", "compressed credentials", NULL);

FORWARD(libz, int, compress2,
        (Bytef * to, uLongf *to_n, const Bytef *from, uLong from_n, int level),
        (to, to_n, from, from_n, level))
FORWARD(libz, int, uncompress, (Bytef * to, uLongf *to_n, const Bytef *from, uLong from_n),
        (to, to_n, from, from_n))
FORWARD(libbz2, int, BZ2_bzBuffToBuffCompress,
        (char *to, unsigned *to_n, char *from, unsigned from_n, int block_100k, int verbosity,
         int work_factor),
        (to, to_n, from, from_n, block_100k, verbosity, work_factor))
FORWARD(libbz2, int, BZ2_bzBuffToBuffDecompress,
        (char *to, unsigned *to_n, char *from, unsigned from_n, int small, int verbosity),
        (to, to_n, from, from_n, small, verbosity))
