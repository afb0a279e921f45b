/*
 * column.h - what a command can say about a row: one table of columns for each kind of row.
 *
 * A row is a struct of pointers to messages: the table's roots say which message is where. A column
 * takes its value from a path through a root's fields ("job.spec.name") or from a function that
 * works it out; numbers of both are formatted by their kind. How a value is laid out is
 * format.h's business, so that a column is the same in every command, list and record.
 *
 *     struct queue_row { const struct job_record *job; };
 *     static const struct report_root roots[] = {
 *         { "job", job_record_schema, offsetof(struct queue_row, job) },
 *     };
 *     static const struct report_column columns[] = {
 *         { .letter = 'j', .name = "Name", .title = "NAME", .path = "job.spec.name" },
 *         { .letter = 'L', .name = "TimeLeft", .title = "TIME_LEFT", .number = time_left,
 *           .kind = KIND_LIMIT },
 *     };
 *
 * Pure. A row's messages are borrowed; a NULL pointer on a path is a value that is not given.
 */
#pragma once

#include "common/schema/schema.h"

/* What all values of one listing have in common: clock, formats, room. */
struct report_context {
    int64_t now;             /* of the controller */
    const char *time_manner; /* SLURM_TIME_FORMAT, or NULL; see time_format */
    bool exact_units;        /* --noconvert: 2048M stays 2048M */
    uint32_t tasks_length;   /* SLURM_BITSTR_LEN: room for the tasks of an array; 0: for all */
    const char *counted;     /* AccountingStorageTRES, or NULL; see common/msg/tres.h */
    const void *user;        /* for the caller's own functions */
};

/* Works out a number for a row. Returns false when the row has none. */
typedef bool report_number_fn(const struct report_context *ctx, const void *row, int64_t *ret);

/* Appends a text for a row, or nothing when the row has none. */
typedef void report_make_fn(const struct report_context *ctx, const void *row, struct strbuf *out);

enum report_style {
    REPORT_LONG = 1,      /* durations as 00:05:00; booleans as Yes and No */
    REPORT_BARE = 2,      /* megabytes as a number without unit; lists without commas */
    REPORT_MINUTES = 4,   /* durations as whole minutes, rounded up */
    REPORT_SECONDS = 8,   /* durations and times as seconds */
    REPORT_OMIT = 16,     /* in a record: left out, with its key, when not given */
    REPORT_NEW_LINE = 32, /* in a record: begins a line */
    REPORT_WHOLE = 64,    /* a number on the right of its field is not cut */
    REPORT_HOSTS = 128,   /* so is a list of hosts; what stands in brackets for one is */
    REPORT_STAR = 256,    /* a star at its end stays there when it is cut */
    REPORT_LINES = 512    /* what `make` appends may have line breaks of its own */
};

struct report_column {
    char letter;       /* of -o, or 0 */
    const char *name;  /* of -O and --format, compared without case; NULL: only by letter */
    const char *title; /* header of the column, key in a record */
    uint32_t width;    /* by default, where the command has one */
    const char *path;  /* "root.field.field"; or else a function: */
    report_number_fn *number;
    report_make_fn *make;  /* beside `number`: shows the value, which `number` orders by */
    enum schema_kind kind; /* of `number`: U32 (also for signed ones), TIME, LIMIT or MB */
    const char *unset;     /* for a value not given; NULL: by kind, "(null)" or "N/A" */
    uint32_t style;        /* enum report_style */
    const char *reads;     /* paths, divided by blanks, of what the functions look at: for a command
                            * that asks only for what it prints */
    uint32_t mark;         /* the command's own; the engine does not look at it */
};

/* A message of a row: the row keeps a pointer to it at `offset`. */
struct report_root {
    const char *name;
    schema_fn *schema;
    size_t offset;
};

struct report_table {
    const struct report_root *roots;
    uint32_t roots_n;
    const struct report_column *columns;
    uint32_t columns_n;
};

/* Return the column of a letter or of a name, or NULL. Names compare without case. */
const struct report_column *report_find_letter(const struct report_table *table, char letter);
const struct report_column *report_find_name(const struct report_table *table, const char *name);

#define REPORT_PATH_MAX 6 /* fields in a path */

/* A path that was looked up once, for use with many rows. */
struct report_path {
    const struct report_root *root; /* NULL: the column has no path */
    const struct schema_field *fields[REPORT_PATH_MAX];
    uint32_t fields_n;
};

/*
 * Finds the path of a column. Fails with EINVAL, naming column and path, when the path does not
 * lead to a value.
 */
int report_path_find(const struct report_table *table, const struct report_column *column,
                     struct report_path *ret_path, struct err *err);

/* Returns the paths of all columns, for use with many rows; free() it. */
struct report_path *report_table_paths(const struct report_table *table);

/*
 * Appends the value of a column, whose path report_path_find gave. Control characters are escaped:
 * see common/base/plain.h.
 */
void report_value(const struct report_column *column, const struct report_path *path,
                  const struct report_context *ctx, const void *row, struct strbuf *out);

/* Returns true if the row has a value for the column. */
bool report_is_given(const struct report_column *column, const struct report_path *path,
                     const struct report_context *ctx, const void *row);

/*
 * Appends a number as columns of its kind show it: TIME, LIMIT and MB in their formats, others as
 * they are.
 */
void report_format_number(enum schema_kind kind, int64_t number, uint32_t style,
                          const struct report_context *ctx, struct strbuf *out);

/* Appends an amount of memory as Slurm shows it: 1500M, 1.50G for 1536, 2G; 0 has no unit. */
void report_format_mb(uint64_t mb, bool exact_units, struct strbuf *out);

/* The place of a value in an order. It is worked out once and compared many times. */
struct report_order {
    bool is_given; /* those that are not come last */
    bool is_plain; /* a name, compared as it is; other texts by the numbers in them */
    int64_t number;
    char *text; /* owned; NULL: the number counts */
};

void report_order_of(const struct report_column *column, const struct report_path *path,
                     const struct report_context *ctx, const void *row, struct report_order *ret);
int report_order_compare(const struct report_order *a, const struct report_order *b);

/*
 * Checks that every path of the table leads to a value. Unit tests call it for each table: at run
 * time a column with a broken path would seem not to be given.
 */
int report_table_check(const struct report_table *table, struct err *err);
