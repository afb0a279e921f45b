/* What a job asks for, for the planner. */
#include "ctld/control/feed/snapshot.h"

#include <string.h>

#include "common/msg/acct.h"
#include "common/text/words.h"
#include "ctld/control/request/spec.h"
#include "ctld/model/exempt.h"
#include "ctld/model/license.h"

#define SWITCH_WAIT_S 300 /* max_switch_wait, where the file does not say */

static uint32_t given(uint32_t count, uint32_t otherwise)
{
    return count == COUNT_UNSET ? otherwise : count;
}

/* Fills in the memory. Where memory is shared out, a job that names none gets the node's. */
static void fill_memory(const struct model *model, const struct job_spec *spec,
                        struct plan_shape *shape)
{
    if (spec->mem_per_node != MB_UNSET)
        shape->mem_per_node_mb = spec->mem_per_node;
    else if (spec->mem_per_cpu != MB_UNSET)
        shape->mem_per_cpu_mb = spec->mem_per_cpu;
    else if (spec->mem_per_gpu != MB_UNSET)
        shape->mem_per_gpu_mb = spec->mem_per_gpu;
    shape->whole_node_memory =
        spec->mem_per_node == 0 ||
        ((model->config.select & SELECT_MEMORY) && shape->mem_per_node_mb == 0 &&
         shape->mem_per_cpu_mb == 0 && shape->mem_per_gpu_mb == 0);
}

static void fill_tasks(const struct model *model, const struct job_spec *spec,
                       struct plan_shape *shape)
{
    shape->ignores_nodes_max = model_exempt(model, spec->qos) & QOS_PARTITION_MAX_NODES;
    shape->min_nodes = spec->min_nodes;
    shape->max_nodes = given(spec->max_nodes, 0);
    shape->ntasks = given(spec->ntasks, 0);
    shape->cpus_per_task = given(spec->cpus_per_task, 1);
    shape->ntasks_per_node = given(spec->ntasks_per_node, 0);
    shape->ntasks_per_socket = given(spec->ntasks_per_socket, 0);
    shape->ntasks_per_core = given(spec->ntasks_per_core, 0);
    shape->min_cpus_per_node = spec_cpus_per_node(spec);
    shape->sockets_per_node = given(spec->sockets_per_node, 0);
    shape->cores_per_socket = given(spec->cores_per_socket, 0);
    shape->threads_per_core = given(spec->threads_per_core, 0);
    shape->overcommit = spec->overcommit;
}

static void fill_placement(const struct model *model, const struct job_spec *spec,
                           struct plan_shape *shape)
{
    const uint64_t wait_s = model->config.sched.max_switch_wait;

    shape->contiguous = spec->contiguous;
    shape->use_min_nodes = spec->use_min_nodes;
    shape->spread = spec->spread_job;
    shape->dist_nodes = (enum distribution)spec->dist_nodes;
    shape->dist_sockets = (enum distribution)spec->dist_sockets;
    shape->dist_cores = (enum distribution)spec->dist_cores;
    shape->plane_size = given(spec->plane_size, 0);
    shape->switches = given(spec->switches, 0);
    if (spec->switch_wait_s != COUNT_UNSET)
        shape->switch_wait_ms = (int64_t)spec->switch_wait_s * 1000;
    else
        shape->switch_wait_ms =
            (wait_s == SCHED_UNSET || !wait_s ? SWITCH_WAIT_S : (int64_t)wait_s) * 1000;
}

static void fill_sharing(const struct job_spec *spec, struct plan_shape *shape)
{
    static const enum plan_exclusive exclusive[] = {
        [SHARE_EXCLUSIVE] = PLAN_EXCLUSIVE_NODE,
        [SHARE_USER] = PLAN_EXCLUSIVE_USER,
    };

    if (spec->share < ARRAY_N(exclusive))
        shape->exclusive = exclusive[spec->share];
    shape->oversubscribe = spec->share == SHARE_OVERSUBSCRIBE;
    if (spec->core_spec != COUNT_UNSET)
        shape->spare = PLAN_SPARE_CORES;
    else if (spec->thread_spec != COUNT_UNSET)
        shape->spare = PLAN_SPARE_THREADS;
    shape->spared_n = given(spec->core_spec, given(spec->thread_spec, 0));
}

/* ---- generic resources and licenses ---- */

static void add_gres(const struct gres_list *list, enum plan_per per, struct plan_shape *shape)
{
    struct plan_gres_ask *asks = (struct plan_gres_ask *)shape->gres;

    for (uint32_t i = 0; i < list->n; i++) {
        if (list->at[i].count == 0)
            continue;
        *ARRAY_PUSH(asks, shape->gres_n) = (struct plan_gres_ask){
            .name = xstrdup(list->at[i].name),
            .type = xstrdup(list->at[i].type),
            .count = list->at[i].count,
            .per = per,
        };
    }
    shape->gres = asks;
}

/* Adds the GRES of tasks. Tasks that share cpus count as one on a node, so what each of them has is
 * asked for the job as a whole. */
static void add_gres_of_tasks(const struct job_spec *spec, const struct job_request *request,
                              struct plan_shape *shape)
{
    const bool together = spec->overcommit && spec->ntasks != COUNT_UNSET;
    const uint32_t first = shape->gres_n;

    add_gres(&request->per_task, together ? PLAN_PER_JOB : PLAN_PER_TASK, shape);
    for (uint32_t i = first; i < shape->gres_n && together; i++)
        ((struct plan_gres_ask *)shape->gres)[i].count *= spec->ntasks;
}

