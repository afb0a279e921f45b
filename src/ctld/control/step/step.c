/* The life of a step up to its start; end.c has the rest. */
#include "ctld/control/step/step.h"

#include <errno.h>
#include <string.h>

#include "ctld/control/act/follow.h"
#include "ctld/control/act/owner.h"
#include "ctld/control/act/state.h"
#include "ctld/control/act/timers.h"
#include "ctld/control/act/turn.h"
#include "ctld/control/step/bind.h"
#include "ctld/control/step/end.h"
#include "ctld/control/step/fit.h"
#include "ctld/control/step/launch.h"
#include "ctld/control/step/place.h"
#include "ctld/control/step/use.h"
#include "ctld/control/step/want.h"

#define STEPS_MAX 40000 /* of one job; Slurm's MaxStepCount */

/* Begins the step. The orders go out with the turn that notes it. */
static void begin_step(struct act *act, struct step *step)
{
    struct step_event event;
    AUTO_FREE char *bind = NULL;

    step->rec.state = STEP_STARTING;
    step->rec.start_time = act->now.wall_s;
    step->rec.start_cluster_ms = act->now.cluster_ms;
    step->rec.launch_number = step->job->rec.launch_number;
    control_wake_at(act->control, step_limit_ms(step));
    launch_orders(act, step);
    step_event_init(&event);
    event.kind = STEP_EVENT_CREATED;
    event.cpu_bind = bind = step->rec.spec ? bind_decide(act->control->model, step) : NULL;
    step_tell(step, &event, false, act->turn);
}

/* Begins the step if it fits now, and adds what it takes to `uses`. */
static bool try_step(struct act *act, struct step *step, struct step_use *uses)
{
    const struct job *job = step->job;
    AUTO(step_want)
    struct step_want want = step_want_of(act->control, job, step->rec.spec, &step->request);
    AUTO_FREE uint32_t *tasks = xcalloc(job->rec.nodes_n, sizeof(*tasks));

    if (!step_fits(job, &want, uses, tasks))
        return false;
    step_place(act->control, step, &want, uses, tasks);
    begin_step(act, step);
    step_uses_add(uses, job, step);
    return true;
}

/* True if the step can no longer come to run. It was checked when it was accepted; but the step of
 * an srun's own job came before its nodes were known, and a job may have lost nodes since. */
static bool is_hopeless(const struct control *control, const struct step *step, struct err *err)
{
    const struct job *job = step->job;
    AUTO(step_want)
    struct step_want want = step_want_of(control, job, step->rec.spec, &step->request);
    bool changed = step_stream(step) == COUNT_UNSET || job->rec.resize_time;

    if (step->request.unreadable)
        return err_set(err, EINVAL, "%s", step->request.unreadable) < 0;
    for (uint32_t i = 0; i < job->rec.nodes_n; i++)
        changed |= job->rec.nodes[i].clean;
    return changed && step_want_check(job, &want, err) < 0;
}

void job_start_steps(struct act *act, struct job *job)
{
    const uint32_t nodes_n = job->rec.nodes_n;
    struct step_use *uses;

    if (job->rec.flags & JOB_FLAG_CONFIGURING)
        return;
    uses = step_uses_new(act->control->model, job);
    for (struct step *step = job->live; step && job->rec.state == JOB_RUNNING;
         step = step->live_next) {
        struct err err = { 0 };
        const struct step_ending hopeless = { .state = JOB_FAILED,
                                              .ended_by = COUNT_UNSET,
                                              .why = err.text };

        if (step->rec.state != STEP_PENDING ||
            (!step->request.unreadable && try_step(act, step, uses)))
            continue;
        if (is_hopeless(act->control, step, &err))
            step_stop(act, step, &hopeless);
    }
    step_uses_free(uses, nodes_n);
}

static void fill_record(const struct job *job, uint32_t step_id, struct step_record *rec)
{
    step_record_init(rec);
    rec->job_id = job->rec.id;
    rec->step_id = step_id;
    rec->array_job_id = job->rec.array_job_id;
    rec->array_task = job->rec.array_task;
    rec->unrecorded = job->rec.unrecorded;
    rec->uid = job->rec.uid;
    rec->partition = job->rec.partition;
    rec->launch_number = job->rec.launch_number;
}

