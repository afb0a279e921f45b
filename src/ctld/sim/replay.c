#include "ctld/sim/replay.h"
#include "ctld/control/schedule.h"

#define PROGRESS_EVERY 64 /* jobs */
#define FIRST_UID      10000
#define UIDS           1000000 /* users of a trace that are told apart */

uint32_t replay_cpus(const struct model_config *config)
{
    uint64_t cpus = 0;

    for (uint32_t i = 0; i < config->nodes_n; i++)
        cpus += config->nodes[i].cpus;
    return cpus < UINT32_MAX ? (uint32_t)cpus : UINT32_MAX;
}

static const char *partition_of(const struct replay_run *run, int64_t queue)
{
    for (uint32_t i = 0; i < run->queues_n; i++) {
        if (run->queues[i].number == queue)
            return run->queues[i].partition;
    }
    return NULL;
}

static uint32_t uid_of(const struct sim_job *job)
{
    return FIRST_UID + (job->user < 0 ? 0 : (uint32_t)(job->user % UIDS));
}

static void fill_spec(const struct replay_run *run, const struct sim_job *job,
                      struct job_spec *spec)
{
    const int64_t told_ms = run->estimate == SIM_ESTIMATE_RUNTIME ? job->run_ms : job->limit_ms;

    job_spec_init(spec);
    spec->name = xasprintf("%lld", (long long)job->number);
    spec->partition = xstrdup(partition_of(run, job->queue));
    spec->ntasks = job->procs;
    spec->time_limit = (told_ms + 999) / 1000;
}

static void submit(const struct replay_run *run, const struct sim_job *job,
                   struct trace_pools *pools, struct replay_result *result)
{
    AUTO(job_spec) struct job_spec spec;
    struct err refusal = { 0 };
    uint32_t claims_n;
    const struct plan_claim *claims = trace_claims(pools, job, &claims_n);

    fill_spec(run, job, &spec);
    world_claim(result->world, claims, claims_n);
    if (world_submit(result->world, uid_of(job), &spec, job->run_ms, &refusal) >= 0)
        return;
    if (result->refused_n++ == 0)
        result->refusal = refusal;
}

static int64_t shifted(int64_t ms, int64_t begin_ms)
{
    return ms == WORLD_NEVER ? SIM_NEVER : ms + begin_ms;
}

static void take_results(struct workload *workload, const struct world *world, int64_t begin_ms)
{
    for (uint32_t i = 0; i < workload->jobs_n; i++) {
        const struct world_job *job = world_job(world, i);

        workload->jobs[i].start_ms = shifted(job->start_ms, begin_ms);
        workload->jobs[i].end_ms = shifted(job->end_ms, begin_ms);
    }
}

int replay_run(const struct replay_run *run, struct replay_result *ret, struct err *err)
{
    struct workload *workload = run->workload;
    const int64_t begin_ms = workload->jobs[0].submit_ms;
    struct world_begin begin = { .wall_s = WORLD_WALL_S };
    struct trace_pools pools;
    int rc;

    *ret = (struct replay_result){ 0 };
    trace_pools_init(&pools, workload, &run->limits);
    begin.pools = pools.pools;
    begin.pools_n = pools.pools_n;
    rc = world_new(run->config, &begin, &ret->world, err);
    if (rc < 0) {
        trace_pools_clear(&pools);
        return rc;
    }
    for (uint32_t i = 0; i < workload->jobs_n; i++) {
        while (world_advance(ret->world, workload->jobs[i].submit_ms - begin_ms))
            ;
        submit(run, &workload->jobs[i], &pools, ret);
        if (run->on_progress && i % PROGRESS_EVERY == 0)
            run->on_progress(run->ctx, i, workload->jobs_n);
    }
    while (world_advance(ret->world, WORLD_NEVER))
        ;
    trace_pools_clear(&pools);
    take_results(workload, ret->world, begin_ms);
    ret->passes_n = control_passes(world_control(ret->world));
    return 0;
}
