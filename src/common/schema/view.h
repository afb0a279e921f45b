/*
 * view.h - some of a message's fields: what one side asks the other to tell of it.
 *
 *     AUTO(schema_view) struct schema_view *view = schema_view_new(job_info_schema());
 *     schema_view_add(view, "job.spec.name", &err);
 *     schema_view_write(view, &request.fields, &request.fields_n);
 *
 * Required fields are always in it, so that what is encoded can be decoded. Owns its rows.
 */
#pragma once

#include "common/schema/schema.h"

struct schema_view {
    const struct schema *schema;
    struct schema_view_field *fields; /* in the order of the schema */
    uint32_t fields_n;
};

struct schema_view_field {
    const struct schema_field *field;
    struct schema_view *within; /* of PART and LIST: these fields of its structs; NULL: all */
};

#define SCHEMA_VIEW_MAX 4096 /* numbers that schema_view_read takes */

struct schema_view *schema_view_new(const struct schema *schema);
struct schema_view *schema_view_free(struct schema_view *view);
void schema_view_auto_(struct schema_view **view);

/*
 * Adds the field at the end of the path; of a PART or LIST all fields are added. Fails with EINVAL,
 * naming what is no field.
 */
int schema_view_add(struct schema_view *view, const char *path, struct err *err);

/*
 * Writes the view as numbers, for a field of a request: depth << 16 | tag, each followed by the
 * fields within it. A PART or LIST that is followed by none stands for all of its fields.
 */
void schema_view_write(const struct schema_view *view, uint32_t **ret_numbers, uint32_t *ret_n);

/*
 * Adds what schema_view_write wrote. Tags of another version are skipped with all that is within
 * them. Fails with E_TOO_BIG.
 */
int schema_view_read(struct schema_view *view, const uint32_t *numbers, uint32_t n,
                     struct err *err);

/* Encodes as schema_encode does, but only the fields of the view. */
void schema_view_encode(const struct schema_view *view, const void *msg, struct strbuf *out);
