/*
 * files.h - the files that tasks read and write instead of a connection, opened as the user.
 *
 * Tasks whose patterns give the same name share one open file, so that they do not overwrite each
 * other. The files stay open until the process ends.
 */
#pragma once

#include "common/msg/step.h"
#include "common/text/pattern.h"

struct stdio_files {
    const char *dir; /* borrowed: where relative names are; NULL or empty: here */
    struct stdio_file *files;
    uint32_t files_n;
    /* Why the last output could not be opened, if it is nothing that has to stay so. */
    bool lacks_dir, lacks_reader;
};

/* Opens a task's input. `*ret_fd` stays owned by `files`. The error names what cannot be opened. */
int stdio_files_open_input(struct stdio_files *files, const char *pattern,
                           const struct pattern_values *values, int *ret_fd, struct err *err);
/* Opens a task's output. `mode` is an enum open_mode; a file opened before under this name is not
 * truncated again. */
int stdio_files_open_output(struct stdio_files *files, const char *pattern, uint32_t mode,
                            const struct pattern_values *values, int *ret_fd, struct err *err);
