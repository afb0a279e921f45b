/*
 * oversubscribe.h - "YES:4", "FORCE": how the jobs of a partition share cpus, OverSubscribe=. Pure.
 */
#pragma once

#include <stdint.h>

#include "common/base/err.h"
#include "common/base/strbuf.h"

/* The numbers are sent to clients. */
enum oversubscribe_mode {
    OVERSUBSCRIBE_NO,        /* cpus belong to one job */
    OVERSUBSCRIBE_YES,       /* jobs that allow it share cpus */
    OVERSUBSCRIBE_FORCE,     /* all jobs share cpus */
    OVERSUBSCRIBE_EXCLUSIVE, /* nodes belong to one job */
};

struct oversubscribe {
    enum oversubscribe_mode mode;
    uint32_t jobs_max; /* on one cpu; 1 unless YES or FORCE */
};

/* Reads a value of OverSubscribe=. Fails with EINVAL or ERANGE. */
int oversubscribe_parse(const char *text, struct oversubscribe *ret, struct err *err);

/* Appends the value, such as "NO" or "YES:4". */
void oversubscribe_format(const struct oversubscribe *share, struct strbuf *out);
