/* What slurm.conf says about scheduling: lists within values, priorities, shares of nodes. */
#include "unit/check_main.h"

#include <stdio.h>

#include "unit/common/conf/text_files.h"

START_TEST(scheduler_parameters_become_numbers)
{
    AUTO(conf_notes) struct conf_notes notes = { 0 };
    struct slurm_conf *conf = must_load(
        HEAD "SchedulerParameters=bf_window=2880,spec_cores_first,max_switch_wait=60\n", &notes);

    ck_assert_uint_eq(conf->sched.bf_window, 2880);
    ck_assert_uint_eq(conf->sched.max_switch_wait, 60);
    ck_assert_uint_eq(conf->sched.bf_resolution, SCHED_UNSET);
    ck_assert(conf->sched.spec_cores_first);
    ck_assert_uint_eq(notes.notes_n, 0);
    slurm_conf_free(conf);
}
END_TEST

START_TEST(priorities_have_slurms_defaults)
{
    AUTO(conf_notes) struct conf_notes notes = { 0 };
    struct slurm_conf *conf = must_load(HEAD, &notes);

    ck_assert_uint_eq(conf->priority_type, CONF_PRIORITY_BASIC);
    ck_assert_uint_eq(conf->priority_max_age_min, 7 * 24 * 60);
    ck_assert_uint_eq(conf->priority_half_life_min, 7 * 24 * 60);
    ck_assert_uint_eq(conf->priority_calc_period_min, 5);
    ck_assert_uint_eq(conf->priority_weight_age, 0);
    ck_assert_uint_eq(conf->priority_reset, CONF_RESET_NONE);
    ck_assert_uint_eq(conf->priority_tres.n, 0);
    ck_assert_uint_eq(conf->topology, CONF_TOPOLOGY_FLAT);
    slurm_conf_free(conf);
}
END_TEST

START_TEST(priorities_are_read)
{
    AUTO(conf_notes) struct conf_notes notes = { 0 };
    struct slurm_conf *conf =
        must_load(HEAD "PriorityType=priority/multifactor\nPriorityWeightAge=1000\n"
                       "PriorityWeightJobSize=10 PriorityWeightPartition=20\n"
                       "PriorityMaxAge=14-0\nPriorityFavorSmall=YES\nPriorityCalcPeriod=10\n"
                       "PriorityFlags=MAX_TRES,NO_NORMAL_ALL\n"
                       "PriorityWeightTRES=CPU=1000,Mem=0.25G\n",
                  &notes);

    ck_assert_uint_eq(conf->priority_type, CONF_PRIORITY_MULTIFACTOR);
    ck_assert_uint_eq(conf->priority_weight_age, 1000);
    ck_assert_uint_eq(conf->priority_weight_job_size, 10);
    ck_assert_uint_eq(conf->priority_weight_partition, 20);
    ck_assert_uint_eq(conf->priority_max_age_min, 14 * 24 * 60);
    ck_assert_uint_eq(conf->priority_calc_period_min, 10);
    ck_assert(conf->priority_favor_small);
    ck_assert_uint_eq(conf->priority_flags, CONF_PRIORITY_MAX_TRES | CONF_PRIORITY_NO_NORMAL_ASSOC |
                                                CONF_PRIORITY_NO_NORMAL_PART |
                                                CONF_PRIORITY_NO_NORMAL_QOS |
                                                CONF_PRIORITY_NO_NORMAL_TRES);
    ck_assert_double_eq(tres_weights_of(&conf->priority_tres, "cpu"), 1000);
    ck_assert_double_eq(tres_weights_of(&conf->priority_tres, "mem"), 0.25 / 1024);
    ck_assert_uint_eq(notes.notes_n, 0);
    slurm_conf_free(conf);
}
END_TEST

START_TEST(licenses_and_topology_are_read)
{
    struct slurm_conf *conf =
        must_load(HEAD "Licenses=matlab:4,ansys\nTopologyPlugin=topology/tree\n", NULL);

    ck_assert_uint_eq(licenses_count(&conf->license_list, "matlab"), 4);
    ck_assert_uint_eq(licenses_count(&conf->license_list, "ansys"), 1);
    ck_assert_uint_eq(conf->topology, CONF_TOPOLOGY_TREE);
    slurm_conf_free(conf);
}
END_TEST

/* SelectType, SelectTypeParameters, the flags. */
static const struct {
    const char *type, *params;
    uint32_t flags;
} selects[] = {
    { "cons_tres", "CR_CPU", SELECT_CPU },
    { "cons_tres", "CR_CPU_Memory", SELECT_CPU | SELECT_MEMORY },
    { "cons_res", "CR_Core", SELECT_CORE },
    { "cons_res", "CR_Core_Memory", SELECT_CORE | SELECT_MEMORY },
    { "cons_tres", "CR_Socket", SELECT_SOCKET },
    { "cons_tres", "CR_Socket_Memory", SELECT_SOCKET | SELECT_MEMORY },
    { "cons_tres", "CR_Core,CR_ONE_TASK_PER_CORE", SELECT_CORE | SELECT_ONE_TASK_PER_CORE },
    { "cons_tres", "CR_CPU,CR_CORE_DEFAULT_DIST_BLOCK", SELECT_CPU | SELECT_CORE_DIST_BLOCK },
    { "cons_tres", "CR_Core,CR_Pack_Nodes,CR_LLN", SELECT_CORE | SELECT_PACK_NODES | SELECT_LLN },
    { "cons_tres", "CR_Memory", SELECT_CORE | SELECT_MEMORY }, /* CR_Core is added, and noted */
    { "linear", "CR_Memory", SELECT_MEMORY },
};

