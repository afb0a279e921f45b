/*
 * desk.h - the root half of the head's side of joining: hands out key and configuration.
 *
 * Talks to no network, only to its own door, which says in a few numbers who came: root parses no
 * message. Each invitation is answered once, whatever the door says.
 */
#pragma once

#include <stdint.h>

#include "common/base/log.h"
#include "common/text/hostlist.h"

/* From the door, in this machine's byte order. */
struct desk_report {
    uint32_t invitation; /* a place in the list of hosts */
    uint32_t cpus, boards, sockets, cores_per_socket, threads_per_core;
    uint64_t memory_mb;
};

/* Before an answer: an encoded join_answer of so many bytes follows, none when it was refused. */
struct desk_answer {
    uint32_t invitation;
    uint32_t n;
};

/* Fails, at the start, if what there is to hand out cannot be read. */
int desk_check(const char *conf_path, struct err *err);

/* Serves until the door has gone, or the time (on clock_mono_ms) is over. */
void desk_run(int fd, const char *conf_path, const struct hostlist *hosts, int64_t until_ms,
              struct log *log);
