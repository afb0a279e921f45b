/* Nodes whose machine has less than slurm.conf says. */
#include "unit/check_main.h"

#include "unit/ctld/control/lab.h"
#include "ctld/control/control.h"

START_TEST(a_machine_with_less_memory_than_configured_is_drained_with_figures_and_heals)
{
    struct lab *lab = lab_new("nodes=1 memory=1800");

    lab->nodes[0].memory_mb = 900;
    lab_register(lab, "n1");
    ck_assert_str_eq(lab_node_state(lab, "n1"), "IDLE+DRAIN+INVALID_REG");
    ck_assert_str_eq(model_find_node(control_model(lab->control), "n1")->rec.reason,
                     "Low RealMemory (reported:900 < 100.00% of configured:1800)");

    lab->nodes[0].memory_mb = 2000;
    lab_register(lab, "n1");
    ck_assert_str_eq(lab_node_state(lab, "n1"), "IDLE");
    lab_free(lab);
}
END_TEST

static const struct {
    uint32_t sockets, cores, threads, cpus;
    uint64_t memory_mb;
    const char *reason; /* NULL: it is enough */
} lows[] = {
    { 0, 0, 0, 4, 1800, NULL },
    { 1, 2, 2, 4, 1800, NULL },
    { 1, 2, 2, 3, 1800, "Low CPUs (reported:3 < configured:4)" },
    { 1, 2, 1, 4, 1800, "Low socket*core*thread count (reported:1*2*1 < configured:4*1*1)" },
    { 1, 2, 1, 2, 1800,
      "Low socket*core*thread count (reported:1*2*1 < configured:4*1*1), "
      "Low CPUs (reported:2 < configured:4)" },
    { 1, 2, 2, 2, 900,
      "Low CPUs (reported:2 < configured:4), "
      "Low RealMemory (reported:900 < 100.00% of configured:1800)" },
};

START_TEST(all_that_a_machine_lacks_is_told_and_it_heals_when_that_is_back)
{
    struct lab *lab = lab_new("nodes=1 cpus=4 memory=1800");
    struct lab_node *machine = lab_node(lab, "n1");
    const struct node *node = model_find_node(control_model(lab->control), "n1");

    machine->sockets = lows[_i].sockets;
    machine->cores = lows[_i].cores;
    machine->threads = lows[_i].threads;
    machine->cpus = lows[_i].cpus;
    machine->memory_mb = lows[_i].memory_mb;
    lab_register(lab, "n1");
    ck_assert_pstr_eq(node->rec.reason, lows[_i].reason);
    ck_assert_str_eq(lab_node_state(lab, "n1"),
                     lows[_i].reason ? "IDLE+DRAIN+INVALID_REG" : "IDLE");

    machine->sockets = machine->cpus = 4;
    machine->cores = machine->threads = 1;
    machine->memory_mb = 1800;
    lab_register(lab, "n1");
    ck_assert_str_eq(lab_node_state(lab, "n1"), "IDLE");
    ck_assert_ptr_null(node->rec.reason);
    lab_free(lab);
}
END_TEST

START_TEST(a_node_that_finds_too_few_gpus_takes_no_jobs_until_it_finds_them)
{
    struct lab *lab = lab_new("nodes=1 gpus=2 found=1 away");
    const struct node *node = model_find_node(control_model(lab->control), "n1");

    lab_node(lab, "n1")->gpus = 1;
    lab_register(lab, "n1");
    ck_assert_str_eq(lab_node_state(lab, "n1"), "IDLE+DRAIN+INVALID_REG");
    ck_assert_str_eq(node->rec.reason, "gres/gpu count reported lower than configured (1 < 2)");

    lab_node(lab, "n1")->gpus = 2;
    lab_register(lab, "n1");
    ck_assert_str_eq(lab_node_state(lab, "n1"), "IDLE");
    lab_submit(lab, "time=10 gres=gpu:2");
    ck_assert_ptr_nonnull(strstr(strbuf_text(&lab->orders), "/dev/found0 /dev/found1"));
    lab_free(lab);
}
END_TEST

START_TEST(a_disk_that_is_too_small_is_told_and_heals_while_the_daemon_runs)
{
    struct lab *lab = lab_new("nodes=1 disk=5000");
    const struct node *node = model_find_node(control_model(lab->control), "n1");

    lab_node(lab, "n1")->tmp_disk_mb = 900;
    lab_register(lab, "n1");
    ck_assert_str_eq(node->rec.reason, "Low TmpDisk (reported:900 < configured:5000)");
    ck_assert_str_eq(lab_node_state(lab, "n1"), "IDLE+DRAIN+INVALID_REG");

    lab_node(lab, "n1")->tmp_disk_mb = 5000;
    lab_report_hardware(lab, "n1");
    ck_assert_str_eq(lab_node_state(lab, "n1"), "IDLE");
    ck_assert_ptr_null(node->rec.reason);
    lab_free(lab);
}
END_TEST

START_TEST(fewer_devices_than_configured_are_told_and_heal_while_the_daemon_runs)
{
    struct lab *lab = lab_new("nodes=1 gpus=4");
    const struct node *node = model_find_node(control_model(lab->control), "n1");

    lab_node(lab, "n1")->gpu_files = 4;
    lab_register(lab, "n1");
    ck_assert_str_eq(lab_node_state(lab, "n1"), "IDLE");
    lab_node(lab, "n1")->gpu_files = 1;
    lab_node(lab, "n1")->memory_mb = 900;
    lab_report_hardware(lab, "n1");
    ck_assert_str_eq(node->rec.reason,
                     "gres/gpu count reported lower than configured (1 < 4), "
                     "Low RealMemory (reported:900 < 100.00% of configured:1000)");
    ck_assert_str_eq(lab_node_state(lab, "n1"), "IDLE+DRAIN+INVALID_REG");

    lab_node(lab, "n1")->gpu_files = 4;
    lab_node(lab, "n1")->memory_mb = 1000;
    lab_report_hardware(lab, "n1");
    ck_assert_str_eq(lab_node_state(lab, "n1"), "IDLE");
    lab_free(lab);
}
END_TEST

START_TEST(a_node_drained_for_its_hardware_heals_when_the_configuration_counts)
{
    struct lab *lab = lab_new("nodes=1 memory=1800");

    lab->nodes[0].memory_mb = 900;
    lab_register(lab, "n1");
    lab_restart(lab, "nodes=1 memory=1800 trust=1");

    ck_assert_str_eq(lab_node_state(lab, "n1"), "IDLE");
    lab_free(lab);
}
END_TEST

CHECK_MAIN(hardware,
           CASE(a_machine_with_less_memory_than_configured_is_drained_with_figures_and_heals),
           LOOP_CASE(all_that_a_machine_lacks_is_told_and_it_heals_when_that_is_back,
                     ARRAY_N(lows)),
           CASE(a_node_that_finds_too_few_gpus_takes_no_jobs_until_it_finds_them),
           CASE(a_disk_that_is_too_small_is_told_and_heals_while_the_daemon_runs),
           CASE(fewer_devices_than_configured_are_told_and_heal_while_the_daemon_runs),
           CASE(a_node_drained_for_its_hardware_heals_when_the_configuration_counts))
