/*
 * vain.h - moments before which a kind of job was looked for a place in vain.
 *
 * A job that is longer finds none earlier either, nor does one that comes later, while nodes only
 * fill up. Each entry says up to where in time that holds and when it was found out, by a number of
 * the caller's that rises when something is given back.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define VAIN_MAX 16

/* So many more nodes are needed than could take a part, if no more can before `until`. */
struct vain_shortage {
    uint32_t nodes; /* 0: not known */
    int64_t until;
};

struct vain_entry {
    int64_t length, until; /* no job of this length or more starts before `until` */
    uint64_t number;
    struct vain_shortage shortage;
};

struct vain {
    struct vain_entry entries[VAIN_MAX];
    uint32_t n, oldest; /* the one to be replaced next */
};

/* Entries that say no more than the new one go. */
void vain_learn(struct vain *vain, const struct vain_entry *entry);

/* What those that were found out at `number` say; INT64_MIN: nothing. */
int64_t vain_until(const struct vain *vain, int64_t length, uint64_t number);
