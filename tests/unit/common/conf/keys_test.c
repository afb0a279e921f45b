#include "unit/check_main.h"

#include <string.h>
#include <strings.h>

#include "common/conf/keys.h"
#include "common/conf/lines.h"
#include "common/conf/value.h"

static const struct conf_key *table_at(int i)
{
    switch (i) {
    case 0:
        return conf_global_keys();
    case 1:
        return conf_node_keys();
    case 2:
        return conf_partition_keys();
    case 3:
        return conf_nodeset_keys();
    case 4:
        return conf_down_keys();
    default:
        return conf_frontend_keys();
    }
}

START_TEST(no_key_is_in_a_table_twice)
{
    for (const struct conf_key *key = table_at(_i); key->name; key++)
        for (const struct conf_key *other = key + 1; other->name; other++)
            ck_assert_msg(strcasecmp(key->name, other->name) != 0, "%s", key->name);
}
END_TEST

START_TEST(every_default_is_a_value_that_its_row_takes)
{
    for (const struct conf_key *key = table_at(_i); key->name; key++) {
        union conf_slot slot = { 0 };
        AUTO(strbuf) struct strbuf remark = { 0 };
        struct err err = { 0 };

        if (!key->def)
            continue;
        ck_assert_msg(conf_value_set(key, key->def, &slot, &remark, &err) == 0, "%s", err.text);
        ck_assert_msg(remark.len == 0, "%s", strbuf_text(&remark));
        conf_value_clear(key, &slot);
    }
}
END_TEST

START_TEST(rows_have_the_words_that_their_kind_and_status_need)
{
    for (const struct conf_key *key = table_at(_i); key->name; key++) {
        bool needs = key->kind == CONF_CHOICE || key->kind == CONF_PLUGIN ||
                     key->kind == CONF_FLAGS || key->kind == CONF_STRICT_FLAGS;

        ck_assert_msg(needs == (key->words != NULL), "%s", key->name);
        ck_assert_msg(key->kind != CONF_PLUGIN || key->def, "%s", key->name);
        ck_assert_msg(key->status != CONF_REPLACED || key->instead, "%s", key->name);
    }
}
END_TEST

