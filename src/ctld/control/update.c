/*
 * scontrol update: what of a job may be changed once it is there, by whom, and until when.
 *
 * A field of the request takes its new value in a copy of the job's spec, which is checked as a new
 * job's would be; only then does the job change.
 */
#include "ctld/control/alter.h"

#include <errno.h>

#include "common/text/duration.h"

enum until {
    UNTIL_START, /* a running job has it already */
    UNTIL_END,
    SHRINKS, /* one that runs may have fewer: see shrink.c */
};

enum who { BY_OWNER, BY_OPERATOR };

static const struct rule {
    uint32_t tag;
    enum until until;
    enum who who;
    bool shapes; /* what the job needs of nodes changes with it, or where it may go */
} rules[] = {
    { SPEC_TAG_name, UNTIL_END, BY_OWNER, false },
    { SPEC_TAG_comment, UNTIL_END, BY_OWNER, false },
    { SPEC_TAG_admin_comment, UNTIL_END, BY_OPERATOR, false },
    { SPEC_TAG_account, UNTIL_START, BY_OWNER, true },
    { SPEC_TAG_qos, UNTIL_END, BY_OWNER, false },
    { SPEC_TAG_wckey, UNTIL_START, BY_OWNER, false },
    { SPEC_TAG_mail_type, UNTIL_END, BY_OWNER, false },
    { SPEC_TAG_mail_user, UNTIL_END, BY_OWNER, false },
    { SPEC_TAG_work_dir, UNTIL_END, BY_OWNER, false },
    { SPEC_TAG_std_out, UNTIL_START, BY_OWNER, false },
    { SPEC_TAG_requeue, UNTIL_END, BY_OWNER, false },
    { SPEC_TAG_priority, UNTIL_END, BY_OWNER, false },
    { SPEC_TAG_nice, UNTIL_END, BY_OWNER, false },
    { SPEC_TAG_site_factor, UNTIL_END, BY_OPERATOR, false },
    { SPEC_TAG_time_limit, UNTIL_END, BY_OWNER, true },
    { SPEC_TAG_time_min, UNTIL_END, BY_OWNER, true },
    { SPEC_TAG_begin, UNTIL_START, BY_OWNER, true },
    { SPEC_TAG_dependency, UNTIL_START, BY_OWNER, false },
    { SPEC_TAG_deadline, UNTIL_START, BY_OPERATOR, true },
    { SPEC_TAG_partition, UNTIL_START, BY_OWNER, true },
    { SPEC_TAG_min_nodes, SHRINKS, BY_OWNER, true },
    { SPEC_TAG_max_nodes, UNTIL_START, BY_OWNER, true },
    { SPEC_TAG_ntasks, UNTIL_START, BY_OWNER, true },
    { SPEC_TAG_ntasks_per_node, UNTIL_START, BY_OWNER, true },
    { SPEC_TAG_cpus_per_task, UNTIL_START, BY_OWNER, true },
    { SPEC_TAG_min_cpus_per_node, UNTIL_START, BY_OWNER, true },
    { SPEC_TAG_sockets_per_node, UNTIL_START, BY_OWNER, true },
    { SPEC_TAG_cores_per_socket, UNTIL_START, BY_OWNER, true },
    { SPEC_TAG_threads_per_core, UNTIL_START, BY_OWNER, true },
    { SPEC_TAG_mem_per_node, UNTIL_START, BY_OWNER, true },
    { SPEC_TAG_mem_per_cpu, UNTIL_START, BY_OWNER, true },
    { SPEC_TAG_tmp_disk, UNTIL_START, BY_OWNER, true },
    { SPEC_TAG_req_nodes, SHRINKS, BY_OWNER, true },
    { SPEC_TAG_exc_nodes, UNTIL_START, BY_OWNER, true },
    { SPEC_TAG_features, UNTIL_START, BY_OWNER, true },
    { SPEC_TAG_prefer, UNTIL_START, BY_OWNER, true },
    { SPEC_TAG_tres_per_node, UNTIL_START, BY_OWNER, true },
    { SPEC_TAG_licenses, UNTIL_START, BY_OWNER, true },
    { SPEC_TAG_reservation, UNTIL_START, BY_OWNER, true },
    { SPEC_TAG_switches, UNTIL_END, BY_OWNER, true },
    { SPEC_TAG_switch_wait_s, UNTIL_END, BY_OWNER, true },
    { SPEC_TAG_contiguous, UNTIL_START, BY_OPERATOR, true },
    { SPEC_TAG_share, UNTIL_START, BY_OPERATOR, true },
    { SPEC_TAG_core_spec, UNTIL_START, BY_OPERATOR, true },
    { SPEC_TAG_thread_spec, UNTIL_START, BY_OPERATOR, true },
};

