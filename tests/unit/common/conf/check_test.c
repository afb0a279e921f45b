#include "unit/check_main.h"

#include "common/conf/check.h"
#include "common/conf/show.h"
#include "unit/common/conf/text_files.h"

START_TEST(an_error_is_a_note_for_who_wants_to_hear_of_all_of_them)
{
    AUTO(conf_notes) struct conf_notes notes = { .goes_on = true };
    struct slurm_conf *conf = must_load(
        HEAD "KillWait=x\nSlurmdPort=y\nNodeName=a[1 CPUs=1\nNodeName=b CPUs=1\n", &notes);

    ck_assert_uint_eq(notes.notes_n, 3);
    ck_assert(has_note(&notes, "slurm.conf:3:10: KillWait: 'x'"));
    ck_assert(has_note(&notes, "slurm.conf:4:12: SlurmdPort: 'y'"));
    ck_assert(has_note(&notes, "slurm.conf:5:1: NodeName: host list 'a[1'"));
    ck_assert_uint_eq(conf->kill_wait_s, 30);
    ck_assert_uint_eq(conf->nodes_n, 1);
    slurm_conf_free(conf);
}
END_TEST

START_TEST(a_second_default_partition_is_told_of)
{
    AUTO(conf_notes) struct conf_notes notes = { 0 };
    struct slurm_conf *conf = must_load(HEAD "NodeName=a CPUs=1\nPartitionName=p Default=YES\n"
                                             "PartitionName=q Default=YES\n",
                                        &notes);

    ck_assert(has_note(&notes,
                       "slurm.conf:5:1: partition q: Default=YES, and partition p of line 4 "
                       "has it too; the last one counts"));
    ck_assert_str_eq(slurm_conf_default_partition(conf)->name, "q");
    slurm_conf_free(conf);
}
END_TEST

