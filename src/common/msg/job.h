/*
 * job.h - jobs: what is asked, what becomes of it, and what clients are told.
 *
 * job_spec is the open half of the request, with its defaults filled in; the other half is a
 * job_body. job_record is everything durable about a job and is what the database keeps; job_info
 * adds what only the running controller knows.
 */
#pragma once

#include "common/msg/job_body.h"
#include "common/msg/limit_reasons.h"

/* Base states of a job, with Slurm's numbers. Only ctld/control/jobfsm.c changes a job's state. */
enum job_state {
    JOB_PENDING,
    JOB_RUNNING,
    JOB_SUSPENDED,
    JOB_COMPLETE,
    JOB_CANCELLED,
    JOB_FAILED,
    JOB_TIMEOUT,
    JOB_NODE_FAIL,
    JOB_PREEMPTED,
    JOB_BOOT_FAIL,
    JOB_DEADLINE,
    JOB_OOM,
    JOB_STATES_N,
};

/* Flags that a job has beside its base state. */
enum job_flags {
    JOB_FLAG_COMPLETING = 1, /* ended, nodes still being cleaned */
    JOB_FLAG_CONFIGURING = 2,
    JOB_FLAG_BACKFILLED = 4, /* started ahead of its turn */
    JOB_FLAG_REQUEUED = 8,
    JOB_FLAG_WARNED = 16,        /* --signal was sent */
    JOB_FLAG_SPECIAL_EXIT = 256, /* of a held job: its exit code, or an operator, says look at it */
    JOB_FLAG_REQUEUED_HELD = 512,
    JOB_FLAG_LAUNCH_FAILED = 1024,  /* beside it: a node could not start the job */
    JOB_FLAG_RUNS_PROLOG = 1 << 15, /* PrologSlurmctld is not over; EpilogSlurmctld is not */
    JOB_FLAG_RUNS_EPILOG = 1 << 16,
    JOB_FLAG_TOLD_50 = 1 << 12, /* its owner was mailed that half of the time limit is over, ... */
    JOB_FLAG_TOLD_80 = 1 << 13,
    JOB_FLAG_TOLD_90 = 1 << 14,
    JOB_FLAG_RESV_DELETED = 1 << 18, /* held, since the reservation that it waited for is over */
    JOB_FLAG_IMPORTED = 1 << 17,     /* the record is what another accounting kept of it */
};

#define JOB_WCKEY_DEFAULTED '*' /* before a wckey that the job did not name, as in Slurm */

/* Why a job waits, or why it ended; job_reason_name() gives Slurm's word. */
#define JOB_REASONS(X)                                                                             \
    X(NONE, 0, "None")                                                                             \
    X(PRIORITY, 1, "Priority")                                                                     \
    X(DEPENDENCY, 2, "Dependency")                                                                 \
    X(RESOURCES, 3, "Resources")                                                                   \
    X(PARTITION_NODE_LIMIT, 4, "PartitionNodeLimit")                                               \
    X(PARTITION_TIME_LIMIT, 5, "PartitionTimeLimit")                                               \
    X(PARTITION_DOWN, 6, "PartitionDown")                                                          \
    X(PARTITION_INACTIVE, 7, "PartitionInactive")                                                  \
    X(HELD_ADMIN, 8, "JobHeldAdmin")                                                               \
    X(BEGIN_TIME, 9, "BeginTime")                                                                  \
    X(LICENSES, 10, "Licenses")                                                                    \
    X(HELD_USER, 13, "JobHeldUser")                                                                \
    X(RESERVATION, 14, "Reservation")                                                              \
    X(NODES_UNAVAILABLE, 21, "ReqNodeNotAvail")                                                    \
    X(PARTITION_CONFIG, 40, "PartitionConfig")                                                     \
    X(PARTITION_MEMORY, 43, "PartitionConfig")                                                     \
    X(QOS_NOT_ALLOWED, 41, "QOSNotAllowed")                                                        \
    X(ACCOUNT_NOT_ALLOWED, 42, "AccountNotAllowed")                                                \
    X(BAD_CONSTRAINTS, 37, "BadConstraints")                                                       \
    X(LAUNCH_FAILED, 25, "JobLaunchFailure")                                                       \
    X(FAIL_SIGNAL, 26, "RaisedSignal")                                                             \
    X(NON_ZERO_EXIT, 27, "NonZeroExitCode")                                                        \
    X(TIME_LIMIT, 28, "TimeLimit")                                                                 \
    X(SYSTEM_FAILURE, 29, "SystemFailure")                                                         \
    X(NODE_DOWN, 30, "NodeDown")                                                                   \
    X(OUT_OF_MEMORY, 35, "OutOfMemory")                                                            \
    X(INACTIVE_LIMIT, 31, "InactiveLimit")                                                         \
    X(MAX_REQUEUE, 60, "JobHoldMaxRequeue")                                                        \
    X(ARRAY_LIMIT, 61, "JobArrayTaskLimit")                                                        \
    X(DEPENDENCY_NEVER, 38, "DependencyNeverSatisfied")                                            \
    X(DEADLINE, 45, "DeadLine")                                                                    \
    X(RESERVATION_DELETED, 198, "ReservationDeleted")                                              \
    LIMIT_REASONS(X)

