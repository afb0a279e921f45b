#include "auth/proto/authority.h"

#include <inttypes.h>
#include <string.h>
#include <sys/random.h>

struct authority {
    struct authority_options options;
    struct suite *suite;
    struct replay *replay;
    struct key key;
};

struct authority *authority_new(const struct authority_options *options)
{
    struct authority *authority = xcalloc(1, sizeof(*authority));
    uint64_t seed = 0;

    authority->options = *options;
    authority->suite = suite_new();
    if (getrandom(&seed, sizeof(seed), 0) < 0) {
        /* Without a random seed users are scattered alike on all hosts. */
    }
    authority->replay = replay_new(options->replay_slots_max, seed);
    return authority;
}

struct authority *authority_free(struct authority *authority)
{
    if (!authority)
        return NULL;
    suite_free(authority->suite);
    replay_free(authority->replay);
    key_wipe(&authority->key);
    free(authority);
    return NULL;
}

void authority_use_key(struct authority *authority, const struct key *key)
{
    authority->key = *key;
}

void authority_tidy(struct authority *authority, int64_t now)
{
    replay_expire(authority->replay, now);
}

/* ENCODING */

static uint8_t or_default(uint8_t code, uint8_t chosen)
{
    return code == 1 ? chosen : code;
}

static uint32_t allowed_ttl(const struct authority *authority, uint32_t asked)
{
    uint32_t ttl = asked ? asked : TTL_DEFAULT_S;

    return ttl < authority->options.max_ttl ? ttl : authority->options.max_ttl;
}

/* Fills in the credential; the payload is borrowed from the request. */
static void fill_cred(const struct authority *authority, const struct authority_request *request,
                      const struct wire_encode *asked, struct cred *cred)
{
    *cred = (struct cred){
        .cipher = or_default(asked->cipher, CIPHER_AES128),
        .mac = or_default(asked->mac, MAC_SHA256),
        .zip = or_default(asked->zip, ZIP_NONE),
        .realm_n = asked->realm_n,
        .addr_n = authority->options.addr_n,
        .encoded_at = (uint32_t)request->now,
        .ttl = allowed_ttl(authority, asked->ttl),
        .uid = request->peer->uid,
        .gid = request->peer->gid,
        .only_uid = asked->only_uid,
        .only_gid = asked->only_gid,
        .payload = (uint8_t *)(uintptr_t)asked->payload,
        .payload_n = asked->payload_n,
    };
    memcpy(cred->realm, asked->realm, asked->realm_n);
    memcpy(cred->addr, authority->options.addr, authority->options.addr_n);
}

static int make_cred(const struct authority *authority, const struct authority_request *request,
                     const struct wire_encode *asked, struct strbuf *text, struct err *why)
{
    struct cred cred;
    int rc;

    fill_cred(authority, request, asked, &cred);
    rc = cred_randomize(&cred, why);
    if (rc == 0)
        rc = cred_encode(authority->suite, &authority->key.subkeys, &cred, text, why);
    if (rc == 0 && text->len > WIRE_BODY_MAX - 7)
        rc = err_set(why, MUNGE_BAD_LENGTH, "Credential of %zu bytes; the limit is %d", text->len,
                     WIRE_BODY_MAX - 7);
    return rc;
}

static uint8_t error_size(const struct err *why)
{
    size_t n = strlen(why->text) + 1;

    return n > UINT8_MAX ? UINT8_MAX : (uint8_t)n;
}

static int answer_encode(struct authority *authority, const struct authority_request *request,
                         struct strbuf *out, struct err *why)
{
    AUTO(strbuf) struct strbuf text = { 0 };
    struct wire_encode asked;
    struct wire_encoded reply = { 0 };
    int rc = wire_parse_encode(request->body, request->header.body_n, &asked, why);

    if (rc < 0)
        return rc;
    if (request->header.retry > RETRIES_MAX)
        rc = err_set(why, MUNGE_SOCKET, "Exceeded maximum number of encode attempts");
    else
        rc = make_cred(authority, request, &asked, &text, why);
    if (rc < 0) {
        reply.status = (uint8_t)-rc;
        reply.error = why->text;
        reply.error_n = error_size(why);
    } else {
        reply.cred = text.data;
        reply.cred_n = (uint32_t)text.len + 1; /* with its zero */
    }
    wire_put_encoded(out, request->header.retry, &reply);
    return reply.status;
}

