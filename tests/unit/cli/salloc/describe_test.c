/* The names and forms are those that Slurm 22.05 sets for salloc's command. */
#include "unit/check_main.h"

#include "cli/salloc/describe.h"

START_TEST(the_command_is_told_what_the_job_was_given)
{
    AUTO(environment) struct environment environment = { 0 };
    AUTO(strbuf) struct strbuf out = { 0 };
    uint32_t cpus[] = { 4, 2 }, tasks[] = { 2, 1 };
    struct job_node nodes[] = { { .name = (char[]){ "worker-1" } },
                                { .name = (char[]){ "worker-2" } } };
    struct job_record job = { .id = 35,
                              .nodes = nodes,
                              .nodes_n = 2,
                              .node_list = (char[]){ "worker-[1-2]" },
                              .partition = (char[]){ "main" } };
    struct job_event event = { .job = &job,
                               .tasks_per_node = tasks,
                               .tasks_per_node_n = 2,
                               .cpus_per_node = cpus,
                               .cpus_per_node_n = 2 };

    salloc_describe(&environment, &event);

    for (uint32_t i = 0; i < environment.n; i++)
        strbuf_addf(&out, "%s\n", environment.at[i]);
    ck_assert_str_eq(strbuf_text(&out), "SLURM_JOB_ID=35\n"
                                        "SLURM_JOBID=35\n"
                                        "SLURM_JOB_NODELIST=worker-[1-2]\n"
                                        "SLURM_NODELIST=worker-[1-2]\n"
                                        "SLURM_JOB_NUM_NODES=2\n"
                                        "SLURM_NNODES=2\n"
                                        "SLURM_JOB_CPUS_PER_NODE=4,2\n"
                                        "SLURM_TASKS_PER_NODE=2,1\n"
                                        "SLURM_JOB_PARTITION=main\n");
}
END_TEST

CHECK_MAIN(describe, CASE(the_command_is_told_what_the_job_was_given))
