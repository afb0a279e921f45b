#include "common/conf/keys.h"

#include <stddef.h>
#include <sys/resource.h>

#include "common/conf/slurm_conf.h"

#define AT(field) offsetof(struct slurm_conf, field)

/* A key that Sluice acts on. */
#define ROW(key, how, offset, preset)                                                              \
    {                                                                                              \
        .name = #key, .kind = (how), .at = (offset), .def = (preset), .max = UINT32_MAX            \
    }
#define TXT(key, field, preset) ROW(key, CONF_TEXT, AT(field), preset)
#define NUM(key, field, preset, least, most, behind)                                               \
    {                                                                                              \
        .name = #key, .kind = CONF_NUMBER, .at = AT(field), .def = (preset), .unit = (behind),     \
        .min = (least), .max = (most)                                                              \
    }
#define WORDS(key, how, field, preset, list)                                                       \
    {                                                                                              \
        .name = #key, .kind = (how), .at = AT(field), .def = (preset), .words = (list)             \
    }
#define PERIOD(key, field, preset) ROW(key, CONF_PERIOD, AT(field), preset)
#define HIDE(key, how, offset)                                                                     \
    {                                                                                              \
        .name = #key, .kind = (how), .at = (offset), .max = UINT32_MAX, .hidden = true             \
    }

#define NEWER(key, how, offset)                                                                    \
    {                                                                                              \
        .name = #key, .kind = (how), .at = (offset), .max = UINT32_MAX, .hidden = true,            \
        .newer = true                                                                              \
    }

/* A key that is kept in struct slurm_conf for later; nothing acts on it yet. */
#define ROW_LATER(key, how, offset, preset)                                                        \
    {                                                                                              \
        .name = #key, .kind = (how), .status = CONF_NO_EFFECT, .at = (offset), .def = (preset),    \
        .max = UINT32_MAX                                                                          \
    }
#define TXT_LATER(key, field, preset) ROW_LATER(key, CONF_TEXT, AT(field), preset)
#define LIST_LATER(key, field)        ROW_LATER(key, CONF_LIST, AT(field), NULL)
#define NUM_LATER(key, field, preset, least, most, behind)                                         \
    {                                                                                              \
        .name = #key, .kind = CONF_NUMBER, .status = CONF_NO_EFFECT, .at = AT(field),              \
        .def = (preset), .unit = (behind), .min = (least), .max = (most)                           \
    }

/* A key that is only shown. */
#define ROW_OFF(key, how, preset, behind)                                                          \
    {                                                                                              \
        .name = #key, .kind = (how), .status = CONF_NO_EFFECT, .at = CONF_NO_FIELD,                \
        .def = (preset), .unit = (behind), .max = UINT32_MAX                                       \
    }
#define TXT_OFF(key, preset)    ROW_OFF(key, CONF_TEXT, preset, NULL)
#define PERIOD_OFF(key, preset) ROW_OFF(key, CONF_PERIOD, preset, NULL)
#define LEVEL_OFF(key)          ROW_OFF(key, CONF_LEVEL, NULL, NULL)
#define OFF(key)                                                                                   \
    {                                                                                              \
        .name = #key, .kind = CONF_TEXT, .status = CONF_NO_EFFECT, .at = CONF_NO_FIELD,            \
        .hidden = true                                                                             \
    }

/* A key that Slurm has dropped, but that 22.05 still shows, and Sluice too. */
#define ROW_GONE(key, preset, behind, since)                                                       \
    {                                                                                              \
        .name = #key, .kind = CONF_NUMBER, .status = CONF_REMOVED, .at = CONF_NO_FIELD,            \
        .def = (preset), .unit = (behind), .max = UINT32_MAX, .instead = "gone since Slurm " since \
    }
#define TXT_GONE(key, preset, since)                                                               \
    {                                                                                              \
        .name = #key, .kind = CONF_TEXT, .status = CONF_REMOVED, .at = CONF_NO_FIELD,              \
        .def = (preset), .instead = "gone since Slurm " since                                      \
    }

#define GONE(key, after)                                                                           \
    {                                                                                              \
        .name = #key, .kind = CONF_TEXT, .status = CONF_REMOVED, .at = CONF_NO_FIELD,              \
        .instead = (after), .hidden = true                                                         \
    }
#define REPLACED(key, how, offset, today)                                                          \
    {                                                                                              \
        .name = #key, .kind = (how), .status = CONF_REPLACED, .at = (offset), .max = UINT32_MAX,   \
        .instead = (today), .hidden = true                                                         \
    }

#define RUNTIME(key)                                                                               \
    {                                                                                              \
        .name = #key, .kind = CONF_RUNTIME, .at = CONF_NO_FIELD                                    \
    }
