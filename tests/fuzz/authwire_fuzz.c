/*
 * A message of the client protocol, in either direction: what parses is written and read again, and
 * what asks gets an answer from authd that is a message too.
 */
#include "auth/proto/authority.h"

#include <assert.h>
#include <string.h>

static void try_requests(const uint8_t *body, size_t n)
{
    AUTO(strbuf) struct strbuf out = { 0 };
    struct wire_encode encode;
    struct wire_decode decode;

    if (wire_parse_encode(body, n, &encode, NULL) == 0) {
        wire_put_encode(&out, &encode);
        assert(memcmp(out.data + WIRE_HEADER_SIZE, body, out.len - WIRE_HEADER_SIZE) == 0);
    }
    strbuf_truncate(&out, 0);
    if (wire_parse_decode(body, n, &decode, NULL) == 0) {
        wire_put_decode(&out, &decode);
        assert(memcmp(out.data + WIRE_HEADER_SIZE, body, out.len - WIRE_HEADER_SIZE) == 0);
    }
}

static void try_replies(const uint8_t *body, size_t n)
{
    AUTO(strbuf) struct strbuf out = { 0 };
    struct wire_encoded encoded;
    struct wire_decoded decoded;
    struct wire_fingerprinted fingerprinted;

    if (wire_parse_encoded(body, n, &encoded, NULL) == 0) {
        wire_put_encoded(&out, 0, &encoded);
        assert(memcmp(out.data + WIRE_HEADER_SIZE, body, out.len - WIRE_HEADER_SIZE) == 0);
    }
    strbuf_truncate(&out, 0);
    if (wire_parse_decoded(body, n, &decoded, NULL) == 0) {
        wire_put_decoded(&out, 0, &decoded);
        assert(memcmp(out.data + WIRE_HEADER_SIZE, body, out.len - WIRE_HEADER_SIZE) == 0);
    }
    if (wire_parse_fingerprinted(body, n, &fingerprinted, NULL) == 0)
        assert(fingerprinted.text_n <= WIRE_FINGERPRINT_MAX);
}

static struct authority *make_authority(void)
{
    struct authority *made = authority_new(
        &(struct authority_options){ .max_ttl = 3600, .replay_slots_max = REPLAY_SLOTS_MIN });
    struct key key = { .fingerprint = "0011223344556677" };

    cred_keys_derive("a key of thirty-two bytes or more", 33, &key.subkeys);
    authority_use_key(made, &key);
    return made;
}

static void try_answer(const struct wire_header *header, const uint8_t *body)
{
    static struct authority *authority;
    const struct peer peer = { .pid = 1, .uid = 1000, .gid = 100 };
    const struct authority_request request = { &peer, *header, body, 1795200000 };
    AUTO(strbuf) struct strbuf out = { 0 };
    struct wire_header reply;
    struct err why;

    if (!authority)
        authority = make_authority();
    if (authority_answer(authority, &request, &out, &why) < 0) {
        assert(out.len == 0);
        return;
    }
    assert(wire_parse_header((const uint8_t *)out.data, &reply, NULL) == 0);
    assert(reply.body_n == out.len - WIRE_HEADER_SIZE);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct wire_header header;

    if (size < WIRE_HEADER_SIZE || wire_parse_header(data, &header, NULL) < 0)
        return 0;
    try_requests(data + WIRE_HEADER_SIZE, size - WIRE_HEADER_SIZE);
    try_replies(data + WIRE_HEADER_SIZE, size - WIRE_HEADER_SIZE);
    if (header.body_n == size - WIRE_HEADER_SIZE)
        try_answer(&header, data + WIRE_HEADER_SIZE);
    return 0;
}
