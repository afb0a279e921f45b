/* jobs.c - submitting, allocating, running steps, signalling, releasing. */
#include "ctld/api/api.h"

#include "common/msg/types.h"
#include "ctld/dispatch/asked.h"
#include "ctld/control/answer/attach.h"
#include "ctld/control/act/follow.h"
#include "ctld/control/answer/question.h"
#include "ctld/control/job/requeue.h"
#include "ctld/control/job/signal.h"
#include "ctld/control/step/step.h"
#include "ctld/control/step/update.h"
#include "ctld/control/job/submit.h"
#include "ctld/control/job/suspend.h"
#include "ctld/control/job/top.h"
#include "ctld/control/job/update.h"
#include "ctld/model/body.h"

/* Checks that the job's blobs are there, and that its owner is known. A request without a body is
 * refused by control. */
static int check_job_blobs(struct request *request, const struct job_body *body, struct err *err)
{
    int rc = 0;

    if (!request->act.caller->user_name) /* a job carries its owner's names to the nodes */
        return err_set(err, E_USER_ID,
                       "Invalid user id: uid %u has no name on the controller's host",
                       request->act.caller->uid);
    if (body)
        rc = conn_need_blob(request->conn, &body->script_sha256, "script", err);
    if (rc == 0 && body)
        rc = conn_need_blob(request->conn, &body->environment_sha256, "environment", err);
    return rc;
}

static void note_job_blobs(struct request *request, const struct job_body *body)
{
    conn_note_blob(request->conn, &body->script_sha256, &request->ctld->turn);
    conn_note_blob(request->conn, &body->environment_sha256, &request->ctld->turn);
}

/* Refuses a job that is to start at once or not at all, and does not start now. */
static int check_start(const struct job_spec *spec, const struct control_answer *answer,
                       struct err *err)
{
    if (!spec->immediate || answer->starts)
        return 0;
    return err_set(err, E_NODES_BUSY, "%s", err_string(E_NODES_BUSY));
}

static int finish_test_only(struct request *request, void *msg, const struct control_answer *answer,
                            struct err *err)
{
    const struct job_submit *submit = msg;
    int rc = check_start(submit->spec, answer, err);

    if (rc == 0)
        request_reply(request, MSG_JOB_SUBMITTED, &answer->would);
    return rc;
}

static int submit_job(struct request *request, const struct job_submit *submit, struct err *err)
{
    struct job_submitted answer;
    int rc;

    job_submitted_init(&answer);
    rc = control_submit(&request->act, submit, &answer.job_id, err);
    if (rc < 0)
        return rc;
    note_job_blobs(request, submit->body);
    request_reply(request, MSG_JOB_SUBMITTED, &answer);
    return 0;
}

static int finish_submit(struct request *request, void *msg, const struct control_answer *answer,
                         struct err *err)
{
    const struct job_submit *submit = msg;
    int rc = check_start(submit->spec, answer, err);

    return rc < 0 ? rc : submit_job(request, submit, err);
}

static int on_job_submit(struct request *request, void *msg, struct err *err)
{
    const struct job_submit *submit = msg;
    int rc;

    if (submit->test_only)
        return request_ask(request, submit->spec, msg, finish_test_only, err);
    rc = check_job_blobs(request, submit->body, err);
    if (rc < 0)
        return rc;
    if (control_asks_first(request->ctld->control, request->act.caller, submit->spec))
        return request_ask(request, submit->spec, msg, finish_submit, err);
    return submit_job(request, submit, err);
}

static int allocate(struct request *request, const struct job_allocate *allocate, struct err *err)
{
    struct ctld *ctld = request->ctld;
    uint32_t job_id;
    int rc = control_allocate(&request->act, allocate, &job_id, err);

    if (rc < 0)
        return rc;
    note_job_blobs(request, allocate->body);
    if (allocate->step)
        conn_note_blob(request->conn, &allocate->step->environment_sha256, &ctld->turn);
    watch_add(request, job_id, COUNT_UNSET);
    return 0;
}

static int finish_allocate(struct request *request, void *msg, const struct control_answer *answer,
                           struct err *err)
{
    const struct job_allocate *asked = msg;
    int rc = check_start(asked->spec, answer, err);

    return rc < 0 ? rc : allocate(request, asked, err);
}

static int on_job_allocate(struct request *request, void *msg, struct err *err)
{
    const struct job_allocate *asked = msg;
    int rc = check_job_blobs(request, asked->body, err);

    if (rc == 0 && asked->step)
        rc = conn_need_blob(request->conn, &asked->step->environment_sha256, "environment", err);
    if (rc < 0)
        return rc;
    if (control_asks_first(request->ctld->control, request->act.caller, asked->spec))
        return request_ask(request, asked->spec, msg, finish_allocate, err);
    return allocate(request, asked, err);
}

static int on_step_run(struct request *request, void *msg, struct err *err)
{
    const struct step_run *run = msg;
    struct ctld *ctld = request->ctld;
    uint32_t step_id;
    int rc = conn_need_blob(request->conn, &run->step->environment_sha256, "environment", err);

    if (rc == 0)
        rc = control_step_run(&request->act, run, &step_id, err);
    if (rc < 0)
        return rc;
    conn_note_blob(request->conn, &run->step->environment_sha256, &ctld->turn);
    watch_add(request, run->job_id, step_id);
    return 0;
}