#define JOB_REASON_ENUM(name, number, word) REASON_##name = number,
enum job_reason { JOB_REASONS(JOB_REASON_ENUM) };
#undef JOB_REASON_ENUM

enum job_kind {
    JOB_KIND_BATCH, /* sbatch: a script on the first node */
    JOB_KIND_ALLOC, /* salloc: resources held for a client */
    JOB_KIND_RUN,   /* srun outside an allocation: lives as long as its one step */
};

/* The pattern for a batch script's output when its spec does not name a file. */
#define JOB_STD_OUT       "slurm-%j.out"
#define JOB_STD_OUT_ARRAY "slurm-%A_%a.out"

enum job_share { SHARE_DEFAULT, SHARE_EXCLUSIVE, SHARE_USER, SHARE_OVERSUBSCRIBE };

/* Returns the word for OverSubscribe of a job: "OK", "NO" and such. */
const char *job_share_name(uint32_t share);

/* Whether a job is cancelled when its dependency can no longer be fulfilled. */
enum job_kill_invalid { KILL_INVALID_DEFAULT, KILL_INVALID_NO, KILL_INVALID_YES };

enum job_requeue { REQUEUE_DEFAULT, REQUEUE_NO, REQUEUE_YES };

/* What a job has because its partition says so, for it asked for nothing. It has that of another
 * one where it is moved. */
enum job_given { GIVEN_MEMORY = 1, GIVEN_CPUS_PER_GPU = 2 };

enum job_gres_flags {
    GRES_FLAG_ENFORCE_BINDING = 1, /* only devices that are bound to the job's cores */
    GRES_FLAG_DISABLE_BINDING = 2, /* any device, whatever its cores */
};

