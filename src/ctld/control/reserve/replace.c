#include "ctld/control/reserve/replace.h"

#include "common/text/hostlist.h"
#include "ctld/control/act/state.h"
#include "ctld/control/act/timers.h"
#include "ctld/control/feed/resv.h"
#include "ctld/control/reserve/choose.h"
#include "ctld/control/resv/resv.h"

#define RETRY_MS 30000

/* The nodes of one reservation. */
struct look {
    struct bitset nodes, bad; /* of the nodes, which are to be replaced */
    struct bitset used;       /* by its jobs, whether it has them still or not */
};

static void look_clear(struct look *look)
{
    bitset_clear(&look->nodes);
    bitset_clear(&look->bad);
    bitset_clear(&look->used);
}

static void find_used(const struct model *model, const struct reservation_record *resv,
                      struct bitset *used)
{
    for (const struct job *job = model->jobs; job; job = job->hh.next) {
        for (uint32_t i = 0; job->rec.resv_id == resv->id && i < job->rec.nodes_n; i++) {
            if (job_state_is_active(job->rec.state) && job->nodes[i] != NODE_NONE)
                bitset_add(used, job->nodes[i]);
        }
    }
}

static void fill(const struct model *model, const struct reservation_record *resv, struct look *ret)
{
    struct err err;

    *ret = (struct look){ 0 };
    bitset_init(&ret->bad, model->nodes_n);
    bitset_init(&ret->used, model->nodes_n);
    if (!resv->nodes || model_known_nodes(model, resv->nodes, &ret->nodes, &err) < 0)
        bitset_init(&ret->nodes, model->nodes_n);
    find_used(model, resv, &ret->used);
    BITSET_FOREACH (&ret->nodes, i) {
        if (!node_takes_work(&model->nodes[i]) ||
            (resv->flags & RESV_REPLACE && bitset_has(&ret->used, (uint32_t)i)))
            bitset_add(&ret->bad, (uint32_t)i);
    }
}

static void give(struct act *act, const struct bitset *nodes, struct reservation_record *resv)
{
    reserve_take_nodes(act->control->model, nodes, resv);
    kept_note(act, KEPT_RESERVATION, resv);
    feed_reservation(act, resv);
    act->control->resv_marked = false;
}

/* Exchanges as many of the bad nodes, the lowest first, as others were found. */
static void exchange(struct act *act, struct look *look, const struct bitset *found,
                     struct reservation_record *resv)
{
    uint32_t n = bitset_count(found);

    BITSET_FOREACH (&look->bad, i) {
        if (n-- == 0)
            break;
        bitset_del(&look->nodes, (uint32_t)i);
        bitset_del(&look->bad, (uint32_t)i);
    }
    bitset_or(&look->nodes, found);
    give(act, &look->nodes, resv);
}

/* Asks for all that are bad, then for half of them, until some are found. */
static void replace_bad(struct act *act, struct look *look, struct reservation_record *resv)
{
    AUTO(bitset) struct bitset except = { 0 }, found = { 0 };

    bitset_copy(&except, &look->nodes);
    bitset_or(&except, &look->used);
    bitset_init(&found, act->control->model->nodes_n);
    for (uint32_t n = bitset_count(&look->bad); n > 0 && bitset_is_empty(&found); n /= 2)
        reserve_choose_more(act, resv, n, &except, &found);
    if (!bitset_is_empty(&found))
        exchange(act, look, &found, resv);
}

/* Returns whether the time of one that does not come again is over: jobs of it still run. */
static bool is_past(const struct act *act, const struct reservation_record *resv)
{
    return resv->end <= act->now.wall_s && !(resv->flags & (RESV_COMES_AGAIN | RESV_TIME_FLOAT));
}

static bool has_number_of_nodes(const struct reservation_record *resv)
{
    return resv->nodes_asked_n && !resv->cores_asked_n &&
           !(resv->flags & (RESV_SPEC_NODES | RESV_STATIC_ALLOC));
}

/* Returns whether all its nodes are good. */
static bool replace_of(struct act *act, struct reservation_record *resv)
{
    struct look look;
    bool all;

    if (!has_number_of_nodes(resv))
        return true;
    fill(act->control->model, resv, &look);
    if (!bitset_is_empty(&look.bad))
        replace_bad(act, &look, resv);
    all = bitset_is_empty(&look.bad);
    look_clear(&look);
    return all;
}

/* As in Slurm a reservation goes on with those of its nodes that slurm.conf still has. */
static void forget_unknown(struct act *act, struct reservation_record *resv)
{
    const struct model *model = act->control->model;
    AUTO(bitset) struct bitset nodes = { 0 };
    struct err err;
    uint32_t n = 0;

    if (!resv->nodes || model_known_nodes(model, resv->nodes, &nodes, &err) < 0 ||
        bitset_count(&nodes) == hostlist_count_names(resv->nodes, true))
        return;
    for (uint32_t i = 0; i < resv->parts_n; i++) {
        if (model_find_node(model, resv->parts[i].node))
            resv->parts[n++] = resv->parts[i];
        else
            reservation_part_clear(&resv->parts[i]);
    }
    resv->parts_n = n;
    give(act, &nodes, resv);
}

/* A partition that is gone leaves it the nodes that it has. */
static void follow_partition(struct act *act, struct reservation_record *resv)
{
    const struct model *model = act->control->model;
    const struct partition *part =
        resv->partition ? model_find_partition(model, resv->partition) : NULL;
    AUTO(bitset) struct bitset nodes = { 0 };
    struct err err;

    if (!part || !(resv->flags & RESV_PART_NODES) || resv->cores_asked_n)
        return;
    if (!resv->nodes || model_known_nodes(model, resv->nodes, &nodes, &err) < 0)
        bitset_init(&nodes, model->nodes_n);
    if (!bitset_equal(&nodes, &part->nodes))
        give(act, &part->nodes, resv);
}

void reserve_replace(struct act *act)
{
    struct reservation_record *resv;
    uint64_t at = 0;
    bool all = true;

    if (act->control->resv_look_ms > act->now.cluster_ms) {
        control_wake_at(act->control, act->control->resv_look_ms);
        return;
    }
    while ((resv = resv_next(act->control, &at))) {
        if (is_past(act, resv))
            continue;
        forget_unknown(act, resv);
        follow_partition(act, resv);
        all &= replace_of(act, resv);
    }
    act->control->resv_look_ms = all ? INT64_MAX : act->now.cluster_ms + RETRY_MS;
    if (!all)
        control_wake_at(act->control, act->control->resv_look_ms);
}
