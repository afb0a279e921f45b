/*
 * archive.h - files into which is written what leaves the history, and from which it comes back.
 *
 * A file is of one kind of records. Its first line says which kind, of which cluster, of which
 * database, and has a number of its own; its second line names the fields, which '|' divides, of a
 * line for each record (archive_line.h). A last line says how many there were: "#end N". One that
 * lacks it was cut, or the purge that wrote it was; the ledger tells which.
 *
 * A file holds about ARCHIVE_LINES_MAX lines; then one with ".2", ".3" ... behind its name begins,
 * as in Slurm. A file that exists is left alone and the next number is taken.
 */
#pragma once

#include "common/base/strbuf.h"
#include "ctld/store/store.h"

#define ARCHIVE_LINES_MAX 50000
#define ARCHIVE_LINE_MAX  (16u << 20) /* bytes */
#define ARCHIVE_VERSION   1

struct archive;

/* Where archives come from. The text is borrowed. */
struct archive_source {
    const char *cluster;
    uint64_t store; /* ledger_store */
};

/* Begins an archive, of which nothing is made before the first line. `path` is copied; NULL gives
 * NULL, which takes no lines. */
struct archive *archive_new(const char *path, enum archive_kind kind);

/* Ends the file at hand, as archive_end does, as far as that works. NULL is fine. */
struct archive *archive_free(struct archive *archive);

/* Returns an error where the directory of the archive is not there. NULL is fine. */
int archive_check_dir(const struct archive *archive, struct err *err);

/* Begins another file where the one at hand is nearly full. Called before the lines that belong
 * together are added: they are all in one file. */
int archive_turn_over(struct archive *archive, struct err *err);

/* Adds a line, whose end is added here. */
int archive_add(struct archive *archive, const struct archive_source *source,
                const struct strbuf *line, struct err *err);

/* Brings the file at hand to the disk. */
int archive_sync(struct archive *archive, struct err *err);

/* Takes back what was written since archive_sync. A file that has nothing else is removed. */
void archive_undo(struct archive *archive);

/* Writes the last line of the file at hand. */
int archive_end(struct archive *archive, struct err *err);

/* Returns the number of the file at hand, 0: there is none; and how many lines it has. */
uint64_t archive_number(const struct archive *archive);
uint64_t archive_lines(const struct archive *archive);

/* ---- reading ---- */

/* Reads the first line of a file. Fails where it is none of an archive, saying what else it is. */
int archive_head_parse(const char *line, size_t n, struct archive_head *ret, struct err *err);
