/* What a partition's limits make a job wait for, or be refused for with EnforcePartLimits. */
#include "ctld/control/request/spec.h"

#include <inttypes.h>

#include "common/text/duration.h"
#include "common/text/size.h"
#include "common/text/words.h"

bool spec_list_has(const char *list, const char *name)
{
    AUTO(words) struct words words = words_split(list, ",");

    return name && words_have(&words, name);
}

bool spec_list_allows(const char *list, const char *name)
{
    return !list || spec_list_has(list, "ALL") || spec_list_has(list, name);
}

static uint32_t node_reason(const struct job_spec *spec, const struct partition_info *part,
                            struct strbuf *text)
{
    uint32_t most = part->total_nodes;

    if (part->max_nodes < most)
        most = part->max_nodes;
    if (spec->min_nodes > most)
        strbuf_addf(text, "asks for %u nodes, partition %s allows %u", spec->min_nodes, part->name,
                    most);
    else if (count_is_set(spec->max_nodes) && spec->max_nodes < part->min_nodes)
        strbuf_addf(text, "asks for at most %u nodes, partition %s wants %u or more",
                    spec->max_nodes, part->name, part->min_nodes);
    else
        return REASON_NONE;
    return REASON_PARTITION_NODE_LIMIT;
}

/* A job that can do with less time is measured by that. */
static uint32_t time_reason(const struct job_spec *spec, const struct partition_info *part,
                            struct strbuf *text)
{
    const int64_t asked = spec->time_min >= 0 ? spec->time_min : spec->time_limit;

    if (part->max_time < 0 || asked == LIMIT_UNSET || (asked >= 0 && asked <= part->max_time))
        return REASON_NONE;
    strbuf_adds(text, "asks for ");
    duration_format(text, asked < 0 ? DURATION_INFINITE : asked);
    strbuf_addf(text, ", partition %s allows ", part->name);
    duration_format(text, part->max_time);
    return REASON_PARTITION_TIME_LIMIT;
}

/* As Slurm: what is asked of each node does not count here; no node may have it. */
static uint64_t cpus_of_tasks(const struct job_spec *spec)
{
    const uint64_t tasks = count_is_set(spec->ntasks) ? spec->ntasks : spec->min_nodes;
    const uint64_t each = count_is_set(spec->cpus_per_task) ? spec->cpus_per_task : 1;

    return spec->overcommit || tasks * each < spec->min_nodes ? spec->min_nodes : tasks * each;
}

bool spec_cpus_exceed(uint64_t cpus, const struct partition_info *part, struct strbuf *text)
{
    uint64_t most = part->total_cpus;

    if ((uint64_t)part->max_cpus_per_node * part->total_nodes < most)
        most = (uint64_t)part->max_cpus_per_node * part->total_nodes;
    if (cpus <= most)
        return false;
    strbuf_addf(text, "asks for %" PRIu64 " cpus, partition %s gives %" PRIu64, cpus, part->name,
                most);
    return true;
}

static uint32_t cpu_reason(const struct job_spec *spec, const struct partition_info *part,
                           struct strbuf *text)
{
    return spec_cpus_exceed(cpus_of_tasks(spec), part, text) ? REASON_PARTITION_CONFIG
                                                             : REASON_NONE;
}

/* Memory that the job takes of a node at least. */
static uint64_t memory_of_a_node(const struct job_spec *spec)
{
    const uint64_t tasks = count_is_set(spec->ntasks_per_node) ? spec->ntasks_per_node : 1;
    const uint64_t cpus = count_is_set(spec->cpus_per_task) ? spec->cpus_per_task : 1;

    if (spec->mem_per_node != MB_UNSET)
        return spec->mem_per_node;
    if (spec->mem_per_cpu == MB_UNSET || spec->mem_per_cpu > SIZE_MB_MAX)
        return 0;
    return spec->mem_per_cpu * (spec->overcommit ? 1 : tasks * cpus);
}

