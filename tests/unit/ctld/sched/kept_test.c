/*
 * A promise holds: a job that has a place under the default policy has none that is later after the
 * next pass, unless something was taken away (a node, a partition, a window, time from a limit), a
 * pool has given back (a ramp does as time passes), its own limits block it, or
 * a job before it in the order has come to a place, or to another one, and so takes precedence.
 */
#include "unit/check_main.h"

#include <inttypes.h>

#include "unit/ctld/sched/proof/checker.h"
#include "unit/ctld/sched/proof/play.h"
#include "unit/ctld/sched/proof/trial.h"

/* Where a job stands after the pass. */
struct stand {
    int64_t at_ms; /* PLAN_NEVER: it has no place */
    bool runs, moved;
};

static const struct sim_job *known(const struct trial_moment *moment, const struct plan_job *job)
{
    return &moment->sim->jobs[job->id - 1];
}

static struct stand stand_of(const struct trial_moment *moment, const struct plan_job *job)
{
    const struct sim_job *sim_job = known(moment, job);
    AUTO(strbuf) struct strbuf words = { 0 };
    struct stand stand = { .at_ms = PLAN_NEVER, .runs = sim_job->ask.runs };
    struct plan_decision decision;

    if (stand.runs) {
        stand.at_ms = sim_job->at_ms;
        places_words(sim_job->ask.places, sim_job->ask.places_n, &words);
    } else if (planner_look(moment->planner, job->id, &decision) && decision.places_n) {
        stand.at_ms = decision.at_ms;
        places_words(decision.places, decision.places_n, &words);
    }
    stand.moved = stand.at_ms != sim_job->place_ms ||
                  (sim_job->place && strcmp(strbuf_text(&words), sim_job->place) != 0);
    return stand;
}

static bool is_of_line(const struct plan_job *a, const struct plan_job *b)
{
    return a->options[0].partition == b->options[0].partition &&
           (a->shape.gres_n > 0) == (b->shape.gres_n > 0);
}

/* Its place may be beside the one of its line. */
static bool waits_for_pool(const struct trial_moment *moment, const struct plan_job *job)
{
    struct plan_decision decision;

    return planner_look(moment->planner, job->id, &decision) && decision.why == PLAN_WHY_POOL;
}

/*
 * Whether it takes precedence over what is behind it: where rank decides about starts too every job
 * does; else it is old, or no job of its line that has a place is before it.
 */
static bool is_entitled(const struct trial_moment *moment, const struct plan_job **jobs, uint32_t i)
{
    const struct plan_policy *policy = &moment->after.policy;

    if (policy->turn == PLAN_TURN_RANK ||
        moment->after.now_ms - jobs[i]->since_ms >= policy->plan_age_ms)
        return true;
    for (uint32_t before = 0; before < i; before++) {
        const struct stand stand = stand_of(moment, jobs[before]);

        if (is_of_line(jobs[before], jobs[i]) && !stand.runs && stand.at_ms != PLAN_NEVER &&
            !waits_for_pool(moment, jobs[before]))
            return false;
    }
    return true;
}

/* The jobs that waited after the last pass or have come since, by rank; some run by now. */
static const struct plan_job **waited(const struct trial_moment *moment, struct plan_job *copies,
                                      uint32_t *ret_n)
{
    struct plan_snapshot all = moment->after;

    for (uint32_t i = 0; i < all.jobs_n; i++) {
        copies[i] = all.jobs[i];
        copies[i].runs = known(moment, &copies[i])->ran;
    }
    all.jobs = copies;
    return jobs_by_rank(&all, ret_n);
}

/* Its own limits may block it: then it has no place. */
static bool has_limits(const struct trial_moment *moment, const struct plan_job *job)
{
    for (uint32_t i = 0; i < job->options[0].claims_n; i++) {
        const uint32_t pool = job->options[0].claims[i].pool;

        if (pool < moment->after.pools_n && moment->after.pools[pool].is_private)
            return true;
    }
    return false;
}

static bool promises_hold(const struct trial_moment *moment, struct strbuf *problem)
{
    const int64_t now_ms = moment->after.now_ms;
    AUTO_FREE struct plan_job *copies = xcalloc(moment->after.jobs_n, sizeof(*copies));
    uint32_t n;
    AUTO_FREE const struct plan_job **jobs = waited(moment, copies, &n);

    if (!moment->done || moment->sim->taken || moment->after.policy.plans_max != 1)
        return true;
    for (uint32_t i = 0; i < n; i++) {
        const struct sim_job *job = known(moment, jobs[i]);
        const struct stand stand = stand_of(moment, jobs[i]);

        if (job->place && stand.at_ms > job->place_ms && stand.at_ms > now_ms &&
            !has_limits(moment, jobs[i]))
            return wrong(problem, "job %" PRIu64 " was promised %lld, but now stands at %lld",
                         jobs[i]->id, (long long)job->place_ms, (long long)stand.at_ms);
        if (job->place ? stand.moved : stand.at_ms != PLAN_NEVER && is_entitled(moment, jobs, i))
            return true; /* those behind it have to give way */
    }
    return true;
}

/* A job that waited for a ramp waits for nodes once that has fallen; another one is promised these.
 */
START_TEST(a_ramp_that_falls_is_a_pool_that_gives_back)
{
    AUTO_FREE char *failure = trial_retell(promises_hold, "nodes=5x2x1x1 plans=1\n"
                                                          "node 1: down\n"
                                                          "pool total=0\n"
                                                          "pool ramp total=47\n"
                                                          "job j7: time=2 claims=0:0,1:1\n"
                                                          "node 0 down\n"
                                                          "now 44989\n"
                                                          "job j26: time=1 tasks=3 cpus=2\n"
                                                          "job j27: time=23 claims=0:0/gpu,1:2\n"
                                                          "now 0\n"
                                                          "now 46656\n");

    ck_assert_msg(!failure, "%s", failure);
}
END_TEST

START_TEST(a_promise_holds_unless_something_is_taken_away)
{
    trial_run(promises_hold, &(struct random_mix){ .lines = 80, .promises = true },
              90000 + (uint64_t)_i * 1000, 200);
}
END_TEST

START_TEST(the_same_holds_on_tiny_clusters)
{
    trial_run(promises_hold, &(struct random_mix){ .lines = 60, .promises = true, .tiny = true },
              95000 + (uint64_t)_i * 1000, 400);
}
END_TEST

CHECK_MAIN(kept, CASE(a_ramp_that_falls_is_a_pool_that_gives_back),
           LOOP_CASE(a_promise_holds_unless_something_is_taken_away, 4),
           LOOP_CASE(the_same_holds_on_tiny_clusters, 4))
