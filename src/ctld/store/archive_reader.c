#include "ctld/store/archive_reader.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/text/words.h"

#define PIECE (64u << 10)
#define END   "#end "

void archive_reader_init(struct archive_reader *reader, int fd)
{
    *reader = (struct archive_reader){ .fd = fd };
}

void archive_reader_clear(struct archive_reader *reader)
{
    if (reader->fd >= 0)
        close(reader->fd);
    free(reader->buffer);
    archive_reader_init(reader, -1);
}

/* Reads more of the file behind what is there. Returns 1, or 0 at its end. */
static int fill(struct archive_reader *reader, struct err *err)
{
    ssize_t n;

    if (reader->at > 0) {
        reader->n -= reader->at;
        memmove(reader->buffer, reader->buffer + reader->at, reader->n);
        reader->at = 0;
    }
    if (reader->size - reader->n < PIECE) {
        reader->size = 2 * reader->size + PIECE;
        reader->buffer = xrealloc(reader->buffer, reader->size);
    }
    n = read(reader->fd, reader->buffer + reader->n, PIECE);
    if (n < 0)
        return err_set(err, errno, "%s", strerror(errno));
    reader->n += (size_t)n;
    return n > 0;
}

/* Reads a line. Returns 1, or 0 at the end of the file; what stands behind the last end of a line
 * is none. */
static int next_line(struct archive_reader *reader, const char **ret, size_t *ret_n,
                     struct err *err)
{
    size_t looked = reader->at;
    const char *end;
    int rc;

    while (!(end = looked < reader->n ? memchr(reader->buffer + looked, '\n', reader->n - looked)
                                      : NULL)) {
        const size_t have = reader->n - reader->at;

        if (have > ARCHIVE_LINE_MAX)
            return err_set(err, E_TOO_BIG, "line %" PRIu64 " is longer than %u bytes",
                           reader->line + 1, ARCHIVE_LINE_MAX);
        rc = fill(reader, err);
        if (rc <= 0)
            return rc;
        looked = have;
    }
    *ret = reader->buffer + reader->at;
    *ret_n = (size_t)(end - *ret);
    reader->at += *ret_n + 1;
    reader->line++;
    return 1;
}

int archive_reader_rewind(struct archive_reader *reader, struct err *err)
{
    reader->n = reader->at = 0;
    reader->line = reader->records = 0;
    reader->has_end = false;
    if (lseek(reader->fd, 0, SEEK_SET) < 0)
        return err_set(err, errno, "%s", strerror(errno));
    return 0;
}

/* Looks at the last line, which tells the number of records, and at what stands behind it. */
static int read_end(struct archive_reader *reader, const char *line, size_t n, struct err *err)
{
    AUTO_FREE char *text = xstrndup(line + strlen(END), n - strlen(END));
    uint64_t records;
    int rc;

    if (number_parse(text, 0, UINT64_MAX, &records, NULL) < 0 || records != reader->records)
        return err_set(err, EINVAL,
                       "line %" PRIu64 ": the file had another number of records than %" PRIu64,
                       reader->line, reader->records);
    reader->has_end = true;
    rc = reader->at < reader->n ? 1 : fill(reader, err);
    if (rc > 0)
        rc = err_set(err, EINVAL, "something stands behind its last line");
    return rc;
}

int archive_reader_next(struct archive_reader *reader, const char **ret_line, size_t *ret_n,
                        struct err *err)
{
    int rc = 1;

    if (reader->has_end)
        return 0;
    do {
        rc = next_line(reader, ret_line, ret_n, err);
    } while (rc > 0 && reader->line <= 2);
    if (rc <= 0)
        return rc;
    if (*ret_n >= strlen(END) && memcmp(*ret_line, END, strlen(END)) == 0)
        return read_end(reader, *ret_line, *ret_n, err);
    reader->records++;
    return 1;
}
