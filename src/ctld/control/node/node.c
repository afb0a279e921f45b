/* What node daemons say: that they are there, what they hold, what has become of it. */
#include "ctld/control/node/node.h"

#include "common/text/words.h"
#include "ctld/control/act/event.h"
#include "ctld/control/act/per_node.h"
#include "ctld/control/act/state.h"
#include "ctld/control/act/timers.h"
#include "ctld/control/feed/presence.h"
#include "ctld/control/job/finish.h"
#include "ctld/control/node/converge.h"
#include "ctld/control/node/hardware.h"
#include "ctld/control/node/health.h"
#include "ctld/control/node/reboot.h"
#include "ctld/control/node/settings.h"
#include "ctld/control/node/update.h"
#include "ctld/control/step/end.h"

static const char unexpected_reboot[] = "Node unexpectedly rebooted";

/* Values of Slurm's ReturnToService. */
enum { RETURN_NEVER, RETURN_UNRESPONSIVE, RETURN_ALWAYS };

static bool is_anew(const struct node *node, const struct node_register *reg)
{
    return reg->started != node->rec.slurmd_start || !text_is(reg->boot_id, node->rec.boot_id);
}

/*
 * True if ReturnToService lets the node come back. One that was only away comes back by 1, unless
 * it has rebooted meanwhile. With 2 so does one that an operator set down, if its daemon started
 * anew: a connection that broke for a moment is no return.
 */
static bool comes_back(const struct control *control, const struct node *node,
                       const struct node_register *reg)
{
    const uint32_t rule = control->model->config.return_to_service;

    if (node->rec.reboot == NODE_REBOOT_ISSUED) /* and that boot is still to come */
        return false;
    if (rule == RETURN_UNRESPONSIVE)
        return node->rec.down_unexpected;
    return rule == RETURN_ALWAYS && (node->rec.down_unexpected || is_anew(node, reg));
}

static void copy_hardware(struct node *node, const struct node_hardware *hardware)
{
    if (node->rec.hardware)
        node_hardware_clear(node->rec.hardware);
    else
        node->rec.hardware = xmalloc(sizeof(*node->rec.hardware));
    schema_copy(node_hardware_schema(), node->rec.hardware, hardware);
}

static void copy_registration(struct node *node, const char *address,
                              const struct node_register *reg)
{
    xstrset(&node->address, address);
    xstrset(&node->rec.boot_id, reg->boot_id);
    xstrset(&node->rec.version, reg->version);
    node->rec.slurmd_start = reg->started;
    node->hooks = reg->hooks;
    copy_hardware(node, reg->hardware);
}

/* True if the node has rebooted: whatever ran there is gone, and nobody asked for that. */
static bool rebooted(const struct node *node, const struct node_register *reg)
{
    return node_is_known(node) && !text_is(node->rec.boot_id, reg->boot_id);
}

static void stay_down_for_reboot(struct act *act, struct node *node)
{
    if (!node->rec.down)
        node_go_down_for(act, node, unexpected_reboot, false);
    node->rec.down_unexpected = false;
    if (!node->rec.drain || !node->rec.reason)
        node_set_reason(node, act->now, unexpected_reboot, 0);
}

/* Takes the node back, or keeps it down, before the registration is in its record. */
static void take_return(struct act *act, struct node *node, const struct node_register *reg)
{
    const bool other_boot = rebooted(node, reg);

    if (other_boot && reboot_back(node, act->now)) {
        control_wake_at(act->control, act->now.cluster_ms); /* ResumeAfter= may be over */
        return;
    }
    if (other_boot && (!node->rec.down || node->rec.down_unexpected) &&
        act->control->model->config.return_to_service != RETURN_ALWAYS) {
        stay_down_for_reboot(act, node);
    } else if (node->rec.down && comes_back(act->control, node, reg)) {
        node->rec.down = false;
        node->rec.down_unexpected = false;
        node_settle(node, act->now);
    }
}

int control_node_register(struct act *act, const char *address, const struct node_register *reg,
                          struct err *err)
{
    struct node *node = model_find_node(act->control->model, reg->name);
    bool anew;

    if (!node)
        return err_set(err, E_NODE_NAME, "Invalid node name specified: %s is not in slurm.conf",
                       reg->name);
    anew = is_anew(node, reg);
    take_return(act, node, reg);
    copy_registration(node, address, reg);
    node->online = true;
    node->seen_ms = act->now.cluster_ms;
    if (node_check_hardware(act->control->model, node, act->now))
        act->control->planner_stale = true;
    node_converge(act, node, reg);
    node_note(act, node);
    feed_node(act, node);
    if (anew)
        health_at_start(act, node);
    node_settings_registered(act, node, reg);
    reboot_go_on(act, node);
    if (act->control->model->config.slurmd_timeout_s)
        control_wake_at(act->control,
                        act->now.cluster_ms +
                            act->control->model->config.slurmd_timeout_s * INT64_C(1000));
    return 0;
}

void control_node_seen(struct act *act, const char *name)
{
    struct node *node = model_find_node(act->control->model, name);

    if (node && node->online)
        node->seen_ms = act->now.cluster_ms;
}

void control_node_lost(struct act *act, const char *name)
{
    struct node *node = model_find_node(act->control->model, name);

    if (!node || !node->online)
        return;
    node->online = false;
    feed_node(act, node);
}

void control_step_report(struct act *act, const char *name, const struct step_report *report)
{
    if (model_find_node(act->control->model, name))
        step_take_report(act, name, report);
}

/* Takes the node's hardware: devices and disks may come and go while its daemon runs. */
static void take_hardware(struct act *act, struct node *node, const struct node_hardware *hardware)
{
    copy_hardware(node, hardware);
    if (node_check_hardware(act->control->model, node, act->now))
        act->control->planner_stale = true;
    node_note(act, node);
    feed_node(act, node);
}

void control_node_report(struct act *act, const char *name, const struct node_report *report)
{
    struct node *node = model_find_node(act->control->model, name);

    if (!node)
        return;
    node->load_percent = report->load_percent;
    node->free_memory_mb = report->free_memory_mb;
    if (report->hardware)
        take_hardware(act, node, report->hardware);
    for (uint32_t i = 0; i < report->clean_jobs_n; i++) {
        struct job *job = model_find_job(act->control->model, report->clean_jobs[i]);
        int64_t position = job ? job_position(job, name) : -1;

        if (position >= 0)
            job_node_clean(act, job, (uint32_t)position);
        else if (job)
            job_leaving_clean(act, job, name, NULL);
    }
}
