/* Accepting jobs. */
#include "ctld/control/job/submit.h"

#include <errno.h>
#include <string.h>

#include "common/text/tasks.h"
#include "ctld/control/act/event.h"
#include "ctld/control/act/follow.h"
#include "ctld/control/act/state.h"
#include "ctld/control/act/turn.h"
#include "ctld/control/answer/attach.h"
#include "ctld/control/feed/all.h"
#include "ctld/control/feed/explain.h"
#include "ctld/control/feed/feed.h"
#include "ctld/control/feed/rank.h"
#include "ctld/control/feed/snapshot.h"
#include "ctld/control/job/accrue.h"
#include "ctld/control/job/alter.h"
#include "ctld/control/job/deadline.h"
#include "ctld/control/job/depend.h"
#include "ctld/control/job/ids.h"
#include "ctld/control/job/mail.h"
#include "ctld/control/limit/admit.h"
#include "ctld/control/limit/count.h"
#include "ctld/control/limit/judge.h"
#include "ctld/control/request/body.h"
#include "ctld/control/request/request.h"
#include "ctld/control/request/spec.h"
#include "ctld/control/resv/resv.h"
#include "ctld/control/request/tres.h"
#include "ctld/control/step/step.h"
#include "ctld/control/step/want.h"

static void fill_owner(const struct caller *caller, struct job_record *rec)
{
    rec->uid = caller->uid;
    rec->gid = caller->gid;
    rec->user_name = xstrdup(caller->user_name);
    rec->group_name = xstrdup(caller->group_name);
    rec->home = xstrdup(caller->home);
    rec->shell = xstrdup(caller->shell);
    rec->groups = xmemdup(caller->groups, caller->groups_n * sizeof(*caller->groups));
    rec->groups_n = caller->groups_n;
}

void job_follow_spec(struct job_record *rec, struct moment now)
{
    const struct job_spec *spec = rec->spec;

    rec->ncpus = spec_cpus(spec);
    rec->ntasks = spec->ntasks == COUNT_UNSET ? spec->min_nodes : spec->ntasks;
    if (spec->hold)
        rec->eligible_time = 0;
    else if (spec->begin > now.wall_s)
        rec->eligible_time = spec->begin;
    else if (rec->dependencies_n > 0)
        rec->eligible_time = 0;
    else if (rec->eligible_time == 0 || rec->eligible_time > now.wall_s)
        rec->eligible_time = now.wall_s;
}

/* A job is recorded, or not, as it was to be when it was submitted: turning nojobs on or off leaves
 * no job that is recorded in part. */
static uint32_t unrecorded_by(uint32_t enforce)
{
    if (enforce & ACCT_ENFORCE_NO_JOBS)
        return UNRECORDED_ALL;
    return enforce & ACCT_ENFORCE_NO_STEPS ? UNRECORDED_STEPS : UNRECORDED_NOTHING;
}

static void fill_record(const struct act *act, const struct job_spec *spec,
                        const struct partition *part, struct job_record *rec)
{
    job_record_init(rec);
    rec->spec = xmalloc(sizeof(*rec->spec));
    schema_copy(job_spec_schema(), rec->spec, spec);
    fill_owner(act->caller, rec);
    rec->submit_time = act->now.wall_s;
    rec->unrecorded = unrecorded_by(act->control->model->config.acct_enforce);
    rec->partition = xstrdup(part->conf->name);
}

/* Reads the array's tasks, of which the record is the first; the array's id is known only later. */
static int fill_array(const struct model *model, struct job_record *rec, uint32_t *ret_tasks_n,
                      struct err *err)
{
    AUTO(bitset) struct bitset tasks = { 0 };
    AUTO(strbuf) struct strbuf text = { 0 };
    int rc;

    *ret_tasks_n = 1;
    if (!rec->spec->array)
        return 0;
    if (rec->spec->kind != JOB_KIND_BATCH)
        return err_set(err, E_ARRAY, "%s: only batch jobs can be arrays", err_string(E_ARRAY));
    if (model->config.max_array_size == 0)
        return err_set(err, E_ARRAY, "%s: MaxArraySize=0 allows none", err_string(E_ARRAY));
    rc =
        tasks_parse(rec->spec->array, model->config.max_array_size, &tasks, &rec->array_limit, err);
    if (rc < 0)
        return rc;
    tasks_format(&tasks, &text);
    xstrset(&rec->array_tasks, strbuf_text(&text));
    *ret_tasks_n = bitset_count(&tasks);
    return 0;
}

