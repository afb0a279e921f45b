/*
 * dbd_tell.h - tells slurmdbd of committed turns, each once and in order: a copy of all that was
 * first, then the store's log. One page is under way at a time; the next goes when slurmdbd has it
 * on its disk.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/msg/move.h"

struct ctld;
struct rpc_session;
struct dbd_tell;

struct dbd_tell *dbd_tell_new(struct ctld *ctld);
struct dbd_tell *dbd_tell_free(struct dbd_tell *tell); /* NULL is fine */

/* Begins on a session whose slurmdbd has all turns up to `applied`, 0: none. */
void dbd_tell_begin(struct dbd_tell *tell, struct rpc_session *session, uint64_t applied);

/* slurmdbd has a history of the cluster that this controller does not know: it is told of nothing,
 * or it would have two in one. */
void dbd_tell_hold(struct dbd_tell *tell);

/* Fills in how far it is: phase, numbers, and what is wrong. */
void dbd_tell_look(const struct dbd_tell *tell, struct move_status *ret);

/* The session is gone. */
void dbd_tell_stop(struct dbd_tell *tell);

/* Forgets the log: there is no slurmdbd to tell. */
void dbd_tell_nobody(struct dbd_tell *tell);

/* slurmdbd has the turn on its disk, or that piece of the copy (0). */
void dbd_tell_applied(struct dbd_tell *tell, uint64_t turn);

/* To be called when more may be committed: turns up to this one are. */
void dbd_tell_go_on(struct dbd_tell *tell, uint64_t committed);
