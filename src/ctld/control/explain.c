/*
 * Why a job waits, and when it would start: asked of the planner when somebody wants to know.
 *
 * It is not kept: it follows from the rest of the state, and a restart finds it again.
 */
#include "ctld/control/core.h"

#include <string.h>

#include "common/text/hostlist.h"

static char *names_of(const struct model *model, const struct plan_place *places, uint32_t n)
{
    AUTO(hostlist) struct hostlist *names = hostlist_new();

    for (uint32_t i = 0; i < n; i++)
        hostlist_add(names, model->nodes[places[i].node].rec.name);
    hostlist_sort(names);
    return n ? hostlist_format(names) : NULL;
}

static void add_blockers(struct strbuf *text, const struct plan_decision *decision)
{
    for (uint32_t i = 0; i < decision->blockers_n; i++)
        strbuf_addf(text, "%s%u", i ? ", " : ": held by job ", decision->blockers[i]);
}

/* The nodes a job could use, were they not down or drained, as Slurm appends them. */
static void add_unavailable(const struct model *model, const struct job *job, struct strbuf *text)
{
    AUTO(bitset) struct bitset wanted = { 0 };
    AUTO(hostlist) struct hostlist *names = hostlist_new();
    AUTO_FREE char *list = NULL;

    if (!job->rec.spec->req_nodes ||
        model_node_set(model, job->rec.spec->req_nodes, &wanted, NULL) < 0)
        bitset_copy(&wanted, &model->partitions[job->partition].nodes);
    BITSET_FOREACH (&wanted, i) {
        if (!node_is_usable(&model->nodes[i]))
            hostlist_add(names, model->nodes[i].rec.name);
    }
    list = hostlist_format(names);
    strbuf_addf(text, "%s, UnavailableNodes:%s", job_reason_name(REASON_NODES_UNAVAILABLE), list);
}

static uint32_t reason_of(const struct plan_decision *decision)
{
    static const uint32_t reasons[] = {
        [PLAN_WHY_NONE] = REASON_PRIORITY,
        [PLAN_WHY_RESOURCES] = REASON_RESOURCES,
        [PLAN_WHY_PRIORITY] = REASON_PRIORITY,
        [PLAN_WHY_NODES_DOWN] = REASON_NODES_UNAVAILABLE,
        [PLAN_WHY_PARTITION_DOWN] = REASON_PARTITION_DOWN,
        [PLAN_WHY_BEGIN] = REASON_BEGIN_TIME,
        [PLAN_WHY_LICENSES] = REASON_LICENSES,
        [PLAN_WHY_RESERVATION] = REASON_RESERVATION,
        [PLAN_WHY_NOT_TRIED] = REASON_PRIORITY,
    };

    if (decision->verdict == PLAN_NEVER_FITS)
        return REASON_BAD_CONSTRAINTS;
    return decision->why < ARRAY_N(reasons) ? reasons[decision->why] : REASON_NONE;
}

bool job_explain(const struct control *control, const struct job *job, struct plan_decision *ret)
{
    return job->rec.state == JOB_PENDING && !control->planner_stale &&
           planner_look(control->planner, job->rec.id, ret);
}

static uint32_t reason_and_text(const struct control *control, const struct job *job,
                                const struct plan_decision *decision, struct strbuf *text)
{
    const uint32_t reason = reason_of(decision);

    if (reason == REASON_NODES_UNAVAILABLE) {
        add_unavailable(control->model, job, text);
    } else {
        strbuf_adds(text, job_reason_name(reason));
        add_blockers(text, decision);
    }
    return reason;
}

void job_note_wait(const struct control *control, struct job *job)
{
    AUTO(strbuf) struct strbuf text = { 0 };
    struct plan_decision decision;
    uint32_t reason;

    if (!job_explain(control, job, &decision))
        return;
    reason = reason_and_text(control, job, &decision, &text);
    job_set_reason(job, reason, strbuf_text(&text));
}

void job_show_wait(const struct control *control, struct moment now, const struct job *job,
                   struct job_info *ret)
{
    AUTO(strbuf) struct strbuf text = { 0 };
    struct plan_decision decision;

    if (!job_explain(control, job, &decision))
        return;
    ret->job->reason = reason_and_text(control, job, &decision, &text);
    xstrset(&ret->job->reason_text, strbuf_text(&text));
    if (decision.verdict != PLAN_LATER || decision.at_ms == PLAN_NEVER)
        return;
    ret->planned_start = now.wall_s + (decision.at_ms - now.cluster_ms + 999) / 1000;
    ret->planned_nodes = names_of(control->model, decision.places, decision.places_n);
}
