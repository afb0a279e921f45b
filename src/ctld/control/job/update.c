/*
 * scontrol update: what of a job may be changed once it is there, by whom, and until when.
 *
 * A field of the request takes its new value in a copy of the job's spec, which is checked as a new
 * job's would be (update_rules.c); only then does the job change. Bodies never change: the job gets
 * another one.
 */
#include "ctld/control/job/update.h"

#include <errno.h>

#include "ctld/control/acct/acct.h"
#include "ctld/control/acct/usage.h"
#include "ctld/control/act/follow.h"
#include "ctld/control/act/owner.h"
#include "ctld/control/act/state.h"
#include "ctld/control/act/turn.h"
#include "ctld/control/feed/feed.h"
#include "ctld/control/feed/rank.h"
#include "ctld/control/job/alter.h"
#include "ctld/control/job/array.h"
#include "ctld/control/job/depend.h"
#include "ctld/control/job/mail.h"
#include "ctld/control/job/start.h"
#include "ctld/control/job/submit.h"
#include "ctld/control/limit/admit.h"
#include "ctld/control/limit/count.h"
#include "ctld/control/limit/judge.h"
#include "ctld/control/limit/used.h"
#include "ctld/control/request/body.h"
#include "ctld/control/request/request.h"
#include "ctld/control/request/spec.h"
#include "ctld/control/request/tres.h"

/* ---- the copy ---- */

static bool shapes(const struct job_update *request)
{
    for (uint32_t i = 0; i < request->set_n; i++) {
        if (update_find_rule(request->set[i])->shapes)
            return true;
    }
    return request->more_time_s != 0 || request->cpus;
}

/* Forgets texts that are set to nothing, as if they had never been asked for. As in Slurm no
 * account is an account that is not there. */
static void forget_empty(struct job_spec *spec)
{
    char **const texts[] = {
        &spec->qos,       &spec->wckey,    &spec->mail_user, &spec->req_nodes,
        &spec->exc_nodes, &spec->features, &spec->prefer,    &spec->reservation
    };

    for (size_t i = 0; i < ARRAY_N(texts); i++) {
        if (*texts[i] && !**texts[i])
            xstrset(texts[i], NULL);
    }
}

/* True if the field is taken from the job's new spec. A job that runs keeps what it asked for, to
 * ask it again when it runs again. */
static bool is_taken(uint32_t tag, bool waits)
{
    const enum update_until until = update_find_rule(tag)->until;

    return waits || (until != SHRINKS && until != WHILE_WAITING);
}

static void take_fields(const struct job_update *request, bool waits, struct job_spec *spec)
{
    const bool sets_memory = job_update_sets(request, SPEC_TAG_mem_per_node) ||
                             job_update_sets(request, SPEC_TAG_mem_per_cpu);

    if (sets_memory || job_update_sets(request, SPEC_TAG_cpus_per_task))
        spec_gather_memory(spec);
    for (uint32_t i = 0; i < request->set_n; i++) {
        const struct schema_field *field = schema_find_tag(job_spec_schema(), request->set[i]);

        if (field && is_taken(request->set[i], waits))
            schema_copy_field(field, spec, request->spec);
    }
    if (job_update_sets(request, SPEC_TAG_time_limit))
        spec->time_is_partitions = false;
    forget_empty(spec);
    if (sets_memory)
        spec->given &= ~(uint32_t)GIVEN_MEMORY;
    /* Memory is asked for in one way. */
    if (job_update_sets(request, SPEC_TAG_mem_per_node))
        spec->mem_per_cpu = spec->mem_per_gpu = MB_UNSET;
    if (job_update_sets(request, SPEC_TAG_mem_per_cpu))
        spec->mem_per_node = spec->mem_per_gpu = MB_UNSET;
    if (request->cpus) { /* in all, however many nodes are asked for later */
        spec->min_cpus_per_node = COUNT_UNSET;
        spec->min_cpus = request->cpus;
    }
}

/* Fills `ret` with the body after the request; true if that is another one than the job's. */
static bool take_body(const struct job *job, const struct job_update *request, struct job_body *ret)
{
    bool is_other = false;

    schema_copy(job_body_schema(), ret, &job->body->msg);
    for (uint32_t i = 0; i < request->set_n; i++) {
        const struct schema_field *field = schema_find_tag(job_body_schema(), request->set[i]);

        if (field)
            schema_copy_field(field, ret, request->body);
        is_other |= field != NULL;
    }
    return is_other;
}

