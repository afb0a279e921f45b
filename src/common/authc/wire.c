#include "common/authc/wire.h"

#include <assert.h>

static const uint32_t WIRE_MAGIC = 0x00606D4B;
static const uint8_t WIRE_VERSION = 4;

const char *munge_status_text(unsigned status)
{
    static const struct {
        unsigned number;
        const char *text;
    } texts[] = {
#define MUNGE_STATUS_ROW(name, number, text) { number, text },
        MUNGE_STATUSES(MUNGE_STATUS_ROW)
#undef MUNGE_STATUS_ROW
    };

    for (size_t i = 0; i < ARRAY_N(texts); i++) {
        if (texts[i].number == status)
            return texts[i].text;
    }
    return "Unknown error";
}

bool munge_tells_identity(unsigned status)
{
    return status == MUNGE_OK || status == MUNGE_CRED_EXPIRED || status == MUNGE_CRED_REWOUND ||
           status == MUNGE_CRED_REPLAYED;
}

int wire_parse_header(const uint8_t bytes[WIRE_HEADER_SIZE], struct wire_header *ret,
                      struct err *err)
{
    struct bytes in = bytes_of(bytes, WIRE_HEADER_SIZE);
    uint32_t magic = bytes_u32(&in);
    uint8_t version = bytes_u8(&in);
    struct wire_header header;

    header.type = bytes_u8(&in);
    header.retry = bytes_u8(&in);
    header.body_n = bytes_u32(&in);
    if (magic != WIRE_MAGIC)
        return err_set(err, E_PROTO, "not a munge message: it begins with 0x%08x", magic);
    if (version != WIRE_VERSION)
        return err_set(err, E_PROTO, "munge message of protocol version %u; this is version %u",
                       version, WIRE_VERSION);
    if (header.body_n > WIRE_BODY_MAX)
        return err_set(err, E_TOO_BIG, "munge message of %u bytes; the limit is %d", header.body_n,
                       WIRE_BODY_MAX);
    *ret = header;
    return 0;
}

/* Takes a text, which is a length and that many bytes. */
static const char *take_text(struct bytes *in, uint8_t *ret_n)
{
    *ret_n = bytes_u8(in);
    return (const char *)bytes_take(in, *ret_n);
}

static const uint8_t *take_data(struct bytes *in, uint32_t *ret_n)
{
    *ret_n = bytes_u32(in);
    return bytes_take(in, *ret_n);
}

static int truncated(const struct bytes *in, const char *what, size_t n, struct err *err)
{
    if (!in->failed)
        return 0;
    return err_set(err, E_PROTO, "munge %s of %zu bytes ends too early", what, n);
}

int wire_parse_encode(const uint8_t *body, size_t n, struct wire_encode *ret, struct err *err)
{
    struct bytes in = bytes_of(body, n);
    struct wire_encode message;

    message.cipher = bytes_u8(&in);
    message.mac = bytes_u8(&in);
    message.zip = bytes_u8(&in);
    message.realm = take_text(&in, &message.realm_n);
    message.ttl = bytes_u32(&in);
    message.only_uid = bytes_u32(&in);
    message.only_gid = bytes_u32(&in);
    message.payload = take_data(&in, &message.payload_n);

    int rc = truncated(&in, "encode request", n, err);
    if (rc == 0)
        *ret = message;
    return rc;
}

int wire_parse_encoded(const uint8_t *body, size_t n, struct wire_encoded *ret, struct err *err)
{
    struct bytes in = bytes_of(body, n);
    struct wire_encoded message;

    message.status = bytes_u8(&in);
    message.error = take_text(&in, &message.error_n);
    message.cred = (const char *)take_data(&in, &message.cred_n);

    int rc = truncated(&in, "encode reply", n, err);
    if (rc == 0)
        *ret = message;
    return rc;
}

int wire_parse_decode(const uint8_t *body, size_t n, struct wire_decode *ret, struct err *err)
{
    struct bytes in = bytes_of(body, n);
    struct wire_decode message;

    message.cred = (const char *)take_data(&in, &message.cred_n);

    int rc = truncated(&in, "decode request", n, err);
    if (rc == 0)
        *ret = message;
    return rc;
}

