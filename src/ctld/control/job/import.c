#include "ctld/control/job/import.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "common/crypt/crypt.h"
#include "common/msg/job_spans.h"
#include "common/text/period.h"
#include "ctld/control/acct/acct.h"
#include "ctld/control/acct/usage.h"
#include "ctld/control/act/state.h"
#include "ctld/control/act/turn.h"
#include "ctld/control/job/ids.h"

static int check_caller(struct act *act, struct err *err)
{
    if (caller_has_level(act->caller, LEVEL_ADMINISTRATOR))
        return 0;
    return err_set(err, E_ACCESS, "only root, SlurmUser and administrators import history");
}

int control_import_begin(struct act *act, const struct import_begin *request,
                         struct import_begun *ret, struct err *err)
{
    int rc = check_caller(act, err);

    if (rc < 0)
        return rc;
    job_learn_id(act, request->highest_job, 0); /* imported jobs are of the first round */
    /* A number of an earlier incarnation is another one, too. */
    act->control->imports_n++;
    ret->number = act->control->incarnation << 32 | act->control->imports_n;
    ret->next_job = job_next_id(act->control);
    ret->last_job = job_last_id(act->control);
    return 0;
}

/* ---- what may be taken ---- */

static int check_job(const struct history_job *past, const struct history_job *next,
                     struct err *err)
{
    const struct job_record *job = past->job;

    if (!job->id || job_state_is_over(job->state) != (job->end_time != 0))
        return err_set(err, EINVAL, "job %u has an end and goes on, or neither", job->id);
    if (past->is_earlier_run && !job->end_time)
        return err_set(err, EINVAL, "an earlier run of job %u is not over", job->id);
    if (past->is_earlier_run && (!next || next->job->id != job->id))
        return err_set(err, EINVAL, "an earlier run of job %u without the job", job->id);
    for (uint32_t i = 0; i < past->steps_n; i++) {
        const struct step_record *step = &past->steps[i];

        if (step->job_id != job->id || step->launch_number != job->launch_number)
            return err_set(err, EINVAL, "step %u of job %u is of another job or run", step->step_id,
                           job->id);
        if (step_check_record(step, err) < 0)
            return -E_PROTO;
    }
    return job_check_record(job, err);
}

/* Sums are by the calendar of this controller. */
static int check_sums(const struct sums_whole *whole, struct err *err)
{
    int rc = sums_whole_check(whole, err);

    for (uint32_t i = 0; rc == 0 && i < whole->rows_n; i++) {
        const int64_t at = whole->rows[i].at;

        if (at != period_start((enum period)whole->period, at))
            rc = err_set(err, EINVAL,
                         "sums of a time at %" PRId64
                         ", when no hour, day or month begins in this controller's time zone",
                         at);
    }
    return rc;
}

static int check_page(struct act *act, const struct import_page *page, struct err *err)
{
    const uint64_t number = act->control->incarnation << 32 | act->control->imports_n;
    int rc = check_caller(act, err);

    if (rc == 0 && (page->number != number || !act->control->imports_n))
        rc = err_set(err, EBUSY,
                     "another import has begun since, or the controller was started again: "
                     "begin anew, what came before stays");
    for (uint32_t i = 0; rc == 0 && i < page->jobs_n; i++)
        rc = check_job(&page->jobs[i], i + 1 < page->jobs_n ? &page->jobs[i + 1] : NULL, err);
    for (uint32_t i = 0; rc == 0 && i < page->events_n; i++) {
        if (page->events[i].until < page->events[i].since || !page->events[i].until)
            rc = err_set(err, EINVAL, "an event that is not over");
    }
    for (uint32_t i = 0; rc == 0 && i < page->sums_n; i++)
        rc = check_sums(&page->sums[i], err);
    return rc;
}

static bool is_known(const struct act *act, uint32_t id)
{
    const struct model *model = act->control->model;

    return model_find_job(model, id) || model_find_array(model, id);
}

static bool is_refused(const struct act *act, uint32_t id, struct import_taken *taken)
{
    if (!is_known(act, id))
        return false;
    if (taken->refused_n == 0 || taken->refused[taken->refused_n - 1] != id)
        *ARRAY_PUSH(taken->refused, taken->refused_n) = id;
    return true;
}

/* ---- taking it ---- */

static void note_blob(struct act *act, const struct blob *data)
{
    uint8_t sha256[SHA256_BYTES];

    crypt_sha256(data->data, data->n, sha256);
    turn_note_blob(act->turn, sha256, data->data, data->n);
}

/* Notes the body, and names it in the record. */
static void note_body(struct act *act, struct job_record *job, const struct job_body *body)
{
    AUTO(strbuf) struct strbuf bytes = { 0 };
    uint8_t sha256[SHA256_BYTES];

    schema_encode(job_body_schema(), body, &bytes);
    crypt_sha256(bytes.data, bytes.len, sha256);
    turn_note_body(act->turn, sha256, bytes.data, (uint32_t)bytes.len);
    free(job->body_sha256.data);
    job->body_sha256 = (struct blob){ .data = xmemdup(sha256, SHA256_BYTES), .n = SHA256_BYTES };
}

static void take_job(struct act *act, const struct history_job *past)
{
    note_body(act, past->job, past->body);
    for (uint32_t i = 0; i < past->steps_n; i++)
        turn_note_step(act->turn, &past->steps[i]);
    turn_note_past(act->turn, past->job, past->is_earlier_run);
}

int control_import_history(struct act *act, const struct import_page *page,
                           struct import_taken *ret, struct err *err)
{
    int rc = check_page(act, page, err);

    if (rc < 0)
        return rc;
    for (uint32_t i = 0; i < page->blobs_n; i++)
        note_blob(act, &page->blobs[i].data);
    for (uint32_t i = 0; i < page->jobs_n; i++) {
        if (!is_refused(act, page->jobs[i].job->id, ret))
            take_job(act, &page->jobs[i]);
    }
    for (uint32_t i = 0; i < page->events_n; i++)
        turn_note_cluster_event(act->turn, &page->events[i]);
    for (uint32_t i = 0; i < page->sums_n; i++)
        turn_note_sums(act->turn, &page->sums[i]);
    return 0;
}

int control_import_page(struct act *act, const struct import_page *page, struct import_taken *ret,
                        struct err *err)
{
    int rc = control_import_history(act, page, ret, err);

    if (rc < 0)
        return rc;
    for (uint32_t i = 0; i < page->jobs_n; i++) {
        if (!is_known(act, page->jobs[i].job->id) && page->jobs[i].job->end_time)
            usage_add_past(act, page->jobs[i].job);
    }
    usage_past_added(act);
    return 0;
}
