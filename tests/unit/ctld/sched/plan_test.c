/*
 * What must hold for every plan, on random clusters and queues; and an exhaustive look at tiny
 * ones: no job could have started earlier than planned.
 */
#include "unit/check_main.h"

#include "unit/ctld/sched/random.h"

/* A job with its places, running or planned. */
struct claim {
    const struct plan_job *job;
    int64_t from, to;
    const struct plan_place *places;
    uint32_t places_n;
};

struct claims {
    struct claim *list; /* the running ones first, then the planned ones by rank */
    uint32_t n, running_n;
};

static const struct plan_job *job_of(const struct plan_snapshot *snapshot, uint32_t id)
{
    for (uint32_t i = 0; i < snapshot->jobs_n; i++) {
        if (snapshot->jobs[i].id == id)
            return &snapshot->jobs[i];
    }
    ck_abort_msg("job %u was never there", id);
}

static int64_t end_of(int64_t from, int64_t duration_ms)
{
    return duration_ms == PLAN_NEVER ? PLAN_NEVER : from + duration_ms;
}

static struct plan_place *copy_places(const struct plan_place *from, uint32_t n)
{
    struct plan_place *places = xcalloc(n, sizeof(*places));

    for (uint32_t i = 0; i < n; i++) {
        places[i] = from[i];
        places[i].cpus = (struct bitset){ 0 };
        places[i].devices = (struct bitset){ 0 };
        bitset_copy(&places[i].cpus, &from[i].cpus);
    }
    return places;
}

/* Borrows the places. */
static struct claims collect(const struct plan_snapshot *snapshot,
                             const struct plan_decision *decisions, uint32_t n)
{
    struct claims claims = { 0 };

    for (uint32_t i = 0; i < snapshot->jobs_n; i++) {
        const struct plan_job *job = &snapshot->jobs[i];

        if (job->runs)
            *ARRAY_PUSH(claims.list, claims.n) =
                (struct claim){ job, snapshot->now_ms, job->end_ms, job->places, job->places_n };
    }
    claims.running_n = claims.n;
    for (uint32_t i = 0; i < n; i++) {
        const struct plan_decision *decision = &decisions[i];
        const struct plan_job *job = job_of(snapshot, decision->job_id);

        if (decision->verdict == PLAN_START || decision->verdict == PLAN_LATER)
            *ARRAY_PUSH(claims.list, claims.n) = (struct claim){
                job,
                decision->at_ms,
                end_of(decision->at_ms, job->duration_ms),
                decision->places,
                decision->places_n,
            };
    }
    return claims;
}

static const struct plan_place *place_on(const struct claim *claim, uint32_t node)
{
    for (uint32_t i = 0; i < claim->places_n; i++) {
        if (claim->places[i].node == node)
            return &claim->places[i];
    }
    return NULL;
}

static bool overlap(const struct claim *a, const struct claim *b)
{
    return a->from < b->to && b->from < a->to;
}

static void assert_no_cpu_is_sold_twice(const struct claims *claims, const struct claim *claim)
{
    for (const struct claim *other = claims->list; other < claim; other++) {
        for (uint32_t i = 0; overlap(other, claim) && i < claim->places_n; i++) {
            const struct plan_place *place = place_on(other, claim->places[i].node);

            ck_assert_msg(!place || !bitset_meets(&place->cpus, &claim->places[i].cpus),
                          "jobs %u and %u share a cpu of node %u", other->job->id, claim->job->id,
                          claim->places[i].node);
        }
    }
}

/* It can only be too much from the moment on at which some job starts. */
static void assert_no_memory_is_oversold(const struct plan_snapshot *snapshot,
                                         const struct claims *claims, const struct claim *claim)
{
    for (uint32_t i = 0; i < claim->places_n; i++) {
        const uint32_t node = claim->places[i].node;
        uint64_t used = 0;

        for (uint32_t j = 0; j < claims->n; j++) {
            const struct claim *other = &claims->list[j];
            const struct plan_place *place = place_on(other, node);

            if (place && other->from <= claim->from && other->to > claim->from)
                used += place->amounts[PLAN_MEMORY];
        }
        ck_assert_uint_le(used, snapshot->nodes[node].memory_mb);
    }
}

