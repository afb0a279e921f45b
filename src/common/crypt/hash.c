#include <assert.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/alloc.h"
#include "common/crypt/crypt.h"

void crypt_hmac_sha256(const void *key, size_t key_n, const void *bytes, size_t n,
                       uint8_t ret_mac[CRYPT_SHA256_N])
{
    unsigned mac_n = CRYPT_SHA256_N;

    assert(key_n <= INT32_MAX);
    if (!HMAC(EVP_sha256(), key_n ? key : "", (int)key_n, n ? bytes : "", n, ret_mac, &mac_n))
        abort();
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
