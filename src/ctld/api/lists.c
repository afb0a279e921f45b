/* lists.c - looking at the jobs that there are, and at their steps and priorities; and at shares.
 */
#include "ctld/api/api.h"

#include <stdlib.h>
#include <string.h>

#include "common/msg/types.h"
#include "common/schema/view.h"
#include "ctld/control/acct/acct.h"
#include "ctld/control/control.h"
#include "ctld/control/answer/info.h"
#include "ctld/control/answer/shares.h"
#include "ctld/control/answer/use.h"
#include "ctld/control/feed/rank.h"

bool api_lists_number(const uint32_t *numbers, uint32_t n, uint32_t wanted)
{
    for (uint32_t i = 0; i < n; i++) {
        if (numbers[i] == wanted)
            return true;
    }
    return n == 0;
}

bool api_lists_text(char *const *texts, uint32_t n, const char *wanted)
{
    for (uint32_t i = 0; i < n; i++) {
        if (wanted && strcmp(texts[i], wanted) == 0)
            return true;
    }
    return n == 0;
}

/* ---- jobs and steps: jobs are collected at once, the records made one by one ---- */

/* A job that was collected, and is found again by its id once one has left memory since. To look up
 * each is a fifth of what a list of 10,000 takes. */
struct found_job {
    uint32_t id;
    const struct job *job;
};

struct job_cursor {
    struct found_job *found;
    uint32_t n, at;
    uint64_t jobs_dropped; /* the model's, when they were collected */
    uint32_t step_at;      /* of STEP_LIST: steps of the current job already sent, and its like */
    struct schema_view *view; /* of JOB_LIST: what is told of each job; NULL: all */
};

static void release_jobs(void *ctx)
{
    struct job_cursor *cursor = ctx;

    schema_view_free(cursor->view);
    free(cursor->found);
    free(cursor);
}

/* Returns the job at the cursor; NULL: it has left memory since. */
static const struct job *current_job(const struct job_cursor *cursor, const struct model *model)
{
    const struct found_job *found = &cursor->found[cursor->at];

    return cursor->jobs_dropped == model->jobs_dropped ? found->job
                                                       : model_find_job(model, found->id);
}

static int compare_numbers(const void *a, const void *b)
{
    const uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;

    return left < right ? -1 : left > right;
}

/* True if the sorted list has the number. */
static bool names_number(const struct job_list *filter, uint32_t number)
{
    return bsearch(&number, filter->job_ids, filter->job_ids_n, sizeof(number), compare_numbers);
}

static bool has_state(const struct job_list *filter, const struct job_record *job)
{
    return (filter->flags & job->flags) ||
           api_lists_number(filter->states, filter->states_n, job->state);
}

struct selection {
    const struct request *request;
    const struct job_list *filter;
    struct bitset hidden; /* partitions that are left out */
    bool sees_others;     /* some jobs of others may be shown, too */
    struct job_cursor *cursor;
};

static bool is_hidden(const struct selection *selection, const struct job *job)
{
    return job->partition < selection->hidden.size &&
           bitset_has(&selection->hidden, job->partition);
}

static bool sees(const struct request *request, const struct job *job)
{
    const struct control *control = request->act.control;

    return acct_sees_job(control, request->act.caller, control_model(control)->config.cluster_name,
                         &job->rec);
}

static bool is_wanted(const struct selection *selection, const struct job *each)
{
    const struct request *request = selection->request;
    const struct job_list *filter = selection->filter;
    const struct job_record *job = &each->rec;

    return !is_hidden(selection, each) &&
           (selection->sees_others ? sees(request, each) : job->uid == request->act.caller->uid) &&
           api_lists_number(filter->uids, filter->uids_n, job->uid) && has_state(filter, job) &&
           api_lists_text(filter->partitions, filter->partitions_n, job->partition);
}

static void collect_job(const struct selection *selection, const struct job *job)
{
    struct job_cursor *cursor = selection->cursor;

    if (is_wanted(selection, job))
        *ARRAY_PUSH(cursor->found, cursor->n) = (struct found_job){ job->rec.id, job };
}

