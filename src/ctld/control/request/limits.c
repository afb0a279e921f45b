/* What a partition's limits make a job wait for, or be refused for with EnforcePartLimits. */
#include "ctld/control/request/spec.h"

#include <inttypes.h>

#include "common/msg/acct.h"
#include "common/text/duration.h"
#include "common/text/size.h"
#include "common/text/words.h"
#include "ctld/model/exempt.h"

bool spec_list_has(const char *list, const char *name)
{
    AUTO(words) struct words words = words_split(list, ",");

    return name && words_have(&words, name);
}

bool spec_list_allows(const char *list, const char *name)
{
    return !list || spec_list_has(list, "ALL") || spec_list_has(list, name);
}

/* ---- nodes ---- */

static uint32_t most_nodes(const struct partition_info *part)
{
    return part->max_nodes < part->total_nodes ? part->max_nodes : part->total_nodes;
}

static bool breaks_max_nodes(const struct job_spec *spec, const struct partition_info *part)
{
    return spec->min_nodes > most_nodes(part);
}

static bool breaks_min_nodes(const struct job_spec *spec, const struct partition_info *part)
{
    return count_is_set(spec->max_nodes) && spec->max_nodes < part->min_nodes;
}

static void tell_nodes(const struct job_spec *spec, const struct partition_info *part,
                       struct strbuf *text)
{
    if (spec->min_nodes > most_nodes(part))
        strbuf_addf(text, "asks for %u nodes, partition %s allows %u", spec->min_nodes, part->name,
                    most_nodes(part));
    else
        strbuf_addf(text, "asks for at most %u nodes, partition %s wants %u or more",
                    spec->max_nodes, part->name, part->min_nodes);
}

/* ---- time ---- */

/* Returns the time to measure by: --time-min if the job can do with less than its limit. What a
 * partition gives, another one need not give. */
static int64_t asked_time(const struct job_spec *spec)
{
    if (spec->time_min >= 0)
        return spec->time_min;
    return spec->time_is_partitions ? LIMIT_UNSET : spec->time_limit;
}

static bool breaks_time(const struct job_spec *spec, const struct partition_info *part)
{
    const int64_t asked = asked_time(spec);

    return part->max_time >= 0 && asked != LIMIT_UNSET && (asked < 0 || asked > part->max_time);
}

static void tell_time(const struct job_spec *spec, const struct partition_info *part,
                      struct strbuf *text)
{
    const int64_t asked = asked_time(spec);

    strbuf_adds(text, "asks for ");
    duration_format(text, asked < 0 ? DURATION_INFINITE : asked);
    strbuf_addf(text, ", partition %s allows ", part->name);
    duration_format(text, part->max_time);
}

/* ---- cpus ---- */

/* Returns the cpus of the tasks. As in Slurm, what is asked of each node does not count here; no
 * node may have it. */
static uint64_t cpus_of_tasks(const struct job_spec *spec)
{
    const uint64_t tasks = count_is_set(spec->ntasks) ? spec->ntasks : spec->min_nodes;
    const uint64_t each = count_is_set(spec->cpus_per_task) ? spec->cpus_per_task : 1;

    return spec->overcommit || tasks * each < spec->min_nodes ? spec->min_nodes : tasks * each;
}

static uint64_t most_cpus(const struct partition_info *part)
{
    const uint64_t most = (uint64_t)part->max_cpus_per_node * part->total_nodes;

    return most < part->total_cpus ? most : part->total_cpus;
}

bool spec_cpus_exceed(uint64_t cpus, const struct partition_info *part)
{
    return cpus > most_cpus(part);
}

void spec_tell_cpus(uint64_t cpus, const struct partition_info *part, struct strbuf *text)
{
    strbuf_addf(text, "asks for %" PRIu64 " cpus, partition %s gives %" PRIu64, cpus, part->name,
                most_cpus(part));
}

static bool breaks_cpus(const struct job_spec *spec, const struct partition_info *part)
{
    return spec_cpus_exceed(cpus_of_tasks(spec), part);
}

static void tell_cpus(const struct job_spec *spec, const struct partition_info *part,
                      struct strbuf *text)
{
    if (spec->min_nodes > most_nodes(part))
        tell_nodes(spec, part, text);
    else
        spec_tell_cpus(cpus_of_tasks(spec), part, text);
}

/* ---- memory ---- */

/* Returns the megabytes that the job takes of a node at least. */
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

static bool breaks_memory(const struct job_spec *spec, const struct partition_info *part)
{
    return part->max_mem_per_node != MB_UNSET &&
           (memory_of_a_node(spec) > part->max_mem_per_node || spec->mem_per_node == 0);
}

static void tell_memory(const struct job_spec *spec, const struct partition_info *part,
                        struct strbuf *text)
{
    const uint64_t asked = memory_of_a_node(spec);

    if (asked)
        strbuf_addf(text, "asks for %" PRIu64 "M on a node", asked);
    else
        strbuf_adds(text, "asks for all memory of a node");
    strbuf_addf(text, ", partition %s allows %" PRIu64 "M", part->name, part->max_mem_per_node);
}

/* ---- who ---- */

