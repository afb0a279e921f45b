#include <string.h>
#include <strings.h>

#include "common/base/alloc.h"
#include "common/conf/file.h"
#include "common/conf/keys.h"

const struct conf_key *conf_key_find(const struct conf_key *table, const char *name)
{
    for (const struct conf_key *key = table; key->name; key++)
        if (key->kind != CONF_RUNTIME && strcasecmp(key->name, name) == 0)
            return key;
    return NULL;
}

static int lower(char c)
{
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

static size_t min3(size_t a, size_t b, size_t c)
{
    size_t least = a < b ? a : b;

    return least < c ? least : c;
}

/* Letters to add, drop or change to make one name of the other, whatever their case. */
static size_t edit_distance(const char *a, const char *b)
{
    size_t row[CONF_KEY_MAX + 1];
    size_t n = strlen(b);

    for (size_t j = 0; j <= n; j++)
        row[j] = j;
    for (size_t i = 0; a[i]; i++) {
        size_t diagonal = row[0];

        row[0] = i + 1;
        for (size_t j = 0; j < n; j++) {
            size_t change = diagonal + (lower(a[i]) != lower(b[j]));

            diagonal = row[j + 1];
            row[j + 1] = min3(change, row[j] + 1, diagonal + 1);
        }
    }
    return row[n];
}

const char *conf_key_nearest(const struct conf_key *table, const char *name)
{
    size_t len = strlen(name);
    size_t best = len / 3 + 1; /* a key of which more than a third differs is another key */
    const char *nearest = NULL;

    if (len > CONF_KEY_MAX)
        return NULL;
    for (const struct conf_key *key = table; key->name; key++) {
        if (key->kind == CONF_RUNTIME || key->status == CONF_REMOVED)
            continue;
        size_t distance = edit_distance(name, key->name);

        if (distance < best) {
            best = distance;
            nearest = key->name;
        }
    }
    return nearest;
}
