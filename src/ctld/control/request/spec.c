/*
 * What a job may ask for. Filled in here once, so that nobody later has to guess what "not given"
 * means; what Slurm lets wait although it cannot start, waits here too, and says why.
 */
#include "ctld/control/request/spec.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "common/text/duration.h"
#include "common/text/hostlist.h"
#include "common/text/words.h"
#include "ctld/sched/place/constraint.h"

#define DAYS_MAX 36500
/* The last second of the year 9999, which leaves room to reckon in milliseconds. */
#define TIME_LAST INT64_C(253402300799)

/* ---- numbers ---- */

static const struct {
    const char *option;
    size_t at; /* in job_spec */
    uint32_t max;
    int code;
} ranges[] = {
    { "--nodes", offsetof(struct job_spec, min_nodes), SPEC_NODES_MAX, E_NODE_COUNT },
    { "--nodes", offsetof(struct job_spec, max_nodes), SPEC_NODES_MAX, E_NODE_COUNT },
    { "--ntasks", offsetof(struct job_spec, ntasks), SPEC_TASKS_MAX, E_TASK_COUNT },
    { "--ntasks-per-node", offsetof(struct job_spec, ntasks_per_node), SPEC_TASKS_MAX,
      E_TASK_COUNT },
    { "--ntasks-per-socket", offsetof(struct job_spec, ntasks_per_socket), SPEC_TASKS_MAX,
      E_TASK_COUNT },
    { "--ntasks-per-core", offsetof(struct job_spec, ntasks_per_core), SPEC_TASKS_MAX,
      E_TASK_COUNT },
    { "--cpus-per-task", offsetof(struct job_spec, cpus_per_task), SPEC_CPUS_MAX, E_TOO_MANY_CPUS },
    { "--mincpus", offsetof(struct job_spec, min_cpus_per_node), SPEC_CPUS_MAX, E_NODE_CONFIG },
    { "--cpus-per-gpu", offsetof(struct job_spec, cpus_per_gpu), SPEC_CPUS_MAX, E_TOO_MANY_CPUS },
    { "--sockets-per-node", offsetof(struct job_spec, sockets_per_node), SPEC_CPUS_MAX,
      E_TOO_MANY_CPUS },
    { "--cores-per-socket", offsetof(struct job_spec, cores_per_socket), SPEC_CPUS_MAX,
      E_TOO_MANY_CPUS },
    { "--threads-per-core", offsetof(struct job_spec, threads_per_core), SPEC_CPUS_MAX,
      E_TOO_MANY_CPUS },
    { "--thread-spec", offsetof(struct job_spec, thread_spec), SPEC_CPUS_MAX, E_TOO_MANY_CPUS },
    { "--switches", offsetof(struct job_spec, switches), SPEC_NODES_MAX, E_NODE_COUNT },
    { "--distribution=plane", offsetof(struct job_spec, plane_size), SPEC_TASKS_MAX,
      E_DISTRIBUTION },
};

static bool is_time(int64_t wall_s)
{
    return wall_s >= 0 && wall_s <= TIME_LAST;
}

/* Checks --nodes. In Slurm, which counts a cpu for each node, too many nodes are too many
 * processors; a too large maximum means as many nodes as there are. */
static int check_node_counts(struct job_spec *spec, struct err *err)
{
    if (count_is_set(spec->min_nodes) && spec->min_nodes > SPEC_NODES_MAX)
        return err_set(err, E_TOO_MANY_CPUS, "--nodes: %u is more than %u", spec->min_nodes,
                       SPEC_NODES_MAX);
    if (count_is_set(spec->max_nodes) && spec->max_nodes > SPEC_NODES_MAX)
        spec->max_nodes = SPEC_NODES_MAX;
    return 0;
}