#define RECORD(key)                                                                                \
    {                                                                                              \
        .name = #key, .kind = CONF_RECORD, .at = CONF_NO_FIELD, .hidden = true                     \
    }

static const struct conf_word enforce_words[] = {
    { "NO", CONF_ENFORCE_NO },
    { "ANY", CONF_ENFORCE_ANY },
    { "ALL", CONF_ENFORCE_ALL },
    { "YES", CONF_ENFORCE_ANY },
    { NULL, 0 },
};

/* What a word implies is added when all of the file is read (load_derived.c). */
static const struct conf_word acct_enforce_words[] = {
    { "0", 0 }, /* the last of these is shown */
    { "none", 0 },
    { "associations", ACCT_ENFORCE_ASSOCIATIONS },
    { "limits", ACCT_ENFORCE_LIMITS },
    { "nojobs", ACCT_ENFORCE_NO_JOBS },
    { "nosteps", ACCT_ENFORCE_NO_STEPS },
    { "qos", ACCT_ENFORCE_QOS },
    { "safe", ACCT_ENFORCE_SAFE },
    { "wckeys", ACCT_ENFORCE_WCKEYS },
    { "all", ACCT_ENFORCE_ALL },
    { "1", ACCT_ENFORCE_ASSOCIATIONS },
    { "2", ACCT_ENFORCE_LIMITS },
    { NULL, 0 },
};

static const struct conf_word health_words[] = {
    { "ALLOC", HEALTH_ALLOC }, { "CYCLE", HEALTH_CYCLE },
    { "IDLE", HEALTH_IDLE },   { "NONDRAINED_IDLE", HEALTH_NONDRAINED_IDLE },
    { "MIXED", HEALTH_MIXED }, { "START_ONLY", HEALTH_START_ONLY },
    { "ANY", HEALTH_ANY },     { NULL, 0 },
};

static const struct conf_word gather_words[] = {
    { "jobacct_gather/none", CONF_GATHER_NONE },
    { "jobacct_gather/linux", CONF_GATHER_LINUX },
    { "jobacct_gather/cgroup", CONF_GATHER_CGROUP },
    { NULL, 0 },
};

static const struct conf_word priority_words[] = {
    { "priority/basic", CONF_PRIORITY_BASIC },
    { "priority/multifactor", CONF_PRIORITY_MULTIFACTOR },
    { NULL, 0 },
};

static const struct conf_word priority_flag_words[] = {
    { "ACCRUE_ALWAYS", CONF_PRIORITY_ACCRUE_ALWAYS },
    { "CALCULATE_RUNNING", CONF_PRIORITY_CALCULATE_RUNNING },
    { "DEPTH_OBLIVIOUS", CONF_PRIORITY_DEPTH_OBLIVIOUS },
    { "INCR_ONLY", CONF_PRIORITY_INCR_ONLY },
    { "MAX_TRES", CONF_PRIORITY_MAX_TRES },
    { "NO_FAIR_TREE", CONF_PRIORITY_NO_FAIR_TREE },
    { "NO_NORMAL_ALL", CONF_PRIORITY_NO_NORMAL_ASSOC | CONF_PRIORITY_NO_NORMAL_PART |
                           CONF_PRIORITY_NO_NORMAL_QOS | CONF_PRIORITY_NO_NORMAL_TRES },
    { "NO_NORMAL_ASSOC", CONF_PRIORITY_NO_NORMAL_ASSOC },
    { "NO_NORMAL_PART", CONF_PRIORITY_NO_NORMAL_PART },
    { "NO_NORMAL_QOS", CONF_PRIORITY_NO_NORMAL_QOS },
    { "NO_NORMAL_TRES", CONF_PRIORITY_NO_NORMAL_TRES },
    { "SMALL_RELATIVE_TO_TIME", CONF_PRIORITY_SMALL_RELATIVE_TO_TIME },
    { "", 0 },          /* how Slurm shows that there are none */
    { "FAIR_TREE", 0 }, /* what is so anyway, since NO_FAIR_TREE says the opposite */
    { NULL, 0 },
};

static const struct conf_word reset_words[] = {
    { "NONE", CONF_RESET_NONE },       { "NOW", CONF_RESET_NOW },
    { "DAILY", CONF_RESET_DAILY },     { "WEEKLY", CONF_RESET_WEEKLY },
    { "MONTHLY", CONF_RESET_MONTHLY }, { "QUARTERLY", CONF_RESET_QUARTERLY },
    { "YEARLY", CONF_RESET_YEARLY },   { NULL, 0 },
};

