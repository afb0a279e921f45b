#include "unit/check_main.h"

#include <sys/wait.h>

#include "cli/seff/advice.h"
#include "cli/seff/summary.h"

struct sample {
    uint32_t state, ncpus, nodes, tasks;
    int64_t elapsed_s, limit_s;
    uint64_t cpu_s, memory_kb, mem_per_node, mem_per_cpu;
    int32_t status;
};

static void fill_job(struct job_record *job, const struct sample *sample)
{
    job_record_init(job);
    job->spec = xcalloc(1, sizeof(*job->spec));
    job_spec_init(job->spec);
    job->id = 12;
    job->user_name = xstrdup("ann");
    job->group_name = xstrdup("staff");
    job->state = sample->state;
    job->ncpus = sample->ncpus;
    job->exit_status = sample->status;
    job->start_time = sample->state == JOB_PENDING ? 0 : 1000;
    job->end_time = job_state_is_over(sample->state) ? 1000 + sample->elapsed_s : 0;
    job->spec->time_limit = sample->limit_s;
    job->spec->min_nodes = sample->nodes;
    job->spec->mem_per_node = sample->mem_per_node ? sample->mem_per_node : MB_UNSET;
    job->spec->mem_per_cpu = sample->mem_per_cpu ? sample->mem_per_cpu : MB_UNSET;
    for (uint32_t i = 0; i < sample->nodes; i++) {
        struct job_node *node = ARRAY_PUSH(job->nodes, job->nodes_n);

        job_node_init(node);
        node->name = xasprintf("tux%u", i);
    }
}

/* Two steps that share the time; the second holds the memory. */
static void fill(struct history_job *history, const struct sample *sample)
{
    history_job_init(history);
    history->now = 1000 + sample->elapsed_s;
    history->job = xcalloc(1, sizeof(*history->job));
    fill_job(history->job, sample);
    for (int i = 0; i < 2 && sample->state != JOB_PENDING; i++) {
        struct step_record *step = ARRAY_PUSH(history->steps, history->steps_n);

        step_record_init(step);
        step->usage = xcalloc(1, sizeof(*step->usage));
        step_usage_init(step->usage);
        step->usage->tasks = i ? sample->tasks : 1;
        step->usage->user_us = sample->cpu_s * 1000000 / 2;
        step->usage->memory_kb = xcalloc(1, sizeof(*step->usage->memory_kb));
        step->usage->memory_kb->total = i ? sample->memory_kb : 1;
    }
}

static const struct {
    struct sample job;
    const char *text;
} summaries[] = {
    { { JOB_COMPLETE, 1, 1, 1, 20, 600, 10, 3517, 1000, 0, 0 },
      "Job ID: 12\nCluster: lab\nUser/Group: ann/staff\nState: COMPLETED (exit code 0)\n"
      "Cores: 1\nCPU Utilized: 00:00:10\nCPU Efficiency: 50.00% of 00:00:20 core-walltime\n"
      "Job Wall-clock time: 00:00:20\nMemory Utilized: 3.43 MB\n"
      "Memory Efficiency: 0.34% of 1000.00 MB\n" },
    { { JOB_FAILED, 8, 2, 4, 3600, 7200, 14400, 2 << 20, 0, 1024, W_EXITCODE(3, 0) },
      "Job ID: 12\nCluster: lab\nUser/Group: ann/staff\nState: FAILED (exit code 3)\n"
      "Nodes: 2\nCores per node: 4\nCPU Utilized: 04:00:00\n"
      "CPU Efficiency: 50.00% of 08:00:00 core-walltime\nJob Wall-clock time: 01:00:00\n"
      "Memory Utilized: 2.00 GB (estimated maximum)\n"
      "Memory Efficiency: 25.00% of 8.00 GB (1.00 GB/core)\n" },
    { { JOB_RUNNING, 2, 1, 2, 10, 600, 0, 0, 0, 0, 0 },
      "Job ID: 12\nCluster: lab\nUser/Group: ann/staff\nState: RUNNING\nNodes: 1\n"
      "Cores per node: 2\nCPU Utilized: 00:00:00\n"
      "CPU Efficiency: 0.00% of 00:00:20 core-walltime\nJob Wall-clock time: 00:00:10\n"
      "Memory Utilized: 1.00 KB\nMemory Efficiency: 0.00% of 0.00 MB\n"
      "WARNING: Efficiency statistics may be misleading for RUNNING jobs.\n" },
    { { JOB_PENDING, 1, 0, 0, 0, 600, 0, 0, 0, 0, 0 },
      "Job ID: 12\nCluster: lab\nUser/Group: ann/staff\nState: PENDING\nCores: 1\n"
      "Efficiency not available for jobs in the PENDING state.\n" },
};

