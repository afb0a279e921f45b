#include "unit/ctld/sched/proof/random.h"

uint32_t chance_below(struct chance *chance, uint32_t n)
{
    if (chance->bytes) {
        if (chance->bytes_n == 0)
            return 0;
        chance->bytes_n--;
        return *chance->bytes++ % n;
    }
    chance->state = chance->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(chance->state >> 33) % n;
}

bool chance_hits(struct chance *chance, uint32_t n)
{
    return chance_below(chance, n) == n - 1;
}

const char *chance_word(struct chance *chance, const char *const *words, uint32_t n)
{
    return words[chance_below(chance, n)];
}

/* ---- the cluster ---- */

static void policy_words(struct chance *chance, struct strbuf *out)
{
    static const char *const words[] = { "depth",      "per-user", "per-partition", "plans",
                                         "resolution", "window",   "reserve-age" };
    static const char *const orders[] = { "", "", "", " backfill=no",
                                          "", "", "", " backfill=no limits-stop=yes" };

    strbuf_adds(out, chance_word(chance, orders, ARRAY_N(orders)));
    if (chance_hits(chance, 4))
        strbuf_addf(out, " %s=%u", chance_word(chance, words, ARRAY_N(words)),
                    1 + chance_below(chance, 4));
    else if (chance_hits(chance, 8))
        strbuf_addf(out, " plans=%u in-queue", 1 + chance_below(chance, 2));
}

/* plan_policy_default, with shorter days. */
static void default_policy_words(struct chance *chance, struct strbuf *out)
{
    static const char *const turns[] = { " stretched", " stretched", " in-queue", "" };

    strbuf_addf(out, " plans=1 lines plan-age=%u", 5 + chance_below(chance, 30));
    strbuf_adds(out, chance_word(chance, turns, ARRAY_N(turns)));
}

static uint32_t nodes_line(struct chance *chance, const struct random_mix *mix, struct strbuf *out)
{
    static const char *const selects[] = { "core,memory", "core",    "linear",
                                           "cpu",         "socket",  "core,memory,onetask",
                                           "cpu,memory",  "core,lln" };
    const uint32_t nodes = mix->counts_cpus ? 1 : 1 + chance_below(chance, mix->tiny ? 3 : 6);
    const uint32_t sockets = mix->flat ? 1 : 1 + chance_below(chance, 2);
    const uint32_t cores = 1 + chance_below(chance, mix->tiny ? 2 : 4);
    const uint32_t threads = mix->tiny && sockets * cores > 2 ? 1 : 1 + chance_below(chance, 2);

    strbuf_addf(out, "nodes=%ux%ux%ux%u select=%s", nodes, sockets, cores, threads,
                chance_word(chance, selects, ARRAY_N(selects)));
    if (mix->promises)
        default_policy_words(chance, out);
    else if (!mix->lasting && !mix->unbounded)
        policy_words(chance, out);
    strbuf_adds(out, mix->beside ? " beside\n" : "\n");
    return nodes;
}

#define BOUND_GRES 4 /* the last of the nodes' devices are near cores, */
#define BOUND_ASKS 9 /* and of the jobs' words for devices these bind them to such */

static void node_lines(struct chance *chance, const struct random_mix *mix, uint32_t nodes,
                       struct strbuf *out)
{
    static const char *const features[] = {
        "", " features=x", " features=y", " features=x,y", " features=z", " features=x,y,z"
    };
    static const char *const gres[] = {
        "",
        "",
        " gres=gpu:a:1,gpu:b:2,band::4c",
        " gres=gpu::3,band::2c",
        " gres=gpu::2@0-1",
        " gres=gpu:a:1@0-1,gpu:b:1@2-3",
        " gres=gpu::1@0-1,gpu::1@2-3",
        " gres=gpu:a:1@0-1,gpu:b:1@0-1,gpu:b:1@2-3",
    };
    const uint32_t unbound_n = mix->bound ? (uint32_t)ARRAY_N(gres) - BOUND_GRES : 0;
    const bool has_gres = (chance_hits(chance, 3) && !mix->counts_cpus) || mix->bound;

    for (uint32_t i = 0; i < nodes; i++) {
        strbuf_addf(out, "node %u: weight=%u%s%s%s%s%s\n", i, chance_below(chance, 2),
                    chance_word(chance, features, ARRAY_N(features)),
                    has_gres
                        ? chance_word(chance, gres + unbound_n, (uint32_t)ARRAY_N(gres) - unbound_n)
                        : "",
                    chance_hits(chance, 4) ? " mem=500" : "", chance_hits(chance, 8) ? " down" : "",
                    mix->counts_cpus || chance_hits(chance, 12) ? " counted" : "");
    }
}

