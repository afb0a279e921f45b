/*
 * holder.h - which process listens on a TCP port of this host. Root sees all processes, other users
 * their own.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct net_holder {
    pid_t pid;
    char name[64]; /* as in the process list, control characters as `?` */
};

/*
 * Finds the process. Returns false when nobody listens, or when this process may not see who does.
 */
bool net_find_holder(uint16_t port, struct net_holder *ret);