static uint32_t memory_reason(const struct job_spec *spec, const struct partition_info *part,
                              struct strbuf *text)
{
    const uint64_t asked = memory_of_a_node(spec);

    if (part->max_mem_per_node == MB_UNSET ||
        (asked <= part->max_mem_per_node && spec->mem_per_node != 0))
        return REASON_NONE;
    if (asked)
        strbuf_addf(text, "asks for %" PRIu64 "M on a node", asked);
    else
        strbuf_adds(text, "asks for all memory of a node");
    strbuf_addf(text, ", partition %s allows %" PRIu64 "M", part->name, part->max_mem_per_node);
    return REASON_PARTITION_MEMORY;
}

static uint32_t account_reason(const struct job_spec *spec, const struct partition_info *part,
                               struct strbuf *text)
{
    const char *account = spec->account ? spec->account : "no account";

    if (!spec_list_allows(part->allow_accounts, spec->account))
        strbuf_addf(text, "partition %s allows %s, not %s", part->name, part->allow_accounts,
                    account);
    else if (part->deny_accounts && spec_list_has(part->deny_accounts, spec->account))
        strbuf_addf(text, "partition %s denies %s", part->name, account);
    else
        return REASON_NONE;
    return REASON_ACCOUNT_NOT_ALLOWED;
}

static uint32_t qos_reason(const struct job_spec *spec, const struct partition_info *part,
                           struct strbuf *text)
{
    const char *qos = spec->qos ? spec->qos : "normal";

    if (!spec_list_allows(part->allow_qos, qos))
        strbuf_addf(text, "partition %s allows %s, not %s", part->name, part->allow_qos, qos);
    else if (part->deny_qos && spec_list_has(part->deny_qos, qos))
        strbuf_addf(text, "partition %s denies %s", part->name, qos);
    else
        return REASON_NONE;
    return REASON_QOS_NOT_ALLOWED;
}

static uint32_t inactive_reason(const struct partition_info *part, struct strbuf *text)
{
    if (part->state != PARTITION_INACTIVE)
        return REASON_NONE;
    strbuf_addf(text, "partition %s is inactive", part->name);
    return REASON_PARTITION_INACTIVE;
}

uint32_t spec_waits_for(const struct job_spec *spec, const struct partition *part,
                        struct strbuf *text)
{
    uint32_t reason = account_reason(spec, part->conf, text);

    if (reason == REASON_NONE)
        reason = qos_reason(spec, part->conf, text);
    if (reason == REASON_NONE)
        reason = inactive_reason(part->conf, text);
    if (reason == REASON_NONE)
        reason = cpu_reason(spec, part->conf, text);
    if (reason == REASON_NONE)
        reason = node_reason(spec, part->conf, text);
    if (reason == REASON_NONE)
        reason = time_reason(spec, part->conf, text);
    if (reason == REASON_NONE)
        reason = memory_reason(spec, part->conf, text);
    return reason;
}

int spec_err_limit(uint32_t reason, const struct strbuf *text, struct err *err)
{
    static const struct {
        uint32_t reason;
        int code;
    } codes[] = {
        { REASON_PARTITION_NODE_LIMIT, E_NODE_COUNT },
        { REASON_PARTITION_TIME_LIMIT, E_TIME_LIMIT },
        { REASON_PARTITION_CONFIG, E_TOO_MANY_CPUS },
        { REASON_PARTITION_MEMORY, E_MEMORY },
        { REASON_ACCOUNT_NOT_ALLOWED, E_ACCOUNT },
        { REASON_QOS_NOT_ALLOWED, E_QOS },
    };
    int code = E_PARTITION_UNAVAILABLE;

    for (size_t i = 0; i < ARRAY_N(codes); i++)
        if (codes[i].reason == reason)
            code = codes[i].code;
    return err_set(err, code, "%s: %s", err_string(code), strbuf_text(text));
}
