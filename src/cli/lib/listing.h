/*
 * listing.h - what commands that print lists have in common: formats, dates, repeating.
 */
#pragma once

#include "cli/lib/command.h"
#include "common/report/format.h"

/* The texts of a format: one of `letters` (-o) and `names` (-O); the other is NULL. */
struct listing_format {
    const char *letters, *names;
    const char *what; /* "job format": for the message about what is no column */
};

/*
 * Reads a format; words that name no column are said on stderr and stay as they were written.
 * `ret_format` is initialised by the caller. Returns 0, or what to exit with.
 */
int listing_read_format(const struct command *command, const struct listing_format *source,
                        struct report_format *ret_format);

/*
 * Prints the header (unless told not to) and the rows. Returns 0, or 1 when stdout cannot take
 * them.
 */
int listing_print(const struct command *command, const struct report_format *format,
                  const struct report_context *ctx, const void *const *rows, uint32_t n,
                  bool has_header);

#define LISTING_FLUSH_BYTES (64u << 10) /* more is not collected before it is written */

/* Writes a text to stdout and empties it. Returns 0, or 1 when stdout cannot take it. */
int listing_write(const struct command *command, struct strbuf *text);

/* Reads the seconds of -i, at least one. Returns 0, or what to exit with; NULL gives 0 seconds. */
int listing_read_seconds(const struct command *command, const char *text, uint32_t *ret_s);

/* Prints an error when SLURM_TIME_FORMAT (or NULL) cannot be followed: times look standard then. */
void listing_check_time_format(const struct command *command, const char *manner);

/* Prints "Fri Nov 20 20:55:36 2026" and a line break on stdout. */
void listing_print_date(int64_t now);

/* Waits between two rounds of -i. */
void listing_wait(uint32_t seconds);
