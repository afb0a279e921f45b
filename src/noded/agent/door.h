/*
 * door.h - the agent's listening socket at SlurmdPort: reads whom a connection is for, and passes
 * it on.
 *
 * What is for a step goes to root as a bare descriptor, of which only the preface was read, so that
 * the agent never sees a user's streams; the step itself does the handshake. Who has a place on the
 * way there says common/net/gate.h. Who sends garbage, or nothing in time, is cut with a line in
 * the log.
 */
#pragma once

#include "common/net/gate.h"
#include "noded/agent/agent.h"
#include "noded/agent/root.h"

#define DOOR_PREFACE_MS 3000u /* until all of the preface is there */

struct door;

/* Takes somebody for the agent itself: the handshake is to begin. `fd` and place are the
 * callee's. */
typedef void door_node_fn(void *ctx, int fd, struct net_guest *place);

/* Makes the door. A port that is in use is tried again every few seconds. `options` and `root` are
 * borrowed. */
struct door *door_new(struct event_base *base, const struct agent_options *options,
                      struct root *root, door_node_fn *fn, void *ctx);

/* Frees the door. Root must not answer any more, and whom it handed on must have left. NULL is
 * fine. */
struct door *door_free(struct door *door);
