/*
 * wire.c - messages as bytes.
 *
 * A message is its fields, each a key and a value; the length comes from what holds the message.
 *     key    varint: tag << 2 | critical << 1 | shape
 *     value  shape 0: varint (signed numbers zigzag: 0, -1, 1, -2 ... are 0, 1, 2, 3 ...)
 *            shape 1: varint length, then that many bytes
 * STRS and LIST repeat their key, once for each element; U32S is one value of packed varints.
 * docs/PROTOCOL.md says the same with examples.
 */
#include "common/schema/schema.h"

#include <string.h>

#include "common/base/bytes.h"
#include "common/schema/slot.h"
#include "common/schema/view.h"

enum shape { SHAPE_NUMBER, SHAPE_BYTES };

static enum shape shape_of(enum schema_kind kind)
{
    return kind < KIND_STR ? SHAPE_NUMBER : SHAPE_BYTES;
}

static uint64_t zigzag(int64_t value)
{
    return ((uint64_t)value << 1) ^ (uint64_t)(value < 0 ? -1 : 0);
}

static int64_t unzigzag(uint64_t value)
{
    return (int64_t)(value >> 1) ^ -(int64_t)(value & 1);
}

/* ---- encoding ---- */

static void put_key(struct strbuf *out, const struct schema_field *field)
{
    bool critical = field->flags & FIELD_CRITICAL;

    bytes_put_varint(out, (uint64_t)field->tag << 2 | (uint64_t)critical << 1 |
                              (uint64_t)shape_of(field->kind));
}

static void put_bytes(struct strbuf *out, const struct schema_field *field, const void *data,
                      size_t n)
{
    put_key(out, field);
    bytes_put_varint(out, n);
    strbuf_add(out, data, n);
}

/* Appends one struct. `within` is NULL for all of its fields. */
static void put_record(struct strbuf *out, const struct schema_field *field,
                       const struct schema_view *within, const void *record)
{
    uint8_t length[BYTES_VARINT_MAX];
    size_t begin, n, length_n;

    put_key(out, field);
    begin = out->len;
    if (within)
        schema_view_encode(within, record, out);
    else
        schema_encode(field->record(), record, out);
    n = out->len - begin;
    length_n = bytes_write_varint(length, n); /* known only now, but it goes in front */
    strbuf_reserve(out, length_n);
    memmove(out->data + begin + length_n, out->data + begin, n);
    memcpy(out->data + begin, length, length_n);
    strbuf_grown(out, length_n);
}

static uint64_t number_of(const struct schema_field *field, const void *msg)
{
    union schema_slot slot = schema_slot(field, msg);

    switch (field->kind) {
    case KIND_BOOL:
        return *slot.boolean;
    case KIND_U64:
    case KIND_MB:
        return *slot.u64;
    case KIND_I32:
        return zigzag(*slot.i32);
    case KIND_I64:
    case KIND_TIME:
    case KIND_LIMIT:
        return zigzag(*slot.i64);
    default:
        return *slot.u32;
    }
}

static void put_u32s(struct strbuf *out, const struct schema_field *field, const uint32_t *numbers,
                     uint32_t n)
{
    AUTO(strbuf) struct strbuf packed = { 0 };

    for (uint32_t i = 0; i < n; i++)
        bytes_put_varint(&packed, numbers[i]);
    put_bytes(out, field, packed.data, packed.len);
}

static void encode_field(const struct schema_field *field, const struct schema_view *within,
                         const void *msg, struct strbuf *out)
{
    union schema_slot slot = schema_slot(field, msg);

    switch (field->kind) {
    case KIND_STR:
    case KIND_HOSTS:
        put_bytes(out, field, *slot.str, strlen(*slot.str));
        break;
    case KIND_BLOB:
        put_bytes(out, field, slot.blob->data, slot.blob->n);
        break;
    case KIND_STRS:
        for (uint32_t i = 0; i < *schema_count(field, msg); i++)
            put_bytes(out, field, (*slot.strs)[i], strlen((*slot.strs)[i]));
        break;
    case KIND_U32S:
        put_u32s(out, field, *slot.u32s, *schema_count(field, msg));
        break;
    case KIND_LIST:
        for (uint32_t i = 0; i < *schema_count(field, msg); i++)
            put_record(out, field, within, schema_record(field, msg, i));
        break;
    case KIND_PART:
        put_record(out, field, within, *slot.records);
        break;
    default:
        put_key(out, field);
        bytes_put_varint(out, number_of(field, msg));
        break;
    }
}

