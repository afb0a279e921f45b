/*
 * slurm_conf.h - a slurm.conf, read and checked, as plain data.
 *
 * Files of every vintage load: old and unknown keys make notes, never errors. Only what cannot work
 * is an error: broken syntax, or a value that a key in use cannot have.
 *
 * Texts that the file does not give and that have no default are NULL. Numbers that may be
 * unlimited are CONF_UNLIMITED then; those that may be left open are CONF_UNSET. The struct owns
 * all it points to and does not change after loading; a daemon that reconfigures loads another one.
 */
#pragma once

#include <stdbool.h>

#include "common/base/log.h"
#include "common/conf/notes.h"
#include "common/text/acct_enforce.h"
#include "common/text/gres.h"
#include "common/text/health_states.h"
#include "common/text/licenses.h"
#include "common/text/oversubscribe.h"
#include "common/text/sched_params.h"
#include "common/text/select_flags.h"
#include "common/text/tres_weights.h"

#define CONF_UNLIMITED UINT32_MAX       /* INFINITE, UNLIMITED */
#define CONF_UNSET     (UINT32_MAX - 1) /* the file leaves it open */

#define CONF_NODES_MAX      65536
#define CONF_SETS_MAX       4096
#define CONF_PARTITIONS_MAX 4096
#define CONF_SWITCHES_MAX   8192

enum conf_select_type {
    CONF_SELECT_CONS_TRES, /* also select/cons_res */
    CONF_SELECT_LINEAR,
};

enum conf_sched_type { CONF_SCHED_BACKFILL, CONF_SCHED_BUILTIN };

enum conf_proctrack_type {
    CONF_PROCTRACK_CGROUP,
    CONF_PROCTRACK_LINUXPROC,
    CONF_PROCTRACK_PGID,
};

/* The bits of TaskPlugin; 0 is task/none. */
enum { CONF_TASK_AFFINITY = 1u << 0, CONF_TASK_CGROUP = 1u << 1 };

enum conf_gather_type { CONF_GATHER_NONE, CONF_GATHER_LINUX, CONF_GATHER_CGROUP };

enum conf_topology { CONF_TOPOLOGY_FLAT, CONF_TOPOLOGY_TREE };

enum conf_priority_type { CONF_PRIORITY_MULTIFACTOR, CONF_PRIORITY_BASIC };

/* The bits of PriorityFlags. */
enum {
    CONF_PRIORITY_ACCRUE_ALWAYS = 1u << 0,
    CONF_PRIORITY_CALCULATE_RUNNING = 1u << 1,
    CONF_PRIORITY_DEPTH_OBLIVIOUS = 1u << 2,
    CONF_PRIORITY_NO_FAIR_TREE = 1u << 3,
    CONF_PRIORITY_INCR_ONLY = 1u << 4,
    CONF_PRIORITY_MAX_TRES = 1u << 5,
    CONF_PRIORITY_NO_NORMAL_ASSOC = 1u << 6,
    CONF_PRIORITY_NO_NORMAL_PART = 1u << 7,
    CONF_PRIORITY_NO_NORMAL_QOS = 1u << 8,
    CONF_PRIORITY_NO_NORMAL_TRES = 1u << 9,
    CONF_PRIORITY_SMALL_RELATIVE_TO_TIME = 1u << 10,
};

/* The values of PriorityUsageResetPeriod. */
enum {
    CONF_RESET_NONE,
    CONF_RESET_NOW,
    CONF_RESET_DAILY,
    CONF_RESET_WEEKLY,
    CONF_RESET_MONTHLY,
    CONF_RESET_QUARTERLY,
    CONF_RESET_YEARLY,
};

/* The values of ReturnToService. */
enum { CONF_RETURN_NEVER, CONF_RETURN_UNRESPONSIVE, CONF_RETURN_ALWAYS };

enum conf_enforce { CONF_ENFORCE_NO, CONF_ENFORCE_ANY, CONF_ENFORCE_ALL };

/* The bits of PrologFlags. */
enum {
    CONF_PROLOG_ALLOC = 1u << 0,
    CONF_PROLOG_CONTAIN = 1u << 1,
    CONF_PROLOG_DEFER_BATCH = 1u << 2,
    CONF_PROLOG_NO_HOLD = 1u << 3,
    CONF_PROLOG_FORCE_REQUEUE = 1u << 4, /* ForceRequeueOnFail */
    CONF_PROLOG_SERIAL = 1u << 5,
    CONF_PROLOG_X11 = 1u << 6,
    CONF_PROLOG_RUN_IN_JOB = 1u << 7,
};