/* DECODING */

static int verify(struct authority *authority, const struct wire_decode *asked, struct cred *ret,
                  struct err *why)
{
    const struct authority_options *options = &authority->options;
    int rc = cred_decode(authority->suite, &authority->key.subkeys, asked->cred, asked->cred_n, ret,
                         why);

    if (rc == -MUNGE_CRED_INVALID && options->refresh_key &&
        options->refresh_key(options->refresh_arg))
        rc = cred_decode(authority->suite, &authority->key.subkeys, asked->cred, asked->cred_n, ret,
                         why);
    return rc;
}

static int in_group(const struct peer *peer, gid_t gid, struct err *err)
{
    if (peer->gid == gid)
        return 1;
    return peer->has_group ? peer->has_group(peer->arg, gid, err) : 0;
}

static int check_audience(const struct cred *cred, const struct peer *peer, struct err *why)
{
    bool is_meant = cred->only_uid == CRED_ANY || cred->only_uid == peer->uid;

    if (is_meant && cred->only_gid != CRED_ANY) {
        int rc = in_group(peer, cred->only_gid, why);

        if (rc < 0)
            return err_set(why, MUNGE_INTERNAL, "%s", why->text);
        is_meant = rc;
    }
    if (!is_meant)
        return err_set(why, MUNGE_CRED_UNAUTHORIZED,
                       "Unauthorized credential for client UID=%u GID=%u", peer->uid, peer->gid);
    return 0;
}

/* Checks the times: a clock may be behind the encoder's by the TTL, as it may be ahead. */
static int check_time(const struct cred *cred, int64_t now, struct err *why)
{
    int64_t age = now - (int64_t)cred->encoded_at;

    if (age > (int64_t)cred->ttl)
        return err_set(why, MUNGE_CRED_EXPIRED, "Expired credential");
    if (-age > (int64_t)cred->ttl)
        return err_set(why, MUNGE_CRED_REWOUND, "Rewound credential");
    return 0;
}

static bool is_reserved(const struct authority *authority, uid_t uid)
{
    const struct authority_options *options = &authority->options;
    bool is_named = uid <= SYSTEM_UID_MAX;

    for (size_t i = 0; !is_named && i < options->reserved_n; i++)
        is_named = options->reserved[i] == uid;
    return is_named;
}

static int check_replay(struct authority *authority, const struct authority_request *request,
                        const struct cred *cred, struct err *why)
{
    const struct replay_use use = {
        .mac = cred->digest,
        .mac_n = cred->digest_n,
        .encoded_at = cred->encoded_at,
        .ttl = cred->ttl,
        .made_by = cred->uid,
        .is_reserved = is_reserved(authority, cred->uid),
        .pid = request->peer->pid,
        .uid = request->peer->uid,
        .is_retry = request->header.retry > 0,
    };

    switch (replay_check(authority->replay, &use, request->now)) {
    case REPLAY_NEW:
        return 0;
    case REPLAY_SEEN:
        return err_set(why, MUNGE_CRED_REPLAYED, "Replayed credential");
    case REPLAY_CAPPED:
        return request->now < cred->encoded_at
                   ? err_set(why, MUNGE_CRED_REWOUND, "Rewound credential")
                   : err_set(why, MUNGE_CRED_EXPIRED, "Expired credential");
    case REPLAY_FULL:
        break;
    }
    return err_set(why, MUNGE_INTERNAL, "Replay cache is full: %u credentials",
                   replay_count(authority->replay));
}