static void partition_lines(struct chance *chance, uint32_t nodes, struct strbuf *out)
{
    static const char *const shares[] = { "",
                                          "",
                                          "",
                                          "",
                                          " exclusive",
                                          " share=2",
                                          " alone",
                                          " lln",
                                          " share=2 force",
                                          " node-cap=1",
                                          " node-cap=2",
                                          " node-cap=3" };

    if (chance_hits(chance, 2))
        return;
    strbuf_adds(out, "partition all:\n");
    for (uint32_t i = 0; i < 2; i++) {
        const uint32_t first = chance_below(chance, nodes);

        strbuf_addf(out, "partition p%u: nodes=%u-%u tier=%u%s\n", i, first,
                    first + chance_below(chance, nodes - first), chance_below(chance, 2) + 1,
                    chance_word(chance, shares, ARRAY_N(shares)));
    }
}

/* Two leaves and what joins them, or two that nothing joins. */
static void switch_lines(struct chance *chance, uint32_t nodes, struct strbuf *out)
{
    const uint32_t first = chance_below(chance, nodes);

    if (!chance_hits(chance, 3))
        return;
    strbuf_addf(out, "switch nodes=0-%u\n", first);
    if (first + 1 < nodes)
        strbuf_addf(out, "switch nodes=%u-%u\n", first + 1, nodes - 1);
    if (chance_hits(chance, 2))
        strbuf_addf(out, "switch nodes=0-%u level=1\n", nodes - 1);
}

/* Some cpus of a node, or some nodes. */
static void reserved_words(struct chance *chance, uint32_t nodes, struct strbuf *out)
{
    const uint32_t node = chance_below(chance, nodes);
    const uint32_t last = node + chance_below(chance, nodes - node);

    if (chance_hits(chance, 3) && last > node)
        strbuf_addf(out, " parts=%u:0-%u+%u:1", node, chance_below(chance, 2), last);
    else
        strbuf_addf(out, " nodes=%u-%u", node, last);
}

/* Who may be there all the same, and when. */
static void reservation_words(struct chance *chance, struct strbuf *out)
{
    static const char *const words[] = { "",           "",           "",
                                         " flex=1",    " maint=1",   " anywhere=1",
                                         " overlap=1", " yields=4",  " yields=9",
                                         " overrun=3", " overrun=-1" };

    strbuf_adds(out, chance_word(chance, words, ARRAY_N(words)));
}

#define NO_POOL UINT32_MAX

/* It may have some of the pool, which is a shared sum, if there is one. */
static char *reservation_line(struct chance *chance, uint32_t nodes, uint32_t pool, int64_t now_s)
{
    AUTO(strbuf) struct strbuf out = { 0 };
    const bool absent = chance_hits(chance, 3); /* nodes are so from now on, not later */
    const int64_t from = absent ? now_s : now_s + chance_below(chance, 15);
    const uint32_t length = 1 + chance_below(chance, 20);

    strbuf_adds(&out, "reservation");
    reserved_words(chance, nodes, &out);
    if (!absent && chance_hits(chance, 8)) {
        strbuf_addf(&out, " floats=%u", length);
        return strbuf_steal(&out);
    }
    strbuf_addf(&out, " from=%lld to=%lld absent=%d", (long long)from, (long long)from + length,
                absent);
    if (absent)
        return strbuf_steal(&out);
    if (chance_hits(chance, 4))
        strbuf_addf(&out, " every=%u times=3", length + 1 + chance_below(chance, 10));
    reservation_words(chance, &out);
    if (pool != NO_POOL && !chance_hits(chance, 3))
        strbuf_addf(&out, " claims=%u:%u", pool, chance_below(chance, 4));
    return strbuf_steal(&out);
}

/* Returns a pool that a reservation may claim of, or NO_POOL. */
static uint32_t pool_lines(struct chance *chance, const struct random_mix *mix, struct strbuf *out)
{
    static const struct {
        const char *words;
        uint32_t most;
    } kinds[] = { { "total", 5 },       { "total", 5 },      { "ramp total", 60 },
                  { "nodes total", 3 }, { "gate opens", 5 }, { "spent total", 9 } };
    const uint32_t each_n = 3; /* the first ones may be for each job, where they are private */
    const uint32_t kinds_n = (uint32_t)ARRAY_N(kinds) - !mix->limits;
    const uint32_t sums_n = 2; /* the first ones */
    const uint32_t n = chance_below(chance, 3) + 1;
    uint32_t sum = NO_POOL;

    for (uint32_t i = 0; i < n; i++) {
        const uint32_t kind = chance_below(chance, kinds_n);
        const uint32_t total = 1 + chance_below(chance, kinds[kind].most);
        const bool is_private = chance_hits(chance, 2);

        strbuf_addf(out, "pool %s=%u%s%s\n", kinds[kind].words, total, is_private ? " private" : "",
                    is_private && kind < each_n && chance_hits(chance, 3) ? " each" : "");
        if (kind < sums_n && !is_private)
            sum = i;
    }
    return sum;
}

