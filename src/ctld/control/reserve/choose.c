#include "ctld/control/reserve/choose.h"

#include <string.h>

#include "common/base/minmax.h"
#include "ctld/control/act/state.h"
#include "ctld/control/feed/feed.h"
#include "ctld/control/feed/resv.h"
#include "ctld/control/feed/snapshot.h"
#include "ctld/control/request/spec.h"
#include "ctld/control/resv/resv.h"
#include "ctld/control/resv/span.h"

#define ASKED_ID    1 /* the planner that is asked knows waiting jobs of no other number */
#define UNITS       1000
#define RUNNING_BIT (UINT64_C(1) << 63)

/* What is asked of one planner. */
struct choice {
    struct act *act;
    const struct reservation_record *resv;
    struct bitset named;         /* size 0: any */
    const struct bitset *except; /* nodes that are not wanted; NULL: none */
    uint32_t partition;
    uint32_t nodes_n; /* 0: as few as will do */
    uint32_t cores_n; /* 0: whole nodes */
};

static bool is_over_others(const struct reservation_record *resv)
{
    return resv->flags & (RESV_MAINT | RESV_OVERLAP);
}

/* ---- other reservations ---- */

/* Returns whether the nodes, or parts of nodes, of two plans have something in common. */
static bool nodes_meet(const struct plan_reservation *a, const struct plan_reservation *b)
{
    if (bitset_meets(&a->nodes, &b->nodes))
        return true;
    for (uint32_t i = 0; i < a->parts_n; i++) {
        if (bitset_has(&b->nodes, a->parts[i].node))
            return true;
        for (uint32_t k = 0; k < b->parts_n; k++) {
            if (a->parts[i].node == b->parts[k].node &&
                bitset_meets(&a->parts[i].cpus, &b->parts[k].cpus))
                return true;
        }
    }
    for (uint32_t k = 0; k < b->parts_n; k++) {
        if (bitset_has(&a->nodes, b->parts[k].node))
            return true;
    }
    return false;
}

static bool places_meet(const struct model *model, const struct reservation_record *a,
                        const struct reservation_record *b)
{
    struct plan_reservation of_a = { 0 }, of_b = { 0 };
    bool meet;

    feed_fill_reserved_nodes(model, a, &of_a);
    feed_fill_reserved_nodes(model, b, &of_b);
    meet = nodes_meet(&of_a, &of_b);
    feed_clear_reservation(&of_a);
    feed_clear_reservation(&of_b);
    return meet;
}

/* Refuses what another reservation has at the same time, unless one of them lets it be so. */
static int check_overlap(const struct act *act, const struct reservation_record *resv,
                         struct err *err)
{
    const struct reservation_record *other;
    uint64_t at = 0;

    while ((other = resv_next(act->control, &at))) {
        if (other->id == resv->id || is_over_others(resv) || is_over_others(other) ||
            !places_meet(act->control->model, resv, other) || !resv_times_meet(resv, other))
            continue;
        return err_set(err, E_RESERVATION_OVERLAP, "%s: %s has these nodes at that time",
                       err_string(E_RESERVATION_OVERLAP), other->name);
    }
    return 0;
}

/* ---- the planner that is asked ---- */

/* Adds the other reservations, which the new one may not meet. */
static void add_reservations(const struct choice *choice, struct plan_snapshot *snapshot)
{
    struct plan_reservation *list;

    if (is_over_others(choice->resv) || (choice->named.size && choice->cores_n == 0))
        return; /* of whole nodes that are named check_overlap says which is in the way */
    feed_fill_reservations(choice->act, snapshot);
    list = (struct plan_reservation *)snapshot->reservations;
    for (uint32_t i = 0; i < snapshot->reservations_n; i++) {
        list[i].yields_ms = 0;
        if (list[i].id == choice->resv->id ||
            list[i].flags & (PLAN_RESV_MAINT | PLAN_RESV_OVERLAP)) {
            bitset_empty(&list[i].nodes);
            list[i].parts_n = 0;
        }
    }
}

/* Adds the jobs that still run when the reservation begins, other than its own. */
static void add_running(const struct choice *choice, struct plan_snapshot *snapshot)
{
    struct plan_job *jobs = NULL;

    if (choice->resv->flags & RESV_IGNORE_JOBS)
        return;
    for (struct job *job = choice->act->control->model->jobs; job; job = job->hh.next) {
        struct plan_job plan;

        if (!job_holds_nodes(job) || resv_is_own(choice->resv, &job->rec))
            continue;
        feed_fill_running(choice->act->control, choice->act->now, job, &plan);
        if (plan.end_ms <= snapshot->now_ms) {
            feed_clear_plan_job(&plan);
            continue;
        }
        plan.id |= RUNNING_BIT;
        *ARRAY_PUSH(jobs, snapshot->jobs_n) = plan;
    }
    snapshot->jobs = jobs;
}