void schema_encode(const struct schema *schema, const void *msg, struct strbuf *out)
{
    for (uint32_t i = 0; i < schema->fields_n; i++) {
        if (!schema_is_default(&schema->fields[i], msg))
            encode_field(&schema->fields[i], NULL, msg, out);
    }
}

void schema_view_encode(const struct schema_view *view, const void *msg, struct strbuf *out)
{
    for (uint32_t i = 0; i < view->fields_n; i++) {
        const struct schema_view_field *row = &view->fields[i];

        if (!schema_is_default(row->field, msg))
            encode_field(row->field, row->within, msg, out);
    }
}

struct blob schema_encode_blob(const struct schema *schema, const void *msg)
{
    struct strbuf bytes = { 0 };

    schema_encode(schema, msg, &bytes);
    return (struct blob){ .data = (uint8_t *)bytes.data, .n = (uint32_t)bytes.len };
}

/* ---- decoding ---- */

struct decoder {
    struct arena *arena; /* where memory comes from; NULL: each piece by itself, for schema_clear */
    size_t memory_left;  /* what the rest of the message may still take */
    uint32_t depth;
    struct err *err;
};

static void *take_memory(struct decoder *decoder, size_t size)
{
    return decoder->arena ? arena_alloc(decoder->arena, size) : xcalloc(1, size);
}

static void *grow(struct decoder *decoder, void *array, uint32_t n, size_t size)
{
    return decoder->arena ? arena_grow(decoder->arena, array, n, size)
                          : array_grow_(array, n, size);
}

static int decode_message(struct decoder *decoder, const struct schema *schema, struct bytes in,
                          void *msg);

static int spend(struct decoder *decoder, const struct schema *schema, size_t size)
{
    if (size > decoder->memory_left)
        return err_set(decoder->err, E_TOO_BIG, "message %s takes more than %u bytes of memory",
                       schema->name, SCHEMA_DECODED_MAX);
    decoder->memory_left -= size;
    return 0;
}

static int refuse(struct decoder *decoder, const struct schema *schema,
                  const struct schema_field *field, const char *why)
{
    return err_set(decoder->err, E_PROTO, "message %s, field %s: %s", schema->name, field->name,
                   why);
}

static int take_number(struct decoder *decoder, const struct schema *schema,
                       const struct schema_field *field, uint64_t number, void *msg)
{
    union schema_slot slot = schema_slot(field, msg);
    int64_t value = unzigzag(number);

    switch (field->kind) {
    case KIND_BOOL:
        if (number > 1)
            return refuse(decoder, schema, field, "neither yes nor no");
        *slot.boolean = number;
        break;
    case KIND_U64:
    case KIND_MB:
        *slot.u64 = number;
        break;
    case KIND_I32:
        if (value < INT32_MIN || value > INT32_MAX)
            return refuse(decoder, schema, field, "does not fit 32 bits");
        *slot.i32 = (int32_t)value;
        break;
    case KIND_TIME:
    case KIND_LIMIT:
        if (value < -SCHEMA_SECONDS_MAX || value > SCHEMA_SECONDS_MAX)
            return refuse(decoder, schema, field, "is beyond all reckoning");
        *slot.i64 = value;
        break;
    case KIND_I64:
        *slot.i64 = value;
        break;
    default:
        if (number > UINT32_MAX)
            return refuse(decoder, schema, field, "does not fit 32 bits");
        *slot.u32 = (uint32_t)number;
        break;
    }
    return 0;
}

