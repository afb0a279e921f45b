/*
 * licenses.h - "matlab:4,ansys": names of licenses, each with how many; 1 where nothing is said.
 *
 * The same text configures them (Licenses=) and asks for them (--licenses); `;` divides as `,`
 * does. A name that comes twice is counted together. Pure.
 */
#pragma once

#include <stdint.h>

#include "common/base/err.h"

struct license {
    char *name;
    uint32_t count;
};

/* A list of licenses in the order of the text. Owns its members; all zero is empty. */
struct licenses {
    struct license *at;
    uint32_t n;
};

#define LICENSES_MAX 1024 /* different names */

/* Reads a list; `text` may be NULL. Fails with EINVAL or ERANGE, naming the part. */
int licenses_parse(const char *text, struct licenses *ret, struct err *err);
void licenses_clear(struct licenses *licenses);
void licenses_auto_(struct licenses *licenses);

/* Returns how many of `name` the list has; 0 when it is not in the list. */
uint32_t licenses_count(const struct licenses *licenses, const char *name);
