/* What node daemons say: that they are there, what they hold, what has become of it. */
#include "ctld/control/core.h"

#include <string.h>

/* Slurm's ReturnToService. */
enum { RETURN_NEVER, RETURN_UNRESPONSIVE, RETURN_ALWAYS };

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

/*
 * A node that was only away comes back by 1; 2 also takes one that an operator set down, but for
 * that its daemon must have started anew: a connection that broke for a moment is no return.
 */
static bool comes_back(const struct control *control, const struct node *node,
                       const struct node_register *reg)
{
    const uint32_t rule = control->model->config.return_to_service;
    const bool anew =
        reg->started != node->rec.slurmd_start || !same_text(reg->boot_id, node->rec.boot_id);

    if (rule == RETURN_UNRESPONSIVE)
        return node->rec.down_unexpected;
    return rule == RETURN_ALWAYS && (node->rec.down_unexpected || anew);
}

static void clear_down(struct node *node)
{
    node->rec.down = false;
    node->rec.down_unexpected = false;
    if (node->rec.drain)
        return;
    xstrset(&node->rec.reason, NULL);
    node->rec.reason_uid = 0;
    node->rec.reason_time = 0;
}

static void copy_registration(struct node *node, const char *address,
                              const struct node_register *reg)
{
    xstrset(&node->address, address);
    xstrset(&node->rec.boot_id, reg->boot_id);
    xstrset(&node->rec.version, reg->version);
    node->rec.slurmd_start = reg->started;
    node->hooks = reg->hooks;
    if (node->rec.hardware)
        node_hardware_clear(node->rec.hardware);
    else
        node->rec.hardware = xmalloc(sizeof(*node->rec.hardware));
    schema_copy(node_hardware_schema(), node->rec.hardware, reg->hardware);
}

/* Nobody asked for it, and whatever ran there is gone. */
static bool rebooted(const struct node *node, const struct node_register *reg)
{
    return node_is_known(node) && !same_text(node->rec.boot_id, reg->boot_id);
}

int control_node_register(struct control *control, struct moment now, const char *address,
                          const struct node_register *reg, struct turn *turn, struct err *err)
{
    struct node *node = model_find_node(control->model, reg->name);
    bool surprise;

    if (!node)
        return err_set(err, E_NODE_NAME, "Invalid node name specified: %s is not in slurm.conf",
                       reg->name);
    surprise = rebooted(node, reg);
    if (node->rec.down && comes_back(control, node, reg))
        clear_down(node);
    else if (surprise && !node->rec.down &&
             control->model->config.return_to_service != RETURN_ALWAYS)
        node_go_down_for(control, now, node, "Node unexpectedly rebooted", false, turn);
    copy_registration(node, address, reg);
    node->online = true;
    node->seen_ms = now.cluster_ms;
    node_check_hardware(control->model, node, now);
    node_converge(control, now, node, reg, turn);
    turn_note_node(turn, &node->rec);
    feed_node(control, now, node);
    if (control->model->config.slurmd_timeout_s)
        control_wake_at(control,
                        now.cluster_ms + control->model->config.slurmd_timeout_s * INT64_C(1000));
    return 0;
}

void control_node_seen(struct control *control, struct moment now, const char *name)
{
    struct node *node = model_find_node(control->model, name);

    if (node && node->online)
        node->seen_ms = now.cluster_ms;
}

void control_node_lost(struct control *control, struct moment now, const char *name)
{
    struct node *node = model_find_node(control->model, name);

    if (!node || !node->online)
        return;
    node->online = false;
    feed_node(control, now, node);
}

void control_step_report(struct control *control, struct moment now, const char *name,
                         const struct step_report *report, struct turn *turn)
{
    if (model_find_node(control->model, name))
        step_take_report(control, now, name, report, turn);
}

void control_node_report(struct control *control, struct moment now, const char *name,
                         const struct node_report *report, struct turn *turn)
{
    struct node *node = model_find_node(control->model, name);

    if (!node)
        return;
    node->load_percent = report->load_percent;
    node->free_memory_mb = report->free_memory_mb;
    for (uint32_t i = 0; i < report->clean_jobs_n; i++) {
        struct job *job = model_find_job(control->model, report->clean_jobs[i]);
        int64_t position = job ? job_position(job, name) : -1;

        if (position >= 0)
            job_node_clean(control, now, job, (uint32_t)position, turn);
    }
}
