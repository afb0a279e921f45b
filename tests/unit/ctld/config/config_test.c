/* What slurm.conf and the files beside it say reaches the model's configuration. */
#include "unit/check_main.h"

#include <string.h>

#include "common/conf/beside.h"
#include "ctld/config/config.h"
#include "unit/common/conf/text_files.h"

static struct model_config config_of(const char *conf_text, const char *gres, const char *topology)
{
    struct text_file files[] = { { "slurm.conf", conf_text },
                                 { "gres.conf", gres },
                                 { "topology.conf", topology },
                                 { NULL, NULL } };
    struct slurm_conf *conf = NULL;
    struct model_config config;
    struct err err = { 0 };

    ck_assert_msg(slurm_conf_load_from("slurm.conf", read_text_file, files, &conf, NULL, &err) == 0,
                  "%s", err.text);
    ck_assert_msg(conf_load_beside_from(conf, read_text_file, files, NULL, &err) == 0, "%s",
                  err.text);
    config_of_conf(conf, "head", &config);
    slurm_conf_free(conf);
    return config;
}

START_TEST(devices_and_switches_reach_the_model)
{
    struct model_config config = config_of(
        HEAD "GresTypes=gpu,net\nTopologyPlugin=topology/tree\n"
             "NodeName=n[1-2] Sockets=2 CoresPerSocket=2 Gres=gpu:tesla:2,net:4 "
             "CpuSpecList=0 MemSpecLimit=10 RealMemory=100\nPartitionName=p Nodes=ALL\n",
        "Name=gpu Type=tesla File=/dev/a[0-1] Cores=2-3\n",
        "SwitchName=top Switches=s[1-2]\nSwitchName=s1 Nodes=n1\nSwitchName=s2 Nodes=n2\n");
    const struct node_info *node = &config.nodes[1];

    ck_assert_uint_eq(node->devices_n, 2);
    ck_assert_str_eq(node->devices[0].name, "gpu");
    ck_assert_str_eq(node->devices[0].type, "tesla");
    ck_assert_uint_eq(node->devices[0].count, 2);
    ck_assert_str_eq(node->devices[0].files[1], "/dev/a1");
    ck_assert_uint_eq(node->devices[0].cores_n, 2);
    ck_assert_uint_eq(node->devices[0].cores[1], 3);
    ck_assert_str_eq(node->devices[1].name, "net");
    ck_assert_uint_eq(node->devices[1].count, 4);
    ck_assert_str_eq(node->cpu_spec_list, "0");
    ck_assert_uint_eq(node->mem_spec_limit_mb, 10);
    ck_assert_uint_eq(config.gres_types_n, 2);
    ck_assert_uint_eq(config.topology, TOPOLOGY_TREE);
    ck_assert_uint_eq(config.switches_n, 3);
    ck_assert_str_eq(config.switches[0].name, "s1");
    ck_assert_uint_eq(config.switches[0].parent, 2);
    ck_assert_str_eq(config.switches[2].name, "top");
    ck_assert_uint_eq(config.switches[2].level, 1);
    ck_assert_str_eq(config.switches[2].nodes, "n[1-2]");
    ck_assert_uint_eq(config.switches[2].parent, COUNT_UNSET);
    model_config_clear(&config);
}
END_TEST

START_TEST(scheduling_and_priorities_reach_the_model)
{
    struct model_config config =
        config_of(HEAD "SchedulerParameters=bf_max_job_test=7,spec_cores_first\nLicenses=m:"
                       "4\nEnforcePartLimits=ALL\n"
                       "SelectTypeParameters=CR_Core_Memory,CR_CORE_DEFAULT_DIST_BLOCK\n"
                       "AllowSpecResourcesUsage=YES\nPriorityType=priority/multifactor\n"
                       "PriorityWeightAge=5\nPriorityMaxAge=1-0\nPriorityWeightTRES=CPU=2\n"
                       "PriorityFlags=SMALL_RELATIVE_TO_TIME\nPriorityUsageResetPeriod=YEARLY\n",
                  "", "");

    ck_assert_uint_eq(config.sched.bf_max_job_test, 7);
    ck_assert_uint_eq(config.sched.bf_window, SCHED_UNSET);
    ck_assert(config.sched.spec_cores_first);
    ck_assert_uint_eq(config.licenses_n, 1);
    ck_assert_str_eq(config.licenses[0].name, "m");
    ck_assert_uint_eq(config.licenses[0].total, 4);
    ck_assert_uint_eq(config.enforce_part_limits, ENFORCE_ALL);
    ck_assert_uint_eq(config.select, SELECT_CORE | SELECT_MEMORY | SELECT_CORE_DIST_BLOCK);
    ck_assert(config.allow_spec_resources);
    ck_assert(config.priority.multifactor);
    ck_assert_uint_eq(config.priority.weight_age, 5);
    ck_assert_int_eq(config.priority.max_age_s, 86400);
    ck_assert_int_eq(config.priority.decay_half_life_s, 7 * 86400);
    ck_assert_double_eq(tres_weights_of(&config.priority.weight_tres, "cpu"), 2);
    ck_assert_uint_eq(config.priority.flags, PRIORITY_SMALL_RELATIVE_TO_TIME);
    ck_assert_uint_eq(config.priority.reset, PRIORITY_RESET_YEARLY);
    model_config_clear(&config);
}
END_TEST

START_TEST(partitions_reach_the_model)
{
    struct model_config config =
        config_of(HEAD "NodeName=n CPUs=4\nDefCpuPerGPU=3\nMaxMemPerNode=500\nGresTypes=gpu\n"
                       "PartitionName=a Nodes=n AllowAccounts=x DenyQos=low MaxCPUsPerSocket=2 "
                       "DefMemPerGPU=1G OverSubscribe=FORCE:2 SelectTypeParameters=CR_Socket "
                       "AllocNodes=login\n"
                       "PartitionName=b Nodes=n DefCpuPerGPU=1 OverSubscribe=EXCLUSIVE\n",
                  "", "");
    const struct partition_info *a = &config.partitions[0];
    const struct partition_info *b = &config.partitions[1];

    ck_assert_str_eq(a->allow_accounts, "x");
    ck_assert_str_eq(a->deny_qos, "low");
    ck_assert_str_eq(a->alloc_nodes, "login");
    ck_assert_uint_eq(a->max_cpus_per_socket, 2);
    ck_assert_uint_eq(a->def_cpu_per_gpu, 3);
    ck_assert_uint_eq(a->def_mem_per_gpu, 1024);
    ck_assert_uint_eq(a->max_mem_per_node, 500);
    ck_assert_uint_eq(a->share, OVERSUBSCRIBE_FORCE);
    ck_assert_uint_eq(a->share_max, 2);
    ck_assert_uint_eq(a->select, SELECT_SOCKET);
    ck_assert_uint_eq(b->max_cpus_per_socket, COUNT_INFINITE);
    ck_assert_uint_eq(b->def_cpu_per_gpu, 1);
    ck_assert_uint_eq(b->def_mem_per_gpu, MB_UNSET);
    ck_assert_uint_eq(b->share, OVERSUBSCRIBE_EXCLUSIVE);
    ck_assert_uint_eq(b->select, 0);
    model_config_clear(&config);
}
END_TEST

CHECK_MAIN(config, CASE(devices_and_switches_reach_the_model),
           CASE(scheduling_and_priorities_reach_the_model), CASE(partitions_reach_the_model))
