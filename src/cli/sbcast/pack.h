/*
 * pack.h - the stream of a file (common/msg/bcast.h), made by a process of its own: reading a file
 * may take its time, and packing does.
 */
#pragma once

#include <sys/types.h>

#include "common/msg/bcast.h"

/* Borrowed. */
struct pack_source {
    int fd; /* the file, at its beginning */
    const struct bcast_head *head;
    uint32_t block;    /* bytes */
    bool has_progress; /* on stderr, for people */
};

/*
 * Forks it. *ret_fd is where the stream is read, the caller's to close. The process ends when the
 * stream does or nobody reads it; it is the caller's to wait for, and exits with 0, or with an
 * errno when the file could not be read or changed meanwhile.
 */
int pack_start(const struct pack_source *source, pid_t *ret_pid, int *ret_fd, struct err *err);

/* Bytes of a block as a user writes them: "8m", "512k", "4096". False for anything else. */
bool pack_parse_size(const char *text, uint32_t *ret);
