/*
 * cred.h - a MUNGE credential, format version 3: encoded and decoded in the format's own steps.
 *
 *   OUTER  version (3), cipher, MAC, compression, realm (length and text), cipher IV
 *   MAC    HMAC with the MAC subkey over OUTER and the compressed INNER
 *   INNER  salt, address (length and bytes), time encoded, TTL, uid, gid, uid and gid allowed to
 *          decode, payload (length and bytes); compressed, then encrypted with a key that is the
 *          HMAC of the MAC with the DEK subkey
 *
 * All of it is base64 between "MUNGE:" and ":". Integers are big-endian. A subkey is the SHA-1 of
 * the key file's bytes followed by the digit 1 (DEK) or 2 (MAC).
 *
 * No clock, no key file, no socket: whether a credential is fresh, new and meant for the one who
 * asks is decided elsewhere (auth/proto). Errors carry munge's status numbers as codes.
 */
#pragma once

#include "auth/cred/suite.h"

enum {
    CRED_VERSION = 3,
    CRED_SUBKEY_SIZE = 20,
    CRED_SALT_SIZE = 8,
    CRED_ADDR_MAX = 16,
    CRED_REALM_MAX = 255,
    /* Bytes of the inner layer, packed or not: what fits a message, with room to spare. */
    CRED_INNER_MAX = 1 << 20,
};

#define CRED_ANY UINT32_MAX

struct cred_keys {
    uint8_t dek[CRED_SUBKEY_SIZE];
    uint8_t mac[CRED_SUBKEY_SIZE];
};

/* Derives the subkeys from a key file's bytes. */
void cred_keys_derive(const void *key, size_t key_n, struct cred_keys *ret);

struct cred {
    uint8_t cipher;
    uint8_t mac;
    uint8_t zip; /* asked for when encoding; what is really used may be ZIP_NONE */
    uint8_t realm_n;
    char realm[CRED_REALM_MAX];
    uint8_t iv[SUITE_IV_MAX];
    uint8_t digest[SUITE_DIGEST_MAX]; /* the MAC; set by both directions */
    uint8_t digest_n;
    uint8_t salt[CRED_SALT_SIZE];
    uint8_t addr_n;
    uint8_t addr[CRED_ADDR_MAX];
    uint32_t encoded_at;
    uint32_t ttl;
    uint32_t uid;
    uint32_t gid;
    uint32_t only_uid; /* or CRED_ANY */
    uint32_t only_gid;
    uint8_t *payload; /* owned; NULL when empty */
    uint32_t payload_n;
};

void cred_clear(struct cred *cred);
void cred_auto_(struct cred *cred);

/* Fills salt and IV with random bytes. */
int cred_randomize(struct cred *cred, struct err *err);

/* Appends the credential's text to `out`; salt and IV are the caller's. */
int cred_encode(struct suite *suite, const struct cred_keys *keys, struct cred *cred,
                struct strbuf *out, struct err *err);

/* Fills *ret (release with cred_clear) only when the MAC verifies. */
int cred_decode(struct suite *suite, const struct cred_keys *keys, const char *text, size_t n,
                struct cred *ret, struct err *err);
