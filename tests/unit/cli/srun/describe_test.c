/* What srun -v of Slurm 22.05 said of the same. */
#include "unit/check_main.h"

#include "cli/srun/describe.h"

static const struct {
    const char *list, *text;
    uint32_t cpus[3], n;
} jobs[] = {
    { "worker-1", "jobid 7: nodes(1):`worker-1', cpu counts: 1(x1)", { 1 }, 1 },
    { "worker-[1-2]", "jobid 7: nodes(2):`worker-[1-2]', cpu counts: 3(x1),1(x1)", { 3, 1 }, 2 },
    { "worker-[1-3]", "jobid 7: nodes(3):`worker-[1-3]', cpu counts: 2(x2),1(x1)", { 2, 2, 1 }, 3 },
};

START_TEST(an_allocation_is_described_with_its_cpus)
{
    AUTO(job_record) struct job_record job;
    AUTO(strbuf) struct strbuf out = { 0 };

    job_record_init(&job);
    job.id = 7;
    job.node_list = xstrdup(jobs[_i].list);
    for (uint32_t i = 0; i < jobs[_i].n; i++) {
        struct job_node *node = ARRAY_PUSH(job.nodes, job.nodes_n);

        job_node_init(node);
        node->name = xstrdup("worker");
        for (uint32_t cpu = 0; cpu < jobs[_i].cpus[i]; cpu++)
            *ARRAY_PUSH(node->cpus, node->cpus_n) = cpu;
    }
    describe_job(&job, &out);
    ck_assert_str_eq(strbuf_text(&out), jobs[_i].text);
}
END_TEST

START_TEST(a_launch_names_the_tasks_of_each_node)
{
    uint32_t tasks[] = { 0, 1, 2 };
    const struct step_record step = { .job_id = 147, .ntasks = 4 };
    struct step_node node = { .name = (char *)"worker-1", .tasks = tasks, .tasks_n = 3 };
    AUTO(strbuf) struct strbuf out = { 0 };

    describe_launch(&step, &node, &out);
    ck_assert_str_eq(strbuf_text(&out), "launching StepId=147.0 on host worker-1, 3 tasks: [0-2]");
    strbuf_truncate(&out, 0);
    tasks[0] = 3;
    node.tasks_n = 1;
    describe_launch(&step, &node, &out);
    ck_assert_str_eq(strbuf_text(&out), "launching StepId=147.0 on host worker-1, 1 tasks: 3");
}
END_TEST

static const struct {
    const char *bind, *text;
} binds[] = {
    { "", "CpuBindType=(null type)" },
    { "quiet", "CpuBindType=(null type)" },
    { "quiet,cores", "CpuBindType=cores" },
    { "verbose,cores", "CpuBindType=verbose,cores" },
    { "verbose", "CpuBindType=verbose" },
    { "quiet,map_cpu:0,1", "CpuBindType=map_cpu" },
    { "quiet,mask_cpu:0x1", "CpuBindType=mask_cpu" },
    { "none", "CpuBindType=none" },
    { "rank", "CpuBindType=rank" },
};

START_TEST(a_binding_is_described_by_its_words)
{
    AUTO(strbuf) struct strbuf out = { 0 };

    describe_binding(binds[_i].bind, &out);
    ck_assert_str_eq(strbuf_text(&out), binds[_i].text);
}
END_TEST

CHECK_MAIN(describe, LOOP_CASE(an_allocation_is_described_with_its_cpus, ARRAY_N(jobs)),
           CASE(a_launch_names_the_tasks_of_each_node),
           LOOP_CASE(a_binding_is_described_by_its_words, ARRAY_N(binds)))
