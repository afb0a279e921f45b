/* --gpu-bind: what parses gives every task gpus that the step has. */
#include <stdint.h>
#include <stdlib.h>

#include "common/base/alloc.h"
#include "common/text/gpubind.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const uint32_t gpus[] = { 0, 2, 3, 64 };
    AUTO_FREE char *text = size ? xstrndup((const char *)data, size) : xstrdup("");
    AUTO(gpu_bind) struct gpu_bind bind = { 0 };

    if (gpu_bind_parse(text, &bind, NULL) < 0)
        return 0;
    for (uint32_t task = 0; task < 9; task++) {
        AUTO(bitset) struct bitset chosen = { 0 };

        bitset_init(&chosen, ARRAY_N(gpus));
        gpu_bind_choose(&bind, gpus, ARRAY_N(gpus), task, &chosen);
        if (bitset_is_empty(&chosen))
            abort();
    }
    return 0;
}
