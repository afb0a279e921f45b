#include "ctld/control/job/amend.h"

#include <errno.h>
#include <string.h>

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

/* Fails if a job is named twice: each time would be told in the history of changes. */
static int check_unique(const struct history_amend *request, struct err *err)
{
    for (uint32_t i = 0; i < request->job_ids_n; i++) {
        for (uint32_t k = 0; k < i; k++) {
            if (request->job_ids[i] == request->job_ids[k] && request->runs[i] == request->runs[k])
                return err_set(err, EINVAL, "job %u is named twice", request->job_ids[i]);
        }
    }
    return 0;
}

/* Fails if a remark is longer than one may be: all jobs of the request would have it. */
static int check_texts(const struct job_amendment *amendment, struct err *err)
{
    const char *const texts[] = { amendment->comment, amendment->admin_comment,
                                  amendment->system_comment, amendment->extra, amendment->wckey };

    for (size_t i = 0; i < ARRAY_N(texts); i++) {
        if (texts[i] && strlen(texts[i]) > AMENDMENT_TEXT_MAX)
            return err_set(err, E2BIG, "a remark of %zu bytes: %u is the most", strlen(texts[i]),
                           AMENDMENT_TEXT_MAX);
    }
    return 0;
}

static int check_shape(const struct history_amend *request, struct err *err)
{
    const struct job_amendment *amendment = request->amendment;
    int rc;

    if (request->job_ids_n != request->runs_n || request->job_ids_n > HISTORY_AMEND_MAX)
        return err_set(err, EINVAL, "%u jobs and %u runs of them: as many, up to %u",
                       request->job_ids_n, request->runs_n, HISTORY_AMEND_MAX);
    for (uint32_t i = 0; i < amendment->set_n; i++) {
        if (amendment->set[i] != AMENDMENT_TAG_ends &&
            (amendment->set[i] < AMENDMENT_TAG_comment ||
             amendment->set[i] > AMENDMENT_TAG_derived_status))
            return err_set(err, EINVAL, "member %u of a job is not amended", amendment->set[i]);
    }
    rc = check_texts(amendment, err);
    return rc == 0 ? check_unique(request, err) : rc;
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
                              const struct job_record *job, struct bitset *found, struct err *err)
{
    for (uint32_t i = 0; i < request->job_ids_n; i++) {
        if (request->job_ids[i] != job->id || request->runs[i] != job->launch_number)
            continue;
        if (job->uid != caller->uid)
            return err_set(err, E_ACCESS, "%s", err_string(E_ACCESS));
        bitset_add(found, i);
    }
    return 0;
}

static void drop(struct history_amend *request, uint32_t i)
{
    const size_t behind = request->job_ids_n - i - 1;

    memmove(&request->job_ids[i], &request->job_ids[i + 1], behind * sizeof(*request->job_ids));
    memmove(&request->runs[i], &request->runs[i + 1], behind * sizeof(*request->runs));
    request->job_ids_n--;
    request->runs_n--;
}

int control_amend_drop_unknown(const struct act *act, struct history_amend *request,
                               struct bitset *found, struct err *err)
{
    /* Those in memory are looked at here, for the history may have been told to leave them out. */
    for (uint32_t i = 0; i < request->job_ids_n; i++) {
        const struct job *job = model_find_job(act->control->model, request->job_ids[i]);

        if (job && control_amend_check_owner(act->caller, request, &job->rec, found, err) < 0)
            return -E_ACCESS;
    }
    for (uint32_t i = request->job_ids_n; i > 0; i--) {
        if (!bitset_has(found, i - 1))
            drop(request, i - 1);
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
