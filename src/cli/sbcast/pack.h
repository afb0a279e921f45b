/*
 * pack.h - the stream of a file (common/msg/bcast.h), made by a process of its own: reading a file
 * may take its time, and packing does.
 */
#pragma once

#include <sys/types.h>

#include "common/msg/bcast.h"

/* The file to pack; borrowed. */
struct pack_source {
    int fd; /* the file, at its beginning */
    const struct bcast_head *head;
    uint32_t block;    /* bytes */
    bool has_progress; /* on stderr, for people */
};

/*
 * Forks the process. The stream is read from *ret_fd, which the caller closes. The process ends
 * when the stream does or nobody reads it; the caller waits for it. It exits with 0, or with an
 * errno when the file could not be read or changed meanwhile.
 */
int pack_start(const struct pack_source *source, pid_t *ret_pid, int *ret_fd, struct err *err);

/* Reads a block's size in bytes as users write it: "8m", "512k", "4096". False for other words. */
bool pack_parse_size(const char *text, uint32_t *ret);
