/*
 * Which nodes the planner counts on. One that does not answer is given nothing, but until it is
 * taken for down it is awaited: a controller that starts anew, or a network that is away for a
 * moment, must not let jobs go by what was promised to one before them.
 */
#include "ctld/control/feed/presence.h"

#include "ctld/control/act/state.h"
#include "ctld/control/act/timers.h"
#include "ctld/control/feed/feed.h"
#include "ctld/control/resv/resv.h"
#define ABSENT_ID (PLAN_RESV_NOWHERE - 1) /* no reservation of users has it */

/* True if the node is awaited. Without SlurmdTimeout none is, for nobody knows for how long. */
static bool is_awaited(const struct control *control, const struct node *node)
{
    return !node->online && node_takes_work(node) && control->model->config.slurmd_timeout_s;
}

static bool note(struct bitset *set, uint32_t node, bool is_in)
{
    if (bitset_has(set, node) == is_in)
        return false;
    if (is_in)
        bitset_add(set, node);
    else
        bitset_del(set, node);
    return true;
}

/* Awaits the node until it is taken for down. All that are awaited are so for as long as the last
 * one, and never only up to now: such a node will be down any moment. */
static void await(struct act *act, const struct node *node)
{
    const int64_t timeout_ms = act->control->model->config.slurmd_timeout_s * INT64_C(1000);
    const int64_t until_ms = node->seen_ms + timeout_ms;

    if (until_ms > act->control->absent_ms)
        act->control->absent_ms = until_ms;
    if (act->control->absent_ms <= act->now.cluster_ms)
        act->control->absent_ms = act->now.cluster_ms + 1000;
}

struct plan_reservation feed_absence(const struct control *control, struct plan_span *span)
{
    *span = (struct plan_span){ INT64_MIN, control->absent_ms };
    return (struct plan_reservation){
        .id = ABSENT_ID,
        .flags = PLAN_RESV_ABSENT,
        .spans = span,
        .spans_n = !bitset_is_empty(&control->told_absent),
        .nodes = control->told_absent,
    };
}

void feed_fill_presence(struct act *act, struct plan_node *nodes)
{
    act->control->absent_ms = 0;
    for (uint32_t i = 0; i < act->control->model->nodes_n; i++) {
        const struct node *node = &act->control->model->nodes[i];
        const bool awaited = is_awaited(act->control, node);

        nodes[i].usable = awaited || node_is_usable(node);
        note(&act->control->told_usable, i, nodes[i].usable);
        note(&act->control->told_absent, i, awaited);
        if (awaited)
            await(act, node);
    }
}

static void tell_absence(struct act *act)
{
    struct plan_span span;
    const struct plan_reservation absence = feed_absence(act->control, &span);

    feed_apply(act, &(struct plan_change){ .kind = PLAN_RESERVATION, .reservation = &absence });
}

/* A node of a reservation may have to be replaced, or be there to replace one. */
static void look_at_reservations(struct act *act)
{
    if (!resv_any(act->control))
        return;
    act->control->resv_look_ms = 0;
    control_wake_at(act->control, act->now.cluster_ms);
}

void feed_node(struct act *act, const struct node *node)
{
    const bool awaited = is_awaited(act->control, node);
    const bool usable = awaited || node_is_usable(node);

    if (note(&act->control->told_absent, node->index, awaited)) {
        if (awaited)
            await(act, node);
        tell_absence(act);
    }
    if (!note(&act->control->told_usable, node->index, usable))
        return;
    feed_apply(act, &(struct plan_change){
                        .kind = PLAN_NODE_USABLE, .node = node->index, .usable = usable });
    look_at_reservations(act);
}
