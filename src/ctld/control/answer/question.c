/*
 * Questions about jobs that are not there: sbatch --test-only, salloc --immediate. One after the
 * other is put to the planner, and where it says "not now" to the forecast; both find the answer in
 * slices.
 */
#include "ctld/control/answer/question.h"

#include <utlist.h>

#include "ctld/control/act/state.h"
#include "ctld/control/feed/feed.h"
#include "ctld/control/feed/rank.h"
#include "ctld/control/feed/snapshot.h"
#include "ctld/control/job/ids.h"
#include "ctld/control/job/submit.h"
#include "ctld/control/limit/judge.h"
#include "ctld/control/request/request.h"
#include "ctld/control/request/spec.h"

#define PLAN_ASK_ID 0 /* no job has it */

struct asked {
    struct asked *next;
    struct job_draft draft;
    struct planner *planner; /* that is asked now; NULL: none, or it is answered */
    bool is_answered;
    struct control_answer answer;
};

static struct asked *asked_free(struct asked *asked)
{
    job_draft_clear(&asked->draft);
    job_submitted_clear(&asked->answer.would);
    free(asked);
    return NULL;
}

/* Refuses --immediate of a job that is held, or waits for other jobs or for its time. */
static int check_immediate(const struct job_record *rec, struct moment now, struct err *err)
{
    if (!rec->spec->immediate)
        return 0;
    if (rec->spec->begin > now.wall_s)
        return err_set(err, E_DEPENDENCY, "%s", err_string(E_DEPENDENCY));
    if (rec->dependencies_n > 0)
        return err_set(err, E_DEPENDENCY, "%s: --immediate, and it waits for other jobs",
                       err_string(E_DEPENDENCY));
    if (rec->spec->hold)
        return err_set(err, E_NODES_BUSY, "%s", err_string(E_NODES_BUSY));
    return 0;
}

int control_ask(struct act *act, const struct job_spec *spec, uint64_t *ret_question,
                struct err *err)
{
    struct asked *asked = xcalloc(1, sizeof(*asked));
    struct job_draft *draft = &asked->draft;
    int rc;

    job_draft_init(draft);
    job_submitted_init(&asked->answer.would);
    rc = job_draft_make(act, spec, draft, err);
    if (rc == 0)
        rc = check_immediate(&draft->rec, act->now, err);
    if (rc >= 0 && draft->request.waits_for != REASON_NONE && draft->request.others_n == 0)
        rc = spec_err_wait(draft->request.waits_for, E_PARTITION_CONFIG, draft->rec.spec,
                           draft->part, err);
    if (rc < 0) {
        asked_free(asked);
        return rc;
    }
    draft->rec.id = PLAN_ASK_ID;
    asked->answer.question = ++act->control->asked_n;
    LL_APPEND(act->control->asked, asked);
    *ret_question = asked->answer.question;
    return 0;
}

static void drop(struct control *control, struct asked *asked)
{
    if (asked->planner)
        planner_forget_question(asked->planner);
    LL_DELETE(control->asked, asked);
    asked_free(asked);
}

void control_ask_no_more(struct control *control, uint64_t question)
{
    struct asked *asked;

    LL_SEARCH_SCALAR(control->asked, asked, answer.question, question);
    if (asked)
        drop(control, asked);
}

bool control_answer(struct control *control, struct control_answer *ret)
{
    struct asked *asked = control->asked;

    if (!asked || !asked->is_answered)
        return false;
    *ret = asked->answer;
    job_submitted_init(&asked->answer.would);
    drop(control, asked);
    return true;
}

/* ---- asking the planners ---- */

static struct asked *first_open(const struct control *control)
{
    struct asked *asked = control->asked;

    while (asked && asked->is_answered)
        asked = asked->next;
    return asked;
}

static void put_to(struct act *act, struct asked *asked, struct planner *planner)
{
    struct job_record *rec = &asked->draft.rec;
    const struct partition *part = model_find_partition(act->control->model, rec->partition);
    struct job_request *request = &asked->draft.request;
    struct plan_job plan;

    if (part)
        limit_read_request(act->control, rec, part->index, request);
    /* The partition may be gone by now, or let the job wait. */
    if (!part || (request->waits_for != REASON_NONE && request->others_n == 0)) {
        asked->is_answered = true;
        return;
    }
    asked->planner = planner;
    rec->priority = rank_of(act->control, act->now, rec, request);
    feed_fill_waiting(act->control, act->now, rec, request, part->index, &plan);
    planner_ask(planner, act->now.cluster_ms, &plan);
    feed_clear_plan_job(&plan);
}

void questions_pose(struct act *act)
{
    struct asked *asked = first_open(act->control);

    if (asked && !asked->planner)
        put_to(act, asked, act->control->planner);
}

bool questions_occupy(const struct control *control, const struct planner *planner)
{
    const struct asked *asked = first_open(control);

    return planner && asked && asked->planner == planner;
}

static void settle(const struct control *control, struct moment now, struct asked *asked,
                   const struct plan_decision *decision)
{
    struct job_submitted *would = &asked->answer.would;

    asked->is_answered = true;
    asked->answer.starts = decision->verdict == PLAN_START;
    would->job_id = job_next_id(control);
    would->ncpus = asked->draft.rec.ncpus;
    would->partition = xstrdup(asked->draft.rec.partition);
    if (decision->verdict == PLAN_START)
        would->planned_start = now.wall_s;
    else if (decision->verdict == PLAN_LATER && decision->at_ms != PLAN_NEVER)
        would->planned_start = moment_wall_of_ms(now, decision->at_ms);
    would->planned_nodes = feed_place_names(control->model, decision->places, decision->places_n);
}

/* True if the forecast is to be asked, too: the job may start now where a plan for all would let
 * others go first. */
static bool asks_forecast(const struct control *control, const struct asked *asked,
                          const struct plan_decision *decision)
{
    return control->forecast && asked->planner == control->planner &&
           decision->verdict != PLAN_START && !asked->draft.rec.spec->immediate;
}

/* Takes the answer to the first open question, if there is one. True: there are more questions. */
static bool take(struct act *act)
{
    struct asked *asked = first_open(act->control);
    struct plan_decision decision;
    struct planner *planner;

    if (!asked || !asked->planner || !planner_answer(asked->planner, &decision))
        return asked;
    planner = asked->planner;
    if (asks_forecast(act->control, asked, &decision)) {
        put_to(act, asked, act->control->forecast);
    } else {
        settle(act->control, act->now, asked, &decision);
        asked->planner = NULL;
    }
    planner_forget_question(planner);
    return first_open(act->control);
}

bool questions_go_on(struct act *act, uint32_t work)
{
    const struct plan_decision *none;
    uint32_t n;

    if (questions_occupy(act->control, act->control->forecast)) {
        act->control->forecast_stale = true; /* what made way has to come back */
        planner_step(act->control->forecast, act->now.cluster_ms, work, &none, &n);
    }
    return take(act);
}

bool questions_ponder(struct act *act, uint32_t work)
{
    const struct asked *asked;

    questions_pose(act);
    asked = first_open(act->control);
    if (asked && asked->planner)
        planner_ponder(asked->planner, act->now.cluster_ms, work);
    return take(act);
}

void questions_begin_anew(struct control *control)
{
    for (struct asked *asked = control->asked; asked; asked = asked->next)
        asked->planner = NULL;
}

void questions_free(struct control *control)
{
    struct asked *asked, *next;

    LL_FOREACH_SAFE(control->asked, asked, next)
    asked_free(asked);
}
