/*
 * sim.h - a planner driven by lines of text.
 *
 *     sim_new("nodes=2x4 now=0")            two nodes of four cores, each core one cpu
 *     sim_new("nodes=2x2x4x2 select=core")  two nodes of 2 sockets x 4 cores x 2 threads
 *     sim_node(sim, "1: weight=5 features=gpu,fast mem=500 down")
 *     sim_partition(sim, "big: nodes=1-3 tier=2")
 *     sim_pool(sim, "total=3")              what is counted over time: the first is pool 0
 *     sim_job(sim, "a: nodes=2 time=10 priority=5 claims=0:2")
 *
 * Times are seconds. Jobs are named; the earlier added is the earlier submitted. Whole nodes are
 * given (select=linear) unless something else is said. `running` starts the job at once. With
 * `beside` in the first line another planner forecasts where the jobs stand that wait, as the
 * controller's does. Everything reaches the planner by planner_apply, except the first snapshot;
 * the driver keeps the resulting cluster as a snapshot too, for tests that compare with a rebuild.
 */
#pragma once

#include <check.h>
#include <stdio.h>
#include <string.h>

#include "common/base/strbuf.h"
#include "ctld/model/model.h"
#include "ctld/sched/planner.h"
#include "unit/ctld/sched/proof/deadline.h"
#include "unit/ctld/sched/sim_claims.h"
#include "unit/ctld/sched/sim_forecast.h"
#include "unit/ctld/sched/sim_gres.h"
#include "unit/ctld/sched/sim_windows.h"
#include "unit/ctld/sched/sim_words.h"

#define SIM_WAITS    (-1)
#define SIM_JOBS_MAX 512
#define SIM_NODES    160

struct sim_job {
    char name[16];
    struct plan_job ask; /* places and sets owned; its options are: */
    struct plan_option options[2];
    struct plan_claim claims[2][SIM_POOLS];
    bool gone;
    bool told;
    bool backfilled, forecast;
    enum plan_verdict verdict;
    enum plan_why why;
    int64_t at_ms;
    char places[512]; /* "0:0-3 1:0,2"; devices behind a slash */
    uint64_t memory_mb;
    uint32_t nodes_n;
    uint64_t blockers[PLAN_BLOCKERS_MAX];
    uint32_t blockers_n;
    uint32_t lacks, partition, pool;
    char *place;      /* that it had after the last pass, in words; NULL: none */
    int64_t place_ms; /* when */
    bool ran;         /* after that pass */
};

struct sim {
    struct planner *planner;
    struct planner *forecast; /* beside it; NULL: none */
    struct plan_node nodes[SIM_NODES];
    struct plan_partition partitions[8];
    char partition_names[8][16];
    struct plan_pool pools[SIM_POOLS];
    struct plan_reservation reservations[SIM_RESERVATIONS];
    struct sim_window windows[SIM_RESERVATIONS];
    struct plan_switch switches[4];
    struct plan_snapshot snapshot; /* jobs: filled by sim_snapshot */
    struct sim_job jobs[SIM_JOBS_MAX];
    uint32_t jobs_n;
    uint32_t units;     /* of one step; 0: as many as needed */
    uint32_t decided_n; /* decisions of the last pass */
    bool ready;
    bool taken;          /* since the last pass something was taken away that plans counted on, or
                            a pool has given back, for which promises are made beside the others */
    int64_t passed_ms;   /* when the last pass was done, as stories tell */
    struct strbuf story; /* what was done, one line each, for the message of a failing test */
};

/* ---- the cluster ---- */

static inline uint32_t sim_select(const char *line)
{
    static const struct {
        const char *name;
        uint32_t flag;
    } words[] = {
        { "linear", SELECT_LINEAR },
        { "cpu", SELECT_CPU },
        { "core", SELECT_CORE },
        { "socket", SELECT_SOCKET },
        { "memory", SELECT_MEMORY },
        { "onetask", SELECT_ONE_TASK_PER_CORE },
        { "block", SELECT_CORE_DIST_BLOCK },
        { "lln", SELECT_LLN },
    };
    const char *word = sim_word(line, "select");
    uint32_t select = 0;

    for (size_t i = 0; word && i < ARRAY_N(words); i++)
        select |= strstr(word, words[i].name) ? words[i].flag : 0;
    return select ? select : SELECT_LINEAR;
}

