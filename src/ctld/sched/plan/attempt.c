#include "ctld/sched/plan/attempt.h"

#include "ctld/sched/plan/judge.h"
#include "ctld/sched/plan/narrow.h"

#define LOOKS_A_UNIT 16

void attempt_forget(struct plan_attempt *attempt)
{
    places_free(attempt->best.places, attempt->best.places_n);
    *attempt = (struct plan_attempt){ 0 };
}

struct plan_outcome plan_waits(const struct sched_job *job, enum plan_why why, int64_t at_ms)
{
    return (struct plan_outcome){
        .verdict = PLAN_WAITS,
        .why = why,
        .pool = POOL_NONE,
        .narrowed = POOL_NONE,
        .option = job->options[0].number,
        .partition = job->options[0].partition,
        .reservation = job->options[0].reservation,
        .list = job->options[0].claims,
        .at_ms = at_ms,
        .beyond_ms = FUTURE_END,
        .blocked_until_ms = FUTURE_END,
        .unblocks_ms = FUTURE_END,
    };
}

static void use_option(struct plan_outcome *outcome, const struct sched_option *option)
{
    outcome->option = option->number;
    outcome->partition = option->partition;
    outcome->reservation = option->reservation;
    outcome->list = option->claims;
}

enum prospect { HOPELESS, CLOSED, NODES_DOWN, OPEN }; /* the best last */

/* Returns whether these pools can ever have enough for the option, or for its minimum time. */
static bool pools_fit_ever(const struct plan *plan, const struct sched_job *job,
                           const struct sched_option *option, uint32_t sorts, uint32_t *ret_pool)
{
    return claims_fit_ever(plan->pools, option->claims, sorts,
                           job->duration_min_ms ? job->duration_min_ms : job->duration_ms,
                           ret_pool);
}

static enum prospect prospect_of_nodes(const struct plan *plan, const struct sched_option *option)
{
    if (!option->kind->fits_ever)
        return HOPELESS;
    if (!plan->cluster->partitions[option->partition].starts_jobs)
        return CLOSED;
    return kind_fits_usable(plan->kinds, option->kind) ? OPEN : NODES_DOWN;
}

static enum prospect prospect_of(const struct plan *plan, const struct sched_job *job,
                                 const struct sched_option *option)
{
    uint32_t pool;

    if (option->claims && !pools_fit_ever(plan, job, option, POOLS_ALL, &pool))
        return HOPELESS;
    return prospect_of_nodes(plan, option);
}

/* Returns the best prospect of the job's options. As in Slurm, nodes that are down are told before
 * a partition that is. */
static enum prospect best_prospect(const struct plan *plan, const struct sched_job *job)
{
    enum prospect best = HOPELESS;

    for (uint32_t i = 0; i < job->options_n && best != OPEN; i++) {
        const enum prospect prospect = prospect_of(plan, job, &job->options[i]);

        if (prospect > best)
            best = prospect;
    }
    return best;
}

/* Sets the outcome of a job that never fits, where it may be only a pool that is too small. */
static void despair(const struct plan *plan, const struct sched_job *job, struct plan_outcome *ret)
{
    *ret = plan_waits(job, PLAN_WHY_NONE, PLAN_NEVER);
    ret->verdict = PLAN_NEVER_FITS;
    for (uint32_t i = 0; i < job->options_n; i++) {
        const struct sched_option *option = &job->options[i];

        if (option->kind->fits_ever && !pools_fit_ever(plan, job, option, POOLS_ALL, &ret->pool)) {
            ret->why = PLAN_WHY_POOL;
            return;
        }
    }
}

/* Has the outcome of a job that may be open speak of the first option by which it is. */
static void use_open_option(const struct plan *plan, const struct sched_job *job,
                            struct plan_outcome *outcome)
{
    for (uint32_t i = 0; i < job->options_n; i++) {
        if (prospect_of(plan, job, &job->options[i]) == OPEN) {
            use_option(outcome, &job->options[i]);
            return;
        }
    }
}

