/*
 * step.h - steps: what is asked, the order to launch one on a node, and what nodes report.
 *
 * A batch script is the step STEP_BATCH of its job. The way of an order: the controller writes a
 * launch_body (the same bytes for every node of the step) and, for each node, a launch_cred that
 * holds the body's SHA-256, and signs the credential's bytes with its Ed25519 key. The monitor
 * checks the signature, the credential and the hash, and never parses the body; the step's user
 * side does, as the user.
 */
#pragma once

#include "common/msg/common.h"
#include "common/text/distribution.h"

/* Step numbers that are not counted, with Slurm's values. */
#define STEP_INTERACTIVE UINT32_C(0xfffffffa)
#define STEP_BATCH       UINT32_C(0xfffffffb)
#define STEP_EXTERN      UINT32_C(0xfffffffc)
#define STEP_MAX         UINT32_C(0xfffffff0)

/*
 * Marks the name of an abstract Unix socket among the addresses of srun, for steps on srun's own
 * host. Addresses are tried in their order, and this one comes first.
 */
#define STEP_IO_LOCAL "@unix:"

/*
 * What a node runs for a user in place of a command. Such a step lasts a while, has a number of its
 * own kind, and is in no list and no history.
 */
enum step_service {
    STEP_SERVICE_NONE,
    STEP_SERVICE_RECEIVE, /* the receiver of sbcast (bcast.h) */
    STEP_SERVICE_EXTERN,  /* the process of STEP_EXTERN: it waits to be ended */
    STEP_SERVICES_N,
};

/* The first number of steps that are services; all are below STEP_MAX. */
#define STEP_SERVICE_MIN UINT32_C(0xf0000000)

/*
 * Called by the first name the program is the receiver, by the second the process of STEP_EXTERN.
 */
#define RECEIVER_ROLE "sluice-receive"
#define EXTERN_ROLE   "sluice-extern"

static inline bool step_is_service(uint32_t step_id)
{
    return step_id >= STEP_SERVICE_MIN && step_id < STEP_MAX;
}

enum open_mode { OPEN_DEFAULT, OPEN_APPEND, OPEN_TRUNCATE };

enum step_state {
    STEP_PENDING,  /* waits for cpus of its job */
    STEP_STARTING, /* orders are out */
    STEP_RUNNING,  /* every node has started its tasks */
    STEP_ENDING,   /* it was told to end */
    STEP_ENDED,
};

/* Soft limits by Linux's RLIMIT_ number; UINT64_MAX is unlimited. */
#define RLIMIT_SPEC(FIELD, LIST, PART)                                                             \
    FIELD(1, U32, resource, 0, "RLIMIT_ number")                                                   \
    FIELD(2, U64, soft, 0, "UINT64_MAX: unlimited")
SCHEMA_DECLARE(rlimit_spec, RLIMIT_SPEC);

/* Returns the name of a limit, such as "NOFILE", or NULL when Linux has no such limit. */
const char *rlimit_name(uint32_t resource);

/* One of several programs that the tasks of a step run. */
#define STEP_PROGRAM(FIELD, LIST, PART)                                                            \
    FIELD(1, U32S, tasks, 0, "numbers of those that run it")                                       \
    FIELD(2, STRS, argv, FIELD_RAW,                                                                \
          "%t: the task's number, %o: its place among tasks, %%: a percent sign")                  \
    FIELD(3, BOOL, others, 0, "all that no other names: %o is the number, too")
SCHEMA_DECLARE(step_program, STEP_PROGRAM);

