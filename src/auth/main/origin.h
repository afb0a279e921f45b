/*
 * origin.h - the IPv4 address of this host that goes into credentials.
 */
#pragma once

#include <net/if.h>
#include <stdint.h>

#include "common/base/err.h"

struct origin {
    uint8_t addr[4];
    char interface[IF_NAMESIZE]; /* of this host that has the address; empty: none */
};

/*
 * Finds the address that `given` names: an IPv4 address, an interface, or a host name. For NULL it
 * takes the address of this host's name if that is found within a second, else that of the first
 * interface that is up, so that a dead name server does not keep a node from starting. May start a
 * thread: call it in the process that stays.
 */
int origin_find(const char *given, struct origin *ret, struct err *err);
