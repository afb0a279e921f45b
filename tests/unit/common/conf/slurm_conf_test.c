#include "unit/check_main.h"

#include <dirent.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#include "common/text/cpubind.h"
#include "unit/common/conf/text_files.h"

static const struct conf_node *node_of(const struct slurm_conf *conf, const char *name)
{
    const struct conf_node *node = slurm_conf_find_node(conf, name);

    ck_assert_msg(node != NULL, "no node %s", name);
    return node;
}

static const struct conf_partition *partition_of(const struct slurm_conf *conf, const char *name)
{
    const struct conf_partition *part = slurm_conf_find_partition(conf, name);

    ck_assert_msg(part != NULL, "no partition %s", name);
    return part;
}

START_TEST(the_lab_file_loads_without_a_note)
{
    AUTO(conf_notes) struct conf_notes notes = { 0 };
    struct slurm_conf *conf = NULL;
    struct err err = { 0 };

    int rc = slurm_conf_load("data/lab/slurm.conf", &conf, &notes, &err);

    ck_assert_msg(rc == 0, "%s", err.text);
    ck_assert_uint_eq(notes.notes_n, 0);
    ck_assert_str_eq(conf->cluster_name, "lab-cluster");
    ck_assert_uint_eq(conf->controllers_n, 1);
    ck_assert_str_eq(conf->controllers[0].name, "head");
    ck_assert_str_eq(conf->controllers[0].addr, "head");
    ck_assert_uint_eq(conf->slurmctld_ports.first, 6817);
    ck_assert_uint_eq(conf->slurmd_port, 6818);
    ck_assert_str_eq(conf->slurm_user, "slurm");
    ck_assert_str_eq(conf->slurmd_user, "root");
    ck_assert_str_eq(conf->slurmd_spool_dir, "/var/lib/slurm/slurmd");
    ck_assert_str_eq(conf->state_save_location, "/var/lib/slurm/slurmctld");
    ck_assert_uint_eq(conf->proctrack_type, CONF_PROCTRACK_LINUXPROC);
    ck_assert_uint_eq(conf->task_plugins, 0);
    ck_assert_uint_eq(conf->inactive_limit_s, 0);
    ck_assert_uint_eq(conf->kill_wait_s, 30);
    ck_assert_uint_eq(conf->min_job_age_s, 300);
    ck_assert_uint_eq(conf->slurmd_timeout_s, 300);
    ck_assert_uint_eq(conf->select_type, CONF_SELECT_CONS_TRES);
    ck_assert_uint_eq(conf->select_params, SELECT_CORE);
    ck_assert_uint_eq(conf->gather_frequency_s, 30);
    ck_assert_uint_eq(conf->slurmctld_debug, LOG_INFO);
    ck_assert_uint_eq(conf->nodes_n, 3);
    ck_assert_str_eq(conf->nodes[2].name, "worker-3");
    ck_assert_str_eq(conf->nodes[2].addr, "worker-3");
    ck_assert_uint_eq(conf->nodes[2].port, 6818);
    ck_assert_uint_eq(conf->nodes[2].memory_mb, 1800);
    ck_assert_uint_eq(conf->nodes[2].at.line, 35);
    ck_assert_uint_eq(conf->partitions_n, 1);
    ck_assert_uint_eq(conf->partitions[0].nodes_n, 3);
    ck_assert_uint_eq(conf->partitions[0].max_time_min, CONF_UNLIMITED);
    ck_assert_ptr_eq(slurm_conf_default_partition(conf), &conf->partitions[0]);
    slurm_conf_free(conf);
}
END_TEST

