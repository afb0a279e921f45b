/*
 * authority.h - one request in, one reply out: what authd decides.
 *
 * Encoding puts in who asks (as the kernel says), when and where. Decoding verifies, then asks
 * whether the one who asks may know, whether it is neither too old nor from the future, and whether
 * it is the first time, in munged's order. Pure: the caller brings time, peer and key.
 *
 * A credential with a restriction opens only for that user or group; root is no exception, as with
 * munged.
 */
#pragma once

#include "auth/key/key.h"
#include "auth/replay/replay.h"
#include "common/authc/wire.h"

enum {
    TTL_DEFAULT_S = 300,
    TTL_MAX_S = REPLAY_TTL_MAX_S,
    RETRIES_MAX = 5,
    SYSTEM_UID_MAX = 999, /* as useradd gives numbers to daemons */
};

struct peer {
    pid_t pid;
    uid_t uid;
    gid_t gid;
    /*
     * Returns 1 when the peer has the group as a supplementary one, 0 when not, less when that
     * cannot be told. Called only for a credential that is for a group; NULL: the peer has no such
     * groups.
     */
    int (*has_group)(const void *arg, gid_t gid, struct err *err);
    const void *arg;
};

struct authority_options {
    uint32_t max_ttl;
    uint8_t addr[4]; /* IPv4 of this host, for ENCODE_HOST */
    uint8_t addr_n;  /* 4, or 0 for none */
    uint32_t replay_slots_max;
    /* Users who have a part of the replay cache, beside root and the system's users; borrowed. */
    const uid_t *reserved;
    size_t reserved_n;
    /* Runs when a MAC does not verify; returns true if the key is another one now. May be NULL. */
    bool (*refresh_key)(void *arg);
    void *refresh_arg;
};

struct authority;

struct authority *authority_new(const struct authority_options *options);
struct authority *authority_free(struct authority *authority);

/* Copies the key; must be called before the first answer. */
void authority_use_key(struct authority *authority, const struct key *key);

struct authority_request {
    const struct peer *peer;
    struct wire_header header;
    const uint8_t *body; /* header.body_n bytes */
    int64_t now;         /* seconds, wall clock */
};

/*
 * Appends the reply to `out`. Returns the reply's status (munge's; 0 is success, and *why says what
 * else there is for the log), or less than 0 for a request that gets no answer.
 */
int authority_answer(struct authority *authority, const struct authority_request *request,
                     struct strbuf *out, struct err *why);

/* Lets go of memory that is no longer needed; call it now and then. */
void authority_tidy(struct authority *authority, int64_t now);
