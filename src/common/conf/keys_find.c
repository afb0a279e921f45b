#include <string.h>
#include <strings.h>

#include "common/conf/keys.h"
#include "common/text/words.h"

const struct conf_key *conf_key_find(const struct conf_key *table, const char *name)
{
    for (const struct conf_key *key = table; key->name; key++)
        if (key->kind != CONF_RUNTIME && strcasecmp(key->name, name) == 0)
            return key;
    return NULL;
}

const char *conf_key_nearest(const struct conf_key *table, const char *name)
{
    size_t best = word_distance_max(name) + 1;
    const char *nearest = NULL;

    for (const struct conf_key *key = table; key->name; key++) {
        if (key->kind == CONF_RUNTIME || key->status == CONF_REMOVED)
            continue;
        size_t distance = word_distance(name, key->name);

        if (distance < best) {
            best = distance;
            nearest = key->name;
        }
    }
    return nearest;
}
