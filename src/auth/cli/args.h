/*
 * args.h - a command line described by one table: parsing and --help come from the same rows.
 */
#pragma once

#include <stdbool.h>

#include "common/base/strbuf.h"

struct arg_row {
    const char *name; /* long name, without dashes */
    int code;         /* the short letter, or above ARG_LONG_ONLY */
    const char *arg;  /* what --help calls its value; NULL when it takes none */
    const char *help;
};

enum { ARG_LONG_ONLY = 256 };

struct arg_table {
    const struct arg_row *rows;
    size_t n;
    /* Called for each option in order; `value` is borrowed from argv. */
    int (*take)(void *arg, const struct arg_row *row, const char *value, struct err *err);
    /* True: refusals name the option first, as mungekey's do ('Option "-x" is invalid'), then what
       `take` says. */
    bool is_option_first;
};

/* Refuses arguments that are no options. Permutes argv as getopt_long does. */
int args_parse(const struct arg_table *table, int argc, char **argv, void *arg, struct err *err);

/* Appends "Usage: PROGRAM [OPTIONS]" and a line for each row. */
void args_help(const struct arg_table *table, const char *program, struct strbuf *out);
