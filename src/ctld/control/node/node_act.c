#include "ctld/control/node/node_act.h"

#include "common/crypt/crypt.h"
#include "ctld/control/act/state.h"
#include "ctld/control/act/turn.h"

void node_act(struct act *act, const struct node *node, enum node_act what, const char *value)
{
    struct order_hook *msg = xmalloc(sizeof(*msg));
    AUTO(node_cred) struct node_cred cred;
    AUTO(strbuf) struct strbuf bytes = { 0 };

    node_cred_init(&cred);
    cred.label = xstrdup(NODE_CRED_LABEL);
    cred.cluster = xstrdup(act->control->model->config.cluster_name);
    cred.incarnation = act->control->incarnation;
    cred.node = xstrdup(node->rec.name);
    cred.boot_id = xstrdup(node->rec.boot_id);
    cred.act = what;
    xstrset(&cred.value, value);
    schema_encode(node_cred_schema(), &cred, &bytes);
    order_hook_init(msg);
    msg->cred = (struct blob){ xmemdup(bytes.data, bytes.len), (uint32_t)bytes.len };
    turn_order(act->turn, node->rec.name, MSG_ORDER_NODE, msg);
}