static const struct rule *find_rule(uint32_t tag)
{
    for (size_t i = 0; i < ARRAY_N(rules); i++) {
        if (rules[i].tag == tag)
            return &rules[i];
    }
    return NULL;
}

/* ---- what may be changed ---- */

static int check_rules(const struct alteration *alteration, const struct job *job,
                       const struct job_update *request, struct err *err)
{
    for (uint32_t i = 0; i < request->set_n; i++) {
        const struct rule *rule = find_rule(request->set[i]);

        if (!rule)
            return alter_refuse(E_NOT_SUPPORTED, err);
        if (rule->until == UNTIL_START && job->rec.state != JOB_PENDING)
            return alter_refuse(E_NOT_PENDING, err);
        if (rule->who == BY_OPERATOR && !alteration->caller->is_admin)
            return alter_refuse(E_ACCESS, err);
    }
    return 0;
}

/* A user may give way to others, an operator may do as he likes; 0 is a hold. */
static int check_rank(const struct alteration *alteration, const struct job *job,
                      const struct job_update *request, struct err *err)
{
    const struct job_spec *spec = request->spec;
    const bool is_admin = alteration->caller->is_admin;

    if (job_update_sets(request, SPEC_TAG_nice) && !is_admin && spec->nice < 0 &&
        spec->nice != job->rec.spec->nice)
        return alter_refuse(E_ACCESS, err);
    if (!job_update_sets(request, SPEC_TAG_priority) || spec->priority == 0)
        return 0;
    if (job_is_held(job))
        return alter_refuse(E_JOB_HELD, err);
    if (!is_admin && spec->priority > job->rec.priority)
        return alter_refuse(E_ACCESS, err);
    return 0;
}

static int check_hold(const struct alteration *alteration, const struct job *job,
                      const struct job_update *request, struct err *err)
{
    if (request->hold == HOLD_RELEASE && job_is_held(job) && job->rec.reason == REASON_HELD_ADMIN &&
        !alteration->caller->is_admin)
        return alter_refuse(E_ACCESS, err);
    return 0;
}

static int check_dependency(const struct alteration *alteration, const struct job *job,
                            const struct job_update *request, struct err *err)
{
    int rc = 0;

    if (job_update_sets(request, SPEC_TAG_dependency) && request->spec->dependency)
        rc = depend_check(alteration->control, job, request->spec->dependency, NULL);
    return rc < 0 ? alter_refuse(-rc, err) : 0;
}

/* What a request says about the time limit in other ways than by its value. */
static int take_limit(const struct alteration *alteration, const struct job *job,
                      const struct job_update *request, struct job_spec *spec, struct err *err)
{
    const int64_t now_s = alteration->now.wall_s;

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
    if (spec->time_limit < 0 || spec->time_limit + request->more_time_s < 0)
        return alter_refuse(E_TIME_LIMIT, err);
    spec->time_limit += request->more_time_s;
    return 0;
}

/* Nobody takes more time than was agreed when others were told when the job ends. */
static int check_limit(const struct alteration *alteration, const struct job *job,
                       const struct job_spec *spec, struct err *err)
{
    const int64_t had = job->rec.spec->time_limit, wants = spec->time_limit;

    if (job->rec.state == JOB_PENDING || alteration->caller->is_admin)
        return 0;
    if ((wants < 0 && had >= 0) || (had >= 0 && wants > had))
        return alter_refuse(E_ACCESS, err);
    return 0;
}

/* ---- the copy ---- */