/* Refuses cpus for which a new job would wait with PartitionConfig. */
static int check_cpus(const struct model *model, const struct job_update *request,
                      const struct job_spec *spec, const struct partition *part, struct err *err)
{
    static const uint32_t tags[] = { SPEC_TAG_ntasks, SPEC_TAG_cpus_per_task };
    AUTO(strbuf) struct strbuf text = { 0 };

    if (spec_cpus_exceed(request->cpus, part->conf)) {
        spec_tell_cpus(request->cpus, part->conf, &text);
        return err_set(err, E_PARTITION_CONFIG, "%s: %s", err_string(E_PARTITION_CONFIG),
                       strbuf_text(&text));
    }
    for (size_t i = 0; i < ARRAY_N(tags); i++) {
        if (job_update_sets(request, tags[i]) &&
            spec_waits_for(model, spec, part) == REASON_PARTITION_CONFIG)
            return spec_err_wait(REASON_PARTITION_CONFIG, E_PARTITION_CONFIG, spec, part, err);
    }
    return 0;
}

/* Returns by whose rights it is chosen where the job goes: by its owner's, whoever moves it, but an
 * operator puts it where he likes. Of an owner who does not ask himself no more is known here than
 * his first group. */
static struct caller chooser(const struct act *act, const struct job_record *job)
{
    struct caller ret = {
        .uid = job->uid, .gid = job->gid, .user_name = job->user_name, .group_name = job->group_name
    };

    if (job->uid == act->caller->uid)
        ret = *act->caller;
    if (caller_has_level(act->caller, LEVEL_OPERATOR))
        ret.level = LEVEL_ROOT;
    return ret;
}

/* Checks in whose name the job runs after the request. As in Slurm it keeps a QOS that another
 * account may not use: it waits. */
static int admit_again(struct act *act, const struct job *job, const struct job_update *request,
                       struct job_spec *spec, struct err *err)
{
    const bool is_operator = caller_has_level(act->caller, LEVEL_OPERATOR);
    const bool sets_qos = job_update_sets(request, SPEC_TAG_qos);
    int rc;

    if (!sets_qos && !job_update_sets(request, SPEC_TAG_account) &&
        !job_update_sets(request, SPEC_TAG_partition) && !job_update_sets(request, SPEC_TAG_wckey))
        return 0;
    if (sets_qos)
        spec->qos_is_operators = is_operator;
    rc = limit_admit_again(act->control, &job->rec, is_operator || !sets_qos, spec, err);
    return rc == 0 && sets_qos ? limit_check_reservation(act->control, spec, err) : rc;
}

/* Refuses users what a QOS with DenyOnLimit would, where the job comes under another one. */
static int check_denied(struct act *act, const struct job_update *request,
                        const struct job_draft *draft, struct err *err)
{
    const struct tres_job job = { &draft->rec, &draft->request, draft->part };
    const bool comes_under =
        job_update_sets(request, SPEC_TAG_partition) || job_update_sets(request, SPEC_TAG_qos);

    if (!comes_under || caller_has_level(act->caller, LEVEL_OPERATOR))
        return 0;
    return limit_check_denied(act->control, &job, err);
}

