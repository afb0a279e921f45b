#include "ctld/config/config.h"

#include "common/conf/value.h"
#include "common/text/hostlist.h"
#include "common/text/tasks.h"
#include "common/text/words.h"

#define CLIENT_GRACE_S 60

/* Words of PrologFlags that imply Alloc. */
#define PROLOG_AT_START                                                                            \
    (CONF_PROLOG_ALLOC | CONF_PROLOG_CONTAIN | CONF_PROLOG_DEFER_BATCH | CONF_PROLOG_NO_HOLD |     \
     CONF_PROLOG_FORCE_REQUEUE | CONF_PROLOG_X11)

/* The bits of gpus in the configuration and in records are the same. */
_Static_assert((int)CONF_GPU_OPENCL == (int)GPU_ENV_OPENCL && (int)CONF_GPU_AMD == (int)GPU_ENV_AMD,
               "variables of gpus differ");

static void fill_device(const struct conf_device *conf, struct gres_info *device)
{
    gres_info_init(device);
    device->name = xstrdup(conf->name);
    device->type = xstrdup(conf->type);
    device->count = conf->count;
    for (uint32_t i = 0; i < conf->files_n; i++)
        *ARRAY_PUSH(device->files, device->files_n) = xstrdup(conf->files[i]);
    device->cores = xmemdup(conf->cores, conf->cores_n * sizeof(*conf->cores));
    device->cores_n = conf->cores_n;
    device->gpu_env = conf->gpu_env;
    device->found = conf->found;
}

static void fill_node(const struct conf_node *conf, struct node_info *node)
{
    node_info_init(node);
    node->node = xcalloc(1, sizeof(*node->node));
    node_record_init(node->node);
    node->node->name = xstrdup(conf->name);
    node->node->down = conf->state == CONF_NODE_DOWN;
    node->node->drain = conf->state == CONF_NODE_DRAIN;
    node->node->fail = conf->state == CONF_NODE_FAIL || conf->state == CONF_NODE_FAILING;
    if (node->node->down || node->node->drain || node->node->fail)
        node->node->reason = xstrdup(conf->reason ? conf->reason : "set in slurm.conf");
    node->address = xstrdup(conf->addr);
    node->host = xstrdup(conf->hostname);
    node->port = conf->port;
    node->cpus = conf->cpus;
    node->boards = conf->boards;
    node->sockets = conf->sockets;
    node->cores_per_socket = conf->cores_per_socket;
    node->threads_per_core = conf->threads_per_core;
    node->memory_mb = conf->memory_mb;
    node->tmp_disk_mb = conf->tmp_disk_mb;
    node->weight = conf->weight;
    node->features = xstrdup(conf->features);
    node->active_features = xstrdup(conf->active_features);
    node->address_told = conf->addr_told;
    node->gres = xstrdup(conf->gres);
    node->core_spec_count = conf->core_spec_n;
    node->mem_spec_limit_mb = conf->mem_spec_mb;
    node->cpu_spec_list = xstrdup(conf->cpu_spec_list);
    node->cpu_bind = conf->cpu_bind;
    node->future = conf->state == CONF_NODE_FUTURE;
    for (uint32_t i = 0; i < conf->devices_n; i++)
        fill_device(&conf->devices[i], ARRAY_PUSH(node->devices, node->devices_n));
}

static int64_t limit_of(uint32_t minutes)
{
    if (minutes == CONF_UNLIMITED)
        return LIMIT_INFINITE;
    return minutes == CONF_UNSET ? LIMIT_UNSET : (int64_t)minutes * 60;
}

static uint32_t count_of(uint32_t number)
{
    return number == CONF_UNLIMITED ? COUNT_INFINITE : number;
}

static char *oversubscribe_text(const struct oversubscribe *share)
{
    AUTO(strbuf) struct strbuf text = { 0 };

    oversubscribe_format(share, &text);
    return strbuf_steal(&text);
}

/* Fills in a partition's own values, or else the cluster's. */
static void fill_memory(const struct slurm_conf *conf, const struct conf_partition *from,
                        struct partition_info *part)
{
    struct conf_mem def = from->def_mem.mb ? from->def_mem : conf->def_mem;
    struct conf_mem max = from->max_mem.mb ? from->max_mem : conf->max_mem;

