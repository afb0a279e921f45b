/* From what the store kept, or from another configuration, to a controller that goes on. */
#include "ctld/control/load.h"

#include <string.h>

#include "ctld/control/acct/acct.h"
#include "ctld/control/acct/licenses.h"
#include "ctld/control/acct/usage.h"
#include "ctld/control/act/event.h"
#include "ctld/control/act/kept.h"
#include "ctld/control/act/state.h"
#include "ctld/control/act/turn.h"
#include "ctld/control/answer/attach.h"
#include "ctld/control/feed/explain.h"
#include "ctld/control/feed/rank.h"
#include "ctld/control/acct/carry.h"
#include "ctld/control/job/configure.h"
#include "ctld/control/job/depend.h"
#include "ctld/control/job/finish.h"
#include "ctld/control/limit/several.h"
#include "ctld/control/limit/standing.h"
#include "ctld/control/node/hardware.h"
#include "ctld/control/node/outage.h"
#include "ctld/control/node/trigger.h"
#include "ctld/control/request/body.h"
#include "ctld/control/request/request.h"
#include "ctld/control/request/spec.h"
#include "ctld/control/resv/resv.h"
#include "ctld/control/step/want.h"

void control_load_number(struct control *control, const char *name, int64_t number)
{
    if (strcmp(name, CONTROL_NUMBER_NEXT_JOB) == 0 && number > control->model->next_job_id)
        control->model->next_job_id = (uint32_t)number;
    if (strcmp(name, CONTROL_NUMBER_ID_ROUND) == 0 && number > 0)
        control->model->id_round = (uint32_t)number;
    if (strcmp(name, CONTROL_NUMBER_FIRST_ROUND) == 0 && number > 0)
        control->model->first_round = (uint32_t)number;
    if (strcmp(name, CONTROL_NUMBER_NEXT_PRIORITY) == 0 && number > 0)
        control->next_priority = (uint64_t)number;
    if (strcmp(name, CONTROL_NUMBER_RECONFIGURED) == 0 && number > 0)
        control->reconfigured_ms = number;
    if (strcmp(name, CONTROL_NUMBER_INCARNATION) == 0 && number > 0)
        control->incarnation = (uint64_t)number;
    if (strcmp(name, CONTROL_NUMBER_ACCT_OWNER) == 0)
        control->acct_owner = (uint64_t)number;
    carry_load_number(control, name, number);
    usage_load_number(control, name, number);
    control_kept_load_number(control, name, number);
}

void control_load_pools(struct control *control, const struct feed_beside *beside)
{
    control->beside = beside;
    control->planner_stale = true;
}

/* Loads a node's record. A node that left the configuration leaves the state with it; of an event
 * that goes on the end is told. */
void control_load_node(struct control *control, const struct node_record *rec)
{
    struct node *node = model_find_node(control->model, rec->name);
    struct node_record copy;

    if (!node) {
        outage_load_left(control, rec);
        return;
    }
    schema_copy(node_record_schema(), &copy, rec);
    /* The name is the key of a hash, so it stays where it is. */
    free(copy.name);
    copy.name = STEAL(node->rec.name);
    node_record_clear(&node->rec);
    node->rec = copy;
}

void control_load_job(struct control *control, struct job_record *rec, const struct job_body *msg)
{
    struct body *body = body_load(control->model, &rec->body_sha256, msg);

    model_take_job(control->model, rec, body);
    body_unref(control->model, body);
}

void control_load_step(struct control *control, const struct step_record *rec)
{
    struct job *job = model_find_job(control->model, rec->job_id);

    if (job)
        model_add_step(control->model, job, rec);
}

/* Takes from a job the nodes that a new configuration does not have any more. */
static void lose_unknown_nodes(struct act *act, struct job *job)
{
    for (uint32_t i = 0; i < job->rec.nodes_n; i++) {
        if (job->nodes[i] == NODE_NONE && !job->rec.nodes[i].clean)
            job_node_failed(act, job, i, "no longer configured");
    }
    for (uint32_t i = job->rec.leaving_n; i > 0; i--) {
        const char *name = job->rec.leaving[i - 1].name;

        if (!model_find_node(act->control->model, name))
            job_leaving_clean(act, job, name, "no longer configured");
    }
}

/* Settles everything that the model derives, and every timer. */
static void settle(struct act *act)
{
    act->control->planner_stale = true;
    act->control->resv_look_ms = 0; /* partitions may have other nodes */
    act->control->next_ms = act->now.cluster_ms;
    for (struct job *job = act->control->model->jobs; job; job = job->hh.next) {
        job_read_request(act->control->model, job);
        job_read_step_requests(act->control->model, job);
    }
    licenses_renew(act->control);
    limit_refresh(act->control);
    usage_settle(act);
    rank_settle(act);
    depend_settle(act->control);
    for (struct job *job = act->control->model->jobs; job; job = job->hh.next) {
        model_hold_nodes(act->control->model, job);
        limit_fill_time(act->control, &job->rec, &job->request, job->partition);
        if (job->rec.state == JOB_PENDING && !(job->rec.flags & JOB_FLAG_COMPLETING))
            job_set_first_reason(act->control, act->now, job);
    }
    for (struct job *job = act->control->model->jobs, *next; job; job = next) {
        next = job->hh.next;
        lose_unknown_nodes(act, job);
    }
}

