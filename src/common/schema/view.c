#include "common/schema/view.h"

#include <errno.h>
#include <string.h>

#define DEPTH_SHIFT 16
#define TAG_MASK    0xffffu

static bool has_records(const struct schema_field *field)
{
    return field->kind == KIND_PART || field->kind == KIND_LIST;
}

/*
 * Returns the view's row for the field. A row that is made has only the required fields within it.
 */
static struct schema_view_field *row_for(struct schema_view *view, const struct schema_field *field)
{
    uint32_t at = 0;

    while (at < view->fields_n && view->fields[at].field < field)
        at++;
    if (at < view->fields_n && view->fields[at].field == field)
        return &view->fields[at];
    (void)*ARRAY_PUSH(view->fields, view->fields_n);
    memmove(&view->fields[at + 1], &view->fields[at],
            (view->fields_n - 1 - at) * sizeof(*view->fields));
    view->fields[at] =
        (struct schema_view_field){ field,
                                    has_records(field) ? schema_view_new(field->record()) : NULL };
    return &view->fields[at];
}

struct schema_view *schema_view_new(const struct schema *schema)
{
    struct schema_view *view = xcalloc(1, sizeof(*view));

    view->schema = schema;
    for (uint32_t i = 0; i < schema->fields_n; i++) {
        if (schema->fields[i].flags & FIELD_REQUIRED)
            row_for(view, &schema->fields[i]);
    }
    return view;
}

struct schema_view *schema_view_free(struct schema_view *view)
{
    for (uint32_t i = 0; view && i < view->fields_n; i++)
        schema_view_free(view->fields[i].within);
    if (view)
        free(view->fields);
    free(view);
    return NULL;
}

void schema_view_auto_(struct schema_view **view)
{
    schema_view_free(*view);
}

/* ---- paths ---- */

int schema_view_add(struct schema_view *view, const char *path, struct err *err)
{
    const size_t n = strcspn(path, ".");
    AUTO_FREE char *name = xstrndup(path, n);
    const struct schema_field *field = schema_find(view->schema, name);
    const bool is_last = path[n] == '\0';
    struct schema_view_field *row;

    if (!field || (!is_last && !has_records(field)))
        return err_set(err, EINVAL, "message %s has no field '%s'", view->schema->name, path);
    row = row_for(view, field);
    if (is_last)
        row->within = schema_view_free(row->within);
    return is_last || !row->within ? 0 : schema_view_add(row->within, path + n + 1, err);
}

/* ---- numbers ---- */

static void write_at(const struct schema_view *view, uint32_t depth, uint32_t **numbers,
                     uint32_t *n)
{
    for (uint32_t i = 0; i < view->fields_n; i++) {
        *ARRAY_PUSH(*numbers, *n) = depth << DEPTH_SHIFT | view->fields[i].field->tag;
        if (view->fields[i].within)
            write_at(view->fields[i].within, depth + 1, numbers, n);
    }
}

void schema_view_write(const struct schema_view *view, uint32_t **ret_numbers, uint32_t *ret_n)
{
    *ret_numbers = NULL;
    *ret_n = 0;
    write_at(view, 0, ret_numbers, ret_n);
}

struct reader {
    const uint32_t *numbers;
    uint32_t n, at;
};

static bool is_deeper(const struct reader *reader, uint32_t depth)
{
    return reader->at < reader->n && reader->numbers[reader->at] >> DEPTH_SHIFT > depth;
}

/* Takes all numbers of this depth, and what is within them. With `view` NULL nothing is kept. */
static void read_at(struct schema_view *view, uint32_t depth, struct reader *reader)
{
    while (reader->at < reader->n && reader->numbers[reader->at] >> DEPTH_SHIFT == depth) {
        const uint32_t tag = reader->numbers[reader->at++] & TAG_MASK;
        const struct schema_field *field = view ? schema_find_tag(view->schema, tag) : NULL;
        struct schema_view_field *row = field ? row_for(view, field) : NULL;

        if (is_deeper(reader, depth) && depth < SCHEMA_DEPTH_MAX)
            read_at(row ? row->within : NULL, depth + 1, reader);
        else if (row)
            row->within = schema_view_free(row->within);
        while (is_deeper(reader, depth)) /* deeper by more than one: nobody wrote that */
            reader->at++;
    }
}

int schema_view_read(struct schema_view *view, const uint32_t *numbers, uint32_t n, struct err *err)
{
    struct reader reader = { numbers, n, 0 };

    if (n > SCHEMA_VIEW_MAX)
        return err_set(err, E_TOO_BIG, "message %s: %u fields are asked for, more than %d",
                       view->schema->name, n, SCHEMA_VIEW_MAX);
    while (is_deeper(&reader, 0))
        reader.at++;
    read_at(view, 0, &reader);
    return 0;
}
