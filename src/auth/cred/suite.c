#include "auth/cred/suite.h"

#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/provider.h>
#include <string.h>

#include "common/authc/wire.h"

/*
 * Everything is in OpenSSL's own context, where random numbers come from: another context costs
 * munged 0.2 MB and 2.8 million instructions.
 */
struct suite {
    EVP_MAC *hmac; /* NULL until something is asked for */
    OSSL_PROVIDER *legacy;
    bool legacy_tried;
    EVP_CIPHER *ciphers[CIPHER_N]; /* NULL until asked for, or when it is not there */
    EVP_MD *digests[MAC_N];
    /* Making a context takes longer than using it; OpenSSL looks its algorithm up by name. */
    EVP_CIPHER_CTX *cipher_context;
    EVP_MAC_CTX *mac_contexts[MAC_N];
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
    return xcalloc(1, sizeof(struct suite));
}

static void begin(struct suite *suite)
{
    if (suite->hmac)
        return;
    suite->hmac = EVP_MAC_fetch(NULL, "HMAC", NULL);
    suite->cipher_context = EVP_CIPHER_CTX_new();
}

/* Loads the legacy provider; returns false when it is loaded already, or not to be had. */
static bool load_legacy(struct suite *suite)
{
    if (suite->legacy_tried)
        return false;
    suite->legacy_tried = true;
    suite->legacy = OSSL_PROVIDER_try_load(NULL, "legacy", 1); /* beside the usual one */
    return suite->legacy != NULL;
}

static EVP_CIPHER *find_cipher(struct suite *suite, unsigned cipher)
{
    EVP_CIPHER **found = &suite->ciphers[cipher];

    begin(suite);
    if (!*found)
        *found = EVP_CIPHER_fetch(NULL, openssl_ciphers[cipher], NULL);
    if (!*found && load_legacy(suite))
        *found = EVP_CIPHER_fetch(NULL, openssl_ciphers[cipher], NULL);
    return *found;
}

static EVP_MD *find_digest(struct suite *suite, unsigned mac)
{
    EVP_MD **found = &suite->digests[mac];

    begin(suite);
    if (!*found)
        *found = EVP_MD_fetch(NULL, openssl_digests[mac], NULL);
    if (!*found && load_legacy(suite))
        *found = EVP_MD_fetch(NULL, openssl_digests[mac], NULL);
    return *found;
}

struct suite *suite_free(struct suite *suite)
{
    if (!suite)
        return NULL;
    if (!suite->hmac) {
        free(suite);
        return NULL;
    }
    for (unsigned i = 0; i < CIPHER_N; i++)
        EVP_CIPHER_free(suite->ciphers[i]);
    for (unsigned i = 0; i < MAC_N; i++) {
        EVP_MAC_CTX_free(suite->mac_contexts[i]);
        EVP_MD_free(suite->digests[i]);
    }
    EVP_CIPHER_CTX_free(suite->cipher_context);
    EVP_MAC_free(suite->hmac);
    if (suite->legacy)
        OSSL_PROVIDER_unload(suite->legacy);
    free(suite);
    return NULL;
}

/* Checks a cipher. The daemon replaces the default codes before they come here; in a credential
   they are as invalid as unknown ones. */
static int check_cipher(struct suite *suite, unsigned cipher, struct err *err)
{
    if (cipher == CIPHER_NONE)
        return 0;
    if (cipher >= CIPHER_N || cipher == CIPHER_DEFAULT)
        return err_set(err, MUNGE_BAD_CIPHER, "Invalid cipher type %u", cipher);
    if (!find_cipher(suite, cipher))
        return err_set(err, MUNGE_BAD_CIPHER,
                       "Cipher %s is not available: this host's OpenSSL has no legacy provider",
                       cred_name(KIND_CIPHER, cipher));
    return 0;
}

static int check_mac(struct suite *suite, unsigned mac, struct err *err)
{
    if (mac >= MAC_N || mac == MAC_NONE || mac == MAC_DEFAULT)
        return err_set(err, MUNGE_BAD_MAC, "Invalid MAC type %u", mac);
    if (!find_digest(suite, mac) || !suite->hmac)
        return err_set(err, MUNGE_BAD_MAC,
                       "MAC %s is not available: this host's OpenSSL has no legacy provider",
                       cred_name(KIND_MAC, mac));
    return 0;
}

