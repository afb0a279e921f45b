#include "ctld/control/act/owner.h"

#include "ctld/control/act/state.h"
int job_of_caller(const struct control *control, const struct caller *caller, uint32_t job_id,
                  struct job **ret_job, struct err *err)
{
    struct job *job = model_find_job(control->model, job_id);

    if (!job)
        return err_set(err, E_JOB_ID, "%s", err_string(E_JOB_ID));
    if (job->rec.uid != caller->uid && !caller_has_level(caller, LEVEL_ROOT))
        return err_set(err, E_ACCESS, "%s", err_string(E_ACCESS));
    *ret_job = job;
    return 0;
}

int say_user_id(int rc, struct err *err)
{
    return rc == -E_ACCESS ? err_set(err, E_USER_ID, "%s", err_string(E_USER_ID)) : rc;
}
