/*
 * frame.h - the envelope of every message: 12 bytes of header, big-endian, then the body.
 *
 *     u32 length    bytes of the body
 *     u16 type      enum msg_type
 *     u16 flags     enum rpc_flags
 *     u32 request   chosen by who asks, repeated in every answer; 0 asks for none
 *
 * Pure: no socket. A decoded frame borrows the bytes it was decoded from.
 */
#pragma once

#include "common/base/bytes.h"

#define RPC_FRAME_MAX    (1u << 20) /* header and body */
#define RPC_FRAME_HEADER 12u
#define RPC_BODY_MAX     (RPC_FRAME_MAX - RPC_FRAME_HEADER)

/*
 * A request is answered by one frame with RPC_REPLY, or by a stream: any number of RPC_REPLY |
 * RPC_MORE, then one RPC_REPLY | RPC_END. RPC_REPLY | RPC_ERROR (a msg_error) ends both kinds.
 */
enum rpc_flags {
    RPC_REPLY = 1,
    RPC_ERROR = 2,
    RPC_MORE = 4,
    RPC_END = 8,
    RPC_FLAGS_ALL = 15,
};

struct rpc_frame {
    uint32_t type, request, flags;
    const void *body;
    uint32_t body_n;
};

/* Appends header and body. The body is at most RPC_BODY_MAX (a bug otherwise). */
void rpc_frame_encode(const struct rpc_frame *frame, struct strbuf *out);

/* Encodes only the header, for a body that is sent without being copied. */
void rpc_frame_encode_header(const struct rpc_frame *frame, uint8_t ret_header[RPC_FRAME_HEADER]);

/*
 * Reads the frame at the start of `bytes`: returns the bytes it takes, or 0 when more are needed.
 * Fails with E_TOO_BIG when its body is longer than body_max, E_PROTO on flags of no known meaning
 * or a type of 0; both are known from the header alone.
 */
int rpc_frame_decode(const void *bytes, size_t n, uint32_t body_max, struct rpc_frame *ret_frame,
                     struct err *err);
