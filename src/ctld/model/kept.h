/*
 * kept.h - the records of one kind that the controller has in memory, by key and in order of
 * arrival. Owns them.
 */
#pragma once

#include <uthash.h>

#include "common/msg/kept.h"

struct kept_entry;
struct kept_group;

struct kept_table {
    const struct kept_kind *kind;
    size_t room;                   /* of one in memory: the schema's struct comes first */
    void (*release)(void *record); /* what is kept behind the schema's struct; NULL: nothing */
    /* Returns the group that the record is in, which does not change as long as its key does not;
     * NULL: the record is in none. NULL itself: there are no groups. */
    const char *(*group_of)(const void *record);
    struct kept_entry *by_key;    /* uthash */
    struct kept_group *groups;    /* uthash */
    struct kept_entry **in_order; /* rising serials */
    uint32_t n;
    uint64_t last_serial;
    uint32_t last_number; /* that was given, where the controller gives them */
};

/* Begins a table. `room` 0: a record takes as much as the schema's struct. */
void kept_init(struct kept_table *table, const struct kept_kind *kind, size_t room,
               void (*release)(void *record));
void kept_clear(struct kept_table *table);

/* Returns an empty record that is in no table yet: for kept_add, or kept_free. */
void *kept_new(const struct kept_table *table);
void *kept_free(const struct kept_table *table, void *record);

/* Returns the record of that key, or NULL. */
void *kept_find(const struct kept_table *table, const char *key);

/* Returns the records of the group, in no order; *ret_n of them, until one comes or goes. */
void *const *kept_in_group(const struct kept_table *table, const char *group, uint32_t *ret_n);

/* Takes the record over; its key is not in the table yet. */
void kept_add(struct kept_table *table, void *record);

/* Takes the record out: it is the caller's. The key must be there. ret_serial may be NULL. */
void *kept_take(struct kept_table *table, const char *key, uint64_t *ret_serial);

/* Adds a record at the place in order that it was taken from. */
void kept_put_back(struct kept_table *table, void *record, uint64_t serial);

/* Returns the first record that arrived after number *serial, which becomes its own; 0 is before
 * all. NULL: there are no more. Records may come and go between two calls. */
void *kept_next(const struct kept_table *table, uint64_t *serial);
