#include "ctld/control/job/hook.h"

#include "common/base/plain.h"
#include "common/text/words.h"
#include "ctld/control/act/event.h"
#include "ctld/control/act/follow.h"
#include "ctld/control/act/jobenv.h"
#include "ctld/control/act/per_node.h"
#include "ctld/control/act/state.h"
#include "ctld/control/act/turn.h"
#include "ctld/control/job/alter.h"
#include "ctld/control/job/configure.h"
#include "ctld/control/job/finish.h"
#include "ctld/control/node/update.h"

#define DETAIL_MAX 2048 /* bytes of what a node says about a failed program */

/* ---- orders ---- */

static bool has(const struct control *control, const struct job_node *place, uint32_t hook)
{
    const struct node *node = model_find_node(control->model, place->name);

    return node && (node->hooks & hook);
}

static struct blob make_cred(const struct control *control, const struct job *job,
                             const struct job_node *place, uint32_t launch_number, uint32_t type)
{
    const struct model_config *config = &control->model->config;
    AUTO(hook_cred) struct hook_cred cred;
    AUTO(strbuf) struct strbuf bytes = { 0 };

    hook_cred_init(&cred);
    cred.label = xstrdup(HOOK_CRED_LABEL);
    cred.cluster = xstrdup(config->cluster_name);
    cred.incarnation = control->incarnation;
    cred.node = xstrdup(place->name);
    cred.boot_id = xstrdup(model_find_node(control->model, place->name)->rec.boot_id);
    cred.job_id = job->rec.id;
    cred.launch_number = launch_number;
    cred.kind = type == MSG_ORDER_PROLOG ? HOOK_PROLOG : HOOK_EPILOG;
    jobenv_make_hook(control->model, job, place,
                     type == MSG_ORDER_PROLOG ? JOB_PROGRAM_PROLOG : JOB_PROGRAM_EPILOG,
                     &cred.environment, &cred.environment_n);
    schema_encode(hook_cred_schema(), &cred, &bytes);
    return (struct blob){ xmemdup(bytes.data, bytes.len), (uint32_t)bytes.len };
}

static void order(struct act *act, const struct job *job, const struct job_node *place,
                  uint32_t launch_number, uint32_t type)
{
    struct order_hook *msg = xmalloc(sizeof(*msg));

    order_hook_init(msg);
    msg->cred = make_cred(act->control, job, place, launch_number, type);
    turn_order(act->turn, place->name, type, msg);
}

void hook_order_prolog(struct act *act, struct job *job, uint32_t position)
{
    struct job_node *place = &job->rec.nodes[position];

    if (place->prolog != JOB_PROLOG_NONE || !has(act->control, place, NODE_HAS_PROLOG))
        return;
    place->prolog = JOB_PROLOG_ORDERED;
    order(act, job, place, job->rec.launch_number, MSG_ORDER_PROLOG);
    turn_note_job(act->turn, &job->rec);
}

void hook_order_prologs(struct act *act, struct job *job)
{
    for (uint32_t i = 0; act->control->model->config.prolog_alloc && i < job->rec.nodes_n; i++)
        hook_order_prolog(act, job, i);
}

void hook_repeat_prolog(struct act *act, struct job *job, uint32_t position)
{
    if (job->rec.nodes[position].prolog == JOB_PROLOG_ORDERED)
        order(act, job, &job->rec.nodes[position], job->rec.launch_number, MSG_ORDER_PROLOG);
}

void hook_order_epilog(struct act *act, const struct job *job, const struct job_node *place,
                       uint32_t launch_number)
{
    if (has(act->control, place, NODE_HAS_EPILOG))
        order(act, job, place, launch_number, MSG_ORDER_EPILOG);
}

void hook_forget(struct act *act, const struct job *job, const struct job_node *place)
{
    struct order_forget *msg;

    if (!has(act->control, place, NODE_HAS_PROLOG | NODE_HAS_EPILOG))
        return;
    msg = xmalloc(sizeof(*msg));
    order_forget_init(msg);
    msg->job_id = job->rec.id;
    msg->launch_number = job->rec.launch_number;
    turn_order(act->turn, place->name, MSG_HOOK_FORGET, msg);
}

/* ---- what nodes say ---- */

