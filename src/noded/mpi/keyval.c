#include "noded/mpi/keyval.h"

#include <string.h>
#include <uthash.h>

#include "common/base/alloc.h"
#include "common/base/err.h"

struct pair {
    UT_hash_handle hh;
    char *key, *value;
    bool is_new;
};

struct keyval {
    struct pair *by_key;
    struct pair **in_order;
    uint32_t n;
    uint32_t first_new; /* none before it is new */
};

struct keyval *keyval_new(void)
{
    return xcalloc(1, sizeof(struct keyval));
}

struct keyval *keyval_free(struct keyval *pairs)
{
    if (!pairs)
        return NULL;
    HASH_CLEAR(hh, pairs->by_key);
    for (uint32_t i = 0; i < pairs->n; i++) {
        free(pairs->in_order[i]->key);
        free(pairs->in_order[i]->value);
        free(pairs->in_order[i]);
    }
    free(pairs->in_order);
    free(pairs);
    return NULL;
}

static uint32_t place_of(const struct keyval *pairs, const struct pair *pair)
{
    uint32_t i = 0;

    while (pairs->in_order[i] != pair)
        i++;
    return i;
}

static int put(struct keyval *pairs, const char *key, const char *value, bool is_new)
{
    struct pair *pair;

    HASH_FIND_STR(pairs->by_key, key, pair);
    if (!pair && pairs->n == KEYVAL_MAX)
        return -E_TOO_BIG;
    if (!pair) {
        pair = xcalloc(1, sizeof(*pair));
        pair->key = xstrdup(key);
        HASH_ADD_KEYPTR(hh, pairs->by_key, pair->key, strlen(pair->key), pair);
        *ARRAY_PUSH(pairs->in_order, pairs->n) = pair;
    } else if (is_new && !pair->is_new && place_of(pairs, pair) < pairs->first_new) {
        pairs->first_new = place_of(pairs, pair);
    }
    xstrset(&pair->value, value);
    pair->is_new = is_new;
    return 0;
}

int keyval_put(struct keyval *pairs, const char *key, const char *value)
{
    return put(pairs, key, value, true);
}

const char *keyval_get(const struct keyval *pairs, const char *key)
{
    struct pair *pair;

    HASH_FIND_STR(pairs->by_key, key, pair);
    return pair ? pair->value : NULL;
}

bool keyval_at(const struct keyval *pairs, uint32_t i, const char **ret_key, const char **ret_value)
{
    if (i >= pairs->n)
        return false;
    *ret_key = pairs->in_order[i]->key;
    *ret_value = pairs->in_order[i]->value;
    return true;
}

void keyval_take_news(struct keyval *pairs, struct strbuf *out)
{
    for (; pairs->first_new < pairs->n; pairs->first_new++) {
        struct pair *pair = pairs->in_order[pairs->first_new];

        if (!pair->is_new)
            continue;
        strbuf_add(out, pair->key, strlen(pair->key) + 1);
        strbuf_add(out, pair->value, strlen(pair->value) + 1);
        pair->is_new = false;
    }
}

int keyval_merge(struct keyval *pairs, const void *bytes, size_t n)
{
    const char *at = bytes, *end = at + n;

    while (at < end) {
        const char *value = memchr(at, '\0', (size_t)(end - at));
        const char *next = value ? memchr(value + 1, '\0', (size_t)(end - value - 1)) : NULL;
        int rc = next ? put(pairs, at, value + 1, false) : -E_PROTO;

        if (rc < 0)
            return rc;
        at = next + 1;
    }
    return 0;
}