static const struct {
    const char *line;
    const char *says;
} wrong[] = {
    { "KillWait=abc\n", "slurm.conf:3:10: KillWait: 'abc'" },
    { "SlurmdPort=70000\n", "slurm.conf:3:12: SlurmdPort: '70000' is more than 65535" },
    { "SlurmctldDebug=loud\n", "slurm.conf:3:16: SlurmctldDebug: 'loud' is no log level" },
    { "ReturnToService=3\n", "slurm.conf:3:17: ReturnToService: '3' is more than 2" },
    { "MaxArraySize=5000000\n", "'5000000' is more than 4000001" },
    { "EnforcePartLimits=SOME\n", "EnforcePartLimits: 'SOME' is none of NO, ANY, ALL, YES" },
    { "SlurmctldHost=a(b\n", "slurm.conf:3:15: 'a(b' is neither NAME nor NAME(ADDRESS)" },
    { "AuthInfo=socket=/s,ttl=no\n", "AuthInfo: ttl: 'no'" },
    { "AuthInfo=cred_expire=-1\n", "AuthInfo: cred_expire: '-1'" },
    { "FirstJobId=70000000\n", "FirstJobId" },
    { "FirstJobId=100 MaxJobId=50\n", "MaxJobId=50 is below FirstJobId=100" },
    { "NodeName=a[1-2 CPUs=1\n", "slurm.conf:3:1: NodeName: " },
    { "NodeName=\"\" CPUs=1\n", "slurm.conf:3:1: NodeName= names no node" },
    { "NodeName=a CPUs=0\n", "CPUs: '0' is less than 1" },
    { "NodeName=a State=GONE\n", "State: 'GONE' is none of UNKNOWN" },
    { "NodeName=a[1-3] NodeAddr=b[1-2]\n",
      "slurm.conf:3:1: NodeAddr=b[1-2] names 2, but the line has 3 nodes" },
    { "NodeName=a Port=99999\n", "node a: Port: '99999'" },
    { "NodeName=a Sockets=60000 CoresPerSocket=60000\n", "node a: 3600000000 CPUs" },
    { "PartitionName=\"\" Nodes=ALL\n", "slurm.conf:3:1: PartitionName= has no name" },
    { "PartitionName=p MaxTime=soon\n", "slurm.conf:3:25: MaxTime: " },
    { "PartitionName=p OverSubscribe=A\n", "OverSubscribe: 'A' is none of" },
    { "NodeName=n\nNodeSet=n Feature=f\n", "NodeSet=n has the name of a node" },
};

START_TEST(a_value_that_cannot_work_is_an_error_with_its_place)
{
    AUTO_FREE char *text = xasprintf("%s%s", HEAD, wrong[_i].line);
    struct slurm_conf *conf = NULL;
    struct err err = { 0 };

    ck_assert_int_lt(load_text(text, &conf, NULL, &err), 0);

    ck_assert_msg(strstr(err.text, wrong[_i].says) != NULL, "%s", err.text);
    ck_assert_ptr_null(conf);
}
END_TEST

static const struct {
    const char *line;
    enum conf_note_kind kind;
    const char *says;
} noted[] = {
    { "SlurmdTimout=30\n", CONF_NOTE_UNKNOWN,
      "slurm.conf:3:1: 'SlurmdTimout' is not known and left out; is SlurmdTimeout meant?" },
    { "Qwertz=30\n", CONF_NOTE_UNKNOWN, "slurm.conf:3:1: 'Qwertz' is not known and left out" },
    { "KillWait=3 REPLACE_ME\n", CONF_NOTE_UNKNOWN,
      "slurm.conf:3:12: 'REPLACE_ME' is not followed by '=' and left out" },
    { "NamespaceType=namespace/linux\n", CONF_NOTE_NO_EFFECT,
      "slurm.conf:3:15: NamespaceType=namespace/linux has no effect here: jobs share /tmp" },
    { "JobContainerType=job_container/cncu\n", CONF_NOTE_NO_EFFECT,
      "JobContainerType=job_container/cncu has no effect here: jobs share /tmp" },
    { "PrivateData=jobs,usrs\n", CONF_NOTE_VALUE,
      "PrivateData: 'usrs' is not known here and taken for all of them; known are none, accounts" },
    { "CacheGroups=1\n", CONF_NOTE_REMOVED, "CacheGroups is an old key without effect" },
    { "CryptoType=crypto/munge\n", CONF_NOTE_REPLACED, "today it is CredType=cred/munge" },
    { "TreeWidth=10\n", CONF_NOTE_NO_EFFECT, "TreeWidth=10 has no effect here" },
    { "PrologFlags=Alloc,RunInJob\n", CONF_NOTE_NO_EFFECT,
      "slurm.conf:3:13: PrologFlags: RunInJob has no effect here" },
    { "PrologFlags=X11\n", CONF_NOTE_NO_EFFECT,
      "PrologFlags: X11 is not supported, there is no X11 forwarding: it means Contain" },
    { "SwitchType=switch/x\n", CONF_NOTE_NO_EFFECT, "SwitchType=switch/x has no effect here" },
    { "AccountingStoragePass=hush\n", CONF_NOTE_NO_EFFECT,
      "AccountingStoragePass=... has no effect here" },
    { "ProctrackType=proctrack/cray\n", CONF_NOTE_VALUE,
      "slurm.conf:3:15: ProctrackType=proctrack/cray is not known here; proctrack/cgroup is used" },
    { "KillWait=1\nKillWait=2\n", CONF_NOTE_VALUE,
      "slurm.conf:4:1: KillWait is given again; this value counts" },
    { "MaxJobId=4294901760\n", CONF_NOTE_VALUE, "is more than 67108863, which is used" },
    { "MinJobAge=0\n", CONF_NOTE_VALUE, "MinJobAge=0 is less than 2, which is used" },
    { "NodeName=a CPUs=12 Sockets=2 CoresPerSocket=4\n", CONF_NOTE_VALUE,
      "node a: CPUs=12 is neither the number of its cores (8) nor of its threads (8); 8 is used" },
    { "NodeName=a\nNodeName=a CPUs=4\n", CONF_NOTE_VALUE,
      "slurm.conf:4:1: node a has a line already" },
    { "PartitionName=p\nPartitionName=p State=DOWN\n", CONF_NOTE_VALUE,
      "slurm.conf:4:1: partition p has a line already" },
    { "PartitionName=p Nodes=x[1-9]\n", CONF_NOTE_VALUE,
      "partition p: 9 of its nodes have no NodeName line and are left out: x1,x2,x3,x4,x5,..." },
    { "NodeName=a Procs=4\n", CONF_NOTE_REPLACED, "Procs is an old key; today it is CPUs=" },
    { "SlurmdParameters=config_overrides,numa_node_as_socket\n", CONF_NOTE_NO_EFFECT,
      "SlurmdParameters: numa_node_as_socket has no effect here" },
    { "JobAcctGatherParams=OverMemoryKill,DisableGPUAcct\n", CONF_NOTE_NO_EFFECT,
      "JobAcctGatherParams: DisableGPUAcct has no effect here" },
    { "TaskPluginParam=SlurmdOffSpec,cores\n", CONF_NOTE_NO_EFFECT,
      "TaskPluginParam: SlurmdOffSpec has no effect here" },
    { "DownNodes=gone\n", CONF_NOTE_VALUE, "DownNodes: there is no node gone" },
};

