/*
 * here.h - whether a name or address is this machine's, by the addresses of its interfaces.
 *
 * A loopback address is every machine's: it says nothing about which one is meant, and is none of
 * its own. A machine behind NAT does not have the address by which others know it.
 */
#pragma once

#include "common/net/addr.h"

/* Returns 1 if `host`, a name or address, stands for this machine, else 0. Blocks while a name is
 * looked up, up to timeout_ms; fails as net_resolve does. */
int net_is_here(const char *host, int timeout_ms, struct err *err);

/* Returns true for an address in numbers that only this machine reaches: 127.0.0.1, ::1. */
bool net_is_loopback(const char *address);
