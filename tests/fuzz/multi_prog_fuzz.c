/* A file that is accepted gives every task one program. The first byte is the number of tasks. */
#include <assert.h>
#include <stdlib.h>

#include "cli/srun/multi_prog.h"
#include "common/base/bitset.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    AUTO_FREE char *text = xstrndup(n ? (const char *)data + 1 : "", n ? n - 1 : 0);
    struct multi_prog file = { .name = "f", .ntasks = n && data[0] ? data[0] : COUNT_UNSET };
    AUTO(step_spec) struct step_spec step;
    AUTO(bitset) struct bitset named = { 0 };

    step_spec_init(&step);
    if (multi_prog_parse(&file, text, &step, NULL) < 0)
        return 0;
    bitset_init(&named, file.ntasks);
    for (uint32_t i = 0; i < step.programs_n; i++) {
        assert(step.programs[i].argv_n > 0);
        for (uint32_t k = 0; k < step.programs[i].tasks_n; k++) {
            assert(!bitset_has(&named, step.programs[i].tasks[k]));
            bitset_add(&named, step.programs[i].tasks[k]);
        }
    }
    assert(bitset_count(&named) == file.ntasks);
    return 0;
}
