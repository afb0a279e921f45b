#include "ctld/sched/choose.h"

bool choose_wants_all(const struct sched_cluster *cluster, const struct kind *kind)
{
    (void)cluster;
    (void)kind;
    return false;
}

uint32_t choose_nodes(const struct sched_cluster *cluster, const struct kind *kind,
                      const struct pick_node *nodes, const struct supply *free, uint32_t n,
                      struct pick_node *ret_nodes)
{
    const struct pick_rule rule = kind_rule(kind);

    (void)cluster;
    (void)free;
    return pick_nodes(&rule, nodes, n, ret_nodes);
}
