/* What the planner promises about time, on random stories that are played on to their end. */
#include "unit/check_main.h"

#include <inttypes.h>

#include "unit/ctld/sched/proof/checker.h"
#include "unit/ctld/sched/proof/play.h"
#include "unit/ctld/sched/proof/trial.h"

#define TURNS_MAX 10000

static bool has_started(const struct play *play, uint32_t i)
{
    return play->fates[i].started_ms == play->now.now_ms;
}

/* On to the next moment at which something happens; false: there is none. */
static bool play_on(struct play *play)
{
    const int64_t leave = play_next_leave(play), wake = planner_wakes_at(play->planner);
    const int64_t next = leave < wake ? leave : wake;

    if (next == PLAN_NEVER)
        return false;
    play->now.now_ms = next > play->now.now_ms ? next : play->now.now_ms + 1;
    play_leave(play);
    play_pass(play);
    return true;
}

/* ---- a plan made is a plan kept ---- */

/* When each job is planned, by its id; PLAN_NEVER: not. The list is the caller's. */
static int64_t *plans_of(const struct play *play, uint32_t ids_n)
{
    int64_t *plans = xcalloc(ids_n, sizeof(*plans));

    for (uint32_t id = 0; id < ids_n; id++) {
        struct plan_decision decision;

        plans[id] = planner_look(play->planner, id, &decision) && decision.verdict == PLAN_LATER
                        ? decision.at_ms
                        : PLAN_NEVER;
    }
    return plans;
}

/* Those that just started do so when it was planned; strikes them out. */
static bool starts_are_planned(const struct play *play, int64_t *plans, struct strbuf *problem)
{
    for (uint32_t i = 0; i < play->now.jobs_n; i++) {
        const uint64_t id = play->jobs[i].id;

        if (!has_started(play, i))
            continue;
        if (plans[id] == PLAN_NEVER)
            return wrong(problem, "job %" PRIu64 " was not planned but starts at %lld", id,
                         (long long)play->now.now_ms);
        if (plans[id] != play->now.now_ms)
            return wrong(problem, "job %" PRIu64 " was planned at %lld but starts %s, at %lld", id,
                         (long long)plans[id], plans[id] < play->now.now_ms ? "later" : "earlier",
                         (long long)play->now.now_ms);
        plans[id] = PLAN_NEVER;
    }
    return true;
}

static bool nothing_is_left(const int64_t *plans, uint32_t ids_n, struct strbuf *problem)
{
    for (uint32_t id = 0; id < ids_n; id++) {
        if (plans[id] != PLAN_NEVER)
            return wrong(problem, "job %u was planned at %lld but never starts", id,
                         (long long)plans[id]);
    }
    return true;
}

/* Who is blocked by private pools has no place on nodes, and takes one when they let it. */
static bool has_limits(const struct plan_snapshot *snapshot)
{
    for (uint32_t i = 0; i < snapshot->pools_n; i++) {
        if (snapshot->pools[i].is_private)
            return true;
    }
    return false;
}

static bool plans_are_kept(const struct trial_moment *moment, struct strbuf *problem)
{
    AUTO(play) struct play play = play_new(&moment->after);
    const uint32_t ids_n = moment->sim->jobs_n + 1;
    AUTO_FREE int64_t *plans = NULL;
    bool holds = true;

    if (!moment->done || has_limits(&moment->after))
        return true;
    play_leave(&play); /* overdue ones: the plan can only guess when they go */
    play_pass(&play);
    plans = plans_of(&play, ids_n);
    for (uint32_t i = 0; holds && i < TURNS_MAX && play_on(&play); i++)
        holds = starts_are_planned(&play, plans, problem);
    return holds && nothing_is_left(plans, ids_n, problem);
}

START_TEST(a_plan_made_and_nothing_changed_is_a_plan_kept)
{
    trial_run(plans_are_kept, &(struct random_mix){ .lines = 40, .lasting = true },
              40000 + (uint64_t)_i * 1000, 120);
}
END_TEST

