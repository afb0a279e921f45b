#include "ctld/sim/machine.h"

#define PROGRESS_EVERY 256 /* instants */

static void ask(void *ctx, uint32_t index, struct plan_job *ret)
{
    const struct machine_run *run = ctx;

    *ret = (struct plan_job){
        .shape = { .min_nodes = 1,
                   .max_nodes = 1,
                   .ntasks = run->workload->jobs[index].procs,
                   .cpus_per_task = 1 },
    };
}

static struct sim_input *make_inputs(const struct workload *workload)
{
    struct sim_input *inputs = xcalloc(workload->jobs_n, sizeof(*inputs));

    for (uint32_t i = 0; i < workload->jobs_n; i++)
        inputs[i] = (struct sim_input){ workload->jobs[i].submit_ms, SIM_SUBMIT, i };
    return inputs;
}

uint64_t machine_run(const struct machine_run *run)
{
    AUTO_FREE struct sim_input *inputs = make_inputs(run->workload);
    AUTO(bitset) struct bitset nodes = { 0 };
    const struct plan_node node = {
        .name = "machine",
        .sockets = 1,
        .cores_per_socket = run->workload->procs,
        .threads_per_core = 1,
        .cpus = run->workload->procs,
        .pool = true,
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
    };
    const struct sim_setup setup = {
        .cluster = &cluster,
        .inputs = inputs,
        .inputs_n = run->workload->jobs_n,
        .jobs = run->workload->jobs,
        .jobs_n = run->workload->jobs_n,
        .estimates_runs = run->estimate == SIM_ESTIMATE_RUNTIME,
        .ask = ask,
        .ctx = (void *)run,
    };
    struct sim *sim;
    uint64_t passes_n;

    bitset_init(&nodes, 1);
    bitset_fill(&nodes);
    partition.nodes = nodes;
    sim = sim_new(&setup);
    for (uint32_t i = 0; sim_advance(sim); i++) {
        if (run->on_progress && i % PROGRESS_EVERY == 0)
            run->on_progress(run->ctx, sim_ended_n(sim), run->workload->jobs_n);
    }
    passes_n = sim_passes_n(sim);
    sim_free(sim);
    return passes_n;
}
