/*
 * What may be changed by scontrol update: the table of fields, and the checks of a request as it
 * stands.
 */
#include "ctld/control/job/update.h"

#include <inttypes.h>
#include <string.h>

#include "common/text/duration.h"
#include "ctld/control/acct/acct.h"
#include "ctld/control/acct/tree.h"
#include "ctld/control/act/state.h"
#include "ctld/control/job/alter.h"
#include "ctld/control/job/depend.h"
#include "ctld/control/job/start.h"
#include "ctld/control/limit/several.h"
#include "ctld/control/request/spec.h"

static const struct update_rule rules[] = {
    { SPEC_TAG_name, UNTIL_END, LEVEL_USER, false },
    { SPEC_TAG_comment, UNTIL_END, LEVEL_USER, false },
    { SPEC_TAG_admin_comment, UNTIL_END, LEVEL_ADMINISTRATOR, false },
    { SPEC_TAG_extra, UNTIL_END, LEVEL_USER, false },
    { SPEC_TAG_account, UNTIL_START, LEVEL_USER, true },
    { SPEC_TAG_qos, UNTIL_END, LEVEL_USER, true }, /* without accounts it is but a word */
    { SPEC_TAG_wckey, UNTIL_START, LEVEL_USER, true },
    { SPEC_TAG_mail_type, UNTIL_END, LEVEL_USER, false },
    { SPEC_TAG_mail_user, UNTIL_END, LEVEL_USER, false },
    { BODY_TAG_work_dir, UNTIL_START, LEVEL_USER, false },
    { BODY_TAG_std_out, UNTIL_START, LEVEL_USER, false },
    { SPEC_TAG_requeue, UNTIL_END, LEVEL_USER, false },
    { SPEC_TAG_priority, UNTIL_END, LEVEL_USER, false },
    { SPEC_TAG_nice, UNTIL_END, LEVEL_USER, false },
    { SPEC_TAG_site_factor, UNTIL_END, LEVEL_OPERATOR, false },
    { SPEC_TAG_time_limit, UNTIL_END, LEVEL_USER, true },
    { SPEC_TAG_time_min, WHILE_WAITING, LEVEL_USER, true },
    { SPEC_TAG_begin, UNTIL_START, LEVEL_USER, true },
    { SPEC_TAG_dependency, UNTIL_START, LEVEL_USER, false },
    { SPEC_TAG_deadline, WHILE_WAITING, LEVEL_OPERATOR, true },
    { SPEC_TAG_partition, UNTIL_START, LEVEL_USER, true },
    { SPEC_TAG_min_nodes, SHRINKS, LEVEL_USER, true },
    { SPEC_TAG_max_nodes, UNTIL_START, LEVEL_USER, true },
    { SPEC_TAG_ntasks, UNTIL_START, LEVEL_USER, true },
    { SPEC_TAG_ntasks_per_node, UNTIL_START, LEVEL_OPERATOR, true },
    { SPEC_TAG_cpus_per_task, UNTIL_START, LEVEL_USER, true },
    { SPEC_TAG_min_cpus_per_node, UNTIL_START, LEVEL_USER, true },
    { SPEC_TAG_sockets_per_node, UNTIL_START, LEVEL_USER, true },
    { SPEC_TAG_cores_per_socket, UNTIL_START, LEVEL_USER, true },
    { SPEC_TAG_threads_per_core, UNTIL_START, LEVEL_USER, true },
    { SPEC_TAG_mem_per_node, UNTIL_START, LEVEL_USER, true },
    { SPEC_TAG_mem_per_cpu, UNTIL_START, LEVEL_USER, true },
    { SPEC_TAG_tmp_disk, UNTIL_START, LEVEL_USER, true },
    { SPEC_TAG_req_nodes, SHRINKS, LEVEL_USER, true },
    { SPEC_TAG_exc_nodes, UNTIL_START, LEVEL_USER, true },
    { SPEC_TAG_features, UNTIL_START, LEVEL_USER, true },
    { SPEC_TAG_prefer, UNTIL_START, LEVEL_USER, true },
    { SPEC_TAG_tres_per_node, UNTIL_START, LEVEL_USER, true },
    { SPEC_TAG_licenses, UNTIL_END, LEVEL_USER, true },
    { SPEC_TAG_reservation, UNTIL_START, LEVEL_USER, true },
    { SPEC_TAG_switches, UNTIL_END, LEVEL_USER, true },
    { SPEC_TAG_switch_wait_s, UNTIL_END, LEVEL_USER, true },
    { SPEC_TAG_contiguous, UNTIL_START, LEVEL_OPERATOR, true },
    { SPEC_TAG_share, UNTIL_START, LEVEL_OPERATOR, true },
    { SPEC_TAG_core_spec, UNTIL_START, LEVEL_OPERATOR, true },
    { SPEC_TAG_thread_spec, UNTIL_START, LEVEL_OPERATOR, true },
    { SPEC_TAG_reboot, UNTIL_START, LEVEL_ADMINISTRATOR, false },
    { SPEC_TAG_arriving, UNTIL_START, LEVEL_ROOT, false },
};