/* The nodes of a plan were more than the pool had left when a start behind it had taken some of
 * them, which count once. */
START_TEST(nodes_that_count_already_stay_planned)
{
    AUTO_FREE char *failure =
        trial_retell(plans_are_kept, "nodes=3x1x3x2 select=core,memory\n"
                                     "node 0: down\n"
                                     "node 2: weight=0\n"
                                     "pool nodes\n"
                                     "job j0: time=1 tasks=3\n"
                                     "job j1: priority=0 time=1 nodes=2\n"
                                     "job j2: priority=0 claims=0:1 tasks=3 cpus=2\n"
                                     "job j3: nodes=0-2\n"
                                     "resize 0 2\n"
                                     "job j8: priority=0 time=3 claims=0:1\n"
                                     "now 0\n");

    ck_assert_msg(!failure, "%s", failure);
}
END_TEST

/* ---- nothing starves ---- */

/* Whether its reservation may be over, too short, or never have been there; or another one always
 * comes soon. */
static bool may_wait_for_ever(const struct play *play, const struct plan_job *job)
{
    bool may = false;

    for (uint32_t i = 0; i < job->options_n; i++)
        may = may || job->options[i].reservation;
    for (uint32_t i = 0; i < play->now.reservations_n; i++)
        may = may || play->now.reservations[i].floats_ms;
    return may;
}

static bool claim_hangs_on_nodes(const struct play *play, const struct plan_claim *claim)
{
    return claim->of != PLAN_CLAIM_FIXED || (claim->pool < play->now.pools_n &&
                                             play->now.pools[claim->pool].kind == PLAN_POOL_NODES);
}

/* Whether a pool may let it have nodes that are down now, and none of those that are up: what it
 * claims hangs on them. */
static bool may_wait_for_nodes(const struct play *play, const struct plan_job *job)
{
    struct plan_decision decision;
    bool hangs_on_nodes = false, some_down = false;

    if (job->runs || !planner_look(play->planner, job->id, &decision) ||
        decision.why != PLAN_WHY_POOL)
        return false;

    for (uint32_t i = 0; i < job->options_n; i++) {
        for (uint32_t k = 0; k < job->options[i].claims_n; k++)
            hangs_on_nodes |= claim_hangs_on_nodes(play, &job->options[i].claims[k]);
    }
    for (uint32_t i = 0; i < play->now.nodes_n; i++)
        some_down |= !play->now.nodes[i].usable;
    return hangs_on_nodes && some_down;
}

/* Whether it waits so, or, where there is no backfill, for one that may. */
static bool waits_for_nodes(const struct play *play, const struct plan_job *job)
{
    bool waits = may_wait_for_nodes(play, job);

    for (uint32_t i = 0; i < play->now.jobs_n && !play->now.policy.backfill; i++)
        waits |= may_wait_for_nodes(play, &play->jobs[i]);
    return waits;
}

static bool may_stay(struct play *play, uint64_t id, struct strbuf *problem)
{
    const struct plan_job *job = play_job(play, id);
    struct plan_decision decision;

    if (!planner_look(play->planner, id, &decision))
        return wrong(problem, "job %" PRIu64 " is not planned, and nothing happens any more", id);
    if (decision.verdict == PLAN_NEVER_FITS || decision.why == PLAN_WHY_NODES_DOWN ||
        decision.why == PLAN_WHY_PARTITION_DOWN)
        return true;
    if (decision.why == PLAN_WHY_RESERVATION && may_wait_for_ever(play, job))
        return true;
    if (waits_for_nodes(play, job))
        return true;
    wrong(problem, "job %" PRIu64 " starves: ", id);
    decision_words(&decision, problem);
    reason_words(&decision, problem);
    return false;
}

static bool nothing_starves(const struct trial_moment *moment, struct strbuf *problem)
{
    AUTO(play) struct play play = play_new(&moment->before);
    uint32_t turns = 0;

    if (!moment->done)
        return true;
    play.early = true;
    play_pass(&play);
    while (turns < TURNS_MAX && play_on(&play))
        turns++;
    if (turns == TURNS_MAX)
        return wrong(problem, "the planner wakes again and again");
    for (uint32_t i = 0; i < play.now.jobs_n; i++) {
        if (!play.jobs[i].runs && !may_stay(&play, play.jobs[i].id, problem))
            return false;
    }
    return true;
}

