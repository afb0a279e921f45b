/* The keys of slurm.conf as parts of its manual page. */
#include "common/conf/keys.h"

#include <string.h>

#include "common/base/alloc.h"
#include "roff.h"
#include "tables.h"

static int find_keys(const char *name, const struct conf_key **ret, struct err *err)
{
    const struct {
        const char *name;
        const struct conf_key *keys;
    } tables[] = {
        { "global", conf_global_keys() },
        { "node", conf_node_keys() },
        { "partition", conf_partition_keys() },
        { "nodeset", conf_nodeset_keys() },
        { "down", conf_down_keys() },
        { "gres", conf_gres_keys() },
        { "switch", conf_switch_keys() },
        { "cgroup", conf_cgroup_keys() },
        { "dbd", conf_dbd_keys() },
        { "container", conf_container_keys() },
    };

    for (size_t i = 0; i < ARRAY_N(tables); i++) {
        if (strcmp(tables[i].name, name) == 0) {
            *ret = tables[i].keys;
            return 0;
        }
    }
    return err_set(err, EINVAL, "'%s' is no table of keys", name);
}

/* What a value looks like, where the words that it may be do not say so. */
static const char *value_of(const struct conf_key *key)
{
    static const char *const names[] = {
        [CONF_TEXT] = "TEXT",
        [CONF_LIST] = "LIST",
        [CONF_USER] = "USER",
        [CONF_YES_NO] = "YES|NO",
        [CONF_ON_OFF] = "1|0",
        [CONF_NUMBER] = "NUMBER",
        [CONF_PERCENT] = "PERCENT",
        [CONF_TIME_LIMIT] = "TIME",
        [CONF_PERIOD] = "TIME",
        [CONF_MB] = "MEGABYTES",
        [CONF_MEM_NODE] = "MEGABYTES",
        [CONF_MEM_CPU] = "MEGABYTES",
        [CONF_LEVEL] = "LEVEL",
        [CONF_CHOICE] = "WORD",
        [CONF_PLUGIN] = "PLUGIN",
        [CONF_FLAGS] = "WORDS",
        [CONF_PORTS] = "PORT[-PORT]",
        [CONF_SHARING] = "NO|EXCLUSIVE|YES[:N]|FORCE[:N]",
        [CONF_HOSTS] = "HOST[(ADDRESS)]",
        [CONF_RECORD] = "NAME",
    };

    return names[key->kind];
}

static bool is_told(const struct conf_key *key)
{
    return key->status == CONF_USED && key->kind != CONF_RUNTIME;
}

/* The text behind "KEY: " in the part of the notes that "[TABLE]" begins; NULL: none. */
static char *find_note(const char *notes, const char *table, const char *key)
{
    AUTO_FREE char *head = xasprintf("[%s]", table);
    const size_t key_n = strlen(key);
    bool inside = false;

    while (*notes) {
        const size_t n = strcspn(notes, "\n");

        if (*notes == '[')
            inside = n == strlen(head) && strncmp(notes, head, n) == 0;
        else if (inside && n > key_n + 2 && strncmp(notes, key, key_n) == 0 &&
                 strncmp(notes + key_n, ": ", 2) == 0)
            return xstrndup(notes + key_n + 2, n - key_n - 2);
        notes += n + (notes[n] == '\n');
    }
    return NULL;
}

/* No line of the notes is about a key that the table does not have, or that has no effect. */
static int check_notes(const char *notes, const char *table, const struct conf_key *keys,
                       struct err *err)
{
    AUTO_FREE char *head = xasprintf("[%s]", table);
    bool inside = false;

    while (*notes) {
        const size_t n = strcspn(notes, "\n");
        AUTO_FREE char *name = xstrndup(notes, strcspn(notes, ":\n"));
        const struct conf_key *key = inside && n > 0 ? conf_key_find(keys, name) : NULL;

        if (*notes == '[')
            inside = n == strlen(head) && strncmp(notes, head, n) == 0;
        else if (inside && n > 0 && (!key || !is_told(key)))
            return err_set(err, EINVAL, "a note about '%s', which is no key with an effect", name);
        notes += n + (notes[n] == '\n');
    }
    return 0;
}

static void add_words(const struct conf_key *key, struct strbuf *out)
{
    const bool is_list =
        key->kind == CONF_CHOICE || key->kind == CONF_PLUGIN || key->kind == CONF_FLAGS;

    if (!is_list || !key->words)
        return;
    strbuf_adds(out, key->kind == CONF_FLAGS ? " Some of:" : " One of:");
    for (const struct conf_word *word = key->words; word->word && *word->word; word++)
        strbuf_addf(out, "%s %s", word == key->words ? "" : ",", word->word);
    strbuf_addc(out, '.');
}

static void add_range(const struct conf_key *key, struct strbuf *out)
{
    if (key->kind != CONF_NUMBER)
        return;
    if (key->max != UINT32_MAX)
        strbuf_addf(out, " From %u to %u.", key->min, key->max);
    else if (key->min > 0)
        strbuf_addf(out, " At least %u.", key->min);
}

static void add_key(const struct conf_key *key, const char *note, struct strbuf *out)
{
    AUTO_FREE char *spec = xasprintf("%s=%s", key->name, value_of(key));
    AUTO(strbuf) struct strbuf text = { 0 };

    strbuf_adds(&text, note);
    add_words(key, &text);
    add_range(key, &text);
    if (key->def && *key->def)
        strbuf_addf(&text, " Default: %s%s%s.", key->def, key->unit ? " " : "",
                    key->unit ? key->unit : "");
    roff_item(out, spec, strbuf_text(&text));
}

int tables_keys(const char *table, const char *notes, struct strbuf *out, struct err *err)
{
    const struct conf_key *keys = NULL;
    int rc = find_keys(table, &keys, err);

    if (rc == 0)
        rc = check_notes(notes, table, keys, err);
    for (const struct conf_key *key = keys; rc == 0 && key->name; key++) {
        AUTO_FREE char *note = is_told(key) ? find_note(notes, table, key->name) : NULL;

        if (note)
            add_key(key, note, out);
        else if (is_told(key))
            rc = err_set(err, ENOENT, "no note says what %s of [%s] means", key->name, table);
    }
    return rc;
}

int tables_keys_idle(const char *table, struct strbuf *out, struct err *err)
{
    const struct conf_key *keys = NULL;
    const char **names = NULL;
    uint32_t n = 0;
    int rc = find_keys(table, &keys, err);

    for (const struct conf_key *key = keys; rc == 0 && key->name; key++) {
        if (key->status == CONF_NO_EFFECT)
            *ARRAY_PUSH(names, n) = key->name;
    }
    roff_names(out, names, n);
    free(names);
    return rc;
}

static int add_old(const char *table, enum conf_status status, struct strbuf *out, struct err *err)
{
    const struct conf_key *keys = NULL;
    int rc = find_keys(table, &keys, err);

    for (const struct conf_key *key = keys; rc == 0 && key->name; key++) {
        if (key->status == status)
            roff_item(out, key->name, key->instead ? key->instead : "");
    }
    return rc;
}

int tables_keys_replaced(const char *table, struct strbuf *out, struct err *err)
{
    return add_old(table, CONF_REPLACED, out, err);
}

int tables_keys_removed(const char *table, struct strbuf *out, struct err *err)
{
    return add_old(table, CONF_REMOVED, out, err);
}
