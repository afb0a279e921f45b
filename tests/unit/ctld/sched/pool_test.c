/* What is counted over time: pools that never bind cost nothing and change nothing. */
#include "unit/check_main.h"

#include "ctld/sched/future/job.h"
#include "unit/ctld/sched/proof/play.h"
#include "unit/ctld/sched/proof/trial.h"

/* ---- pools that never bind ---- */

#define IDLE_CLAIMS 40
#define IDLE_NODES  7  /* the first of them count nodes, */
#define IDLE_RAMPS  13 /* the last are ramps */
#define LONGEST_S   61 /* no job has longer than that */
#define FEW_UNITS   8  /* may be spent on looking again at what was given back */

/* A snapshot whose jobs claim one of each of so many pools and nothing else. */
struct idle_pools {
    struct plan_snapshot snapshot;
    struct plan_pool pools[IDLE_CLAIMS];
    struct plan_claim claims[IDLE_CLAIMS];
    struct plan_reservation reservations[SIM_RESERVATIONS]; /* that claim nothing */
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
static struct plan_pool idle_pool(const struct plan_snapshot *from, uint32_t i)
{
    const bool is_ramp = i >= IDLE_CLAIMS - IDLE_RAMPS;

    if (i < IDLE_NODES)
        return (struct plan_pool){
            .kind = PLAN_POOL_NODES,
            .total = from->nodes_n + i % 2,
            .is_private = i % 3 == 2,
        };
    return (struct plan_pool){
        .kind = is_ramp ? PLAN_POOL_RAMP : PLAN_POOL_SUM,
        .total = i % 2 ? UINT64_MAX : (jobs_at_once(from) + 1) * (is_ramp ? LONGEST_S : 1),
        .is_private = i % 3 == 2,
    };
}

/* A job without limit fits no ramp; nor does one that was cut short where plans end, which is as
 * good as none. */
static uint32_t idle_claims_n(const struct plan_job *job, uint32_t claims_n)
{
    const bool has_limit = job->runs ? job->end_ms < END_HORIZON : job->duration_ms != PLAN_NEVER;

    return claims_n && !has_limit ? claims_n - IDLE_RAMPS : claims_n;
}

static void idle_pools_init(struct idle_pools *idle, const struct plan_snapshot *from,
                            uint32_t claims_n)
{
    uint32_t n = 0;

    *idle = (struct idle_pools){ .snapshot = *from };
    for (uint32_t i = 0; i < claims_n; i++) {
        idle->pools[i] = idle_pool(from, i);
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
                .claims_n = idle_claims_n(&from->jobs[i], claims_n),
            };
    }
    for (uint32_t i = 0; i < from->reservations_n; i++) {
        idle->reservations[i] = from->reservations[i];
        idle->reservations[i].claims_n = 0;
    }
    idle->snapshot.reservations = idle->reservations;
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
        for (uint32_t j = 0; j < play.now.jobs_n; j++) {
            play_tell(&play, play.jobs[j].id, out);
            strbuf_addc(out, '\n');
        }
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
    if (words_are_same(&without, &with, "with claims", problem) &&
        units_with * 5 > (units_without + FEW_UNITS) * 6)
        strbuf_addf(problem, "%llu units of work with claims, %llu without",
                    (unsigned long long)units_with, (unsigned long long)units_without);
    return problem->len == 0;
}

/* A job whose time was cut short where plans end is as good as one without limit. */
START_TEST(a_job_of_the_longest_time_claims_of_no_ramp)
{
    AUTO_FREE char *failure =
        trial_retell(idle_pools_change_nothing, "nodes=2x2x1x2 select=cpu,memory\n"
                                                "node 0: counted\n"
                                                "job j6: priority=0 time=1 on=1 mem=1\n"
                                                "job j7: nodes=0-2\n"
                                                "job j10: time=1\n"
                                                "job j11: time=1 tasks=6\n"
                                                "job j12: time-min=1\n"
                                                "now 0\n"
                                                "now 0\n");

    ck_assert_msg(!failure, "%s", failure);
}
END_TEST

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

/* ---- private pools ---- */

