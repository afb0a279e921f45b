#include "cli/join/await.h"

#include <time.h>

#include "cli/lib/cli.h"
#include "common/base/clock.h"
#include "common/msg/node.h"
#include "common/msg/types.h"

#define PAUSE_MS 50

static int take_node(uint32_t type, const struct rpc_frame *frame, void *ctx)
{
    return type == MSG_NODE_INFO ? rpc_decode(frame, node_info_schema(), ctx, NULL) : 0;
}

static int look(struct client *client, const char *name, struct node_info *ret_node,
                struct err *err)
{
    struct node_list list = { .names = (char *)(uintptr_t)name };

    node_info_clear(ret_node);
    return client_stream(client, MSG_NODE_LIST, &list, take_node, ret_node, err);
}

static bool has_registered(const struct node_info *node)
{
    return node->node && node->state != NODE_UNKNOWN && !(node->flags & NODE_FLAG_NO_RESPOND);
}

int await_node(const char *name, struct err *err)
{
    int64_t until_ms = clock_mono_ms() + AWAIT_S * 1000;
    struct cli cli = { 0 };
    AUTO(node_info) struct node_info node;
    int rc = cli_open(&cli, RPC_ROLE_CLIENT, err);

    node_info_init(&node);
    while (rc == 0 && (rc = look(cli.client, name, &node, err)) == 0 && !has_registered(&node)) {
        if (clock_mono_ms() >= until_ms)
            rc = err_set(err, ETIMEDOUT,
                         "node %s has not come to the controller in %d s; its slurmd.log says why",
                         name, AWAIT_S);
        nanosleep(&(struct timespec){ .tv_nsec = PAUSE_MS * 1000000L }, NULL);
    }
    cli_close(&cli);
    if (rc < 0)
        return rc;
    if (node.state == NODE_DOWN || (node.flags & (NODE_FLAG_DRAIN | NODE_FLAG_INVALID)))
        return err_set(err, EINVAL, "node %s is there, but takes no jobs: %s", name,
                       node.node->reason ? node.node->reason : "no reason is told");
    return 0;
}