/* Collects the jobs of a number. An array's stands for all its tasks, also the one with this id. */
static void collect_named(const struct selection *selection, uint32_t number)
{
    const struct model *model = control_model(selection->request->act.control);
    const struct array *array = model_find_array(model, number);
    const struct job *job = array ? NULL : model_find_job(model, number);

    for (const struct job *task = array ? array->jobs : NULL; task; task = task->array_next)
        collect_job(selection, task);
    if (job && !(job->rec.array_job_id && names_number(selection->filter, job->rec.array_job_id)))
        collect_job(selection, job);
}

/* Collects the jobs to list. Those asked for by number are not looked for among all jobs. */
static struct job_cursor *collect_jobs(const struct request *request, struct job_list *filter)
{
    struct selection selection = {
        .request = request,
        .filter = filter,
        .sees_others = acct_sees_jobs_of_others(request->act.control, request->act.caller),
        .cursor = xcalloc(1, sizeof(struct job_cursor)),
    };
    const struct model *model = control_model(request->act.control);

    selection.cursor->jobs_dropped = model->jobs_dropped;
    if (filter->hide)
        api_hidden_partitions(request, &selection.hidden);
    if (filter->job_ids_n)
        qsort(filter->job_ids, filter->job_ids_n, sizeof(*filter->job_ids), compare_numbers);
    for (uint32_t i = 0; i < filter->job_ids_n; i++) {
        if (i == 0 || filter->job_ids[i] != filter->job_ids[i - 1])
            collect_named(&selection, filter->job_ids[i]);
    }
    for (const struct job *job = filter->job_ids_n ? NULL : model->jobs; job; job = job->hh.next)
        collect_job(&selection, job);
    bitset_clear(&selection.hidden);
    return selection.cursor;
}

static void send_job(const struct job_info *info, void *ctx)
{
    struct stream *stream = ctx;
    const struct job_cursor *cursor = stream->ctx;

    stream_send_view(stream, MSG_JOB_INFO, cursor->view, info);
}

static bool produce_job(struct stream *stream)
{
    struct job_cursor *cursor = stream->ctx;
    struct ctld *ctld = stream->conn->ctld;
    const struct job *job = NULL;

    for (; !job && cursor->at < cursor->n; cursor->at++)
        job = current_job(cursor, control_model(stream->control));
    if (!job)
        return false;
    control_show_job(stream->control, ctld_now(ctld), job, send_job, stream);
    return true;
}

static bool sees_job(const struct request *request, uint32_t job_id)
{
    const struct model *model = control_model(request->act.control);
    const struct job *job = model_find_job(model, job_id);
    const struct array *array = job ? NULL : model_find_array(model, job_id);

    if (array)
        job = array->jobs;
    return job && sees(request, job);
}

/* Refuses a single id that is unknown; of several, those that exist are shown. */
static int check_single_job(struct request *request, const struct job_list *filter, struct err *err)
{
    if (filter->job_ids_n != 1 || sees_job(request, filter->job_ids[0]))
        return 0;
    return err_set(err, E_JOB_ID, "%s", err_string(E_JOB_ID));
}

static int read_fields(const struct job_list *filter, struct schema_view **ret, struct err *err)
{
    AUTO(schema_view) struct schema_view *view = schema_view_new(job_info_schema());
    int rc = schema_view_read(view, filter->fields, filter->fields_n, err);

    *ret = rc == 0 && filter->fields_n ? STEAL(view) : NULL;
    return rc;
}

static int on_job_list(struct request *request, void *msg, struct err *err)
{
    struct schema_view *view = NULL;
    struct job_cursor *cursor;
    int rc = check_single_job(request, msg, err);

    if (rc == 0)
        rc = read_fields(msg, &view, err);
    if (rc < 0)
        return rc;
    cursor = collect_jobs(request, msg);
    cursor->view = view;
    request_stream(request, produce_job, release_jobs, cursor);
    return 0;
}

void api_hide_tokens(struct step_spec *spec)
{
    if (!spec)
        return;
    spec->io_token = (struct blob){ 0 };
    spec->token = NULL;
}