void random_cluster_lines(struct chance *chance, const struct random_mix *mix, struct strbuf *lines)
{
    const uint32_t nodes = nodes_line(chance, mix, lines);
    uint32_t pool = NO_POOL;

    node_lines(chance, mix, nodes, lines);
    partition_lines(chance, nodes, lines);
    switch_lines(chance, nodes, lines);
    if (mix->beside || chance_hits(chance, 3))
        pool = pool_lines(chance, mix, lines);
    if (chance_hits(chance, 4)) {
        AUTO_FREE char *line = reservation_line(chance, nodes, pool, 0);

        strbuf_addf(lines, "%s\n", line);
    }
}

/* ---- jobs ---- */

/* One of each group at most, and nothing most of the time. */
static void memory_word(struct chance *chance, struct strbuf *out)
{
    static const char *const words[] = { "mem=300",        "mem=600",         "mem=1001",
                                         "allmem",         "mem-per-cpu=200", "mem-per-cpu=90",
                                         "mem-per-cpu=501" };

    if (chance_hits(chance, 3))
        strbuf_addf(out, " %s", chance_word(chance, words, ARRAY_N(words)));
}

static bool has_whole_nodes(const struct sim *sim)
{
    for (uint32_t i = 0; i < sim->snapshot.partitions_n; i++) {
        if (sim->partitions[i].share == OVERSUBSCRIBE_EXCLUSIVE)
            return true;
    }
    return false;
}

/* Who has all devices of a node asked for fewer: what comes with each is left out then. */
static void gres_words(struct chance *chance, const struct random_mix *mix, const struct sim *sim,
                       struct strbuf *out)
{
    static const char *const asks[] = {
        "gres-job=gpu::2",
        "gres-job=gpu::4",
        "gres-job=gpu:b:3",
        "gres-job=gpu:a:1,gpu:b:2",
        "gres=gpu::1",
        "gres=gpu::2",
        "gres=gpu:b:1",
        "gres=gpu:a:1,gpu::1",
        "gres=band::1",
        "gres=band::2,gpu::1",
        "gres-task=gpu::1",
        "gres-task=band::1",
        "per-gpu=2",
        "gres-job=gpu::3",
        "gres-socket=gpu::1",
        "gres-socket=gpu::1 sockets=2",
        "gres=gpu::1 binds",
        "gres=gpu::2 binds",
        "gres-job=gpu::2 binds",
        "gres-job=gpu::3 binds",
        "gres=gpu:b:1,gpu::1 binds",
        "gres-job=gpu:a:1,gpu:b:1 binds",
        "gres-task=gpu::1 binds",
    };
    static const char *const more[] = { "", "", " cpus-per-gpu=2", " mem-per-gpu=200" };
    const uint32_t asks_n = (uint32_t)ARRAY_N(asks), unbound_n = asks_n - BOUND_ASKS;
    /* Of whole sockets some cores may be away from the devices. */
    const bool unbound = sim->snapshot.policy.select & SELECT_SOCKET;

    if (mix->bound && !unbound)
        strbuf_addf(out, " %s", chance_word(chance, asks + unbound_n, BOUND_ASKS));
    else
        strbuf_addf(out, " %s", chance_word(chance, asks, unbound ? unbound_n : asks_n));
    if (!strstr(strbuf_text(out), "exclusive") && !strstr(strbuf_text(out), "spare") &&
        !has_whole_nodes(sim))
        strbuf_adds(out, chance_word(chance, more, ARRAY_N(more)));
}

static void extra_words(struct chance *chance, struct strbuf *out)
{
    static const char *const extras[] = {
        "features=x|y",  "features=[x|y]",
        "features=x*1",  "features=[x*1&y*1]",
        "prefer=x&y*1",  "exclusive",
        "overcommit",    "contiguous",
        "threads=1",     "features=x",
        "prefer=y",      "features=x&y",
        "on=0",          "not=0",
        "mincpus=2",     "on=1",
        "per-socket=1",  "per-core=1",
        "sockets=2",     "cores=2",
        "oversubscribe", "memory-bound",
        "dist=*:block",  "alone",
        "spare=1",       "spread",
        "few-nodes",     "switches=1 switch-wait=4",
        "switches=1",    "features=x*1&y*2&z*1",
        "listed=0,0,1",  "listed=1",
        "per-socket=2",  "per-socket=1 tasks=2",
    };

    for (uint32_t i = chance_below(chance, 3); i > 0; i--)
        strbuf_addf(out, " %s", chance_word(chance, extras, ARRAY_N(extras)));
}