const struct update_rule *update_find_rule(uint32_t tag)
{
    for (size_t i = 0; i < ARRAY_N(rules); i++) {
        if (rules[i].tag == tag)
            return &rules[i];
    }
    return NULL;
}

/* ---- what may be changed ---- */

/* True if the request moves the job to the partition that it is in, which is no move. */
static bool stays_there(const struct job *job, const struct job_update *request, uint32_t tag)
{
    return tag == SPEC_TAG_partition && request->spec->partition && job->rec.partition &&
           strcmp(request->spec->partition, job->rec.partition) == 0;
}

/* True for a field that sets aside cores where the configuration allows no request to. */
static bool is_barred(struct act *act, uint32_t tag)
{
    return (tag == SPEC_TAG_core_spec || tag == SPEC_TAG_thread_spec) &&
           !act->control->model->config.allow_spec_resources;
}

/* Returns whether the member stays as it was when the job started. What limits are counted under
 * does, where there are any. */
static bool is_settled(const struct act *act, const struct update_rule *rule)
{
    return rule->until == UNTIL_START || (rule->tag == SPEC_TAG_qos && acct_is_used(act->control));
}

/* What only the job's processes act on decides what is done in its owner's name: where they run,
 * which files they write. Who is root's equal may change it for others. */
static bool may_reach(const struct act *act, const struct job *job, uint32_t tag)
{
    return job->rec.uid == act->caller->uid || !schema_find_tag(job_body_schema(), tag) ||
           caller_has_level(act->caller, LEVEL_ADMINISTRATOR);
}

static int check_rule(struct act *act, const struct job *job, const struct job_update *request,
                      uint32_t tag, struct err *err)
{
    const struct update_rule *rule = update_find_rule(tag);
    const bool waits = job->rec.state == JOB_PENDING;

    if (!rule)
        return alter_refuse(E_NOT_SUPPORTED, err);
    if (is_settled(act, rule) && !waits && !stays_there(job, request, tag))
        return alter_refuse(E_NOT_PENDING, err);
    if (!caller_has_level(act->caller, rule->who) || !may_reach(act, job, tag) ||
        is_barred(act, tag))
        return alter_refuse(E_ACCESS, err);
    return 0;
}

static int check_rules(struct act *act, const struct job *job, const struct job_update *request,
                       struct err *err)
{
    const bool shapes = request->cpus || request->reset_accrue;
    int rc = 0;

    if (shapes && job->rec.state != JOB_PENDING)
        return alter_refuse(E_NOT_PENDING, err);
    for (uint32_t i = 0; rc == 0 && i < request->set_n; i++)
        rc = check_rule(act, job, request, request->set[i], err);
    return rc;
}

/* Refuses values that no job may be given, whatever else is asked. */
static int check_values(struct act *act, const struct job_update *request, struct err *err)
{
    const struct job_spec *spec = request->spec;

    if (job_update_sets(request, SPEC_TAG_partition) && (!spec->partition || !*spec->partition))
        return alter_refuse(E_PARTITION_NAME, err);
    if (job_update_sets(request, SPEC_TAG_deadline) && spec->deadline < act->now.wall_s)
        return alter_refuse(E_TIME_VALUE, err);
    return 0;
}