/* "COUNTxCORES" or "COUNTxSOCKETSxCORESxTHREADS" */
static inline void sim_set_nodes(struct sim *sim, const char *line)
{
    uint32_t n = 0, sockets = 1, cores = 1, threads = 1;
    const char *word = sim_word(line, "nodes");

    if (sscanf(word, "%ux%ux%ux%u", &n, &sockets, &cores, &threads) == 2) {
        cores = sockets;
        sockets = 1;
    }
    ck_assert_uint_le(n, SIM_NODES);
    sim->snapshot.nodes_n = n;
    for (uint32_t i = 0; i < n; i++) {
        sim->nodes[i] = (struct plan_node){
            .name = "node",
            .sockets = sockets,
            .cores_per_socket = cores,
            .threads_per_core = threads,
            .cpus = sockets * cores * threads,
            .memory_mb = (uint64_t)sim_number(line, "mem", 1000),
            .weight = 1,
            .usable = true,
        };
    }
}

static inline void sim_policy(struct plan_policy *policy, const char *line)
{
    policy->tries_max = (uint32_t)sim_number(line, "depth", 0);
    policy->tries_per_user = (uint32_t)sim_number(line, "per-user", 0);
    policy->tries_per_partition = (uint32_t)sim_number(line, "per-partition", 0);
    policy->plans_max = (uint32_t)sim_number(line, "plans", 0);
    policy->turn = sim_word(line, "shortest-first") ? PLAN_TURN_SHORTEST
                   : sim_word(line, "stretched")    ? PLAN_TURN_STRETCHED
                   : sim_word(line, "in-queue")     ? PLAN_TURN_QUEUE
                                                    : PLAN_TURN_RANK;
    policy->plans_in_lines = sim_word(line, "lines");
    policy->plan_age_ms = sim_number(line, "plan-age", 0) * 1000;
    policy->forecasts = sim_word(line, "forecasts");
    policy->starts_max = (uint32_t)sim_number(line, "starts", 0);
    policy->window_ms = sim_number(line, "window", 0) * 1000;
    policy->resolution_ms = sim_number(line, "resolution", 0) * 1000;
    policy->reserve_age_ms = sim_number(line, "reserve-age", 0) * 1000;
    policy->reserve_priority = (uint64_t)sim_number(line, "reserve-priority", 0);
}

static inline struct sim *sim_new(const char *line)
{
    struct sim *sim = xcalloc(1, sizeof(*sim));
    const char *backfill = sim_word(line, "backfill");

    sim->snapshot.policy.backfill = !backfill || strcmp(backfill, "no") != 0;
    sim->snapshot.policy.limits_stop = sim_word(line, "limits-stop") != NULL;
    sim->planner = planner_new();
    sim->forecast = sim_word(line, "beside") ? planner_new() : NULL;
    sim_set_nodes(sim, line);
    sim->snapshot.now_ms = sim_number(line, "now", 0) * 1000;
    sim->snapshot.policy.select = sim_select(line);
    sim_policy(&sim->snapshot.policy, line);
    sim->snapshot.nodes = sim->nodes;
    sim->snapshot.partitions = sim->partitions;
    sim->snapshot.pools = sim->pools;
    sim->snapshot.reservations = sim->reservations;
    sim->snapshot.switches = sim->switches;
    sim->units = (uint32_t)sim_number(line, "units", 0);
    strbuf_addf(&sim->story, "%s\n", line);
    return sim;
}

static inline void sim_drop_place(struct plan_place *place)
{
    bitset_clear(&place->cpus);
    bitset_clear(&place->devices);
}

