/*
 * files.h - files that an installation writes: whole or not at all, with owner and mode.
 */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

#include "common/base/strbuf.h"

#define FILES_KEY "/etc/munge/munge.key"

/*
 * Writes a new file aside, then gives it the name: a reader sees the old content or the new one.
 * The directory must be there. With `keep_old`, what had the name before is kept as PATH.old.
 */
int file_put(const char *path, mode_t mode, uid_t uid, gid_t gid, bool keep_old, const void *data,
             size_t n, struct err *err);

/* Reads the content, up to `most` bytes; the caller wipes it where it is a secret. */
int file_get(const char *path, size_t most, struct strbuf *ret_text, struct err *err);

/* Returns the path of the file `name` beside `path`; free() it. */
char *file_beside(const char *path, const char *name);

/* Moves what is in a directory to a new one, PATH.old or the next free name; *ret_kept is the
 * caller's. */
int dir_empty_aside(const char *path, char **ret_kept, struct err *err);