#define JOB_SPEC(FIELD, LIST, PART)                                                                \
    FIELD(1, STR, name, 0, "shown by squeue")                                                      \
    FIELD(2, ENUM, kind, 0, "enum job_kind")                                                       \
    FIELD(3, STR, partition, 0, "comma list of candidates; absent: the default one")               \
    FIELD(4, COUNT, min_nodes, 0, "fewest nodes")                                                  \
    FIELD(5, COUNT, max_nodes, 0, "most nodes")                                                    \
    FIELD(6, COUNT, ntasks, 0, "tasks")                                                            \
    FIELD(7, COUNT, cpus_per_task, 0, "cpus for each task")                                        \
    FIELD(8, COUNT, ntasks_per_node, 0, "tasks on each node")                                      \
    FIELD(9, COUNT, min_cpus_per_node, 0, "--mincpus")                                             \
    FIELD(10, MB, mem_per_node, 0, "--mem, 0 is all of the node")                                  \
    FIELD(11, MB, mem_per_cpu, 0, "--mem-per-cpu")                                                 \
    FIELD(12, MB, tmp_disk, 0, "--tmp")                                                            \
    FIELD(13, LIMIT, time_limit, 0, "seconds the job may run")                                     \
    FIELD(14, LIMIT, time_min, 0, "seconds it can do with, for an earlier start")                  \
    FIELD(15, TIME, begin, 0, "not before this moment")                                            \
    FIELD(16, HOSTS, req_nodes, 0, "must be among its nodes")                                      \
    FIELD(17, HOSTS, exc_nodes, 0, "must not be")                                                  \
    FIELD(18, STR, features, 0, "--constraint")                                                    \
    FIELD(19, ENUM, share, 0, "enum job_share")                                                    \
    FIELD(20, BOOL, overcommit, 0, "more tasks than cpus are fine")                                \
    FIELD(21, BOOL, hold, 0, "submitted held")                                                     \
    FIELD(22, BOOL, contiguous, 0, "neighbouring nodes only")                                      \
    FIELD(23, I32, nice, 0, "lowers its priority")                                                 \
    FIELD(24, COUNT, priority, 0, "asked for by an operator")                                      \
    FIELD(25, ENUM, requeue, 0, "enum job_requeue")                                                \
    FIELD(26, BOOL, no_kill, 0, "goes on when one of its nodes fails")                             \
    FIELD(27, BOOL, immediate, 0, "refuse rather than wait")                                       \
    FIELD(28, STR, account, 0, "--account")                                                        \
    FIELD(29, STR, qos, 0, "--qos")                                                                \
    FIELD(30, STR, wckey, 0, "--wckey")                                                            \
    FIELD(31, STR, comment, FIELD_LINES, "--comment")                                              \
    FIELD(32, STR, mail_type, 0, "--mail-type")                                                    \
    FIELD(33, STR, mail_user, 0, "--mail-user")                                                    \
    FIELD(34, U32, warn_signal, 0, "--signal: number")                                             \
    FIELD(35, U32, warn_before_s, 0, "--signal: seconds before the limit")                         \
    FIELD(36, BOOL, warn_batch, 0, "--signal=B: only the batch shell")                             \
    FIELD(49, STR, submit_host, 0, "SLURM_SUBMIT_HOST")                                            \
    FIELD(50, STR, token, 0, "made by the client; a second submit with it gives the same job")     \
    FIELD(51, COUNT, ntasks_per_socket, 0, "--ntasks-per-socket")                                  \
    FIELD(52, COUNT, ntasks_per_core, 0, "--ntasks-per-core")                                      \
    FIELD(53, COUNT, sockets_per_node, 0, "--sockets-per-node")                                    \
    FIELD(54, COUNT, cores_per_socket, 0, "--cores-per-socket")                                    \
    FIELD(55, COUNT, threads_per_core, 0, "--threads-per-core")                                    \
    FIELD(56, ENUM, dist_nodes, 0, "--distribution over nodes: enum distribution")                 \
    FIELD(57, COUNT, plane_size, 0, "tasks in a block of DIST_PLANE")                              \
    FIELD(58, ENUM, dist_sockets, 0, "--distribution over the sockets of a node")                  \
    FIELD(59, ENUM, dist_cores, 0, "--distribution over the cores of a socket")                    \
    FIELD(60, ENUM, pack_nodes, 0, "enum pack")                                                    \
    FIELD(61, COUNT, switches, 0, "--switches: most leaf switches")                                \
    FIELD(62, COUNT, switch_wait_s, 0, "and how long to wait for so few; absent: max_switch_wait") \
    FIELD(63, STR, tres_per_node, 0, "--gres, --gpus-per-node: see common/text/gres.h")            \
    FIELD(64, STR, tres_per_job, 0, "--gpus")                                                      \
    FIELD(65, STR, tres_per_socket, 0, "--gpus-per-socket")                                        \
    FIELD(66, STR, tres_per_task, 0, "--gpus-per-task")                                            \
    FIELD(67, COUNT, cpus_per_gpu, 0, "--cpus-per-gpu")                                            \
    FIELD(68, MB, mem_per_gpu, 0, "--mem-per-gpu")                                                 \
    FIELD(69, COUNT, ntasks_per_gpu, 0, "--ntasks-per-gpu")                                        \
    FIELD(70, U32, gres_flags, 0, "enum job_gres_flags")                                           \
    FIELD(71, STR, licenses, 0, "--licenses: see common/text/licenses.h")                          \
    FIELD(72, STR, reservation, 0, "--reservation")                                                \
    FIELD(73, COUNT, core_spec, 0, "--core-spec: cores left to the system on each node")           \
    FIELD(74, COUNT, thread_spec, 0, "--thread-spec: the same in threads")                         \
    FIELD(75, BOOL, use_min_nodes, 0, "--use-min-nodes: rather fewer nodes than an earlier start") \
    FIELD(76, BOOL, spread_job, 0, "--spread-job: over as many nodes as there are")                \
    FIELD(77, STR, array, 0, "--array: see common/text/tasks.h; absent: no array")                 \
    FIELD(78, STR, dependency, 0, "--dependency: see common/text/dependency.h")                    \
    FIELD(79, ENUM, kill_invalid_dep, 0, "enum job_kill_invalid")                                  \
    FIELD(80, TIME, deadline, 0, "--deadline: over by this moment, or not at all")                 \
    FIELD(81, STR, prefer, 0, "--prefer: tried first in place of features")                        \
    FIELD(82, BOOL, no_client, 0, "salloc --no-shell: nobody stays with it once it runs")          \
    FIELD(83, I32, site_factor, 0, "raises its priority; an operator's, not of a new job")         \
    FIELD(90, STR, admin_comment, FIELD_LINES, "an operator's remark; not of a new job")           \
    FIELD(97, STR, gpu_bind, 0, "--gpu-bind: told to who asks, and to its steps by srun")          \
    FIELD(98, STR, gpu_freq, 0, "--gpu-freq: told to who asks, without effect")                    \
    FIELD(99, BOOL, reboot, 0, "--reboot: told to who asks, without effect")                       \
    FIELD(100, COUNT, min_cpus, 0, "so many in all, beyond those of tasks; not of a new job")      \
    FIELD(101, STR, extra, FIELD_LINES, "--extra: told to who asks")                               \
    FIELD(102, ENUM, oom_kill, 0, "--oom-kill-step: enum oom_kill")                                \
    FIELD(104, BOOL, qos_is_operators, 0, "an operator named the QOS; not of a new job")           \
    FIELD(105, BOOL, time_is_partitions, 0, "the time limit is that of whichever partition it is") \
    FIELD(103, U32, submit_session, 0, "session of the submitting shell on its host; 0: not said") \
    FIELD(106, STR, origin, 0, "the job of another cluster that it was: lab:12@TIME")              \
    FIELD(107, BOOL, arriving, 0, "an import holds it until that job is gone")                     \
    FIELD(108, U32, given, 0, "enum job_given; not of a new job")                                  \
    FIELD(109, MB, asked_mem_per_cpu, 0, "before it was spread over more cpus; not of a new job")  \
    FIELD(110, COUNT, asked_cpus_per_task, 0, "before that; not of a new job")
