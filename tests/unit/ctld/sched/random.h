/*
 * random.h - random clusters, jobs and changes for the planner's property tests.
 *
 * The same seed gives the same case; a failing test prints the lines that made it.
 */
#pragma once

#include "unit/ctld/sched/sim.h"

struct chance {
    uint64_t state;
};

static inline uint32_t chance_below(struct chance *chance, uint32_t n)
{
    chance->state = chance->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(chance->state >> 33) % n;
}

/* One in n. */
static inline bool chance_hits(struct chance *chance, uint32_t n)
{
    return chance_below(chance, n) == 0;
}

static inline const char *chance_word(struct chance *chance, const char *const *words, uint32_t n)
{
    return words[chance_below(chance, n)];
}

static inline void random_features(struct sim *sim, struct chance *chance)
{
    static const char *const features[] = { "", "features=x", "features=y", "features=x,y" };

    for (uint32_t i = 0; i < sim->snapshot.nodes_n; i++) {
        AUTO_FREE char *line =
            xasprintf("%u: weight=%u %s %s", i, chance_below(chance, 2),
                      chance_word(chance, features, 4), chance_hits(chance, 8) ? "down" : "");
        sim_node(sim, line);
    }
}

static inline void random_partitions(struct sim *sim, struct chance *chance)
{
    const uint32_t n = sim->snapshot.nodes_n;

    if (chance_hits(chance, 2))
        return;
    sim_partition(sim, "all:");
    for (uint32_t i = 0; i < 2; i++) {
        const uint32_t first = chance_below(chance, n);
        AUTO_FREE char *line = xasprintf(
            "p%u: nodes=%u-%u tier=%u %s", i, first, first + chance_below(chance, n - first),
            chance_below(chance, 2) + 1, chance_hits(chance, 4) ? "exclusive" : "");
        sim_partition(sim, line);
    }
}

static inline struct sim *random_cluster(struct chance *chance, bool backfill)
{
    static const char *const selects[] = { "linear", "core",        "cpu",
                                           "socket", "core,memory", "core,memory,onetask" };
    AUTO_FREE char *line = xasprintf("nodes=%ux%ux%ux%u select=%s backfill=%s",
                                     1 + chance_below(chance, 4), 1 + chance_below(chance, 2),
                                     1 + chance_below(chance, 3), 1 + chance_below(chance, 2),
                                     chance_word(chance, selects, 6), backfill ? "yes" : "no");
    struct sim *sim = sim_new(line);

    random_features(sim, chance);
    random_partitions(sim, chance);
    return sim;
}

static inline char *random_job_line(const struct sim *sim, struct chance *chance)
{
    static const char *const extras[] = { "exclusive",      "overcommit", "contiguous",
                                          "threads=1",      "mem=300",    "mem-per-cpu=200",
                                          "allmem",         "features=x", "features=x&y",
                                          "on=0",           "not=0",      "mincpus=2",
                                          "tasks=2 nodes=2" };
    AUTO(strbuf) struct strbuf out = { 0 };
    const uint32_t min = 1 + chance_below(chance, 3);

    strbuf_addf(&out, "j%u: priority=%u partition=p%u", sim->jobs_n, chance_below(chance, 3),
                chance_below(chance, 3));
    if (!chance_hits(chance, 6))
        strbuf_addf(&out, " time=%u", 1 + chance_below(chance, 30));
    if (chance_hits(chance, 2))
        strbuf_addf(&out, " tasks=%u", 1 + chance_below(chance, 6));
    if (chance_hits(chance, 2))
        strbuf_addf(&out, " cpus=%u", 1 + chance_below(chance, 3));
    if (chance_hits(chance, 4))
        strbuf_addf(&out, " per-node=%u", 1 + chance_below(chance, 2));
    if (chance_hits(chance, 3))
        strbuf_addf(&out, " nodes=%u-%u", min, min + chance_below(chance, 3));
    else
        strbuf_addf(&out, " nodes=%u", min);
    for (uint32_t i = chance_below(chance, 3); i > 0; i--)
        strbuf_addf(&out, " %s", chance_word(chance, extras, ARRAY_N(extras)));
    return strbuf_steal(&out);
}

static inline void random_submit(struct sim *sim, struct chance *chance)
{
    AUTO_FREE char *line = random_job_line(sim, chance);
    AUTO_FREE char *whole =
        chance_hits(chance, 8)
            ? xasprintf("%s begin=%lld", line,
                        (long long)(sim->snapshot.now_ms / 1000 + chance_below(chance, 20)))
            : xstrdup(line);

    sim_job(sim, whole);
}

/* Any job that is still there, or NULL. */
static inline struct sim_job *random_job(struct sim *sim, struct chance *chance)
{
    for (uint32_t tries = 0; sim->jobs_n && tries < 8; tries++) {
        struct sim_job *job = &sim->jobs[chance_below(chance, sim->jobs_n)];

        if (!job->gone)
            return job;
    }
    return NULL;
}

static inline void random_change(struct sim *sim, struct chance *chance)
{
    struct sim_job *job = random_job(sim, chance);
    const uint32_t node = chance_below(chance, sim->snapshot.nodes_n);

    switch (chance_below(chance, 12)) {
    case 0:
        sim_set_usable(sim, node, !sim->nodes[node].usable);
        break;
    case 1:
        sim_set_partition(sim, "p0", chance_hits(chance, 2));
        break;
    case 2:
    case 3:
    case 4:
        if (job)
            sim_end(sim, job->name);
        break;
    case 5:
        if (job && job->ask.places_n)
            sim_release(sim, job->name, job->ask.places[0].node);
        break;
    case 6:
    case 7:
        sim->snapshot.now_ms += chance_below(chance, 8000);
        break;
    default:
        random_submit(sim, chance);
    }
}
