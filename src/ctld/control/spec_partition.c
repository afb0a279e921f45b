/* Which partition a job goes to, whether its owner may use it, and what it then gets from it. */
#include "ctld/control/spec.h"

#include <inttypes.h>
#include <string.h>

#include "common/text/duration.h"
#include "common/text/hostlist.h"
#include "common/text/words.h"

/* ---- may the job use it ---- */

static bool in_list(const char *list, const char *name)
{
    AUTO(words) struct words words = words_split(list, ",");

    return name && words_have(&words, name);
}

/* "ALL" is how a list says that it holds everybody. */
static bool is_allowed(const char *list, const char *name)
{
    return !list || in_list(list, "ALL") || in_list(list, name);
}

static bool allows_groups(const struct partition_info *part, const struct caller *caller)
{
    if (caller->is_admin || is_allowed(part->allow_groups, caller->group_name))
        return true;
    for (uint32_t i = 0; i < caller->group_names_n; i++)
        if (in_list(part->allow_groups, caller->group_names[i]))
            return true;
    return false;
}

static bool allows_host(const struct partition_info *part, const char *host)
{
    AUTO(hostlist) struct hostlist *hosts = NULL;

    if (is_allowed(part->alloc_nodes, host))
        return true;
    return host && hostlist_parse(part->alloc_nodes, &hosts, NULL) == 0 &&
           hostlist_find(hosts, host) >= 0;
}

static int check_access(const struct partition_info *part, const struct caller *caller,
                        const struct job_spec *spec, struct err *err)
{
    if (part->state == PARTITION_DRAIN || part->state == PARTITION_INACTIVE)
        return err_set(err, E_PARTITION_UNAVAILABLE, "%s: %s", err_string(E_PARTITION_UNAVAILABLE),
                       part->name);
    if (part->no_root_jobs && caller->uid == 0)
        return err_set(err, E_USER_ID, "%s: partition %s takes no jobs of root",
                       err_string(E_USER_ID), part->name);
    if (part->root_only && !caller->is_admin)
        return err_set(err, E_ACCESS, "%s: partition %s is for root only", err_string(E_ACCESS),
                       part->name);
    if (!allows_host(part, spec->submit_host))
        return err_set(err, E_ACCESS, "%s: partition %s takes jobs from %s only",
                       err_string(E_ACCESS), part->name, part->alloc_nodes);
    if (!allows_groups(part, caller))
        return err_set(err, E_PARTITION_GROUP, "%s: partition %s is for %s",
                       err_string(E_PARTITION_GROUP), part->name, part->allow_groups);
    return 0;
}

/* ---- what a job waits for, or with EnforcePartLimits is refused for ---- */

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

static uint32_t cpu_reason(const struct job_spec *spec, const struct partition_info *part,
                           struct strbuf *text)
{
    const uint64_t asked = spec_cpus(spec);
    uint64_t most = part->total_cpus;

    if ((uint64_t)part->max_cpus_per_node * part->total_nodes < most)
        most = (uint64_t)part->max_cpus_per_node * part->total_nodes;
    if (asked <= most)
        return REASON_NONE;
    strbuf_addf(text, "asks for %" PRIu64 " cpus, partition %s gives %" PRIu64, asked, part->name,
                most);
    return REASON_PARTITION_CONFIG;
}

static uint32_t account_reason(const struct job_spec *spec, const struct partition_info *part,
                               struct strbuf *text)
{
    const char *account = spec->account ? spec->account : "no account";

    if (!is_allowed(part->allow_accounts, spec->account))
        strbuf_addf(text, "partition %s allows %s, not %s", part->name, part->allow_accounts,
                    account);
    else if (part->deny_accounts && in_list(part->deny_accounts, spec->account))
        strbuf_addf(text, "partition %s denies %s", part->name, account);
    else
        return REASON_NONE;
    return REASON_ACCOUNT_NOT_ALLOWED;
}

static uint32_t qos_reason(const struct job_spec *spec, const struct partition_info *part,
                           struct strbuf *text)
{
    const char *qos = spec->qos ? spec->qos : "normal";

    if (!is_allowed(part->allow_qos, qos))
        strbuf_addf(text, "partition %s allows %s, not %s", part->name, part->allow_qos, qos);
    else if (part->deny_qos && in_list(part->deny_qos, qos))
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
        reason = node_reason(spec, part->conf, text);
    if (reason == REASON_NONE)
        reason = time_reason(spec, part->conf, text);
    if (reason == REASON_NONE)
        reason = cpu_reason(spec, part->conf, text);
    return reason;
}

