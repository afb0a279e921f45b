/*
 * Any bytes are frames, an error, or the beginning of one; a frame encodes to the bytes it came
 * from. The first two bytes are the limit for bodies.
 */
#include <stdint.h>
#include <string.h>

#include "common/rpc/frame.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint32_t body_max;

    if (size < 2)
        return 0;
    body_max = (uint32_t)data[0] << 8 | data[1];
    for (size_t at = 2; at < size;) {
        struct rpc_frame frame;
        AUTO(strbuf) struct strbuf again = { 0 };
        int used = rpc_frame_decode(data + at, size - at, body_max, &frame, NULL);

        if (used <= 0)
            break;
        if (frame.body_n > body_max)
            abort();
        rpc_frame_encode(&frame, &again);
        if (again.len != (size_t)used || memcmp(again.data, data + at, again.len) != 0)
            abort();
        at += (size_t)used;
    }
    return 0;
}