#define STEP_SPEC(FIELD, LIST, PART)                                                               \
    FIELD(1, STR, name, 0, "of the command, shown by squeue -s")                                   \
    FIELD(2, COUNT, min_nodes, 0, "fewest nodes")                                                  \
    FIELD(3, COUNT, max_nodes, 0, "most nodes")                                                    \
    FIELD(4, COUNT, ntasks, 0, "tasks")                                                            \
    FIELD(5, COUNT, cpus_per_task, 0, "cpus for each")                                             \
    FIELD(6, COUNT, ntasks_per_node, 0, "tasks on each node")                                      \
    FIELD(60, ENUM, service, FIELD_CRITICAL, "enum step_service: in place of a command")           \
    FIELD(7, MB, mem_per_node, 0, "--mem; absent: its share of the job's")                         \
    FIELD(8, MB, mem_per_cpu, 0, "--mem-per-cpu")                                                  \
    FIELD(9, LIMIT, time_limit, 0, "seconds")                                                      \
    FIELD(10, HOSTS, req_nodes, 0, "must be used")                                                 \
    FIELD(11, HOSTS, exc_nodes, 0, "must not be used")                                             \
    FIELD(12, COUNT, relative, 0, "first node, counted in the allocation")                         \
    FIELD(13, BOOL, overlap, 0, "shares cpus with other steps")                                    \
    FIELD(14, BOOL, exact, 0, "only the cpus it asks for")                                         \
    FIELD(15, BOOL, overcommit, 0, "more tasks than cpus are fine")                                \
    FIELD(16, BOOL, immediate, 0, "refuse rather than wait")                                       \
    FIELD(17, BOOL, kill_on_bad_exit, 0, "a task that fails ends the step")                        \
    FIELD(18, U32, wait_s, 0, "seconds after the first exit until the rest is ended; 0: never")    \
    FIELD(19, ENUM, distribution, 0, "enum distribution")                                          \
    FIELD(20, STRS, argv, FIELD_RAW, "the command")                                                \
    FIELD(21, BLOB, environment_sha256, 0, "of the tasks")                                         \
    FIELD(22, STR, work_dir, FIELD_RAW, "where the tasks start")                                   \
    FIELD(23, STR, std_in, FIELD_RAW, "pattern opened on the node; absent: from srun")             \
    FIELD(24, STR, std_out, FIELD_RAW, "pattern opened on the node; absent: to srun")              \
    FIELD(25, STR, std_err, FIELD_RAW, "pattern opened on the node; absent: to srun")              \
    FIELD(26, ENUM, open_mode, 0, "enum open_mode")                                                \
    FIELD(27, U32, umask, 0, "of srun")                                                            \
    LIST(28, rlimit_spec, limits, 0, "soft limits to propagate")                                   \
    FIELD(29, STRS, io_addresses, 0, "host:port where srun listens, best first; STEP_IO_LOCAL")    \
    FIELD(30, BLOB, io_token, FIELD_SECRET, "random; the step shows it to srun")                   \
    FIELD(31, BOOL, pty, 0, "task 0 gets a terminal")                                              \
    FIELD(32, STR, submit_line, FIELD_RAW, "the whole command line")                               \
    FIELD(33, STR, srun_host, 0, "where srun runs")                                                \
    FIELD(34, U32, srun_pid, 0, "its pid there")                                                   \
    FIELD(35, STR, token, 0, "made by the client; a second request with it gives the same step")   \
    FIELD(36, BOOL, no_kill, 0, "goes on when one of its nodes fails")                             \
    FIELD(37, COUNT, stdin_task, 0, "only this task gets srun's stdin; COUNT_INFINITE: none")      \
    FIELD(38, COUNT, plane_size, 0, "tasks in a block of DIST_PLANE")                              \
    FIELD(39, ENUM, pack, 0, "enum pack")                                                          \
    FIELD(40, BOOL, preserve_env, 0, "its tasks see the size that srun's environment tells")       \
    FIELD(41, BOOL, no_gres, 0, "--gres=none: uses none of its job's")                             \
    FIELD(42, STR, tres_per_node, 0, "--gres, --gpus-per-node; all three absent: as its job")      \
    FIELD(43, STR, tres_per_step, 0, "--gpus")                                                     \
    FIELD(44, STR, tres_per_task, 0, "--gpus-per-task")                                            \
    FIELD(45, STR, gpu_bind, 0, "--gpu-bind: see common/text/gpubind.h; absent: none")             \
    LIST(46, step_program, programs, 0, "instead of argv, for --multi-prog")                       \
    FIELD(47, BOOL, label, 0, "files on nodes get the task's number before every line")            \
    FIELD(48, BOOL, stopped, 0, "tasks stop before their program starts, for a debugger")          \
    FIELD(49, STR, mpi, 0, "--mpi: how its tasks find one another; absent: none")                  \
    FIELD(50, BOOL, gres_as_job, 0, "its job asked for the gres below, and it gets them as that")  \
    FIELD(51, STR, tres_per_socket, 0, "--gpus-per-socket; only with gres_as_job")                 \
    FIELD(52, COUNT, cpus_per_gpu, 0, "--cpus-per-gpu, for show; its job's cpus follow from it")   \
    FIELD(53, MB, mem_per_gpu, 0, "--mem-per-gpu, for show")                                       \
    FIELD(54, COUNT, ntasks_per_gpu, 0, "--ntasks-per-gpu: gives ntasks where that is absent")     \
    FIELD(55, STR, gpu_freq, 0, "--gpu-freq, for show")                                            \
    FIELD(70, STR, cpu_bind, 0, "--cpu-bind: see common/text/cpubind.h; absent: not said")         \
    FIELD(71, BOOL, cpu_unbound, 0, "tasks use all cpus of the step, and hear of no binding")      \
    FIELD(72, ENUM, dist_sockets, 0, "--distribution over sockets: enum distribution")             \
    FIELD(73, COUNT, threads_per_core, 0, "--threads-per-core")                                    \
    FIELD(74, COUNT, ntasks_per_core, 0, "--ntasks-per-core")                                      \
    FIELD(75, STR, mem_bind, 0, "--mem-bind: see common/text/membind.h; absent: not said")         \
    FIELD(80, BOOL, program_by_node, 0, "argv[0] goes on with '_' and the node's name: --bcast")   \
    FIELD(90, BOOL, patient, 0, "srun runs a program before it answers: nodes wait for that")      \
    FIELD(91, STR, task_prolog, FIELD_RAW, "--task-prolog: after TaskProlog, before each task")    \
    FIELD(92, STR, task_epilog, FIELD_RAW, "--task-epilog: before TaskEpilog, after each task")    \
    FIELD(93, U32, node_level, 0, "--slurmd-debug: enum log_level")                                \
    FIELD(94, ENUM, oom_kill, 0, "--oom-kill-step: enum oom_kill; default: as the job")
