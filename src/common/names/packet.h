/* packet.h - an identity as one packet on the socket between names and its helper. */
#pragma once

#include "common/names/names.h"

#define NAMES_PACKET_MAX 65536

/* Both return 0, or -errno; a closed socket is -E_CLOSED. *ret is initialised in any case. */
int names_send(int fd, const struct identity *identity);
int names_receive(int fd, struct identity *ret);