START_TEST(what_does_not_stop_anyone_is_noted_with_its_place)
{
    AUTO(conf_notes) struct conf_notes notes = { 0 };
    AUTO_FREE char *text = xasprintf("%s%s", HEAD, noted[_i].line);

    struct slurm_conf *conf = must_load(text, &notes);

    ck_assert_uint_eq(notes.notes_n, 1);
    AUTO_FREE char *note = conf_note_format(&notes.notes[0]);

    ck_assert_msg(strstr(note, noted[_i].says) != NULL, "%s", note);
    ck_assert_int_eq(notes.notes[0].kind, noted[_i].kind);
    slurm_conf_free(conf);
}
END_TEST

START_TEST(keys_that_ask_for_nothing_are_not_noted)
{
    AUTO(conf_notes) struct conf_notes notes = { 0 };

    slurm_conf_free(must_load(HEAD "SwitchType=switch/none\nMpiDefault=none\nTreeWidth=50\n"
                                   "CredType=cred/munge\nProlog=\n",
                              &notes));

    ck_assert_uint_eq(notes.notes_n, 0);
}
END_TEST

/* Sockets, cores and threads as Slurm 22.05 completes them. */
static const struct {
    const char *line;
    uint32_t cpus, boards, sockets, cores, threads;
} counts[] = {
    { "", 1, 1, 1, 1, 1 },
    { "CPUs=4", 4, 1, 4, 1, 1 },
    { "Procs=4", 4, 1, 4, 1, 1 },
    { "CPUs=8 CoresPerSocket=2 ThreadsPerCore=2", 8, 1, 2, 2, 2 },
    { "CPUs=8 Sockets=2 CoresPerSocket=4 ThreadsPerCore=2", 8, 1, 2, 4, 2 },
    { "CPUs=16 Sockets=2 CoresPerSocket=4 ThreadsPerCore=2", 16, 1, 2, 4, 2 },
    { "CPUs=12 Sockets=2 CoresPerSocket=4 ThreadsPerCore=2", 16, 1, 2, 4, 2 },
    { "Boards=2 Sockets=2 CoresPerSocket=4 ThreadsPerCore=2", 16, 2, 2, 4, 2 },
    { "Boards=2 SocketsPerBoard=2 CoresPerSocket=4", 16, 2, 4, 4, 1 },
    { "CPUs=24 ThreadsPerCore=2", 24, 1, 12, 1, 2 },
    { "Sockets=2 CPUs=8", 2, 1, 2, 1, 1 },
    { "Boards=2 CPUs=8", 8, 2, 8, 1, 1 },
    { "CPUs=7 CoresPerSocket=2", 2, 1, 1, 2, 1 },
    { "CPUs=4 Boards=2 Sockets=1", 1, 1, 1, 1, 1 },
};

