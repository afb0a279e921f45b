/*
 * output.h - what tasks print, on its way to srun's own stdout and stderr or to files: labelled
 * line by line (--label), or passed on as it comes.
 *
 * The order within a task's stream is kept. Bytes handed on count as consumed when they are
 * written, or at once when they wait for the end of their line.
 */
#pragma once

#include "cli/srun/sink.h"
#include "common/msg/io.h"

#define OUTPUT_LINE_MAX (16u << 10) /* bytes of a labelled line that is held back */

struct output;

struct output_route {
    const char *path;   /* file that srun writes, or NULL: its own descriptor */
    uint32_t only_task; /* drop what other tasks print; COUNT_UNSET: all of them */
};

struct output_options {
    struct event_base *base;
    struct output_route out, err;
    bool label;
    bool append; /* to files; else they are truncated */
    int out_fd, err_fd;
};

struct output_callbacks {
    void (*on_consumed)(uint32_t source, uint32_t n, void *ctx);
    void (*on_broken)(const struct err *why, void *ctx); /* a reader is gone, a disk is full */
    void (*on_drained)(void *ctx);                       /* after output_finish */
};

/* Opens the files; fails when one cannot be opened. Both routes may name the same one. */
int output_new(const struct output_options *options, const struct output_callbacks *callbacks,
               void *ctx, struct output **ret_output, struct err *err);
struct output *output_free(struct output *output);

/* Sets the number of tasks, which gives the width of labels. */
void output_set_ntasks(struct output *output, uint32_t ntasks);

/*
 * Adds bytes of a task's stream; n of 0 ends the stream. For `task` COUNT_UNSET they are the step
 * daemon's own words.
 */
void output_add(struct output *output, uint32_t source, uint32_t task, uint32_t stream,
                const void *data, uint32_t n);

/* Ends the output: lines without an end get one, and on_drained runs, once, when all is written. */
void output_finish(struct output *output);

/* Returns the number of bytes that wait to be written. */
uint64_t output_backlog(const struct output *output);
