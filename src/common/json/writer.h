/*
 * writer.h - JSON, or the same as YAML, written as it is told: no values are kept.
 *
 *     struct json_writer json = json_writer_new(JSON_INDENTED, &out);
 *     json_open_object(&json, NULL);
 *     json_add_text(&json, "name", "run");
 *     json_open_array(&json, "nodes");
 *     json_add_text(&json, NULL, "tux1");
 *     json_close(&json);
 *     json_close(&json);
 *
 * Each call has the key of a member, or NULL for an element of an array and for the outermost
 * value. Keys are the program's own words: they are written as they are, and nothing looks whether
 * an object has one twice. Texts come from anywhere: what JSON or YAML cannot hold is escaped, and
 * a byte that is not UTF-8 (RFC 3629) becomes U+FFFD.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/base/strbuf.h"

#define JSON_DEPTH_MAX 32

enum json_form {
    JSON_INDENTED,
    JSON_ONE_LINE, /* all in one line, without blanks */
    JSON_YAML      /* objects and arrays in blocks, texts in double quotes */
};

/* An object or array that is open. */
struct json_level {
    bool is_array, is_begun;
};

struct json_writer {
    struct strbuf *out; /* borrowed; the caller may take away what is written between two calls */
    enum json_form form;
    uint32_t depth;
    struct json_level levels[JSON_DEPTH_MAX];
};

struct json_writer json_writer_new(enum json_form form, struct strbuf *out);

/*
 * Open an object or an array, which json_close closes. The outermost one then ends with a newline.
 */
void json_open_object(struct json_writer *json, const char *key);
void json_open_array(struct json_writer *json, const char *key);
void json_close(struct json_writer *json);

void json_add_text(struct json_writer *json, const char *key, const char *text); /* NULL: null */
void json_add_int(struct json_writer *json, const char *key, int64_t number);
void json_add_real(struct json_writer *json, const char *key, double number); /* inf, nan: null */
void json_add_bool(struct json_writer *json, const char *key, bool value);
void json_add_null(struct json_writer *json, const char *key);