static bool breaks_accounts(const struct job_spec *spec, const struct partition_info *part)
{
    return !spec_list_allows(part->allow_accounts, spec->account) ||
           (part->deny_accounts && spec_list_has(part->deny_accounts, spec->account));
}

static void tell_account(const struct job_spec *spec, const struct partition_info *part,
                         struct strbuf *text)
{
    const char *account = spec->account ? spec->account : "no account";

    if (!spec_list_allows(part->allow_accounts, spec->account))
        strbuf_addf(text, "partition %s allows %s, not %s", part->name, part->allow_accounts,
                    account);
    else
        strbuf_addf(text, "partition %s denies %s", part->name, account);
}

static const char *qos_of(const struct job_spec *spec)
{
    return spec->qos ? spec->qos : "normal";
}

static bool breaks_qos(const struct job_spec *spec, const struct partition_info *part)
{
    return !spec_list_allows(part->allow_qos, qos_of(spec)) ||
           (part->deny_qos && spec_list_has(part->deny_qos, qos_of(spec)));
}

static void tell_qos(const struct job_spec *spec, const struct partition_info *part,
                     struct strbuf *text)
{
    if (!spec_list_allows(part->allow_qos, qos_of(spec)))
        strbuf_addf(text, "partition %s allows %s, not %s", part->name, part->allow_qos,
                    qos_of(spec));
    else
        strbuf_addf(text, "partition %s denies %s", part->name, qos_of(spec));
}

static bool is_inactive(const struct job_spec *spec, const struct partition_info *part)
{
    (void)spec;
    return part->state == PARTITION_INACTIVE;
}

static void tell_inactive(const struct job_spec *spec, const struct partition_info *part,
                          struct strbuf *text)
{
    (void)spec;
    strbuf_addf(text, "partition %s is inactive", part->name);
}

/* ---- all of them ---- */

/* All limits, in Slurm's order. Where EnforcePartLimits is set, the error is what it says of a new
 * job. A QOS with the flag lets its jobs exceed the limit. */
static const struct limit {
    uint32_t reason;
    int code;
    uint32_t exempt;
    bool (*breaks)(const struct job_spec *spec, const struct partition_info *part);
    void (*tell)(const struct job_spec *spec, const struct partition_info *part,
                 struct strbuf *text);
} limits[] = {
    { REASON_ACCOUNT_NOT_ALLOWED, E_ACCOUNT, 0, breaks_accounts, tell_account },
    { REASON_QOS_NOT_ALLOWED, E_QOS, 0, breaks_qos, tell_qos },
    { REASON_PARTITION_INACTIVE, E_PARTITION_UNAVAILABLE, 0, is_inactive, tell_inactive },
    { REASON_PARTITION_CONFIG, E_TOO_MANY_CPUS, 0, breaks_cpus, tell_cpus },
    { REASON_PARTITION_NODE_LIMIT, E_NODE_COUNT, QOS_PARTITION_MAX_NODES, breaks_max_nodes,
      tell_nodes },
    { REASON_PARTITION_NODE_LIMIT, E_NODE_COUNT, QOS_PARTITION_MIN_NODES, breaks_min_nodes,
      tell_nodes },
    { REASON_PARTITION_TIME_LIMIT, E_TIME_LIMIT, QOS_PARTITION_TIME_LIMIT, breaks_time, tell_time },
    { REASON_PARTITION_MEMORY, E_MEMORY, 0, breaks_memory, tell_memory },
};

uint32_t spec_waits_for(const struct model *model, const struct job_spec *spec,
                        const struct partition *part)
{
    const uint32_t exempt = model_exempt(model, spec->qos);

    for (size_t i = 0; i < ARRAY_N(limits); i++) {
        if (!(limits[i].exempt & exempt) && limits[i].breaks(spec, part->conf))
            return limits[i].reason;
    }
    return REASON_NONE;
}

bool spec_breaks(const struct model *model, const struct job_spec *spec,
                 const struct partition *part, uint32_t reason)
{
    const uint32_t exempt = model_exempt(model, spec->qos);

    for (size_t i = 0; i < ARRAY_N(limits); i++) {
        if (limits[i].reason == reason && !(limits[i].exempt & exempt) &&
            limits[i].breaks(spec, part->conf))
            return true;
    }
    return false;
}

static const struct limit *limit_of(uint32_t reason)
{
    for (size_t i = 0; i < ARRAY_N(limits); i++) {
        if (limits[i].reason == reason)
            return &limits[i];
    }
    return NULL;
}

void spec_tell_wait(uint32_t reason, const struct job_spec *spec, const struct partition *part,
                    struct strbuf *text)
{
    const struct limit *limit = limit_of(reason);

    if (limit)
        limit->tell(spec, part->conf, text);
}

int spec_err_wait(uint32_t reason, int code, const struct job_spec *spec,
                  const struct partition *part, struct err *err)
{
    AUTO(strbuf) struct strbuf text = { 0 };

    spec_tell_wait(reason, spec, part, &text);
    if (!code)
        code = limit_of(reason)->code;
    return err_set(err, code, "%s: %s", err_string(code), strbuf_text(&text));
}