static void assert_node_is_allowed(const struct plan_snapshot *snapshot, const struct claim *claim,
                                   uint32_t node)
{
    const struct plan_shape *shape = &claim->job->shape;
    const struct plan_node *of = &snapshot->nodes[node];

    ck_assert(of->usable);
    ck_assert(bitset_has(&snapshot->partitions[claim->job->partition].nodes, node));
    ck_assert(!bitset_has(&shape->excluded, node));
    for (const char *word = shape->features; word; word = strchr(word, '&')) {
        bool has = false;

        word += *word == '&';
        for (uint32_t i = 0; i < of->features_n; i++)
            has |= of->features[i][0] == word[0];
        ck_assert(has);
    }
}

/* The least that a job must get, whatever the units are that cpus are given in. */
static void assert_gets_what_it_asked(const struct plan_snapshot *snapshot,
                                      const struct claim *claim)
{
    const struct plan_shape *shape = &claim->job->shape;
    const uint32_t most = shape->max_nodes ? shape->max_nodes : UINT32_MAX;
    uint64_t cpus = 0;

    ck_assert_uint_ge(claim->places_n, shape->min_nodes);
    ck_assert_uint_le(claim->places_n, most > shape->min_nodes ? most : shape->min_nodes);
    for (uint32_t i = 0; i < claim->places_n; i++) {
        const struct plan_place *place = &claim->places[i];
        const uint32_t got = bitset_count(&place->cpus);

        assert_node_is_allowed(snapshot, claim, place->node);
        ck_assert_uint_ge(got, shape->min_cpus_per_node);
        ck_assert_uint_ge(got, shape->cpus_per_task);
        ck_assert(!shape->exclusive || got == snapshot->nodes[place->node].cpus);
        ck_assert(!shape->contiguous || i == 0 || place->node == claim->places[i - 1].node + 1);
        if (snapshot->policy.select & SELECT_MEMORY)
            ck_assert_uint_ge(place->amounts[PLAN_MEMORY], shape->mem_per_node_mb);
        cpus += got;
    }
    if (!shape->overcommit)
        ck_assert_uint_ge(cpus, (uint64_t)shape->ntasks * shape->cpus_per_task);
    BITSET_FOREACH (&shape->required, node)
        ck_assert_ptr_nonnull(place_on(claim, (uint32_t)node));
}

static void assert_plan_is_sound(const struct plan_snapshot *snapshot, const struct claims *claims)
{
    for (uint32_t i = claims->running_n; i < claims->n; i++) {
        assert_no_cpu_is_sold_twice(claims, &claims->list[i]);
        assert_no_memory_is_oversold(snapshot, claims, &claims->list[i]);
        assert_gets_what_it_asked(snapshot, &claims->list[i]);
    }
}

/* A cluster at work: some jobs run, some wait. */
static struct sim *random_queue(struct chance *chance, bool backfill)
{
    struct sim *sim = random_cluster(chance, backfill);

    for (uint32_t i = 0; i < 30; i++) {
        if (chance_hits(chance, 3))
            sim_pass(sim);
        random_change(sim, chance);
    }
    return sim;
}

static const struct plan_snapshot *sorted_by; /* qsort has no room for it */

static int by_rank(const void *left, const void *right)
{
    const struct plan_job *a = *(const struct plan_job *const *)left;
    const struct plan_job *b = *(const struct plan_job *const *)right;
    const uint32_t a_tier = sorted_by->partitions[a->partition].tier;
    const uint32_t b_tier = sorted_by->partitions[b->partition].tier;

    if (a_tier != b_tier)
        return a_tier > b_tier ? -1 : 1;
    if (a->priority != b->priority)
        return a->priority > b->priority ? -1 : 1;
    return a->id < b->id ? -1 : 1;
}

