/*
 * planner - what planning costs, on clusters and queues made from a fixed seed.
 *
 *     bench_planner [--policy default|all] [--nodes N] [--jobs N] [--events N] [--array]
 *
 * The policy is what a controller does that is told nothing, or (the default) to plan for all, as
 * its forecast does. Without --nodes and --jobs, a table over both. Each line: making the whole
 * plan from nothing; then events (a running job ends, a job is submitted, in turn): telling the
 * planner, until the last start is told, and until the plan is whole again, telling included; the
 * longest single operation; a look at a job; and questions about new jobs, at the end of the queue
 * and at its beginning: until posed, until answered, until all that made way is back, and the
 * longest slice.
 */
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "ctld/model/model.h"
#include "ctld/sched/planner.h"

#define HOUR_MS  INT64_C(3600000)
#define STEP     64 /* units */
#define MODELS_N 4

/* Processor time: planning is one thread that waits for nothing, and the machine may be shared. */
static double now_ms(void)
{
    struct timespec at;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &at);
    return (double)at.tv_sec * 1e3 + (double)at.tv_nsec / 1e6;
}

/* ---- chance ---- */

static uint64_t chance_state = 20261;

static uint32_t below(uint32_t n)
{
    chance_state = chance_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((chance_state >> 33) % n);
}

/* ---- the cluster: four models of nodes ---- */

static const struct {
    uint32_t share; /* of a hundred nodes */
    uint32_t cores_per_socket;
    uint64_t memory_mb;
    uint32_t gpus;
    const char *features[2];
} models[MODELS_N] = {
    { 60, 16, 128000, 0, { "std", "ib" } },
    { 25, 32, 256000, 0, { "big", "ib" } },
    { 10, 16, 256000, 4, { "gpu", "ib" } },
    { 5, 32, 1024000, 0, { "fat", "eth" } },
};

static const struct plan_gres gpus = { .name = "gpu", .count = 4 };

struct bench {
    struct plan_policy policy;
    uint32_t nodes_n;
    struct plan_node *nodes;
    struct plan_partition partition;
    struct planner *planner;
    int64_t now_ms;
    uint32_t last_id;
    uint32_t *running; /* ids */
    uint32_t running_n;
    uint32_t waiting_first; /* ids from here on were submitted */
};

static uint32_t model_of(uint32_t node)
{
    uint32_t share = node * 37 % 100, model = 0;

    while (share >= models[model].share)
        share -= models[model++].share;
    return model;
}

static void make_nodes(struct bench *bench)
{
    bench->nodes = xcalloc(bench->nodes_n, sizeof(*bench->nodes));
    bitset_init(&bench->partition.nodes, bench->nodes_n);
    bitset_fill(&bench->partition.nodes);
    bench->partition.tier = 1;
    bench->partition.starts_jobs = true;
    bench->partition.jobs_per_cpu = 1;
    for (uint32_t i = 0; i < bench->nodes_n; i++) {
        const uint32_t model = model_of(i);

        bench->nodes[i] = (struct plan_node){
            .name = "node",
            .sockets = 2,
            .cores_per_socket = models[model].cores_per_socket,
            .threads_per_core = 1,
            .cpus = 2 * models[model].cores_per_socket,
            .memory_mb = models[model].memory_mb,
            .weight = 1 + model,
            .features = models[model].features,
            .features_n = 2,
            .gres = &gpus,
            .gres_n = models[model].gpus > 0,
            .usable = true,
        };
    }
}

/* ---- jobs ---- */

static int64_t some_duration(void)
{
    static const int64_t usual_min[] = { 10, 30, 60, 120, 240, 480, 720, 1440 };

    if (below(10) < 7)
        return usual_min[below(ARRAY_N(usual_min))] * 60000;
    return (5 + below(1435)) * INT64_C(60000);
}

static const struct plan_option everywhere = { .partition = 0 };

static struct plan_gres_ask gpu_asks[5];

/* Half of them small, some of a few nodes, some wide and exclusive, some for gpus or a feature. */
static struct plan_job some_job(struct bench *bench)
{
    static const uint64_t memory_per_cpu[] = { 1000, 2000, 4000 };
    const uint32_t sort = below(100);
    struct plan_job job = {
        .id = ++bench->last_id,
        .uid = below(50),
        .priority = 1000000 - below(sort < 95 ? 1 : 1000),
        .submit_ms = bench->last_id,
        .duration_ms = some_duration(),
        .options = &everywhere,
        .options_n = 1,
        .shape = { .min_nodes = 1, .max_nodes = 1, .ntasks = 1, .cpus_per_task = 1 },
    };
    struct plan_shape *shape = &job.shape;

