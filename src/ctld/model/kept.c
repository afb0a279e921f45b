#include "ctld/model/kept.h"

#include <string.h>

struct kept_entry {
    char *key;
    void *record;
    uint64_t serial;
    UT_hash_handle hh;
};

struct kept_group {
    char *name;
    void **records;
    uint32_t n; /* at least one */
    UT_hash_handle hh;
};

void kept_init(struct kept_table *table, const struct kept_kind *kind, size_t room,
               void (*release)(void *record))
{
    *table = (struct kept_table){ .kind = kind,
                                  .room = room ? room : kind->schema()->size,
                                  .release = release };
}

void *kept_new(const struct kept_table *table)
{
    void *record = xcalloc(1, table->room);

    schema_init(table->kind->schema(), record);
    return record;
}

void *kept_free(const struct kept_table *table, void *record)
{
    if (record && table->release)
        table->release(record);
    if (record)
        schema_clear(table->kind->schema(), record);
    free(record);
    return NULL;
}

static struct kept_entry *find_entry(const struct kept_table *table, const char *key)
{
    struct kept_entry *entry;

    HASH_FIND_STR(table->by_key, key, entry);
    return entry;
}

void *kept_find(const struct kept_table *table, const char *key)
{
    const struct kept_entry *entry = find_entry(table, key);

    return entry ? entry->record : NULL;
}

/* ---- groups ---- */

static struct kept_group *find_group(const struct kept_table *table, const char *name)
{
    struct kept_group *group;

    HASH_FIND_STR(table->groups, name, group);
    return group;
}

void *const *kept_in_group(const struct kept_table *table, const char *name, uint32_t *ret_n)
{
    const struct kept_group *group = find_group(table, name);

    *ret_n = group ? group->n : 0;
    return group ? group->records : NULL;
}

static void enter_group(struct kept_table *table, void *record)
{
    const char *name = table->group_of ? table->group_of(record) : NULL;
    struct kept_group *group = name ? find_group(table, name) : NULL;

    if (!name)
        return;
    if (!group) {
        group = xcalloc(1, sizeof(*group));
        group->name = xstrdup(name);
        HASH_ADD_KEYPTR(hh, table->groups, group->name, strlen(group->name), group);
    }
    *ARRAY_PUSH(group->records, group->n) = record;
}

static void drop_group(struct kept_table *table, struct kept_group *group)
{
    HASH_DEL(table->groups, group);
    free(group->name);
    free(group->records);
    free(group);
}

static void leave_group(struct kept_table *table, const void *record)
{
    const char *name = table->group_of ? table->group_of(record) : NULL;
    struct kept_group *group = name ? find_group(table, name) : NULL;
    uint32_t at = 0;

    if (!group)
        return;
    while (group->records[at] != record)
        at++;
    group->records[at] = group->records[--group->n];
    if (group->n == 0)
        drop_group(table, group);
}

/* ---- records ---- */

/* Returns the position of the first record that arrived after this number. */
static uint32_t position_after(const struct kept_table *table, uint64_t serial)
{
    uint32_t low = 0, high = table->n;

    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;

        if (table->in_order[middle]->serial > serial)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

void kept_put_back(struct kept_table *table, void *record, uint64_t serial)
{
    struct kept_entry *entry = xcalloc(1, sizeof(*entry));
    const uint32_t at = position_after(table, serial);

    entry->key = kept_key(table->kind, record);
    entry->record = record;
    entry->serial = serial;
    HASH_ADD_KEYPTR(hh, table->by_key, entry->key, strlen(entry->key), entry);
    (void)*ARRAY_PUSH(table->in_order, table->n);
    memmove(&table->in_order[at + 1], &table->in_order[at],
            (table->n - 1 - at) * sizeof(struct kept_entry *));
    table->in_order[at] = entry;
    enter_group(table, record);
}

void kept_add(struct kept_table *table, void *record)
{
    kept_put_back(table, record, ++table->last_serial);
}

void *kept_take(struct kept_table *table, const char *key, uint64_t *ret_serial)
{
    struct kept_entry *entry = find_entry(table, key);
    const uint32_t at = position_after(table, entry->serial - 1);
    void *record = entry->record;

    leave_group(table, record);
    HASH_DEL(table->by_key, entry);
    table->n--;
    if (ret_serial)
        *ret_serial = entry->serial;
    memmove(&table->in_order[at], &table->in_order[at + 1],
            (table->n - at) * sizeof(struct kept_entry *));
    free(entry->key);
    free(entry);
    return record;
}

void *kept_next(const struct kept_table *table, uint64_t *serial)
{
    const uint32_t at = position_after(table, *serial);

    if (at == table->n)
        return NULL;
    *serial = table->in_order[at]->serial;
    return table->in_order[at]->record;
}

void kept_clear(struct kept_table *table)
{
    struct kept_entry *entry, *next;
    struct kept_group *group, *next_group;

    HASH_ITER (hh, table->groups, group, next_group)
        drop_group(table, group);
    HASH_ITER (hh, table->by_key, entry, next) {
        HASH_DEL(table->by_key, entry);
        kept_free(table, entry->record);
        free(entry->key);
        free(entry);
    }
    free(table->in_order);
    table->in_order = NULL;
    table->n = 0;
}
