/* Which partition a job goes to, whether its owner may use it, and what it then gets from it. */
#include "ctld/control/request/spec.h"

#include <string.h>

#include "common/msg/acct.h"
#include "common/text/hostlist.h"
#include "common/text/words.h"
#include "ctld/model/exempt.h"

/* ---- may the job use it ---- */

static bool allows_groups(const struct partition_info *part, const struct caller *caller)
{
    if (caller_has_level(caller, LEVEL_ROOT) ||
        spec_list_allows(part->allow_groups, caller->group_name))
        return true;
    for (uint32_t i = 0; i < caller->group_names_n; i++)
        if (spec_list_has(part->allow_groups, caller->group_names[i]))
            return true;
    return false;
}

bool control_hides_partition(const struct partition_info *part, const struct caller *caller)
{
    return !caller_has_level(caller, LEVEL_OPERATOR) &&
           (part->hidden || !allows_groups(part, caller));
}

static bool allows_host(const struct partition_info *part, const char *host)
{
    AUTO(hostlist) struct hostlist *hosts = NULL;

    if (spec_list_allows(part->alloc_nodes, host))
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
    if (part->reservation_only && !spec->reservation)
        return err_set(err, E_ACCESS, "%s: partition %s is for jobs in a reservation",
                       err_string(E_ACCESS), part->name);
    if (part->root_only && !caller_has_level(caller, LEVEL_ROOT))
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

/* Returns the partition that stands in for one that takes no jobs, or that one itself. */
static const struct partition *stand_in(const struct choice *choice, const struct partition *part)
{
    const struct partition_info *conf = part->conf;
    const struct partition *other = NULL;

    if (conf->alternate && (conf->state == PARTITION_DRAIN || conf->state == PARTITION_INACTIVE))
        other = model_find_partition(choice->model, conf->alternate);
    return other ? other : part;
}

/* Sets aside a candidate that cannot be used. That is an error if it is the only one, or all are to
 * be fine. */
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
    struct err why = { 0 };
    uint32_t reason;

    part = stand_in(choice, part);
    if (check_access(part->conf, choice->caller, choice->spec, &why) < 0)
        return set_aside(choice, &why, err);
    reason = spec_waits_for(choice->model, choice->spec, part);
    if (reason != REASON_NONE && choice->model->config.enforce_part_limits != ENFORCE_NO) {
        spec_err_wait(reason, 0, choice->spec, part, &why);
        return set_aside(choice, &why, err);
    }
    strbuf_addf(&choice->names, "%s%s", choice->names.len ? "," : "", part->conf->name);
    if (!choice->best || (choice->best_waits && reason == REASON_NONE)) {
        choice->best = part;
        choice->best_waits = reason != REASON_NONE;
    }
    return 0;
}

static int refuse_name(const char *name, struct err *err)
{
    return err_set(err, E_PARTITION_NAME, "invalid partition specified: %s", name);
}

static int consider_named(struct choice *choice, const struct words *names, struct err *err)
{
    int rc = names->n ? 0 : refuse_name("(null)", err); /* '' is none; in Slurm's words */

    for (uint32_t i = 0; rc == 0 && i < names->n; i++)
        if (!model_find_partition(choice->model, names->at[i]))
            rc = refuse_name(names->at[i], err);
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
    rc = spec->partition ? consider_named(&choice, &names, err) : consider_default(&choice, err);
    if (rc == 0 && !choice.best)
        rc = err_set(err, choice.why.code, "%s", choice.why.text);
    if (rc == 0 && spec->partition)
        xstrset(&spec->partition, strbuf_text(&choice.names));
    if (rc == 0)
        *ret = choice.best;
    strbuf_clear(&choice.names);
    return rc;
}

/* ---- what the partition gives ---- */

/* True if --time-min is more than the limit. No time is enough for a job that can do with no less
 * than any, unless it asks for all of it. */
static bool exceeds_limit(const struct job_spec *spec, bool is_said)
{
    if (spec->time_min == LIMIT_INFINITE)
        return !is_said || spec->time_limit > 0;
    return spec->time_limit > 0 && spec->time_min > spec->time_limit;
}

int64_t spec_default_time(const struct partition_info *part)
{
    const int64_t limit = part->default_time == LIMIT_UNSET ? part->max_time : part->default_time;

    return limit > 0 ? limit : LIMIT_INFINITE;
}

