#include "ctld/control/node/outage.h"

#include "common/base/minmax.h"
#include "common/msg/acct.h"
#include "common/msg/tres.h"
#include "common/text/hostlist.h"
#include "common/text/words.h"
#include "ctld/control/act/kept.h"
#include "ctld/control/act/state.h"
#include "ctld/control/request/tres.h"

#define STATE_FLAGS  (NODE_FLAG_DRAIN | NODE_FLAG_FAIL)
#define FUTURE_TEXT  "Set to State=FUTURE" /* Slurm's */
#define CLUSTER_TEXT "Cluster Registered TRES"

/* ---- what there is ---- */

static void add_amount(struct cluster_event *event, const char *name, uint64_t count)
{
    struct acct_amount *amount = ARRAY_PUSH(event->tres, event->tres_n);

    acct_amount_init(amount);
    amount->tres = xstrdup(name);
    amount->amount = count;
}

static uint64_t billing_of(const struct model *model, const struct node *node)
{
    const uint32_t billing = tres_billing_of_node(model, node);

    return billing == COUNT_UNSET ? node->conf->cpus : billing;
}

static void add_gres(const struct tres *tres, struct cluster_event *event)
{
    tres_list_more(tres, &event->tres, &event->tres_n);
}

static void fill_node(const struct model *model, const struct node *node,
                      struct cluster_event *event)
{
    AUTO(tres) struct tres tres = { .mem_mb = MB_UNSET };

    add_amount(event, "cpu", node->conf->cpus);
    add_amount(event, "mem", node->conf->memory_mb);
    add_amount(event, "billing", billing_of(model, node));
    tres_add_gres(&tres, node->conf->gres);
    add_gres(&tres, event);
}

static void fill_cluster(const struct model *model, struct cluster_event *event)
{
    AUTO(tres) struct tres tres = { .mem_mb = 0, .nodes = model->nodes_n };
    AUTO(hostlist) struct hostlist *names = hostlist_new();
    static const char *const uncounted[] = { "energy", "fs/disk", "vmem", "pages" };

    for (uint32_t i = 0; i < model->nodes_n; i++) {
        const struct node *node = &model->nodes[i];

        tres.cpus += node->conf->cpus;
        tres.mem_mb += node->conf->memory_mb;
        tres.billing += billing_of(model, node);
        tres_add_gres(&tres, node->conf->gres);
        hostlist_add(names, node->rec.name);
    }
    add_amount(event, "cpu", tres.cpus);
    add_amount(event, "mem", tres.mem_mb);
    add_amount(event, "node", tres.nodes);
    add_amount(event, "billing", tres.billing);
    for (size_t i = 0; i < ARRAY_N(uncounted); i++)
        add_amount(event, uncounted[i], 0);
    add_gres(&tres, event);
    event->nodes = hostlist_format(names);
}

/* ---- an event ends, and begins ---- */

static void release(struct cluster_event **event)
{
    if (*event)
        cluster_event_clear(*event);
    free(*event);
    *event = NULL;
}

/* Ends the event that goes on, which is released. */
static void end(struct act *act, struct cluster_event **event)
{
    (*event)->until = MAX(act->now.wall_s, (*event)->since);
    turn_note_cluster_event(act->turn, *event);
    release(event);
}

static struct cluster_event *begin(struct act *act)
{
    struct cluster_event *event = xmalloc(sizeof(*event));

    cluster_event_init(event);
    event->since = act->now.wall_s;
    return event;
}

/* ---- nodes ---- */

/* A node that drains is usable as long as jobs are on it: they use it. */
static bool is_out(const struct node *node)
{
    return node->rec.down || node_is_future(node) ||
           ((node->rec.drain || node->rec.fail) && node->jobs_n == 0);
}

static const char *reason_of(const struct node *node)
{
    return node_is_future(node) ? FUTURE_TEXT : node->rec.reason;
}