static uint32_t threads_of(const struct model *model, const struct choice *choice)
{
    const int64_t node = choice->named.size
                             ? bitset_next(&choice->named, 0)
                             : bitset_next(&model->partitions[choice->partition].nodes, 0);

    return node < 0 ? 1 : model->nodes[node].conf->threads_per_core;
}

static void fill_shape(const struct choice *choice, struct plan_shape *shape)
{
    *shape = (struct plan_shape){
        .min_nodes = choice->nodes_n ? choice->nodes_n : 1,
        .max_nodes = choice->nodes_n,
        .ignores_nodes_max = true,
        .cpus_per_task = 1,
        .features =
            choice->resv->features && *choice->resv->features ? choice->resv->features : NULL,
    };
    if (choice->named.size)
        bitset_copy(&shape->required, &choice->named);
    if (choice->cores_n == 0) {
        shape->exclusive = PLAN_EXCLUSIVE_NODE;
        return;
    }
    shape->ntasks = choice->cores_n;
    shape->cpus_per_task = threads_of(choice->act->control->model, choice);
}

/* Returns the job that is asked for, which lasts to the end of the reservation. */
static struct plan_job job_of(const struct choice *choice, const struct plan_option *option)
{
    const struct reservation_record *resv = choice->resv;
    const int64_t length_s = resv->flags & RESV_TIME_FLOAT
                                 ? resv_length(resv)
                                 : resv->end - MAX(resv->start, choice->act->now.wall_s);
    struct plan_job job = {
        .id = ASKED_ID,
        .priority = UINT64_MAX,
        .options = option,
        .options_n = 1,
        .duration_ms = length_s > 0 ? length_s * 1000 : 1,
    };

    fill_shape(choice, &job.shape);
    return job;
}

/* Nodes that are named may be down, and may be in no partition. */
static void open_nodes(const struct choice *choice, struct plan_snapshot *snapshot)
{
    struct plan_node *nodes = (struct plan_node *)snapshot->nodes;
    struct plan_partition *partitions = (struct plan_partition *)snapshot->partitions;

    for (uint32_t i = 0; i < snapshot->nodes_n; i++)
        nodes[i].usable = choice->named.size
                              ? bitset_has(&choice->named, i)
                              : node_is_usable(model_node(choice->act->control->model, i)) &&
                                    !(choice->except && bitset_has(choice->except, i));
    for (uint32_t i = 0; i < snapshot->partitions_n; i++)
        partitions[i].starts_jobs = true;
    if (choice->named.size)
        bitset_or(&partitions[choice->partition].nodes, &choice->named);
}

/* Returns the places of the job that is asked for, if it starts at once; 0: it does not. The
 * caller's. */
static uint32_t answer_of(struct planner *planner, int64_t now_ms, struct plan_place **ret)
{
    const struct plan_decision *decisions;
    uint32_t n, placed_n = 0;
    bool more = true;

    while (more && placed_n == 0) {
        more = planner_step(planner, now_ms, UNITS, &decisions, &n);
        for (uint32_t i = 0; i < n && placed_n == 0; i++) {
            if (decisions[i].verdict != PLAN_START)
                continue;
            placed_n = decisions[i].places_n;
            *ret = plan_places_copy(decisions[i].places, placed_n);
        }
    }
    return placed_n;
}

/* Asks a planner in whose present the reservation begins. */
static uint32_t ask(const struct choice *choice, struct plan_place **ret)
{
    const struct plan_option option = { .partition = choice->partition };
    const int64_t now_ms =
        MAX(moment_ms_of_wall(choice->act->now, choice->resv->start), choice->act->now.cluster_ms);
    struct planner *planner = planner_new();
    struct plan_snapshot snapshot;
    struct plan_job job = job_of(choice, &option);
    uint32_t n;

    feed_fill_cluster(choice->act->control->model, &snapshot);
    snapshot.now_ms = now_ms;
    snapshot.policy = (struct plan_policy){ .select = snapshot.policy.select, .backfill = true };
    open_nodes(choice, &snapshot);
    add_reservations(choice, &snapshot);
    add_running(choice, &snapshot);
    planner_rebuild(planner, &snapshot);
    planner_apply(planner, now_ms, &(struct plan_change){ .kind = PLAN_JOB_ADDED, .job = &job });
    n = answer_of(planner, now_ms, ret);
    planner_free(planner);
    plan_shape_release(&job.shape);
    for (uint32_t i = 0; i < snapshot.jobs_n; i++)
        feed_clear_plan_job((struct plan_job *)&snapshot.jobs[i]);
    free((void *)snapshot.jobs);
    feed_clear_reservations(&snapshot);
    feed_clear_cluster(&snapshot);
    return n;
}

