/* Tiny clusters, where every placement can be tried: none is earlier than what is planned. */
#include "unit/check_main.h"

#include <inttypes.h>

#include "unit/ctld/sched/proof/checker.h"
#include "unit/ctld/sched/proof/deadline.h"
#include "unit/ctld/sched/proof/oracle.h"
#include "unit/ctld/sched/proof/play.h"
#include "unit/ctld/sched/proof/trial.h"

/* The job's place in one of its partitions, found by trying everything. */
struct finder {
    const struct plan_snapshot *snapshot;
    struct oracle oracles[4]; /* one for each partition that starts jobs */
    uint32_t oracles_n;
};

/* ---- pools that count nodes ---- */

static bool option_counts_nodes(const struct plan_snapshot *snapshot,
                                const struct plan_option *option, uint32_t pool)
{
    for (uint32_t i = 0; i < option->claims_n; i++) {
        if (option->claims[i].pool == pool && snapshot->pools[pool].kind == PLAN_POOL_NODES)
            return true;
    }
    return false;
}

/* Whether so many nodes may come at the moment, if all that are not had as a whole can be shared:
 * then so many counted ones do not stand in the way. A pool of all nodes keeps no job waiting: what
 * it lacks are nodes. */
static bool nodes_may_come(const struct plan_snapshot *snapshot, const struct claims *beside,
                           uint32_t pool, int64_t at, uint32_t least, bool whole)
{
    uint32_t held = 0, closed = 0;

    if (snapshot->pools[pool].total >= snapshot->nodes_n)
        return true;
    for (uint32_t node = 0; node < snapshot->nodes_n; node++) {
        bool is_held = false, is_closed = false;

        for (uint32_t i = 0; i < beside->n; i++) {
            const struct claim *claim = &beside->list[i];
            const struct plan_place *place = claim_place_on(claim, node);

            if (!place || claim->from > at || claim->to <= at ||
                !option_counts_nodes(snapshot, claim->option, pool))
                continue;
            is_held = true;
            is_closed |= place_is_whole(&snapshot->nodes[node], place);
        }
        held += is_held;
        closed += is_closed;
    }
    for (uint32_t i = 0; i < beside->n; i++) {
        const struct claim *claim = &beside->list[i];

        if (claim->in_pool && claim->from <= at && claim->to > at &&
            option_counts_nodes(snapshot, claim->option, pool)) {
            held += claim->nodes_awaited;
            closed += claim->nodes_awaited;
        }
    }
    return held + (whole ? least : 0) <= snapshot->pools[pool].total &&
           closed + least <= snapshot->pools[pool].total;
}

static bool private_nodes_may_come(const struct plan_snapshot *snapshot,
                                   const struct claims *beside, const struct plan_job *job,
                                   uint32_t option, int64_t at)
{
    for (uint32_t pool = 0; pool < snapshot->pools_n; pool++) {
        if (!snapshot->pools[pool].is_private ||
            !option_counts_nodes(snapshot, &job->options[option], pool))
            continue;
        if (!nodes_may_come(snapshot, beside, pool, at, oracle_nodes_least(snapshot, job, option),
                            option_takes_whole_nodes(snapshot, job, &job->options[option])))
            return false;
    }
    return true;
}

/* ---- private pools ---- */

/* Whether the option's claims of private pools fit beside the others' at the moment, and at every
 * later one at which a claim begins, for the job's time. */
