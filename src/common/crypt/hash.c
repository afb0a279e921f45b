#include <assert.h>
#include <string.h>

#include "common/base/alloc.h"
#include "common/crypt/crypt.h"

enum { BLOCK_N = 64 }; /* of SHA-256 */

/* Begins a hash with one block: the key, every byte of which is altered by `pad`. */
static void begin(struct crypt_hash *hash, const uint8_t key[BLOCK_N], uint8_t pad)
{
    uint8_t block[BLOCK_N];

    for (size_t i = 0; i < BLOCK_N; i++)
        block[i] = key[i] ^ pad;
    crypt_hash_init(hash);
    crypt_hash_add(hash, block, BLOCK_N);
    wipe(block, sizeof(block));
}

/* Computes a MAC by RFC 2104. */
void crypt_hmac_sha256(const void *key, size_t key_n, const void *bytes, size_t n,
                       uint8_t ret_mac[CRYPT_SHA256_N])
{
    uint8_t padded[BLOCK_N] = { 0 };
    uint8_t inner[CRYPT_SHA256_N];
    struct crypt_hash hash;

    if (key_n > BLOCK_N)
        crypt_sha256(key, key_n, padded);
    else if (key_n > 0)
        memcpy(padded, key, key_n);
    begin(&hash, padded, 0x36);
    crypt_hash_add(&hash, bytes, n);
    crypt_hash_end(&hash, inner);
    begin(&hash, padded, 0x5c);
    crypt_hash_add(&hash, inner, sizeof(inner));
    crypt_hash_end(&hash, ret_mac);
    wipe(padded, sizeof(padded));
    wipe(inner, sizeof(inner));
}

void crypt_hkdf_extract(const void *salt, size_t salt_n, const void *secret, size_t secret_n,
                        uint8_t ret_key[CRYPT_SHA256_N])
{
    crypt_hmac_sha256(salt, salt_n, secret, secret_n, ret_key);
}

void crypt_hkdf_expand(const uint8_t key[CRYPT_SHA256_N], const void *info, size_t info_n,
                       void *ret_bytes, size_t n)
{
    uint8_t block[CRYPT_SHA256_N], *out = ret_bytes;
    size_t input_n = CRYPT_SHA256_N + info_n + 1;
    AUTO_FREE uint8_t *input = xmalloc(input_n); /* last block, info, number of the block */
    uint8_t number = 1;

    assert(n <= 255 * CRYPT_SHA256_N);
    if (info_n)
        memcpy(input + CRYPT_SHA256_N, info, info_n);
    for (size_t done = 0; done < n; number++) {
        size_t skip = number == 1 ? CRYPT_SHA256_N : 0; /* no block before the first */
        size_t part = n - done < CRYPT_SHA256_N ? n - done : CRYPT_SHA256_N;

        input[input_n - 1] = number;
        crypt_hmac_sha256(key, CRYPT_SHA256_N, input + skip, input_n - skip, block);
        memcpy(out + done, block, part);
        memcpy(input, block, sizeof(block));
        done += part;
    }
    wipe(block, sizeof(block));
    wipe(input, input_n);
}
