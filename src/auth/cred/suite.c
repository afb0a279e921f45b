#include "auth/cred/suite.h"

#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/provider.h>
#include <string.h>

#include "common/authc/wire.h"

struct suite {
    OSSL_LIB_CTX *context;
    OSSL_PROVIDER *standard;
    OSSL_PROVIDER *legacy;
    EVP_MAC *hmac;
    EVP_CIPHER *ciphers[CIPHER_N];
    EVP_MD *digests[MAC_N];
};

static const char *const openssl_ciphers[CIPHER_N] = {
    [CIPHER_BLOWFISH] = "BF-CBC",
    [CIPHER_CAST5] = "CAST5-CBC",
    [CIPHER_AES128] = "AES-128-CBC",
    [CIPHER_AES256] = "AES-256-CBC",
};

static const char *const openssl_digests[MAC_N] = {
    [MAC_MD5] = "MD5",       [MAC_SHA1] = "SHA1",     [MAC_RIPEMD160] = "RIPEMD160",
    [MAC_SHA256] = "SHA256", [MAC_SHA512] = "SHA512",
};

struct suite *suite_new(void)
{
    struct suite *suite = xcalloc(1, sizeof(*suite));

    suite->context = OSSL_LIB_CTX_new();
    suite->standard = OSSL_PROVIDER_load(suite->context, "default");
    suite->legacy = OSSL_PROVIDER_load(suite->context, "legacy");
    suite->hmac = EVP_MAC_fetch(suite->context, "HMAC", NULL);
    for (unsigned i = 0; i < CIPHER_N; i++) {
        if (openssl_ciphers[i])
            suite->ciphers[i] = EVP_CIPHER_fetch(suite->context, openssl_ciphers[i], NULL);
    }
    for (unsigned i = 0; i < MAC_N; i++) {
        if (openssl_digests[i])
            suite->digests[i] = EVP_MD_fetch(suite->context, openssl_digests[i], NULL);
    }
    return suite;
}

struct suite *suite_free(struct suite *suite)
{
    if (!suite)
        return NULL;
    for (unsigned i = 0; i < CIPHER_N; i++)
        EVP_CIPHER_free(suite->ciphers[i]);
    for (unsigned i = 0; i < MAC_N; i++)
        EVP_MD_free(suite->digests[i]);
    EVP_MAC_free(suite->hmac);
    if (suite->legacy)
        OSSL_PROVIDER_unload(suite->legacy);
    if (suite->standard)
        OSSL_PROVIDER_unload(suite->standard);
    OSSL_LIB_CTX_free(suite->context);
    free(suite);
    return NULL;
}

/* The default codes are the daemon's to replace before it comes here; in a credential they are
   as invalid as unknown ones. */
static int check_cipher(const struct suite *suite, unsigned cipher, struct err *err)
{
    if (cipher == CIPHER_NONE)
        return 0;
    if (cipher >= CIPHER_N || cipher == CIPHER_DEFAULT)
        return err_set(err, MUNGE_BAD_CIPHER, "Invalid cipher type %u", cipher);
    if (!suite->ciphers[cipher])
        return err_set(err, MUNGE_BAD_CIPHER,
                       "Cipher %s is not available: this host's OpenSSL has no legacy provider",
                       cred_name(KIND_CIPHER, cipher));
    return 0;
}

static int check_mac(const struct suite *suite, unsigned mac, struct err *err)
{
    if (mac >= MAC_N || mac == MAC_NONE || mac == MAC_DEFAULT)
        return err_set(err, MUNGE_BAD_MAC, "Invalid MAC type %u", mac);
    if (!suite->digests[mac] || !suite->hmac)
        return err_set(err, MUNGE_BAD_MAC,
                       "MAC %s is not available: this host's OpenSSL has no legacy provider",
                       cred_name(KIND_MAC, mac));
    return 0;
}

int suite_check(const struct suite *suite, unsigned cipher, unsigned mac, struct err *err)
{
    int rc = check_cipher(suite, cipher, err);

    if (rc == 0)
        rc = check_mac(suite, mac, err);
    if (rc == 0 && suite_digest_size(suite, mac) < suite_key_size(suite, cipher))
        return err_set(err, MUNGE_BAD_MAC, "Invalid MAC type %u with cipher type %u", mac, cipher);
    return rc;
}