static bool shapes(const struct job_update *request)
{
    for (uint32_t i = 0; i < request->set_n; i++) {
        if (find_rule(request->set[i])->shapes)
            return true;
    }
    return request->more_time_s != 0;
}

/* What is set to nothing is as if it had never been asked for. */
static void forget_empty(char **text)
{
    if (*text && !**text)
        xstrset(text, NULL);
}

static void take_fields(const struct job_update *request, bool waits, struct job_spec *spec)
{
    for (uint32_t i = 0; i < request->set_n; i++) {
        /* What it asked for stays what it asks for when it runs again. */
        if (waits || find_rule(request->set[i])->until != SHRINKS)
            schema_copy_field(schema_find_tag(job_spec_schema(), request->set[i]), spec,
                              request->spec);
    }
    /* Memory is asked for in one way. */
    if (job_update_sets(request, SPEC_TAG_mem_per_node))
        spec->mem_per_cpu = spec->mem_per_gpu = MB_UNSET;
    if (job_update_sets(request, SPEC_TAG_mem_per_cpu))
        spec->mem_per_node = spec->mem_per_gpu = MB_UNSET;
    forget_empty(&spec->req_nodes);
    forget_empty(&spec->exc_nodes);
    forget_empty(&spec->mail_user);
}

static int check_waiting(const struct alteration *alteration, const struct job *job,
                         const struct job_update *request, struct job_spec *spec,
                         const struct partition **ret_part, struct err *err)
{
    struct control *control = alteration->control;
    const bool moves =
        job_update_sets(request, SPEC_TAG_partition) || job->partition == PARTITION_NONE;
    const struct partition *part = NULL;
    AUTO(job_record) struct job_record rec;
    int rc;

    job_record_init(&rec);
    if (!moves)
        part = &control->model->partitions[job->partition];
    rc = spec_complete_again(control->model, alteration->caller, spec, moves, &part, err);
    if (rc < 0)
        return rc;
    schema_copy(job_record_schema(), &rec, &job->rec);
    job_spec_clear(rec.spec);
    schema_copy(job_spec_schema(), rec.spec, spec);
    job_follow_spec(&rec, alteration->now);
    rc = job_check_plan(control, alteration->now, &rec, part, err);
    *ret_part = part;
    return rc;
}

/* ---- the change ---- */

/* The order in which the job comes, after what the request says about it. */
static void take_rank(const struct alteration *alteration, struct job *job, int32_t nice_before,
                      const struct job_update *request)
{
    struct job_spec *spec = job->rec.spec;

    if (job_update_sets(request, SPEC_TAG_priority) && spec->priority == 0) {
        spec->priority = COUNT_UNSET;
        job_hold(job, alteration->caller->is_admin);
    }
    if (request->hold == HOLD_AS_USER && alteration->caller->is_admin)
        job_set_reason(job, REASON_HELD_USER, NULL); /* else an operator's hold stays one */
    if (request->hold == HOLD || request->hold == HOLD_AS_USER)
        job_hold(job, request->hold == HOLD && alteration->caller->is_admin);
    else if (request->hold == HOLD_RELEASE)
        job_release(alteration->control, alteration->now, job);
    else if (!job_is_held(job))
        rank_again(alteration->control, alteration->now, &job->rec, nice_before);
}

static void take_spec(const struct alteration *alteration, struct job *job, struct job_spec *spec,
                      const struct job_update *request, struct turn *turn)
{
    struct control *control = alteration->control;

    job_spec_clear(job->rec.spec);
    *job->rec.spec = *spec;
    job_spec_init(spec);
    if (job_update_sets(request, SPEC_TAG_name))
        depend_rename(control, alteration->now, job, turn);
    if (job_update_sets(request, SPEC_TAG_dependency))
        depend_again(control, alteration->now, job, turn);
}

static void commit_waiting(const struct alteration *alteration, struct job *job,
                           struct job_spec *spec, const struct partition *part,
                           const struct job_update *request, struct turn *turn)
{
    struct control *control = alteration->control;
    const int32_t nice_before = job->rec.spec->nice;

    job_leave_plan(control, alteration->now, job);
    take_spec(alteration, job, spec, request, turn);
    if (part)
        job_set_partition(control, job, part->index);
    take_rank(alteration, job, nice_before, request);
    job_follow_spec(&job->rec, alteration->now);
    job_enter_plan(control, alteration->now, job, turn);
}

