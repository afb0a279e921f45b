#include <stddef.h>

#include "common/conf/keys.h"
#include "common/conf/lines.h"
#include "common/text/cpubind.h"

#define NODE(field) offsetof(struct conf_node_line, field)
#define PART(field) offsetof(struct conf_partition, field)
#define SET(field)  offsetof(struct conf_nodeset, field)

#define ROW(key, how, offset, preset)                                                              \
    {                                                                                              \
        .name = #key, .kind = (how), .at = (offset), .def = (preset), .max = UINT32_MAX            \
    }
#define NUM(key, offset, preset, least, most)                                                      \
    {                                                                                              \
        .name = #key, .kind = CONF_NUMBER, .at = (offset), .def = (preset), .min = (least),        \
        .max = (most)                                                                              \
    }
#define WORDS(key, how, offset, preset, list)                                                      \
    {                                                                                              \
        .name = #key, .kind = (how), .at = (offset), .def = (preset), .words = (list)              \
    }
#define LATER(key, how, offset, preset)                                                            \
    {                                                                                              \
        .name = #key, .kind = (how), .status = CONF_NO_EFFECT, .at = (offset), .def = (preset),    \
        .max = UINT32_MAX                                                                          \
    }
#define OFF(key) LATER(key, CONF_TEXT, CONF_NO_FIELD, NULL)
#define REPLACED(key, how, offset, today)                                                          \
    {                                                                                              \
        .name = #key, .kind = (how), .status = CONF_REPLACED, .at = (offset), .max = UINT32_MAX,   \
        .instead = (today)                                                                         \
    }
#define END_OF_TABLE                                                                               \
    {                                                                                              \
        .name = NULL                                                                               \
    }

#define COUNT_MAX 65535 /* of anything in one node */

static const struct conf_word node_states[] = {
    { "UNKNOWN", CONF_NODE_UNKNOWN },
    { "IDLE", CONF_NODE_IDLE },
    { "DOWN", CONF_NODE_DOWN },
    { "DRAIN", CONF_NODE_DRAIN },
    { "FAIL", CONF_NODE_FAIL },
    { "FAILING", CONF_NODE_FAILING },
    { "FUTURE", CONF_NODE_FUTURE },
    { "CLOUD", CONF_NODE_CLOUD },
    { "UP", CONF_NODE_UNKNOWN },
    { "ALLOC", CONF_NODE_UNKNOWN },
    { "BUSY", CONF_NODE_UNKNOWN },
    { "DRAINED", CONF_NODE_DRAIN },
    { "DRAINING", CONF_NODE_DRAIN },
    { "ALLOCATED", CONF_NODE_UNKNOWN },
    { NULL, 0 },
};

static const struct conf_word bind_words[] = {
    { "auto", CPU_BIND_UNSAID },     { "none", CPU_BIND_NONE },   { "socket", CPU_BIND_SOCKETS },
    { "sockets", CPU_BIND_SOCKETS }, { "ldom", CPU_BIND_LDOMS },  { "ldoms", CPU_BIND_LDOMS },
    { "core", CPU_BIND_CORES },      { "cores", CPU_BIND_CORES }, { "thread", CPU_BIND_THREADS },
    { "threads", CPU_BIND_THREADS }, { "off", CPU_BIND_UNSAID },  { NULL, 0 },
};

static const struct conf_word part_states[] = {
    { "UP", CONF_PART_UP },
    { "DOWN", CONF_PART_DOWN },
    { "DRAIN", CONF_PART_DRAIN },
    { "INACTIVE", CONF_PART_INACTIVE },
    { NULL, 0 },
};