/* Private pools keep it from starting. */
static bool is_blocked(const struct play *play, const struct plan_job *job)
{
    struct plan_decision decision;

    return !job->runs && planner_look(play->planner, job->id, &decision) &&
           decision.verdict != PLAN_NEVER_FITS && decision.why == PLAN_WHY_POOL &&
           play->now.pools[decision.pool].is_private && decision.places_n == 0;
}

static bool is_among(const struct plan_job *const *jobs, uint32_t n, uint64_t id)
{
    for (uint32_t i = 0; i < n; i++) {
        if (jobs[i]->id == id)
            return true;
    }
    return false;
}

/* Not of the user of any of these jobs. */
static bool is_of_another(const struct plan_job *job, const struct plan_job *const *blocked,
                          uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        if (blocked[i]->uid == job->uid)
            return false;
    }
    return true;
}

/* What becomes of each job of another user is the same without the jobs that their own limits
 * block.
 */
static bool blocked_jobs_change_nothing(const struct trial_moment *moment, struct strbuf *problem)
{
    AUTO(play) struct play with = play_new(&moment->before);
    AUTO(play) struct play without = play_new(&moment->before);
    AUTO_FREE const struct plan_job **blocked = xcalloc(with.now.jobs_n, sizeof(*blocked));
    AUTO_FREE const struct plan_job **left = xcalloc(with.now.jobs_n, sizeof(*left));
    uint32_t n = 0;

    if (!moment->done || (with.now.policy.limits_stop && !with.now.policy.backfill))
        return true; /* there who is blocked has its turn in the line all the same */
    play_pass(&with);
    for (uint32_t i = 0; i < with.now.jobs_n; i++) {
        if (!is_blocked(&with, &with.jobs[i]))
            continue;
        blocked[n] = &with.jobs[i];
        left[n++] = play_job(&without, with.jobs[i].id);
    }
    for (uint32_t i = n; i > 0; i--) /* from the end: the list of jobs closes up */
        play_without(&without, &left[i - 1], 1);
    play_pass(&without);
    for (uint32_t i = 0; i < with.now.jobs_n; i++) {
        const struct plan_job *job = &with.jobs[i];
        AUTO(strbuf) struct strbuf one = { 0 }, other = { 0 };

        if (is_among(blocked, n, job->id))
            continue;
        play_tell(&with, job->id, &one);
        play_tell(&without, job->id, &other);
        if (strcmp(strbuf_text(&one), strbuf_text(&other)) != 0 && is_of_another(job, blocked, n))
            strbuf_addf(problem, "job %llu: %s; without blocked jobs: %s\n",
                        (unsigned long long)job->id, strbuf_text(&one), strbuf_text(&other));
    }
    return problem->len == 0;
}

START_TEST(who_is_blocked_by_its_own_limit_changes_no_start_of_others)
{
    trial_run(blocked_jobs_change_nothing, &(struct random_mix){ .lines = 60 },
              110000 + (uint64_t)_i * 1000, 100);
}
END_TEST

START_TEST(nor_under_the_default_policy)
{
    trial_run(blocked_jobs_change_nothing, &(struct random_mix){ .lines = 60, .promises = true },
              115000 + (uint64_t)_i * 1000, 100);
}
END_TEST

/* ---- by example ---- */

START_TEST(who_waits_for_a_pool_leaves_the_place_of_its_line_to_others)
{
    struct sim *sim = sim_new("nodes=4x4 select=core plans=1 lines stretched");

    sim_pool(sim, "total=1");
    sim_job(sim, "holds: tasks=1 time=1000 claims=0:1 running");
    sim_job(sim, "run: nodes=3 exclusive time=100 running");
    sim_job(sim, "wants: tasks=1 time=10 claims=0:1");
    sim_job(sim, "wide: tasks=15 time=10");
    sim_job(sim, "more: tasks=1 time=10 claims=0:1");

    sim_pass(sim);

    ck_assert_str_eq(sim_why(sim, "wants"), "Pool");
    ck_assert_uint_eq(sim_find(sim, "wants")->blockers[0], sim_find(sim, "holds")->ask.id);
    ck_assert_int_eq(sim_start_of(sim, "wants"), 1000);
    ck_assert_int_eq(sim_start_of(sim, "wide"), 100);
    ck_assert_int_eq(sim_start_of(sim, "more"), SIM_WAITS);
    sim_free(sim);
}
END_TEST

