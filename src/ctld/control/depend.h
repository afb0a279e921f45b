/*
 * depend.h - who waits for whom: an index of the waiting jobs by what they wait for.
 *
 * It follows from the records, and is made again from them at a start. What somebody waits for is a
 * job, an array, or (singleton) that no other job of the name is left.
 */
#pragma once

#include "ctld/model/model.h"

struct depend_target;

/* All zero is empty. */
struct depend {
    struct depend_target *targets; /* uthash by id */
    uint32_t *changed;             /* jobs that others have not been told of yet */
    uint32_t changed_n;
    bool is_telling;
};

void depend_clear(struct depend *depend);

/* The job waits for what its record says. */
void depend_watch(struct depend *depend, struct job *job);

/* Ids of the jobs that wait for this one, or for its array or name; the caller frees. */
uint32_t *depend_waiting(struct depend *depend, const struct model *model, const struct job *target,
                         uint32_t *ret_n);

/* The number under which others wait for it: its array's, or its own. */
uint32_t depend_id(const struct job *job);