    shape->mem_per_cpu_mb = memory_per_cpu[below(ARRAY_N(memory_per_cpu))];
    if (sort < 55) {
        shape->cpus_per_task = 1u << below(5);
    } else if (sort < 75) {
        shape->min_nodes = shape->max_nodes = 1u << (1 + below(3));
        shape->ntasks_per_node = 8u << below(2);
        shape->ntasks = shape->min_nodes * shape->ntasks_per_node;
    } else if (sort < 85) {
        const uint32_t widest = bench->nodes_n / 16 > 64 ? 64 : bench->nodes_n / 16;

        shape->min_nodes = shape->max_nodes = 2 + below(widest);
        shape->ntasks = shape->min_nodes;
        shape->exclusive = PLAN_EXCLUSIVE_NODE;
        shape->mem_per_cpu_mb = 0;
        shape->mem_per_node_mb = 64000;
    } else if (sort < 93) {
        shape->cpus_per_task = 4;
        shape->gres = &gpu_asks[1 + below(4)];
        shape->gres_n = 1;
    } else {
        shape->cpus_per_task = 8;
        shape->features = models[below(MODELS_N)].features[0];
    }
    return job;
}

/* Two to four jobs on each node, which fill it nearly; they end in the next day. */
static void add_running(struct bench *bench, struct plan_job **jobs, uint32_t *n)
{
    for (uint32_t i = 0; i < bench->nodes_n; i++) {
        const uint32_t cpus = bench->nodes[i].cpus, parts = 2 + below(3);

        for (uint32_t part = 0; part < parts; part++) {
            struct plan_place *place = xcalloc(1, sizeof(*place));

            place->node = i;
            place->amounts[PLAN_MEMORY] = bench->nodes[i].memory_mb / parts;
            bitset_init(&place->cpus, cpus);
            for (uint32_t cpu = cpus * part / parts; cpu < cpus * (part + 1) / parts; cpu++)
                bitset_add(&place->cpus, cpu);
            if (bench->nodes[i].gres_n) {
                bitset_init(&place->devices, 4);
                bitset_add(&place->devices, part);
            }
            *ARRAY_PUSH(*jobs, *n) = (struct plan_job){
                .id = ++bench->last_id,
                .options = &everywhere,
                .options_n = 1,
                .runs = true,
                .end_ms = bench->now_ms + (1 + below(1440)) * INT64_C(60000),
                .places = place,
                .places_n = 1,
            };
            *ARRAY_PUSH(bench->running, bench->running_n) = bench->last_id;
        }
    }
}

static void free_jobs(struct plan_job *jobs, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        struct plan_place *places = (struct plan_place *)jobs[i].places;

        for (uint32_t j = 0; j < jobs[i].places_n; j++) {
            bitset_clear(&places[j].cpus);
            bitset_clear(&places[j].devices);
        }
        free(places);
    }
    free(jobs);
}

/* ---- steps ---- */

struct cost {
    double told_ms, starts_ms, all_ms, longest_ms;
};

/* One step; notes what started. */
static bool step(struct bench *bench, struct cost *cost, double begun_ms)
{
    const struct plan_decision *decisions;
    const double before = now_ms();
    uint32_t n;
    const bool more = planner_step(bench->planner, bench->now_ms, STEP, &decisions, &n);
    const double after = now_ms();

    if (after - before > cost->longest_ms)
        cost->longest_ms = after - before;
    for (uint32_t i = 0; i < n; i++) {
        if (decisions[i].verdict != PLAN_START)
            continue;
        *ARRAY_PUSH(bench->running, bench->running_n) = (uint32_t)decisions[i].job_id;
        cost->starts_ms = after - begun_ms;
    }
    cost->all_ms = after - begun_ms;
    return more;
}

static struct cost step_all(struct bench *bench, double begun_ms)
{
    struct cost cost = { 0 };

    while (step(bench, &cost, begun_ms))
        ;
    return cost;
}

/* As a controller does it: the nodes at once, then the jobs one by one. */
struct telling {
    double nodes_ms, all_ms, longest_ms; /* of a job */
};

static struct telling tell(struct bench *bench, struct plan_job *jobs, uint32_t n)
{
    const struct plan_snapshot snapshot = {
        .now_ms = bench->now_ms,
        .policy = bench->policy,
        .nodes = bench->nodes,
        .nodes_n = bench->nodes_n,
        .partitions = &bench->partition,
        .partitions_n = 1,
    };
    const double begun = now_ms();
    struct telling told = { 0 };
    double last;

    planner_rebuild(bench->planner, &snapshot);
    last = now_ms();
    told.nodes_ms = last - begun;
    for (uint32_t i = 0; i < n; i++) {
        const struct plan_change change = { .kind = PLAN_JOB_ADDED, .job = &jobs[i] };
        double now;

        planner_apply(bench->planner, bench->now_ms, &change);
        now = now_ms();
        if (now - last > told.longest_ms)
            told.longest_ms = now - last;
        last = now;
    }
    told.all_ms = last - begun;
    return told;
}

