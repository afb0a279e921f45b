/* What MPI tasks and other nodes say: lines and packets of PMI, pairs, pieces of gatherings. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/alloc.h"
#include "noded/mpi/gather.h"
#include "noded/mpi/keyval.h"
#include "noded/mpi/pmi_wire.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void decode_all(enum pmi_version version, const char *bytes, size_t n)
{
    while (n > 0) {
        AUTO(pmi_message) struct pmi_message message = { 0 };
        const int64_t took = pmi_decode(version, bytes, n, &message, NULL);

        if (took > (int64_t)n || (took > 0 && message.n == 0) || (took <= 0 && message.n > 0))
            abort();
        if (took <= 0)
            return;
        bytes += took;
        n -= (size_t)took;
    }
}

static void on_send(void *ctx, const uint32_t *nodes, uint32_t nodes_n, const struct strbuf *bytes)
{
    (void)ctx;
    (void)nodes;
    (void)nodes_n;
    (void)bytes;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    AUTO_FREE char *bytes = size ? xmemdup(data, size) : xstrdup("");
    struct keyval *pairs = keyval_new();
    struct gather *gather = gather_new(0, 2, on_send, NULL);

    decode_all(PMI_1, bytes, size);
    decode_all(PMI_2, bytes, size);
    (void)keyval_merge(pairs, bytes, size);
    (void)gather_receive(gather, 1, bytes, size, NULL);
    keyval_free(pairs);
    gather_free(gather);
    return 0;
}