static int err_misfit(const struct model *model, const struct job_spec *spec,
                      const struct partition *part, struct err *err)
{
    AUTO(strbuf) struct strbuf text = { 0 };

    if (!spec_misfit(model, spec, part, &text))
        return err_set(err, E_NODE_CONFIG, "%s", err_string(E_NODE_CONFIG));
    return err_set(err, E_NODE_CONFIG, "%s: %s", err_string(E_NODE_CONFIG), strbuf_text(&text));
}

static int err_limited(uint32_t reason, struct err *err)
{
    return err_set(err, E_ACCT_POLICY, "%s: %s", err_string(E_ACCT_POLICY),
                   job_reason_name(reason));
}

/* Leaves a job that names one reservation the nodes of that alone, if it is never let out of it. As
 * in Slurm one that is over, but where jobs still run, has none. */
static void keep_in_reservation(const struct act *act, const struct job_spec *spec,
                                struct plan_job *plan)
{
    const struct model *model = act->control->model;
    const struct reservation_record *resv =
        spec->reservation ? resv_find(act->control, spec->reservation) : NULL;
    AUTO(bitset) struct bitset others = { 0 }, own = { 0 };
    struct err err;

    if (!resv || resv->flags & (RESV_FLEX | RESV_ANY_NODES | RESV_LICENSE_ONLY))
        return;
    bitset_init(&others, model->nodes_n);
    bitset_fill(&others);
    if ((resv->end > act->now.wall_s || resv->flags & RESV_COMES_AGAIN) && resv->nodes &&
        model_known_nodes(model, resv->nodes, &own, &err) == 0)
        bitset_minus(&others, &own);
    if (plan->shape.excluded.size)
        bitset_or(&plan->shape.excluded, &others);
    else
        bitset_copy(&plan->shape.excluded, &others);
}

int job_check_plan(struct act *act, const struct job_draft *draft, struct err *err)
{
    const struct job_record *rec = &draft->rec;
    const struct partition *part = draft->part;
    const uint32_t reason = spec_waits_for(act->control->model, rec->spec, part);
    struct plan_job plan;
    int rc = 0;

    if (reason != REASON_NONE && draft->request.others_n == 0)
        return rec->spec->immediate
                   ? spec_err_wait(reason, E_PARTITION_CONFIG, rec->spec, part, err)
                   : 0;
    if (draft->request.limited_by != REASON_NONE && draft->request.others_n == 0)
        return rec->spec->immediate ? err_limited(draft->request.limited_by, err) : 0;
    if (act->control->planner_stale)
        feed_begin(act);
    feed_fill_waiting(act->control, act->now, rec, &draft->request, part->index, &plan);
    keep_in_reservation(act, rec->spec, &plan);
    /* As in Slurm, a job that is held may be changed before it is released. */
    if (!rec->spec->hold && !planner_fits_ever(act->control->planner, &plan))
        rc = err_misfit(act->control->model, rec->spec, part, err);
    feed_clear_plan_job(&plan);
    return rc;
}

/* Refuses more jobs than MaxJobCount. As in Slurm each task of an array counts. */
static int check_count(const struct control *control, uint32_t tasks_n, struct err *err)
{
    const uint32_t max = control->model->config.max_job_count;
    const uint64_t known = HASH_COUNT(control->model->jobs) + (uint64_t)control->model->ids_owed;

    if (max && known + tasks_n > max)
        return err_set(err, EAGAIN,
                       "Resource temporarily unavailable: with %u more there would be more than "
                       "%u jobs (MaxJobCount)",
                       tasks_n, max);
    return job_check_ids(control, tasks_n, err);
}

/* Checks a count of nodes as Slurm does. Nodes that were asked for may be more than the partition
 * gives, for now; where only tasks were, so many on each, it is refused, unless the job is held. */
static int check_counted_nodes(const struct model *model, const struct job_spec *asked,
                               const struct job_spec *spec, const struct partition *part,
                               struct err *err)
{
    if (spec->hold || count_is_set(asked->min_nodes) || !count_is_set(asked->ntasks) ||
        !count_is_set(asked->ntasks_per_node) || asked->req_nodes)
        return 0;
    if (spec_waits_for(model, spec, part) != REASON_PARTITION_NODE_LIMIT)
        return 0;
    return spec_err_wait(REASON_PARTITION_NODE_LIMIT, E_NODE_CONFIG, spec, part, err);
}

