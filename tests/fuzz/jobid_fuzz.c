/* References that parse print as references that parse to the same. */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

#include "common/base/alloc.h"
#include "common/text/jobid.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool is_same(const struct job_ref *a, const struct job_ref *b)
{
    return a->job == b->job && a->array_task == b->array_task && a->step == b->step &&
           a->all_tasks == b->all_tasks;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    AUTO_FREE char *text = size ? xstrndup((const char *)data, size) : xstrdup("");
    AUTO(job_refs) struct job_refs refs = { 0 };
    struct err err = { 0 };

    if (job_refs_parse(text, &refs, &err) < 0) {
        assert(err.code && err.text[0]);
        return 0;
    }
    for (uint32_t i = 0; i < refs.n && i < 100; i++) {
        AUTO(strbuf) struct strbuf out = { 0 };
        struct job_ref again;

        job_ref_format(&out, &refs.at[i]);
        if (job_ref_parse(strbuf_text(&out), &again, &err) < 0 || !is_same(&refs.at[i], &again))
            abort();
    }
    return 0;
}
