/* load_pair.c - stores the value of one key, and adds a note about it if need be. */
#include <string.h>

#include "common/conf/load.h"
#include "common/conf/value.h"
#include "common/text/words.h"

/* Returns whether a value asks for nothing: "none", "switch/none", or the default. */
static bool asks_for_nothing(const struct conf_key *key, const char *value)
{
    size_t len = strlen(value);

    if (!value[0] || word_is(value, "none") || word_is(value, "(null)"))
        return true;
    if (len > 5 && word_is(value + len - 5, "/none"))
        return true;
    return key->def && word_is(value, key->def);
}

static void note_unknown(struct loader *loader, const struct conf_key *table,
                         const struct conf_pair *pair)
{
    const char *nearest = conf_key_nearest(table, pair->key);

    if (nearest)
        conf_notes_add(loader->notes, CONF_NOTE_UNKNOWN, pair->at,
                       "'%s' is not known and left out; is %s meant?", pair->key, nearest);
    else
        conf_notes_add(loader->notes, CONF_NOTE_UNKNOWN, pair->at, "'%s' is not known and left out",
                       pair->key);
}

/*
 * Returns the value as notes may show it. They end up in logs, which more people may read than the
 * file.
 */
static const char *printable(const struct conf_key *key, const char *value)
{
    size_t len = strlen(key->name);

    return len > 4 && word_is(key->name + len - 4, "Pass") ? "..." : value;
}

static void note_status(struct loader *loader, const struct conf_key *key,
                        const struct conf_pair *pair)
{
    switch (key->status) {
    case CONF_USED:
        break;
    case CONF_NO_EFFECT:
        if (!asks_for_nothing(key, pair->value))
            conf_notes_add(loader->notes, CONF_NOTE_NO_EFFECT, pair->at,
                           "%s=%s has no effect here%s%s", key->name, printable(key, pair->value),
                           key->instead ? ": " : "", key->instead ? key->instead : "");
        break;
    case CONF_REPLACED:
        conf_notes_add(loader->notes, CONF_NOTE_REPLACED, pair->at,
                       "%s is an old key; today it is %s", key->name, key->instead);
        break;
    case CONF_REMOVED:
        conf_notes_add(loader->notes, CONF_NOTE_REMOVED, pair->at,
                       "%s is an old key without effect%s%s", key->name, key->instead ? "; " : "",
                       key->instead ? key->instead : "");
        break;
    }
}

/* Stores a value. A key that nothing acts on may have any. */
static int set_slot(struct loader *loader, const struct conf_key *key, const struct conf_pair *pair,
                    void *slot, struct err *err)
{
    AUTO(strbuf) struct strbuf remark = { 0 };
    struct err why = { 0 };
    int rc = conf_value_set(key, pair->value, slot, &remark, &why);

    if (rc < 0 && key->status == CONF_NO_EFFECT)
        conf_notes_add(loader->notes, CONF_NOTE_VALUE, pair->value_at, "%s; it is left out",
                       why.text);
    else if (rc < 0 && conf_notes_go_on(loader->notes, rc, pair->value_at, &why) < 0)
        return conf_err(err, why.code, pair->value_at, "%s", why.text);
    if (remark.len)
        conf_notes_add(loader->notes, CONF_NOTE_VALUE, pair->value_at, "%s", strbuf_text(&remark));
    return 0;
}

int load_pair(struct loader *loader, const struct conf_key *table, const struct conf_pair *pair,
              void *base, const struct conf_key **ret_key, struct err *err)
{
    const struct conf_key *key = NULL;

    if (pair->value)
        key = conf_key_find(table, pair->key);
    if (ret_key)
        *ret_key = key;
    if (!pair->value) {
        conf_notes_add(loader->notes, CONF_NOTE_UNKNOWN, pair->at,
                       "'%s' is not followed by '=' and left out", pair->key);
        return 0;
    }
    if (!key) {
        note_unknown(loader, table, pair);
        return 0;
    }
    note_status(loader, key, pair);
    if (key->at == CONF_NO_FIELD)
        return 0;
    return set_slot(loader, key, pair, conf_value_slot(key, base), err);
}

int load_pairs(struct loader *loader, const struct conf_key *table, struct conf_pairs pairs,
               void *base, struct err *err)
{
    for (uint32_t i = 0; i < pairs.n; i++) {
        int rc = load_pair(loader, table, &pairs.at[i], base, NULL, err);

        if (rc < 0)
            return rc;
    }
    return 0;
}
