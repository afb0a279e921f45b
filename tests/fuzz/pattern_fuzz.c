/* A pattern without percent signs and backslashes comes out as it went in; none grows past limits.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/alloc.h"
#include "common/text/jobid.h"
#include "common/text/pattern.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct pattern_values values = {
        .job = 128,
        .array_job = 127,
        .array_task = 3,
        .step = STEP_BATCH,
        .node = 1,
        .task = 2,
        .node_name = "tux3",
        .user_name = "alice",
        .job_name = "a%j",
    };
    AUTO_FREE char *pattern = size ? xstrndup((const char *)data, size) : xstrdup("");
    AUTO_FREE char *name = NULL;

    pattern_has(pattern, "tnN");
    if (pattern_expand(pattern, &values, &name, NULL) < 0)
        return 0;
    if (strlen(name) > PATTERN_RESULT_MAX)
        abort();
    if (!strpbrk(pattern, "%\\") && strcmp(pattern, name) != 0)
        abort();
    return 0;
}