static size_t key_size(struct suite *suite, unsigned cipher)
{
    const EVP_CIPHER *evp = suite->ciphers[cipher];

    return evp ? (size_t)EVP_CIPHER_get_key_length(evp) : 0;
}

int suite_check(struct suite *suite, unsigned cipher, unsigned mac, struct err *err)
{
    int rc = check_cipher(suite, cipher, err);

    if (rc == 0)
        rc = check_mac(suite, mac, err);
    if (rc == 0 && suite_digest_size(suite, mac) < key_size(suite, cipher))
        return err_set(err, MUNGE_BAD_MAC, "Invalid MAC type %u with cipher type %u", mac, cipher);
    return rc;
}

size_t suite_iv_size(struct suite *suite, unsigned cipher)
{
    const EVP_CIPHER *evp = suite->ciphers[cipher];

    return evp ? (size_t)EVP_CIPHER_get_iv_length(evp) : 0;
}

size_t suite_digest_size(struct suite *suite, unsigned mac)
{
    return (size_t)EVP_MD_get_size(suite->digests[mac]);
}

/* Gives the MAC its key, and before the first one its digest. */
static bool init_mac(struct suite *suite, unsigned mac, const uint8_t *key, size_t key_n)
{
    EVP_MAC_CTX **ctx = &suite->mac_contexts[mac];
    char *name = (char *)(uintptr_t)openssl_digests[mac]; /* OpenSSL reads it only */
    const OSSL_PARAM params[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, name, 0),
        OSSL_PARAM_construct_end(),
    };

    if (*ctx)
        return EVP_MAC_init(*ctx, key, key_n, NULL);
    *ctx = EVP_MAC_CTX_new(suite->hmac);
    return *ctx && EVP_MAC_init(*ctx, key, key_n, params);
}

int suite_hmac(struct suite *suite, unsigned mac, const uint8_t *key, size_t key_n,
               const struct bytes pieces[2], uint8_t digest[SUITE_DIGEST_MAX])
{
    size_t n;
    bool ok = init_mac(suite, mac, key, key_n);
    EVP_MAC_CTX *ctx = suite->mac_contexts[mac];

    ok = ok && EVP_MAC_update(ctx, pieces[0].at, pieces[0].left) &&
         EVP_MAC_update(ctx, pieces[1].at, pieces[1].left) &&
         EVP_MAC_final(ctx, digest, &n, SUITE_DIGEST_MAX);
    if (ok)
        return 0;
    EVP_MAC_CTX_free(ctx);
    suite->mac_contexts[mac] = NULL;
    return -MUNGE_INTERNAL;
}

/* Runs one direction of CBC over whole input; `padding` is as OpenSSL takes it. */
static int run_cipher(struct suite *suite, const struct suite_cipher_job *job, bool encrypt,
                      struct strbuf *out)
{
    EVP_CIPHER_CTX *ctx = suite->cipher_context;
    char *to = strbuf_reserve(out, job->in.left + 2 * SUITE_IV_MAX);
    int n = 0;
    int last = 0;
    bool ok =
        ctx && job->in.left <= INT32_MAX / 2 &&
        EVP_CipherInit_ex2(ctx, suite->ciphers[job->cipher], job->key, job->iv, encrypt, NULL) &&
        EVP_CIPHER_CTX_set_padding(ctx, encrypt) &&
        EVP_CipherUpdate(ctx, (unsigned char *)to, &n, job->in.at, (int)job->in.left) &&
        EVP_CipherFinal_ex(ctx, (unsigned char *)to + n, &last);

    if (!ok)
        return -MUNGE_INTERNAL;
    strbuf_grown(out, (size_t)(n + last));
    return 0;
}

int suite_encrypt(struct suite *suite, const struct suite_cipher_job *job, struct strbuf *out)
{
    return run_cipher(suite, job, true, out);
}

/* Checks PKCS #5 padding: the last byte says how many bytes, all equal to it, were added. */
static bool padding_is_right(const uint8_t *end, size_t block)
{
    uint8_t count = end[-1];
    unsigned wrong = count == 0 || count > block;

    for (size_t i = 1; i <= block; i++)
        wrong |= i <= count && end[-(ptrdiff_t)i] != count;
    return !wrong;
}

int suite_decrypt(struct suite *suite, const struct suite_cipher_job *job, struct strbuf *out,
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
