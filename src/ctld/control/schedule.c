/* Turns what the planner decides into starts, planned starts and reasons. */
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
    };

    if (decision->verdict == PLAN_NEVER_FITS)
        return REASON_BAD_CONSTRAINTS;
    return decision->why < ARRAY_N(reasons) ? reasons[decision->why] : REASON_NONE;
}

/*
 * Why a job waits is not noted in the turn: it follows from the rest of the state, and a restart
 * finds it again.
 */
static void take_wait(struct control *control, struct moment now, struct job *job,
                      const struct plan_decision *decision, struct turn *turn)
{
    AUTO(strbuf) struct strbuf text = { 0 };
    uint32_t reason = reason_of(decision);

    if (reason == REASON_NODES_UNAVAILABLE) {
        add_unavailable(control->model, job, &text);
    } else {
        strbuf_adds(&text, job_reason_name(reason));
        add_blockers(&text, decision);
    }
    job_set_reason(job, reason, strbuf_text(&text));
    job_tell_queued(job, turn);
    free(job->planned_nodes);
    job->planned_nodes = NULL;
    job->planned_start = 0;
    if (decision->verdict == PLAN_LATER && decision->at_ms != PLAN_NEVER) {
        job->planned_start = now.wall_s + (decision->at_ms - now.cluster_ms + 999) / 1000;
        job->planned_nodes = names_of(control->model, decision->places, decision->places_n);
    }
}

/* The plan was made from changes that arrived in order, so this fails only for a defect. */
static bool still_fits(const struct control *control, const struct job *job,
                       const struct plan_decision *decision)
{
    if (job->rec.state != JOB_PENDING || decision->places_n == 0)
        return false;
    for (uint32_t i = 0; i < decision->places_n; i++) {
        const struct plan_place *place = &decision->places[i];
        const struct node *node = model_node(control->model, place->node);

        if (!node || !node_is_usable(node) || place->cpus.size != node->cpus_used.size ||
            bitset_meets(&place->cpus, &node->cpus_used))
            return false;
        if ((control->model->config.select & SELECT_MEMORY) &&
            node->memory_used_mb + place->amounts[PLAN_MEMORY] > node->conf->memory_mb)
            return false;
    }
    return true;
}

static void take_decision(struct control *control, struct moment now,
                          const struct plan_decision *decision, struct turn *turn)
{
    struct job *job = model_find_job(control->model, decision->job_id);

    if (!job || job->rec.state != JOB_PENDING || (job->rec.flags & JOB_FLAG_COMPLETING))
        return;
    if (decision->verdict != PLAN_START)
        take_wait(control, now, job, decision, turn);
    else if (still_fits(control, job, decision))
        job_start(control, now, job, decision, turn);
    else
        control->planner_stale = true;
}

/* Decisions live until the planner's next operation, and starting a job that fails at once is one:
 * so they are copied first. */
static struct plan_decision *copy_decisions(const struct plan_decision *from, uint32_t n)
{
    struct plan_decision *copies = xmemdup(from, n * sizeof(*copies));

    for (uint32_t i = 0; i < n; i++) {
        struct plan_place *places = xmemdup(from[i].places, from[i].places_n * sizeof(*places));

        for (uint32_t p = 0; p < from[i].places_n; p++) {
            places[p].cpus = (struct bitset){ 0 };
            places[p].devices = (struct bitset){ 0 };
            bitset_copy(&places[p].cpus, &from[i].places[p].cpus);
            bitset_copy(&places[p].devices, &from[i].places[p].devices);
        }
        copies[i].places = places;
        copies[i].blockers =
            xmemdup(from[i].blockers, from[i].blockers_n * sizeof(*from[i].blockers));
    }
    return copies;
}

static void place_clear(struct plan_place *place)
{
    bitset_clear(&place->cpus);
    bitset_clear(&place->devices);
}

static void free_decisions(struct plan_decision *decisions, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        struct plan_place *places = (struct plan_place *)decisions[i].places;

        for (uint32_t p = 0; p < decisions[i].places_n; p++)
            place_clear(&places[p]);
        free(places);
        free((void *)decisions[i].blockers);
    }
    free(decisions);
}

/*
 * After a start the nodes come back one by one. Planning with the first of them would let small
 * jobs pass large ones that come before them, so it waits, but not long.
 */
static bool awaits_nodes(struct control *control, struct moment now)
{
    if (now.cluster_ms >= control->hold_ms)
        return false;
    for (uint32_t i = 0; i < control->model->nodes_n; i++) {
        const struct node *node = &control->model->nodes[i];

        if (node_is_known(node) && !node->online && !node->rec.down) {
            control_wake_at(control, control->hold_ms);
            return true;
        }
    }
    control->hold_ms = 0;
    return false;
}

bool control_schedule(struct control *control, struct moment now, uint32_t work, struct turn *turn)
{
    const struct plan_decision *decided = NULL;
    struct plan_decision *decisions;
    uint32_t n = 0;
    bool more;

    if (awaits_nodes(control, now))
        return false;
    if (control->planner_stale)
        feed_rebuild(control, now);
    more = planner_step(control->planner, now.cluster_ms, work, &decided, &n);
    control->diag.cycles += n > 0 || more;
    control->diag.cycle_depth_total += n;
    decisions = copy_decisions(decided, n);
    for (uint32_t i = 0; i < n; i++)
        take_decision(control, now, &decisions[i], turn);
    free_decisions(decisions, n);
    return more;
}

uint64_t control_passes(const struct control *control)
{
    return control->diag.cycles;
}
