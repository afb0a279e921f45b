/*
 * json_read.h - JSON that the project wrote, as another reader of JSON sees it.
 */
#pragma once

#include <check.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/strbuf.h"

/* The caller frees it with json_decref. Fails the test for what is no JSON, or has a key twice. */
static inline json_t *read_json(const struct strbuf *text)
{
    json_error_t error;
    json_t *json = json_loads(strbuf_text(text), JSON_REJECT_DUPLICATES, &error);

    ck_assert_msg(json != NULL, "%s at %d of:\n%s", error.text, error.line, strbuf_text(text));
    return json;
}

/* The value at "jobs.0.time.elapsed". Fails the test when there is none. */
static inline json_t *find_json(json_t *json, const char *path)
{
    AUTO_FREE char *copy = xstrdup(path);
    char *rest = NULL;

    for (char *key = strtok_r(copy, ".", &rest); key && json; key = strtok_r(NULL, ".", &rest))
        json = json_is_array(json) ? json_array_get(json, (size_t)atoi(key))
                                   : json_object_get(json, key);
    ck_assert_msg(json != NULL, "%s is missing", path);
    return json;
}

/* The value there is this one, written with ' for ": "{'set': true}". */
static inline void ck_json(json_t *json, const char *path, const char *expected)
{
    AUTO_FREE char *text = xstrdup(expected);
    AUTO_FREE char *found = json_dumps(find_json(json, path), JSON_ENCODE_ANY);
    json_t *twin;

    for (char *at = text; *at; at++) {
        if (*at == '\'')
            *at = '"';
    }
    twin = json_loads(text, JSON_DECODE_ANY, NULL);
    ck_assert_msg(twin != NULL, "%s is no JSON", text);
    ck_assert_msg(json_equal(find_json(json, path), twin), "%s is %s, not %s", path, found, text);
    json_decref(twin);
}