SCHEMA_DECLARE(step_spec, STEP_SPEC);

/* Whether a whole step ends when one of its processes is killed for memory. */
enum oom_kill { OOM_KILL_DEFAULT, OOM_KILL_PROCESS, OOM_KILL_STEP };

/* Whether a node is filled before the next one; by default CR_Pack_Nodes decides. */
enum pack { PACK_DEFAULT, PACK_NODES, PACK_NO_NODES };

/*
 * The wait status of a task that was killed for lack of memory. The value is Slurm's, shown as
 * 0:125.
 */
#define OUT_OF_MEMORY_STATUS 125

#define TASK_EXIT(FIELD, LIST, PART)                                                               \
    FIELD(1, U32, task, 0, "number in the step")                                                   \
    FIELD(2, I32, status, 0, "wait status")
SCHEMA_DECLARE(task_exit, TASK_EXIT);

/* What one task and its children used from its start to its end. */
#define TASK_USAGE(FIELD, LIST, PART)                                                              \
    FIELD(1, U32, task, 0, "number in the step")                                                   \
    FIELD(2, U64, user_us, 0, "cpu time in programs")                                              \
    FIELD(3, U64, system_us, 0, "cpu time in the kernel")                                          \
    FIELD(4, U64, memory_kb, 0, "most resident memory at one time")                                \
    FIELD(5, U64, virtual_kb, 0, "most address space at one time")                                 \
    FIELD(6, U64, pages, 0, "page faults that had to read")                                        \
    FIELD(7, U64, read_bytes, 0, "by read(2) and its like")                                        \
    FIELD(8, U64, written_bytes, 0, "by write(2) and its like")
