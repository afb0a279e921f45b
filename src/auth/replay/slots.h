/*
 * slots.h - the memory of the replay cache: one table, 20 bytes a credential, no pointers.
 *
 * Open addressing by the credential's MAC. The MAC is a keyed hash, so nobody who lacks the
 * cluster's key can choose where his credentials lie; 64 bits of it are kept, by which one
 * credential in some ten million million is taken for another and refused.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct slot {
    uint32_t id[2]; /* the MAC's first bytes */
    uint32_t owner; /* hash of who decoded it */
    uint32_t encoded_at;
    uint16_t ttl;
    uint8_t account; /* who made it, see replay.c */
    bool is_used;
};

struct slots {
    struct slot *at;
    uint32_t size; /* a power of two */
    uint32_t n;    /* used */
};

/* Makes an empty table this large, or moves what there is to it. */
void slots_resize(struct slots *slots, uint32_t size);
void slots_clear(struct slots *slots);

/* Returns the slot of that id, or NULL. */
const struct slot *slots_find(const struct slots *slots, const uint32_t id[2]);

/* Adds a slot, for which there must be room. */
void slots_add(struct slots *slots, const struct slot *slot);

/* Removes the slots that `is_dead` returns true for. */
void slots_sweep(struct slots *slots, bool (*is_dead)(const void *arg, const struct slot *slot),
                 const void *arg);
