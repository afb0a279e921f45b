/* A message of the client protocol, in either direction; what parses is written and read again. */
#include "common/authc/wire.h"

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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct wire_header header;

    if (size < WIRE_HEADER_SIZE || wire_parse_header(data, &header, NULL) < 0)
        return 0;
    try_requests(data + WIRE_HEADER_SIZE, size - WIRE_HEADER_SIZE);
    try_replies(data + WIRE_HEADER_SIZE, size - WIRE_HEADER_SIZE);
    return 0;
}
