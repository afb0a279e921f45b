/*
 * What the planner is told. It is rebuilt at a start, for a new configuration, and when the wall
 * clock jumped while a job waits for its --begin; otherwise it follows by changes.
 */
#include "ctld/control/core.h"

#include <string.h>

/* A jump of the wall clock that matters to a --begin. */
#define CLOCK_JUMP_MS 2000

bool job_is_eligible(const struct control *control, const struct job *job)
{
    const struct partition *part;
    AUTO(strbuf) struct strbuf text = { 0 };

    if (job->rec.state != JOB_PENDING || (job->rec.flags & JOB_FLAG_COMPLETING) ||
        job->rec.priority == 0 || job->partition == PARTITION_NONE)
        return false;
    part = &control->model->partitions[job->partition];
    return spec_waits_for(job->rec.spec, part, &text) == REASON_NONE;
}

static uint32_t given(uint32_t count, uint32_t otherwise)
{
    return count == COUNT_UNSET ? otherwise : count;
}

static void fill_memory(const struct model *model, const struct job_spec *spec,
                        struct plan_shape *shape)
{
    if (spec->mem_per_node != MB_UNSET)
        shape->mem_per_node_mb = spec->mem_per_node;
    else if (spec->mem_per_cpu != MB_UNSET)
        shape->mem_per_cpu_mb = spec->mem_per_cpu;
    /* Where memory is shared out, a job that names none gets the node's. */
    shape->whole_node_memory =
        spec->mem_per_node == 0 || ((model->config.select & SELECT_MEMORY) &&
                                    shape->mem_per_node_mb == 0 && shape->mem_per_cpu_mb == 0);
}

/* The host lists were checked when the job was accepted; a node that has gone since asks for none
 * of the others. */
static void fill_sets(const struct model *model, const struct job_spec *spec,
                      struct plan_shape *shape)
{
    if (spec->req_nodes)
        model_node_set(model, spec->req_nodes, &shape->required, NULL);
    if (spec->exc_nodes)
        model_node_set(model, spec->exc_nodes, &shape->excluded, NULL);
}

static bool has_parts(const struct node *node, const struct job_spec *spec)
{
    return given(spec->sockets_per_node, 0) <= node->conf->sockets &&
           given(spec->cores_per_socket, 0) <= node->conf->cores_per_socket &&
           (spec->tmp_disk == MB_UNSET || spec->tmp_disk <= node->conf->tmp_disk_mb);
}

/* What a node has by nature needs no planning: nodes without it are out. */
static void bar_lesser_nodes(const struct model *model, const struct job_spec *spec,
                             struct plan_shape *shape)
{
    for (uint32_t i = 0; i < model->nodes_n; i++) {
        if (has_parts(&model->nodes[i], spec))
            continue;
        if (shape->excluded.size == 0)
            bitset_init(&shape->excluded, model->nodes_n);
        bitset_add(&shape->excluded, i);
    }
}

static void fill_shape(const struct model *model, const struct job_spec *spec,
                       struct plan_shape *shape)
{
    shape->min_nodes = spec->min_nodes;
    shape->max_nodes = given(spec->max_nodes, 0);
    shape->ntasks = given(spec->ntasks, 0);
    shape->cpus_per_task = given(spec->cpus_per_task, 1);
    shape->ntasks_per_node = given(spec->ntasks_per_node, 0);
    shape->min_cpus_per_node = given(spec->min_cpus_per_node, 0);
    shape->threads_per_core = given(spec->threads_per_core, 0);
    shape->exclusive = spec->share == SHARE_EXCLUSIVE ? PLAN_EXCLUSIVE_NODE : PLAN_EXCLUSIVE_NO;
    shape->overcommit = spec->overcommit;
    shape->contiguous = spec->contiguous;
    shape->features = spec->features;
    fill_memory(model, spec, shape);
    fill_sets(model, spec, shape);
    bar_lesser_nodes(model, spec, shape);
}

