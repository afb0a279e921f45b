/*
 * A job that runs gives back some of its nodes. They are no longer the job's at once, but nobody
 * else gets them before they are clean: until then they are leaving (rec.leaving).
 */
#include "ctld/control/job/alter.h"

#include <string.h>

#include "common/text/hostlist.h"
#include "ctld/control/acct/usage.h"
#include "ctld/control/act/per_node.h"
#include "ctld/control/act/state.h"
#include "ctld/control/act/turn.h"
#include "ctld/control/job/finish.h"
#include "ctld/control/request/tres.h"
#include "ctld/control/step/end.h"
#include "ctld/control/step/step.h"

/* ---- which nodes stay ---- */

/* Keeps the nodes that are named. A script cannot lose the node it runs on. */
static int keep_named(const struct job *job, const char *hosts, struct bitset *keep,
                      struct err *err)
{
    AUTO(hostlist) struct hostlist *names = NULL;

    if (hostlist_parse(hosts, &names, NULL) < 0 || hostlist_count(names) == 0)
        return alter_refuse(E_NODE_NAME, err);
    bitset_empty(keep);
    for (uint32_t i = 0; i < hostlist_count(names); i++) {
        const int64_t position = job_position(job, hostlist_get(names, i));

        if (position < 0)
            return alter_refuse(E_NODE_NAME, err);
        bitset_add(keep, (uint32_t)position);
    }
    if (job->rec.spec->kind == JOB_KIND_BATCH && !bitset_has(keep, 0))
        return alter_refuse(E_NODE_NAME, err);
    return 0;
}

/* Keeps the first `count` nodes. */
static int keep_count(uint32_t count, struct bitset *keep, struct err *err)
{
    if (count == 0)
        return alter_refuse(E_NODE_COUNT, err);
    if (count > bitset_count(keep))
        return alter_refuse(E_NOT_SUPPORTED, err); /* jobs do not grow */
    BITSET_FOREACH (keep, position) {
        if (count == 0)
            bitset_del(keep, (uint32_t)position);
        else
            count--;
    }
    return 0;
}

int job_check_shrink(const struct job *job, const struct job_update *request, struct bitset *ret,
                     struct err *err)
{
    const struct job_spec *spec = request->spec;
    int rc = 0;

    bitset_init(ret, job->rec.nodes_n);
    bitset_fill(ret);
    if (job_update_sets(request, SPEC_TAG_req_nodes))
        rc = keep_named(job, spec->req_nodes ? spec->req_nodes : "", ret, err);
    if (rc == 0 && job_update_sets(request, SPEC_TAG_min_nodes))
        rc = keep_count(spec->min_nodes, ret, err);
    return rc;
}

/* ---- giving back ---- */

/* Counts the nodes that the step is to lose and to keep, of those where it has not ended. */
static void count_parts(const struct job *job, const struct step *step, const struct bitset *keep,
                        uint32_t *ret_lost, uint32_t *ret_kept)
{
    *ret_lost = *ret_kept = 0;
    for (uint32_t i = 0; i < step->rec.nodes_n; i++) {
        const int64_t position = job_position(job, step->rec.nodes[i].name);

        if (step->rec.nodes[i].state == STEP_ENDED || position < 0)
            continue;
        if (bitset_has(keep, (uint32_t)position))
            ++*ret_kept;
        else
            ++*ret_lost;
    }
}

/* Ends the steps that are only on nodes which the job gives back. As in Slurm a step that is on
 * others, too, loses only its tasks there, with all that the job has there. */
static void end_steps(struct act *act, struct job *job, const struct bitset *keep)
{
    static const struct step_ending resized = { .state = JOB_CANCELLED,
                                                .ended_by = COUNT_UNSET,
                                                .why = "DUE TO JOB RESIZE" };

    for (struct step *step = job->steps; step; step = step->next) {
        uint32_t lost, kept;

        if (!step_is_active(step))
            continue;
        count_parts(job, step, keep, &lost, &kept);
        if (lost && !kept)
            step_stop(act, step, &resized);
    }
}

static void list_nodes(const struct control *control, struct job *job)
{
    AUTO(hostlist) struct hostlist *names = hostlist_new();

    job->rec.ncpus = 0;
    for (uint32_t i = 0; i < job->rec.nodes_n; i++) {
        job->rec.ncpus += job->rec.nodes[i].cpus_n;
        hostlist_add(names, job->rec.nodes[i].name);
    }
    free(job->rec.node_list);
    job->rec.node_list = hostlist_format(names);
    if (job->partition != PARTITION_NONE)
        job_bill_held(control->model, job);
}

void job_shrink(struct act *act, struct job *job, const struct bitset *keep)
{
    if (bitset_count(keep) == job->rec.nodes_n)
        return;
    end_steps(act, job, keep);
    for (uint32_t i = 0; i < job->rec.nodes_n; i++) {
        if (!bitset_has(keep, i) && !job->rec.nodes[i].clean)
            job_order_end(act, job, &job->rec.nodes[i], 0, NULL);
    }
    acct_usage_end(act, job);
    model_part_nodes(act->control->model, job, keep);
    list_nodes(act->control, job);
    acct_usage_begin(act, job);
    job->rec.resize_time = act->now.wall_s;
    job_start_steps(act, job); /* those that cannot fit any more are told */
    turn_note_job(act->turn, &job->rec);
}
