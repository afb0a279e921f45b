/*
 * handshake.h - what is said and computed in a handshake (docs/PROTOCOL.md).
 *
 * Pure: bytes in, bytes and keys out; who sends them when is greet.c's business, and cli/join's for
 * machines that have no key of the cluster yet.
 */
#pragma once

#include "common/crypt/crypt.h"
#include "common/msg/session.h"
#include "common/rpc/frame.h"

#define HANDSHAKE_PROTOCOL 1u

struct handshake {
    bool initiator;
    struct crypt_x25519 own;
    struct strbuf hello[2]; /* frames as sent; [0] the initiator's, [1] the responder's */
    struct strbuf proof[2];
    uint8_t transcript[CRYPT_SHA256_N]; /* of both hellos */
    uint8_t secret[CRYPT_KEY_N];        /* extracted from the exchange */
};

/* The keys of one stage, as seen from this side. */
struct handshake_keys {
    uint8_t send[CRYPT_KEY_N];
    uint8_t receive[CRYPT_KEY_N];
};

void handshake_clear(struct handshake *handshake); /* wipes */

/* Notes a frame that this side sent (`own`) or received. */
void handshake_note(struct handshake *handshake, bool own, const struct rpc_frame *frame);

/*
 * Computes transcript, secret, and the keys for proofs and verdicts, once both hellos are noted.
 * Fails with E_PROTO when the peer's key is not usable.
 */
int handshake_meet(struct handshake *handshake, const struct blob *peer_key,
                   struct handshake_keys *ret_keys, struct err *err);

/*
 * Computes keys that nobody can make without `token` (psk of the Noise framework). It follows
 * handshake_meet in place of proofs; the keys of handshake_meet must not be used then.
 */
void handshake_mix(struct handshake *handshake, const uint8_t token[CRYPT_KEY_N],
                   struct handshake_keys *ret_keys);

/* Computes the keys for all that follows the verdict, once both proofs are noted. */
void handshake_finish(const struct handshake *handshake, struct handshake_keys *ret_keys);

/*
 * Fails unless the peer's claim is for this connection, this cluster, and the peer's end of the
 * connection.
 */
int handshake_check_claim(const struct handshake *handshake, bool is_local, const char *cluster,
                          const struct session_claim *claim, struct err *err);