START_TEST(the_first_that_a_private_pool_blocks_is_told_when_and_holds_no_nodes)
{
    struct sim *sim = sim_new("nodes=2x4 select=core");

    sim_pool(sim, "total=1 private");
    sim_job(sim, "run: tasks=1 time=100 user=1 claims=0:1 running");
    sim_job(sim, "first: nodes=1 exclusive time=50 user=1 claims=0:1");
    sim_job(sim, "second: tasks=1 time=50 user=1 claims=0:1");
    sim_job(sim, "never: tasks=1 time=50 user=1 claims=0:2");
    sim_job(sim, "other: nodes=1 exclusive time=1000 user=2");

    sim_pass(sim);

    ck_assert_int_eq(sim_start_of(sim, "first"), 100);
    ck_assert(sim_find(sim, "first")->forecast);
    ck_assert_uint_eq(sim_find(sim, "first")->nodes_n, 0);
    ck_assert_uint_eq(sim_find(sim, "first")->blockers[0], sim_find(sim, "run")->ask.id);
    ck_assert_int_eq(sim_start_of(sim, "second"), SIM_WAITS);
    ck_assert_uint_eq(sim_find(sim, "second")->blockers_n, 2);
    ck_assert_uint_eq(sim_find(sim, "second")->lacks, 0);
    ck_assert_int_eq(sim_find(sim, "never")->verdict, PLAN_NEVER_FITS);
    ck_assert_uint_eq(sim_find(sim, "never")->blockers_n, 0);
    ck_assert(sim_runs(sim, "other"));
    sim_free(sim);
}
END_TEST

/* Where two fit at a time they do, and one that needs both goes behind them. */
START_TEST(each_that_a_private_pool_blocks_has_a_place_in_the_forecast)
{
    struct sim *sim = sim_new("nodes=2x4 select=core plans=1 in-queue beside");

    sim_pool(sim, "total=2 private");
    sim_job(sim, "a: tasks=1 time=100 user=1 claims=0:1 running");
    sim_job(sim, "b: tasks=1 time=60 user=1 claims=0:1 running");
    sim_job(sim, "c: tasks=1 time=70 user=1 claims=0:1");
    sim_job(sim, "d: tasks=1 time=50 user=1 claims=0:1");
    sim_job(sim, "both: tasks=1 time=50 user=1 claims=0:2");
    sim_job(sim, "e: tasks=1 time=10 user=1 claims=0:1");

    sim_pass(sim);

    ck_assert_int_eq(sim_start_of(sim, "c"), 60);
    ck_assert_int_eq(sim_start_of(sim, "d"), SIM_WAITS);
    ck_assert_int_eq(sim_forecast_start_of(sim, "c"), 60);
    ck_assert_int_eq(sim_forecast_start_of(sim, "d"), 100);
    ck_assert_int_eq(sim_forecast_start_of(sim, "both"), 150);
    ck_assert_int_eq(sim_forecast_start_of(sim, "e"), 130);
    sim_free(sim);
}
END_TEST

/* Its limit is not used up yet: it is by the job that waits for nodes. */
START_TEST(the_forecast_has_a_place_for_one_that_a_planned_job_blocks)
{
    struct sim *sim = sim_new("nodes=1x4 select=core plans=1 in-queue beside");

    sim_pool(sim, "total=1 private");
    sim_job(sim, "wide: tasks=4 time=100 user=2 running");
    sim_job(sim, "first: tasks=4 time=50 user=1 claims=0:1");
    sim_job(sim, "second: tasks=1 time=50 user=1 claims=0:1");
    sim_job(sim, "third: tasks=1 time=50 user=1 claims=0:1");

    sim_pass(sim);

    ck_assert_int_eq(sim_forecast_start_of(sim, "first"), 100);
    ck_assert_int_eq(sim_forecast_start_of(sim, "second"), 150);
    ck_assert_int_eq(sim_forecast_start_of(sim, "third"), 200);
    sim_free(sim);
}
END_TEST

