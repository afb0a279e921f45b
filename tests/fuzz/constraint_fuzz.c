/* There is no "not": a node with every feature passes each filter, one with none passes only that
 * of counts. */
#include <assert.h>
#include <stdint.h>

#include "common/base/alloc.h"
#include "ctld/sched/place/constraint.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const struct constraint_alternative *alternative)
{
    const struct constraint_predicate *filter = &alternative->filter;

    assert(constraint_meets(filter, UINT64_MAX));
    assert(constraint_meets(filter, 0) == (filter->ops_n == 0));
    assert(filter->ops_n > 0 || alternative->quotas_n > 0);
    for (uint32_t i = 0; i < alternative->quotas_n; i++) {
        assert(alternative->quotas[i].nodes > 0);
        assert(constraint_meets(&alternative->quotas[i].predicate, UINT64_MAX));
        assert(!constraint_meets(&alternative->quotas[i].predicate, 0));
    }
    (void)filter;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    AUTO_FREE char *text = size ? xstrndup((const char *)data, size) : xstrdup("");
    AUTO(constraint) struct constraint constraint = { 0 };
    struct err err = { 0 };

    if (constraint_parse(text, &constraint, &err) < 0) {
        assert(err.code && err.text[0]);
        return 0;
    }
    assert(constraint.alternatives_n > 0 && constraint.names_n > 0);
    for (uint32_t i = 0; i < constraint.alternatives_n; i++)
        check(&constraint.alternatives[i]);
    return 0;
}
