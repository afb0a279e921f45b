/*
 * directive.h - the #SBATCH lines of a batch script, or those of another system (foreign.h).
 *
 *     #SBATCH --output=%x.out ### a comment begins at a # that is not quoted
 *     #SBATCH -J "two words" --comment='#1'
 *     #SBATCH --signal B:USR2@30
 *
 * Read up to the first line that is neither empty nor a comment. A word may be quoted in whole or
 * in part; a backslash takes the next character as it is, but for a blank, also between double
 * quotes; between single ones it is only dropped. Pure.
 */
#pragma once

#include <stdbool.h>

#include "common/base/strbuf.h"

#define DIRECTIVES_MAX      4096        /* lines */
#define DIRECTIVE_WORDS_MAX 1024        /* in one line */
#define DIRECTIVE_LINE_MAX  (64u << 10) /* bytes of one line */

/* One line. words[0] is "", where a command line has the program's name; words[n] is NULL. */
struct directive {
    uint32_t line; /* counted from 1 */
    uint32_t words_n;
    char **words;
};

struct directives {
    struct directive *at;
    uint32_t n;
};

#define DIRECTIVE_MAGIC "#SBATCH"

/*
 * Reads the lines that begin with `magic`. Fails with E_SYNTAX or E_TOO_BIG, naming the line, and
 * leaves *ret_directives untouched.
 */
int directives_parse(const char *script, size_t n, const char *magic,
                     struct directives *ret_directives, struct err *err);
void directives_clear(struct directives *directives);
void directives_auto_(struct directives *directives);
