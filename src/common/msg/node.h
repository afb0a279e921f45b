/* node.h - nodes and partitions: registration, reports, state, and what clients are told. */
#pragma once

#include "common/msg/cluster_event.h"
#include "common/msg/step.h"
#include "common/text/oversubscribe.h"
#include "common/text/select_flags.h"

/* Base states of a node, with Slurm's numbers. */
enum node_state {
    NODE_UNKNOWN,
    NODE_DOWN,
    NODE_IDLE,
    NODE_ALLOCATED,
    NODE_ERROR,
    NODE_MIXED,
    NODE_FUTURE,
    NODE_STATES_N,
};

enum node_flags {
    NODE_FLAG_DRAIN = 1,
    NODE_FLAG_COMPLETING = 2,
    NODE_FLAG_NO_RESPOND = 4,
    NODE_FLAG_PLANNED = 8,
    NODE_FLAG_INVALID = 16, /* has less than configured */
    NODE_FLAG_REBOOT_REQUESTED = 32,
    NODE_FLAG_REBOOT_ISSUED = 64,
    NODE_FLAG_FAIL = 128,
    NODE_FLAG_RESERVED = 256, /* in a reservation that is active */
    NODE_FLAG_MAINT = 512,    /* in one with the flag MAINT, beside the above */
};

/* A gpu that a node has found by itself. */
#define NODE_GPU(FIELD, LIST, PART)                                                                \
    FIELD(1, STR, name, FIELD_REQUIRED, "of its model, as nvidia_a100; gpu: not known")            \
    FIELD(2, STR, file, FIELD_REQUIRED, "device file")                                             \
    FIELD(3, U32S, cores, 0, "numbers of the node's cores that are near; empty: all are")
SCHEMA_DECLARE(node_gpu, NODE_GPU);

/* Generic resources of one name that a machine has. */
#define GRES_COUNT(FIELD, LIST, PART)                                                              \
    FIELD(1, STR, name, FIELD_REQUIRED, "gpu")                                                     \
    FIELD(2, U64, count, 0, "how many")
SCHEMA_DECLARE(gres_count, GRES_COUNT);

/* The hardware of a machine. */
#define NODE_HARDWARE(FIELD, LIST, PART)                                                           \
    FIELD(1, U32, cpus, 0, "logical cpus")                                                         \
    FIELD(2, U32, boards, 0, "boards")                                                             \
    FIELD(3, U32, sockets, 0, "sockets, all boards together")                                      \
    FIELD(4, U32, cores_per_socket, 0, "cores")                                                    \
    FIELD(5, U32, threads_per_core, 0, "threads")                                                  \
    FIELD(6, U64, memory_mb, 0, "real memory")                                                     \
    FIELD(7, U64, tmp_disk_mb, 0, "size of TmpFS")                                                 \
    FIELD(8, STR, arch, 0, "uname -m")                                                             \
    FIELD(9, STR, os, 0, "uname -s -r -v")                                                         \
    FIELD(10, TIME, boot_time, 0, "of the machine")                                                \
    FIELD(11, STR, cgroup_mode, 0, "v1, v2 or none")                                               \
    LIST(12, node_gpu, gpus, 0, "found by AutoDetect of gres.conf, in the order of their numbers") \
    LIST(13, gres_count, gres, 0, "of the configured: those whose device files are there")
SCHEMA_DECLARE(node_hardware, NODE_HARDWARE);

/*
 * The first message of a node's session. It tells all steps that the node holds, and ctld answers
 * with NODE_WELCOME.
 */
