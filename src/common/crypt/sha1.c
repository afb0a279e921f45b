/*
 * SHA-1 from libmd, for the reason told in sha256.c: munged needs it for its key alone, and then no
 * OpenSSL.
 */
#include <sha1.h>

#include "common/base/alloc.h"
#include "common/crypt/crypt.h"

void crypt_sha1(const void *bytes, size_t n, uint8_t ret_hash[CRYPT_SHA1_N])
{
    SHA1_CTX context;

    SHA1Init(&context);
    SHA1Update(&context, bytes, n);
    SHA1Final(ret_hash, &context);
    wipe(&context, sizeof(context));
}
