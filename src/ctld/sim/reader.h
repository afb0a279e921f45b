/*
 * reader.h - the words of one line of a scenario, and errors that name their place.
 *
 * A word may be quoted in whole or in part; a comment begins with a # at a word's beginning. All
 * functions fail with E_SYNTAX and "FILE:LINE:COLUMN: ...".
 */
#pragma once

#include "common/base/strbuf.h"

struct reader {
    const char *name; /* of the file */
    const char *line, *at, *end;
    uint32_t number;
    char *word;         /* the last one taken, without its quotes, "" for none; owned */
    const char *begins; /* where it stands */
    struct err *err;
};

/* Goes on to the line [line, end), with the next number. */
void reader_begin(struct reader *in, const char *line, const char *end);
void reader_clear(struct reader *in);

int reader_fail(const struct reader *in, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* Reads the next word: returns 1, or 0 at the end of the line. */
int reader_next(struct reader *in);

/* Reads a word that must follow: returns 0, or an error that says what is missing. */
int reader_need(struct reader *in, const char *what);

/* Fails if anything follows in the line. */
int reader_end(struct reader *in);

/* Reads a text as seconds, or as a time with colons or days, of 100 years at most. */
int reader_time(struct reader *in, const char *text, int64_t *ret_ms);