#define NODE_REGISTER(FIELD, LIST, PART)                                                           \
    FIELD(1, STR, name, FIELD_REQUIRED, "NodeName")                                                \
    FIELD(2, STR, boot_id, FIELD_REQUIRED, "boot identity: kernel boot id and start of pid 1")     \
    FIELD(3, STR, version, 0, "of the node daemon")                                                \
    FIELD(4, STR, host, 0, "host name")                                                            \
    FIELD(5, TIME, started, 0, "when slurmd began to serve")                                       \
    PART(6, node_hardware, hardware, FIELD_REQUIRED, "what the machine has")                       \
    LIST(7, step_report, held, 0, "every step it runs, or whose result is not forgotten")          \
    FIELD(8, U64, incarnation, 0, "highest it has seen")                                           \
    FIELD(9, U32, port, 0, "where it listens")                                                     \
    FIELD(30, U32, hooks, 0, "enum node_hooks: programs that its slurm.conf names")                \
    FIELD(40, U64, conf_age_ms, 0, "since it last read its configuration")
SCHEMA_DECLARE(node_register, NODE_REGISTER);

#define NODE_WELCOME(FIELD, LIST, PART)                                                            \
    FIELD(1, U64, incarnation, FIELD_REQUIRED, "lower ones are to be refused from now on")         \
    FIELD(2, STR, key_credential, FIELD_REQUIRED, "over an encoded controller_key")                \
    FIELD(3, U32, heartbeat_ms, 0, "between heartbeats; three missed end the session")
SCHEMA_DECLARE(node_welcome, NODE_WELCOME);

#define CONTROLLER_KEY_LABEL "sluice controller key 1"

/* The payload of node_welcome's key_credential, which SlurmUser (or root) makes for root alone. */
#define CONTROLLER_KEY(FIELD, LIST, PART)                                                          \
    FIELD(1, STR, label, FIELD_REQUIRED | FIELD_CRITICAL, "CONTROLLER_KEY_LABEL")                  \
    FIELD(2, STR, cluster, FIELD_REQUIRED | FIELD_CRITICAL, "ClusterName")                         \
    FIELD(3, U64, incarnation, FIELD_REQUIRED | FIELD_CRITICAL, "of the controller's state")       \
    FIELD(4, BLOB, key, FIELD_REQUIRED | FIELD_CRITICAL, "Ed25519 public key, 32 bytes")
SCHEMA_DECLARE(controller_key, CONTROLLER_KEY);

/* Sent when a job's last process on the node is gone, and from time to time with the load. */
#define NODE_REPORT(FIELD, LIST, PART)                                                             \
    FIELD(1, U32S, clean_jobs, 0, "jobs that ORDER_END named and of which nothing is left")        \
    FIELD(2, U32, load_percent, 0, "load average of 1 minute, times 100")                          \
    FIELD(3, U64, free_memory_mb, 0, "free memory")                                                \
    PART(4, node_hardware, hardware, 0, "when it is no longer what was told last")
SCHEMA_DECLARE(node_report, NODE_REPORT);

/* The progress of scontrol reboot. */
enum node_reboot_state { NODE_REBOOT_NONE, NODE_REBOOT_REQUESTED, NODE_REBOOT_ISSUED };
/* Whether a node is in state FUTURE. What an operator has set outlives slurm.conf. */
enum node_future { NODE_FUTURE_AS_CONFIGURED, NODE_FUTURE_SAID, NODE_FUTURE_OVER };

enum node_reboot_next { NODE_REBOOT_AS_BEFORE, NODE_REBOOT_THEN_RESUME, NODE_REBOOT_THEN_DOWN };

