/*
 * What a job may ask for. Filled in here once, so that nobody later has to guess what "not given"
 * means; what Slurm lets wait although it cannot start, waits here too, and says why.
 */
#include "ctld/control/core.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "common/text/duration.h"
#include "common/text/hostlist.h"
#include "common/text/words.h"
#include "ctld/sched/constraint.h"

#define NODES_MAX 65536
#define TASKS_MAX (1u << 20)
#define CPUS_MAX  65536
#define DAYS_MAX  36500

static bool is_set(uint32_t count)
{
    return count != COUNT_UNSET;
}

/* ---- what is not built yet is refused by its name ---- */

static int refuse(const char *option, struct err *err)
{
    return err_set(err, ENOTSUP, "%s is not supported", option);
}

static int check_supported(const struct job_spec *spec, struct err *err)
{
    if (spec->time_min != LIMIT_UNSET)
        return refuse("--time-min", err);
    if (is_set(spec->ntasks_per_socket))
        return refuse("--ntasks-per-socket", err);
    if (is_set(spec->ntasks_per_core))
        return refuse("--ntasks-per-core", err);
    if (spec->share == SHARE_USER)
        return refuse("--exclusive=user", err);
    return 0;
}

/* ---- numbers ---- */

static int check_range(const char *what, uint32_t count, uint32_t max, int code, struct err *err)
{
    if (is_set(count) && (count == 0 || count > max))
        return err_set(err, code, "%s: %s %u is not between 1 and %u", err_string(code), what,
                       count, max);
    return 0;
}

static int check_numbers(const struct job_spec *spec, struct err *err)
{
    int rc = check_range("--nodes", spec->min_nodes, NODES_MAX, E_NODE_COUNT, err);

    if (rc == 0)
        rc = check_range("--nodes", spec->max_nodes, NODES_MAX, E_NODE_COUNT, err);
    if (rc == 0)
        rc = check_range("--ntasks", spec->ntasks, TASKS_MAX, E_TASK_COUNT, err);
    if (rc == 0)
        rc = check_range("--ntasks-per-node", spec->ntasks_per_node, TASKS_MAX, E_TASK_COUNT, err);
    if (rc == 0)
        rc = check_range("--cpus-per-task", spec->cpus_per_task, CPUS_MAX, E_TOO_MANY_CPUS, err);
    if (rc == 0)
        rc = check_range("--mincpus", spec->min_cpus_per_node, CPUS_MAX, E_TOO_MANY_CPUS, err);
    if (rc == 0 && spec->time_limit > INT64_C(86400) * DAYS_MAX)
        rc =
            err_set(err, E_TIME_LIMIT, "%s: more than %d days", err_string(E_TIME_LIMIT), DAYS_MAX);
    if (rc == 0 && spec->warn_signal > 64)
        rc = err_set(err, EINVAL, "--signal: there is no signal %u", spec->warn_signal);
    return rc;
}

static uint32_t up(uint32_t a, uint32_t b)
{
    return (a + b - 1) / b;
}

/* Nodes that are named must all be used; tasks per node decide the rest. */
static int fill_counts(struct job_spec *spec, uint32_t named, struct err *err)
{
    if (!is_set(spec->min_nodes)) {
        spec->min_nodes = 1;
        if (is_set(spec->ntasks) && is_set(spec->ntasks_per_node))
            spec->min_nodes = up(spec->ntasks, spec->ntasks_per_node);
    }
    if (named > spec->min_nodes)
        spec->min_nodes = named;
    if (is_set(spec->max_nodes) && spec->max_nodes < spec->min_nodes)
        return err_set(err, E_NODE_COUNT,
                       "Node count specification invalid: at most %u nodes, but %u are asked for",
                       spec->max_nodes, spec->min_nodes);
    if (!is_set(spec->ntasks) && is_set(spec->ntasks_per_node))
        spec->ntasks = spec->min_nodes * spec->ntasks_per_node;
    return 0;
}

uint32_t spec_cpus(const struct job_spec *spec)
{
    const uint32_t tasks = is_set(spec->ntasks) ? spec->ntasks : spec->min_nodes;
    const uint32_t each = is_set(spec->cpus_per_task) ? spec->cpus_per_task : 1;

    if (spec->overcommit)
        return spec->min_nodes;
    return tasks * each > spec->min_nodes ? tasks * each : spec->min_nodes;
}

/* ---- rights ---- */

static int check_rights(const struct caller *caller, struct job_spec *spec, struct err *err)
{
    if (spec->nice < 0 && !caller->is_admin)
        return err_set(err, E_ACCESS,
                       "Invalid --nice value: %d (only an administrator may raise a priority)",
                       spec->nice);
    if (spec->priority == 0)
        spec->hold = true;
    /* As Slurm: what a user asks beyond that is not heard. */
    if (!caller->is_admin)
        spec->priority = COUNT_UNSET;
    return 0;
}

/* ---- the partition ---- */

