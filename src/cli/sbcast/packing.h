/*
 * packing.h - blocks of a file made smaller and back, by a library where it is there. Pure.
 */
#pragma once

#include <stdbool.h>

#include "common/base/strbuf.h"
#include "common/msg/bcast.h"

/* Reads "lz4", "zlib" or "none"; NULL or "" is what this host has. False for other words. */
bool packing_parse(const char *text, enum bcast_packing *ret);
const char *packing_name(enum bcast_packing packing);

/* True if this host has the library. */
bool packing_is_there(enum bcast_packing packing);

/* Replaces the content of `out` by the packed bytes; false when they would not be fewer. */
bool packing_pack(enum bcast_packing packing, const void *bytes, uint32_t n, struct strbuf *out);

/* Replaces the content of `out` by exactly `n` unpacked bytes. Fails with EBADMSG, or ENOTSUP. */
int packing_unpack(enum bcast_packing packing, const void *packed, uint32_t packed_n, uint32_t n,
                   struct strbuf *out, struct err *err);
