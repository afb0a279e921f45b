/*
 * lines.h - jobs as lines to print, most of them made as their records come.
 *
 * A long list takes more time to print than to read, and its records more memory than its lines. So
 * a record that is one row is made a line at once, while the controller sends the next, and
 * forgotten. Parts of arrays, and jobs that give a row for each of their partitions, are kept until
 * all are there.
 */
#pragma once

#include "cli/lib/command.h"
#include "cli/squeue/rows.h"
#include "common/report/format.h"

struct queue_line {
    struct queue_rank rank;
    uint32_t nth;   /* of its orders */
    size_t at, len; /* in the text */
};

/* Borrows what the first members point to: `AUTO(queue_lines) struct queue_lines lines = {…};` */
struct queue_lines {
    const struct report_format *format;
    const struct queue_source *source; /* `jobs` is where those are kept that give no line yet */
    struct report_context ctx;         /* `now` becomes the controller's */
    bool divides;                      /* a row for each partition: source->partitions come later */
    bool has_begun;
    struct strbuf text;
    struct queue_line *at;
    uint32_t n;
    struct report_order *orders; /* source->sort->keys_n for each line, in the order of coming */
    uint32_t orders_n;
    char **texts; /* of the orders, each once where neighbours have the same */
    uint32_t texts_n;
    struct report_sorted *sorted; /* the lines in the order that is asked for */
};

/* Returns a reader for records_read that has the lines as its context. */
struct records_reader queue_lines_reader(struct queue_lines *lines);

/* Makes lines of the records that were kept. */
void queue_lines_finish(struct queue_lines *lines);

/* Sorts all lines in the order that is asked for; no line may be added after it. */
void queue_lines_sort(struct queue_lines *lines);

/* Appends one line, with its line break. */
void queue_lines_write(const struct queue_lines *lines, uint32_t i, struct strbuf *out);

/* Prints all lines, behind a header if there is to be one. Returns 0, or 1 when stdout cannot take
   them. */
int queue_lines_print(const struct queue_lines *lines, const struct command *command,
                      bool has_header);

void queue_lines_clear(struct queue_lines *lines);
void queue_lines_auto_(struct queue_lines *lines);