static bool pools_fit(const struct plan_snapshot *snapshot, const struct claims *beside,
                      const struct plan_job *job, uint32_t option, int64_t at)
{
    AUTO(strbuf) struct strbuf problem = { 0 };
    struct claims with = { .n = beside->n + 1 };
    bool fit;

    with.list = xcalloc(with.n, sizeof(*with.list));
    for (uint32_t i = 0; i < beside->n; i++)
        with.list[i] = beside->list[i];
    with.list[beside->n] = (struct claim){
        .job = job,
        .option = &job->options[option],
        .from = at,
        .to = claim_end(at, job->duration_ms),
        .in_pool = true,
        .nodes_awaited = UINT32_MAX, /* these are looked at apart */
    };
    fit = checker_pools(snapshot, &with, CHECK_PRIVATE, at, &problem) &&
          private_nodes_may_come(snapshot, beside, job, option, at);
    for (uint32_t i = 0; i < beside->n && fit; i++) {
        if (claims_overlap(&with.list[i], &with.list[beside->n]) && with.list[i].from > at)
            fit = checker_pools(snapshot, &with, CHECK_PRIVATE, with.list[i].from, &problem) &&
                  private_nodes_may_come(snapshot, beside, job, option, with.list[i].from);
    }
    free(with.list);
    return fit;
}

/* `beside`, when not NULL: only by options whose private pools let the job start now. */
static void finder_init(struct finder *finder, const struct plan_snapshot *snapshot,
                        const struct plan_job *job, const struct claims *beside, bool any_partition)
{
    *finder = (struct finder){ .snapshot = snapshot };
    for (uint32_t i = 0; i < job->options_n; i++) {
        const struct plan_option *option = &job->options[i];

        if (beside && !pools_fit(snapshot, beside, job, i, snapshot->now_ms))
            continue;
        if (any_partition || snapshot->partitions[option->partition].starts_jobs)
            finder->oracles[finder->oracles_n++] = oracle_new(snapshot, job, i);
    }
}

static void finder_clear(struct finder *finder)
{
    for (uint32_t i = 0; i < finder->oracles_n; i++)
        oracle_clear(&finder->oracles[i]);
}

static bool fits_at(struct finder *finder, const struct claims *beside, int64_t at)
{
    for (uint32_t i = 0; i < finder->oracles_n; i++) {
        if (oracle_fits(&finder->oracles[i], beside, at))
            return true;
    }
    return false;
}

/* The last moment at which something can change. */
static int64_t horizon_of(const struct plan_snapshot *snapshot, const struct claims *beside)
{
    int64_t last = snapshot->now_ms;

    for (uint32_t i = 0; i < beside->n; i++)
        last = beside->list[i].to > last ? beside->list[i].to : last;
    for (uint32_t i = 0; i < snapshot->reservations_n; i++) {
        const struct plan_reservation *window = &snapshot->reservations[i];

        for (uint32_t k = 0; k < window->spans_n; k++)
            last = window->spans[k].to_ms > last ? window->spans[k].to_ms : last;
    }
    for (uint32_t i = 0; i < snapshot->pools_n; i++)
        last = snapshot->pools[i].opens_ms > last ? snapshot->pools[i].opens_ms : last;
    return last;
}

/* Every second from now on, every end of another, of a window, and of the wait for few switches;
 * PLAN_NEVER: none fits. */
static int64_t first_fit(struct finder *finder, const struct claims *beside)
{
    const struct plan_snapshot *snapshot = finder->snapshot;
    const struct plan_job *job = finder->oracles_n ? finder->oracles[0].claim.job : NULL;
    const int64_t switches_end =
        job && job->shape.switches ? job->since_ms + job->shape.switch_wait_ms : -1;
    const int64_t horizon = horizon_of(snapshot, beside);
    int64_t first = PLAN_NEVER;

    for (int64_t at = snapshot->now_ms; at < horizon + 1000 && first == PLAN_NEVER; at += 1000) {
        if (fits_at(finder, beside, at))
            first = at;
    }
    for (uint32_t i = 0; i < beside->n; i++) {
        const int64_t at = beside->list[i].to;

        if (at >= snapshot->now_ms && at < first && fits_at(finder, beside, at))
            first = at;
    }
    for (uint32_t i = 0; i < snapshot->reservations_n; i++) {
        const struct plan_reservation *window = &snapshot->reservations[i];

        for (uint32_t k = 0; k < 2 * window->spans_n; k++) {
            const struct plan_span *span = &window->spans[k / 2];
            const int64_t at = k % 2 ? span->to_ms : span->from_ms;

            if (at >= snapshot->now_ms && at < first && fits_at(finder, beside, at))
                first = at;
        }
    }
    for (uint32_t i = 0; i < snapshot->pools_n; i++) {
        const int64_t at = snapshot->pools[i].opens_ms;

        if (at >= snapshot->now_ms && at < first && fits_at(finder, beside, at))
            first = at;
    }
    if (switches_end >= snapshot->now_ms && switches_end < first &&
        fits_at(finder, beside, switches_end))
        first = switches_end;
    return first;
}