START_TEST(cpu_counts_are_completed_as_slurm_does)
{
    AUTO_FREE char *text = xasprintf("%sNodeName=a %s\n", HEAD, counts[_i].line);
    struct slurm_conf *conf = must_load(text, NULL);

    const struct conf_node *node = node_of(conf, "a");

    ck_assert_uint_eq(node->cpus, counts[_i].cpus);
    ck_assert_uint_eq(node->boards, counts[_i].boards);
    ck_assert_uint_eq(node->sockets, counts[_i].sockets);
    ck_assert_uint_eq(node->cores_per_socket, counts[_i].cores);
    ck_assert_uint_eq(node->threads_per_core, counts[_i].threads);
    slurm_conf_free(conf);
}
END_TEST

START_TEST(names_addresses_and_ports_of_a_line_go_together)
{
    struct slurm_conf *conf =
        must_load(HEAD "SlurmdPort=7000\n"
                       "NodeName=w-[1-3] NodeAddr=10.0.0.[1-3] Port=[7001-7003]\n"
                       "NodeName=v[01-02] NodeHostname=tower\nNodeName=u\n",
                  NULL);

    ck_assert_str_eq(node_of(conf, "w-2")->addr, "10.0.0.2");
    ck_assert_str_eq(node_of(conf, "w-2")->hostname, "w-2");
    ck_assert_uint_eq(node_of(conf, "w-3")->port, 7003);
    ck_assert_str_eq(node_of(conf, "v02")->hostname, "tower");
    ck_assert_str_eq(node_of(conf, "v02")->addr, "tower");
    ck_assert_uint_eq(node_of(conf, "u")->port, 7000);
    slurm_conf_free(conf);
}
END_TEST

START_TEST(default_records_apply_to_what_follows_and_add_up)
{
    struct slurm_conf *conf = must_load(
        HEAD "NodeName=a\nNodeName=DEFAULT CPUs=4 Features=x\nNodeName=b\n"
             "NodeName=DEFAULT RealMemory=500\nNodeName=c CPUs=2\n"
             "PartitionName=p\nPartitionName=DEFAULT MaxTime=30 Nodes=ALL\n"
             "PartitionName=q\nPartitionName=default MaxTime=60\nPartitionName=r Nodes=c\n",
        NULL);

    ck_assert_uint_eq(node_of(conf, "a")->cpus, 1);
    ck_assert_uint_eq(node_of(conf, "b")->cpus, 4);
    ck_assert_uint_eq(node_of(conf, "c")->cpus, 2);
    ck_assert_uint_eq(node_of(conf, "b")->memory_mb, 1);
    ck_assert_uint_eq(node_of(conf, "c")->memory_mb, 500);
    ck_assert_str_eq(node_of(conf, "c")->features, "x");
    ck_assert_uint_eq(partition_of(conf, "p")->max_time_min, CONF_UNLIMITED);
    ck_assert_uint_eq(partition_of(conf, "p")->nodes_n, 0);
    ck_assert_uint_eq(partition_of(conf, "q")->max_time_min, 30);
    ck_assert_uint_eq(partition_of(conf, "q")->nodes_n, 3);
    ck_assert_uint_eq(partition_of(conf, "r")->max_time_min, 60);
    ck_assert_uint_eq(partition_of(conf, "r")->nodes[0], 2);
    slurm_conf_free(conf);
}
END_TEST

