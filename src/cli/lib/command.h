/*
 * command.h - a command's name, its messages, and its way to the controller (cli.h).
 *
 * Owns all three. Ignores SIGPIPE for the whole process: writing to a pipe that nobody reads is an
 * error to be handled, not a death.
 */
#pragma once

#include "cli/lib/cli.h"
#include "common/base/log.h"

struct command {
    const char *name; /* borrowed */
    struct log *log;
    struct cli cli;
    char *const *argv; /* borrowed: what documents say was called; only they need it */
    int argc;
};

void command_init(struct command *command, const char *name);
void command_clear(struct command *command);
void command_auto_(struct command *command);

/* Connects, trying for `patience_ms`; tells the user, once, after waiting for COMMAND_QUIET_MS. */
#define COMMAND_QUIET_MS 2000
int command_connect(struct command *command, enum rpc_role role, int patience_ms, struct err *err);
void command_say_waiting(const struct command *command);

/* True if an error from a connection is one that may go away with time. */
bool command_is_away(int rc);

/* Notes how often -v and -Q were given. */
void command_set_verbosity(struct command *command, uint32_t verbose, uint32_t quiet);

/*
 * Prints "NAME: error: WHAT: REASON", where REASON is Slurm's text for the code: what scripts
 * match. A text that says more goes before it, line by line. Without `what` only the text is
 * printed.
 */
void command_report(const struct command *command, const char *what, const struct err *err);

/* Says each line of `text` as "NAME: LINE"; says nothing with -Q. */
void command_say(const struct command *command, const char *text);

/* Returns what a command exits with on failure: $SLURM_EXIT_ERROR, else 1. */
int command_exit_error(void);

/* Returns the exit status when --immediate was asked for in vain: $SLURM_EXIT_IMMEDIATE, else 1. */
int command_exit_immediate(void);