SCHEMA_DECLARE(job_spec, JOB_SPEC);

/* Tags, for requests that name fields: SPEC_TAG_time_limit. */
#define JOB_SPEC_TAG(tag, kind, member, flags, help) SPEC_TAG_##member = tag,
enum job_spec_tag { JOB_SPEC(JOB_SPEC_TAG, JOB_SPEC_TAG, JOB_SPEC_TAG) };
#undef JOB_SPEC_TAG

enum job_prolog {
    JOB_PROLOG_NONE,    /* not ordered: no step has begun there, or the node has none */
    JOB_PROLOG_ORDERED, /* steps wait for it there */
    JOB_PROLOG_DONE,
    JOB_PROLOG_FAILED,
};

/* One node of a job's allocation. */
#define JOB_NODE(FIELD, LIST, PART)                                                                \
    FIELD(1, STR, name, FIELD_REQUIRED, "NodeName")                                                \
    FIELD(2, U32S, cpus, 0, "numbers of the node's cpus that the job holds")                       \
    FIELD(3, MB, memory, 0, "memory it holds there")                                               \
    FIELD(4, BOOL, clean, 0, "nothing of the job is left there")                                   \
    LIST(5, job_gres, gres, 0, "generic resources that it holds there")                            \
    FIELD(6, U32, tasks, 0, "tasks that are to run there; 0: not said")                            \
    FIELD(7, U32, row, 0, "where jobs share cpus: which share it has, from 1; 0: all of each")     \
    FIELD(20, ENUM, prolog, 0, "enum job_prolog: of this run")
SCHEMA_DECLARE(job_node, JOB_NODE);

/* A dependency that a job still waits for. The state of a job that has left memory stays here. */
#define JOB_DEPENDENCY(FIELD, LIST, PART)                                                          \
    FIELD(1, ENUM, kind, 0, "enum dependency_kind")                                                \
    FIELD(2, U32, job_id, 0, "job or array; absent: singleton")                                    \
    FIELD(3, COUNT, array_task, 0, "of the array; absent: all of it, or no array")                 \
    FIELD(4, BOOL, is_array, 0, "all tasks of the array are meant")                                \
    FIELD(5, U32, minutes, 0, "to wait from the start of the job on")                              \
    FIELD(6, I64, due_ms, 0, "cluster time when these are over; 0: it has not started")            \
    FIELD(7, BOOL, did_fail, 0, "a task of the array did")                                         \
    FIELD(8, BOOL, is_failed, 0, "can not be fulfilled any more")
SCHEMA_DECLARE(job_dependency, JOB_DEPENDENCY);

