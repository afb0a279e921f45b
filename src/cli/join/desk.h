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

/* What the door reports of a caller, in this machine's byte order. */
struct desk_report {
    uint32_t invitation; /* a place in the list of hosts */
    uint32_t cpus, boards, sockets, cores_per_socket, threads_per_core;
    uint64_t memory_mb;
};

/*
 * The head of an answer: an encoded join_answer of this many bytes follows, none when it was
 * refused.
 */
struct desk_answer {
    uint32_t invitation;
    uint32_t n;
};

/* Checks at the start that what is to be handed out can be read; fails if it cannot. */
int desk_check(const char *conf_path, struct err *err);

/* Serves until the door has gone, or `until_ms` (on clock_mono_ms) is over. */
void desk_run(int fd, const char *conf_path, const struct hostlist *hosts, int64_t until_ms,
              struct log *log);