START_TEST(the_forecast_moves_up_when_a_job_goes_that_waits_before)
{
    struct sim *sim = sim_new("nodes=2x4 select=core plans=1 in-queue beside");

    sim_pool(sim, "total=1 private");
    sim_job(sim, "a: tasks=1 time=100 user=1 claims=0:1 running");
    sim_job(sim, "b: tasks=1 time=60 user=1 claims=0:1");
    sim_job(sim, "c: tasks=1 time=60 user=1 claims=0:1");
    sim_job(sim, "d: tasks=1 time=60 user=1 claims=0:1");
    sim_pass(sim);
    ck_assert_int_eq(sim_forecast_start_of(sim, "d"), 220);

    sim_end(sim, "b");
    sim_pass(sim);
    ck_assert_int_eq(sim_forecast_start_of(sim, "c"), 100);
    ck_assert_int_eq(sim_forecast_start_of(sim, "d"), 160);

    sim_resize(sim, 0, 2);
    sim_pass(sim);

    ck_assert(sim_runs(sim, "c"));
    ck_assert_int_eq(sim_forecast_start_of(sim, "d"), 60);
    sim_free(sim);
}
END_TEST

START_TEST(a_raised_total_lets_jobs_start_at_once)
{
    struct sim *sim = sim_new("nodes=2x4 select=core");

    sim_pool(sim, "total=1 private");
    sim_job(sim, "run: tasks=1 time=100 claims=0:1 running");
    sim_job(sim, "a: tasks=1 time=50 claims=0:1");
    sim_pass(sim);
    ck_assert(!sim_runs(sim, "a"));

    sim_resize(sim, 0, 2);
    sim_pass(sim);

    ck_assert(sim_runs(sim, "a"));
    sim_free(sim);
}
END_TEST

/* An operator takes licences away from a running job: then there are enough for all, and the pool
 * is not watched any more. Nothing else is given back that the other job could use. */
START_TEST(what_a_running_job_gives_back_lets_others_start)
{
    static const struct plan_claim less = { .pool = 0, .amount = 3 };
    struct sim *sim = sim_new("nodes=2x4 select=core");
    struct plan_snapshot snapshot;
    struct plan_job holds;
    struct plan_option option;

    sim_node(sim, "1: features=x");
    sim_pool(sim, "total=10");
    sim_job(sim, "holds: tasks=1 on=0 time=100 claims=0:10 running");
    sim_job(sim, "wants: tasks=1 features=x time=10 claims=0:2");
    sim_pass(sim);
    ck_assert(!sim_runs(sim, "wants"));

    snapshot = sim_snapshot(sim);
    holds = snapshot.jobs[0];
    option = holds.options[0];
    option.claims = &less;
    holds.options = &option;
    planner_apply(sim->planner, snapshot.now_ms,
                  &(struct plan_change){ .kind = PLAN_JOB_ADDED, .job = &holds });
    sim_pass(sim);

    ck_assert(sim_runs(sim, "wants"));
    free((void *)snapshot.jobs);
    sim_free(sim);
}
END_TEST

START_TEST(a_gate_lets_nobody_pass_before_it_opens)
{
    struct sim *sim = sim_new("nodes=2x4 select=core");

    sim_pool(sim, "gate opens=60 private");
    sim_job(sim, "a: nodes=2 exclusive time=50 claims=0:1");
    sim_job(sim, "b: nodes=2 exclusive time=500");
    sim_pass(sim);
    ck_assert_int_eq(sim_start_of(sim, "a"), 60);
    ck_assert(sim_runs(sim, "b"));
    ck_assert_int_eq(planner_wakes_at(sim->planner), 60000);

    sim_at(sim, 60);
    sim_pass(sim);

    ck_assert_int_eq(sim_start_of(sim, "a"), 500);
    sim_free(sim);
}
END_TEST

