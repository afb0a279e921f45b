#include "cli/seff/figures.h"

#include "cli/lib/job_facts.h"
#include "cli/lib/step_facts.h"

static void add_step(struct seff_figures *figures, const struct step_record *step)
{
    const struct step_usage *usage = step->usage;
    uint64_t memory_kb = usage && usage->memory_kb ? usage->memory_kb->total : 0;

    figures->ran_out = figures->ran_out || step->end_state == JOB_OOM;
    if (!usage)
        return;
    if (memory_kb > figures->memory_kb) {
        figures->memory_kb = memory_kb;
        figures->tasks = usage->tasks;
    }
}

struct seff_figures seff_figures_of(const struct history_job *history)
{
    const struct job_record *job = history->job;
    AUTO(tres) struct tres asked = tres_requested(job);
    const struct cpu_times times = step_cpu_times(history->steps, history->steps_n);
    struct seff_figures figures = {
        .ncpus = job->ncpus ? job->ncpus : 1,
        .nnodes = job->nodes_n ? job->nodes_n : 1,
        .elapsed_s = job_run_time(job, history->now),
        .asked_kb = asked.mem_mb == MB_UNSET ? 0 : asked.mem_mb * 1024,
        .per_node = job->spec->mem_per_node != MB_UNSET,
        .limit_s = job->spec->time_limit,
        .ran_out = job->state == JOB_OOM,
    };

    for (uint32_t i = 0; i < history->steps_n; i++)
        add_step(&figures, &history->steps[i]);
    figures.cpu_s = (times.user_us + times.system_us + 500000) / 1000000;
    return figures;
}