SCHEMA_DECLARE(task_usage, TASK_USAGE);

/* One amount over all tasks of a step. Nodes are positions in the step's list of nodes. */
#define USAGE_SPREAD(FIELD, LIST, PART)                                                            \
    FIELD(1, U64, total, 0, "of all tasks")                                                        \
    FIELD(2, U64, max, 0, "of the task that used most")                                            \
    FIELD(3, U32, max_node, 0, "where that is")                                                    \
    FIELD(4, U32, max_task, 0, "its number")                                                       \
    FIELD(5, U64, min, 0, "of the task that used least")                                           \
    FIELD(6, U32, min_node, 0, "where that is")                                                    \
    FIELD(7, U32, min_task, 0, "its number")
SCHEMA_DECLARE(usage_spread, USAGE_SPREAD);

#define STEP_USAGE(FIELD, LIST, PART)                                                              \
    FIELD(1, U32, tasks, 0, "that have told what they used")                                       \
    FIELD(2, U64, user_us, 0, "cpu time, also of processes that left their task")                  \
    FIELD(3, U64, system_us, 0, "the same")                                                        \
    FIELD(4, U64, peak_memory_kb, 0, "most that one node counted for the step; 0: not known")      \
    PART(5, usage_spread, cpu_us, 0, "user and system together")                                   \
    PART(6, usage_spread, memory_kb, 0, "see task_usage")                                          \
    PART(7, usage_spread, virtual_kb, 0, "see task_usage")                                         \
    PART(8, usage_spread, pages, 0, "see task_usage")                                              \
    PART(9, usage_spread, read_bytes, 0, "see task_usage")                                         \
    PART(10, usage_spread, written_bytes, 0, "see task_usage")
SCHEMA_DECLARE(step_usage, STEP_USAGE);

/* Bits for the vendors whose variables tell tasks the gpus they may use. */
enum gpu_env {
    GPU_ENV_NVIDIA = 1, /* CUDA_VISIBLE_DEVICES */
    GPU_ENV_AMD = 2,    /* ROCR_VISIBLE_DEVICES */
    GPU_ENV_INTEL = 4,  /* ZE_AFFINITY_MASK */
    GPU_ENV_OPENCL = 8, /* GPU_DEVICE_ORDINAL */
    GPU_ENV_ALL = 15,
};

/* Returns the variable of the i-th bit of enum gpu_env. */
#define GPU_ENV_N 4
const char *gpu_env_name(uint32_t i);

/* The cores that are near one device. */
#define GRES_NEAR(FIELD, LIST, PART) FIELD(1, U32S, cores, 0, "of the node; empty: all are")
SCHEMA_DECLARE(gres_near, GRES_NEAR);

/* Generic resources of one name and type that a job or a step holds on a node. */
#define JOB_GRES(FIELD, LIST, PART)                                                                \
    FIELD(1, STR, name, FIELD_REQUIRED, "gpu")                                                     \
    FIELD(2, STR, type, 0, "absent: none")                                                         \
    FIELD(3, U64, count, 0, "how many")                                                            \
    FIELD(4, U32S, devices, 0, "their numbers among the node's of this name; empty: only counted") \
    FIELD(5, BOOL, unnamed, 0, "the devices have no files: which ones means nothing to people")    \
    FIELD(6, U32, gpu_env, 0, "enum gpu_env; only in launch bodies")                               \
    LIST(7, gres_near, near, 0, "for each of `devices`; only in launch bodies, --gpu-bind=closest")
SCHEMA_DECLARE(job_gres, JOB_GRES);

/* One node of a step. */
#define STEP_NODE(FIELD, LIST, PART)                                                               \
    FIELD(1, STR, name, FIELD_REQUIRED, "NodeName")                                                \
    FIELD(2, U32S, tasks, 0, "numbers of the tasks that run there")                                \
    FIELD(3, U32S, cpus, 0, "numbers of the node's cpus")                                          \
    FIELD(4, MB, memory, 0, "limit there")                                                         \
    FIELD(5, ENUM, state, 0, "enum step_state, of this node")                                      \
    FIELD(6, STR, boot_id, 0, "boot identity that the order was made for")                         \
    LIST(7, job_gres, gres, 0, "generic resources of its job that it may use there")
