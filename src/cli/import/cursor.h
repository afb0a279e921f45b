/*
 * cursor.h - the rows of a large table, one after the other, in the order of its key.
 */
#pragma once

#include "cli/import/survey.h"

struct cursor {
    struct survey *survey; /* borrowed */
    struct dump *dump;
    enum foreign_table table;
    int column;             /* by which rows are in order */
    struct foreign_row row; /* the present one */
    uint64_t key;           /* its value of the column */
    uint64_t left;          /* rows that were not read yet */
    bool is_there;
};

/* Goes to the first row of the table, of the cluster whose history comes. cursor_end is due also
 * after a failure. */
int cursor_begin(struct cursor *cursor, struct survey *survey, enum foreign_table table, int column,
                 struct err *err);
void cursor_end(struct cursor *cursor);

/* Goes on to the next row. One whose key is lower is an error, which says how to make a dump in
 * order. */
int cursor_next(struct cursor *cursor, struct err *err);
