/*
 * args.h - reads a command line the way getopt_long does, from a table, without global state.
 *
 * Long options may be cut short while that is unambiguous; the wording of errors is glibc's, which
 * users and scripts know, plus the nearest known option. Pure. Borrows table and argv.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/base/err.h"

enum arg_need { ARG_NONE, ARG_REQUIRED, ARG_OPTIONAL };

/* Rows with the same id are one option under several names. */
struct arg_option {
    const char *name; /* without the dashes, or NULL */
    char letter;      /* or 0 */
    uint8_t need;     /* enum arg_need */
    int id;
};

struct arg_reader {
    const struct arg_option *options;
    uint32_t options_n;
    char *const *argv;
    int argc;
    bool mixed;         /* options may follow operands; else the first operand ends them */
    const char *ending; /* the operand that ends them although `mixed`, in any case; NULL: none */

    /* Private; 0 at the start, `at` 1 to skip the program's name. */
    int at;
    const char *letters; /* rest of "-abc" */
    const char **operands;
    uint32_t operands_n;
};

/*
 * Reads the next option: returns 1, its id and its value (NULL when it has none), borrowed from
 * argv. Returns 0 when there are no more: then operands are all of argv[at..] unless `mixed`, and
 * in `operands` if so. Fails with E_SYNTAX.
 */
int arg_next(struct arg_reader *reader, int *ret_id, const char **ret_value, struct err *err);

/* Releases what `mixed` collected. */
void arg_reader_clear(struct arg_reader *reader);
void arg_reader_auto_(struct arg_reader *reader);