static int check_numbers(const struct job_spec *spec, struct err *err)
{
    for (size_t i = 0; i < ARRAY_N(ranges); i++) {
        const uint32_t count = *(const uint32_t *)((const char *)spec + ranges[i].at);

        if (count_is_set(count) && (count == 0 || count > ranges[i].max))
            return err_set(err, ranges[i].code, "%s: %u is not between 1 and %u", ranges[i].option,
                           count, ranges[i].max);
    }
    if (spec->time_limit > INT64_C(86400) * DAYS_MAX || spec->time_min > INT64_C(86400) * DAYS_MAX)
        return err_set(err, E_TIME_LIMIT, "%s: more than %d days", err_string(E_TIME_LIMIT),
                       DAYS_MAX);
    if (!is_time(spec->begin) || !is_time(spec->deadline))
        return err_set(err, E_TIME_VALUE, "%s: %s %" PRId64 " is not between 1970 and 9999",
                       err_string(E_TIME_VALUE), is_time(spec->begin) ? "--deadline" : "--begin",
                       is_time(spec->begin) ? spec->deadline : spec->begin);
    if (spec->warn_signal > 64)
        return err_set(err, EINVAL, "--signal: there is no signal %u", spec->warn_signal);
    return 0;
}

static int check_distribution(const struct job_spec *spec, struct err *err)
{
    if (spec->dist_nodes == DIST_PLANE && !count_is_set(spec->plane_size))
        return err_set(err, E_DISTRIBUTION, "%s: plane without a size", err_string(E_DISTRIBUTION));
    if (spec->dist_nodes == DIST_ARBITRARY && !spec->req_nodes)
        return err_set(err, E_DISTRIBUTION, "%s: arbitrary without --nodelist",
                       err_string(E_DISTRIBUTION));
    if (spec->dist_nodes > DIST_ARBITRARY || spec->dist_sockets > DIST_FCYCLIC ||
        spec->dist_cores > DIST_FCYCLIC || spec->pack_nodes > PACK_NO_NODES)
        return err_set(err, E_DISTRIBUTION, "%s", err_string(E_DISTRIBUTION));
    return 0;
}

/* Checks --core-spec and --thread-spec: a request sets aside cores for the system only where the
 * configuration allows it. */
static int check_special_cores(const struct model *model, struct job_spec *spec, struct err *err)
{
    if (count_is_set(spec->core_spec) && count_is_set(spec->thread_spec))
        return err_set(err, EINVAL, "--core-spec and --thread-spec exclude each other");
    if (count_is_set(spec->core_spec) && spec->core_spec > SPEC_CPUS_MAX)
        return err_set(err, E_TOO_MANY_CPUS, "%s: --core-spec %u is more than %u",
                       err_string(E_TOO_MANY_CPUS), spec->core_spec, SPEC_CPUS_MAX);
    if (!model->config.allow_spec_resources) {
        spec->core_spec = COUNT_UNSET;
        spec->thread_spec = COUNT_UNSET;
    }
    /* As in Slurm, a job that takes cores from the system has the node alone. */
    if (count_is_set(spec->core_spec) || count_is_set(spec->thread_spec))
        spec->share = SHARE_EXCLUSIVE;
    return 0;
}

#define SWITCH_WAIT_MAX_S 300 /* max_switch_wait, when SchedulerParameters does not say */

/* Bounds the wait for few switches by what the administrator wants. */
static void fill_switches(const struct model *model, struct job_spec *spec)
{
    const uint64_t set = model->config.sched.max_switch_wait;
    const uint64_t most = set == SCHED_UNSET ? SWITCH_WAIT_MAX_S : set;

    if (count_is_set(spec->switches) && spec->switch_wait_s > most)
        spec->switch_wait_s = (uint32_t)most;
}

/* Fills in --distribution=arbitrary: these nodes alone, a task for each time one is named. */
static int fill_listed(struct job_spec *spec, uint32_t named, struct err *err)
{
    const uint32_t listed = hostlist_count_names(spec->req_nodes, false);

    if (spec->dist_nodes != DIST_ARBITRARY)
        return 0;
    if (!count_is_set(spec->ntasks))
        spec->ntasks = listed;
    if (listed != spec->ntasks || named > listed)
        return err_set(err, E_DISTRIBUTION,
                       "%s: arbitrary wants a node name in --nodelist for each of %u tasks, not %u",
                       err_string(E_DISTRIBUTION), spec->ntasks, listed);
    if (count_is_set(spec->min_nodes) && spec->min_nodes > named)
        return err_set(err, E_NODE_COUNT,
                       "Node count specification invalid: at least %u nodes are asked for, but "
                       "--distribution=arbitrary has a list of %u",
                       spec->min_nodes, named);
    spec->max_nodes = named;
    return 0;
}