/* Checks the licenses of a job that runs. Its owner may only give them all back; other numbers are
 * for an operator, who knows what is free. */
static int check_licenses(struct act *act, const struct job *job, const struct job_update *request,
                          struct err *err)
{
    const char *licenses = request->spec ? request->spec->licenses : NULL;
    int rc;

    if (!job_update_sets(request, SPEC_TAG_licenses) || job->rec.state == JOB_PENDING)
        return 0;
    rc = spec_check_licenses(act->control->model, request->spec, err);
    if (rc == 0 && licenses && *licenses && !caller_has_level(act->caller, LEVEL_OPERATOR))
        return alter_refuse(E_ACCESS, err);
    return rc;
}

/* Checks nice and priority: a user may only give way to others, an operator may do as he likes; 0
 * is a hold. */
static int check_rank(struct act *act, const struct job *job, const struct job_update *request,
                      struct err *err)
{
    const struct job_spec *spec = request->spec;
    const bool is_operator = caller_has_level(act->caller, LEVEL_OPERATOR);

    if (job_update_sets(request, SPEC_TAG_nice) && !is_operator && spec->nice < 0 &&
        spec->nice != job->rec.spec->nice)
        return alter_refuse(E_ACCESS, err);
    if (!job_update_sets(request, SPEC_TAG_priority) || spec->priority == 0)
        return 0;
    if (job_is_held(job))
        return alter_refuse(E_JOB_HELD, err);
    if (!is_operator && spec->priority > job->rec.priority)
        return alter_refuse(E_ACCESS, err);
    return 0;
}

static int check_hold(struct act *act, const struct job *job, const struct job_update *request,
                      struct err *err)
{
    if (request->hold == HOLD_RELEASE && job_is_held(job) && job->rec.reason == REASON_HELD_ADMIN &&
        !caller_has_level(act->caller, LEVEL_OPERATOR))
        return alter_refuse(E_ACCESS, err);
    return 0;
}

/* Refuses a coordinator to give a job to an account that is not his. Its owner moves it between
 * those that he is in. */
static int check_account(struct act *act, const struct job *job, const struct job_update *request,
                         struct err *err)
{
    if (!job_update_sets(request, SPEC_TAG_account) || job->rec.uid == act->caller->uid ||
        caller_has_level(act->caller, LEVEL_OPERATOR) ||
        acct_coordinates(act->control, act->caller, act->control->model->config.cluster_name,
                         request->spec->account))
        return 0;
    return alter_refuse(E_USER_ID, err);
}

static int check_dependency(struct act *act, const struct job *job,
                            const struct job_update *request, struct err *err)
{
    int rc = 0;

    if (job_update_sets(request, SPEC_TAG_dependency) && request->spec->dependency)
        rc = depend_check(act->control, job, request->spec->dependency, NULL);
    return rc < 0 ? alter_refuse(-rc, err) : 0;
}

/* Takes what a request says about the time limit in other ways than by its value. */
static int move_limit(struct act *act, const struct job *job, const struct job_update *request,
                      struct job_spec *spec, struct err *err)
{
    const int64_t now_s = act->now.wall_s;

    if (request->end_time) {
        if (job->rec.state == JOB_PENDING)
            return alter_refuse(E_NOT_RUNNING, err);
        if (request->end_time < now_s)
            return alter_refuse(E_TIME_VALUE, err);
        spec->time_limit =
            duration_round_up(request->end_time - job->rec.start_time - job_paused_s(job));
    }
    if (request->more_time_s == 0)
        return 0;
    if (spec->time_limit < 0 || !seconds_are_few(request->more_time_s))
        return alter_refuse(E_TIME_LIMIT, err);
    if (spec->time_limit + request->more_time_s < 0)
        return err_set(err, E_TIME_LIMIT,
                       "TimeLimit decrement larger than current time limit (%" PRId64 " > %" PRId64
                       ")",
                       -request->more_time_s / 60, spec->time_limit / 60);
    spec->time_limit += request->more_time_s;
    spec->time_is_partitions = false;
    return 0;
}

