/* check_partitions.c - PartitionName lines in which no job could run, or that say two things. */
#include "common/conf/check_parts.h"

#include <inttypes.h>
#include <string.h>

#include "common/base/bitset.h"

static void wrong(const struct check *check, const struct conf_partition *part, const char *fmt,
                  ...) PRINTF_LIKE(3, 4);

static void wrong(const struct check *check, const struct conf_partition *part, const char *fmt,
                  ...)
{
    AUTO(strbuf) struct strbuf text = { 0 };
    va_list args;

    va_start(args, fmt);
    strbuf_vaddf(&text, fmt, args);
    va_end(args);
    conf_notes_add(check->notes, CONF_NOTE_WRONG, part->at, "partition %s: %s", part->name,
                   strbuf_text(&text));
}

static void check_counts(const struct check *check, const struct conf_partition *part)
{
    if (part->max_nodes != CONF_UNLIMITED && part->min_nodes > part->max_nodes)
        wrong(check, part, "MinNodes=%u is above MaxNodes=%u, so no job fits", part->min_nodes,
              part->max_nodes);
    if (part->nodes_n && part->min_nodes > part->nodes_n)
        wrong(check, part, "MinNodes=%u, but it has %u nodes, so no job fits", part->min_nodes,
              part->nodes_n);
    if (part->max_cpus_per_node == 0)
        wrong(check, part, "MaxCPUsPerNode=0, so no job fits");
    if (part->max_nodes == 0)
        wrong(check, part, "MaxNodes=0, so no job fits");
    if (part->max_time_min == 0)
        wrong(check, part, "MaxTime=0, so no job fits");
}

/* Checks the memory that jobs get by default, and whether any node has that much. */
static void check_memory(const struct check *check, const struct conf_partition *part)
{
    const struct slurm_conf *conf = check->conf;
    const struct conf_mem *def = part->def_mem.mb ? &part->def_mem : &conf->def_mem;
    const struct conf_mem *max = part->max_mem.mb ? &part->max_mem : &conf->max_mem;
    const char *unit = def->per_cpu ? "CPU" : "Node";
    uint64_t most = 0;

    if (def->mb && max->mb && def->per_cpu == max->per_cpu && def->mb > max->mb)
        wrong(check, part, "DefMemPer%s=%" PRIu64 " is above MaxMemPer%s=%" PRIu64, unit, def->mb,
              unit, max->mb);
    if (def->per_cpu && !max->per_cpu && max->mb && def->mb > max->mb)
        wrong(check, part, "DefMemPerCPU=%" PRIu64 " is above MaxMemPerNode=%" PRIu64, def->mb,
              max->mb);
    for (uint32_t i = 0; i < part->nodes_n; i++) {
        const struct conf_node *node = &conf->nodes[part->nodes[i]];

        if (!node->memory_given)
            return;
        most = node->memory_mb > most ? node->memory_mb : most;
    }
    if (part->nodes_n && def->mb > most)
        wrong(check, part,
              "DefMemPer%s=%" PRIu64 ", and its largest node has %" PRIu64
              " MB: jobs that do not ask for less never start",
              unit, def->mb, most);
}

static void check_lists(const struct check *check, const struct conf_partition *part)
{
    if (part->allow_accounts && part->deny_accounts)
        wrong(check, part, "AllowAccounts= and DenyAccounts= exclude each other");
    if (part->allow_qos && part->deny_qos)
        wrong(check, part, "AllowQos= and DenyQos= exclude each other");
    if (part->alternate && !slurm_conf_find_partition(check->conf, part->alternate))
        wrong(check, part, "Alternate=%s, and there is no such partition", part->alternate);
    if (part->alternate && strcmp(part->alternate, part->name) == 0)
        wrong(check, part, "Alternate=%s is the partition itself", part->alternate);
    if (part->root_only && part->disable_root_jobs)
        wrong(check, part, "RootOnly=YES and DisableRootJobs=YES: nobody may submit to it");
    if (part->over_time_min != CONF_UNSET && part->over_time_min != CONF_UNLIMITED &&
        part->max_time_min == CONF_UNLIMITED && part->over_time_min)
        conf_notes_add(check->notes, CONF_NOTE_HINT, part->at,
                       "partition %s: OverTimeLimit=%u, and MaxTime has no end; it counts for jobs "
                       "with a limit of their own",
                       part->name, part->over_time_min);
}

