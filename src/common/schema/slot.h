/*
 * slot.h - reaching a member of a message through its field row. For common/schema's own files
 * and for others that walk messages (JSON, Key=Value text).
 */
#pragma once

#include "common/schema/schema.h"

union schema_slot {
    bool *boolean;
    uint32_t *u32; /* U32, COUNT, ENUM */
    uint64_t *u64; /* U64, MB */
    int32_t *i32;
    int64_t *i64; /* I64, TIME, LIMIT */
    char **str;   /* STR, HOSTS */
    struct blob *blob;
    char ***strs;
    uint32_t **u32s;
    void **records; /* LIST: first of *count structs; PART: the struct or NULL */
    void *any;
};

static inline union schema_slot schema_slot(const struct schema_field *field, const void *msg)
{
    return (union schema_slot){ .any = (char *)(uintptr_t)msg + field->offset };
}

/* Returns the count of a STRS, U32S or LIST; other kinds have none. */
static inline uint32_t *schema_count(const struct schema_field *field, const void *msg)
{
    return (uint32_t *)(void *)((char *)(uintptr_t)msg + field->count_offset);
}

/* Returns the i-th struct of a LIST. */
static inline void *schema_record(const struct schema_field *field, const void *msg, uint32_t i)
{
    return (char *)*schema_slot(field, msg).records + i * field->record()->size;
}

/* Returns true if the member has the default of its kind, so that it need not be sent. */
bool schema_is_default(const struct schema_field *field, const void *msg);
