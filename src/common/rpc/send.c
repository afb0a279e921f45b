/* Sends messages of a session, and decodes those that came. */
#include <assert.h>
#include <errno.h>

#include "common/msg/common.h"
#include "common/msg/types.h"
#include "common/rpc/inside.h"

void session_put(struct rpc_session *session, uint32_t type, uint32_t request, uint32_t flags,
                 const void *msg)
{
    AUTO(strbuf) struct strbuf body = { 0 };
    struct rpc_frame frame = { .type = type, .request = request, .flags = flags };

    if (msg)
        schema_encode(msg_schema(type), msg, &body);
    assert(body.len <= RPC_BODY_MAX);
    frame.body = body.data;
    frame.body_n = (uint32_t)body.len;
    channel_put(&session->channel, &frame);
    session_kick(session);
}

/* Cuts a peer that does not read, because its backlog is not worth the memory. */
static int cut_slow_reader(struct rpc_session *session)
{
    struct err why = { 0 };

    err_set(&why, ENOBUFS, "%s reads too slowly: %zu bytes wait for it, at most %zu may",
            session->name, channel_backlog(&session->channel), session->options.backlog_max);
    session_fail(session, &why);
    return -E_CLOSED;
}

int rpc_send_bytes(struct rpc_session *session, uint32_t type, uint32_t request, uint32_t flags,
                   const void *body, uint32_t n)
{
    const struct rpc_frame frame = { type, request, flags, body, n };

    if (session->state != SESSION_READY)
        return -E_CLOSED;
    if (n > RPC_BODY_MAX)
        return -E_TOO_BIG;
    if (channel_backlog(&session->channel) + n > session->options.backlog_max)
        return cut_slow_reader(session);
    channel_put(&session->channel, &frame);
    session->was_above |= channel_backlog(&session->channel) > RPC_LOW_WATER;
    session_kick(session);
    return 0;
}

int rpc_send(struct rpc_session *session, uint32_t type, uint32_t request, uint32_t flags,
             const void *msg)
{
    const struct schema *schema = msg_schema(type);
    AUTO(strbuf) struct strbuf body = { 0 };

    assert(schema);
    if (msg)
        schema_encode(schema, msg, &body);
    if (body.len > RPC_BODY_MAX)
        return -E_TOO_BIG;
    return rpc_send_bytes(session, type, request, flags, body.data, (uint32_t)body.len);
}

int rpc_send_error(struct rpc_session *session, uint32_t request, int code, const char *text)
{
    struct msg_error error = { .code = (uint32_t)err_code_from(code < 0 ? 0 - (uint32_t)code
                                                                        : (uint32_t)code),
                               .text = (char *)(uintptr_t)(text ? text : err_string(code)) };

    return rpc_send(session, MSG_ERROR, request, RPC_REPLY | RPC_ERROR, &error);
}

int rpc_refuse_unknown(struct rpc_session *session, const struct rpc_frame *frame)
{
    AUTO_FREE char *text =
        xasprintf("message type %u is not known here (version %s)", frame->type, SLUICE_VERSION);

    return rpc_send_error(session, frame->request, E_UNKNOWN_MESSAGE, text);
}

int rpc_decode(const struct rpc_frame *frame, const struct schema *schema, void *ret_msg,
               struct err *err)
{
    return schema_decode(schema, frame->body, frame->body_n, ret_msg, err);
}

int rpc_decode_error(const struct rpc_frame *frame, struct err *ret_err)
{
    AUTO(msg_error) struct msg_error error;
    struct err err = { 0 };
    int code;

    if (rpc_decode(frame, msg_error_schema(), &error, &err) < 0)
        return err_set(ret_err, E_PROTO, "unreadable error message: %s", err.text);
    code = err_code_from(error.code);
    return err_set(ret_err, code, "%.500s", error.text ? error.text : err_string(code));
}
