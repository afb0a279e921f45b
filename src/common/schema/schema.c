#include "common/schema/schema.h"

#include <string.h>

#include "common/schema/slot.h"

struct blob blob_copy(const struct blob *from)
{
    return (struct blob){ xmemdup(from->data, from->n), from->n };
}

void schema_init(const struct schema *schema, void *msg)
{
    memcpy(msg, schema->initial, schema->size);
}

static void clear_records(const struct schema_field *field, void *msg)
{
    uint32_t n = *schema_count(field, msg);

    for (uint32_t i = 0; i < n; i++)
        schema_clear(field->record(), schema_record(field, msg, i));
    free(*schema_slot(field, msg).records);
}

static void clear_field(const struct schema_field *field, void *msg)
{
    union schema_slot slot = schema_slot(field, msg);

    switch (field->kind) {
    case KIND_STR:
    case KIND_HOSTS:
        free(*slot.str);
        break;
    case KIND_BLOB:
        free(slot.blob->data);
        break;
    case KIND_STRS:
        for (uint32_t i = 0; i < *schema_count(field, msg); i++)
            free((*slot.strs)[i]);
        free(*slot.strs);
        break;
    case KIND_U32S:
        free(*slot.u32s);
        break;
    case KIND_LIST:
        clear_records(field, msg);
        break;
    case KIND_PART:
        if (*slot.records)
            schema_clear(field->record(), *slot.records);
        free(*slot.records);
        break;
    default:
        break;
    }
}

void schema_clear(const struct schema *schema, void *msg)
{
    for (uint32_t i = 0; i < schema->fields_n; i++)
        clear_field(&schema->fields[i], msg);
    schema_init(schema, msg);
}

static void *copy_records(const struct schema *schema, const void *from, uint32_t n)
{
    char *copies = n ? xcalloc(array_capacity(n), schema->size) : NULL;

    for (uint32_t i = 0; i < n; i++)
        schema_copy(schema, copies + i * schema->size, (const char *)from + i * schema->size);
    return copies;
}

static uint32_t *copy_numbers(const uint32_t *from, uint32_t n)
{
    uint32_t *copies = n ? xcalloc(array_capacity(n), sizeof(*copies)) : NULL;

    return n ? memcpy(copies, from, n * sizeof(*copies)) : NULL;
}

/* Copies what a member owns. Members that hold a value were copied with the struct. */
static void copy_field(const struct schema_field *field, void *to, const void *from)
{
    union schema_slot slot = schema_slot(field, to);
    union schema_slot source = schema_slot(field, from);
    uint32_t n;

    switch (field->kind) {
    case KIND_STR:
    case KIND_HOSTS:
        *slot.str = xstrdup(*source.str);
        break;
    case KIND_BLOB:
        slot.blob->data = xmemdup(source.blob->data, source.blob->n);
        break;
    case KIND_STRS:
        n = *schema_count(field, from);
        *slot.strs = n ? xcalloc(array_capacity(n), sizeof(char *)) : NULL;
        for (uint32_t i = 0; i < n; i++)
            (*slot.strs)[i] = xstrdup((*source.strs)[i]);
        break;
    case KIND_U32S:
        *slot.u32s = copy_numbers(*source.u32s, *schema_count(field, from));
        break;
    case KIND_LIST:
        *slot.records = copy_records(field->record(), *source.records, *schema_count(field, from));
        break;
    case KIND_PART:
        *slot.records = copy_records(field->record(), *source.records, *source.records ? 1 : 0);
        break;
    default:
        break;
    }
}

void schema_copy(const struct schema *schema, void *to, const void *from)
{
    memcpy(to, from, schema->size);
    for (uint32_t i = 0; i < schema->fields_n; i++)
        copy_field(&schema->fields[i], to, from);
}

const struct schema_field *schema_find_tag(const struct schema *schema, uint64_t tag)
{
    for (uint32_t i = 0; i < schema->fields_n; i++) {
        if (schema->fields[i].tag == tag)
            return &schema->fields[i];
    }
    return NULL;
}

