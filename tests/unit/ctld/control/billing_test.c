/* What TRESBillingWeights make of jobs, nodes and partitions: the figures are those of Slurm 22.05.
 */
#include "unit/check_main.h"

#include "common/msg/tres.h"
#include "unit/ctld/control/lab.h"
#include "ctld/control/control.h"
#include "ctld/control/answer/info.h"
#include "ctld/control/act/state.h"

#define MAX_TRES "multifactor priority_flags=32 "
#define CLUSTER  "nodes=2 cpus=4 memory=4000 share_memory=1 "

static const struct {
    const char *config, *job;
    uint64_t asked, held;
} bills[] = {
    { "", "ntasks=2 mem=1000", 2, 2 },
    { "bill=CPU=1.5,Mem=0.25G", "ntasks=2 mem=1000", 3, 3 },
    { "bill=CPU=1.5,Mem=0.25G", "ntasks=3 mem=999", 4, 4 },
    { "bill=Node=7.5,CPU=0.1", "ntasks=2 mem=500", 7, 7 },
    { "bill=Node=7.5,CPU=0.1", "nodes=2 ntasks=2 mem=500", 15, 15 },
    { "bill=Mem=1G", "ntasks=2 mem=1400", 1, 1 },
    { "bill=CPU=0", "mem=10", 0, 0 },
    { MAX_TRES "bill=CPU=1.5,Mem=0.25G", "nodes=2 ntasks=8 mem=1000", 12, 12 },
    { MAX_TRES "bill=CPU=1.5,Mem=0.25G", "ntasks=2 mem=3900", 3, 3 },
    { "bill=CPU=1", "ntasks=1 exclusive=1", 1, 4 },
    { "gpus=2 bill=Mem=1", "gres=gpu:1 gpu_mem=100", 100, 100 },
    { "gpus=2 bill=Mem=1", "nodes=2 gres=gpu:2 gpu_mem=100", 400, 400 },
};

START_TEST(job_is_billed_for_what_it_asks_and_for_what_it_holds)
{
    AUTO_FREE char *config = xasprintf(CLUSTER "%s", bills[_i].config);
    AUTO_FREE char *spec = xasprintf("part=debug %s", bills[_i].job);
    struct lab *lab = lab_new(config);
    const struct job *job = lab_job(lab, lab_submit(lab, spec));
    AUTO(tres) struct tres asked = tres_requested(&job->rec);
    AUTO(tres) struct tres held = tres_allocated(&job->rec);

    ck_assert_int_eq(job->rec.state, JOB_RUNNING);
    ck_assert_uint_eq(held.billing, bills[_i].held);
    ck_assert_uint_eq(asked.billing, bills[_i].asked);
    lab_free(lab);
}
END_TEST

START_TEST(waiting_job_holds_nothing_and_is_billed_for_what_it_asks)
{
    struct lab *lab = lab_new(CLUSTER "bill=CPU=1.5,Mem=0.25G");
    const struct job *job = lab_job(lab, lab_submit(lab, "part=debug ntasks=2 mem=1000 hold=1"));
    AUTO(tres) struct tres asked = tres_requested(&job->rec);
    AUTO(tres) struct tres held = tres_allocated(&job->rec);

    ck_assert_uint_eq(asked.billing, 3);
    ck_assert_uint_eq(held.billing, 0);
    lab_free(lab);
}
END_TEST

static const struct {
    const char *config;
    uint32_t partition, node;
} places[] = {
    { "", COUNT_UNSET, 4 },
    { "bill=CPU=1.5,Mem=0.25G", 13, 6 },
    { "bill=Node=7.5,CPU=0.1", 15, 4 }, /* main has no weights: there a cpu is one */
    { MAX_TRES "bill=CPU=1.5,Mem=0.25G", 12, 6 },
    { "bill=CPU=0", 0, 4 },
};

START_TEST(partitions_and_nodes_have_billing_too)
{
    AUTO_FREE char *config = xasprintf(CLUSTER "%s", places[_i].config);
    struct lab *lab = lab_new(config);
    AUTO(partition_info) struct partition_info partition;
    AUTO(node_info) struct node_info node;

    control_partition_info(lab->control, 1, &partition);
    control_node_info(lab->control, lab->now, &control_model(lab->control)->nodes[0], &node);

    ck_assert_uint_eq(partition.total_billing, places[_i].partition);
    ck_assert_uint_eq(node.billing, places[_i].node);
    lab_free(lab);
}
END_TEST

CHECK_MAIN(billing, LOOP_CASE(job_is_billed_for_what_it_asks_and_for_what_it_holds, ARRAY_N(bills)),
           CASE(waiting_job_holds_nothing_and_is_billed_for_what_it_asks),
           LOOP_CASE(partitions_and_nodes_have_billing_too, ARRAY_N(places)))