static int take_text(struct decoder *decoder, const struct schema *schema,
                     const struct schema_field *field, struct bytes value, char **ret_text)
{
    int rc;

    if (memchr(value.at, '\0', value.left))
        return refuse(decoder, schema, field, "text with a zero byte");
    rc = spend(decoder, schema, value.left + 1);
    if (rc < 0)
        return rc;
    *ret_text = take_memory(decoder, value.left + 1);
    memcpy(*ret_text, value.at, value.left);
    return 0;
}

static int take_u32s(struct decoder *decoder, const struct schema *schema,
                     const struct schema_field *field, struct bytes value, void *msg)
{
    uint32_t **numbers = schema_slot(field, msg).u32s, *count = schema_count(field, msg);

    while (value.left > 0) {
        uint64_t number = bytes_varint(&value);
        int rc = spend(decoder, schema, 2 * sizeof(uint32_t));

        if (rc < 0)
            return rc;
        if (value.failed || number > UINT32_MAX)
            return refuse(decoder, schema, field, "does not fit 32 bits");
        *numbers = grow(decoder, *numbers, *count, sizeof(**numbers));
        (*numbers)[(*count)++] = (uint32_t)number;
    }
    return 0;
}

/*
 * Appends one struct to a LIST's array. The capacity is the next power of two, as ARRAY_PUSH keeps
 * it.
 */
static void *push_record(struct decoder *decoder, const struct schema_field *field, void *msg)
{
    void **records = schema_slot(field, msg).records;
    uint32_t *count = schema_count(field, msg);

    *records = grow(decoder, *records, *count, field->record()->size);
    (*count)++;
    return schema_record(field, msg, *count - 1);
}

static int take_record(struct decoder *decoder, const struct schema *schema,
                       const struct schema_field *field, struct bytes value, void *msg)
{
    const struct schema *inner = field->record();
    void **part = schema_slot(field, msg).records;
    void *record;
    int rc = spend(decoder, schema, 2 * inner->size);

    if (rc < 0)
        return rc;
    if (decoder->depth == SCHEMA_DEPTH_MAX)
        return refuse(decoder, schema, field, "nested too deeply");
    if (field->kind == KIND_LIST) {
        record = push_record(decoder, field, msg);
    } else {
        if (*part)
            return refuse(decoder, schema, field, "given twice");
        record = *part = take_memory(decoder, inner->size);
    }
    decoder->depth++;
    rc = decode_message(decoder, inner, value, record);
    decoder->depth--;
    return rc;
}

static int take_bytes(struct decoder *decoder, const struct schema *schema,
                      const struct schema_field *field, struct bytes value, void *msg)
{
    union schema_slot slot = schema_slot(field, msg);
    char *text = NULL;
    int rc;

    switch (field->kind) {
    case KIND_STR:
    case KIND_HOSTS:
        rc = *slot.str ? refuse(decoder, schema, field, "given twice")
                       : take_text(decoder, schema, field, value, slot.str);
        return rc;
    case KIND_STRS:
        rc = spend(decoder, schema, 2 * sizeof(char *));
        if (rc == 0)
            rc = take_text(decoder, schema, field, value, &text);
        if (rc < 0)
            return rc;
        *slot.strs = grow(decoder, *slot.strs, *schema_count(field, msg), sizeof(text));
        (*slot.strs)[(*schema_count(field, msg))++] = text;
        return 0;
    case KIND_BLOB:
        rc = spend(decoder, schema, value.left);
        if (rc < 0 || slot.blob->data)
            return rc < 0 ? rc : refuse(decoder, schema, field, "given twice");
        if (value.left)
            slot.blob->data = memcpy(take_memory(decoder, value.left), value.at, value.left);
        slot.blob->n = (uint32_t)value.left;
        return 0;
    case KIND_U32S:
        return take_u32s(decoder, schema, field, value, msg);
    default:
        return take_record(decoder, schema, field, value, msg);
    }
}