/* The durable part of a node. */
#define NODE_RECORD(FIELD, LIST, PART)                                                             \
    FIELD(1, STR, name, FIELD_REQUIRED, "NodeName")                                                \
    FIELD(2, BOOL, down, 0, "set by an operator or after SlurmdTimeout")                           \
    FIELD(3, BOOL, drain, 0, "takes no new work")                                                  \
    FIELD(4, STR, reason, 0, "why")                                                                \
    FIELD(5, U32, reason_uid, 0, "who said so")                                                    \
    FIELD(6, TIME, reason_time, 0, "when")                                                         \
    FIELD(7, STR, boot_id, 0, "of the last registration")                                          \
    PART(8, node_hardware, hardware, 0, "of the last registration")                                \
    FIELD(9, BOOL, down_unexpected, 0, "lost, not set down by an operator: may return by itself")  \
    FIELD(10, TIME, last_busy, 0, "last moment it had work")                                       \
    FIELD(11, STR, version, 0, "of its daemon")                                                    \
    FIELD(12, TIME, slurmd_start, 0, "when its daemon started")                                    \
    FIELD(20, ENUM, reboot, 0, "enum node_reboot_state")                                           \
    FIELD(21, BOOL, reboot_asap, 0, "drained for that")                                            \
    FIELD(22, ENUM, reboot_next, 0, "enum node_reboot_next")                                       \
    FIELD(23, I64, reboot_cluster_ms, 0, "cluster time at which it was told to")                   \
    FIELD(24, BOOL, fail, 0, "takes no new work: it is about to fail")                             \
    FIELD(25, STR, comment, 0, "an operator's")                                                    \
    FIELD(26, STR, extra, 0, "an operator's")                                                      \
    FIELD(27, I64, resume_cluster_ms, 0, "ResumeAfter=: cluster time at which it is resumed")      \
    FIELD(28, TIME, resume_time, 0, "and what the clock is to say by then")                        \
    FIELD(29, STR, instance_id, 0, "an operator's")                                                \
    FIELD(30, STR, instance_type, 0, "an operator's")                                              \
    FIELD(31, ENUM, future, 0, "enum node_future: kept from work and from sight")                  \
    FIELD(32, STR, reason_detail, 0, "more than Slurm's word for it: program, status, stderr")     \
    PART(33, cluster_event, outage, 0, "it can not be used: what is kept of that")
SCHEMA_DECLARE(node_record, NODE_RECORD);

/*
 * Devices of one kind that are alike: those of one line of gres.conf, or those that only slurm.conf
 * names.
 */
#define GRES_INFO(FIELD, LIST, PART)                                                               \
    FIELD(1, STR, name, FIELD_REQUIRED, "gpu")                                                     \
    FIELD(2, STR, type, 0, "absent: none")                                                         \
    FIELD(3, U64, count, 0, "how many")                                                            \
    FIELD(4, STRS, files, 0, "device files, one each (or a comma list); empty: they have none")    \
    FIELD(5, U32S, cores, 0, "numbers of the node's cores that are near; empty: all are")          \
    FIELD(6, U32, gpu_env, 0, "enum gpu_env")                                                      \
    FIELD(7, BOOL, found, 0, "AutoDetect: the node tells their files and cores")
SCHEMA_DECLARE(gres_info, GRES_INFO);

#define NODE_INFO(FIELD, LIST, PART)                                                               \
    PART(1, node_record, node, FIELD_REQUIRED, "the durable part")                                 \
    FIELD(2, ENUM, state, 0, "enum node_state")                                                    \
    FIELD(3, U32, flags, 0, "enum node_flags")                                                     \
    FIELD(4, STR, address, 0, "NodeAddr, or where it registered from")                             \
    FIELD(5, STR, host, 0, "NodeHostName")                                                         \
    FIELD(6, U32, port, 0, "SlurmdPort")                                                           \
    FIELD(7, U32, cpus, 0, "configured")                                                           \
    FIELD(8, U32, boards, 0, "configured")                                                         \
    FIELD(9, U32, sockets, 0, "configured")                                                        \
    FIELD(10, U32, cores_per_socket, 0, "configured")                                              \
    FIELD(11, U32, threads_per_core, 0, "configured")                                              \
    FIELD(12, U64, memory_mb, 0, "configured")                                                     \
    FIELD(13, U64, tmp_disk_mb, 0, "configured")                                                   \
    FIELD(14, U32, weight, 0, "configured")                                                        \
    FIELD(15, STR, features, 0, "configured")                                                      \
    FIELD(16, STR, gres, 0, "configured")                                                          \
    FIELD(17, U32, alloc_cpus, 0, "held by jobs")                                                  \
    FIELD(18, U64, alloc_memory_mb, 0, "held by jobs")                                             \
    FIELD(19, COUNT, load_percent, 0, "load average times 100")                                    \
    FIELD(20, MB, free_memory_mb, 0, "as last reported")                                           \
    FIELD(21, STRS, partitions, 0, "it belongs to")                                                \
    FIELD(22, TIME, now, 0, "controller's clock when this was written")                            \
    FIELD(23, TIME, last_seen, 0, "last sign of life")                                             \
    FIELD(24, U32, core_spec_count, 0, "configured")                                               \
    FIELD(25, U64, mem_spec_limit_mb, 0, "configured")                                             \
    FIELD(26, STR, cpu_spec_list, 0, "CpuSpecList=: cpus left to the system")                      \
    LIST(27, gres_info, devices, 0, "configured, by gres.conf and Gres=")                          \
    FIELD(28, STR, gres_used, 0, "held by jobs: gpu:a:1(IDX:0),ssd:2")                             \
    FIELD(70, U32, cpu_bind, 0, "CpuBind=: enum cpu_bind_kind")                                    \
    FIELD(71, STR, active_features, 0, "those of `features` that jobs find there")                 \
    FIELD(72, BOOL, address_told, 0, "by an operator: it counts wherever the node registers from") \
    FIELD(73, COUNT, billing, 0, "the most that weights of its partitions make of it")             \
    FIELD(74, BOOL, future, 0, "State=FUTURE in slurm.conf")                                       \
    FIELD(75, STR, reservation, 0, "the active reservation that it is in; absent: none")