SCHEMA_DECLARE(step_node, STEP_NODE);

#define STEP_RECORD(FIELD, LIST, PART)                                                             \
    FIELD(1, U32, job_id, FIELD_REQUIRED, "its job")                                               \
    FIELD(2, U32, step_id, 0, "number, or STEP_BATCH ...")                                         \
    PART(3, step_spec, spec, 0, "what was asked; absent for the batch step")                       \
    FIELD(4, STR, name, 0, "shown by sacct")                                                       \
    FIELD(5, U32, uid, 0, "owner")                                                                 \
    FIELD(6, ENUM, state, 0, "enum step_state")                                                    \
    FIELD(7, ENUM, end_state, 0, "enum job_state, when ended")                                     \
    FIELD(8, TIME, start_time, 0, "orders sent")                                                   \
    FIELD(9, TIME, end_time, 0, "last node done")                                                  \
    FIELD(10, I64, start_cluster_ms, 0, "cluster time of the start")                               \
    LIST(11, step_node, nodes, 0, "layout, in node order")                                         \
    FIELD(12, HOSTS, node_list, 0, "the same as an expression")                                    \
    FIELD(13, U32, ntasks, 0, "tasks")                                                             \
    FIELD(14, U32, cpus_per_task, 0, "cpus for each")                                              \
    FIELD(15, U32, ncpus, 0, "cpus held")                                                          \
    FIELD(16, I32, exit_status, 0, "highest wait status of its tasks")                             \
    FIELD(17, U32, launch_number, 0, "of its job when it was made")                                \
    FIELD(18, I32, kill_signal, 0, "what it was told to end with")                                 \
    FIELD(19, COUNT, ended_by, 0, "uid that cancelled it")                                         \
    FIELD(20, BLOB, body_sha256, 0, "of the launch body, kept as a blob until the step ends")      \
    FIELD(21, STR, partition, 0, "of its job")                                                     \
    PART(22, step_usage, usage, 0, "of the nodes that have ended it; absent: none has told yet")   \
    FIELD(23, U32, array_job_id, 0, "of its job: the job array's id; 0: no part of one")           \
    FIELD(24, COUNT, array_task, 0, "its number there")                                            \
    FIELD(25, ENUM, unrecorded, 0, "of its job: enum unrecorded")
SCHEMA_DECLARE(step_record, STEP_RECORD);

/* Starts a step. Answered by a stream of STEP_EVENTs that lasts as long as the step. */
#define STEP_RUN(FIELD, LIST, PART)                                                                \
    FIELD(1, U32, job_id, FIELD_REQUIRED, "allocation to run in")                                  \
    PART(2, step_spec, step, FIELD_REQUIRED, "the step; its blobs went before")
SCHEMA_DECLARE(step_run, STEP_RUN);

enum step_event_kind {
    STEP_EVENT_WAITING,     /* queued behind other steps; `text` says which hold what */
    STEP_EVENT_CREATED,     /* has its layout, orders are going out */
    STEP_EVENT_NODE_FAILED, /* `node` is gone or could not launch; `text` says why */
    STEP_EVENT_NODE_ENDED,  /* `node` has reported: `exits` */
    STEP_EVENT_ENDED,       /* over */
    STEP_EVENT_ENDING,      /* somebody ends it before its time */
};

#define STEP_EVENT(FIELD, LIST, PART)                                                              \
    FIELD(1, ENUM, kind, 0, "enum step_event_kind")                                                \
    PART(2, step_record, step, 0, "as it is now; without spec")                                    \
    FIELD(3, STR, node, 0, "the node it is about")                                                 \
    LIST(4, task_exit, exits, 0, "of that node")                                                   \
    FIELD(5, STR, text, 0, "for the user")                                                         \
    FIELD(6, STR, cpu_bind, 0, "of STEP_EVENT_CREATED: as SLURM_CPU_BIND has it")
