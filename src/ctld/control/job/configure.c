/*
 * Between a job's start and its work: programs of the administrator that are to be over before. And
 * after its end, the one that keeps it COMPLETING.
 *
 * What is still to come is in the job's record: the flag that PrologSlurmctld runs, and how far the
 * Prolog is on each node. So job_go_on only looks, and may be called at any time.
 */
#include "ctld/control/job/configure.h"

#include "ctld/control/act/jobenv.h"
#include "ctld/control/act/state.h"
#include "ctld/control/act/turn.h"
#include "ctld/control/job/finish.h"
#include "ctld/control/job/hook.h"
#include "ctld/control/job/start.h"
#include "ctld/control/step/step.h"
/* True while a Prolog that runs at the allocation is not over. Other Prologs begin with the first
 * step on their node, which waits for them there. */
static bool prologs_run(const struct control *control, const struct job *job)
{
    for (uint32_t i = 0; control->model->config.prolog_alloc && i < job->rec.nodes_n; i++) {
        if (job->rec.nodes[i].prolog == JOB_PROLOG_ORDERED)
            return true;
    }
    return false;
}

static bool has_begun(const struct job *job, uint32_t step_id)
{
    const struct step *step = job_find_step(job, step_id);

    return step && step->rec.launch_number == job->rec.launch_number;
}

/* Begins the job's own steps, each of them once in a run of the job. */
static void begin_steps(struct act *act, struct job *job)
{
    const struct model_config *config = &act->control->model->config;

    if (config->prolog_contain && !has_begun(job, STEP_EXTERN))
        step_start_extern(act, job);
    if (job->rec.spec->kind != JOB_KIND_BATCH || has_begun(job, STEP_BATCH) ||
        (config->prolog_defer_batch && prologs_run(act->control, job)))
        return;
    step_start_batch(act, job);
}

void job_go_on(struct act *act, struct job *job)
{
    const struct model_config *config = &act->control->model->config;

    if (!(job->rec.flags & JOB_FLAG_CONFIGURING) || (job->rec.flags & JOB_FLAG_RUNS_PROLOG))
        return;
    hook_order_prologs(act, job);
    begin_steps(act, job);
    if (prologs_run(act->control, job) && (!config->prolog_no_hold || config->prolog_defer_batch))
        return;
    job->rec.flags &= ~(uint32_t)JOB_FLAG_CONFIGURING;
    turn_note_job(act->turn, &job->rec);
    job_tell_granted(act->control->model, job, act->turn);
    job_start_steps(act, job);
}

/* True if the job may have to wait for a Prolog. */
static bool takes_time(const struct control *control, const struct job *job)
{
    const struct model_config *config = &control->model->config;

    if (config->has_prolog)
        return true;
    for (uint32_t i = 0; config->prolog_alloc && i < job->rec.nodes_n; i++) {
        const struct node *node = model_node(control->model, job->nodes[i]);

        if (node && (node->hooks & NODE_HAS_PROLOG))
            return true;
    }
    return false;
}

/* Orders PrologSlurmctld or EpilogSlurmctld, which begins once the turn is on disk. */
static void run_program(struct act *act, const struct job *job, enum job_program kind)
{
    struct program_order *order = ARRAY_PUSH(act->turn->programs, act->turn->programs_n);

    *order = (struct program_order){ .kind = kind,
                                     .job_id = job->rec.id,
                                     .launch_number = job->rec.launch_number };
    jobenv_make_program(act->control->model, job, kind, &order->environment, &order->environment_n);
}

void job_configure(struct act *act, struct job *job)
{
    job->rec.flags |= JOB_FLAG_CONFIGURING;
    if (takes_time(act->control, job))
        job_tell_granted(act->control->model, job, act->turn);
    if (act->control->model->config.has_prolog) {
        job->rec.flags |= JOB_FLAG_RUNS_PROLOG;
        run_program(act, job, JOB_PROGRAM_PROLOG);
    }
    turn_note_job(act->turn, &job->rec);
    job_go_on(act, job);
}

/* ---- PrologSlurmctld and EpilogSlurmctld ---- */

void job_clean_up(struct act *act, struct job *job)
{
    job->rec.flags &= ~(uint32_t)JOB_FLAG_CONFIGURING;
    if (!act->control->model->config.has_epilog)
        return;
    job->rec.flags |= JOB_FLAG_RUNS_EPILOG;
    if (!(job->rec.flags & JOB_FLAG_RUNS_PROLOG)) /* else when that is over */
        run_program(act, job, JOB_PROGRAM_EPILOG);
}

void job_repeat_program(struct act *act, const struct job *job)
{
    if (job->rec.flags & JOB_FLAG_RUNS_PROLOG)
        run_program(act, job, JOB_PROGRAM_PROLOG);
    else if (job->rec.flags & JOB_FLAG_RUNS_EPILOG)
        run_program(act, job, JOB_PROGRAM_EPILOG);
}

/* Fails the job for its PrologSlurmctld. As in Slurm a batch job waits again, others are over. */
static void fail(struct act *act, struct job *job)
{
    const struct job_ending ending = {
        .state = JOB_FAILED,
        .reason = REASON_LAUNCH_FAILED,
        .reason_text = "PrologSlurmctld failed",
        .kill_wait_s = act->control->model->config.kill_wait_s,
        .ended_by = COUNT_UNSET,
    };

    job->rec.exit_status = STATUS_PROLOG_FAILED;
    if (job->rec.spec->kind == JOB_KIND_BATCH)
        job_requeue(act, job, &ending);
    else
        job_end(act, job, &ending);
}

static void prolog_over(struct act *act, struct job *job, int32_t code)
{
    job->rec.flags &= ~(uint32_t)JOB_FLAG_RUNS_PROLOG;
    turn_note_job(act->turn, &job->rec);
    if (job->rec.flags & JOB_FLAG_RUNS_EPILOG)
        run_program(act, job, JOB_PROGRAM_EPILOG);
    else if (job_state_is_active(job->rec.state) && code)
        fail(act, job);
    else if (job_state_is_active(job->rec.state))
        job_go_on(act, job);
}

void control_program_over(struct act *act, uint32_t job_id, uint32_t launch_number,
                          enum job_program kind, int32_t code)
{
    struct job *job = model_find_job(act->control->model, job_id);

    if (!job || job->rec.launch_number != launch_number)
        return;
    if (kind == JOB_PROGRAM_PROLOG && (job->rec.flags & JOB_FLAG_RUNS_PROLOG)) {
        prolog_over(act, job, code);
    } else if (kind == JOB_PROGRAM_EPILOG && (job->rec.flags & JOB_FLAG_RUNS_EPILOG)) {
        job->rec.flags &= ~(uint32_t)JOB_FLAG_RUNS_EPILOG;
        turn_note_job(act->turn, &job->rec);
        job_check_clean(act, job);
    }
}