START_TEST(a_ramp_gives_back_while_jobs_run)
{
    struct sim *sim = sim_new("nodes=4x4 select=core");

    sim_pool(sim, "ramp total=100 private");
    sim_job(sim, "run: tasks=1 time=30 claims=0:2 running");
    sim_job(sim, "first: tasks=1 time=35 claims=0:2");
    sim_job(sim, "second: tasks=1 time=20 claims=0:2");
    sim_job(sim, "short: tasks=1 time=20 claims=0:1");
    sim_pass(sim);

    /* 2 * (30 - t) + 2 * 35 = 100 */
    ck_assert_int_eq(sim_find(sim, "first")->at_ms, 15000);
    ck_assert(sim_find(sim, "first")->forecast);
    ck_assert_uint_eq(sim_find(sim, "first")->blockers[0], sim_find(sim, "run")->ask.id);
    ck_assert_str_eq(sim_why(sim, "second"), "Pool");
    ck_assert_int_eq(sim_start_of(sim, "second"), SIM_WAITS);
    ck_assert(!sim_runs(sim, "short"));
    ck_assert_int_eq(planner_wakes_at(sim->planner), 15000);

    sim_at(sim, 15);
    sim_pass(sim);

    ck_assert(sim_runs(sim, "first"));
    sim_free(sim);
}
END_TEST

START_TEST(a_moment_between_steps_is_rounded_up)
{
    struct sim *sim = sim_new("nodes=4x4 select=core");

    sim_pool(sim, "ramp total=100");
    sim_job(sim, "run: tasks=1 time=30 claims=0:3 running");
    sim_job(sim, "next: tasks=1 time=15 claims=0:1");
    sim_pass(sim);

    /* 3 * (30 - t) + 15 = 100 */
    ck_assert_int_eq(sim_find(sim, "next")->at_ms, 1667);
    ck_assert(!sim_find(sim, "next")->forecast);
    sim_free(sim);
}
END_TEST

START_TEST(a_job_without_limit_never_fits_a_ramp)
{
    struct sim *sim = sim_new("nodes=4x4 select=core");

    sim_pool(sim, "total=5");
    sim_pool(sim, "ramp total=100");
    sim_job(sim, "endless: tasks=1 claims=0:1,1:1");
    sim_job(sim, "long: tasks=1 time=101 claims=1:1");
    sim_job(sim, "nothing: tasks=1 claims=1:0");
    sim_pass(sim);

    ck_assert_str_eq(sim_why(sim, "endless"), "NeverFits");
    ck_assert_int_eq(sim_find(sim, "endless")->why, PLAN_WHY_POOL);
    ck_assert_uint_eq(sim_find(sim, "endless")->pool, 1);
    ck_assert_str_eq(sim_why(sim, "long"), "NeverFits");
    ck_assert(sim_runs(sim, "nothing"));
    sim_free(sim);
}
END_TEST

START_TEST(a_ramp_is_enough_for_what_is_planned_later)
{
    struct sim *sim = sim_new("nodes=2x1 select=core");

    sim_pool(sim, "ramp total=50");
    sim_job(sim, "run: tasks=1 time=20 running");
    sim_job(sim, "wide: nodes=2 time=40 claims=0:1");
    sim_job(sim, "long: tasks=1 time=31 claims=0:1");
    sim_job(sim, "thin: tasks=1 time=20 claims=0:1");
    sim_pass(sim);

    ck_assert_int_eq(sim_start_of(sim, "wide"), 20);
    ck_assert(sim_runs(sim, "thin")); /* it has given back all by then */
    ck_assert_int_eq(sim_find(sim, "long")->at_ms, 60000);
    sim_free(sim);
}
END_TEST

START_TEST(an_end_that_comes_earlier_gives_back_of_a_ramp)
{
    struct sim *sim = sim_new("nodes=4x4 select=core");

    sim_pool(sim, "ramp total=100 private");
    sim_job(sim, "run: tasks=1 time=100 claims=0:1 running");
    sim_job(sim, "next: tasks=1 time=50 claims=0:1");
    sim_pass(sim);
    ck_assert_int_eq(sim_start_of(sim, "next"), 50);

    sim_find(sim, "run")->ask.end_ms = 50000;
    sim_apply(sim, (struct plan_change){ .kind = PLAN_JOB_END, .id = 1, .end_ms = 50000 });
    sim_pass(sim);

    ck_assert(sim_runs(sim, "next"));
    sim_free(sim);
}
END_TEST