static void send_step(struct stream *stream, const struct step_record *rec)
{
    struct step_record copy = *rec;
    struct step_spec spec;

    if (copy.spec) {
        spec = *copy.spec;
        copy.spec = &spec;
        api_hide_tokens(&spec);
    }
    stream_send(stream, MSG_STEP_INFO, &copy);
}

static const struct step *step_at(const struct job *job, uint32_t at)
{
    const struct step *step = job ? job->steps : NULL;

    while (step && at-- > 0)
        step = step->next;
    return step;
}

static bool produce_step(struct stream *stream)
{
    struct job_cursor *cursor = stream->ctx;
    const struct model *model = control_model(stream->control);

    while (cursor->at < cursor->n) {
        const struct job *job = current_job(cursor, model);
        const struct step *step = step_at(job, cursor->step_at++);

        if (step && step_is_service(step->rec.step_id))
            continue;
        if (step) {
            send_step(stream, &step->rec);
            return true;
        }
        cursor->at++;
        cursor->step_at = 0;
    }
    return false;
}

static int on_step_list(struct request *request, void *msg, struct err *err)
{
    int rc = check_single_job(request, msg, err);

    if (rc == 0)
        request_stream(request, produce_step, release_jobs, collect_jobs(request, msg));
    return rc;
}

/* Sends a record for each partition that a job waits in; job_cursor.step_at counts them. */
static bool produce_priority(struct stream *stream)
{
    struct job_cursor *cursor = stream->ctx;
    const struct ctld *ctld = stream->conn->ctld;

    while (cursor->at < cursor->n) {
        const struct job *job = current_job(cursor, control_model(stream->control));
        struct priority_info info;

        if (job &&
            control_priority_info(stream->control, ctld_now(ctld), job, cursor->step_at++, &info)) {
            stream_send(stream, MSG_PRIORITY_INFO, &info);
            priority_info_clear(&info);
            return true;
        }
        cursor->at++;
        cursor->step_at = 0;
    }
    return false;
}

static int on_priority_list(struct request *request, void *msg, struct err *err)
{
    (void)err;
    request_stream(request, produce_priority, release_jobs, collect_jobs(request, msg));
    return 0;
}

/* ---- shares ---- */

static bool produce_share(struct stream *stream)
{
    struct share_info info;

    if (!control_share_next(stream->ctx, &info))
        return false;
    stream_send(stream, MSG_SHARE_INFO, &info);
    share_info_clear(&info);
    return true;
}

static void release_shares(void *listing)
{
    control_share_list_free(listing);
}

static int on_share_list(struct request *request, void *msg, struct err *err)
{
    (void)err;
    request_stream(
        request, produce_share, release_shares,
        control_share_list(request->act.control, request->act.now, request->act.caller, msg));
    return 0;
}

/* ---- what associations and QOS use ---- */

static bool produce_use(struct stream *stream)
{
    struct acct_use use;

    if (!control_use_next(stream->ctx, &use))
        return false;
    stream_send(stream, MSG_ACCT_USE, &use);
    acct_use_clear(&use);
    return true;
}

static void release_uses(void *listing)
{
    control_use_list_free(listing);
}

static int on_use_list(struct request *request, void *msg, struct err *err)
{
    (void)msg;
    (void)err;
    request_stream(request, produce_use, release_uses,
                   control_use_list(request->act.control, request->act.now, request->act.caller));
    return 0;
}

const struct handler list_handlers[] = {
    { MSG_JOB_LIST, ROLE_USER, HANDLER_LOOKS, on_job_list },
    { MSG_STEP_LIST, ROLE_USER, HANDLER_LOOKS, on_step_list },
    { MSG_PRIORITY_LIST, ROLE_USER, HANDLER_LOOKS, on_priority_list },
    { MSG_SHARE_LIST, ROLE_USER, HANDLER_LOOKS, on_share_list },
    { MSG_ACCT_USE_LIST, ROLE_USER, HANDLER_LOOKS, on_use_list },
};
const size_t list_handlers_n = ARRAY_N(list_handlers);
