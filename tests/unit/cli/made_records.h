/*
 * made_records.h - records that a test made itself, where a command would have loaded them.
 */
#pragma once

#include "cli/lib/records.h"

/* To change one that was made. */
static inline void *made_record(const struct records *records, uint32_t i)
{
    return (char *)records->at + i * records->schema->size;
}

/* They own what they point to, other than loaded ones. */
static inline void clear_made_records(struct records *records)
{
    for (uint32_t i = 0; i < records->n; i++)
        schema_clear(records->schema, made_record(records, i));
    records_clear(records);
}