START_TEST(a_partition_line_is_read_in_full)
{
    struct slurm_conf *conf = must_load(
        HEAD "NodeName=n[1-4]\n"
             "PartitionName=p Nodes=n4,n[1-2] Default=YES MaxTime=1-0 DefaultTime=0:90 MinNodes=2 "
             "MaxNodes=3 State=DRAIN Hidden=yes RootOnly=YES AllowGroups=a,b AllowAccounts=ALL "
             "PriorityTier=7 PriorityJobFactor=9 OverSubscribe=YES:3 DefMemPerCPU=100 "
             "MaxMemPerNode=2000 OverTimeLimit=5 LLN=YES SelectTypeParameters=CR_Core_Memory\n",
        NULL);
    const struct conf_partition *part = partition_of(conf, "p");

    ck_assert_uint_eq(part->nodes_n, 3);
    ck_assert_uint_eq(part->nodes[0], 0);
    ck_assert_uint_eq(part->nodes[2], 3);
    ck_assert(part->is_default && part->hidden && part->root_only && part->lln);
    ck_assert_uint_eq(part->max_time_min, 1440);
    ck_assert_uint_eq(part->default_time_min, 2);
    ck_assert_uint_eq(part->min_nodes, 2);
    ck_assert_uint_eq(part->max_nodes, 3);
    ck_assert_uint_eq(part->state, CONF_PART_DRAIN);
    ck_assert_str_eq(part->allow_groups, "a,b");
    ck_assert_ptr_null(part->allow_accounts);
    ck_assert_uint_eq(part->priority_tier, 7);
    ck_assert_uint_eq(part->priority_job_factor, 9);
    ck_assert_uint_eq(part->oversubscribe.mode, OVERSUBSCRIBE_YES);
    ck_assert_uint_eq(part->oversubscribe.jobs_max, 3);
    ck_assert_uint_eq(part->def_mem.mb, 100);
    ck_assert(part->def_mem.per_cpu);
    ck_assert_uint_eq(part->max_mem.mb, 2000);
    ck_assert(!part->max_mem.per_cpu);
    ck_assert_uint_eq(part->over_time_min, 5);
    ck_assert_uint_eq(part->select_params, SELECT_CORE | SELECT_MEMORY);
    slurm_conf_free(conf);
}
END_TEST

START_TEST(the_old_priority_of_a_partition_stands_for_tier_and_factor)
{
    struct slurm_conf *conf = must_load(HEAD "PartitionName=p Priority=50 Shared=FORCE\n", NULL);

    ck_assert_uint_eq(partition_of(conf, "p")->priority_tier, 50);
    ck_assert_uint_eq(partition_of(conf, "p")->priority_job_factor, 50);
    ck_assert_uint_eq(partition_of(conf, "p")->oversubscribe.mode, OVERSUBSCRIBE_FORCE);
    ck_assert_uint_eq(partition_of(conf, "p")->oversubscribe.jobs_max, 4);
    slurm_conf_free(conf);
}
END_TEST

START_TEST(the_last_default_partition_counts)
{
    struct slurm_conf *conf =
        must_load(HEAD "PartitionName=p Default=YES\nPartitionName=q Default=YES\n", NULL);

    ck_assert_str_eq(slurm_conf_default_partition(conf)->name, "q");
    ck_assert(!partition_of(conf, "p")->is_default);
    slurm_conf_free(conf);
}
END_TEST

START_TEST(node_sets_gather_nodes_by_name_and_by_feature)
{
    struct slurm_conf *conf = must_load(HEAD "PartitionName=p Nodes=fast,n4\n"
                                             "NodeSet=fast Feature=gpu Nodes=n1\n"
                                             "NodeName=n1\nNodeName=n2 Feature=big,gpu\n"
                                             "NodeName=n[3-4] Features=gpux\n",
                                        NULL);
    const struct conf_partition *part = partition_of(conf, "p");

    ck_assert_uint_eq(part->nodes_n, 3);
    ck_assert_uint_eq(part->nodes[0], 0);
    ck_assert_uint_eq(part->nodes[1], 1);
    ck_assert_uint_eq(part->nodes[2], 3);
    slurm_conf_free(conf);
}
END_TEST

START_TEST(down_nodes_change_state_and_reason)
{
    struct slurm_conf *conf =
        must_load(HEAD "DownNodes=n[2-3] State=DRAIN Reason=\"new disk\"\nNodeName=n[1-3]\n", NULL);

    ck_assert_uint_eq(node_of(conf, "n1")->state, CONF_NODE_UNKNOWN);
    ck_assert_uint_eq(node_of(conf, "n3")->state, CONF_NODE_DRAIN);
    ck_assert_str_eq(node_of(conf, "n3")->reason, "new disk");
    slurm_conf_free(conf);
}
END_TEST

