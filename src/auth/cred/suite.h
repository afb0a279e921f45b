/*
 * suite.h - the cryptography behind MUNGE's codes, from OpenSSL.
 *
 * Blowfish, CAST5 and RIPEMD-160 are in OpenSSL's legacy provider, which a host may lack or forbid;
 * asking for one of them then fails by name and the others go on working. Owns an OpenSSL library
 * context of its own, so that a host's openssl.cnf or another user of OpenSSL does not change what
 * decodes. Errors carry munge's status numbers (common/authc/wire.h) as codes.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "auth/cred/names.h"
#include "common/base/bytes.h"

enum {
    SUITE_IV_MAX = 16,
    SUITE_DIGEST_MAX = 64,
    SUITE_KEY_MAX = 32,
};

struct suite;

/* Opens no algorithm before the first call of suite_check asks for it; those opened are kept. */
struct suite *suite_new(void);
struct suite *suite_free(struct suite *suite);

/* Returns 0, or less when a code is unknown, unusable here, or (together) the MAC is shorter than
   the cipher's key. CIPHER_NONE goes with every MAC. */
int suite_check(struct suite *suite, unsigned cipher, unsigned mac, struct err *err);

/* Return sizes in bytes, for codes that have passed suite_check. */
size_t suite_iv_size(struct suite *suite, unsigned cipher);
size_t suite_digest_size(struct suite *suite, unsigned mac);

/* Computes the HMAC over two pieces; the digest has suite_digest_size bytes. */
int suite_hmac(struct suite *suite, unsigned mac, const uint8_t *key, size_t key_n,
               const struct bytes pieces[2], uint8_t digest[SUITE_DIGEST_MAX]);

struct suite_cipher_job {
    unsigned cipher;
    const uint8_t *key; /* as long as the cipher takes */
    const uint8_t *iv;  /* suite_iv_size bytes */
    struct bytes in;
};

/* Encrypts in CBC mode with PKCS #5 padding, appending to `out`. Fails only with MUNGE_INTERNAL. */
int suite_encrypt(struct suite *suite, const struct suite_cipher_job *job, struct strbuf *out);

/*
 * Fails with MUNGE_CRED_INVALID on a length that no encryption gives. Wrong padding sets
 * *ret_padding_ok to false and leaves all bytes, so that the caller goes on to the MAC and takes as
 * long as ever: otherwise its pace would tell an attacker which padding is right.
 */
int suite_decrypt(struct suite *suite, const struct suite_cipher_job *job, struct strbuf *out,
                  bool *ret_padding_ok);
