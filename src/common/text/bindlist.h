/*
 * bindlist.h - "0*2,3" or "0x3,0xc*4": what the tasks of a node are bound to, one after another.
 * Pure.
 */
#pragma once

#include <stdbool.h>

#include "common/base/err.h"
#include "common/base/strbuf.h"

#define BIND_LIST_MAX 65536 /* tasks that a list may name, as multiplied */

/*
 * Appends the same with nothing multiplied any more and without "0x": "0,0,3". Fails with EINVAL,
 * naming `option` ("--cpu-bind") where it names one.
 */
int bind_list_read(const char *text, bool hexadecimal, const char *option, struct strbuf *out,
                   struct err *err);

/* The `n`th item of such a list, which begins anew at its end. *ret_n: its length. Borrowed. */
const char *bind_list_item(const char *list, uint32_t n, size_t *ret_n);