#define CONF_DBD_PORT 6819 /* the usual one of slurmdbd */

/* The bits of PrivateData. */
enum {
    CONF_PRIVATE_ACCOUNTS = 1u << 0,
    CONF_PRIVATE_CLOUD = 1u << 1,
    CONF_PRIVATE_EVENTS = 1u << 2,
    CONF_PRIVATE_JOBS = 1u << 3,
    CONF_PRIVATE_NODES = 1u << 4,
    CONF_PRIVATE_PARTITIONS = 1u << 5,
    CONF_PRIVATE_RESERVATIONS = 1u << 6,
    CONF_PRIVATE_USAGE = 1u << 7,
    CONF_PRIVATE_USERS = 1u << 8,
    CONF_PRIVATE_ALL = (1u << 9) - 1,
};

/* PropagateResourceLimits has bit RLIMIT_x for each limit that it names, or this bit for ALL. */
#define CONF_RLIMITS_ALL (1u << 31)

enum conf_node_state {
    CONF_NODE_UNKNOWN, /* what the node reports decides */
    CONF_NODE_IDLE,
    CONF_NODE_DOWN,
    CONF_NODE_DRAIN,
    CONF_NODE_FAIL,
    CONF_NODE_FAILING,
    CONF_NODE_FUTURE,
    CONF_NODE_CLOUD,
};

enum conf_part_state { CONF_PART_UP, CONF_PART_DOWN, CONF_PART_DRAIN, CONF_PART_INACTIVE };

/*
 * A controller, as in "head(10.0.0.1)". `addr` is `name` when the file gives none; neither is ever
 * NULL.
 */
struct conf_host {
    char *name;
    char *addr;
};

struct conf_ports {
    uint32_t first; /* 0: none set */
    uint32_t last;
};

/* Memory that a job gets or may have at most, per node or per allocated CPU. */
struct conf_mem {
    uint64_t mb; /* 0: not limited, nothing set */
    bool per_cpu;
};

/* Bits for the variables that tell tasks their gpus, one for each vendor's library. */
enum conf_gpu_env {
    CONF_GPU_NVIDIA = 1, /* CUDA_VISIBLE_DEVICES */
    CONF_GPU_AMD = 2,    /* ROCR_VISIBLE_DEVICES */
    CONF_GPU_INTEL = 4,  /* ZE_AFFINITY_MASK */
    CONF_GPU_OPENCL = 8, /* GPU_DEVICE_ORDINAL */
    CONF_GPU_ALL = 15,
};

/* The values of AutoDetect= in gres.conf. */
enum conf_gpu_detect {
    CONF_GPU_DETECT_OFF,
    CONF_GPU_DETECT_NVML,  /* by NVIDIA's library, or by device files where it is not there */
    CONF_GPU_DETECT_FILES, /* by device files */
};

/* Devices that are alike: those of one line of gres.conf, or those known by Gres= alone. */
struct conf_device {
    char *name;
    char *type; /* NULL: none */
    uint64_t count;
    char **files; /* one for each, or none at all; a device of several names them by commas */
    uint32_t files_n;
    uint32_t *cores; /* of the node that are near; none: all are */
    uint32_t cores_n;
    uint32_t gpu_env; /* bits of conf_gpu_env: how tasks are told which gpus are theirs */
    bool found;       /* gpus without files that the node looks for by itself */
};

/*
 * One host of a NodeName line. Counts of CPUs that are missing follow from the others, else are 1.
 */
struct conf_node {
    char *name;
    char *addr;     /* NodeAddr, or else the host name */
    char *hostname; /* NodeHostname, or else the name */
    uint32_t port;  /* SlurmdPort unless the line says otherwise */
    uint32_t cpus;
    uint32_t boards;
    uint32_t sockets; /* of the whole node */
    uint32_t cores_per_socket;
    uint32_t threads_per_core;
    bool cpus_given; /* a count was in the file: the real node may have more, not less */
    uint64_t memory_mb;
    bool memory_given;
    uint64_t tmp_disk_mb;
    uint32_t weight;
    uint32_t core_spec_n;
    uint64_t mem_spec_mb;
    char *cpu_spec_list;
    char *features;        /* comma separated */
    char *active_features; /* those of them that jobs find there; NULL: all */
    bool addr_told;        /* `addr` is an operator's, not the file's */
    char *gres;
    struct conf_device *devices; /* see beside.h */
    uint32_t devices_n;
    uint32_t gpu_detect; /* enum conf_gpu_detect */
    char *reason;
    uint32_t cpu_bind; /* enum cpu_bind_kind; UNSAID: that of the cluster */
    uint32_t state;    /* enum conf_node_state */
    struct conf_at at;
};