static const struct {
    const char *lines, *says;
} faults[] = {
    { "PartitionName=q TRESBillingWeights=CPU=1,Mem=0.2X",
      "partition q: TRESBillingWeights: 'Mem=0.2X' is not NAME=WEIGHT" },
    { "PartitionName=q TRESBillingWeights=CPUS=1", "TRESBillingWeights: there is no 'cpus'" },
    { "PartitionName=q TRESBillingWeights=GRES/gpu=1", "there is no 'gres/gpu'" },
    { "PriorityWeightTRES=cpu=1,license/x=2", "PriorityWeightTRES: there is no 'license/x'" },
    { "StateSaveLocation=here", "StateSaveLocation=here is no whole path" },
    { "TaskProlog=bin/check", "TaskProlog=bin/check is no whole path" },
    { "TmpFS=scratch", "TmpFS=scratch is no whole path" },
    { "Prolog=bin/check", "Prolog=bin/check is no whole path" },
    { "JobCompType=jobcomp/filetxt\nJobCompLoc=done", "JobCompLoc=done is no whole path" },
    { "JobCompType=jobcomp/script", "JobCompType=jobcomp/script, and no JobCompLoc=" },
    { "HealthCheckProgram=/check", "counts for nothing without HealthCheckInterval" },
    { "SuspendTime=300", "SuspendTime=300 counts for nothing without SuspendProgram" },
    { "SuspendProgram=/off", "SuspendProgram=/off counts for nothing without ResumeProgram" },
    { "InteractiveStepOptions=--pty",
      "counts for nothing without LaunchParameters=use_interactive_step" },
    { "SelectType=select/linear\nSelectTypeParameters=CR_Core",
      "SelectType=select/linear gives whole nodes away" },
    { "SelectTypeParameters=CR_CPU,CR_Core", "names more than one of CR_CPU, CR_Core" },
    { "SelectTypeParameters=CR_CPU,CR_ONE_TASK_PER_CORE", "cannot be used with CR_CPU" },
    { "PreemptType=preempt/qos", "PreemptType=preempt/qos needs a PreemptMode=" },
    { "PreemptType=preempt/qos\nPreemptMode=OFF", "PreemptType=preempt/qos needs a PreemptMode=" },
    { "PreemptMode=REQUEUE", "PreemptMode=REQUEUE counts for nothing with PreemptType=" },
    { "PreemptType=preempt/qos\nPreemptMode=SUSPEND", "SUSPEND needs GANG beside it" },
    { "PreemptType=preempt/partition_prio\nPreemptMode=CANCEL,WITHIN",
      "WITHIN needs PreemptType=preempt/qos" },
    { "SchedulerType=sched/builtin\nSchedulerParameters=bf_interval=60",
      "counts for nothing without SchedulerType=sched/backfill" },
    { "SchedulerParameters=bf_max_job_test=10,bf_max_job_part=11",
      "bf_max_job_part=11 is above bf_max_job_test=10" },
    { "PrologFlags=NoHold,Contain", "PrologFlags: NoHold excludes Contain" },
    { "PrologFlags=X11\nProctrackType=proctrack/linuxproc", "X11 excludes ProctrackType=" },
    { "JobAcctGatherParams=UsePss,NoShared", "UsePss and NoShared exclude each other" },
    { "TaskPlugin=task/affinity\nTaskPluginParam=Cores,Threads", "exclude one another" },
    { "TaskPluginParam=Cores", "counts for nothing without TaskPlugin=task/affinity" },
    { "GresTypes=gpu,fpga", "GresTypes=fpga, and no NodeName line has Gres=fpga" },
    { "DefCpuPerGPU=2", "DefCpuPerGPU=2 counts for nothing without GresTypes=gpu" },
    { "DefMemPerGPU=20", "DefMemPerGPU=20 counts for nothing without GresTypes=gpu" },
    { "TCPTimeout=30", "TCPTimeout=30 is above MessageTimeout=10" },
    { "SlurmctldPort=6818", "slurm.conf:5:1: SlurmdPort=6818 is a port of SlurmctldPort too" },
    { "AccountingStorageTRES=gres/gpu", "AccountingStorageTRES: there is no 'gres/gpu'" },
    { "NodeSet=s Feature=big", "NodeSet=s: no node has Feature=big" },
    { "NodeSet=s", "NodeSet=s has neither Nodes= nor Feature=" },
    { "MaxMemPerNode=100\nDefMemPerCPU=200", "DefMemPerCPU=200 is above MaxMemPerNode=100" },
    { "PartitionName=q Alternate=q", "partition q: Alternate=q is the partition itself" },
    { "PartitionName=q RootOnly=YES DisableRootJobs=YES", "nobody may submit to it" },
    { "PartitionName=q MaxCPUsPerNode=0", "MaxCPUsPerNode=0, so no job fits" },
    { "PartitionName=q Default=YES State=DOWN", "has Default=YES, and is not UP" },
    { "PartitionName=q Default=YES RootOnly=YES", "has Default=YES, and RootOnly=YES" },
    { "NodeName=z CPUs=1 State=DOWN\nPartitionName=q Nodes=z", "partition q: State= of each of" },
    { "NodeName=z CPUs=1 State=FAILING\nPartitionName=q Nodes=z", "q: State= of each of" },
    { "PartitionName=q SelectTypeParameters=CR_CPU", "of a partition is CR_Core, CR_Socket" },
    { "SelectTypeParameters=CR_CPU\nPartitionName=q SelectTypeParameters=CR_Core",
      "counts only where that of the cluster is CR_Core" },
};

START_TEST(what_would_count_for_nothing_is_told)
{
    AUTO(conf_notes) struct conf_notes notes = { 0 };
    AUTO_FREE char *text =
        xasprintf(HEAD "NodeName=a CPUs=1\nPartitionName=p\n%s\n", faults[_i].lines);
    struct slurm_conf *conf = must_load(text, NULL);

    conf_check(conf, &notes);

    ck_assert(has_note(&notes, faults[_i].says));
    slurm_conf_free(conf);
}
END_TEST