static uint32_t next_number(struct job *job, const struct step_spec *spec)
{
    return spec->service ? STEP_SERVICE_MIN + job->rec.services++ : job->rec.next_step++;
}

void spec_add_address(struct step_spec *spec, const struct caller *caller)
{
    const char *first = spec->io_addresses_n ? spec->io_addresses[0] : NULL;
    const char *colon = first ? strrchr(first, ':') : NULL;
    char *seen;

    if (!colon)
        return;
    if (caller->host && strchr(caller->host, ':'))
        seen = xasprintf("[%s]%s", caller->host, colon);
    else
        seen = xasprintf("%s%s", caller->host ? caller->host : "@controller", colon);
    if (strcmp(seen, first) == 0) {
        free(seen);
        return;
    }
    (void)*ARRAY_PUSH(spec->io_addresses, spec->io_addresses_n);
    memmove(&spec->io_addresses[1], &spec->io_addresses[0],
            (spec->io_addresses_n - 1) * sizeof(*spec->io_addresses));
    spec->io_addresses[0] = seen;
}

struct step *step_new(struct control *control, struct job *job, const struct step_spec *spec,
                      struct step_request *request)
{
    struct step_record rec;
    struct step *step;

    fill_record(job, next_number(job, spec), &rec);
    rec.spec = (struct step_spec *)spec;
    rec.name = spec->name;
    if (!rec.name)
        rec.name = spec->argv_n ? spec->argv[0] : NULL;
    step = model_add_step(control->model, job, &rec);
    step->request = *request;
    *request = (struct step_request){ 0 };
    return step;
}

/* Returns a step that the job has once in each of its runs, as it was before it first started. */
static struct step *renew_step(struct control *control, struct job *job, uint32_t step_id,
                               const char *name)
{
    struct step *step = job_find_step(job, step_id);
    struct step_record rec;

    fill_record(job, step_id, &rec);
    rec.name = (char *)(uintptr_t)name;
    if (!step)
        step = model_add_step(control->model, job, &rec);
    step_record_clear(&step->rec);
    schema_copy(step_record_schema(), &step->rec, &rec);
    step->rec.cpus_per_task = 1;
    job_revive_step(step);
    return step;
}

/* Adds one task that has all that the job has on a node. */
static void add_whole_place(const struct control *control, struct step *step, uint32_t position)
{
    const struct job *job = step->job;
    const struct job_node *place = &job->rec.nodes[position];
    const struct node *node = model_node(control->model, job->nodes[position]);
    struct step_node *part = ARRAY_PUSH(step->rec.nodes, step->rec.nodes_n);

    step_node_init(part);
    part->name = xstrdup(place->name);
    part->state = STEP_STARTING;
    part->boot_id = xstrdup(node->rec.boot_id);
    part->memory = place->memory;
    part->cpus = xmemdup(place->cpus, place->cpus_n * sizeof(*place->cpus));
    part->cpus_n = place->cpus_n;
    for (uint32_t i = 0; i < place->gres_n; i++)
        schema_copy(job_gres_schema(), ARRAY_PUSH(part->gres, part->gres_n), &place->gres[i]);
    *ARRAY_PUSH(part->tasks, part->tasks_n) = step->rec.ntasks++;
    step->rec.ncpus += place->cpus_n;
}

void step_start_batch(struct act *act, struct job *job)
{
    struct step *step = renew_step(act->control, job, STEP_BATCH, "batch");

    add_whole_place(act->control, step, 0);
    step->rec.node_list = xstrdup(job->rec.nodes[0].name);
    begin_step(act, step);
}

void step_start_extern(struct act *act, struct job *job)
{
    struct step *step = renew_step(act->control, job, STEP_EXTERN, "extern");

    for (uint32_t i = 0; i < job->rec.nodes_n; i++)
        add_whole_place(act->control, step, i);
    step->rec.node_list = xstrdup(job->rec.node_list);
    begin_step(act, step);
}