static const struct {
    const char *text;
    const char *hosts;
} controllers[] = {
    { "SlurmctldHost=a\n", "a=a" },
    { "SlurmctldHost=a(10.0.0.1)\nSlurmctldHost=b(fe80::1)\n", "a=10.0.0.1 b=fe80::1" },
    { "ControlMachine=a\n", "a=a" },
    { "ControlMachine=a\nControlAddr=1.2.3.4\nBackupController=b\nBackupAddr=1.2.3.5\n",
      "a=1.2.3.4 b=1.2.3.5" },
    { "ControlMachine=old\nSlurmctldHost=new\n", "new=new" },
    { "KillWait=3\n", "localhost=localhost" },
};

START_TEST(controllers_come_from_new_and_old_keys)
{
    struct slurm_conf *conf = must_load(controllers[_i].text, NULL);
    AUTO(strbuf) struct strbuf out = { 0 };

    for (uint32_t i = 0; i < conf->controllers_n; i++)
        strbuf_addf(&out, "%s%s=%s", i ? " " : "", conf->controllers[i].name,
                    conf->controllers[i].addr);

    ck_assert_str_eq(strbuf_text(&out), controllers[_i].hosts);
    slurm_conf_free(conf);
}
END_TEST

static const struct {
    const char *text;
    uint32_t flags;
} select_params[] = {
    { "", SELECT_CORE | SELECT_MEMORY },
    { "SelectType=select/linear\n", 0 },
    { "SelectType=select/cons_res\nSelectTypeParameters=CR_CPU_Memory\n",
      SELECT_CPU | SELECT_MEMORY },
    { "SelectTypeParameters=CR_Core,CR_ONE_TASK_PER_CORE\n",
      SELECT_CORE | SELECT_ONE_TASK_PER_CORE },
    { "SelectTypeParameters=CR_Memory\n", SELECT_CORE | SELECT_MEMORY },
};

START_TEST(select_parameters_always_name_a_unit_for_cons_tres)
{
    AUTO_FREE char *text = xasprintf("%s%s", HEAD, select_params[_i].text);
    struct slurm_conf *conf = must_load(text, NULL);

    ck_assert_uint_eq(conf->select_params, select_params[_i].flags);
    slurm_conf_free(conf);
}
END_TEST

static const struct {
    const char *text;
    bool memlock;
    bool stack;
} propagation[] = {
    { "", true, true },
    { "PropagateResourceLimits=NONE\n", false, false },
    { "PropagateResourceLimits=STACK,CPU\n", false, true },
    { "PropagateResourceLimitsExcept=MEMLOCK\n", false, true },
    { "PropagateResourceLimitsExcept=ALL\n", false, false },
};

START_TEST(limits_are_propagated_as_the_two_keys_say)
{
    AUTO_FREE char *text = xasprintf("%s%s", HEAD, propagation[_i].text);
    struct slurm_conf *conf = must_load(text, NULL);

    ck_assert_int_eq(slurm_conf_propagates(conf, RLIMIT_MEMLOCK), propagation[_i].memlock);
    ck_assert_int_eq(slurm_conf_propagates(conf, RLIMIT_STACK), propagation[_i].stack);
    slurm_conf_free(conf);
}
END_TEST

static const struct {
    const char *text, *prolog, *epilog;
} hook_limits[] = {
    { "", "PrologEpilogTimeout=0", "PrologEpilogTimeout=0" },
    { "PrologEpilogTimeout=9\n", "PrologEpilogTimeout=9", "PrologEpilogTimeout=9" },
    { "PrologEpilogTimeout=9\nPrologTimeout=5\n", "PrologTimeout=5", "PrologEpilogTimeout=9" },
    { "EpilogTimeout=6\n", "PrologEpilogTimeout=0", "EpilogTimeout=6" },
    { "PrologEpilogTimeout=9\nEpilogTimeout=65534\n", "PrologEpilogTimeout=9", "EpilogTimeout=0" },
};

START_TEST(prologs_and_epilogs_may_have_limits_of_their_own)
{
    AUTO_FREE char *text = xasprintf("%s%s", HEAD, hook_limits[_i].text);
    struct slurm_conf *conf = must_load(text, NULL);
    const struct conf_hook_limit prolog = slurm_conf_prolog_limit(conf);
    const struct conf_hook_limit epilog = slurm_conf_epilog_limit(conf);
    AUTO_FREE char *of_prolog = xasprintf("%s%u", prolog.key, prolog.seconds);
    AUTO_FREE char *of_epilog = xasprintf("%s%u", epilog.key, epilog.seconds);

    ck_assert_str_eq(of_prolog, hook_limits[_i].prolog);
    ck_assert_str_eq(of_epilog, hook_limits[_i].epilog);
    slurm_conf_free(conf);
}
END_TEST

