/*
 * zip.h - compression of a credential's inner layer, bounded both ways.
 *
 * Compressed bytes stand behind eight others: 0xCACACACA and the length before compression. That
 * length is checked against a limit before anything is allocated, and the result must have it.
 */
#pragma once

#include "auth/cred/names.h"
#include "common/base/bytes.h"

/* Appends header and compressed bytes to `out` and returns true; returns false, and leaves `out` as
   it is, when that would not be shorter than `in`. */
bool zip_pack(unsigned zip, struct bytes in, struct strbuf *out);

/* Fails with MUNGE_BAD_ZIP for an unknown code, MUNGE_CRED_INVALID for bad bytes. */
int zip_unpack(unsigned zip, struct bytes in, size_t limit, struct strbuf *out, struct err *err);

/* Returns 0, or -MUNGE_BAD_ZIP for a code that a credential cannot have. */
int zip_check(unsigned zip, struct err *err);