static void shape_words(struct chance *chance, const struct random_mix *mix, const struct sim *sim,
                        struct strbuf *out)
{
    const uint32_t min = 1 + chance_below(chance, mix->tiny ? 2 : 3);

    if (chance_hits(chance, 3))
        strbuf_addf(out, " nodes=%u-%u", min, min + chance_below(chance, 3));
    else
        strbuf_addf(out, " nodes=%u", min);
    if (chance_hits(chance, 2))
        strbuf_addf(out, " tasks=%u", 1 + chance_below(chance, 6));
    if (chance_hits(chance, 2))
        strbuf_addf(out, " cpus=%u", 1 + chance_below(chance, 3));
    if (chance_hits(chance, 4))
        strbuf_addf(out, " per-node=%u", 1 + chance_below(chance, 2));
    extra_words(chance, out);
    if (sim->nodes[0].gres_n && (mix->bound || chance_hits(chance, 2)))
        gres_words(chance, mix, sim, out);
    else
        memory_word(chance, out);
}

/* Of some pools; where there is another partition, maybe of others than here. A private pool is one
 * user's. */
static void claim_words(struct chance *chance, const struct random_mix *mix, const struct sim *sim,
                        uint32_t user, struct strbuf *out)
{
    static const char *const words[] = { " claims=", " or-claims=" };
    static const char *const ofs[] = { "", "", "", "", "", "/cpu", "/node", "/gpu" };

    for (uint32_t i = 0; i < 1 + chance_below(chance, 2); i++) {
        const char *between = words[i];

        for (uint32_t pool = 0; pool < sim->snapshot.pools_n; pool++) {
            if (!chance_hits(chance, 2) || (sim->pools[pool].is_private && pool % 3 != user))
                continue;
            strbuf_addf(out, "%s%u:%u%s", between, pool, chance_below(chance, 4),
                        mix->lasting ? "" : chance_word(chance, ofs, ARRAY_N(ofs)));
            between = ",";
        }
    }
}

/* Who it is of, and what else than nodes it waits for. */
static void queue_words(struct chance *chance, const struct random_mix *mix, const struct sim *sim,
                        struct strbuf *out)
{
    const uint32_t user = chance_below(chance, 3);

    strbuf_addf(out, " user=%u", user);
    if (!mix->promises && sim->snapshot.partitions_n > 1 && chance_hits(chance, 4))
        strbuf_addf(out, " or=p%u", chance_below(chance, 2));
    if (sim->snapshot.pools_n && (mix->beside || chance_hits(chance, 2)))
        claim_words(chance, mix, sim, user, out);
    if (sim->snapshot.reservations_n && chance_hits(chance, 4))
        strbuf_addf(out, " reservation=%u", 1 + chance_below(chance, sim->snapshot.reservations_n));
    if (!mix->promises && sim->snapshot.reservations_n && chance_hits(chance, 6))
        strbuf_addf(out, " or-reservation=%u",
                    chance_below(chance, 1 + sim->snapshot.reservations_n));
    if (!mix->lasting && chance_hits(chance, 6))
        strbuf_adds(out, " time-min=1");
    if (mix->limits && chance_hits(chance, 12))
        strbuf_adds(out, " no-place");
}

static char *job_line(struct chance *chance, const struct random_mix *mix, const struct sim *sim)
{
    AUTO(strbuf) struct strbuf out = { 0 };

    strbuf_addf(&out, "job j%u: priority=%u partition=p%u", sim->jobs_n, chance_below(chance, 3),
                chance_below(chance, 3));
    if (mix->lasting || mix->promises || !chance_hits(chance, 6))
        strbuf_addf(&out, " time=%u", 1 + chance_below(chance, mix->tiny ? 6 : 30));
    if (!mix->lasting && chance_hits(chance, 8))
        strbuf_addf(&out, " begin=%lld",
                    (long long)(sim->snapshot.now_ms / 1000 + chance_below(chance, 20)));
    queue_words(chance, mix, sim, &out);
    shape_words(chance, mix, sim, &out);
    return strbuf_steal(&out);
}