/* Decides what needs no look into the future; returns false where nothing is decided. */
static bool decide_early(const struct plan *plan, const struct sched_job *job, int64_t now_ms,
                         struct plan_outcome *ret)
{
    const enum prospect prospect = best_prospect(plan, job);

    if (prospect == HOPELESS) {
        despair(plan, job, ret);
    } else if (job->earliest_ms > now_ms) {
        *ret = plan_waits(job, PLAN_WHY_BEGIN, job->earliest_ms);
    } else if (prospect == CLOSED) {
        *ret = plan_waits(job, PLAN_WHY_PARTITION_DOWN, PLAN_NEVER);
    } else if (prospect == NODES_DOWN) {
        *ret = plan_waits(job, PLAN_WHY_NODES_DOWN, PLAN_NEVER);
    } else {
        return false;
    }
    return true;
}

static int64_t round_up(int64_t at, int64_t step)
{
    if (step <= 1 || at >= END_HORIZON)
        return at;
    return (at + step - 1) / step * step;
}

/* Returns from when on pools may have enough for the option, not before `at`, which itself is
 * exact. A job that its reservation ends needs less the later it begins. */
static int64_t pools_ready(const struct plan *plan, const struct sched_job *job,
                           const struct sched_option *option, int64_t at)
{
    const int64_t deadline = windows_deadline(&plan->windows, option->reservation, at);
    const int64_t length = plan_length_at(plan, job, option->reservation, at);
    const int64_t ready = claims_ready(plan->pools, option->claims, POOLS_ALL, at, length);
    int64_t first;

    if (ready == at || deadline >= FUTURE_END || future_add(ready, length) <= deadline)
        return ready;
    first = claims_ready(plan->pools, option->claims, POOLS_ALL, at, 1);
    if (first == at)
        first = claims_until(plan->pools, option->claims, POOLS_ALL, at);
    return first > at ? first : ready;
}

/* Returns the first moment from `at` on that is worth a look at the nodes. */
static int64_t next_allowed(const struct plan *plan, const struct sched_job *job,
                            const struct sched_option *option, int64_t at, int64_t now_ms)
{
    for (;;) {
        int64_t ready;

        if (at > now_ms)
            at = round_up(at, plan->cluster->policy.resolution_ms);
        if (at >= FUTURE_END)
            return FUTURE_END;
        ready = pools_ready(plan, job, option, at);
        if (ready == at)
            return at;
        at = ready;
    }
}

/* Returns the first moment to try. Without backfill nothing starts before what waits in front of
 * it. */
static int64_t first_moment(const struct plan *plan, const struct sched_job *job,
                            const struct sched_option *option, int64_t now_ms)
{
    int64_t at = option->not_before > now_ms ? option->not_before : now_ms;

    if (!plan->cluster->policy.backfill && plan->lines[option->partition].floor > at)
        at = plan->lines[option->partition].floor;
    return next_allowed(plan, job, option, at, now_ms);
}

static void begin_search(struct plan *plan, const struct sched_job *job,
                         const struct sched_option *option)
{
    const struct holder_user user = plan_user_of(plan, job, option->partition);

    search_begin(plan->search, &user);
}

/* ---- what other jobs of the kind have found out ---- */

static void recall(struct plan *plan, const struct sched_job *job,
                   const struct sched_option *option, int64_t now_ms)
{
    struct plan_attempt *attempt = &plan->attempt;
    const int64_t length = length_planned(job->duration_ms);
    const int64_t until = attempt->put_off
                              ? plan_negative_until(plan, option->kind, length, now_ms)
                              : negative_cache_until(&option->kind->planned, length, plan->gives_n);

    attempt->shortage = (struct node_shortage){ .nodes = 0 };
    attempt->bound = until > now_ms ? until : now_ms;
    if (attempt->bound > attempt->at)
        attempt->at = next_allowed(plan, job, option, attempt->bound, now_ms);
}

