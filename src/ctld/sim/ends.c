#include "ctld/sim/ends.h"

#include "common/base/alloc.h"

static bool is_before(const struct run_end *a, const struct run_end *b)
{
    if (a->at_ms != b->at_ms)
        return a->at_ms < b->at_ms;
    return a->serial < b->serial;
}

static void swap(struct run_end *a, struct run_end *b)
{
    const struct run_end kept = *a;

    *a = *b;
    *b = kept;
}

void ends_push(struct ends *ends, struct run_end end)
{
    uint32_t i = ends->n;

    *ARRAY_PUSH(ends->at, ends->n) = end;
    while (i > 0 && is_before(&ends->at[i], &ends->at[(i - 1) / 2])) {
        swap(&ends->at[i], &ends->at[(i - 1) / 2]);
        i = (i - 1) / 2;
    }
}

static void sink(struct ends *ends)
{
    uint32_t i = 0;

    for (;;) {
        uint32_t first = i;

        for (uint32_t child = 2 * i + 1; child <= 2 * i + 2 && child < ends->n; child++) {
            if (is_before(&ends->at[child], &ends->at[first]))
                first = child;
        }
        if (first == i)
            return;
        swap(&ends->at[i], &ends->at[first]);
        i = first;
    }
}

struct run_end ends_pop(struct ends *ends)
{
    const struct run_end first = ends->at[0];

    ends->at[0] = ends->at[--ends->n];
    sink(ends);
    return first;
}

void ends_clear(struct ends *ends)
{
    free(ends->at);
    *ends = (struct ends){ 0 };
}
