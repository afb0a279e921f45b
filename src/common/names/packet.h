/* packet.h - an identity as one packet on the socket between names and its helper. */
#pragma once

#include "common/names/names.h"

#define NAMES_PACKET_MAX 65536

/*
 * Send and receive an identity. Both return 0 or -errno, and -E_CLOSED for a closed socket. *ret is
 * initialised in any case.
 */
int names_send(int fd, const struct identity *identity);
int names_receive(int fd, struct identity *ret);
