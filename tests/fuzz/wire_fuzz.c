/*
 * Any bytes decode to a message or to an error; what decodes encodes to something that decodes to
 * the same message again. The first byte picks the message type.
 */
#include <stdint.h>

#include "common/msg/types.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct schema *schema;
    AUTO(strbuf) struct strbuf wire = { 0 }, text = { 0 };
    AUTO_FREE void *msg = NULL, *again = NULL;

    if (size < 1 || !(schema = msg_schema(data[0])))
        return 0;
    msg = xcalloc(1, schema->size);
    again = xcalloc(1, schema->size);
    if (schema_decode(schema, data + 1, size - 1, msg, NULL) < 0)
        return 0;
    schema_print(schema, msg, &text);
    schema_encode(schema, msg, &wire);
    if (schema_decode(schema, wire.data, wire.len, again, NULL) < 0 ||
        !schema_equal(schema, msg, again))
        abort();
    schema_clear(schema, msg);
    schema_clear(schema, again);
    return 0;
}
