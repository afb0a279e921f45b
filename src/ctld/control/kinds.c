/* The rules of all kinds of records that are kept. */
#include "ctld/control/acct/acct.h"
#include "ctld/control/act/kept.h"
#include "ctld/control/load.h"
#include "ctld/control/node/trigger.h"
#include "ctld/control/resv/resv.h"

static void load_node(struct control *control, const void *record)
{
    control_load_node(control, record);
}

/* Nodes are configured, and changed by requests of their own (node/update.c). */
static const struct kept_rules node_rules = { .kind = KEPT_NODE, .load = load_node };

const struct kept_rules *const kept_rules_of_kinds[KEPT_KINDS_N] = {
    &node_rules,     &trigger_rules,    &cluster_rules,     &tres_rules,  &account_rules,
    &user_rules,     &assoc_rules,      &qos_rules,         &wckey_rules, &usage_rules,
    &resource_rules, &federation_rules, &reservation_rules,
};