/* ---- what it gets ---- */

static uint32_t cores_of(const struct node *node)
{
    return node->conf->sockets * node->conf->cores_per_socket;
}

void reserve_take_nodes(const struct model *model, const struct bitset *nodes,
                        struct reservation_record *resv)
{
    free(resv->nodes);
    resv->nodes = bitset_is_empty(nodes) ? NULL : model_node_names(model, nodes);
    resv->core_cnt = 0;
    BITSET_FOREACH (nodes, node)
        resv->core_cnt += cores_of(&model->nodes[node]);
    for (uint32_t i = 0; i < resv->parts_n; i++) {
        const struct node *node = model_find_node(model, resv->parts[i].node);

        resv->core_cnt -=
            cores_of(node) - resv->parts[i].cpus_n / MAX(node->conf->threads_per_core, 1u);
    }
}

/* Writes down so many first cores of the node, or the cpus of the place. */
static void add_part(const struct node *node, const struct plan_place *place,
                     struct reservation_record *resv)
{
    struct reservation_part *part = ARRAY_PUSH(resv->parts, resv->parts_n);
    const uint32_t cpus_n = bitset_count(&place->cpus);

    reservation_part_init(part);
    part->node = xstrdup(node->rec.name);
    if (resv->flags & RESV_FIRST_CORES) {
        for (uint32_t i = 0; i < cpus_n; i++)
            *ARRAY_PUSH(part->cpus, part->cpus_n) = i;
        return;
    }
    BITSET_FOREACH (&place->cpus, cpu)
        *ARRAY_PUSH(part->cpus, part->cpus_n) = (uint32_t)cpu;
}

static void take_places(const struct choice *choice, const struct plan_place *places, uint32_t n,
                        struct bitset *nodes, struct reservation_record *resv)
{
    for (uint32_t i = 0; i < n; i++) {
        const struct node *node = model_node(choice->act->control->model, places[i].node);

        bitset_add(nodes, places[i].node);
        if (choice->cores_n && bitset_count(&places[i].cpus) < node->conf->cpus)
            add_part(node, &places[i], resv);
    }
}

static int busy(struct err *err)
{
    return err_set(err, E_NODES_BUSY, "%s", err_string(E_NODES_BUSY));
}

static int ask_and_take(const struct choice *choice, struct bitset *nodes,
                        struct reservation_record *resv, struct err *err)
{
    struct plan_place *places = NULL;
    const uint32_t n = ask(choice, &places);

    take_places(choice, places, n, nodes, resv);
    plan_places_free(places, n);
    return n ? 0 : busy(err);
}

/* Asks for a number of cores on each of the named nodes. */
static int choose_cores_on(struct choice *choice, struct bitset *nodes,
                           struct reservation_record *resv, struct err *err)
{
    struct bitset all = choice->named;
    uint32_t i = 0;
    int rc = 0;

    if (bitset_count(&all) != resv->cores_asked_n)
        return err_set(err, E_RESERVATION_CORES, "%s", err_string(E_RESERVATION_CORES));
    choice->nodes_n = 1;
    BITSET_FOREACH (&all, node) {
        choice->named = (struct bitset){ 0 };
        bitset_init(&choice->named, all.size);
        bitset_add(&choice->named, (uint32_t)node);
        choice->cores_n = resv->cores_asked[i++];
        if (rc == 0 && choice->cores_n == 0)
            rc = err_set(err, E_RESERVATION_CORES, "%s", err_string(E_RESERVATION_CORES));
        if (rc == 0)
            rc = ask_and_take(choice, nodes, resv, err);
        bitset_clear(&choice->named);
    }
    choice->named = all;
    return rc;
}

static uint32_t sum_of(const uint32_t *numbers, uint32_t n)
{
    uint32_t sum = 0;

    for (uint32_t i = 0; i < n; i++)
        sum += numbers[i] < UINT32_MAX - sum ? numbers[i] : UINT32_MAX - sum;
    return sum;
}

/* Returns how many nodes of the partition others leave at that time, jobs apart: who asks for more
 * gets these. */
