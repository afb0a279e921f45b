/* What is counted over time: pools that never bind cost nothing and change nothing. */
#include "unit/check_main.h"

#include "unit/ctld/sched/proof/play.h"
#include "unit/ctld/sched/proof/trial.h"

/* ---- pools that never bind ---- */

#define IDLE_CLAIMS 40

/* A snapshot whose jobs claim one of each of so many pools and nothing else. */
struct idle_pools {
    struct plan_snapshot snapshot;
    struct plan_pool pools[IDLE_CLAIMS];
    struct plan_claim claims[IDLE_CLAIMS];
    struct plan_job *jobs;
    struct plan_option *options; /* of all jobs */
};

/* More jobs cannot run at once: each has a cpu, which at most two share. */
static uint64_t jobs_at_once(const struct plan_snapshot *snapshot)
{
    uint64_t cpus = 0;

    for (uint32_t i = 0; i < snapshot->nodes_n; i++)
        cpus += snapshot->nodes[i].cpus;
    return 2 * cpus;
}

/* Every other pool is one that waiting jobs could use up, if all could run at once. */
static void idle_pools_init(struct idle_pools *idle, const struct plan_snapshot *from,
                            uint32_t claims_n)
{
    uint32_t n = 0;

    *idle = (struct idle_pools){ .snapshot = *from };
    for (uint32_t i = 0; i < claims_n; i++) {
        idle->pools[i].total = i % 2 ? UINT64_MAX : jobs_at_once(from) + 1;
        idle->claims[i] = (struct plan_claim){ .pool = i, .amount = 1 };
    }
    idle->jobs = xcalloc(from->jobs_n, sizeof(*idle->jobs));
    idle->options = xcalloc((size_t)from->jobs_n * 2, sizeof(*idle->options));
    for (uint32_t i = 0; i < from->jobs_n; i++) {
        idle->jobs[i] = from->jobs[i];
        idle->jobs[i].options = &idle->options[n];
        for (uint32_t j = 0; j < from->jobs[i].options_n; j++)
            idle->options[n++] = (struct plan_option){
                .partition = from->jobs[i].options[j].partition,
                .claims = idle->claims,
                .claims_n = claims_n,
            };
    }
    idle->snapshot.jobs = idle->jobs;
    idle->snapshot.pools = idle->pools;
    idle->snapshot.pools_n = claims_n;
}

static void idle_pools_clear(struct idle_pools *idle)
{
    free(idle->jobs);
    free(idle->options);
}

/* What becomes of all jobs in a while, and in how many steps of one unit. */
static void tell_on(const struct plan_snapshot *snapshot, uint32_t claims_n, struct strbuf *out,
                    uint64_t *ret_units)
{
    struct idle_pools idle;
    struct play play;

    idle_pools_init(&idle, snapshot, claims_n);
    play = play_new(&idle.snapshot);
    play.units = 1;
    play.early = true;
    *ret_units = 0;
    for (uint32_t i = 0; i < 6; i++) {
        const int64_t next_ms = play_next_leave(&play);

        do
            ++*ret_units;
        while (play_step(&play));
        play_words(&play, out);
        for (uint32_t j = 0; j < play.now.jobs_n; j++)
            play_tell(&play, play.jobs[j].id, out);
        if (next_ms == PLAN_NEVER || next_ms > snapshot->now_ms + 1000000)
            break;
        play.now.now_ms = next_ms > play.now.now_ms ? next_ms : play.now.now_ms;
        play_leave(&play);
    }
    play_clear(&play);
    idle_pools_clear(&idle);
}

static bool idle_pools_change_nothing(const struct trial_moment *moment, struct strbuf *problem)
{
    AUTO(strbuf) struct strbuf without = { 0 }, with = { 0 };
    uint64_t units_without, units_with;

    if (!moment->done)
        return true;
    tell_on(&moment->before, 0, &without, &units_without);
    tell_on(&moment->before, IDLE_CLAIMS, &with, &units_with);
    if (strcmp(strbuf_text(&without), strbuf_text(&with)) != 0)
        strbuf_addf(problem, "without claims:\n%s\nwith:\n%s", strbuf_text(&without),
                    strbuf_text(&with));
    else if (units_with * 5 > units_without * 6)
        strbuf_addf(problem, "%llu units of work with claims, %llu without",
                    (unsigned long long)units_with, (unsigned long long)units_without);
    return problem->len == 0;
}

START_TEST(pools_that_never_bind_change_no_decision)
{
    trial_run(idle_pools_change_nothing, &(struct random_mix){ .lines = 60 },
              100000 + (uint64_t)_i * 1000, 40);
}
END_TEST

START_TEST(nor_do_they_under_the_default_policy)
{
    trial_run(idle_pools_change_nothing, &(struct random_mix){ .lines = 60, .promises = true },
              105000 + (uint64_t)_i * 1000, 40);
}
END_TEST

CHECK_MAIN(pool, LOOP_CASE(pools_that_never_bind_change_no_decision, 2),
           LOOP_CASE(nor_do_they_under_the_default_policy, 2))