static void fill_gres(const struct job_spec *spec, const struct job_request *request,
                      struct plan_shape *shape)
{
    add_gres(&request->per_node, PLAN_PER_NODE, shape);
    add_gres(&request->per_job, PLAN_PER_JOB, shape);
    add_gres(&request->per_socket, PLAN_PER_SOCKET, shape);
    add_gres_of_tasks(spec, request, shape);
    shape->cpus_per_gpu = given(spec->cpus_per_gpu, 0);
    shape->ntasks_per_gpu = given(spec->ntasks_per_gpu, 0);
    shape->binds_gres = spec->gres_flags & GRES_FLAG_ENFORCE_BINDING;
}

/* Adds a claim of the pool, which may be there: all licenses that are gone have one. */
static void add_claim(struct plan_claim **claims, uint32_t *n, uint32_t pool, uint32_t amount)
{
    for (uint32_t i = 0; i < *n; i++) {
        if ((*claims)[i].pool == pool) {
            (*claims)[i].amount += amount;
            return;
        }
    }
    *ARRAY_PUSH(*claims, *n) = (struct plan_claim){ .pool = pool, .amount = amount };
}

/* Returns the job's claims of the pools of licenses; the caller's. */
static struct plan_claim *claims_of(const struct model *model, const struct licenses *list,
                                    uint32_t *ret_n)
{
    struct plan_claim *claims = NULL;

    *ret_n = 0;
    for (uint32_t i = 0; i < list->n; i++) {
        const struct license_info *license = model_find_license(model, list->at[i].name);
        const uint32_t pool = license ? (uint32_t)(license - model->licenses) : model->licenses_n;

        add_claim(&claims, ret_n, pool, list->at[i].count);
    }
    return claims;
}

/* ---- nodes ---- */

static void fill_sets(const struct job_request *request, struct plan_shape *shape)
{
    struct plan_listed *listed = NULL;
    uint32_t n = 0;

    if (request->required.size)
        bitset_copy(&shape->required, &request->required);
    if (request->excluded.size)
        bitset_copy(&shape->excluded, &request->excluded);
    BITSET_FOREACH (&shape->required, node) {
        if (n < request->listed_n)
            *ARRAY_PUSH(listed, shape->listed_n) =
                (struct plan_listed){ .node = (uint32_t)node, .tasks = request->listed[n++] };
    }
    shape->listed = listed;
}

/* Excludes nodes whose disk is too small. A disk is not shared out, so it needs no planning. */
static void bar_small_disks(const struct model *model, const struct job_spec *spec,
                            struct plan_shape *shape)
{
    for (uint32_t i = 0; i < model->nodes_n && spec->tmp_disk != MB_UNSET; i++) {
        if (spec->tmp_disk <= model->nodes[i].conf->tmp_disk_mb)
            continue;
        if (shape->excluded.size == 0)
            bitset_init(&shape->excluded, model->nodes_n);
        bitset_add(&shape->excluded, i);
    }
}

static void fill_shape(const struct model *model, const struct job_spec *spec,
                       const struct job_request *request, struct plan_shape *ret)
{
    *ret = (struct plan_shape){ .features = spec->features, .prefer = spec->prefer };
    fill_tasks(model, spec, ret);
    fill_placement(model, spec, ret);
    fill_sharing(spec, ret);
    fill_memory(model, spec, ret);
    fill_gres(spec, request, ret);
    fill_sets(request, ret);
    bar_small_disks(model, spec, ret);
}

/* ---- the job ---- */

/* Returns whether the job's own partition lets it wait while others would take it. */
static bool is_elsewhere(const struct job_record *rec, const struct job_request *request)
{
    return rec->state == JOB_PENDING && request->others_n > 0 &&
           (request->waits_for != REASON_NONE || request->limited_by != REASON_NONE);
}

/* Returns the partition and the others that would take the job. Each option has a list of claims of
 * its own. */
static struct plan_option *options_of(const struct model *model, const struct job_record *rec,
                                      const struct job_request *request, uint32_t partition,
                                      uint32_t *ret_n)
{
    struct plan_option *options = NULL;

    *ret_n = 0;
    if (!is_elsewhere(rec, request))
        *ARRAY_PUSH(options, *ret_n) = (struct plan_option){ .partition = partition };
    for (uint32_t i = 0; i < request->others_n; i++) {
        if (request->others[i] != partition)
            *ARRAY_PUSH(options, *ret_n) = (struct plan_option){ .partition = request->others[i] };
    }
    for (uint32_t i = 0; i < *ret_n; i++)
        options[i].claims = claims_of(model, &request->licenses, &options[i].claims_n);
    return options;
}

void feed_fill_job(const struct model *model, const struct job_record *rec,
                   const struct job_request *request, uint32_t partition, int64_t begin_ms,
                   struct plan_job *ret)
{
    const struct job_spec *spec = rec->spec;

    *ret = (struct plan_job){
        .id = feed_id(rec->array_job_id ? rec->array_job_id : rec->id, rec->array_task),
        .uid = rec->uid,
        .priority = rec->priority,
        .submit_ms = rec->submit_time * 1000,
        .duration_ms = spec->time_limit < 0 ? PLAN_NEVER : spec->time_limit * 1000,
        .duration_min_ms = spec->time_min > 0 ? spec->time_min * 1000 : 0,
        .earliest_ms = begin_ms,
    };
    ret->options = options_of(model, rec, request, partition, &ret->options_n);
    fill_shape(model, spec, request, &ret->shape);
}

void feed_clear_plan_job(struct plan_job *plan)
{
    plan_places_free(plan->places, plan->places_n);
    for (uint32_t i = 0; i < plan->options_n; i++)
        free((void *)plan->options[i].claims);
    free((void *)plan->options);
    plan_shape_release(&plan->shape);
}