/* The words that all say that there is no tree of switches. */
static const struct conf_word topology_words[] = {
    { "topology/none", CONF_TOPOLOGY_FLAT },
    { "topology/default", CONF_TOPOLOGY_FLAT },
    { "topology/flat", CONF_TOPOLOGY_FLAT },
    { "topology/tree", CONF_TOPOLOGY_TREE },
    { NULL, 0 },
};

const struct conf_word conf_private_words[] = {
    { "none", 0 },
    { "accounts", CONF_PRIVATE_ACCOUNTS },
    { "cloud", CONF_PRIVATE_CLOUD },
    { "events", CONF_PRIVATE_EVENTS },
    { "jobs", CONF_PRIVATE_JOBS },
    { "nodes", CONF_PRIVATE_NODES },
    { "partitions", CONF_PRIVATE_PARTITIONS },
    { "reservations", CONF_PRIVATE_RESERVATIONS },
    { "usage", CONF_PRIVATE_USAGE },
    { "users", CONF_PRIVATE_USERS },
    { "all", CONF_PRIVATE_ALL }, /* last, for it is shown by the words that it stands for */
    { NULL, 0 },
};

static const struct conf_word proctrack_words[] = {
    { "proctrack/cgroup", CONF_PROCTRACK_CGROUP },
    { "proctrack/linuxproc", CONF_PROCTRACK_LINUXPROC },
    { "proctrack/pgid", CONF_PROCTRACK_PGID },
    { NULL, 0 },
};

static const struct conf_word prolog_words[] = {
    { "Alloc", CONF_PROLOG_ALLOC },
    { "Contain", CONF_PROLOG_CONTAIN },
    { "DeferBatch", CONF_PROLOG_DEFER_BATCH },
    { "ForceRequeueOnFail", CONF_PROLOG_FORCE_REQUEUE },
    { "NoHold", CONF_PROLOG_NO_HOLD },
    { "RunInJob", CONF_PROLOG_RUN_IN_JOB },
    { "Serial", CONF_PROLOG_SERIAL },
    { "X11", CONF_PROLOG_X11 },
    { NULL, 0 },
};

static const struct conf_word rlimit_words[] = {
    { "NONE", 0 },
    { "ALL", CONF_RLIMITS_ALL },
    { "AS", 1u << RLIMIT_AS },
    { "CORE", 1u << RLIMIT_CORE },
    { "CPU", 1u << RLIMIT_CPU },
    { "DATA", 1u << RLIMIT_DATA },
    { "FSIZE", 1u << RLIMIT_FSIZE },
    { "MEMLOCK", 1u << RLIMIT_MEMLOCK },
    { "NOFILE", 1u << RLIMIT_NOFILE },
    { "NPROC", 1u << RLIMIT_NPROC },
    { "RSS", 1u << RLIMIT_RSS },
    { "STACK", 1u << RLIMIT_STACK },
    { NULL, 0 },
};

static const struct conf_word sched_words[] = {
    { "sched/backfill", CONF_SCHED_BACKFILL },
    { "sched/builtin", CONF_SCHED_BUILTIN },
    { NULL, 0 },
};

/*
 * The words for SelectType. select/cons_res was folded into select/cons_tres, which does all that
 * it did.
 */
static const struct conf_word select_words[] = {
    { "select/cons_tres", CONF_SELECT_CONS_TRES },
    { "select/cons_res", CONF_SELECT_CONS_TRES },
    { "select/linear", CONF_SELECT_LINEAR },
    { NULL, 0 },
};

const struct conf_word conf_select_param_words[] = {
    { "NONE", 0 },
    { "CR_CPU_MEMORY", SELECT_CPU | SELECT_MEMORY },
    { "CR_SOCKET_MEMORY", SELECT_SOCKET | SELECT_MEMORY },
    { "CR_CORE_MEMORY", SELECT_CORE | SELECT_MEMORY },
    { "CR_CPU", SELECT_CPU },
    { "CR_SOCKET", SELECT_SOCKET },
    { "CR_CORE", SELECT_CORE },
    { "CR_MEMORY", SELECT_MEMORY },
    { "CR_ONE_TASK_PER_CORE", SELECT_ONE_TASK_PER_CORE },
    { "CR_CORE_DEFAULT_DIST_BLOCK", SELECT_CORE_DIST_BLOCK },
    { "CR_LLN", SELECT_LLN },
    { "CR_PACK_NODES", SELECT_PACK_NODES },
    { NULL, 0 },
};

static const struct conf_word task_words[] = {
    { "task/none", 0 },
    { "task/affinity", CONF_TASK_AFFINITY },
    { "task/cgroup", CONF_TASK_CGROUP },
    { NULL, 0 },
};