/* Returns whether what is found out holds for all jobs of the kind, and for longer ones. Where
 * users keep each other off nodes it holds for one user only; in a reservation, for as long as that
 * is. */
static bool is_for_all(const struct plan *plan, const struct sched_job *job,
                       const struct sched_option *option)
{
    return option->reservation == 0 && plan->holders.alone_n == 0 &&
           !plan_user_of(plan, job, option->partition).alone &&
           kind_is_searched_wholly(option->kind);
}

static void remember(struct plan *plan, const struct sched_job *job,
                     const struct sched_option *option, int64_t now_ms)
{
    const struct plan_attempt *attempt = &plan->attempt;
    const struct negative_entry entry = {
        .length = length_planned(job->duration_ms),
        .until = attempt->bound,
        .number = attempt->put_off ? plan->freed.n : plan->gives_n,
        .shortage = attempt->shortage,
    };

    if (entry.until > now_ms && is_for_all(plan, job, option))
        negative_cache_learn(attempt->put_off ? &option->kind->put_off : &option->kind->planned,
                             &entry);
}

/* ---- private pools ---- */

/* Returns whether private pools keep the job from starting now by the option, were nodes free. */
static bool is_blocked(const struct plan *plan, const struct sched_job *job,
                       const struct sched_option *option, int64_t now_ms)
{
    return claims_short(plan->pools, option->claims, POOLS_PRIVATE, now_ms,
                        length_planned(job->duration_ms), NULL) != POOL_NONE;
}

/* Returns when time alone may change whether pools let the job start by the option. While it waits
 * in shared pools, others are kept from its nodes and it is told a time: only what is given back
 * counts there. */
static int64_t changes_at(const struct plan *plan, const struct sched_job *job,
                          const struct sched_option *option, int64_t now_ms, int64_t private_ready)
{
    const int64_t length = length_planned(job->duration_ms);
    int64_t change;

    if (!option->claims)
        return FUTURE_END;
    change = private_ready > now_ms
                 ? private_ready
                 : claims_close(plan->pools, option->claims, POOLS_PRIVATE, now_ms, length);

    if (claims_ready(plan->pools, option->claims, POOLS_FALLING, now_ms, length) > now_ms) {
        const int64_t ready = claims_ready(plan->pools, option->claims, POOLS_ALL, now_ms, length);

        change = ready < change ? ready : change;
    }
    return change;
}

/* Finds by which options private pools let the job start now, and when time alone changes that. */
static void find_blocks(const struct plan *plan, const struct sched_job *job, int64_t now_ms,
                        struct plan_outcome *ret)
{
    ret->is_blocked = true;
    ret->blocked_until_ms = ret->unblocks_ms = FUTURE_END;
    for (uint32_t i = 0; i < job->options_n; i++) {
        const struct sched_option *option = &job->options[i];
        int64_t ready, change;

        if (prospect_of(plan, job, option) != OPEN)
            continue;
        ready = claims_ready_of_private(plan->pools, option->claims, now_ms,
                                        length_planned(job->duration_ms),
                                        plan->gives_n + plan->pools->held_n);
        change = changes_at(plan, job, option, now_ms, ready);
        ret->is_blocked &= ready > now_ms;
        ret->unblocks_ms = change < ret->unblocks_ms ? change : ret->unblocks_ms;
        if (ready <= now_ms || ready >= ret->blocked_until_ms)
            continue;
        ret->blocked_until_ms = ready;
        use_option(ret, option);
    }
}

/* ---- the search ---- */