/*
 * Checks SelectTypeParameters= of a partition, which may be cores or sockets when the cluster's is
 * one of these.
 */
static void check_select(const struct check *check, const struct conf_partition *part)
{
    const uint32_t units = SELECT_CORE | SELECT_SOCKET;

    if (part->select_params && (part->select_params & SELECT_CPU))
        wrong(check, part,
              "SelectTypeParameters= of a partition is CR_Core, CR_Socket, or these "
              "with _Memory");
    else if (part->select_params && !(check->conf->select_params & units))
        wrong(check, part,
              "SelectTypeParameters= counts only where that of the cluster is CR_Core, CR_Socket, "
              "or these with _Memory");
}

static bool is_away(const struct conf_node *node)
{
    return node->state == CONF_NODE_DOWN || node->state == CONF_NODE_DRAIN ||
           node->state == CONF_NODE_FAIL || node->state == CONF_NODE_FAILING ||
           node->state == CONF_NODE_FUTURE;
}

static void check_states(const struct check *check, const struct conf_partition *part)
{
    uint32_t away = 0;

    for (uint32_t i = 0; i < part->nodes_n; i++)
        away += is_away(&check->conf->nodes[part->nodes[i]]);
    if (part->nodes_n && away == part->nodes_n)
        conf_notes_add(check->notes, CONF_NOTE_VALUE, part->at,
                       "partition %s: State= of each of its nodes is DOWN, DRAIN, FAIL or FUTURE, "
                       "so its jobs wait",
                       part->name);
    if (part->is_default && (part->state != CONF_PART_UP || part->root_only))
        conf_notes_add(check->notes, CONF_NOTE_VALUE, part->at,
                       "partition %s has Default=YES, and %s", part->name,
                       part->root_only ? "RootOnly=YES: jobs of users that name no partition are "
                                         "refused"
                                       : "is not UP: jobs that name no partition do not start");
}

static void check_one(const struct check *check, const struct conf_partition *part)
{
    if (part->nodes_n == 0)
        conf_notes_add(check->notes, CONF_NOTE_VALUE, part->at,
                       "partition %s has no nodes, so its jobs wait for ever", part->name);
    check_states(check, part);
    check_counts(check, part);
    check_memory(check, part);
    check_lists(check, part);
    check_select(check, part);
}

/* Notes nodes in no partition, which no job ever gets. */
static void check_left_nodes(const struct check *check)
{
    const struct slurm_conf *conf = check->conf;
    AUTO(bitset) struct bitset used = { 0 };
    AUTO(hostlist) struct hostlist *left = hostlist_new();
    struct conf_at at = { 0 };

    bitset_init(&used, conf->nodes_n);
    for (uint32_t i = 0; i < conf->partitions_n; i++)
        for (uint32_t k = 0; k < conf->partitions[i].nodes_n; k++)
            bitset_add(&used, conf->partitions[i].nodes[k]);
    for (uint32_t i = 0; i < conf->nodes_n; i++) {
        if (bitset_has(&used, i))
            continue;
        if (!at.file)
            at = conf->nodes[i].at;
        hostlist_add(left, conf->nodes[i].name);
    }
    if (!at.file)
        return;
    AUTO_FREE char *names = check_names(left);

    conf_notes_add(check->notes, CONF_NOTE_VALUE, at,
                   "no partition has the nodes %s: no job runs there", names);
}

void check_partitions(const struct check *check)
{
    const struct slurm_conf *conf = check->conf;

    for (uint32_t i = 0; i < conf->partitions_n; i++)
        check_one(check, &conf->partitions[i]);
    if (conf->partitions_n == 0) {
        conf_notes_add(check->notes, CONF_NOTE_WRONG, check_at(check, "PartitionName"),
                       "no PartitionName line: no job can be submitted");
        return;
    }
    check_left_nodes(check);
    if (!slurm_conf_default_partition(conf))
        conf_notes_add(check->notes, CONF_NOTE_VALUE, conf->partitions[0].at,
                       "no partition has Default=YES: jobs that name none are refused");
}