SCHEMA_DECLARE(node_info, NODE_INFO);

#define NODE_LIST(FIELD, LIST, PART)                                                               \
    FIELD(1, HOSTS, names, 0, "only these; an unknown one is an error")                            \
    FIELD(2, BOOL, hide, 0, "leave out those in no partition but hidden ones")                     \
    FIELD(3, U32, job_id, 0, "those of this job, which its owner may always see")                  \
    FIELD(4, BOOL, future, 0, "with those in State=FUTURE")
SCHEMA_DECLARE(node_list, NODE_LIST);

enum node_update_state {
    NODE_UPDATE_NONE,
    NODE_UPDATE_DOWN,
    NODE_UPDATE_DRAIN,
    NODE_UPDATE_RESUME,
    NODE_UPDATE_UNDRAIN,
    NODE_UPDATE_IDLE,
    NODE_UPDATE_FAIL,
    NODE_UPDATE_CANCEL_REBOOT,
    NODE_UPDATE_FUTURE,
    NODE_UPDATE_NO_RESPOND,
};

#define NODE_UPDATE(FIELD, LIST, PART)                                                             \
    FIELD(1, HOSTS, names, FIELD_REQUIRED, "nodes to change")                                      \
    FIELD(2, ENUM, state, 0, "enum node_update_state")                                             \
    FIELD(3, STR, reason, FIELD_LINES, "absent: keep; empty: none")                                \
    FIELD(4, STR, comment, FIELD_LINES, "likewise")                                                \
    FIELD(5, STR, extra, FIELD_LINES, "likewise")                                                  \
    FIELD(6, COUNT, weight, 0, "of slurm.conf, as all below; absent: keep")                        \
    FIELD(7, STR, features, 0, "absent: keep; empty: none")                                        \
    FIELD(8, STR, active_features, 0, "of these; absent: keep, or all when they are new")          \
    FIELD(9, STR, gres, 0, "absent: keep; empty: none")                                            \
    FIELD(10, COUNT, cpu_bind, 0, "enum cpu_bind_kind")                                            \
    FIELD(11, HOSTS, addresses, 0, "NodeAddr, one for each node")                                  \
    FIELD(12, HOSTS, hosts, 0, "NodeHostName, one for each node")                                  \
    FIELD(13, COUNT, resume_after_s, 0, "with DOWN or DRAIN; absent: keep; infinite: never")       \
    FIELD(14, HOSTS, instance_ids, 0, "one for all or for each; absent: keep; empty: none")        \
    FIELD(15, HOSTS, instance_types, 0, "likewise")
