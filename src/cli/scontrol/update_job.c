#include "cli/scontrol/update_job.h"

#include <errno.h>
#include <string.h>

#include "cli/scontrol/update.h"
#include "cli/scontrol/update_values.h"
#include "common/text/words.h"

/* ---- keys ---- */

/* Keys. Where several begin as a word that was cut short, the first is meant. */
static const struct {
    const char *key;
    uint32_t tag;
    update_read_fn *read;
} keys[] = {
    { "Account", SPEC_TAG_account, update_read_text },
    { "AdminComment", SPEC_TAG_admin_comment, update_read_text },
    { "ArrayTaskThrottle", 0, update_read_throttle },
    { "Comment", SPEC_TAG_comment, update_read_text },
    { "Contiguous", SPEC_TAG_contiguous, update_read_bool },
    { "CoreSpec", SPEC_TAG_core_spec, update_read_count },
    { "CPUsPerTask", SPEC_TAG_cpus_per_task, update_read_count },
    { "Deadline", SPEC_TAG_deadline, update_read_time },
    { "DelayBoot", 0, update_read_delay_boot },
    { "Dependency", SPEC_TAG_dependency, update_read_text },
    { "EligibleTime", SPEC_TAG_begin, update_read_time },
    { "EndTime", 0, update_read_end },
    { "ExcNodeList", SPEC_TAG_exc_nodes, update_read_text },
    { "Extra", SPEC_TAG_extra, update_read_text },
    { "Features", SPEC_TAG_features, update_read_text },
    { "Gres", SPEC_TAG_tres_per_node, update_read_text },
    { "JobName", SPEC_TAG_name, update_read_text },
    { "Licenses", SPEC_TAG_licenses, update_read_text },
    { "MailType", SPEC_TAG_mail_type, update_read_mail_type },
    { "MailUser", SPEC_TAG_mail_user, update_read_text },
    { "MinCPUsNode", SPEC_TAG_min_cpus_per_node, update_read_count },
    { "MinMemoryCPU", SPEC_TAG_mem_per_cpu, update_read_size },
    { "MinMemoryNode", SPEC_TAG_mem_per_node, update_read_size },
    { "MinTmpDiskNode", SPEC_TAG_tmp_disk, update_read_size },
    { "Name", SPEC_TAG_name, update_read_text },
    { "Nice", SPEC_TAG_nice, update_read_nice },
    { "NodeList", SPEC_TAG_req_nodes, update_read_text },
    { "NumCPUs", 0, update_read_cpus },
    { "NumNodes", SPEC_TAG_min_nodes, update_read_nodes },
    { "NumTasks", SPEC_TAG_ntasks, update_read_count },
    { "OverSubscribe", SPEC_TAG_share, update_read_share },
    { "Partition", SPEC_TAG_partition, update_read_text },
    { "Prefer", SPEC_TAG_prefer, update_read_text },
    { "Priority", SPEC_TAG_priority, update_read_priority },
    { "QOS", SPEC_TAG_qos, update_read_text },
    { "Reboot", SPEC_TAG_reboot, update_read_bool },
    { "ReqCores", SPEC_TAG_cores_per_socket, update_read_count },
    { "ReqNodeList", SPEC_TAG_req_nodes, update_read_text },
    { "ReqNodes", SPEC_TAG_min_nodes, update_read_nodes },
    { "ReqProcs", SPEC_TAG_ntasks, update_read_count },
    { "ReqSockets", SPEC_TAG_sockets_per_node, update_read_count },
    { "ReqThreads", SPEC_TAG_threads_per_core, update_read_count },
    { "Requeue", SPEC_TAG_requeue, update_read_requeue },
    { "ReservationName", SPEC_TAG_reservation, update_read_text },
    { "ResetAccrueTime", 0, update_read_reset },
    { "Shared", SPEC_TAG_share, update_read_share },
    { "SiteFactor", SPEC_TAG_site_factor, update_read_site_factor },
    { "StartTime", SPEC_TAG_begin, update_read_time },
    { "StdOut", BODY_TAG_std_out, update_read_text },
    { "Switches", SPEC_TAG_switches, update_read_switches },
    { "TasksPerNode", SPEC_TAG_ntasks_per_node, update_read_count },
    { "ThreadSpec", SPEC_TAG_thread_spec, update_read_count },
    { "TimeLimit", SPEC_TAG_time_limit, update_read_limit },
    { "TimeMin", SPEC_TAG_time_min, update_read_limit },
    { "TresPerNode", SPEC_TAG_tres_per_node, update_read_text },
    { "WCKey", SPEC_TAG_wckey, update_read_text },
    { "WorkDir", BODY_TAG_work_dir, update_read_text },
};