/* Cuts a DefaultTime to what limits on time leave the job, once and for all; what it has of the
 * partition's MaxTime follows them. */
static void cut_default_time(struct control *control, struct job_draft *draft)
{
    struct job_record *rec = &draft->rec;
    const struct tres_job job = { rec, &draft->request, draft->part };
    int64_t *limit = &rec->spec->time_limit;
    int64_t longest;

    request_read(control->model, rec->spec, draft->part->index, &draft->request);
    longest = limit_longest(control, &job);
    if (longest >= 0 && (*limit < 0 || *limit > longest))
        *limit = longest;
}

static void read_draft(struct control *control, bool names_time, struct job_draft *draft)
{
    struct job_record *rec = &draft->rec;
    const struct tres_job job = { rec, &draft->request, draft->part };

    if (!names_time && !rec->spec->time_is_partitions)
        cut_default_time(control, draft);
    limit_read_request(control, rec, draft->part->index, &draft->request);
    rec->billing_asked = tres_billing_asked(control->model, &job);
}

static int check_limits(struct control *control, const struct job_draft *draft, uint32_t tasks_n,
                        struct err *err)
{
    const struct tres_job job = { &draft->rec, &draft->request, draft->part };
    int rc = limit_check_count(control, &draft->rec, draft->part, NULL, tasks_n, err);

    return rc < 0 ? rc : limit_check_denied(control, &job, err);
}

int job_check_reservation(const struct act *act, const struct job_spec *spec,
                          const struct partition *part, struct err *err)
{
    const struct caller *caller = act->caller;
    const struct resv_guest guest = {
        .user = caller->user_name,
        .account = spec->account,
        .qos = spec->qos,
        .partition = part->conf->name,
        .groups = caller->group_names,
        .groups_n = caller->group_names_n,
    };

    return resv_check(act->control, spec->reservation, &guest, err);
}

void job_draft_init(struct job_draft *draft)
{
    *draft = (struct job_draft){ 0 };
    job_record_init(&draft->rec);
}

void job_draft_clear(struct job_draft *draft)
{
    job_record_clear(&draft->rec);
    job_request_clear(&draft->request);
}

void job_draft_auto_(struct job_draft *draft)
{
    job_draft_clear(draft);
}

/* Forgets what is noted in a spec of what nobody asked for. */
static void forget_notes(struct job_spec *spec)
{
    spec->qos_is_operators = spec->time_is_partitions = false;
    spec->given = 0;
    spec->asked_mem_per_cpu = MB_UNSET;
    spec->asked_cpus_per_task = COUNT_UNSET;
}

int job_draft_make(struct act *act, const struct job_spec *asked, struct job_draft *draft,
                   struct err *err)
{
    const struct model *model = act->control->model;
    struct job_record *rec = &draft->rec;
    AUTO(job_spec) struct job_spec spec;
    uint32_t tasks_n;
    int rc;

    schema_copy(job_spec_schema(), &spec, asked);
    rc = mail_check_user(&spec, err);
    if (rc == 0)
        rc = deadline_accept(act->now, &spec, err);
    if (rc < 0)
        return rc;
    forget_notes(&spec);
    spec.hold |= spec.arriving;
    rc = limit_admit(act->control, act->caller->user_name, false, &spec, err);
    if (rc == 0)
        rc = limit_check_reservation(act->control, &spec, err);
    if (rc == 0)
        rc = spec_complete(model, act->caller, &spec, &draft->part, err);
    if (rc == 0)
        rc = job_check_reservation(act, &spec, draft->part, err);
    if (rc == 0)
        rc = check_counted_nodes(model, asked, &spec, draft->part, err);
    if (rc < 0)
        return rc;
    fill_record(act, &spec, draft->part, rec);
    rc = fill_array(model, rec, &tasks_n, err);
    if (rc == 0)
        rc = depend_accept(act->control, rec, err);
    job_follow_spec(rec, act->now);
    read_draft(act->control, asked->time_limit != LIMIT_UNSET, draft);
    if (rc == 0)
        rc = check_count(act->control, tasks_n, err);
    if (rc == 0)
        rc = check_limits(act->control, draft, tasks_n, err);
    return rc < 0 ? rc : job_check_plan(act, draft, err);
}

