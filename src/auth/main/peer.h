/*
 * peer.h - who is at the other end of a local socket, as the kernel knows.
 */
#pragma once

#include "auth/proto/authority.h"

/* Fills *ret, which borrows `fd`. No name service is asked: the groups are those that the process
   had when it connected, and the kernel is asked for them when they matter. */
int peer_of_socket(const int *fd, struct peer *ret, struct err *err);