/* The parameters of man slurm.conf of Debian 12 (Slurm 22.05). */
static const char *const manual[] = {
    "AccountingStorageBackupHost",
    "AccountingStorageEnforce",
    "AccountingStorageExternalHost",
    "AccountingStorageHost",
    "AccountingStorageParameters",
    "AccountingStoragePass",
    "AccountingStoragePort",
    "AccountingStorageTRES",
    "AccountingStorageType",
    "AccountingStorageUser",
    "AccountingStoreFlags",
    "AcctGatherNodeFreq",
    "AcctGatherEnergyType",
    "AcctGatherInterconnectType",
    "AcctGatherFilesystemType",
    "AcctGatherProfileType",
    "AllowSpecResourcesUsage",
    "AuthAltTypes",
    "AuthAltParameters",
    "AuthInfo",
    "AuthType",
    "BackupAddr",
    "BackupController",
    "BatchStartTimeout",
    "BcastExclude",
    "BcastParameters",
    "BurstBufferType",
    "CliFilterPlugins",
    "ClusterName",
    "CommunicationParameters",
    "CompleteWait",
    "ControlAddr",
    "ControlMachine",
    "CoreSpecPlugin",
    "CpuFreqDef",
    "CpuFreqGovernors",
    "CredType",
    "DebugFlags",
    "DefCpuPerGPU",
    "DefMemPerCPU",
    "DefMemPerGPU",
    "DefMemPerNode",
    "DependencyParameters",
    "DisableRootJobs",
    "EioTimeout",
    "EnforcePartLimits",
    "Epilog",
    "EpilogMsgTime",
    "EpilogSlurmctld",
    "ExtSensorsFreq",
    "ExtSensorsType",
    "FairShareDampeningFactor",
    "FederationParameters",
    "FirstJobId",
    "GetEnvTimeout",
    "GresTypes",
    "GroupUpdateForce",
    "GroupUpdateTime",
    "GpuFreqDef",
    "HealthCheckInterval",
    "HealthCheckNodeState",
    "HealthCheckProgram",
    "InactiveLimit",
    "InteractiveStepOptions",
    "JobAcctGatherType",
    "JobAcctGatherFrequency",
    "JobAcctGatherParams",
    "JobCompHost",
    "JobCompLoc",
    "JobCompParams",
    "JobCompPass",
    "JobCompPort",
    "JobCompType",
    "JobCompUser",
    "JobContainerType",
    "JobFileAppend",
    "JobRequeue",
    "JobSubmitPlugins",
    "KillOnBadExit",
    "KillWait",
    "NodeFeaturesPlugins",
    "LaunchParameters",
    "LaunchType",
    "Licenses",
    "LogTimeFormat",
    "MailDomain",
    "MailProg",
    "MaxArraySize",
    "MaxDBDMsgs",
    "MaxJobCount",
    "MaxJobId",
    "MaxMemPerCPU",
    "MaxMemPerNode",
    "MaxNodeCount",
    "MaxStepCount",
    "MaxTasksPerNode",
    "MCSParameters",
    "MCSPlugin",
    "MessageTimeout",
    "MinJobAge",
    "MpiParams",
    "OverTimeLimit",
    "PluginDir",
    "PlugStackConfig",
    "PowerParameters",
    "PowerPlugin",
    "PreemptMode",
    "PreemptType",
    "PreemptExemptTime",
    "PrEpParameters",
    "PrEpPlugins",
    "PriorityCalcPeriod",
    "PriorityDecayHalfLife",
    "PriorityFavorSmall",
    "PriorityFlags",
    "PriorityMaxAge",
    "PriorityParameters",
    "PrioritySiteFactorParameters",
    "PrioritySiteFactorPlugin",
    "PriorityType",
    "PriorityUsageResetPeriod",
    "PriorityWeightAge",
    "PriorityWeightAssoc",
    "PriorityWeightFairshare",
    "PriorityWeightJobSize",
    "PriorityWeightPartition",
    "PriorityWeightQOS",
    "PriorityWeightTRES",
    "PrivateData",
    "ProctrackType",
    "Prolog",
    "PrologEpilogTimeout",
    "PrologFlags",
    "PrologSlurmctld",
    "PropagatePrioProcess",
    "PropagateResourceLimits",
    "PropagateResourceLimitsExcept",
    "RebootProgram",
    "ReconfigFlags",
    "RequeueExit",
    "RequeueExitHold",
    "ResumeFailProgram",
    "ResumeProgram",
    "ResumeRate",
    "ResumeTimeout",
    "ResvEpilog",
    "ResvOverRun",
    "ResvProlog",
    "ReturnToService",
    "RoutePlugin",
    "SchedulerParameters",
    "SchedulerTimeSlice",
    "SchedulerType",
    "ScronParameters",
    "SelectType",
    "SelectTypeParameters",
    "SlurmctldAddr",
    "SlurmctldDebug",
    "SlurmctldHost",
    "SlurmctldLogFile",
    "SlurmctldParameters",
    "SlurmctldPidFile",
    "SlurmctldPlugstack",
    "SlurmctldPort",
    "SlurmctldPrimaryOffProg",
    "SlurmctldPrimaryOnProg",
    "SlurmctldSyslogDebug",
    "SlurmctldTimeout",
    "SlurmdDebug",
    "SlurmdLogFile",
    "SlurmdParameters",
    "SlurmdPidFile",
    "SlurmdPort",
    "SlurmdSpoolDir",
    "SlurmdSyslogDebug",
    "SlurmdTimeout",
    "SlurmdUser",
    "SlurmSchedLogFile",
    "SlurmSchedLogLevel",
    "SlurmUser",
    "SrunEpilog",
    "SrunPortRange",
    "SrunProlog",
    "StateSaveLocation",
    "SuspendExcNodes",
    "SuspendExcParts",
    "SuspendProgram",
    "SuspendRate",
    "SuspendTime",
    "SuspendTimeout",
    "SwitchParameters",
    "SwitchType",
    "TaskEpilog",
    "TaskPlugin",
    "TaskPluginParam",
    "TaskProlog",
    "TCPTimeout",
    "TmpFS",
    "TopologyParam",
    "TopologyPlugin",
    "TrackWCKey",
    "TreeWidth",
    "UnkillableStepProgram",
    "UnkillableStepTimeout",
    "UsePAM",
    "VSizeFactor",
    "WaitTime",
    "X11Parameters",
    /* older and newer ones */
    "CacheGroups",
    "CheckpointType",
    "CryptoType",
    "FastSchedule",
    "JobCheckpointDir",
    "JobCredentialPrivateKey",
    "SchedulerPort",
    "SchedulerRootFilter",
    "AccountingStorageLoc",
    "AccountingStoreJobComment",
    "SallocDefaultCommand",
    "SuspendExcStates",
    "NamespaceType",
    "TLSType",
    "HashPlugin",
    "MaxBatchRequeue",
    "AcctGatherInfinibandType",
    "KeepAliveTime",
};

