/*
 * tape.h - a fuzz input read as a row of decisions, and messages made of them.
 *
 * Whatever the bytes are, they mean something: a tape that has ended reads as zeroes. Messages are
 * made from their schemas: of each field a byte decides whether it stays away, has a value that a
 * real message could have (names, numbers and texts that the rest of the story knows), or one from
 * an edge. So few bytes make a message that gets far, and changing one changes one field.
 */
#pragma once

#include <stdint.h>
#include <string.h>

#include "common/base/alloc.h"
#include "common/schema/schema.h"
#include "common/schema/slot.h"

#define TAPE_DEPTH_MAX 4

struct tape {
    const uint8_t *data;
    size_t size, at;
    const char *const *words; /* that texts are made of */
    uint32_t words_n;
    /* A number that the field of that name may have in this story; false: there is none. */
    bool (*known_number)(struct tape *tape, const char *field, uint64_t *ret);
    /* The same for a text, which is not the caller's; NULL: there is none. */
    const char *(*known_text)(struct tape *tape, const char *field);
    bool (*known_blob)(struct tape *tape, const char *field, struct blob *ret);
};

static inline uint8_t tape_next(struct tape *tape)
{
    return tape->at < tape->size ? tape->data[tape->at++] : 0;
}

static inline bool tape_ended(const struct tape *tape)
{
    return tape->at >= tape->size;
}

static inline uint32_t tape_below(struct tape *tape, uint32_t n)
{
    return tape_next(tape) % n;
}

static inline uint64_t tape_number(struct tape *tape)
{
    static const uint64_t edges[] = {
        UINT32_MAX,        UINT32_MAX - 1, INT32_MAX, UINT64_MAX, UINT64_MAX - 1, INT64_MAX,
        (uint64_t)1 << 63, 65535,          65536,     1000000,    86400,          1800000000,
        1800003600,        4096,           256,       0x80000000u
    };
    uint8_t pick = tape_next(tape);

    if (pick < 200)
        return pick % 24;
    return pick < 240 ? edges[pick % ARRAY_N(edges)]
                      : (uint64_t)tape_next(tape) << 24 | (uint64_t)tape_next(tape) << 8 | pick;
}

static inline char *tape_text(struct tape *tape, const char *field)
{
    uint8_t pick = tape_next(tape);
    const char *known = pick % 4 ? tape->known_text(tape, field) : NULL;
    uint32_t n;
    char *text;

    if (known)
        return xstrdup(known);
    if (pick < 240)
        return xstrdup(tape->words[pick % tape->words_n]);
    n = pick < 254 ? tape_below(tape, 24) : 3000; /* its own bytes, or a long one */
    text = xcalloc(n + 1, 1);
    for (uint32_t i = 0; i < n; i++) {
        uint8_t byte = pick < 254 ? tape_next(tape) : (uint8_t)('a' + i % 26);

        text[i] = (char)(byte ? byte : ',');
    }
    return text;
}

static inline void tape_message(struct tape *tape, const struct schema *schema, void *msg,
                                int depth);

static inline void tape_records(struct tape *tape, const struct schema_field *field, void *msg,
                                int depth)
{
    const struct schema *inner = field->record();
    uint32_t n = field->kind == KIND_PART ? 1 : 1 + tape_below(tape, 3);
    char *records;

    if (depth == TAPE_DEPTH_MAX && !(field->flags & FIELD_REQUIRED))
        return;
    records = xcalloc(n, inner->size);
    for (uint32_t i = 0; i < n; i++)
        tape_message(tape, inner, records + i * inner->size, depth + 1);
    *schema_slot(field, msg).records = records;
    if (field->kind == KIND_LIST)
        *schema_count(field, msg) = n;
}

static inline void tape_array(struct tape *tape, const struct schema_field *field, void *msg)
{
    union schema_slot slot = schema_slot(field, msg);
    uint32_t n = 1 + tape_below(tape, 4);

    *schema_count(field, msg) = n;
    if (field->kind == KIND_STRS)
        *slot.strs = xcalloc(n, sizeof(char *));
    else
        *slot.u32s = xcalloc(n, sizeof(uint32_t));
    for (uint32_t i = 0; i < n; i++) {
        uint64_t number;

        if (field->kind == KIND_STRS)
            (*slot.strs)[i] = tape_text(tape, field->name);
        else
            (*slot.u32s)[i] =
                (uint32_t)(tape->known_number(tape, field->name, &number) ? number
                                                                          : tape_number(tape));
    }
}

static inline void tape_blob(struct tape *tape, const struct schema_field *field, struct blob *blob)
{
    if (tape->known_blob(tape, field->name, blob))
        return;
    blob->n = 1 + tape_below(tape, 64);
    blob->data = xcalloc(blob->n, 1);
    for (uint32_t i = 0; i < blob->n; i++)
        blob->data[i] = tape_next(tape);
}

/* The field has the default of its kind; it gets a value. */
static inline void tape_field(struct tape *tape, const struct schema_field *field, void *msg,
                              int depth)
{
    union schema_slot slot = schema_slot(field, msg);
    uint64_t number;

    switch (field->kind) {
    case KIND_STR:
    case KIND_HOSTS:
        *slot.str = tape_text(tape, field->name);
        return;
    case KIND_BLOB:
        tape_blob(tape, field, slot.blob);
        return;
    case KIND_STRS:
    case KIND_U32S:
        tape_array(tape, field, msg);
        return;
    case KIND_LIST:
    case KIND_PART:
        tape_records(tape, field, msg, depth);
        return;
    default:
        break;
    }
    if (!tape->known_number(tape, field->name, &number))
        number = tape_number(tape);
    if (field->kind == KIND_BOOL)
        *slot.boolean = number & 1;
    else if (field->kind == KIND_U64 || field->kind == KIND_MB || field->kind == KIND_I64 ||
             field->kind == KIND_TIME || field->kind == KIND_LIMIT)
        *slot.u64 = number;
    else
        *slot.u32 = (uint32_t)number;
}

/* Of the fields that may stay away a few come: which ones say pairs of bytes. */
static inline void tape_message(struct tape *tape, const struct schema *schema, void *msg,
                                int depth)
{
    uint32_t more = tape_below(tape, 6);

    schema_init(schema, msg);
    for (uint32_t i = 0; i < schema->fields_n; i++) {
        if (schema->fields[i].flags & FIELD_REQUIRED)
            tape_field(tape, &schema->fields[i], msg, depth);
    }
    while (more-- > 0) {
        const struct schema_field *field = &schema->fields[tape_below(tape, schema->fields_n)];

        if (field->flags & FIELD_REQUIRED)
            continue;
        schema_copy_field(field, msg, schema->initial); /* it may have come before */
        tape_field(tape, field, msg, depth);
    }
}

/* Some fields of a message that is fine become others. */
static inline void tape_change(struct tape *tape, const struct schema *schema, void *msg)
{
    for (int depth = 0;; depth++) {
        const struct schema_field *field = &schema->fields[tape_below(tape, schema->fields_n)];
        bool is_record = field->kind == KIND_PART || field->kind == KIND_LIST;

        if (is_record && *schema_slot(field, msg).records && tape_next(tape) % 8) {
            msg = *schema_slot(field, msg).records;
            schema = field->record();
            continue;
        }
        schema_copy_field(field, msg, schema->initial);
        tape_field(tape, field, msg, depth);
        return;
    }
}
