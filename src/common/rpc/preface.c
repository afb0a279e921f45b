#include "common/rpc/preface.h"

#include <string.h>

void rpc_preface_encode(const struct rpc_preface *preface, uint8_t ret[RPC_PREFACE_N])
{
    AUTO(strbuf) struct strbuf out = { 0 };

    bytes_put_u32(&out, RPC_PREFACE_MAGIC);
    bytes_put_u16(&out, RPC_PREFACE_VERSION);
    bytes_put_u16(&out, (uint16_t)preface->target);
    bytes_put_u32(&out, preface->job_id);
    bytes_put_u32(&out, preface->step_id);
    memcpy(ret, out.data, RPC_PREFACE_N);
}

int rpc_preface_decode(const uint8_t bytes[RPC_PREFACE_N], struct rpc_preface *ret, struct err *err)
{
    struct bytes in = bytes_of(bytes, RPC_PREFACE_N);
    uint32_t magic = bytes_u32(&in);
    uint16_t version = bytes_u16(&in), target = bytes_u16(&in);
    struct rpc_preface preface = { .target = (enum rpc_target)target, .job_id = bytes_u32(&in) };

    preface.step_id = bytes_u32(&in);
    if (magic != RPC_PREFACE_MAGIC)
        return err_set(err, E_PROTO, "the connection begins with %08x, which is no preface", magic);
    if (version != RPC_PREFACE_VERSION)
        return err_set(err, E_PROTO, "a preface of version %u: this is version %u", version,
                       RPC_PREFACE_VERSION);
    if (target != RPC_TARGET_NODE && target != RPC_TARGET_STEP)
        return err_set(err, E_PROTO, "a preface for target %u, which is none", target);
    if ((target == RPC_TARGET_STEP) != (preface.job_id != 0))
        return err_set(err, E_PROTO, "a preface for target %u with job %u", target, preface.job_id);
    *ret = preface;
    return 0;
}

void rpc_preface_answer_encode(int code, uint8_t ret[RPC_PREFACE_ANSWER_N])
{
    AUTO(strbuf) struct strbuf out = { 0 };

    bytes_put_u32(&out, (uint32_t)(code < 0 ? -code : code));
    memcpy(ret, out.data, RPC_PREFACE_ANSWER_N);
}

int rpc_preface_answer_decode(const uint8_t bytes[RPC_PREFACE_ANSWER_N])
{
    struct bytes in = bytes_of(bytes, RPC_PREFACE_ANSWER_N);
    uint32_t code = bytes_u32(&in);

    return code == 0 ? 0 : err_code_from(code);
}