/* What of an empty cluster is looked at. */
enum part { ALL_OF_IT, OF_PARTITIONS_UP, NODES_UP_OF_THESE };

/* In the end all gates are open. */
static void open_gates(struct plan_snapshot *snapshot, struct plan_pool *pools)
{
    for (uint32_t i = 0; i < snapshot->pools_n; i++) {
        pools[i] = snapshot->pools[i];
        pools[i].opens_ms = 0;
    }
    snapshot->pools = pools;
}

/* Whether that part of the cluster could hold the job at all, were it empty. */
static bool could_ever(const struct plan_snapshot *snapshot, const struct plan_job *job,
                       enum part part)
{
    struct plan_snapshot empty = *snapshot;
    struct plan_node *nodes = xmemdup(snapshot->nodes, snapshot->nodes_n * sizeof(*nodes));
    struct plan_pool pools[SIM_POOLS];
    struct plan_job free_of_windows = *job;
    struct plan_option *options = xmemdup(job->options, job->options_n * sizeof(*options));
    struct finder finder;
    bool could;

    for (uint32_t i = 0; i < empty.nodes_n; i++)
        nodes[i].usable |= part != NODES_UP_OF_THESE;
    empty.nodes = nodes;
    empty.reservations_n = 0;
    open_gates(&empty, pools);
    for (uint32_t i = 0; i < job->options_n; i++)
        options[i].reservation = 0;
    free_of_windows.options = options;
    free_of_windows.shape.switches = 0; /* in the end any will do */
    finder_init(&finder, &empty, &free_of_windows, NULL, part == ALL_OF_IT);
    could = fits_at(&finder, &(struct claims){ 0 }, snapshot->now_ms);
    finder_clear(&finder);
    free(options);
    free(nodes);
    return could;
}

static bool refusal_is_right(const struct plan_snapshot *snapshot, const struct plan_job *job,
                             const struct plan_decision *decision, struct strbuf *problem)
{
    const bool ever = could_ever(snapshot, job, ALL_OF_IT);
    const bool down = decision->why == PLAN_WHY_NODES_DOWN;
    const bool closed = decision->why == PLAN_WHY_PARTITION_DOWN;

    if ((decision->verdict == PLAN_NEVER_FITS) == ever)
        return wrong(problem, "job %" PRIu64 ": verdict %d, but it %s", job->id,
                     (int)decision->verdict, ever ? "fits the empty cluster" : "fits nowhere");
    if (down && could_ever(snapshot, job, NODES_UP_OF_THESE))
        return wrong(problem, "job %" PRIu64 ": fits the nodes that are up", job->id);
    if ((down || closed) && could_ever(snapshot, job, OF_PARTITIONS_UP) != down)
        return wrong(problem, "job %" PRIu64 ": fits %s partition that is up", job->id,
                     down ? "no" : "a");
    return true;
}

/* Of several nodes that are counted not all ways are tried to go beside those that others have. */
static bool may_be_late(const struct plan_snapshot *snapshot, const struct plan_job *job)
{
    bool counts = false;

    for (uint32_t i = 0; i < job->options_n; i++) {
        for (uint32_t pool = 0; pool < snapshot->pools_n; pool++)
            counts |= option_counts_nodes(snapshot, &job->options[i], pool);
    }
    return counts && job->shape.max_nodes != 1;
}

