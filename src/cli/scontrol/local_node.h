/*
 * local_node.h - asking the node daemon of a host, and the steps that run there.
 */
#pragma once

#include "cli/lib/sight.h"
#include "cli/scontrol/session.h"

/*
 * Finds the node of that name; NULL: $SLURMD_NODENAME, else the node of this host. Returns NULL
 * when there is none in slurm.conf. The configuration must be loaded.
 */
const struct conf_node *local_node_find(struct scontrol *session, const char *name);

/* Asks the node daemon; its steps come in the order of their numbers. `ret` is to be cleared by
 * sights_clear, also after a failure. */
bool local_node_ask(struct scontrol *session, const struct conf_node *node, struct sight *ret,
                    struct err *err);

/*
 * Asks the node's steps for which `wanted` returns true (NULL: all). *ret_steps is to be cleared
 * and freed. A step that may not be looked at, or has just ended, is left out.
 */
typedef bool step_wanted_fn(const struct node_step *step, const void *ctx);
uint32_t local_node_steps(struct scontrol *session, const struct sight *node,
                          step_wanted_fn *wanted, const void *ctx, struct sight **ret_steps);
