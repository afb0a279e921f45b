/*
 * wire.h - the messages between a client and authd, byte by byte: MUNGE's client protocol.
 *
 * A message is a header of 11 bytes (magic, version 4, type, retry count, body length) and a body;
 * integers are big-endian. A client opens a connection, sends one request, and gets one reply.
 * Pure: no socket, no clock. Formatting owns what it appends; parsing borrows from the input, so a
 * parsed message lives no longer than its bytes.
 */
#pragma once

#include <sys/types.h>

#include "common/base/bytes.h"
#include "common/base/err.h"

enum {
    WIRE_HEADER_SIZE = 11,
    WIRE_BODY_MAX = 1 << 20, /* what a real munged accepts */
    WIRE_ADDR_MAX = 16,
    WIRE_FINGERPRINT_MAX = 32,
};

/* The value on the wire for no restriction, or no identity. */
#define WIRE_ANY UINT32_MAX

enum wire_type {
    WIRE_ENCODE = 2,
    WIRE_ENCODED = 3,
    WIRE_DECODE = 4,
    WIRE_DECODED = 5,
    /* These types are ours. A real munged closes the connection on a type that it does not know. */
    WIRE_FINGERPRINT = 64,
    WIRE_FINGERPRINTED = 65,
};

/*
 * Results, as numbered by libmunge (EMUNGE_*) and worded by munge_strerror(); also exit statuses.
 * X(name, number, text)
 */
#define MUNGE_STATUSES(X)                                                                          \
    X(MUNGE_OK, 0, "Success")                                                                      \
    X(MUNGE_INTERNAL, 1, "Internal error")                                                         \
    X(MUNGE_BAD_ARG, 2, "Invalid argument")                                                        \
    X(MUNGE_BAD_LENGTH, 3, "Exceeded maximum message length")                                      \
    X(MUNGE_OVERFLOWED, 4, "Buffer overflow")                                                      \
    X(MUNGE_NO_MEMORY, 5, "Out of memory")                                                         \
    X(MUNGE_SOCKET, 6, "Socket communication error")                                               \
    X(MUNGE_TIMEOUT, 7, "Socket timeout")                                                          \
    X(MUNGE_BAD_CRED, 8, "Invalid credential format")                                              \
    X(MUNGE_BAD_VERSION, 9, "Invalid credential version")                                          \
    X(MUNGE_BAD_CIPHER, 10, "Invalid cipher type")                                                 \
    X(MUNGE_BAD_MAC, 11, "Invalid MAC type")                                                       \
    X(MUNGE_BAD_ZIP, 12, "Invalid compression type")                                               \
    X(MUNGE_BAD_REALM, 13, "Unrecognized security realm")                                          \
    X(MUNGE_CRED_INVALID, 14, "Invalid credential")                                                \
    X(MUNGE_CRED_EXPIRED, 15, "Expired credential")                                                \
    X(MUNGE_CRED_REWOUND, 16, "Rewound credential")                                                \
    X(MUNGE_CRED_REPLAYED, 17, "Replayed credential")                                              \
    X(MUNGE_CRED_UNAUTHORIZED, 18, "Unauthorized credential")

#define MUNGE_STATUS_ENUM(name, number, text) name = number,
enum munge_status { MUNGE_STATUSES(MUNGE_STATUS_ENUM) };
#undef MUNGE_STATUS_ENUM

/* Returns libmunge's text for a status, or "Unknown error" for any other number. */
const char *munge_status_text(unsigned status);

/* True for a status that is told with all that the credential says; others tell nothing. */
bool munge_tells_identity(unsigned status);

struct wire_header {
    uint8_t type;
    uint8_t retry; /* 0 for a first attempt */
    uint32_t body_n;
};

/* A request to encode. Codes are munge's: 0 is none, 1 the daemon's choice, others name one. */
struct wire_encode {
    uint8_t cipher;
    uint8_t mac;
    uint8_t zip;
    const char *realm; /* realm_n bytes, not ended by zero */
    uint8_t realm_n;
    uint32_t ttl; /* 0 the daemon's choice, UINT32_MAX the most it allows */
    uint32_t only_uid;
    uint32_t only_gid;
    const uint8_t *payload;
    uint32_t payload_n;
};

struct wire_encoded {
    uint8_t status;
    const char *error; /* error_n bytes; empty on success */
    uint8_t error_n;
    const char *cred; /* cred_n bytes, the last of which is a zero */
    uint32_t cred_n;
};

struct wire_decode {
    const char *cred; /* cred_n bytes, with or without a zero at the end */
    uint32_t cred_n;
};

/*
 * A reply to decode. For expired, rewound and replayed credentials everything is filled; for other
 * failures only status and error.
 */
struct wire_decoded {
    uint8_t status;
    const char *error;
    uint8_t error_n;
    uint8_t cipher;
    uint8_t mac;
    uint8_t zip;
    const char *realm;
    uint8_t realm_n;
    uint32_t ttl;
    const uint8_t *addr; /* addr_n bytes: 4 for IPv4, 0 for none */
    uint8_t addr_n;
    uint32_t encoded_at;
    uint32_t decoded_at;
    uint32_t uid;
    uint32_t gid;
    uint32_t only_uid;
    uint32_t only_gid;
    const uint8_t *payload;
    uint32_t payload_n;
};

struct wire_fingerprinted {
    const char *text; /* text_n bytes, not ended by zero */
    uint8_t text_n;
};

/*
 * Reads the first WIRE_HEADER_SIZE bytes. Refuses wrong magic, another version, and a body too
 * large.
 */
int wire_parse_header(const uint8_t bytes[WIRE_HEADER_SIZE], struct wire_header *ret,
                      struct err *err);

/*
 * Read the bodies of messages. Bytes after the last field are ignored, as munged does. Fail with
 * -E_PROTO.
 */
int wire_parse_encode(const uint8_t *body, size_t n, struct wire_encode *ret, struct err *err);
int wire_parse_encoded(const uint8_t *body, size_t n, struct wire_encoded *ret, struct err *err);
int wire_parse_decode(const uint8_t *body, size_t n, struct wire_decode *ret, struct err *err);
int wire_parse_decoded(const uint8_t *body, size_t n, struct wire_decoded *ret, struct err *err);
int wire_parse_fingerprinted(const uint8_t *body, size_t n, struct wire_fingerprinted *ret,
                             struct err *err);

/* Append whole messages, header and body, to `out`. Callers keep the body within WIRE_BODY_MAX. */
void wire_put_encode(struct strbuf *out, const struct wire_encode *message);
void wire_put_encoded(struct strbuf *out, uint8_t retry, const struct wire_encoded *message);
void wire_put_decode(struct strbuf *out, const struct wire_decode *message);
void wire_put_decoded(struct strbuf *out, uint8_t retry, const struct wire_decoded *message);
void wire_put_fingerprint(struct strbuf *out);
void wire_put_fingerprinted(struct strbuf *out, const struct wire_fingerprinted *message);
