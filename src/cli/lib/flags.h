/*
 * flags.h - a command's options as a table: what each sets, the variable that stands for it, and
 * its line of help.
 *
 * The values go to members of a plain struct of the command, which borrows them from argv and the
 * environment, but owns its words. --help, --usage and --version are in every table by
 * FLAGS_COMMON.
 */
#pragma once

#include "cli/lib/args.h"
#include "cli/lib/command.h"

enum flag_action {
    FLAG_SET,      /* bool */
    FLAG_TEXT,     /* const char * */
    FLAG_LIST,     /* the same, but its value may be left out: then "" */
    FLAG_ATTACHED, /* the same, but a value in the next word is none: -Clz4, not -C lz4 */
    FLAG_DOCUMENT, /* the same, of --json and --yaml: a data parser, or "list" (document.h) */
    FLAG_WORDS,    /* struct words (text/words.h), the parts of a comma list; each time more */
    FLAG_MORE,     /* uint32_t, one more each time */
    FLAG_SAME,     /* what it asks for is so anyway; taken with or without `value` */
    FLAG_IGNORED,  /* taken, and said to have no effect */
    FLAG_REFUSED,  /* an error: leaving it out would give a wrong answer */
    FLAG_VARIABLE, /* only a variable, no option: const char * */
    FLAG_HELP,
    FLAG_USAGE,
    FLAG_VERSION,
};

struct flag {
    const char *name;     /* of --name */
    char letter;          /* or 0 */
    uint8_t action;       /* enum flag_action */
    size_t at;            /* of the member */
    const char *value;    /* for the help text: what stands for the value; NULL: has none */
    const char *variable; /* of the environment, or NULL */
    const char *help;     /* NULL: another name of the option above it, not shown */
};

#define FLAGS_COMMON                                                                               \
    { "help", 0, FLAG_HELP, 0, NULL, NULL, "print this text" },                                    \
        { "usage", 0, FLAG_USAGE, 0, NULL, NULL, "print the options in short" },                   \
    {                                                                                              \
        "version", 'V', FLAG_VERSION, 0, NULL, NULL, "print the version"                           \
    }

struct flag_table {
    const char *purpose;  /* one sentence for --help */
    const char *heading;  /* of the options in --help, and how it calls them; NULL: "Options" */
    const char *needed;   /* "-j <job>": named in the synopsis, and in --usage alone; or NULL */
    const char *operands; /* "[JOB...]" for the synopsis, or NULL: an operand is an error */
    bool drops_operands;  /* then: without a word, as Slurm's does */
    const struct flag *flags;
    uint32_t flags_n;
    const char *commands; /* lines on the words that operands begin with, for --help; or NULL */
    const char *const *more_help; /* lines that end --help, up to a NULL; or NULL */
    const char *usage;            /* all of --usage where it is not made of `flags`; or NULL */
    const char *ending;           /* as of struct arg_reader */
};

/*
 * Reads variables, then options, into `options`. Returns -1 to go on, else what to exit with: help
 * was asked for, or something was wrong and has been said. `ret_operands`, when the table has
 * operands, is an array to be freed that borrows from argv.
 */
int flags_read(const struct flag_table *table, const struct command *command, int argc,
               char *const *argv, void *options, const char ***ret_operands,
               uint32_t *ret_operands_n);

/* Says "name = value" for each option as it was asked for; called with -v. */
void flags_say(const struct flag_table *table, const void *options, struct log *log);

void flags_help(const struct flag_table *table, const char *program, struct strbuf *out);
void flags_usage(const struct flag_table *table, const char *program, struct strbuf *out);

/*
 * These build the usage text an option at a time, for commands that have their options elsewhere:
 * "Usage: program", then "[-x VALUE]", or "[--name]" where `letter` is 0, folded into lines;
 * `width` is that of the last line.
 */
size_t flags_usage_begin(const char *program, struct strbuf *out);
void flags_usage_add(char letter, const char *name, const char *value, size_t *width,
                     struct strbuf *out);
void flags_usage_end(const char *operands, size_t *width, struct strbuf *out);