/* Of a job that runs little more than its end matters to others. */
static void commit_running(const struct alteration *alteration, struct job *job,
                           struct job_spec *spec, const struct job_update *request,
                           struct turn *turn)
{
    struct control *control = alteration->control;
    const int64_t limit_before = job->rec.spec->time_limit;
    const int32_t nice_before = job->rec.spec->nice;

    take_spec(alteration, job, spec, request, turn);
    take_rank(alteration, job, nice_before, request);
    if (job->rec.spec->time_limit != limit_before)
        job_limit_changed(control, alteration->now, job);
    turn_note_job(turn, &job->rec);
}

static int check_request(const struct alteration *alteration, const struct job *job,
                         const struct job_update *request, struct err *err)
{
    int rc;

    if (job_state_is_over(job->rec.state))
        return alter_refuse(E_JOB_FINISHED, err);
    rc = check_rules(alteration, job, request, err);
    if (rc == 0)
        rc = check_rank(alteration, job, request, err);
    if (rc == 0)
        rc = check_hold(alteration, job, request, err);
    if (rc == 0)
        rc = check_dependency(alteration, job, request, err);
    return rc;
}

/* What an update comes to, when all is checked. */
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

static int work_out(const struct alteration *alteration, const struct job *job,
                    const struct job_update *request, struct outcome *ret, struct err *err)
{
    const bool waits = job->rec.state == JOB_PENDING;
    int rc = check_request(alteration, job, request, err);

    *ret = (struct outcome){ 0 };
    schema_copy(job_spec_schema(), &ret->spec, job->rec.spec);
    if (rc < 0)
        return rc;
    take_fields(request, waits, &ret->spec);
    rc = take_limit(alteration, job, request, &ret->spec, err);
    if (rc == 0)
        rc = check_limit(alteration, job, &ret->spec, err);
    if (rc == 0 && waits && shapes(request))
        rc = check_waiting(alteration, job, request, &ret->spec, &ret->part, err);
    if (rc == 0 && !waits)
        rc = job_check_shrink(job, request, &ret->keep, err);
    return rc;
}

static int check_one(const struct alteration *alteration, struct job *job, const void *arg,
                     struct err *err)
{
    struct outcome outcome;
    int rc = work_out(alteration, job, arg, &outcome, err);

    outcome_clear(&outcome);
    return rc;
}

static int update_one(const struct alteration *alteration, struct job *job, const void *arg,
                      struct turn *turn, struct err *err)
{
    const struct job_update *request = arg;
    struct outcome outcome;
    int rc = work_out(alteration, job, request, &outcome, err);

    if (rc == 0 && job->rec.state == JOB_PENDING) {
        commit_waiting(alteration, job, &outcome.spec, outcome.part, request, turn);
    } else if (rc == 0) {
        commit_running(alteration, job, &outcome.spec, request, turn);
        job_shrink(alteration->control, alteration->now, job, &outcome.keep, turn);
    }
    outcome_clear(&outcome);
    return rc;
}

/* Of which the id names all tasks, or is one's own. */
static struct array *array_of(const struct model *model, uint32_t job_id)
{
    struct array *array = model_find_array(model, job_id);
    const struct job *task = array ? NULL : model_find_job(model, job_id);

    return task ? task->array : array;
}

int control_update(struct control *control, struct moment now, const struct caller *caller,
                   const struct job_update *request, struct turn *turn, struct job_altered *ret,
                   struct err *err)
{
    static const struct alter_way way = { check_one, update_one };
    const struct alteration alteration = { control, now, caller };
    struct array *array = array_of(control->model, request->job_id);
    int rc;

    if (request->set_n && !request->spec)
        return err_set(err, EINVAL, "an update names fields and has no values");
    rc = alter_named(&alteration, request->job_id, request->tasks, &way, request, turn, ret, err);
    if (rc == 0 && array && request->array_limit != COUNT_UNSET)
        array_set_limit(control, now, array, request->array_limit, turn);
    return say_user_id(rc, err);
}
