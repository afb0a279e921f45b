/*
 * by_key.h - kept records of one kind, found by their keys.
 */
#pragma once

#include "cli/lib/records.h"

/* Owns the keys, not the records. `struct by_key sorted = { 0 };` is empty. */
struct by_key {
    struct keyed *at; /* sorted */
    uint32_t n;
};

struct by_key by_key_make(enum kept_number kind, const struct records *records);
void by_key_clear(struct by_key *sorted);

/* Returns the record of that key, or NULL. */
const void *by_key_find(const struct by_key *sorted, const char *key);