static inline void sim_free(struct sim *sim)
{
    planner_free(sim->planner);
    planner_free(sim->forecast);
    strbuf_clear(&sim->story);
    for (uint32_t i = 0; i < sim->jobs_n; i++) {
        struct plan_job *ask = &sim->jobs[i].ask;

        for (uint32_t j = 0; j < ask->places_n; j++)
            sim_drop_place((struct plan_place *)&ask->places[j]);
        free((void *)ask->places);
        free((void *)ask->shape.features);
        free((void *)ask->shape.prefer);
        sim_ask_gres_free(&ask->shape);
        bitset_clear(&ask->shape.required);
        bitset_clear(&ask->shape.excluded);
        free((void *)ask->shape.listed);
        free(sim->jobs[i].place);
    }
    for (uint32_t i = 0; i < sim->snapshot.reservations_n; i++) {
        bitset_clear(&sim->reservations[i].nodes);
        for (uint32_t j = 0; j < sim->reservations[i].parts_n; j++)
            sim_drop_place(&sim->windows[i].parts[j]);
    }
    for (uint32_t i = 0; i < sim->snapshot.nodes_n; i++) {
        for (uint32_t j = 0; j < sim->nodes[i].features_n; j++)
            free((void *)sim->nodes[i].features[j]);
        free((void *)sim->nodes[i].features);
        sim_node_gres_free(&sim->nodes[i]);
    }
    for (uint32_t i = 0; i < sim->snapshot.partitions_n; i++)
        bitset_clear(&sim->partitions[i].nodes);
    for (uint32_t i = 0; i < sim->snapshot.switches_n; i++)
        bitset_clear(&sim->switches[i].nodes);
    free(sim);
}

/* Before the first job. */
static inline void sim_node(struct sim *sim, const char *line)
{
    struct plan_node *node = &sim->nodes[strtoul(line, NULL, 10)];
    char *features = (char *)sim_word(line, "features");
    const char **list = NULL;

    for (char *word = features ? strtok(features, ",") : NULL; word; word = strtok(NULL, ","))
        *ARRAY_PUSH(list, node->features_n) = xstrdup(word);
    strbuf_addf(&sim->story, "node %s\n", line);
    node->features = list;
    node->weight = (uint32_t)sim_number(line, "weight", node->weight);
    node->memory_mb = (uint64_t)sim_number(line, "mem", (int64_t)node->memory_mb);
    node->usable = !sim_word(line, "down");
    node->counts_cpus = sim_word(line, "counted");
    sim_node_gres(node, sim_word(line, "gres"));
}

/* Before the first job; without any there is one of all nodes. */
static inline void sim_partition(struct sim *sim, const char *line)
{
    const uint32_t i = sim->snapshot.partitions_n++;
    const char *nodes = sim_word(line, "nodes");

    snprintf(sim->partition_names[i], sizeof(sim->partition_names[i]), "%.*s",
             (int)strcspn(line, ":"), line);
    strbuf_addf(&sim->story, "partition %s\n", line);
    sim_set(&sim->partitions[i].nodes, sim->snapshot.nodes_n, nodes ? nodes : "");
    if (!nodes)
        bitset_fill(&sim->partitions[i].nodes);
    sim->partitions[i].tier = (uint32_t)sim_number(line, "tier", 1);
    sim->partitions[i].starts_jobs = !sim_word(line, "down");
    sim->partitions[i].share =
        sim_word(line, "exclusive") ? OVERSUBSCRIBE_EXCLUSIVE : OVERSUBSCRIBE_NO;
    sim->partitions[i].cpus_per_node_max = (uint32_t)sim_number(line, "node-cap", 0);
    sim->partitions[i].user_exclusive = sim_word(line, "alone");
    sim->partitions[i].least_loaded = sim_word(line, "lln");
    sim->partitions[i].jobs_per_cpu = (uint32_t)sim_number(line, "share", 1);
    if (sim_word(line, "share"))
        sim->partitions[i].share =
            sim_word(line, "force") ? OVERSUBSCRIBE_FORCE : OVERSUBSCRIBE_YES;
}

/* Before the first job: "nodes=0-1 level=0". Without any the topology is flat. */
static inline void sim_switch(struct sim *sim, const char *line)
{
    struct plan_switch *made = &sim->switches[sim->snapshot.switches_n++];
    const char *nodes = sim_word(line, "nodes");

    strbuf_addf(&sim->story, "switch %s\n", line);
    made->name = "switch";
    made->level = (uint32_t)sim_number(line, "level", 0);
    sim_set(&made->nodes, sim->snapshot.nodes_n, nodes ? nodes : "");
}