/* Those that start and those that wait, by rank; owned by the caller, see free_plan. */
static struct plan_decision *whole_plan(const struct planner *planner,
                                        const struct plan_snapshot *snapshot,
                                        const struct plan_decision *told, uint32_t told_n)
{
    AUTO_FREE const struct plan_job **jobs = xcalloc(snapshot->jobs_n, sizeof(*jobs));
    struct plan_decision *plan = xcalloc(snapshot->jobs_n, sizeof(*plan));
    uint32_t n = 0;

    for (uint32_t i = 0; i < snapshot->jobs_n; i++) {
        if (!snapshot->jobs[i].runs)
            jobs[n++] = &snapshot->jobs[i];
    }
    sorted_by = snapshot;
    qsort(jobs, n, sizeof(const struct plan_job *), by_rank);
    for (uint32_t i = 0; i < n; i++) {
        if (!planner_look(planner, jobs[i]->id, &plan[i])) {
            for (uint32_t j = 0; j < told_n; j++)
                plan[i] = told[j].job_id == jobs[i]->id ? told[j] : plan[i];
        }
        ck_assert_uint_eq(plan[i].job_id, jobs[i]->id);
        plan[i].places = copy_places(plan[i].places, plan[i].places_n);
    }
    return plan;
}

static void free_plan(struct plan_decision *plan, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = 0; j < plan[i].places_n; j++)
            bitset_clear(&((struct plan_place *)plan[i].places)[j].cpus);
        free((void *)plan[i].places);
    }
    free(plan);
}

/* Plans the jobs of the snapshot from nothing. */
static struct claims plan_anew(struct planner *planner, const struct plan_snapshot *snapshot,
                               struct plan_decision **ret_plan, uint32_t *ret_n)
{
    const struct plan_decision *told;
    uint32_t told_n;

    planner_rebuild(planner, snapshot);
    ck_assert(!planner_step(planner, snapshot->now_ms, UINT32_MAX, &told, &told_n));
    *ret_plan = whole_plan(planner, snapshot, told, told_n);
    *ret_n = 0;
    for (uint32_t i = 0; i < snapshot->jobs_n; i++)
        *ret_n += !snapshot->jobs[i].runs;
    return collect(snapshot, *ret_plan, *ret_n);
}

START_TEST(every_plan_gives_what_was_asked_and_nothing_twice)
{
    for (uint64_t i = 0; i < 150; i++) {
        struct chance chance = { .state = (uint64_t)_i * 7777 + i };
        struct sim *sim = random_queue(&chance, i % 4 != 0);
        struct plan_snapshot snapshot = sim_snapshot(sim);
        struct planner *planner = planner_new();
        struct plan_decision *decisions;
        uint32_t n;
        struct claims claims = plan_anew(planner, &snapshot, &decisions, &n);

        assert_plan_is_sound(&snapshot, &claims);

        free(claims.list);
        free_plan(decisions, n);
        planner_free(planner);
        free((void *)snapshot.jobs);
        sim_free(sim);
    }
}
END_TEST

/* Leaves a waiting job out of the snapshot. */
static void leave_out(struct plan_snapshot *snapshot, uint32_t id)
{
    struct plan_job *jobs = (struct plan_job *)snapshot->jobs;

    for (uint32_t i = 0; i < snapshot->jobs_n; i++) {
        if (jobs[i].id == id) {
            jobs[i] = jobs[--snapshot->jobs_n];
            return;
        }
    }
}

static void assert_same_decision(const struct plan_decision *a, const struct plan_decision *b)
{
    ck_assert_uint_eq(a->job_id, b->job_id);
    ck_assert_int_eq(a->verdict, b->verdict);
    ck_assert_int_eq(a->why, b->why);
    ck_assert_int_eq(a->at_ms, b->at_ms);
    ck_assert_uint_eq(a->places_n, b->places_n);
    for (uint32_t i = 0; i < a->places_n; i++) {
        ck_assert_uint_eq(a->places[i].node, b->places[i].node);
        ck_assert(bitset_equal(&a->places[i].cpus, &b->places[i].cpus));
    }
}