static const struct conf_key node_keys[] = {
    ROW(NodeName, CONF_TEXT, NODE(names), NULL),
    ROW(NodeAddr, CONF_TEXT, NODE(addrs), NULL),
    ROW(NodeHostname, CONF_TEXT, NODE(hostnames), NULL),
    LATER(BcastAddr, CONF_TEXT, NODE(bcast_addrs), NULL),
    ROW(Port, CONF_TEXT, NODE(ports), NULL),
    NUM(CPUs, NODE(cpus), NULL, 1, COUNT_MAX),
    NUM(Boards, NODE(boards), NULL, 1, COUNT_MAX),
    NUM(Sockets, NODE(sockets), NULL, 1, COUNT_MAX),
    NUM(SocketsPerBoard, NODE(sockets_per_board), NULL, 1, COUNT_MAX),
    NUM(CoresPerSocket, NODE(cores_per_socket), NULL, 1, COUNT_MAX),
    NUM(ThreadsPerCore, NODE(threads_per_core), NULL, 1, COUNT_MAX),
    ROW(RealMemory, CONF_MB, NODE(memory_mb), NULL),
    ROW(TmpDisk, CONF_MB, NODE(tmp_disk_mb), "0"),
    NUM(Weight, NODE(weight), "1", 0, UINT32_MAX - 2),
    ROW(Features, CONF_TEXT, NODE(features), NULL),
    ROW(Feature, CONF_TEXT, NODE(features), NULL),
    ROW(Gres, CONF_TEXT, NODE(gres), NULL),
    ROW(Reason, CONF_TEXT, NODE(reason), NULL),
    WORDS(State, CONF_CHOICE, NODE(state), "UNKNOWN", node_states),
    NUM(CoreSpecCount, NODE(core_spec_n), "0", 0, COUNT_MAX),
    ROW(CpuSpecList, CONF_TEXT, NODE(cpu_spec_list), NULL),
    ROW(MemSpecLimit, CONF_MB, NODE(mem_spec_mb), "0"),
    WORDS(CpuBind, CONF_CHOICE, NODE(cpu_bind), "auto", bind_words),
    OFF(Parameters),
    OFF(RestrictedCoresPerGPU),
    OFF(Topology),
    OFF(FrontendName),
    REPLACED(Procs, CONF_NUMBER, NODE(cpus), "CPUs="),
    END_OF_TABLE,
};