/* Before the first job: "total=3 private", "ramp total=60", "spent total=9", "nodes total=2",
 * "each total=4 private", "gate opens=10". Its reason is 100 and its number. */
static inline void sim_pool(struct sim *sim, const char *line)
{
    const uint32_t i = sim->snapshot.pools_n++;

    ck_assert_uint_lt(i, SIM_POOLS);
    strbuf_addf(&sim->story, "pool %s\n", line);
    sim->pools[i] = (struct plan_pool){
        .name = "pool",
        .kind = sim_word(line, "gate")    ? PLAN_POOL_GATE
                : sim_word(line, "ramp")  ? PLAN_POOL_RAMP
                : sim_word(line, "nodes") ? PLAN_POOL_NODES
                                          : PLAN_POOL_SUM,
        .total = (uint64_t)sim_number(line, "total", 0),
        .opens_ms = sim_number(line, "opens", 0) * 1000,
        .is_private = sim_word(line, "private"),
        .is_spent = sim_word(line, "spent"),
        .is_for_each = sim_word(line, "each"),
        .reason = 100 + i,
    };
}

/* Tells the planners of a change. */
static inline void sim_change(struct sim *sim, const struct plan_change *change)
{
    planner_apply(sim->planner, sim->snapshot.now_ms, change);
    if (sim->forecast)
        planner_apply(sim->forecast, sim->snapshot.now_ms, change);
}

/* The pool has another total from now on, the gate opens so many seconds after it. */
static inline void sim_resize(struct sim *sim, uint32_t i, uint64_t total)
{
    strbuf_addf(&sim->story, "resize %u %llu\n", i, (unsigned long long)total);
    sim->taken = true;
    if (sim->pools[i].kind == PLAN_POOL_GATE)
        sim->pools[i].opens_ms = sim->snapshot.now_ms + (int64_t)total * 1000;
    else
        sim->pools[i].total = total;
    if (sim->ready)
        sim_change(sim,
                   &(struct plan_change){ .kind = PLAN_POOL, .node = i, .pool = &sim->pools[i] });
}

/* A line of sim_windows.h; the first is number 1. Planned on at once if jobs are there already. */
static inline void sim_reservation(struct sim *sim, const char *line)
{
    struct sim_window *window = &sim->windows[sim->snapshot.reservations_n];
    struct plan_reservation *made = &sim->reservations[sim->snapshot.reservations_n++];

    strbuf_addf(&sim->story, "reservation %s\n", line);
    made->id = sim->snapshot.reservations_n;
    sim_window_read(&sim->snapshot, line, window, made);
    sim->taken = true;
    if (sim->ready)
        sim_change(sim, &(struct plan_change){ .kind = PLAN_RESERVATION, .reservation = made });
}

/* ---- the planner ---- */

static inline void sim_begin(struct sim *sim)
{
    if (sim->ready)
        return;
    if (sim->snapshot.partitions_n == 0)
        sim_partition(sim, "all:");
    planner_rebuild(sim->planner, &sim->snapshot);
    sim_forecast_begin(sim->forecast, &sim->snapshot);
    sim->ready = true;
}

static inline struct sim_job *sim_find(struct sim *sim, const char *name)
{
    for (uint32_t i = 0; i < sim->jobs_n; i++) {
        if (strcmp(sim->jobs[i].name, name) == 0)
            return &sim->jobs[i];
    }
    ck_abort_msg("no job is named '%s'", name);
}

static inline void sim_apply(struct sim *sim, struct plan_change change)
{
    sim_begin(sim);
    sim_change(sim, &change);
}

static inline void sim_start(const struct sim *sim, struct sim_job *job,
                             const struct plan_decision *decision)
{
    struct plan_place *places = xcalloc(decision->places_n, sizeof(*places));

    for (uint32_t i = 0; i < decision->places_n; i++) {
        places[i] = decision->places[i];
        places[i].cpus = places[i].devices = (struct bitset){ 0 };
        bitset_copy(&places[i].cpus, &decision->places[i].cpus);
        bitset_copy(&places[i].devices, &decision->places[i].devices);
    }
    job->ask.runs = true;
    job->ask.options += decision->option;
    job->ask.options_n = 1;
    job->ask.end_ms = deadline_cut(
        &sim->snapshot, job->ask.options[0].reservation, decision->at_ms,
        decision->duration_ms == PLAN_NEVER ? PLAN_NEVER : decision->at_ms + decision->duration_ms);
    job->ask.places = places;
    job->ask.places_n = decision->places_n;
}