/* True for pairs that need no value. */
static bool stands_alone(const char *pair)
{
    return word_is(pair, "Nice") || word_is(pair, "ResetAccrueTime");
}

/* Writes "TimeLimit+=5" as "TimeLimit=+5"; returns false where there is no such sign. */
static bool move_sign(char *pair)
{
    char *equals = strchr(pair, '=');

    if (!equals || equals == pair || !strchr("+-", equals[-1]))
        return false;
    *equals = equals[-1];
    equals[-1] = '=';
    return true;
}

static int read_pair(struct reading *reading, struct err *err)
{
    const bool alone = stands_alone(reading->pair);
    AUTO_FREE char *pair = xstrdup(reading->pair);
    const bool has_sign = move_sign(pair);

    if (!strchr(pair, '=') && !alone)
        return err_set(err, EINVAL, "Invalid input: %.200s\nRequest aborted", pair);
    for (size_t i = 0; i < ARRAY_N(keys); i++) {
        AUTO_FREE char *value = NULL;

        if (!update_has_key(pair, keys[i].key) && !(alone && word_is(keys[i].key, pair)))
            continue;
        if (has_sign && keys[i].tag != SPEC_TAG_time_limit)
            return err_set(err, EINVAL,
                           "scontrol: error: Option %.200s does not accept [+|-]= syntax",
                           reading->pair);
        value = alone ? xstrdup("") : update_value(pair);
        reading->key = keys[i].key;
        reading->value = value;
        return keys[i].read(reading, keys[i].tag, err);
    }
    return update_err_not_supported(reading, err);
}

/* Takes "JobId=5" or "Job=5", or as two words; JobName= chooses only where nothing else does. */
static const char *take_choice(int argc, char *const *argv, int *at, struct job_choice *choice)
{
    const char *pair = argv[*at];

    if (update_has_key(pair, "JobId"))
        return choice->ids = strchr(pair, '=') + 1;
    if ((word_is(pair, "JobId") || word_is(pair, "Job")) && *at + 1 < argc)
        return choice->ids = argv[++*at];
    if (update_has_key(pair, "UserID"))
        return choice->user = strchr(pair, '=') + 1;
    return NULL;
}

static bool names_ids(int argc, char *const *argv)
{
    struct job_choice choice = { 0 };

    for (int i = 0; i < argc; i++)
        take_choice(argc, argv, &i, &choice);
    return choice.ids;
}

/* Takes "KEY=VALUE", or as two words. To be freed. */
static char *take_pair(int argc, char *const *argv, int *at)
{
    const char *pair = argv[*at];

    if (strchr(pair, '=') || stands_alone(pair) || *at + 1 == argc)
        return xstrdup(pair);
    ++*at;
    return xasprintf("%s=%s", pair, argv[*at]);
}

static bool changes_nothing(const struct job_update *update)
{
    return update->set_n == 0 && update->more_time_s == 0 && update->end_time == 0 &&
           update->array_limit == COUNT_UNSET && update->cpus == 0 && !update->reset_accrue;
}

int update_parse_job(int argc, char *const *argv, int64_t now, struct job_choice *ret_choice,
                     struct job_update *ret_update, struct err *err)
{
    const bool by_name = !names_ids(argc, argv);
    struct reading reading = { .update = ret_update, .now = now };
    int rc = 0;

    *ret_choice = (struct job_choice){ 0 };
    if (!ret_update->spec) {
        ret_update->spec = xmalloc(sizeof(*ret_update->spec));
        job_spec_init(ret_update->spec);
    }
    for (int i = 0; i < argc && rc == 0; i++) {
        if (take_choice(argc, argv, &i, ret_choice))
            continue;
        if (by_name && !ret_choice->name && update_has_key(argv[i], "JobName")) {
            ret_choice->name = strchr(argv[i], '=') + 1;
            continue;
        }
        AUTO_FREE char *pair = take_pair(argc, argv, &i);

        reading.pair = pair;
        rc = read_pair(&reading, err);
    }
    if (rc == 0 && changes_nothing(ret_update) && !reading.has_no_effect)
        rc = err_set(err, EINVAL, "No changes specified");
    return rc;
}
