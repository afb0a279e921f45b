/*
 * scontrol reboot. A node is REBOOT_REQUESTED until nothing runs there; then it is DOWN and
 * REBOOT_ISSUED until it registers from another boot, or ResumeTimeout is over. What it is after
 * that: as before, but that ASAP, which drained it, and nextstate= decide.
 */
#include "ctld/control/node/reboot.h"

#include <errno.h>

#include "ctld/control/act/event.h"
#include "ctld/control/act/state.h"
#include "ctld/control/act/timers.h"
#include "ctld/control/feed/presence.h"
#include "ctld/control/node/node_act.h"
#include "ctld/control/node/update.h"

/* ---- the reason ---- */

/* Extends the node's reason to "my why : reboot issued". */
static void add_to_reason(struct node *node, struct moment now, const char *what)
{
    AUTO_FREE char *text =
        node->rec.reason ? xasprintf("%s : %s", node->rec.reason, what) : xstrdup(what);

    node_set_reason(node, now, text, node->rec.reason_uid);
}

/* ---- what becomes of the node ---- */

void reboot_go_on(struct act *act, struct node *node)
{
    if (node->rec.reboot != NODE_REBOOT_REQUESTED || !node->online || node->jobs_n > 0)
        return;
    node->rec.reboot = NODE_REBOOT_ISSUED;
    node->rec.reboot_cluster_ms = act->now.cluster_ms;
    node->rec.down = true;
    node->rec.down_unexpected = false;
    add_to_reason(node, act->now, "reboot issued");
    node_act(act, node, NODE_ACT_REBOOT, NULL);
    node_note(act, node);
    feed_node(act, node);
    reboot_tick(act, node);
}

void reboot_tick(struct act *act, struct node *node)
{
    const int64_t due_ms =
        node->rec.reboot_cluster_ms + act->control->model->config.resume_timeout_s * INT64_C(1000);

    if (node->rec.reboot != NODE_REBOOT_ISSUED)
        return;
    if (act->now.cluster_ms < due_ms) {
        control_wake_at(act->control, due_ms);
        return;
    }
    reboot_forget(node);
    add_to_reason(node, act->now, "reboot timed out");
    node_note(act, node);
}

bool reboot_back(struct node *node, struct moment now)
{
    const uint32_t next = node->rec.reboot_next;

    if (node->rec.reboot != NODE_REBOOT_ISSUED)
        return false;
    if (node->rec.reboot_asap || next != NODE_REBOOT_AS_BEFORE)
        node->rec.drain = false;
    node->rec.down = next == NODE_REBOOT_THEN_DOWN;
    if (node->rec.down)
        add_to_reason(node, now, "reboot complete");
    node_settle(node, now);
    reboot_forget(node);
    return true;
}

void reboot_forget(struct node *node)
{
    node->rec.reboot = NODE_REBOOT_NONE;
    node->rec.reboot_asap = false;
    node->rec.reboot_next = NODE_REBOOT_AS_BEFORE;
    node->rec.reboot_cluster_ms = 0;
}

void reboot_cancel(struct node *node, struct moment now)
{
    if (node->rec.reboot_asap)
        node->rec.drain = false;
    node_settle(node, now);
    reboot_forget(node);
}

/* ---- scontrol reboot ---- */

static void ask(struct node *node, struct moment now, const struct caller *caller,
                const struct node_reboot *request)
{
    const bool has_text = request->reason && *request->reason;

    node->rec.reboot = NODE_REBOOT_REQUESTED;
    if (request->next != NODE_REBOOT_AS_BEFORE || !node->rec.reboot_asap)
        node->rec.reboot_next = request->next;
    if (request->asap) {
        node->rec.reboot_asap = !node->rec.drain || node->rec.reboot_asap;
        node->rec.drain = true;
        if (request->next == NODE_REBOOT_AS_BEFORE)
            node->rec.reboot_next = NODE_REBOOT_THEN_RESUME;
    }
    if (has_text)
        node_set_reason(node, now, request->reason, caller->uid);
    else if (!node->rec.reason)
        node_set_reason(node, now, request->asap ? "Reboot ASAP" : "reboot requested", caller->uid);
}

int control_node_reboot(struct act *act, const struct node_reboot *request, struct err *err)
{
    AUTO(bitset) struct bitset set = { 0 };
    int rc;

    if (!caller_has_level(act->caller, LEVEL_ADMINISTRATOR))
        return err_set(err, EACCES, "%s", err_string(EACCES));
    rc = model_node_set(act->control->model, request->names, &set, err);
    if (rc < 0)
        return rc;
    BITSET_FOREACH (&set, i) {
        const struct node *node = &act->control->model->nodes[i];

        if (node_is_known(node) && node->online && !(node->hooks & NODE_HAS_REBOOT))
            return err_set(err, ENOTSUP, "node %s: its slurm.conf has no RebootProgram",
                           node->rec.name);
    }
    BITSET_FOREACH (&set, i) {
        struct node *node = &act->control->model->nodes[i];

        if (node->rec.reboot == NODE_REBOOT_ISSUED || node_is_future(node))
            continue; /* it is on its way, or not there yet */
        ask(node, act->now, act->caller, request);
        feed_node(act, node);
        node_note(act, node);
        reboot_go_on(act, node);
    }
    return 0;
}
