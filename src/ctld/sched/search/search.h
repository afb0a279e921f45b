/*
 * search.h - the first moment at which a kind of job finds its place.
 *
 * Tries one moment at a time, so that a caller can stop in between, and after a try that found none
 * names the next moment that is worth one.
 */
#pragma once

#include "ctld/sched/future/future.h"
#include "ctld/sched/future/holder.h"
#include "ctld/sched/future/window.h"

/* Borrows all it is given. */
struct search;

struct search *search_new(const struct sched_cluster *cluster, const struct future *future,
                          const struct windows *windows, const struct holders *holders);
struct search *search_free(struct search *search);

/* Something became free, on any node or on one: what was learned is wrong there now. */
void search_forget(struct search *search);
void search_forget_node(struct search *search, uint32_t node);

/*
 * Whether the tries that follow are for a job that has a place in the plan. Then a start takes what
 * the plan said, so that those planned behind it keep their places, too.
 */
void search_keep_plan(struct search *search, bool keeps);

/* Before the first try for a job of this user; tries follow at later and later moments, and nothing
 * between. */
void search_begin(struct search *search, const struct holder_user *user);

/*
 * What all searches begin with is found out, or some of it: false, there is more. A try finds out
 * what is left at once, which takes long where there are many nodes.
 */
bool search_prepare(struct search *search, int64_t now_ms);

/*
 * Could a job of the kind start at *at, which is now_ms or later? If so, returns its places (owned
 * by the caller, see places_free) and their number. If not, 0 and in *at the next moment to try,
 * FUTURE_END when there is none; that may be the same one again, when looking at all nodes takes
 * long. It may go on to later moments by itself: then *at is the moment of the places.
 */
uint32_t search_try(struct search *search, const struct kind *kind, int64_t duration_ms,
                    int64_t now_ms, int64_t *at, struct sched_place **ret_places);

/* Which nodes a job may take: at most so many, and at most so many that are not known. */
struct search_bound {
    const struct bitset *allowed; /* NULL: all */
    const struct bitset *known;   /* NULL: all are */
    uint32_t others, most;
};

/*
 * The same for one moment alone, within bounds; the places are such as a plan takes. Nothing is
 * learned for other jobs of the kind.
 */
uint32_t search_try_within(struct search *search, const struct kind *kind, int64_t duration_ms,
                           int64_t now_ms, const struct search_bound *bound, int64_t *at,
                           struct sched_place **ret_places);

/* Whether any nodes will do for the kind, each for its share, so that the first ones are taken. */
bool search_takes_first(const struct kind *kind);

/* How many nodes were looked at since this was asked last: what the tries have cost. */
uint32_t search_looks(struct search *search);

/* Of the last try, if it was one in vain at one moment: by how many nodes. */
struct node_shortage search_shortage(const struct search *search);
