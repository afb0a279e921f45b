/*
 * bindlist.h - "0*2,3" or "0x3,0xc*4": to what the tasks of a node are bound, one item for each
 * task. Pure.
 */
#pragma once

#include <stdbool.h>

#include "common/base/err.h"
#include "common/base/strbuf.h"

#define BIND_LIST_MAX 65536 /* tasks that a list may name, as multiplied */

/*
 * Appends the list with repeats written out and without "0x": "0,0,3". Fails with EINVAL, naming
 * `option` ("--cpu-bind") when that is not NULL.
 */
int bind_list_read(const char *text, bool hexadecimal, const char *option, struct strbuf *out,
                   struct err *err);

/*
 * Returns the item at place `n`, borrowed, with its length in *ret_n. The list begins again after
 * its end.
 */
const char *bind_list_item(const char *list, uint32_t n, size_t *ret_n);
