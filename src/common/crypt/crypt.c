#include "common/crypt/crypt.h"

#include <errno.h>
#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "common/base/alloc.h"

/*
 * Ends the process. OpenSSL only refuses these calls without memory, or in an installation without
 * AES.
 */
static NO_RETURN void die(const char *what)
{
    fprintf(stderr, "OpenSSL: %s failed\n", what);
    abort();
}

static void must(bool ok, const char *what)
{
    if (!ok)
        die(what);
}

void crypt_random(void *ret_bytes, size_t n)
{
    uint8_t *at = ret_bytes;

    while (n > 0) {
        ssize_t got = getrandom(at, n, 0);

        if (got < 0 && errno != EINTR)
            die("getrandom");
        if (got > 0) {
            at += got;
            n -= (size_t)got;
        }
    }
}

bool crypt_equal(const void *a, const void *b, size_t n)
{
    const volatile uint8_t *left = a, *right = b; /* or a compiler may stop at a difference */
    uint8_t differing = 0;

    for (size_t i = 0; i < n; i++)
        differing |= left[i] ^ right[i];
    return differing == 0;
}

/* ---- X25519 ---- */

void crypt_x25519_from_secret(struct crypt_x25519 *ret_pair, const uint8_t secret[CRYPT_KEY_N])
{
    size_t n = CRYPT_KEY_N;
    EVP_PKEY *key = EVP_PKEY_new_raw_private_key(EVP_PKEY_X25519, NULL, secret, CRYPT_KEY_N);

    must(key && EVP_PKEY_get_raw_public_key(key, ret_pair->public, &n), "X25519");
    memmove(ret_pair->secret, secret, CRYPT_KEY_N);
    EVP_PKEY_free(key);
}

void crypt_x25519_new(struct crypt_x25519 *ret_pair)
{
    crypt_random(ret_pair->secret, CRYPT_KEY_N);
    crypt_x25519_from_secret(ret_pair, ret_pair->secret);
}

int crypt_x25519_shared(const struct crypt_x25519 *own, const uint8_t other[CRYPT_KEY_N],
                        uint8_t ret_secret[CRYPT_KEY_N], struct err *err)
{
    size_t n = CRYPT_KEY_N;
    EVP_PKEY *key = EVP_PKEY_new_raw_private_key(EVP_PKEY_X25519, NULL, own->secret, CRYPT_KEY_N);
    EVP_PKEY *peer = EVP_PKEY_new_raw_public_key(EVP_PKEY_X25519, NULL, other, CRYPT_KEY_N);
    EVP_PKEY_CTX *context = key ? EVP_PKEY_CTX_new(key, NULL) : NULL;
    bool shared;

    must(peer && context && EVP_PKEY_derive_init(context) > 0, "X25519");
    shared = EVP_PKEY_derive_set_peer(context, peer) > 0 &&
             EVP_PKEY_derive(context, ret_secret, &n) > 0 && n == CRYPT_KEY_N;
    EVP_PKEY_CTX_free(context);
    EVP_PKEY_free(peer);
    EVP_PKEY_free(key);
    if (!shared)
        return err_set(err, E_PROTO, "the other side's X25519 key is not usable");
    return 0;
}

/* ---- AES-256-GCM ---- */

enum { NONCE_N = 12 };

struct crypt_aead {
    EVP_CIPHER_CTX *seal; /* set up on first use: a session seals with one and opens with another */
    EVP_CIPHER_CTX *open;
    uint8_t key[CRYPT_KEY_N];
};

struct crypt_aead *crypt_aead_new(const uint8_t key[CRYPT_KEY_N])
{
    struct crypt_aead *aead = xcalloc(1, sizeof(*aead));

    crypt_aead_rekey(aead, key);
    return aead;
}

static void drop_contexts(struct crypt_aead *aead)
{
    EVP_CIPHER_CTX_free(aead->seal);
    EVP_CIPHER_CTX_free(aead->open);
    aead->seal = aead->open = NULL;
}

struct crypt_aead *crypt_aead_free(struct crypt_aead *aead)
{
    if (!aead)
        return NULL;
    drop_contexts(aead);
    wipe(aead, sizeof(*aead));
    free(aead);
    return NULL;
}