static uint32_t nodes_there(const struct choice *choice)
{
    AUTO(bitset) struct bitset nodes = { 0 };
    const struct model *model = choice->act->control->model;
    const struct reservation_record *other;
    uint64_t at = 0;

    bitset_copy(&nodes, &model->partitions[choice->partition].nodes);
    while ((other = resv_next(choice->act->control, &at))) {
        struct plan_reservation window = { 0 };

        if (other->id == choice->resv->id || is_over_others(choice->resv) ||
            is_over_others(other) || !resv_times_meet(other, choice->resv))
            continue;
        feed_fill_reserved_nodes(model, other, &window);
        bitset_minus(&nodes, &window.nodes);
        feed_clear_reservation(&window);
    }
    for (uint32_t i = 0; i < model->nodes_n; i++) {
        if (!node_is_usable(model_node(model, i)))
            bitset_del(&nodes, i);
    }
    return bitset_count(&nodes);
}

/* Chooses nodes by numbers alone. */
static int choose_any(struct choice *choice, struct bitset *nodes, struct reservation_record *resv,
                      struct err *err)
{
    const uint32_t there = nodes_there(choice);

    choice->nodes_n = sum_of(resv->nodes_asked, resv->nodes_asked_n);
    choice->cores_n = sum_of(resv->cores_asked, resv->cores_asked_n);
    if (choice->nodes_n > there && choice->cores_n == 0)
        choice->nodes_n = there;
    if (choice->nodes_n == 0 && choice->cores_n == 0)
        return busy(err);
    return ask_and_take(choice, nodes, resv, err);
}

static int choose(struct choice *choice, struct bitset *nodes, struct reservation_record *resv,
                  struct err *err)
{
    if (choice->named.size && resv->cores_asked_n)
        return choose_cores_on(choice, nodes, resv, err);
    if (!choice->named.size)
        return choose_any(choice, nodes, resv, err);
    choice->nodes_n = bitset_count(&choice->named);
    return ask_and_take(choice, nodes, resv, err);
}

static void forget_parts(struct reservation_record *resv)
{
    for (uint32_t i = 0; i < resv->parts_n; i++)
        reservation_part_clear(&resv->parts[i]);
    free(resv->parts);
    resv->parts = NULL;
    resv->parts_n = resv->core_cnt = 0;
}

/* Finds the partition that nodes are chosen from; the default one where none is named, which the
 * record of a new one then says. */
static int find_partition(struct choice *choice, struct reservation_record *resv, struct err *err)
{
    const struct model *model = choice->act->control->model;
    const struct partition *part = resv->partition ? model_find_partition(model, resv->partition)
                                                   : model_default_partition(model);

    if (!part)
        return err_set(err, E_PARTITION_NAME, "%s", err_string(E_PARTITION_NAME));
    choice->partition = part->index;
    if (!resv->id && !resv->partition && (!choice->named.size || resv->cores_asked_n))
        resv->partition = xstrdup(part->conf->name);
    return 0;
}

static int choose_by(struct choice *choice, struct reservation_record *resv, struct err *err)
{
    AUTO(bitset) struct bitset nodes = { 0 };
    int rc = find_partition(choice, resv, err);

    bitset_init(&nodes, choice->act->control->model->nodes_n);
    if (rc == 0 && resv->features && *resv->features)
        rc = spec_check_constraint(choice->act->control->model, resv->features, E_FEATURE, err);
    if (rc == 0)
        rc = choose(choice, &nodes, resv, err);
    if (rc < 0)
        return rc;
    reserve_take_nodes(choice->act->control->model, &nodes, resv);
    return check_overlap(choice->act, resv, err);
}

int reserve_choose(struct act *act, struct reservation_record *resv, const char *named,
                   struct err *err)
{
    struct choice choice = { .act = act, .resv = resv };
    int rc = 0;

    forget_parts(resv);
    xstrset(&resv->nodes, named);
    if (named)
        rc = model_node_set(act->control->model, named, &choice.named, err);
    if (rc < 0)
        return err_set(err, E_NODE_NAME, "%s: %s", err_string(E_NODE_NAME), named);
    if (named && !resv->cores_asked_n)
        rc = check_overlap(act, resv, err);
    if (rc == 0)
        rc = choose_by(&choice, resv, err);
    bitset_clear(&choice.named);
    return rc;
}

void reserve_choose_more(struct act *act, const struct reservation_record *resv, uint32_t n,
                         const struct bitset *except, struct bitset *ret)
{
    const struct partition *part =
        resv->partition ? model_find_partition(act->control->model, resv->partition) : NULL;
    const struct choice choice = {
        .act = act,
        .resv = resv,
        .except = except,
        .partition = part ? part->index : 0,
        .nodes_n = n,
    };
    struct plan_place *places = NULL;
    const uint32_t places_n = part ? ask(&choice, &places) : 0;

    for (uint32_t i = 0; i < places_n; i++)
        bitset_add(ret, places[i].node);
    plan_places_free(places, places_n);
}