static int fill_time(struct job_spec *spec, const struct partition_info *part, struct err *err)
{
    const bool is_said = spec->time_limit != LIMIT_UNSET;

    if (!is_said) {
        spec->time_limit = spec_default_time(part);
        /* A DefaultTime is asked for once and for all, as in Slurm, where the job goes to one
         * partition. */
        spec->time_is_partitions |=
            part->default_time == LIMIT_UNSET || (spec->partition && strchr(spec->partition, ','));
    }
    if (spec->time_limit <= 0)
        spec->time_limit = LIMIT_INFINITE;
    if (exceeds_limit(spec, is_said))
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

static bool names_memory(const struct job_spec *spec)
{
    return spec->mem_per_node != MB_UNSET || spec->mem_per_cpu != MB_UNSET ||
           spec->mem_per_gpu != MB_UNSET;
}

/* Where memory is shared out, gives a job that names none what the partition says. */
static void fill_memory(const struct model *model, struct job_spec *spec,
                        const struct partition_info *part)
{
    if (names_memory(spec) || !(model->config.select & SELECT_MEMORY))
        return;
    if (asks_gpus(spec) && part->def_mem_per_gpu != MB_UNSET)
        spec->mem_per_gpu = part->def_mem_per_gpu;
    else if (part->def_mem_per_cpu != MB_UNSET)
        spec->mem_per_cpu = part->def_mem_per_cpu;
    else
        spec->mem_per_node = part->def_mem_per_node;
    /*
     * A job whose memory nobody named gets that of the whole node, which may be more than allowed.
     */
    if (!names_memory(spec) && part->max_mem_per_node != MB_UNSET)
        spec->mem_per_node = 0;
    if (names_memory(spec))
        spec->given |= GIVEN_MEMORY;
}

static void fill_cpus_per_gpu(struct job_spec *spec, const struct partition_info *part)
{
    if (!asks_gpus(spec) || count_is_set(spec->cpus_per_gpu) || count_is_set(spec->cpus_per_task) ||
        !count_is_set(part->def_cpu_per_gpu))
        return;
    spec->cpus_per_gpu = part->def_cpu_per_gpu;
    spec->given |= GIVEN_CPUS_PER_GPU;
}

/* Gives the job more cpus if it wants more memory for one than there may be, as Slurm does. */
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
    spec->asked_cpus_per_task = spec->cpus_per_task;
    spec->asked_mem_per_cpu = spec->mem_per_cpu;
    spec->cpus_per_task = (uint32_t)cpus;
    spec->mem_per_cpu = (spec->mem_per_cpu - 1) / times + 1;
}

void spec_gather_memory(struct job_spec *spec)
{
    if (spec->asked_mem_per_cpu == MB_UNSET)
        return;
    spec->cpus_per_task = spec->asked_cpus_per_task;
    spec->mem_per_cpu = spec->asked_mem_per_cpu;
    spec->asked_cpus_per_task = COUNT_UNSET;
    spec->asked_mem_per_cpu = MB_UNSET;
}

void spec_give_back(struct job_spec *spec)
{
    spec_gather_memory(spec);
    if (spec->given & GIVEN_MEMORY)
        spec->mem_per_node = spec->mem_per_cpu = spec->mem_per_gpu = MB_UNSET;
    if (spec->given & GIVEN_CPUS_PER_GPU)
        spec->cpus_per_gpu = COUNT_UNSET;
    if (spec->time_is_partitions)
        spec->time_limit = LIMIT_UNSET;
    spec->given = 0;
}

int spec_fill_from_partition(const struct model *model, struct job_spec *spec,
                             const struct partition *part, struct err *err)
{
    int rc = fill_time(spec, part->conf, err);

    if (rc < 0)
        return rc;
    if (!count_is_set(spec->max_nodes) && spec->min_nodes < part->conf->min_nodes &&
        !(model_exempt(model, spec->qos) & QOS_PARTITION_MIN_NODES))
        spec->min_nodes = part->conf->min_nodes;
    fill_memory(model, spec, part->conf);
    fill_cpus_per_gpu(spec, part->conf);
    spread_memory(spec, part->conf);
    return 0;
}
