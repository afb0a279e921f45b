/* Durations and moments: what parses, prints; what was printed parses to the same value. */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

#include "common/base/alloc.h"
#include "common/text/duration.h"
#include "common/text/timetext.h"

#define NOW INT64_C(1795205469)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void try_duration(const char *text)
{
    AUTO(strbuf) struct strbuf out = { 0 };
    struct err err = { 0 };
    int64_t s, again = -1;

    if (duration_parse(text, &s, &err) < 0) {
        assert(err.code && err.text[0]);
        return;
    }
    duration_format(&out, s);
    if (duration_parse(strbuf_text(&out), &again, &err) < 0 || again != s)
        abort();
    duration_format_short(&out, s);
}

static void try_time(const char *text)
{
    AUTO(strbuf) struct strbuf out = { 0 };
    struct err err = { 0 };
    int64_t t, again = -1;

    time_parse_past(text, NOW, &t, NULL);
    if (time_parse(text, NOW, &t, &err) < 0) {
        assert(err.code && err.text[0]);
        return;
    }
    assert(t > 0 && t <= TIME_MAX);
    time_format(&out, t, NULL, NOW, "Unknown");
    if (time_parse(strbuf_text(&out), NOW, &again, &err) < 0 || again != t)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    AUTO_FREE char *text = size ? xstrndup((const char *)data, size) : xstrdup("");
    AUTO(strbuf) struct strbuf out = { 0 };

    setenv("TZ", "UTC0", 1); /* where summer time ends, one hour has two moments */
    try_duration(text);
    try_time(text);
    time_format(&out, NOW, text, NOW, "Unknown");
    return 0;
}
