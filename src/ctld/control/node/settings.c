/*
 * scontrol reconfigure and setdebug nodes=. Nothing of it is in a record of a node: one that was
 * away when all read their configuration again is told so when it registers, because it says then
 * how long ago it last did; a setting for the moment is lost with the node's daemon.
 */
#include "ctld/control/node/settings.h"

#include "common/text/hostlist.h"
#include "ctld/control/act/state.h"
#include "ctld/control/act/turn.h"
#include "ctld/control/node/node_act.h"

void control_nodes_reconfigure(struct act *act)
{
    const struct model *model = act->control->model;

    act->control->reconfigured_ms = act->now.cluster_ms;
    turn_note_number(act->turn, CONTROL_NUMBER_RECONFIGURED, act->now.cluster_ms);
    for (uint32_t i = 0; i < model->nodes_n; i++) {
        if (model->nodes[i].online)
            node_act(act, &model->nodes[i], NODE_ACT_RECONFIGURE, NULL);
    }
}

void node_settings_registered(struct act *act, const struct node *node,
                              const struct node_register *reg)
{
    const int64_t since_ms = act->now.cluster_ms - act->control->reconfigured_ms;

    if (act->control->reconfigured_ms && since_ms >= 0 && reg->conf_age_ms > (uint64_t)since_ms)
        node_act(act, node, NODE_ACT_RECONFIGURE, NULL);
}

int control_nodes_set(struct act *act, const char *names, enum node_act what, const char *value,
                      char **ret_absent, struct err *err)
{
    AUTO(bitset) struct bitset set = { 0 };
    AUTO(hostlist) struct hostlist *absent = hostlist_new();
    int rc = model_node_set(act->control->model, names, &set, err);

    if (rc < 0)
        return rc;
    BITSET_FOREACH (&set, i) {
        const struct node *node = &act->control->model->nodes[i];

        if (node->online)
            node_act(act, node, what, value);
        else
            hostlist_add(absent, node->rec.name);
    }
    *ret_absent = hostlist_count(absent) ? hostlist_format(absent) : NULL;
    return 0;
}
