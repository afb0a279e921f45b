/* scontrol update StepId=: how long steps that are there may run. */
#include "ctld/control/step/update.h"

#include "ctld/control/act/timers.h"
#include "ctld/control/act/turn.h"
#include "ctld/control/job/alter.h"
#include "ctld/control/job/array.h"
#include "ctld/control/request/spec.h"
static void set_limit(struct act *act, struct step *step, const struct step_update *request)
{
    int64_t limit =
        request->time_limit != LIMIT_UNSET ? request->time_limit : step->rec.spec->time_limit;

    if (limit >= 0)
        limit += request->more_time_s;
    if (limit < 0 && request->more_time_s < 0 && step->rec.spec->time_limit >= 0)
        limit = 0; /* it is over now */
    step->rec.spec->time_limit = limit;
    turn_note_step(act->turn, &step->rec);
    control_wake_at(act->control, step_limit_ms(step));
}

int control_step_update(struct act *act, const struct step_update *request, struct err *err)
{
    struct named_job *named = NULL;
    uint32_t named_n = 0, found_n = 0;
    int rc = seconds_are_few(request->more_time_s) ? 0 : alter_refuse(E_TIME_LIMIT, err);

    if (rc == 0)
        rc = jobs_named(act->control, act->caller, request->job_id, request->tasks, &named,
                        &named_n, err);
    if (rc < 0)
        return rc;
    for (uint32_t i = 0; i < named_n; i++) {
        for (struct step *step = named[i].job->steps; step; step = step->next) {
            if (step->rec.state < STEP_ENDING && step->rec.spec &&
                (request->step_id == COUNT_UNSET || step->rec.step_id == request->step_id)) {
                set_limit(act, step, request);
                found_n++;
            }
        }
    }
    named_jobs_free(named, named_n);
    return found_n ? 0 : err_set(err, E_JOB_ID, "%s", err_string(E_JOB_ID));
}