START_TEST(parts_of_values_become_members)
{
    struct slurm_conf *conf =
        must_load(HEAD "AuthInfo=ttl=600,socket=/run/m.sock\nFastSchedule=2\n"
                       "AccountingStoreJobComment=YES\nJobAcctGatherFrequency=task=5,energy=60\n"
                       "SlurmctldPort=6820-6823\nDefMemPerCPU=2G\n",
                  NULL);

    ck_assert_str_eq(conf->auth_socket, "/run/m.sock");
    ck_assert_uint_eq(conf->auth_ttl_s, 600);
    ck_assert_str_eq(conf->slurmd_params, "config_overrides");
    ck_assert_str_eq(conf->accounting_store_flags, "job_comment");
    ck_assert_uint_eq(conf->gather_frequency_s, 5);
    ck_assert_uint_eq(conf->slurmctld_ports.last, 6823);
    ck_assert_uint_eq(conf->def_mem.mb, 2048);
    ck_assert(conf->def_mem.per_cpu);
    slurm_conf_free(conf);
}
END_TEST

START_TEST(how_tasks_are_bound_is_read_at_three_places)
{
    struct slurm_conf *conf = must_load(
        HEAD "TaskPluginParam=verbose,Cores,autobind=Threads,OOMKillStep\nNodeName=a CpuBind=ldom\n"
             "NodeName=b\nPartitionName=p Nodes=ALL CpuBind=none\n",
        NULL);

    ck_assert_uint_eq(conf->task_bind, CPU_BIND_CORES);
    ck_assert_uint_eq(conf->autobind, CPU_BIND_THREADS);
    ck_assert(conf->task_bind_verbose);
    ck_assert(conf->oom_kill_step);
    ck_assert_uint_eq(node_of(conf, "a")->cpu_bind, CPU_BIND_LDOMS);
    ck_assert_uint_eq(node_of(conf, "b")->cpu_bind, CPU_BIND_UNSAID);
    ck_assert_uint_eq(partition_of(conf, "p")->cpu_bind, CPU_BIND_NONE);
    slurm_conf_free(conf);
}
END_TEST

START_TEST(records_may_come_from_an_included_file)
{
    struct text_file files[] = {
        { "/e/slurm.conf", HEAD "include nodes.conf\nPartitionName=p Nodes=ALL\n" },
        { "/e/nodes.conf", "NodeName=n[1-2]\nNodeNme=n3\n" },
        { NULL, NULL },
    };
    AUTO(conf_notes) struct conf_notes notes = { 0 };
    struct slurm_conf *conf = NULL;

    int rc = slurm_conf_load_from("/e/slurm.conf", read_text_file, files, &conf, &notes, NULL);

    ck_assert_int_eq(rc, 0);
    ck_assert_uint_eq(partition_of(conf, "p")->nodes_n, 2);
    ck_assert_str_eq(node_of(conf, "n2")->at.file, "/e/nodes.conf");
    ck_assert(has_note(&notes, "/e/nodes.conf:2:1: 'NodeNme' is not known and left out; is "
                               "NodeName meant?"));
    slurm_conf_free(conf);
}
END_TEST

START_TEST(expanding_host_lists_has_a_limit)
{
    AUTO(strbuf) struct strbuf text = { 0 };
    struct slurm_conf *conf = NULL;
    struct err err = { 0 };

    strbuf_adds(&text, HEAD);
    for (int i = 0; i < 70; i++)
        strbuf_adds(&text, "DownNodes=a[1-65536]\n");

    ck_assert_int_eq(load_text(strbuf_text(&text), &conf, NULL, &err), -E_TOO_BIG);
    ck_assert_msg(strstr(err.text, "more than 4194304 host names") != NULL, "%s", err.text);
}
END_TEST

START_TEST(the_path_is_what_the_environment_says)
{
    setenv("SLURM_CONF", "/x/slurm.conf", 1);
    ck_assert_str_eq(slurm_conf_path(), "/x/slurm.conf");

    unsetenv("SLURM_CONF");
    ck_assert_msg(strstr(slurm_conf_path(), "/slurm.conf") != NULL, "%s", slurm_conf_path());
}
END_TEST