/* ---- changes ---- */

/* Any job that is still there, or NULL. */
static const struct sim_job *any_job(struct chance *chance, const struct sim *sim)
{
    for (uint32_t tries = 0; sim->jobs_n && tries < 8; tries++) {
        const struct sim_job *job = &sim->jobs[chance_below(chance, sim->jobs_n)];

        if (!job->gone)
            return job;
    }
    return NULL;
}

static char *step_line(struct chance *chance, const struct sim *sim)
{
    const long long now_ms =
        sim->snapshot.now_ms + (chance_hits(chance, 2) ? chance_below(chance, 8000) : 0);

    if (chance_hits(chance, 3))
        return xasprintf("now %lld ms, step %u", now_ms, chance_below(chance, 5));
    return xasprintf("now %lld ms", now_ms);
}

/* The running job whose time is over first, or NULL. */
static const struct sim_job *next_to_end(const struct sim *sim)
{
    const struct sim_job *next = NULL;

    for (uint32_t i = 0; i < sim->jobs_n; i++) {
        const struct sim_job *job = &sim->jobs[i];

        if (!job->gone && job->ask.runs && (!next || job->ask.end_ms < next->ask.end_ms))
            next = job;
    }
    return next;
}

/* No further than something is due: a limit is over, then the job ends; or a planned start. */
static char *careful_step_line(struct chance *chance, const struct sim *sim)
{
    const struct sim_job *next = next_to_end(sim);
    const int64_t wakes_ms = planner_wakes_at(sim->planner);
    int64_t now_ms = sim->snapshot.now_ms + chance_below(chance, 8000);

    if (wakes_ms > sim->snapshot.now_ms && wakes_ms < now_ms)
        now_ms = wakes_ms;
    if (next && next->ask.end_ms <= now_ms)
        return xasprintf("clock %lld ms", (long long)next->ask.end_ms);
    return xasprintf("now %lld ms%s", (long long)now_ms, chance_hits(chance, 3) ? ", step 3" : "");
}

static char *about_job_line(struct chance *chance, const struct sim_job *job)
{
    switch (chance_below(chance, 8)) {
    case 0:
        return xasprintf("limit %s %u", job->name, chance_below(chance, 30));
    case 1:
        return xasprintf("priority %s %u", job->name, chance_below(chance, 4));
    case 2:
        if (job->ask.places_n)
            return xasprintf("release %s %u", job->name, job->ask.places[0].node);
        break;
    }
    return xasprintf("end %s", job->name);
}

static char *resize_line(struct chance *chance, const struct sim *sim)
{
    const uint32_t pool = chance_below(chance, sim->snapshot.pools_n);
    const uint32_t most = sim->pools[pool].kind == PLAN_POOL_RAMP ? 60 : 6;

    return xasprintf("resize %u %u", pool, chance_below(chance, most));
}

/* Returns a pool that a reservation may claim of, or NO_POOL. */
static uint32_t shared_sum(const struct sim *sim)
{
    for (uint32_t i = 0; i < sim->snapshot.pools_n; i++) {
        const struct plan_pool *pool = &sim->pools[i];

        if (pool->kind == PLAN_POOL_SUM && !pool->is_private && !pool->is_spent)
            return i;
    }
    return NO_POOL;
}

char *random_change_line(struct chance *chance, const struct random_mix *mix, const struct sim *sim)
{
    const struct sim_job *job = any_job(chance, sim);
    const struct sim_job *next = mix->promises ? next_to_end(sim) : NULL;
    const uint32_t node = chance_below(chance, sim->snapshot.nodes_n);

    if (next && next->ask.end_ms <= sim->snapshot.now_ms)
        return xasprintf("end %s", next->name);
    switch (chance_below(chance, 12)) {
    case 0:
        return xasprintf("node %u %s", node, sim->nodes[node].usable ? "down" : "up");
    case 1:
        return xasprintf("partition p0 %s", chance_hits(chance, 3) ? "down" : "up");
    case 2:
    case 3:
        if (job)
            return about_job_line(chance, job);
        break;
    case 4:
        if (sim->snapshot.reservations_n < 4 && chance_hits(chance, 8))
            return reservation_line(chance, sim->snapshot.nodes_n, shared_sum(sim),
                                    sim->snapshot.now_ms / 1000);
        if (sim->snapshot.pools_n && chance_hits(chance, 2))
            return resize_line(chance, sim);
        break;
    case 5:
    case 6:
    case 7:
        return mix->promises ? careful_step_line(chance, sim) : step_line(chance, sim);
    }
    return job_line(chance, mix, sim);
}
