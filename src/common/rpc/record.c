#include "common/rpc/record.h"

#include <string.h>

#define REKEY_LABEL "sluice rekey"

struct record_key {
    uint8_t key[CRYPT_KEY_N];
    struct crypt_aead *aead;
    uint64_t counter;
};

struct record_key *record_key_new(const uint8_t key[CRYPT_KEY_N])
{
    struct record_key *record = xcalloc(1, sizeof(*record));

    memcpy(record->key, key, CRYPT_KEY_N);
    record->aead = crypt_aead_new(key);
    return record;
}

struct record_key *record_key_free(struct record_key *record)
{
    if (!record)
        return NULL;
    crypt_aead_free(record->aead);
    wipe(record, sizeof(*record));
    free(record);
    return NULL;
}

static void count_record(struct record_key *key)
{
    uint8_t next[CRYPT_KEY_N];

    if (++key->counter < RECORD_REKEY_AFTER)
        return;
    crypt_hkdf_expand(key->key, REKEY_LABEL, strlen(REKEY_LABEL), next, sizeof(next));
    crypt_aead_rekey(key->aead, next);
    memcpy(key->key, next, sizeof(next));
    wipe(next, sizeof(next));
    key->counter = 0;
}

void record_seal(struct record_key *key, uint8_t *record, size_t n)
{
    size_t sealed_n = n + CRYPT_TAG_N;

    for (unsigned i = 0; i < RECORD_HEADER; i++)
        record[i] = (uint8_t)(sealed_n >> (24 - 8 * i));
    crypt_aead_seal(key->aead, key->counter, record, RECORD_HEADER, record + RECORD_HEADER, n,
                    record + RECORD_HEADER);
    count_record(key);
}

static int open_whole(struct record_key *key, uint8_t *record, uint32_t sealed_n, uint32_t body_max,
                      struct rpc_frame *ret_frame, struct err *err)
{
    uint8_t *plain = record + RECORD_HEADER;
    uint32_t plain_n = sealed_n - CRYPT_TAG_N;
    int rc = crypt_aead_open(key->aead, key->counter, record, RECORD_HEADER, plain, sealed_n, plain,
                             err);

    if (rc < 0)
        return rc;
    count_record(key);
    rc = rpc_frame_decode(plain, plain_n, body_max, ret_frame, err);
    if (rc < 0)
        return rc;
    if ((uint32_t)rc != plain_n)
        return err_set(err, E_PROTO, "encrypted record of %u bytes is not one message", plain_n);
    return 0;
}

int record_open(struct record_key *key, uint8_t *bytes, size_t n, uint32_t body_max,
                struct rpc_frame *ret_frame, struct err *err)
{
    struct bytes in = bytes_of(bytes, n);
    uint32_t sealed_n = bytes_u32(&in);
    int rc;

    if (in.failed)
        return 0;
    if (sealed_n < RPC_FRAME_HEADER + CRYPT_TAG_N)
        return err_set(err, E_PROTO, "encrypted record of %u bytes is too short", sealed_n);
    if (sealed_n > RPC_FRAME_HEADER + body_max + CRYPT_TAG_N)
        return err_set(err, E_TOO_BIG, "encrypted record of %u bytes, at most %u are taken here",
                       sealed_n, RPC_FRAME_HEADER + body_max + CRYPT_TAG_N);
    if (in.left < sealed_n)
        return 0;
    rc = open_whole(key, bytes, sealed_n, body_max, ret_frame, err);
    return rc < 0 ? rc : (int)(RECORD_HEADER + sealed_n);
}
