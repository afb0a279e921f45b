/* Any bytes are a text that another reader of JSON takes, and finds the same if they were UTF-8. */
#include <jansson.h>
#include <stdint.h>
#include <stdlib.h>

#include "common/json/escape.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    AUTO_FREE char *text = size ? xstrndup((const char *)data, size) : xstrdup("");
    AUTO(strbuf) struct strbuf out = { 0 };
    json_t *twin = json_string(text), *read; /* NULL for what is not UTF-8 */

    json_escape(text, &out);

    read = json_loads(strbuf_text(&out), JSON_DECODE_ANY, NULL);
    if (!json_is_string(read) || (twin && !json_equal(read, twin)))
        abort();
    for (size_t i = 0; i < out.len; i++) {
        if ((unsigned char)out.data[i] < ' ')
            abort();
    }
    json_decref(twin);
    json_decref(read);
    return 0;
}
