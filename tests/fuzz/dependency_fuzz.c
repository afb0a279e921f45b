/* What is shown of dependencies names the same ones. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/alloc.h"
#include "common/text/dependency.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    AUTO_FREE char *text = xstrndup((const char *)data, n);
    AUTO(dependencies) struct dependencies list = { 0 }, again = { 0 };
    AUTO(strbuf) struct strbuf shown = { 0 };
    AUTO(strbuf) struct strbuf shown_again = { 0 };

    if (dependencies_parse(text, &list, NULL) < 0)
        return 0;
    dependencies_format(&list, &shown);
    assert(dependencies_parse(strbuf_text(&shown), &again, NULL) == 0);
    dependencies_format(&again, &shown_again);
    assert(strcmp(strbuf_text(&shown), strbuf_text(&shown_again)) == 0);
    return 0;
}
