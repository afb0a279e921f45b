/* A list that parses also formats, and what it formats to parses to the same names. */
#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "common/base/alloc.h"
#include "common/text/hostlist.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    AUTO_FREE char *text = size ? xstrndup((const char *)data, size) : xstrdup("");
    AUTO(hostlist) struct hostlist *list = NULL;
    AUTO(hostlist) struct hostlist *again = NULL;
    struct err err = { 0 };

    if (hostlist_parse(text, &list, &err) < 0) {
        assert(err.code && err.text[0]);
        return 0;
    }
    AUTO_FREE char *folded = hostlist_format(list);
    int rc = hostlist_parse(folded, &again, &err);

    assert(rc == 0 && hostlist_count(list) == hostlist_count(again));
    for (uint32_t i = 0; i < hostlist_count(list); i++)
        assert(strcmp(hostlist_get(list, i), hostlist_get(again, i)) == 0);
    hostlist_sort(list);
    hostlist_uniq(list);
    (void)rc;
    return 0;
}