START_TEST(every_parameter_of_the_manual_is_known)
{
    for (size_t i = 0; i < ARRAY_N(manual); i++)
        ck_assert_msg(conf_key_find(conf_global_keys(), manual[i]) != NULL, "%s", manual[i]);
}
END_TEST

static const char *const manual_node[] = {
    "NodeName",      "NodeHostname",   "NodeAddr", "BcastAddr",    "Boards",
    "CoreSpecCount", "CoresPerSocket", "CpuBind",  "CPUs",         "CpuSpecList",
    "Features",      "Feature",        "Gres",     "MemSpecLimit", "Port",
    "Procs",         "RealMemory",     "Reason",   "Sockets",      "SocketsPerBoard",
    "State",         "ThreadsPerCore", "TmpDisk",  "Weight",
};

static const char *const manual_partition[] = {
    "PartitionName",
    "AllocNodes",
    "AllowAccounts",
    "AllowGroups",
    "AllowQos",
    "Alternate",
    "CpuBind",
    "Default",
    "DefaultTime",
    "DefCpuPerGPU",
    "DefMemPerCPU",
    "DefMemPerGPU",
    "DefMemPerNode",
    "DenyAccounts",
    "DenyQos",
    "DisableRootJobs",
    "ExclusiveUser",
    "GraceTime",
    "Hidden",
    "LLN",
    "MaxCPUsPerNode",
    "MaxMemPerCPU",
    "MaxMemPerNode",
    "MaxNodes",
    "MaxTime",
    "MinNodes",
    "Nodes",
    "OverSubscribe",
    "OverTimeLimit",
    "PreemptMode",
    "PriorityJobFactor",
    "PriorityTier",
    "Priority",
    "QOS",
    "ReqResv",
    "ResumeTimeout",
    "RootOnly",
    "SelectTypeParameters",
    "Shared",
    "State",
    "SuspendTime",
    "SuspendTimeout",
    "TRESBillingWeights",
};

START_TEST(every_parameter_of_a_node_and_a_partition_is_known)
{
    for (size_t i = 0; i < ARRAY_N(manual_node); i++)
        ck_assert_msg(conf_key_find(conf_node_keys(), manual_node[i]) != NULL, "%s",
                      manual_node[i]);
    for (size_t i = 0; i < ARRAY_N(manual_partition); i++)
        ck_assert_msg(conf_key_find(conf_partition_keys(), manual_partition[i]) != NULL, "%s",
                      manual_partition[i]);
}
END_TEST

START_TEST(keys_are_found_in_any_case_and_lines_of_the_display_are_no_keys)
{
    ck_assert_str_eq(conf_key_find(conf_global_keys(), "killWAIT")->name, "KillWait");
    ck_assert_ptr_null(conf_key_find(conf_global_keys(), "BOOT_TIME"));
    ck_assert_ptr_null(conf_key_find(conf_global_keys(), "KillWai"));
}
END_TEST

static const struct {
    const char *typed;
    const char *meant;
} typos[] = {
    { "SlurmctdHost", "SlurmctldHost" },
    { "slurmdtimout", "SlurmdTimeout" },
    { "SelectTypeParameter", "SelectTypeParameters" },
    { "UnkillabeStepProgram", "UnkillableStepProgram" },
    { "Clustername_", "ClusterName" },
    { "salloc_wait_nodes", NULL },
    { "xyz", NULL },
};

START_TEST(a_mistyped_key_has_a_nearest_one)
{
    const char *nearest = conf_key_nearest(conf_global_keys(), typos[_i].typed);

    if (typos[_i].meant)
        ck_assert_pstr_eq(nearest, typos[_i].meant);
    else
        ck_assert_msg(nearest == NULL, "%s", nearest);
}
END_TEST

CHECK_MAIN(conf_keys, LOOP_CASE(no_key_is_in_a_table_twice, 6),
           LOOP_CASE(every_default_is_a_value_that_its_row_takes, 6),
           LOOP_CASE(rows_have_the_words_that_their_kind_and_status_need, 6),
           CASE(every_parameter_of_the_manual_is_known),
           CASE(every_parameter_of_a_node_and_a_partition_is_known),
           CASE(keys_are_found_in_any_case_and_lines_of_the_display_are_no_keys),
           LOOP_CASE(a_mistyped_key_has_a_nearest_one, ARRAY_N(typos)))