static int check_waiting(struct act *act, const struct job *job, uint32_t jobs_n,
                         const struct job_update *request, struct job_spec *spec,
                         const struct partition **ret_part, struct err *err)
{
    struct control *control = act->control;
    const bool moves =
        job_update_sets(request, SPEC_TAG_partition) || job->partition == PARTITION_NONE;
    const struct caller by = chooser(act, &job->rec);
    const struct partition *part = NULL;
    AUTO(job_draft) struct job_draft draft;
    int rc;

    job_draft_init(&draft);
    if (!moves)
        part = &control->model->partitions[job->partition];
    else
        spec_give_back(spec);
    rc = admit_again(act, job, request, spec, err);
    if (rc == 0)
        rc = spec_complete_again(control->model, &by, spec, moves, &part, err);
    if (rc == 0)
        rc = check_cpus(control->model, request, spec, part, err);
    if (rc == 0 && job_update_sets(request, SPEC_TAG_reservation))
        rc = job_check_reservation(act, spec, part, err);
    if (rc < 0)
        return rc;
    schema_copy(job_record_schema(), &draft.rec, &job->rec);
    job_spec_clear(draft.rec.spec);
    schema_copy(job_spec_schema(), draft.rec.spec, spec);
    job_follow_spec(&draft.rec, act->now);
    rc = update_check_partitions(act, &draft.rec, part, request, err);
    if (rc < 0)
        return rc;
    draft.part = *ret_part = part;
    limit_read_request(control, &draft.rec, part->index, &draft.request);
    spec->time_limit = draft.rec.spec->time_limit;
    rc = limit_check_count(control, &draft.rec, part, job, jobs_n, err);
    if (rc == 0 && job_update_sets(request, SPEC_TAG_qos))
        rc = limit_check_share(control, act->now, &draft.rec, part, err);
    if (rc == 0)
        rc = check_denied(act, request, &draft, err);
    return rc < 0 ? rc : job_check_plan(act, &draft, err);
}

/* ---- the change ---- */

/* Sets the order in which the job comes, after what the request says about it. */
static void take_rank(struct act *act, struct job *job, int32_t nice_before,
                      const struct job_update *request)
{
    struct job_spec *spec = job->rec.spec;

    if (job_update_sets(request, SPEC_TAG_priority) && spec->priority == 0) {
        spec->priority = COUNT_UNSET;
        job_hold(job, caller_has_level(act->caller, LEVEL_OPERATOR));
    }
    if (request->hold == HOLD_AS_USER && caller_has_level(act->caller, LEVEL_OPERATOR))
        job_set_reason(job, REASON_HELD_USER, NULL); /* else an operator's hold stays one */
    if (request->hold == HOLD || request->hold == HOLD_AS_USER)
        job_hold(job, request->hold == HOLD && caller_has_level(act->caller, LEVEL_OPERATOR));
    else if (request->hold == HOLD_RELEASE)
        job_release(act, job);
    else if (!job_is_held(job))
        rank_again(act->control, act->now, job, nice_before);
}

static void take_spec(struct act *act, struct job *job, struct job_spec *spec,
                      const struct job_update *request)
{
    AUTO(job_body) struct job_body msg;

    if (take_body(job, request, &msg)) {
        struct body *body = body_accept(act, &msg);

        job_set_body(act->control->model, job, body);
        body_unref(act->control->model, body);
    }
    job_spec_clear(job->rec.spec);
    *job->rec.spec = *spec;
    job_spec_init(spec);
    if (job_update_sets(request, SPEC_TAG_name))
        depend_rename(act, job);
    if (job_update_sets(request, SPEC_TAG_dependency))
        depend_again(act, job);
}

static void commit_waiting(struct act *act, struct job *job, struct job_spec *spec,
                           const struct partition *part, const struct job_update *request)
{
    struct control *control = act->control;
    const int32_t nice_before = job->rec.spec->nice;

    job_leave_plan(act, job);
    take_spec(act, job, spec, request);
    if (part)
        job_set_partition(control, job, part->index);
    limit_count(control, job);
    limit_read_request(control, &job->rec, job->partition, &job->request);
    take_rank(act, job, nice_before, request);
    job_follow_spec(&job->rec, act->now);
    if (job->partition != PARTITION_NONE)
        job_bill_asked(control->model, job);
    if (request->reset_accrue)
        job->rec.accrue_time = act->now.wall_s;
    job_enter_plan(act, job);
}

/* Commits the change of a job that runs: little more than its end matters to others. */
static void commit_running(struct act *act, struct job *job, struct job_spec *spec,
                           const struct job_update *request)
{
    const int64_t limit_before = job->rec.spec->time_limit;
    const int32_t nice_before = job->rec.spec->nice;
    const bool is_metered = job_update_sets(request, SPEC_TAG_licenses);

    if (is_metered)
        acct_usage_end(act, job);
    take_spec(act, job, spec, request);
    if (is_metered)
        acct_usage_begin(act, job);
    job_read_request(act->control->model, job);
    take_rank(act, job, nice_before, request);
    if (job->rec.spec->time_limit != limit_before)
        job_limit_changed(act, job);
    if (job_update_sets(request, SPEC_TAG_licenses))
        feed_job_holds(act, job);
    turn_note_job(act->turn, &job->rec);
}

