/*
 * The functions of OpenSSL's libcrypto that are called here and in auth. The library is opened at
 * the first call.
 */
#include <dlfcn.h>
#include <string.h>

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/opensslv.h>
#include <openssl/params.h>
#include <openssl/provider.h>
#include <openssl/rand.h>

#include "common/base/library.h"

#define TEXT_(number) #number
#define TEXT(number)  TEXT_(number)

/*
 * Initialises OpenSSL, as every srun and every step has to. Texts of errors and old names of
 * algorithms are left out, as nobody here reads or asks for them, and so is cleaning up, as the
 * process ends. OpenSSL's configuration, half of the time it takes, is not read either: the
 * protocol decides which algorithms are used, and a mistake in that file must not matter.
 */
static void set_up(void *handle)
{
    void *address = dlsym(handle, "OPENSSL_init_crypto");
    __typeof__(&OPENSSL_init_crypto) init;

    memcpy(&init, &address, sizeof(init)); /* C has no cast from data to a function */
    if (init)
        (void)init(OPENSSL_INIT_NO_ATEXIT | OPENSSL_INIT_NO_LOAD_CONFIG |
                       OPENSSL_INIT_NO_LOAD_CRYPTO_STRINGS | OPENSSL_INIT_NO_ADD_ALL_CIPHERS |
                       OPENSSL_INIT_NO_ADD_ALL_DIGESTS,
                   NULL);
}

LIBRARY(libcrypto, "libcrypto.so." TEXT(OPENSSL_SHLIB_VERSION),
        "credentials, and connections between hosts", set_up);

FORWARD(libcrypto, int, EVP_CIPHER_CTX_ctrl,
        (EVP_CIPHER_CTX * context, int type, int arg, void *ptr), (context, type, arg, ptr))
FORWARD_VOID(libcrypto, EVP_CIPHER_CTX_free, (EVP_CIPHER_CTX * context), (context))
FORWARD(libcrypto, EVP_CIPHER_CTX *, EVP_CIPHER_CTX_new, (void), ())
FORWARD(libcrypto, int, EVP_CIPHER_CTX_set_padding, (EVP_CIPHER_CTX * context, int pad),
        (context, pad))
FORWARD(libcrypto, EVP_CIPHER *, EVP_CIPHER_fetch,
        (OSSL_LIB_CTX * context, const char *algorithm, const char *property),
        (context, algorithm, property))
FORWARD_VOID(libcrypto, EVP_CIPHER_free, (EVP_CIPHER * cipher), (cipher))
FORWARD(libcrypto, int, EVP_CIPHER_get_block_size, (const EVP_CIPHER *cipher), (cipher))
FORWARD(libcrypto, int, EVP_CIPHER_get_iv_length, (const EVP_CIPHER *cipher), (cipher))
FORWARD(libcrypto, int, EVP_CIPHER_get_key_length, (const EVP_CIPHER *cipher), (cipher))
FORWARD(libcrypto, int, EVP_CipherFinal_ex,
        (EVP_CIPHER_CTX * context, unsigned char *out, int *ret_n), (context, out, ret_n))
FORWARD(libcrypto, int, EVP_CipherInit_ex,
        (EVP_CIPHER_CTX * context, const EVP_CIPHER *cipher, ENGINE *engine,
         const unsigned char *key, const unsigned char *iv, int enc),
        (context, cipher, engine, key, iv, enc))
FORWARD(libcrypto, int, EVP_CipherInit_ex2,
        (EVP_CIPHER_CTX * context, const EVP_CIPHER *cipher, const unsigned char *key,
         const unsigned char *iv, int enc, const OSSL_PARAM params[]),
        (context, cipher, key, iv, enc, params))
FORWARD(libcrypto, int, EVP_CipherUpdate,
        (EVP_CIPHER_CTX * context, unsigned char *out, int *ret_n, const unsigned char *in,
         int in_n),
        (context, out, ret_n, in, in_n))
FORWARD(libcrypto, int, EVP_DigestSign,
        (EVP_MD_CTX * context, unsigned char *signature, size_t *signature_n,
         const unsigned char *bytes, size_t n),
        (context, signature, signature_n, bytes, n))
FORWARD(libcrypto, int, EVP_DigestSignInit,
        (EVP_MD_CTX * context, EVP_PKEY_CTX **ret_context, const EVP_MD *type, ENGINE *engine,
         EVP_PKEY *key),
        (context, ret_context, type, engine, key))
FORWARD(libcrypto, int, EVP_DigestVerify,
        (EVP_MD_CTX * context, const unsigned char *signature, size_t signature_n,
         const unsigned char *bytes, size_t n),
        (context, signature, signature_n, bytes, n))