#define JOB_RECORD(FIELD, LIST, PART)                                                              \
    FIELD(1, U32, id, FIELD_REQUIRED, "job id")                                                    \
    PART(2, job_spec, spec, FIELD_REQUIRED, "what was asked, defaults filled in")                  \
    FIELD(3, U32, uid, 0, "owner")                                                                 \
    FIELD(4, U32, gid, 0, "group it was submitted with")                                           \
    FIELD(5, STR, user_name, 0, "of uid, as the controller's host knows it")                       \
    FIELD(6, STR, group_name, 0, "of gid")                                                         \
    FIELD(7, U32S, groups, 0, "supplementary groups")                                              \
    FIELD(8, STR, home, 0, "home directory")                                                       \
    FIELD(9, STR, shell, 0, "login shell")                                                         \
    FIELD(10, ENUM, state, 0, "enum job_state")                                                    \
    FIELD(11, U32, flags, 0, "enum job_flags")                                                     \
    FIELD(12, ENUM, reason, 0, "enum job_reason")                                                  \
    FIELD(13, STR, reason_text, 0, "the reason's word and its figures, for people")                \
    FIELD(14, U64, priority, 0, "higher goes first; 0 is held")                                    \
    FIELD(15, TIME, submit_time, 0, "accepted")                                                    \
    FIELD(16, TIME, eligible_time, 0, "could have started, but for resources")                     \
    FIELD(17, TIME, start_time, 0, "started")                                                      \
    FIELD(18, TIME, end_time, 0, "ended; of a running job: will be ended")                         \
    FIELD(19, I64, start_cluster_ms, 0, "cluster time of the start: limits count from here")       \
    FIELD(20, I64, end_cluster_ms, 0, "cluster time of the end: MinJobAge counts from here")       \
    FIELD(21, STR, partition, 0, "it runs in, or first candidate")                                 \
    LIST(22, job_node, nodes, 0, "allocation, in the order of SLURM_JOB_NODELIST")                 \
    FIELD(23, HOSTS, node_list, 0, "the same as an expression")                                    \
    FIELD(24, U32, ncpus, 0, "cpus held, or asked for while it waits")                             \
    FIELD(25, U32, ntasks, 0, "tasks, decided")                                                    \
    FIELD(26, I32, exit_status, 0, "wait status of the batch script or of the last step")          \
    FIELD(27, I32, derived_status, 0, "highest exit code of its steps, as a wait status")          \
    FIELD(28, U32, restarts, 0, "times requeued")                                                  \
    FIELD(29, U32, launch_number, 0, "rises with every allocation; fences launches")               \
    FIELD(30, U32, next_step, 0, "number of the next step")                                        \
    FIELD(31, COUNT, ended_by, 0, "uid that cancelled it")                                         \
    FIELD(32, BOOL, ending, 0, "KillWait is running")                                              \
    FIELD(34, I32, kill_signal, 0, "what ended it")                                                \
    FIELD(35, U32, array_job_id, 0, "the job array's id; 0: no part of one")                       \
    FIELD(36, COUNT, array_task, 0, "its number there; absent: the record stands for several")     \
    FIELD(37, STR, array_tasks, 0, "then their numbers, as \"1-5,7\"")                             \
    FIELD(38, U32, array_limit, 0, "how many tasks of the array run at once; 0: any")              \
    LIST(39, job_dependency, dependencies, 0, "what it waits for; not what is fulfilled")          \
    FIELD(40, BOOL, any_dependency, 0, "one of them is enough")                                    \
    FIELD(50, TIME, suspend_time, 0, "last suspended, or resumed")                                 \
    FIELD(51, I64, pre_suspend_s, 0, "how long it had run by then")                                \
    FIELD(52, I64, suspended_ms, 0, "cluster time since when it is suspended; 0: it is not")       \
    FIELD(60, U32, services, 0, "steps of a kind that is not counted (enum step_service), so far") \
    LIST(61, job_node, leaving, 0, "nodes it has given back, until nothing of it is left there")   \
    FIELD(62, TIME, resize_time, 0, "when it last gave back nodes")                                \
    FIELD(63, U32, lost_launches, 0, "times requeued because its launch was lost, since released") \
    FIELD(64, TIME, accrue_time, 0, "its age counts from here; absent: since it is eligible")      \
    FIELD(65, COUNT, billing_asked, 0, "by its partition's TRESBillingWeights; absent: its cpus")  \
    FIELD(66, COUNT, billing, 0, "the same of what it holds")                                      \
    FIELD(67, BLOB, body_sha256, 0, "names its job_body, which is a blob")                         \
    FIELD(68, I64, usage_ms, 0, "cluster time since when what it holds is in no usage_record")     \
    FIELD(69, BOOL, accrues_not, 0, "its age does not count: MaxJobsAccrue and the like")          \
    FIELD(70, STR, system_comment, FIELD_LINES, "an operator's remark")                            \
    FIELD(71, ENUM, unrecorded, 0, "enum unrecorded: what of it the history does not keep")        \
    FIELD(72, STR, resv_name, 0,                                                                   \
          "the reservation it is in, or was; while it waits, the first it names")                  \
    FIELD(73, U32, resv_id, 0, "its number; 0: none")                                              \
    FIELD(74, TIME, resv_end, 0, "when the time of it is over in which the job began")
SCHEMA_DECLARE(job_record, JOB_RECORD);