/* Returns the bytes of the member itself, without those that it points to. */
static size_t member_size(const struct schema_field *field)
{
    switch (field->kind) {
    case KIND_BOOL:
        return sizeof(bool);
    case KIND_U32:
    case KIND_I32:
    case KIND_COUNT:
    case KIND_ENUM:
        return sizeof(uint32_t);
    case KIND_BLOB:
        return sizeof(struct blob);
    case KIND_U64:
    case KIND_I64:
    case KIND_TIME:
    case KIND_LIMIT:
    case KIND_MB:
        return sizeof(uint64_t);
    default:
        return sizeof(void *);
    }
}

void schema_copy_field(const struct schema_field *field, void *to, const void *from)
{
    clear_field(field, to);
    memcpy(schema_slot(field, to).any, schema_slot(field, from).any, member_size(field));
    if (field->count_offset != field->offset)
        *schema_count(field, to) = *schema_count(field, from);
    copy_field(field, to, from);
}

static bool equal_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static bool equal_strs(char **a, char **b, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        if (!equal_text(a[i], b[i]))
            return false;
    }
    return true;
}

static bool equal_records(const struct schema_field *field, const void *a, const void *b)
{
    for (uint32_t i = 0; i < *schema_count(field, a); i++) {
        if (!schema_equal(field->record(), schema_record(field, a, i), schema_record(field, b, i)))
            return false;
    }
    return true;
}

static bool equal_parts(const struct schema_field *field, const void *a, const void *b)
{
    if (!a || !b)
        return a == b;
    return schema_equal(field->record(), a, b);
}

bool schema_equal_field(const struct schema_field *field, const void *a, const void *b)
{
    union schema_slot left = schema_slot(field, a), right = schema_slot(field, b);

    switch (field->kind) {
    case KIND_BOOL:
        return *left.boolean == *right.boolean;
    case KIND_U32:
    case KIND_COUNT:
    case KIND_ENUM:
    case KIND_I32:
        return *left.u32 == *right.u32;
    case KIND_U64:
    case KIND_MB:
    case KIND_I64:
    case KIND_TIME:
    case KIND_LIMIT:
        return *left.u64 == *right.u64;
    case KIND_STR:
    case KIND_HOSTS:
        return equal_text(*left.str, *right.str);
    case KIND_BLOB:
        return left.blob->n == right.blob->n &&
               (left.blob->n == 0 || memcmp(left.blob->data, right.blob->data, left.blob->n) == 0);
    case KIND_PART:
        return equal_parts(field, *left.records, *right.records);
    case KIND_STRS:
    case KIND_U32S:
    case KIND_LIST:
        break;
    }

    uint32_t n = *schema_count(field, a);

    if (n != *schema_count(field, b))
        return false;
    if (field->kind == KIND_STRS)
        return equal_strs(*left.strs, *right.strs, n);
    if (field->kind == KIND_U32S)
        return n == 0 || memcmp(*left.u32s, *right.u32s, n * sizeof(uint32_t)) == 0;
    return equal_records(field, a, b);
}

bool schema_equal(const struct schema *schema, const void *a, const void *b)
{
    for (uint32_t i = 0; i < schema->fields_n; i++) {
        if (!schema_equal_field(&schema->fields[i], a, b))
            return false;
    }
    return true;
}

bool schema_is_default(const struct schema_field *field, const void *msg)
{
    union schema_slot slot = schema_slot(field, msg);

    switch (field->kind) {
    case KIND_BOOL:
        return !*slot.boolean;
    case KIND_U32:
    case KIND_ENUM:
    case KIND_I32:
        return *slot.u32 == 0;
    case KIND_COUNT:
        return *slot.u32 == COUNT_UNSET;
    case KIND_U64:
    case KIND_I64:
    case KIND_TIME:
        return *slot.u64 == 0;
    case KIND_MB:
        return *slot.u64 == MB_UNSET;
    case KIND_LIMIT:
        return *slot.i64 == LIMIT_UNSET;
    case KIND_STR:
    case KIND_HOSTS:
        return !*slot.str;
    case KIND_BLOB:
        return slot.blob->n == 0;
    case KIND_STRS:
    case KIND_U32S:
    case KIND_LIST:
        return *schema_count(field, msg) == 0;
    case KIND_PART:
        return !*slot.records;
    }
    return false;
}

const struct schema_field *schema_find(const struct schema *schema, const char *name)
{
    for (uint32_t i = 0; i < schema->fields_n; i++) {
        if (strcmp(schema->fields[i].name, name) == 0)
            return &schema->fields[i];
    }
    return NULL;
}