/* What an update comes to when all is checked. */
struct outcome {
    struct job_spec spec;
    const struct partition *part; /* of one that waits */
    struct bitset keep;           /* nodes of one that runs */
};

static void outcome_clear(struct outcome *outcome)
{
    job_spec_clear(&outcome->spec);
    bitset_clear(&outcome->keep);
}

/* Works out what becomes of so many of the jobs that the record stands for. */
static int work_out(struct act *act, const struct job *job, uint32_t jobs_n,
                    const struct job_update *request, struct outcome *ret, struct err *err)
{
    const bool waits = job->rec.state == JOB_PENDING;
    int rc = update_check_request(act, job, request, err);

    *ret = (struct outcome){ 0 };
    schema_copy(job_spec_schema(), &ret->spec, job->rec.spec);
    if (rc < 0)
        return rc;
    take_fields(request, waits, &ret->spec);
    if (job_update_sets(request, SPEC_TAG_mail_user))
        rc = mail_check_user(&ret->spec, err);
    if (rc == 0)
        rc = update_take_limit(act, job, request, &ret->spec, err);
    if (rc == 0 && waits && shapes(request))
        rc = check_waiting(act, job, jobs_n, request, &ret->spec, &ret->part, err);
    if (rc == 0 && !waits)
        rc = job_check_shrink(job, request, &ret->keep, err);
    return rc;
}

static int check_one(struct act *act, struct job *job, uint32_t jobs_n, const void *arg,
                     struct err *err)
{
    struct outcome outcome;
    int rc = work_out(act, job, jobs_n, arg, &outcome, err);

    outcome_clear(&outcome);
    return rc;
}

static int update_one(struct act *act, struct job *job, const void *arg, struct err *err)
{
    const struct job_update *request = arg;
    struct outcome outcome;
    int rc = work_out(act, job, job_jobs_n(job), request, &outcome, err);

    if (rc == 0 && job->rec.state == JOB_PENDING) {
        commit_waiting(act, job, &outcome.spec, outcome.part, request);
    } else if (rc == 0) {
        commit_running(act, job, &outcome.spec, request);
        job_shrink(act, job, &outcome.keep);
    }
    outcome_clear(&outcome);
    return rc;
}

/* Returns the array that the id stands for, or of which it is a task; NULL: there is none. */
static struct array *array_of(const struct model *model, uint32_t job_id)
{
    struct array *array = model_find_array(model, job_id);
    const struct job *task = array ? NULL : model_find_job(model, job_id);

    return task ? task->array : array;
}

/* Refuses the limit of an array, whichever of its tasks is named, to who may not alter all. */
static int check_array(const struct act *act, const struct array *array,
                       const struct job_update *request, struct err *err)
{
    const struct job *job = array && request->array_limit != COUNT_UNSET ? array->jobs : NULL;

    for (; job; job = job->array_next) {
        if (!acct_may_alter_job(act->control, act->caller, &job->rec))
            return err_set(err, E_ACCESS, "%s", err_string(E_ACCESS));
    }
    return 0;
}

/* True if the messages of all fields that the request names came with it. */
static bool has_values(const struct job_update *request)
{
    for (uint32_t i = 0; i < request->set_n; i++) {
        if (schema_find_tag(job_body_schema(), request->set[i]) ? !request->body : !request->spec)
            return false;
    }
    return true;
}

int control_update(struct act *act, const struct job_update *request, struct job_altered *ret,
                   struct err *err)
{
    static const struct alter_way way = { check_one, update_one };
    struct array *array = array_of(act->control->model, request->job_id);
    int rc;

    if (!has_values(request))
        return err_set(err, EINVAL, "an update names fields and has no values");
    rc = check_array(act, array, request, err);
    if (rc == 0)
        rc = alter_named(act, request->job_id, request->tasks, &way, request, ret, err);
    if (rc == 0 && array && request->array_limit != COUNT_UNSET)
        array_set_limit(act, array, request->array_limit);
    return say_user_id(rc, err);
}
