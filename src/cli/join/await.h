/*
 * await.h - waiting until the controller has a node that takes jobs.
 */
#pragma once

#include "common/base/err.h"

#define AWAIT_S 60

/*
 * Asks the controller of slurm.conf until the node has registered. Fails with ETIMEDOUT after
 * AWAIT_S, and with the reason when the node is there but is not to have jobs.
 */
int await_node(const char *name, struct err *err);
