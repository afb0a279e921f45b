#include "common/authc/answer.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <time.h>

void authc_identity_clear(struct authc_identity *identity)
{
    if (identity->payload)
        wipe(identity->payload, identity->payload_n);
    free(identity->payload);
    *identity = (struct authc_identity){ 0 };
}

void authc_identity_auto_(struct authc_identity *identity)
{
    authc_identity_clear(identity);
}

int answer_ask_encode(struct exchange *exchange, const struct authc_what *what, struct err *err)
{
    struct wire_encode message = {
        .cipher = what->cipher,
        .mac = what->mac,
        .zip = what->zip,
        .ttl = what->ttl,
        .only_uid = what->only_uid,
        .only_gid = what->only_gid,
        .payload = what->payload,
        .payload_n = (uint32_t)what->payload_n,
    };

    if (what->payload_n > AUTHC_PAYLOAD_MAX)
        return err_set(err, E_TOO_BIG, "credential payload of %zu bytes; the limit is %d",
                       what->payload_n, AUTHC_PAYLOAD_MAX);
    wire_put_encode(&exchange->request, &message);
    return 0;
}

int answer_ask_decode(struct exchange *exchange, const char *cred, size_t cred_n, struct err *err)
{
    if (cred_n > AUTHC_CRED_MAX)
        return err_set(err, E_TOO_BIG, "credential of %zu bytes; the limit is %d", cred_n,
                       AUTHC_CRED_MAX);

    /* munged wants a text that is ended by a zero. */
    AUTO_FREE char *copy = xmalloc(cred_n + 1);

    memcpy(copy, cred, cred_n);
    copy[cred_n] = '\0';
    wire_put_decode(&exchange->request,
                    &(struct wire_decode){ .cred = copy, .cred_n = (uint32_t)cred_n + 1 });
    return 0;
}

void answer_ask_fingerprint(struct exchange *exchange)
{
    wire_put_fingerprint(&exchange->request);
}

static int expect_type(const struct exchange *exchange, enum wire_type type, struct err *err)
{
    if (exchange->header.type == type)
        return 0;
    return err_set(err, E_PROTO, "%s: answer of type %u where type %u is due", exchange->path,
                   exchange->header.type, type);
}

/*
 * Returns the daemon's words if it gave any (its texts count a zero at the end), else libmunge's.
 */
static char *refusal_text(unsigned status, const char *error, uint8_t error_n)
{
    char *text = xstrndup(error_n ? error : "", error_n);

    if (!*text)
        xstrset(&text, munge_status_text(status));
    for (char *at = text; *at; at++) {
        if ((unsigned char)*at < ' ')
            *at = ' ';
    }
    return text;
}

int answer_encoded(const struct exchange *exchange, char **ret_cred, struct err *err)
{
    struct wire_encoded reply;
    int rc = expect_type(exchange, WIRE_ENCODED, err);

    if (rc == 0)
        rc = wire_parse_encoded(exchange_body(exchange), exchange->header.body_n, &reply, err);
    if (rc < 0)
        return rc;
    if (reply.status != MUNGE_OK) {
        AUTO_FREE char *text = refusal_text(reply.status, reply.error, reply.error_n);

        return err_set(err, E_AUTH, "%s refused to make a credential: %s", exchange->path, text);
    }
    if (reply.cred_n == 0)
        return err_set(err, E_PROTO, "%s answered with an empty credential", exchange->path);
    *ret_cred = xstrndup(reply.cred, reply.cred_n);
    return 0;
}

static void identity_fill(struct authc_identity *identity, const struct wire_decoded *reply)
{
    *identity = (struct authc_identity){
        .uid = reply->uid,
        .gid = reply->gid,
        .encoded_at = reply->encoded_at,
        .decoded_at = reply->decoded_at,
        .ttl = reply->ttl,
        .only_uid = reply->only_uid,
        .only_gid = reply->only_gid,
        .cipher = reply->cipher,
        .mac = reply->mac,
        .zip = reply->zip,
        .addr_n = reply->addr_n,
        .payload_n = reply->payload_n,
    };
    if (reply->addr_n)
        memcpy(identity->addr, reply->addr, reply->addr_n);
    if (reply->payload_n) {
        identity->payload = xmalloc(reply->payload_n + 1U);
        memcpy(identity->payload, reply->payload, reply->payload_n);
        identity->payload[reply->payload_n] = '\0';
    }
}

