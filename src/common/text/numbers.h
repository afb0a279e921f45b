/*
 * numbers.h - "0-3,8": a list of small numbers, cpus or cores of a node. Pure.
 */
#pragma once

#include <stdint.h>

#include "common/base/err.h"
#include "common/base/strbuf.h"

/* A list of numbers. Owns `at`; all zero is empty. */
struct numbers {
    uint32_t *at;
    uint32_t n;
};

#define NUMBERS_MAX 65536 /* in one list */

/*
 * Reads numbers in the order of the text; `text` may be NULL. Fails with EINVAL or ERANGE for what
 * is no number up to `max`, with E_TOO_BIG for more than NUMBERS_MAX.
 */
int numbers_parse(const char *text, uint32_t max, struct numbers *ret, struct err *err);
void numbers_clear(struct numbers *numbers);
void numbers_auto_(struct numbers *numbers);

/* Appends "0-3,8": numbers in their order, those that count up by one folded into ranges. */
void numbers_format(const uint32_t *numbers, uint32_t n, struct strbuf *out);