/* A NodeSet= line: a name for nodes, usable in Nodes= of partitions. */
struct conf_nodeset {
    char *name;
    char *nodes;   /* as given, or NULL */
    char *feature; /* or NULL */
    struct conf_at at;
};

struct conf_partition {
    char *name;
    char *nodes_text; /* as given, or NULL */
    uint32_t *nodes;  /* indices into slurm_conf.nodes, rising, each once */
    uint32_t nodes_n;
    bool is_default;
    bool hidden;
    bool root_only;
    bool disable_root_jobs;
    bool req_resv;
    bool lln;
    bool exclusive_user;
    uint32_t state;            /* enum conf_part_state */
    uint32_t max_time_min;     /* or CONF_UNLIMITED */
    uint32_t default_time_min; /* or CONF_UNLIMITED, CONF_UNSET */
    uint32_t over_time_min;    /* OverTimeLimit; CONF_UNSET: that of the cluster */
    uint32_t min_nodes;
    uint32_t max_nodes;           /* or CONF_UNLIMITED */
    uint32_t max_cpus_per_node;   /* or CONF_UNLIMITED */
    uint32_t max_cpus_per_socket; /* or CONF_UNLIMITED */
    uint32_t grace_time_s;
    uint32_t priority_tier;
    uint32_t priority_job_factor;
    struct oversubscribe oversubscribe;
    struct conf_mem def_mem; /* mb 0: that of the cluster */
    struct conf_mem max_mem;
    uint32_t def_cpu_per_gpu; /* 0: not set */
    uint64_t def_mem_per_gpu_mb;
    uint32_t select_params; /* enum select_flags; 0: those of the cluster */
    char *allow_groups;     /* NULL: everyone; likewise below */
    char *allow_accounts;
    char *deny_accounts;
    char *allow_qos;
    char *deny_qos;
    char *alloc_nodes;
    char *alternate;
    char *qos;
    char *preempt_mode;
    char *billing_weights; /* TRESBillingWeights */
    uint32_t cpu_bind;     /* enum cpu_bind_kind; UNSAID: that of the cluster */
    struct conf_at at;
};

/* A line of topology.conf. */
struct conf_switch {
    char *name;
    char *nodes_text;    /* as given, or NULL; so the next two */
    char *switches_text; /* a switch has either nodes or switches */
    char *link_speed;
    uint32_t *nodes; /* indices into slurm_conf.nodes: connected to it or to what is below it */
    uint32_t nodes_n;
    uint32_t level;  /* 0: it has nodes */
    uint32_t parent; /* index of the first one above it, or CONF_UNSET */
    struct conf_at at;
};

#define CONF_EXIT_CODES_N 256

struct slurm_conf {
    uint32_t others_n;             /* who else holds it: see slurm_conf_ref */
    char *path;                    /* the file that was loaded */
    char *cluster_name;            /* never NULL */
    struct conf_host *controllers; /* the primary first; at least one */
    uint32_t controllers_n;

    /* Who and where */
    struct conf_ports slurmctld_ports;
    uint32_t slurmd_port;
    struct conf_ports srun_ports;
    char *slurm_user;
    char *slurmd_user;
    char *slurmctld_addr;     /* SlurmctldAddr: a name shared by the controllers, or NULL */
    char *slurmctld_pid_file; /* %-patterns of slurmd paths are not expanded */
    char *slurmd_pid_file;
    char *slurmd_spool_dir;
    char *state_save_location;
    char *slurmctld_log_file; /* NULL: stderr or syslog */
    char *slurmd_log_file;
    char *sched_log_file;
    uint32_t slurmctld_debug; /* enum log_level */
    uint32_t slurmd_debug;
    uint32_t sched_log_level;
    char *auth_type;
    char *auth_info;
    char *bcast_params;
    char *auth_socket;      /* socket= of AuthInfo, or NULL: the usual one */
    uint32_t auth_ttl_s;    /* ttl= of AuthInfo; 0: the usual one */
    uint32_t cred_expire_s; /* cred_expire= of AuthInfo, or 120 */
    char *plug_stack;       /* PlugStackConfig */
    char *job_container_type;
    char *tmp_fs;
    char *mail_prog;
    char *mail_domain;
    char *reboot_program;
    uint32_t topology; /* enum conf_topology */
    char *topology_param;
    char *log_time_format;
    char *debug_flags;
    uint32_t private_data; /* CONF_PRIVATE_ */