static inline void sim_note(struct sim_job *job, const struct plan_decision *decision)
{
    AUTO(strbuf) struct strbuf out = { 0 };

    job->told = true;
    job->verdict = decision->verdict;
    job->why = decision->why;
    job->at_ms = decision->at_ms;
    job->backfilled = decision->backfilled;
    job->forecast = decision->forecast;
    job->nodes_n = decision->places_n;
    job->memory_mb = 0;
    for (uint32_t i = 0; i < decision->places_n; i++) {
        strbuf_addf(&out, "%s%u:", i ? " " : "", decision->places[i].node);
        sim_print_set(&out, &decision->places[i].cpus);
        if (decision->places[i].devices.size && !bitset_is_empty(&decision->places[i].devices)) {
            strbuf_adds(&out, "/");
            sim_print_set(&out, &decision->places[i].devices);
        }
        job->memory_mb += decision->places[i].amounts[PLAN_MEMORY];
    }
    snprintf(job->places, sizeof(job->places), "%s", strbuf_text(&out));
    job->lacks = decision->lacks;
    job->partition = decision->partition;
    job->pool = decision->pool;
    job->blockers_n = decision->blockers_n;
    for (uint32_t i = 0; i < decision->blockers_n; i++)
        job->blockers[i] = decision->blockers[i];
}

/* What the planner says of the jobs that wait. */
static inline void sim_look(const struct sim *sim, const struct planner *planner,
                            struct sim_job *jobs)
{
    for (uint32_t i = 0; i < sim->jobs_n; i++) {
        struct plan_decision decision;

        if (!jobs[i].gone && !jobs[i].ask.runs && planner_look(planner, jobs[i].ask.id, &decision))
            sim_note(&jobs[i], &decision);
    }
}

/* One step, and what was decided is followed; true when there is more to do. */
static inline bool sim_step(struct sim *sim, uint32_t units)
{
    const struct plan_decision *decisions;
    uint32_t n;
    bool more;

    sim_begin(sim);
    strbuf_addf(&sim->story, "now %lld ms, step %u\n", (long long)sim->snapshot.now_ms, units);
    more = planner_step(sim->planner, sim->snapshot.now_ms, units, &decisions, &n);
    for (uint32_t i = 0; i < n; i++) {
        struct sim_job *job = &sim->jobs[decisions[i].job_id - 1];

        sim_note(job, &decisions[i]);
        if (decisions[i].verdict != PLAN_START)
            continue;
        sim_start(sim, job, &decisions[i]);
        sim_forecast_start(sim->forecast, sim->snapshot.now_ms, &job->ask);
    }
    sim->decided_n += n;
    if (!more)
        sim_forecast_pass(sim->forecast, sim->snapshot.now_ms, sim->units);
    return more;
}

/* Steps until there is no more to do. */
static inline void sim_pass(struct sim *sim)
{
    sim->decided_n = 0;
    while (sim_step(sim, sim->units ? sim->units : UINT32_MAX))
        ;
    sim_look(sim, sim->planner, sim->jobs);
}

/* ---- jobs ---- */

/* "cyclic:block", "*:cyclic" */
static inline void sim_dist(struct plan_shape *shape, const char *text)
{
    static const char *const words[] = { "*", "block", "cyclic", "plane", "arbitrary", "fcyclic" };
    const char *sockets = text ? strchr(text, ':') : NULL;

    for (uint32_t i = 0; text && i < ARRAY_N(words); i++) {
        if (strncmp(text, words[i], strlen(words[i])) == 0)
            shape->dist_nodes = (enum distribution)i;
        if (sockets && strcmp(sockets + 1, words[i]) == 0)
            shape->dist_sockets = (enum distribution)i;
    }
}

