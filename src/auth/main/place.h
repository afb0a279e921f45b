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
 * The listening socket, open to all users, and a lock beside it ("PATH.lock") that is held until
 * exit. A socket left by a dead daemon is replaced; one that answers is refused, and so is a place
 * that others could change or could not reach.
 */
int place_socket(const char *path, const struct place_owner *owner, int *ret_fd, int *ret_lock_fd,
                 struct err *err);

/* A file with our process id in it, readable by all. */
int place_pid_file(const char *path, const struct place_owner *owner, struct err *err);

/* An empty file, if there is none, that the owner can append to and nobody else. */
int place_log_file(const char *path, const struct place_owner *owner, struct err *err);

/* A file for the owner alone, with `n` bytes instead of what it has. */
int place_seed_file(const char *path, const struct place_owner *owner, const void *bytes, size_t n,
                    struct err *err);

/* The process that listens at the socket; -ESRCH or another code when there is none. */
int place_find_daemon(const char *path, pid_t *ret_pid, struct err *err);