/* Finds a field behind the one before, because fields mostly come in the order of the table. */
static const struct schema_field *find_tag_from(const struct schema *schema, uint64_t tag,
                                                uint32_t *at)
{
    for (uint32_t i = *at; i < schema->fields_n; i++) {
        if (schema->fields[i].tag == tag) {
            *at = i;
            return &schema->fields[i];
        }
    }
    return schema_find_tag(schema, tag);
}

/* Reads one key and its value from `in`, and keeps it if the tag is known. */
static int decode_item(struct decoder *decoder, const struct schema *schema, uint32_t *at,
                       struct bytes *in, void *msg)
{
    uint64_t key = bytes_varint(in);
    uint64_t number = bytes_varint(in); /* the value, or its length */
    bool critical = key >> 1 & 1;
    enum shape shape = key & 1;
    const struct schema_field *field = find_tag_from(schema, key >> 2, at);
    const uint8_t *data = NULL;

    if (shape == SHAPE_BYTES)
        data = number <= in->left ? bytes_take(in, (size_t)number) : NULL;
    if (in->failed || (shape == SHAPE_BYTES && !data))
        return err_set(decoder->err, E_PROTO, "message %s is cut short", schema->name);
    if (!field && critical)
        return err_set(decoder->err, E_PROTO,
                       "message %s carries a restriction (tag %llu) that this version does not "
                       "know; upgrade the receiver",
                       schema->name, (unsigned long long)(key >> 2));
    if (!field)
        return 0;
    if (shape != shape_of(field->kind))
        return refuse(decoder, schema, field, "has another shape here than at the sender");
    if (shape == SHAPE_NUMBER)
        return take_number(decoder, schema, field, number, msg);
    return take_bytes(decoder, schema, field, bytes_of(data, (size_t)number), msg);
}

static int check_required(struct decoder *decoder, const struct schema *schema, const void *msg)
{
    uint32_t left = schema->required_n; /* they are the first fields, mostly */

    for (uint32_t i = 0; left > 0; i++) {
        const struct schema_field *field = &schema->fields[i];

        if (!(field->flags & FIELD_REQUIRED))
            continue;
        if (schema_is_default(field, msg))
            return refuse(decoder, schema, field, "required and not given");
        left--;
    }
    return 0;
}

static int decode_fields(struct decoder *decoder, const struct schema *schema, struct bytes in,
                         void *msg)
{
    uint32_t at = 0;

    schema_init(schema, msg);
    while (in.left > 0) {
        int rc = decode_item(decoder, schema, &at, &in, msg);

        if (rc < 0)
            return rc;
    }
    return 0;
}

static int decode_message(struct decoder *decoder, const struct schema *schema, struct bytes in,
                          void *msg)
{
    int rc = decode_fields(decoder, schema, in, msg);

    return rc < 0 ? rc : check_required(decoder, schema, msg);
}

int schema_decode(const struct schema *schema, const void *bytes, size_t n, void *ret_msg,
                  struct err *err)
{
    struct decoder decoder = { .memory_left = SCHEMA_DECODED_MAX, .err = err };
    int rc = decode_message(&decoder, schema, bytes_of(bytes, n), ret_msg);

    if (rc < 0)
        schema_clear(schema, ret_msg);
    return rc;
}

int schema_decode_some(const struct schema *schema, const void *bytes, size_t n, void *ret_msg,
                       struct err *err)
{
    struct decoder decoder = { .memory_left = SCHEMA_DECODED_MAX, .err = err };
    int rc = decode_fields(&decoder, schema, bytes_of(bytes, n), ret_msg);

    if (rc < 0)
        schema_clear(schema, ret_msg);
    return rc;
}

int schema_decode_in(struct arena *arena, const struct schema *schema, const void *bytes, size_t n,
                     void *ret_msg, struct err *err)
{
    struct decoder decoder = { .arena = arena, .memory_left = SCHEMA_DECODED_MAX, .err = err };
    int rc = decode_message(&decoder, schema, bytes_of(bytes, n), ret_msg);

    if (rc < 0)
        schema_init(schema, ret_msg);
    return rc;
}
