/*
 * The stream of sbcast as a receiver reads it: heads and blocks in their bounds, or an error. The
 * first byte says which packing a block is unpacked with.
 */
#include <assert.h>
#include <stdint.h>

#include "cli/sbcast/packing.h"
#include "cli/sbcast/receive.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define UNPACKED_MAX (1u << 20) /* enough to find a mistake */

static void unpack(enum bcast_packing packing, const uint8_t *data, size_t size)
{
    AUTO(strbuf) struct strbuf out = { 0 };
    struct err err = { 0 };
    uint32_t n, packed_n;

    if (receive_parse_block(data, &n, &packed_n, &err) < 0 || n == 0) {
        assert(n == 0 || err.text[0]);
        return;
    }
    assert(n <= BCAST_BLOCK_MAX && packed_n <= n);
    if (packed_n > size - 8 || packed_n == n || n > UNPACKED_MAX)
        return;
    if (packing_unpack(packing, data + 8, packed_n, n, &out, &err) == 0)
        assert(out.len == n);
    else
        assert(err.text[0]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    AUTO(bcast_head) struct bcast_head head;
    struct err err = { 0 };
    uint32_t n;

    if (size < 9)
        return 0;
    if (receive_parse_start(data + 1, &n, &err) == 0) {
        assert(n > 0 && n <= BCAST_HEAD_MAX);
        n = n < size - 9 ? n : (uint32_t)(size - 9);
        if (receive_parse_head(data + 9, n, &head, &err) == 0) {
            assert(head.path[0] == '/');
            return 0;
        }
        assert(err.text[0]);
    }
    bcast_head_init(&head);
    unpack(data[0] & 1 ? BCAST_ZLIB : BCAST_LZ4, data + 1, size - 1);
    return 0;
}
