/*
 * scontrol reconfigure and setdebug nodes=. Nothing of it is in a record of a node: one that was
 * away when all read their configuration again is told so when it registers, because it says then
 * how long ago it last did; a setting for the moment is lost with the node's daemon.
 */
#include "common/text/hostlist.h"
#include "ctld/control/node_act.h"

void control_nodes_reconfigure(struct control *control, struct moment now, struct turn *turn)
{
    const struct model *model = control->model;

    control->reconfigured_ms = now.cluster_ms;
    turn_note_number(turn, CONTROL_NUMBER_RECONFIGURED, now.cluster_ms);
    for (uint32_t i = 0; i < model->nodes_n; i++) {
        if (model->nodes[i].online)
            node_act(control, &model->nodes[i], NODE_ACT_RECONFIGURE, NULL, turn);
    }
}

void node_settings_registered(const struct control *control, struct moment now,
                              const struct node *node, const struct node_register *reg,
                              struct turn *turn)
{
    const int64_t since_ms = now.cluster_ms - control->reconfigured_ms;

    if (control->reconfigured_ms && since_ms >= 0 && reg->conf_age_ms > (uint64_t)since_ms)
        node_act(control, node, NODE_ACT_RECONFIGURE, NULL, turn);
}

int control_nodes_set(struct control *control, const char *names, enum node_act act,
                      const char *value, struct turn *turn, char **ret_absent, struct err *err)
{
    AUTO(bitset) struct bitset set = { 0 };
    AUTO(hostlist) struct hostlist *absent = hostlist_new();
    int rc = model_node_set(control->model, names, &set, err);

    if (rc < 0)
        return rc;
    BITSET_FOREACH (&set, i) {
        const struct node *node = &control->model->nodes[i];

        if (node->online)
            node_act(control, node, act, value, turn);
        else
            hostlist_add(absent, node->rec.name);
    }
    *ret_absent = hostlist_count(absent) ? hostlist_format(absent) : NULL;
    return 0;
}
