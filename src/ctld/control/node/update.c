/* Nodes going down, draining and coming back: by an operator, or because they are gone. */
#include "ctld/control/node/update.h"

#include <errno.h>
#include <string.h>

#include "common/text/hostlist.h"
#include "common/text/words.h"
#include "ctld/control/act/event.h"
#include "ctld/control/act/per_node.h"
#include "ctld/control/act/state.h"
#include "ctld/control/act/timers.h"
#include "ctld/control/feed/feed.h"
#include "ctld/control/feed/presence.h"
#include "ctld/control/job/finish.h"
#include "ctld/control/node/reboot.h"
#include "ctld/control/node/trigger.h"

void node_set_reason(struct node *node, struct moment now, const char *reason, uint32_t uid)
{
    xstrset(&node->rec.reason, reason && *reason ? reason : NULL);
    xstrset(&node->rec.reason_detail, NULL);
    node->rec.reason_uid = node->rec.reason ? uid : 0;
    node->rec.reason_time = node->rec.reason ? now.wall_s : 0;
}

static void forget_resume(struct node *node)
{
    node->rec.resume_cluster_ms = 0;
    node->rec.resume_time = 0;
}

void node_settle(struct node *node, struct moment now)
{
    if (node->rec.down || node->rec.drain || node->rec.fail)
        return;
    node_set_reason(node, now, NULL, 0);
    forget_resume(node);
}

/* Takes the node from the jobs that hold it. */
static void fail_jobs(struct act *act, struct node *node, const char *why)
{
    for (struct job *job = act->control->model->jobs, *next; job; job = next) {
        int64_t position;

        next = job->hh.next;
        position = job_holds_nodes(job) ? job_position(job, node->rec.name) : -1;
        if (position >= 0 && !job->rec.nodes[position].clean)
            job_node_failed(act, job, (uint32_t)position, why);
        else if (job_holds_nodes(job))
            job_leaving_clean(act, job, node->rec.name, why);
    }
}

void node_go_down_for(struct act *act, struct node *node, const char *reason, bool unexpected)
{
    node->rec.down = true;
    node->rec.down_unexpected = unexpected;
    if (!node->rec.drain || !node->rec.reason)
        node_set_reason(node, act->now, reason, 0);
    feed_node(act, node);
    fail_jobs(act, node, reason);
    node_note(act, node);
}

void node_drain_for(struct act *act, struct node *node, const char *reason)
{
    if (!node->rec.drain || !node->rec.reason)
        node_set_reason(node, act->now, reason, 0);
    node->rec.drain = true;
    feed_node(act, node);
    node_note(act, node);
}

/* ---- what the cloud calls them ---- */

struct instances {
    struct hostlist *names, *ids, *types;
};

static void clear_instances(struct instances *instances)
{
    hostlist_free(instances->names);
    hostlist_free(instances->ids);
    hostlist_free(instances->types);
}

/* Reads instance ids or types into `ret`, which stays NULL where nothing is said. */
static int read_instances(const char *key, const char *text, uint32_t nodes_n,
                          struct hostlist **ret, struct err *err)
{
    int rc = text ? hostlist_parse(text, ret, err) : 0;

    if (rc < 0)
        return err_prefix(err, "%s", key);
    if (*ret && hostlist_count(*ret) > 1 && hostlist_count(*ret) != nodes_n)
        return err_set(err, E_NODE_NAME, "%s=%.80s names %u, for %u nodes", key, text,
                       hostlist_count(*ret), nodes_n);
    return 0;
}

static int take_instances(const struct node_update *request, struct instances *ret, struct err *err)
{
    int rc = 0;

    if (!request->instance_ids && !request->instance_types)
        return 0;
    rc = hostlist_parse(request->names, &ret->names, err);
    if (rc == 0)
        rc = read_instances("InstanceId", request->instance_ids, hostlist_count(ret->names),
                            &ret->ids, err);
    if (rc == 0)
        rc = read_instances("InstanceType", request->instance_types, hostlist_count(ret->names),
                            &ret->types, err);
    return rc;
}

static void set_instance(char **text, const struct hostlist *list, uint32_t i)
{
    const uint32_t n = list ? hostlist_count(list) : 0;

    if (list)
        xstrset(text, n ? hostlist_get(list, n == 1 ? 0 : i) : NULL);
}

static void apply_instances(struct model *model, const struct instances *instances)
{
    for (uint32_t i = 0; instances->names && i < hostlist_count(instances->names); i++) {
        struct node *node = model_find_node(model, hostlist_get(instances->names, i));

        if (!node)
            continue;
        set_instance(&node->rec.instance_id, instances->ids, i);
        set_instance(&node->rec.instance_type, instances->types, i);
    }
}

/* ---- scontrol update nodename= ---- */