    /* Timers */
    uint32_t inactive_limit_s; /* 0: off */
    uint32_t kill_wait_s;
    uint32_t min_job_age_s; /* at least 2 */
    uint32_t slurmctld_timeout_s;
    uint32_t slurmd_timeout_s; /* 0: nodes never go down by silence */
    uint32_t wait_time_s;      /* 0: srun waits for ever */
    uint32_t message_timeout_s;
    uint32_t tcp_timeout_s;
    uint32_t batch_start_timeout_s;
    uint32_t complete_wait_s;
    uint32_t unkillable_timeout_s;
    uint32_t over_time_min; /* or CONF_UNLIMITED */
    uint32_t resv_over_run_min;
    uint32_t eio_timeout_s;
    uint32_t prolog_epilog_timeout_s;            /* 65534 and more: none */
    uint32_t prolog_timeout_s, epilog_timeout_s; /* the same; CONF_UNSET: as that */
    uint32_t resume_timeout_s;
    uint32_t group_update_time_s;

    /* Scheduling and selection */
    uint32_t sched_type; /* enum conf_sched_type */
    char *sched_params;
    struct sched_params sched; /* the same, read */
    uint32_t sched_time_slice_s;
    uint32_t select_type;   /* enum conf_select_type */
    uint32_t select_params; /* enum select_flags */
    uint32_t priority_type; /* enum conf_priority_type */
    uint32_t priority_flags;
    uint32_t priority_weight_age;
    uint32_t priority_weight_assoc;
    uint32_t priority_weight_fair_share;
    uint32_t priority_weight_job_size;
    uint32_t priority_weight_partition;
    uint32_t priority_weight_qos;
    char *priority_weight_tres;
    struct tres_weights priority_tres; /* the same, read */
    uint32_t priority_max_age_min;
    uint32_t priority_calc_period_min;
    uint32_t priority_half_life_min; /* 0: usage does not decay */
    uint32_t priority_reset;
    uint32_t dampening_factor; /* FairShareDampeningFactor */
    bool priority_favor_small;
    char *preempt_type;
    char *preempt_mode;
    char *gres_types;
    char *licenses;
    struct licenses license_list; /* the same, read */
    uint32_t return_to_service;   /* CONF_RETURN_ */
    uint32_t enforce_part_limits; /* enum conf_enforce */
    struct conf_mem def_mem;
    struct conf_mem max_mem;
    uint32_t def_cpu_per_gpu; /* 0: not set */
    uint64_t def_mem_per_gpu_mb;
    uint32_t first_job_id;
    uint32_t max_job_id;
    uint32_t max_job_count;
    uint32_t max_array_size;
    uint32_t max_step_count;
    uint32_t max_tasks_per_node;
    uint32_t max_node_count;
    bool job_requeue;
    bool job_file_append;
    bool disable_root_jobs;
    bool allow_spec_resources; /* jobs may ask for --core-spec */
    bool kill_on_bad_exit;
    bool group_update_force;
    char *requeue_exit; /* lists of exit codes, checked, each below CONF_EXIT_CODES_N */
    char *requeue_exit_hold;
    char *slurmctld_params;
    char *slurmd_params;
    char *communication_params;
    char *launch_params;
    char *interactive_step_options;
    bool use_interactive_step; /* of LaunchParameters */
    char *dependency_params;
    char *job_submit_plugins;