/* The error that Slurm gives for a reason when EnforcePartLimits is set. */
static int err_limit(uint32_t reason, const struct strbuf *text, struct err *err)
{
    static const struct {
        uint32_t reason;
        int code;
    } codes[] = {
        { REASON_PARTITION_NODE_LIMIT, E_NODE_COUNT },
        { REASON_PARTITION_TIME_LIMIT, E_TIME_LIMIT },
        { REASON_PARTITION_CONFIG, E_TOO_MANY_CPUS },
        { REASON_ACCOUNT_NOT_ALLOWED, E_ACCOUNT },
        { REASON_QOS_NOT_ALLOWED, E_QOS },
    };
    int code = E_PARTITION_UNAVAILABLE;

    for (size_t i = 0; i < ARRAY_N(codes); i++)
        if (codes[i].reason == reason)
            code = codes[i].code;
    return err_set(err, code, "%s: %s", err_string(code), strbuf_text(text));
}

/* ---- the choice ---- */

struct choice {
    const struct model *model;
    const struct caller *caller;
    const struct job_spec *spec;
    uint32_t asked_n;             /* candidates in the request */
    const struct partition *best; /* so far */
    bool best_waits;
    struct strbuf names; /* of the usable ones */
    struct err why;      /* why the first of the others is none */
};

/* Of several candidates one may be unusable, unless all are to be fine. */
static int set_aside(struct choice *choice, const struct err *why, struct err *err)
{
    if (choice->asked_n == 1 || choice->model->config.enforce_part_limits == ENFORCE_ALL)
        return err_set(err, why->code, "%s", why->text);
    if (choice->why.code == 0)
        choice->why = *why;
    return 0;
}

static int consider(struct choice *choice, const struct partition *part, struct err *err)
{
    AUTO(strbuf) struct strbuf text = { 0 };
    struct err why = { 0 };
    uint32_t reason;

    if (check_access(part->conf, choice->caller, choice->spec, &why) < 0)
        return set_aside(choice, &why, err);
    reason = spec_waits_for(choice->spec, part, &text);
    if (reason != REASON_NONE && choice->model->config.enforce_part_limits != ENFORCE_NO) {
        err_limit(reason, &text, &why);
        return set_aside(choice, &why, err);
    }
    strbuf_addf(&choice->names, "%s%s", choice->names.len ? "," : "", part->conf->name);
    if (!choice->best || (choice->best_waits && reason == REASON_NONE)) {
        choice->best = part;
        choice->best_waits = reason != REASON_NONE;
    }
    return 0;
}

static int consider_named(struct choice *choice, const struct words *names, struct err *err)
{
    int rc = 0;

    for (uint32_t i = 0; rc == 0 && i < names->n; i++)
        if (!model_find_partition(choice->model, names->at[i]))
            rc = err_set(err, E_PARTITION_NAME, "%s: %s", err_string(E_PARTITION_NAME),
                         names->at[i]);
    for (uint32_t i = 0; rc == 0 && i < names->n; i++)
        rc = consider(choice, model_find_partition(choice->model, names->at[i]), err);
    return rc;
}

static int consider_default(struct choice *choice, struct err *err)
{
    const struct partition *part = model_default_partition(choice->model);

    if (!part)
        return err_set(err, E_NO_PARTITION, "%s", err_string(E_NO_PARTITION));
    return consider(choice, part, err);
}

int spec_choose_partition(const struct model *model, const struct caller *caller,
                          struct job_spec *spec, const struct partition **ret, struct err *err)
{
    AUTO(words) struct words names = words_split(spec->partition ? spec->partition : "", ",");
    struct choice choice = { .model = model, .caller = caller, .spec = spec };
    int rc;

    choice.asked_n = names.n ? names.n : 1;
    rc = names.n ? consider_named(&choice, &names, err) : consider_default(&choice, err);
    if (rc == 0 && !choice.best)
        rc = err_set(err, choice.why.code, "%s", choice.why.text);
    if (rc == 0 && names.n)
        xstrset(&spec->partition, strbuf_text(&choice.names));
    if (rc == 0)
        *ret = choice.best;
    strbuf_clear(&choice.names);
    return rc;
}

