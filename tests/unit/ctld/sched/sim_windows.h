/*
 * sim_windows.h - reservations in the lines of sim.h.
 *
 *     nodes=0-1 from=10 to=20                 of whole nodes
 *     parts=2:0-1+3:0 from=10 to=20 flex=1    of cpus of nodes 2 and 3
 *     nodes=0 from=10 to=20 every=30 times=3  comes again
 *     nodes=0 floats=20                       always comes in 20 seconds
 *     claims=0:2 from=10 to=20                two of pool 0
 *     overrun=5, yields=5                     seconds; overrun=-1: its jobs are not ended
 */
#pragma once

#include "ctld/sched/planner.h"
#include "unit/ctld/sched/sim_claims.h"
#include "unit/ctld/sched/sim_words.h"

#define SIM_RESERVATIONS 4
#define SIM_SPANS        4
#define SIM_PARTS        4

/* What a reservation's spans and parts are kept in. */
struct sim_window {
    struct plan_span spans[SIM_SPANS];
    struct plan_place parts[SIM_PARTS];
    struct plan_claim claims[SIM_POOLS];
};

/* Whether a reservation can have a part of the node: it has none yet, and the cpus have numbers. */
static inline bool sim_takes_part(const struct plan_snapshot *cluster,
                                  const struct plan_place *parts, uint32_t n, uint32_t node)
{
    for (uint32_t i = 0; i < n; i++) {
        if (parts[i].node == node)
            return false;
    }
    return node < cluster->nodes_n && !cluster->nodes[node].counts_cpus;
}

/* "2:0-1+3:0": cpus 0 and 1 of node 2, and cpu 0 of node 3; not of one whose cpus are counted */
static inline uint32_t sim_parts(const struct plan_snapshot *cluster, struct plan_place *parts,
                                 const char *text)
{
    uint32_t n = 0;

    while (text && *text && n < SIM_PARTS) {
        struct plan_place *part = &parts[n];
        char cpus[64];

        part->node = (uint32_t)strtoul(text, (char **)&text, 10);
        snprintf(cpus, sizeof(cpus), "%.*s", (int)strcspn(text + 1, "+"), text + 1);
        text += 1 + strcspn(text + 1, "+");
        text += *text == '+';
        if (!sim_takes_part(cluster, parts, n, part->node))
            continue;
        sim_set(&part->cpus, cluster->nodes[part->node].cpus, cpus);
        n++;
    }
    return n;
}

/* "from=10 to=20 every=30 times=3": every 30 seconds, all in all three times */
static inline uint32_t sim_spans(struct plan_span *spans, const char *line)
{
    const int64_t every_ms = sim_number(line, "every", 0) * 1000;
    const int64_t times = sim_number(line, "times", every_ms ? SIM_SPANS : 1);
    const int64_t from_ms = sim_number(line, "from", 0) * 1000;
    const int64_t to_ms = sim_number(line, "to", 0) * 1000;

    for (uint32_t i = 0; i < times; i++)
        spans[i] = (struct plan_span){ from_ms + i * every_ms, to_ms + i * every_ms };
    return (uint32_t)times;
}

static inline uint32_t sim_reservation_flags(const char *line)
{
    return (sim_number(line, "absent", 0) ? PLAN_RESV_ABSENT : 0u) |
           (sim_number(line, "flex", 0) ? PLAN_RESV_FLEX : 0u) |
           (sim_number(line, "anywhere", 0) ? PLAN_RESV_ANYWHERE : 0u) |
           (sim_number(line, "maint", 0) ? PLAN_RESV_MAINT : 0u) |
           (sim_number(line, "overlap", 0) ? PLAN_RESV_OVERLAP : 0u);
}

/* Reads the line into the reservation, whose lists are kept in the window. */
static inline void sim_window_read(const struct plan_snapshot *cluster, const char *line,
                                   struct sim_window *window, struct plan_reservation *made)
{
    const char *nodes;

    made->flags = sim_reservation_flags(line);
    made->floats_ms = sim_number(line, "floats", 0) * 1000;
    made->overrun_ms = sim_number(line, "overrun", 0) * 1000;
    if (made->overrun_ms < 0)
        made->overrun_ms = PLAN_NEVER;
    made->yields_ms = sim_number(line, "yields", 0) * 1000;
    made->spans = window->spans;
    made->spans_n = made->floats_ms ? 0 : sim_spans(window->spans, line);
    made->parts = window->parts;
    made->parts_n = sim_parts(cluster, window->parts, sim_word(line, "parts"));
    made->claims = window->claims;
    made->claims_n = sim_claims(window->claims, sim_word(line, "claims"));
    nodes = sim_word(line, "nodes");
    sim_set(&made->nodes, cluster->nodes_n, nodes ? nodes : "");
}