/* Returns whether the event that goes on tells of the node as it is. */
static bool is_told(const struct node *node)
{
    const struct cluster_event *event = node->rec.outage;
    uint32_t state, flags;

    node_display_state(node, &state, &flags);
    return is_out(node) && event->state == state &&
           (event->flags & STATE_FLAGS) == (flags & STATE_FLAGS) &&
           text_is(event->reason, reason_of(node));
}

static void begin_outage(struct act *act, struct node *node)
{
    struct cluster_event *event = begin(act);

    event->node = xstrdup(node->rec.name);
    node_display_state(node, &event->state, &event->flags);
    if (!node->rec.down) /* that it does not answer is told of nodes that are down */
        event->flags &= ~(uint32_t)NODE_FLAG_NO_RESPOND;
    event->reason = xstrdup(reason_of(node));
    event->reason_uid = node->rec.reason_uid;
    fill_node(act->control->model, node, event);
    turn_note_cluster_event(act->turn, event);
    node->rec.outage = event;
}

static void look(struct act *act, struct node *node)
{
    const bool goes_on = node->rec.outage;

    if (goes_on ? is_told(node) : !is_out(node))
        return;
    if (goes_on)
        end(act, &node->rec.outage);
    if (is_out(node))
        begin_outage(act, node);
    turn_note_node(act->turn, &node->rec);
}

void control_note_outages(struct act *act)
{
    struct bitset *due = &act->control->outages_due;
    struct model *model = act->control->model;

    if (bitset_is_empty(due))
        return;
    BITSET_FOREACH (due, i) {
        if (i < model->nodes_n)
            look(act, &model->nodes[i]);
    }
    bitset_clear(due);
    bitset_init(due, model->nodes_n);
}

/* Ends the event of a node that is no more; its record would bring it back with the node. */
static void leave(struct act *act, struct node_record *rec)
{
    end(act, &rec->outage);
    turn_note_node(act->turn, rec);
}

void outage_leave(struct act *act, struct model *before)
{
    for (uint32_t i = 0; i < before->nodes_n; i++) {
        struct node *node = &before->nodes[i];

        if (node->rec.outage && !model_find_node(act->control->model, node->rec.name))
            leave(act, &node->rec);
    }
}

void outage_load_left(struct control *control, const struct node_record *rec)
{
    if (rec->outage)
        schema_copy(node_record_schema(), ARRAY_PUSH(control->left, control->left_n), rec);
}

void outage_leave_left(struct act *act)
{
    for (uint32_t i = 0; i < act->control->left_n; i++)
        leave(act, &act->control->left[i]);
    outage_clear_left(act->control);
}

void outage_clear_left(struct control *control)
{
    for (uint32_t i = 0; i < control->left_n; i++)
        node_record_clear(&control->left[i]);
    free(control->left);
    control->left = NULL;
    control->left_n = 0;
}

/* ---- the cluster ---- */

static bool is_same(const struct cluster_event *a, const struct cluster_event *b)
{
    bool same = text_is(a->nodes, b->nodes) && a->tres_n == b->tres_n;

    for (uint32_t i = 0; same && i < a->tres_n; i++)
        same = text_is(a->tres[i].tres, b->tres[i].tres) && a->tres[i].amount == b->tres[i].amount;
    return same;
}

static void look_at_cluster(struct act *act)
{
    const char *name = act->control->model->config.cluster_name;
    struct cluster_record *cluster =
        name ? kept_find(control_kept(act->control, KEPT_CLUSTER), name) : NULL;
    struct cluster_event *event;

    if (!cluster) /* a simulated one */
        return;
    event = begin(act);
    event->reason = xstrdup(CLUSTER_TEXT);
    fill_cluster(act->control->model, event);
    if (cluster->event && is_same(cluster->event, event)) {
        release(&event);
        return;
    }
    if (cluster->event)
        end(act, &cluster->event);
    turn_note_cluster_event(act->turn, event);
    cluster->event = event;
    kept_note(act, KEPT_CLUSTER, cluster);
}

void outage_look_at_all(struct act *act)
{
    look_at_cluster(act);
    for (uint32_t i = 0; i < act->control->model->nodes_n; i++)
        bitset_add(&act->control->outages_due, i);
}
