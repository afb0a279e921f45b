#include "cli/sluice/ready.h"

#include "common/msg/node.h"
#include "common/msg/types.h"

void nodes_ready_clear(struct nodes_ready *ready)
{
    strbuf_clear(&ready->drained);
    strbuf_clear(&ready->lost);
}

bool node_is_awaited(const struct node_info *node)
{
    return node->state == NODE_UNKNOWN || (node->flags & NODE_FLAG_NO_RESPOND);
}

static void add_line(struct strbuf *out, const struct node_info *node, const char *what)
{
    strbuf_addf(out, "%s%s %s", out->len ? "\n" : "", node->node->name, what);
    if (node->node->reason && *node->node->reason)
        strbuf_addf(out, ": %s", node->node->reason);
}

static int note_node(uint32_t type, const struct rpc_frame *frame, void *ctx)
{
    AUTO(node_info) struct node_info node;
    struct nodes_ready *ready = ctx;
    int rc;

    if (type != MSG_NODE_INFO)
        return 0;
    rc = rpc_decode(frame, node_info_schema(), &node, NULL);
    if (rc < 0 || node.state == NODE_FUTURE)
        return rc;
    if (node_is_awaited(&node))
        add_line(&ready->lost, &node, "has not registered");
    else if (node.flags & NODE_FLAG_INVALID)
        add_line(&ready->lost, &node, "has less than configured");
    else if (node.state == NODE_DOWN)
        add_line(&ready->lost, &node, "is down");
    else if (node.flags & NODE_FLAG_DRAIN)
        add_line(&ready->drained, &node, "is drained");
    else
        ready->n++;
    return 0;
}

int nodes_ready_read(struct client *client, struct nodes_ready *ret, struct err *err)
{
    return client_stream(client, MSG_NODE_LIST, NULL, note_node, ret, err);
}