/* Refuses a user more time for a job that runs, for others were told when it ends. */
static int check_limit(struct act *act, const struct job *job, const struct job_spec *spec,
                       struct err *err)
{
    const int64_t had = job->rec.spec->time_limit, wants = spec->time_limit;

    if (job->rec.state == JOB_PENDING || caller_has_level(act->caller, LEVEL_OPERATOR))
        return 0;
    if ((wants < 0 && had >= 0) || (had >= 0 && wants > had))
        return alter_refuse(E_ACCESS, err);
    return 0;
}

int update_take_limit(struct act *act, const struct job *job, const struct job_update *request,
                      struct job_spec *spec, struct err *err)
{
    int rc = move_limit(act, job, request, spec, err);

    return rc < 0 ? rc : check_limit(act, job, spec, err);
}

/* ---- what partitions take ---- */

/* Rules of partitions that a change has to keep. What an operator says need not. */
static const struct part_rule {
    uint32_t tag;
    uint32_t reason; /* for which a job that breaks the rule would wait */
    int code;        /* 0: as of a new job */
    bool always;     /* without EnforcePartLimits, too */
} part_rules[] = {
    { SPEC_TAG_account, REASON_ACCOUNT_NOT_ALLOWED, 0, false },
    { SPEC_TAG_qos, REASON_QOS_NOT_ALLOWED, 0, false },
    { SPEC_TAG_time_limit, REASON_PARTITION_TIME_LIMIT, E_ACCESS, true },
};

static bool concerns(const struct job_update *request, const struct part_rule *rule)
{
    return job_update_sets(request, rule->tag) ||
           (rule->tag == SPEC_TAG_time_limit && request->more_time_s > 0);
}

/* Returns a partition for which the rule refuses the job, or NULL. Of several one has to take it,
 * with EnforcePartLimits=ALL each. */
static const struct partition *refuser(const struct control *control, const struct job_record *rec,
                                       const struct partition *part, uint32_t reason)
{
    const bool all = control->model->config.enforce_part_limits == ENFORCE_ALL;
    const struct partition *first = NULL;
    AUTO_FREE const struct partition **parts = NULL;
    uint32_t n, breaks_n = 0;

    parts = limit_partitions(control, rec, part, &n);
    for (uint32_t i = 0; i < n; i++) {
        if (!spec_breaks(control->model, rec->spec, parts[i], reason))
            continue;
        first = first ? first : parts[i];
        breaks_n++;
    }
    return all || breaks_n == n ? first : NULL;
}

int update_check_partitions(struct act *act, const struct job_record *rec,
                            const struct partition *part, const struct job_update *request,
                            struct err *err)
{
    const bool enforces = act->control->model->config.enforce_part_limits != ENFORCE_NO;

    if (caller_has_level(act->caller, LEVEL_OPERATOR))
        return 0;
    for (size_t i = 0; i < ARRAY_N(part_rules); i++) {
        const struct part_rule *rule = &part_rules[i];
        const struct partition *by = NULL;

        if ((rule->always || enforces) && concerns(request, rule))
            by = refuser(act->control, rec, part, rule->reason);
        if (by)
            return spec_err_wait(rule->reason, rule->code, rec->spec, by, err);
    }
    return 0;
}

int update_check_request(struct act *act, const struct job *job, const struct job_update *request,
                         struct err *err)
{
    int rc;

    if (job_state_is_over(job->rec.state))
        return alter_refuse(E_JOB_FINISHED, err);
    rc = check_account(act, job, request, err);
    if (rc == 0)
        rc = check_rules(act, job, request, err);
    if (rc == 0)
        rc = check_values(act, request, err);
    if (rc == 0)
        rc = check_licenses(act, job, request, err);
    if (rc == 0)
        rc = check_rank(act, job, request, err);
    if (rc == 0)
        rc = check_hold(act, job, request, err);
    if (rc == 0)
        rc = check_dependency(act, job, request, err);
    return rc;
}
