/*
 * print.h - the title of a report, and its rows in columns.
 */
#pragma once

#include "cli/sacct/layout.h"
#include "cli/sreport/ask.h"

/* The amounts that columns show, in TRES seconds but for the first. */
enum row_value {
    ROW_COUNT, /* of the TRES */
    ROW_USED,
    ROW_ENERGY, /* which nothing measures */
    ROW_ALLOCATED,
    ROW_DOWN,
    ROW_PLANNED_DOWN,
    ROW_IDLE,
    ROW_PLANNED,
    ROW_OVER,
    ROW_REPORTED,
    ROW_VALUES_N
};

/* A line of a report. Texts are borrowed, but `proper`. */
struct row {
    const char *cluster, *account, *user, *wckey, *tres;
    char *proper;   /* owned: what the system's user has for a name, or NULL */
    uint32_t depth; /* of an account in a tree */
    uint64_t values[ROW_VALUES_N];
    uint64_t whole; /* all that there is, for percentages */
};

struct rows {
    struct row *at;
    uint32_t n;
};

void rows_clear(struct rows *rows);

/* Columns. A mark's low byte says how many letters of the name are enough, the next one which
 * row_value it shows, or 0. */
#define PRINT_LEAST(mark) ((mark)&255u)
#define PRINT_VALUE(mark) ((mark) >> 8)

struct print {
    const char *title, *what; /* print_title */
    const struct report_table *columns;
    const struct words *fields;
    bool widens; /* columns of amounts grow with the longest one */
    bool has_tree;
    bool title_first; /* before it is said which field is none, as Slurm does it in one report */
};

/* Prints two rules with the title and what the amounts are between them. */
void print_title(const struct sreport *sreport, const char *title, const char *what);

/* Appends "2026-11-26T00:00:00 - 2026-11-26T23:59:59", and with `seconds` how many these are. */
void print_times(const struct ask *ask, bool seconds, struct strbuf *out);

/* Makes the format of the fields, those that are none left out, which is said. */
void print_layout(struct sreport *sreport, const struct print *print, enum acct_style style,
                  struct report_format *ret);

/* Prints title, header and rows. Returns what to exit with. */
int print_rows(struct sreport *sreport, const struct print *print, const struct rows *rows);

enum acct_style print_style(const struct sreport *sreport);

/* Columns that several reports have; `least` letters are enough. */
#define PRINT_TEXT(name_, least_, title_, width_, make_)                                           \
    {                                                                                              \
        .name = name_, .title = title_, .width = width_, .make = make_, .unset = "",               \
        .mark = least_                                                                             \
    }
#define PRINT_AMOUNT(name_, least_, title_, width_, value_)                                        \
    {                                                                                              \
        .name = name_, .title = title_, .width = width_, .make = print_##value_, .unset = "",      \
        .mark = (least_) | value_ << 8                                                             \
    }

report_make_fn print_cluster, print_account, print_user, print_proper, print_wckey, print_tres,
    print_ROW_COUNT, print_ROW_USED, print_ROW_ENERGY, print_ROW_ALLOCATED, print_ROW_DOWN,
    print_ROW_PLANNED_DOWN, print_ROW_IDLE, print_ROW_PLANNED, print_ROW_OVER, print_ROW_REPORTED;