static const struct {
    const char *line, *says;
} pairs[] = {
    { "DefMemPerCPU=10\nDefMemPerNode=40", "4:1: DefMemPerCPU= and DefMemPerNode= exclude" },
    { "DefMemPerNode=40\nDefMemPerCPU=10", "4:1: DefMemPerCPU= and DefMemPerNode= exclude" },
    { "DefMemPerGPU=40\nDefMemPerCPU=10", "4:1: DefMemPerCPU= and DefMemPerGPU= exclude" },
    { "MaxMemPerCPU=10\nMaxMemPerNode=40", "4:1: MaxMemPerCPU= and MaxMemPerNode= exclude" },
    { "PropagateResourceLimits=ALL\nPropagateResourceLimitsExcept=CORE",
      "4:1: PropagateResourceLimits= and PropagateResourceLimitsExcept= exclude" },
    { "PartitionName=q DefMemPerCPU=10 DefMemPerNode=40",
      "3:33: DefMemPerCPU= and DefMemPerNode= exclude" },
    { "NodeName=z Sockets=2 SocketsPerBoard=2", "3:22: Sockets= and SocketsPerBoard= exclude" },
};

START_TEST(of_two_keys_that_exclude_each_other_the_second_is_told_of)
{
    AUTO(conf_notes) struct conf_notes notes = { 0 };
    AUTO_FREE char *text = xasprintf(HEAD "%s\n", pairs[_i].line);
    struct slurm_conf *conf = must_load(text, &notes);

    ck_assert(has_note(&notes, pairs[_i].says));
    slurm_conf_free(conf);
}
END_TEST

/* A partition's own way to say it is no contradiction to the cluster's. */
START_TEST(keys_that_go_together_are_fine)
{
    AUTO(conf_notes) struct conf_notes notes = { 0 };
    struct slurm_conf *conf = must_load(
        HEAD "DefMemPerNode=40\nGresTypes=gpu\nPreemptType=preempt/partition_prio\n"
             "PreemptMode=SUSPEND,GANG\nSelectTypeParameters=CR_Core_Memory\n"
             "TaskPlugin=task/affinity\nTaskPluginParam=Cores\nTmpFS=/tmp\n"
             "AccountingStorageTRES=gres/gpu,gres/gpu:a,cpu,ic/ofed\nNodeSet=s Feature=f\n"
             "HealthCheckProgram=/bin/true\nHealthCheckInterval=60\n"
             "NodeName=a CPUs=1 RealMemory=100 Gres=gpu:a:1 Feature=e,f\n"
             "PartitionName=p Nodes=s Default=YES DefMemPerCPU=10 SelectTypeParameters=CR_Socket\n",
        &notes);

    conf_check(conf, &notes);

    for (uint32_t i = 0; i < notes.notes_n; i++)
        ck_assert_msg(notes.notes[i].kind == CONF_NOTE_NO_EFFECT ||
                          notes.notes[i].kind == CONF_NOTE_HINT,
                      "%s", notes.notes[i].text);
    slurm_conf_free(conf);
}
END_TEST

static const struct {
    const char *file, *state;
    bool is_lost;
} lost[] = {
    { "/etc/slurm/slurm.conf", "/tmp/slurm", true },
    { "/etc/slurm/slurm.conf", "/var/lib/slurm", false },
    { "/tmp/slurm.conf", "/tmp/state", true },
    { "/tmp/a/etc/slurm.conf", "/tmp/b/state", true },
    { "/tmp/ab/slurm.conf", "/tmp/a/state", true },
    { "/tmp/a/etc/slurm.conf", "/tmp/a/state", false },
    { "/var/tmp/a/slurm.conf", "/var/tmp/a/b/state", false },
};

START_TEST(state_that_is_lost_while_the_file_stays_is_told_of)
{
    AUTO(conf_notes) struct conf_notes notes = { 0 };
    AUTO_FREE char *text = xasprintf(HEAD "StateSaveLocation=%s\nNodeName=a CPUs=1\n"
                                          "PartitionName=p Nodes=a\n",
                                     lost[_i].state);
    struct text_file files[] = { { lost[_i].file, text }, { NULL, NULL } };
    struct slurm_conf *conf = NULL;

    ck_assert_int_eq(slurm_conf_load_from(lost[_i].file, read_text_file, files, &conf, NULL, NULL),
                     0);
    conf_check(conf, &notes);

    ck_assert_int_eq(has_note(&notes, "does not outlive a reboot"), lost[_i].is_lost);
    slurm_conf_free(conf);
}
END_TEST