SCHEMA_DECLARE(step_event, STEP_EVENT);

/* ---- the launch order ---- */

/*
 * What a step's user side needs. All nodes get the same body; the credential's node_index says
 * which node it is.
 */
#define LAUNCH_BODY(FIELD, LIST, PART)                                                             \
    FIELD(1, U32, job_id, FIELD_REQUIRED, "job")                                                   \
    FIELD(2, U32, step_id, 0, "step")                                                              \
    FIELD(3, STRS, argv, 0, "the command; of a batch step: the script's arguments")                \
    FIELD(4, BLOB, environment_sha256, 0, "the user's environment")                                \
    FIELD(5, BLOB, script_sha256, 0, "of a batch step")                                            \
    FIELD(60, ENUM, service, FIELD_CRITICAL, "enum step_service: in place of argv")                \
    FIELD(6, STRS, environment, 0, "NAME=value that the controller adds: SLURM_...")               \
    FIELD(7, STR, work_dir, 0, "where the tasks start")                                            \
    FIELD(8, STR, std_in, 0, "pattern; absent: from srun, or /dev/null for a batch step")          \
    FIELD(9, STR, std_out, 0, "pattern; absent: to srun")                                          \
    FIELD(10, STR, std_err, 0, "pattern; absent: to srun, or where stdout of a batch step goes")   \
    FIELD(11, ENUM, open_mode, 0, "enum open_mode")                                                \
    FIELD(12, U32, umask, 0, "of the tasks")                                                       \
    LIST(13, rlimit_spec, limits, 0, "soft limits to set")                                         \
    LIST(14, step_node, nodes, 0, "the whole layout")                                              \
    FIELD(15, U32, ntasks, 0, "of the step")                                                       \
    FIELD(16, U32, cpus_per_task, 0, "for each task")                                              \
    FIELD(17, STRS, io_addresses, 0, "as in step_spec")                                            \
    FIELD(18, BLOB, io_token, FIELD_SECRET, "shown to srun")                                       \
    FIELD(19, BOOL, pty, 0, "task 0 gets a terminal")                                              \
    FIELD(20, BOOL, kill_on_bad_exit, 0, "a task that fails ends the step")                        \
    FIELD(21, U32, wait_s, 0, "seconds after the first exit until the rest is ended; 0: never")    \
    FIELD(22, STR, job_name, 0, "%x")                                                              \
    FIELD(23, STR, user_name, 0, "%u")                                                             \
    FIELD(24, COUNT, stdin_task, 0, "only this task gets srun's stdin; COUNT_INFINITE: none")      \
    FIELD(25, STR, command, 0, "name of the batch script, its argv[0] for people")                 \
    FIELD(26, HOSTS, job_nodes, 0, "all nodes of the job")                                         \
    FIELD(27, U32, array_job_id, 0, "%A; 0: no task of an array")                                  \
    FIELD(28, COUNT, array_task, 0, "%a")                                                          \
    FIELD(29, STR, gpu_bind, 0, "which task sees which gpus; absent: all see all")                 \
    LIST(30, step_program, programs, 0, "instead of argv, for --multi-prog")                       \
    FIELD(31, BOOL, label, 0, "files get the task's number before every line")                     \
    FIELD(32, BOOL, stopped, 0, "tasks stop before their program starts")                          \
    FIELD(33, STR, mpi, 0, "how its tasks find one another; absent: by themselves")                \
    FIELD(70, STR, cpu_bind, 0, "how tasks are bound; absent: as fits best")                       \
    FIELD(71, BOOL, cpu_unbound, 0, "tasks use all cpus of the step, and hear of no binding")      \
    FIELD(72, ENUM, dist_sockets, 0, "over sockets: enum distribution; DIST_DEFAULT: cyclic")      \
    FIELD(73, U32, threads_per_core, 0, "used; 0: all")                                            \
    FIELD(74, U32, ntasks_per_core, 0, "at most; 0: any")                                          \
    FIELD(75, STR, mem_bind, 0, "which NUMA nodes tasks take memory from; absent: any")            \
    FIELD(80, BOOL, program_by_node, 0, "argv[0] goes on with '_' and the node's name")            \
    FIELD(90, BOOL, patient, 0, "srun answers when it answers")                                    \
    FIELD(91, STR, task_prolog, 0, "--task-prolog")                                                \
    FIELD(92, STR, task_epilog, 0, "--task-epilog")                                                \
    FIELD(93, U32, node_level, 0, "--slurmd-debug: enum log_level")
