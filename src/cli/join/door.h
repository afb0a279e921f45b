/*
 * door.h - the network half of the head's side of joining: who comes with a token is let in.
 *
 * Runs as a user of nobody else. It holds the tokens and no key; for who has proved to have a token
 * it asks its desk for the answer, once. Whoever else comes learns whether a token is known, no
 * more, and takes little: few callers at a time, shared out by common/net/gate.h, each a bounded
 * number of bytes and seconds.
 */
#pragma once

#include "cli/join/token.h"
#include "common/base/log.h"

#define DOOR_PORT       6830u /* near SlurmctldPort and what else Slurm uses */
#define DOOR_PORTS_N    10u   /* it, or one of those after it */
#define DOOR_CALLERS    16u
#define DOOR_PATIENCE_S 10 /* to say all there is to say; and then to take the answer */

struct invitation {
    char *host; /* who may use the token */
    struct token token;
    bool used;
};

/* `until_ms` is on clock_mono_ms. The descriptors stay the caller's. */
struct door_options {
    int listen_fd, desk_fd;
    struct invitation *invitations;
    uint32_t invitations_n;
    int64_t until_ms;
    struct log *log;
};

/* Serves until every token was used, the time is over, or the desk has gone. */
void door_run(const struct door_options *options);
