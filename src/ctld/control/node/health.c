/* HealthCheckProgram: which nodes are told to run it, and when. */
#include "ctld/control/node/health.h"

#include "ctld/control/act/state.h"
#include "ctld/control/act/timers.h"
#include "ctld/control/node/node_act.h"
static bool is_wanted(const struct model_config *config, const struct node *node)
{
    const uint32_t wanted = config->health_states;
    uint32_t state, flags;

    if (!node->online || !(node->hooks & NODE_HAS_HEALTH) || (wanted & HEALTH_START_ONLY))
        return false;
    if ((wanted & HEALTH_ANY) || !(wanted & HEALTH_STATES))
        return true; /* CYCLE alone is about when */
    node_display_state(node, &state, &flags);
    switch (state) {
    case NODE_IDLE:
        return (wanted & HEALTH_IDLE) ||
               ((wanted & HEALTH_NONDRAINED_IDLE) && !(flags & NODE_FLAG_DRAIN));
    case NODE_ALLOCATED:
        return wanted & HEALTH_ALLOC;
    case NODE_MIXED:
        return wanted & HEALTH_MIXED;
    default:
        return false;
    }
}

/* Returns how many of all nodes have had their turn by now in this round. */
static uint32_t due(const struct control *control, struct moment now, int64_t interval_ms)
{
    const uint32_t n = control->model->nodes_n;
    const int64_t gone_ms = now.cluster_ms - control->health_ms;

    if (!(control->model->config.health_states & HEALTH_CYCLE) || gone_ms >= interval_ms)
        return n;
    return (uint32_t)(gone_ms * n / interval_ms) + 1;
}

static int64_t next_ms(const struct control *control, int64_t interval_ms)
{
    const uint32_t n = control->model->nodes_n;

    if (control->health_n >= n)
        return control->health_ms + interval_ms;
    return control->health_ms + (control->health_n * interval_ms + n - 1) / n;
}

void health_tick(struct act *act)
{
    const struct model_config *config = &act->control->model->config;
    const int64_t interval_ms = config->health_interval_s * INT64_C(1000);
    uint32_t last;

    if (interval_ms == 0 || act->control->model->nodes_n == 0)
        return;
    if (act->control->health_ms == 0) { /* nodes that have just started did it by themselves */
        act->control->health_ms = act->now.cluster_ms;
        act->control->health_n = act->control->model->nodes_n;
    }
    if (act->now.cluster_ms >= act->control->health_ms + interval_ms) {
        act->control->health_ms = act->now.cluster_ms;
        act->control->health_n = 0;
    }
    for (last = due(act->control, act->now, interval_ms); act->control->health_n < last;
         act->control->health_n++) {
        const struct node *node = &act->control->model->nodes[act->control->health_n];

        if (is_wanted(config, node))
            node_act(act, node, NODE_ACT_HEALTH, NULL);
    }
    control_wake_at(act->control, next_ms(act->control, interval_ms));
}

void health_at_start(struct act *act, const struct node *node)
{
    if (node->hooks & NODE_HAS_HEALTH)
        node_act(act, node, NODE_ACT_HEALTH, NULL);
}