SCHEMA_DECLARE(launch_body, LAUNCH_BODY);

#define LAUNCH_CRED_LABEL "sluice launch 1"

/* The credential of a launch, as root on a node believes it: the controller signs its bytes. */
#define LAUNCH_CRED(FIELD, LIST, PART)                                                             \
    FIELD(1, STR, label, FIELD_REQUIRED | FIELD_CRITICAL, "LAUNCH_CRED_LABEL")                     \
    FIELD(2, STR, cluster, FIELD_REQUIRED | FIELD_CRITICAL, "ClusterName")                         \
    FIELD(3, U64, incarnation, FIELD_REQUIRED | FIELD_CRITICAL, "of the controller's state")       \
    FIELD(4, STR, node, FIELD_REQUIRED | FIELD_CRITICAL, "only this node may obey")                \
    FIELD(5, STR, boot_id, FIELD_REQUIRED | FIELD_CRITICAL, "only in this boot of it")             \
    FIELD(6, U32, job_id, FIELD_REQUIRED | FIELD_CRITICAL, "job")                                  \
    FIELD(7, U32, step_id, FIELD_CRITICAL, "step")                                                 \
    FIELD(8, U32, launch_number, FIELD_REQUIRED | FIELD_CRITICAL, "at most once for each")         \
    FIELD(9, U32, uid, FIELD_CRITICAL, "to become")                                                \
    FIELD(10, U32, gid, FIELD_CRITICAL, "to become")                                               \
    FIELD(11, U32S, groups, FIELD_CRITICAL, "to become")                                           \
    FIELD(12, STR, user_name, FIELD_REQUIRED | FIELD_CRITICAL, "of uid, for logs")                 \
    FIELD(13, U32S, cpus, FIELD_CRITICAL, "the step may use on this node")                         \
    FIELD(14, MB, memory, FIELD_CRITICAL, "the step may use on this node")                         \
    FIELD(15, U32, node_index, FIELD_CRITICAL, "of this node in the step's layout")                \
    FIELD(16, BLOB, body_sha256, FIELD_REQUIRED | FIELD_CRITICAL, "of the launch body")            \
    FIELD(17, U32, kill_wait_s, FIELD_CRITICAL, "between TERM and KILL")                           \
    FIELD(18, U32, tasks_n, FIELD_CRITICAL, "tasks on this node")                                  \
    FIELD(19, STRS, devices, FIELD_CRITICAL, "files of the devices that the step may use")         \
    FIELD(20, U32S, job_cpus, FIELD_CRITICAL, "the job may use on this node")                      \
    FIELD(21, MB, job_memory, FIELD_CRITICAL, "the job may use on this node")                      \
    FIELD(40, BOOL, needs_prolog, FIELD_CRITICAL,                                                  \
          "not before the job's Prolog has gone well here")                                        \
    FIELD(41, BOOL, oom_kill_step, 0, "who is killed for memory takes the step along")
SCHEMA_DECLARE(launch_cred, LAUNCH_CRED);

#define ORDER_LAUNCH(FIELD, LIST, PART)                                                            \
    FIELD(1, BLOB, cred, FIELD_REQUIRED, "encoded launch_cred")                                    \
    FIELD(2, BLOB, signature, FIELD_REQUIRED, "Ed25519 over its bytes")                            \
    FIELD(3, BLOB, body, FIELD_REQUIRED, "encoded launch_body")                                    \
    LIST(4, blob_chunk, blobs, 0, "whole ones that it names, so that they need not be asked for")
