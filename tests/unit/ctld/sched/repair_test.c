#include "unit/check_main.h"

#include "unit/ctld/sched/random.h"

static bool is_same(const struct sim_job *a, const struct sim_job *b)
{
    return a->verdict == b->verdict && a->why == b->why && a->at_ms == b->at_ms &&
           a->memory_mb == b->memory_mb && strcmp(a->places, b->places) == 0;
}

/* What a planner that is built anew from the cluster as it is now says about a job. */
static void assert_same(const struct sim *sim, const struct sim *fresh, uint32_t i)
{
    const struct sim_job *job = &sim->jobs[i], *other = &fresh->jobs[i];

    ck_assert_msg(is_same(job, other),
                  "%s: verdict %d, why %d, at %lld ms on '%s'; rebuilt: %d, %d, %lld ms on '%s' "
                  "after\n%s",
                  job->name, (int)job->verdict, (int)job->why, (long long)job->at_ms, job->places,
                  (int)other->verdict, (int)other->why, (long long)other->at_ms, other->places,
                  strbuf_text(&sim->story));
}

static void assert_equals_rebuild(struct sim *sim)
{
    struct plan_snapshot snapshot = sim_snapshot(sim);
    struct sim *fresh = xcalloc(1, sizeof(*fresh));
    const struct plan_decision *decisions;
    uint32_t n;

    fresh->planner = planner_new();
    memcpy(fresh->jobs, sim->jobs, sizeof(fresh->jobs));
    planner_rebuild(fresh->planner, &snapshot);
    ck_assert(!planner_step(fresh->planner, snapshot.now_ms, UINT32_MAX, &decisions, &n));
    for (uint32_t i = 0; i < n; i++)
        ck_assert_int_eq(decisions[i].verdict, PLAN_NEVER_FITS);
    for (uint32_t i = 0; i < sim->jobs_n; i++)
        fresh->jobs[i].told = false;
    sim_look(sim, fresh->planner, fresh->jobs);
    for (uint32_t i = 0; i < sim->jobs_n; i++) {
        if (sim->jobs[i].gone || sim->jobs[i].ask.runs)
            continue;
        ck_assert(fresh->jobs[i].told);
        assert_same(sim, fresh, i);
    }
    planner_free(fresh->planner);
    free(fresh);
    free((void *)snapshot.jobs);
}

static void change_and_compare(uint64_t seed, bool backfill)
{
    struct chance chance = { .state = seed };
    struct sim *sim = random_cluster(&chance, backfill);

    for (uint32_t round = 0; round < 12; round++) {
        for (uint32_t i = chance_below(&chance, 6); i > 0; i--) {
            random_change(sim, &chance);
            if (chance_hits(&chance, 3))
                sim_step(sim, chance_below(&chance, 5));
        }
        sim_pass(sim);
        assert_equals_rebuild(sim);
    }
    sim_free(sim);
}

START_TEST(changes_end_in_the_plan_of_a_rebuild)
{
    for (uint64_t i = 0; i < 150; i++)
        change_and_compare((uint64_t)_i * 1000 + i, i % 4 != 0);
}
END_TEST

CHECK_MAIN(repair, LOOP_CASE(changes_end_in_the_plan_of_a_rebuild, 4))
