/* The first bytes from anybody who reaches SlurmdPort: a preface that encodes alike, or an error.
 */
#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "common/rpc/preface.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t again[RPC_PREFACE_N];
    struct rpc_preface preface;
    struct err err = { 0 };

    if (size >= RPC_PREFACE_ANSWER_N)
        assert(rpc_preface_answer_decode(data) >= 0);
    if (size < RPC_PREFACE_N)
        return 0;
    if (rpc_preface_decode(data, &preface, &err) < 0) {
        assert(err.code == E_PROTO && err.text[0]);
        return 0;
    }
    rpc_preface_encode(&preface, again);
    assert(memcmp(again, data, RPC_PREFACE_N) == 0);
    return 0;
}
