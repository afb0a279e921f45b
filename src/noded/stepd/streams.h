/*
 * streams.h - what becomes 0, 1 and 2 of each task: a file, a pipe to srun, a terminal, nothing.
 *
 * Runs as the user, in the step's working directory.
 */
#pragma once

#include "noded/stdio/files.h"
#include "noded/stdio/label.h"
#include "noded/stdio/srun_link.h"

/* The task's side; all are above 2. Owned by `streams`, closed by streams_close_tasks. */
struct stream_set {
    int in, out, err;
    bool terminal;
};

struct streams {
    struct stream_set *tasks; /* one for each task of the node */
    uint32_t tasks_n;
    struct stdio_files files;
    int *owned; /* to be closed once the tasks have theirs */
    uint32_t owned_n;
    struct label **labels; /* of tasks whose lines get their number on the way to a file */
    uint32_t labels_n;
    int null_fd;
    int error_fd;    /* the file of task 0's stderr; -1: none */
    int terminal_fd; /* this side of task 0's terminal, borrowed from srun; -1: none */
};

/*
 * Opens all that are files, naming the one that cannot be opened. It may be called again then: what
 * was opened stays so.
 */
int streams_open_files(struct streams *streams, const struct launch_body *body, uint32_t node_index,
                       struct err *err);

/* Makes pipes and terminals for the rest and hands this side of them to `srun`. */
int streams_open_srun(struct streams *streams, const struct launch_body *body, uint32_t node_index,
                      struct srun_link *srun, struct err *err);

/* Puts pipes between tasks and their files, for --label. */
int streams_label(struct streams *streams, const struct launch_body *body, uint32_t node_index,
                  struct event_base *base, struct err *err);

/* Writes what is left to files, when all tasks have ended. */
void streams_finish(struct streams *streams);

/* Returns the descriptor for lines about the step itself, if its stderr is a file; else -1. */
int streams_error_file(const struct streams *streams, const struct launch_body *body);

/* Closes the tasks' side, once they have their descriptors. */
void streams_close_tasks(struct streams *streams);

/* Returns true if any stream of the step leads to srun. */
bool streams_need_srun(const struct launch_body *body);