SCHEMA_DECLARE(node_update, NODE_UPDATE);

#define NODE_REBOOT(FIELD, LIST, PART)                                                             \
    FIELD(1, HOSTS, names, FIELD_REQUIRED, "nodes to reboot")                                      \
    FIELD(2, BOOL, asap, 0, "no new work before")                                                  \
    FIELD(3, ENUM, next, 0, "enum node_reboot_next")                                               \
    FIELD(4, STR, reason, FIELD_LINES, "absent: a usual one")
SCHEMA_DECLARE(node_reboot, NODE_REBOOT);

#define PARTITION_LIST(FIELD, LIST, PART)                                                          \
    FIELD(1, STRS, names, 0, "only these")                                                         \
    FIELD(2, BOOL, hide, 0, "leave out what is hidden from who asks")
SCHEMA_DECLARE(partition_list, PARTITION_LIST);

enum partition_verb { PARTITION_UPDATE, PARTITION_CREATE, PARTITION_DELETE };

#define PARTITION_CHANGE(FIELD, LIST, PART)                                                        \
    FIELD(1, ENUM, verb, 0, "enum partition_verb")                                                 \
    FIELD(2, STR, name, FIELD_REQUIRED, "PartitionName")                                           \
    FIELD(3, STRS, pairs, 0, "Key=Value with the keys of slurm.conf")
SCHEMA_DECLARE(partition_change, PARTITION_CHANGE);

enum partition_state {
    PARTITION_UP,
    PARTITION_DOWN,     /* queues jobs, starts none */
    PARTITION_DRAIN,    /* starts what is queued, takes none */
    PARTITION_INACTIVE, /* neither */
};

#define PARTITION_INFO(FIELD, LIST, PART)                                                          \
    FIELD(1, STR, name, FIELD_REQUIRED, "PartitionName")                                           \
    FIELD(2, HOSTS, nodes, 0, "its nodes")                                                         \
    FIELD(3, BOOL, is_default, 0, "Default=YES")                                                   \
    FIELD(4, ENUM, state, 0, "enum partition_state")                                               \
    FIELD(5, LIMIT, max_time, 0, "seconds")                                                        \
    FIELD(6, LIMIT, default_time, 0, "seconds")                                                    \
    FIELD(7, U32, min_nodes, 0, "a job may ask")                                                   \
    FIELD(8, COUNT, max_nodes, 0, "a job may ask")                                                 \
    FIELD(9, COUNT, max_cpus_per_node, 0, "a job may use")                                         \
    FIELD(10, MB, def_mem_per_cpu, 0, "for jobs that do not ask")                                  \
    FIELD(11, MB, def_mem_per_node, 0, "for jobs that do not ask")                                 \
    FIELD(12, MB, max_mem_per_cpu, 0, "most a job may ask")                                        \
    FIELD(13, MB, max_mem_per_node, 0, "most a job may ask")                                       \
    FIELD(14, U32, priority_tier, 0, "PriorityTier")                                               \
    FIELD(15, U32, priority_job_factor, 0, "PriorityJobFactor")                                    \
    FIELD(16, STR, oversubscribe, 0, "NO, EXCLUSIVE, YES:4, FORCE:4")                              \
    FIELD(17, BOOL, hidden, 0, "Hidden=YES")                                                       \
    FIELD(18, BOOL, root_only, 0, "RootOnly=YES")                                                  \
    FIELD(19, BOOL, no_root_jobs, 0, "DisableRootJobs=YES")                                        \
    FIELD(20, BOOL, exclusive_user, 0, "ExclusiveUser=YES")                                        \
    FIELD(21, BOOL, lln, 0, "LLN=YES")                                                             \
    FIELD(22, STR, allow_groups, 0, "absent: all")                                                 \
    FIELD(23, STR, allow_accounts, 0, "absent: all")                                               \
    FIELD(24, STR, deny_accounts, 0, "absent: none")                                               \
    FIELD(25, STR, allow_qos, 0, "absent: all")                                                    \
    FIELD(26, STR, qos, 0, "of the partition")                                                     \
    FIELD(27, STR, alternate, 0, "Alternate=")                                                     \
    FIELD(28, U32, total_cpus, 0, "of its nodes")                                                  \
    FIELD(29, U32, total_nodes, 0, "in it")                                                        \
    FIELD(30, U32, grace_time_s, 0, "before preemption")                                           \
    FIELD(31, STR, preempt_mode, 0, "PreemptMode=")                                                \
    FIELD(32, LIMIT, over_time, 0, "OverTimeLimit=, seconds")                                      \
    FIELD(33, BOOL, reservation_only, 0, "ReqResv=YES")                                            \
    FIELD(34, STR, select_params, 0, "SelectTypeParameters=; absent: those of the cluster")        \
    FIELD(35, COUNT, max_cpus_per_socket, 0, "a job may use")                                      \
    FIELD(36, COUNT, def_cpu_per_gpu, 0, "DefCpuPerGPU=")                                          \
    FIELD(37, MB, def_mem_per_gpu, 0, "DefMemPerGPU=")                                             \
    FIELD(38, STR, deny_qos, 0, "absent: none")                                                    \
    FIELD(39, STR, alloc_nodes, 0, "hosts that may submit; absent: all")                           \
    FIELD(40, STR, billing_weights, 0, "TRESBillingWeights=: see common/text/tres_weights.h")      \
    FIELD(41, ENUM, share, 0, "enum oversubscribe_mode")                                           \
    FIELD(42, U32, share_max, 0, "jobs on one cpu, with YES and FORCE")                            \
    FIELD(43, U32, select, 0, "enum select_flags of SelectTypeParameters=; 0: the cluster's")      \
    FIELD(70, U32, cpu_bind, 0, "CpuBind=: enum cpu_bind_kind")                                    \
    FIELD(71, U64, total_memory_mb, 0, "of its nodes")                                             \
    FIELD(72, STR, total_gres, 0, "of its nodes, as gres_format writes it")                        \
    FIELD(73, COUNT, total_billing, 0, "what billing_weights make of its nodes; absent: cpus")