/* `at` is when the job starts as far as the planner says; PLAN_NEVER: it has no moment. */
static bool moment_is_right(const struct plan_snapshot *snapshot, const struct claims *beside,
                            const struct plan_job *job, int64_t at, struct strbuf *problem)
{
    struct finder finder;
    int64_t first;

    finder_init(&finder, snapshot, job, beside, false);
    first = first_fit(&finder, beside);
    for (int64_t close = at; at != PLAN_NEVER && close >= at - 1; close--) {
        if (close >= snapshot->now_ms && close < first && fits_at(&finder, beside, close))
            first = close;
    }
    finder_clear(&finder);
    if (first == at || (first < at && may_be_late(snapshot, job)))
        return true;
    return wrong(problem, "job %" PRIu64 ": is planned %s, at %lld, but fits at %lld", job->id,
                 first < at ? "late" : "early", (long long)at, (long long)first);
}

static void add_outcome(struct claims *claims, const struct play *play, const struct plan_job *job)
{
    struct plan_decision decision;

    if (job->runs)
        claims_add(claims, job, 0, play->now.now_ms, job->end_ms, job->places, job->places_n);
    else if (planner_look(play->planner, job->id, &decision) && decision.verdict == PLAN_LATER) {
        claims_add(claims, job, decision.option, decision.at_ms,
                   deadline_cut(&play->now, decision.reservation, decision.at_ms,
                                claim_end(decision.at_ms, decision.duration_ms)),
                   decision.places, decision.places_n);
        claims->list[claims->n - 1].in_pool = decision.places_n == 0;
        if (decision.places_n == 0)
            claims->list[claims->n - 1].nodes_awaited =
                oracle_nodes_least(&play->now, job, decision.option);
    }
}

/* A job in private pools alone: they block it until then. */
static bool wait_is_right(const struct plan_snapshot *snapshot, const struct claims *beside,
                          const struct claim *claim, struct strbuf *problem)
{
    const uint32_t option = (uint32_t)(claim->option - claim->job->options);
    int64_t first = PLAN_NEVER;

    for (uint32_t i = 0; i <= beside->n; i++) {
        const int64_t at = i < beside->n ? beside->list[i].to : snapshot->now_ms;

        if (at >= snapshot->now_ms && at < first &&
            pools_fit(snapshot, beside, claim->job, option, at))
            first = at;
    }
    for (uint32_t i = 0; i < snapshot->pools_n; i++) {
        const int64_t at = snapshot->pools[i].opens_ms;

        if (at >= snapshot->now_ms && at < first &&
            pools_fit(snapshot, beside, claim->job, option, at))
            first = at;
    }
    for (int64_t at = claim->from; at >= claim->from - 1; at--) {
        if (at >= snapshot->now_ms && at < first &&
            pools_fit(snapshot, beside, claim->job, option, at))
            first = at;
    }
    return first == claim->from ||
           wrong(problem, "job %" PRIu64 ": may start at %lld, but is let at %lld", claim->job->id,
                 (long long)claim->from, (long long)first);
}

/* What became of the job, which comes next in rank behind those that claim something. `claim` is
 * what it claims by that, or NULL. */
static bool outcome_is_right(const struct play *play, const struct claims *beside,
                             const struct plan_job *asked, const struct claim *claim,
                             struct strbuf *problem)
{
    struct plan_decision decision;

    if (claim && claim->in_pool)
        return moment_is_right(&play->now, beside, asked, PLAN_NEVER, problem) &&
               wait_is_right(&play->now, beside, claim, problem);
    if (claim)
        return moment_is_right(&play->now, beside, asked, claim->from, problem);
    if (!planner_look(play->planner, asked->id, &decision))
        return wrong(problem, "job %" PRIu64 " is not planned", asked->id);
    return refusal_is_right(&play->now, asked, &decision, problem) &&
           moment_is_right(&play->now, beside, asked, PLAN_NEVER, problem);
}