static int on_job_attach(struct request *request, void *msg, struct err *err)
{
    uint32_t job_id, step_id;
    int rc = control_attach(&request->act, msg, &job_id, &step_id, err);

    if (rc == 0)
        watch_add(request, job_id, step_id);
    return rc;
}

static int on_job_signal(struct request *request, void *msg, struct err *err)
{
    int rc = control_signal(&request->act, msg, err);

    if (rc == 0)
        request_reply(request, MSG_OK, NULL);
    return rc;
}

static int on_job_release(struct request *request, void *msg, struct err *err)
{
    int rc = control_release(&request->act, msg, err);

    if (rc == 0)
        request_reply(request, MSG_OK, NULL);
    return rc;
}

static int on_step_update(struct request *request, void *msg, struct err *err)
{
    int rc = control_step_update(&request->act, msg, err);

    if (rc == 0)
        request_reply(request, MSG_OK, NULL);
    return rc;
}

static int on_job_update(struct request *request, void *msg, struct err *err)
{
    AUTO(job_altered) struct job_altered altered;
    int rc;

    job_altered_init(&altered);
    rc = control_update(&request->act, msg, &altered, err);
    if (rc == 0)
        request_reply(request, MSG_JOB_ALTERED, &altered);
    return rc;
}

static int on_job_requeue(struct request *request, void *msg, struct err *err)
{
    AUTO(job_altered) struct job_altered altered;
    int rc;

    job_altered_init(&altered);
    rc = control_requeue(&request->act, msg, &altered, err);
    if (rc == 0)
        request_reply(request, MSG_JOB_ALTERED, &altered);
    return rc;
}

static int on_job_suspend(struct request *request, void *msg, struct err *err)
{
    AUTO(job_altered) struct job_altered altered;
    int rc;

    job_altered_init(&altered);
    rc = control_suspend(&request->act, msg, &altered, err);
    if (rc == 0)
        request_reply(request, MSG_JOB_ALTERED, &altered);
    return rc;
}

static int on_job_top(struct request *request, void *msg, struct err *err)
{
    AUTO(job_altered) struct job_altered altered;
    int rc;

    job_altered_init(&altered);
    rc = control_top(&request->act, msg, &altered, err);
    if (rc == 0)
        request_reply(request, MSG_JOB_ALTERED, &altered);
    return rc;
}

static int on_job_notify(struct request *request, void *msg, struct err *err)
{
    int rc = control_notify(&request->act, msg, err);

    if (rc == 0)
        request_reply(request, MSG_OK, NULL);
    return rc;
}

static int on_job_script(struct request *request, void *msg, struct err *err)
{
    const struct job_script *ask = msg;
    const struct job *job;
    const struct blob *sha256;
    int rc =
        control_may_read_script(request->act.control, request->act.caller, ask->job_id, &job, err);

    if (rc == -E_JOB_ID) {
        api_send_job_blob(request, request->ctld->store, ask);
        return 0;
    }
    if (rc < 0)
        return rc;
    sha256 = ask->environment ? &job->body->msg.environment_sha256 : &job->body->msg.script_sha256;
    if (sha256->n != SHA256_BYTES)
        return err_set(err, E_NO_SCRIPT, "%s: job %u has none", err_string(E_NO_SCRIPT),
                       job->rec.id);
    api_send_blob(request, sha256->data);
    return 0;
}

static int on_blob_put(struct request *request, void *msg, struct err *err)
{
    return conn_put_blob(request->conn, msg, err);
}

const struct handler job_handlers[] = {
    { MSG_JOB_SUBMIT, ROLE_USER, HANDLER_CHANGES, on_job_submit },
    { MSG_JOB_ALLOCATE, ROLE_USER, HANDLER_CHANGES, on_job_allocate },
    { MSG_STEP_RUN, ROLE_USER, HANDLER_CHANGES, on_step_run },
    { MSG_JOB_ATTACH, ROLE_USER, HANDLER_ACTS, on_job_attach },
    { MSG_JOB_SIGNAL, ROLE_USER, HANDLER_CHANGES, on_job_signal },
    { MSG_JOB_RELEASE, ROLE_USER, HANDLER_CHANGES, on_job_release },
    { MSG_JOB_UPDATE, ROLE_USER, HANDLER_CHANGES, on_job_update },
    { MSG_STEP_UPDATE, ROLE_USER, HANDLER_CHANGES, on_step_update },
    { MSG_JOB_REQUEUE, ROLE_USER, HANDLER_CHANGES, on_job_requeue },
    { MSG_JOB_SUSPEND, ROLE_USER, HANDLER_CHANGES, on_job_suspend },
    { MSG_JOB_TOP, ROLE_USER, HANDLER_CHANGES, on_job_top },
    { MSG_JOB_NOTIFY, ROLE_USER, HANDLER_CHANGES, on_job_notify },
    { MSG_JOB_SCRIPT, ROLE_USER, HANDLER_LOOKS, on_job_script },
    { MSG_BLOB_PUT, ROLE_USER, HANDLER_ACTS, on_blob_put },
};
const size_t job_handlers_n = ARRAY_N(job_handlers);