SCHEMA_DECLARE(partition_info, PARTITION_INFO);

/* A switch of topology.conf. */
#define SWITCH_INFO(FIELD, LIST, PART)                                                             \
    FIELD(1, STR, name, FIELD_REQUIRED, "SwitchName")                                              \
    FIELD(2, U32, level, 0, "0: nodes are connected to it; else 1 above its highest switch")       \
    FIELD(3, HOSTS, nodes, 0, "connected to it or to switches below it")                           \
    FIELD(4, HOSTS, switches, 0, "connected to it, one level down")                                \
    FIELD(5, COUNT, parent, 0, "position in the list of switches; absent: it is a top one")        \
    FIELD(6, STR, link_speed, 0, "LinkSpeed=, only shown")
SCHEMA_DECLARE(switch_info, SWITCH_INFO);

/* A license that jobs may ask for: of Licenses=, or the cluster's share of a resource. */
#define LICENSE_INFO(FIELD, LIST, PART)                                                            \
    FIELD(1, STR, name, FIELD_REQUIRED, "name, of a resource name@server")                         \
    FIELD(2, U32, total, 0, "of this cluster")                                                     \
    FIELD(3, U32, used, 0, "held by jobs; not kept")                                               \
    FIELD(4, BOOL, is_remote, 0, "of a resource")                                                  \
    FIELD(5, U32, last_consumed, 0, "LastConsumed of the resource")                                \
    FIELD(6, U32, last_deficit, 0, "of total, taken by whom nobody knows")                         \
    FIELD(7, TIME, last_update, 0, "when the resource was changed")                                \
    FIELD(8, U32, reserved, 0, "by reservations that are active; not kept")
SCHEMA_DECLARE(license_info, LICENSE_INFO);

/* Appends the state as scontrol prints it: "IDLE", "MIXED+DRAIN". */
void node_state_format(uint32_t state, uint32_t flags, struct strbuf *out);
