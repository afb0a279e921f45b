/* yaml.c - JSON values as YAML. */
#include <jansson.h>

#include "common/json/json.h"

#define STEP 2 /* blanks for each level */

static int add_piece(const char *piece, size_t n, void *out)
{
    strbuf_add(out, piece, n);
    return 0;
}

static bool is_block(const json_t *value)
{
    return (json_is_object(value) && json_object_size(value)) ||
           (json_is_array(value) && json_array_size(value));
}

/* What stands on a line of its own: texts and numbers are as in JSON, which YAML includes. */
static void add_plain(const json_t *value, struct strbuf *out)
{
    (void)json_dump_callback(value, add_piece, out, JSON_ENCODE_ANY);
    strbuf_addc(out, '\n');
}

static void add_blanks(uint32_t n, struct strbuf *out)
{
    while (n-- > 0)
        strbuf_addc(out, ' ');
}

static void add_value(json_t *value, uint32_t indent, struct strbuf *out);

static void add_object(json_t *object, uint32_t indent, struct strbuf *out)
{
    for (void *at = json_object_iter(object); at; at = json_object_iter_next(object, at)) {
        json_t *value = json_object_iter_value(at);

        add_blanks(indent, out);
        strbuf_addf(out, "%s:", json_object_iter_key(at));
        strbuf_addc(out, is_block(value) ? '\n' : ' ');
        add_value(value, indent + STEP, out);
    }
}

/* The first line of an element stands behind its dash. */
static void add_array(json_t *array, uint32_t indent, struct strbuf *out)
{
    for (size_t i = 0; i < json_array_size(array); i++) {
        json_t *value = json_array_get(array, i);
        AUTO(strbuf) struct strbuf element = { 0 };

        add_value(value, indent + STEP, &element);
        add_blanks(indent, out);
        strbuf_adds(out, "- ");
        strbuf_adds(out, strbuf_text(&element) + (is_block(value) ? indent + STEP : 0));
    }
}

static void add_value(json_t *value, uint32_t indent, struct strbuf *out)
{
    if (!is_block(value))
        add_plain(value, out);
    else if (json_is_object(value))
        add_object(value, indent, out);
    else
        add_array(value, indent, out);
}

void json_format_yaml(const struct json *value, uint32_t indent, struct strbuf *out)
{
    add_value((json_t *)(uintptr_t)value, indent, out);
}