/* "0,0,2": a task on a node for each time that its number stands there, the numbers rising. */
static inline void sim_listed(struct sim *sim, struct plan_shape *shape, const char *text)
{
    struct plan_listed *listed = NULL;

    bitset_init(&shape->required, sim->snapshot.nodes_n);
    shape->dist_nodes = DIST_ARBITRARY;
    shape->ntasks = 0;
    while (*text) {
        const uint32_t node = (uint32_t)strtoul(text, (char **)&text, 10);

        text += *text == ',';
        if (node >= sim->snapshot.nodes_n)
            continue;
        if (!bitset_has(&shape->required, node))
            *ARRAY_PUSH(listed, shape->listed_n) = (struct plan_listed){ node, 0 };
        bitset_add(&shape->required, node);
        listed[shape->listed_n - 1].tasks++;
        shape->ntasks++;
    }
    shape->listed = listed;
}

static inline void sim_shape(struct sim *sim, struct plan_shape *shape, const char *line)
{
    const char *word = sim_word(line, "nodes");

    shape->min_nodes = 1;
    if (word && sscanf(word, "%u-%u", &shape->min_nodes, &shape->max_nodes) == 1 &&
        !sim_word(line, "tasks"))
        shape->max_nodes = shape->min_nodes;
    shape->ntasks = (uint32_t)sim_number(line, "tasks", 0);
    shape->cpus_per_task = (uint32_t)sim_number(line, "cpus", 1);
    shape->ntasks_per_node = (uint32_t)sim_number(line, "per-node", 0);
    shape->ntasks_per_socket = (uint32_t)sim_number(line, "per-socket", 0);
    shape->ntasks_per_core = (uint32_t)sim_number(line, "per-core", 0);
    shape->ntasks_per_gpu = (uint32_t)sim_number(line, "per-gpu", 0);
    shape->cpus_per_gpu = (uint32_t)sim_number(line, "cpus-per-gpu", 0);
    shape->mem_per_gpu_mb = (uint64_t)sim_number(line, "mem-per-gpu", 0);
    shape->sockets_per_node = (uint32_t)sim_number(line, "sockets", 0);
    shape->cores_per_socket = (uint32_t)sim_number(line, "cores", 0);
    shape->one_core_per_socket = sim_word(line, "memory-bound");
    shape->oversubscribe = sim_word(line, "oversubscribe");
    shape->binds_gres = sim_word(line, "binds");
    shape->min_cpus_per_node = (uint32_t)sim_number(line, "mincpus", 1);
    shape->mem_per_node_mb = (uint64_t)sim_number(line, "mem", 0);
    shape->mem_per_cpu_mb = (uint64_t)sim_number(line, "mem-per-cpu", 0);
    shape->threads_per_core = (uint32_t)sim_number(line, "threads", 0);
    shape->whole_node_memory = sim_word(line, "allmem");
    shape->exclusive = sim_word(line, "exclusive") ? PLAN_EXCLUSIVE_NODE
                       : sim_word(line, "alone")   ? PLAN_EXCLUSIVE_USER
                                                   : PLAN_EXCLUSIVE_NO;
    if (sim_word(line, "spare")) {
        shape->spare = PLAN_SPARE_CORES;
        shape->spared_n = (uint32_t)sim_number(line, "spare", 0);
        shape->exclusive = PLAN_EXCLUSIVE_NODE;
    }
    shape->overcommit = sim_word(line, "overcommit");
    shape->contiguous = sim_word(line, "contiguous");
    shape->spread = sim_word(line, "spread");
    shape->use_min_nodes = sim_word(line, "few-nodes");
    shape->switches = (uint32_t)sim_number(line, "switches", 0);
    shape->switch_wait_ms = sim_number(line, "switch-wait", 1000) * 1000;
    sim_dist(shape, sim_word(line, "dist"));
    sim_ask_gres(shape, PLAN_PER_NODE, sim_word(line, "gres"));
    sim_ask_gres(shape, PLAN_PER_JOB, sim_word(line, "gres-job"));
    sim_ask_gres(shape, PLAN_PER_TASK, sim_word(line, "gres-task"));
    sim_ask_gres(shape, PLAN_PER_SOCKET, sim_word(line, "gres-socket"));
    if ((word = sim_word(line, "features")))
        shape->features = xstrdup(word);
    if ((word = sim_word(line, "prefer")))
        shape->prefer = xstrdup(word);
    if ((word = sim_word(line, "on")))
        sim_set(&shape->required, sim->snapshot.nodes_n, word);
    if ((word = sim_word(line, "listed"))) {
        bitset_clear(&shape->required);
        sim_listed(sim, shape, word);
    }
    if ((word = sim_word(line, "not")))
        sim_set(&shape->excluded, sim->snapshot.nodes_n, word);
}

