/*
 * archive_reader.h - the lines of an archive, one after the other: its first two and its last one
 * are looked at here.
 *
 * Memory holds one line, of at most ARCHIVE_LINE_MAX bytes.
 */
#pragma once

#include "ctld/store/archive.h"

struct archive_reader {
    int fd; /* owned */
    char *buffer;
    size_t size, n, at; /* bytes that there is room for, that are there, and that were taken */
    uint64_t line;      /* number of the last one that was read, from 1 */
    uint64_t records;   /* that were read */
    bool has_end;       /* the last line was read */
};

/* Takes the descriptor over. */
void archive_reader_init(struct archive_reader *reader, int fd);
void archive_reader_clear(struct archive_reader *reader);

/* Goes back to the first record. */
int archive_reader_rewind(struct archive_reader *reader, struct err *err);

/*
 * Reads the next record's line, without its end, borrowed until the next call. Returns 1, or 0 when
 * there are no more: has_end says whether the file came to its own end. Fails with EINVAL at a line
 * that cannot be there.
 */
int archive_reader_next(struct archive_reader *reader, const char **ret_line, size_t *ret_n,
                        struct err *err);