/* Fills in nodes and tasks: named nodes must all be used, tasks per node decide the rest. */
static int fill_counts(struct job_spec *spec, uint32_t named, struct err *err)
{
    if (!count_is_set(spec->min_nodes)) {
        spec->min_nodes = 1;
        if (count_is_set(spec->ntasks) && count_is_set(spec->ntasks_per_node))
            spec->min_nodes = divide_up(spec->ntasks, spec->ntasks_per_node);
    }
    if (named > spec->min_nodes)
        spec->min_nodes = named;
    if (count_is_set(spec->max_nodes) && spec->max_nodes < spec->min_nodes)
        return err_set(err, E_NODE_COUNT,
                       "Node count specification invalid: at most %u nodes, but %u are asked for",
                       spec->max_nodes, spec->min_nodes);
    if (!count_is_set(spec->ntasks) && count_is_set(spec->ntasks_per_node)) {
        if (spec->ntasks_per_node > SPEC_TASKS_MAX / spec->min_nodes)
            return err_set(err, E_TASK_COUNT, "%s: %u on each of %u nodes are more than %u",
                           err_string(E_TASK_COUNT), spec->ntasks_per_node, spec->min_nodes,
                           SPEC_TASKS_MAX);
        spec->ntasks = spec->min_nodes * spec->ntasks_per_node;
    }
    return 0;
}

/* Returns the cpus that tasks and --mincpus need. */
static uint64_t cpus_needed(const struct job_spec *spec)
{
    const uint64_t tasks = count_is_set(spec->ntasks) ? spec->ntasks : spec->min_nodes;
    const uint64_t each = count_is_set(spec->min_cpus_per_node) ? spec->min_cpus_per_node : 1;
    const uint64_t least = spec->min_nodes * each;
    const uint64_t cpus = tasks * (count_is_set(spec->cpus_per_task) ? spec->cpus_per_task : 1);

    return spec->overcommit || cpus < least ? least : cpus;
}

uint32_t spec_cpus(const struct job_spec *spec)
{
    uint64_t in_all = cpus_needed(spec);

    if (count_is_set(spec->min_cpus) && in_all < spec->min_cpus)
        in_all = spec->min_cpus;
    return in_all < COUNT_UNSET ? (uint32_t)in_all : COUNT_UNSET - 1;
}

uint32_t spec_cpus_per_node(const struct job_spec *spec)
{
    const uint32_t each = count_is_set(spec->min_cpus_per_node) ? spec->min_cpus_per_node : 0;
    uint32_t share = 0;

    if (count_is_set(spec->min_cpus) && spec->min_cpus > cpus_needed(spec))
        share = divide_up(spec->min_cpus, spec->min_nodes);
    return each > share ? each : share;
}

/* ---- rights ---- */

