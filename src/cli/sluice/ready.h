/*
 * ready.h - which nodes of a cluster take jobs.
 */
#pragma once

#include "cli/sluice/cluster.h"
#include "common/base/strbuf.h"
#include "common/client/client.h"

struct nodes_ready {
    uint32_t n;            /* take jobs */
    struct strbuf drained; /* a line for each node that an operator keeps from jobs */
    struct strbuf lost;    /* likewise for nodes that are down, or have not registered */
};

void nodes_ready_clear(struct nodes_ready *ready);

/* Reads the nodes and appends them to *ret, which is empty. */
int nodes_ready_read(struct client *client, struct nodes_ready *ret, struct err *err);

/* True while the controller knows nothing of the node yet. */
struct node_info;
bool node_is_awaited(const struct node_info *node);
