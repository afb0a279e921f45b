/*
 * A round of the jobs that were put off: each that may start now is tried, by turn. Groups of which
 * it is known that they cannot start are not looked at; what their jobs are told is what they were.
 */
#include "ctld/sched/state.h"

/* No job of the group can start now. */
static bool is_vain(struct planner *planner, const struct turn_group *group)
{
    const struct sched_job *job = group->jobs[0];

    if (!group->family->shares || limits_count_tries(&planner->limits))
        return false;
    for (uint32_t i = 0; i < job->options_n; i++) {
        const struct sched_option *option = &job->options[i];

        if (plan_is_open(planner->plan, option) &&
            plan_vain_until(planner->plan, option->kind, length_planned(job->duration_ms),
                            planner->now_ms) <= planner->now_ms)
            return false;
    }
    return true;
}

static void doubt_family(struct turns *turns, const struct turn_family *family)
{
    for (uint32_t i = 0; i < family->n; i++) {
        for (uint32_t j = 0; j < family->groups[i]->n; j++)
            turns_doubt(turns, family->groups[i]->jobs[j]);
    }
}

/* The shorter ones first: where one is in vain, the longer ones are. */
static void enter_family(struct planner *planner, const struct turn_family *family)
{
    for (uint32_t i = 0; i < family->n && !is_vain(planner, family->groups[i]); i++)
        turns_enter(&planner->turns, family->groups[i], true);
}

static void begin(struct planner *planner)
{
    struct turns *turns = &planner->turns;

    turns_begin(turns, planner->now_ms);
    for (struct turn_family *family = turns->families; family; family = family->hh.next) {
        if (planner->doubts_all)
            doubt_family(turns, family);
        enter_family(planner, family);
    }
    planner->doubts_all = false;
    planner->round_begun = true;
    planner->round_done = false;
}

/* A group is gone with its last job. */
static bool try_first(struct planner *planner, struct turn_group *group, uint32_t *units)
{
    struct sched_job *job = turn_job(group);
    const bool is_last = group->n == 1;
    struct plan_outcome outcome;

    if (!pass_try(planner, job, units, &outcome))
        return false;
    turns_leave(&planner->turns);
    pass_settle(planner, job, &outcome);
    if (job->runs && is_last)
        return true;
    group->next += !job->runs;
    turns_enter(&planner->turns, group, false);
    return true;
}

/* It cannot start, or its group had been tried already. */
static void settle_untried(struct planner *planner, uint32_t *units)
{
    struct sched_job *job = planner->turns.untried[0];
    const struct plan_outcome outcome = plan_stays(planner->plan, job, planner->now_ms);

    pass_settle(planner, job, &outcome);
    pass_spend_little(planner, units);
}

bool round_next(struct planner *planner, uint32_t *units)
{
    struct turn_group *group;

    if (!planner->round_begun) {
        begin(planner);
        return true;
    }
    group = turns_first(&planner->turns);
    if (!group && planner->turns.untried_n == 0) {
        planner->round_done = true;
    } else if (!group) {
        settle_untried(planner, units);
    } else if (is_vain(planner, group)) {
        turns_leave(&planner->turns);
        pass_spend_little(planner, units);
    } else {
        return try_first(planner, group, units);
    }
    return true;
}
