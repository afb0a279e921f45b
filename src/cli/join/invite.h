/*
 * invite.h - tokens for hosts, and the two processes in the background that honour them.
 */
#pragma once

#include "common/text/hostlist.h"

#define INVITE_MINUTES_DEFAULT 60u
#define INVITE_MINUTES_MAX     (7u * 24 * 60)

struct invite_options {
    const char *conf_path;
    const struct hostlist *hosts;
    uint32_t minutes; /* how long the tokens are good */
    uint16_t port;    /* 0: DOOR_PORT or the next that is free */
};

/*
 * Prints the command for each host. Then this process exits well, and its copy in the background
 * serves: the function returns only after a failure, or in the background when all is over.
 */
int invite(const struct invite_options *options, struct err *err);
