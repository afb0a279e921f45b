/* line.h - the command line of `sluice import WHAT [FILE] [OPTION...]`. */
#pragma once

#include "cli/lib/args.h"

struct import_line {
    const struct arg_option *options;
    uint32_t options_n;
    void (*take)(void *ctx, int id, const char *value); /* `value` is borrowed from argv */
    void *ctx;
};

/* Reads options and operands, of which the first is to be `what`. *ret_file is borrowed from argv,
 * NULL: not said. */
int import_read_line(const struct import_line *line, int argc, char **argv, const char *what,
                     const char **ret_file, struct err *err);
