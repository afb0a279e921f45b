/*
 * json.h - JSON values under construction, and as text.
 *
 * A value that is put into another one belongs to it; only the outermost is freed. Members are
 * printed in the order in which they were put.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/base/strbuf.h"

struct json;

struct json *json_new_object(void);
struct json *json_new_array(void);
struct json *json_new_null(void);
struct json *json_new_text(const char *text); /* bytes that are not UTF-8 become U+FFFD */
struct json *json_free(struct json *value);
void json_auto_(struct json **value);

/* Members of an object; a key that is there already is an error of the caller's. */
void json_put(struct json *object, const char *key, struct json *value);
void json_put_text(struct json *object, const char *key, const char *text); /* NULL: null */
void json_put_int(struct json *object, const char *key, int64_t number);
void json_put_real(struct json *object, const char *key, double number); /* not finite: null */
void json_put_bool(struct json *object, const char *key, bool value);

/* A new, empty object as a member; `object` owns it. */
struct json *json_put_object(struct json *object, const char *key);

/* NULL when the object has no such member. The object keeps it. */
struct json *json_find(const struct json *object, const char *key);

/* The next element of an array. */
void json_push(struct json *array, struct json *value);

/* Indented, with a newline at the end. */
void json_format(const struct json *value, struct strbuf *out);

/*
 * As YAML, which begins on a new line: objects and arrays in blocks, `indent` blanks in, texts in
 * double quotes as in JSON.
 */
void json_format_yaml(const struct json *value, uint32_t indent, struct strbuf *out);
