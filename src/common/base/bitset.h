/*
 * bitset.h - a set of small numbers (nodes, cores) of fixed size.
 *
 * Sets that meet in one operation must have the same size. Owns its words.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/base/alloc.h"

struct bitset {
    uint32_t size; /* members are 0 .. size-1 */
    uint64_t *words;
};

void bitset_init(struct bitset *set, uint32_t size);            /* empty set */
void bitset_clear(struct bitset *set);                          /* releases; size becomes 0 */
void bitset_copy(struct bitset *to, const struct bitset *from); /* `to` is cleared first */
void bitset_auto_(struct bitset *set);

void bitset_add(struct bitset *set, uint32_t member);
void bitset_del(struct bitset *set, uint32_t member);
bool bitset_has(const struct bitset *set, uint32_t member);
void bitset_fill(struct bitset *set);  /* every member */
void bitset_empty(struct bitset *set); /* no member, size kept */

uint32_t bitset_count(const struct bitset *set);
bool bitset_is_empty(const struct bitset *set);
bool bitset_equal(const struct bitset *a, const struct bitset *b);
bool bitset_meets(const struct bitset *a, const struct bitset *b);    /* a member in common */
bool bitset_contains(const struct bitset *a, const struct bitset *b); /* b is a part of a */

void bitset_and(struct bitset *set, const struct bitset *other);
void bitset_or(struct bitset *set, const struct bitset *other);
void bitset_minus(struct bitset *set, const struct bitset *other);

/* Returns the first member that is >= `from`, or -1. */
int64_t bitset_next(const struct bitset *set, uint32_t from);

/* `BITSET_FOREACH (set, i)` runs i (int64_t) over the members in rising order. */
#define BITSET_FOREACH(set, i)                                                                     \
    for (int64_t i = bitset_next((set), 0); i >= 0; i = bitset_next((set), (uint32_t)i + 1))