/* Adds those of the jobs that started. */
static void add_started(struct claims *claims, const struct play *play,
                        const struct plan_job *const *jobs, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        if (jobs[i]->runs)
            add_outcome(claims, play, jobs[i]);
    }
}

/* The jobs, in the order of rank, as they were and as they became. */
struct queue_played {
    const struct play *play;
    const struct plan_job *asked, *const *jobs;
    uint32_t n;
};

/*
 * The outcome of the i-th job is right beside those before it. A start behind a job may block it by
 * a private pool: then it gives up its place, and it and all behind it are planned beside that
 * start.
 */
static bool is_right(const struct queue_played *queue, uint32_t i, struct claims *claims,
                     bool may_be_blocked, struct strbuf *problem)
{
    const uint32_t before = claims->n;
    AUTO(claims) struct claims with = { 0 };
    const struct claim *claim;
    struct claims beside;

    add_outcome(claims, queue->play, queue->jobs[i]);
    claim = claims->n > before ? &claims->list[before] : NULL;
    beside = (struct claims){ .list = claims->list, .n = before };
    if (outcome_is_right(queue->play, &beside, &queue->asked[i], claim, problem))
        return true;
    if (!may_be_blocked && !(claim && claim->in_pool))
        return false;
    strbuf_clear(problem);
    for (uint32_t k = 0; k < before; k++)
        claims_copy(&with, &beside.list[k]);
    add_started(&with, queue->play, queue->jobs + i + 1, queue->n - i - 1);
    return outcome_is_right(queue->play, &with, &queue->asked[i], claim, problem);
}

/* The jobs one by one, each beside those before it. */
static bool plan_is_the_earliest(const struct trial_moment *moment, struct strbuf *problem)
{
    AUTO(play) struct play play = play_new(&moment->before);
    AUTO(claims) struct claims claims = { 0 };
    AUTO_FREE const struct plan_job **jobs = NULL;
    AUTO_FREE struct plan_job *asked = NULL;
    bool may_be_blocked = false;
    struct queue_played queue = { .play = &play };

    if (!moment->done)
        return true;
    play_leave(&play); /* overdue ones: the plan can only guess when they go */
    claims = claims_running(&play.now);
    jobs = jobs_by_rank(&play.now, &queue.n);
    asked = xcalloc(queue.n, sizeof(*asked));
    for (uint32_t i = 0; i < queue.n; i++)
        asked[i] = *jobs[i];
    play_pass(&play);
    queue.asked = asked;
    queue.jobs = jobs;
    for (uint32_t i = 0; i < queue.n; i++) {
        if (!is_right(&queue, i, &claims, may_be_blocked, problem))
            return false;
        may_be_blocked |= claims.n > 0 && claims.list[claims.n - 1].in_pool;
    }
    return true;
}

