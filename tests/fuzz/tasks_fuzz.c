/* What is shown of a set of tasks names the same set. */
#include <assert.h>
#include <stdlib.h>

#include "common/base/alloc.h"
#include "common/text/tasks.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    AUTO_FREE char *text = xstrndup((const char *)data, n);
    AUTO(bitset) struct bitset tasks = { 0 }, again = { 0 };
    AUTO(strbuf) struct strbuf shown = { 0 };
    uint32_t limit;

    if (tasks_parse(text, 4096, &tasks, &limit, NULL) < 0)
        return 0;
    tasks_format(&tasks, &shown);
    assert(tasks_parse(strbuf_text(&shown), 4096, &again, &limit, NULL) == 0);
    assert(again.size == tasks.size && bitset_equal(&tasks, &again));
    return 0;
}