/* What the nodes on which a waiting job is planned have too little of. */
enum job_lacks {
    JOB_LACKS_CPUS = 1,
    JOB_LACKS_MEMORY = 2,
    JOB_LACKS_GRES = 4,
    JOB_LACKS_LICENSES = 8,
    JOB_LACKS_NODES = 16, /* whole ones */
};

/* The reason for a planned start. */
enum job_estimate {
    ESTIMATE_NONE,   /* there is none */
    ESTIMATE_LIMITS, /* jobs before it are taken to use up their time limits: it may come earlier */
    ESTIMATE_BEGIN,  /* the job's own --begin */
    ESTIMATE_FORECAST, /* as ESTIMATE_LIMITS, but not promised: others may start in between */
    ESTIMATE_DECAY,    /* the use of its limit on minutes decays, and nothing else is used of it */
};

#define JOB_BLOCKERS_MAX 8 /* that are told */

/* A job that holds what another job waits for. */
#define JOB_BLOCKER(FIELD, LIST, PART)                                                             \
    FIELD(1, U32, job_id, FIELD_REQUIRED, "job")                                                   \
    FIELD(2, STR, user_name, 0, "its owner")                                                       \
    FIELD(3, BOOL, waits, 0, "it does not run yet: it is planned to start before")                 \
    FIELD(4, TIME, until, 0, "when its time limit ends it; absent: it has none, or waits")         \
    FIELD(5, COUNT, array_task, 0, "of the array whose id job_id is then")
SCHEMA_DECLARE(job_blocker, JOB_BLOCKER);

#define JOB_INFO(FIELD, LIST, PART)                                                                \
    PART(1, job_record, job, FIELD_REQUIRED, "the durable part")                                   \
    FIELD(2, TIME, planned_start, 0, "when the plan starts it")                                    \
    FIELD(3, HOSTS, planned_nodes, 0, "and where")                                                 \
    FIELD(4, TIME, now, 0, "controller's clock when this was written")                             \
    FIELD(5, ENUM, estimate, 0, "enum job_estimate: what planned_start rests on")                  \
    FIELD(6, U32, lacks, 0, "enum job_lacks")                                                      \
    LIST(7, job_blocker, blockers, 0, "who holds what it needs; not all, when they are many")      \
    FIELD(8, HOSTS, unavailable_nodes, 0, "could be used, were they not down or drained")          \
    FIELD(9, U32, least_nodes, 0, "of a job that waits: so many of its partition have its cpus")   \
    FIELD(10, U32, select, 0, "enum select_flags by which it holds its cpus")                      \
    FIELD(12, TIME, room_time, 0, "not planned: when decay will have made room in its limits")     \
    FIELD(13, TIME, used_up_time, 0, "not planned: when jobs that run will have used up a limit")  \
    FIELD(14, STR, used_up, 0, "which one")                                                        \
    PART(11, job_body, body, FIELD_REQUIRED,                                                       \
         "without what is for nodes alone: limits and names of blobs")
SCHEMA_DECLARE(job_info, JOB_INFO);

#define JOB_SUBMIT(FIELD, LIST, PART)                                                              \
    PART(1, job_spec, spec, FIELD_REQUIRED, "the job")                                             \
    FIELD(2, BOOL, test_only, 0, "say when it would start, and do nothing")                        \
    PART(3, job_body, body, 0, "needed unless test_only; its blobs went before")
SCHEMA_DECLARE(job_submit, JOB_SUBMIT);

#define JOB_SUBMITTED(FIELD, LIST, PART)                                                           \
    FIELD(1, U32, job_id, 0, "of test_only: that the next job will get")                           \
    FIELD(2, STR, warning, 0, "for the user")                                                      \
    FIELD(3, TIME, planned_start, 0, "of test_only")                                               \
    FIELD(4, HOSTS, planned_nodes, 0, "of test_only")                                              \
    FIELD(5, U32, ncpus, 0, "of test_only")                                                        \
    FIELD(6, STR, partition, 0, "of test_only")
SCHEMA_DECLARE(job_submitted, JOB_SUBMITTED);

/*
 * Answered by a stream of JOB_EVENTs (and STEP_EVENTs when `step` is given) that lasts as long as
 * the job. With `step` the step starts as soon as the job does, without another request.
 */
#define JOB_ALLOCATE(FIELD, LIST, PART)                                                            \
    PART(1, job_spec, spec, FIELD_REQUIRED, "the job")                                             \
    PART(2, step_spec, step, 0, "its one step, for srun")                                          \
    PART(3, job_body, body, 0, "needed")
SCHEMA_DECLARE(job_allocate, JOB_ALLOCATE);