/* So much that sums of 64 bits would overflow. */
START_TEST(a_ramp_counts_memory_for_years)
{
    struct sim *sim = sim_new("nodes=4x4 select=core");

    sim_pool(sim, "ramp total=9000000000000000000 private");
    sim_job(sim, "run: tasks=1 time=315360000 claims=0:17179869184 running");
    sim_job(sim, "next: tasks=1 time=315360000 claims=0:17179869184");
    sim_pass(sim);

    ck_assert_str_eq(sim_why(sim, "next"), "Pool");
    ck_assert_int_eq(sim_find(sim, "next")->at_ms, 106851051779);
    sim_free(sim);
}
END_TEST

START_TEST(a_node_counts_once_however_many_jobs_have_it)
{
    struct sim *sim = sim_new("nodes=3x4 select=core");

    sim_node(sim, "2: weight=0"); /* it would be preferred */
    sim_pool(sim, "nodes total=1 private");
    sim_job(sim, "a: tasks=2 on=0 time=100 user=1 claims=0:1 running");
    sim_job(sim, "b: tasks=1 time=200 user=1 claims=0:1");
    sim_job(sim, "c: tasks=2 time=50 user=1 claims=0:1");
    sim_job(sim, "other: tasks=4 time=1000 user=2");
    sim_pass(sim);

    ck_assert_str_eq(sim_places(sim, "a"), "0:0-1");
    ck_assert_str_eq(sim_places(sim, "b"), "0:2");
    ck_assert_int_eq(sim_start_of(sim, "c"), 100); /* on that node, when it has room */
    ck_assert_str_eq(sim_places(sim, "c"), "0:0-1");
    ck_assert_str_eq(sim_why(sim, "c"), "Pool");
    ck_assert(sim_runs(sim, "other"));
    sim_free(sim);
}
END_TEST

START_TEST(as_many_other_nodes_as_are_left_come_beside_those_that_count_already)
{
    struct sim *sim = sim_new("nodes=4x4 select=core");

    sim_pool(sim, "nodes total=3 private");
    sim_job(sim, "a: nodes=2 tasks=4 on=2-3 time=100 claims=0:1 running");
    sim_job(sim, "b: nodes=3 tasks=3 per-node=1 time=50 claims=0:1");
    sim_pass(sim);

    ck_assert_str_eq(sim_places(sim, "b"), "0:0 2:3 3:1");
    ck_assert(sim_runs(sim, "b"));
    sim_free(sim);
}
END_TEST

START_TEST(who_needs_other_nodes_than_are_left_waits_in_the_pool)
{
    struct sim *sim = sim_new("nodes=6x4 select=core");

    sim_pool(sim, "nodes total=3 private");
    sim_job(sim, "a: nodes=1 exclusive time=100 user=1 claims=0:1 running");
    sim_job(sim, "b: nodes=2 exclusive time=200 user=1 claims=0:1 running");
    sim_job(sim, "c: nodes=1 exclusive time=50 user=1 claims=0:1");
    sim_job(sim, "d: tasks=1 time=50 user=1 claims=0:1");
    sim_job(sim, "wide: nodes=3 exclusive time=500 user=2");
    sim_pass(sim);

    ck_assert_int_eq(sim_start_of(sim, "c"), 100);
    ck_assert(sim_find(sim, "c")->forecast);
    ck_assert_uint_eq(sim_find(sim, "c")->nodes_n, 0);
    ck_assert_int_eq(sim_start_of(sim, "d"), SIM_WAITS);
    ck_assert(sim_runs(sim, "wide"));
    sim_free(sim);
}
END_TEST