    /* On the node */
    uint32_t proctrack_type; /* enum conf_proctrack_type */
    uint32_t task_plugins;   /* CONF_TASK_ */
    char *task_plugin_param;
    uint32_t task_bind, autobind; /* the same, read: enum cpu_bind_kind */
    bool oom_kill_step;           /* TaskPluginParam=OOMKillStep */
    bool task_bind_verbose;
    uint32_t gather_type;        /* enum conf_gather_type */
    uint32_t gather_frequency_s; /* of tasks; 0: off */
    char *gather_params;
    char *mpi_default; /* "none", "pmix", ... */
    char *mpi_params;
    uint32_t propagate_rlimits; /* bits, or CONF_RLIMITS_ALL; see slurm_conf_propagates */
    uint32_t propagate_rlimits_except;
    uint32_t propagate_prio; /* 0, 1, 2 */
    char *prolog;            /* several programs are comma separated, may hold patterns */
    char *epilog;
    char *prolog_slurmctld;
    char *resv_prolog, *resv_epilog;
    char *epilog_slurmctld;
    char *task_prolog;
    char *task_epilog;
    char *srun_prolog;
    char *srun_epilog;
    uint32_t prolog_flags; /* CONF_PROLOG_ */
    char *unkillable_program;
    char *health_program;
    uint32_t health_interval_s;
    uint32_t health_states; /* enum health_states */
    bool use_pam;

    /* Accounting */
    char *accounting_type;
    char *accounting_host, *accounting_backup_host;
    uint32_t accounting_port; /* 0: the usual one of slurmdbd */
    uint32_t acct_enforce;    /* enum acct_enforce, with what is implied */
    char *accounting_store_flags;
    char *accounting_tres;
    char *job_comp_type;
    char *job_comp_loc;
    bool track_wckey;

    struct conf_node *nodes; /* in the order of the file */
    uint32_t nodes_n;
    struct conf_nodeset *nodesets;
    uint32_t nodesets_n;
    struct conf_partition *partitions;
    uint32_t partitions_n;
    struct conf_switch *switches; /* see beside.h; those below before those above */
    uint32_t switches_n;

    /* The text that the file gives for each row of conf_global_keys(), or NULL; for show.h. */
    char **given;
    struct conf_at *given_at; /* where that stands; its file is NULL where the text is */
    char **files;             /* all files read; positions point to these */
    uint32_t files_n;
    uint64_t digest; /* of all keys and values in their order: comments and blanks do not count */
};

/* How long prologs (or epilogs) may run, and the key that sets it, with '='. */
struct conf_hook_limit {
    uint32_t seconds; /* 0: as long as they like */
    const char *key;
};
struct conf_hook_limit slurm_conf_prolog_limit(const struct slurm_conf *conf);
struct conf_hook_limit slurm_conf_epilog_limit(const struct slurm_conf *conf);

/* Returns whether jobs get the submitting user's limit `resource` (RLIMIT_x). */
bool slurm_conf_propagates(const struct slurm_conf *conf, int resource);

/*
 * Returns $SLURM_CONF, else the first of /etc/slurm/slurm.conf and /etc/slurm-llnl/slurm.conf that
 * exists.
 */
const char *slurm_conf_path(void);

/* Reads and checks the file at `path`; `notes` may be NULL. */
int slurm_conf_load(const char *path, struct slurm_conf **ret_conf, struct conf_notes *notes,
                    struct err *err) MUST_CHECK;

/* Does what slurm_conf_load does, with files that `read` gets. */
int slurm_conf_load_from(const char *path, conf_read_fn read, void *ctx,
                         struct slurm_conf **ret_conf, struct conf_notes *notes,
                         struct err *err) MUST_CHECK;

/* Takes one more reference, to be given back by slurm_conf_free. */
/* Returns whether AccountingStorageType says that there is a slurmdbd, which need not be so. */
bool slurm_conf_has_dbd(const struct slurm_conf *conf);

/* Returns the port of that slurmdbd. */
uint16_t slurm_conf_dbd_port(const struct slurm_conf *conf);

struct slurm_conf *slurm_conf_ref(struct slurm_conf *conf);

/* Gives a reference back; the last one releases the configuration. Returns NULL. */
struct slurm_conf *slurm_conf_free(struct slurm_conf *conf);

/*
 * Return what has exactly this name, case included, or NULL. Both search their list from its start.
 */
const struct conf_node *slurm_conf_find_node(const struct slurm_conf *conf, const char *name);
const struct conf_partition *slurm_conf_find_partition(const struct slurm_conf *conf,
                                                       const char *name);

/* Returns whether the node is on this host: by NodeHostname, with or without its domain. */
bool slurm_conf_node_is_on(const struct conf_node *node, const char *host);

/*
 * Returns whether the controller may be on this host; either name may have its domain. "localhost"
 * is every host.
 */
bool slurm_conf_controller_is_on(const struct conf_host *controller, const char *host);

/* Returns the partition of jobs that name none: the last one with Default=YES, or NULL. */
const struct conf_partition *slurm_conf_default_partition(const struct slurm_conf *conf);