enum job_event_kind {
    JOB_EVENT_QUEUED,  /* accepted and has to wait; not sent when it starts at once */
    JOB_EVENT_GRANTED, /* has its nodes */
    JOB_EVENT_WARNING, /* `text` is for the user, e.g. the limit is near */
    JOB_EVENT_ENDED,   /* over: state and reason say how */
};

#define JOB_EVENT(FIELD, LIST, PART)                                                               \
    FIELD(1, ENUM, kind, 0, "enum job_event_kind")                                                 \
    PART(2, job_record, job, 0, "as it is now")                                                    \
    FIELD(3, STR, text, 0, "for the user")                                                         \
    FIELD(4, U32S, tasks_per_node, 0, "of a granted job: SLURM_TASKS_PER_NODE")                    \
    FIELD(5, U32S, cpus_per_node, 0, "of a granted job: SLURM_JOB_CPUS_PER_NODE")
SCHEMA_DECLARE(job_event, JOB_EVENT);

/* Continues the stream of JOB_ALLOCATE or STEP_RUN on a new connection. */
#define JOB_ATTACH(FIELD, LIST, PART)                                                              \
    FIELD(1, U32, job_id, 0, "job; 0: the one that has the token")                                 \
    FIELD(2, COUNT, step_id, 0, "step, when it is a step's stream")                                \
    FIELD(3, STR, token, 0, "the spec's token: finds a job whose id never reached the client")
SCHEMA_DECLARE(job_attach, JOB_ATTACH);

enum signal_flags {
    SIGNAL_CANCEL = 1,     /* scancel without -s: end what is named */
    SIGNAL_BATCH_ONLY = 2, /* only the batch shell (--batch) */
    SIGNAL_WITH_BATCH = 4, /* steps and the batch shell (--full) */
    SIGNAL_STEPS_ONLY = 8, /* not the batch shell */
    SIGNAL_GENTLY = 16,    /* with SIGNAL_CANCEL of a step: TERM, and KILL after KillWait */
};

#define JOB_SIGNAL(FIELD, LIST, PART)                                                              \
    FIELD(1, U32, job_id, FIELD_REQUIRED, "job, or all tasks of an array")                         \
    FIELD(2, COUNT, step_id, 0, "one step of it")                                                  \
    FIELD(3, U32, signal, 0, "signal number; 0 with SIGNAL_CANCEL")                                \
    FIELD(4, U32, flags, 0, "enum signal_flags")                                                   \
    FIELD(5, STR, tasks, 0, "of an array: these, as \"1-5,7\"; absent: all")
SCHEMA_DECLARE(job_signal, JOB_SIGNAL);

/* Ends an allocation when salloc has finished. */
#define JOB_RELEASE(FIELD, LIST, PART)                                                             \
    FIELD(1, U32, job_id, FIELD_REQUIRED, "job")                                                   \
    FIELD(2, I32, exit_status, 0, "wait status of salloc's command")
SCHEMA_DECLARE(job_release, JOB_RELEASE);

#define JOB_SCRIPT(FIELD, LIST, PART)                                                              \
    FIELD(1, U32, job_id, FIELD_REQUIRED, "job, also one of long ago; answered by BLOB_CHUNKs")    \
    FIELD(2, BOOL, environment, 0, "the environment instead of the script")                        \
    FIELD(3, STR, cluster, FIELD_CRITICAL, "of this cluster; absent: of who asks")
SCHEMA_DECLARE(job_script, JOB_SCRIPT);

/* A request for jobs; STEP_LIST has it too. Empty lists do not filter. */
#define JOB_LIST(FIELD, LIST, PART)                                                                \
    FIELD(1, U32S, job_ids, 0, "only these")                                                       \
    FIELD(2, U32S, uids, 0, "only of these owners")                                                \
    FIELD(3, STRS, partitions, 0, "only in these")                                                 \
    FIELD(4, U32S, states, 0, "only in these base states")                                         \
    FIELD(5, U32, flags, 0, "and also those with one of these (enum job_flags), whatever state")   \
    FIELD(6, BOOL, hide, 0, "leave out those in partitions hidden from who asks")                  \
    FIELD(7, U32S, fields, 0, "of JOB_LIST: tell only these of job_info (common/schema/view.h)")
SCHEMA_DECLARE(job_list, JOB_LIST);

