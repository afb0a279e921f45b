#include "common/rpc/handshake.h"

#include <string.h>

void handshake_clear(struct handshake *handshake)
{
    for (unsigned i = 0; i < 2; i++) {
        strbuf_clear(&handshake->hello[i]);
        strbuf_clear(&handshake->proof[i]);
    }
    wipe(handshake, sizeof(*handshake));
}

void handshake_note(struct handshake *handshake, bool own, const struct rpc_frame *frame)
{
    unsigned side = handshake->initiator == own ? 0 : 1;

    rpc_frame_encode(frame, handshake->hello[side].len ? &handshake->proof[side]
                                                       : &handshake->hello[side]);
}

static void hash_both(const void *first, size_t first_n, const struct strbuf frames[2],
                      uint8_t ret_hash[CRYPT_SHA256_N])
{
    struct crypt_hash hash;

    crypt_hash_init(&hash);
    crypt_hash_add(&hash, first, first_n);
    crypt_hash_add(&hash, frames[0].data, frames[0].len);
    crypt_hash_add(&hash, frames[1].data, frames[1].len);
    crypt_hash_end(&hash, ret_hash);
}

static void make_keys(bool initiator, const uint8_t secret[CRYPT_KEY_N], const char *stage,
                      struct handshake_keys *ret_keys)
{
    AUTO_FREE char *by_initiator = xasprintf("sluice %s initiator", stage);
    AUTO_FREE char *by_responder = xasprintf("sluice %s responder", stage);

    crypt_hkdf_expand(secret, by_initiator, strlen(by_initiator),
                      initiator ? ret_keys->send : ret_keys->receive, CRYPT_KEY_N);
    crypt_hkdf_expand(secret, by_responder, strlen(by_responder),
                      initiator ? ret_keys->receive : ret_keys->send, CRYPT_KEY_N);
}

int handshake_meet(struct handshake *handshake, const struct blob *peer_key,
                   struct handshake_keys *ret_keys, struct err *err)
{
    uint8_t shared[CRYPT_KEY_N];
    int rc;

    if (peer_key->n != CRYPT_KEY_N)
        return err_set(err, E_PROTO, "hello with a key of %u bytes, should be %d", peer_key->n,
                       CRYPT_KEY_N);
    rc = crypt_x25519_shared(&handshake->own, peer_key->data, shared, err);
    if (rc < 0)
        return rc;
    hash_both(SESSION_CLAIM_LABEL, strlen(SESSION_CLAIM_LABEL), handshake->hello,
              handshake->transcript);
    crypt_hkdf_extract(handshake->transcript, CRYPT_SHA256_N, shared, sizeof(shared),
                       handshake->secret);
    wipe(shared, sizeof(shared));
    wipe(&handshake->own, sizeof(handshake->own));
    make_keys(handshake->initiator, handshake->secret, "handshake", ret_keys);
    return 0;
}

void handshake_mix(struct handshake *handshake, const uint8_t token[CRYPT_KEY_N],
                   struct handshake_keys *ret_keys)
{
    uint8_t mixed[CRYPT_KEY_N];

    crypt_hkdf_extract(handshake->secret, CRYPT_KEY_N, token, CRYPT_KEY_N, mixed);
    memcpy(handshake->secret, mixed, sizeof(mixed));
    wipe(mixed, sizeof(mixed));
    make_keys(handshake->initiator, handshake->secret, "join", ret_keys);
}

void handshake_finish(const struct handshake *handshake, struct handshake_keys *ret_keys)
{
    uint8_t whole[CRYPT_SHA256_N], secret[CRYPT_KEY_N];

    hash_both(handshake->transcript, CRYPT_SHA256_N, handshake->proof, whole);
    crypt_hkdf_extract(whole, sizeof(whole), handshake->secret, CRYPT_KEY_N, secret);
    make_keys(handshake->initiator, secret, "session", ret_keys);
    wipe(secret, sizeof(secret));
}

static bool is_same_transcript(const struct handshake *handshake, const struct blob *claimed)
{
    return claimed->n == CRYPT_SHA256_N &&
           crypt_equal(claimed->data, handshake->transcript, CRYPT_SHA256_N);
}

/* Returns whether a peer may speak with who is of the cluster: a slurmdbd speaks with all, and all
 * with it. */
static bool is_of_cluster(const char *cluster, const struct session_claim *claim)
{
    const char *theirs = claim->cluster ? claim->cluster : "";

    if (strcmp(cluster, SESSION_ALL_CLUSTERS) == 0)
        return theirs[0] && strcmp(theirs, SESSION_ALL_CLUSTERS) != 0;
    if (claim->role == RPC_ROLE_DBD)
        return strcmp(theirs, SESSION_ALL_CLUSTERS) == 0;
    return strcmp(theirs, cluster) == 0;
}

int handshake_check_claim(const struct handshake *handshake, bool is_local, const char *cluster,
                          const struct session_claim *claim, struct err *err)
{
    const char *theirs = claim->cluster ? claim->cluster : "";

    if (!cluster)
        cluster = "";
    if (strcmp(claim->label, SESSION_CLAIM_LABEL) != 0)
        return err_set(err, E_AUTH, "its credential is for '%.40s', not for '%s'", claim->label,
                       SESSION_CLAIM_LABEL);
    if (claim->initiator == handshake->initiator)
        return err_set(err, E_AUTH, "its proof is for the other direction (a reflection)");
    if (!is_local && !is_same_transcript(handshake, &claim->transcript))
        return err_set(err, E_AUTH, "its proof belongs to another connection");
    if (claim->role > RPC_ROLE_DBD)
        return err_set(err, E_AUTH, "its role %u is not known here", claim->role);
    if (!is_of_cluster(cluster, claim))
        return err_set(err, E_AUTH,
                       "ClusterName differs: %.64s where the connection comes from, %.64s where "
                       "it goes to",
                       handshake->initiator ? cluster : theirs,
                       handshake->initiator ? theirs : cluster);
    return 0;
}
