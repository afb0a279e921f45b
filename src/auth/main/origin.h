/*
 * origin.h - the IPv4 address of this host that goes into credentials.
 */
#pragma once

#include <stdint.h>

#include "common/base/err.h"

/*
 * From `given`: an IPv4 address, the name of an interface, or a host name. NULL: the address of
 * this host's name if that is found within a second, else that of the first interface that is up,
 * so that a dead name server does not keep a node from starting. May start a thread: call it in the
 * process that stays.
 */
int origin_find(const char *given, uint8_t ret_addr[4], struct err *err);