    if (def.mb)
        *(def.per_cpu ? &part->def_mem_per_cpu : &part->def_mem_per_node) = def.mb;
    if (max.mb)
        *(max.per_cpu ? &part->max_mem_per_cpu : &part->max_mem_per_node) = max.mb;
}

static void fill_gpu_defaults(const struct slurm_conf *conf, const struct conf_partition *from,
                              struct partition_info *part)
{
    const uint32_t cpus = from->def_cpu_per_gpu ? from->def_cpu_per_gpu : conf->def_cpu_per_gpu;
    const uint64_t mb =
        from->def_mem_per_gpu_mb ? from->def_mem_per_gpu_mb : conf->def_mem_per_gpu_mb;

    if (cpus)
        part->def_cpu_per_gpu = cpus;
    if (mb)
        part->def_mem_per_gpu = mb;
}

/* Returns the nodes of these indices as a host list, to be freed. */
static char *names_of(const struct slurm_conf *conf, const uint32_t *nodes, uint32_t n)
{
    AUTO(hostlist) struct hostlist *names = hostlist_new();

    for (uint32_t i = 0; i < n; i++)
        hostlist_add(names, conf->nodes[nodes[i]].name);
    return hostlist_format(names);
}

static char *select_text(const struct conf_partition *from)
{
    const struct conf_key *key = conf_key_find(conf_partition_keys(), "SelectTypeParameters");
    AUTO(strbuf) struct strbuf text = { 0 };

    if (!from->select_params)
        return NULL;
    conf_value_format(key, &from->select_params, &text);
    return strbuf_steal(&text);
}

static void fill_access(const struct conf_partition *from, struct partition_info *part)
{
    part->allow_groups = xstrdup(from->allow_groups);
    part->allow_accounts = xstrdup(from->allow_accounts);
    part->deny_accounts = xstrdup(from->deny_accounts);
    part->allow_qos = xstrdup(from->allow_qos);
    part->deny_qos = xstrdup(from->deny_qos);
    part->alloc_nodes = xstrdup(from->alloc_nodes);
}

static void fill_partition(const struct slurm_conf *conf, const struct conf_partition *from,
                           struct partition_info *part)
{
    partition_info_init(part);
    part->name = xstrdup(from->name);
    for (uint32_t i = 0; i < from->nodes_n; i++)
        part->total_cpus += conf->nodes[from->nodes[i]].cpus;
    part->total_nodes = from->nodes_n;
    part->nodes = names_of(conf, from->nodes, from->nodes_n);
    fill_memory(conf, from, part);
    fill_gpu_defaults(conf, from, part);
    fill_access(from, part);
    part->is_default = from == slurm_conf_default_partition(conf);
    part->state = from->state; /* the two enums have one order */
    part->max_time = limit_of(from->max_time_min);
    part->default_time = limit_of(from->default_time_min);
    part->min_nodes = from->min_nodes;
    part->max_nodes = count_of(from->max_nodes);
    part->max_cpus_per_node = count_of(from->max_cpus_per_node);
    part->max_cpus_per_socket = count_of(from->max_cpus_per_socket);
    part->priority_tier = from->priority_tier;
    part->priority_job_factor = from->priority_job_factor;
    part->oversubscribe = oversubscribe_text(&from->oversubscribe);
    part->share = from->oversubscribe.mode;
    part->share_max = from->oversubscribe.jobs_max;
    part->hidden = from->hidden;
    part->root_only = from->root_only;
    part->no_root_jobs = from->disable_root_jobs || conf->disable_root_jobs;
    part->exclusive_user = from->exclusive_user;
    part->lln = from->lln;
    part->qos = xstrdup(from->qos);
    part->alternate = xstrdup(from->alternate);
    part->grace_time_s = from->grace_time_s;
    part->over_time =
        limit_of(from->over_time_min == CONF_UNSET ? conf->over_time_min : from->over_time_min);
    part->reservation_only = from->req_resv;
    part->select_params = select_text(from);
    part->select = from->select_params;
    part->cpu_bind = from->cpu_bind;
    part->billing_weights = xstrdup(from->billing_weights);
    part->preempt_mode = xstrdup(from->preempt_mode ? from->preempt_mode : conf->preempt_mode);
}