/* Returns what a waiting step waits for, "step 0 holds 2 cpus on worker-1", to be freed. */
static char *holders_of(const struct job *job)
{
    AUTO(strbuf) struct strbuf text = { 0 };
    uint32_t n = 0;

    if (job->rec.flags & JOB_FLAG_CONFIGURING)
        return xasprintf("waiting for the Prolog of job %u", job->rec.id);
    strbuf_addf(&text, "waiting for cpus of job %u", job->rec.id);
    for (const struct step *step = job->live; step && n < 8; step = step->live_next) {
        if (step_takes_cpus(step))
            strbuf_addf(&text, "%s step %u holds %u cpu%s on %s", n++ ? "," : ":",
                        step->rec.step_id, step->rec.ncpus, step->rec.ncpus == 1 ? "" : "s",
                        step->rec.node_list);
    }
    return strbuf_steal(&text);
}

static void tell_waiting(struct step *step, struct turn *turn)
{
    AUTO_FREE char *text = holders_of(step->job);
    struct step_event event;

    step_event_init(&event);
    event.kind = STEP_EVENT_WAITING;
    event.text = text;
    step_tell(step, &event, false, turn);
}

static int check_job(const struct job *job, struct err *err)
{
    if (job_state_is_over(job->rec.state))
        return err_set(err, E_ALREADY_DONE, "Job/step already completing or completed");
    if (job->rec.state == JOB_SUSPENDED)
        return err_set(err, E_JOB_SUSPENDED, "%s", err_string(E_JOB_SUSPENDED));
    if (job->rec.state != JOB_RUNNING)
        return err_set(err, E_JOB_PENDING, "Job is pending execution");
    if (job->rec.next_step >= STEPS_MAX || job->rec.services >= STEPS_MAX)
        return err_set(err, EDQUOT, "job %u has had %u steps, more are not allowed", job->rec.id,
                       STEPS_MAX);
    return 0;
}

/* Checks that the step could run, and with --immediate that it can now. */
static int check_step(const struct control *control, const struct job *job,
                      const struct step_spec *spec, const struct step_request *request,
                      struct err *err)
{
    AUTO(step_want) struct step_want want = step_want_of(control, job, spec, request);
    AUTO_FREE uint32_t *tasks = xcalloc(job->rec.nodes_n, sizeof(*tasks));
    AUTO_FREE char *holders = holders_of(job);
    struct step_use *uses;
    int rc = step_want_check(job, &want, err);

    if (rc < 0 || !spec->immediate)
        return rc;
    uses = step_uses_new(control->model, job);
    if (!step_fits(job, &want, uses, tasks))
        rc = err_set(err, E_NODES_BUSY, "Requested nodes are busy: %s", holders);
    step_uses_free(uses, job->rec.nodes_n);
    return rc;
}

static void add_step(struct act *act, struct job *job, const struct step_spec *asked,
                     struct step_request *request, uint32_t *ret_step_id)
{
    AUTO(step_spec) struct step_spec spec;
    struct step_use *uses = step_uses_new(act->control->model, job);
    struct step *step;

    schema_copy(step_spec_schema(), &spec, asked);
    spec_add_address(&spec, act->caller);
    step = step_new(act->control, job, &spec, request);
    step->clients_n = 1;
    *ret_step_id = step->rec.step_id;
    turn_note_step(act->turn, &step->rec);
    turn_note_job(act->turn, &job->rec);
    if ((job->rec.flags & JOB_FLAG_CONFIGURING) || !try_step(act, step, uses))
        tell_waiting(step, act->turn);
    step_uses_free(uses, job->rec.nodes_n);
}

int control_step_run(struct act *act, const struct step_run *request, uint32_t *ret_step_id,
                     struct err *err)
{
    AUTO(step_request) struct step_request wanted = { 0 };
    struct job *job = NULL;
    struct step *step;
    int rc = job_of_caller(act->control, act->caller, request->job_id, &job, err);

    if (rc < 0)
        return rc;
    step = model_find_step_token(act->control->model, job->rec.id, request->step->token);
    if (step) {
        *ret_step_id = step->rec.step_id;
        return step_attach(step, act->turn);
    }
    rc = check_job(job, err);
    if (rc == 0)
        rc = step_request_read(act->control->model, request->step, &wanted, err);
    if (rc == 0)
        rc = check_step(act->control, job, request->step, &wanted, err);
    if (rc == 0)
        add_step(act, job, request->step, &wanted, ret_step_id);
    return rc;
}