static int check_rights(const struct caller *caller, struct job_spec *spec, struct err *err)
{
    if (spec->nice < 0 && !caller_has_level(caller, LEVEL_OPERATOR))
        return err_set(err, E_ACCESS,
                       "Invalid --nice value: %d (only an operator may raise a priority)",
                       spec->nice);
    if (spec->priority == 0)
        spec->hold = true;
    /* As in Slurm, what a user asks beyond his rights is ignored. */
    if (!caller_has_level(caller, LEVEL_OPERATOR)) {
        spec->priority = COUNT_UNSET;
        spec->site_factor = 0;
    }
    if (!caller_has_level(caller, LEVEL_ADMINISTRATOR))
        xstrset(&spec->admin_comment, NULL);
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

/* True if some node has the feature, active or not. */
static bool is_feature(const struct model *model, const char *name)
{
    for (uint32_t i = 0; i < model->nodes_n; i++) {
        const char *features = model->nodes[i].conf->features;
        AUTO(words) struct words words = words_split(features ? features : "", ",");

        for (uint32_t f = 0; f < words.n; f++) {
            if (strcmp(words.at[f], name) == 0)
                return true;
        }
    }
    return false;
}

/* Checks that nodes have the features. Fails with `code`: E_FEATURE or E_PREFER. */
int spec_check_constraint(const struct model *model, const char *text, int code, struct err *err)
{
    AUTO(constraint) struct constraint constraint = { 0 };
    struct err why = { 0 };

    if (!text || !text[0])
        return 0;
    if (constraint_parse(text, &constraint, &why) < 0)
        return err_set(err, code, "%s: %s", err_string(code), why.text);
    for (uint32_t i = 0; i < constraint.names_n; i++) {
        if (!is_feature(model, constraint.names[i]))
            return err_set(err, code, "%s: no node has '%s'", err_string(code),
                           constraint.names[i]);
    }
    return 0;
}

static int check_features(const struct model *model, const struct job_spec *spec, struct err *err)
{
    AUTO(constraint) struct constraint both = { 0 };
    int rc = spec_check_constraint(model, spec->features, E_FEATURE, err);

    if (rc == 0)
        rc = spec_check_constraint(model, spec->prefer, E_PREFER, err);
    if (rc == 0 && constraint_parse_both(spec->prefer, spec->features, &both, err) < 0)
        rc = err_prefix(err, "%s", err_string(E_PREFER));
    return rc;
}

/* ---- all of it ---- */

/* Checks what stands in the request itself. */
static int check_request(const struct model *model, const struct caller *caller,
                         struct job_spec *spec, struct err *err)
{
    uint32_t named = 0;
    int rc = check_node_counts(spec, err);

    if (rc == 0)
        rc = check_numbers(spec, err);
    if (rc == 0)
        rc = check_rights(caller, spec, err);
    if (rc == 0)
        rc = check_distribution(spec, err);
    if (rc == 0)
        rc = check_special_cores(model, spec, err);
    if (rc == 0)
        rc = spec_check_licenses(model, spec, err);
    if (rc == 0)
        rc = spec_fill_gres(model, spec, err);
    if (rc == 0)
        rc = check_hosts(model, spec, &named, err);
    if (rc == 0)
        rc = fill_listed(spec, named, err);
    if (rc == 0)
        rc = fill_counts(spec, named, err);
    if (rc == 0)
        rc = check_features(model, spec, err);
    if (rc == 0)
        fill_switches(model, spec);
    return rc;
}

/* Checks the request against the partition, once it is known where the job would go. */
static int check_there(const struct model *model, struct job_spec *spec,
                       const struct partition *part, struct err *err)
{
    int rc = check_in_partition(model, spec, part, err);

    return rc < 0 ? rc : spec_fill_from_partition(model, spec, part, err);
}

int spec_complete(const struct model *model, const struct caller *caller, struct job_spec *spec,
                  const struct partition **ret_part, struct err *err)
{
    int rc = check_request(model, caller, spec, err);

    if (rc == 0)
        rc = spec_choose_partition(model, caller, spec, ret_part, err);
    return rc < 0 ? rc : check_there(model, spec, *ret_part, err);
}

int spec_complete_again(const struct model *model, const struct caller *caller,
                        struct job_spec *spec, bool moves, const struct partition **part,
                        struct err *err)
{
    const struct caller anybody = { .level = LEVEL_ROOT };
    const bool hold = spec->hold;
    int rc;

    /* Fields that an operator has set before stay, though the caller may not set them. */
    rc = check_request(model, &anybody, spec, err);
    spec->hold = hold;
    if (rc == 0 && moves)
        rc = spec_choose_partition(model, caller, spec, part, err);
    return rc < 0 ? rc : check_there(model, spec, *part, err);
}