static int check_partition(const struct partition_info *part, const struct caller *caller,
                           struct err *err)
{
    AUTO(words) struct words groups = { 0 };

    if (part->state == PARTITION_DRAIN || part->state == PARTITION_INACTIVE)
        return err_set(err, E_PARTITION_CONFIG, "%s: partition %s takes no jobs",
                       err_string(E_PARTITION_CONFIG), part->name);
    if ((part->root_only && !caller->is_admin) || (part->no_root_jobs && caller->uid == 0))
        return err_set(err, E_ACCESS, "%s", err_string(E_ACCESS));
    if (!part->allow_groups || caller->is_admin)
        return 0;
    groups = words_split(part->allow_groups, ",");
    if (words_have(&groups, "ALL") ||
        (caller->group_name && words_have(&groups, caller->group_name)))
        return 0;
    return err_set(err, E_PARTITION_GROUP, "%s: partition %s is for %s",
                   err_string(E_PARTITION_GROUP), part->name, part->allow_groups);
}

static int find_partition(const struct model *model, const char *name, const struct partition **ret,
                          struct err *err)
{
    *ret = model_find_partition(model, name);
    if (!*ret)
        return err_set(err, E_PARTITION_NAME, "Invalid partition name specified: %s", name);
    return 0;
}

/* Of several candidates the first where the job need not wait for the partition itself. */
static int choose_partition(const struct model *model, const struct caller *caller,
                            const struct job_spec *spec, const struct partition **ret,
                            struct err *err)
{
    AUTO(words) struct words names = words_split(spec->partition ? spec->partition : "", ",");
    const struct partition *best = NULL;
    int rc = 0;

    if (names.n == 0) {
        best = model_default_partition(model);
        if (!best)
            return err_set(err, E_NO_PARTITION, "%s", err_string(E_NO_PARTITION));
        rc = check_partition(best->conf, caller, err);
    }
    for (uint32_t i = 0; rc == 0 && i < names.n; i++) {
        AUTO(strbuf) struct strbuf text = { 0 };
        const struct partition *part;

        rc = find_partition(model, names.at[i], &part, err);
        if (rc == 0)
            rc = check_partition(part->conf, caller, err);
        if (rc == 0 && (!best || spec_waits_for(spec, best, &text) != REASON_NONE))
            best = part;
    }
    *ret = best;
    return rc;
}

/* ---- what the partition gives ---- */

static void fill_time(struct job_spec *spec, const struct partition_info *part)
{
    if (spec->time_limit == LIMIT_UNSET)
        spec->time_limit = part->default_time;
    if (spec->time_limit == LIMIT_UNSET)
        spec->time_limit = part->max_time;
    if (spec->time_limit < 0 || spec->time_limit == 0)
        spec->time_limit = LIMIT_INFINITE;
}

static int check_memory(const struct model *model, struct job_spec *spec,
                        const struct partition_info *part, struct err *err)
{
    const bool open = spec->mem_per_node == MB_UNSET && spec->mem_per_cpu == MB_UNSET;

    if (spec->mem_per_node != MB_UNSET && spec->mem_per_cpu != MB_UNSET)
        return err_set(err, EINVAL, "--mem and --mem-per-cpu exclude each other");
    if (open && (model->config.select & SELECT_MEMORY)) {
        spec->mem_per_cpu = part->def_mem_per_cpu;
        if (spec->mem_per_cpu == MB_UNSET)
            spec->mem_per_node = part->def_mem_per_node;
    }
    if (spec->mem_per_node != MB_UNSET && spec->mem_per_node > part->max_mem_per_node)
        return err_set(
            err, E_NODE_CONFIG, "%s: --mem=%" PRIu64 "M, partition %s allows %" PRIu64 "M",
            err_string(E_NODE_CONFIG), spec->mem_per_node, part->name, part->max_mem_per_node);
    if (spec->mem_per_cpu != MB_UNSET && spec->mem_per_cpu > part->max_mem_per_cpu)
        return err_set(
            err, E_NODE_CONFIG, "%s: --mem-per-cpu=%" PRIu64 "M, partition %s allows %" PRIu64 "M",
            err_string(E_NODE_CONFIG), spec->mem_per_cpu, part->name, part->max_mem_per_cpu);
    return 0;
}

/* ---- nodes and features by name ---- */

static int check_hosts(const struct model *model, const struct job_spec *spec, uint32_t *ret_named,
                       struct err *err)
{
    AUTO(bitset) struct bitset set = { 0 };
    AUTO(bitset) struct bitset barred = { 0 };
    int rc = 0;

    *ret_named = 0;
    if (spec->req_nodes)
        rc = model_node_set(model, spec->req_nodes, &set, err);
    if (rc == 0 && spec->exc_nodes)
        rc = model_node_set(model, spec->exc_nodes, &barred, err);
    if (rc < 0)
        return rc;
    if (set.size && barred.size && bitset_meets(&set, &barred))
        return err_set(err, E_NODE_CONFIG, "%s: a node is both required and excluded",
                       err_string(E_NODE_CONFIG));
    *ret_named = set.size ? bitset_count(&set) : 0;
    return 0;
}