START_TEST(every_job_that_fits_starts_once_no_more_come)
{
    trial_run(nothing_starves, &(struct random_mix){ .lines = 40 }, 50000 + (uint64_t)_i * 1000,
              120);
}
END_TEST

/* Each was found by chance: it waited for a pool that is too small for what it would get. */
static const char *const starving[] = {
    /* whole sockets */
    "nodes=1x1x2x2 select=socket\n"
    "pool total=0\n"
    "pool total=4\n"
    "job j5: claims=0:1/gpu,1:2/cpu\n"
    "now 0\n",
    "nodes=2x1x2x2 select=socket\n"
    "pool each\n"
    "pool total=4\n"
    "job j12: claims=1:1/cpu nodes=2\n"
    "now 0\n",
    /* nodes of a model of which there are fewer than it needs */
    "nodes=3x1x1x1\n"
    "node 0: gres=gpu::1@0-0\n"
    "node 1: gres=gpu::1@0-0\n"
    "pool ramp\n"
    "job j9: claims=0:1/gpu nodes=2 spare=0\n"
    "now 0\n",
    "nodes=2x1x1x2 select=core,lln\n"
    "node 0: counted\n"
    "pool private\n"
    "pool total=0\n"
    "resize 1 2\n"
    "job j13: claims=1:1/cpu nodes=2\n"
    "now 0\n",
    /* tasks that are not let share a core, or a socket */
    "nodes=1x2x1x2 select=core,memory,onetask\n"
    "pool ramp total=3\n"
    "job j17: time=1 claims=0:1/cpu per-node=2\n"
    "now 0\n",
    "nodes=1x2x1x2 select=core\n"
    "pool total=4\n"
    "job j1: time=1 claims=0:2/cpu per-socket=1 tasks=2\n"
    "now 0\n",
};

START_TEST(what_never_fits_a_pool_is_told_so)
{
    AUTO_FREE char *failure = trial_retell(nothing_starves, starving[_i]);

    ck_assert_msg(!failure, "%s", failure);
}
END_TEST

/* ---- nor does it while more come ---- */

/* Jobs come for ever, most of them narrow; each is gone when its time is over. */
START_TEST(no_job_waits_for_ever)
{
    struct chance chance = { .state = (uint64_t)_i };
    struct sim *sim = sim_new("nodes=4x1");
    sim_job(sim, "wide: nodes=4 time=5");

    for (int64_t now_s = 0; now_s < 60; now_s++) {
        AUTO_FREE char *line =
            xasprintf("j%lld: nodes=%u time=%u", (long long)now_s, 1 + chance_below(&chance, 2),
                      1 + chance_below(&chance, 9));

        sim_at(sim, now_s);
        for (uint32_t i = 0; i < sim->jobs_n; i++) {
            if (!sim->jobs[i].gone && sim->jobs[i].ask.runs &&
                sim->jobs[i].ask.end_ms <= sim->snapshot.now_ms)
                sim_end(sim, sim->jobs[i].name);
        }
        sim_job(sim, line);
        if (now_s == 20)
            sim_job(sim, "late: nodes=4 time=5");
        sim_pass(sim);
    }

    ck_assert(sim_find(sim, "wide")->ask.runs);
    ck_assert(sim_find(sim, "late")->ask.runs);
    sim_free(sim);
}
END_TEST

CHECK_MAIN(time, CASE(nodes_that_count_already_stay_planned),
           LOOP_CASE(a_plan_made_and_nothing_changed_is_a_plan_kept, 4),
           LOOP_CASE(every_job_that_fits_starts_once_no_more_come, 4),
           LOOP_CASE(what_never_fits_a_pool_is_told_so, (int)ARRAY_N(starving)),
           LOOP_CASE(no_job_waits_for_ever, 5))