#define HISTORY_LIST(FIELD, LIST, PART)                                                            \
    FIELD(1, U32S, job_ids, 0, "only these; of an array: its tasks")                               \
    FIELD(2, U32S, uids, 0, "only of these owners; the controller narrows it for PrivateData")     \
    FIELD(3, STRS, partitions, 0, "only in these")                                                 \
    FIELD(4, STRS, names, FIELD_RAW, "only of these job names")                                    \
    FIELD(5, TIME, from, 0, "alive at or after this moment")                                       \
    FIELD(6, TIME, until, 0, "alive at or before this moment")                                     \
    FIELD(7, U32S, states, 0, "only in these base states")                                         \
    FIELD(8, BOOL, duplicates, 0, "also earlier runs of jobs that were requeued")                  \
    FIELD(9, STR, cluster, 0, "of this cluster; absent: of who asks")                              \
    FIELD(10, STRS, accounts, 0, "only in these; an older controller tells of all")                \
    FIELD(11, BOOL, no_steps, 0, "without their steps; an older controller tells of them, too")
SCHEMA_DECLARE(history_list, HISTORY_LIST);

#define HISTORY_JOB(FIELD, LIST, PART)                                                             \
    PART(1, job_record, job, FIELD_REQUIRED, "the job")                                            \
    LIST(2, step_record, steps, 0, "its steps, batch step first")                                  \
    FIELD(3, TIME, now, 0, "controller's clock when this was written")                             \
    FIELD(4, BOOL, is_earlier_run, 0, "of a job that was requeued since")                          \
    PART(5, job_body, body, FIELD_REQUIRED, "the job's")
SCHEMA_DECLARE(history_job, HISTORY_JOB);

/*
 * Return the long and the short word of a state: "PENDING" and "PD"; "COMPLETING" and "CG" when the
 * flag is set.
 */
const char *job_state_name(uint32_t state, uint32_t flags);
const char *job_state_code(uint32_t state, uint32_t flags);

/* Reads either word in any case. COMPLETING sets *ret_flags. Fails with EINVAL for another word. */
int job_state_parse(const char *text, uint32_t *ret_state, uint32_t *ret_flags);
bool job_reason_is_known(uint32_t reason);
const char *job_reason_name(uint32_t reason);

/* Returns the wckey without the sign of one that the job did not name, or NULL. */
static inline const char *job_wckey(const struct job_record *job)
{
    const char *wckey = job->spec->wckey;

    return wckey && *wckey == JOB_WCKEY_DEFAULTED ? wckey + 1 : wckey;
}

/* Returns the pattern for a batch job's output when its spec does not name a file. */
static inline const char *job_usual_output(const struct job_record *job)
{
    return job->array_job_id ? JOB_STD_OUT_ARRAY : JOB_STD_OUT;
}

/*
 * Appends the task of an array as "4", or its waiting tasks as "5-9,12%2". Fewer than `room`
 * characters name tasks ("5-9,..."); with 0 there is no limit. Appends nothing for a job outside of
 * arrays.
 */
void job_tasks_format(const struct job_record *job, uint32_t room, struct strbuf *out);

/*
 * Appends the job's name as "123", "123_4", or "123_[5-9,12%2]" for waiting tasks of an array.
 * `room` is that of job_tasks_format.
 */
void job_name_format(const struct job_record *job, uint32_t room, struct strbuf *out);

/*
 * Appends the job's dependencies as "afterok:12(unfulfilled),after:13_*+5(unfulfilled)"; nothing
 * when there are none.
 */
void job_dependencies_format(const struct job_record *job, struct strbuf *out);

/*
 * Job ids begin again after MaxJobId. Each time that they do is a round; the launch numbers of a
 * job begin with the round that its id was given in, so that neither a node nor the history takes a
 * job for an earlier one with the same id.
 */
#define JOB_ROUND_BITS 12
#define JOB_ROUNDS_N   (1u << JOB_ROUND_BITS)
#define JOB_RUN_BITS   (32 - JOB_ROUND_BITS)

static inline uint32_t job_round(uint32_t launch_number)
{
    return launch_number >> JOB_RUN_BITS;
}

/* Returns how often the job was launched; 0 means not yet. */
static inline uint32_t job_runs(const struct job_record *job)
{
    return job->launch_number & ((1u << JOB_RUN_BITS) - 1);
}

/*
 * Returns true if the record stands for tasks of an array that were not yet started, altered or
 * touched one by one.
 */
static inline bool job_is_task_set(const struct job_record *job)
{
    return job->array_tasks;
}

/* Appends "gpu:a:2(IDX:0-1)", or "ssd(CNT:2)" for resources without device files. */
void job_gres_format(const struct job_gres *gres, struct strbuf *out);

/* Returns true if a job in this state has its nodes. */
static inline bool job_state_is_active(uint32_t state)
{
    return state == JOB_RUNNING || state == JOB_SUSPENDED;
}

static inline bool job_state_is_over(uint32_t state)
{
    return state > JOB_SUSPENDED;
}
