/*
 * dump.h - the rows of a file that mysqldump or mariadb-dump wrote, one after the other.
 *
 * The text is parsed, never executed: CREATE TABLE tells the names of columns, USE the database,
 * INSERT and REPLACE the rows; every other statement is passed over. Memory holds one row at a
 * time, however long the file is. An error names file and line.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"

#define DUMP_CELL_MAX    (16u << 20) /* bytes of one value; the rest of a longer one is cut off */
#define DUMP_ROW_MAX     (64u << 20) /* bytes of all values of one row */
#define DUMP_NAME_MAX    256         /* bytes of a name */
#define DUMP_COLUMNS_MAX 1024        /* of a table */
#define DUMP_LAYOUTS_MAX 65536 /* tables, and lists of columns that INSERTs have of their own */

/* A table as a statement has it: its rows have values in the order of `columns`. */
struct dump_layout {
    char *database; /* that was used when it was named; "": none */
    char *table;
    char **columns;
    uint32_t columns_n;
};

struct dump_cell {
    const char *text; /* ended by a zero byte, which `n` does not count; NULL: the value is NULL */
    uint32_t n;
    bool is_cut; /* it was longer than DUMP_CELL_MAX */
};

/* Where a row stands in the file. */
struct dump_place {
    const struct dump_layout *layout;
    uint64_t offset;
    uint64_t line;
};

/* Borrowed until the next row is asked for; the layout lives as long as the dump. */
struct dump_row {
    struct dump_place place;
    const struct dump_cell *cells;
    uint32_t n; /* as many as the layout has columns */
};

struct dump;

/* Reads from the descriptor, which is borrowed and can be read at any offset. `name` is what errors
 * call the file. */
struct dump *dump_new(int fd, const char *name);
/* Returns another reader of the same file, which knows what this one has read of tables. */
struct dump *dump_fork(const struct dump *dump);
struct dump *dump_free(struct dump *dump);

/* From now on a statement that is no INSERT or REPLACE with columns and rows is an error with its
 * line. Comments are passed over still. */
void dump_be_strict(struct dump *dump);

/* Leaves out rows of tables that are not wanted, which is faster than to look at them. */
typedef bool dump_wants_fn(const struct dump_layout *layout, void *ctx);
void dump_filter(struct dump *dump, dump_wants_fn *wants, void *ctx);

/* Returns 1 and a row, 0 at the end of the file, or less than 0: EILSEQ what is no dump, EPIPE one
 * that was cut. */
int dump_next(struct dump *dump, struct dump_row *ret, struct err *err);

/* Begins again with the first statement. */
void dump_rewind(struct dump *dump);

/* Goes on with the row at a place that a row of this dump had, and with those behind it. */
void dump_seek(struct dump *dump, const struct dump_place *place);

/* Return what statements have named so far. */
uint32_t dump_layouts_n(const struct dump *dump);
const struct dump_layout *dump_layout_at(const struct dump *dump, uint32_t i);

/* Returns what errors call the file. */
const char *dump_name(const struct dump *dump);

/* Returns how many bytes have been read, for who tells of progress. */
uint64_t dump_offset(const struct dump *dump);

/* Returns the value of a hexadecimal digit, -1: it is none. */
int dump_hex_digit(int c);

/* Sets an error that begins with file and line of the place. Returns -code. */
int dump_fail(const struct dump *dump, const struct dump_place *place, struct err *err, int code,
              const char *format, ...) __attribute__((format(printf, 5, 6)));
