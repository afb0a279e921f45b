/* one_file.h - a configuration that is one text, under one name. */
#pragma once

#include <errno.h>
#include <stdint.h>
#include <string.h>

#include "common/conf/file.h"

struct one_file {
    const char *name;
    const uint8_t *data;
    size_t size;
};

/* A conf_read_fn; ctx is a struct one_file. */
static inline int read_one_file(void *ctx, const char *path, struct strbuf *text, struct err *err)
{
    const struct one_file *file = ctx;

    if (strcmp(path, file->name) != 0)
        return err_set(err, ENOENT, "no such input");
    strbuf_add(text, file->data, file->size);
    return 0;
}