FORWARD(libcrypto, int, EVP_DigestVerifyInit,
        (EVP_MD_CTX * context, EVP_PKEY_CTX **ret_context, const EVP_MD *type, ENGINE *engine,
         EVP_PKEY *key),
        (context, ret_context, type, engine, key))
FORWARD_VOID(libcrypto, EVP_MAC_CTX_free, (EVP_MAC_CTX * context), (context))
FORWARD(libcrypto, EVP_MAC_CTX *, EVP_MAC_CTX_new, (EVP_MAC * mac), (mac))
FORWARD(libcrypto, EVP_MAC *, EVP_MAC_fetch,
        (OSSL_LIB_CTX * context, const char *algorithm, const char *property),
        (context, algorithm, property))
FORWARD(libcrypto, int, EVP_MAC_final,
        (EVP_MAC_CTX * context, unsigned char *out, size_t *ret_n, size_t out_n),
        (context, out, ret_n, out_n))
FORWARD_VOID(libcrypto, EVP_MAC_free, (EVP_MAC * mac), (mac))
FORWARD(libcrypto, int, EVP_MAC_init,
        (EVP_MAC_CTX * context, const unsigned char *key, size_t key_n, const OSSL_PARAM params[]),
        (context, key, key_n, params))
FORWARD(libcrypto, int, EVP_MAC_update,
        (EVP_MAC_CTX * context, const unsigned char *data, size_t n), (context, data, n))
FORWARD_VOID(libcrypto, EVP_MD_CTX_free, (EVP_MD_CTX * context), (context))
FORWARD(libcrypto, EVP_MD_CTX *, EVP_MD_CTX_new, (void), ())
FORWARD(libcrypto, EVP_MD *, EVP_MD_fetch,
        (OSSL_LIB_CTX * context, const char *algorithm, const char *property),
        (context, algorithm, property))
FORWARD_VOID(libcrypto, EVP_MD_free, (EVP_MD * md), (md))
FORWARD(libcrypto, int, EVP_MD_get_size, (const EVP_MD *md), (md))
FORWARD_VOID(libcrypto, EVP_PKEY_CTX_free, (EVP_PKEY_CTX * context), (context))
FORWARD(libcrypto, EVP_PKEY_CTX *, EVP_PKEY_CTX_new, (EVP_PKEY * key, ENGINE *engine),
        (key, engine))
FORWARD(libcrypto, int, EVP_PKEY_derive,
        (EVP_PKEY_CTX * context, unsigned char *key, size_t *key_n), (context, key, key_n))
FORWARD(libcrypto, int, EVP_PKEY_derive_init, (EVP_PKEY_CTX * context), (context))
FORWARD(libcrypto, int, EVP_PKEY_derive_set_peer, (EVP_PKEY_CTX * context, EVP_PKEY *peer),
        (context, peer))
FORWARD_VOID(libcrypto, EVP_PKEY_free, (EVP_PKEY * key), (key))
FORWARD(libcrypto, int, EVP_PKEY_get_raw_public_key,
        (const EVP_PKEY *key, unsigned char *public, size_t *ret_n), (key, public, ret_n))
FORWARD(libcrypto, EVP_PKEY *, EVP_PKEY_new_raw_private_key,
        (int type, ENGINE *engine, const unsigned char *private, size_t n),
        (type, engine, private, n))
FORWARD(libcrypto, EVP_PKEY *, EVP_PKEY_new_raw_public_key,
        (int type, ENGINE *engine, const unsigned char *public, size_t n),
        (type, engine, public, n))
FORWARD(libcrypto, const EVP_CIPHER *, EVP_aes_256_gcm, (void), ())
FORWARD(libcrypto, OSSL_PARAM, OSSL_PARAM_construct_end, (void), ())
FORWARD(libcrypto, OSSL_PARAM, OSSL_PARAM_construct_utf8_string,
        (const char *key, char *buf, size_t n), (key, buf, n))
FORWARD(libcrypto, OSSL_PROVIDER *, OSSL_PROVIDER_try_load,
        (OSSL_LIB_CTX * context, const char *name, int keep_usual), (context, name, keep_usual))
FORWARD(libcrypto, int, OSSL_PROVIDER_unload, (OSSL_PROVIDER * provider), (provider))
FORWARD_VOID(libcrypto, RAND_add, (const void *buf, int n, double randomness), (buf, n, randomness))
FORWARD(libcrypto, int, RAND_bytes, (unsigned char *buf, int n), (buf, n))
FORWARD(libcrypto, int, RAND_priv_bytes, (unsigned char *buf, int n), (buf, n))