START_TEST(the_summary_reads_as_slurms)
{
    AUTO(history_job) struct history_job history;
    AUTO(strbuf) struct strbuf out = { 0 };

    fill(&history, &summaries[_i].job);
    seff_summary(&history, "lab", &out);

    ck_assert_str_eq(strbuf_text(&out), summaries[_i].text);
}
END_TEST

START_TEST(a_task_of_an_array_is_named)
{
    AUTO(history_job) struct history_job history;
    AUTO(strbuf) struct strbuf out = { 0 };

    fill(&history, &summaries[0].job);
    history.job->array_job_id = 10;
    history.job->array_task = 2;
    seff_summary(&history, "lab", &out);

    ck_assert_ptr_nonnull(strstr(strbuf_text(&out), "Job ID: 12\nArray Job ID: 10_2\nCluster"));
}
END_TEST

static const struct {
    struct sample job;
    const char *text;
} advices[] = {
    /* well used */
    { { JOB_COMPLETE, 4, 1, 4, 3000, 3600, 10000, 8 << 20, 10240, 0, 0 }, "" },
    /* too short to tell */
    { { JOB_COMPLETE, 4, 1, 4, 30, 36000, 1, 1 << 20, 102400, 0, 0 }, "" },
    /* runs still */
    { { JOB_RUNNING, 4, 1, 4, 3000, 3600, 10, 1 << 20, 102400, 0, 0 }, "" },
    { { JOB_COMPLETE, 1, 1, 1, 3000, 3600, 2900, 3 << 20, 65536, 0, 0 },
      "Advice: most of the memory was not used. --mem=3700M is enough for this one, and starts "
      "sooner.\n" },
    { { JOB_COMPLETE, 8, 2, 8, 3000, 3600, 20000, 40 << 20, 0, 16384, 0 },
      "Advice: most of the memory was not used. --mem-per-cpu=6200M is enough for this one, and "
      "starts sooner.\n" },
    { { JOB_COMPLETE, 1, 1, 1, 3000, 3600, 2900, 990 << 10, 1000, 0, 0 },
      "Advice: nearly all of the memory was used. The next run is safer with --mem=1200M.\n" },
    { { JOB_OOM, 1, 1, 1, 10, 3600, 9, 990 << 10, 1000, 0, 0 },
      "Advice: the job ran out of memory. Ask for more, --mem=1200M or above.\n" },
    { { JOB_COMPLETE, 8, 1, 1, 3000, 3600, 3300, 0, 0, 0, 0 },
      "Advice: of 8 cores 1.1 were busy on average. Ask for fewer, or see whether all tasks and "
      "threads were started.\n" },
    { { JOB_COMPLETE, 1, 1, 1, 3000, 3600, 300, 0, 0, 0, 0 },
      "Advice: the core was idle most of the time: the job waited, for files or for others.\n" },
    { { JOB_COMPLETE, 1, 1, 1, 600, 86400, 590, 0, 0, 0, 0 },
      "Advice: the job took 00:10:00 of 1-00:00:00. With a shorter --time it fits into gaps and "
      "starts sooner.\n" },
    { { JOB_TIMEOUT, 1, 1, 1, 3600, 3600, 3590, 0, 0, 0, 0 },
      "Advice: the job was ended by its time limit, 01:00:00. Ask for a longer --time, or save "
      "what is done before it.\n" },
};

START_TEST(advice_is_given_where_something_was_far_off)
{
    AUTO(history_job) struct history_job history;
    AUTO(strbuf) struct strbuf out = { 0 };

    fill(&history, &advices[_i].job);
    const struct seff_figures figures = seff_figures_of(&history);
    seff_advise(history.job, &figures, &out);

    ck_assert_str_eq(strbuf_text(&out), advices[_i].text);
}
END_TEST

CHECK_MAIN(seff, LOOP_CASE(the_summary_reads_as_slurms, ARRAY_N(summaries)),
           CASE(a_task_of_an_array_is_named),
           LOOP_CASE(advice_is_given_where_something_was_far_off, ARRAY_N(advices)))
