/*
 * seed.h - the file of --seed-file: random bytes from one life of the daemon to the next.
 *
 * OpenSSL is seeded by the kernel, and that is enough; what the file has is stirred in beside it. A
 * file that is missing, or that others could have read or written, adds nothing.
 */
#pragma once

#include "auth/main/place.h"

/* Takes the seed from a file; does nothing for a NULL path. */
int seed_take(const char *path, struct err *err);
int seed_leave(const char *path, const struct place_owner *owner, struct err *err);