SCHEMA_DECLARE(order_launch, ORDER_LAUNCH);

/* Sends a signal. It only touches what this node already runs, so it needs no credential. */
#define ORDER_SIGNAL(FIELD, LIST, PART)                                                            \
    FIELD(1, U32, job_id, FIELD_REQUIRED, "job")                                                   \
    FIELD(2, COUNT, step_id, 0, "one step; absent: all of the job")                                \
    FIELD(3, U32, signal, FIELD_REQUIRED, "signal number")                                         \
    FIELD(4, U32, flags, 0, "enum signal_flags")
SCHEMA_DECLARE(order_signal, ORDER_SIGNAL);

/*
 * Ends a step, or all steps of a job: CONT and TERM, then KILL after kill_wait_s; with 0 KILL at
 * once.
 */
#define ORDER_END(FIELD, LIST, PART)                                                               \
    FIELD(1, U32, job_id, FIELD_REQUIRED, "job")                                                   \
    FIELD(2, COUNT, step_id, 0, "one step; absent: all, and report the job clean after")           \
    FIELD(3, U32, kill_wait_s, 0, "between TERM and KILL")                                         \
    FIELD(4, STR, reason, 0, "for the step's stderr: DUE TO TIME LIMIT, CANCELLED AT ...")         \
    FIELD(5, U32, launch_number, 0, "of one step: this launch of it; 0: whichever runs")
SCHEMA_DECLARE(order_end, ORDER_END);

/*
 * A text for the stderr of a batch script, without the line's end. Like a signal it only touches
 * what runs.
 */
#define ORDER_SAY(FIELD, LIST, PART)                                                               \
    FIELD(1, U32, job_id, FIELD_REQUIRED, "job")                                                   \
    FIELD(2, STR, text, FIELD_REQUIRED, "at most PRIV_SAY_MAX bytes count")
SCHEMA_DECLARE(order_say, ORDER_SAY);

/* Lets the node forget a result that the controller has committed. */
#define ORDER_FORGET(FIELD, LIST, PART)                                                            \
    FIELD(1, U32, job_id, FIELD_REQUIRED, "job")                                                   \
    FIELD(2, U32, step_id, 0, "step")                                                              \
    FIELD(3, U32, launch_number, 0, "of the result")
SCHEMA_DECLARE(order_forget, ORDER_FORGET);

enum held_state {
    HELD_STARTING, /* launch record written */
    HELD_RUNNING,  /* tasks started */
    HELD_ENDED,    /* result written, not yet forgotten */
    HELD_LOST,     /* launch record without a live step and without a result */
    HELD_REFUSED,  /* the order was not obeyed; `error` says why */
};

/*
 * A node's view of one step. It is sent when it changes, and for every step when a node registers.
 * Repeats do no harm.
 */
#define STEP_REPORT(FIELD, LIST, PART)                                                             \
    FIELD(1, U32, job_id, FIELD_REQUIRED, "job")                                                   \
    FIELD(2, U32, step_id, 0, "step")                                                              \
    FIELD(3, U32, launch_number, 0, "of the order")                                                \
    FIELD(4, ENUM, state, 0, "enum held_state")                                                    \
    LIST(5, task_exit, exits, 0, "of HELD_ENDED, one for each task of the node")                   \
    FIELD(6, I32, code, 0, "errno or E_ of a launch that failed")                                  \
    FIELD(7, STR, error, 0, "and why, for people")                                                 \
    FIELD(8, BOOL, out_of_memory, 0, "the kernel killed a task for memory")                        \
    FIELD(9, U64, peak_memory_kb, 0, "most memory used by the step here, 0: not known")            \
    FIELD(10, U64, user_us, 0, "cpu time of its processes")                                        \
    FIELD(11, U64, system_us, 0, "cpu time of its processes")                                      \
    LIST(12, task_usage, usage, 0, "of HELD_ENDED, one for each task that ran")                    \
    FIELD(13, BOOL, by_node, 0, "it failed for what the node cannot do, whatever was asked")
SCHEMA_DECLARE(step_report, STEP_REPORT);
