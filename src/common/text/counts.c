#include "common/text/counts.h"

void counts_format(const uint32_t *counts, uint32_t n, struct strbuf *out)
{
    for (uint32_t i = 0, run; i < n; i += run) {
        for (run = 1; i + run < n && counts[i + run] == counts[i]; run++)
            ;
        strbuf_addf(out, "%s%u", i ? "," : "", counts[i]);
        if (run > 1)
            strbuf_addf(out, "(x%u)", run);
    }
}
