/* Nodes going down, draining and coming back: by an operator, or because they are gone. */
#include "ctld/control/node_act.h"

#include <errno.h>
#include <string.h>

#include "common/text/words.h"

void node_set_reason(struct node *node, struct moment now, const char *reason, uint32_t uid)
{
    xstrset(&node->rec.reason, reason && *reason ? reason : NULL);
    node->rec.reason_uid = node->rec.reason ? uid : 0;
    node->rec.reason_time = node->rec.reason ? now.wall_s : 0;
}

/* The jobs that hold the node lose it. */
static void fail_jobs(struct control *control, struct moment now, struct node *node,
                      const char *why, struct turn *turn)
{
    for (struct job *job = control->model->jobs, *next; job; job = next) {
        int64_t position;

        next = job->hh.next;
        position = job_holds_nodes(job) ? job_position(job, node->rec.name) : -1;
        if (position >= 0 && !job->rec.nodes[position].clean)
            job_node_failed(control, now, job, (uint32_t)position, why, turn);
        else if (job_holds_nodes(job))
            job_leaving_clean(control, now, job, node->rec.name, why, turn);
    }
}

void node_go_down_for(struct control *control, struct moment now, struct node *node,
                      const char *reason, bool unexpected, struct turn *turn)
{
    node->rec.down = true;
    node->rec.down_unexpected = unexpected;
    if (!node->rec.drain || !node->rec.reason)
        node_set_reason(node, now, reason, 0);
    feed_node(control, now, node);
    fail_jobs(control, now, node, reason, turn);
    turn_note_node(turn, &node->rec);
}

void node_drain_for(struct control *control, struct moment now, struct node *node,
                    const char *reason, struct turn *turn)
{
    if (!node->rec.drain || !node->rec.reason)
        node_set_reason(node, now, reason, 0);
    node->rec.drain = true;
    feed_node(control, now, node);
    turn_note_node(turn, &node->rec);
}

/* ---- scontrol update nodename= ---- */

static int check_update(const struct node *node, const struct node_update *request, struct err *err)
{
    switch (request->state) {
    case NODE_UPDATE_NONE:
    case NODE_UPDATE_IDLE:
        return 0;
    case NODE_UPDATE_CANCEL_REBOOT:
        if (node->rec.reboot == NODE_REBOOT_REQUESTED)
            return 0;
        return err_set(err, E_NODE_STATE, "%s: node %s %s", err_string(E_NODE_STATE),
                       node->rec.name,
                       node->rec.reboot ? "is rebooting already" : "is not to be rebooted");
    case NODE_UPDATE_UNDRAIN: /* also of one that is not drained, as in Slurm */
        return 0;
    case NODE_UPDATE_RESUME:
        if (node->rec.drain || node->rec.down || node->rec.fail)
            return 0;
        break;
    case NODE_UPDATE_DOWN:
    case NODE_UPDATE_DRAIN:
    case NODE_UPDATE_FAIL:
        if ((request->reason && *request->reason) || node->rec.reason)
            return 0;
        return err_set(err, EINVAL,
                       "You must specify a reason when DOWNING or DRAINING a node. Request denied");
    default:
        return err_set(err, E_NODE_STATE, "%s: state %u is not known", err_string(E_NODE_STATE),
                       request->state);
    }
    return err_set(err, E_NODE_STATE, "%s: node %s is neither down nor drained nor failing",
                   err_string(E_NODE_STATE), node->rec.name);
}

static void resume(struct node *node, struct moment now)
{
    node->rec.down = false;
    node->rec.down_unexpected = false;
    node->rec.drain = false;
    node->rec.fail = false;
    node->seen_ms = now.cluster_ms;
    node_set_reason(node, now, NULL, 0);
    reboot_forget(node);
}

static void apply_update(struct control *control, struct moment now, const struct caller *caller,
                         struct node *node, const struct node_update *request, struct turn *turn)
{
    if (request->state == NODE_UPDATE_RESUME || request->state == NODE_UPDATE_IDLE)
        resume(node, now);
    if (request->state == NODE_UPDATE_RESUME)
        triggers_node_resumed(control, node);
    if (request->state == NODE_UPDATE_UNDRAIN)
        node->rec.drain = false;
    if (request->state == NODE_UPDATE_UNDRAIN && !node->rec.down && !node->rec.fail)
        node_set_reason(node, now, NULL, 0);
    if (request->state == NODE_UPDATE_CANCEL_REBOOT)
        reboot_cancel(node, now);
    if (request->state == NODE_UPDATE_DRAIN)
        node->rec.drain = true;
    if (request->state == NODE_UPDATE_FAIL)
        node->rec.fail = true;
    if (request->comment)
        xstrset(&node->rec.comment, *request->comment ? request->comment : NULL);
    if (request->extra)
        xstrset(&node->rec.extra, *request->extra ? request->extra : NULL);
    if (request->reason)
        node_set_reason(node, now, request->reason, caller->uid);
    if (request->state == NODE_UPDATE_DOWN) {
        node->rec.down = true;
        node->rec.down_unexpected = false;
        fail_jobs(control, now, node, "set down", turn);
    }
    feed_node(control, now, node);
    turn_note_node(turn, &node->rec);
    control_wake_at(control,
                    now.cluster_ms + control->model->config.slurmd_timeout_s * INT64_C(1000));
}

static int check_all(const struct control *control, const struct caller *caller,
                     const struct node_update *request, struct bitset *ret_set, struct err *err)
{
    int rc;

    if (!caller->is_admin)
        return err_set(err, E_USER_ID, "%s", err_string(E_USER_ID));
    rc = model_node_set(control->model, request->names, ret_set, err);
    if (rc < 0)
        return rc;
    BITSET_FOREACH (ret_set, i) {
        rc = check_update(&control->model->nodes[i], request, err);
        if (rc < 0)
            return rc;
    }
    return 0;
}

int control_node_check_update(const struct control *control, const struct caller *caller,
                              const struct node_update *request, struct err *err)
{
    AUTO(bitset) struct bitset set = { 0 };

    return check_all(control, caller, request, &set, err);
}

int control_node_update(struct control *control, struct moment now, const struct caller *caller,
                        const struct node_update *request, struct turn *turn, struct err *err)
{
    AUTO(bitset) struct bitset set = { 0 };
    int rc = check_all(control, caller, request, &set, err);

    if (rc < 0)
        return rc;
    BITSET_FOREACH (&set, i)
        apply_update(control, now, caller, &control->model->nodes[i], request, turn);
    return 0;
}