static const struct conf_key partition_keys[] = {
    ROW(PartitionName, CONF_TEXT, PART(name), NULL),
    ROW(Nodes, CONF_TEXT, PART(nodes_text), NULL),
    ROW(Default, CONF_YES_NO, PART(is_default), "NO"),
    WORDS(State, CONF_CHOICE, PART(state), "UP", part_states),
    ROW(MaxTime, CONF_TIME_LIMIT, PART(max_time_min), "INFINITE"),
    ROW(DefaultTime, CONF_TIME_LIMIT, PART(default_time_min), NULL),
    ROW(MinNodes, CONF_NUMBER, PART(min_nodes), "0"),
    ROW(MaxNodes, CONF_NUMBER, PART(max_nodes), "UNLIMITED"),
    ROW(Hidden, CONF_YES_NO, PART(hidden), "NO"),
    ROW(RootOnly, CONF_YES_NO, PART(root_only), "NO"),
    ROW(DisableRootJobs, CONF_YES_NO, PART(disable_root_jobs), NULL),
    ROW(AllowGroups, CONF_TEXT, PART(allow_groups), NULL),
    ROW(AllowAccounts, CONF_TEXT, PART(allow_accounts), NULL),
    ROW(DenyAccounts, CONF_TEXT, PART(deny_accounts), NULL),
    ROW(AllowQos, CONF_TEXT, PART(allow_qos), NULL),
    ROW(DenyQos, CONF_TEXT, PART(deny_qos), NULL),
    ROW(AllocNodes, CONF_TEXT, PART(alloc_nodes), NULL),
    ROW(Alternate, CONF_TEXT, PART(alternate), NULL),
    NUM(PriorityTier, PART(priority_tier), "1", 0, 65533),
    NUM(PriorityJobFactor, PART(priority_job_factor), "1", 0, 65533),
    ROW(OverSubscribe, CONF_SHARING, PART(oversubscribe), "NO"),
    ROW(OverTimeLimit, CONF_NUMBER, PART(over_time_min), NULL),
    ROW(DefMemPerNode, CONF_MEM_NODE, PART(def_mem), "0"),
    ROW(DefMemPerCPU, CONF_MEM_CPU, PART(def_mem), NULL),
    ROW(MaxMemPerNode, CONF_MEM_NODE, PART(max_mem), "0"),
    ROW(MaxMemPerCPU, CONF_MEM_CPU, PART(max_mem), NULL),
    ROW(MaxCPUsPerNode, CONF_NUMBER, PART(max_cpus_per_node), "UNLIMITED"),
    LATER(MaxCPUsPerSocket, CONF_NUMBER, PART(max_cpus_per_socket), "UNLIMITED"),
    ROW(DefCpuPerGPU, CONF_NUMBER, PART(def_cpu_per_gpu), "0"),
    ROW(DefMemPerGPU, CONF_MB, PART(def_mem_per_gpu_mb), "0"),
    ROW(LLN, CONF_YES_NO, PART(lln), "NO"),
    ROW(ExclusiveUser, CONF_YES_NO, PART(exclusive_user), "NO"),
    ROW(ReqResv, CONF_YES_NO, PART(req_resv), "NO"),
    LATER(GraceTime, CONF_NUMBER, PART(grace_time_s), "0"),
    ROW(QOS, CONF_TEXT, PART(qos), NULL),
    LATER(PreemptMode, CONF_TEXT, PART(preempt_mode), NULL),
    WORDS(SelectTypeParameters, CONF_FLAGS, PART(select_params), "NONE", conf_select_param_words),
    ROW(TRESBillingWeights, CONF_TEXT, PART(billing_weights), NULL),
    WORDS(CpuBind, CONF_CHOICE, PART(cpu_bind), "auto", bind_words),
    OFF(Exclusive),
    OFF(ExclusiveTopo),
    OFF(JobDefaults),
    OFF(PowerDownOnIdle),
    OFF(ResumeTimeout),
    OFF(SuspendTime),
    OFF(SuspendTimeout),
    OFF(Topology),
    REPLACED(MaxMemPerTask, CONF_MEM_CPU, PART(max_mem), "MaxMemPerCPU="),
    REPLACED(DefMemPerTask, CONF_MEM_CPU, PART(def_mem), "DefMemPerCPU="),
    REPLACED(Shared, CONF_SHARING, PART(oversubscribe), "OverSubscribe="),
    { .name = "Priority",
      .kind = CONF_NUMBER,
      .status = CONF_REPLACED,
      .at = PART(priority_tier), /* the loader copies it to PriorityJobFactor */
      .max = 65533,
      .instead = "PriorityTier= and PriorityJobFactor=" },
    END_OF_TABLE,
};

static const struct conf_key nodeset_keys[] = {
    ROW(NodeSet, CONF_TEXT, SET(name), NULL),
    ROW(Nodes, CONF_TEXT, SET(nodes), NULL),
    ROW(Feature, CONF_TEXT, SET(feature), NULL),
    END_OF_TABLE,
};

static const struct conf_key down_keys[] = {
    ROW(DownNodes, CONF_TEXT, NODE(names), NULL),
    ROW(Reason, CONF_TEXT, NODE(reason), NULL),
    WORDS(State, CONF_CHOICE, NODE(state), "DOWN", node_states),
    END_OF_TABLE,
};

static const struct conf_key frontend_keys[] = {
    OFF(FrontendName), OFF(FrontendAddr), OFF(Port),       OFF(Reason),    OFF(State),
    OFF(AllowGroups),  OFF(AllowUsers),   OFF(DenyGroups), OFF(DenyUsers), END_OF_TABLE,
};

const struct conf_key *conf_node_keys(void)
{
    return node_keys;
}

const struct conf_key *conf_partition_keys(void)
{
    return partition_keys;
}

const struct conf_key *conf_nodeset_keys(void)
{
    return nodeset_keys;
}

const struct conf_key *conf_down_keys(void)
{
    return down_keys;
}

const struct conf_key *conf_frontend_keys(void)
{
    return frontend_keys;
}
