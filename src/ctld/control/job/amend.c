#include "ctld/control/job/amend.h"

#include <errno.h>

#include "ctld/control/acct/acct.h"
#include "ctld/control/act/event.h"
#include "ctld/control/act/state.h"
#include "ctld/control/act/turn.h"

/* ---- what may be changed, and by whom ---- */

/* Returns whether owners may set it, too; what nobody may is none of the tags. */
static bool is_owners(uint32_t tag)
{
    return tag == AMENDMENT_TAG_comment || tag == AMENDMENT_TAG_extra ||
           tag == AMENDMENT_TAG_derived_status;
}

static int check_shape(const struct history_amend *request, struct err *err)
{
    const struct job_amendment *amendment = request->amendment;

    if (request->job_ids_n != request->runs_n || request->job_ids_n > HISTORY_AMEND_MAX)
        return err_set(err, EINVAL, "%u jobs and %u runs of them: as many, up to %u",
                       request->job_ids_n, request->runs_n, HISTORY_AMEND_MAX);
    for (uint32_t i = 0; i < amendment->set_n; i++) {
        if (amendment->set[i] != AMENDMENT_TAG_ends &&
            (amendment->set[i] < AMENDMENT_TAG_comment ||
             amendment->set[i] > AMENDMENT_TAG_derived_status))
            return err_set(err, EINVAL, "member %u of a job is not amended", amendment->set[i]);
    }
    return 0;
}

int control_amend_check(struct act *act, const struct history_amend *request, bool *ret_asks_owner,
                        struct err *err)
{
    const struct job_amendment *amendment = request->amendment;
    int rc = check_shape(request, err);

    *ret_asks_owner = !caller_has_level(act->caller, LEVEL_OPERATOR);
    for (uint32_t i = 0; rc == 0 && *ret_asks_owner && i < amendment->set_n; i++) {
        if (!is_owners(amendment->set[i]))
            rc = err_set(err, E_ACCESS, "%s", err_string(E_ACCESS));
    }
    return rc;
}

int control_amend_check_owner(const struct caller *caller, const struct history_amend *request,
                              const struct job_record *job, struct err *err)
{
    for (uint32_t i = 0; i < request->job_ids_n; i++) {
        if (request->job_ids[i] == job->id && request->runs[i] == job->launch_number &&
            job->uid != caller->uid)
            return err_set(err, E_ACCESS, "%s", err_string(E_ACCESS));
    }
    return 0;
}

/* ---- doing it ---- */

void control_note_amended(struct act *act, const char *cluster, uint32_t job_id,
                          const struct job_amendment *amendment)
{
    const struct caller caller = { .uid = amendment->uid, .user_name = amendment->user };
    struct act by = *act;
    AUTO_FREE char *where = xasprintf("%s,id_job=%u", cluster, job_id);
    AUTO(strbuf) struct strbuf info = { 0 };

    by.caller = &caller;
    job_amendment_format(amendment, &info);
    event_note_acct(&by, "Modify Job", where, strbuf_text(&info));
}

void control_amend(struct act *act, struct history_amend *request)
{
    struct job_amendment *amendment = request->amendment;
    const struct model *model = act->control->model;

    xstrset(&amendment->user, act->caller->user_name);
    amendment->uid = act->caller->uid;
    for (uint32_t i = 0; i < request->job_ids_n; i++) {
        struct job *job = model_find_job(model, request->job_ids[i]);

        if (job && job_amendment_sets(amendment, AMENDMENT_TAG_ends))
            continue; /* it ends by itself */
        if (job && job->rec.launch_number == request->runs[i])
            job_amend(&job->rec, amendment);
        turn_note_amendment(act->turn, request->job_ids[i], request->runs[i], amendment);
        control_note_amended(act, model->config.cluster_name, request->job_ids[i], amendment);
    }
}