START_TEST(jobs_of_lower_rank_change_no_plan)
{
    for (uint64_t i = 0; i < 100; i++) {
        struct chance chance = { .state = (uint64_t)_i * 3333 + i };
        struct sim *sim = random_queue(&chance, i % 4 != 0);
        struct plan_snapshot snapshot = sim_snapshot(sim);
        struct planner *all = planner_new(), *some = planner_new();
        struct plan_decision *decisions, *fewer;
        uint32_t n, fewer_n;

        free(plan_anew(all, &snapshot, &decisions, &n).list);
        for (uint32_t j = n / 2; j < n; j++)
            leave_out(&snapshot, decisions[j].job_id);
        free(plan_anew(some, &snapshot, &fewer, &fewer_n).list);

        ck_assert_uint_eq(fewer_n, n / 2);
        for (uint32_t j = 0; j < fewer_n; j++)
            assert_same_decision(&decisions[j], &fewer[j]);
        free_plan(decisions, n);
        free_plan(fewer, fewer_n);
        planner_free(all);
        planner_free(some);
        free((void *)snapshot.jobs);
        sim_free(sim);
    }
}
END_TEST

/* ---- tiny clusters, every moment and every set of nodes ---- */

/* Tasks (or, when only nodes are asked, 1) that the node can hold all through [at, at + length). */
static uint64_t brute_tasks(const struct plan_snapshot *snapshot, const struct claims *claims,
                            const struct claim *asked, uint32_t node)
{
    const struct plan_shape *shape = &asked->job->shape;
    const uint64_t all_mb = snapshot->nodes[node].memory_mb;
    uint64_t used_max = 0;
    uint32_t cpus_free = 0, cpus_n = snapshot->nodes[node].cpus;
    AUTO(bitset) struct bitset taken = { 0 };

    bitset_init(&taken, cpus_n);
    for (uint32_t i = 0; i < claims->n; i++) {
        const struct plan_place *place = place_on(&claims->list[i], node);
        const struct claim *claim = &claims->list[i];
        uint64_t used = 0;

        if (!place || !overlap(claim, asked))
            continue;
        bitset_or(&taken, &place->cpus);
        for (uint32_t j = 0; j < claims->n; j++) { /* what is used when both run */
            const struct plan_place *with = place_on(&claims->list[j], node);
            const int64_t when = claim->from > asked->from ? claim->from : asked->from;

            if (with && claims->list[j].from <= when && claims->list[j].to > when)
                used += with->amounts[PLAN_MEMORY];
        }
        used_max = used > used_max ? used : used_max;
    }
    cpus_free = cpus_n - bitset_count(&taken);
    if (shape->exclusive && cpus_free < cpus_n)
        return 0;
    if (!snapshot->nodes[node].usable || shape->mem_per_node_mb > all_mb - used_max)
        return 0;
    return shape->ntasks ? cpus_free / shape->cpus_per_task : cpus_free >= shape->cpus_per_task;
}

static bool brute_fits(const struct plan_snapshot *snapshot, const struct claims *claims,
                       const struct claim *asked)
{
    const struct plan_shape *shape = &asked->job->shape;
    uint64_t tasks[SIM_NODES];

    for (uint32_t i = 0; i < snapshot->nodes_n; i++)
        tasks[i] = brute_tasks(snapshot, claims, asked, i);
    for (uint32_t set = 1; set < 1u << snapshot->nodes_n; set++) {
        const uint32_t n = (uint32_t)__builtin_popcount(set);
        uint64_t sum = 0;
        bool able = true;

        for (uint32_t i = 0; i < snapshot->nodes_n; i++) {
            sum += set >> i & 1 ? tasks[i] : 0;
            able &= !(set >> i & 1) || tasks[i] > 0;
        }
        if (able && n >= shape->min_nodes && (!shape->max_nodes || n <= shape->max_nodes) &&
            sum >= shape->ntasks)
            return true;
    }
    return false;
}

static bool fits_at(const struct plan_snapshot *snapshot, const struct claims *before,
                    const struct plan_job *job, int64_t at)
{
    const struct claim asked = { .job = job, .from = at, .to = end_of(at, job->duration_ms) };

    return brute_fits(snapshot, before, &asked);
}

/* Nothing but an end makes room, so only now and the ends before the plan are worth a look. */
static void assert_could_not_start_earlier(const struct plan_snapshot *snapshot,
                                           const struct claims *before, const struct claim *claim)
{
    const int64_t now_ms = snapshot->now_ms;

    ck_assert(fits_at(snapshot, before, claim->job, claim->from));
    ck_assert(claim->from == now_ms || !fits_at(snapshot, before, claim->job, now_ms));
    for (uint32_t i = 0; i < before->n; i++) {
        const int64_t at = before->list[i].to;

        ck_assert_msg(at >= claim->from || !fits_at(snapshot, before, claim->job, at),
                      "job %u is planned at %lld but fits at %lld", claim->job->id,
                      (long long)claim->from, (long long)at);
    }
}