static inline uint32_t sim_find_partition(const struct sim *sim, const char *name)
{
    for (uint32_t i = 0; name && i < sim->snapshot.partitions_n; i++) {
        if (strcmp(sim->partition_names[i], name) == 0)
            return i;
    }
    return 0;
}

/* "partition=p0 claims=0:1 reservation=1 or=p1 or-claims=0:2 or-reservation=0" */
static inline void sim_options(struct sim *sim, struct sim_job *job, const char *line)
{
    static const char *const words[][3] = { { "partition", "claims", "reservation" },
                                            { "or", "or-claims", "or-reservation" } };

    for (uint32_t i = 0; i < 2; i++) {
        struct plan_option *option = &job->options[i];

        if (i > 0 && !sim_word(line, words[i][0]) && !sim_word(line, words[i][2]))
            continue;
        option->partition =
            sim_find_partition(sim, sim_word(line, words[sim_word(line, words[i][0]) ? i : 0][0]));
        option->reservation = (uint32_t)sim_number(line, words[i][2], 0);
        option->claims = job->claims[i];
        option->claims_n = sim_claims(job->claims[i], sim_word(line, words[i][1]));
        job->ask.options_n++;
    }
    job->ask.options = job->options;
}

/* Fills in a job that is not known to the planner. */
static inline struct sim_job *sim_make_job(struct sim *sim, const char *line)
{
    struct sim_job *job = &sim->jobs[sim->jobs_n];
    struct plan_job *ask = &job->ask;

    ck_assert_uint_lt(sim->jobs_n, SIM_JOBS_MAX);
    sim_begin(sim);
    strbuf_addf(&sim->story, "job %s\n", line);
    snprintf(job->name, sizeof(job->name), "%.*s", (int)strcspn(line, ":"), line);
    sim->jobs_n++;
    ask->id = sim->jobs_n;
    ask->priority = (uint64_t)sim_number(line, "priority", 100);
    ask->submit_ms = sim->jobs_n;
    ask->since_ms = sim->snapshot.now_ms;
    ask->duration_ms = sim_word(line, "time") ? sim_number(line, "time", 0) * 1000 : PLAN_NEVER;
    ask->earliest_ms = sim_number(line, "begin", 0) * 1000;
    sim_options(sim, job, line);
    ask->uid = (uint32_t)sim_number(line, "user", 0);
    ask->no_place = sim_word(line, "no-place");
    ask->duration_min_ms = sim_number(line, "time-min", 0) * 1000;
    sim_shape(sim, &ask->shape, line);
    return job;
}

static inline void sim_job(struct sim *sim, const char *line)
{
    struct sim_job *job = sim_make_job(sim, line);

    sim_apply(sim, (struct plan_change){ .kind = PLAN_JOB_ADDED, .job = &job->ask });
    if (!sim_word(line, "running"))
        return;
    sim_pass(sim);
    ck_assert_msg(job->ask.runs, "'%s' does not start", line);
}

/* The job ends, or is cancelled. */
static inline void sim_end(struct sim *sim, const char *name)
{
    struct sim_job *job = sim_find(sim, name);

    job->gone = true;
    sim->taken |= job->ask.runs && job->ask.options[0].claims_n > 0;
    strbuf_addf(&sim->story, "end %s\n", name);
    sim_apply(sim, (struct plan_change){ .kind = PLAN_JOB_REMOVED, .id = job->ask.id });
}