static void begin_option(struct plan *plan, const struct sched_job *job, int64_t now_ms)
{
    struct plan_attempt *attempt = &plan->attempt;

    while (attempt->option < job->options_n &&
           (prospect_of(plan, job, &job->options[attempt->option]) != OPEN ||
            is_blocked(plan, job, &job->options[attempt->option], now_ms)))
        attempt->option++;
    if (attempt->option == job->options_n)
        return;
    begin_search(plan, job, &job->options[attempt->option]);
    attempt->at = first_moment(plan, job, &job->options[attempt->option], now_ms);
    recall(plan, job, &job->options[attempt->option], now_ms);
}

/* Returns whether the job is to start where a plan for later would have put it: one that has a
 * place there is, and all of a forecast, in which a job that could start may be planned again and
 * again. */
static bool keeps_plan(const struct plan *plan, const struct sched_job *job)
{
    return plan->cluster->policy.forecasts ||
           (job->tried && job->verdict == PLAN_LATER && !job->in_pool);
}

static void begin_attempt(struct plan *plan, const struct sched_job *job,
                          const struct plan_bounds *bounds)
{
    attempt_forget(&plan->attempt);
    plan->attempt.begun = true;
    plan->attempt.job_id = job->id;
    plan->attempt.now_ms = bounds->now_ms;
    plan->attempt.latest = bounds->latest_ms;
    plan->attempt.put_off = bounds->put_off;
    plan->attempt.best = plan_waits(job, PLAN_WHY_NONE, FUTURE_END);
    use_open_option(plan, job, &plan->attempt.best);
    find_blocks(plan, job, bounds->now_ms, &plan->attempt.best);
    search_keep_plan(plan->search, keeps_plan(plan, job));
    begin_option(plan, job, bounds->now_ms);
}

/* Keeps the option's places as the best so far. Another option is then of use only with an earlier
 * one. */
static void take_option(struct plan *plan, const struct sched_job *job, struct sched_place *places,
                        uint32_t n)
{
    struct plan_attempt *attempt = &plan->attempt;

    places_free(attempt->best.places, attempt->best.places_n);
    attempt->best.places = places;
    attempt->best.places_n = n;
    use_option(&attempt->best, &job->options[attempt->option]);
    attempt->best.at_ms = attempt->at;
    attempt->latest = attempt->at - 1;
}

