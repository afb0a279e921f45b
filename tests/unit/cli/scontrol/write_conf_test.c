#include "unit/check_main.h"

#include <string.h>

#include "cli/scontrol/write_conf.h"

static const struct {
    const char *key, *value, *line;
} entries[] = {
    { "MessageTimeout", "10 sec", "MessageTimeout=10\n" },
    { "SuspendTime", "INFINITE", "SuspendTime=INFINITE\n" },
    { "SlurmUser", "slurm(64030)", "SlurmUser=slurm\n" },
    { "SlurmctldHost[1]", "spare(10.0.0.2)", "SlurmctldHost=spare(10.0.0.2)\n" },
    { "JobDefaults", "DefCpuPerGPU=4,DefMemPerGPU=100", "DefCpuPerGPU=4\nDefMemPerGPU=100\n" },
    { "InteractiveStepOptions", "--interactive --pty $SHELL",
      "InteractiveStepOptions=\"--interactive --pty $SHELL\"\n" },
    { "MaxMemPerCPU", "500", "MaxMemPerCPU=500\n" },
    { "MaxMemPerNode", "UNLIMITED", "" },
    { "Epilog", "(null)", "" },
    { "PowerPlugin", "", "" },
    { "ExtSensorsType", "ext_sensors/none", "" },
    { "NEXT_JOB_ID", "12", "" },
    { "BOOT_TIME", "2026-11-20T21:17:59", "" },
};

START_TEST(a_line_of_the_screen_becomes_a_key_again)
{
    const struct config_entry entry = { (char *)(uintptr_t)entries[_i].key,
                                        (char *)(uintptr_t)entries[_i].value };
    AUTO(strbuf) struct strbuf out = { 0 };

    write_conf_entry(&entry, &out);

    ck_assert_str_eq(strbuf_text(&out), entries[_i].line);
}
END_TEST

static void fill_node(struct node_info *info, const char *name, const char *address)
{
    node_info_init(info);
    info->node = xcalloc(1, sizeof(*info->node));
    node_record_init(info->node);
    info->node->name = xstrdup(name);
    info->node->comment = xstrdup("no Weight=9 here");
    info->node->reason = xstrdup("CPUs=7");
    info->address = xstrdup(address);
    info->host = xstrdup(name);
    info->port = 6818;
    info->cpus = info->sockets = 4;
    info->boards = info->cores_per_socket = info->threads_per_core = 1;
    info->memory_mb = 4000;
    info->weight = 1;
    info->features = xstrdup("fast,blue");
}

START_TEST(nodes_that_are_alike_share_a_line)
{
    struct node_info nodes[3];
    const struct node_info *infos[] = { &nodes[0], &nodes[1], &nodes[2] };
    const struct show show = { .slurmd_port = 6818 };
    AUTO(strbuf) struct strbuf out = { 0 };

    fill_node(&nodes[0], "tux1", "10.0.0.1");
    fill_node(&nodes[1], "tux2", "10.0.0.2");
    fill_node(&nodes[2], "tux3", "tux3");
    nodes[2].gres = xstrdup("gpu:a:2");
    nodes[2].core_spec_count = 1;
    write_conf_nodes(&show, infos, ARRAY_N(infos), &out);

    ck_assert_str_eq(strbuf_text(&out),
                     "NodeName=tux[1-2] NodeAddr=10.0.0.[1-2] CoresPerSocket=1 CPUs=4 "
                     "Features=fast,blue RealMemory=4000 Sockets=4 Boards=1 ThreadsPerCore=1 "
                     "Weight=1\n"
                     "NodeName=tux3 CoresPerSocket=1 CPUs=4 Features=fast,blue Gres=gpu:a:2 "
                     "RealMemory=4000 Sockets=4 Boards=1 CoreSpecCount=1 ThreadsPerCore=1 "
                     "Weight=1\n");
    for (size_t i = 0; i < ARRAY_N(nodes); i++)
        node_info_clear(&nodes[i]);
}
END_TEST

START_TEST(a_partition_is_written_with_what_was_changed)
{
    struct partition_info part;
    AUTO(strbuf) struct strbuf out = { 0 };

    partition_info_init(&part);
    part.name = xstrdup("debug");
    part.nodes = xstrdup("tux[1-2]");
    part.state = PARTITION_DRAIN;
    part.max_time = 1800;
    part.max_nodes = 2;
    part.alloc_nodes = xstrdup("head");
    part.def_cpu_per_gpu = 3;
    part.priority_tier = part.priority_job_factor = 1;
    write_conf_partition(&(struct show){ 0 }, &part, &out);

    ck_assert_int_eq(strncmp(strbuf_text(&out), "PartitionName=debug ", 20), 0);
    ck_assert_ptr_nonnull(strstr(strbuf_text(&out), " AllocNodes=head "));
    ck_assert_ptr_nonnull(strstr(strbuf_text(&out), " MaxNodes=2 MaxTime=00:30:00 "));
    ck_assert_ptr_nonnull(strstr(strbuf_text(&out), " Nodes=tux[1-2] "));
    ck_assert_ptr_nonnull(strstr(strbuf_text(&out), " State=DRAIN DefCpuPerGPU=3 "));
    ck_assert_ptr_null(strstr(strbuf_text(&out), "(null)"));
    ck_assert_ptr_null(strstr(strbuf_text(&out), "TotalNodes"));
    partition_info_clear(&part);
}
END_TEST

CHECK_MAIN(write_conf, LOOP_CASE(a_line_of_the_screen_becomes_a_key_again, ARRAY_N(entries)),
           CASE(nodes_that_are_alike_share_a_line),
           CASE(a_partition_is_written_with_what_was_changed))
