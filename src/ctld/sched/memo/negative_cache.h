/*
 * negative_cache.h - a negative cache: moments before which a kind of job has no place.
 *
 * A job that is longer finds none earlier either, nor does one that comes later, while nodes only
 * fill up. Each entry says up to where in time that holds and when it was found out, by a number of
 * the caller's that rises when something is given back.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define NEGATIVE_CACHE_MAX 16

/* How many more nodes are needed than could take a part, if no more of them can before `until`. */
struct node_shortage {
    uint32_t nodes; /* 0: not known */
    int64_t until;
};

struct negative_entry {
    int64_t length, until; /* no job of this length or more starts before `until` */
    uint64_t number;
    struct node_shortage shortage;
};

struct negative_cache {
    struct negative_entry entries[NEGATIVE_CACHE_MAX];
    uint32_t n, oldest; /* the one to be replaced next */
};

/* Adds the entry and drops those that say no more than it does. */
void negative_cache_learn(struct negative_cache *cache, const struct negative_entry *entry);

/* Returns what the entries found out at `number` say, or INT64_MIN: nothing. */
int64_t negative_cache_until(const struct negative_cache *cache, int64_t length, uint64_t number);
