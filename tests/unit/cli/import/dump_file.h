/* dump_file.h - dumps of tests/data as text. */
#pragma once

#include <stdio.h>

#include "common/base/strbuf.h"
#include "unit/check_main.h"

static inline void add_file(const char *path, struct strbuf *out)
{
    FILE *file = fopen(path, "r");
    char buffer[4096];
    size_t n;

    ck_assert_ptr_nonnull(file);
    while ((n = fread(buffer, 1, sizeof(buffer), file)) > 0)
        strbuf_add(out, buffer, n);
    fclose(file);
}
