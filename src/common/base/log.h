/*
 * log.h - where a daemon or command says what happens. Only mains and handlers log.
 *
 * Levels and their names are Slurm's (SlurmctldDebug, -v): a daemon logs lines of the form
 * "[2026-11-20T19:46:55.123] error: text", a command "srun: error: text".
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "common/base/err.h"

enum log_level {
    LOG_QUIET,
    LOG_FATAL,
    LOG_ERROR,
    LOG_INFO,
    LOG_VERBOSE,
    LOG_DEBUG,
    LOG_DEBUG2,
    LOG_DEBUG3,
    LOG_DEBUG4,
    LOG_DEBUG5,
};

struct log;

/* Makes the log of a command: lines go to stderr behind "name: ". `name` is borrowed. */
struct log *log_new_command(const char *name, enum log_level level);

/* Makes the log of a daemon: lines with a time go to stderr until log_open names a file. */
struct log *log_new_daemon(const char *name, enum log_level level);

/*
 * Continues the log in the file at `path` (created 0600, appended), opened as safe_path.h does. A
 * log is also reopened this way after rotation.
 */
int log_open(struct log *log, const char *path, struct err *err);

/* Continues the log in a file that another process has opened, and keeps a copy of `fd`. */
int log_use(struct log *log, int fd, struct err *err);

/* Returns the file's descriptor, which the log keeps, or -1 without a file. */
int log_fd(const struct log *log);

/* Sets whether lines also go to stderr once a file is open (-D). */
void log_set_stderr(struct log *log, bool on);
void log_set_level(struct log *log, enum log_level level);
enum log_level log_get_level(const struct log *log);

/* Reads "info", "debug2", or an old number such as "3". Fails with EINVAL for anything else. */
int log_level_parse(const char *text, enum log_level *ret_level);
const char *log_level_name(enum log_level level);

struct log *log_free(struct log *log);

/* Writes a line. With `log` NULL nothing is written. */
void log_at(struct log *log, enum log_level level, const char *fmt, ...) PRINTF_LIKE(3, 4);

#define log_error(log, ...)   log_at((log), LOG_ERROR, __VA_ARGS__)
#define log_info(log, ...)    log_at((log), LOG_INFO, __VA_ARGS__)
#define log_verbose(log, ...) log_at((log), LOG_VERBOSE, __VA_ARGS__)
#define log_debug(log, ...)   log_at((log), LOG_DEBUG, __VA_ARGS__)
