/*
 * archive.h - what leaves the history, written to text files first.
 *
 * A line for each job or step, fields divided by '|', the first line naming them; '|', '\\' and
 * control characters in a field are written as \xHH. Times are seconds since 1970, empty when
 * there is none. After ARCHIVE_LINES_MAX lines a file with ".2", ".3" ... behind its name begins,
 * as in Slurm; a file that exists is left alone and the next number is taken.
 */
#pragma once

#include "common/msg/job.h"

#define ARCHIVE_LINES_MAX 50000

struct archive;

/* Begins an archive, of which nothing is made before the first line. `path` is copied; NULL gives
 * NULL, which takes no lines. */
struct archive *archive_new(const char *path);
struct archive *archive_free(struct archive *archive);

int archive_add_job(struct archive *archive, const struct job_record *job,
                    const struct job_body *body, struct err *err);
int archive_add_step(struct archive *archive, const struct step_record *step, struct err *err);

/* Brings the whole archive to the disk. */
int archive_sync(struct archive *archive, struct err *err);

/* Takes back what was written to the file at hand since archive_sync. A file that has nothing else
 * is removed. */
void archive_undo(struct archive *archive);