static void format_time(char out[32], uint32_t seconds)
{
    time_t when = (time_t)seconds;
    struct tm tm;

    gmtime_r(&when, &tm);
    strftime(out, 32, "%Y-%m-%d %H:%M:%S UTC", &tm);
}

static int skewed(const struct wire_decoded *reply, struct err *err)
{
    int64_t apart = (int64_t)reply->decoded_at - (int64_t)reply->encoded_at;
    char encoded[32];
    char decoded[32];

    format_time(encoded, reply->encoded_at);
    format_time(decoded, reply->decoded_at);
    return err_set(err, E_CLOCK_SKEW,
                   "%s: encoded at %s by the sender's clock, decoded at %s by ours: %" PRId64
                   " s %s, allowed are %u s; compare the clocks",
                   munge_status_text(reply->status), encoded, decoded, apart < 0 ? -apart : apart,
                   apart < 0 ? "ahead of us" : "old", reply->ttl);
}

static int refused(const struct exchange *exchange, const struct wire_decoded *reply,
                   struct err *err)
{
    AUTO_FREE char *text = refusal_text(reply->status, reply->error, reply->error_n);

    switch (reply->status) {
    case MUNGE_CRED_INVALID:
        return err_set(err, E_KEY_MISMATCH,
                       "%s: it was made with another key than ours, or altered on its way", text);
    case MUNGE_CRED_EXPIRED:
    case MUNGE_CRED_REWOUND:
        return skewed(reply, err);
    case MUNGE_CRED_REPLAYED:
        return err_set(err, E_REPLAYED, "%s: this host has decoded it before", text);
    case MUNGE_CRED_UNAUTHORIZED:
        return err_set(err, EACCES, "%s", text);
    case MUNGE_BAD_CRED:
    case MUNGE_BAD_VERSION:
        return err_set(err, E_PROTO, "not a credential: %s", text);
    default:
        return err_set(err, E_AUTH, "%s refused the credential: %s", exchange->path, text);
    }
}

int answer_inspected(const struct exchange *exchange, struct authc_identity *ret,
                     unsigned *ret_status, struct err *err)
{
    struct wire_decoded reply;
    int rc = expect_type(exchange, WIRE_DECODED, err);

    if (rc == 0)
        rc = wire_parse_decoded(exchange_body(exchange), exchange->header.body_n, &reply, err);
    if (rc < 0)
        return rc;
    *ret_status = reply.status;
    if (munge_tells_identity(reply.status))
        identity_fill(ret, &reply);
    return reply.status == MUNGE_OK ? 0 : refused(exchange, &reply, err);
}

int answer_decoded(const struct exchange *exchange, struct authc_identity *ret, struct err *err)
{
    AUTO(authc_identity) struct authc_identity identity = { 0 };
    unsigned status;
    int rc = answer_inspected(exchange, &identity, &status, err);

    if (rc < 0)
        return rc;
    *ret = identity;
    identity = (struct authc_identity){ 0 };
    return 0;
}

int answer_fingerprint(const struct exchange *exchange, char ret[AUTHC_FINGERPRINT_SIZE],
                       struct err *err)
{
    struct wire_fingerprinted reply;
    int rc = expect_type(exchange, WIRE_FINGERPRINTED, err);

    if (rc == 0)
        rc =
            wire_parse_fingerprinted(exchange_body(exchange), exchange->header.body_n, &reply, err);
    if (rc < 0)
        return rc;
    memcpy(ret, reply.text, reply.text_n);
    ret[reply.text_n] = '\0';
    return 0;
}