static int check_update(const struct node *node, const struct node_update *request, struct err *err)
{
    switch (request->state) {
    case NODE_UPDATE_NONE:
        return 0;
    case NODE_UPDATE_IDLE:
        if (!node_is_future(node))
            return 0;
        return err_set(err, E_NODE_STATE, "%s: node %s is FUTURE: State=RESUME brings it back",
                       err_string(E_NODE_STATE), node->rec.name);
    case NODE_UPDATE_CANCEL_REBOOT:
        if (node->rec.reboot == NODE_REBOOT_REQUESTED)
            return 0;
        return err_set(err, E_NODE_STATE, "%s: node %s %s", err_string(E_NODE_STATE),
                       node->rec.name,
                       node->rec.reboot ? "is rebooting already" : "is not to be rebooted");
    case NODE_UPDATE_UNDRAIN: /* also of one that is not drained, as in Slurm */
    case NODE_UPDATE_NO_RESPOND:
        return 0;
    case NODE_UPDATE_FUTURE:
        if (node->jobs_n == 0)
            return 0;
        return err_set(err, E_NODE_STATE, "%s: node %s has jobs", err_string(E_NODE_STATE),
                       node->rec.name);
    case NODE_UPDATE_RESUME:
        if (node->rec.drain || node->rec.down || node->rec.fail || node_is_future(node))
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

/* Ends the FUTURE state of a node, also where slurm.conf sets it. */
static void end_future(struct node *node)
{
    if (node_is_future(node))
        node->rec.future = node->conf->future ? NODE_FUTURE_OVER : NODE_FUTURE_AS_CONFIGURED;
}

static void resume(struct node *node, struct moment now)
{
    end_future(node);
    node->rec.down = false;
    node->rec.down_unexpected = false;
    node->rec.drain = false;
    node->rec.fail = false;
    node->seen_ms = now.cluster_ms;
    node_settle(node, now);
    reboot_forget(node);
}

void node_resume_tick(struct act *act, struct node *node)
{
    if (node->rec.resume_cluster_ms == 0 || node->rec.reboot == NODE_REBOOT_ISSUED)
        return; /* of one that reboots: when it is back */
    if (act->now.cluster_ms < node->rec.resume_cluster_ms) {
        control_wake_at(act->control, node->rec.resume_cluster_ms);
        return;
    }
    resume(node, act->now);
    triggers_node_resumed(act->control, node);
    feed_node(act, node);
    node_note(act, node);
}

static void set_resume(struct act *act, struct node *node, uint32_t after_s)
{
    forget_resume(node);
    if (after_s == COUNT_INFINITE)
        return;
    node->rec.resume_cluster_ms = act->now.cluster_ms + after_s * INT64_C(1000);
    node->rec.resume_time = act->now.wall_s + after_s;
    control_wake_at(act->control, node->rec.resume_cluster_ms);
}

static void set_state(struct node *node, struct moment now, uint32_t state)
{
    switch (state) {
    case NODE_UPDATE_RESUME:
    case NODE_UPDATE_IDLE:
        resume(node, now);
        break;
    case NODE_UPDATE_UNDRAIN:
        node->rec.drain = false;
        node->rec.fail = false;
        node_settle(node, now);
        break;
    case NODE_UPDATE_CANCEL_REBOOT:
        reboot_cancel(node, now);
        break;
    case NODE_UPDATE_DRAIN:
        node->rec.drain = true;
        node->rec.fail = false; /* it is one or the other, as in Slurm */
        break;
    case NODE_UPDATE_FAIL:
        node->rec.fail = true;
        node->rec.drain = false;
        break;
    case NODE_UPDATE_DOWN:
        end_future(node);
        node->rec.down = true;
        node->rec.down_unexpected = false;
        break;
    case NODE_UPDATE_FUTURE:
        node->rec.future = NODE_FUTURE_SAID;
        forget_resume(node);
        break;
    case NODE_UPDATE_NO_RESPOND:
        node->online = false; /* its session is closed, and it registers again */
        break;
    default:
        break;
    }
}

/* True if the node takes a reason: one with nothing wrong has none, even with State=RESUME. */
static bool takes_reason(const struct node *node)
{
    return node->rec.down || node->rec.drain || node->rec.fail || node_is_future(node) ||
           node->rec.reboot;
}

static void apply_update(struct act *act, struct node *node, const struct node_update *request)
{
    set_state(node, act->now, request->state);
    if (request->state == NODE_UPDATE_RESUME)
        triggers_node_resumed(act->control, node);
    if (request->resume_after_s != COUNT_UNSET)
        set_resume(act, node, request->resume_after_s);
    if (request->comment)
        xstrset(&node->rec.comment, *request->comment ? request->comment : NULL);
    if (request->extra)
        xstrset(&node->rec.extra, *request->extra ? request->extra : NULL);
    if (request->reason && takes_reason(node))
        node_set_reason(node, act->now, request->reason, act->caller->uid);
    if (request->state == NODE_UPDATE_DOWN)
        fail_jobs(act, node, "set down");
    feed_node(act, node);
    node_note(act, node);
    if (request->state == NODE_UPDATE_NO_RESPOND)
        control_wake_at(act->control, act->now.cluster_ms); /* its session is closed after a tick */
    control_wake_at(act->control, act->now.cluster_ms +
                                      act->control->model->config.slurmd_timeout_s * INT64_C(1000));
}

static int check_all(const struct control *control, const struct caller *caller,
                     const struct node_update *request, struct bitset *ret_set, struct err *err)
{
    int rc;

    if (!caller_has_level(caller, LEVEL_ADMINISTRATOR))
        return err_set(err, E_USER_ID, "%s", err_string(E_USER_ID));
    if (request->resume_after_s < COUNT_UNSET && request->state != NODE_UPDATE_DOWN &&
        request->state != NODE_UPDATE_DRAIN)
        return err_set(err, EINVAL, "ResumeAfter goes with State=DOWN or State=DRAIN");
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
    struct instances instances = { 0 };
    int rc = check_all(control, caller, request, &set, err);

    if (rc == 0)
        rc = take_instances(request, &instances, err);
    clear_instances(&instances);
    return rc;
}

int control_node_update(struct act *act, const struct node_update *request, struct err *err)
{
    AUTO(bitset) struct bitset set = { 0 };
    struct instances instances = { 0 };
    int rc = check_all(act->control, act->caller, request, &set, err);

    if (rc == 0)
        rc = take_instances(request, &instances, err);
    if (rc == 0)
        apply_instances(act->control->model, &instances);
    clear_instances(&instances);
    if (rc < 0)
        return rc;
    BITSET_FOREACH (&set, i)
        apply_update(act, &act->control->model->nodes[i], request);
    triggers_node_updated(act->control);
    return 0;
}
