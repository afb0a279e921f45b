/* What followers of a job or a step are told. Nothing is made when nobody follows. */
#include "ctld/control/act/follow.h"

#include "common/text/words.h"
#include "ctld/control/act/owner.h"
#include "ctld/control/act/turn.h"

void job_set_reason(struct job *job, uint32_t reason, const char *text)
{
    job->rec.reason = reason;
    xstrset(&job->rec.reason_text, text);
}

void job_tell_event(struct job *job, struct job_event *event, bool last, struct turn *turn)
{
    struct job_event *msg;

    if (job->clients_n == 0)
        return;
    event->job = &job->rec;
    msg = xmalloc(sizeof(*msg));
    schema_copy(job_event_schema(), msg, event);
    event->job = NULL;
    turn_event(turn, job->rec.id, COUNT_UNSET, MSG_JOB_EVENT, msg, last);
    if (last)
        job->clients_n = 0;
}

void job_tell(struct job *job, uint32_t kind, const char *text, bool last, struct turn *turn)
{
    struct job_event event;

    job_event_init(&event);
    event.kind = kind;
    event.text = (char *)text;
    job_tell_event(job, &event, last, turn);
}

void job_tell_queued(struct job *job, struct turn *turn)
{
    if (job->told_queued)
        return;
    job->told_queued = job->clients_n > 0;
    job_tell(job, JOB_EVENT_QUEUED, NULL, false, turn);
}

uint32_t step_stream(const struct step *step)
{
    const bool is_the_job = step->job->rec.spec->kind == JOB_KIND_RUN && step->rec.step_id == 0;

    return is_the_job ? COUNT_UNSET : step->rec.step_id;
}

static bool has_follower(const struct step *step)
{
    return step_stream(step) == COUNT_UNSET ? step->job->clients_n : step->clients_n;
}

static struct step_record *copy_step(const struct step_record *from)
{
    struct step_record shallow = *from;
    struct step_record *copy = xmalloc(sizeof(*copy));

    shallow.spec = NULL;
    schema_copy(step_record_schema(), copy, &shallow);
    return copy;
}

/* Tells followers of the step. The job's own stream goes on after its step. */
void step_tell(struct step *step, struct step_event *event, bool last, struct turn *turn)
{
    const uint32_t stream = step_stream(step);
    struct step_event *msg;

    if (!has_follower(step))
        return;
    event->step = copy_step(&step->rec);
    msg = xmalloc(sizeof(*msg));
    schema_copy(step_event_schema(), msg, event);
    step_record_clear(event->step);
    free(event->step);
    event->step = NULL;
    turn_event(turn, step->rec.job_id, stream, MSG_STEP_EVENT, msg, last && stream != COUNT_UNSET);
    if (last)
        step->clients_n = 0;
}

/* Tells the node of the script what to write, line by line, to the script's stderr. */
static void tell_script(const struct job *job, const char *text, struct turn *turn)
{
    AUTO(words) struct words lines = words_split(text, "\n");

    for (uint32_t i = 0; i < lines.n; i++) {
        struct order_say *order = xmalloc(sizeof(*order));

        order_say_init(order);
        order->job_id = job->rec.id;
        order->text = xstrdup(lines.at[i]);
        turn_order(turn, job->rec.nodes[0].name, MSG_ORDER_SAY, order);
    }
}

int control_notify(struct act *act, const struct job_notify *request, struct err *err)
{
    struct job *job = NULL;
    int rc = job_of_caller(act->control, act->caller, request->job_id, &job, err);

    if (rc < 0)
        return say_user_id(rc, err);
    if (!job_state_is_active(job->rec.state))
        return err_set(err, E_DISABLED, "%s: job %u does not run", err_string(E_DISABLED),
                       job->rec.id);
    if (job->rec.spec->kind == JOB_KIND_BATCH && job->rec.nodes_n) {
        tell_script(job, request->text, act->turn);
        return 0;
    }
    if (job->clients_n == 0)
        return err_set(err, E_NOT_SUPPORTED, "%s: no salloc or srun has job %u",
                       err_string(E_NOT_SUPPORTED), job->rec.id);
    job_tell(job, JOB_EVENT_WARNING, request->text, false, act->turn);
    return 0;
}
