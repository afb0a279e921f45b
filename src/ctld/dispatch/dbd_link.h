/*
 * dbd_link.h - the controller's connection to its slurmdbd, if slurm.conf names one: it registers,
 * follows the records of accounts that this one owns, tells of its turns, and goes on without it
 * while it is away.
 */
#pragma once

#include <stdint.h>

#include "common/msg/move.h"

struct ctld;
struct dbd_link;

struct dbd_link *dbd_link_new(struct ctld *ctld);
struct dbd_link *dbd_link_free(struct dbd_link *link); /* NULL is fine */

/* Goes by the configuration that is in force now. */
void dbd_link_configure(struct dbd_link *link);

/* Has the cluster's records go to slurmdbd at once, as `keep` says; or takes the history from
 * there. Fails where slurm.conf names none, or it is not there. */
int dbd_link_move(struct dbd_link *link, const struct move_accounting *asked, struct err *err);

/* Fills in how far that is; *ret is initialised. */
void dbd_link_look(const struct dbd_link *link, struct move_status *ret);

/* To be called when more may be committed: turns up to this one are. NULL is fine. */
void dbd_link_go_on(struct dbd_link *link, uint64_t committed);