static void fill_priority(const struct slurm_conf *conf, struct priority_config *priority)
{
    *priority = (struct priority_config){
        .multifactor = conf->priority_type == CONF_PRIORITY_MULTIFACTOR,
        .favor_small = conf->priority_favor_small,
        .flags = conf->priority_flags, /* the two enums have one order; so have the resets */
        .weight_age = conf->priority_weight_age,
        .weight_assoc = conf->priority_weight_assoc,
        .weight_fair_share = conf->priority_weight_fair_share,
        .weight_job_size = conf->priority_weight_job_size,
        .weight_partition = conf->priority_weight_partition,
        .weight_qos = conf->priority_weight_qos,
        .max_age_s = (int64_t)conf->priority_max_age_min * 60,
        .calc_period_s = (int64_t)conf->priority_calc_period_min * 60,
        .decay_half_life_s = (int64_t)conf->priority_half_life_min * 60,
        .reset = conf->priority_reset,
        .dampening = conf->dampening_factor,
    };
    tres_weights_copy(&priority->weight_tres, &conf->priority_tres);
}

static void fill_licenses(const struct slurm_conf *conf, struct model_config *config)
{
    for (uint32_t i = 0; i < conf->license_list.n; i++) {
        struct license_info *license = ARRAY_PUSH(config->licenses, config->licenses_n);

        license_info_init(license);
        license->name = xstrdup(conf->license_list.at[i].name);
        license->total = conf->license_list.at[i].count;
    }
}

static void fill_gres_types(const struct slurm_conf *conf, struct model_config *config)
{
    struct words types = words_split(conf->gres_types ? conf->gres_types : "", ",");

    config->gres_types = types.at;
    config->gres_types_n = types.n;
}

static void fill_switches(const struct slurm_conf *conf, struct model_config *config)
{
    for (uint32_t i = 0; i < conf->switches_n; i++) {
        const struct conf_switch *from = &conf->switches[i];
        struct switch_info *info = ARRAY_PUSH(config->switches, config->switches_n);

        switch_info_init(info);
        info->name = xstrdup(from->name);
        info->level = from->level;
        info->nodes = names_of(conf, from->nodes, from->nodes_n);
        info->switches = xstrdup(from->switches_text);
        info->parent = from->parent == CONF_UNSET ? COUNT_UNSET : from->parent;
        info->link_speed = xstrdup(from->link_speed);
    }
}

static int by_name(const void *a, const void *b)
{
    const struct node_info *left = a, *right = b;

    return hostname_compare(left->node->name, right->node->name);
}

/* Fills in the nodes, sorted by name: nodes are neighbours wherever they stand in the file. */
static void fill_node_infos(const struct slurm_conf *conf, struct model_config *ret)
{
    for (uint32_t i = 0; i < conf->nodes_n; i++)
        fill_node(&conf->nodes[i], &ret->nodes[i]);
    if (ret->nodes_n)
        qsort(ret->nodes, ret->nodes_n, sizeof(*ret->nodes), by_name);
}

/* Reads exit codes. The file was refused if it could not be read. */
static void fill_exit_codes(const char *text, struct bitset *ret)
{
    uint32_t limit;

    if (text)
        tasks_parse(text, CONF_EXIT_CODES_N, ret, &limit, NULL);
}

uint32_t config_private(uint32_t conf_private)
{
    return (conf_private & CONF_PRIVATE_ACCOUNTS ? PRIVATE_ACCOUNTS : 0u) |
           (conf_private & CONF_PRIVATE_USERS ? PRIVATE_USERS : 0u) |
           (conf_private & CONF_PRIVATE_USAGE ? PRIVATE_USAGE : 0u) |
           (conf_private & CONF_PRIVATE_JOBS ? PRIVATE_JOBS : 0u) |
           (conf_private & CONF_PRIVATE_EVENTS ? PRIVATE_EVENTS : 0u) |
           (conf_private & CONF_PRIVATE_RESERVATIONS ? PRIVATE_RESERVATIONS : 0u);
}