void feed_fill_waiting(const struct control *control, struct moment now,
                       const struct job_record *rec, uint32_t partition, struct plan_job *plan)
{
    const struct job_spec *spec = rec->spec;

    *plan = (struct plan_job){
        .id = rec->id,
        .priority = rec->priority,
        .submit_ms = rec->submit_time * 1000,
        .partition = partition,
        .duration_ms = spec->time_limit < 0 ? PLAN_NEVER : spec->time_limit * 1000,
        .earliest_ms = spec->begin > now.wall_s ? moment_ms_of_wall(now, spec->begin) : 0,
    };
    fill_shape(control->model, spec, &plan->shape);
}

void feed_clear_plan_job(struct plan_job *plan)
{
    struct plan_place *places = (struct plan_place *)plan->places;

    for (uint32_t i = 0; i < plan->places_n; i++)
        bitset_clear(&places[i].cpus);
    free(places);
    bitset_clear(&plan->shape.required);
    bitset_clear(&plan->shape.excluded);
}

/* The nodes that the job still holds. */
static void fill_places(const struct control *control, const struct job *job, struct plan_job *plan)
{
    struct plan_place *places = NULL;
    uint32_t places_n = 0;

    for (uint32_t i = 0; i < job->rec.nodes_n; i++) {
        const struct job_node *held = &job->rec.nodes[i];
        const struct node *node = model_node(control->model, job->nodes[i]);
        struct plan_place *place;

        if (!node || held->clean)
            continue;
        place = ARRAY_PUSH(places, places_n);
        *place = (struct plan_place){ .node = node->index };
        place->amounts[PLAN_MEMORY] = held->memory == MB_UNSET ? 0 : held->memory;
        bitset_init(&place->cpus, node->conf->cpus);
        for (uint32_t c = 0; c < held->cpus_n; c++) {
            if (held->cpus[c] < place->cpus.size)
                bitset_add(&place->cpus, held->cpus[c]);
        }
    }
    plan->places = places;
    plan->places_n = places_n;
}

static void fill_running(const struct control *control, struct moment now, const struct job *job,
                         struct plan_job *plan)
{
    feed_fill_waiting(control, now, &job->rec, job->partition, plan);
    if (job->partition == PARTITION_NONE)
        plan->partition = 0;
    plan->runs = true;
    plan->end_ms = job_limit_ms(job);
    fill_places(control, job, plan);
}

bool job_holds_nodes(const struct job *job)
{
    return job->rec.state == JOB_RUNNING || (job->rec.flags & JOB_FLAG_COMPLETING);
}

static struct plan_node *snapshot_nodes(struct control *control)
{
    struct plan_node *nodes = xcalloc(control->model->nodes_n, sizeof(*nodes));

    for (uint32_t i = 0; i < control->model->nodes_n; i++) {
        const struct node *node = &control->model->nodes[i];

        nodes[i] = (struct plan_node){
            .name = node->rec.name,
            .sockets = node->conf->sockets,
            .cores_per_socket = node->conf->cores_per_socket,
            .threads_per_core = node->conf->threads_per_core,
            .cpus = node->conf->cpus,
            .memory_mb = node->conf->memory_mb,
            .weight = node->conf->weight,
            .features = (const char *const *)node->features,
            .features_n = node->features_n,
            .usable = node_is_usable(node),
        };
        if (nodes[i].usable)
            bitset_add(&control->told_usable, i);
        else
            bitset_del(&control->told_usable, i);
    }
    return nodes;
}

static struct plan_partition *snapshot_partitions(const struct model *model)
{
    struct plan_partition *parts = xcalloc(model->partitions_n, sizeof(*parts));

    for (uint32_t i = 0; i < model->partitions_n; i++) {
        const struct partition_info *conf = model->partitions[i].conf;

        parts[i] = (struct plan_partition){
            .nodes = model->partitions[i].nodes,
            .tier = conf->priority_tier,
            .starts_jobs = conf->state == PARTITION_UP || conf->state == PARTITION_DRAIN,
            .share = conf->oversubscribe && strcmp(conf->oversubscribe, "EXCLUSIVE") == 0
                         ? PLAN_SHARE_EXCLUSIVE
                         : PLAN_SHARE_NO,
            .jobs_per_cpu = 1,
        };
    }
    return parts;
}

