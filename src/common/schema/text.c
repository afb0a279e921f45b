/* text.c - checks the texts that users write into messages before others look at them. */
#include <errno.h>
#include <inttypes.h>

#include "common/base/plain.h"
#include "common/schema/slot.h"

#define SHOWN_MAX 60 /* bytes of the value, in an error */

static int err_control(const char *name, const char *text, int64_t at, struct err *err)
{
    AUTO(strbuf) struct strbuf shown = { 0 };

    strbuf_adds(&shown, text);
    strbuf_truncate(&shown, shown.len < SHOWN_MAX ? shown.len : SHOWN_MAX);
    plain_escape(&shown, 0);
    return err_set(err, EINVAL,
                   "%s '%s': byte %" PRId64
                   " is of a control character (\\x%02x), which would act on "
                   "the terminals of others; give it without",
                   name, strbuf_text(&shown), at + 1, (unsigned char)text[at]);
}

static int check_one(const struct schema_field *field, const char *text, struct err *err)
{
    int64_t at;

    if (!text || (field->flags & FIELD_RAW))
        return 0;
    at = field->flags & FIELD_LINES ? plain_find_control_in_lines(text) : plain_find_control(text);
    return at < 0 ? 0 : err_control(field->name, text, at, err);
}

static int check_field(const struct schema_field *field, const void *msg, struct err *err)
{
    const union schema_slot slot = schema_slot(field, msg);
    int rc = 0;

    switch (field->kind) {
    case KIND_STR:
    case KIND_HOSTS:
        return check_one(field, *slot.str, err);
    case KIND_STRS:
        for (uint32_t i = 0; rc == 0 && i < *schema_count(field, msg); i++)
            rc = check_one(field, (*slot.strs)[i], err);
        return rc;
    case KIND_LIST:
        for (uint32_t i = 0; rc == 0 && i < *schema_count(field, msg); i++)
            rc = schema_check_text(field->record(), schema_record(field, msg, i), err);
        return rc;
    case KIND_PART:
        return *slot.records ? schema_check_text(field->record(), *slot.records, err) : 0;
    default:
        return 0;
    }
}

int schema_check_text(const struct schema *schema, const void *msg, struct err *err)
{
    int rc = 0;

    for (uint32_t i = 0; rc == 0 && i < schema->fields_n; i++)
        rc = check_field(&schema->fields[i], msg, err);
    return rc;
}
