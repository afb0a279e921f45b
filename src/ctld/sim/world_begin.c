/* world_begin.c - how a world comes to be: idle, or as a running controller tells. */
#include "ctld/sim/world_state.h"
#include "ctld/control/control.h"
#include "ctld/control/load.h"
#include "ctld/control/node/node.h"
#include "ctld/control/act/turn.h"

#include <string.h>

/* Cluster time in the beginning when no job tells another: never 0. */
#define BEGIN_MS INT64_C(1000000)

void world_learn_id(struct world *world, uint32_t number)
{
    struct job_name *name = xcalloc(1, sizeof(*name));

    name->id = world->jobs[number].id;
    name->number = number;
    HASH_ADD_INT(world->names, id, name);
}

/* Adds the gpus that AutoDetect has to find. */
static void add_gpus(const struct node_info *conf, struct node_hardware *hardware)
{
    for (uint32_t i = 0; i < conf->devices_n; i++) {
        const struct gres_info *row = &conf->devices[i];

        for (uint64_t k = 0; row->found && k < row->count; k++) {
            struct node_gpu *gpu = ARRAY_PUSH(hardware->gpus, hardware->gpus_n);

            node_gpu_init(gpu);
            gpu->name = xstrdup(row->type ? row->type : row->name);
            gpu->file = xasprintf("/dev/nvidia%u", hardware->gpus_n - 1);
        }
    }
}

static void register_node(struct world *world, const struct node *node)
{
    AUTO(node_register) struct node_register reg;

    node_register_init(&reg);
    reg.name = xstrdup(node->rec.name);
    reg.boot_id = xstrdup(node->rec.boot_id ? node->rec.boot_id : "played");
    reg.started = world->wall_s;
    reg.hardware = xcalloc(1, sizeof(*reg.hardware));
    node_hardware_init(reg.hardware);
    reg.hardware->cpus = node->conf->cpus;
    reg.hardware->memory_mb = node->conf->memory_mb;
    add_gpus(node->conf, reg.hardware);
    (void)control_node_register(world_act(world, NULL), "192.0.2.1", &reg, NULL);
}

/* True if the controller knew the node and heard of it; without its word, all are there. */
static bool is_there(const struct world_begin *begin, const struct node *node)
{
    for (uint32_t i = 0; i < begin->nodes_n; i++) {
        const struct node_info *info = &begin->nodes[i];

        if (strcmp(info->node->name, node->rec.name) == 0)
            return info->node->boot_id && !info->node->down &&
                   !(info->flags & NODE_FLAG_NO_RESPOND);
    }
    return begin->nodes_n == 0;
}

static bool is_alive_record(const struct job_record *rec)
{
    return (rec->state == JOB_PENDING || rec->state == JOB_RUNNING) &&
           !(rec->flags & JOB_FLAG_COMPLETING);
}

/* Returns the cluster time at which the world begins. A running job counts its limit in it, so it
 * goes on from there. */
static int64_t find_begin_ms(const struct world_begin *begin)
{
    for (uint32_t i = 0; i < begin->jobs_n; i++) {
        const struct job_record *rec = begin->jobs[i].job;

        if (is_alive_record(rec) && rec->state == JOB_RUNNING)
            return rec->start_cluster_ms + (begin->wall_s - rec->start_time) * 1000;
    }
    return BEGIN_MS;
}

static void adopt_job(struct world *world, const struct job_record *rec)
{
    const int64_t limit_s = rec->spec->time_limit;
    const uint32_t number = world->jobs_n;
    struct world_job *job = ARRAY_PUSH(world->jobs, world->jobs_n);
    static const struct job_body nothing; /* nodes here run nothing */
    AUTO(job_record) struct job_record copy;

    *job = (struct world_job){ .id = rec->id,
                               .run_ms = limit_s < 0 ? WORLD_NEVER : limit_s * 1000,
                               .submit_ms = (rec->submit_time - world->wall_s) * 1000,
                               .start_ms = WORLD_NEVER,
                               .end_ms = WORLD_NEVER,
                               .state = rec->state };
    world_learn_id(world, number);
    schema_copy(job_record_schema(), &copy, rec);
    copy.spec->kind = JOB_KIND_BATCH; /* its client is not here, and not awaited */
    control_load_job(world->control, &copy, &nothing);
    if (rec->state == JOB_RUNNING)
        world_note_start(world, job, rec, (rec->start_time - world->wall_s) * 1000);
}

static void begin_world(struct world *world, const struct world_begin *begin)
{
    const struct model *model = control_model(world->control);

    for (uint32_t i = 0; i < begin->nodes_n; i++)
        control_load_node(world->control, begin->nodes[i].node);
    for (uint32_t i = 0; i < begin->jobs_n; i++) {
        if (is_alive_record(begin->jobs[i].job))
            adopt_job(world, begin->jobs[i].job);
    }
    control_ready(world_act(world, NULL));
    for (uint32_t i = 0; i < model->nodes_n; i++) {
        if (is_there(begin, &model->nodes[i]))
            register_node(world, &model->nodes[i]);
    }
    world_settle(world);
}

/* Loads the pools, with moments in the world's time. */
static void load_pools(struct world *world, const struct world_begin *begin)
{
    if (begin->pools_n == 0)
        return;
    world->pools = xmemdup(begin->pools, begin->pools_n * sizeof(*world->pools));
    for (uint32_t i = 0; i < begin->pools_n; i++)
        world->pools[i].opens_ms += world->begin_ms;
    world->beside = (struct feed_beside){
        .pools = world->pools,
        .pools_n = begin->pools_n,
        .claims_of = world_claims_of,
        .ctx = world,
    };
    control_load_pools(world->control, &world->beside);
}

int world_new(struct model_config *config, const struct world_begin *begin, struct world **ret,
              struct err *err)
{
    struct world *world = xcalloc(1, sizeof(*world));
    int rc;

    /* These only matter to real nodes, and to those who look at jobs after their end. */
    config->slurmd_timeout_s = 0;
    config->min_job_age_s = 0;
    config->trust_conf = true;
    world->wall_s = begin->wall_s;
    world->begin_ms = find_begin_ms(begin);
    world->users = begin->users;
    world->users_n = begin->users_n;
    world->first_uid = begin->first_uid;
    rc = control_new(config, &world->control, err);
    if (rc < 0) {
        free(world);
        return rc;
    }
    turn_init(&world->turn);
    load_pools(world, begin);
    begin_world(world, begin);
    *ret = world;
    return 0;
}
