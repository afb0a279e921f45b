#include "common/json/json.h"

#include <assert.h>
#include <jansson.h>

/* struct json is never defined: it stands for the library's type, which only this file knows. */
static json_t *theirs(struct json *value)
{
    return (json_t *)value;
}

static struct json *ours(json_t *value)
{
    assert(value);
    return (struct json *)value;
}

struct json *json_new_object(void)
{
    return ours(json_object());
}

struct json *json_new_array(void)
{
    return ours(json_array());
}

struct json *json_new_null(void)
{
    return ours(json_null());
}

/* The library refuses a text as a whole when one byte of it is wrong. */
static json_t *text_repaired(const char *text)
{
    AUTO(strbuf) struct strbuf clean = { 0 };

    for (; *text; text++) {
        if ((unsigned char)*text < 0x80)
            strbuf_addc(&clean, *text);
        else
            strbuf_adds(&clean, "\xEF\xBF\xBD");
    }
    return json_string(strbuf_text(&clean));
}

struct json *json_new_text(const char *text)
{
    json_t *value = json_string(text);

    return ours(value ? value : text_repaired(text));
}

struct json *json_free(struct json *value)
{
    json_decref(theirs(value));
    return NULL;
}

void json_auto_(struct json **value)
{
    *value = json_free(*value);
}

void json_put(struct json *object, const char *key, struct json *value)
{
    assert(!json_object_get(theirs(object), key));
    (void)json_object_set_new(theirs(object), key, theirs(value));
}

struct json *json_find(const struct json *object, const char *key)
{
    return (struct json *)json_object_get((const json_t *)object, key);
}

void json_put_text(struct json *object, const char *key, const char *text)
{
    json_put(object, key, text ? json_new_text(text) : ours(json_null()));
}

void json_put_int(struct json *object, const char *key, int64_t number)
{
    json_put(object, key, ours(json_integer(number)));
}

void json_put_real(struct json *object, const char *key, double number)
{
    json_t *value = json_real(number);

    json_put(object, key, ours(value ? value : json_null()));
}

void json_put_bool(struct json *object, const char *key, bool value)
{
    json_put(object, key, ours(json_boolean(value)));
}

struct json *json_put_object(struct json *object, const char *key)
{
    struct json *value = json_new_object();

    json_put(object, key, value);
    return value;
}

void json_push(struct json *array, struct json *value)
{
    (void)json_array_append_new(theirs(array), theirs(value));
}

static int add_piece(const char *piece, size_t n, void *out)
{
    strbuf_add(out, piece, n);
    return 0;
}

void json_format(const struct json *value, struct strbuf *out)
{
    (void)json_dump_callback((const json_t *)value, add_piece, out,
                             JSON_INDENT(2) | JSON_PRESERVE_ORDER | JSON_ENCODE_ANY);
    strbuf_addc(out, '\n');
}
