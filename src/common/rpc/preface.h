/*
 * preface.h - the first bytes of a connection to SlurmdPort: whom on the node it is for.
 *
 *     u32 magic     RPC_PREFACE_MAGIC
 *     u16 version   1
 *     u16 target    enum rpc_target
 *     u32 job       of a step, else 0
 *     u32 step      of a step, else 0
 *
 * Who takes the connection answers four bytes, 0, and the handshake begins (docs/PROTOCOL.md). Who
 * does not take it answers an errno or E_ number and closes. Pure: bytes in, bytes out.
 */
#pragma once

#include "common/base/bytes.h"

#define RPC_PREFACE_MAGIC    UINT32_C(0x736c7031)
#define RPC_PREFACE_VERSION  1u
#define RPC_PREFACE_N        16u
#define RPC_PREFACE_ANSWER_N 4u

enum rpc_target {
    RPC_TARGET_NODE = 1, /* the node daemon's network half */
    RPC_TARGET_STEP = 2, /* the user side of a step */
};

struct rpc_preface {
    enum rpc_target target;
    uint32_t job_id, step_id;
};

void rpc_preface_encode(const struct rpc_preface *preface, uint8_t ret[RPC_PREFACE_N]);

/* Reads a preface. Fails with E_PROTO, naming what is wrong. */
int rpc_preface_decode(const uint8_t bytes[RPC_PREFACE_N], struct rpc_preface *ret,
                       struct err *err);

/* Encodes the answer to a preface. `code` is 0, an errno or an E_ number. */
void rpc_preface_answer_encode(int code, uint8_t ret[RPC_PREFACE_ANSWER_N]);
int rpc_preface_answer_decode(const uint8_t bytes[RPC_PREFACE_ANSWER_N]);
