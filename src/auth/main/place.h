/*
 * place.h - the daemon's files: directories, socket with its lock, process id, log.
 *
 * Made while we may still be root, for the user that the daemon becomes. What names a place that
 * others could change is refused.
 */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

#include "common/base/err.h"

struct place_owner {
    uid_t uid;
    gid_t gid;
    uid_t trusted;       /* may own directories too, or (uid_t)-1 */
    gid_t trusted_gid;   /* may write to directories; (gid_t)-1 for none */
    bool force;          /* insecure is not refused, and a socket that is there is taken over */
    struct err *warning; /* what was insecure, with `force`, is left here */
};

/* Makes the directory that `path` is in with mode 0755 (or as `mode`) when it is missing. */
int place_directory_of(const char *path, mode_t mode, const struct place_owner *owner,
                       struct err *err);

/*
 * Opens the listening socket, for all users to connect to, and a lock beside it ("PATH.lock") that
 * is held until exit. Replaces a socket left by a dead daemon; refuses one that answers, and a
 * place that others could change or could not reach.
 */
int place_socket(const char *path, const struct place_owner *owner, int *ret_fd, int *ret_lock_fd,
                 struct err *err);

/* Writes our process id to a file that all can read. */
int place_pid_file(const char *path, const struct place_owner *owner, struct err *err);

/* Makes an empty file, if there is none, that only the owner can append to. */
int place_log_file(const char *path, const struct place_owner *owner, struct err *err);

/* Replaces the file's content by `n` bytes; the file is for the owner alone. */
int place_seed_file(const char *path, const struct place_owner *owner, const void *bytes, size_t n,
                    struct err *err);

/* Finds the process that listens at the socket; fails with -ESRCH or another code if none does. */
int place_find_daemon(const char *path, pid_t *ret_pid, struct err *err);
