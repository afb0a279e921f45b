#include "ctld/sched/future/nodecount.h"

#include "ctld/sched/future/future.h"

void nodecount_init(struct nodecount *count, uint64_t total)
{
    *count = (struct nodecount){ 0 };
    tally_init(&count->held, total);
    tally_init(&count->closed, total);
}

static void drop_node(struct nodecount *count, struct counted_node *node)
{
    HASH_DEL(count->nodes, node);
    tally_clear(&node->jobs);
    tally_clear(&node->wholes);
    free(node);
}

static void drop_nodes(struct nodecount *count)
{
    struct counted_node *node, *next;

    HASH_ITER (hh, count->nodes, node, next)
        drop_node(count, node);
}

void nodecount_clear(struct nodecount *count)
{
    drop_nodes(count);
    tally_clear(&count->held);
    tally_clear(&count->closed);
    *count = (struct nodecount){ 0 };
}

void nodecount_reset(struct nodecount *count)
{
    drop_nodes(count);
    tally_reset(&count->held);
    tally_reset(&count->closed);
    count->running_n = count->running_closed_n = 0;
}

void nodecount_set_total(struct nodecount *count, uint64_t total)
{
    count->held.total = count->closed.total = total;
}

/* ---- holding nodes ---- */

static struct counted_node *get_node(struct nodecount *count, uint32_t number)
{
    struct counted_node *node;

    HASH_FIND_INT(count->nodes, &number, node);
    if (node)
        return node;
    node = xcalloc(1, sizeof(*node));
    node->node = number;
    tally_init(&node->jobs, 0);
    tally_init(&node->wholes, 0);
    HASH_ADD_INT(count->nodes, node, node);
    return node;
}

/* Takes one from `all` for those times at which nobody else has the node. */
static void take_once(struct tally *of_node, struct tally *all, const struct node_hold *hold)
{
    for (int64_t from = hold->from; from < hold->to;) {
        const int64_t to = tally_change_after(of_node, from, hold->to);

        if (tally_taken(of_node, from) == 0)
            tally_take(all, from, to, 1);
        from = to;
    }
    tally_take(of_node, hold->from, hold->to, 1);
}

static void give_once(struct tally *of_node, struct tally *all, const struct node_hold *hold)
{
    tally_give(of_node, hold->from, hold->to, 1);
    for (int64_t from = hold->from; from < hold->to;) {
        const int64_t to = tally_change_after(of_node, from, hold->to);

        if (tally_taken(of_node, from) == 0)
            tally_give(all, from, to, 1);
        from = to;
    }
}

void nodecount_take(struct nodecount *count, const struct node_hold *hold)
{
    struct counted_node *node = get_node(count, hold->node);

    take_once(&node->jobs, &count->held, hold);
    if (hold->whole)
        take_once(&node->wholes, &count->closed, hold);
    if (!hold->runs)
        return;
    count->running_n += node->running++ == 0;
    if (hold->whole)
        count->running_closed_n += node->running_wholes++ == 0;
}

void nodecount_give(struct nodecount *count, const struct node_hold *hold)
{
    struct counted_node *node = get_node(count, hold->node);

    give_once(&node->jobs, &count->held, hold);
    if (hold->whole)
        give_once(&node->wholes, &count->closed, hold);
    if (hold->runs) {
        count->running_n -= --node->running == 0;
        if (hold->whole)
            count->running_closed_n -= --node->running_wholes == 0;
    }
    if (node->jobs.n == 1)
        drop_node(count, node);
}

/* ---- how many are left ---- */

/* A job that shares needs a place beside others, or a node that is not closed. So two things must
 * hold: closed nodes and those that it asks for are within the total, and so are all held nodes. */
int64_t nodecount_ready(const struct nodecount *count, int64_t from, int64_t length, uint64_t nodes,
                        bool whole)
{
    int64_t before;

    if (whole)
        return tally_ready(&count->held, from, length, nodes);
    do {
        before = from;
        from = tally_ready(&count->held, from, length, 0);
        if (from < FUTURE_END)
            from = tally_ready(&count->closed, from, length, nodes);
    } while (from != before && from < FUTURE_END);
    return from;
}

bool nodecount_is_ready(const struct nodecount *count, int64_t from, int64_t length, uint64_t nodes,
                        bool whole)
{
    if (whole)
        return tally_is_ready(&count->held, from, length, nodes);
    return tally_is_ready(&count->held, from, length, 0) &&
           tally_is_ready(&count->closed, from, length, nodes);
}

int64_t nodecount_until(const struct nodecount *count, int64_t from, uint64_t nodes, bool whole)
{
    const int64_t held = tally_until(&count->held, from, whole ? nodes : 0);
    const int64_t closed = whole ? held : tally_until(&count->closed, from, nodes);

    return held < closed ? held : closed;
}

uint64_t nodecount_left(const struct nodecount *count, int64_t from, int64_t to)
{
    const uint64_t most = tally_most(&count->held, from, to);

    return most < count->held.total ? count->held.total - most : 0;
}

static bool is_free(const struct nodecount *count, const struct counted_node *node, int64_t from,
                    int64_t to, uint64_t most)
{
    while (from < to) {
        const int64_t next = tally_change_after(&node->jobs, from, to);

        if (tally_taken(&node->jobs, from) == 0 && nodecount_left(count, from, next) < most)
            return false;
        from = next;
    }
    return true;
}

void nodecount_keep_free(const struct nodecount *count, int64_t from, int64_t to, uint64_t most,
                         struct bitset *nodes)
{
    BITSET_FOREACH (nodes, number) {
        const uint32_t key = (uint32_t)number;
        const struct counted_node *node;

        HASH_FIND_INT(count->nodes, &key, node);
        if (!node || !is_free(count, node, from, to, most))
            bitset_del(nodes, key);
    }
}

int64_t nodecount_next(const struct nodecount *count, int64_t at)
{
    int64_t next = tally_change_after(&count->held, at, FUTURE_END);

    for (const struct counted_node *node = count->nodes; node; node = node->hh.next)
        next = tally_change_after(&node->jobs, at, next);
    return next;
}
