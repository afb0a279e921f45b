#include "ctld/control/acct/fair.h"

#include "ctld/control/acct/usage.h"
#include "ctld/control/act/state.h"

struct fair {
    uint64_t version;          /* of the tree when it was computed; 0: never */
    struct fair_share *shares; /* by the ids of associations */
    uint32_t assoc_priority_max, qos_priority_max;
};

/* The tree as the arithmetic wants it. */
struct gathered {
    struct fair_node *nodes;
    uint32_t *ids; /* of each node: its association's */
    uint32_t n;
    uint32_t *places; /* by ids: the node's */
    uint32_t places_n;
};

struct fair *fair_new(void)
{
    return xcalloc(1, sizeof(struct fair));
}

struct fair *fair_free(struct fair *fair)
{
    free(fair->shares);
    free(fair);
    return NULL;
}

uint32_t fair_own_shares(const struct assoc_record *rec)
{
    if (rec->shares == COUNT_UNSET)
        return SHARES_DEFAULT;
    return rec->shares == SHARES_PARENT ? FAIR_PARENT : rec->shares;
}

/* Adds the association and, behind it, all below: so that each comes after its parent. */
static void gather(struct control *control, struct moment now, const struct assoc *assoc,
                   struct gathered *ret)
{
    const uint32_t at = ret->n++;

    ret->ids[at] = assoc->rec.id;
    ret->places[assoc->rec.id] = at;
    ret->nodes[at] = (struct fair_node){
        .parent = assoc->parent ? ret->places[assoc->parent->rec.id] : FAIR_TOP,
        .is_user = assoc->rec.user != NULL,
        .shares = fair_own_shares(&assoc->rec),
        .usage = usage_of_assoc(control, now, assoc, "billing", USAGE_OF_ALL),
    };
}

static void gather_all(struct control *control, struct moment now, struct gathered *ret)
{
    const struct assoc *root = acct_tree_root(control);

    ret->places_n = control_kept(control, KEPT_ASSOC)->last_number + 1;
    ret->places = xcalloc(ret->places_n, sizeof(*ret->places));
    ret->nodes = xcalloc(ret->places_n, sizeof(*ret->nodes));
    ret->ids = xcalloc(ret->places_n, sizeof(*ret->ids));
    for (const struct assoc *assoc = root; assoc; assoc = acct_tree_next(assoc))
        gather(control, now, assoc, ret);
}

enum fair_way fair_way_of(const struct control *control)
{
    const struct priority_config *config = &control->model->config.priority;

    if (config->flags & PRIORITY_DEPTH_OBLIVIOUS)
        return FAIR_DEPTH_OBLIVIOUS;
    return config->flags & PRIORITY_NO_FAIR_TREE ? FAIR_CLASSIC : FAIR_TREE;
}

uint32_t fair_priority(const struct assoc *assoc)
{
    for (; assoc; assoc = assoc->parent) {
        if (assoc->rec.priority != COUNT_UNSET && assoc->rec.priority != COUNT_INFINITE)
            return assoc->rec.priority;
    }
    return 0;
}

static void find_most(struct control *control)
{
    struct kept_table *table = control_kept(control, KEPT_QOS);
    struct fair *fair = control->fair;
    const struct qos_record *qos;
    uint64_t serial = 0;

    fair->assoc_priority_max = fair->qos_priority_max = 0;
    for (const struct assoc *assoc = acct_tree_root(control); assoc;
         assoc = acct_tree_next(assoc)) {
        const uint32_t priority = fair_priority(assoc);

        if (priority > fair->assoc_priority_max)
            fair->assoc_priority_max = priority;
    }
    while ((qos = kept_next(table, &serial))) {
        if (!qos->deleted && qos->priority > fair->qos_priority_max)
            fair->qos_priority_max = qos->priority;
    }
}

struct fair_share *fair_compute(struct control *control, struct moment now)
{
    struct gathered all = { 0 };
    AUTO_FREE struct fair_share *shares = NULL;
    struct fair_share *by_id;

    gather_all(control, now, &all);
    shares = xcalloc((size_t)all.n + 1, sizeof(*shares));
    fair_shares(fair_way_of(control), control->model->config.priority.dampening, all.nodes, all.n,
                shares);
    by_id = xcalloc(all.places_n, sizeof(*by_id));
    for (uint32_t i = 0; i < all.n; i++)
        by_id[all.ids[i]] = shares[i];
    free(all.nodes);
    free(all.ids);
    free(all.places);
    return by_id;
}

void fair_settle(struct control *control, struct moment now)
{
    struct fair *fair = control->fair;

    free(fair->shares);
    fair->shares = fair_compute(control, now);
    find_most(control);
    fair->version = acct_tree_version(control);
}

static const struct fair *fresh(struct control *control, struct moment now)
{
    if (control->fair->version != acct_tree_version(control))
        fair_settle(control, now);
    return control->fair;
}

const struct fair_share *fair_of(struct control *control, struct moment now,
                                 const struct assoc *assoc)
{
    return &fresh(control, now)->shares[assoc->rec.id];
}

uint32_t fair_assoc_priority_max(struct control *control, struct moment now)
{
    return fresh(control, now)->assoc_priority_max;
}

uint32_t fair_qos_priority_max(struct control *control, struct moment now)
{
    return fresh(control, now)->qos_priority_max;
}
