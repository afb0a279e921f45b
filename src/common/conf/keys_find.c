#include <string.h>
#include <strings.h>

#include "common/conf/keys.h"
#include "common/text/words.h"

#define CASE_BIT 0x20 /* in which a letter and its capital differ */

/*
 * Compares a name. Commands look up each key of the file in hundreds of rows, most of which differ
 * in the first letter.
 */
static bool is_named(const struct conf_key *key, const char *name)
{
    return ((key->name[0] ^ name[0]) & ~CASE_BIT) == 0 && strcasecmp(key->name, name) == 0;
}

const struct conf_key *conf_key_find(const struct conf_key *table, const char *name)
{
    for (const struct conf_key *key = table; key->name; key++)
        if (key->kind != CONF_RUNTIME && is_named(key, name))
            return key;
    return NULL;
}

const char *conf_key_nearest(const struct conf_key *table, const char *name)
{
    struct word_search search = word_search_begin(name);

    for (const struct conf_key *key = table; key->name; key++) {
        if (key->kind != CONF_RUNTIME && key->status != CONF_REMOVED)
            word_search_offer(&search, key->name);
    }
    return search.nearest;
}
