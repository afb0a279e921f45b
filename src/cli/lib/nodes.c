#include "cli/lib/nodes.h"

#include <string.h>

const struct node_info *nodes_find(const struct records *nodes, const char *name)
{
    for (uint32_t i = 0; i < nodes->n; i++) {
        const struct node_info *info = record_at(nodes, i);

        if (strcmp(info->node->name, name) == 0)
            return info;
    }
    return NULL;
}