/* Found by chance, with other words or seeds. */
static const char *const stories[] = {
    "nodes=1x2x2x1\n"
    "partition p1: node-cap=2\n"
    "job j0: memory-bound\n"
    "now 0\n",

    "nodes=1x2x1x2 select=socket\n"
    "node 0: gres=gpu::2@0-0\n"
    "partition p1: share=2 force\n"
    "job j3: time=1\n"
    "job j4: gres-job=gpu::2 cpus-per-gpu=2\n"
    "now 0\n",

    "nodes=1x2x1x1 select=core\n"
    "node 0: gres=gpu::2@0-1\n"
    "job j5: nodes=1 gres-socket=gpu::1 sockets=2\n"
    "now 0\n",

    "nodes=3x1x2x1 select=core\n"
    "node 0: gres=gpu::1@0-0\n"
    "node 2: features=x,y,z gres=gpu:a:1@0-0,gpu:b:1@0-1\n"
    "job j26: tasks=3 contiguous features=x*1 gres-job=gpu::2 binds\n"
    "now 0\n",

    "nodes=2x1x1x1\n"
    "partition p0:\n"
    "partition p1: nodes=0-0\n"
    "partition p0 down\n"
    "node 0 down\n"
    "job j5: partition=p1 or=p0\n"
    "now 0\n",

    "nodes=2x1x1x1\n"
    "partition p0: nodes=0-0\n"
    "partition p1: nodes=1-1\n"
    "partition p0 down\n"
    "node 1 down\n"
    "job j0: partition=p0 or=p1\n"
    "now 0\n",

    "nodes=1x2x1x2 select=core\n"
    "partition p0: node-cap=2\n"
    "job j0: tasks=2 per-socket=1 time=5\n"
    "job j1: tasks=1 per-socket=1 time=5\n"
    "now 0\n",

    "nodes=2x1x1x1\n"
    "node 0: gres=gpu::1@0-0\n"
    "node 1: features=x,y gres=gpu::1@0-0\n"
    "job j2: tasks=1 features=x*1 gres-job=gpu::2\n"
    "now 0\n",

    "nodes=2x1x1x1\n"
    "node 0: gres=gpu::1@0-0\n"
    "node 1: features=x,y gres=gpu::1@0-0\n"
    "job j2: tasks=1 features=x*1 prefer=x&y*1 gres-job=gpu::2\n"
    "now 0\n",

    "nodes=1x1x2x2 select=core\n"
    "node 0: gres=gpu::1@0-1,gpu::1@2-3\n"
    "job j0: memory-bound gres=gpu::2 binds\n"
    "now 0\n",

    "nodes=1x1x2x2 select=core\n"
    "node 0: gres=gpu::1@0-0,gpu::1@0-1\n"
    "job j3: gres=gpu::2 binds\n"
    "now 0\n",

    "nodes=1x1x1x1\n"
    "job j0: claims=0:0\n"
    "now 0\n",

    "nodes=1x1x1x1\n"
    "pool total=1\n"
    "job j0: claims=0:1 time=5\n"
    "job j1: claims=0:0\n"
    "now 0\n",

    "nodes=2x1x1x1\n"
    "node 0: features=x\n"
    "node 1: features=y\n"
    "job j2: tasks=1 features=[x*1&y*1] prefer=x&y*1\n"
    "now 0\n",

    "nodes=3x1x1x1\n"
    "pool nodes private\n"
    "job j0: time=1 claims=0:0 nodes=0-3\n"
    "job j1: claims=0:1\n"
    "resize 0 3\n"
    "now 0\n",

    "nodes=2x1x1x1\n"
    "pool total=3 private\n"
    "job j0: time=1\n"
    "job j2: priority=0 time=1 claims=0:3\n"
    "job j6: time=1 claims=0:1,0:0 nodes=2\n"
    "job j7: time=2\n"
    "now 0\n",
};

START_TEST(stories_that_once_went_wrong_do_no_more)
{
    AUTO_FREE char *failure = trial_retell(plan_is_the_earliest, stories[_i]);

    ck_assert_msg(!failure, "%s%s", stories[_i], failure);
}
END_TEST

START_TEST(no_job_could_have_been_planned_earlier)
{
    trial_run(plan_is_the_earliest,
              &(struct random_mix){ .lines = 14, .lasting = true, .tiny = true },
              60000 + (uint64_t)_i * 1000, 180);
}
END_TEST

START_TEST(devices_and_the_cores_near_them_are_found_whenever_they_are_there)
{
    trial_run(plan_is_the_earliest,
              &(struct random_mix){ .lines = 14, .lasting = true, .tiny = true, .bound = true },
              70000 + (uint64_t)_i * 1000, 120);
}
END_TEST

CHECK_MAIN(tiny, LOOP_CASE(stories_that_once_went_wrong_do_no_more, ARRAY_N(stories)),
           LOOP_CASE(no_job_could_have_been_planned_earlier, 4),
           LOOP_CASE(devices_and_the_cores_near_them_are_found_whenever_they_are_there, 4))