/* ---- events ---- */

static struct cost apply(struct bench *bench, const struct plan_change *change)
{
    const double begun = now_ms();
    double told_ms;
    struct cost cost;

    planner_apply(bench->planner, bench->now_ms, change);
    told_ms = now_ms() - begun;
    cost = step_all(bench, begun);
    cost.told_ms = told_ms;
    if (told_ms > cost.longest_ms)
        cost.longest_ms = told_ms;
    return cost;
}

static struct cost end_one(struct bench *bench)
{
    const uint32_t i = below(bench->running_n);
    const struct plan_change change = { .kind = PLAN_JOB_REMOVED, .id = bench->running[i] };

    bench->running[i] = bench->running[--bench->running_n];
    return apply(bench, &change);
}

static struct cost submit_one(struct bench *bench)
{
    const struct plan_job job = some_job(bench);

    return apply(bench, &(struct plan_change){ .kind = PLAN_JOB_ADDED, .job = &job });
}

static int by_size(const void *a, const void *b)
{
    const double left = *(const double *)a, right = *(const double *)b;

    return left < right ? -1 : left > right;
}

/* Sorts; the q-th part of a thousand. */
static double quantile(double *values, uint32_t n, uint32_t q)
{
    qsort(values, n, sizeof(*values), by_size);
    return n ? values[(uint64_t)(n - 1) * q / 1000] : 0;
}

enum { TOLD, STARTS, WHOLE, LONGEST, PARTS_N };

struct series {
    double *parts[PARTS_N];
    uint32_t n;
};

static void add(struct series *series, struct cost cost)
{
    series->parts[TOLD][series->n] = cost.told_ms;
    series->parts[STARTS][series->n] = cost.starts_ms;
    series->parts[WHOLE][series->n] = cost.all_ms;
    series->parts[LONGEST][series->n++] = cost.longest_ms;
}

static void print_series(const char *name, struct series *series)
{
    static const char *const names[] = { "told", "starts out", "whole plan", "longest step" };

    printf("    %-6s", name);
    for (uint32_t i = 0; i < PARTS_N; i++) {
        printf("%s %s p50 %.3f p99 %.3f max %.3f", i ? "," : "", names[i],
               quantile(series->parts[i], series->n, 500),
               quantile(series->parts[i], series->n, 990),
               quantile(series->parts[i], series->n, 1000));
        free(series->parts[i]);
    }
    printf(" ms\n");
}

static struct series series_new(uint32_t n)
{
    struct series series = { .n = 0 };

    for (uint32_t i = 0; i < PARTS_N; i++)
        series.parts[i] = xcalloc(n, sizeof(double));
    return series;
}

static void measure_events(struct bench *bench, uint32_t events)
{
    struct series ends = series_new(events), submits = series_new(events);

    for (uint32_t i = 0; i < events / 2; i++) {
        bench->now_ms += 1000;
        add(&ends, end_one(bench));
        add(&submits, submit_one(bench));
    }
    print_series("end", &ends);
    print_series("submit", &submits);
}

static void measure_looks(struct bench *bench)
{
    const uint32_t n = 500;
    double *looks = xcalloc(n, sizeof(*looks));

    for (uint32_t i = 0; i < n; i++) {
        struct plan_decision decision;
        const double begun = now_ms();

        planner_look(bench->planner, bench->waiting_first + below(n), &decision);
        looks[i] = now_ms() - begun;
    }
    printf("    look p50 %.4f p99 %.4f ms\n", quantile(looks, n, 500), quantile(looks, n, 990));
    free(looks);
}

/* ---- questions ---- */

enum { POSED, ANSWERED, PUT_BACK, SLICE, ASK_PARTS_N };

/* Until it is answered, until all is put back, and the longest slice of both. */
static void ask_one(struct bench *bench, const struct plan_job *job, double *parts[], uint32_t i)
{
    const double begun = now_ms();
    struct plan_decision decision;
    struct cost cost = { 0 };
    bool more = true;

    planner_ask(bench->planner, bench->now_ms, job);
    parts[POSED][i] = now_ms() - begun;
    while (more && !planner_answer(bench->planner, &decision))
        more = step(bench, &cost, begun);
    parts[ANSWERED][i] = now_ms() - begun;
    while (more)
        more = step(bench, &cost, begun);
    parts[PUT_BACK][i] = now_ms() - begun;
    parts[SLICE][i] = cost.longest_ms > parts[POSED][i] ? cost.longest_ms : parts[POSED][i];
}

