/*
 * peer.h - who is at the other end of a local socket, as the kernel knows.
 */
#pragma once

#include "auth/proto/authority.h"

/* Fills *ret; *ret_groups is the array that ret->groups points to, to free(). No name service is
   asked: the groups are those that the process really has. */
int peer_of_socket(int fd, struct peer *ret, gid_t **ret_groups, struct err *err);
