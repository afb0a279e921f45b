/*
 * file.h - the common grammar of slurm.conf, gres.conf, cgroup.conf and their kin, with positions.
 *
 *     key = value  Key2="two words"   # comment      several pairs on a line are one record
 *     NodeName=a,\                                   a backslash before the line's end joins lines
 *     b
 *     Include other.conf                             relative to the file that says it;
 *                                                    %c in it is the ClusterName read so far
 *
 * Keys are letters, digits, `_` and `.`, compared without regard to case. A value is quoted from
 * its first character on, or ends at white space; `\#` in an unquoted value is a plain `#`. A
 * comment runs to the end of its logical line, as in Slurm: a backslash at its end continues the
 * comment.
 *
 * Pure but for the callback that reads a file. What a key means is no business of this module.
 */
#pragma once

#include <stdbool.h>

#include "common/base/strbuf.h"

#define CONF_FILE_MAX    (8u << 20)  /* bytes of one file */
#define CONF_TOTAL_MAX   (32u << 20) /* bytes of a file and all that it includes */
#define CONF_INCLUDE_MAX 8           /* files inside one another */
#define CONF_FILES_MAX   256         /* files in all */
#define CONF_PAIRS_MAX   (1u << 20)  /* in all files */
#define CONF_KEY_MAX     64          /* characters */
#define CONF_VALUE_MAX   (1u << 20)  /* characters */

/* A place in a file, which is borrowed from the conf_file. Lines and columns count from 1. */
struct conf_at {
    const char *file;
    uint32_t line;
    uint32_t column;
};

struct conf_pair {
    char *key;
    char *value; /* without its quotes; NULL for a word that no '=' follows */
    struct conf_at at;
    struct conf_at value_at;
};

/* One logical line, which has at least one pair. */
struct conf_record {
    struct conf_pair *pairs;
    uint32_t pairs_n;
};

struct conf_file {
    struct conf_record *records; /* in the order of the text, included files in their place */
    uint32_t records_n;
    char **names; /* every file that was read, the first one first */
    uint32_t names_n;
};

/*
 * Appends the content of `path` to `text`, up to CONF_FILE_MAX + 1 bytes; fails with -errno.
 * The text of `err` need not name the path.
 */
typedef int (*conf_read_fn)(void *ctx, const char *path, struct strbuf *text, struct err *err);

/* Reads a file from the disk; ctx is not used. */
int conf_read_disk(void *ctx, const char *path, struct strbuf *text, struct err *err);

/*
 * Reads a file and what it includes. Fails with E_SYNTAX, E_TOO_BIG or what `read` failed with,
 * naming file, line and column.
 */
int conf_file_parse(const char *path, conf_read_fn read, void *ctx, struct conf_file **ret_file,
                    struct err *err) MUST_CHECK;
/*
 * Does what conf_file_parse does. With notes that go on (notes.h), a line that cannot be read and
 * an included file that is missing are noted and left out.
 */
struct conf_notes;
int conf_file_parse_noting(const char *path, conf_read_fn read, void *ctx, struct conf_notes *notes,
                           struct conf_file **ret_file, struct err *err) MUST_CHECK;
struct conf_file *conf_file_free(struct conf_file *file);

/* Returns the last pair of `record` with this key, or NULL. */
const struct conf_pair *conf_record_find(const struct conf_record *record, const char *key);

/* Does what err_set does, with "FILE:LINE:COLUMN: " in front of the text. */
int conf_err(struct err *err, int code, struct conf_at at, const char *fmt, ...) PRINTF_LIKE(4, 5);
