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

/* Borrows all that search_new is given. */
struct search;

struct search *search_new(const struct sched_cluster *cluster, const struct future *future,
                          const struct windows *windows, const struct holders *holders);
struct search *search_free(struct search *search);

/* Forget what was learned of all nodes, or of one, since something became free there. */
void search_forget(struct search *search);
void search_forget_node(struct search *search, uint32_t node);

/*
 * Says whether the tries that follow are for a job that has a place in the plan. If so, a start
 * takes what the plan said, so that those planned behind it keep their places, too.
 */
void search_keep_plan(struct search *search, bool keeps);

/* Comes before the first try for a job of this user. Tries follow at later and later moments, and
 * nothing else in between. */
void search_begin(struct search *search, const struct holder_user *user);

/*
 * Finds out some of what all searches begin with; returns whether nothing is left. A try finds out
 * the rest at once, which takes long where there are many nodes.
 */
bool search_prepare(struct search *search, int64_t now_ms);

/*
 * Looks whether a job of the kind could start at *at, which is now_ms or later. If so, returns the
 * number of its places (owned by the caller, see places_free). If not, returns 0 and in *at the
 * next moment to try, FUTURE_END when there is none; it may be the same one again, when looking at
 * all nodes takes long. The search may go on to later moments by itself: then *at is the moment of
 * the places.
 */
uint32_t search_try(struct search *search, const struct kind *kind, int64_t duration_ms,
                    int64_t now_ms, int64_t *at, struct sched_place **ret_places);

/* Which nodes a job may take: at most `most`, of which at most `others` are not known. */
struct search_bound {
    const struct bitset *allowed; /* NULL: all */
    const struct bitset *known;   /* NULL: all are */
    uint32_t others, most;
};

/*
 * Does what search_try does, for one moment alone and within bounds. Chooses places as a plan does,
 * and learns nothing for other jobs of the kind.
 */
uint32_t search_try_within(struct search *search, const struct kind *kind, int64_t duration_ms,
                           int64_t now_ms, const struct search_bound *bound, int64_t *at,
                           struct sched_place **ret_places);

/* Returns whether any nodes will do for the kind, each for its share, so that the first ones are
 * taken. */
bool search_takes_first(const struct kind *kind);

/* Returns how many nodes were looked at since the last call: what the tries have cost. */
uint32_t search_looks(struct search *search);

/* Returns by how many nodes the last try was short, if it was in vain and at one moment. */
struct node_shortage search_shortage(const struct search *search);