/* ---- what the partition gives ---- */

static void fill_nodes(struct job_spec *spec, const struct partition_info *part)
{
    if (!count_is_set(spec->max_nodes) && spec->min_nodes < part->min_nodes)
        spec->min_nodes = part->min_nodes;
}

static int fill_time(struct job_spec *spec, const struct partition_info *part, struct err *err)
{
    if (spec->time_limit == LIMIT_UNSET)
        spec->time_limit = part->default_time;
    if (spec->time_limit == LIMIT_UNSET)
        spec->time_limit = part->max_time;
    if (spec->time_limit < 0 || spec->time_limit == 0)
        spec->time_limit = LIMIT_INFINITE;
    if (spec->time_limit > 0 && spec->time_min > spec->time_limit)
        return err_set(err, E_TIME_MIN, "%s", err_string(E_TIME_MIN));
    return 0;
}

static bool asks_gpus(const struct job_spec *spec)
{
    const char *const lists[] = { spec->tres_per_job, spec->tres_per_node, spec->tres_per_socket,
                                  spec->tres_per_task };

    for (size_t i = 0; i < ARRAY_N(lists); i++)
        if (lists[i] && strstr(lists[i], "gres/gpu:"))
            return true;
    return false;
}

/* Where memory is shared out, a job that names none gets what the partition says. */
static void fill_memory(const struct model *model, struct job_spec *spec,
                        const struct partition_info *part)
{
    if (spec->mem_per_node != MB_UNSET || spec->mem_per_cpu != MB_UNSET ||
        spec->mem_per_gpu != MB_UNSET || !(model->config.select & SELECT_MEMORY))
        return;
    if (asks_gpus(spec) && part->def_mem_per_gpu != MB_UNSET)
        spec->mem_per_gpu = part->def_mem_per_gpu;
    else if (part->def_mem_per_cpu != MB_UNSET)
        spec->mem_per_cpu = part->def_mem_per_cpu;
    else
        spec->mem_per_node = part->def_mem_per_node;
}

static void fill_gpu_cpus(struct job_spec *spec, const struct partition_info *part)
{
    if (asks_gpus(spec) && !count_is_set(spec->cpus_per_gpu) && !count_is_set(spec->cpus_per_task))
        spec->cpus_per_gpu = part->def_cpu_per_gpu;
}

/* As Slurm: who wants more memory for a cpu than there may be gets more cpus with it. */
static void spread_memory(struct job_spec *spec, const struct partition_info *part)
{
    uint64_t times;
    uint64_t cpus;

    if (spec->mem_per_cpu == MB_UNSET || part->max_mem_per_cpu == MB_UNSET ||
        part->max_mem_per_cpu == 0 || spec->mem_per_cpu <= part->max_mem_per_cpu)
        return;
    times = (spec->mem_per_cpu - 1) / part->max_mem_per_cpu + 1;
    cpus = times * (count_is_set(spec->cpus_per_task) ? spec->cpus_per_task : 1);
    if (times > SPEC_CPUS_MAX || cpus > SPEC_CPUS_MAX)
        return; /* no node has so many: it stays what it is, and fits nowhere */
    spec->cpus_per_task = (uint32_t)cpus;
    spec->mem_per_cpu = (spec->mem_per_cpu - 1) / times + 1;
}

static int check_memory(const struct job_spec *spec, const struct partition_info *part,
                        struct err *err)
{
    if (spec->mem_per_node == MB_UNSET || spec->mem_per_node <= part->max_mem_per_node)
        return 0;
    return err_set(err, E_NODE_CONFIG, "%s: --mem=%" PRIu64 "M, partition %s allows %" PRIu64 "M",
                   err_string(E_NODE_CONFIG), spec->mem_per_node, part->name,
                   part->max_mem_per_node);
}

int spec_fill_from_partition(const struct model *model, struct job_spec *spec,
                             const struct partition *part, struct err *err)
{
    int rc = fill_time(spec, part->conf, err);

    if (rc == 0)
        rc = check_memory(spec, part->conf, err);
    if (rc < 0)
        return rc;
    fill_nodes(spec, part->conf);
    fill_memory(model, spec, part->conf);
    fill_gpu_cpus(spec, part->conf);
    spread_memory(spec, part->conf);
    return 0;
}