void crypt_aead_rekey(struct crypt_aead *aead, const uint8_t key[CRYPT_KEY_N])
{
    drop_contexts(aead);
    memcpy(aead->key, key, CRYPT_KEY_N);
}

static void make_nonce(uint64_t counter, uint8_t nonce[NONCE_N])
{
    memset(nonce, 0, NONCE_N);
    for (unsigned i = 0; i < 8; i++)
        nonce[NONCE_N - 1 - i] = (uint8_t)(counter >> (8 * i));
}

/* Returns the context for one message; its key is already scheduled. */
static EVP_CIPHER_CTX *prepare(EVP_CIPHER_CTX **slot, const struct crypt_aead *aead,
                               uint64_t counter, int sealing)
{
    uint8_t nonce[NONCE_N];

    if (!*slot) {
        *slot = EVP_CIPHER_CTX_new();
        must(*slot && EVP_CipherInit_ex(*slot, EVP_aes_256_gcm(), NULL, aead->key, NULL, sealing),
             "AES-256-GCM");
    }
    make_nonce(counter, nonce);
    must(EVP_CipherInit_ex(*slot, NULL, NULL, NULL, nonce, sealing), "AES-256-GCM");
    return *slot;
}

static bool run_cipher(EVP_CIPHER_CTX *context, const void *head, size_t head_n, const void *in,
                       size_t n, void *out)
{
    int done;

    return EVP_CipherUpdate(context, NULL, &done, head, (int)head_n) &&
           (n == 0 || EVP_CipherUpdate(context, out, &done, in, (int)n));
}

void crypt_aead_seal(struct crypt_aead *aead, uint64_t counter, const void *head, size_t head_n,
                     const void *plain, size_t n, void *ret_sealed)
{
    EVP_CIPHER_CTX *context = prepare(&aead->seal, aead, counter, 1);
    uint8_t *out = ret_sealed;
    int done;

    must(run_cipher(context, head, head_n, plain, n, out) &&
             EVP_CipherFinal_ex(context, out + n, &done) &&
             EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, CRYPT_TAG_N, out + n),
         "AES-256-GCM");
}

int crypt_aead_open(struct crypt_aead *aead, uint64_t counter, const void *head, size_t head_n,
                    const void *sealed, size_t n, void *ret_plain, struct err *err)
{
    uint8_t tag[CRYPT_TAG_N], none[CRYPT_TAG_N];
    EVP_CIPHER_CTX *context;
    size_t plain_n;
    int done;

    if (n < CRYPT_TAG_N)
        return err_set(err, E_PROTO, "encrypted record of %zu bytes is too short", n);
    plain_n = n - CRYPT_TAG_N;
    context = prepare(&aead->open, aead, counter, 0);
    memcpy(tag, (const uint8_t *)sealed + plain_n, CRYPT_TAG_N);
    must(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, CRYPT_TAG_N, tag), "AES-256-GCM");
    if (!run_cipher(context, head, head_n, sealed, plain_n, ret_plain) ||
        EVP_CipherFinal_ex(context, none, &done) <= 0)
        return err_set(err, E_PROTO, "encrypted record was altered on its way");
    return 0;
}

void crypt_warm_up(void)
{
    struct crypt_x25519 pair;
    uint8_t key[CRYPT_KEY_N], sealed[CRYPT_TAG_N];
    const uint8_t head = 0;
    struct crypt_aead *aead;

    crypt_x25519_new(&pair);
    (void)crypt_x25519_shared(&pair, pair.public, key, NULL);
    crypt_hkdf_extract(NULL, 0, key, sizeof(key), key);
    aead = crypt_aead_new(key);
    crypt_aead_seal(aead, 0, &head, sizeof(head), NULL, 0, sealed);
    (void)crypt_aead_open(aead, 0, &head, sizeof(head), sealed, sizeof(sealed), sealed, NULL);
    crypt_aead_free(aead);
    wipe(&pair, sizeof(pair));
    wipe(key, sizeof(key));
}