/* Adds the job, which can no longer fail. */
static struct job *add_job(struct act *act, struct job_draft *draft, const struct job_body *msg)
{
    struct body *body = body_accept(act, msg);
    struct job_record *rec = &draft->rec;
    struct job *job;

    job_give_id(act, rec);
    if (rec->array_tasks)
        rec->array_job_id = rec->id;
    job = model_add_job(act->control->model, rec, body);
    body_unref(act->control->model, body);
    job->request = draft->request;
    draft->request = (struct job_request){ 0 };
    limit_count(act->control, job);
    accrue_begin(act->control, job);
    rank_take(act, job);
    job_set_first_reason(act->control, act->now, job);
    if (job->rec.spec->arriving)
        job_hold(job, true);
    act->control->diag.jobs_submitted++;
    turn_note_number(act->turn, CONTROL_NUMBER_NEXT_PRIORITY, (int64_t)act->control->next_priority);
    turn_note_job(act->turn, &job->rec);
    event_note_submit(act, job);
    return job;
}

static void begin_waiting(struct act *act, struct job *job)
{
    if (job->rec.spec->dependency)
        depend_begin(act, job);
    else
        feed_job_waits(act, job);
}

bool control_asks_first(const struct control *control, const struct caller *caller,
                        const struct job_spec *spec)
{
    return spec->immediate && !model_find_token(control->model, caller->uid, spec->token);
}

int control_submit(struct act *act, const struct job_submit *request, uint32_t *ret_job_id,
                   struct err *err)
{
    AUTO(job_draft) struct job_draft draft;
    const struct job_spec *spec = request->spec;
    struct job *job = model_find_token(act->control->model, act->caller->uid, spec->token);
    int rc = job_body_check(request->body, spec->kind, err);

    job_draft_init(&draft);
    if (rc == 0 && job) {
        *ret_job_id = job->rec.id;
        return 0;
    }
    if (rc == 0)
        rc = job_draft_make(act, spec, &draft, err);
    if (rc < 0)
        return rc;
    job = add_job(act, &draft, request->body);
    begin_waiting(act, job);
    *ret_job_id = job->rec.id;
    return 0;
}

/* Adds the step that the client wants. It is kept with the job from the first moment, so that a
 * restart does not forget it. */
static void add_own_step(struct act *act, struct job *job, const struct step_spec *asked,
                         struct step_request *request)
{
    AUTO(step_spec) struct step_spec spec;

    schema_copy(step_spec_schema(), &spec, asked);
    spec_add_address(&spec, act->caller);
    turn_note_step(act->turn, &step_new(act->control, job, &spec, request)->rec);
    turn_note_job(act->turn, &job->rec);
}

int control_allocate(struct act *act, const struct job_allocate *request, uint32_t *ret_job_id,
                     struct err *err)
{
    AUTO(job_draft) struct job_draft draft;
    AUTO(step_request) struct step_request step = { 0 };
    struct job *job = model_find_token(act->control->model, act->caller->uid, request->spec->token);
    int rc = job_body_check(request->body, request->spec->kind, err);

    job_draft_init(&draft);
    if (rc == 0 && job) {
        *ret_job_id = job->rec.id;
        return job_attach(act->control->model, job, act->turn);
    }
    if (rc == 0 && request->spec->kind == JOB_KIND_BATCH)
        return err_set(err, EINVAL, "an allocation is not a batch job");
    if (rc == 0)
        rc = job_draft_make(act, request->spec, &draft, err);
    if (rc == 0 && request->step)
        rc = step_request_read(act->control->model, request->step, &step, err);
    if (rc < 0)
        return rc;
    job = add_job(act, &draft, request->body);
    if (request->step)
        add_own_step(act, job, request->step, &step);
    job->clients_n = 1;
    begin_waiting(act, job);
    if (job_is_eligible(job))
        *ARRAY_PUSH(act->control->untold, act->control->untold_n) = job->rec.id;
    else if (job->rec.state == JOB_PENDING)
        job_tell_queued(job, act->turn);
    *ret_job_id = job->rec.id;
    return 0;
}
