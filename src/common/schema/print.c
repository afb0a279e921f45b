/* print.c - messages as one line of text for logs. */
#include <inttypes.h>

#include "common/schema/schema.h"
#include "common/schema/slot.h"

#define PRINT_TEXT_MAX 200 /* a longer text is cut in a log line */

static void print_text(const char *text, struct strbuf *out)
{
    strbuf_addf(out, "'%.*s'", PRINT_TEXT_MAX, text);
}

static void print_records(const struct schema_field *field, const void *msg, uint32_t n,
                          struct strbuf *out)
{
    for (uint32_t i = 0; i < n; i++) {
        const void *record = field->kind == KIND_LIST ? schema_record(field, msg, i)
                                                      : *schema_slot(field, msg).records;

        strbuf_adds(out, i ? " {" : "{");
        schema_print(field->record(), record, out);
        strbuf_adds(out, "}");
    }
}

void schema_print_value(const struct schema_field *field, const void *msg, struct strbuf *out)
{
    union schema_slot slot = schema_slot(field, msg);

    switch (field->kind) {
    case KIND_BOOL:
        strbuf_adds(out, *slot.boolean ? "yes" : "no");
        break;
    case KIND_COUNT:
        if (*slot.u32 == COUNT_INFINITE) {
            strbuf_adds(out, "infinite");
            break;
        }
        /* fall through */
    case KIND_U32:
    case KIND_ENUM:
        strbuf_addf(out, "%" PRIu32, *slot.u32);
        break;
    case KIND_I32:
        strbuf_addf(out, "%" PRId32, *slot.i32);
        break;
    case KIND_U64:
    case KIND_MB:
        strbuf_addf(out, "%" PRIu64, *slot.u64);
        break;
    case KIND_LIMIT:
        if (*slot.i64 == LIMIT_INFINITE) {
            strbuf_adds(out, "infinite");
            break;
        }
        /* fall through */
    case KIND_I64:
    case KIND_TIME:
        strbuf_addf(out, "%" PRId64, *slot.i64);
        break;
    case KIND_STR:
    case KIND_HOSTS:
        print_text(*slot.str, out);
        break;
    case KIND_BLOB:
        strbuf_addf(out, "<%" PRIu32 " bytes>", slot.blob->n);
        break;
    case KIND_STRS:
        for (uint32_t i = 0; i < *schema_count(field, msg); i++) {
            strbuf_adds(out, i ? "," : "");
            print_text((*slot.strs)[i], out);
        }
        break;
    case KIND_U32S:
        for (uint32_t i = 0; i < *schema_count(field, msg); i++)
            strbuf_addf(out, "%s%" PRIu32, i ? "," : "", (*slot.u32s)[i]);
        break;
    case KIND_LIST:
        print_records(field, msg, *schema_count(field, msg), out);
        break;
    case KIND_PART:
        print_records(field, msg, 1, out);
        break;
    }
}

void schema_print_member(const struct schema_field *field, const void *msg, struct strbuf *out)
{
    strbuf_addf(out, "%s=", field->name);
    if (!schema_is_default(field, msg))
        schema_print_value(field, msg, out);
}

void schema_print(const struct schema *schema, const void *msg, struct strbuf *out)
{
    const char *space = "";

    for (uint32_t i = 0; i < schema->fields_n; i++) {
        const struct schema_field *field = &schema->fields[i];

        if ((field->flags & FIELD_SECRET) || schema_is_default(field, msg))
            continue;
        strbuf_adds(out, space);
        schema_print_member(field, msg, out);
        space = " ";
    }
}