static bool is_requeued(const struct control *control, const struct job *job)
{
    return job_may_requeue(control, job) ||
           (control->model->config.prolog_force_requeue && job->rec.spec->kind == JOB_KIND_BATCH);
}

/* Returns "/etc/slurm/prolog ended with status 3: no scratch", to be freed. It is cut and escaped,
 * for a node that was taken over may send any text. */
static char *detail_of(const struct hook_report *report)
{
    struct strbuf out = { 0 };

    strbuf_adds(&out, report->text ? report->text : err_string(report->code));
    if (report->said)
        strbuf_addf(&out, ": %s", report->said);
    if (out.len > DETAIL_MAX)
        strbuf_truncate(&out, DETAIL_MAX);
    plain_escape(&out, 0);
    return strbuf_steal(&out);
}

/* Drains the node. The reason is Slurm's, which programs look for; where root did not run the file
 * at all, as Slurm would have, what is wrong with it stands behind. */
static void drain(struct act *act, struct node *node, const struct hook_report *report)
{
    const bool is_refused = report->text && (report->code == EPERM || report->code == EACCES);
    AUTO_FREE char *reason =
        xasprintf("%s error%s%s", report->kind == HOOK_PROLOG ? "Prolog" : "Epilog",
                  is_refused ? ": " : "", is_refused ? report->text : "");

    node_drain_for(act, node, reason);
    if (text_is(node->rec.reason, reason)) {
        free(node->rec.reason_detail);
        node->rec.reason_detail = detail_of(report);
        node_note(act, node);
    }
}

/* Fails the job. As in Slurm a batch job waits again, held, for somebody to look at it; others are
 * over. */
static void fail_job(struct act *act, struct job *job, const char *why)
{
    struct job_ending ending = {
        .state = job->rec.spec->kind == JOB_KIND_BATCH ? JOB_FAILED : JOB_CANCELLED,
        .reason = REASON_LAUNCH_FAILED,
        .reason_text = why,
        .kill_wait_s = act->control->model->config.kill_wait_s,
        .ended_by = COUNT_UNSET,
    };

    job->rec.exit_status = STATUS_PROLOG_FAILED;
    if (!is_requeued(act->control, job)) {
        job_end(act, job, &ending);
        return;
    }
    if (!act->control->model->config.sched.nohold_on_prolog_fail)
        job_hold_unlaunched(job);
    job_requeue(act, job, &ending);
}

static void take_prolog(struct act *act, struct job *job, struct job_node *place,
                        const struct hook_report *report)
{
    AUTO_FREE char *why = NULL;

    if (place->prolog == JOB_PROLOG_DONE || place->prolog == JOB_PROLOG_FAILED)
        return;
    place->prolog = report->code ? JOB_PROLOG_FAILED : JOB_PROLOG_DONE;
    turn_note_job(act->turn, &job->rec);
    if (!report->code) {
        if (job_state_is_active(job->rec.state))
            job_go_on(act, job);
        return;
    }
    why = xasprintf("Prolog failed on %s: %s", place->name, report->text);
    drain(act, model_find_node(act->control->model, place->name), report);
    if (!job_state_is_active(job->rec.state) || job_position(job, place->name) < 0)
        return;
    if (act->control->model->config.prolog_alloc) {
        AUTO_FREE char *text = xasprintf("Prolog failure on node %s", place->name);

        /* The client waits for all Prologs, and else only hears of a revoked allocation. */
        job_tell(job, JOB_EVENT_WARNING, text, false, act->turn);
    }
    fail_job(act, job, why);
}

void control_hook_report(struct act *act, const char *name, const struct hook_report *report)
{
    struct node *node = model_find_node(act->control->model, name);
    struct job *job = model_find_job(act->control->model, report->job_id);
    struct job_node *place = job ? job_find_place(job, name) : NULL;

    if (!node)
        return;
    if (report->kind == HOOK_UNKILLABLE)
        node_drain_for(act, node, "Kill task failed");
    if (!place || place->clean || report->launch_number != job->rec.launch_number)
        return;
    if (report->kind == HOOK_PROLOG)
        take_prolog(act, job, place, report);
    else if (report->kind == HOOK_EPILOG && report->code)
        drain(act, node, report);
}