START_TEST(a_job_on_more_nodes_than_the_pool_has_never_fits)
{
    struct sim *sim = sim_new("nodes=4x4 select=core");

    sim_pool(sim, "nodes total=2");
    sim_job(sim, "nodes: nodes=3 time=10 claims=0:1");
    sim_job(sim, "tasks: tasks=9 time=10 claims=0:1");
    sim_job(sim, "fits: tasks=8 time=10 claims=0:1");
    sim_pass(sim);

    ck_assert_str_eq(sim_why(sim, "nodes"), "NeverFits");
    ck_assert_int_eq(sim_find(sim, "nodes")->why, PLAN_WHY_POOL);
    ck_assert_str_eq(sim_why(sim, "tasks"), "NeverFits");
    ck_assert(sim_runs(sim, "fits"));
    ck_assert_uint_eq(sim_find(sim, "fits")->nodes_n, 2);
    sim_free(sim);
}
END_TEST

START_TEST(a_node_that_is_given_back_counts_no_more)
{
    struct sim *sim = sim_new("nodes=4x4 select=core");

    sim_pool(sim, "nodes total=2");
    sim_job(sim, "a: nodes=2 exclusive time=100 claims=0:1 running");
    sim_job(sim, "b: nodes=1 exclusive time=50 claims=0:1");
    sim_pass(sim);
    ck_assert_int_eq(sim_start_of(sim, "b"), 100);

    sim_release(sim, "a", 0);
    sim_pass(sim);

    ck_assert(sim_runs(sim, "b"));
    sim_free(sim);
}
END_TEST

START_TEST(a_whole_node_counts_with_all_its_cpus)
{
    struct sim *sim = sim_new("nodes=3x8 select=core");

    sim_pool(sim, "total=16 private");
    sim_job(sim, "a: nodes=1 tasks=1 exclusive time=100 user=1 claims=0:1/cpu running");
    sim_job(sim, "b: tasks=3 time=60 user=1 claims=0:1/cpu running");
    sim_job(sim, "c: nodes=1 tasks=1 exclusive time=50 user=1 claims=0:1/cpu");
    sim_job(sim, "d: nodes=1 exclusive time=5 user=1 claims=0:3/node,0:1");
    sim_pass(sim);

    ck_assert_int_eq(sim_start_of(sim, "c"), 60);
    ck_assert(sim_find(sim, "c")->forecast);
    ck_assert_str_eq(sim_why(sim, "c"), "Pool");
    ck_assert(sim_runs(sim, "d"));
    sim_free(sim);
}
END_TEST

START_TEST(of_nodes_of_two_sizes_those_are_taken_that_the_pool_has_enough_for)
{
    struct sim *sim = sim_new("nodes=3x8 select=core,memory");

    sim_node(sim, "0: mem=4000 weight=0"); /* it would be preferred */
    sim_node(sim, "1: mem=1000");
    sim_node(sim, "2: mem=4000");
    sim_pool(sim, "total=5000");
    sim_job(sim, "a: nodes=1 tasks=1 allmem on=2 time=100 claims=0:1/mb running");
    sim_job(sim, "b: nodes=1 tasks=1 allmem time=50 claims=0:1/mb");
    sim_job(sim, "c: nodes=1 tasks=1 allmem time=50 claims=0:1/mb");
    sim_pass(sim);

    ck_assert_str_eq(sim_places(sim, "b"), "1:0");
    ck_assert(sim_runs(sim, "b"));
    ck_assert_int_eq(sim_start_of(sim, "c"), 50);
    ck_assert_str_eq(sim_places(sim, "c"), "1:0");
    sim_free(sim);
}
END_TEST

START_TEST(of_a_range_of_nodes_no_more_are_taken_than_the_pool_has_enough_for)
{
    struct sim *sim = sim_new("nodes=4x8 select=linear");

    sim_pool(sim, "total=24");
    sim_job(sim, "a: nodes=1 time=100 claims=0:1/cpu running");
    sim_job(sim, "b: nodes=2-4 time=50 claims=0:1/cpu");
    sim_pass(sim);

    ck_assert(sim_runs(sim, "b"));
    ck_assert_uint_eq(sim_find(sim, "b")->nodes_n, 2);
    sim_free(sim);
}
END_TEST