START_TEST(a_missing_file_is_named)
{
    struct slurm_conf *conf = NULL;
    struct err err = { 0 };

    int rc = slurm_conf_load("/nowhere/slurm.conf", &conf, NULL, &err);

    ck_assert_int_eq(rc, -ENOENT);
    ck_assert_msg(strncmp(err.text, "there is no /nowhere/slurm.conf", 31) == 0, "%s", err.text);
    ck_assert_ptr_nonnull(strstr(err.text, "`sluice init`"));
}
END_TEST

/* Files of other sites include what this machine does not have. */
static int read_or_nothing(void *ctx, const char *path, struct strbuf *text, struct err *err)
{
    if (strcmp(path, ctx) != 0)
        return 0;
    return conf_read_disk(NULL, path, text, err);
}

static void load_survey_file(const char *dir, const char *name)
{
    AUTO_FREE char *path = xasprintf("%s/%s", dir, name);
    struct slurm_conf *conf = NULL;
    struct err err = { 0 };

    int rc = slurm_conf_load_from(path, read_or_nothing, path, &conf, NULL, &err);

    ck_assert_msg(rc == 0, "%s", err.text);
    ck_assert_uint_ge(conf->controllers_n, 1);
    slurm_conf_free(conf);
}

/* SLUICE_CONFS names a folder of slurm.conf files as people write them; beside the tree by default.
 */
START_TEST(every_surveyed_file_loads)
{
    const char *named = getenv("SLUICE_CONFS");
    const char *dir = named ? named : "../../shared/confs";
    struct dirent **entries;
    int n = scandir(dir, &entries, NULL, alphasort);

    if (n < 0) {
        printf("every_surveyed_file_loads: skipped, no folder %s\n", dir);
        return;
    }
    for (int i = 0; i < n; i++) {
        if (strstr(entries[i]->d_name, ".conf"))
            load_survey_file(dir, entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
}
END_TEST

START_TEST(files_that_say_the_same_have_one_digest)
{
    struct slurm_conf *conf = must_load(HEAD "NodeName=a CPUs=2\nPartitionName=p Nodes=a\n", NULL);
    struct slurm_conf *same = must_load("# c\nclustername = c\nSlurmctldHost=\"head\"\n\n"
                                        "NodeName=a \\\n CPUs=2 # two\nPartitionName=p Nodes=a\n",
                                        NULL);
    struct slurm_conf *other = must_load(HEAD "NodeName=a CPUs=3\nPartitionName=p Nodes=a\n", NULL);

    ck_assert_uint_eq(conf->digest, same->digest);
    ck_assert_uint_ne(conf->digest, other->digest);
    slurm_conf_free(conf);
    slurm_conf_free(same);
    slurm_conf_free(other);
}
END_TEST

CHECK_MAIN(slurm_conf, CASE(the_lab_file_loads_without_a_note),
           LOOP_CASE(a_value_that_cannot_work_is_an_error_with_its_place, ARRAY_N(wrong)),
           LOOP_CASE(what_does_not_stop_anyone_is_noted_with_its_place, ARRAY_N(noted)),
           CASE(keys_that_ask_for_nothing_are_not_noted),
           LOOP_CASE(cpu_counts_are_completed_as_slurm_does, ARRAY_N(counts)),
           CASE(files_that_say_the_same_have_one_digest),
           CASE(names_addresses_and_ports_of_a_line_go_together),
           CASE(default_records_apply_to_what_follows_and_add_up),
           CASE(a_partition_line_is_read_in_full),
           CASE(the_old_priority_of_a_partition_stands_for_tier_and_factor),
           CASE(the_last_default_partition_counts),
           CASE(node_sets_gather_nodes_by_name_and_by_feature),
           CASE(down_nodes_change_state_and_reason),
           LOOP_CASE(controllers_come_from_new_and_old_keys, ARRAY_N(controllers)),
           LOOP_CASE(select_parameters_always_name_a_unit_for_cons_tres, ARRAY_N(select_params)),
           LOOP_CASE(limits_are_propagated_as_the_two_keys_say, ARRAY_N(propagation)),
           LOOP_CASE(prologs_and_epilogs_may_have_limits_of_their_own, ARRAY_N(hook_limits)),
           CASE(parts_of_values_become_members), CASE(how_tasks_are_bound_is_read_at_three_places),
           CASE(records_may_come_from_an_included_file), CASE(expanding_host_lists_has_a_limit),
           CASE(the_path_is_what_the_environment_says), CASE(a_missing_file_is_named),
           CASE(every_surveyed_file_loads))
