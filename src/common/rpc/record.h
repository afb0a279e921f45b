/*
 * record.h - one direction of an encrypted session: a key, a counter, and when to renew the key.
 *
 * A record is one frame, sealed: u32 length of what follows, then frame and tag. The length is
 * authenticated too. After RECORD_REKEY_AFTER records both sides derive the next key from the last
 * and start counting anew, so that a session of months never wears out a key. Owns the key.
 */
#pragma once

#include "common/crypt/crypt.h"
#include "common/rpc/frame.h"

#define RECORD_REKEY_AFTER 65536u
#define RECORD_HEADER      4u
#define RECORD_EXTRA       (RECORD_HEADER + CRYPT_TAG_N) /* what a record adds to its frame */

struct record_key;

struct record_key *record_key_new(const uint8_t key[CRYPT_KEY_N]);
struct record_key *record_key_free(struct record_key *record);

/*
 * Seals a frame of n bytes that lies at record + 4. `record` has room for RECORD_EXTRA + n bytes.
 */
void record_seal(struct record_key *key, uint8_t *record, size_t n);

/*
 * Opens the record at the start of `bytes` in place. Returns how many bytes it takes, and its
 * frame, or 0 when more bytes are needed. Fails with E_TOO_BIG or E_PROTO, after which the session
 * must end.
 */
int record_open(struct record_key *key, uint8_t *bytes, size_t n, uint32_t body_max,
                struct rpc_frame *ret_frame, struct err *err);
