/*
 * keyval.h - the pairs of names and values that the tasks of a step exchange.
 *
 * What has been put since the last exchange is what the next one tells other nodes. Pure; owns its
 * texts.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/base/strbuf.h"

#define KEYVAL_MAX (1u << 20) /* pairs */

struct keyval;

struct keyval *keyval_new(void);
struct keyval *keyval_free(struct keyval *pairs);

/* Puts a pair; a later value replaces an earlier one. Fails with -E_TOO_BIG when there are too
 * many. */
int keyval_put(struct keyval *pairs, const char *key, const char *value);
const char *keyval_get(const struct keyval *pairs, const char *key);

/* Tells the i-th pair in the order of their first put; returns false when there are no more. */
bool keyval_at(const struct keyval *pairs, uint32_t i, const char **ret_key,
               const char **ret_value);

/* Appends what was put since the last call. */
void keyval_take_news(struct keyval *pairs, struct strbuf *out);

/* Takes in what other nodes have told by keyval_take_news, one behind the other. */
int keyval_merge(struct keyval *pairs, const void *bytes, size_t n);