static char *tiny_shape(struct chance *chance)
{
    static const char *const extras[] = { "", "", "exclusive", "mem=600", "cpus=2" };
    const uint32_t nodes = 1 + chance_below(chance, 2), tasks = chance_below(chance, 5);
    AUTO_FREE char *range = xasprintf("nodes=%u-%u", nodes, nodes + chance_below(chance, 2));
    const char *extra = chance_word(chance, extras, ARRAY_N(extras));

    if (tasks < nodes)
        return xasprintf("%s %s", range, extra);
    return xasprintf("%s %s tasks=%u", range, extra, tasks);
}

/* In half of the cases jobs differ in time only, and so share what is learned about them. */
static struct sim *tiny_queue(struct chance *chance)
{
    AUTO_FREE char *cluster = xasprintf("nodes=%ux%u select=core,memory",
                                        1 + chance_below(chance, 3), 1 + chance_below(chance, 3));
    AUTO_FREE char *same = chance_hits(chance, 2) ? tiny_shape(chance) : NULL;
    struct sim *sim = sim_new(cluster);

    for (uint32_t i = 0; i < 12; i++) {
        AUTO_FREE char *shape = same ? xstrdup(same) : tiny_shape(chance);
        AUTO_FREE char *line = xasprintf("j%u: time=%u %s", i, 1 + chance_below(chance, 6), shape);

        sim_job(sim, line);
        if (i == 4) { /* those that have started run on when the others come */
            sim_pass(sim);
            sim->snapshot.now_ms += 500;
        }
    }
    return sim;
}

START_TEST(no_job_could_have_been_planned_earlier)
{
    for (uint64_t i = 0; i < 300; i++) {
        struct chance chance = { .state = (uint64_t)_i * 5555 + i };
        struct sim *sim = tiny_queue(&chance);
        struct plan_snapshot snapshot = sim_snapshot(sim);
        struct planner *planner = planner_new();
        struct plan_decision *decisions;
        uint32_t n;
        struct claims claims = plan_anew(planner, &snapshot, &decisions, &n);

        for (uint32_t j = claims.running_n; j < claims.n; j++) {
            const struct claims before = { .list = claims.list, .n = j };

            assert_could_not_start_earlier(&snapshot, &before, &claims.list[j]);
        }

        free(claims.list);
        free_plan(decisions, n);
        planner_free(planner);
        free((void *)snapshot.jobs);
        sim_free(sim);
    }
}
END_TEST

START_TEST(the_same_input_gives_the_same_output)
{
    struct sim *sims[2];

    for (int i = 0; i < 2; i++) {
        struct chance chance = { .state = 42 };

        sims[i] = random_queue(&chance, true);
        sim_pass(sims[i]);
    }

    ck_assert_uint_eq(sims[0]->jobs_n, sims[1]->jobs_n);
    for (uint32_t i = 0; i < sims[0]->jobs_n; i++) {
        ck_assert_str_eq(sims[0]->jobs[i].places, sims[1]->jobs[i].places);
        ck_assert_int_eq(sims[0]->jobs[i].at_ms, sims[1]->jobs[i].at_ms);
        ck_assert_mem_eq(sims[0]->jobs[i].blockers, sims[1]->jobs[i].blockers,
                         sizeof(sims[0]->jobs[i].blockers));
    }
    sim_free(sims[0]);
    sim_free(sims[1]);
}
END_TEST

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

CHECK_MAIN(plan, LOOP_CASE(every_plan_gives_what_was_asked_and_nothing_twice, 3),
           LOOP_CASE(jobs_of_lower_rank_change_no_plan, 3),
           LOOP_CASE(no_job_could_have_been_planned_earlier, 3),
           CASE(the_same_input_gives_the_same_output), LOOP_CASE(no_job_waits_for_ever, 5))