static int64_t lesser(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Narrows nodes found at attempt->at that may be too many for pools that count them. Returns how
 * many places are left; when none are, moves attempt->at on. */
static uint32_t narrow(struct plan *plan, const struct sched_job *job,
                       const struct sched_option *option, int64_t now_ms,
                       struct sched_place **places, uint32_t n)
{
    struct plan_attempt *attempt = &plan->attempt;
    int64_t at = attempt->at;

    n = narrow_places(plan, option, length_planned(job->duration_ms), now_ms, &at, places, n);
    if (n)
        return n;
    attempt->best.was_narrowed = true;
    if (attempt->at == now_ms) {
        attempt->best.narrowed = claims_by_nodes(plan->pools, option->claims);
        attempt->best.unblocks_ms = lesser(attempt->best.unblocks_ms, at);
    }
    attempt->at = next_allowed(plan, job, option, at, now_ms);
    return 0;
}

/* Searches once, at attempt->at; returns whether the option has a place. */
static bool try_once(struct plan *plan, const struct sched_job *job, int64_t now_ms)
{
    struct plan_attempt *attempt = &plan->attempt;
    const struct sched_option *option = &job->options[attempt->option];
    const int64_t asked = attempt->at;
    struct sched_place *places;
    int64_t at = asked;
    uint32_t n = search_try(plan->search, option->kind, job->duration_ms, now_ms, &at, &places);

    if (asked <= attempt->bound && at > attempt->bound)
        attempt->bound = at;
    if (asked == now_ms)
        attempt->shortage = search_shortage(plan->search);
    attempt->at = next_allowed(plan, job, option, at, now_ms);
    if (n && attempt->at == at && claims_by_nodes(plan->pools, option->claims) != POOL_NONE)
        n = narrow(plan, job, option, now_ms, &places, n);
    if (n && attempt->at == at && at <= attempt->latest) {
        take_option(plan, job, places, n);
        return true;
    }
    if (n)
        places_free(places, n);
    return false;
}

/* Takes what the last search cost off the units; returns false when that is more than was left. */
static bool spend(struct plan *plan, uint32_t *units)
{
    const uint32_t cost = 1 + search_looks(plan->search) / LOOKS_A_UNIT;
    const bool is_enough = cost <= *units;

    *units -= is_enough ? cost : *units;
    return is_enough;
}

/* Searches moment by moment for the option; returns false when the units are spent. */
static bool try_option(struct plan *plan, const struct sched_job *job, int64_t now_ms,
                       uint32_t *units)
{
    struct plan_attempt *attempt = &plan->attempt;

    while (attempt->at <= attempt->latest && attempt->at < FUTURE_END) {
        const bool found = search_prepare(plan->search, now_ms) && try_once(plan, job, now_ms);

        if (!spend(plan, units) && !found)
            return false;
        if (found)
            break;
    }
    remember(plan, job, &job->options[attempt->option], now_ms);
    return true;
}

/* Returns how long the places stay free, at most the job's duration. */
static int64_t length_until(struct plan *plan, const struct sched_job *job,
                            const struct plan_outcome *outcome, int64_t now_ms)
{
    const struct holder_user user = plan_user_of(plan, job, outcome->partition);
    int64_t until = future_add(now_ms, length_planned(job->duration_ms));

    for (uint32_t i = 0; i < outcome->places_n; i++) {
        const struct sched_place *place = &outcome->places[i];

        until = lesser(until, future_until(plan->future, place, now_ms));
        until = lesser(until, holders_until(&plan->holders, place->node, &user, now_ms));
        until = lesser(until, windows_until(&plan->windows, place, outcome->reservation, now_ms));
    }
    until = lesser(until, claims_until(plan->pools, outcome->list, POOLS_ALL, now_ms));
    return lesser(until,
                  narrow_until(plan, outcome->list, outcome->places, outcome->places_n, now_ms)) -
           now_ms;
}

/* Serves --time-min: a job that cannot start now for its whole time may start for a part of it. */
static void try_shorter(struct plan *plan, const struct sched_job *job, int64_t now_ms,
                        struct plan_outcome *best)
{
    const int64_t length = length_planned(job->duration_min_ms);

    for (uint32_t i = 0; i < job->options_n; i++) {
        const struct sched_option *option = &job->options[i];
        struct sched_place *places;
        int64_t at = now_ms;
        uint32_t n;

        if (prospect_of(plan, job, option) != OPEN || option->not_before > now_ms ||
            (!plan->cluster->policy.backfill && plan->lines[option->partition].floor > now_ms) ||
            claims_ready(plan->pools, option->claims, POOLS_ALL, now_ms, length) > now_ms)
            continue;
        begin_search(plan, job, option);
        n = search_try(plan->search, option->kind, job->duration_min_ms, now_ms, &at, &places);
        if (n && at > now_ms) {
            places_free(places, n);
            continue;
        }
        if (n && claims_by_nodes(plan->pools, option->claims) != POOL_NONE)
            n = narrow_places(plan, option, length, now_ms, &at, &places, n);
        best->was_narrowed |= n == 0 && at > now_ms;
        if (n == 0)
            continue;
        places_free(best->places, best->places_n);
        use_option(best, option);
        best->places = places;
        best->places_n = n;
        best->at_ms = now_ms;
        best->length_ms = length_until(plan, job, best, now_ms);
        best->is_shortened = true;
        best->is_blocked = false;
        return;
    }
}

/* Finds the earliest place by any option; returns false when the units are spent. */
static bool find_best(struct plan *plan, const struct sched_job *job,
                      const struct plan_bounds *bounds, uint32_t *units, struct plan_outcome *ret)
{
    struct plan_attempt *attempt = &plan->attempt;

    if (!attempt->begun || attempt->job_id != job->id || attempt->now_ms != bounds->now_ms)
        begin_attempt(plan, job, bounds);
    while (attempt->option < job->options_n) {
        if (!try_option(plan, job, bounds->now_ms, units))
            return false;
        if (attempt->best.places_n == 0 && attempt->at < attempt->best.beyond_ms)
            attempt->best.beyond_ms = attempt->at;
        attempt->option++;
        begin_option(plan, job, bounds->now_ms);
    }
    *ret = attempt->best;
    *attempt = (struct plan_attempt){ 0 };
    return true;
}

bool plan_try(struct plan *plan, struct sched_job *job, const struct plan_bounds *bounds,
              uint32_t *units, struct plan_outcome *ret)
{
    *units -= *units > 0;
    if (decide_early(plan, job, bounds->now_ms, ret))
        return true;
    if (!find_best(plan, job, bounds, units, ret))
        return false;
    ret->length_ms = plan_length_at(plan, job, ret->reservation, ret->at_ms);
    if (job->duration_min_ms && ret->at_ms > bounds->now_ms)
        try_shorter(plan, job, bounds->now_ms, ret);
    judge_outcome(plan, job, bounds->now_ms, ret);
    return true;
}

void plan_wait_in_pool(const struct plan *plan, const struct sched_job *job, int64_t now_ms,
                       struct plan_outcome *outcome)
{
    outcome->in_pool = true;
    outcome->at_ms = outcome->blocked_until_ms;
    judge_outcome(plan, job, now_ms, outcome);
}

bool plan_is_blocked(const struct plan *plan, const struct sched_job *job, int64_t now_ms)
{
    return claims_short(plan->pools, job->list, POOLS_PRIVATE, now_ms,
                        length_planned(job->duration_ms), NULL) != POOL_NONE;
}

bool plan_is_open(const struct plan *plan, const struct sched_job *job,
                  const struct sched_option *option)
{
    return prospect_of(plan, job, option) == OPEN;
}

bool plan_takes_jobs(const struct plan *plan, const struct sched_option *option)
{
    return prospect_of_nodes(plan, option) == OPEN;
}

bool plan_fits_ever(const struct plan *plan, const struct sched_job *job)
{
    bool fits = false;
    uint32_t pool;

    for (uint32_t i = 0; i < job->options_n && !fits; i++)
        fits = job->options[i].kind->fits_ever &&
               pools_fit_ever(plan, job, &job->options[i], POOLS_SHARED, &pool);
    return fits;
}

struct plan_outcome plan_stays(const struct plan *plan, const struct sched_job *job, int64_t now_ms)
{
    struct plan_outcome outcome;

    if (decide_early(plan, job, now_ms, &outcome))
        return outcome;
    outcome = plan_waits(job, PLAN_WHY_NONE, FUTURE_END);
    use_open_option(plan, job, &outcome);
    find_blocks(plan, job, now_ms, &outcome);
    outcome.length_ms = length_planned(job->duration_ms);
    judge_outcome(plan, job, now_ms, &outcome);
    return outcome;
}

void plan_keep(struct plan *plan, struct sched_job *job, int64_t now_ms)
{
    struct plan_outcome kept = {
        .narrowed = POOL_NONE,
        .at_ms = job->from,
        .places = job->places,
        .places_n = job->places_n,
    };

    find_blocks(plan, job, now_ms, &kept);
    kept.option = job->option;
    kept.partition = job->partition;
    kept.reservation = job->reservation;
    kept.list = job->list;
    judge_waiting(plan, job, now_ms, &kept);
    job->why = kept.why;
    job->pool = kept.pool;
    job->unblocks_ms = kept.unblocks_ms;
    job->in_line = kept.in_line;
    plan_claim(plan, job);
}
