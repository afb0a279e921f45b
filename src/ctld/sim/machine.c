#include "ctld/sim/machine.h"

#include "ctld/sim/ends.h"

#define PROGRESS_EVERY 256 /* instants */

struct machine {
    const struct machine_run *run;
    struct trace_pools pools;
    struct sim_job *jobs;
    uint32_t jobs_n;
    struct planner *planner;
    struct ends ends;
    struct run_end *due; /* those of this instant */
    uint32_t due_n;
    int64_t now_ms;
    uint32_t procs_free, next_job, ended_n;
    uint64_t starts_n, passes_n;
};

/* Returns the planner's name of the job: its jobs are named from 1 on. */
static uint32_t plan_id(uint32_t index)
{
    return index + 1;
}

static int64_t duration_told(const struct machine *machine, const struct sim_job *job)
{
    return machine->run->estimate == SIM_ESTIMATE_RUNTIME ? job->run_ms : job->limit_ms;
}

/* ---- starts and ends ---- */

static void start_job(struct machine *machine, uint32_t index)
{
    struct sim_job *job = &machine->jobs[index];

    job->start_ms = machine->now_ms;
    machine->procs_free -= job->procs;
    ends_push(&machine->ends, (struct run_end){
                                  .at_ms = machine->now_ms + job->run_ms,
                                  .early = job->run_ms < duration_told(machine, job),
                                  .serial = ++machine->starts_n,
                                  .job = index,
                              });
}

static void pass(struct machine *machine)
{
    const struct plan_decision *decisions;
    uint32_t n;
    bool more = true;

    machine->passes_n++;
    while (more) {
        more = planner_step(machine->planner, machine->now_ms, UINT32_MAX, &decisions, &n);
        for (uint32_t i = 0; i < n; i++) {
            if (decisions[i].verdict == PLAN_START)
                start_job(machine, (uint32_t)decisions[i].job_id - 1);
        }
    }
}

static void end_job(struct machine *machine, uint32_t index)
{
    machine->procs_free += machine->jobs[index].procs;
    machine->jobs[index].end_ms = machine->now_ms;
    machine->ended_n++;
    planner_apply(machine->planner, machine->now_ms,
                  &(struct plan_change){ .kind = PLAN_JOB_REMOVED, .id = plan_id(index) });
}

/* Collects what ends now, in order of starts. Jobs at their limit give back what they hold. */
static void begin_ends(struct machine *machine)
{
    machine->due_n = 0;
    while (machine->ends.n && machine->ends.at[0].at_ms <= machine->now_ms) {
        const struct run_end end = ends_pop(&machine->ends);

        *ARRAY_PUSH(machine->due, machine->due_n) = end;
        if (!end.early)
            end_job(machine, end.job);
    }
}

static void finish_ends(struct machine *machine)
{
    bool changed = true; /* the planner has not seen yet what limits gave back */

    for (uint32_t i = 0; i < machine->due_n; i++) {
        if (machine->due[i].early)
            end_job(machine, machine->due[i].job);
        if (machine->due[i].early || changed)
            pass(machine);
        changed = false;
    }
}

/* ---- submissions ---- */

static void submit(struct machine *machine, uint32_t index)
{
    const struct sim_job *job = &machine->jobs[index];
    uint32_t claims_n;
    const struct plan_claim *claims = trace_claims(&machine->pools, job, &claims_n);
    const struct plan_option option = { .claims = claims, .claims_n = claims_n };
    const struct plan_job plan = {
        .id = plan_id(index),
        .options = &option,
        .options_n = 1,
        .submit_ms = job->submit_ms,
        .since_ms = job->submit_ms,
        .duration_ms = duration_told(machine, job),
        .shape = { .min_nodes = 1, .max_nodes = 1, .ntasks = job->procs, .cpus_per_task = 1 },
    };

    planner_apply(machine->planner, machine->now_ms,
                  &(struct plan_change){ .kind = PLAN_JOB_ADDED, .job = &plan });
    if (job->procs <= machine->procs_free)
        pass(machine);
}

static void take_submissions(struct machine *machine)
{
    while (machine->next_job < machine->jobs_n &&
           machine->jobs[machine->next_job].submit_ms <= machine->now_ms)
        submit(machine, machine->next_job++);
}

/* ---- time ---- */

static int64_t next_moment(const struct machine *machine)
{
    int64_t next = planner_wakes_at(machine->planner);

    if (machine->ends.n && machine->ends.at[0].at_ms < next)
        next = machine->ends.at[0].at_ms;
    if (machine->next_job < machine->jobs_n && machine->jobs[machine->next_job].submit_ms < next)
        next = machine->jobs[machine->next_job].submit_ms;
    return next;
}

/* Goes on to the next instant at which something happens; false: nothing ever will. */
static bool advance(struct machine *machine)
{
    const int64_t next = next_moment(machine);

    if (next == PLAN_NEVER)
        return false;
    machine->now_ms = next > machine->now_ms ? next : machine->now_ms;
    begin_ends(machine);
    take_submissions(machine);
    if (machine->due_n == 0 && planner_wakes_at(machine->planner) <= machine->now_ms)
        pass(machine);
    finish_ends(machine);
    return true;
}

/* ---- the run as a whole ---- */

static struct planner *make_planner(const struct machine_run *run, const struct trace_pools *pools)
{
    const struct plan_node node = {
        .name = "machine",
        .sockets = 1,
        .cores_per_socket = run->workload->procs,
        .threads_per_core = 1,
        .cpus = run->workload->procs,
        .counts_cpus = true,
        .usable = true,
    };
    struct plan_partition partition = { .starts_jobs = true, .jobs_per_cpu = 1 };
    const struct plan_snapshot cluster = {
        .now_ms = run->workload->jobs[0].submit_ms,
        .policy = run->policy,
        .nodes = &node,
        .nodes_n = 1,
        .partitions = &partition,
        .partitions_n = 1,
        .pools = pools->pools,
        .pools_n = pools->pools_n,
    };
    struct planner *planner = planner_new();

    bitset_init(&partition.nodes, 1);
    bitset_fill(&partition.nodes);
    planner_rebuild(planner, &cluster);
    bitset_clear(&partition.nodes);
    return planner;
}

uint64_t machine_run(const struct machine_run *run)
{
    struct machine machine = {
        .run = run,
        .jobs = run->workload->jobs,
        .jobs_n = run->workload->jobs_n,
        .now_ms = run->workload->jobs[0].submit_ms,
        .procs_free = run->workload->procs,
    };

    trace_pools_init(&machine.pools, run->workload, &run->limits);
    machine.planner = make_planner(run, &machine.pools);
    for (uint32_t i = 0; advance(&machine); i++) {
        if (run->on_progress && i % PROGRESS_EVERY == 0)
            run->on_progress(run->ctx, machine.ended_n, machine.jobs_n);
    }
    ends_clear(&machine.ends);
    free(machine.due);
    trace_pools_clear(&machine.pools);
    planner_free(machine.planner);
    return machine.passes_n;
}