static int decide(struct authority *authority, const struct authority_request *request,
                  const struct wire_decode *asked, struct cred *cred, struct err *why)
{
    int rc;

    if (request->header.retry > RETRIES_MAX)
        return err_set(why, MUNGE_SOCKET, "Exceeded maximum number of decode attempts");
    rc = verify(authority, asked, cred, why);
    if (rc == 0)
        rc = check_audience(cred, request->peer, why);
    if (rc < 0)
        return rc;
    if (cred->ttl > authority->options.max_ttl)
        cred->ttl = authority->options.max_ttl;
    rc = check_time(cred, request->now, why);
    if (rc == 0)
        rc = check_replay(authority, request, cred, why);
    return rc;
}

static struct wire_decoded reply_of(const struct cred *cred, int64_t now)
{
    return (struct wire_decoded){
        .cipher = cred->cipher,
        .mac = cred->mac,
        .zip = cred->zip,
        .realm = cred->realm,
        .realm_n = cred->realm_n,
        .ttl = cred->ttl,
        .addr = cred->addr,
        .addr_n = cred->addr_n,
        .encoded_at = cred->encoded_at,
        .decoded_at = (uint32_t)now,
        .uid = cred->uid,
        .gid = cred->gid,
        .only_uid = cred->only_uid,
        .only_gid = cred->only_gid,
        .payload = cred->payload,
        .payload_n = cred->payload_n,
    };
}

/* Writes figures for the log; what the client is told stays munged's words. */
static void explain(const struct authority *authority, const struct cred *cred, int64_t now,
                    struct err *why)
{
    int64_t age = now - (int64_t)cred->encoded_at;

    if (why->code == MUNGE_CRED_INVALID)
        err_set(why, why->code, "%s: its MAC does not verify with our key %s",
                munge_status_text(MUNGE_CRED_INVALID), authority->key.fingerprint);
    if (why->code == MUNGE_CRED_EXPIRED || why->code == MUNGE_CRED_REWOUND)
        err_set(why, why->code,
                "%s of uid %u from %u.%u.%u.%u: encoded at %" PRIu32 ", now it is %" PRId64
                ", %" PRId64 " s %s; its TTL is %" PRIu32 " s%s",
                munge_status_text((unsigned)why->code), cred->uid, cred->addr[0], cred->addr[1],
                cred->addr[2], cred->addr[3], cred->encoded_at, now, age < 0 ? -age : age,
                age < 0 ? "ahead" : "old", cred->ttl,
                (age < 0 ? -age : age) <= (int64_t)cred->ttl
                    ? ", but of the many that were decoded only the latest are still remembered"
                    : "");
}

static int answer_decode(struct authority *authority, const struct authority_request *request,
                         struct strbuf *out, struct err *why)
{
    AUTO(cred) struct cred cred = { 0 };
    struct wire_decode asked;
    struct wire_decoded reply = {
        .uid = WIRE_ANY, .gid = WIRE_ANY, .only_uid = WIRE_ANY, .only_gid = WIRE_ANY
    };
    int rc = wire_parse_decode(request->body, request->header.body_n, &asked, why);

    if (rc < 0)
        return rc;
    rc = decide(authority, request, &asked, &cred, why);
    if (munge_tells_identity((unsigned)-rc))
        reply = reply_of(&cred, request->now);
    reply.status = (uint8_t)-rc;
    if (rc < 0) {
        reply.error = why->text;
        reply.error_n = error_size(why);
    }
    wire_put_decoded(out, request->header.retry, &reply);
    if (rc < 0)
        explain(authority, &cred, request->now, why);
    return reply.status;
}

static int answer_fingerprint(const struct authority *authority, struct strbuf *out)
{
    const char *text = authority->key.fingerprint;

    wire_put_fingerprinted(out, &(struct wire_fingerprinted){ text, (uint8_t)strlen(text) });
    return MUNGE_OK;
}

int authority_answer(struct authority *authority, const struct authority_request *request,
                     struct strbuf *out, struct err *why)
{
    switch (request->header.type) {
    case WIRE_ENCODE:
        return answer_encode(authority, request, out, why);
    case WIRE_DECODE:
        return answer_decode(authority, request, out, why);
    case WIRE_FINGERPRINT:
        return answer_fingerprint(authority, out);
    default:
        return err_set(why, E_UNKNOWN_MESSAGE, "munge message of unknown type %u",
                       request->header.type);
    }
}