/* Where cpus are charged as they are used, a job has whole cores all the same. */
START_TEST(a_job_counts_with_the_cpus_of_its_cores)
{
    struct sim *sim = sim_new("nodes=2x1x1x2 select=cpu,memory");

    sim_pool(sim, "total=1");
    sim_pool(sim, "total=3");
    sim_job(sim, "a: claims=0:1/cpu");
    sim_job(sim, "b: claims=1:1/cpu");
    sim_job(sim, "c: claims=1:1/cpu");
    sim_pass(sim);

    ck_assert_int_eq((int)sim_find(sim, "a")->verdict, PLAN_NEVER_FITS);
    ck_assert(sim_runs(sim, "b"));
    ck_assert(!sim_runs(sim, "c"));
    sim_free(sim);
}
END_TEST

START_TEST(billing_is_a_sum_of_weights)
{
    struct sim *sim = sim_new("nodes=2x4 select=core,memory");

    sim_node(sim, "0: gres=gpu::2");
    sim_pool(sim, "total=1000 private");
    sim_pool(sim, "total=1000 private");
    sim_job(sim, "a: tasks=2 mem=300 gres=gpu::2 time=100 "
                 "claims=0:50/cpu,0:1/mb,0:200/gpu,1:1000 running"); /* 100 + 300 + 400 */
    sim_job(sim, "b: tasks=1 mem=150 time=10 claims=0:50/cpu,0:1/mb running");
    sim_job(sim, "c: tasks=1 mem=1 time=10 claims=0:50/cpu,0:1/mb");
    sim_pass(sim);

    ck_assert_int_eq(sim_start_of(sim, "c"), 10);
    ck_assert_uint_eq(sim_find(sim, "c")->pool, 0);
    sim_free(sim);
}
END_TEST

CHECK_MAIN(pool, CASE(a_job_of_the_longest_time_claims_of_no_ramp),
           CASE(who_waits_for_a_pool_leaves_the_place_of_its_line_to_others),
           CASE(the_first_that_a_private_pool_blocks_is_told_when_and_holds_no_nodes),
           CASE(each_that_a_private_pool_blocks_has_a_place_in_the_forecast),
           CASE(the_forecast_has_a_place_for_one_that_a_planned_job_blocks),
           CASE(the_forecast_moves_up_when_a_job_goes_that_waits_before),
           CASE(a_raised_total_lets_jobs_start_at_once),
           CASE(what_a_running_job_gives_back_lets_others_start),
           CASE(a_gate_lets_nobody_pass_before_it_opens), CASE(a_ramp_gives_back_while_jobs_run),
           CASE(a_moment_between_steps_is_rounded_up), CASE(a_job_without_limit_never_fits_a_ramp),
           CASE(a_ramp_is_enough_for_what_is_planned_later),
           CASE(an_end_that_comes_earlier_gives_back_of_a_ramp),
           CASE(a_ramp_counts_memory_for_years), CASE(a_node_counts_once_however_many_jobs_have_it),
           CASE(as_many_other_nodes_as_are_left_come_beside_those_that_count_already),
           CASE(who_needs_other_nodes_than_are_left_waits_in_the_pool),
           CASE(a_job_on_more_nodes_than_the_pool_has_never_fits),
           CASE(a_node_that_is_given_back_counts_no_more),
           CASE(a_whole_node_counts_with_all_its_cpus),
           CASE(of_nodes_of_two_sizes_those_are_taken_that_the_pool_has_enough_for),
           CASE(of_a_range_of_nodes_no_more_are_taken_than_the_pool_has_enough_for),
           CASE(a_job_counts_with_the_cpus_of_its_cores), CASE(billing_is_a_sum_of_weights),
           LOOP_CASE(pools_that_never_bind_change_no_decision, 2),
           LOOP_CASE(nor_do_they_under_the_default_policy, 2),
           LOOP_CASE(who_is_blocked_by_its_own_limit_changes_no_start_of_others, 2),
           LOOP_CASE(nor_under_the_default_policy, 2))
