#include "common/rpc/frame.h"

#include <assert.h>

void rpc_frame_encode_header(const struct rpc_frame *frame, uint8_t ret_header[RPC_FRAME_HEADER])
{
    const uint32_t words[] = { frame->body_n, frame->type << 16 | frame->flags, frame->request };

    assert(frame->body_n <= RPC_BODY_MAX && frame->type <= UINT16_MAX);
    for (unsigned i = 0; i < RPC_FRAME_HEADER; i++)
        ret_header[i] = (uint8_t)(words[i / 4] >> (24 - 8 * (i % 4)));
}

void rpc_frame_encode(const struct rpc_frame *frame, struct strbuf *out)
{
    rpc_frame_encode_header(frame, (uint8_t *)strbuf_reserve(out, RPC_FRAME_HEADER));
    strbuf_grown(out, RPC_FRAME_HEADER);
    strbuf_add(out, frame->body, frame->body_n);
}

static int check_header(const struct rpc_frame *frame, uint32_t body_max, struct err *err)
{
    if (frame->body_n > body_max)
        return err_set(err, E_TOO_BIG, "message of %u bytes, at most %u are taken here",
                       frame->body_n, body_max);
    if (frame->type == 0)
        return err_set(err, E_PROTO, "message of type 0");
    if (frame->flags & ~(uint32_t)RPC_FLAGS_ALL)
        return err_set(err, E_PROTO, "message with unknown flags 0x%x", frame->flags);
    return 0;
}

int rpc_frame_decode(const void *bytes, size_t n, uint32_t body_max, struct rpc_frame *ret_frame,
                     struct err *err)
{
    struct bytes in = bytes_of(bytes, n);
    struct rpc_frame frame;
    int rc;

    frame.body_n = bytes_u32(&in);
    frame.type = bytes_u16(&in);
    frame.flags = bytes_u16(&in);
    frame.request = bytes_u32(&in);
    if (in.failed)
        return 0;
    rc = check_header(&frame, body_max < RPC_BODY_MAX ? body_max : RPC_BODY_MAX, err);
    if (rc < 0)
        return rc;
    frame.body = bytes_take(&in, frame.body_n);
    if (in.failed)
        return 0;
    *ret_frame = frame;
    return (int)(RPC_FRAME_HEADER + frame.body_n);
}