size_t suite_iv_size(const struct suite *suite, unsigned cipher)
{
    const EVP_CIPHER *evp = suite->ciphers[cipher];

    return evp ? (size_t)EVP_CIPHER_get_iv_length(evp) : 0;
}

size_t suite_key_size(const struct suite *suite, unsigned cipher)
{
    const EVP_CIPHER *evp = suite->ciphers[cipher];

    return evp ? (size_t)EVP_CIPHER_get_key_length(evp) : 0;
}

size_t suite_digest_size(const struct suite *suite, unsigned mac)
{
    return (size_t)EVP_MD_get_size(suite->digests[mac]);
}

int suite_hmac(const struct suite *suite, unsigned mac, const uint8_t *key, size_t key_n,
               const struct bytes pieces[2], uint8_t digest[SUITE_DIGEST_MAX])
{
    EVP_MAC_CTX *ctx = EVP_MAC_CTX_new(suite->hmac);
    char *name = (char *)(uintptr_t)openssl_digests[mac]; /* OpenSSL reads it only */
    const OSSL_PARAM params[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, name, 0),
        OSSL_PARAM_construct_end(),
    };
    size_t n;
    bool ok = ctx && EVP_MAC_init(ctx, key, key_n, params) &&
              EVP_MAC_update(ctx, pieces[0].at, pieces[0].left) &&
              EVP_MAC_update(ctx, pieces[1].at, pieces[1].left) &&
              EVP_MAC_final(ctx, digest, &n, SUITE_DIGEST_MAX);

    EVP_MAC_CTX_free(ctx);
    return ok ? 0 : -MUNGE_INTERNAL;
}

/* One direction of CBC over whole input; `padding` as OpenSSL does it. */
static int run_cipher(const struct suite *suite, const struct suite_cipher_job *job, bool encrypt,
                      struct strbuf *out)
{
    EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
    char *to = strbuf_reserve(out, job->in.left + 2 * SUITE_IV_MAX);
    int n = 0;
    int last = 0;
    bool ok =
        ctx && job->in.left <= INT32_MAX / 2 &&
        EVP_CipherInit_ex2(ctx, suite->ciphers[job->cipher], job->key, job->iv, encrypt, NULL) &&
        EVP_CIPHER_CTX_set_padding(ctx, encrypt) &&
        EVP_CipherUpdate(ctx, (unsigned char *)to, &n, job->in.at, (int)job->in.left) &&
        EVP_CipherFinal_ex(ctx, (unsigned char *)to + n, &last);

    EVP_CIPHER_CTX_free(ctx);
    if (!ok)
        return -MUNGE_INTERNAL;
    strbuf_grown(out, (size_t)(n + last));
    return 0;
}

int suite_encrypt(const struct suite *suite, const struct suite_cipher_job *job, struct strbuf *out)
{
    return run_cipher(suite, job, true, out);
}

/* PKCS #5: the last byte says how many bytes, all equal to it, were added. */
static bool padding_is_right(const uint8_t *end, size_t block)
{
    uint8_t count = end[-1];
    unsigned wrong = count == 0 || count > block;

    for (size_t i = 1; i <= block; i++)
        wrong |= i <= count && end[-(ptrdiff_t)i] != count;
    return !wrong;
}

int suite_decrypt(const struct suite *suite, const struct suite_cipher_job *job, struct strbuf *out,
                  bool *ret_padding_ok)
{
    size_t block = (size_t)EVP_CIPHER_get_block_size(suite->ciphers[job->cipher]);

    if (job->in.left == 0 || job->in.left % block != 0)
        return -MUNGE_CRED_INVALID;

    int rc = run_cipher(suite, job, false, out);

    if (rc < 0)
        return rc;

    const uint8_t *end = (const uint8_t *)out->data + out->len;

    *ret_padding_ok = padding_is_right(end, block);
    if (*ret_padding_ok)
        strbuf_truncate(out, out->len - end[-1]);
    return 0;
}
