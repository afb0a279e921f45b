/*
 * SHA-256 comes from libmd: every command that sends a script needs it, and opening OpenSSL takes
 * longer than all else that such a command does. Opening libmd takes a tenth of a millisecond, ten
 * times what it hashes in, so this one is linked from its archive (docs/adr/0006).
 */
#include <assert.h>
#include <sha2.h>

#include "common/base/alloc.h"
#include "common/crypt/crypt.h"

static_assert(sizeof(SHA2_CTX) <= sizeof(struct crypt_hash), "room for libmd's state");

static SHA2_CTX *context_of(struct crypt_hash *hash)
{
    return (SHA2_CTX *)(void *)hash->state;
}

void crypt_hash_init(struct crypt_hash *hash)
{
    SHA256Init(context_of(hash));
}

void crypt_hash_add(struct crypt_hash *hash, const void *bytes, size_t n)
{
    if (n > 0)
        SHA256Update(context_of(hash), bytes, n);
}

void crypt_hash_end(struct crypt_hash *hash, uint8_t ret_hash[CRYPT_SHA256_N])
{
    SHA256Final(ret_hash, context_of(hash));
    wipe(hash, sizeof(*hash));
}

void crypt_sha256(const void *bytes, size_t n, uint8_t ret_hash[CRYPT_SHA256_N])
{
    struct crypt_hash hash;

    crypt_hash_init(&hash);
    crypt_hash_add(&hash, bytes, n);
    crypt_hash_end(&hash, ret_hash);
}