void config_of_conf(const struct slurm_conf *conf, const char *host, struct model_config *ret)
{
    *ret = (struct model_config){
        .cluster_name = xstrdup(conf->cluster_name),
        .accounting_tres = xstrdup(conf->accounting_tres),
        .private_data = config_private(conf->private_data),
        .acct_enforce = conf->acct_enforce,
        .has_slurmdbd = slurm_conf_has_dbd(conf),
        .slurm_user = xstrdup(conf->slurm_user),
        .resv_over_run_s = conf->resv_over_run_min == UINT32_MAX
                               ? LIMIT_INFINITE
                               : (int64_t)conf->resv_over_run_min * 60,
        .user_triggers = list_has_word(conf->slurmctld_params, "allow_user_triggers"),
        .nodes = xcalloc(conf->nodes_n, sizeof(struct node_info)),
        .nodes_n = conf->nodes_n,
        .partitions = xcalloc(conf->partitions_n, sizeof(struct partition_info)),
        .partitions_n = conf->partitions_n,
        .select =
            conf->select_params | (conf->select_type == CONF_SELECT_LINEAR ? SELECT_LINEAR : 0),
        .backfill =
            conf->sched_type == CONF_SCHED_BACKFILL && conf->sched.bf_interval != SCHED_BF_OFF,
        .sched = conf->sched,
        .topology = conf->topology, /* the two enums have one order; so have those below */
        .enforce_part_limits = conf->enforce_part_limits,
        .allow_spec_resources = conf->allow_spec_resources,
        .kill_invalid_depend = conf->sched.kill_invalid_depend ||
                               list_has_word(conf->dependency_params, "kill_invalid_depend"),
        .kill_wait_s = conf->kill_wait_s,
        .min_job_age_s = conf->min_job_age_s,
        .slurmd_timeout_s = conf->slurmd_timeout_s,
        .client_grace_s = conf->inactive_limit_s ? conf->inactive_limit_s : CLIENT_GRACE_S,
        .inactive_limit = conf->inactive_limit_s > 0,
        .complete_wait_s = conf->complete_wait_s,
        .return_to_service = conf->return_to_service,
        .first_job_id = conf->first_job_id,
        .max_job_id = conf->max_job_id,
        .max_job_count = conf->max_job_count,
        .max_array_size = conf->max_array_size,
        .controller_port = conf->slurmctld_ports.first,
        .controller_host = xstrdup(host),
        .conf_path = xstrdup(conf->path),
        .track_wckey = conf->track_wckey,
        .requeue = conf->job_requeue,
        .requeue_delay_s = conf->cred_expire_s + 1,
        .kill_on_bad_exit = conf->kill_on_bad_exit,
        .oom_kill_step = conf->oom_kill_step,
        .task_bind = conf->task_bind,
        .task_bind_verbose = conf->task_bind_verbose,
        .has_prolog = conf->prolog_slurmctld,
        .has_epilog = conf->epilog_slurmctld,
        .prolog_alloc = conf->prolog_flags & PROLOG_AT_START,
        .prolog_contain = conf->prolog_flags & (CONF_PROLOG_CONTAIN | CONF_PROLOG_X11),
        .prolog_no_hold = conf->prolog_flags & CONF_PROLOG_NO_HOLD,
        .prolog_defer_batch = conf->prolog_flags & CONF_PROLOG_DEFER_BATCH,
        .prolog_force_requeue = conf->prolog_flags & CONF_PROLOG_FORCE_REQUEUE,
        .health_interval_s = conf->health_interval_s,
        .health_states = conf->health_states,
        .resume_timeout_s = conf->resume_timeout_s,
        .trust_conf = list_has_word(conf->slurmd_params, "config_overrides"),
    };
    fill_exit_codes(conf->requeue_exit, &ret->requeue_exit);
    fill_exit_codes(conf->requeue_exit_hold, &ret->requeue_exit_hold);
    fill_priority(conf, &ret->priority);
    fill_licenses(conf, ret);
    fill_gres_types(conf, ret);
    fill_switches(conf, ret);
    fill_node_infos(conf, ret);
    for (uint32_t i = 0; i < conf->partitions_n; i++)
        fill_partition(conf, &conf->partitions[i], &ret->partitions[i]);
}
