/*
 * safe_path.h - files that root opens, makes or hands over where another user may write.
 *
 * A path is walked from "/" by descriptors. It is safe when only root, or this process's own user,
 * can put something else under any of its names: every directory is theirs, and writable by nobody
 * else or sticky like /tmp with the next name theirs. Elsewhere root follows no link and hands over
 * only what it has just made, so that nobody gains a file by exchanging names.
 *
 * A process without root has only its own rights to lose: it opens as always.
 */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

#include "common/base/err.h"

struct safe_path {
    int dir_fd;   /* of the directory that the last name is in, for openat and such */
    char *name;   /* the last name; no link, but for those of /proc */
    char *text;   /* the whole path with its links resolved, for messages */
    char *unsafe; /* why somebody else may exchange it, and the way out; NULL: nobody can */
    bool is_open; /* the directory is one like /tmp: others may make what is not there yet */
};

/* How a file is opened, and who owns it when it is made; -1 leaves the owner. */
struct safe_file {
    int flags; /* of open, but for O_CREAT: a file that is missing is made */
    mode_t mode;
    uid_t uid;
    gid_t gid;
};

/*
 * Finds the directory of `path`; its last name need not be there. Fails as open does, and with
 * ELOOP at a link that somebody else may have put there.
 */
int safe_path_find(const char *path, struct safe_path *ret, struct err *err);

/* Finds the directory as safe_path_find does, and makes missing directories with mode 0755. */
int safe_path_make(const char *path, struct safe_path *ret, struct err *err);
void safe_path_clear(struct safe_path *path);
void safe_path_auto_(struct safe_path *path);

/*
 * Opens the file that was found and returns its descriptor. In an unsafe place it must be a regular
 * file with one name, owned by root, this process, file->uid or the owner of the directory. A file
 * that exists is given to file->uid only in a safe place.
 */
int safe_path_open(const struct safe_path *path, const struct safe_file *file, struct err *err);

/* Finds the directory of `path` and opens the file, as the two functions above do. */
int safe_open(const char *path, const struct safe_file *file, struct err *err);

/*
 * Opens the directory `name` below `dir_fd`, which is made with `mode` if need be. It must belong
 * to this user and be writable by nobody else, because what is in it decides what is done as that
 * user. `text` names it in errors.
 */
int safe_own_dir(int dir_fd, const char *name, mode_t mode, const char *text, struct err *err);