/*
 * The rows, in the order of `scontrol show config` of Slurm 22.05, newer keys by the alphabet.
 * Defaults are those of 22.05, except for SelectType, whose default became cons_tres in 23.02.
 */
static const struct conf_key global_keys[] = {
    TXT(AccountingStorageBackupHost, accounting_backup_host, NULL),
    WORDS(AccountingStorageEnforce, CONF_STRICT_FLAGS, acct_enforce, "none", acct_enforce_words),
    TXT(AccountingStorageHost, accounting_host, "localhost"),
    TXT_OFF(AccountingStorageExternalHost, NULL),
    TXT_OFF(AccountingStorageParameters, NULL),
    NUM(AccountingStoragePort, accounting_port, "0", 0, 65535, NULL),
    TXT(AccountingStorageTRES, accounting_tres, "cpu,mem,energy,node,billing,fs/disk,vmem,pages"),
    TXT(AccountingStorageType, accounting_type, "accounting_storage/none"),
    TXT_OFF(AccountingStorageUser, "root"),
    TXT(AccountingStoreFlags, accounting_store_flags, NULL),
    TXT_OFF(AcctGatherEnergyType, "acct_gather_energy/none"),
    TXT_OFF(AcctGatherFilesystemType, "acct_gather_filesystem/none"),
    TXT_OFF(AcctGatherInterconnectType, "acct_gather_interconnect/none"),
    ROW_OFF(AcctGatherNodeFreq, CONF_NUMBER, "0", "sec"),
    TXT_OFF(AcctGatherProfileType, "acct_gather_profile/none"),
    ROW(AllowSpecResourcesUsage, CONF_YES_NO, AT(allow_spec_resources), "no"),
    TXT_OFF(AuthAltTypes, NULL),
    TXT_OFF(AuthAltParameters, NULL),
    TXT(AuthInfo, auth_info, NULL),
    TXT(AuthType, auth_type, "auth/munge"),
    NUM_LATER(BatchStartTimeout, batch_start_timeout_s, "10", 0, UINT32_MAX, "sec"),
    TXT_OFF(BcastExclude, "/lib,/usr/lib,/lib64,/usr/lib64"),
    TXT(BcastParameters, bcast_params, NULL),
    RUNTIME(BOOT_TIME),
    TXT_OFF(BurstBufferType, NULL),
    TXT_OFF(CliFilterPlugins, NULL),
    TXT(ClusterName, cluster_name, NULL),
    TXT_LATER(CommunicationParameters, communication_params, NULL),
    NUM(CompleteWait, complete_wait_s, "0", 0, UINT32_MAX, "sec"),
    TXT_GONE(CoreSpecPlugin, "core_spec/none", "24.05"),
    TXT_OFF(CpuFreqDef, "Unknown"),
    TXT_OFF(CpuFreqGovernors, "OnDemand,Performance,UserSpace"),
    TXT_OFF(CredType, "cred/munge"),
    TXT_LATER(DebugFlags, debug_flags, NULL),
    ROW(DefMemPerNode, CONF_MEM_NODE, AT(def_mem), "0"),
    HIDE(DefMemPerCPU, CONF_MEM_CPU, AT(def_mem)),
    TXT(DependencyParameters, dependency_params, NULL),
    ROW(DisableRootJobs, CONF_YES_NO, AT(disable_root_jobs), "no"),
    NUM_LATER(EioTimeout, eio_timeout_s, "60", 0, UINT32_MAX, NULL),
    WORDS(EnforcePartLimits, CONF_CHOICE, enforce_part_limits, "NO", enforce_words),
    ROW(Epilog, CONF_LIST, AT(epilog), NULL),
    ROW_OFF(EpilogMsgTime, CONF_NUMBER, "2000", "usec"),
    ROW(EpilogSlurmctld, CONF_LIST, AT(epilog_slurmctld), NULL),
    TXT_GONE(ExtSensorsType, "ext_sensors/none", "24.05"),
    ROW_GONE(ExtSensorsFreq, "0", "sec", "24.05"),
    NUM(FairShareDampeningFactor, dampening_factor, "1", 1, 65534, NULL),
    TXT_OFF(FederationParameters, NULL),
    NUM(FirstJobId, first_job_id, "1", 1, 67108863, NULL),
    ROW_GONE(GetEnvTimeout, "2", "sec", "24.11"),
    TXT(GresTypes, gres_types, NULL),
    TXT_OFF(GpuFreqDef, "high,memory=high"),
    ROW_LATER(GroupUpdateForce, CONF_ON_OFF, AT(group_update_force), "1"),
    NUM_LATER(GroupUpdateTime, group_update_time_s, "600", 0, UINT32_MAX, "sec"),
    RUNTIME(HASH_VAL),
    NUM(HealthCheckInterval, health_interval_s, "0", 0, UINT32_MAX, "sec"),
    WORDS(HealthCheckNodeState, CONF_FLAGS, health_states, "ANY", health_words),
    TXT(HealthCheckProgram, health_program, NULL),
    NUM(InactiveLimit, inactive_limit_s, "0", 0, UINT32_MAX, "sec"),
    TXT(InteractiveStepOptions, interactive_step_options,
        "--interactive --preserve-env --pty $SHELL"),
    ROW(JobAcctGatherFrequency, CONF_TEXT, CONF_NO_FIELD, "30"), /* see gather_frequency_s */
    WORDS(JobAcctGatherType, CONF_PLUGIN, gather_type, "jobacct_gather/none", gather_words),
    TXT(JobAcctGatherParams, gather_params, NULL),
    TXT_OFF(JobCompHost, "localhost"),
    TXT(JobCompLoc, job_comp_loc, "/var/log/slurm_jobcomp.log"),
    ROW_OFF(JobCompPort, CONF_NUMBER, "0", NULL),
    TXT(JobCompType, job_comp_type, "jobcomp/none"),
    TXT_OFF(JobCompUser, "root"),
    TXT(JobContainerType, job_container_type, "job_container/none"),
    TXT_GONE(JobCredentialPrivateKey, NULL, "24.05"),
    TXT_GONE(JobCredentialPublicCertificate, NULL, "24.05"),
    RUNTIME(JobDefaults),
    ROW_LATER(JobFileAppend, CONF_ON_OFF, AT(job_file_append), "0"),
    ROW(JobRequeue, CONF_ON_OFF, AT(job_requeue), "1"),
    TXT_LATER(JobSubmitPlugins, job_submit_plugins, NULL),
    ROW(KillOnBadExit, CONF_ON_OFF, AT(kill_on_bad_exit), "0"),
    NUM(KillWait, kill_wait_s, "30", 0, UINT32_MAX, "sec"),
    TXT(LaunchParameters, launch_params, NULL),
    TXT_GONE(LaunchType, "launch/slurm", "23.02"),
    TXT(Licenses, licenses, NULL),
    TXT_LATER(LogTimeFormat, log_time_format, "iso8601_ms"),
    TXT(MailDomain, mail_domain, NULL),
    TXT(MailProg, mail_prog, "/usr/bin/mail"),
    NUM(MaxArraySize, max_array_size, "1001", 0, 4000001, NULL),
    ROW_OFF(MaxDBDMsgs, CONF_NUMBER, "0", NULL),
    NUM(MaxJobCount, max_job_count, "10000", 2, 16777216, NULL),
    { .name = "MaxJobId",
      .kind = CONF_NUMBER,
      .at = AT(max_job_id),
      .def = "67043328",
      .min = 1,
      .max = 67108863,
      .clamps = true }, /* the default was 4294901760 before 26 bits were set aside for it */
    ROW(MaxMemPerNode, CONF_MEM_NODE, AT(max_mem), "0"),
    HIDE(MaxMemPerCPU, CONF_MEM_CPU, AT(max_mem)),
    NUM_LATER(MaxNodeCount, max_node_count, "0", 0, CONF_NODES_MAX, NULL),
    NUM_LATER(MaxStepCount, max_step_count, "40000", 1, 4294967000u, NULL),
    NUM_LATER(MaxTasksPerNode, max_tasks_per_node, "512", 1, 65533, NULL),
    TXT_OFF(MCSPlugin, "mcs/none"),
    TXT_OFF(MCSParameters, NULL),
    NUM(MessageTimeout, message_timeout_s, "10", 1, UINT32_MAX, "sec"),
    NUM(MinJobAge, min_job_age_s, "300", 0, UINT32_MAX, "sec"),
    TXT(MpiDefault, mpi_default, "none"),
    TXT_LATER(MpiParams, mpi_params, NULL),
    RUNTIME(MULTIPLE_SLURMD),
    RUNTIME(NEXT_JOB_ID),
    TXT_OFF(NodeFeaturesPlugins, NULL),
    NUM(OverTimeLimit, over_time_min, "0", 0, UINT32_MAX, "min"),
    TXT_OFF(PluginDir, NULL),
    TXT_LATER(PlugStackConfig, plug_stack, NULL),
    TXT_GONE(PowerParameters, NULL, "24.11"),
    TXT_GONE(PowerPlugin, "", "24.11"),
    TXT_LATER(PreemptMode, preempt_mode, "OFF"),
    TXT_LATER(PreemptType, preempt_type, "preempt/none"),
    PERIOD_OFF(PreemptExemptTime, "0"),
    TXT_OFF(PrEpParameters, NULL),
    TXT_OFF(PrEpPlugins, "prep/script"),
    TXT_OFF(PriorityParameters, NULL),
    TXT_OFF(PrioritySiteFactorParameters, NULL),
    TXT_OFF(PrioritySiteFactorPlugin, NULL),
    PERIOD(PriorityDecayHalfLife, priority_half_life_min, "7-0"),
    PERIOD(PriorityCalcPeriod, priority_calc_period_min, "5"),
    ROW(PriorityFavorSmall, CONF_YES_NO, AT(priority_favor_small), "no"),
    WORDS(PriorityFlags, CONF_FLAGS, priority_flags, "", priority_flag_words),
    PERIOD(PriorityMaxAge, priority_max_age_min, "7-0"),
    WORDS(PriorityUsageResetPeriod, CONF_CHOICE, priority_reset, "NONE", reset_words),
    WORDS(PriorityType, CONF_PLUGIN, priority_type, "priority/basic", priority_words),
    NUM(PriorityWeightAge, priority_weight_age, "0", 0, UINT32_MAX, NULL),
    NUM(PriorityWeightAssoc, priority_weight_assoc, "0", 0, UINT32_MAX, NULL),
    NUM(PriorityWeightFairShare, priority_weight_fair_share, "0", 0, UINT32_MAX, NULL),
    NUM(PriorityWeightJobSize, priority_weight_job_size, "0", 0, UINT32_MAX, NULL),
    NUM(PriorityWeightPartition, priority_weight_partition, "0", 0, UINT32_MAX, NULL),
    NUM(PriorityWeightQOS, priority_weight_qos, "0", 0, UINT32_MAX, NULL),
    TXT(PriorityWeightTRES, priority_weight_tres, NULL),
    CONF_PRIVATE_DATA(AT(private_data)),
    WORDS(ProctrackType, CONF_PLUGIN, proctrack_type, "proctrack/cgroup", proctrack_words),
    ROW(Prolog, CONF_LIST, AT(prolog), NULL),
    NUM(PrologEpilogTimeout, prolog_epilog_timeout_s, "65534", 0, UINT32_MAX, NULL),
    ROW(PrologSlurmctld, CONF_LIST, AT(prolog_slurmctld), NULL),
    WORDS(PrologFlags, CONF_FLAGS, prolog_flags, NULL, prolog_words),
    NUM_LATER(PropagatePrioProcess, propagate_prio, "0", 0, 2, NULL),
    WORDS(PropagateResourceLimits, CONF_FLAGS, propagate_rlimits, NULL, rlimit_words),
    WORDS(PropagateResourceLimitsExcept, CONF_FLAGS, propagate_rlimits_except, NULL, rlimit_words),
    TXT(RebootProgram, reboot_program, NULL),
    TXT_OFF(ReconfigFlags, NULL),
    TXT(RequeueExit, requeue_exit, NULL),
    TXT(RequeueExitHold, requeue_exit_hold, NULL),
    TXT_OFF(ResumeFailProgram, NULL),
    TXT_OFF(ResumeProgram, NULL),
    ROW_OFF(ResumeRate, CONF_NUMBER, "300", "nodes/min"),
    NUM(ResumeTimeout, resume_timeout_s, "60", 0, UINT32_MAX, "sec"),
    TXT(ResvEpilog, resv_epilog, NULL),
    NUM(ResvOverRun, resv_over_run_min, "0", 0, UINT32_MAX, "min"),
    TXT(ResvProlog, resv_prolog, NULL),
    NUM(ReturnToService, return_to_service, "0", 0, 2, NULL),
    TXT_GONE(RoutePlugin, "route/default", "23.11"),
    TXT(SchedulerParameters, sched_params, NULL),
    NUM_LATER(SchedulerTimeSlice, sched_time_slice_s, "30", 0, UINT32_MAX, "sec"),
    WORDS(SchedulerType, CONF_PLUGIN, sched_type, "sched/backfill", sched_words),
    TXT_OFF(ScronParameters, NULL),
    WORDS(SelectType, CONF_PLUGIN, select_type, "select/cons_tres", select_words),
    WORDS(SelectTypeParameters, CONF_FLAGS, select_params, "NONE", conf_select_param_words),
    ROW(SlurmUser, CONF_USER, AT(slurm_user), "root"),
    TXT_LATER(SlurmctldAddr, slurmctld_addr, NULL),
    ROW(SlurmctldDebug, CONF_LEVEL, AT(slurmctld_debug), "info"),
    ROW(SlurmctldHost, CONF_HOSTS, CONF_NO_FIELD, NULL),
    TXT(SlurmctldLogFile, slurmctld_log_file, NULL),
    ROW(SlurmctldPort, CONF_PORTS, AT(slurmctld_ports), "6817"),
    LEVEL_OFF(SlurmctldSyslogDebug),
    TXT_OFF(SlurmctldPrimaryOffProg, NULL),
    TXT_OFF(SlurmctldPrimaryOnProg, NULL),
    NUM_LATER(SlurmctldTimeout, slurmctld_timeout_s, "120", 0, UINT32_MAX, "sec"),
    TXT(SlurmctldParameters, slurmctld_params, NULL),
    ROW(SlurmdDebug, CONF_LEVEL, AT(slurmd_debug), "info"),
    TXT(SlurmdLogFile, slurmd_log_file, NULL),
    TXT(SlurmdParameters, slurmd_params, NULL),
    TXT(SlurmdPidFile, slurmd_pid_file, "/var/run/slurmd.pid"),
    NUM(SlurmdPort, slurmd_port, "6818", 1, 65535, NULL),
    TXT(SlurmdSpoolDir, slurmd_spool_dir, "/var/spool/slurmd"),
    LEVEL_OFF(SlurmdSyslogDebug),
    NUM(SlurmdTimeout, slurmd_timeout_s, "300", 0, UINT32_MAX, "sec"),
    ROW(SlurmdUser, CONF_USER, AT(slurmd_user), "root"),
    TXT_LATER(SlurmSchedLogFile, sched_log_file, NULL),
    NUM_LATER(SlurmSchedLogLevel, sched_log_level, "0", 0, 9, NULL),
    TXT(SlurmctldPidFile, slurmctld_pid_file, "/var/run/slurmctld.pid"),
    TXT_OFF(SlurmctldPlugstack, NULL),
    RUNTIME(SLURM_CONF),
    RUNTIME(SLURM_VERSION),
    TXT(SrunEpilog, srun_epilog, NULL),
    ROW(SrunPortRange, CONF_PORTS, AT(srun_ports), "0-0"),
    TXT(SrunProlog, srun_prolog, NULL),
    TXT(StateSaveLocation, state_save_location, "/var/spool"),
    TXT_OFF(SuspendExcNodes, NULL),
    TXT_OFF(SuspendExcParts, NULL),
    TXT_OFF(SuspendExcStates, NULL),
    TXT_OFF(SuspendProgram, NULL),
    ROW_OFF(SuspendRate, CONF_NUMBER, "60", "nodes/min"),
    ROW_OFF(SuspendTime, CONF_NUMBER, "INFINITE", "sec"),
    ROW_OFF(SuspendTimeout, CONF_NUMBER, "30", "sec"),
    TXT_OFF(SwitchParameters, NULL),
    TXT_OFF(SwitchType, "switch/none"),
    TXT(TaskEpilog, task_epilog, NULL),
    WORDS(TaskPlugin, CONF_FLAGS, task_plugins, "task/none", task_words),
    TXT(TaskPluginParam, task_plugin_param, NULL),
    TXT(TaskProlog, task_prolog, NULL),
    NUM_LATER(TCPTimeout, tcp_timeout_s, "2", 1, UINT32_MAX, "sec"),
    TXT(TmpFS, tmp_fs, "/tmp"),
    TXT_LATER(TopologyParam, topology_param, NULL),
    WORDS(TopologyPlugin, CONF_PLUGIN, topology, "topology/none", topology_words),
    ROW(TrackWCKey, CONF_YES_NO, AT(track_wckey), "no"),
    ROW_OFF(TreeWidth, CONF_NUMBER, "50", NULL),
    ROW(UsePam, CONF_YES_NO, AT(use_pam), "no"),
    TXT(UnkillableStepProgram, unkillable_program, NULL),
    NUM(UnkillableStepTimeout, unkillable_timeout_s, "60", 0, UINT32_MAX, "sec"),
    ROW_OFF(VSizeFactor, CONF_NUMBER, "0", "percent"),
    NUM(WaitTime, wait_time_s, "0", 0, UINT32_MAX, "sec"),
    TXT_OFF(X11Parameters, NULL),

    /* Keys that `scontrol show config` does not show. */
    RECORD(NodeName),
    RECORD(PartitionName),
    RECORD(NodeSet),
    RECORD(DownNodes),
    RECORD(FrontendName),
    OFF(AccountingStoragePass),
    OFF(BurstBufferParameters),
    OFF(CertgenParameters),
    OFF(CertgenType),
    OFF(CertmgrParameters),
    OFF(CertmgrType),
    OFF(CliFilterParameters),
    OFF(DataParserParameters),
    { .name = "DefCpuPerGPU",
      .kind = CONF_NUMBER,
      .at = AT(def_cpu_per_gpu),
      .def = "0",
      .max = UINT16_MAX,
      .hidden = true },
    { .name = "DefMemPerGPU",
      .kind = CONF_MB,
      .at = AT(def_mem_per_gpu_mb),
      .def = "0",
      .hidden = true },
    OFF(DefaultStorageHost),
    OFF(DefaultStorageLoc),
    OFF(DefaultStoragePass),
    OFF(DefaultStoragePort),
    OFF(DefaultStorageType),
    OFF(DefaultStorageUser),
    NEWER(EpilogTimeout, CONF_NUMBER, AT(epilog_timeout_s)),
    OFF(HashPlugin),
    OFF(HttpParserType),
    OFF(JobCompParams),
    OFF(JobCompPass),
    OFF(JobCompPassScript),
    OFF(MaxBatchRequeue),
    OFF(MetricsAuthUsers),
    OFF(MetricsType),
    HIDE(NamespaceType, CONF_TEXT, CONF_NO_FIELD), /* the loader makes it JobContainerType */
    OFF(PreemptParameters),
    NEWER(PrologTimeout, CONF_NUMBER, AT(prolog_timeout_s)),
    OFF(TLSParameters),
    OFF(TLSType),
    OFF(UrlParserType),

    /* Old keys, each with what replaces it today. */
    REPLACED(AccountingStoreJobComment, CONF_TEXT, CONF_NO_FIELD,
             "AccountingStoreFlags=job_comment"),
    REPLACED(AcctGatherInfinibandType, CONF_TEXT, CONF_NO_FIELD, "AcctGatherInterconnectType="),
    REPLACED(BackupAddr, CONF_HOSTS, CONF_NO_FIELD, "a second SlurmctldHost=NAME(ADDRESS)"),
    REPLACED(BackupController, CONF_HOSTS, CONF_NO_FIELD, "a second SlurmctldHost=NAME(ADDRESS)"),
    REPLACED(ControlAddr, CONF_HOSTS, CONF_NO_FIELD, "SlurmctldHost=NAME(ADDRESS)"),
    REPLACED(ControlMachine, CONF_HOSTS, CONF_NO_FIELD, "SlurmctldHost=NAME(ADDRESS)"),
    REPLACED(CryptoType, CONF_TEXT, CONF_NO_FIELD, "CredType=cred/munge"),
    REPLACED(FastSchedule, CONF_TEXT, CONF_NO_FIELD,
             "nothing for 0 and 1, as NodeName lines count, and SlurmdParameters=config_overrides "
             "for 2"),
    REPLACED(SbcastParameters, CONF_TEXT, CONF_NO_FIELD, "BcastParameters="),

    /* Keys that are gone for good. */
    GONE(AccountingStorageLoc, "history is kept below StateSaveLocation"),
    GONE(AuthServerSocket, NULL),
    GONE(CacheGroups, NULL),
    GONE(CheckpointType, NULL),
    GONE(ChosLoc, NULL),
    GONE(DefMemPerTask, "today DefMemPerCPU="),
    GONE(DynAllocPort, NULL),
    GONE(HeartbeatInterval, NULL),
    GONE(JobAcctFrequency, "today JobAcctGatherFrequency="),
    GONE(JobAcctLoc, NULL),
    GONE(JobAcctLogFile, NULL),
    GONE(JobAcctParameters, "today JobAcctGatherParams="),
    GONE(JobAcctType, "today JobAcctGatherType="),
    GONE(JobCheckpointDir, NULL),
    GONE(KeepAliveTime, "today CommunicationParameters=keepalivetime="),
    GONE(Layouts, NULL),
    GONE(MaxMemPerTask, "today MaxMemPerCPU="),
    GONE(MemLimitEnforce, "today JobAcctGatherParams=OverMemoryKill"),
    GONE(MsgAggregationParams, NULL),
    GONE(PriorityWeightNice, NULL),
    GONE(SallocDefaultCommand, "today LaunchParameters=use_interactive_step"),
    GONE(SchedulerAuth, NULL),
    GONE(SchedulerPort, NULL),
    GONE(SchedulerRootFilter, NULL),
    GONE(SrunIOTimeout, NULL),
    GONE(SwitchNumCores, NULL),
    { .name = NULL },
};

const struct conf_key *conf_global_keys(void)
{
    return global_keys;
}