static int check_in_partition(const struct model *model, const struct job_spec *spec,
                              const struct partition *part, struct err *err)
{
    AUTO(bitset) struct bitset set = { 0 };

    if (!spec->req_nodes)
        return 0;
    model_node_set(model, spec->req_nodes, &set, NULL);
    if (!bitset_contains(&part->nodes, &set))
        return err_set(err, E_NODES_NOT_IN_PARTITION, "%s: %s, partition %s has %s",
                       err_string(E_NODES_NOT_IN_PARTITION), spec->req_nodes, part->conf->name,
                       part->conf->nodes);
    return 0;
}

static bool is_feature(const struct model *model, const char *name)
{
    for (uint32_t i = 0; i < model->nodes_n; i++) {
        for (uint32_t f = 0; f < model->nodes[i].features_n; f++) {
            if (strcmp(model->nodes[i].features[f], name) == 0)
                return true;
        }
    }
    return false;
}

static int check_features(const struct model *model, const struct job_spec *spec, struct err *err)
{
    AUTO(constraint) struct constraint constraint = { 0 };
    int rc = 0;

    if (!spec->features || !spec->features[0])
        return 0;
    rc = constraint_parse(spec->features, &constraint, err);
    for (uint32_t i = 0; i < constraint.names_n; i++) {
        if (!is_feature(model, constraint.names[i]))
            return err_set(err, E_FEATURE, "Invalid feature specification: no node has '%s'",
                           constraint.names[i]);
    }
    if (rc == 0 && (constraint.alternatives_n > 1 || constraint.alternatives[0].quotas_n > 0))
        return refuse("--constraint with a count or several names in brackets", err);
    return rc;
}

/* ---- all of it ---- */

int spec_complete(const struct model *model, const struct caller *caller, struct job_spec *spec,
                  const struct partition **ret_part, struct err *err)
{
    uint32_t named = 0;
    int rc = check_supported(spec, err);

    if (rc == 0)
        rc = check_numbers(spec, err);
    if (rc == 0)
        rc = check_rights(caller, spec, err);
    if (rc == 0)
        rc = check_hosts(model, spec, &named, err);
    if (rc == 0)
        rc = fill_counts(spec, named, err);
    if (rc == 0)
        rc = check_features(model, spec, err);
    if (rc == 0)
        rc = choose_partition(model, caller, spec, ret_part, err);
    if (rc == 0)
        rc = check_in_partition(model, spec, *ret_part, err);
    if (rc == 0)
        rc = check_memory(model, spec, (*ret_part)->conf, err);
    if (rc == 0)
        fill_time(spec, (*ret_part)->conf);
    if (rc == 0 && spec->kind == JOB_KIND_BATCH && spec->script_sha256.n != SHA256_BYTES)
        rc = err_set(err, E_NO_SCRIPT, "%s", err_string(E_NO_SCRIPT));
    return rc;
}

static uint32_t node_limit_reason(const struct job_spec *spec, const struct partition *part,
                                  struct strbuf *text)
{
    const struct partition_info *conf = part->conf;
    uint32_t most = conf->total_nodes;

    if (conf->max_nodes < most)
        most = conf->max_nodes;
    if (spec->min_nodes > most)
        strbuf_addf(text, "asks for %u nodes, partition %s allows %u", spec->min_nodes, conf->name,
                    most);
    else if (is_set(spec->max_nodes) && spec->max_nodes < conf->min_nodes)
        strbuf_addf(text, "asks for at most %u nodes, partition %s wants %u or more",
                    spec->max_nodes, conf->name, conf->min_nodes);
    else
        return REASON_NONE;
    return REASON_PARTITION_NODE_LIMIT;
}

static uint32_t time_limit_reason(const struct job_spec *spec, const struct partition_info *part,
                                  struct strbuf *text)
{
    if (part->max_time < 0 || (spec->time_limit >= 0 && spec->time_limit <= part->max_time))
        return REASON_NONE;
    if (spec->time_limit == LIMIT_UNSET)
        return REASON_NONE;
    strbuf_adds(text, "asks for ");
    duration_format(text, spec->time_limit < 0 ? DURATION_INFINITE : spec->time_limit);
    strbuf_addf(text, ", partition %s allows ", part->name);
    duration_format(text, part->max_time);
    return REASON_PARTITION_TIME_LIMIT;
}

uint32_t spec_waits_for(const struct job_spec *spec, const struct partition *part,
                        struct strbuf *text)
{
    uint32_t reason = node_limit_reason(spec, part, text);

    if (reason == REASON_NONE)
        reason = time_limit_reason(spec, part->conf, text);
    if (reason == REASON_NONE && part->conf->state == PARTITION_INACTIVE) {
        strbuf_addf(text, "partition %s is inactive", part->conf->name);
        reason = REASON_PARTITION_INACTIVE;
    }
    return reason;
}