int wire_parse_decoded(const uint8_t *body, size_t n, struct wire_decoded *ret, struct err *err)
{
    struct bytes in = bytes_of(body, n);
    struct wire_decoded message;

    message.status = bytes_u8(&in);
    message.error = take_text(&in, &message.error_n);
    message.cipher = bytes_u8(&in);
    message.mac = bytes_u8(&in);
    message.zip = bytes_u8(&in);
    message.realm = take_text(&in, &message.realm_n);
    message.ttl = bytes_u32(&in);
    message.addr = (const uint8_t *)take_text(&in, &message.addr_n);
    message.encoded_at = bytes_u32(&in);
    message.decoded_at = bytes_u32(&in);
    message.uid = bytes_u32(&in);
    message.gid = bytes_u32(&in);
    message.only_uid = bytes_u32(&in);
    message.only_gid = bytes_u32(&in);
    message.payload = take_data(&in, &message.payload_n);

    int rc = truncated(&in, "decode reply", n, err);
    if (rc == 0 && message.addr_n > WIRE_ADDR_MAX)
        return err_set(err, E_PROTO, "munge decode reply with an address of %u bytes",
                       message.addr_n);
    if (rc == 0)
        *ret = message;
    return rc;
}

int wire_parse_fingerprinted(const uint8_t *body, size_t n, struct wire_fingerprinted *ret,
                             struct err *err)
{
    struct bytes in = bytes_of(body, n);
    struct wire_fingerprinted message;

    message.text = take_text(&in, &message.text_n);

    int rc = truncated(&in, "fingerprint reply", n, err);
    if (rc == 0 && message.text_n > WIRE_FINGERPRINT_MAX)
        return err_set(err, E_PROTO, "key fingerprint of %u bytes; the limit is %d", message.text_n,
                       WIRE_FINGERPRINT_MAX);
    if (rc == 0)
        *ret = message;
    return rc;
}

static void put_text(struct strbuf *out, const void *text, uint8_t n)
{
    bytes_put_u8(out, n);
    strbuf_add(out, text, n);
}

static void put_data(struct strbuf *out, const void *data, uint32_t n)
{
    bytes_put_u32(out, n);
    strbuf_add(out, data, n);
}

static void put_header(struct strbuf *out, enum wire_type type, uint8_t retry, size_t body_n)
{
    assert(body_n <= WIRE_BODY_MAX);
    bytes_put_u32(out, WIRE_MAGIC);
    bytes_put_u8(out, WIRE_VERSION);
    bytes_put_u8(out, (uint8_t)type);
    bytes_put_u8(out, retry);
    bytes_put_u32(out, (uint32_t)body_n);
}

void wire_put_encode(struct strbuf *out, const struct wire_encode *message)
{
    put_header(out, WIRE_ENCODE, 0, 20U + message->realm_n + message->payload_n);
    bytes_put_u8(out, message->cipher);
    bytes_put_u8(out, message->mac);
    bytes_put_u8(out, message->zip);
    put_text(out, message->realm, message->realm_n);
    bytes_put_u32(out, message->ttl);
    bytes_put_u32(out, message->only_uid);
    bytes_put_u32(out, message->only_gid);
    put_data(out, message->payload, message->payload_n);
}

void wire_put_encoded(struct strbuf *out, uint8_t retry, const struct wire_encoded *message)
{
    put_header(out, WIRE_ENCODED, retry, 6U + message->error_n + message->cred_n);
    bytes_put_u8(out, message->status);
    put_text(out, message->error, message->error_n);
    put_data(out, message->cred, message->cred_n);
}

void wire_put_decode(struct strbuf *out, const struct wire_decode *message)
{
    put_header(out, WIRE_DECODE, 0, 4U + message->cred_n);
    put_data(out, message->cred, message->cred_n);
}

void wire_put_decoded(struct strbuf *out, uint8_t retry, const struct wire_decoded *message)
{
    put_header(out, WIRE_DECODED, retry,
               39U + message->error_n + message->realm_n + message->addr_n + message->payload_n);
    bytes_put_u8(out, message->status);
    put_text(out, message->error, message->error_n);
    bytes_put_u8(out, message->cipher);
    bytes_put_u8(out, message->mac);
    bytes_put_u8(out, message->zip);
    put_text(out, message->realm, message->realm_n);
    bytes_put_u32(out, message->ttl);
    put_text(out, message->addr, message->addr_n);
    bytes_put_u32(out, message->encoded_at);
    bytes_put_u32(out, message->decoded_at);
    bytes_put_u32(out, message->uid);
    bytes_put_u32(out, message->gid);
    bytes_put_u32(out, message->only_uid);
    bytes_put_u32(out, message->only_gid);
    put_data(out, message->payload, message->payload_n);
}

void wire_put_fingerprint(struct strbuf *out)
{
    put_header(out, WIRE_FINGERPRINT, 0, 0);
}

void wire_put_fingerprinted(struct strbuf *out, const struct wire_fingerprinted *message)
{
    put_header(out, WIRE_FINGERPRINTED, 0, 1U + message->text_n);
    put_text(out, message->text, message->text_n);
}
