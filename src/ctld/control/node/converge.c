/*
 * A node has registered: what it holds and what the model says are made to agree. What the node
 * holds is taken as its reports would be; what it should hold and does not was either never
 * launched (the order is sent again, under the same number) or is lost.
 */
#include "ctld/control/node/converge.h"

#include <string.h>

#include "ctld/control/act/per_node.h"
#include "ctld/control/act/state.h"
#include "ctld/control/feed/feed.h"
#include "ctld/control/job/finish.h"
#include "ctld/control/job/hook.h"
#include "ctld/control/job/ids.h"
#include "ctld/control/job/signal.h"
#include "ctld/control/step/end.h"
#include "ctld/control/step/launch.h"

static bool is_held(const struct node_register *reg, const struct step *step)
{
    for (uint32_t i = 0; i < reg->held_n; i++) {
        const struct step_report *held = &reg->held[i];

        if (held->job_id == step->rec.job_id && held->step_id == step->rec.step_id &&
            held->launch_number == step->rec.launch_number)
            return true;
    }
    return false;
}

static bool same_boot(const struct step *step, uint32_t position, const struct node *node)
{
    const char *boot = step->rec.nodes[position].boot_id;

    return boot && node->rec.boot_id && strcmp(boot, node->rec.boot_id) == 0;
}

static const char lost_text[] = "the node lost it";

/* Makes one step that has not ended on this node agree with what the node holds. */
static void converge_step(struct act *act, struct step *step, uint32_t position,
                          const struct node *node, const struct node_register *reg)
{
    if (is_held(reg, step)) {
        if (step->rec.state == STEP_ENDING)
            step_repeat_end(act, step, position);
        return;
    }
    /* A step that was told to end before it ever began leaves nothing to wait for. */
    if (step->rec.state == STEP_ENDING)
        step_node_over(act, step, position, NULL, NULL);
    else if (step->rec.nodes[position].state == STEP_STARTING && same_boot(step, position, node))
        launch_again(act, step, position);
    else
        step_node_over(act, step, position, NULL, lost_text);
}

static void converge_steps(struct act *act, struct job *job, const struct node *node,
                           const struct node_register *reg)
{
    for (struct step *step = job->steps; step; step = step->next) {
        int64_t position = step_is_active(step) ? step_position(step, node->rec.name) : -1;

        if (position >= 0 && step->rec.nodes[position].state != STEP_ENDED)
            converge_step(act, step, (uint32_t)position, node, reg);
    }
}

/* True if a step of the job was meant for an earlier boot, or the script is lost. */
static bool is_broken(const struct job *job, const struct node *node,
                      const struct node_register *reg)
{
    for (const struct step *step = job->steps; step; step = step->next) {
        int64_t at = step_is_active(step) ? step_position(step, node->rec.name) : -1;

        if (at < 0 || step->rec.nodes[at].state == STEP_ENDED || is_held(reg, step))
            continue;
        if (!same_boot(step, (uint32_t)at, node))
            return true;
        if (step->rec.step_id == STEP_BATCH && step->rec.nodes[at].state != STEP_STARTING)
            return true;
    }
    return false;
}

static void converge_job(struct act *act, struct job *job, uint32_t position, struct node *node,
                         const struct node_register *reg)
{
    if (job->rec.nodes[position].clean)
        return;
    hook_repeat_prolog(act, job, position);
    if (job->rec.flags & JOB_FLAG_COMPLETING)
        job_order_end(act, job, &job->rec.nodes[position], act->control->model->config.kill_wait_s,
                      NULL);
    else if (is_broken(job, node, reg))
        job_node_failed(act, job, position, "launch lost");
    else
        converge_steps(act, job, node, reg);
    if (job_state_is_active(job->rec.state) && job->rec.suspend_time)
        job_repeat_suspend(job, position, act->turn);
}

void node_converge(struct act *act, struct node *node, const struct node_register *reg)
{
    job_learn_ids(act, reg);
    for (uint32_t i = 0; i < reg->held_n; i++)
        step_take_report(act, node->rec.name, &reg->held[i]);
    for (struct job *job = act->control->model->jobs, *next; job; job = next) {
        const struct job_node *leaving;
        int64_t position;

        next = job->hh.next;
        leaving = job_find_leaving(job, node->rec.name);
        position = job_holds_nodes(job) ? job_position(job, node->rec.name) : -1;
        if (position >= 0)
            converge_job(act, job, (uint32_t)position, node, reg);
        else if (leaving)
            job_order_end(act, job, leaving, 0, NULL);
    }
}