/* The running job gives one of its nodes back. */
static inline void sim_release(struct sim *sim, const char *name, uint32_t node)
{
    struct plan_job *ask = &sim_find(sim, name)->ask;
    struct plan_place *places = (struct plan_place *)ask->places;
    uint32_t kept = 0;

    strbuf_addf(&sim->story, "release %s %u\n", name, node);
    sim->taken |= ask->options[0].claims_n > 0;
    for (uint32_t i = 0; i < ask->places_n; i++) {
        if (places[i].node == node)
            sim_drop_place(&places[i]);
        else
            places[kept++] = places[i];
    }
    ask->places_n = kept;
    sim_apply(sim, (struct plan_change){ .kind = PLAN_NODE_RELEASED, .id = ask->id, .node = node });
}

static inline void sim_set_usable(struct sim *sim, uint32_t node, bool usable)
{
    sim_begin(sim);
    strbuf_addf(&sim->story, "node %u %s\n", node, usable ? "up" : "down");
    sim->nodes[node].usable = usable;
    sim->taken |= !usable;
    sim_apply(sim,
              (struct plan_change){ .kind = PLAN_NODE_USABLE, .node = node, .usable = usable });
}

static inline void sim_set_partition(struct sim *sim, const char *name, bool starts)
{
    uint32_t i;

    sim_begin(sim);
    i = sim_find_partition(sim, name);
    strbuf_addf(&sim->story, "partition %s %s\n", name, starts ? "up" : "down");
    sim->partitions[i].starts_jobs = starts;
    sim->taken |= !starts;
    sim_apply(sim, (struct plan_change){ .kind = PLAN_PARTITION, .node = i, .usable = starts });
}

/* Time passes, nothing else. */
static inline void sim_at(struct sim *sim, int64_t now_s)
{
    sim->snapshot.now_ms = now_s * 1000;
}

/* ---- what came out ---- */

/* Seconds: when it started or is planned to; SIM_WAITS: neither. */
static inline int64_t sim_start_of(struct sim *sim, const char *name)
{
    const struct sim_job *job = sim_find(sim, name);

    ck_assert_msg(job->told, "nothing was decided on '%s'", name);
    return job->verdict == PLAN_START || job->verdict == PLAN_LATER ? job->at_ms / 1000 : SIM_WAITS;
}

/* Seconds: when it is forecast to start; SIM_WAITS: at no time. */
static inline int64_t sim_forecast_start_of(struct sim *sim, const char *name)
{
    struct plan_decision decision;

    ck_assert_msg(planner_look(sim->forecast, sim_find(sim, name)->ask.id, &decision),
                  "the forecast does not know '%s'", name);
    return decision.verdict == PLAN_LATER ? decision.at_ms / 1000 : SIM_WAITS;
}

static inline bool sim_runs(struct sim *sim, const char *name)
{
    return sim_find(sim, name)->verdict == PLAN_START && !sim_find(sim, name)->gone;
}

static inline const char *sim_places(struct sim *sim, const char *name)
{
    return sim_find(sim, name)->places;
}

static inline const char *sim_why(struct sim *sim, const char *name)
{
    static const char *const words[] = {
        [PLAN_WHY_NONE] = "None",
        [PLAN_WHY_PRIORITY] = "Priority",
        [PLAN_WHY_RESOURCES] = "Resources",
        [PLAN_WHY_PARTITION_DOWN] = "PartitionDown",
        [PLAN_WHY_BEGIN] = "Begin",
        [PLAN_WHY_RESERVATION] = "Reservation",
        [PLAN_WHY_NODES_DOWN] = "NodesDown",
        [PLAN_WHY_POOL] = "Pool",
        [PLAN_WHY_NOT_TRIED] = "NotTried",
    };
    const struct sim_job *job = sim_find(sim, name);

    return job->verdict == PLAN_NEVER_FITS ? "NeverFits" : words[job->why];
}

/* The jobs that are there, as a snapshot; free its jobs. */
static inline struct plan_snapshot sim_snapshot(const struct sim *sim)
{
    struct plan_snapshot snapshot = sim->snapshot;
    struct plan_job *jobs = xcalloc(sim->jobs_n, sizeof(*jobs));

    for (uint32_t i = 0; i < sim->jobs_n; i++) {
        if (!sim->jobs[i].gone)
            jobs[snapshot.jobs_n++] = sim->jobs[i].ask;
    }
    snapshot.jobs = jobs;
    return snapshot;
}