START_TEST(weights_of_what_there_is_are_fine)
{
    AUTO(conf_notes) struct conf_notes notes = { 0 };
    struct slurm_conf *conf =
        must_load(HEAD "GresTypes=gpu\nLicenses=x:2\nNodeName=a CPUs=1\n"
                       "PartitionName=p Nodes=a TRESBillingWeights=CPU=1,Mem=0.25G,GRES/gpu:a=2\n"
                       "PriorityWeightTRES=node=1,license/x=2,license/matlab@flex=3\n",
                  NULL);

    conf_check(conf, &notes);

    ck_assert(!has_note(&notes, "there is no '"));
    ck_assert(!has_note(&notes, "NAME=WEIGHT"));
    slurm_conf_free(conf);
}
END_TEST

START_TEST(notes_stand_in_the_order_of_the_file_and_once)
{
    char *files[] = { "b.conf", "a.conf" };
    const struct conf_at places[] = { { "a.conf", 1, 1 }, { "b.conf", 9, 2 }, { "b.conf", 9, 1 },
                                      { "b.conf", 2, 1 }, { "b.conf", 9, 2 }, { "0.conf", 1, 1 } };
    AUTO(conf_notes) struct conf_notes notes = { 0 };
    AUTO(strbuf) struct strbuf order = { 0 };

    for (size_t i = 0; i < ARRAY_N(places); i++)
        conf_notes_add(&notes, CONF_NOTE_VALUE, places[i], "text");
    conf_notes_sort(&notes, files, ARRAY_N(files));

    for (uint32_t i = 0; i < notes.notes_n; i++)
        strbuf_addf(&order, "%s:%u:%u ", notes.notes[i].file, notes.notes[i].line,
                    notes.notes[i].column);
    ck_assert_str_eq(strbuf_text(&order),
                     "b.conf:2:1 b.conf:9:1 b.conf:9:2 a.conf:1:1 0.conf:1:1 ");
}
END_TEST

START_TEST(long_lists_of_nodes_are_cut_in_messages)
{
    AUTO(conf_notes) struct conf_notes notes = { 0 };
    AUTO(strbuf) struct strbuf text = { 0 };
    struct slurm_conf *conf;

    strbuf_adds(&text, HEAD "NodeName=n0 CPUs=1\nPartitionName=p Nodes=n0 Default=YES\n");
    for (int i = 0; i < 100; i++)
        strbuf_addf(&text, "NodeName=node%dx CPUs=1\n", i);
    conf = must_load(strbuf_text(&text), NULL);
    conf_check(conf, &notes);

    ck_assert(has_note(&notes, "... (100): no job runs there"));
    slurm_conf_free(conf);
}
END_TEST

START_TEST(each_value_tells_where_it_comes_from)
{
    struct slurm_conf *conf = must_load("ClusterName=c\nControlMachine=h\nDefMemPerCPU=5\n", NULL);
    struct conf_show show = conf_show_begin(conf, NULL);
    AUTO(strbuf) struct strbuf key = { 0 };
    AUTO(strbuf) struct strbuf value = { 0 };
    AUTO(strbuf) struct strbuf given = { 0 };

    while (conf_show_next(&show, &key, &value)) {
        struct conf_at at = conf_show_where(&show);

        if (at.file)
            strbuf_addf(&given, "%s=%s %u\n", strbuf_text(&key), strbuf_text(&value), at.line);
    }

    ck_assert_str_eq(strbuf_text(&given),
                     "ClusterName=c 1\nDefMemPerCPU=5 3\nSlurmctldHost[0]=h 2\n");
    slurm_conf_free(conf);
}
END_TEST

CHECK_MAIN(conf_check, CASE(an_error_is_a_note_for_who_wants_to_hear_of_all_of_them),
           LOOP_CASE(what_would_count_for_nothing_is_told, ARRAY_N(faults)),
           LOOP_CASE(of_two_keys_that_exclude_each_other_the_second_is_told_of, ARRAY_N(pairs)),
           CASE(keys_that_go_together_are_fine),
           LOOP_CASE(state_that_is_lost_while_the_file_stays_is_told_of, ARRAY_N(lost)),
           CASE(weights_of_what_there_is_are_fine), CASE(a_second_default_partition_is_told_of),
           CASE(notes_stand_in_the_order_of_the_file_and_once),
           CASE(long_lists_of_nodes_are_cut_in_messages),
           CASE(each_value_tells_where_it_comes_from))
