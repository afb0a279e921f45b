/*
 * dbd_link.h - the controller's connection to its slurmdbd, if slurm.conf names one: it registers,
 * follows the records of accounts that this one owns, tells of its turns, and goes on without it
 * while it is away.
 */
#pragma once

#include <stdint.h>

struct ctld;
struct dbd_link;

struct dbd_link *dbd_link_new(struct ctld *ctld);
struct dbd_link *dbd_link_free(struct dbd_link *link); /* NULL is fine */

/* Goes by the configuration that is in force now. */
void dbd_link_configure(struct dbd_link *link);

/* To be called when more may be committed: turns up to this one are. NULL is fine. */
void dbd_link_go_on(struct dbd_link *link, uint64_t committed);
