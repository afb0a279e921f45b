/* random.c - arbitrary messages for property tests; the same seed gives the same message. */
#include "common/schema/schema.h"

#include <string.h>

#include "common/schema/slot.h"

#define LIST_MAX  3
#define DEPTH_MAX 3

/*
 * Returns the next number of splitmix64 (Steele, Lea, Flood 2014), which is small, and good enough
 * to vary tests.
 */
static uint64_t next(uint64_t *seed)
{
    uint64_t z = (*seed += UINT64_C(0x9e3779b97f4a7c15));

    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static char *random_text(uint64_t *seed)
{
    size_t n = next(seed) % 12;
    char *text = xcalloc(n + 1, 1);

    for (size_t i = 0; i < n; i++)
        text[i] = (char)(1 + next(seed) % 255);
    return text;
}

/* Returns a number. Small ones and those at the edges are likelier than others. */
static uint64_t random_number(uint64_t *seed)
{
    static const uint64_t edges[] = { 0, 1, 127, 128, UINT32_MAX, INT64_MAX, UINT64_MAX };
    uint64_t pick = next(seed);

    return pick % 2 ? edges[pick / 2 % ARRAY_N(edges)] : next(seed) >> pick / 2 % 64;
}

static void random_message(const struct schema *schema, void *msg, uint64_t *seed, int depth);

static void random_records(const struct schema_field *field, void *msg, uint64_t *seed, int depth)
{
    const struct schema *inner = field->record();
    uint32_t n = field->kind == KIND_PART ? 1 : 1 + (uint32_t)(next(seed) % LIST_MAX);
    char *records;

    if (depth == DEPTH_MAX && !(field->flags & FIELD_REQUIRED))
        return;
    records = xcalloc(n, inner->size);
    for (uint32_t i = 0; i < n; i++)
        random_message(inner, records + i * inner->size, seed, depth + 1);
    *schema_slot(field, msg).records = records;
    if (field->kind == KIND_LIST)
        *schema_count(field, msg) = n;
}

static void random_arrays(const struct schema_field *field, void *msg, uint64_t *seed)
{
    union schema_slot slot = schema_slot(field, msg);
    uint32_t n = 1 + (uint32_t)(next(seed) % LIST_MAX);

    *schema_count(field, msg) = n;
    if (field->kind == KIND_STRS) {
        *slot.strs = xcalloc(n, sizeof(char *));
        for (uint32_t i = 0; i < n; i++)
            (*slot.strs)[i] = random_text(seed);
    } else {
        *slot.u32s = xcalloc(n, sizeof(uint32_t));
        for (uint32_t i = 0; i < n; i++)
            (*slot.u32s)[i] = (uint32_t)random_number(seed);
    }
}

static void random_field(const struct schema_field *field, void *msg, uint64_t *seed, int depth)
{
    union schema_slot slot = schema_slot(field, msg);
    uint64_t number = random_number(seed);

    switch (field->kind) {
    case KIND_BOOL:
        *slot.boolean = true;
        break;
    case KIND_U32:
    case KIND_COUNT:
    case KIND_ENUM:
    case KIND_I32:
        *slot.u32 = (uint32_t)number ? (uint32_t)number : 1;
        break;
    case KIND_U64:
    case KIND_MB:
    case KIND_I64:
        *slot.u64 = number ? number : 1;
        break;
    case KIND_TIME:
    case KIND_LIMIT:
        *slot.i64 = 1 + (int64_t)(number % SCHEMA_SECONDS_MAX);
        break;
    case KIND_STR:
    case KIND_HOSTS:
        *slot.str = random_text(seed);
        break;
    case KIND_BLOB:
        slot.blob->n = 1 + (uint32_t)(number % 40);
        slot.blob->data = xcalloc(slot.blob->n, 1);
        memset(slot.blob->data, (int)(number >> 8 & 0xff), slot.blob->n);
        break;
    case KIND_STRS:
    case KIND_U32S:
        random_arrays(field, msg, seed);
        break;
    case KIND_LIST:
    case KIND_PART:
        random_records(field, msg, seed, depth);
        break;
    }
}

static void random_message(const struct schema *schema, void *msg, uint64_t *seed, int depth)
{
    schema_init(schema, msg);
    for (uint32_t i = 0; i < schema->fields_n; i++) {
        const struct schema_field *field = &schema->fields[i];

        if ((field->flags & FIELD_REQUIRED) || next(seed) % 4 != 0)
            random_field(field, msg, seed, depth);
    }
}

void schema_random(const struct schema *schema, void *msg, uint64_t seed)
{
    random_message(schema, msg, &seed, 0);
}