static struct plan_job *snapshot_jobs(struct control *control, struct moment now, uint32_t *ret_n)
{
    struct plan_job *jobs = NULL;
    uint32_t n = 0;

    for (struct job *job = control->model->jobs; job; job = job->hh.next) {
        if (job_holds_nodes(job))
            fill_running(control, now, job, ARRAY_PUSH(jobs, n));
        else if (job_is_eligible(control, job))
            feed_fill_waiting(control, now, &job->rec, job->partition, ARRAY_PUSH(jobs, n));
    }
    *ret_n = n;
    return jobs;
}

void feed_rebuild(struct control *control, struct moment now)
{
    const struct model *model = control->model;
    AUTO_FREE struct plan_node *nodes = snapshot_nodes(control);
    AUTO_FREE struct plan_partition *parts = snapshot_partitions(model);
    struct plan_snapshot snapshot = {
        .now_ms = now.cluster_ms,
        .policy = { .select = model->config.select, .backfill = model->config.backfill },
        .nodes = nodes,
        .nodes_n = model->nodes_n,
        .partitions = parts,
        .partitions_n = model->partitions_n,
    };
    AUTO_FREE struct plan_job *jobs = snapshot_jobs(control, now, &snapshot.jobs_n);

    snapshot.jobs = jobs;
    planner_rebuild(control->planner, &snapshot);
    for (uint32_t i = 0; i < snapshot.jobs_n; i++)
        feed_clear_plan_job(&jobs[i]);
    for (uint32_t i = 0; i < snapshot.nodes_n; i++)
        nodes[i].usable = true;
    snapshot.jobs_n = 0;
    planner_rebuild(control->bare, &snapshot);
    control->planner_stale = false;
    control->clock_offset_ms = now.wall_s * 1000 - now.cluster_ms;
}

/* While the planner is to be rebuilt anyway, changes need not reach it. */
static void apply(struct control *control, struct moment now, const struct plan_change *change)
{
    if (!control->planner_stale)
        planner_apply(control->planner, now.cluster_ms, change);
}

static void watch_clock(struct control *control, struct moment now)
{
    int64_t jump = now.wall_s * 1000 - now.cluster_ms - control->clock_offset_ms;

    if (jump > CLOCK_JUMP_MS || jump < -CLOCK_JUMP_MS)
        control->planner_stale = true;
}

void feed_job_waits(struct control *control, struct moment now, struct job *job)
{
    struct plan_job plan;

    if (!job_is_eligible(control, job))
        return;
    watch_clock(control, now);
    feed_fill_waiting(control, now, &job->rec, job->partition, &plan);
    apply(control, now, &(struct plan_change){ .kind = PLAN_JOB_ADDED, .job = &plan });
    feed_clear_plan_job(&plan);
}

void feed_job_gone(struct control *control, struct moment now, const struct job *job)
{
    apply(control, now, &(struct plan_change){ .kind = PLAN_JOB_REMOVED, .id = job->rec.id });
}

void feed_priorities(struct control *control, struct moment now,
                     const struct plan_priority *priorities, uint32_t n)
{
    apply(control, now,
          &(struct plan_change){
              .kind = PLAN_PRIORITIES, .priorities = priorities, .priorities_n = n });
}

void feed_node_freed(struct control *control, struct moment now, const struct job *job,
                     uint32_t node)
{
    apply(control, now,
          &(struct plan_change){ .kind = PLAN_NODE_RELEASED, .id = job->rec.id, .node = node });
}

void feed_node(struct control *control, struct moment now, const struct node *node)
{
    const bool usable = node_is_usable(node);

    if (usable == bitset_has(&control->told_usable, node->index))
        return;
    if (usable)
        bitset_add(&control->told_usable, node->index);
    else
        bitset_del(&control->told_usable, node->index);
    apply(control, now,
          &(struct plan_change){ .kind = PLAN_NODE_USABLE, .node = node->index, .usable = usable });
}