START_TEST(every_word_of_the_selection_is_known)
{
    AUTO(strbuf) struct strbuf text = { 0 };
    struct slurm_conf *conf;

    strbuf_addf(&text, HEAD "SelectType=select/%s\nSelectTypeParameters=%s\n", selects[_i].type,
                selects[_i].params);
    conf = must_load(strbuf_text(&text), NULL);

    ck_assert_uint_eq(conf->select_params, selects[_i].flags);
    slurm_conf_free(conf);
}
END_TEST

static const struct {
    const char *text, *note;
} noted[] = {
    { HEAD "SchedulerParameters=bf_windw=3\n",
      "slurm.conf:3:21: SchedulerParameters: 'bf_windw' is not known and left out; is bf_window" },
    { HEAD "\nSchedulerParameters=bf_window=0\n",
      "slurm.conf:4:21: SchedulerParameters: bf_window=0 is not a number from 1 to 43200" },
    { HEAD "SchedulerParameters=preempt_strict_order\n", "preempt_strict_order has no effect" },
    { HEAD "SelectTypeParameters=CR_OTHER_CONS_RES,CR_Core\n", "'CR_OTHER_CONS_RES' is not known" },
    { HEAD "TopologyPlugin=topology/3d_torus\n", "topology/3d_torus is not known here" },
    { HEAD "PriorityFlags=FOO\n", "PriorityFlags: 'FOO' is not known here" },
    { HEAD "NodeName=n CPUs=4 CoreSpecCount=4\n",
      "slurm.conf:3:1: node n: CoreSpecCount=4 would leave none of its 4 cores; 1 is used" },
    { HEAD "NodeName=n CPUs=1 RealMemory=100 MemSpecLimit=100\n",
      "MemSpecLimit=100 would leave none of its 100 MB; 0 is used" },
};

START_TEST(what_is_not_taken_is_noted_with_its_place)
{
    AUTO(conf_notes) struct conf_notes notes = { 0 };
    struct slurm_conf *conf = must_load(noted[_i].text, &notes);

    ck_assert_msg(has_note(&notes, noted[_i].note), "no note has: %s", noted[_i].note);
    slurm_conf_free(conf);
}
END_TEST

static const struct {
    const char *text, *error;
} refused[] = {
    { HEAD "Licenses=matlab*4\n",
      "slurm.conf:3:10: Licenses: 'matlab*4' is not NAME or NAME:COUNT" },
    { HEAD "PriorityWeightTRES=cpu\n",
      "slurm.conf:3:20: PriorityWeightTRES: 'cpu' is not NAME=WEIGHT" },
    { HEAD "NodeName=n CPUs=4 CpuSpecList=4\n",
      "slurm.conf:3:1: node n: CpuSpecList: '4' is more than 3" },
    { HEAD "NodeName=n CPUs=4 CpuSpecList=a\n", "node n: CpuSpecList: 'a' is not a number" },
    { HEAD "NodeName=n CPUs=4 CpuSpecList=0 CoreSpecCount=1\n", "exclude each other" },
};

START_TEST(what_cannot_be_is_refused_with_its_place)
{
    struct slurm_conf *conf = NULL;
    struct err err = { 0 };

    ck_assert_int_lt(load_text(refused[_i].text, &conf, NULL, &err), 0);

    ck_assert_msg(strstr(err.text, refused[_i].error) != NULL, "%s", err.text);
}
END_TEST

START_TEST(partitions_say_who_may_use_them_and_how)
{
    AUTO(conf_notes) struct conf_notes notes = { 0 };
    struct slurm_conf *conf =
        must_load(HEAD "NodeName=n CPUs=4\nDefCpuPerGPU=3\n"
                       "PartitionName=a Nodes=n AllowAccounts=x,y DenyQos=low MaxCPUsPerSocket=2 "
                       "DefMemPerGPU=1G OverSubscribe=FORCE:2 LLN=YES ReqResv=YES Alternate=b "
                       "ExclusiveUser=YES\n"
                       "PartitionName=b Nodes=n DenyAccounts=z AllowQos=ALL OverSubscribe=YES\n",
                  &notes);
    const struct conf_partition *a = slurm_conf_find_partition(conf, "a");
    const struct conf_partition *b = slurm_conf_find_partition(conf, "b");

    ck_assert_str_eq(a->allow_accounts, "x,y");
    ck_assert_str_eq(a->deny_qos, "low");
    ck_assert_uint_eq(a->max_cpus_per_socket, 2);
    ck_assert_uint_eq(a->def_mem_per_gpu_mb, 1024);
    ck_assert_uint_eq(a->oversubscribe.mode, OVERSUBSCRIBE_FORCE);
    ck_assert_uint_eq(a->oversubscribe.jobs_max, 2);
    ck_assert(a->lln && a->req_resv && a->exclusive_user);
    ck_assert_str_eq(a->alternate, "b");
    ck_assert_str_eq(b->deny_accounts, "z");
    ck_assert_ptr_null(b->allow_qos);
    ck_assert_uint_eq(b->oversubscribe.jobs_max, 4);
    ck_assert_uint_eq(conf->def_cpu_per_gpu, 3);
    ck_assert_uint_eq(notes.notes_n, 1); /* MaxCPUsPerSocket: not acted upon */
    slurm_conf_free(conf);
}
END_TEST

CHECK_MAIN(scheduling, CASE(scheduler_parameters_become_numbers),
           CASE(priorities_have_slurms_defaults), CASE(priorities_are_read),
           CASE(licenses_and_topology_are_read),
           LOOP_CASE(every_word_of_the_selection_is_known, ARRAY_N(selects)),
           LOOP_CASE(what_is_not_taken_is_noted_with_its_place, ARRAY_N(noted)),
           LOOP_CASE(what_cannot_be_is_refused_with_its_place, ARRAY_N(refused)),
           CASE(partitions_say_who_may_use_them_and_how))
