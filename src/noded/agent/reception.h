/*
 * reception.h - answers those who came by SlurmdPort for the node itself: scontrol listpids, show
 * slurmd, sluice doctor.
 *
 * Everybody whom authd knows is answered: it is told what runs here, no more than squeue tells.
 * What this host's name service says of users is told to root and SlurmUser.
 */
#pragma once

#include "common/msg/visit.h"
#include "common/net/gate.h"
#include "noded/agent/agent.h"
#include "noded/agent/root.h"

struct reception;

/* Fills *ret, which is initialised, with what only the agent knows: steps, its controller. */
typedef void reception_fill_fn(void *ctx, struct node_sight *ret);

/* Makes the reception; `options` and `root` are borrowed. */
struct reception *reception_new(struct event_base *base, const struct agent_options *options,
                                struct root *root, reception_fill_fn *fill, void *ctx);
struct reception *reception_free(struct reception *reception); /* NULL is fine */

/* Takes somebody who came; owns fd and place, which is left when the guest is gone. */
void reception_take(struct reception *reception, int fd, struct net_guest *place);
