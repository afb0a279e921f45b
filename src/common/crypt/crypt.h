/*
 * crypt.h - the cryptography this project uses, named, over OpenSSL, and libmd for hashes.
 *
 * Beside auth, the only place that knows OpenSSL. Nothing is set up before the first call that
 * needs it, so a program that never calls pays nothing; SHA-256 and comparing do not need it. Keys
 * are wiped when released. Functions that return int fail only as told; the rest cannot fail (a
 * library that does not work ends the process).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"

enum {
    CRYPT_SHA256_N = 32,
    CRYPT_SHA1_N = 20,
    CRYPT_KEY_N = 32,    /* AES-256 keys, X25519 keys and secrets */
    CRYPT_TAG_N = 16,    /* what sealing adds */
    CRYPT_SEED_N = 32,   /* Ed25519 private key */
    CRYPT_PUBLIC_N = 32, /* Ed25519 public key */
    CRYPT_SIGN_N = 64,   /* Ed25519 signature */
};

/*
 * Calls everything that a session needs once. Opening OpenSSL, and its search for each algorithm at
 * the first call, takes milliseconds. A process that forks others which open sessions warms up for
 * them, and a process that waits for a connection warms up meanwhile.
 */
void crypt_warm_up(void);

void crypt_random(void *ret_bytes, size_t n);

/* Returns whether a and b are equal, in time that does not tell where they differ. */
bool crypt_equal(const void *a, const void *b, size_t n);

/* ---- SHA-256 ---- */

void crypt_sha256(const void *bytes, size_t n, uint8_t ret_hash[CRYPT_SHA256_N]);

struct crypt_hash {
    uint64_t state[26]; /* opaque */
};

void crypt_hash_init(struct crypt_hash *hash);
void crypt_hash_add(struct crypt_hash *hash, const void *bytes, size_t n);
void crypt_hash_end(struct crypt_hash *hash, uint8_t ret_hash[CRYPT_SHA256_N]);

void crypt_hmac_sha256(const void *key, size_t key_n, const void *bytes, size_t n,
                       uint8_t ret_mac[CRYPT_SHA256_N]);

/* Computes SHA-1, which only the format of MUNGE's credentials needs. */
void crypt_sha1(const void *bytes, size_t n, uint8_t ret_hash[CRYPT_SHA1_N]);

/* The two halves of HKDF-SHA256 (RFC 5869). `n` is at most 255 * 32. */
void crypt_hkdf_extract(const void *salt, size_t salt_n, const void *secret, size_t secret_n,
                        uint8_t ret_key[CRYPT_SHA256_N]);
void crypt_hkdf_expand(const uint8_t key[CRYPT_SHA256_N], const void *info, size_t info_n,
                       void *ret_bytes, size_t n);

/* ---- X25519: a secret shared by two strangers ---- */

struct crypt_x25519 {
    uint8_t secret[CRYPT_KEY_N];
    uint8_t public[CRYPT_KEY_N];
};

void crypt_x25519_new(struct crypt_x25519 *ret_pair);
void crypt_x25519_from_secret(struct crypt_x25519 *ret_pair, const uint8_t secret[CRYPT_KEY_N]);

/*
 * Computes the shared secret. Fails with E_PROTO when the other's key gives none (a point of small
 * order).
 */
int crypt_x25519_shared(const struct crypt_x25519 *own, const uint8_t other[CRYPT_KEY_N],
                        uint8_t ret_secret[CRYPT_KEY_N], struct err *err);

/* ---- AES-256-GCM with a counter as nonce (four zero bytes, then the counter big-endian) ---- */

struct crypt_aead;

struct crypt_aead *crypt_aead_new(const uint8_t key[CRYPT_KEY_N]);
struct crypt_aead *crypt_aead_free(struct crypt_aead *aead);
void crypt_aead_rekey(struct crypt_aead *aead, const uint8_t key[CRYPT_KEY_N]);

/*
 * Seals a text into n + CRYPT_TAG_N bytes; `ret_sealed` may be `plain`. A counter must never be
 * used twice with one key.
 */
void crypt_aead_seal(struct crypt_aead *aead, uint64_t counter, const void *head, size_t head_n,
                     const void *plain, size_t n, void *ret_sealed);

/*
 * Opens a sealed text into n - CRYPT_TAG_N bytes; `ret_plain` may be `sealed`. Fails with E_PROTO
 * when it was altered.
 */
int crypt_aead_open(struct crypt_aead *aead, uint64_t counter, const void *head, size_t head_n,
                    const void *sealed, size_t n, void *ret_plain, struct err *err);

/* ---- Ed25519: signatures ---- */

struct crypt_sign_key {
    uint8_t seed[CRYPT_SEED_N];
    uint8_t public[CRYPT_PUBLIC_N];
    void *prepared; /* of OpenSSL: to make it from the seed takes as long as to sign */
};

void crypt_sign_key_new(struct crypt_sign_key *ret_key);
void crypt_sign_key_from_seed(struct crypt_sign_key *ret_key, const uint8_t seed[CRYPT_SEED_N]);
void crypt_sign_key_auto_(struct crypt_sign_key *key); /* wipes; all zero is fine */

/*
 * Load and store a key file, which is the 32 bytes of the seed. Loading refuses a file of another
 * size, of another owner than the caller or root, or open to others. Storing creates it with mode
 * 0600, on disk on return, and never replaces a file (EEXIST).
 */
int crypt_sign_key_load(const char *path, struct crypt_sign_key *ret_key, struct err *err);
int crypt_sign_key_store(const char *path, const struct crypt_sign_key *key, struct err *err);

void crypt_sign(const struct crypt_sign_key *key, const void *bytes, size_t n,
                uint8_t ret_signature[CRYPT_SIGN_N]);
bool crypt_verify(const uint8_t public[CRYPT_PUBLIC_N], const void *bytes, size_t n,
                  const uint8_t signature[CRYPT_SIGN_N]);