/* About jobs that come as they come, or before all others: then the whole plan makes way. */
static void measure_questions(struct bench *bench, const char *name, uint64_t priority, uint32_t n)
{
    static const char *const names[] = { "posed", "answered", "all put back", "longest slice" };
    double *parts[ASK_PARTS_N];

    for (uint32_t part = 0; part < ASK_PARTS_N; part++)
        parts[part] = xcalloc(n, sizeof(double));
    for (uint32_t i = 0; i < n; i++) {
        struct plan_job job = some_job(bench);

        job.priority = priority ? priority : job.priority;
        ask_one(bench, &job, parts, i);
    }
    printf("    %s", name);
    for (uint32_t part = 0; part < ASK_PARTS_N; part++) {
        printf("%s %s p50 %.3f p99 %.3f max %.3f", part ? "," : "", names[part],
               quantile(parts[part], n, 500), quantile(parts[part], n, 990),
               quantile(parts[part], n, 1000));
        free(parts[part]);
    }
    printf(" ms\n");
}

/* What is asked of the planner, for each size. */
struct setting {
    struct plan_policy policy;
    uint32_t events;
    bool array;
};

static void measure(const struct setting *setting, uint32_t nodes, uint32_t jobs_n)
{
    const bool array = setting->array;
    struct bench bench = {
        .policy = setting->policy,
        .nodes_n = nodes,
        .now_ms = HOUR_MS,
        .planner = planner_new(),
    };
    struct plan_job *jobs = NULL, task;
    uint32_t n = 0;
    struct telling told;
    struct cost cost;

    make_nodes(&bench);
    add_running(&bench, &jobs, &n);
    bench.waiting_first = bench.last_id + 1;
    task = some_job(&bench);
    task.shape = (struct plan_shape){
        .min_nodes = 1, .max_nodes = 1, .ntasks = 1, .cpus_per_task = 8, .mem_per_cpu_mb = 1000
    };
    for (uint32_t i = 0; i < jobs_n; i++) {
        struct plan_job job = array ? task : some_job(&bench);

        if (array) {
            job.id = ++bench.last_id;
            job.submit_ms = bench.last_id;
        }
        *ARRAY_PUSH(jobs, n) = job;
    }
    told = tell(&bench, jobs, n);
    cost = step_all(&bench, now_ms());
    printf("%6u nodes %7u jobs%s: told in %.1f ms (nodes %.1f, longest job %.3f), planned in %.1f "
           "ms, longest step %.3f ms\n",
           nodes, jobs_n, array ? " (one array)" : "", told.all_ms, told.nodes_ms, told.longest_ms,
           cost.all_ms, cost.longest_ms);
    fflush(stdout);
    free_jobs(jobs, n);
    measure_events(&bench, setting->events);
    measure_looks(&bench);
    measure_questions(&bench, "question", 0, 500);
    measure_questions(&bench, "question before all", UINT64_MAX, 100);
    planner_free(bench.planner);
    bitset_clear(&bench.partition.nodes);
    free(bench.nodes);
    free(bench.running);
}

static void measure_table(struct setting *setting)
{
    for (uint32_t nodes = 100; nodes <= 10000; nodes *= 10) {
        for (uint32_t jobs = 1000; jobs <= 100000; jobs *= 10)
            measure(setting, nodes, jobs);
    }
    measure(setting, 10000, 500);
    setting->array = true;
    measure(setting, 1000, 100000);
}

static bool read_policy(const char *name, struct plan_policy *ret)
{
    if (strcmp(name, "default") == 0)
        *ret = plan_policy_default();
    else if (strcmp(name, "all") == 0)
        *ret = (struct plan_policy){ .backfill = true };
    else
        return false;
    ret->select = SELECT_CORE | SELECT_MEMORY;
    return true;
}

int main(int argc, char **argv)
{
    static const struct option options[] = {
        { "policy", required_argument, NULL, 'p' }, { "nodes", required_argument, NULL, 'n' },
        { "jobs", required_argument, NULL, 'j' },   { "events", required_argument, NULL, 'e' },
        { "array", no_argument, NULL, 'a' },        { NULL, 0, NULL, 0 },
    };
    struct setting setting = { .events = 400 };
    uint32_t nodes = 0, jobs = 0;

    read_policy("all", &setting.policy);
    for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        if (option == 'n')
            nodes = (uint32_t)strtoul(optarg, NULL, 10);
        else if (option == 'j')
            jobs = (uint32_t)strtoul(optarg, NULL, 10);
        else if (option == 'e')
            setting.events = (uint32_t)strtoul(optarg, NULL, 10);
        else if (option == 'a')
            setting.array = true;
        else if (option != 'p' || !read_policy(optarg, &setting.policy))
            return 2;
    }
    for (uint32_t i = 1; i <= 4; i++)
        gpu_asks[i] = (struct plan_gres_ask){ .name = "gpu", .count = i, .per = PLAN_PER_NODE };
    if (nodes && jobs)
        measure(&setting, nodes, jobs);
    else
        measure_table(&setting);
    return 0;
}
