/* What json.c calls of jansson; opened when the first value is made. */
#include <jansson.h>

#include "common/base/library.h"

static struct library libjansson = { .file = "libjansson.so.4" };

FORWARD(libjansson, json_t *, json_object, (void), ())
FORWARD(libjansson, json_t *, json_array, (void), ())
FORWARD(libjansson, json_t *, json_string, (const char *value), (value))
FORWARD(libjansson, json_t *, json_object_get, (const json_t *object, const char *key),
        (object, key))
FORWARD(libjansson, int, json_object_set_new, (json_t * object, const char *key, json_t *value),
        (object, key, value))
FORWARD(libjansson, void *, json_object_iter, (json_t * object), (object))
FORWARD(libjansson, void *, json_object_iter_next, (json_t * object, void *at), (object, at))
FORWARD(libjansson, const char *, json_object_iter_key, (void *at), (at))
FORWARD(libjansson, json_t *, json_object_iter_value, (void *at), (at))
FORWARD(libjansson, size_t, json_object_size, (const json_t *object), (object))
FORWARD(libjansson, size_t, json_array_size, (const json_t *array), (array))
FORWARD(libjansson, json_t *, json_array_get, (const json_t *array, size_t i), (array, i))
FORWARD(libjansson, json_t *, json_null, (void), ())
FORWARD(libjansson, json_t *, json_integer, (json_int_t value), (value))
FORWARD(libjansson, json_t *, json_real, (double value), (value))
FORWARD(libjansson, json_t *, json_true, (void), ())
FORWARD(libjansson, json_t *, json_false, (void), ())
FORWARD(libjansson, int, json_array_append_new, (json_t * array, json_t *value), (array, value))
FORWARD_VOID(libjansson, json_delete, (json_t * json), (json))
FORWARD(libjansson, int, json_dump_callback,
        (const json_t *json, json_dump_callback_t callback, void *data, size_t flags),
        (json, callback, data, flags))