/* How many milliseconds a start waits for nodes that were there before it. */
#define RECONNECT_MS 3000

void control_ready(struct act *act)
{
    act->control->incarnation++;
    turn_note_number(act->turn, CONTROL_NUMBER_INCARNATION, (int64_t)act->control->incarnation);
    act->control->diag.since = act->now.wall_s;
    if (act->control->model->config.cluster_name) /* a slurmdbd has none */
        event_note(act, EVENT_CONTROLLER_STARTED, NULL);
    for (uint32_t i = 0; i < act->control->model->nodes_n; i++) {
        act->control->model->nodes[i].seen_ms = act->now.cluster_ms;
        event_see_node(&act->control->model->nodes[i]);
    }
    triggers_restarted(act);
    acct_begin(act);
    act->control->hold_ms = act->now.cluster_ms + RECONNECT_MS;
    settle(act);
    outage_leave_left(act);
    outage_look_at_all(act);
    for (struct job *job = act->control->model->jobs; job; job = job->hh.next) {
        attach_await_clients(act, job);
        job_repeat_program(act, job);
    }
}

/* Copies what lives beside a node's record, and needs no name of the model's. */
static void share_presence(struct node *to, const struct node *from)
{
    to->online = from->online;
    to->hooks = from->hooks;
    to->seen_ms = from->seen_ms;
    to->load_percent = from->load_percent;
    to->free_memory_mb = from->free_memory_mb;
}

void control_settle_to_show(struct act *act, const struct control *live)
{
    struct model *model = act->control->model;

    for (uint32_t i = 0; i < model->nodes_n; i++) {
        struct node *node = &model->nodes[i];
        const struct node *known = model_find_node(live->model, node->rec.name);

        if (known) {
            share_presence(node, known);
            xstrset(&node->address, known->address);
        }
        if (node->rec.hardware)
            (void)node_check_hardware(model, node, act->now);
    }
    for (struct job *job = model->jobs; job; job = job->hh.next) {
        job_read_request(model, job);
        model_hold_nodes(model, job);
    }
    licenses_renew(act->control);
    limit_refresh(act->control);
    for (struct job *job = model->jobs; job; job = job->hh.next)
        limit_fill_time(act->control, &job->rec, &job->request, job->partition);
    rank_settle(act);
}

/* Moves a node's record and what lives beside it. */
static void move_node(struct node *to, struct node *from)
{
    char *name = STEAL(to->rec.name);

    node_record_clear(&to->rec);
    schema_copy(node_record_schema(), &to->rec, &from->rec);
    free(to->rec.name);
    to->rec.name = name;
    share_presence(to, from);
    to->address = STEAL(from->address);
    to->noted = STEAL(from->noted);
}

static void move_nodes(struct model *to, struct model *from, struct moment now)
{
    for (uint32_t i = 0; i < to->nodes_n; i++) {
        struct node *old = model_find_node(from, to->nodes[i].rec.name);

        if (old)
            move_node(&to->nodes[i], old);
        else
            to->nodes[i].seen_ms = now.cluster_ms;
        if (to->nodes[i].rec.hardware)
            (void)node_check_hardware(to, &to->nodes[i], now); /* all is planned anew */
    }
}

/* Returns whether a reservation has its nodes from the partition. */
static bool reserves_partition(const struct control *control, const char *name)
{
    const struct reservation_record *resv;
    uint64_t at = 0;

    while ((resv = resv_next(control, &at))) {
        if (resv->partition && strcmp(resv->partition, name) == 0)
            return true;
    }
    return false;
}

bool control_uses_partition(const struct control *control, const char *name)
{
    if (reserves_partition(control, name))
        return true;
    for (const struct job *job = control->model->jobs; job; job = job->hh.next) {
        const struct job_record *rec = &job->rec;

        if (job_state_is_over(rec->state) && !(rec->flags & JOB_FLAG_COMPLETING))
            continue;
        if ((rec->partition && strcmp(rec->partition, name) == 0) ||
            (rec->spec->partition && spec_list_has(rec->spec->partition, name)))
            return true;
    }
    return false;
}

int control_reconfigure(struct act *act, struct model_config *config, struct err *err)
{
    struct model *old = act->control->model, *model = NULL;
    int rc = model_new(config, &model, err);

    if (rc < 0)
        return rc;
    triggers_close_window(act); /* nodes get other numbers */
    move_nodes(model, old, act->now);
    if (old->next_job_id > model->next_job_id)
        model->next_job_id = old->next_job_id;
    model->id_round = old->id_round;
    model->first_round = old->first_round;
    model_move_jobs(model, old);
    act->control->model = model;
    outage_leave(act, old);
    model_free(old);
    bitset_clear(&act->control->told_usable);
    bitset_clear(&act->control->told_absent);
    bitset_init(&act->control->told_usable, model->nodes_n);
    bitset_init(&act->control->told_absent, model->nodes_n);
    bitset_clear(&act->control->outages_due);
    bitset_init(&act->control->outages_due, model->nodes_n);
    event_note(act, EVENT_RECONFIGURED, NULL);
    triggers_reconfigured(act);
    acct_begin(act); /* what is counted may be more */
    settle(act);
    outage_look_at_all(act);
    for (uint32_t i = 0; i < model->nodes_n; i++)
        turn_note_node(act->turn, &model->nodes[i].rec);
    return 0;
}
